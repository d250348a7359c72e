//! The record of landings, `journal.jsonl`: what is intended, before a file is touched, and how it ended.
//!
//! Each line carries a checksum; a torn or damaged line is ignored, whatever stands before or after it counts. Not its
//! job: acting on an intent that never ended (see `recover`).

use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{HistoryEntry, HistoryFile};
use crate::memory::ContentHash;
use crate::state::{open_to_append, with_path};

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Record {
    /// A landing is about to touch files.
    Begin(Begin),
    /// It is over.
    End {
        /// The landing's id.
        id: String,
        /// Whether the files are as intended (else: as they were).
        landed: bool,
    },
}

/// What a landing is about to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Begin {
    /// As history will show it, `files` left empty.
    pub(super) entry: HistoryEntry,
    /// Every file, in the order they are written; the index last.
    pub(super) files: Vec<PlannedFile>,
    /// The entries it takes back.
    pub(super) undoes: Vec<String>,
    /// Whether something of them still stands, and it took back the rest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_in_part: bool,
}

/// One file of a landing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PlannedFile {
    /// As history will show it.
    pub(super) file: HistoryFile,
    /// The temp file's name.
    pub(super) temp: String,
    /// Where the removed entry led, when it was a symbolic link.
    pub(super) link: Option<String>,
    /// The directories that are made for it, outermost first: taking it back takes them away when they are empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) made: Vec<String>,
}

/// What of a journal cannot be read. A line that merely ends too early is what a crash leaves before anything was done: it
/// is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The journal.
    pub path: PathBuf,
    /// The first line that cannot be read, from 1.
    pub from_line: usize,
    /// How many lines cannot be read.
    pub lines: usize,
    /// Whether nothing after the first of them can be read.
    #[serde(rename = "to_the_end")]
    pub is_to_the_end: bool,
}

impl Damage {
    /// What of these bytes of a journal cannot be read.
    fn of(bytes: &[u8], path: &Path) -> Option<Self> {
        let (mut damage, mut good): (Option<Self>, usize) = (None, 0);
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            if record_of(line).is_some() {
                good = number;
            } else if !line.trim_ascii().is_empty() && !is_torn(line) {
                let path = path.to_owned();
                let from_here = Self { path, from_line: number, lines: 0, is_to_the_end: true };
                damage.get_or_insert(from_here).lines += 1;
            }
        }
        damage.map(|damage| Self { is_to_the_end: good < damage.from_line, ..damage })
    }

    /// What a person should know of it, and do.
    #[must_use]
    pub fn sentence(&self) -> String {
        let lines = crate::text::count(self.lines, "line", "lines");
        let what = if self.is_to_the_end {
            format!("cannot be read from line {} on ({lines})", self.from_line)
        } else {
            format!("has {lines} that cannot be read, from line {} on", self.from_line)
        };
        let path = self.path.display();
        format!(
            "the record of what landed, {path}, {what}; what they told cannot be undone by name; `dreamtop doctor --fix` \
             sets the file aside and keeps all that can be read"
        )
    }
}

/// What of a journal cannot be read; `None`: nothing, or there is none.
///
/// # Errors
/// When the file cannot be opened.
pub fn damage(path: &Path) -> io::Result<Option<Damage>> {
    Ok(Journal::at(path.to_owned()).read()?.1)
}

#[derive(Serialize, Deserialize)]
struct Line<'a> {
    sum: String,
    #[serde(borrow)]
    record: &'a RawValue,
}

/// The journal of one store.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a record and waits for the disk. When that fails, the journal is as it was.
    pub(super) fn append(&self, record: &Record) -> io::Result<()> {
        self.append_all(&[record])
    }

    /// Adds records in a single write and waits for the disk. When that fails, the journal is as it was.
    pub(super) fn append_all(&self, records: &[&Record]) -> io::Result<()> {
        let wrap = |error| with_path(error, "cannot append to", &self.path);
        let lines: Vec<String> = records.iter().map(|record| line_of(record)).collect::<io::Result<_>>()?;
        let line = lines.join("\n");
        let (mut file, is_torn) = open_to_append(&self.path)?;
        let length = file.metadata().map_err(wrap)?.len();
        let mut bytes = Vec::with_capacity(line.len() + 2);
        // A torn last line must not swallow this one.
        if is_torn {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
        file.write_all(&bytes).and_then(|()| file.sync_data()).map_err(|error| {
            let _ = file.set_len(length);
            wrap(error)
        })
    }

    /// Every record that can be read, oldest first.
    pub(super) fn records(&self) -> io::Result<Vec<Record>> {
        Ok(self.read()?.0)
    }

    /// Every record that can be read, oldest first, and what of the rest is no mere trace of a crash.
    pub(super) fn read(&self) -> io::Result<(Vec<Record>, Option<Damage>)> {
        match crate::state::read_file(&self.path) {
            Ok(bytes) => Ok((parse(&bytes), Damage::of(&bytes, &self.path))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Vec::new(), None)),
            Err(error) => Err(with_path(error, "cannot read", &self.path)),
        }
    }

    /// How long it is, in bytes.
    pub(super) fn length(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |metadata| metadata.len())
    }

    /// Every record that can be read from a place on, oldest first.
    pub(super) fn records_from(&self, start: u64) -> io::Result<Vec<Record>> {
        let wrap = |error| with_path(error, "cannot read", &self.path);
        let mut file = match crate::state::open_file(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(wrap(error)),
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut bytes)).map_err(wrap)?;
        Ok(parse(&bytes))
    }

    /// The landing that began and never ended, if the last record is one. Reads the end of the file only.
    pub(super) fn open_landing(&self) -> io::Result<Option<Begin>> {
        let wrap = |error| with_path(error, "cannot read", &self.path);
        let mut file = match crate::state::open_file(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrap(error)),
        };
        let length = file.metadata().map_err(wrap)?.len();
        let mut window = 16 * 1024;
        loop {
            let start = length.saturating_sub(window);
            let mut tail = Vec::new();
            file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut tail)).map_err(wrap)?;
            match parse(&tail).pop() {
                Some(Record::Begin(begin)) => return Ok(Some(begin)),
                Some(Record::End { .. }) => return Ok(None),
                None if start == 0 => return Ok(None),
                None => window *= 8,
            }
        }
    }

    /// Replaces the whole record, for forgetting what is too old.
    pub(super) fn replace(&self, records: &[Record]) -> io::Result<()> {
        let mut bytes = Vec::new();
        for record in records {
            bytes.extend_from_slice(line_of(record)?.as_bytes());
            bytes.push(b'\n');
        }
        crate::state::write_atomic(&self.path, &bytes)
    }
}

fn line_of(record: &Record) -> io::Result<String> {
    let raw = serde_json::value::to_raw_value(record)?;
    Ok(serde_json::to_string(&Line { sum: checksum(raw.get()), record: &raw })?)
}

fn checksum(text: &str) -> String {
    ContentHash::of(text.as_bytes()).to_string().chars().take(16).collect()
}

fn parse(bytes: &[u8]) -> Vec<Record> {
    bytes.split(|byte| *byte == b'\n').filter_map(record_of).collect()
}

/// Whether a line was cut off in the middle.
fn is_torn(line: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

fn record_of(line: &[u8]) -> Option<Record> {
    let line: Line<'_> = serde_json::from_slice(line).ok()?;
    if checksum(line.record.get()) != line.sum {
        return None;
    }
    serde_json::from_str(line.record.get()).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

    use super::*;
    use crate::change::Origin;

    fn begin(id: &str) -> Record {
        let entry = HistoryEntry {
            id: id.to_owned(),
            at: chrono::DateTime::UNIX_EPOCH,
            origin: Origin::Edit,
            run: None,
            title: "edit a.md\nwith a line break".to_owned(),
            files: Vec::new(),
            undone_by: None,
            undone_in_part_by: None,
            by_person: false,
        };
        Record::Begin(Begin { entry, files: Vec::new(), undoes: Vec::new(), is_in_part: false })
    }

    #[test]
    fn a_torn_last_line_is_ignored_and_does_not_swallow_the_next() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::at(directory.path().join("s/journal.jsonl"));
        let end = Record::End { id: "1".to_owned(), landed: true };
        journal.append(&begin("1")).unwrap();
        journal.append(&end).unwrap();
        let whole = fs::read(journal.path()).unwrap();
        for cut in 0..whole.len() {
            fs::write(journal.path(), &whole[..cut]).unwrap();
            let before = journal.records().unwrap();
            assert!(before.len() <= 2);
            journal.append(&begin("2")).unwrap();
            let after = journal.records().unwrap();
            assert_eq!(after.last(), Some(&begin("2")), "cut at {cut}");
            assert_eq!(after.len(), before.len() + 1, "cut at {cut}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_by_its_line_and_a_torn_one_is_no_damage() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::at(directory.path().join("journal.jsonl"));
        journal.append_all(&[&begin("1"), &begin("2"), &begin("3")]).unwrap();
        let text = fs::read_to_string(journal.path()).unwrap();
        let told = |text: &str| {
            fs::write(journal.path(), text).unwrap();
            damage(journal.path()).unwrap().map(|damage| (damage.from_line, damage.lines, damage.is_to_the_end))
        };
        assert_eq!(told(&text), None);
        assert_eq!(told(&text[..text.len() - 9]), None, "a crash cut the last line off");
        assert_eq!(told(&format!("{}\n{text}", &text[..30])), None, "and something landed after it");
        assert_eq!(told("garbage\nmore\n"), Some((1, 2, true)));
        assert_eq!(told(&format!("{text}\0\0\0\n")), Some((4, 1, true)));
        assert_eq!(told(&text.replacen("edit a.md", "edit b.md", 1)), Some((1, 1, false)));
        assert_eq!(damage(&directory.path().join("none.jsonl")).unwrap(), None);
    }

    #[test]
    fn a_flipped_byte_makes_a_line_not_count() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::at(directory.path().join("journal.jsonl"));
        journal.append(&begin("one")).unwrap();
        journal.append(&begin("two")).unwrap();
        let text = fs::read_to_string(journal.path()).unwrap().replacen("edit a.md", "edit b.md", 1);
        fs::write(journal.path(), text).unwrap();
        assert_eq!(journal.records().unwrap(), [begin("two")]);
    }

    #[test]
    fn the_open_landing_is_found_behind_a_long_record_and_a_torn_line() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::at(directory.path().join("journal.jsonl"));
        assert_eq!(journal.open_landing().unwrap(), None);
        let Record::Begin(mut long) = begin("long") else { unreachable!() };
        long.undoes = vec!["x".repeat(50); 20_000];
        journal.append(&Record::Begin(long.clone())).unwrap();
        let mut bytes = fs::read(journal.path()).unwrap();
        bytes.extend_from_slice(b"{\"sum\":\"00");
        fs::write(journal.path(), bytes).unwrap();
        assert_eq!(journal.open_landing().unwrap(), Some(long));
        journal.append(&Record::End { id: "long".to_owned(), landed: false }).unwrap();
        assert_eq!(journal.open_landing().unwrap(), None);
    }
}
