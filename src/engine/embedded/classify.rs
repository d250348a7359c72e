//! From a sentence to a fact, or to nothing.
//!
//! A sentence has to pass everything that speaks against it (a question, a hypothesis, somebody else's words, an
//! example, an order for the work at hand) before a cue for one of the four types counts. Not its job: what other turns say
//! (see [`super::collect`]) and how a fact is written down (see [`super::drafts`]).

use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::Regex;

use super::confidential::has_secret;
use super::cues::{self, Cues, PLACE};
use super::language::{self, Language};
use super::parts::{Parts, masked, reason, take_apart, without_opening};
use super::sentences::Sentence;
use super::similarity::Shape;
use super::{circumstances, dates, decisions, explicit, people, places, spans, wishes};
use crate::memory::Kind;

/// A sentence longer than this is hardly one statement.
pub(super) const LONGEST: usize = 420;
/// "in Weblate": a name where something is kept.
static NAMED_PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(?:in|on|at|via) \p{Lu}\p{Ll}+").ok());
/// A name inside a sentence.
static NAME_INSIDE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\S \p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ (?:is|has|needs|owns|wants|will)\b").ok());
/// A fact has at least this many content words (or characters of a script without spaces).
const CONTENT_WORDS: usize = 2;

/// Something worth remembering, in the person's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// The type.
    pub(super) kind: Kind,
    /// The rule or fact.
    pub(super) text: String,
    /// Why, if the words say so.
    pub(super) why: Option<String>,
    /// How to apply it, if the words say so.
    pub(super) how: Option<String>,
    /// How many sentences it took, from the one asked about on.
    pub(super) sentences: usize,
    /// Whether it is an approval.
    pub(super) is_approval: bool,
    /// The language.
    pub(super) language: Language,
    /// What it takes back that an earlier session may have stored.
    pub(super) revokes: Option<String>,
}

impl Statement {
    /// A rule of one sentence, without a reason of its own.
    pub(super) fn rule(text: String, language: Language) -> Self {
        Self {
            kind: Kind::Feedback,
            text,
            why: None,
            how: None,
            sentences: 1,
            is_approval: false,
            language,
            revokes: None,
        }
    }
}

/// What the sentence at `at` states, if anything.
pub(super) fn classify(sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    if let Some(asked_for) = explicit::statement(sentences, at, said) {
        return Some(asked_for);
    }
    let sentence = sentences.get(at)?;
    if sentence.text.chars().count() > LONGEST || has_secret(&sentence.text) {
        return None;
    }
    let language = language::of(&sentence.text);
    let cues = cues::of(language);
    if let Some(next) = sentences.get(at + 1).filter(|next| wishes::makes_a_rule_of(&sentence.text, &next.text)) {
        let bare = without_opening(&sentence.text, cues);
        let text = format!("{} {}", finish(&bare), finish(&next.text));
        return Some(Statement { sentences: 2, ..Statement::rule(text, language) });
    }
    let parts = take_apart(&sentence.text, cues, said)?;
    let is_asked_to_change = cues.rule_strong.hits(&parts.masked) && parts.masked.starts_with(['c', 'w']);
    let is_asked_to_change = is_asked_to_change || wishes::is_polite(&parts.masked);
    if cues.question.hits(&masked(&sentence.text, said).1) && !is_asked_to_change {
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
    let kind = if is_told { Kind::Project } else { kind_of(&parts, why.as_deref(), cues, said)? };
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
        revokes: None,
    })
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

/// The type, after everything that speaks against one.
pub(super) fn kind_of(parts: &Parts, why: Option<&str>, cues: &Cues, said: NaiveDate) -> Option<Kind> {
    let text = parts.masked.as_str();
    let why_masked = why.map(|why| masked(why, said).1).unwrap_or_default();
    let is_hypothetical = cues.hypothetical.hits(text);
    // "I'm colour-blind, so never rely on colour": the rule follows from who they are.
    let head = text.split(", so ").next().unwrap_or(text);
    let opens_with_self = text.starts_with("i'm ") || text.starts_with("i am ") || text.starts_with("i only ");
    let is_about_self = |text: &str| {
        (cues.about_self.hits(text) && !cues.not_about_self.hits(text)) || people::speaks_of_themselves(text)
    };
    if opens_with_self && !cues.hypothetical.hits(head) && is_about_self(head) {
        return Some(Kind::User);
    }
    if is_feedback(parts, &why_masked, why.is_some(), is_hypothetical, cues) {
        return Some(Kind::Feedback);
    }
    let is_invitation = text.contains("if you want") || text.contains("if you need") || text.contains("if you're");
    let is_named_place =
        text.contains("where ") && NAMED_PLACE.as_ref().is_some_and(|pattern| pattern.is_match(&parts.cased));
    if cues.located.hits(text)
        && (PLACE.hits(text) || is_named_place)
        && !cues.not_located.hits(text)
        && (!is_hypothetical || is_invitation)
        && (!cues.task.hits(text) || text.contains("where we"))
        && !is_local_address(&parts.main)
    {
        return Some(Kind::Reference);
    }
    let is_wish = text.contains("i'd prefer") || text.contains("i would prefer") || text.contains("i'd rather");
    if !is_hypothetical
        && (places::is_short_form(&parts.cased) || (places::says_where(text) && !cues.not_located.hits(text)))
    {
        return Some(Kind::Reference);
    }
    if is_about_self(text) && (!is_hypothetical || is_wish) {
        return Some(Kind::User);
    }
    let by_itself = people::before_consequence(text);
    if by_itself.len() < text.len() && is_about_self(by_itself) && !cues.hypothetical.hits(by_itself) {
        return Some(Kind::User);
    }
    if !is_hypothetical && is_project(parts, cues, said) {
        return Some(Kind::Project);
    }
    None
}

fn is_feedback(parts: &Parts, why: &str, has_why: bool, is_hypothetical: bool, cues: &Cues) -> bool {
    let text = parts.masked.as_str();
    let had_incident = has_why && cues.incident.hits(why);
    let is_strong = cues.rule_strong.hits(text);
    let is_wish = text.contains("i'd rather")
        || text.contains("i'd prefer")
        || text.contains("i would prefer")
        || text.contains("i would rather");
    if (wishes::is_about_the_product(text) || cues.in_the_code.hits(text)) && !had_incident {
        return false;
    }
    let undated = text.replace("⟦d⟧", "");
    if !cues.fleeting.hits(&undated) {
        let whole = format!("{text}, {why}");
        if wishes::leaves_alone(text) || (has_why && wishes::leaves_alone(&whole)) {
            return true;
        }
        let plain = wishes::without_idioms(text);
        let says_what = plain == text || Shape::of(&plain).content.len() > CONTENT_WORDS;
        if wishes::is_wish(text) && says_what && !cues.pointing.hits(&plain) && !text.contains("⟦c⟧") {
            return true;
        }
    }
    if cues.not_rule.hits(text) {
        return false;
    }
    // "… was the right call here, splitting it would have been churn": the approval ends at the comma.
    let opening =
        text.split(", ").next().unwrap_or_default().replace("call here", "call").replace("choice here", "choice");
    if cues.approval.hits(&opening) && !cues.hypothetical.hits(&opening) {
        if !cues.pointing.hits(&opening) && !cues.fleeting.hits(&opening) {
            return true;
        }
        // "keep doing the previews like that, one per state" still names the thing.
        let named =
            text.replace(" like that", "").replace(" like this", "").replace(" that way", "").replace(" this way", "");
        return Shape::of(&named).content.len() > CONTENT_WORDS
            && !cues.pointing.hits(&named)
            && !cues.fleeting.hits(&named)
            && !is_hypothetical;
    }
    if is_hypothetical && !is_wish && !(is_strong && is_conditional_rule(text)) {
        return false;
    }
    if is_strong {
        return (!cues.pointing.hits(text) || had_incident) && !is_only_now(text, cues);
    }
    let is_free = !cues.fleeting.hits(text) && !cues.pointing.hits(text) && !cues.particular.hits(text);
    if cues.rule_plain.hits(text) {
        return is_free || (had_incident && !cues.fleeting.hits(text) && !text.contains("⟦c⟧"));
    }
    if parts.is_correction && cues.rule_corrected.hits(text) {
        return is_free;
    }
    had_incident && cues.rule_with_reason.hits(text) && is_free
}

/// Whether what somebody told the person is news about the project: a decision, a circumstance, or something with a date.
fn is_news(told: &str, parts: &Parts, cues: &Cues, said: NaiveDate) -> bool {
    let lower = told.to_lowercase();
    let has_future = dates::find(&parts.main, said).iter().any(|hit| hit.meaning.last_day() >= said);
    !cues.hypothetical.hits(&lower)
        && !cues.code_talk.hits(&lower)
        && (circumstances::hold(told) || cues.decision.hits(&lower) || (has_future && cues.scheduled.hits(&lower)))
}

/// "When X, always Y" and "if a test needs a database, never mock it" are rules, not hypotheses.
fn is_conditional_rule(text: &str) -> bool {
    let rule = [", always ", ", never ", ", please always", ", please never", ", do not ever", "，永远", "，一律"];
    let is_german = text.starts_with("wenn ");
    (is_german || rule.iter().any(|mark| text.contains(mark)))
        && ![
            "what if",
            "maybe",
            "perhaps",
            "would",
            "could",
            "might",
            "suppose",
            "imagine",
            "würde",
            "wäre",
            "könnte",
            "hätte",
            "vielleicht",
        ]
        .iter()
        .any(|mark| text.contains(mark))
}

/// A strong rule may name a weekday, but not "for now".
fn is_only_now(text: &str, cues: &Cues) -> bool {
    let undated = text.replace("⟦d⟧", "");
    cues.fleeting.hits(&undated)
}

fn is_project(parts: &Parts, cues: &Cues, said: NaiveDate) -> bool {
    let text = parts.masked.as_str();
    if cues.code_talk.hits(text) || starts_like_no_name(text) {
        return false;
    }
    // With a name in the sentence, "him" and "her" point at it.
    let has_name = NAME_INSIDE.as_ref().is_some_and(|pattern| pattern.is_match(&parts.cased));
    let pointless: String = if has_name {
        text.split(' ')
            .filter(|word| !matches!(word.trim_matches([',', '.']), "he" | "she" | "him" | "her" | "his" | "hers"))
            .collect::<Vec<_>>()
            .join(" ")
    } else {
        text.to_owned()
    };
    let first_clause = pointless.split([',', ';', '，', '、']).next().unwrap_or_default();
    if cues.owner.hits(&parts.cased) && !cues.pointing.hits(first_clause) {
        return true;
    }
    let undated = text.replace("⟦d⟧", "");
    if !cues.pointing.hits(first_clause) && !wishes::is_about_the_product(text) {
        if circumstances::names_people(&parts.cased) || circumstances::is_in_production(&parts.cased) {
            return true;
        }
        if circumstances::hold(&parts.cased) && !cues.fleeting.hits(&undated) {
            return true;
        }
    }
    if cues.pointing.hits(&pointless) {
        return false;
    }
    if decisions::is_of_a_group(text) && !cues.fleeting.hits(&undated) {
        return true;
    }
    if cues.decision.hits(text)
        && !decisions::is_no_choice(text)
        && !cues.fleeting.hits(&undated)
        && !text.contains("⟦c⟧")
        && !cues.particular.hits(text)
    {
        return true;
    }
    if cues.on_screen.hits(text) {
        return false;
    }
    let days: Vec<NaiveDate> = dates::find(&parts.main, said).iter().map(|hit| hit.meaning.last_day()).collect();
    let is_past = !days.is_empty()
        && days.iter().all(|day| *day < said)
        && dates::named(&parts.main, Some(said)).iter().all(|(_, day)| *day < said);
    cues.scheduled.hits(text)
        && !is_past
        && !cues.task.hits(text)
        && !cues.fleeting.hits(&undated)
        && !text.contains("⟦c⟧")
}

/// Sentences that begin with a pronoun or question word have no subject of their own, and programs are no people.
fn starts_like_no_name(text: &str) -> bool {
    let first = text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    NO_NAMES.split(' ').any(|word| word == first)
}

/// See [`starts_like_no_name`].
const NO_NAMES: &str = "it it's he she this that that's they you you're what who which there these those your when where if how why \
    es er sie das dies il elle ça eso esto everything nothing something someone nobody everyone anyone main master claude redis react postgres \
    postgresql docker jest vite rust node npm pnpm yarn git github gitlab python java typescript javascript kubernetes terraform nginx mysql sqlite \
    mongo mongodb kafka webpack babel eslint prettier pytest cargo django rails flask spring angular vue svelte next nuxt express linux windows \
    macos android chrome firefox safari prisma graphql jenkins ansible spark airflow celery tokio serde axum arc vec box session cache server";

fn is_local_address(text: &str) -> bool {
    ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].iter().any(|host| text.contains(host))
}

/// First letter large, one full stop at the end, nothing else changed.
pub(super) fn finish(text: &str) -> String {
    let trimmed = text.trim().trim_end_matches([',', ';', ':', '—', '-', ' ']);
    let mut characters = trimmed.chars();
    let first: String = match characters.next() {
        Some(first) if starts_plain_word(trimmed) => first.to_uppercase().collect(),
        Some(first) => first.to_string(),
        None => return String::new(),
    };
    let rest = characters.as_str();
    let ends = rest.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    let is_wide = trimmed.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'));
    let stop = if ends {
        ""
    } else if is_wide {
        "。"
    } else {
        "."
    };
    let finished = format!("{first}{rest}{stop}");
    match finished.strip_suffix('!') {
        Some(calm) => format!("{calm}."),
        None => finished,
    }
}

/// Whether the first word is one whose case may be changed: not an identifier like `pnpm-lock` or `iOS`.
fn starts_plain_word(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    !first.chars().any(|c| c.is_ascii_digit() || matches!(c, '_' | '/' | '`' | '#' | '@' | '.'))
        && !first.chars().skip(1).any(char::is_uppercase)
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "passing_tests.rs"]
mod passing_tests;
