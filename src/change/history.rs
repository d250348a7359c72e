//! What landed, read from the journal. Not its job: keeping the images (see `objects`) and taking back (see `undo`).

use std::collections::{HashMap, HashSet};

use super::guard::sentences::{of_file, of_text};
use super::journal::{Begin, Journal, PlannedFile, Record};
use super::workshop::Workshop;
use super::{Door, DoorError, HistoryEntry, HistoryFile, Op, Origin};
use crate::memory::likeness::measured::{is_pointer, is_source};
use crate::memory::{ContentHash, Store, Topic};

impl HistoryFile {
    /// Whether the text after has lost a sentence, or begins with another claim. Texts that are no longer kept say no.
    #[must_use]
    pub fn corrects(&self, door: &Door, store: &Store) -> bool {
        let text = |hash: Option<ContentHash>| door.image(store, hash?).ok();
        let (Some(before), Some(after)) = (text(self.before), text(self.after)) else { return false };
        let (said, says) = (of_file(&before), of_file(&after));
        said.first() != says.first() || said.iter().any(|sentence| !says.contains(sentence))
    }

    /// Whether all that the text after says, but for dates, is what a person said in these words: nothing else is left in it.
    #[must_use]
    pub fn says_only(&self, door: &Door, store: &Store, quotes: &str) -> bool {
        let Some(after) = self.after.and_then(|hash| door.image(store, hash).ok()) else { return false };
        let is_date = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric());
            chrono::NaiveDate::parse_from_str(word, "%Y-%m-%d").is_ok()
        };
        let undated = |line: &str| line.split_whitespace().filter(|word| !is_date(word)).collect::<Vec<_>>().join(" ");
        let body = Topic::read(after).body();
        let lines = body.lines().filter(|line| !is_source(line) && !is_pointer(line)).map(undated);
        let says = of_text(&lines.collect::<Vec<_>>().join("\n"));
        let quoted = of_text(quotes).join(" ");
        let words: HashSet<&str> = quoted.split(' ').collect();
        // "We" may have become "they", and a day a date.
        let is_said = |sentence: &String| {
            let there: Vec<bool> = sentence.split(' ').map(|word| words.contains(word)).collect();
            quoted.contains(sentence) || there.iter().filter(|there| **there).count() * 5 >= there.len() * 4
        };
        !says.is_empty() && says.iter().all(is_said)
    }
}

/// The landings that a memory as it is now owes its being and its text to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Debt<'a> {
    /// The one that made the file; `None`: it was there before dreamtop looked.
    pub created: Option<&'a HistoryEntry>,
    /// The last one that changed it since.
    pub changed: Option<&'a HistoryEntry>,
}

impl<'a> Debt<'a> {
    /// What a file owes to a history, newest entry first. What was taken back, and the taking back, count for nothing.
    #[must_use]
    pub fn of(history: &'a [HistoryEntry], file: &str) -> Self {
        let mut debt = Self::default();
        let standing = history.iter().filter(|entry| entry.undone_by.is_none() && entry.origin != Origin::Undo);
        for entry in standing {
            match entry.files.iter().find(|changed| changed.file == file).map(|changed| changed.op) {
                Some(Op::Create) => {
                    debt.created = Some(entry);
                    return debt;
                }
                Some(Op::Replace) if debt.changed.is_none() => debt.changed = Some(entry),
                // What was before a removal is another memory of the same name.
                Some(Op::Remove) => return debt,
                Some(Op::Replace) | None => {}
            }
        }
        debt
    }

    /// The landing that made the text what it is.
    #[must_use]
    pub fn latest(&self) -> Option<&'a HistoryEntry> {
        self.changed.or(self.created)
    }
}

/// An entry with what undo needs besides.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) entry: HistoryEntry,
    pub(super) files: Vec<PlannedFile>,
}

/// Every landing that happened, oldest first.
pub(super) fn recorded(workshop: &Workshop) -> Result<Vec<Recorded>, DoorError> {
    let journal = Journal::at(workshop.journal());
    let records = journal.records().map_err(|source| DoorError::Io {
        what: "cannot read",
        path: journal.path().to_owned(),
        source,
    })?;
    let landed: HashMap<&str, bool> = records
        .iter()
        .filter_map(|record| match record {
            Record::End { id, landed } => Some((id.as_str(), *landed)),
            Record::Begin(_) => None,
        })
        .collect();
    let mut entries: Vec<Recorded> = Vec::new();
    let mut undoes: HashMap<String, &Begin> = HashMap::new();
    for record in &records {
        let Record::Begin(begin) = record else { continue };
        if landed.get(begin.entry.id.as_str()) != Some(&true) {
            continue;
        }
        if !begin.undoes.is_empty() {
            undoes.insert(begin.entry.id.clone(), begin);
        }
        // What another program goes on changing is one entry, recorded again as it grows.
        match entries.last_mut().filter(|last| last.entry.id == begin.entry.id) {
            Some(last) => *last = recorded_of(begin),
            None => entries.push(recorded_of(begin)),
        }
    }
    // Newest first: an undo that was itself taken back has taken nothing back, however long the chain.
    let (mut whole, mut in_part): (HashMap<String, String>, HashMap<String, String>) = Default::default();
    for one in entries.iter_mut().rev() {
        one.entry.undone_by = whole.get(&one.entry.id).cloned();
        let part = in_part.get(&one.entry.id).filter(|_| one.entry.undone_by.is_none());
        one.entry.undone_in_part_by = part.cloned();
        let Some(begin) = undoes.get(&one.entry.id).filter(|_| one.entry.undone_by.is_none()) else { continue };
        let undone_by = if begin.is_in_part { &mut in_part } else { &mut whole };
        for undone in &begin.undoes {
            undone_by.entry(undone.clone()).or_insert_with(|| one.entry.id.clone());
        }
    }
    // It changed something and changed it back.
    entries.retain(|one| one.entry.origin != Origin::Foreign || !one.files.is_empty());
    Ok(entries)
}

fn recorded_of(begin: &Begin) -> Recorded {
    let mut entry = begin.entry.clone();
    entry.files = begin.files.iter().map(|planned| planned.file.clone()).collect();
    Recorded { entry, files: begin.files.clone() }
}
