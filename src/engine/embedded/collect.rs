//! From the human turns of a session to its facts, less what the person takes back.
//!
//! Not its job: reading transcripts (`crate::session`) and knowing what a store holds already (see [`super::settle`]).

mod right;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::amend;
use super::moves::Move;
use super::parts::without_opening;
use super::revoke::Revocation;
use super::sentences::{self, Sentence};
use super::similarity::{Likeness, Shape};
use super::statement::{Fact, Statement, finish};
use super::supersede::{self, Claim, Relation};
use super::{
    announced, classify, confirm, contrast, cues, drafts, explicit, irony, language, once, orders, retractions, revoke,
    scratched, voices,
};
use crate::change::Source;
use crate::clock;
use crate::memory::Kind;
use crate::session::HumanTurn;

/// What a session gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Collected {
    /// What stands at its end, in the order it was said.
    pub(super) facts: Vec<Fact>,
    /// The source lines (see [`drafts::source_line`]) of what was taken back or replaced later, and by which words.
    pub(super) retracted: BTreeMap<String, Source>,
    /// Sentences that say that something does not hold any more, worth a memory or not.
    pub(super) taken_back: Vec<Fact>,
}

/// A fact, measured once: each new one is held against all before it.
struct Known {
    fact: Fact,
    shape: Shape,
    claim: Claim,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    known: Vec<Known>,
    /// The line of the turn that ended with the latest fact.
    ended: Option<u64>,
    retracted: BTreeMap<String, Source>,
    taken_back: Vec<Fact>,
}

/// Collects the facts of a session's turns, until `stop` says that nobody waits for them. Turns without a time of their own
/// have the one before them, or `fallback`.
pub(super) fn collect(turns: &[HumanTurn], fallback: DateTime<Utc>, stop: &dyn Fn() -> bool) -> Collected {
    let mut found = Found::default();
    let mut at = fallback;
    let mut previous = None;
    for turn in turns {
        if stop() {
            break;
        }
        at = turn.at.unwrap_or(at);
        turn_of(turn, at, previous, &mut found);
        previous = Some(turn);
    }
    let Found { known, retracted, taken_back, .. } = found;
    Collected { facts: known.into_iter().map(|known| known.fact).collect(), retracted, taken_back }
}

fn turn_of(turn: &HumanTurn, at: DateTime<Utc>, previous: Option<&HumanTurn>, collected: &mut Found) {
    if classify::is_invented_turn(&turn.text) {
        return;
    }
    let day = clock::local_day(at);
    let sentences = amend::apart(sentences::split(&turn.text), &turn.text);
    let said = Said { turn, at, day, previous, previous_line: previous.map(|turn| turn.line) };
    let mut next = 0;
    // Where the latest fact of this turn ended.
    let mut stated_before = None;
    while let Some(sentence) = sentences.get(next) {
        // Asked last: few sentences say anything to us, and fewer mean something else.
        let is_not_meant = || {
            irony::is_meant_otherwise(&sentences, next)
                || voices::is_someone_elses(&sentences, next)
                || (orders::is_one(&sentences, next) && !explicit::is_request(&sentence.text))
        };
        let taken = right::put_right(&sentences, next, &said, stated_before == Some(next), collected);
        if taken > 0 {
            next += taken;
            stated_before = stated_before.map(|_| next);
            continue;
        }
        let revokes = revoke::of(&sentence.text, day)
            .filter(|_| !explicit::is_request(&sentence.text) && !is_not_meant())
            .filter(|revokes| !once::is_only_now(&revoke::bare(&sentence.text, revokes.clone()), &sentences, next));
        if let Some(revokes) = &revokes {
            revoked(revokes, sentence, &said.source(sentence), collected);
        }
        if let Some(revokes) = revokes.as_ref().filter(|revokes| revokes.is_plain()) {
            let stated = classify::classify(&sentences, next, day);
            // "Forget what I said about squashing: keep them apart" says something new after the colon.
            let rest = after_colon(sentence, &turn.text).filter(|_| stated.is_none());
            if let Some((rest, instead)) = rest.and_then(|rest| {
                let instead = classify::classify(std::slice::from_ref(&rest), 0, day)?;
                Some((rest, instead))
            }) {
                add(said.fact(Statement { revokes: Some(revokes.clone()), ..instead }, rest.range), collected);
                next += 1;
                continue;
            }
            let statement = match stated {
                Some(stated) => Statement { sentences: 1, revokes: Some(revokes.clone()), ..stated },
                None => revoke::bare(&sentence.text, revokes.clone()),
            };
            collected.known.push(Known::of(said.fact(statement, sentence.range.clone())));
            next += 1;
            continue;
        }
        if classify::takes_back(&sentence.text) && !explicit::is_request(&sentence.text) && !is_not_meant() {
            // "Scrap that: use X" says something new after the colon.
            let instead = after_colon(sentence, &turn.text).and_then(|rest| {
                let statement = classify::classify(std::slice::from_ref(&rest), 0, day)?;
                Some((statement, rest))
            });
            let begins = instead.as_ref().map_or(sentence.range.end, |(_, rest)| rest.range.start);
            let takes_back = turn.text.get(sentence.range.start..begins).unwrap_or(&sentence.text);
            let latest = collected.known.last().map(|known| known.fact.line);
            let is_near = latest.is_some() && (latest == Some(turn.line) || latest == said.previous_line);
            let is_next = stated_before == Some(next) || (next == 0 && collected.ends_before(&said));
            // A bare "never mind" after an order means the order; one that gives a reason means what the reason speaks against.
            let is_meant = scratched::points_back(takes_back)
                || (!scratched::is_of_a_task(takes_back) && (is_next || !scratched::is_bare(takes_back)));
            let meant = match (is_near, is_meant) {
                (true, true) => Meant::Latest,
                (true, false) => Meant::LatestIfNamed,
                (false, _) => Meant::Named,
            };
            take_back(&sentence.text, meant, &said.source(sentence), collected);
            if let Some((statement, rest)) = instead {
                add(said.fact(statement, rest.range), collected);
            }
            next += 1;
            continue;
        }
        if classify::lifts(&sentence.text) && !is_not_meant() {
            lift(&sentence.text, &said.source(sentence), collected);
        }
        if retractions::is_said(&sentence.text) && !is_not_meant() {
            let statement = Statement {
                kind: Kind::Project,
                ..Statement::rule(stored(&sentence.text), language::of(&sentence.text))
            };
            // Said twice in a session it takes back once: the second time it would take back what the first one left.
            let is_said_again = |earlier: &Fact| {
                Shape::of(&earlier.statement.text).likeness(&Shape::of(&statement.text)) == Likeness::Same
            };
            if !collected.taken_back.iter().any(is_said_again) {
                collected.taken_back.push(said.fact(statement, sentence.range.clone()));
            }
        }
        let stated = confirm::statement(&sentences, next, turn.after.as_deref())
            .or_else(|| classify::classify(&sentences, next, day))
            .or_else(|| contrast::statement(&sentences, next, turn.after.as_deref()))
            .or_else(|| announced::statement(&sentences, next, day))
            .or_else(|| classify::by_manner(&sentences, next, day));
        let is_lasting = |statement: &Statement| !once::is_only_now(statement, &sentences, next);
        let stated = stated.filter(is_lasting).filter(|_| !is_not_meant());
        let Some(statement) = (match (stated, revokes) {
            (Some(stated), revokes) => Some(Statement { revokes, ..stated }),
            (None, revokes) => revokes.map(|revokes| revoke::bare(&sentence.text, revokes)),
        }) else {
            next += 1;
            continue;
        };
        let last = sentences.get(next + statement.sentences.saturating_sub(1)).unwrap_or(sentence);
        next += statement.sentences.max(1);
        stated_before = Some(next);
        add(said.fact(statement, sentence.range.start..last.range.end), collected);
    }
    collected.ended = stated_before.filter(|before| *before == sentences.len()).map(|_| turn.line);
}

/// A sentence as it is written down.
fn stored(text: &str) -> String {
    finish(&without_opening(text, cues::of(language::of(text))))
}

impl Found {
    /// Whether the turn before this one ended with the latest fact.
    fn ends_before(&self, said: &Said<'_>) -> bool {
        said.previous_line.is_some() && self.ended == said.previous_line
    }
}

/// A turn and when it was said.
struct Said<'a> {
    turn: &'a HumanTurn,
    at: DateTime<Utc>,
    day: chrono::NaiveDate,
    /// The turn before.
    previous: Option<&'a HumanTurn>,
    previous_line: Option<u64>,
}

impl Said<'_> {
    /// Whether a fact is about all that was said in the turn before.
    fn is_all_before(&self, fact: &Fact) -> bool {
        self.previous.is_some_and(|turn| {
            turn.line == fact.line && fact.quote.chars().count() * 4 >= turn.text.trim().chars().count() * 3
        })
    }

    /// Where a sentence of the turn stands.
    fn source(&self, sentence: &Sentence) -> Source {
        let quote = self.turn.text.get(sentence.range.clone()).unwrap_or(&sentence.text).to_owned();
        Source {
            session: Some(self.turn.session.clone()),
            line: Some(self.turn.line),
            quote: Some(quote),
            ..Source::default()
        }
    }

    /// A statement of the turn as a fact; the words in `range` are its quote.
    fn fact(&self, statement: Statement, range: std::ops::Range<usize>) -> Fact {
        let quote = self.turn.text.get(range).unwrap_or(&statement.text).to_owned();
        Fact { session: self.turn.session.clone(), line: self.turn.line, at: self.at, day: self.day, statement, quote }
    }
}

/// Drops the latest fact.
fn drop_latest(by: Source, collected: &mut Found) -> bool {
    let Some(gone) = collected.known.pop() else { return false };
    collected.retracted.insert(drafts::source_line(&gone.fact), by);
    true
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

impl Known {
    fn of(fact: Fact) -> Self {
        Self { shape: Shape::of(&fact.statement.text), claim: Claim::of(&fact.statement.text), fact }
    }
}

/// Adds a fact; the same said again in the session is one fact, and a later value takes the earlier one's place.
fn add(fact: Fact, collected: &mut Found) {
    let later = Known::of(fact);
    let moved = Move::of((later.fact.statement.text.as_str(), later.fact.day));
    let mut replaced = None;
    for (at, earlier) in collected.known.iter().enumerate() {
        if earlier.fact.statement.kind != later.fact.statement.kind {
            continue;
        }
        if earlier.shape.likeness(&later.shape) == Likeness::Same {
            return;
        }
        let moves =
            || moved.as_ref().is_some_and(|moved| moved.moves((&earlier.fact.statement.text, earlier.fact.day)));
        if supersede::relation(&earlier.claim, &later.claim) != Relation::None || moves() {
            replaced = Some(at);
        }
    }
    if let Some(at) = replaced {
        let gone = collected.known.remove(at);
        collected.retracted.insert(drafts::source_line(&gone.fact), drafts::source(&later.fact));
    }
    collected.known.push(later);
}

/// What "scratch that" means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// What was said right before, all of that turn.
    Latest,
    /// The latest fact, if it has a word of it.
    LatestIfNamed,
    /// What it names.
    Named,
}

/// "Scratch that": what was said right before when nothing else is named, else what is named.
fn take_back(text: &str, meant: Meant, by: &Source, collected: &mut Found) {
    let names_latest = || {
        let shape = Shape::of(text);
        collected.known.last().is_some_and(|latest| latest.shape.content.intersection(&shape.content).next().is_some())
    };
    let latest = collected.known.last().map(|known| known.fact.line);
    if meant == Meant::Latest {
        drop_facts(collected, by, |known| Some(known.fact.line) == latest);
    } else if meant == Meant::LatestIfNamed && names_latest() {
        drop_latest(by.clone(), collected);
    } else {
        lift(text, by, collected);
    }
}

/// Drops earlier facts that are what is revoked.
fn revoked(revokes: &Revocation, sentence: &Sentence, by: &Source, collected: &mut Found) {
    drop_facts(collected, by, |known| {
        !revoke::is_bare(&known.fact.statement) && revoke::names(revokes, &sentence.text, &known.fact.statement.text)
    });
}

/// Drops earlier facts that share most of their words with the sentence.
fn lift(text: &str, by: &Source, collected: &mut Found) {
    let shape = Shape::of(text);
    drop_facts(collected, by, |known| {
        let common = known.shape.content.intersection(&shape.content).count();
        common >= 2 || (common == 1 && known.shape.content.len() <= 3)
    });
}

fn drop_facts(collected: &mut Found, by: &Source, is_meant: impl Fn(&Known) -> bool) {
    let (gone, kept): (Vec<Known>, Vec<Known>) = std::mem::take(&mut collected.known).into_iter().partition(is_meant);
    collected.known = kept;
    collected.retracted.extend(gone.iter().map(|known| (drafts::source_line(&known.fact), by.clone())));
}

#[cfg(test)]
#[path = "../../../tests/common/growth.rs"]
mod growth;

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
        let facts = collect(&turns, at, &|| false).facts.into_iter();
        // What only takes something back says nothing to an empty store.
        facts.filter(|fact| !revoke::is_bare(&fact.statement)).map(|fact| fact.statement.text).collect()
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
        let facts = collect(&[turn], at, &|| false).facts;
        assert_eq!(facts.first().unwrap().quote, "Never mock the database. We got burned last quarter.");
    }

    #[test]
    fn a_session_that_states_a_lot_costs_in_proportion_to_what_it_states() {
        let syllables = ["lo", "mi", "te", "ra", "su", "ka", "vi", "no"];
        let word = |number: usize| {
            let at = |shift: usize| syllables.get((number / shift) % 8).copied().unwrap_or_default();
            format!("{}{}{}x", at(1), at(8), at(64))
        };
        let said = |many: usize| -> Vec<String> {
            (0..many)
                .map(|n| format!("Always use {} for {} in {}.", word(n), word(n * 7 + 3), word(n * 5 + 11)))
                .collect()
        };
        let count = |many: usize| {
            let said = said(many);
            texts(&said.iter().map(String::as_str).collect::<Vec<_>>()).len()
        };
        assert!(count(160) > 100);
        super::growth::in_proportion("facts of a session", 320, |many| {
            count(many);
        });
    }

    #[test]
    fn nobody_reads_on_when_nobody_waits_for_it() {
        let at: DateTime<Utc> = "2026-11-28T12:00:00Z".parse().unwrap();
        let turn = |line, text: &str| HumanTurn {
            session: "s".into(),
            line,
            uuid: None,
            at: Some(at),
            text: text.into(),
            after: None,
        };
        let turns = [turn(1, "Never push to main."), turn(2, "Always use tabs for indentation.")];
        let asked = std::cell::Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) > 0;
        assert_eq!(collect(&turns, at, &stop).facts.len(), 1);
    }
}
