//! What a model adds needs evidence: a sentence of a user or feedback memory the person's words for it, any other memory a
//! quote that speaks of what is stored.
//!
//! A sentence that stood in the store before, also in other words, is kept and needs none. Whether a quote is really a
//! person's is looked up by the run, in the transcript. Not its job: sentences that go (see [`super::loss`]), and how much
//! at once is too much (see [`super::bulk`]).

use std::collections::{BTreeSet, HashSet};

use super::claim::{Claim, is_day};
use super::sentences;
use super::{Subject, held};
use crate::change::{HoldReason, Source};
use crate::memory::likeness::without_said;
use crate::memory::names::{is_markdown, set_apart};
use crate::memory::{INDEX_FILE, Kind, frontmatter};
use crate::secret;

/// A quote of fewer words than this bears out nothing but the same words.
const SHORTEST_QUOTE: usize = 3;
/// So many words in common are enough for a fact of a project, however long it is.
const ENOUGH: usize = 3;

/// So many characters tell the language.
const ENOUGH_TO_TELL: usize = 2_000;

/// What the store said before a change set.
#[derive(Debug, Default)]
pub(in crate::change) struct Known {
    /// Every sentence, folded.
    all: HashSet<String>,
    /// Those of user and feedback memories.
    personal: HashSet<String>,
    /// The sentences of the files that change or go: what may be put in other words. With whether they are a person's.
    near: Vec<(bool, String)>,
}

impl Known {
    /// Adds a file as it was; `is_near`: the change set changes or removes it.
    pub(in crate::change) fn add(&mut self, file: &str, bytes: &[u8], is_near: bool) {
        let is_personal = is_personal(file, bytes);
        for said in said_in(bytes) {
            let folded = sentences::folded(&said.text);
            if is_personal {
                self.personal.insert(folded.clone());
            }
            self.all.insert(folded);
            if is_near {
                self.near.push((is_personal, said.text));
            }
        }
    }
}

/// The first sentence that a model adds without evidence.
pub(in crate::change) fn check(subject: &Subject<'_>, known: &Known) -> Option<HoldReason> {
    let after = subject.after?;
    if subject.file.rsplit('/').next() == Some(INDEX_FILE) {
        return None;
    }
    let was_personal = subject.before.is_some_and(|before| is_personal(subject.file, before));
    let is_personal = was_personal || is_personal(subject.file, after);
    let there = if is_personal { &known.personal } else { &known.all };
    let fresh: Vec<Said> =
        said_in(after).into_iter().filter(|said| !there.contains(&sentences::folded(&said.text))).collect();
    if fresh.is_empty() {
        return None;
    }
    let quotes: Vec<&str> = subject.rationale.sources.iter().filter_map(|source| quote(source, is_personal)).collect();
    let begins: HashSet<String> = fresh.iter().flat_map(|said| beginnings(&said.text)).collect();
    let near: Vec<&str> = known
        .near
        .iter()
        .filter(|(personal, text)| {
            (*personal || !is_personal) && beginnings(text).iter().any(|word| begins.contains(word))
        })
        .map(|(_, text)| text.as_str())
        .collect();
    // One language for all that is compared, else the same word has two stems.
    let texts = quotes.iter().copied().chain(fresh.iter().map(|said| said.text.as_str())).chain(near.iter().copied());
    let whole: String = texts.flat_map(|text| text.chars().chain([' '])).take(ENOUGH_TO_TELL).collect();
    let old: Vec<Claim> = near.iter().map(|text| Claim::of(text, &whole)).collect();
    let quoted = Quoted::of(&quotes, &whole);
    if is_personal {
        unsaid(&fresh, &old, &quoted, &whole, after)
    } else {
        unfounded(subject, &fresh, &old, &quoted, &whole)
    }
}

/// A sentence that would be filed as the person's word and is not.
fn unsaid(fresh: &[Said], old: &[Claim], quoted: &Quoted, whole: &str, after: &[u8]) -> Option<HoldReason> {
    let stays: BTreeSet<String> =
        said_in(after).iter().flat_map(|said| Claim::of(&said.text, whole).words().clone()).collect();
    let mut borne: BTreeSet<String> = BTreeSet::new();
    let open = fresh.iter().find(|said| {
        let claim = Claim::of(&said.text, whole);
        // A name alone in the description says nothing of anybody.
        let is_label = said.is_beside && claim.words().len() < 2;
        let is_borne = claim.words().is_empty()
            || is_label
            || quoted.bears(&said.text, &claim, said.is_beside.then_some(&borne))
            || claim.keeps_all_of(old, &stays);
        if is_borne {
            borne.extend(claim.words().iter().cloned());
        }
        !is_borne
    })?;
    Some(held(
        "provenance",
        format!("\"{}\" would be filed as your own word, and no quote of yours says it", open.shown()),
    ))
}

/// A fact of no person's own that nothing in a session or a daily log bears out.
fn unfounded(subject: &Subject<'_>, fresh: &[Said], old: &[Claim], quoted: &Quoted, whole: &str) -> Option<HoldReason> {
    let claims: Vec<Claim> = fresh.iter().map(|said| Claim::of(&said.text, whole)).collect();
    let added: Vec<(&Said, &Claim)> = fresh.iter().zip(&claims).filter(|(_, claim)| !claim.keeps(old)).collect();
    // A new memory is one fact; what comes into an older one is looked at sentence by sentence.
    let open = if subject.before.is_none() {
        let words: BTreeSet<String> = added.iter().flat_map(|(_, claim)| claim.words().iter().cloned()).collect();
        added.first().filter(|_| !quoted.speaks_of(&words))
    } else {
        added.iter().find(|(_, claim)| !claim.words().is_empty() && !quoted.speaks_of(claim.words()))
    }?;
    let why =
        if quoted.is_empty() { "no source with a quote comes with it" } else { "its quotes speak of something else" };
    Some(held("provenance", format!("nothing that was said bears out \"{}\": {why}", open.0.shown())))
}

/// How the words of a text begin: sentences without such a beginning in common share no word, in no form.
fn beginnings(text: &str) -> Vec<String> {
    let folded = sentences::folded(text);
    let words = folded.split(' ');
    // Where no blanks stand between words, each character begins one.
    words
        .flat_map(|word| {
            let whole: Vec<char> = word.chars().collect();
            if is_dense(word) {
                whole.iter().map(char::to_string).collect()
            } else {
                vec![whole.iter().take(3).collect::<String>()]
            }
        })
        .collect()
}

/// What is quoted.
struct Quoted {
    texts: Vec<String>,
    claims: Vec<Claim>,
    words: BTreeSet<String>,
}

impl Quoted {
    fn of(quotes: &[&str], whole: &str) -> Self {
        let long = quotes.iter().filter(|quote| is_whole(quote));
        let claims: Vec<Claim> =
            long.flat_map(|quote| sentences::raw(quote)).map(|text| Claim::of(&text, whole)).collect();
        let words = claims.iter().flat_map(|claim| claim.words().iter().cloned()).collect();
        Self { texts: quotes.iter().map(|quote| sentences::folded(quote)).collect(), claims, words }
    }

    fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Whether a sentence is quoted, or says with at least half of its words what is; what stands `beside` the claim may
    /// rest on the claim too.
    fn bears(&self, text: &str, claim: &Claim, beside: Option<&BTreeSet<String>>) -> bool {
        let folded = sentences::folded(text);
        let holds = |quote: &String| {
            format!(" {quote} ").contains(&format!(" {folded} ")) || (is_dense(&folded) && quote.contains(&folded))
        };
        if self.texts.contains(&folded) || (self.texts.iter().any(holds) && !claim.is_turned_round(&self.claims)) {
            return true;
        }
        let is_there = |word: &String| self.words.contains(word) || beside.is_some_and(|words| words.contains(word));
        let common = claim.words().iter().filter(|word| is_there(word)).count();
        common * 2 >= claim.words().len()
            && common >= claim.words().len().min(2)
            && claim
                .numbers()
                .all(|number| self.words.contains(number) || beside.is_some_and(|words| words.contains(number)))
            && !claim.is_turned_round(&self.claims)
    }

    /// Whether a quote shares with these words what a short one must, and a long one can be asked to. Days are counted from
    /// when a thing was said, so they stand in few quotes.
    fn speaks_of(&self, words: &BTreeSet<String>) -> bool {
        let common = self.words.intersection(words).count();
        let words = words.iter().filter(|word| !is_day(word)).count();
        common >= self.words.len().min(words).div_ceil(2).clamp(1, ENOUGH)
    }
}

/// Whether a quote is more than a fragment.
fn is_whole(quote: &str) -> bool {
    let folded = sentences::folded(quote);
    folded.split(' ').count() >= SHORTEST_QUOTE || is_dense(&folded)
}

/// Whether a folded text is a sentence in a script without blanks.
fn is_dense(folded: &str) -> bool {
    folded.chars().filter(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')).count() > SHORTEST_QUOTE
}

/// The quote of a source that counts: for a person's own word a turn of theirs, for a fact also a daily log.
fn quote(source: &Source, is_personal: bool) -> Option<&str> {
    let session = source.session.as_deref()?;
    let is_log = is_markdown(session) && set_apart(session).is_some();
    (!is_markdown(session) || (is_log && !is_personal)).then_some(source.quote.as_deref()?)
}

fn is_personal(file: &str, bytes: &[u8]) -> bool {
    matches!(frontmatter::read(bytes).kind(file), Some(Kind::User | Kind::Feedback))
}

/// A sentence of a file.
struct Said {
    text: String,
    /// Whether it only goes with the claim: the description, a reason, how to apply it.
    is_beside: bool,
}

impl Said {
    /// As a reason quotes it.
    fn shown(&self) -> String {
        let clean = secret::redacted(self.text.trim());
        let visible = crate::text::visible(&clean);
        if visible.chars().count() <= 80 {
            return visible.into_owned();
        }
        visible.chars().take(79).chain(std::iter::once('…')).collect()
    }
}

/// The sentences of a file as they are written, its description's last. Of our own source lines and of the places that say
/// what a date stood for, only what is quoted.
fn said_in(bytes: &[u8]) -> Vec<Said> {
    let read = frontmatter::read(bytes);
    let body = String::from_utf8_lossy(bytes.get(read.body..).unwrap_or_default()).into_owned();
    let mut said = Vec::new();
    for line in body.lines() {
        let line = super::instruction::said(line);
        let is_beside = line.trim_start().starts_with("**");
        let line = without_said(line);
        said.extend(sentences::raw(&line).into_iter().map(|text| Said { text, is_beside }));
    }
    let description = read.description.unwrap_or_default();
    said.extend(sentences::raw(&without_said(&description)).into_iter().map(|text| Said { text, is_beside: true }));
    said.retain(|said| !sentences::folded(&said.text).is_empty());
    said
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::change::Rationale;

    fn memory(kind: &str, description: &str, body: &str) -> String {
        format!("---\nname: \"x\"\ndescription: \"{description}\"\nmetadata:\n  type: {kind}\n---\n\n{body}\n")
    }

    /// Why a change of one file is held, with these quotes from a session.
    fn held_for(before: Option<&str>, after: &str, quotes: &[&str]) -> Option<String> {
        let source = |quote: &&str| Source {
            session: Some("s-0001".to_owned()),
            line: Some(1),
            quote: Some((*quote).to_owned()),
        };
        let rationale = Rationale { reason: "seen".to_owned(), sources: quotes.iter().map(source).collect() };
        let mut known = Known::default();
        before.iter().for_each(|before| known.add("x.md", before.as_bytes(), true));
        let subject = Subject {
            file: "x.md",
            before: before.map(str::as_bytes),
            after: Some(after.as_bytes()),
            rationale: &rationale,
        };
        check(&subject, &known).map(|reason| reason.message)
    }

    const RULE: &str = "Integration tests must hit a real database, not mocks.";

    #[test]
    fn a_new_word_of_a_person_is_carried_by_their_quote_or_waits() {
        for (kind, said, quote) in [
            (
                "feedback",
                "Integration tests never mock the database.",
                "please never mock the database in integration tests",
            ),
            ("feedback", "Use pnpm, not npm.", "no, don't use npm, use pnpm"),
            ("feedback", "Use pnpm instead of npm.", "no, don't use npm, use pnpm"),
            ("user", "The user is a licensed pilot.", "I am a licensed pilot, by the way"),
            ("user", "Backend engineer with ten years of Go.", "I've been a backend engineer for ten years, mostly Go"),
            ("feedback", "Use pnpm.", "use pnpm"),
            (
                "feedback",
                "コミットする前に必ずテストを実行する。",
                "今後はコミットする前に必ずテストを実行してください",
            ),
            ("feedback", "Nutze pnpm, nicht npm.", "bitte nutze immer pnpm und nicht npm"),
        ] {
            assert_eq!(held_for(None, &memory(kind, "", said), &[quote]), None, "{said}");
        }
        for (kind, said, quote) in [
            ("user", "The user is a licensed pilot.", "a data"),
            ("user", "The user is a licensed pilot.", "I am a"),
            ("user", "The user is a licensed pilot.", "the pilot project is over and done"),
            (
                "feedback",
                "Mock the database in integration tests.",
                "please never mock the database in integration tests",
            ),
            ("feedback", "Indent python code with tabs.", "indent python code with spaces"),
            ("feedback", "Install packages with yarn.", "install the packages with pnpm"),
            ("feedback", "Wait 90 seconds for the database.", "wait 30 seconds for the database"),
            (
                "feedback",
                "Integration tests hit the database. Every function is documented in French.",
                "integration tests hit the database",
            ),
            ("feedback", "テストを実行しない。", "コミットの前に"),
        ] {
            let why = held_for(None, &memory(kind, "", said), &[quote]).unwrap_or_default();
            assert!(why.contains("your own word"), "{said}: {why:?}");
        }
    }

    #[test]
    fn what_a_person_said_may_be_put_in_other_words_and_not_added_to_or_turned_round() {
        let before = memory("feedback", "tests use a real database", RULE);
        let with = |body: &str| held_for(Some(&before), &memory("feedback", "tests use a real database", body), &[]);
        for same in [
            RULE,
            "- Integration tests must hit a **real** database, not mocks.",
            "Integration testing must hit a real database, not mocks.",
            "Not mocks: integration tests must hit a real database.",
        ] {
            assert_eq!(with(same), None, "{same}");
        }
        for other in [
            "Integration tests must use mocks, never a database.",
            "Integration tests must hit mocks, not a real database.",
            "Integration tests must hit mocks.",
            "Integration tests must not hit a real database.",
            "Integration tests must hit a real database, not mocks. The user also hates unit tests.",
            "Integration tests must hit a real database, not mocks. **Why:** Nobody likes mocks in Norway.",
        ] {
            assert!(with(other).is_some(), "{other}");
        }
        let undated = memory("feedback", "", "From next Thursday on, merge with squash only.");
        let dated = memory("feedback", "", "From 2026-04-09 on, merge with squash only.");
        assert_eq!(held_for(Some(&undated), &dated, &[]), None);
    }

    #[test]
    fn a_fact_needs_a_quote_that_speaks_of_it() {
        let budget = memory("project", "the budget", "The budget for 2027 is 5 million euros and Bob approved it.");
        assert!(held_for(None, &budget, &[]).is_some_and(|why| why.contains("no source")));
        assert!(
            held_for(None, &budget, &["please fix the failing test"]).is_some_and(|why| why.contains("something else"))
        );
        assert_eq!(held_for(None, &budget, &["Bob approved 5 million euros for 2027"]), None);
        let release = |day: &str| memory("project", "the release", &format!("The release is cut on {day}."));
        let (before, after) = (release("2026-11-26"), release("2027-05-01"));
        assert!(held_for(Some(&before), &after, &[]).is_some());
        assert_eq!(held_for(Some(&before), &after, &["the release moves to the first of May"]), None);
        assert_eq!(
            held_for(Some(&release("next Thursday")), &after, &[]),
            None,
            "a day in the place of a word for one"
        );
        let more = format!("{before}\nThe office in Oslo closes.\n");
        assert!(held_for(Some(&before), &more, &["the release moves to the first of May"]).is_some());
        assert_eq!(held_for(Some(&before), &before.replace("cut on", "cut, at last, on"), &[]), None);
    }

    #[test]
    fn an_inference_is_not_filed_as_a_persons_word_by_another_type_and_a_log_is_no_turn_of_theirs() {
        let (project, feedback) = (memory("project", "", RULE), memory("feedback", "", RULE));
        assert!(held_for(Some(&project), &feedback, &[]).is_some());
        let source = |session: &str| Source {
            session: Some(session.to_owned()),
            line: None,
            quote: Some("integration tests must hit a real database, not mocks".to_owned()),
        };
        for (text, session, is_held) in [
            (&project, "logs/2026/11/2026-11-29.md", false),
            (&feedback, "logs/2026/11/2026-11-29.md", true),
            (&project, "project_other.md", true),
        ] {
            let rationale = Rationale { reason: String::new(), sources: vec![source(session)] };
            let subject = Subject { file: "x.md", before: None, after: Some(text.as_bytes()), rationale: &rationale };
            assert_eq!(check(&subject, &Known::default()).is_some(), is_held, "{session}");
        }
    }
}
