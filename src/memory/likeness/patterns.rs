//! Patterns that very many sentences are held against, one by one or many at once.
//!
//! A pattern that asks for the edge of a word is only fast in plain ASCII: at the first other sign the library falls back to
//! a way of matching that is a hundred times slower. So other texts are first held against the same pattern without its edges,
//! which has no such trouble and matches all that the pattern matches; most sentences end there. Patterns are compiled when
//! they are first asked, since most runs meet few languages. What is found is what the pattern alone would find. Not its job:
//! what the patterns say.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::{CaptureMatches, Captures, Match, Regex, RegexBuilder, RegexSet, RegexSetBuilder, Replacer};

/// What a pattern may keep, in bytes, to be fast: the library's own bound is too low for our longest, and slow is what they
/// are then.
const KEPT: usize = 16 << 20;

/// One pattern, compiled when it is first asked.
pub(crate) struct Pattern {
    written: Cow<'static, str>,
    exact: OnceLock<Option<Regex>>,
    /// The same without edges of words, if it has some.
    loose: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern.
    pub(crate) const fn new(written: &'static str) -> Self {
        Self { written: Cow::Borrowed(written), exact: OnceLock::new(), loose: OnceLock::new() }
    }

    /// A pattern that is put together.
    pub(crate) const fn of(written: String) -> Self {
        Self { written: Cow::Owned(written), exact: OnceLock::new(), loose: OnceLock::new() }
    }

    /// Whether it compiles.
    #[cfg(test)]
    pub(crate) fn is_whole(&self) -> bool {
        self.exact().is_some() && (!has_edges(&self.written) || self.loose().is_some())
    }

    /// Whether it matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.asked(text).is_some_and(|pattern| pattern.is_match(text))
    }

    /// The first match.
    pub(crate) fn find<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.asked(text)?.find(text)
    }

    /// The first match with its groups.
    pub(crate) fn captures<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.asked(text)?.captures(text)
    }

    /// All matches.
    pub(crate) fn find_iter<'p, 't>(&'p self, text: &'t str) -> impl Iterator<Item = Match<'t>> + use<'p, 't> {
        self.asked(text).into_iter().flat_map(move |pattern| pattern.find_iter(text))
    }

    /// All matches with their groups.
    pub(crate) fn captures_iter<'p, 't>(
        &'p self,
        text: &'t str,
    ) -> std::iter::Flatten<std::option::IntoIter<CaptureMatches<'p, 't>>> {
        self.asked(text).map(|pattern| pattern.captures_iter(text)).into_iter().flatten()
    }

    /// The text with every match replaced.
    pub(crate) fn replace_all<'t>(&self, text: &'t str, by: impl Replacer) -> Cow<'t, str> {
        self.asked(text).map_or(Cow::Borrowed(text), |pattern| pattern.replace_all(text, by))
    }

    /// The pattern, if it may match.
    fn asked(&self, text: &str) -> Option<&Regex> {
        let may_match =
            text.is_ascii() || !has_edges(&self.written) || self.loose().is_none_or(|loose| loose.is_match(text));
        self.exact().filter(|_| may_match)
    }

    fn exact(&self) -> Option<&Regex> {
        self.exact.get_or_init(|| compiled(&self.written)).as_ref()
    }

    fn loose(&self) -> Option<&Regex> {
        self.loose.get_or_init(|| compiled(&without_edges(&self.written))).as_ref()
    }
}

fn compiled(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).dfa_size_limit(KEPT).build().ok()
}

/// Some patterns of which one has to match.
pub(crate) struct Set {
    /// As they are written, with [`plain`] signs.
    written: Vec<String>,
    exact: OnceLock<Option<RegexSet>>,
    /// See [`Pattern::loose`].
    loose: OnceLock<Option<RegexSet>>,
}

impl Set {
    /// Some patterns.
    pub(crate) fn of<P: AsRef<str>>(patterns: &[P]) -> Self {
        Self {
            written: patterns.iter().map(|pattern| plain(pattern.as_ref()).into_owned()).collect(),
            exact: OnceLock::new(),
            loose: OnceLock::new(),
        }
    }

    /// Whether the patterns compile.
    #[cfg(test)]
    pub(crate) fn is_whole(&self) -> bool {
        self.exact().is_some() && self.loose().is_some()
    }

    /// Whether one of them matches.
    pub(crate) fn hits(&self, text: &str) -> bool {
        let text = plain(text);
        let may_match = text.is_ascii() || self.loose().is_none_or(|loose| loose.is_match(&text));
        may_match && self.exact().is_some_and(|exact| exact.is_match(&text))
    }

    fn exact(&self) -> Option<&RegexSet> {
        self.exact.get_or_init(|| all(&self.written)).as_ref()
    }

    fn loose(&self) -> Option<&RegexSet> {
        let written = || self.written.iter().map(|pattern| without_edges(pattern)).collect::<Vec<_>>();
        self.loose.get_or_init(|| all(&written())).as_ref()
    }
}

/// Patterns to be tried in turn, and asked at once whether that is worth while.
pub(crate) struct OneOf {
    any: Set,
    patterns: Vec<Pattern>,
}

impl OneOf {
    /// The patterns, in their order.
    pub(crate) fn of(patterns: &[&'static str]) -> Self {
        Self { any: Set::of(patterns), patterns: patterns.iter().map(|pattern| Pattern::new(pattern)).collect() }
    }

    /// Whether the patterns compile.
    #[cfg(test)]
    pub(crate) fn is_whole(&self) -> bool {
        self.any.is_whole() && self.patterns.iter().all(Pattern::is_whole)
    }

    /// All patterns if one of them matches, none otherwise.
    pub(crate) fn may_match(&self, text: &str) -> impl Iterator<Item = &Pattern> {
        let hits = self.any.hits(text);
        self.patterns.iter().filter(move |_| hits)
    }
}

fn all(patterns: &[String]) -> Option<RegexSet> {
    RegexSetBuilder::new(patterns).dfa_size_limit(KEPT).build().ok()
}

/// The signs that masking puts in (see [`super::spans::masked`]) as ASCII, so that masked English is nothing else.
/// They stand for themselves in patterns and texts alike, and are neither words nor blanks before and after.
fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.bytes().any(|byte| matches!(byte, 1..=3)) {
        return Cow::Borrowed(text);
    }
    text.chars()
        .map(|character| match character {
            '⟦' => '\u{1}',
            '⟧' => '\u{2}',
            '—' => '\u{3}',
            // Nobody's own may be taken for ours.
            '\u{1}'..='\u{3}' => '\u{4}',
            other => other,
        })
        .collect::<String>()
        .into()
}

fn has_edges(pattern: &str) -> bool {
    pattern.contains(r"\b") || pattern.contains(r"\B")
}

/// A pattern without what it asks of the edges of words: it matches whatever the pattern matches, and more.
fn without_edges(pattern: &str) -> String {
    let mut left = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('b' | 'B')) => {}
            (character, escaped) => {
                left.push(character);
                left.extend(escaped);
            }
        }
    }
    left
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use proptest::prelude::*;

    use super::*;

    const PATTERNS: [&str; 6] = [
        r"\b(?:immer|nie|für)\b",
        r"(?i)^(?:ne |n')\p{L}+ (?:pas|jamais)\b",
        r"⟦c⟧|\B'x",
        r"[;:—]\s+please\b",
        r"a\\b|\bé",
        r"不要|\bno\b.{0,4}$",
    ];

    #[test]
    fn only_edges_are_left_out() {
        assert_eq!(without_edges(r"\bone\B|a\\b\d"), r"one|a\\b\d");
    }

    proptest! {
        #[test]
        fn what_is_found_is_what_the_pattern_alone_finds(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "immer", "für", "nie", " ", "é", "no", "not", "⟦c⟧", "⟦", "—", "; ", "please", "n'aime pas", "NE VA JAMAIS", "不要", "a\\b",
                    "'x", "\u{1}c\u{2}", "ü", ".", "\n",
                ]),
                0..8,
            ),
        ) {
            let text = pieces.concat();
            let alone = PATTERNS.map(|pattern| Regex::new(pattern).unwrap());
            for (written, alone) in PATTERNS.iter().zip(&alone) {
                let pattern = Pattern::new(written);
                prop_assert!(pattern.is_whole());
                prop_assert_eq!(pattern.is_match(&text), alone.is_match(&text), "{} in {:?}", written, text);
                prop_assert_eq!(pattern.find(&text).map(|hit| hit.range()), alone.find(&text).map(|hit| hit.range()));
                prop_assert_eq!(pattern.find_iter(&text).count(), alone.find_iter(&text).count());
                prop_assert_eq!(pattern.captures_iter(&text).count(), alone.captures_iter(&text).count());
                let set = Set::of(&[written]);
                prop_assert!(set.is_whole());
                prop_assert_eq!(set.hits(&text), alone.is_match(&text), "{} in {:?}", written, text);
            }
        }
    }
}
