//! "Forget what I said about early returns", "the freeze is off": what a person takes back that an earlier session stored.
//!
//! One of the two ways to take such a memory back. Here the sentence names what ends by its subject, and the memory is found
//! by that subject alone; a sentence that instead says what holds now is compared claim by claim in [`super::retractions`].
//! Nothing is removed: the memory then says what the sentence says, and what it said before. Only when exactly one memory is
//! about what the sentence names; anything less sure is left alone. Not its job: how such sentences read (see
//! [`super::cues::revoking`]), and what is taken back in the session it was said in (see [`super::collect`]).

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};

use super::cues::revoking::{self, Manner, REVOKING};
use super::desk::Desk;
use super::naming::{folded, has, is_freeze, is_named, is_sign, mark_of, names_a_norm, weight, words_of};
use super::note::Note;
use super::parts::without_opening;
use super::similarity::Shape;
use super::statement::{Statement, finish};
use super::{cues, dates, forgetting, language, spans};
use crate::memory::Kind;
use crate::memory::likeness::patterns::Pattern;

/// What ends so tells of something that is broken: "the linter doesn't run any more".
const BROKEN: &str = "work works working run runs running pass passes passing start starts build builds compile compiles respond \
    responds load loads connect fail fails failing läuft funktioniert geht startet baut marche fonctionne passe démarre \
    funciona pasa arranca compila";
/// The same in Chinese and Japanese.
const BROKEN_SIGNS: &[&str] = &["工作", "运行", "报错", "动作", "動き", "動作し", "落ち", "通り"];

/// An event does not take place.
static CALLED_OFF: Pattern = Pattern::new(
    r"(?i)\b(?:cancell?ed|called off|abgesagt|annulée?s?|cancelad[oa]s?|anulad[oa]s?|canceló|anuló)\b|取消|中止|キャンセル",
);

/// What a sentence takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Revocation {
    /// In its words.
    pub(super) about: String,
    /// How.
    pub(super) manner: Manner,
    /// Whether the person speaks of themselves.
    is_own: bool,
    /// Whether the sentence says nothing to anything else.
    is_bare: bool,
}

impl Revocation {
    /// Whether the sentence can mean nothing else.
    pub(super) const fn is_plain(&self) -> bool {
        matches!(self.manner, Manner::Topic | Manner::Norm)
    }
}

/// What a sentence takes back, if it is one that does; `said` is its day: what ends later has not ended yet.
pub(super) fn of(text: &str, said: NaiveDate) -> Option<Revocation> {
    // What few sentences say is asked first.
    if !revoking::may(text) || text.trim_end().ends_with(['?', '？', ':', '：', 'か', '吗']) {
        return None;
    }
    let cues = cues::of(language::of(text));
    let bare = without_asides(&without_opening(text, cues).replace('’', "'"));
    let (manner, about, tail) = REVOKING.iter().find_map(|(manner, patterns)| {
        let (about, tail) = patterns.may_match(&bare).find_map(|pattern| {
            let found = pattern.captures(&bare)?;
            Some((named(&found)?, found.get(0)?.end()))
        })?;
        Some((*manner, about, bare.get(tail..).unwrap_or_default()))
    })?;
    let lower = about.to_lowercase();
    let subject = lower.split([' ', '\'']).next().unwrap_or_default();
    let is_own = OWN.contains(&subject);
    let points =
        manner != Manner::Topic && lower.split(|c: char| !c.is_alphanumeric()).any(|word| POINTS.contains(&word));
    let is_broken = matches!(manner, Manner::State) && is_broken(&lower);
    let mut masked = spans::masked(&bare);
    cues::lasting::make_plain(&mut masked);
    // What is so "now" is so from now on.
    let lasting = ["now", "jetzt", "maintenant", "ahora", "现在", "今は"]
        .iter()
        .fold(masked.clone(), |text, now| text.replace(now, ""));
    let is_against = cues.question.hits(&masked)
        || cues.hypothetical.hits(&masked)
        || (manner != Manner::Topic && cues.reported.hits(&masked))
        || cues.invented.hits(&masked)
        || cues.fleeting.hits(&lasting)
        || is_broken
        || is_limited(&about, tail)
        || (manner == Manner::Move && (!cues::PLACE.hits(&masked) || is_of_a_part(tail)));
    let ends_later = || dates::find(&bare, said).iter().any(|hit| hit.meaning.last_day() > said);
    (!points && !is_against && !words_of(&about, &bare).is_empty() && !ends_later()).then_some(Revocation {
        about,
        manner,
        is_own,
        is_bare: false,
    })
}

/// A sentence without the small words that interrupt it: "the freeze is, by the way, off".
fn without_asides(text: &str) -> String {
    let asides = [", by the way,", ", btw,", " by the way", " btw", " übrigens", " au fait", " por cierto"];
    asides.iter().fold(text.to_owned(), |text, aside| text.replace(aside, ""))
}

/// What the groups of a pattern name; nothing where "more" is no end ("nicht mehr als", "plus que").
fn named(found: &regex::Captures<'_>) -> Option<String> {
    let group = |name: &str| found.name(name).map_or("", |hit| hit.as_str().trim());
    let (about, more, rest) = (group("about"), group("more"), group("rest"));
    let compares = ["als ", "que ", "qu'", "de 1", "de 2", "de 3", "de 4", "de 5", "de 6", "de 7", "de 8", "de 9"];
    if compares.iter().any(|word| rest.to_lowercase().starts_with(word)) {
        return None;
    }
    let all = [about, more, rest].join(" ");
    Some(all.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Who speaks of themselves.
const OWN: &[&str] = &["i", "im", "my", "ich", "mein", "meine", "je", "j", "mon", "ma", "yo", "mi"];

/// Words for something that the sentence does not name.
const POINTS: &[&str] = &[
    "it", "its", "that", "this", "they", "them", "these", "those", "he", "she", "there", "es", "dies", "dieser",
    "diese", "dieses", "ça", "cela", "celui", "esto", "eso", "ello",
];

/// What a sentence takes back, measured: many claims are held against it.
struct Named<'a> {
    manner: Manner,
    words: BTreeSet<String>,
    /// How a word begins without which no claim is meant.
    mark: Option<String>,
    whole: &'a str,
}

impl<'a> Named<'a> {
    fn of(revocation: &Revocation, whole: &'a str) -> Self {
        let words = words_of(&dates::without_days(&revocation.about), whole);
        Self { manner: revocation.manner, mark: mark_of(&words), words, whole }
    }
}

/// Whether a claim of the same session is what a sentence takes back: it has all of its words.
pub(super) fn names(revocation: &Revocation, whole: &str, claim: &str) -> bool {
    let named = Named::of(revocation, whole);
    match revocation.manner {
        Manner::Topic | Manner::Norm => is_named(&named.words, &words_of(claim, claim)),
        Manner::Permit | Manner::Use | Manner::Move | Manner::Duty | Manner::State => is_about(&named, claim),
    }
}

/// Whether a claim is what a sentence takes back: it has all of its words, and few beside them unless it is named as a topic.
fn is_about(named: &Named<'_>, claim: &str) -> bool {
    // Measuring costs far more than looking for a few letters.
    if named.mark.as_ref().is_some_and(|mark| !folded(&claim.to_lowercase()).contains(mark)) {
        return false;
    }
    let Named { manner, words: named, whole, .. } = named;
    let undated = dates::without_days(claim);
    let claimed = words_of(&undated, claim);
    // A reason may name it too, but says nothing of how much a claim is about it.
    let main = words_of(forgetting::without_reason(&undated), claim);
    if !is_named(named, &claimed) || !main.iter().any(|word| has(named, word)) {
        return false;
    }
    let found = main.iter().filter(|word| has(named, word)).cloned().collect();
    let (whole_says, share) = (weight(&main), weight(&found) / weight(&main).max(0.5));
    let is_one_word = weight(named) <= 1.0;
    let is_spaced = !claim.chars().any(is_sign);
    let is_negative = || {
        let says = |clause: &&str| words_of(clause, claim).iter().filter(|word| has(named, word)).count();
        let clause = claim.split([',', ';', '，', '；', '、']).rev().max_by_key(says).unwrap_or(claim);
        Shape::of_part(clause, claim).is_negative || forbids_in_japanese(clause)
    };
    match manner {
        // One word names a memory only when the memory says little else, or begins with it.
        Manner::Topic if is_one_word => {
            let begins = || Shape::of(claim).first().is_some_and(|first| has(named, first));
            whole_says <= 3.0 || (whole_says <= 5.0 && begins())
        }
        Manner::Topic => true,
        // "The migration is over" ends no rule about migrations.
        // What is called off is what had a day.
        Manner::Norm if CALLED_OFF.is_match(whole) && !is_freeze(named) && !names_a_norm(whole) => {
            share >= 0.75 && undated != claim && !dates::comes_again(claim)
        }
        Manner::Norm if is_one_word => whole_says <= 7.0 && (is_freeze(named) || names_a_norm(whole)),
        Manner::Norm => whole_says <= 10.0,
        Manner::Permit => share >= 0.75 && (is_negative() || is_freeze(&found)),
        Manner::Use => !is_negative() && whole_says <= if is_one_word { 6.0 } else { 10.0 },
        Manner::Move => {
            let begins = || Shape::of(claim).first().is_some_and(|first| has(named, first));
            whole_says <= 6.0 && begins() && cues::PLACE.hits(&spans::masked(claim))
        }
        Manner::Duty => !is_negative() && share >= if is_spaced { 0.6 } else { 0.5 },
        Manner::State if is_freeze(&found) => whole_says <= 10.0,
        Manner::State => !is_negative() && share >= 0.5 && (!is_one_word || whole_says <= 2.0),
    }
}

/// Whether only a part ended: "no longer applies to generated code", "no longer only in Confluence".
fn is_limited(about: &str, tail: &str) -> bool {
    const LIMITS: &str = "to for when if unless except in on at during while inside within outside only für bei wenn außer in auf nur \
        während pour quand si sauf dans sur pendant seulement para cuando si salvo en durante solo sólo";
    const ONLY: &[&str] = &["only", "just", "nur", "bloß", "seulement", "solo", "sólo", "exclusively"];
    let about = about.to_lowercase();
    let follows = tail.trim_start().split(' ').next().unwrap_or_default().to_lowercase();
    LIMITS.split_whitespace().any(|word| word == follows)
        || about.split(' ').any(|word| ONLY.contains(&word))
        || ["只", "仅", "だけ", "のみ"].iter().any(|sign| about.contains(sign))
}

/// Whether what moved is only a part, as what follows the place says: "moved to Jira for the mobile app".
fn is_of_a_part(tail: &str) -> bool {
    const PARTS: &str = "for when if unless except only of während für wenn falls außer nur pour quand si sauf seulement para cuando salvo \
        solo sólo";
    const NO_PARTS: &str = "good now us all everyone everything reasons ever clarity consistency alle alles immer uns tous tout nous todos todo";
    let clause = tail.split(['.', ';', '!']).next().unwrap_or_default().to_lowercase();
    let ends = ["because", "since", "weil", "denn", "parce", "porque"];
    let words: Vec<&str> = clause
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .take_while(|word| !ends.contains(word))
        .collect();
    words.windows(2).any(|pair| match pair {
        [lead, part] => {
            PARTS.split_whitespace().any(|word| word == *lead) && !NO_PARTS.split_whitespace().any(|word| word == *part)
        }
        _ => false,
    })
}

/// Whether something that ended is something that ran.
fn is_broken(about: &str) -> bool {
    let last = about.rsplit(' ').next().unwrap_or_default();
    let is_last = |word: &str| word == last && word != about;
    BROKEN.split_whitespace().any(is_last) || BROKEN_SIGNS.iter().any(|word| about.ends_with(word))
}

/// "使わない", but not "使わなければならない".
fn forbids_in_japanese(claim: &str) -> bool {
    let asks = ["なければ", "ないといけない", "なくては"].iter().any(|duty| claim.contains(duty));
    !asks && ["ない", "避け"].iter().any(|ban| claim.contains(ban))
}

/// The sentence as a statement that only has something to say to the memory that it takes back.
pub(super) fn bare(text: &str, revocation: Revocation) -> Statement {
    let language = language::of(text);
    let text = finish(&without_opening(text, cues::of(language)));
    let revokes = Some(Revocation { is_bare: true, ..revocation });
    Statement { revokes, ..Statement::rule(text, language) }
}

/// Whether a statement says nothing without that memory.
pub(super) fn is_bare(statement: &Statement) -> bool {
    statement.revokes.as_ref().is_some_and(|revokes| revokes.is_bare)
}

/// The one memory that a statement takes back, and its type; none when there are several.
pub(super) fn target(
    desk: &Desk<'_>,
    revocation: &Revocation,
    whole: &str,
    said: DateTime<Utc>,
) -> Option<(String, Kind)> {
    let named = Named::of(revocation, whole);
    let is_meant = |note: &Note, kind: Kind| {
        let is_of_kind = match revocation.manner {
            Manner::Topic => true,
            Manner::Norm | Manner::Permit | Manner::Duty => matches!(kind, Kind::Feedback | Kind::Project),
            Manner::Move => matches!(kind, Kind::Reference | Kind::Project),
            Manner::Use | Manner::State => {
                !revocation.is_own && kind != Kind::User || revocation.is_own && kind == Kind::User
            }
        };
        let is_earlier = note.claimed.is_none_or(|claimed| claimed < said);
        let claims = [note.fact.as_str(), note.description.as_str()];
        note.is_open && is_of_kind && is_earlier && claims.iter().any(|claim| is_about(&named, claim))
    };
    let mut fitting = desk.notes.values().filter_map(|note| {
        let kind = note.kind?;
        is_meant(note, kind).then(|| (note.file.clone(), kind))
    });
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}
