//! A claim against a memory that an earlier session stored: "we no longer install with Yarn, we install with pnpm".
//!
//! One of the two ways to take such a memory back. Here the sentence says what holds now; the memory is found by comparing the
//! two claims, and the sentence takes its place, worth a memory of its own or not. In [`super::revoke`] the sentence only
//! names what ends by its subject ("forget the rule about …"). [`super::collect`] asks there first; what can mean nothing else
//! never comes here. Both act on exactly one memory or on none, and of one sentence only one of them does. Not its job: what is
//! taken back in the same session (see [`super::collect`]).

use super::EngineError;
use super::desk::Desk;
use super::note::Note;
use super::similarity::replaces;
use super::statement::Fact;
use super::supersede::{self, Claim, Relation};
use super::{classify, confidential, cues, drafts, language, settle, spans};
use crate::memory::likeness::{measured, updates};

/// Share of a memory's words that a sentence which lifts a rule has to name.
const NAMED: f64 = 0.75;

/// Bytes of a sentence that says no more than what is so by now.
const LONGEST_HANDOVER: usize = 160;

/// Whether a sentence says plainly that something does not hold any more: no question, no hypothesis, nobody else's words.
pub(super) fn is_said(text: &str) -> bool {
    // What few sentences say is asked first.
    let is_newer = || text.len() < LONGEST_HANDOVER && updates::says_now(text) && Claim::of(text).gives_newer();
    if text.trim_end().ends_with(['?', '？'])
        || !(replaces::says_so(text) || lifts(text) || is_newer())
        || confidential::has_secret(text)
    {
        return false;
    }
    let cues = cues::of(language::of(text));
    let masked = spans::masked(text);
    !(cues.question.hits(&masked)
        || cues.hypothetical.hits(&masked)
        || cues.reported.hits(&masked)
        || cues.invented.hits(&masked)
        || cues.code_talk.hits(&masked)
        // What is so "now" is so from now on.
        || cues.fleeting.hits(&updates::without_now(&masked)))
}

/// Puts the sentence in the place of the one memory it names; its file. None or several: nothing happens. Nor when the same
/// line gave one of `facts` of that type, which is settled with its reason, nor when a memory comes from these words already.
pub(super) fn settle(desk: &mut Desk<'_>, fact: &Fact, facts: &[Fact]) -> Result<Option<String>, EngineError> {
    let place = drafts::source_line(fact);
    if desk.notes.values().any(|note| note.body.lines().any(|line| line.trim() == place)) {
        return Ok(None);
    }
    let later = Claim::of(&fact.statement.text);
    let is_lifting = lifts(&fact.statement.text);
    let named: Vec<(String, crate::memory::Kind)> = desk
        .notes
        .values()
        .filter(|note| note.is_open && note.claimed.is_some_and(|claimed| claimed < fact.at))
        .filter(|note| names(note, &later, is_lifting) && !settle::says(note, &later.shape))
        .filter_map(|note| Some((note.file.clone(), note.kind?)))
        .collect();
    let [(file, kind)] = named.as_slice() else { return Ok(None) };
    if facts.iter().any(|other| other.line == fact.line && other.statement.kind == *kind) {
        return Ok(None);
    }
    let mut fact = fact.clone();
    fact.statement.kind = *kind;
    let is_part = desk
        .notes
        .get(file)
        .is_some_and(|note| supersede::relation(&note.claims()[0], &later) == Relation::ReplacesPart);
    if is_part {
        settle::amend(desk, &fact, file)?;
    } else {
        settle::update(desk, &fact, file)?;
    }
    Ok(Some(file.clone()))
}

fn lifts(text: &str) -> bool {
    classify::lifts(text) || replaces::lifts(text)
}

fn names(note: &Note, later: &Claim, is_lifting: bool) -> bool {
    let [claim, _] = note.claims();
    let (old, new) = (&claim.shape, &later.shape);
    let is_named = is_lifting
        && old.content.len() >= 2
        && old.contained_in(new) >= NAMED
        && old.names_no_other(new)
        && !supersede::narrows(claim, later);
    is_named
        || match supersede::relation(claim, later) {
            Relation::ReplacesBySaying | Relation::ReplacesPart => true,
            Relation::ReplacesOneValue => measured::relation_to(note, later) == Relation::ReplacesOneValue,
            Relation::None => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_statement_takes_something_back() {
        for text in [
            "We no longer install packages with Yarn, we install them with pnpm.",
            "Mia kümmert sich jetzt um das Payment-Modul.",
            "c'est maintenant Paul qui s'occupe du module de paiement",
            "We now deploy the shop on Mondays.",
        ] {
            assert!(is_said(text), "{text:?}");
        }
        for text in [
            "What if invoices were sent on the fifteenth instead of the first?",
            "Dauert ein Sprint nicht mehr zwei Wochen, sondern drei?",
            "Maybe we should no longer deploy on Fridays.",
            "The web server runs on Node 22.",
            "Now run the tests.",
            "Mia kümmert sich jetzt erst mal um das Payment-Modul.",
        ] {
            assert!(!is_said(text), "{text:?}");
        }
    }
}
