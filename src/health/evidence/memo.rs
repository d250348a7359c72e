//! What earlier checks of a checkout found out, so that the next one need not look again: in our state directory.
//!
//! Answers hold only for the very files and branches they were found with. A record that is damaged, of another version or
//! too large is made anew; nothing depends on it. Not its job: finding out (see [`super::look`]).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::git::Went;
use crate::state::{StateDir, read_file, store_key, write_atomic};

/// The form of the record.
const VERSION: u32 = 1;

/// A record larger than this is not read, and one with more answers not written.
const MOST_BYTES: u64 = 8 << 20;
/// See [`MOST_BYTES`].
const MOST_ANSWERS: usize = 20_000;

/// The record of one checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memo {
    version: u32,
    /// Of which files [`Memo::names`] holds.
    tree: String,
    /// Of which branches and commits the others hold.
    refs: String,
    /// Whether a name occurs.
    pub(super) names: BTreeMap<String, bool>,
    /// On which branch a path is; `None`: on none.
    pub(super) elsewhere: BTreeMap<String, Option<String>>,
    /// When a path went; `None`: it never was there.
    pub(super) paths: BTreeMap<String, Option<Went>>,
    /// When a word went; `None`: it never occurred.
    pub(super) words: BTreeMap<String, Option<Went>>,
}

impl Memo {
    /// What is known of a checkout with these files and these branches.
    pub(super) fn read(state: Option<&StateDir>, checkout: &Path, tree: &str, refs: &str) -> Self {
        let known = state.map(|state| file(state, checkout)).and_then(|path| {
            let is_small = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= MOST_BYTES);
            let bytes = is_small.then(|| read_file(&path).ok()).flatten()?;
            serde_json::from_slice::<Self>(&bytes).ok().filter(|memo| memo.version == VERSION)
        });
        let mut memo = known.unwrap_or_default();
        memo.version = VERSION;
        if memo.tree != tree {
            memo.names.clear();
            tree.clone_into(&mut memo.tree);
        }
        if memo.refs != refs {
            memo.elsewhere.clear();
            memo.paths.clear();
            memo.words.clear();
            refs.clone_into(&mut memo.refs);
        }
        memo
    }

    /// Keeps it. What cannot be written is found out again next time.
    pub(super) fn write(&self, state: Option<&StateDir>, checkout: &Path) {
        let answers = self.names.len() + self.elsewhere.len() + self.paths.len() + self.words.len();
        if let (Some(state), true) = (state, answers <= MOST_ANSWERS)
            && let Ok(bytes) = serde_json::to_vec(self)
            && let Err(error) = write_atomic(&file(state, checkout), &bytes)
        {
            tracing::warn!("what a check found out is not remembered: {error}");
        }
    }
}

fn file(state: &StateDir, checkout: &Path) -> PathBuf {
    state.root().join("evidence").join(format!("{}.json", store_key(checkout)))
}
