//! A year of dreams as a chart: a column a week, a row a weekday, a character and a colour a day.

use std::collections::HashMap;

use chrono::{Datelike, Days, NaiveDate};
use ratatui::text::{Line, Span};

use crate::clock::local_day;
use crate::engine::JobKind;
use crate::run::{Outcome, RunView};
use crate::text::{count, fit};
use crate::tui::state::State;
use crate::tui::theme::{Meaning, Theme};

/// Columns of the weekdays' names.
const NAMES: usize = 4;
/// Weeks of a year, the one going on among them.
const WEEKS: usize = 53;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Mon", "", "Wed", "", "Fri", "", "Sun"];

/// The dreams of a day.
#[derive(Clone, Copy, Debug, Default)]
struct Day {
    dreams: usize,
    failed: usize,
    waits: usize,
}

/// The chart in `width` columns, the newest week last; narrower: fewer weeks.
#[must_use]
pub fn year(state: &State, width: usize) -> Vec<Line<'static>> {
    let theme = state.theme;
    let today = local_day(state.now);
    let days = days(state.runs.iter().map(AsRef::as_ref));
    let weeks = WEEKS.min(width.saturating_sub(NAMES));
    let monday = today - Days::new(u64::from(today.weekday().num_days_from_monday()));
    let first = monday - Days::new(7 * weeks.saturating_sub(1) as u64);
    let mut lines = vec![Line::styled(months(first, weeks), theme.style(Meaning::Dim))];
    for (weekday, name) in WEEKDAYS.iter().enumerate() {
        let mut spans = vec![Span::styled(format!("{name:<NAMES$}"), theme.style(Meaning::Dim))];
        for week in 0..weeks {
            let day = first + Days::new((7 * week + weekday) as u64);
            spans.push(if day > today { Span::raw(" ") } else { mark(days.get(&day).copied(), theme) });
        }
        lines.push(Line::from(spans));
    }
    lines.push(Line::default());
    let seen = |day: &NaiveDate| *day >= first && *day <= today;
    let sum =
        |what: fn(&Day) -> usize| days.iter().filter(|(day, _)| seen(day)).map(|(_, day)| what(day)).sum::<usize>();
    let (dreams, failed) = (sum(|day| day.dreams), sum(|day| day.failed));
    let failed = if failed > 0 { format!(", {failed} failed or killed") } else { String::new() };
    let text = format!("{}{failed} in {weeks} weeks", count(dreams, "dream", "dreams"));
    lines.push(Line::raw(fit(&text, width).into_owned()));
    let legend = "· none  ░ 1  ▒ 2–3  ▓ 4–6  █ more  ? waits  ✗ failed";
    lines.push(Line::styled(fit(legend, width).into_owned(), theme.style(Meaning::Dim)));
    lines
}

fn days<'a>(runs: impl Iterator<Item = &'a RunView>) -> HashMap<NaiveDate, Day> {
    let mut days: HashMap<NaiveDate, Day> = HashMap::new();
    for run in runs.filter(|run| run.kind == JobKind::Dream && !run.dry_run && !run.is_live()) {
        let Some(started) = run.started else { continue };
        let day = days.entry(local_day(started)).or_default();
        match run.outcome {
            // A dream that a gate kept from running was none.
            Some(Outcome::Skipped) => continue,
            Some(Outcome::Failed | Outcome::Killed) | None => day.failed += 1,
            Some(Outcome::Held | Outcome::Partial) => day.waits += 1,
            Some(Outcome::Done) => {}
        }
        day.dreams += 1;
    }
    days
}

/// One day: the character says how many and whether something went wrong, the colour says it again.
fn mark(day: Option<Day>, theme: Theme) -> Span<'static> {
    let day = day.unwrap_or_default();
    let (sign, meaning) = match day {
        Day { dreams: 0, .. } => ("·", Meaning::Dim),
        Day { failed: 1.., .. } => ("✗", Meaning::Bad),
        Day { waits: 1.., .. } => ("?", Meaning::Warn),
        Day { dreams: 1, .. } => ("░", Meaning::Ok),
        Day { dreams: 2..=3, .. } => ("▒", Meaning::Ok),
        Day { dreams: 4..=6, .. } => ("▓", Meaning::Ok),
        Day { .. } => ("█", Meaning::Ok),
    };
    Span::styled(sign, theme.style(meaning))
}

/// The months' names over the weeks in which they begin.
fn months(first: NaiveDate, weeks: usize) -> String {
    let mut text = " ".repeat(NAMES);
    let mut week = 0;
    while week < weeks {
        let monday = first + Days::new(7 * week as u64);
        let begins = (0..7).map(|day| monday + Days::new(day)).find(|day| day.day() == 1);
        let name = begins.and_then(|day| MONTHS.get(day.month0() as usize));
        match name.filter(|name| week + name.len() <= weeks) {
            Some(name) => {
                text.push_str(name);
                week += name.len();
            }
            None => {
                text.push(' ');
                week += 1;
            }
        }
    }
    text
}
