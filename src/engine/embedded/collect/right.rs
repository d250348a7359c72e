//! Putting right what a person has just said: the latest fact gets other words, or does not stand.
//!
//! Not its job: telling what a sentence says of the one before it (see [`super::super::amend`] and [`super::super::slips`]).

use super::super::amend::{self, Amendment};
use super::super::sentences::Sentence;
use super::super::similarity::Shape;
use super::super::slips::{self, Objection};
use super::super::statement::{Statement, finish};
use super::super::{classify, cues, dates, drafts, once};
use super::{Found, Known, Said, add, drop_latest};
use crate::change::Source;
use crate::memory::Kind;

/// Puts right what was said right before the sentence at `at`; how many sentences that took. `is_next`: the sentence follows
/// the latest fact of the turn.
pub(super) fn put_right(
    sentences: &[Sentence],
    at: usize,
    said: &Said<'_>,
    is_next: bool,
    collected: &mut Found,
) -> usize {
    let (Some(sentence), Some(latest)) = (sentences.get(at), collected.known.last().map(|known| &known.fact)) else {
        return 0;
    };
    let is_answer = at == 0 && Some(latest.line) == said.previous_line;
    let by = said.source(sentence);
    let follows = Follows { is_next, is_answer, is_plain: is_next || (is_answer && said.is_all_before(latest)) };
    if follows.is_plain {
        let limited = slips::limited(&latest.statement, &sentence.text)
            .or_else(|| slips::more_exactly(&latest.statement, &sentence.text));
        if let Some(text) = limited {
            reword(text, sentence, said, &follows, by, collected);
            return 1;
        }
        if !is_next && once::is_limit(&sentence.text) {
            return usize::from(drop_latest(by, collected));
        }
    }
    if (is_next || is_answer) && slips::is_apology(&sentence.text) {
        let next = sentences.get(at + 1).and_then(|next| {
            let Amendment::Value { meant, said: wrong, .. } = amend::of(&format!("sorry, {}", next.text))? else {
                return None;
            };
            Some((amend::amended(&latest.statement, &meant, wrong.as_deref(), latest.day)?, next))
        });
        if let Some((text, next)) = next {
            reword(text, next, said, &follows, by, collected);
            return 2;
        }
    }
    if let Some(amendment) = amend::of(&sentence.text)
        && amended(amendment, sentence, said, &follows, collected)
    {
        return 1;
    }
    let Some(latest) = collected.known.last().map(|known| &known.fact) else { return 0 };
    let anew = cues::around::announced(&sentence.text).and_then(|_| classify::classify(sentences, at, said.day));
    if let Some(anew) = anew {
        // It says all of it in words of its own, and takes the place of what it puts right as any later claim does.
        let is_wrong = follows.is_plain
            && anew.kind == latest.statement.kind
            && slips::objection(&sentence.text) == Some(Objection::Surely)
            && shares_words(&latest.statement.text, &sentence.text);
        if is_wrong {
            drop_latest(by, collected);
        }
        return 0;
    }
    let is_over = (is_next || is_answer)
        && slips::objection(&sentence.text).is_some_and(|objection| match objection {
            Objection::Surely => follows.is_plain || shares_words(&latest.statement.text, &sentence.text),
            Objection::Reversed => follows.is_plain && latest.statement.kind == Kind::Feedback,
            Objection::NotThem => latest.statement.kind == Kind::Project,
        });
    usize::from(is_over && drop_latest(by, collected))
}

/// How a sentence follows the latest fact.
struct Follows {
    /// In the same turn, right after it.
    is_next: bool,
    /// As the first sentence of the next turn.
    is_answer: bool,
    /// And nothing else can be meant.
    is_plain: bool,
}

/// Words of an answer that names nobody.
const SHORT_ANSWER: usize = 4;

/// "No, Thursday", and nothing else: the person corrects their own day or name, unless it answers the assistant, who asked
/// something or named other days and people.
fn says_no(statement: &Statement, meant: &str, said: &Said<'_>) -> bool {
    let between = said.turn.after.as_deref().unwrap_or_default();
    let is_said_before = |words: &str| statement.text.to_lowercase().contains(&words.to_lowercase());
    let days = |text: &str| dates::mentions(text, said.day);
    let is_quiet = !between.contains(['?', '？'])
        && days(between).into_iter().filter_map(|day| between.get(day)).all(is_said_before);
    let is_short = || between.split_whitespace().count() <= SHORT_ANSWER;
    let is_meant = !days(meant).is_empty() || (amend::is_name(meant) && is_short());
    statement.kind == Kind::Project && is_quiet && is_meant && amend::is_bare_no(said.turn.text.trim())
}

fn shares_words(one: &str, other: &str) -> bool {
    Shape::of(one).content.intersection(&Shape::of(other).content).next().is_some()
}

/// Gives the latest fact other words, of which the last stand in `sentence`.
fn reword(text: String, sentence: &Sentence, said: &Said<'_>, follows: &Follows, by: Source, collected: &mut Found) {
    let Some(latest) = collected.known.last().map(|known| &known.fact) else { return };
    let statement = Statement { text, ..latest.statement.clone() };
    // In the same turn the words from the first to the last are one quote.
    let begins = if follows.is_next { said.turn.text.find(&latest.quote) } else { None };
    let fact = said.fact(statement, begins.unwrap_or(sentence.range.start)..sentence.range.end);
    drop_latest(by, collected);
    add(fact, collected);
}

/// Does what a sentence says of what stands before it; whether it could.
fn amended(
    amendment: Amendment,
    sentence: &Sentence,
    said: &Said<'_>,
    follows: &Follows,
    collected: &mut Found,
) -> bool {
    let Some(latest) = collected.known.last().map(|known| &known.fact) else { return false };
    let by = said.source(sentence);
    match amendment {
        Amendment::Value { meant, said: wrong, is_sure } => {
            let is_answer =
                follows.is_answer && (is_sure || wrong.is_some() || says_no(&latest.statement, &meant, said));
            if !(follows.is_next || is_answer) {
                return false;
            }
            match amend::amended(&latest.statement, &meant, wrong.as_deref(), latest.day) {
                Some(text) => {
                    reword(text, sentence, said, follows, by, collected);
                    true
                }
                // What was meant has no place in it: only a plain slip of the tongue is dropped.
                None => follows.is_next && is_sure && wrong.is_none() && drop_latest(by, collected),
            }
        }
        Amendment::Anew { claim, text, said: wrong } => {
            let follows_it = follows.is_next || follows.is_answer;
            if !follows_it || !amend::says_anew(&latest.statement, &claim, &wrong) {
                return false;
            }
            // What a rule is not is a part of it; who was named by mistake is none.
            let text = if latest.statement.kind == Kind::Feedback { text } else { claim };
            reword(finish(&text), sentence, said, follows, by, collected);
            true
        }
        Amendment::Withdrawn(rest) => {
            if !(follows.is_next || follows.is_answer) {
                return false;
            }
            drop_latest(by, collected);
            let range = sentence.range.clone();
            let rest = Sentence { range, text: rest, paragraph: sentence.paragraph };
            if let Some(statement) = classify::classify(std::slice::from_ref(&rest), 0, said.day) {
                add(said.fact(statement, rest.range), collected);
            }
            true
        }
        Amendment::Back => {
            let words = Shape::of(&said.turn.text).content;
            let is_left = |known: &Known| {
                known.fact.statement.kind != Kind::User && known.shape.content.intersection(&words).next().is_some()
            };
            let Some(left) = collected.known.iter().rposition(is_left) else { return false };
            let gone = collected.known.remove(left);
            collected.retracted.insert(drafts::source_line(&gone.fact), by);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use crate::session::HumanTurn;

    #[test]
    fn a_bare_no_answers_an_assistant_that_asked_or_named_another_day() {
        let at = "2026-03-04T12:00:00Z".parse().unwrap();
        for (said, between, no, says) in [
            ("The demo is on Friday.", "Noted.", "no, Thursday", "The demo is on Thursday."),
            ("The demo is on Friday.", "The demo is on Friday, noted.", "no, Thursday", "The demo is on Thursday."),
            ("The demo is on Friday.", "Shall I send it on Monday?", "no, Thursday", "The demo is on Friday."),
            ("The demo is on Friday.", "I will send it on Monday.", "no, Thursday", "The demo is on Friday."),
            ("Priya owns billing.", "I asked Ana to review the change now.", "no, Tom", "Priya owns billing."),
        ] {
            let turn = |line, text: &str, after: Option<&str>| HumanTurn {
                session: "s".into(),
                line,
                uuid: None,
                at: Some(at),
                text: text.to_owned(),
                after: after.map(str::to_owned),
            };
            let turns = [turn(1, said, None), turn(3, no, Some(between))];
            let texts: Vec<String> = super::super::collect(&turns, at, &|| false)
                .facts
                .into_iter()
                .map(|fact| fact.statement.text)
                .collect();
            assert_eq!(texts, [says], "{between} / {no}");
        }
    }
}
