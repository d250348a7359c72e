//! What a sentence holds that no rewording changes: numbers and dates, names, identifiers, and whether it says yes or no.
//!
//! A change that gives neither a source nor a reason may put a sentence in other words, and these stay in it. Not its job:
//! sentences that go altogether (see [`super::loss`]).

use std::collections::{BTreeSet, HashSet};

use super::sentences::{self, Sentences};
use super::{Subject, held};
use crate::change::HoldReason;
use crate::memory::frontmatter;
use crate::secret;

/// So many lost values are named in a reason.
const MOST_NAMED: usize = 3;

/// Words that turn a sentence round, in the languages that sessions are read in.
pub(super) const NEGATIONS: [&str; 33] = [
    "not", "no", "never", "none", "nor", "neither", "without", "cannot", "isnt", "arent", "dont", "doesnt", "wont",
    "cant", "nicht", "nie", "niemals", "kein", "keine", "keinen", "keiner", "ohne", "ne", "pas", "jamais", "sans",
    "nunca", "jamás", "sin", "ningún", "ninguna", "nadie", "tampoco",
];

/// The same where no blanks stand between words.
const NEGATED: [&str; 8] = ["不", "没", "沒", "别", "勿", "未", "ない", "ません"];

pub(in crate::change) fn check(subject: &Subject<'_>, elsewhere: &Sentences) -> Option<HoldReason> {
    let rationale = subject.rationale;
    if !rationale.sources.is_empty() || !rationale.reason.trim().is_empty() {
        return None;
    }
    let (old, new) = (Said::in_file(subject.before?), Said::in_file(subject.after?));
    let kept = |one: &Said| new.iter().any(|other| other.folded == one.folded && one.marks.is_subset(&other.marks));
    let fresh: Vec<&Said> =
        new.iter().filter(|one| old.iter().all(|other| other.folded != one.folded || !kept(other))).collect();
    let there: BTreeSet<&String> = fresh.iter().flat_map(|one| one.marks.iter().chain(&one.words)).collect();
    let mut lost = BTreeSet::new();
    for one in old.iter().filter(|one| !kept(one) && !elsewhere.contains(&one.folded)) {
        let stands = |mark: &&String| there.contains(mark) || fresh.iter().any(|one| one.spells(mark));
        lost.extend(one.marks.iter().filter(|mark| !stands(mark)).cloned());
        // A sentence that has no successor is lost as a whole, which is counted elsewhere.
        if let Some(next) = fresh.iter().max_by_key(|next| one.common(next)).filter(|next| one.common(next) > 0) {
            lost.extend(one.turned_into(next).map(str::to_owned));
        }
    }
    if lost.is_empty() {
        return None;
    }
    let named: Vec<String> = lost
        .iter()
        .take(MOST_NAMED)
        .map(|mark| crate::text::visible(&secret::redacted(mark)).chars().take(60).collect::<String>())
        .map(|mark| format!("\"{mark}\""))
        .collect();
    let more = if lost.len() > named.len() { ", …" } else { "" };
    Some(held(
        "loss",
        format!("it would say something else, and nothing says why: {}{more} would go", named.join(", ")),
    ))
}

/// A sentence, with what no rewording changes in it.
struct Said {
    /// As [`sentences`] compares it.
    folded: String,
    /// As it is written, in lower case.
    lower: String,
    words: BTreeSet<String>,
    marks: BTreeSet<String>,
    /// Its first negation, and how many of its words come before.
    negation: Option<(usize, String)>,
}

impl Said {
    /// The sentences of a file, its description's among them.
    fn in_file(bytes: &[u8]) -> Vec<Self> {
        let read = frontmatter::read(bytes);
        let body = String::from_utf8_lossy(bytes.get(read.body..).unwrap_or_default()).into_owned();
        let description = read.description.unwrap_or_default();
        sentences::raw(&body).iter().chain(&sentences::raw(&description)).filter_map(|text| Self::of(text)).collect()
    }

    fn of(text: &str) -> Option<Self> {
        let folded = sentences::folded(text);
        if folded.is_empty() {
            return None;
        }
        let plain = text.replace(['\'', '’'], "").to_lowercase();
        let plain: Vec<&str> = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let negation = plain
            .iter()
            .position(|word| NEGATIONS.contains(word) || NEGATED.iter().any(|sign| word.contains(sign)))
            .map(|at| (at, plain.get(at).copied().unwrap_or_default().to_owned()));
        let words = plain.iter().map(|word| (*word).to_owned()).collect();
        Some(Self { folded, lower: text.to_lowercase(), words, marks: marks(text), negation })
    }

    /// Whether an identifier stands in it without its backticks.
    fn spells(&self, mark: &str) -> bool {
        let is_identifier =
            mark.contains(|c: char| !c.is_alphanumeric()) && !mark.starts_with(|c: char| c.is_ascii_digit());
        is_identifier && self.lower.contains(mark)
    }

    fn common(&self, other: &Self) -> usize {
        self.words.intersection(&other.words).count()
    }

    /// The word by which one of the two sentences says no and the other yes.
    fn turned_into<'a>(&'a self, next: &'a Self) -> Option<&'a str> {
        match (&self.negation, &next.negation) {
            (Some((_, word)), None) => Some(word),
            // What is added behind it ("…, not npm") turns nothing round.
            (None, Some((at, word))) => {
                let before: HashSet<&str> = next.folded.split(' ').take(*at).collect();
                let is_whole = self.words.iter().all(|word| before.contains(word.as_str()));
                (!is_whole).then_some(word)
            }
            _ => None,
        }
    }
}

/// Numbers, dates, identifiers between backticks and names, in lower case.
fn marks(text: &str) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .map(|code| code.trim().to_lowercase())
        .filter(|code| !code.is_empty())
        .collect();
    found.extend(numbers(text));
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    for (at, word) in words.enumerate() {
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        let is_inside = word.chars().skip(1).any(char::is_uppercase);
        // The first word of a sentence has a capital letter anyway.
        if is_inside || (capitals > 0 && at > 0 && word.chars().count() > 1) {
            found.insert(word.to_lowercase());
        }
    }
    found
}

/// Runs of digits, with the marks between them: `8080`, `3.2.1`, `2026-11-20`, `09:30`.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut number = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let joins = !number.is_empty() && matches!(character, '.' | ',' | ':' | '-' | '/');
        if character.is_ascii_digit() {
            number.push(character);
        } else if joins && characters.peek().is_some_and(char::is_ascii_digit) {
            // A thousand is the same with and without its comma.
            number.extend((character != ',').then_some(character));
        } else if !number.is_empty() {
            found.push(std::mem::take(&mut number));
        }
    }
    found.extend((!number.is_empty()).then_some(number));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Rationale;

    fn reason(before: &str, after: &str, why: &str) -> Option<String> {
        let rationale = Rationale { reason: why.to_owned(), sources: Vec::new() };
        let (before, after) = (Some(before.as_bytes()), Some(after.as_bytes()));
        let subject = Subject { file: "project_a.md", before, after, rationale: &rationale };
        check(&subject, &Sentences::default()).map(|reason| reason.message)
    }

    #[test]
    fn what_a_sentence_says_stays_in_it_unless_a_change_says_why() {
        for (before, after, gone) in [
            ("The api listens on 8080.", "The api listens on 9090.", "\"8080\""),
            ("The frontend is in Elm.", "The frontend is in Cobol.", "\"elm\""),
            ("Releases are cut on 2026-11-20.", "Releases are cut on 2026-11-21.", "\"2026-11-20\""),
            ("Never mock the database.", "Mock the database.", "\"never\""),
            ("Mock the database.", "Do not mock the database.", "\"not\""),
            ("Don't push to main.", "Do push to main.", "\"dont\""),
            ("Run `make check` first.", "Run `make test` first.", "\"make check\""),
            ("Call `a_b` here.", "Call `a-b` here.", "\"a_b\""),
            ("Nutze pnpm nicht.", "Nutze pnpm.", "\"nicht\""),
            ("不要用 npm。", "要用 npm。", "不"),
        ] {
            let message = reason(before, after, "").unwrap_or_default();
            assert!(message.contains(gone), "{before} -> {after}: {message:?}");
            assert_eq!(reason(before, after, "the developer moved it"), None, "{before}");
        }
    }

    #[test]
    fn other_words_for_the_same_are_no_loss() {
        for (before, after) in [
            ("The api listens on port 8080.", "On port 8080 listens the api."),
            ("Use pnpm.", "Use pnpm, not npm."),
            ("Ask Dana for 1,000 keys.", "1000 keys: Dana has them."),
            ("Never mock it. It broke in 3.2.1.", "It broke in 3.2.1, so do not mock it."),
            ("The release is tomorrow.", "The release is on 2026-04-10."),
            ("- Use **pnpm**.", "Use pnpm."),
            ("Run `make check` first.", "First run make check."),
        ] {
            assert_eq!(reason(before, after, ""), None, "{before} -> {after}");
        }
    }
}
