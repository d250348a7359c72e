//! What an automatic change loses: a report on every sentence that goes, and files that lose most of their lines.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};

use super::claim::{Claim, is_value};
use super::quoted::is_dense;
use super::repeated::crosses;
use super::sentences::{self, Sentences, is_said_in};
use super::values::NEGATIONS;
use super::{Subject, held, over, removal};
use crate::change::{Account, HoldReason, IndexChange, Loss};
use crate::memory::Index;
use crate::memory::likeness::are_akin;
use crate::memory::names::is_markdown;
use crate::secret;

pub(in crate::change) fn check(subject: &Subject<'_>, elsewhere: &Sentences) -> Option<HoldReason> {
    let (before, after) = (subject.before?, subject.after?);
    let (old, new) = (sentences::of_file(before), sentences::of_file(after));
    let kept: HashSet<&str> = new.iter().map(String::as_str).collect();
    let mut fresh: Vec<HashSet<&str>> =
        new.iter().filter(|sentence| !old.contains(sentence)).map(|sentence| sentence.split(' ').collect()).collect();
    let lost = old
        .iter()
        .filter(|sentence| !kept.contains(sentence.as_str()) && !elsewhere.contains(sentence))
        .filter(|sentence| !take_reworded(sentence, &mut fresh))
        .count();
    // A person's own words took the place of the claim, and what stood before is said.
    let is_pointed_to = old.first().is_some_and(|claim| kept.contains(claim.as_str()));
    let is_persons = subject.rationale.sources.iter().any(|source| source.quote.is_some());
    if lost * 2 <= old.len() || (is_persons && is_pointed_to && new.first() != old.first()) {
        return None;
    }
    Some(held(
        "loss",
        format!("{lost} of its {} would be lost", crate::text::count(old.len(), "sentence", "sentences")),
    ))
}

/// What became of every sentence that an automatic change takes out of a file.
///
/// A sentence is accounted for when it stands elsewhere afterwards, stands in other words in the same file, or when the
/// rationale says what became of it and the store bears that out. A model's "superseded by" explains what the other file says
/// otherwise or quotes as what stood before, and nothing else of the file.
pub(in crate::change) fn account(
    subject: &Subject<'_>,
    elsewhere: &Sentences,
    now: DateTime<Utc>,
    is_by_model: bool,
) -> Vec<Loss> {
    let Some(before) = subject.before else { return Vec::new() };
    let old = sentences::of_file(before);
    let new = subject.after.map(sentences::of_file).unwrap_or_default();
    let kept: HashSet<&str> = new.iter().map(String::as_str).collect();
    let mut fresh: Vec<HashSet<&str>> =
        new.iter().filter(|sentence| !old.contains(sentence)).map(|sentence| sentence.split(' ').collect()).collect();
    let claim = Claimed::by(subject, elsewhere, before, (now, is_by_model));
    let mut seen = HashSet::new();
    let mut losses = Vec::new();
    for sentence in old.iter().filter(|sentence| !kept.contains(sentence.as_str()) && seen.insert(sentence.as_str())) {
        let (account, into) = if let Some(place) = elsewhere.place(sentence) {
            (Account::Kept, Some(place.to_owned()))
        } else if take_reworded(sentence, &mut fresh) || take_dated(sentence, &mut fresh) {
            (Account::Merged, Some(subject.file.to_owned()))
        } else {
            claim.account(sentence)
        };
        losses.push(Loss { file: subject.file.to_owned(), sentence: secret::redacted(sentence), account, into });
    }
    losses
}

/// Why a file waits whose losses are not all accounted for.
pub(in crate::change) fn unexplained(losses: &[Loss]) -> Option<HoldReason> {
    let open: Vec<&Loss> = losses.iter().filter(|loss| loss.account == Account::Unexplained).collect();
    if open.is_empty() {
        return None;
    }
    let quoted: Vec<String> =
        open.iter().take(MOST_QUOTED).map(|loss| format!("\"{}\"", shown(&loss.sentence))).collect();
    let more = if open.len() > quoted.len() { ", …" } else { "" };
    let count = |account: Account| losses.iter().filter(|loss| loss.account == account).count();
    let others: Vec<String> = [Account::Kept, Account::Merged, Account::Superseded, Account::Expired]
        .into_iter()
        .filter(|account| count(*account) > 0)
        .map(|account| format!("{} {}", count(account), account.word()))
        .collect();
    let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
    Some(held(
        "loss",
        format!(
            "{} would be lost and nothing says why: {}{more}{others}",
            crate::text::count(open.len(), "sentence", "sentences"),
            quoted.join(", ")
        ),
    ))
}

/// So many lost sentences are named in a reason.
const MOST_QUOTED: usize = 3;

fn shown(sentence: &str) -> String {
    let visible = crate::text::visible(sentence);
    if visible.chars().count() <= 80 {
        return visible.into_owned();
    }
    visible.chars().take(79).chain(std::iter::once('…')).collect()
}

/// One word in so many may be missing where a model merged a sentence into another file.
const MISSING_IN: usize = 4;

/// What a rationale says became of the text, as far as the store bears it out.
struct Claimed<'a> {
    /// The files it names that are there afterwards, with their words.
    into: Vec<(String, HashSet<&'a str>)>,
    elsewhere: &'a Sentences,
    is_superseded: bool,
    is_by_model: bool,
    is_expired: bool,
    /// The person's words a change rests on.
    by_person: Option<String>,
}

impl<'a> Claimed<'a> {
    fn by(
        subject: &Subject<'_>,
        elsewhere: &'a Sentences,
        before: &[u8],
        (now, is_by_model): (DateTime<Utc>, bool),
    ) -> Self {
        let reason = subject.rationale.reason.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| reason.contains(word));
        let named = subject.rationale.reason.split(|c: char| c.is_whitespace() || ";,()\"'`:".contains(c));
        let into: Vec<_> = named
            .map(|word| word.trim_end_matches('.'))
            .filter(|word| is_markdown(word) && *word != subject.file)
            .map(|word| (word.to_owned(), elsewhere.words_of(word)))
            .filter(|(_, words)| !words.is_empty())
            .collect();
        let is_answered_for = subject.after.is_some()
            || removal::is_taken_back(before, subject.rationale)
            || removal::is_to_be_forgotten(before, subject.rationale);
        let by_person =
            subject.rationale.sources.iter().find(|source| {
                source.quote.as_deref().is_some_and(|quote| !quote.trim().is_empty()) && is_answered_for
            });
        // That a day has passed is read off the memory; of what was to stand in another file that is no account.
        let says_so = says(&["expired", "has passed", "is past", "days past", "is over"]);
        let is_expired = if is_by_model {
            let goes = subject.after.is_none() && !reason.trim().is_empty();
            (goes || says_so) && into.is_empty() && over::is_over(before, now)
        } else {
            says_so && is_past(before, now)
        };
        Self {
            into,
            elsewhere,
            is_by_model,
            is_expired,
            is_superseded: says(&["supersed", "replaced by", "outdated by", "corrected"]),
            by_person: by_person.map(|source| source.session.clone().unwrap_or_else(|| "the person".to_owned())),
        }
    }

    /// Whether a file with these words took a sentence in. Of a model's merge nearly every word of meaning is there, and each
    /// value.
    fn is_taken_in(&self, sentence: &str, file: &str, there: &HashSet<&str>) -> bool {
        if !self.is_by_model || is_dense(sentence) {
            return is_said_in(sentence, there);
        }
        let claim = Claim::of(sentence, sentence);
        let is_there = |word: &String| there.contains(word.as_str()) || there.iter().any(|known| are_akin(known, word));
        let missing: Vec<&String> = claim.words().iter().filter(|word| !is_there(word)).collect();
        missing.len() * MISSING_IN <= claim.words().len()
            && !missing.iter().any(|word| is_value(word))
            && !differs(sentence, self.elsewhere.sentences_of(file))
    }

    fn account(&self, sentence: &str) -> (Account, Option<String>) {
        // Of what was superseded most words stand in what took its place, and not what they said.
        if !self.is_superseded
            && let Some((file, _)) = self.into.iter().find(|(file, there)| self.is_taken_in(sentence, file, there))
        {
            return (Account::Merged, Some(file.clone()));
        }
        if self.is_superseded
            && let Some((file, _)) =
                self.into.iter().find(|(_, there)| !self.is_by_model || is_said_in(sentence, there))
        {
            return (Account::Superseded, Some(file.clone()));
        }
        if self.is_expired {
            return (Account::Expired, None);
        }
        match &self.by_person {
            Some(session) => (Account::Superseded, Some(session.clone())),
            None => (Account::Unexplained, None),
        }
    }
}

/// Words that narrow what a sentence says.
const LIMITS: [&str; 10] = ["only", "except", "unless", "nur", "außer", "solo", "sólo", "salvo", "sauf", "seulement"];

/// Whether a sentence denies or narrows what the one of these that is most like it does not, or turns it round.
fn differs<'a>(sentence: &str, others: impl Iterator<Item = &'a str>) -> bool {
    let words: HashSet<&str> = sentence.split(' ').collect();
    let common =
        |other: &&str| (other.split(' ').filter(|word| words.contains(word)).count(), std::cmp::Reverse(other.len()));
    let Some(nearest) = others.max_by_key(common) else { return false };
    let theirs: HashSet<&str> = nearest.split(' ').collect();
    // "t" is what folding leaves of "don't".
    let is_denial = |word: &&str| *word == "t" || NEGATIONS.contains(word);
    let denies = |words: &HashSet<&str>| words.iter().any(is_denial);
    let narrows = |words: &HashSet<&str>, others: &HashSet<&str>| {
        words.iter().any(|word| LIMITS.contains(word) && !others.contains(word))
    };
    // What else the other sentence says its "not" may be about.
    let says_no_more = || theirs.iter().all(|word| words.contains(word) || is_denial(word) || LIMITS.contains(word));
    let (one, other) = (Claim::of(sentence, sentence), Claim::of(nearest, sentence));
    (denies(&words) && !denies(&theirs))
        || narrows(&words, &theirs)
        || (says_no_more() && ((denies(&theirs) && !denies(&words)) || narrows(&theirs, &words)))
        || crosses(sentence, nearest)
        || one.reorders(&other)
}

/// Whether a text speaks of a day before today and of none to come.
fn is_past(bytes: &[u8], now: DateTime<Utc>) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let days = text.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|word| word.parse::<NaiveDate>().ok());
    let today = now.date_naive();
    days.fold(None, |latest: Option<NaiveDate>, day| latest.max(Some(day))).is_some_and(|latest| latest < today)
}

/// Whether one of the new sentences is the old one with its relative date made absolute.
fn take_dated(sentence: &str, fresh: &mut Vec<HashSet<&str>>) -> bool {
    let words: HashSet<&str> = sentence.split(' ').collect();
    let is_year = |word: &&str| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    let found = fresh.iter().position(|candidate| {
        let gained = candidate.difference(&words).any(is_year);
        gained && words.intersection(candidate).count() * 4 >= words.len()
    });
    found.map(|at| fresh.swap_remove(at)).is_some()
}

/// Whether one of the new sentences is the old one in other words; each new one answers for one old one.
fn take_reworded(sentence: &str, fresh: &mut Vec<HashSet<&str>>) -> bool {
    let found = fresh.iter().position(|candidate| is_said_in(sentence, candidate));
    found.map(|at| fresh.swap_remove(at)).is_some()
}

/// More index lines than this, or than a quarter, may not go while their files stay.
const MOST_LINES: usize = 5;

/// Index entries that go although their files `remain` and nothing that lands mentions them.
pub(in crate::change) fn check_index(
    change: &IndexChange,
    remain: &dyn Fn(&str) -> bool,
    mentioned: &[&[u8]],
) -> Option<HoldReason> {
    let targets = |bytes: &[u8]| -> HashSet<String> {
        Index::read(bytes.to_vec()).entries().map(|(_, entry, _)| entry.target.clone()).collect()
    };
    let (old, new) = (targets(&change.base), targets(&change.content));
    let dropped = old
        .difference(&new)
        .filter(|target| !mentioned.iter().any(|text| memchr::memmem::find(text, target.as_bytes()).is_some()))
        .filter(|target| remain(target))
        .count();
    if dropped <= MOST_LINES && dropped * 4 <= old.len() {
        return None;
    }
    let entries = crate::text::count(dropped, "entry", "entries");
    Some(held("loss", format!("{entries} of {} would go although their files stay", old.len())))
}
