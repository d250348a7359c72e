//! What a model adds needs evidence: a sentence of a user or feedback memory the person's words for it, any other memory a
//! quote that speaks of what is stored.
//!
//! A sentence that stood in the store before, also in other words, is kept and needs none. Whether a quote is really a
//! person's is looked up by the run, in the transcript. Not its job: sentences that go (see [`super::loss`]), and how much
//! at once is too much (see [`super::bulk`]).

use std::collections::{BTreeMap, BTreeSet, HashSet};

use chrono::{DateTime, NaiveDate};

use super::amounts::signs;
use super::claim::{Claim, Stood};
use super::index_text::parts_of;
use super::quoted::{Quote, Quoted, is_dense};
use super::repeated::{Wording, is_repeated};
use super::said::{Said, said_in};
use super::sentences;
use super::{Subject, held};
use crate::change::{HoldReason, Source};
use crate::clock::local_day;
use crate::memory::names::{is_markdown, set_apart};
use crate::memory::{INDEX_FILE, Index, Kind, frontmatter};

/// So many characters tell the language.
const ENOUGH_TO_TELL: usize = 2_000;

/// What the store said before a change set.
#[derive(Debug, Default)]
pub(in crate::change) struct Known {
    /// Every sentence, folded.
    all: HashSet<String>,
    /// Those of user and feedback memories.
    personal: HashSet<String>,
    /// The sentences of the files that change or go: what may be put in other words.
    near: Vec<Near>,
    /// What the index says of each file: it may go there.
    entries: BTreeMap<String, Vec<String>>,
}

/// A sentence of a file that changes or goes.
#[derive(Debug)]
struct Near {
    is_personal: bool,
    text: String,
    /// The day that its claim is of.
    day: Option<NaiveDate>,
}

impl Known {
    /// Adds a file as it was; `is_near`: the change set changes or removes it.
    pub(in crate::change) fn add(&mut self, file: &str, bytes: &[u8], is_near: bool) {
        let is_personal = is_personal(file, bytes);
        let day = claimed(bytes);
        for said in said_in(bytes) {
            let folded = as_said(&said.text);
            if is_personal {
                self.personal.insert(folded.clone());
            }
            self.all.insert(folded);
            if is_near {
                self.near.push(Near { is_personal, text: said.text, day });
            }
        }
    }

    /// Adds what the index says of its files.
    pub(in crate::change) fn add_index(&mut self, bytes: &[u8]) {
        for (_, entry, _) in Index::read(bytes.to_vec()).entries() {
            let texts = self.entries.entry(entry.target.clone()).or_default();
            texts.extend(parts_of(&entry.hook));
            texts.push(entry.hook.clone());
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
    let own: &[String] = known.entries.get(subject.file).map(Vec::as_slice).unwrap_or_default();
    let is_there = |said: &Said| {
        let text = as_said(&said.text);
        there.contains(&text) || own.iter().any(|part| as_said(part) == text)
    };
    let fresh: Vec<Said> = said_in(after).into_iter().filter(|said| !is_there(said)).collect();
    if fresh.is_empty() {
        return None;
    }
    let quotes: Vec<Quote<'_>> =
        subject.rationale.sources.iter().filter_map(|source| quote(source, is_personal)).collect();
    let begins: HashSet<String> = fresh.iter().flat_map(|said| beginnings(&said.text)).collect();
    let near: Vec<&Near> = known
        .near
        .iter()
        .filter(|near| {
            (near.is_personal || !is_personal) && beginnings(&near.text).iter().any(|word| begins.contains(word))
        })
        .collect();
    // One language for all that is compared, else the same word has two stems.
    let texts = quotes.iter().map(|quote| quote.text).chain(fresh.iter().map(|said| said.text.as_str()));
    let texts = texts.chain(near.iter().map(|near| near.text.as_str()));
    let whole: String = texts.flat_map(|text| text.chars().chain([' '])).take(ENOUGH_TO_TELL).collect();
    let old: Vec<Stood> =
        near.iter().map(|near| Stood { claim: Claim::of(&near.text, &whole), day: near.day }).collect();
    let quoted = Quoted::of(&quotes, &old, &whole);
    // What stands beside the claims may say again what they do.
    let claims: Vec<String> = said_in(after).into_iter().filter(|said| !said.is_beside).map(|said| said.text).collect();
    let wording = if is_personal { Wording::Same } else { Wording::Other };
    let day = subject.before.and_then(claimed).or_else(|| claimed(after));
    let repeats = |said: &Said| said.is_beside && is_repeated(&said.text, &claims, day, wording);
    if is_personal {
        unsaid(&fresh, &old, &quoted, &whole, after, &repeats)
    } else {
        unfounded(&fresh, &old, &quoted, &whole, &repeats)
    }
}

/// A sentence that would be filed as the person's word and is not.
fn unsaid(
    fresh: &[Said],
    old: &[Stood],
    quoted: &Quoted<'_>,
    whole: &str,
    after: &[u8],
    repeats: &dyn Fn(&Said) -> bool,
) -> Option<HoldReason> {
    let stays: BTreeSet<String> =
        said_in(after).iter().flat_map(|said| Claim::of(&said.text, whole).words().clone()).collect();
    let mut borne: BTreeSet<String> = BTreeSet::new();
    let open = fresh.iter().find(|said| {
        let claim = Claim::of(&said.text, whole);
        if claim.keeps_all_of(old, &stays) || repeats(said) {
            borne.extend(claim.words().iter().cloned());
            return false;
        }
        let beside = said.is_beside.then_some(&borne);
        let is_borne = (said.is_label(&claim) && quoted.has_values_of(&said.text, &claim))
            || quoted.bears(&said.text, &claim, beside);
        // A word of the model's own in a sentence that is borne out is no evidence for another one.
        borne.extend(claim.words().iter().filter(|word| is_borne && quoted.has(word)).cloned());
        !is_borne
    })?;
    Some(held(
        "provenance",
        format!("\"{}\" would be filed as your own word, and no quote of yours says it", open.shown()),
    ))
}

/// A statement of no person's own that nothing in a session or a daily log bears out.
fn unfounded(
    fresh: &[Said],
    old: &[Stood],
    quoted: &Quoted<'_>,
    whole: &str,
    repeats: &dyn Fn(&Said) -> bool,
) -> Option<HoldReason> {
    let mut borne: BTreeSet<String> = BTreeSet::new();
    let open = fresh.iter().find(|said| {
        let claim = Claim::of(&said.text, whole);
        if claim.keeps(old) || repeats(said) {
            borne.extend(claim.words().iter().cloned());
            return false;
        }
        let beside = said.is_beside.then_some(&borne);
        let is_borne = (said.is_label(&claim) && quoted.has_values_of(&said.text, &claim))
            || if said.is_about_person() {
                quoted.bears(&said.text, &claim, beside)
            } else {
                quoted.speaks_of(&said.text, &claim, beside)
            };
        borne.extend(claim.words().iter().filter(|word| is_borne && quoted.has(word)).cloned());
        !is_borne
    })?;
    let why =
        if quoted.is_empty() { "no source with a quote comes with it" } else { "its quotes speak of something else" };
    Some(held("provenance", format!("nothing that was said bears out \"{}\": {why}", open.shown())))
}

/// A sentence by its words and by those marks that say something.
fn as_said(text: &str) -> String {
    let signs = signs(text);
    if signs.is_empty() { sentences::folded(text) } else { format!("{} {signs}", sentences::folded(text)) }
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

/// The quote of a source that counts: for a person's own word a turn of theirs, for a fact also a daily log.
fn quote(source: &Source, is_personal: bool) -> Option<Quote<'_>> {
    let session = source.session.as_deref()?;
    let is_log = is_markdown(session) && set_apart(session).is_some();
    let counts = !is_markdown(session) || (is_log && !is_personal);
    let text = source.quote.as_deref().filter(|_| counts)?;
    Some(Quote { text, day: source.said.map(local_day) })
}

/// The day that the claim of a file is of, as far as it says so.
pub(super) fn claimed(bytes: &[u8]) -> Option<NaiveDate> {
    let modified = frontmatter::read(bytes).modified?;
    DateTime::parse_from_rfc3339(&modified).ok().map(|at| local_day(at.to_utc()))
}

/// Whether a file holds a person's own word: a user or feedback memory.
pub(super) fn is_personal(file: &str, bytes: &[u8]) -> bool {
    matches!(frontmatter::read(bytes).kind(file), Some(Kind::User | Kind::Feedback))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::change::Rationale;

    fn memory(kind: &str, description: &str, body: &str) -> String {
        format!("---\nname: \"x\"\ndescription: \"{description}\"\nmetadata:\n  type: {kind}\n---\n\n{body}\n")
    }

    fn claimed_on(day: &str, memory: &str) -> String {
        memory.replace("metadata:\n", &format!("metadata:\n  modified: \"{day}T12:00:00.000Z\"\n"))
    }

    /// Why a change of one file is held, with these quotes from a session.
    fn held_for(before: Option<&str>, after: &str, quotes: &[&str]) -> Option<String> {
        let source = |quote: &&str| Source {
            session: Some("s-0001".to_owned()),
            line: Some(1),
            quote: Some((*quote).to_owned()),
            said: "2026-12-01T09:00:00Z".parse().ok(),
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
        let undated =
            claimed_on("2026-04-04", &memory("feedback", "", "From next Thursday on, merge with squash only."));
        let dated = |day: &str| undated.replace("next Thursday", day);
        assert_eq!(held_for(Some(&undated), &dated("2026-04-09"), &[]), None);
        assert!(held_for(Some(&undated), &dated("2026-04-16"), &[]).is_some(), "another Thursday");
    }

    #[test]
    fn a_rule_is_put_right_by_the_words_of_a_quote_and_by_no_others() {
        let rule = |what: &str| memory("feedback", "", &format!("Integration tests must hit {what}, never mocks."));
        let said = ["no, the in-memory database is fine for those tests"];
        assert_eq!(held_for(Some(&rule("a real database")), &rule("the in-memory database"), &said), None);
        for other in ["the staging database", "no database"] {
            assert!(held_for(Some(&rule("a real database")), &rule(other), &said).is_some(), "{other}");
        }
        let elsewhere = ["the build is slow in memory since Monday"];
        assert!(held_for(Some(&rule("a real database")), &rule("the in-memory database"), &elsewhere).is_some());
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
        assert_eq!(held_for(Some(&before), &after, &["the release moves to May 1"]), None);
        assert!(held_for(Some(&before), &after, &["the release moves to May 2"]).is_some());
        let undated = claimed_on("2027-04-25", &release("next Saturday"));
        let on = |day: &str| held_for(Some(&undated), &undated.replace("next Saturday", day), &[]);
        assert_eq!(on("2027-05-01"), None, "a day in the place of the words for it");
        assert!(on("2027-05-02").is_some());
        let more = format!("{before}\nThe office in Oslo closes.\n");
        assert!(held_for(Some(&before), &more, &["the release moves to May 1"]).is_some());
        assert_eq!(
            held_for(
                Some(&before),
                &before.replace("The release is cut on 2026-11-26", "On 2026-11-26 the release is cut"),
                &[]
            ),
            None
        );
    }

    #[test]
    fn an_inference_is_not_filed_as_a_persons_word_by_another_type_and_a_log_is_no_turn_of_theirs() {
        let (project, feedback) = (memory("project", "", RULE), memory("feedback", "", RULE));
        assert!(held_for(Some(&project), &feedback, &[]).is_some());
        let source = |session: &str| Source {
            session: Some(session.to_owned()),
            line: None,
            quote: Some("integration tests must hit a real database, not mocks".to_owned()),
            ..Source::default()
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
