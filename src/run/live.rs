//! Sessions of Claude Code that are at work right now on the project of a store, and what they mean for a large change.
//!
//! They write memories themselves, so a change of many files says that they are there, and looks again afterwards. It
//! never waits for them: what they write meanwhile is met by the door, which compares every file before it is replaced.
//! Their files are another program's: every field is optional, an odd file is stepped over. Not its job: comparing
//! (`crate::change`).

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeZone, Utc};
use serde_json::Value;

use crate::change::{ChangeSet, Door, Landing};
use crate::memory::{ContentHash, Store};
use crate::process;
use crate::project::git::{git_root, physical};
use crate::project::{Choice, ClaudeHome};
use crate::state::open_file;

/// A change set of more files than this is a large one.
const FEW: usize = 3;

/// A file about a process that is larger than this is none.
const MAX_BYTES: u64 = 64 * 1024;

/// A session whose process is alive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveSession {
    /// Its process.
    pub pid: u32,
    /// Its id, when it says so.
    pub session: Option<String>,
    /// Where it works.
    pub cwd: PathBuf,
    /// When it began, when it says so.
    pub since: Option<DateTime<Utc>>,
    /// Whether it is at work: not `idle`, not `waiting` for a person. One that does not say (older ones do not) is.
    pub is_busy: bool,
}

/// The place sessions have to be at to count: a project's checkout and the folders of its transcripts.
#[derive(Clone, Debug)]
pub struct Site<'a> {
    home: &'a ClaudeHome,
    checkout: Option<&'a Path>,
    folders: Vec<PathBuf>,
}

impl<'a> Site<'a> {
    /// The place of a chosen store; `None` without a Claude home.
    #[must_use]
    pub fn of(choice: &'a Choice) -> Option<Self> {
        let folders = choice.sessions.clone();
        Some(Self { home: choice.home.as_ref()?, checkout: choice.checkout.as_deref(), folders })
    }

    /// The place of a store that was found beside others.
    #[must_use]
    pub fn at(home: &'a ClaudeHome, store: &Store, project: Option<&'a Path>) -> Self {
        let folders = store.root().parent().map(Path::to_owned).into_iter().collect();
        Self { home, checkout: project, folders }
    }

    fn holds(&self, cwd: &Path) -> bool {
        let cwd = physical(cwd);
        let root_of = |path: &Path| git_root(path).unwrap_or_else(|| path.to_owned());
        let is_in_checkout = self.checkout.is_some_and(|checkout| {
            let checkout = physical(checkout);
            cwd.starts_with(&checkout) || root_of(&cwd) == root_of(&checkout)
        });
        let folder = || physical(&self.home.folder_of(&root_of(&cwd)).sessions);
        is_in_checkout || self.folders.iter().any(|own| physical(own) == folder())
    }

    /// The sessions at work here.
    #[must_use]
    pub fn busy(&self) -> Vec<LiveSession> {
        let all = sessions(self.home.base());
        all.into_iter().filter(|session| session.is_busy && self.holds(&session.cwd)).collect()
    }

    /// What to say before a change set lands: nothing when it is a small one, or nobody is at work.
    #[must_use]
    pub fn notices(&self, set: &ChangeSet) -> Vec<String> {
        let files = set.changes.len() + usize::from(set.index.is_some());
        if files <= FEW {
            return Vec::new();
        }
        let said = self.busy().into_iter().map(|session| {
            let since = session.since.map(|since| format!(", since {}", since.format("%Y-%m-%d %H:%M UTC")));
            let since = since.unwrap_or_default();
            format!(
                "a session of this project is running (PID {}{since}): each file is compared before it is written, so what it writes meanwhile stays",
                session.pid
            )
        });
        said.collect()
    }
}

/// What of a landing is not on the disk any more as it landed: read again right after, one sentence a file.
#[must_use]
pub fn changed_since(door: &Door, store: &Store, landing: &Landing) -> Vec<String> {
    let Some(id) = &landing.history else { return Vec::new() };
    let history = door.history(store).unwrap_or_default();
    let Some(entry) = history.iter().find(|entry| entry.id == *id) else { return Vec::new() };
    let changed = entry.files.iter().filter(|file| {
        let now = store.bytes(&file.file).ok().map(|bytes| ContentHash::of(&bytes));
        now != file.after
    });
    changed.map(|file| format!("{} was changed by another program right after it landed", file.file)).collect()
}

/// Every session that a Claude home says is running and whose process is the one it names.
#[must_use]
pub fn sessions(base: &Path) -> Vec<LiveSession> {
    let mut paths: Vec<PathBuf> = fs::read_dir(base.join("sessions"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    let mut found: Vec<LiveSession> = Vec::new();
    for session in paths.iter().filter_map(|path| session(path)) {
        if found.iter().all(|known| known.pid != session.pid) {
            found.push(session);
        }
    }
    found
}

/// `None`: not a file about a process, or not one about a process that is alive.
fn session(path: &Path) -> Option<LiveSession> {
    let file = open_file(path).ok()?;
    file.metadata().ok().filter(|found| found.len() <= MAX_BYTES)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let named = path.file_stem()?.to_str()?.trim_start_matches("pid-").parse::<u64>().ok();
    let pid = value.get("pid").and_then(Value::as_u64).or(named).and_then(|pid| u32::try_from(pid).ok())?;
    let started = match value.get("procStart")? {
        Value::String(started) => started.clone(),
        Value::Number(started) => started.to_string(),
        _ => return None,
    };
    // An id alone proves nothing: it is given out again, and files of ended sessions linger.
    is_birth(&started, &process::birth(pid)?).then_some(())?;
    let since = match value.get("startedAt") {
        Some(Value::String(at)) => DateTime::parse_from_rfc3339(at).ok().map(|at| at.with_timezone(&Utc)),
        Some(at) => at.as_i64().and_then(|at| Utc.timestamp_millis_opt(at).single()),
        None => None,
    };
    let is_busy = !matches!(text("status"), Some("idle" | "waiting"));
    let id = text("sessionId").or_else(|| text("session_id")).map(str::to_owned);
    Some(LiveSession { pid, session: id, cwd: PathBuf::from(text("cwd")?), since, is_busy })
}

/// Whether a start time as Claude Code writes it is that of a process born so: the ticks since boot where the system counts
/// them, else the words of `ps`.
fn is_birth(started: &str, born: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let born = born.split_once('@').map_or(born, |(ticks, _)| ticks);
    !words(started).is_empty() && words(started) == words(born)
}

#[cfg(test)]
#[path = "live_tests.rs"]
mod tests;
