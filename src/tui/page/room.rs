//! The rows of the control room in words: a run in columns, as many as there is room for, and its events.

use chrono::{DateTime, Utc};

use super::{outcome_meaning, wrap};
use crate::change::count_waiting;
use crate::run::foreign::ForeignDream;
use crate::run::{Outcome, RunEvent, RunView, Stamped, TouchOp};
use crate::text::{self, count, fit, fit_padded, visible, width};
use crate::tui::sign;
use crate::tui::state::{RunRow, State, elapsed};
use crate::tui::theme::Meaning;

/// A column: its heading, how wide it is, from which width of the table on it is shown, and whether it holds figures.
struct Column {
    heading: &'static str,
    columns: usize,
    from: usize,
    is_figure: bool,
    text: fn(&RunView, &State) -> String,
}

const fn column(
    heading: &'static str,
    columns: usize,
    from: usize,
    is_figure: bool,
    text: fn(&RunView, &State) -> String,
) -> Column {
    Column { heading, columns, from, is_figure, text }
}

/// The columns between the status and the reason.
#[rustfmt::skip]
const COLUMNS: &[Column] = &[
    column("project", 14, 0, false, |run, _| visible(&run.project).into_owned()),
    column("kind", 7, 50, false, |run, _| run.kind.word().to_owned()),
    column("engine", 9, 96, false, |run, _| visible(&run.engine).into_owned()),
    column("age", 5, 40, true, |run, state| run.started.map(|at| ago(at, state.now)).unwrap_or_default()),
    column("took", 7, 66, true, took),
    column("sessions", 8, 110, true, |run, _| figure(run.sessions.len() as u64)),
    column("files", 5, 70, true, |run, _| figure(files(run) as u64)),
    column("tools", 5, 88, true, |run, _| figure(run.tool_calls as u64)),
    column("tokens", 7, 104, true, |run, _| figure(run.tokens.input + run.tokens.output)),
    column("budget", 7, 140, true, |run, _| budget(run)),
];

/// From this width on, a project's name has more room.
const WIDE: usize = 130;

/// Columns of mark and status together.
const STATUS: usize = 14;

fn shown(width: usize) -> impl Iterator<Item = &'static Column> {
    COLUMNS.iter().filter(move |column| column.from <= width)
}

/// The heading of the table.
#[must_use]
pub fn run_heading(width: usize) -> String {
    let mut text = fit_padded("   status", STATUS);
    for column in shown(width) {
        text.push_str(&cell(column.heading, column, width));
    }
    text.push_str(" reason");
    text
}

fn cell(text: &str, column: &Column, table: usize) -> String {
    if column.is_figure {
        let text = fit(text, column.columns);
        return format!(" {}{text}", " ".repeat(column.columns.saturating_sub(width(&text))));
    }
    // Names of projects have the most to gain from a wide screen.
    let more = if column.heading == "project" && table >= WIDE { 10 } else { 0 };
    format!(" {}", fit_padded(text, column.columns + more))
}

/// A row: mark and status, the other columns, and how the status is meant.
#[must_use]
pub fn run_cells(row: &RunRow<'_>, state: &State, width: usize) -> (String, String, Meaning) {
    let run = match row {
        RunRow::Foreign(dream) => return foreign_cells(dream, state, width),
        RunRow::Ours(run) => run,
    };
    let (mark, word, meaning) = standing(run, state);
    let first = fit_padded(&format!(" {mark} {word}"), STATUS);
    let mut rest = String::new();
    for column in shown(width) {
        rest.push_str(&cell(&(column.text)(run, state), column, width));
    }
    let dry = if run.dry_run { "dry run: " } else { "" };
    let said = match (run.is_live(), &run.progress) {
        (true, Some((done, total, what))) => format!("{done}/{total} {what}"),
        (true, None) => String::new(),
        (false, _) if is_reviewed(run, state) => decided_on(run),
        (false, _) => match &state.decided_in_part(run).or_else(|| run.notice.clone()) {
            Some(notice) if !run.reason.starts_with(notice) => notice.clone(),
            _ => run.reason.clone(),
        },
    };
    rest.push_str(&format!(" {dry}{}", visible(&said)));
    (first, rest, meaning)
}

/// The sign of a run, its word, and how it is meant.
pub(super) fn standing(run: &RunView, state: &State) -> (&'static str, &'static str, Meaning) {
    if run.is_live() {
        return ("●", run.word(), Meaning::Accent);
    }
    if run.undone_by.is_some() {
        return (sign::UNDONE, run.word(), Meaning::Dim);
    }
    if is_reviewed(run, state) {
        return (sign::outcome(Some(Outcome::Done)), "reviewed", Meaning::Ok);
    }
    (sign::outcome(run.outcome), run.word(), outcome_meaning(run.outcome))
}

/// What is said of what a run held and nothing of which waits any more.
pub(super) fn decided_on(run: &RunView) -> String {
    let held = count_waiting(run.held.iter().map(|held| held.file.as_str()));
    format!("{} held; you decided on them", count(held, "change was", "changes were"))
}

/// Whether a run held all it wanted, and nothing of it waits any more.
pub(super) fn is_reviewed(run: &RunView, state: &State) -> bool {
    run.outcome == Some(Outcome::Held) && run.inbox.is_some() && !state.waits_for_review(run)
}

fn foreign_cells(dream: &ForeignDream, state: &State, width: usize) -> (String, String, Meaning) {
    let first = fit_padded(" ○ not ours", STATUS);
    let mut rest = String::new();
    for column in shown(width) {
        let text = match column.heading {
            "project" => visible(&dream.project).into_owned(),
            "kind" => "dream".to_owned(),
            "age" => ago(dream.since, state.now),
            "files" => figure(dream.touched.len() as u64),
            _ => String::new(),
        };
        rest.push_str(&cell(&text, column, width));
    }
    rest.push_str(&format!(" process {}: watched, not killed", dream.pid));
    (first, rest, Meaning::Warn)
}

fn took(run: &RunView, state: &State) -> String {
    match (run.ms, run.started) {
        (Some(ms), _) => elapsed(i64::try_from(ms / 1_000).unwrap_or(i64::MAX)),
        (None, Some(started)) if run.is_live() => elapsed((state.now - started).num_seconds()),
        _ => String::new(),
    }
}

/// The memories that changed for good; while it is going on, the files touched.
fn files(run: &RunView) -> usize {
    if run.is_live() { run.touched.len() } else { run.memories_changed() }
}

/// A figure where there is one: zeros would hide the others.
fn figure(figure: u64) -> String {
    match figure {
        0 => String::new(),
        1..=99_999 => text::figure(figure),
        100_000..=9_999_999 => format!("{}k", figure / 1_000),
        _ => format!("{}M", figure / 1_000_000),
    }
}

/// How much of its budget a run used; nothing for engines without tokens.
fn budget(run: &RunView) -> String {
    let used = run.tokens.input + run.tokens.output;
    match run.budget.filter(|budget| *budget > 0 && used > 0) {
        Some(budget) => match used.saturating_mul(100) / budget {
            0 => "<1%".to_owned(),
            percent => format!("{percent}%"),
        },
        None => String::new(),
    }
}

/// `42s`, `5m`, `3h`, `12d`.
fn ago(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let seconds = (now - at).num_seconds().max(0);
    match seconds {
        0..=59 => format!("{seconds}s"),
        60..=3_599 => format!("{}m", seconds / 60),
        3_600..=172_799 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

/// What is known of a dream of another program.
#[must_use]
pub fn foreign_words(dream: &ForeignDream, state: &State, columns: usize) -> Vec<(String, Meaning)> {
    let for_long = elapsed((state.now - dream.since).num_seconds());
    let text = format!(
        "Another program consolidates this store: process {} holds its lock, since {for_long} ago. It is not ours: \
         watched, not killed. What it changes is recorded in the history and can be taken back.",
        dream.pid
    );
    let mut lines: Vec<(String, Meaning)> = wrap(&text, columns).into_iter().map(|row| (row, Meaning::Text)).collect();
    if !dream.touched.is_empty() {
        let files = count(dream.touched.len(), "file changed", "files changed");
        let names = dream.touched.join(", ");
        let rows = wrap(&format!("{files} since: {names}"), columns);
        lines.extend(rows.into_iter().map(|row| (row, Meaning::Dim)));
    }
    lines
}

/// An event in one line: when it came after the start, what it was, and how it is meant.
#[must_use]
pub fn event_words(event: &Stamped, started: Option<DateTime<Utc>>) -> (String, Meaning) {
    let at = started.map(|started| elapsed((event.at - started).num_seconds())).unwrap_or_default();
    let (word, text, meaning) = match &event.event {
        RunEvent::Started { engine, sessions, trigger, .. } => {
            let sessions = count(sessions.len(), "session", "sessions");
            ("started", format!("{engine} engine, by {trigger}, {sessions}"), Meaning::Dim)
        }
        RunEvent::Phase { phase } => ("phase", phase.word().to_owned(), Meaning::Accent),
        RunEvent::Text { text } => ("text", text.split_whitespace().collect::<Vec<_>>().join(" "), Meaning::Text),
        RunEvent::Tool { name, target, allowed: true } => ("tool", format!("{name} {target}"), Meaning::Text),
        RunEvent::Tool { name, target, allowed: false } => ("denied", format!("{name} {target}"), Meaning::Bad),
        RunEvent::Touched { file, op } => {
            let (word, meaning) = match op {
                TouchOp::Created => ("created", Meaning::Added),
                TouchOp::Changed => ("changed", Meaning::Text),
                TouchOp::Removed => ("removed", Meaning::Removed),
            };
            (word, file.clone(), meaning)
        }
        RunEvent::Usage { tokens, .. } => {
            let (read, written) = (text::figure(tokens.input), text::figure(tokens.output));
            ("tokens", format!("{read} read, {written} written"), Meaning::Dim)
        }
        RunEvent::Progress { done, total, what } => ("progress", format!("{done}/{total} {what}"), Meaning::Dim),
        RunEvent::Notice { text } => ("notice", text.clone(), Meaning::Warn),
        RunEvent::Ended { outcome, reason, .. } => {
            ("ended", format!("{}: {reason}", outcome.word()), outcome_meaning(Some(*outcome)))
        }
        RunEvent::Undone { by: Some(by), in_part: false } => ("undone", format!("taken back by {by}"), Meaning::Dim),
        RunEvent::Undone { by: Some(by), in_part: true } => {
            ("undone", format!("taken back in part by {by}"), Meaning::Dim)
        }
        RunEvent::Undone { by: None, .. } => ("redone", "in force again".to_owned(), Meaning::Dim),
    };
    (format!(" {at:>7}  {word:<9} {}", visible(&text)), meaning)
}
