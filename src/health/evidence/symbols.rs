//! Whether names occur in a checkout: all of them in one pass over its files.
//!
//! A name occurs when it stands anywhere as a whole word, in a comment too: only what is nowhere is gone. Bounded in time
//! and bytes; what could not be read in time gives no answer. Not its job: remembering answers (see [`super::memo`]).

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::time::{Duration, Instant};

use aho_corasick::AhoCorasick;

use super::tree::Tree;

/// A file larger than this holds no code that a person wrote.
const MOST_FILE_BYTES: u64 = 2_000_000;

/// Reading stops after this many bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Reading stops after this long.
const MOST_TIME: Duration = Duration::from_secs(8);

/// For each name whether it occurs; a name is missing when nobody can say.
pub(super) fn occurring(tree: &Tree, names: &HashSet<String>) -> HashMap<String, bool> {
    let mut wanted: Vec<&String> = names.iter().collect();
    wanted.sort();
    let Ok(finder) = AhoCorasick::new(&wanted) else { return HashMap::new() };
    let mut seen = vec![false; wanted.len()];
    let mut left = wanted.len();
    let mut is_whole = tree.is_complete;
    let start = Instant::now();
    let mut budget = MOST_BYTES;
    let mut bytes = Vec::new();
    for file in tree.files() {
        if left == 0 {
            break;
        }
        if budget < file.bytes || start.elapsed() > MOST_TIME {
            is_whole = false;
            break;
        }
        // A lock file names everything that others wrote, and nothing of the project's own.
        if file.bytes > MOST_FILE_BYTES {
            continue;
        }
        bytes.clear();
        let read = crate::state::open_file(&tree.root().join(&file.path))
            .and_then(|file| file.take(MOST_FILE_BYTES).read_to_end(&mut bytes));
        let Ok(length) = read else { continue };
        budget = budget.saturating_sub(length as u64);
        // File names say names too: `0043_orders_v2.sql`.
        mark(&finder, file.path.as_bytes(), &mut seen, &mut left, true);
        if memchr::memchr(0, bytes.get(..bytes.len().min(1024)).unwrap_or_default()).is_none() {
            mark(&finder, &bytes, &mut seen, &mut left, false);
        }
    }
    let answers = wanted.into_iter().zip(seen).filter(|(_, seen)| *seen || is_whole);
    answers.map(|(name, seen)| (name.clone(), seen)).collect()
}

fn mark(finder: &AhoCorasick, bytes: &[u8], seen: &mut [bool], left: &mut usize, is_path: bool) {
    let is_word = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    for hit in finder.find_overlapping_iter(bytes) {
        let before = hit.start().checked_sub(1).and_then(|at| bytes.get(at));
        let is_whole = is_path || !is_word(before) && !is_word(bytes.get(hit.end()));
        if let Some(seen) = seen.get_mut(hit.pattern().as_usize()).filter(|seen| is_whole && !**seen) {
            *seen = true;
            *left -= 1;
        }
    }
}
