//! The session that an extraction forks, and whether forking it is worth its price.
//!
//! A fork sends the whole conversation again. What the session left in the prompt cache costs a tenth; but the child does not
//! read the person's settings, and so not their CLAUDE.md or rules, with which a conversation begins: where there are any,
//! only the instructions and tools before them are found in the cache. Not its job: what is asked.

use std::path::{Path, PathBuf};

use crate::engine::agent::providers::estimate;
use crate::engine::{RunContext, SessionSource};
use crate::environment::Environment;
use crate::project::documents::documents;
use crate::project::slug;
use crate::session::latest;
use crate::session::line::Usage;
use crate::text::figure;

/// A fork may take this part of what a run may use.
const SHARE: u64 = 3;
/// What is read from the cache counts this part.
const CACHED: u64 = 10;

/// A session that can be forked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fork {
    /// Its id.
    pub(super) session: String,
    /// Where it was held: the command finds its sessions by that.
    pub(super) cwd: PathBuf,
    /// The model it was held with last, whose cache it is.
    pub(super) model: Option<String>,
}

impl Fork {
    /// The fork of a session, or why it is not forked, in words.
    pub(super) fn of(session: &SessionSource, context: &RunContext, environment: &Environment) -> Result<Self, String> {
        let latest = latest(&session.path)
            .map_err(|error| format!("the end of session {} cannot be read: {error}", session.id))?;
        let Some(cwd) = latest.cwd.filter(|cwd| cwd.is_dir()) else {
            return Err(format!("the directory in which session {} was held is not there", session.id));
        };
        let base = environment.claude_dir().unwrap_or_default();
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = real(&session.path);
        let folder = path.parent().unwrap_or(Path::new(""));
        let is_found = folder.parent() == Some(&real(&base.join("projects")))
            && folder
                .file_name()
                .and_then(|name| name.to_str())
                .is_some_and(|name| cwd.to_str().is_some_and(|cwd| slug::matches(name, cwd)));
        if !is_found {
            return Err(format!("session {} does not lie where claude looks for it", session.id));
        }
        let uncounted = || estimate(usize::try_from(latest.length).unwrap_or(usize::MAX));
        let tokens = latest.usage.map(Usage::all).filter(|tokens| *tokens > 0).unwrap_or_else(uncounted);
        let is_cached = documents(Some(&cwd), Some(&base)).is_empty();
        let price = if is_cached { tokens / CACHED } else { tokens };
        if price > context.token_budget / SHARE {
            return Err(format!(
                "the conversation takes {} tokens, and forking it would count {} of the {} that a run may use",
                figure(tokens),
                figure(price),
                figure(context.token_budget)
            ));
        }
        Ok(Self { session: session.id.clone(), cwd, model: latest.model })
    }
}
