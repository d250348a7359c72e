//! How long the history is kept: 90 days or 200 MB, and always the last 20 versions of each file.
//!
//! Looked at once a day, when a program starts. What waits in the inbox keeps its bytes. Not its job: erasing one value
//! from everything.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;

use chrono::{DateTime, TimeDelta, Utc};

use super::inbox::Inbox;
use super::journal::{Begin, Damage, Journal, Record, damage};
use super::manifest::Manifest;
use super::objects::Objects;
use super::rewrite;
use super::workshop::Workshop;
use crate::memory::ContentHash;
use crate::state::{read_file, write_atomic};

/// How much is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) days: i64,
    pub(super) bytes: u64,
    /// Versions of each file that are kept in any case.
    pub(super) versions: usize,
}

/// The limits in force.
pub(super) const LIMITS: Limits = Limits { days: 90, bytes: 200_000_000, versions: 20 };

/// Forgets what is past the limits, at most once a day. Called under the landing lock, with no landing open. While the record
/// of landings is damaged nothing is forgotten: what it cannot tell may still be needed. Returns the damage.
pub(super) fn daily(workshop: &Workshop, now: DateTime<Utc>) -> io::Result<Option<Damage>> {
    let stamp = workshop.retention();
    let text = read_file(&stamp).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let last = text.and_then(|text| text.trim().parse::<DateTime<Utc>>().ok());
    if last.is_some_and(|last| (now - last).abs() < TimeDelta::days(1)) {
        return Ok(None);
    }
    if let Some(damage) = damage(&workshop.journal())? {
        return Ok(Some(damage));
    }
    forget(workshop, now, LIMITS)?;
    write_atomic(&stamp, now.to_rfc3339().as_bytes())?;
    Ok(None)
}

/// Forgets what is past the limits.
pub(super) fn forget(workshop: &Workshop, now: DateTime<Utc>, limits: Limits) -> io::Result<()> {
    let journal = Journal::at(workshop.journal());
    let objects = Objects::at(workshop.objects());
    let records = journal.records()?;
    let dropped = dropped(&records, &objects, now, limits);
    let kept: Vec<Record> = records.iter().filter(|record| !dropped.contains(id_of(record))).cloned().collect();
    if kept.len() < records.len() {
        rewrite::journal(workshop, &kept)?;
    }
    let mut needed: HashSet<ContentHash> = kept.iter().flat_map(images).collect();
    let inbox = Inbox::of(workshop).all().map_err(io::Error::other)?;
    needed.extend(inbox.iter().flat_map(super::stored::Stored::images));
    // What was rejected can wait again.
    needed.extend(super::dropped::read(workshop).iter().flat_map(|dropped| dropped.entry.images()));
    objects.remove_all_but(&needed)?;
    match Manifest::read(workshop) {
        Some(manifest) => Objects::at(workshop.current()).remove_all_but(&manifest.copies()),
        None => Ok(()),
    }
}

fn id_of(record: &Record) -> &str {
    match record {
        Record::Begin(begin) => &begin.entry.id,
        Record::End { id, .. } => id,
    }
}

fn images(record: &Record) -> Vec<ContentHash> {
    match record {
        Record::Begin(begin) => images_of(begin).collect(),
        Record::End { .. } => Vec::new(),
    }
}

fn images_of(begin: &Begin) -> impl Iterator<Item = ContentHash> {
    begin.files.iter().flat_map(|planned| planned.file.before.into_iter().chain(planned.file.after))
}

/// The landings to forget: newest first, one goes when it is too old or there is no room left, unless one of its files
/// has few versions. Landings that were taken back by a crash count as any other.
fn dropped(records: &[Record], objects: &Objects, now: DateTime<Utc>, limits: Limits) -> HashSet<String> {
    let mut versions: HashMap<&str, usize> = HashMap::new();
    let mut counted: HashSet<ContentHash> = HashSet::new();
    let mut bytes = 0;
    let mut dropped = HashSet::new();
    for record in records.iter().rev() {
        let Record::Begin(begin) = record else { continue };
        let mut is_rare = false;
        for planned in &begin.files {
            let seen = versions.entry(planned.file.file.as_str()).or_default();
            *seen += 1;
            is_rare |= *seen <= limits.versions;
        }
        let own: u64 = images_of(begin)
            .filter(|hash| !counted.contains(hash))
            .filter_map(|hash| fs::metadata(objects.path(hash)).ok())
            .map(|metadata| metadata.len())
            .sum();
        let is_past = now - begin.entry.at > TimeDelta::days(limits.days) || bytes + own > limits.bytes;
        if is_past && !is_rare {
            dropped.insert(begin.entry.id.clone());
        } else {
            bytes += own;
            counted.extend(images_of(begin));
        }
    }
    dropped
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::change::{Change, ChangeSet, Consent, Door, Mtime, Op, Origin, Rationale};
    use crate::clock::Clock;
    use crate::memory::Store;
    use crate::state::StateDir;

    #[test]
    fn old_versions_go_and_the_last_ones_and_what_waits_stay() {
        let directory = tempfile::tempdir().unwrap();
        let (state, store) = (StateDir::at(directory.path().join("state")), Store::at(directory.path().join("memory")));
        let now = Utc::now();
        let text = |day: i64| format!("Version of day {day}.\n").into_bytes();
        for day in 0..10 {
            let door = Door::new(state.clone(), Clock::Fixed(now - TimeDelta::days(100 - day)));
            let base = (day > 0).then(|| text(day - 1));
            let op = if base.is_some() { Op::Replace } else { Op::Create };
            let mut set = ChangeSet::new(Origin::Edit, "edit a.md");
            set.changes.push(Change {
                file: "a.md".to_owned(),
                op,
                base,
                content: Some(text(day)),
                rationale: Rationale::default(),
                mtime: Mtime::Now,
            });
            door.land(&store, &set, Consent::Person).unwrap();
        }
        let door = Door::new(state.clone(), Clock::Fixed(now));
        let mut asked = ChangeSet::new(Origin::Dream, "dream");
        asked.changes.push(Change {
            file: "b.md".to_owned(),
            op: Op::Create,
            base: None,
            content: Some(b"waits\n".to_vec()),
            rationale: Rationale::default(),
            mtime: Mtime::Now,
        });
        door.land(&store, &asked, Consent::Ask).unwrap();

        let workshop = Workshop::of(&state, &store);
        forget(&workshop, now, LIMITS).unwrap();
        assert_eq!(door.history(&store).unwrap().len(), 10, "fewer than twenty versions always stay");
        forget(&workshop, now, Limits { versions: 3, ..LIMITS }).unwrap();
        let history = door.history(&store).unwrap();
        assert_eq!(history.len(), 3);
        assert!(door.image(&store, ContentHash::of(&text(6))).is_ok(), "the base of the oldest kept one");
        assert!(door.image(&store, ContentHash::of(&text(5))).is_err());
        assert_eq!(door.inbox(&store).unwrap().len(), 1);
        door.undo(&store, &history.first().unwrap().id).unwrap();
        assert_eq!(std::fs::read(store.path("a.md")).unwrap(), text(8));
        let room = Limits { days: 1_000, bytes: 60, versions: 1 };
        forget(&workshop, now, room).unwrap();
        assert!(door.history(&store).unwrap().len() < 4);
    }
}
