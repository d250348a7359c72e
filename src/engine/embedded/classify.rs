//! From a sentence to a fact, or to nothing.
//!
//! A sentence has to pass everything that speaks against it (a question, a hypothesis, somebody else's words, an
//! example, an order for the work at hand) before a cue for one of the four types counts. Not its job: what other turns say
//! (see [`super::collect`]) and how a fact is written down (see [`super::drafts`]).

use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::Regex;

use super::cues::{self, Cues, PLACE};
use super::language::{self, Language};
use super::sentences::Sentence;
use super::similarity::Shape;
use super::{dates, spans};
use crate::memory::Kind;

/// A sentence longer than this is hardly one statement.
const LONGEST: usize = 420;
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
}

/// A sentence taken apart.
struct Parts {
    /// The statement without opening and reason, as typed.
    main: String,
    /// The same, masked for cues.
    masked: String,
    /// The same with capitals.
    cased: String,
    /// The reason inside the sentence, as typed.
    why: Option<String>,
    /// Whether it began with "no,".
    is_correction: bool,
}

/// What the sentence at `at` states, if anything.
pub(super) fn classify(sentences: &[Sentence], at: usize, said: NaiveDate) -> Option<Statement> {
    let sentence = sentences.get(at)?;
    if sentence.text.chars().count() > LONGEST || has_secret(&sentence.text) {
        return None;
    }
    let language = language::of(&sentence.text);
    let cues = cues::of(language);
    let parts = take_apart(&sentence.text, cues, said)?;
    let is_asked_to_change = cues.rule_strong.hits(&parts.masked) && parts.masked.starts_with(['c', 'w']);
    if cues.question.hits(&masked(&sentence.text, said).1) && !is_asked_to_change {
        return None;
    }
    if cues.reported.hits(&parts.masked) || cues.invented.hits(&parts.masked) || cues.take_back.hits(&parts.masked) {
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
    let kind = kind_of(&parts, why.as_deref(), cues, said)?;
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

/// Keys and passwords never become memories, not even as a quote.
pub(super) fn has_secret(text: &str) -> bool {
    !crate::change::guard::secrets::scan(text.as_bytes()).is_empty()
}

fn content_needed(kind: Kind, language: Language) -> usize {
    match (kind, language) {
        (_, Language::Chinese | Language::Japanese) => 3,
        (Kind::User, _) => 1,
        _ => CONTENT_WORDS,
    }
}

/// Takes opening and reason off.
fn take_apart(text: &str, cues: &Cues, said: NaiveDate) -> Option<Parts> {
    let is_correction = cues.correction.as_ref().is_some_and(|pattern| pattern.is_match(text));
    let bare = without_opening(text, cues);
    let (main, why) = match after_so(&bare, cues, said) {
        Some((rule, reason)) => (rule, Some(reason)),
        None => split_reason(&bare, cues, said),
    };
    let (cased, lower) = masked(&main, said);
    (!lower.is_empty()).then_some(Parts { main, masked: lower, cased, why, is_correction })
}

fn without_opening(text: &str, cues: &Cues) -> String {
    let mut bare = text.trim();
    while let Some(hit) = cues.lead_in.as_ref().and_then(|pattern| pattern.find(bare)) {
        match bare.get(hit.end()..).map(str::trim_start) {
            Some(rest) if !rest.is_empty() && hit.end() > 0 => bare = rest,
            _ => break,
        }
    }
    bare.to_owned()
}

/// "I can read the diff, so stop summarising it": the rule, and what leads up to it.
fn after_so(text: &str, cues: &Cues, said: NaiveDate) -> Option<(String, String)> {
    let (head, rule) = text.split_once(", so ")?;
    let lower = masked(rule, said).1;
    let leads_up = masked(head, said).1;
    let is_rule = (cues.rule_strong.hits(&lower) || cues.rule_plain.hits(&lower)) && !cues.not_rule.hits(&lower);
    let is_alone =
        !cues.about_self.hits(&leads_up) && !cues.rule_strong.hits(&leads_up) && !cues.hypothetical.hits(&leads_up);
    (is_rule && is_alone && !cues.reported.hits(&leads_up)).then(|| (rule.to_owned(), head.to_owned()))
}

/// Masked text with dates as `⟦d⟧`: with capitals, and in small letters with "this project" as the plain thing it means.
fn masked(text: &str, said: NaiveDate) -> (String, String) {
    let mut dated = String::with_capacity(text.len());
    let mut at = 0;
    for range in dates::mentions(text, said) {
        dated.push_str(text.get(at..range.start).unwrap_or_default());
        dated.push_str("⟦d⟧");
        at = range.end;
    }
    dated.push_str(text.get(at..).unwrap_or_default());
    let cased = spans::masked_cased(&dated);
    let mut lower = cased.to_lowercase();
    for place in
        ["repo", "repository", "project", "codebase", "code base", "monorepo", "workspace", "company", "team", "org"]
    {
        for word in ["this", "the"] {
            lower = lower.replace(&format!("{word} {place}"), &format!("our {place}"));
        }
    }
    (cased, lower)
}

/// Splits a sentence at the place where it begins to give its reason.
fn split_reason(text: &str, cues: &Cues, said: NaiveDate) -> (String, Option<String>) {
    let whole = (text.to_owned(), None);
    let Some(pattern) = cues.why_join.as_ref() else { return whole };
    let protected = spans::protected(text);
    let folded: String = text.replace(['–', '―'], "—").replace(" - ", " — ").replace(" -- ", " — ");
    // Folding may move offsets: only go on when it did not, or work on the folded text.
    let text = if folded.len() == text.len() { text.to_owned() } else { folded };
    let lower = text.to_lowercase();
    let lower = if lower.len() == text.len() { lower } else { text.clone() };
    for hit in pattern.captures_iter(&lower) {
        let Some(all) = hit.get(0) else { continue };
        if protected.iter().any(|(range, _)| range.start < all.end() && all.start() < range.end) {
            continue;
        }
        let main = text.get(..all.start()).unwrap_or_default().trim_end_matches([',', ' ', ';', '，']);
        let rest = text.get(all.end()..).unwrap_or_default().trim();
        let connector = all.as_str().trim_matches([',', ' ', '，']);
        let (keeps_connector, needs_look) = match (hit.get(1), hit.get(2), hit.get(3)) {
            (Some(_), _, _) => (!is_bare_because(connector), false),
            (_, Some(_), _) => (false, true),
            (_, _, Some(_)) => (connector != ":", true),
            _ => continue,
        };
        let rest = rest.trim_end_matches(')');
        let why = if keeps_connector { format!("{connector} {rest}") } else { rest.to_owned() };
        let begins = cues.why_begin.hits(&spans::masked(&why));
        // After a colon anything may follow: only what happened is a reason.
        let begins = begins && (connector != ":" || cues.incident.hits(&masked(&why, said).1));
        if main.chars().filter(|c| c.is_alphanumeric()).count() < 4
            || rest.chars().count() < 4
            || (needs_look && !begins)
        {
            continue;
        }
        return (main.to_owned(), Some(why));
    }
    whole
}

fn is_bare_because(connector: &str) -> bool {
    matches!(
        connector,
        "because"
            | "cause"
            | "'cause"
            | "given that"
            | "the reason being"
            | "weil"
            | "denn"
            | "porque"
            | "ya que"
            | "puesto que"
            | "parce que"
            | "parce qu'"
            | "car"
            | "puisque"
            | "因为"
            | "由于"
    ) || ["since ", "as "].iter().any(|word| connector.starts_with(word)) && !connector.contains(' ')
}

/// Reason and application from inside the sentence and from the ones that follow it.
fn reason(
    parts: &Parts,
    next: Option<&Sentence>,
    after: Option<&Sentence>,
    cues: &Cues,
    said: NaiveDate,
) -> (Option<String>, Option<String>, usize) {
    let usable = |sentence: &Sentence| {
        let bare = without_opening(&sentence.text, cues);
        let (_, lower) = masked(&bare, said);
        let is_fine = !cues.question.hits(&lower)
            && !cues.take_back.hits(&lower)
            && !has_secret(&bare)
            && bare.chars().count() < LONGEST;
        is_fine.then_some((bare, lower))
    };
    let mut why = parts.why.clone().filter(|why| !has_secret(why));
    let mut how = None;
    let mut taken = 1;
    for sentence in [next, after].into_iter().flatten() {
        let Some((bare, lower)) = usable(sentence) else { break };
        if why.is_none() && cues.why_next.hits(&lower) {
            why = Some(without_because(&bare, cues));
        } else if how.is_none() && cues.how_next.hits(&lower) && !cues.fleeting.hits(&lower) {
            how = Some(bare);
        } else {
            break;
        }
        taken += 1;
    }
    (why, how, taken)
}

fn without_because(text: &str, cues: &Cues) -> String {
    let lower = text.to_lowercase();
    let _ = cues;
    ["because ", "reason: ", "why: ", "that's because ", "it's because ", "weil ", "porque ", "parce que ", "因为"]
        .iter()
        .find(|opening| lower.starts_with(**opening))
        .and_then(|opening| text.get(opening.len()..))
        .unwrap_or(text)
        .to_owned()
}

/// The type, after everything that speaks against one.
fn kind_of(parts: &Parts, why: Option<&str>, cues: &Cues, said: NaiveDate) -> Option<Kind> {
    let text = parts.masked.as_str();
    let why_masked = why.map(|why| masked(why, said).1).unwrap_or_default();
    let is_hypothetical = cues.hypothetical.hits(text);
    // "I'm colour-blind, so never rely on colour": the rule follows from who they are.
    let head = text.split(", so ").next().unwrap_or(text);
    let opens_with_self = text.starts_with("i'm ") || text.starts_with("i am ") || text.starts_with("i only ");
    let is_about_self = |text: &str| cues.about_self.hits(text) && !cues.not_about_self.hits(text);
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
    if is_about_self(text) && (!is_hypothetical || is_wish) {
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
    if cues.not_rule.hits(text) {
        return false;
    }
    let is_strong = cues.rule_strong.hits(text);
    let is_wish = text.contains("i'd rather")
        || text.contains("i'd prefer")
        || text.contains("i would prefer")
        || text.contains("i would rather");
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
    if cues.pointing.hits(&pointless) {
        return false;
    }
    let undated = text.replace("⟦d⟧", "");
    if cues.decision.hits(text) && !cues.fleeting.hits(&undated) && !text.contains("⟦c⟧") && !cues.particular.hits(text)
    {
        return true;
    }
    let days: Vec<NaiveDate> = dates::find(&parts.main, said).iter().map(|hit| hit.meaning.last_day()).collect();
    let is_past = !days.is_empty() && days.iter().all(|day| *day < said);
    cues.scheduled.hits(text)
        && !is_past
        && !cues.task.hits(text)
        && !cues.fleeting.hits(&undated)
        && !text.contains("⟦c⟧")
}

/// Sentences that begin with a pronoun or question word have no subject of their own.
fn starts_like_no_name(text: &str) -> bool {
    let first = text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).next().unwrap_or_default();
    matches!(
        first,
        "it" | "it's"
            | "he"
            | "she"
            | "this"
            | "that"
            | "that's"
            | "they"
            | "you"
            | "you're"
            | "what"
            | "who"
            | "which"
            | "there"
            | "these"
            | "those"
            | "your"
            | "when"
            | "where"
            | "if"
            | "how"
            | "why"
            | "es"
            | "er"
            | "sie"
            | "das"
            | "dies"
            | "il"
            | "elle"
            | "ça"
            | "eso"
            | "esto"
            | "everything"
            | "nothing"
            | "something"
            | "someone"
            | "nobody"
            | "everyone"
            | "anyone"
    )
}

fn is_local_address(text: &str) -> bool {
    ["localhost", "127.0.0.1", "0.0.0.0", "[::1]"].iter().any(|host| text.contains(host))
}

/// First letter large, one full stop at the end, nothing else changed.
fn finish(text: &str) -> String {
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
