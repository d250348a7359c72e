//! Memories that a session had and then corrected: what they said was wrong once, in use.
//!
//! From the ledgers of what sessions had and the history of the store: a landing of an extraction with that session's words,
//! or a write of that session's own, that took words out of the very text the session had. Where nothing but the person's own
//! words is left, there is nothing to ask. Not its job: whether the new text is right; a person sees to that.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, Utc};

use crate::change::{Door, HistoryEntry, HistoryFile, Origin};
use crate::clock::Clock;
use crate::memory::Store;
use crate::session::given::{Given, How};
use crate::state::{StateDir, session_name};

/// How a memory was corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The session that had it.
    pub session: String,
    /// When what it said was replaced.
    pub at: DateTime<Utc>,
    /// The person's words, where they are known.
    pub quote: Option<String>,
}

/// The latest correction of each memory that no person has changed since.
pub(super) fn of(store: &Store, state: &StateDir, ledgers: &[(String, Vec<Given>)]) -> BTreeMap<String, Correction> {
    let mut found = BTreeMap::new();
    if !ledgers.iter().any(|(_, given)| given.iter().any(|one| is_had(one.how))) {
        return found;
    }
    let door = Door::new(state.clone(), Clock::System);
    // A history that cannot be read proves nothing.
    let history = door.history(store).unwrap_or_default();
    let mut settled: HashSet<&str> = HashSet::new();
    for entry in history.iter().filter(|entry| entry.undone_by.is_none()) {
        for changed in &entry.files {
            if settled.contains(changed.file.as_str()) || found.contains_key(&changed.file) {
                continue;
            }
            match entry.origin {
                // What a person looked at and accepted is settled.
                Origin::Extract if entry.by_person => {
                    settled.insert(&changed.file);
                }
                Origin::Extract | Origin::Foreign => {
                    let correction = correction(entry, changed, ledgers);
                    match correction.filter(|_| changed.corrects(&door, store)) {
                        // What was put right with the person's words, and says no more, is settled.
                        Some(correction) if changed.says_only(&door, store, &quotes(changed, &correction.session)) => {
                            settled.insert(&changed.file);
                        }
                        Some(correction) => {
                            found.insert(changed.file.clone(), correction);
                        }
                        None => {}
                    }
                }
                Origin::Dream | Origin::Repair | Origin::Pull => {}
                Origin::Edit | Origin::Triage | Origin::Proposal | Origin::Undo => {
                    settled.insert(&changed.file);
                }
            }
        }
    }
    found
}

/// What the person said in that session, as far as the change quotes it.
fn quotes(changed: &HistoryFile, session: &str) -> String {
    let sources = changed.rationale.sources.iter();
    let of_session =
        sources.filter(|source| source.session.as_deref().is_some_and(|name| session_name(name) == session));
    of_session.filter_map(|source| source.quote.as_deref()).collect::<Vec<_>>().join("\n")
}

fn is_had(how: How) -> bool {
    matches!(how, How::Recalled | How::Read | How::Inherited)
}

/// The correction that a change is, when a session had the text it replaced.
fn correction(entry: &HistoryEntry, changed: &HistoryFile, ledgers: &[(String, Vec<Given>)]) -> Option<Correction> {
    let (before, after) = (changed.before?, changed.after?);
    ledgers.iter().find_map(|(session, given)| {
        let mut of_file = given.iter().filter(|one| one.file == changed.file);
        of_file.find(|one| is_had(one.how) && one.hash == Some(before))?;
        let is_written = of_file.any(|one| one.how == How::Written && one.hash == Some(after));
        let is_session = |name: &String| session_name(name) == *session;
        let mut sources = changed.rationale.sources.iter();
        let source = sources.find(|source| source.session.as_ref().is_some_and(is_session));
        let is_its = if entry.origin == Origin::Extract { source.is_some() } else { is_written };
        let quote = source.and_then(|source| source.quote.clone());
        is_its.then(|| Correction { session: session.clone(), at: entry.at, quote })
    })
}
