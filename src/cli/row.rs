//! One memory as a row of `ls` and `show`: the JSON of design 13 and its line for people.

use std::cmp::Reverse;
use std::io;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::output::{Meaning, Page};
use crate::clock::local_day;
use crate::health::recall_use::Used;
use crate::health::{self, Finding, Need, Severity};
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
    snoozed_until: Option<DateTime<Utc>>,
    problems: &'a [Problem],
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    light: Option<Light>,
}

/// What evidence adds to a row.
#[derive(Debug, Serialize)]
struct Light {
    need: Need,
    used: Used,
    evidence: Vec<Finding>,
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
            snoozed_until: memory.snoozed_until,
            problems: &memory.problems,
            light: None,
        }
    }
}

impl<'a> Row<'a> {
    /// The row with the badge that evidence makes of it.
    pub(super) fn in_light_of(memory: &'a Memory, findings: &[Finding]) -> Self {
        Self { freshness: health::badge(memory, findings.iter()), ..Self::from(memory) }
    }

    /// The row with all that evidence says. `findings` are those about this memory.
    pub(super) fn with_evidence(memory: &'a Memory, findings: Vec<Finding>, used: Used) -> Self {
        let need = health::need(memory, findings.iter());
        let row = Self::in_light_of(memory, &findings);
        Self { light: Some(Light { need, used, evidence: findings }), ..row }
    }
}

impl Row<'_> {
    /// What orders rows by how much they need a person.
    pub(super) fn need(&self) -> (Reverse<u32>, Reverse<Option<u32>>, &str) {
        let score = self.light.as_ref().map_or(0, |light| light.need.score);
        health::need::order(score, self.age_days, self.file)
    }

    /// What orders rows by age: the oldest claim first, unknown ages last.
    pub(super) fn age(&self) -> (bool, Reverse<u32>) {
        (self.age_days.is_none(), Reverse(self.age_days.unwrap_or_default()))
    }

    /// The file.
    pub(super) fn file(&self) -> &str {
        self.file
    }

    /// The type, as it is called; after all of them when there is none.
    pub(super) fn kind(&self) -> &str {
        self.kind.unwrap_or("~")
    }

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
    let until = row.snoozed_until.map(|until| format!(" · snoozed until {}", local_day(until)));
    let snoozed = until.map(|until| page.paint(&until, Meaning::Dim)).unwrap_or_default();
    page.line(format!("{kind} {file} {age}  {badge}{padding}  {}{mark}{snoozed}", text::visible(&description)))?;
    for problem in row.problems {
        // The file stands in the row above.
        let line = format!("          ⚠ {}{}: {}", at_line(problem.line), problem.code, problem.message);
        page.line(page.paint(&line, Meaning::Bad))?;
    }
    // Problems of the file itself stand above.
    let is_told = |finding: &Finding| row.problems.iter().any(|problem| problem.code == finding.code);
    for finding in row.light.iter().flat_map(|light| &light.evidence).filter(|finding| !is_told(finding)) {
        let meaning = if finding.severity == Severity::Note { Meaning::Dim } else { Meaning::Warn };
        let line = format!("          ⚠ {}{}: {}", at_line(finding.line), finding.code, finding.message);
        page.line(page.paint(&line, meaning))?;
    }
    Ok(())
}

/// `line 12: `, where there is one.
fn at_line(line: Option<usize>) -> String {
    line.map_or_else(String::new, |line| format!("line {line}: "))
}
