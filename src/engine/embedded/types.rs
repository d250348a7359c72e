//! Which of the four types a sentence belongs to, if to one: everything that speaks against a type, then its cues.
//!
//! Not its job: what speaks against the whole sentence, whatever its type (see [`super::classify`]).

use chrono::NaiveDate;

use super::cues::{Cues, PLACE, occasions};
use super::parts::{Parts, masked};
use super::similarity::Shape;
use super::statement::CONTENT_WORDS;
use super::{circumstances, dates, decisions, habits, people, places, wishes};
use crate::memory::Kind;
use crate::memory::likeness::patterns::Pattern;

/// "in Weblate": a name where something is kept.
static NAMED_PLACE: Pattern = Pattern::new(r"\b(?:in|on|at|via) \p{Lu}\p{Ll}+");
/// "Launch moved to Friday": an event, where the word alone is an order.
static TELLS_OF_EVENT: Pattern = Pattern::new(
    r"^(?:launch|release|deploy|freeze|migration|review|merge)(?: (?:date|deadline|day|party|window))? (?:is|was|has been|will be|got|moved|slipped)\b",
);
/// A name inside a sentence.
static NAME_INSIDE: Pattern = Pattern::new(r"\S \p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+ (?:is|has|needs|owns|wants|will)\b");

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
    // "Test cases are maintained in Zephyr, so no need to write them here": where it is comes first.
    let says_where = parts.cased.split(", so ").next().filter(|head| head.len() < parts.cased.len());
    if says_where.is_some_and(places::is_short_form) && !is_hypothetical {
        return Some(Kind::Reference);
    }
    if is_feedback(parts, &why_masked, why.is_some(), is_hypothetical, cues) {
        return Some(Kind::Feedback);
    }
    let is_invitation = text.contains("if you want")
        || text.contains("if it's about")
        || text.contains("if you need")
        || text.contains("if you're");
    let is_named_place = text.contains("where ") && NAMED_PLACE.is_match(&parts.cased);
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
    // "Sarah is out until Monday, so ask Tom if something breaks": what holds comes first.
    if !cues.hypothetical.hits(by_itself) && is_project(parts, cues, said) {
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
    if habits::is_praise(text) && !is_only_now(text, cues) {
        return true;
    }
    if habits::is_one(text) && !is_only_now(text, cues) {
        let plain = habits::without_tails(text);
        if !cues.pointing.hits(&plain) && !text.contains("what if") {
            return true;
        }
    }
    if cues.not_rule.hits(text) {
        return false;
    }
    // What had to be said before is meant for good, whatever it is about.
    if parts.is_insisted && !is_hypothetical && (is_strong || cues.rule_plain.hits(text)) && !is_only_now(text, cues) {
        return !cues.pointing.hits(text);
    }
    // "… was the right call here, splitting it would have been churn": the approval ends at the comma.
    let opening = occasions::without(text.split(", ").next().unwrap_or_default());
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
        // "Always use pnpm here": here is the project, for a rule that names its tool.
        let placed = USED_HERE.replace_all(text, "$tool");
        return (!cues.pointing.hits(&placed) || had_incident) && !is_only_now(text, cues);
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

/// See [`is_feedback`].
static USED_HERE: Pattern = Pattern::new(r"\b(?P<tool>(?:use|prefer) [\w.+#@-]+(?: [\w.+#@-]+)?) here\b");

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

/// What is dated, typed in small letters after "das".
const EVENTS: &[&str] = &["release", "audit", "review", "deployment", "rollout", "go-live", "meeting", "update"];

fn is_project(parts: &Parts, cues: &Cues, said: NaiveDate) -> bool {
    let text = parts.masked.as_str();
    // "Das Release ist am 20.": an article before its noun.
    let has_article = ["Das ", "das "].iter().any(|article| {
        let noun = parts.cased.strip_prefix(article).map(|rest| rest.split(' ').next().unwrap_or_default());
        noun.is_some_and(|noun| noun.starts_with(char::is_uppercase) || EVENTS.contains(&noun))
    });
    if cues.code_talk.hits(text) || (starts_like_no_name(text) && !has_article) {
        return false;
    }
    // With a name in the sentence, "him" and "her" point at it.
    let has_name = NAME_INSIDE.is_match(&parts.cased);
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
    // With a date, "the old API" is the one that ends.
    let pointless = if text.contains("⟦d⟧") { pointless.replace("the old ", "the ") } else { pointless };
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
        && (!cues.task.hits(text) || TELLS_OF_EVENT.is_match(text))
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
