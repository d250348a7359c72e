//! Many files going at once: a person decides. A file whose every sentence stands elsewhere afterwards does not count; one
//! that was merged into a named file, or that a named file replaces with a line that says what stood before, or that the person
//! took back in the very session that it comes from, counts only towards the five.

use super::claim::Claim;
use super::held;
use super::sentences::{self, Sentences};
use super::values::NEGATIONS;
use crate::change::{HoldReason, Rationale, Source, TAKEN_BACK};
use crate::memory::likeness::measured;
use crate::memory::likeness::patterns::Pattern;

/// More removals than this wait.
const MOST: usize = 5;

/// So many words say which memory is meant.
const ENOUGH_TO_NAME: usize = 2;

/// How a reason names the file that has all of it.
const MERGED: &str = "merged into ";

/// How a reason names the file that replaces it.
const SUPERSEDED: &str = "superseded by ";

/// A removal as this guard sees it.
#[derive(Clone, Copy, Debug)]
pub(in crate::change) struct Removal<'a> {
    /// Its place among the changes.
    pub(in crate::change) at: usize,
    pub(in crate::change) bytes: &'a [u8],
    /// Why it goes, and by whose words.
    pub(in crate::change) rationale: &'a Rationale,
}

/// Which removals are held, by their place: those that lose something, when they are more than five or more than a
/// quarter of the `total` files.
pub(in crate::change) fn check(removals: &[Removal<'_>], total: usize, after: &Sentences) -> Vec<(usize, HoldReason)> {
    let losing: Vec<&Removal<'_>> = removals.iter().filter(|removal| !survives(removal.bytes, after)).collect();
    let (replaced, lost): (Vec<&Removal<'_>>, Vec<&Removal<'_>>) = losing
        .into_iter()
        .partition(|removal| is_pointed_to(removal, after) || is_taken_back(removal.bytes, removal.rationale));
    let is_many = replaced.len() + lost.len() > MOST;
    if !is_many && lost.len() * 4 <= total {
        return Vec::new();
    }
    let held_back: Vec<&Removal<'_>> = if is_many { replaced.into_iter().chain(lost).collect() } else { lost };
    let message = format!(
        "{} of {total} would go whose text stands nowhere else; more than {MOST}, or more than a quarter, waits for you",
        crate::text::count(held_back.len(), "file", "files"),
    );
    held_back.iter().map(|removal| (removal.at, held("bulk-removal", message.clone()))).collect()
}

/// Whether a named file that stays answers for this one: it says what stood before (the first sentence, which is the claim,
/// stands there), or it was merged with this one and has the words of every sentence.
fn is_pointed_to(removal: &Removal<'_>, after: &Sentences) -> bool {
    let sentences = sentences::of_file(removal.bytes);
    let reason = removal.rationale.reason.as_str();
    let is_superseded = named(reason, SUPERSEDED)
        .is_some_and(|file| sentences.first().is_some_and(|claim| after.stands_in(claim, &file)));
    is_superseded || named(reason, MERGED).is_some_and(|file| is_merged(&sentences, &file, after))
}

/// Whether the person took back what a file says in the session that it comes from: every source in
/// its body is of that session, and the words that took it back go with the removal.
pub(super) fn is_taken_back(bytes: &[u8], rationale: &Rationale) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let comes_before = |line: &str, by: &Source| {
        let is_quoted = by.quote.as_deref().is_some_and(|quote| !quote.trim().is_empty());
        let (Some(session), Some(at)) = (by.session.as_deref(), by.line) else { return false };
        let said = line.trim().strip_prefix("Source: session ").and_then(|rest| rest.strip_prefix(session));
        let said = said.and_then(|rest| rest.strip_prefix(", line ")?.split(',').next()?.parse::<u64>().ok());
        is_quoted && said.is_some_and(|said| said <= at)
    };
    let mut sources = text.lines().filter(|line| measured::is_source(line)).peekable();
    rationale.reason == TAKEN_BACK
        && sources.peek().is_some()
        && sources.all(|line| rationale.sources.iter().any(|by| comes_before(line, by)))
}

/// A person's "forget the note about".
static FORGET: Pattern = Pattern::new(
    r"(?i)\b(?:forget|delete|remove|drop|scrap)\b(?: about)?(?: (?:the|this|that|my|our|your))?(?: \w+){0,2}? (?:note|notes|memory|memories|entry)\b(?P<of>[^.;!?]*)",
);

/// Whether a quote asks to forget a memory of what this one is about: most of the words that the quote calls it by are its.
pub(super) fn is_to_be_forgotten(bytes: &[u8], rationale: &Rationale) -> bool {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let its = Claim::of(&text, &text);
    let asks = |quote: &str| {
        FORGET.captures_iter(quote).any(|hit| {
            let (Some(whole), Some(of)) = (hit.get(0), hit.name("of")) else { return false };
            let before = quote.get(..whole.start()).unwrap_or_default();
            let sentence = before.rsplit(['.', ';', '!', '?', ',']).next().unwrap_or_default().to_lowercase();
            let is_denied = sentence
                .replace('’', "'")
                .split_whitespace()
                .any(|word| word.ends_with("n't") || NEGATIONS.contains(&word));
            let named = Claim::of(of.as_str(), &text);
            let known = named.words().iter().filter(|word| its.words().contains(*word)).count();
            !is_denied && known >= ENOUGH_TO_NAME && known * 2 > named.words().len()
        })
    };
    rationale
        .sources
        .iter()
        .filter(|source| source.session.is_some())
        .filter_map(|source| source.quote.as_deref())
        .any(asks)
}

fn is_merged(sentences: &[String], file: &str, after: &Sentences) -> bool {
    let words = after.words_of(file);
    !words.is_empty() && sentences.iter().all(|one| after.contains(one) || sentences::is_said_in(one, &words))
}

/// The file that a reason names after some words.
fn named(reason: &str, verb: &str) -> Option<String> {
    let at = reason.to_lowercase().find(verb)?;
    let rest = reason.get(at + verb.len()..)?;
    Some(rest.split([' ', ';', ',', ':']).next()?.trim_end_matches('.').to_owned())
}

/// Why a removal that a person accepts waits after all: it rests on a file that was to stay, and by now that file is gone or
/// says something else. What they saw was that nothing is lost.
pub(in crate::change) fn check_accepted(
    bytes: &[u8],
    reason: &str,
    after: &Sentences,
    stays: &dyn Fn(&str) -> bool,
) -> Option<HoldReason> {
    if survives(bytes, after) {
        return None;
    }
    let advice = "reject the removal, or remove it with `dreamtop rm`";
    let lost = |file: &str, what: &str| held("loss", format!("{} {what}; {advice}", crate::text::visible(file)));
    if let Some(file) = named(reason, MERGED).or_else(|| named(reason, SUPERSEDED)).filter(|file| !stays(file)) {
        return Some(lost(&file, "was to stay in its place and is gone by now"));
    }
    let file = named(reason, MERGED)?;
    (!is_merged(&sentences::of_file(bytes), &file, after))
        .then(|| lost(&file, "was to say the same and no longer does"))
}

fn survives(bytes: &[u8], after: &Sentences) -> bool {
    sentences::of_file(bytes).iter().all(|sentence| after.contains(sentence))
}
