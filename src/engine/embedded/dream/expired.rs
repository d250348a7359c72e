//! Project memories whose date has passed by more than their shelf life.
//!
//! A memory that goes on about other things only loses the paragraph that ran out. Not its job: dates that a newer claim
//! moved (see [`super::superseded`]).

use std::ops::Range;

use chrono::NaiveDate;

use super::super::super::EngineError;
use super::super::desk::{Desk, Note};
use super::super::{dates, desk, moves};
use super::superseded::without;
use crate::clock;
use crate::memory::Kind;

/// Words that make a date in a project memory a deadline.
const DEADLINE: &[&str] = &[
    "until",
    "till",
    "by ",
    "due",
    "deadline",
    "ends",
    "launch",
    "release",
    "freeze",
    "frozen",
    "demo",
    "cutover",
    "rollout",
    "go-live",
    "goes live",
    "maintenance window",
    "out ",
    "leave",
    "vacation",
    "bis ",
    "frist",
    "fällig",
    "hasta",
    "plazo",
    "jusqu",
    "échéance",
    "截止",
    "上线",
    "冻结",
    "まで",
    "期限",
    "締切",
    "リリース",
    "之前",
    "以前",
    "暂停",
    "停止",
    "gel ",
    "congelación",
    "stays ",
    "valid",
    "gilt",
];

/// Removes project memories whose last date is past by more than their shelf life.
pub(super) async fn drop(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let today = clock::local_day(desk.now());
    for file in desk.notes.keys().cloned().collect::<Vec<_>>() {
        desk.breathe().await?;
        let Some(note) = desk.notes.get(&file).filter(|note| note.is_open && note.kind == Some(Kind::Project)) else {
            continue;
        };
        let text: String = note
            .body
            .lines()
            .filter(|line| !desk::is_source(line) && !desk::is_pointer(line))
            .collect::<Vec<_>>()
            .join("\n");
        let claimed = note.day();
        let Some(last) = days(&text, claimed).into_iter().max() else { continue };
        let past = (today - last).num_days();
        if past <= 0 {
            continue;
        }
        if drop_paragraphs(desk, &file, today)? {
            continue;
        }
        let Some(note) = desk.notes.get(&file) else { continue };
        let is_claimed_before = claimed.is_some_and(|day| day <= last);
        if is_deadline(&note.fact, claimed) && has_later_claim(desk, note, last) {
            desk.say(format!("{file} speaks of {last}, and a newer claim of a later date; it stays"));
        } else if is_deadline(&note.fact, claimed)
            && is_claimed_before
            && past > desk.project_shelf_life()
            && is_about_one_date(note)
        {
            desk.say(format!("{file} ended on {last}, {past} days ago: expired"));
            desk.remove(&file, &format!("expired: its last date, {last}, is {past} days past"), Vec::new())?;
        } else if is_deadline(&note.fact, claimed) {
            desk.say(format!("{file} speaks of {last}, which has passed; it stays"));
        }
    }
    Ok(())
}

fn days(text: &str, claimed: Option<NaiveDate>) -> Vec<NaiveDate> {
    dates::named(text, claimed).into_iter().map(|(_, day)| day).collect()
}

fn is_deadline(text: &str, claimed: Option<NaiveDate>) -> bool {
    let lower = text.to_lowercase();
    !days(text, claimed).is_empty() && DEADLINE.iter().any(|word| lower.contains(word))
}

/// Drops the paragraphs that ran out of a memory that begins with something else; whether there were any.
fn drop_paragraphs(desk: &mut Desk<'_>, file: &str, today: NaiveDate) -> Result<bool, EngineError> {
    let Some(note) = desk.notes.get(file) else { return Ok(false) };
    let Some(claimed) = note.day() else { return Ok(false) };
    let paragraphs = paragraphs(&note.body);
    let ended = |range: &Range<usize>| -> Option<NaiveDate> {
        let text = note.body.get(range.clone())?;
        let last = days(text, Some(claimed)).into_iter().max()?;
        let is_over = (today - last).num_days() > desk.project_shelf_life() && claimed <= last;
        (is_over && is_deadline(text, Some(claimed))).then_some(last)
    };
    let is_first_undated = paragraphs
        .first()
        .and_then(|range| note.body.get(range.clone()))
        .is_some_and(|text| days(text, Some(claimed)).is_empty() && text.trim_end().ends_with(['.', '!', '。']));
    let gone: Vec<(Range<usize>, NaiveDate)> =
        paragraphs.iter().filter_map(|range| Some((range.clone(), ended(range)?))).collect();
    let Some(last) = gone.iter().map(|(_, day)| *day).max() else { return Ok(false) };
    if !is_first_undated || has_later_claim(desk, note, last) {
        return Ok(false);
    }
    let places: Vec<Range<usize>> = gone.into_iter().map(|(range, _)| range).collect();
    let topic = note.topic.with_body(&without(&note.body, &places));
    let past = (today - last).num_days();
    desk.say(format!("A paragraph of {file} ended on {last}: expired"));
    desk.rewrite(file, topic, &format!("expired: its last date, {last}, is {past} days past"), Vec::new())?;
    Ok(true)
}

/// The paragraphs of the fact, one sentence or several without a blank line between; no lists, no marked parts.
fn paragraphs(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for part in body.split("\n\n") {
        let text = part.trim();
        if text.starts_with("**") || text.starts_with("```") {
            break;
        }
        let start = at + (part.len() - part.trim_start().len());
        let is_plain = !text.starts_with(['-', '*', '+', '#', '>', '|']) && !desk::is_source(text);
        if !text.is_empty() && is_plain {
            found.push(start..start + text.len());
        }
        at += part.len() + 2;
    }
    found
}

/// Whether something newer, in the store or in the sessions under review, gives the same thing a later date.
fn has_later_claim(desk: &Desk<'_>, note: &Note, last: NaiveDate) -> bool {
    let Some(day) = note.day() else { return false };
    let is_later = moves::gives_later_date((&note.fact, day), last);
    let in_store = desk
        .notes
        .values()
        .filter(|other| other.file != note.file && other.kind == Some(Kind::Project))
        .any(|other| other.day().is_some_and(|at| is_later(&other.fact, at)));
    in_store || desk.heard.iter().any(|(text, at)| is_later(text, *at))
}

/// A memory that goes on about other things is more than its date.
fn is_about_one_date(note: &Note) -> bool {
    note.fact.lines().filter(|line| !line.trim().is_empty()).count() <= 3 && note.fact.chars().count() <= 400
}
