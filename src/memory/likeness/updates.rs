//! Words by which a claim says that it is the newest state, without saying what stood before: "now", "since Monday", "…, not the 5th".
//!
//! They are no part of what is claimed, so that two claims are compared without them. Not its job: words that name what is
//! replaced (see [`super::replaces`]).

use std::borrow::Cow;

use regex::Captures;

use super::patterns::Pattern;
use super::slots::Word;
use super::values::{MONTH, VALUE};

/// Words that say "by now".
const NOW: &[&str] = &[
    "now",
    "currently",
    "nowadays",
    "jetzt",
    "nun",
    "inzwischen",
    "mittlerweile",
    "ahora",
    "actualmente",
    "maintenant",
    "désormais",
    "dorénavant",
    "actuellement",
];
/// Words after which the day stands from which it is so.
const SINCE: &[&str] = &["since", "seit", "desde", "depuis"];
/// Words between those and the day.
const ARTICLES: &[&str] = &["the", "last", "dem", "letztem", "letzten", "el", "le", "this"];

/// What is said not to hold, at the end.
static REJECTED: Pattern =
    Pattern::new(r"(?i),\s*(?:not|nicht|no|y no|pas|et pas|et non|instead of|statt)\b[^,.;!?]{1,30}[.!]*\s*$");
/// "By now" where there are no blanks, and what changes a value there.
static BY_NOW: Pattern = Pattern::new("现在|目前|如今|改成|改为|今は|現在は|今では");
/// "By now" in any language; what stands around it may make it "only now".
static BY_ANY_NOW: Pattern = Pattern::new(concat!(
    r"(?i)(?P<only>\b(?:for|right|just|until|por|gerade|bis|jusqu'à) )?\b(?:now|jetzt|nun|inzwischen|mittlerweile|ahora|maintenant|désormais|dorénavant)\b",
    r"(?P<still> (?:erst|gerade|mismo|noch|mal)\b)?|现在|目前|如今|今は|現在は|今では",
));

/// Whether a text says "by now".
pub(crate) fn says_now(text: &str) -> bool {
    BY_ANY_NOW.is_match(text)
}

/// A text without its "by now", so that what is left of its kind means "only now".
pub(crate) fn without_now(text: &str) -> Cow<'_, str> {
    BY_ANY_NOW.replace_all(text, |hit: &Captures<'_>| match (hit.name("only"), hit.name("still"), hit.get(0)) {
        (None, None, _) | (_, _, None) => String::new(),
        (_, _, Some(whole)) => whole.as_str().to_owned(),
    })
}

/// A text without what it rejects at its end and without its "by now"; `None`: there is neither.
pub(super) fn without(text: &str) -> Option<String> {
    let is_rejecting = text.contains(',') && REJECTED.is_match(text);
    let is_now = !text.is_ascii() && BY_NOW.is_match(text);
    if !is_rejecting && !is_now {
        return None;
    }
    let kept = REJECTED.replace_all(text, "");
    Some(BY_NOW.replace_all(&kept, "").into_owned())
}

/// The words without those that say since when it is so; `None`: there are none of these, or nothing else.
pub(super) fn bare(words: &[Word]) -> Option<Vec<Word>> {
    let is_one = |(word, _): &Word| NOW.contains(&word.as_str()) || SINCE.contains(&word.as_str());
    if !words.iter().any(is_one) {
        return None;
    }
    let mut kept = Vec::with_capacity(words.len());
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        if NOW.contains(&word.0.as_str()) {
            continue;
        }
        if SINCE.contains(&word.0.as_str())
            && let Some(further) = after_a_day(after)
        {
            rest = further;
            continue;
        }
        kept.push(word.clone());
    }
    (kept.len() > 1 && kept.len() < words.len()).then_some(kept)
}

/// What comes after the day that these words begin with.
fn after_a_day(words: &[Word]) -> Option<&[Word]> {
    let words = match words {
        [(article, _), rest @ ..] if ARTICLES.contains(&article.as_str()) => rest,
        other => other,
    };
    match words {
        [(month, _), (day, _), rest @ ..] if MONTH.is_match(month) && day.starts_with(|c: char| c.is_ascii_digit()) => {
            Some(rest)
        }
        [(day, _), rest @ ..] if VALUE.is_match(day) || matches!(day.as_str(), "week" | "month" | "year") => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn left(text: &str) -> Option<String> {
        let words: Vec<Word> = text.split(' ').map(|word| (word.to_lowercase(), false)).collect();
        bare(&words).map(|words| words.into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn what_only_says_since_when_is_left_out() {
        assert!(REJECTED.is_whole() && BY_NOW.is_whole() && BY_ANY_NOW.is_whole());
        assert_eq!(without_now("mia betreut jetzt den importer"), "mia betreut  den importer");
        for only in ["for now we deploy by hand", "wir nutzen jetzt erst mal npm", "por ahora usamos npm"] {
            assert_eq!(without_now(only), only);
        }
        assert_eq!(left("tom owns billing now").as_deref(), Some("tom owns billing"));
        assert_eq!(left("we use pnpm since monday").as_deref(), Some("we use pnpm"));
        assert_eq!(left("wir nutzen seit dem 2026-11-02 pnpm").as_deref(), Some("wir nutzen pnpm"));
        assert_eq!(left("it changed since then"), None);
        assert_eq!(
            without("The launch is on Dec 12 now, not the 5th.").as_deref(),
            Some("The launch is on Dec 12 now")
        );
        assert_eq!(without("网关现在的端口是8090。").as_deref(), Some("网关的端口是8090。"));
        assert_eq!(without("We deploy on Mondays, never late."), None);
    }
}
