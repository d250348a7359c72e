//! Claims that a later one replaces: the newer stays with a line that says what stood before, the older goes to history.
//!
//! Of a memory that says several things only the sentence goes. What disagrees without a later side stays, and is named.
//! Not its job: how two claims relate (`crate::memory::likeness`).

use std::ops::Range;

use super::super::super::EngineError;
use super::super::desk::Desk;
use super::super::moves;
use super::super::note::Note;
use super::super::settle::pointer;
use super::super::similarity::Likeness;
use super::super::supersede::Relation;
use super::same::{both, pairs, relink};
use crate::memory::likeness::measured;

pub(super) async fn drop(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let (files, pairs) = pairs(desk);
    for (at, pair) in pairs.into_iter().enumerate() {
        if at % 256 == 0 {
            desk.breathe().await?;
        }
        let Some((one, other)) = both(desk, &files, pair) else { continue };
        let Some((older, newer)) = in_order(one, other) else { continue };
        let relation = match measured::relation(older, newer) {
            Relation::None if has_moved(older, newer) => Relation::ReplacesBySaying,
            relation => relation,
        };
        let names = || (older.file.clone(), newer.file.clone());
        if relation == Relation::ReplacesPart {
            desk.say(format!("{} takes back a part of {}; both stay", newer.file, older.file));
            continue;
        }
        if relation == Relation::None {
            if let Some(places) = replaced_sentences(older, newer) {
                let (older, newer) = names();
                replace_sentences(desk, &older, &newer, &places)?;
            } else if measured::contradicts(older, newer) {
                desk.say(format!("{} and {} disagree; both stay", older.file, newer.file));
            } else if older.shape.likeness(&newer.shape) == Likeness::Maybe {
                desk.say(format!("{} and {} may say the same or disagree; both stay", older.file, newer.file));
            }
            continue;
        }
        if !is_later(older, newer, relation) {
            desk.say(format!("{} and {} disagree, and nothing says which is newer; both stay", older.file, newer.file));
            continue;
        }
        let sources: Vec<String> = older
            .body
            .lines()
            .filter(|line| measured::is_source(line) && !newer.body.contains(line.trim()))
            .map(str::to_owned)
            .collect();
        let fact = older.fact.clone();
        let (older, newer) = names();
        desk.say(format!("{newer} replaces {older}"));
        point_back(desk, &newer, &fact, &sources, &format!("replaces {older}"))?;
        relink(desk, &older, &newer)?;
        desk.remove(&older, &format!("superseded by {newer}"), Vec::new())?;
    }
    Ok(())
}

/// The older and the newer of two claims. Of one day: as they came.
fn in_order<'a>(one: &'a Note, other: &'a Note) -> Option<(&'a Note, &'a Note)> {
    let (day, other_day) = (one.day()?, other.day()?);
    // Of one day, the one that says that it replaces something is the newer.
    let is_first = if day == other_day { !one.claims()[0].says_so() } else { day < other_day };
    Some(if is_first { (one, other) } else { (other, one) })
}

fn has_moved(older: &Note, newer: &Note) -> bool {
    let (Some(old), Some(new)) = (older.day(), newer.day()) else { return false };
    moves::moves((&older.fact, old), (&newer.fact, new))
}

/// A claim that says itself what it replaces only has to be the later one; otherwise both dates have to be written.
fn is_later(older: &Note, newer: &Note, relation: Relation) -> bool {
    older.day() != newer.day() && (relation == Relation::ReplacesBySaying || (older.is_dated && newer.is_dated))
}

/// Which sentences of a memory that says several things a newer one replaces.
fn replaced_sentences(older: &Note, newer: &Note) -> Option<Vec<Range<usize>>> {
    let statements = older.statements();
    if statements.len() < 2 {
        return None;
    }
    let [later, _] = newer.claims();
    let gone: Vec<Range<usize>> = statements
        .iter()
        .filter(|(_, earlier)| {
            let relation = super::super::supersede::relation(earlier, later);
            relation == Relation::ReplacesBySaying && is_later(older, newer, relation)
        })
        .map(|(range, _)| range.clone())
        .collect();
    (!gone.is_empty() && gone.len() < statements.len()).then_some(gone)
}

fn replace_sentences(
    desk: &mut Desk<'_>,
    older: &str,
    newer: &str,
    places: &[Range<usize>],
) -> Result<(), EngineError> {
    let Some(note) = desk.notes.get(older) else { return Ok(()) };
    let said: Vec<String> = places.iter().filter_map(|range| note.body.get(range.clone())).map(str::to_owned).collect();
    let topic = note.topic.with_body(&without(&note.body, places));
    desk.say(format!("{newer} replaces a sentence of {older}"));
    desk.rewrite(older, topic, &format!("superseded by {newer}: {}", said.join(" ")), Vec::new())?;
    for sentence in &said {
        point_back(desk, newer, sentence, &[], &format!("replaces a sentence of {older}"))?;
    }
    Ok(())
}

/// A body without some stretches, in order, and without the lines and gaps they leave empty. All else stays as it is.
pub(super) fn without(body: &str, places: &[Range<usize>]) -> String {
    let mut left = body.to_owned();
    for range in places.iter().rev() {
        if let (Some(before), Some(after)) = (left.get(..range.start), left.get(range.end..)) {
            left = joined(before, after);
        }
    }
    format!("{}\n", left.trim_end())
}

/// What stands before and after a cut. A line that only its bullet is left of goes, and the second of two gaps that meet.
fn joined(before: &str, after: &str) -> String {
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let end = after.find('\n').map_or(after.len(), |at| at + 1);
    let (Some((above, head)), Some((tail, below))) = (before.split_at_checked(line), after.split_at_checked(end))
    else {
        return format!("{before}{after}");
    };
    let is_bare = |text: &str| text.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '*' | '+'));
    if !is_bare(head) || !tail.trim().is_empty() {
        return format!("{before}{after}");
    }
    let gap = below.split_inclusive('\n').next().filter(|line| line.trim().is_empty());
    let is_after_gap = above.lines().next_back().is_none_or(|line| line.trim().is_empty());
    let below = gap.filter(|_| is_after_gap).and_then(|gap| below.strip_prefix(gap)).unwrap_or(below);
    format!("{above}{below}")
}

/// Adds to the newer memory what stood before, and where that came from.
fn point_back(
    desk: &mut Desk<'_>,
    newer: &str,
    fact: &str,
    sources: &[String],
    reason: &str,
) -> Result<(), EngineError> {
    let Some(note) = desk.notes.get(newer) else { return Ok(()) };
    let Some(since) = note.day() else { return Ok(()) };
    let line = pointer(since, fact);
    let mut body = note.body.trim_end().to_owned();
    if !body.contains(&line) {
        body.push_str(&format!("\n\n{line}"));
    }
    for source in sources {
        body.push('\n');
        body.push_str(source);
    }
    body.push('\n');
    let topic = note.topic.with_body(&body);
    desk.rewrite(newer, topic, reason, Vec::new())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn what_is_cut_out_leaves_no_gap() {
        let cut = |body: &str, sentence: &str| {
            let start = body.find(sentence).unwrap();
            without(body, std::slice::from_ref(&(start..start + sentence.len())))
        };
        assert_eq!(cut("One.\n\nTwo.\n\nThree.\n", "Two."), "One.\n\nThree.\n");
        assert_eq!(cut("- one\n- two\n- three\n", "two"), "- one\n- three\n");
        assert_eq!(cut("One. Two. Three.\n", " Two."), "One. Three.\n");
        assert_eq!(cut("One.\n\nTwo.\n", "One."), "Two.\n");
        assert_eq!(cut("- one\n- two\n", "two"), "- one\n");
    }

    #[test]
    fn what_stands_around_a_cut_stays_as_it_is() {
        let cut = |body: &str, sentence: &str| {
            let start = body.find(sentence).unwrap();
            without(body, std::slice::from_ref(&(start..start + sentence.len())))
        };
        let wrapped = "One on\ntwo lines.\n\nTwo.\n\n---\n\nThree.\n";
        assert_eq!(cut(wrapped, "One on\ntwo lines."), "Two.\n\n---\n\nThree.\n");
        let fenced = "```\na\n\n\nb\n```\n\nOne.\n\nTwo.\n";
        assert_eq!(cut(fenced, "One."), "```\na\n\n\nb\n```\n\nTwo.\n");
        assert_eq!(cut("One.\r\n\r\nTwo.\r\n\r\nThree.\r\n", "Two."), "One.\r\n\r\nThree.\n");
    }
}
