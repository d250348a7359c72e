//! The session that an extraction forks, and whether forking it is worth its price.
//!
//! A fork sends the whole conversation again. What the session left in the prompt cache costs a tenth; but the child does not
//! read the person's settings, and so not their CLAUDE.md, with which a conversation begins: where there is one, only
//! the instructions and tools before it are found in the cache. Not its job: what is asked.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::engine::{RunContext, SessionSource};
use crate::environment::Environment;
use crate::project::slug;
use crate::text::figure;

/// So much of the end of a transcript is looked at.
const TAIL: u64 = 1024 * 1024;
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

/// What the end of a transcript says.
#[derive(Debug, Default)]
struct Latest {
    cwd: Option<PathBuf>,
    model: Option<String>,
    /// Tokens that the conversation takes.
    tokens: u64,
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
        let instructions = [cwd.join("CLAUDE.md"), cwd.join("CLAUDE.local.md"), base.join("CLAUDE.md")];
        let price = match instructions.iter().find(|path| path.exists()) {
            Some(_) => latest.tokens,
            None => latest.tokens / CACHED,
        };
        if price > context.token_budget / SHARE {
            return Err(format!(
                "the conversation takes {} tokens, and forking it would count {} of the {} that a run may use",
                figure(latest.tokens),
                figure(price),
                figure(context.token_budget)
            ));
        }
        Ok(Self { session: session.id.clone(), cwd, model: latest.model })
    }
}

/// The last word of a transcript on where, with what and at what size.
fn latest(path: &Path) -> std::io::Result<Latest> {
    let mut file = fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    let mut latest = Latest::default();
    for line in bytes.split(|byte| *byte == b'\n').rev() {
        let Ok(line) = serde_json::from_slice::<Value>(line) else { continue };
        if latest.cwd.is_none() {
            latest.cwd = line.get("cwd").and_then(Value::as_str).map(PathBuf::from);
        }
        let is_side = line.get("isSidechain").and_then(Value::as_bool) == Some(true);
        let message = line.get("message").filter(|_| !is_side);
        let model = message.and_then(|message| message.get("model")).and_then(Value::as_str);
        if let (None, Some(model)) = (&latest.model, model.filter(|model| !model.starts_with('<'))) {
            latest.model = Some(model.to_owned());
            let usage = message.and_then(|message| message.get("usage"));
            let of = |key: &str| usage.and_then(|usage| usage.get(key)).and_then(Value::as_u64).unwrap_or_default();
            latest.tokens = of("input_tokens")
                + of("output_tokens")
                + of("cache_read_input_tokens")
                + of("cache_creation_input_tokens");
        }
        if latest.cwd.is_some() && latest.model.is_some() {
            break;
        }
    }
    // Nobody counted: about four bytes a token.
    if latest.tokens == 0 {
        latest.tokens = length / 4;
    }
    Ok(latest)
}
