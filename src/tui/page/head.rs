//! The head of a memory's page: type, name, badge, what it claims and since when, what is wrong with it.

use chrono::{DateTime, Utc};
use ratatui::text::{Line, Span};

use super::wrap;
use crate::change::{HistoryEntry, Op};
use crate::health::{self, Finding, Severity};
use crate::memory::{AgeSource, Freshness, Memory, freshness};
use crate::text::{brief, count, fit, visible};
use crate::tui::sign;
use crate::tui::theme::{Meaning, Theme};

/// From this width on, a page has room for the advice that goes with an old claim.
const ROOMY: usize = 60;

/// From this width on, it has room for what made the memory what it is.
const OWING: usize = 45;

/// The head of a page in `width` columns. `findings` are those about this file; `used` says how sessions used it; `owed` is
/// the landing that made it what it is.
#[must_use]
pub fn head<'a>(
    memory: &Memory,
    findings: impl Iterator<Item = &'a Finding>,
    used: Option<&str>,
    owed: Option<&HistoryEntry>,
    width: u16,
    theme: Theme,
) -> Vec<Line<'static>> {
    let width = usize::from(width);
    let findings: Vec<&Finding> = findings.collect();
    let badge = health::badge(memory, findings.iter().copied());
    let mut lines = vec![title(memory, width, theme)];
    for line in wrap(&memory.description, width) {
        lines.push(Line::styled(line, theme.style(Meaning::Dim)));
    }
    for line in wrap(&provenance(memory, badge, width), width) {
        lines.push(Line::styled(line, theme.style(badge_meaning(badge))));
    }
    for line in used.into_iter().flat_map(|used| wrap(used, width)) {
        lines.push(Line::styled(line, theme.style(Meaning::Dim)));
    }
    if let Some(entry) = owed.filter(|_| width >= OWING) {
        for line in wrap(&owing(entry, &memory.file), width) {
            lines.push(Line::styled(line, theme.style(Meaning::Dim)));
        }
    }
    let mut told: Vec<String> = Vec::new();
    // What a message quotes already is not said twice; where it stands, the line says.
    let shown = |finding: &Finding| match (&finding.quote, finding.line, &finding.evidence) {
        (Some(_), Some(line), _) => format!("{} (line {line})", finding.message),
        // Partners are named in the sentence already.
        (None, _, Some(evidence)) if finding.message.contains(evidence.as_str()) => finding.message.clone(),
        (None, _, Some(evidence)) => format!("{}: {evidence}", finding.message),
        _ => finding.message.clone(),
    };
    let worst_first = findings.iter().map(|finding| (finding.severity, &finding.message, shown(finding)));
    let own = memory.problems.iter().map(|problem| (Severity::Warning, &problem.message, problem.message.clone()));
    for (severity, message, shown) in worst_first.chain(own) {
        if told.contains(message) {
            continue;
        }
        let text = format!("{} {shown}", sign::severity(severity));
        told.push(message.clone());
        let style = theme.style(severity_meaning(severity));
        lines.extend(wrap(&text, width).into_iter().map(|line| Line::styled(line, style)));
    }
    lines.push(Line::default());
    lines
}

fn title(memory: &Memory, width: usize, theme: Theme) -> Line<'static> {
    let sign = sign::kind(memory.kind);
    let word = memory.type_word.clone().or_else(|| memory.kind.map(|kind| kind.word().to_owned()));
    let word = word.unwrap_or_else(|| "no type".to_owned());
    let start = format!("{sign} {} · ", visible(&word));
    let room = width.saturating_sub(crate::text::width(&start));
    Line::from(vec![
        Span::styled(fit(&start, width).into_owned(), theme.style(Meaning::Accent)),
        Span::styled(fit(&visible(&memory.name), room).into_owned(), theme.style(Meaning::Heading)),
    ])
}

/// `stale · claimed 47 days ago (12 Oct 2026, date in the file) · session 3f2a51c0`.
fn provenance(memory: &Memory, badge: Freshness, width: usize) -> String {
    let age = match memory.age_days {
        None => "claimed at an unknown time".to_owned(),
        Some(0) => "claimed today".to_owned(),
        Some(days) => format!("claimed {} ago", count(days as usize, "day", "days")),
    };
    let source = match memory.claim.source {
        AgeSource::Modified => "date in the file",
        AgeSource::Confirmed => "confirmed by you",
        AgeSource::Mtime => "file time",
        AgeSource::Unknown => "no date inside, file times were set by a copy",
    };
    let date = memory.claim.at.map(|at| format!("{}, ", day(at))).unwrap_or_default();
    let mut text = format!("{} · {age} ({date}{source})", badge.word());
    if let Some(session) = &memory.origin_session {
        text.push_str(&format!(" · session {}", brief(session)));
    }
    if let Some(until) = memory.snoozed_until {
        text.push_str(&format!(" · snoozed until {}", day(until)));
    }
    if !memory.indexed {
        text.push_str(" · not in the index");
    } else if !memory.loaded {
        text.push_str(" · in the index, but not loaded");
    }
    if let Some(days) = memory.age_days.filter(|_| memory.freshness == Freshness::Stale && width >= ROOMY) {
        text.push('\n');
        text.push_str(&freshness::note(Some(days)));
    }
    text
}

/// `last changed by dream-20261130T090000-4f2a7c (dream, 30 Nov 2026): merged into b.md`.
fn owing(entry: &HistoryEntry, file: &str) -> String {
    let change = entry.files.iter().find(|changed| changed.file == file);
    let verb = if change.is_some_and(|change| change.op == Op::Create) { "made" } else { "last changed" };
    let by = entry.run.as_deref().map_or_else(|| format!("entry {}", entry.id), |run| format!("run {run}"));
    let why = change.map(|change| change.rationale.reason.as_str()).filter(|why| !why.is_empty());
    let why = why.map(|why| format!(": {why}")).unwrap_or_default();
    format!("{verb} by {by} ({}, {}){why}", entry.origin.word(), day(entry.at))
}

fn day(at: DateTime<Utc>) -> String {
    crate::clock::local_day(at).format("%-d %b %Y").to_string()
}

/// How a badge is meant.
#[must_use]
pub const fn badge_meaning(freshness: Freshness) -> Meaning {
    match freshness {
        Freshness::Fresh => Meaning::Ok,
        Freshness::Aging => Meaning::Dim,
        Freshness::Stale => Meaning::Warn,
    }
}

/// How a severity is meant.
#[must_use]
pub const fn severity_meaning(severity: Severity) -> Meaning {
    match severity {
        Severity::Note => Meaning::Dim,
        Severity::Warning => Meaning::Warn,
        Severity::Error => Meaning::Bad,
    }
}
