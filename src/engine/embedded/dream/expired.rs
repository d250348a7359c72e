//! Project memories whose date has passed by more than their shelf life.
//!
//! A date that begins something is no end, and what says what holds after a date stays: only a plain end goes, and what is
//! unsure is kept. A memory that goes on about other things only loses the paragraph that ran out. Not its job: dates that a
//! newer claim moved (see [`super::superseded`]).

use std::ops::Range;

use chrono::NaiveDate;

use super::super::super::EngineError;
use super::super::desk::Desk;
use super::super::note::Note;
use super::super::{dates, moves};
use super::superseded::without;
use crate::clock;
use crate::memory::Kind;
use crate::memory::likeness::dates::{lasting, planned};
use crate::memory::likeness::measured;
use crate::memory::likeness::patterns::Pattern;

/// What makes a date in a project memory an end, or the day of something that is over once it has passed.
static ENDS: Pattern = Pattern::new(concat!(
    r"(?i)\b(?:until|till|due|ends|by (?:the )?(?:end of )?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|out|leave|vacation|stays|valid|release|launch|demo|frozen)\b",
    r"|\bby (?:the )?(?:end of )?\d|deadline|freeze|cutover|rollout|go-live|goes live|maintenance window",
    r"|\b(?:bis|gilt|fällig)\b|frist\b|\b(?:hasta|plazo|congelación)\b|jusqu|échéance|\bgel\b",
    r"|截止|上线|冻结|之前|以前|暂停|停止|まで|期限|締切|リリース",
));

/// Removes project memories whose last date is past by more than their shelf life.
pub(super) async fn drop(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let today = clock::local_day(desk.now());
    // The latest first: what goes itself protects no earlier claim, or the next dream would find one more to drop.
    let mut dated: Vec<(NaiveDate, String)> = desk
        .notes
        .values()
        .filter(|note| note.is_open && note.kind == Some(Kind::Project))
        .filter_map(|note| Some((last_day(note)?, note.file.clone())))
        .collect();
    dated.sort_by(|one, other| (other.0, &one.1).cmp(&(one.0, &other.1)));
    for (last, file) in dated {
        desk.breathe().await?;
        let past = (today - last).num_days();
        if past <= 0 {
            continue;
        }
        if drop_paragraphs(desk, &file, today)? {
            continue;
        }
        let Some(note) = desk.notes.get(&file) else { continue };
        let claimed = note.day();
        let is_claimed_before = claimed.is_some_and(|day| day <= last);
        if is_deadline(&note.fact, claimed) && has_later_claim(desk, note, last) {
            desk.say(format!("{file} speaks of {last}, and a newer claim of a later date; it stays"));
        } else if is_deadline(&note.fact, claimed)
            && is_claimed_before
            && past > desk.project_shelf_life()
            && is_about_one_date(note)
        {
            desk.say(format!("{file} ended on {last}, {past} days ago: expired"));
            desk.remove(&file, &format!("expired: its last date, {last}, is {past} days past"), Vec::new())?;
        } else if is_deadline(&note.fact, claimed) {
            desk.say(format!("{file} speaks of {last}, which has passed; it stays"));
        }
    }
    Ok(())
}

/// The last day that a memory names, outside of sources and pointers.
fn last_day(note: &Note) -> Option<NaiveDate> {
    let said = |line: &&str| !measured::is_source(line) && !measured::is_pointer(line);
    let text = note.body.lines().filter(said).collect::<Vec<_>>().join("\n");
    days(&text, note.day()).into_iter().max()
}

fn days(text: &str, claimed: Option<NaiveDate>) -> Vec<NaiveDate> {
    dates::named(text, claimed).into_iter().map(|(_, day)| day).collect()
}

/// Whether a text names a day as a plain end, and goes on about nothing that begins or holds once it has passed.
fn is_deadline(text: &str, claimed: Option<NaiveDate>) -> bool {
    // Why it was so and what to do about it go with the claim.
    let claim: String =
        text.lines().take_while(|line| !line.trim_start().starts_with("**")).collect::<Vec<_>>().join("\n");
    let is_end =
        ENDS.is_match(&claim) || measured::sentences(&claim).iter().any(|(_, text)| planned::is_planned(text, claimed));
    if days(&claim, claimed).is_empty() || !is_end || dates::comes_again(&claim) {
        return false;
    }
    if says_more_than_ends(&claim, claimed) {
        return false;
    }
    !lasting::begins(&claim) && !goes_on(&claim, claimed)
}

/// Whether a sentence names a day that is no end ("the outage of 2026-02-11 came from a full disk"), or one before the end
/// has a life of its own: no day, no word of the sentence that ends, and nothing there that refers to it.
fn says_more_than_ends(claim: &str, claimed: Option<NaiveDate>) -> bool {
    let sentences: Vec<&str> = measured::sentences(claim).into_iter().map(|(_, text)| text).collect();
    sentences.iter().enumerate().any(|(at, sentence)| {
        if !days(sentence, claimed).is_empty() {
            return !ENDS.is_match(sentence) && !planned::is_planned(sentence, claimed);
        }
        let next = sentences.get(at + 1..).and_then(|rest| rest.iter().find(|next| !days(next, claimed).is_empty()));
        next.is_some_and(|next| sentence.ends_with(['.', '!', '。', '！']) && lasting::are_apart(sentence, next))
    })
}

/// Whether something without a date of its own is said after the day: it may well hold longer.
fn goes_on(claim: &str, claimed: Option<NaiveDate>) -> bool {
    let Some(end) = dates::named(claim, claimed).last().map(|(range, _)| range.end) else { return false };
    let after = claim.get(end..).unwrap_or_default();
    let Some((_, next)) = after.split_once([';', '；', '。', '\n']).or_else(|| after.split_once(". ")) else {
        return false;
    };
    next.split_whitespace().count() > 2 || next.chars().filter(|c| c.is_alphanumeric() && !c.is_ascii()).count() > 3
}

/// Drops the paragraphs that ran out of a memory that begins with something else; whether there were any.
fn drop_paragraphs(desk: &mut Desk<'_>, file: &str, today: NaiveDate) -> Result<bool, EngineError> {
    let Some(note) = desk.notes.get(file) else { return Ok(false) };
    let Some(claimed) = note.day() else { return Ok(false) };
    let paragraphs = paragraphs(&note.body);
    let ended = |range: &Range<usize>| -> Option<NaiveDate> {
        let text = note.body.get(range.clone())?;
        let last = days(text, Some(claimed)).into_iter().max()?;
        let is_over = (today - last).num_days() > desk.project_shelf_life() && claimed <= last;
        (is_over && is_deadline(text, Some(claimed))).then_some(last)
    };
    // What it begins with stands on its own: a sentence without a day, or with one that is no end.
    let is_first_lasting = paragraphs.first().and_then(|range| note.body.get(range.clone())).is_some_and(|text| {
        let is_whole = text.trim_end().ends_with(['.', '!', '。']);
        is_whole && (days(text, Some(claimed)).is_empty() || !is_deadline(text, Some(claimed)))
    });
    let gone: Vec<(Range<usize>, NaiveDate)> =
        paragraphs.iter().filter_map(|range| Some((range.clone(), ended(range)?))).collect();
    let Some(last) = gone.iter().map(|(_, day)| *day).max() else { return Ok(false) };
    if !is_first_lasting || has_later_claim(desk, note, last) {
        return Ok(false);
    }
    let places: Vec<Range<usize>> = gone.into_iter().map(|(range, _)| range).collect();
    let topic = note.topic.with_body(&without(&note.body, &places));
    let past = (today - last).num_days();
    desk.say(format!("A paragraph of {file} ended on {last}: expired"));
    desk.rewrite(file, topic, &format!("expired: its last date, {last}, is {past} days past"), Vec::new())?;
    Ok(true)
}

/// The paragraphs of the fact, one sentence or several without a blank line between; no lists, no marked parts.
fn paragraphs(body: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for part in body.split("\n\n") {
        let text = part.trim();
        if text.starts_with("**") || text.starts_with("```") {
            break;
        }
        let start = at + (part.len() - part.trim_start().len());
        let is_plain = !text.starts_with(['-', '*', '+', '#', '>', '|']) && !measured::is_source(text);
        if !text.is_empty() && is_plain {
            found.push(start..start + text.len());
        }
        at += part.len() + 2;
    }
    found
}

/// Whether something newer, in the store or in the sessions under review, gives the same thing a later date.
fn has_later_claim(desk: &Desk<'_>, note: &Note, last: NaiveDate) -> bool {
    let Some(day) = note.day() else { return false };
    let is_later = moves::gives_later_date((&note.fact, day), last);
    let in_store = desk
        .notes
        .values()
        .filter(|other| other.file != note.file && other.kind == Some(Kind::Project))
        .any(|other| other.day().is_some_and(|at| is_later(&other.fact, at)));
    in_store || desk.heard.iter().any(|(text, at)| is_later(text, *at))
}

/// A memory that goes on about other things is more than its date.
fn is_about_one_date(note: &Note) -> bool {
    note.fact.lines().filter(|line| !line.trim().is_empty()).count() <= 3 && note.fact.chars().count() <= 400
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn is_end(text: &str) -> bool {
        is_deadline(text, Some("2026-09-20".parse().unwrap()))
    }

    #[test]
    fn a_plain_end_is_one_in_every_language() {
        assert!(ENDS.is_whole());
        for text in [
            "Merge freeze until 2026-10-01.",
            "Merge freeze from 2026-09-25 until 2026-10-01.",
            "The audit is due by 2026-10-01.",
            "The demo for the board is on 2026-10-01.",
            "The audit is on 2026-10-01.",
            "Ben prepares the audit of the ledger. It is due on 2026-10-01.",
            "Merge freeze until 2026-10-01.\n\n**Why:** the branch is cut then\n\n**How to apply:** Wait until after that.",
            "Bis 2026-10-01 gilt ein Code-Freeze für das Portal.",
            "Congelación de código hasta el 2026-10-02.",
            "Gel des fusions jusqu'au 2026-09-30.",
            "2026-09-20之前暂停合并代码。",
            "从 2026-09-20 到 2026-09-25 冻结合并。",
            "2026-09-25までマージを凍結する。",
        ] {
            assert!(is_end(text), "{text}");
        }
    }

    #[test]
    fn a_beginning_and_what_holds_after_a_day_are_no_ends() {
        for text in [
            "As of 2026-10-01 Kim approves deploys; until then it was Mara.",
            "The contract was renewed by Lena on 2026-10-02 and runs for three years.",
            "Since the launch on 2026-10-03 refunds need two approvals.",
            "From 2026-10-01 every release is signed with the new key.",
            "Support for Node 18 ends on 2026-10-01; images are built with Node 20 only.",
            "The cutover to the new service is on 2026-10-05, after that only OIDC tokens are valid.",
            "Until 2026-10-01 tokens are valid for 24 hours, afterwards for 1 hour only.",
            "Merge freeze until 2026-10-01. The mobile build key lives in the vault.",
            "The mobile build key lives in the vault. Merge freeze until 2026-10-01.",
            "The outage of 2026-09-22 came from a full disk; alerts exist now. The deadline was 2026-10-01.",
            "We freeze deployments from 2026-09-25 until 2026-10-01 every year.",
            "Jedes Jahr gilt bis 2026-10-01 ein Einkaufsstopp.",
            "Chaque année, gel des fusions jusqu'au 2026-09-30.",
            "Cada año hay congelación hasta el 2026-10-02.",
            "每年2026-09-20之前暂停合并代码。",
            "毎年2026-09-25までマージを凍結する。",
            "Freeze from 2026-09-25 until 2026-10-01, then releases are weekly.",
            "Der Wartungsvertrag gilt ab 2026-10-02 für drei Jahre.",
            "Ab 2026-10-01 gilt für Releases das Vier-Augen-Prinzip.",
            "Bis 2026-10-01 war Mara für Deploys zuständig, seitdem ist es Kim.",
            "Depuis le 2026-10-01, toute release est signée.",
            "A partir del 2026-10-01 vale el plazo nuevo.",
            "新计费系统在 2026-10-10 上线，之后旧接口不再可用。",
            "2026-10-01起停止支持Node 18，镜像只用Node 20构建。",
            "自2026-10-01上线以来，退款需要两人审批。",
            "2026-10-01以降、リリースには署名が必要です。",
        ] {
            assert!(!is_end(text), "{text}");
        }
    }
}
