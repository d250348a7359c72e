//! A sentence taken apart: opening, statement, reason.
//!
//! Not its job: what the statement is (see [`super::classify`]).

use chrono::NaiveDate;

use super::confidential::has_secret;
use super::cues::{Cues, around, lasting};
use super::sentences::Sentence;
use super::statement::LONGEST;
use super::{dates, habits, spans, wishes};
use crate::memory::likeness::passing;
use crate::memory::likeness::patterns::Pattern;

/// A sentence taken apart.
pub(super) struct Parts {
    /// The statement without opening and reason, as typed.
    pub(super) main: String,
    /// The same, masked for cues.
    pub(super) masked: String,
    /// The same with capitals.
    pub(super) cased: String,
    /// The reason inside the sentence, as typed.
    pub(super) why: Option<String>,
    /// Whether it began with "no,".
    pub(super) is_correction: bool,
    /// Whether it began with "I told you already,".
    pub(super) is_insisted: bool,
}

/// Takes opening and reason off.
pub(super) fn take_apart(text: &str, cues: &Cues, said: NaiveDate) -> Option<Parts> {
    let is_correction = cues.correction.is_match(text);
    let opened = without_opening(text, cues);
    let insisted = habits::after_insisting(&opened).or_else(|| habits::after_insisting(text));
    let bare = insisted.map_or_else(|| opened.clone(), |rest| without_opening(rest, cues));
    let (main, why) = match after_so(&bare, cues, said) {
        Some((rule, reason)) => (rule, Some(reason)),
        None => split_reason(&bare, cues, said),
    };
    let (cased, lower) = masked(&main, said);
    (!lower.is_empty()).then_some(Parts {
        main,
        masked: lower,
        cased,
        why,
        is_correction,
        is_insisted: insisted.is_some(),
    })
}

/// A sentence without what stands around it and says nothing: "hey, small correction: …", "… btw".
pub(super) fn without_opening(text: &str, cues: &Cues) -> String {
    opened(text, cues).0.to_owned()
}

/// Whether a sentence announces that it puts something right.
pub(super) fn corrects(text: &str, cues: &Cues) -> bool {
    opened(text, cues).1
}

/// What a sentence says, and whether it announces a correction.
fn opened<'a>(text: &'a str, cues: &Cues) -> (&'a str, bool) {
    let mut bare = text.trim();
    let mut corrects = false;
    loop {
        corrects = corrects || around::corrects(bare);
        let led_in = cues.lead_in.find(bare).and_then(|hit| bare.get(hit.end()..)).map(str::trim_start);
        let rest = led_in.filter(|rest| !rest.is_empty() && rest.len() < bare.len());
        match rest.or_else(|| around::announced(bare)) {
            Some(rest) => bare = rest,
            None => break,
        }
    }
    (around::without_close(bare), corrects)
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
pub(super) fn masked(text: &str, said: NaiveDate) -> (String, String) {
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
    lasting::make_plain(&mut lower);
    (cased, lower)
}

/// A reason that is nothing but a word for what was said.
static POINTS_BACK: Pattern = Pattern::new(
    r"(?i)^(?:of |to )?(?:it|that|this|them|those|these|es|das|dem|eso|esto|ello|ça|cela)[.!]*$|^(?:这个?|此|它)(?:就|才|而|又)?(?:挂|崩|坏|失败|出)",
);

/// Splits a sentence at the place where it begins to give its reason.
fn split_reason(text: &str, cues: &Cues, said: NaiveDate) -> (String, Option<String>) {
    let whole = (text.to_owned(), None);
    let protected = spans::protected(text);
    let folded: String = text.replace(['–', '―'], "—").replace(" - ", " — ").replace(" -- ", " — ");
    // Folding may move offsets: only go on when it did not, or work on the folded text.
    let text = if folded.len() == text.len() { text.to_owned() } else { folded };
    let lower = text.to_lowercase();
    let lower = if lower.len() == text.len() { lower } else { text.clone() };
    for hit in cues.why_join.captures_iter(&lower) {
        let Some(all) = hit.get(0) else { continue };
        if protected.iter().any(|(range, _)| range.start < all.end() && all.start() < range.end) {
            continue;
        }
        let main = text.get(..all.start()).unwrap_or_default().trim_end_matches([',', ' ', ';', '，']);
        let rest = text.get(all.end()..).unwrap_or_default().trim();
        let connector = all.as_str().trim_matches([',', ' ', '，']);
        let (keeps_connector, needs_look) = match (hit.get(1), hit.get(2), hit.get(3)) {
            (Some(_), _, _) => (!is_bare_because(connector) || rest.starts_with("of "), false),
            (_, Some(_), _) => (false, true),
            (_, _, Some(_)) => (connector != ":", true),
            _ => continue,
        };
        // "Next Tuesday (the 8th), release a week later": the sentence goes on after what the parentheses hold.
        if connector.ends_with('(') && rest.find(')').is_some_and(|end| rest.len() - end > 3) {
            continue;
        }
        // "CI failed because of it": the reason stands before it, and "it" is the rule.
        if POINTS_BACK.is_match(rest) {
            continue;
        }
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
        // "Because Priya is on vacation", "because of the audit, just this week": it holds as long as the reason does, and says
        // so only with it.
        if passing::is_for_a_while(&why) {
            return whole;
        }
        return (main.to_owned(), Some(why));
    }
    after_comma(&text, cues, said).unwrap_or(whole)
}

/// "No mocks in the tests, we got burned last quarter": a rule, and after its last comma what happened.
fn after_comma(text: &str, cues: &Cues, said: NaiveDate) -> Option<(String, Option<String>)> {
    let (at, mark) = [", ", "，", "、"].iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min()?;
    let (main, rest) = (text.get(..at)?.trim(), text.get(at + mark..)?.trim());
    let (rule, happened) = (masked(main, said).1, masked(rest, said).1);
    let undated = happened.replace("⟦d⟧", "");
    let is_rule = (cues.rule_strong.hits(&rule) || cues.rule_plain.hits(&rule) || wishes::is_wish(&rule))
        && !cues.not_rule.hits(&rule);
    let is_rule_too = cues.rule_strong.hits(&happened) || cues.rule_plain.hits(&happened);
    (is_rule && !is_rule_too && cues.incident.hits(&undated)).then(|| (main.to_owned(), Some(rest.to_owned())))
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
pub(super) fn reason(
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
            why = Some(without_because(&bare));
        } else if how.is_none() && cues.how_next.hits(&lower) && !cues.fleeting.hits(&lower) {
            how = Some(bare);
        } else {
            break;
        }
        taken += 1;
    }
    (why, how, taken)
}

fn without_because(text: &str) -> String {
    let lower = text.to_lowercase();
    ["because ", "reason: ", "why: ", "that's because ", "it's because ", "weil ", "porque ", "parce que ", "因为"]
        .iter()
        .find(|opening| lower.starts_with(**opening))
        .and_then(|opening| text.get(opening.len()..))
        .unwrap_or(text)
        .to_owned()
}
