//! From the human turns of a session to its facts, less what the person takes back.
//!
//! Not its job: reading transcripts (`crate::session`) and knowing what a store holds already (see [`super::settle`]).

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};

use super::classify::{self, Statement};
use super::drafts;
use super::sentences::{self, Sentence};
use super::similarity::{Likeness, Shape};
use super::supersede::{self, Claim, Relation};
use super::{confirm, contrast, explicit, language, moves, retractions, revoke};
use crate::clock;
use crate::memory::Kind;
use crate::session::HumanTurn;

/// A statement with where and when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    /// What was stated.
    pub(super) statement: Statement,
    /// The session, or the daily log.
    pub(super) session: String,
    /// The line of the transcript or log, from 1.
    pub(super) line: u64,
    /// When.
    pub(super) at: DateTime<Utc>,
    /// The person's day then.
    pub(super) day: NaiveDate,
    /// The words, to the letter.
    pub(super) quote: String,
}

/// What a session gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Collected {
    /// What stands at its end, in the order it was said.
    pub(super) facts: Vec<Fact>,
    /// The source lines (see [`drafts::source_line`]) of what was taken back or replaced later.
    pub(super) retracted: BTreeSet<String>,
    /// Sentences that say that something does not hold any more, worth a memory or not.
    pub(super) taken_back: Vec<Fact>,
}

/// Collects the facts of a session's turns. Turns without a time of their own have the one before them, or `fallback`.
pub(super) fn collect(turns: &[HumanTurn], fallback: DateTime<Utc>) -> Collected {
    let mut collected = Collected::default();
    let mut at = fallback;
    let mut previous_line = None;
    for turn in turns {
        at = turn.at.unwrap_or(at);
        turn_of(turn, at, previous_line, &mut collected);
        previous_line = Some(turn.line);
    }
    collected
}

fn turn_of(turn: &HumanTurn, at: DateTime<Utc>, previous_line: Option<u64>, collected: &mut Collected) {
    if classify::is_invented_turn(&turn.text) {
        return;
    }
    let day = clock::local_day(at);
    let sentences = sentences::split(&turn.text);
    let mut next = 0;
    while let Some(sentence) = sentences.get(next) {
        if let Some(about) = revoke::about(&sentence.text).filter(|_| !explicit::is_request(&sentence.text)) {
            revoked(&about, collected);
            let stated = classify::classify(&sentences, next, day);
            let quote = turn.text.get(sentence.range.clone()).unwrap_or(&sentence.text).to_owned();
            let statement = Statement {
                sentences: 1,
                revokes: Some(about),
                ..stated.unwrap_or_else(|| revoke::bare(&sentence.text))
            };
            collected.facts.push(Fact { statement, session: turn.session.clone(), line: turn.line, at, day, quote });
            next += 1;
            continue;
        }
        if classify::takes_back(&sentence.text) && !explicit::is_request(&sentence.text) {
            take_back(turn.line, previous_line, &sentence.text, collected);
            // "Scrap that: use X" says something new after the colon.
            if let Some(rest) = after_colon(sentence, &turn.text)
                && let Some(statement) = classify::classify(std::slice::from_ref(&rest), 0, day)
            {
                let quote = turn.text.get(rest.range.clone()).unwrap_or(&rest.text).to_owned();
                add(Fact { statement, session: turn.session.clone(), line: turn.line, at, day, quote }, collected);
            }
            next += 1;
            continue;
        }
        if classify::lifts(&sentence.text) {
            lift(&sentence.text, collected);
        }
        if retractions::is_said(&sentence.text) {
            let statement = Statement {
                kind: Kind::Project,
                ..Statement::rule(sentence.text.clone(), language::of(&sentence.text))
            };
            let quote = turn.text.get(sentence.range.clone()).unwrap_or(&sentence.text).to_owned();
            let (session, line) = (turn.session.clone(), turn.line);
            collected.taken_back.push(Fact { statement, session, line, at, day, quote });
        }
        let stated = confirm::statement(&sentences, next, turn.after.as_deref())
            .or_else(|| classify::classify(&sentences, next, day))
            .or_else(|| contrast::statement(&sentences, next, turn.after.as_deref()));
        let Some(statement) = stated else {
            next += 1;
            continue;
        };
        let last = sentences.get(next + statement.sentences.saturating_sub(1)).unwrap_or(sentence);
        let quote = turn.text.get(sentence.range.start..last.range.end).unwrap_or(&sentence.text).to_owned();
        next += statement.sentences.max(1);
        add(Fact { statement, session: turn.session.clone(), line: turn.line, at, day, quote }, collected);
    }
}

/// What stands after the first colon or dash of a sentence.
fn after_colon(sentence: &Sentence, turn: &str) -> Option<Sentence> {
    let raw = turn.get(sentence.range.clone())?;
    let (at, mark) =
        [": ", " — ", " – ", " - ", "; "].iter().filter_map(|mark| Some((raw.find(mark)?, mark.len()))).min()?;
    let rest = raw.get(at + mark..)?.trim();
    let start = sentence.range.end - raw.get(at + mark..)?.trim_start().len();
    let text = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Sentence { range: start..start + rest.len(), text, paragraph: sentence.paragraph })
}

/// Adds a fact; the same said again in the session is one fact, and a later value takes the earlier one's place.
fn add(fact: Fact, collected: &mut Collected) {
    let (shape, later) = (Shape::of(&fact.statement.text), Claim::of(&fact.statement.text));
    let mut replaced = None;
    for (at, earlier) in collected.facts.iter().enumerate() {
        if earlier.statement.kind != fact.statement.kind {
            continue;
        }
        if Shape::of(&earlier.statement.text).likeness(&shape) == Likeness::Same {
            return;
        }
        let (old, new) = (earlier.statement.text.as_str(), fact.statement.text.as_str());
        if supersede::relation(&Claim::of(old), &later) != Relation::None
            || moves::moves((old, earlier.day), (new, fact.day))
        {
            replaced = Some(at);
        }
    }
    if let Some(at) = replaced {
        let gone = collected.facts.remove(at);
        collected.retracted.insert(drafts::source_line(&gone));
    }
    collected.facts.push(fact);
}

/// "Scratch that": what was said right before it in the same turn, else in the turn before; and what it names.
fn take_back(line: u64, previous_line: Option<u64>, text: &str, collected: &mut Collected) {
    let same_turn = collected.facts.iter().any(|fact| fact.line == line);
    let meant = if same_turn { Some(line) } else { previous_line };
    drop_facts(collected, |fact| Some(fact.line) == meant);
    lift(text, collected);
}

/// Drops earlier facts that say all of what is revoked.
fn revoked(about: &str, collected: &mut Collected) {
    let named = Shape::of(about).content;
    drop_facts(collected, |fact| !named.is_empty() && named.is_subset(&Shape::of(&fact.statement.text).content));
}

/// Drops earlier facts that share most of their words with the sentence.
fn lift(text: &str, collected: &mut Collected) {
    let shape = Shape::of(text);
    drop_facts(collected, |fact| {
        let earlier = Shape::of(&fact.statement.text);
        let common = earlier.content.intersection(&shape.content).count();
        common >= 2 || (common == 1 && earlier.content.len() <= 3)
    });
}

fn drop_facts(collected: &mut Collected, is_meant: impl Fn(&Fact) -> bool) {
    let (gone, kept): (Vec<Fact>, Vec<Fact>) =
        std::mem::take(&mut collected.facts).into_iter().partition(|fact| is_meant(fact));
    collected.facts = kept;
    collected.retracted.extend(gone.iter().map(drafts::source_line));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn texts(turns: &[&str]) -> Vec<String> {
        let at: DateTime<Utc> = "2026-11-28T12:00:00Z".parse().unwrap();
        let turns: Vec<HumanTurn> = turns
            .iter()
            .zip(1..)
            .map(|(text, line)| HumanTurn {
                session: "s".into(),
                line,
                uuid: None,
                at: Some(at),
                text: (*text).to_owned(),
                after: None,
            })
            .collect();
        collect(&turns, at).facts.into_iter().map(|fact| fact.statement.text).collect()
    }

    #[test]
    fn what_is_taken_back_later_is_not_a_fact() {
        assert_eq!(texts(&["Always use tabs for indentation.", "scratch that"]), [""; 0]);
        assert_eq!(texts(&["Always use tabs for indentation. Never mind."]), [""; 0]);
        assert_eq!(
            texts(&["Never mock the database.", "ok", "actually, mocking the database is fine after all"]),
            [""; 0]
        );
        assert_eq!(
            texts(&["Always use tabs for indentation.", "ok", "scratch that"]),
            ["Always use tabs for indentation."]
        );
    }

    #[test]
    fn the_same_said_twice_is_one_fact_and_a_later_value_wins() {
        assert_eq!(texts(&["Never push to main.", "never push to main!"]), ["Never push to main."]);
        assert_eq!(
            texts(&["The deadline is December 15.", "The deadline is December 18."]),
            ["The deadline is December 18."]
        );
    }

    #[test]
    fn a_quote_covers_the_reason_that_follows() {
        let at: DateTime<Utc> = "2026-11-28T12:00:00Z".parse().unwrap();
        let text = "Hi. Never mock the database. We got burned last quarter.  Now fix it.";
        let turn = HumanTurn { session: "s".into(), line: 7, uuid: None, at: Some(at), text: text.into(), after: None };
        let facts = collect(&[turn], at).facts;
        assert_eq!(facts.first().unwrap().quote, "Never mock the database. We got burned last quarter.");
    }
}
