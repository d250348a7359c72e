//! From a sentence to a fact, or to nothing.
//!
//! A sentence has to pass everything that speaks against it (a question, a hypothesis, somebody else's words, an
//! example, an order for the work at hand) before a cue for one of the four types counts (see [`super::types`]). Not its
//! job: what other turns say (see [`super::collect`]) and how a fact is written down (see [`super::drafts`]).

use chrono::NaiveDate;

use super::confidential::has_secret;
use super::cues::{self, Cues};
use super::language::{self, Language};
use super::manner::{self, Place};
use super::parts::{Parts, corrects, masked, reason, take_apart, without_opening};
use super::sentences::Sentence;
use super::similarity::Shape;
use super::statement::{CONTENT_WORDS, LONGEST, Statement, finish};
use super::types::kind_of;
use super::{circumstances, dates, explicit, people, spans, wishes};
use crate::memory::Kind;

/// What the sentence at `at` states, if anything.
pub(super) fn classify(sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    if let Some(asked_for) = explicit::statement(sentences, at, said) {
        return Some(asked_for);
    }
    let sentence = sentences.get(at)?;
    let next = sentences.get(at + 1).filter(|next| wishes::makes_a_rule_of(&sentence.text, &next.text));
    if let Some(next) = next.filter(|_| may_be_kept(&sentence.text)) {
        let language = language::of(&sentence.text);
        let bare = without_opening(&sentence.text, cues::of(language));
        let text = format!("{} {}", finish(&bare), finish(&next.text));
        return Some(Statement { sentences: 2, ..Statement::rule(text, language) });
    }
    stated(sentences, at, said, &|parts, why, cues| kind_of(parts, why, cues, said))
}

/// What the sentence at `at` states by its manner alone, where no cue tells (see [`super::manner`]).
pub(super) fn by_manner(sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    let place = Place::of(sentences, at);
    stated(sentences, at, said, &|parts, _, cues| {
        manner::kind_of(parts, cues, language::of(&sentences.get(at)?.text), place)
    })
}

/// Which type a sentence has, by its parts, its reason and the cues of its language.
type Judge<'a> = dyn Fn(&Parts, Option<&str>, &Cues) -> Option<Kind> + 'a;

/// What the sentence at `at` states, when nothing speaks against the whole sentence and `kind_of` gives it a type.
pub(super) fn stated(sentences: &[Sentence], at: usize, said: NaiveDate, kind_of: &Judge<'_>) -> Option<Statement> {
    let sentence = sentences.get(at)?;
    if !may_be_kept(&sentence.text) {
        return None;
    }
    let language = language::of(&sentence.text);
    let cues = cues::of(language);
    let parts = take_apart(&sentence.text, cues, said)?;
    let is_asked_to_change = cues.rule_strong.hits(&parts.masked) && parts.masked.starts_with(['c', 'w']);
    let is_asked_to_change = is_asked_to_change || wishes::is_polite(&parts.masked);
    let is_asked = |text: &str| cues.question.hits(text) && !is_asked_to_change;
    // "How often do I have to say it: …" asks nothing.
    if is_asked(&parts.masked) || (!parts.is_insisted && is_asked(&masked(&sentence.text, said).1)) {
        return None;
    }
    if cues.invented.hits(&parts.masked) || cues.take_back.hits(&parts.masked) {
        return None;
    }
    let is_told = circumstances::told(&parts.cased).is_some_and(|told| is_news(told, &parts, cues, said));
    let by_itself = people::before_consequence(&parts.masked);
    let is_about_oneself = people::speaks_of_themselves(by_itself) && !cues.reported.hits(by_itself);
    if cues.reported.hits(&parts.masked) && !is_told && !is_about_oneself {
        return None;
    }
    let following = sentences.get(at + 1).filter(|next| next.paragraph == sentence.paragraph);
    let (why, how, taken) = reason(
        &parts,
        following,
        sentences.get(at + 2).filter(|next| next.paragraph == sentence.paragraph),
        cues,
        said,
    );
    let kind = if is_told { Kind::Project } else { kind_of(&parts, why.as_deref(), cues)? };
    let text = finish(&parts.main);
    // "use" counts: "always use pnpm" says enough.
    let names_tool = usize::from(parts.masked.contains("use ") && kind == Kind::Feedback);
    if Shape::of(&text).content.len() + names_tool < content_needed(kind, language) {
        return None;
    }
    let keeps_reason = matches!(kind, Kind::Feedback | Kind::Project);
    Some(Statement {
        kind,
        text: if keeps_reason || parts.why.is_none() { text } else { finish(&without_opening(&sentence.text, cues)) },
        why: if keeps_reason { why.map(|why| finish(&why)) } else { None },
        how: if keeps_reason { how.map(|how| finish(&how)) } else { None },
        sentences: if keeps_reason { taken } else { 1 },
        is_approval: kind == Kind::Feedback
            && cues.approval.hits(&parts.masked)
            && !cues.rule_strong.hits(&parts.masked),
        language,
        corrects: corrects(&sentence.text, cues),
        revokes: None,
    })
}

/// Whether a sentence is short enough for one statement, and holds no secret.
fn may_be_kept(text: &str) -> bool {
    text.chars().count() <= LONGEST && !has_secret(text)
}

/// Whether a sentence takes back what was said before it.
pub(super) fn takes_back(text: &str) -> bool {
    let cues = cues::of(language::of(text));
    let masked = spans::masked(text);
    cues.take_back.hits(&masked)
}

/// Whether a sentence lifts a rule that shares words with it.
pub(super) fn lifts(text: &str) -> bool {
    let cues = cues::of(language::of(text));
    cues.lifted.hits(&spans::masked(text))
}

/// Whether a whole turn is about made-up people, texts to write or to translate, or examples.
pub(super) fn is_invented_turn(turn: &str) -> bool {
    let masked = spans::masked(turn);
    cues::of(language::of(turn)).invented_turn.hits(&masked)
}

fn content_needed(kind: Kind, language: Language) -> usize {
    match (kind, language) {
        (_, Language::Chinese | Language::Japanese) => 3,
        (Kind::User, _) => 1,
        _ => CONTENT_WORDS,
    }
}

/// Whether what somebody told the person is news about the project: a decision, a circumstance, or something with a date.
fn is_news(told: &str, parts: &Parts, cues: &Cues, said: NaiveDate) -> bool {
    let lower = told.to_lowercase();
    let has_future = dates::find(&parts.main, said).iter().any(|hit| hit.meaning.last_day() >= said);
    !cues.hypothetical.hits(&lower)
        && !cues.code_talk.hits(&lower)
        && (circumstances::hold(told) || cues.decision.hits(&lower) || (has_future && cues.scheduled.hits(&lower)))
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "passing_tests.rs"]
mod passing_tests;
