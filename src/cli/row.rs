//! One memory as a row of `ls` and `show`: the JSON of design 13 and its line for people.

use std::io;

use serde::Serialize;

use super::output::{Meaning, Page};
use crate::memory::freshness::short_age;
use crate::memory::{AgeSource, Freshness, Memory, Problem};
use crate::text;

/// The row.
#[derive(Debug, Serialize)]
pub(super) struct Row<'a> {
    file: &'a str,
    name: &'a str,
    description: &'a str,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    age_days: Option<u32>,
    age_source: AgeSource,
    freshness: Freshness,
    indexed: bool,
    loaded: bool,
    bytes: u64,
    problems: &'a [Problem],
}

impl<'a> From<&'a Memory> for Row<'a> {
    fn from(memory: &'a Memory) -> Self {
        Self {
            file: &memory.file,
            name: &memory.name,
            description: &memory.description,
            kind: memory.kind.map(|kind| kind.word()).or(memory.type_word.as_deref()),
            age_days: memory.age_days,
            age_source: memory.claim.source,
            freshness: memory.freshness,
            indexed: memory.indexed,
            loaded: memory.loaded,
            bytes: memory.bytes,
            problems: &memory.problems,
        }
    }
}

impl Row<'_> {
    /// Whether something is wrong with the file.
    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }
}

/// The meaning of a badge.
pub(super) fn meaning(freshness: Freshness) -> Meaning {
    match freshness {
        Freshness::Fresh => Meaning::Good,
        Freshness::Aging => Meaning::Dim,
        Freshness::Stale => Meaning::Warn,
    }
}

/// The row's line, and one line for each problem under it. Where memories have no types, a missing one is nothing odd.
pub(super) fn print(page: &mut Page<'_>, row: &Row<'_>, has_types: bool) -> io::Result<()> {
    let missing = if has_types { "?" } else { "" };
    let kind = text::fit_padded(&text::visible(row.kind.unwrap_or(missing)), 9);
    let file = text::fit_padded(&text::visible(row.file), 34);
    let age = format!("{:>6}", short_age(row.age_days));
    let badge = page.paint(row.freshness.word(), meaning(row.freshness));
    let padding = " ".repeat(5usize.saturating_sub(row.freshness.word().len()));
    let mark = match (row.indexed, row.loaded) {
        (false, _) => page.paint(" · not in the index", Meaning::Warn),
        (true, false) => page.paint(" · not loaded", Meaning::Warn),
        (true, true) => String::new(),
    };
    let description = text::fit(row.description, 60);
    page.line(format!("{kind} {file} {age}  {badge}{padding}  {}{mark}", text::visible(&description)))?;
    for problem in row.problems {
        let place = problem.line.map_or_else(|| row.file.to_owned(), |line| format!("{}:{line}", row.file));
        let line = format!("          ⚠ {place}: {}: {}", problem.code, problem.message);
        page.line(page.paint(&line, Meaning::Bad))?;
    }
    Ok(())
}
