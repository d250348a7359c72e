//! Reading an export: all of it is checked before anything is written.
//!
//! Not its job: writing it into tables.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use super::super::tokens::Kept;
use super::line::{FORMAT, Line, Text};
use crate::team::key;
use crate::team::repository::Repository;
use crate::team::sum::Sum;

/// The last version that is taken: every reader of JSON keeps it exactly, and there is room above it.
const MOST_VERSIONS: i64 = 1 << 53;

/// A repository that was read from lines.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) organization: String,
    pub(super) repository: Repository,
    pub(super) version: i64,
    pub(super) checksum: Sum,
    pub(super) modified: String,
    pub(super) entries: Vec<Text>,
    pub(super) history: Vec<Text>,
}

/// An export that was read and found to be right.
#[derive(Debug, Default)]
pub(crate) struct Dump {
    pub(super) repositories: Vec<Whole>,
    pub(super) tokens: Vec<Kept>,
}

/// Lines that are no export.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct NotADump {
    line: usize,
    reason: String,
}

impl Dump {
    /// Reads an export and checks all of it: nothing is written of one that is cut off or damaged.
    ///
    /// # Errors
    /// With the first line that is wrong.
    pub(crate) fn read(lines: impl BufRead) -> Result<Self, NotADump> {
        let mut dump = Self::default();
        let (mut number, mut is_over) = (0, false);
        for line in lines.lines() {
            number += 1;
            let wrong = |reason: &str| NotADump { line: number, reason: reason.to_owned() };
            let line = line.map_err(|_| wrong("it cannot be read as text"))?;
            // An error of the parser may quote the text.
            let line: Line = serde_json::from_str(&line).map_err(|_| wrong("this is no line of an export"))?;
            if is_over || (number == 1) != matches!(line, Line::DreamtopExport { .. }) {
                return Err(wrong("this is no export: it begins with its format and ends with its end"));
            }
            is_over = matches!(line, Line::End { .. });
            dump.take(line).map_err(|reason| wrong(&reason))?;
        }
        if number == 0 {
            return Err(NotADump { line: 1, reason: "there is nothing in it".to_owned() });
        }
        if !is_over {
            return Err(NotADump { line: number, reason: "the export was cut off here".to_owned() });
        }
        Ok(dump)
    }

    fn take(&mut self, line: Line) -> Result<(), String> {
        if line.has_nul() {
            return Err("it holds a NUL, which not every database takes".to_owned());
        }
        match line {
            Line::DreamtopExport { format: FORMAT, .. } => {}
            Line::DreamtopExport { format, .. } => return Err(format!("a later version wrote it (format {format})")),
            Line::Repository { organization, repo, version, checksum, modified } => {
                self.check_last()?;
                if !(1..=MOST_VERSIONS).contains(&version) {
                    return Err(format!("{version} is no version of a repository"));
                }
                let repository = repo.parse().map_err(|_| "the repository has no right name".to_owned())?;
                let (entries, history) = (Vec::new(), Vec::new());
                let whole = Whole { organization, repository, version, checksum, modified, entries, history };
                self.repositories.push(whole);
            }
            Line::Entry(text) => {
                let whole = self.repositories.last_mut().ok_or("an entry without a repository")?;
                key::check(&text.key).map_err(|error| error.to_string())?;
                if text.checksum != Sum::of(text.text.as_bytes()).as_str() || text.text.contains('\0') {
                    return Err("the text is not the one its checksum is of".to_owned());
                }
                whole.entries.push(text);
            }
            Line::History(text) => {
                let whole = self.repositories.last_mut().ok_or("a version without a repository")?;
                key::check(&text.key).map_err(|error| error.to_string())?;
                let is_right = match text.operation.as_str() {
                    "put" => text.checksum == Sum::of(text.text.as_bytes()).as_str() && !text.text.contains('\0'),
                    "delete" | "erased" => text.checksum.is_empty() && text.text.is_empty(),
                    _ => false,
                };
                if !is_right {
                    return Err("the text is not the one its checksum is of".to_owned());
                }
                whole.history.push(text);
            }
            Line::Token(line) => self.tokens.push(line.kept()?),
            Line::End { repositories } => {
                self.check_last()?;
                if repositories != self.repositories.len() {
                    return Err("some of its repositories are missing".to_owned());
                }
            }
        }
        Ok(())
    }

    /// Whether the repository that was read last is what its sum says.
    fn check_last(&self) -> Result<(), String> {
        let Some(whole) = self.repositories.last() else { return Ok(()) };
        let sums: BTreeMap<&str, Sum> =
            whole.entries.iter().map(|text| (text.key.as_str(), Sum::sent(text.checksum.as_str()))).collect();
        let folded: BTreeSet<String> = whole.entries.iter().map(|text| key::folded(&text.key)).collect();
        let versions: BTreeSet<(&str, i64)> =
            whole.entries.iter().chain(&whole.history).map(|text| (text.key.as_str(), text.version)).collect();
        if let Some((key, version)) = versions.iter().find(|(_, version)| !(1..=whole.version).contains(version)) {
            return Err(format!("{key} has a version {version}, and {} is at {}", whole.repository, whole.version));
        }
        let is_right = Sum::of_all(sums.iter().map(|(key, sum)| (*key, sum))) == whole.checksum
            && folded.len() == whole.entries.len()
            && versions.len() == whole.entries.len() + whole.history.len();
        if is_right { Ok(()) } else { Err(format!("{} is not what its checksum is of", whole.repository)) }
    }

    /// Every text with its key, those of the history too.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.repositories
            .iter()
            .flat_map(|whole| whole.entries.iter().chain(&whole.history))
            .map(|text| (text.key.as_str(), text.text.as_str()))
    }

    /// How many repositories it has.
    pub(crate) fn count(&self) -> usize {
        self.repositories.len()
    }

    /// The most entries and the most bytes that one of its repositories has.
    pub(crate) fn largest(&self) -> (usize, u64) {
        let bytes = |whole: &Whole| whole.entries.iter().map(|text| text.text.len() as u64).sum();
        let entries = self.repositories.iter().map(|whole| whole.entries.len()).max();
        (entries.unwrap_or_default(), self.repositories.iter().map(bytes).max().unwrap_or_default())
    }
}
