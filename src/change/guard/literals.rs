//! Literals: what stands in a text to the letter or not at all. Addresses, paths, identifiers, versions with letters, code.
//!
//! Not its job: numbers (see [`super::amounts`]), and words (see [`super::stated`]).

use std::ops::Range;

use super::amounts::unit_of;
use crate::memory::likeness::patterns::Pattern;

/// Code between backticks.
static CODE: Pattern = Pattern::new(r"`([^`\n]+)`");
/// What has no blank in it.
static TOKEN: Pattern = Pattern::new(r#"[^\s<>()\[\]{}"“”„|`,;]+"#);

/// The literals of a text in small letters, with their places.
pub(super) fn literals(lower: &str) -> Vec<(Range<usize>, String)> {
    let code: Vec<(Range<usize>, String)> = CODE
        .captures_iter(lower)
        .filter_map(|hit| Some((hit.get(0)?.range(), hit.get(1)?.as_str().trim().to_owned())))
        .collect();
    let is_code =
        |range: &Range<usize>| code.iter().any(|(other, _)| other.start < range.end && range.start < other.end);
    let mut all: Vec<(Range<usize>, String)> = TOKEN
        .find_iter(lower)
        .filter(|hit| !is_code(&hit.range()))
        .filter_map(|hit| Some((hit.range(), literal(hit.as_str())?)))
        .collect();
    all.extend(code);
    all
}

/// The literal that a token is, without the marks of the sentence around it.
fn literal(token: &str) -> Option<String> {
    let bare = token
        .trim_end_matches(['.', ':', '!', '?', '\'', '’', '*', '/', '-'])
        .trim_start_matches(['\'', '*', '(', '-']);
    let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare).trim_end_matches('/');
    let has_letter = bare.chars().any(char::is_alphabetic);
    let has_figure = bare.chars().any(|c| c.is_ascii_digit());
    let parts: Vec<&str> = bare.split(['.', '/']).collect();
    let is_initials = !bare.contains('/') && parts.iter().all(|part| part.chars().count() < 2);
    let is_marked = bare.contains(['/', '@', '_', '\\']) || bare.contains("::") || (parts.len() > 1 && !is_initials);
    let is_mixed = has_figure && !is_amount(bare) && !bare.chars().any(is_dense);
    (has_letter && (is_marked || is_mixed)).then(|| bare.to_owned())
}

/// Whether a token is a number with its unit: `30s`, `2nd`, `9pm`.
fn is_amount(bare: &str) -> bool {
    let unit =
        bare.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '$' | '€' | '£' | '-'));
    unit.len() < bare.len() && unit_of(unit).is_some()
}

/// Whether a character belongs to a script without blanks.
fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Whether a literal stands in a text in small letters: all of it, and no part of a longer one but at a slash.
pub(super) fn stands_in(lower: &str, literal: &str) -> bool {
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '-');
    lower.match_indices(literal).any(|(at, _)| {
        let before = lower.get(..at).unwrap_or_default();
        let after = lower.get(at + literal.len()..).unwrap_or_default();
        let mut next = after.chars();
        let goes_on = match next.next() {
            Some('.') => next.next().is_some_and(char::is_alphanumeric),
            Some(c) => is_inside(c),
            None => false,
        };
        let mut last = before.chars().rev();
        let began = match last.next() {
            Some('.') => last.next().is_some_and(char::is_alphanumeric),
            Some(c) => is_inside(c),
            None => false,
        };
        !goes_on && !began
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_told_from_words_and_amounts() {
        let all = |text: &str| literals(text).into_iter().map(|(_, literal)| literal).collect::<Vec<_>>();
        assert_eq!(all("keys begin with v2, see https://a.test/x?y=1."), ["v2", "https://a.test/x?y=1"]);
        assert_eq!(all("mail ann@a.test about src/main.rs and `make  it`"), ["ann@a.test", "src/main.rs", "make  it"]);
        for none in
            ["wait 30s until 9pm on the 2nd", "e.g. well-known, i.e. so", "on 2026-12-01 at 3.2.1", "done. then"]
        {
            assert_eq!(all(none), Vec::<String>::new(), "{none}");
        }
    }

    #[test]
    fn a_part_of_a_longer_literal_is_another_one() {
        for (text, literal) in [
            ("see https://a.test/12", "https://a.test/1"),
            ("ask xann@a.test", "ann@a.test"),
            ("use v21", "v2"),
            ("v2.1", "v2"),
        ] {
            assert!(!stands_in(text, literal), "{literal}");
        }
        for (text, literal) in
            [("see https://a.test/d/svc.", "a.test"), ("open src/main.rs.", "main.rs"), ("v2, then", "v2")]
        {
            assert!(stands_in(text, literal), "{literal}");
        }
    }
}
