//! Stretches of a text that are not the person's plain words: code, quotations, addresses, file names.
//!
//! Cues and relative dates are only looked for outside of them. Not its job: whole lines of code or logs (the
//! engine does that).

mod stretches;

use std::ops::Range;

/// What a protected stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Span {
    /// Between backticks.
    Code,
    /// A web address.
    Address,
    /// Between quotation marks.
    Quotation,
    /// A path or a file name.
    Path,
}

/// The protected stretches of a text, in order, without overlap.
pub(crate) fn protected(text: &str) -> Vec<(Range<usize>, Span)> {
    stretches::find(text)
        .into_iter()
        .map(|(range, kind)| {
            // A full stop or comma after an address or path belongs to the sentence, not to it.
            let trimmed = text
                .get(range.clone())
                .map_or(0, |hit| hit.len() - hit.trim_end_matches(['.', ',', ';', ':', '!', '?']).len());
            match kind {
                Span::Address | Span::Path => (range.start..range.end - trimmed, kind),
                Span::Code | Span::Quotation => (range, kind),
            }
        })
        .filter(|(range, kind)| *kind != Span::Path || is_path(text.get(range.clone()).unwrap_or_default()))
        .collect()
}

/// `and/or`, `CI/CD` and `yes/no` have a slash and are no paths.
fn is_path(word: &str) -> bool {
    let parts: Vec<&str> = word.split('/').collect();
    parts.len() != 2
        || word.contains('.')
        || word.starts_with(['/', '~'])
        || word.contains('_')
        || word.ends_with('/')
        || parts.first().is_some_and(|first| {
            matches!(*first, "src" | "lib" | "tests" | "test" | "docs" | "app" | "bin" | "crates" | "packages")
        })
}

/// [`masked_cased`] in small letters: what most cues match on.
pub(crate) fn masked(text: &str) -> String {
    masked_cased(text).to_lowercase()
}

/// The text for cues to match on: quotations become `⟦q⟧`, addresses `⟦u⟧`, paths and code `⟦c⟧`, except
/// code that is a plain word or command (`` `pnpm` ``), which stays. Apostrophes and dashes get one form, blanks one width.
pub(crate) fn masked_cased(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, kind) in protected(text) {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        let inside = text.get(range.clone()).unwrap_or_default();
        match kind {
            Span::Code => match plain_code(inside.trim_matches('`')) {
                Some(word) => out.push_str(word),
                None => out.push_str("⟦c⟧"),
            },
            Span::Path => out.push_str("⟦c⟧"),
            Span::Address => out.push_str("⟦u⟧"),
            Span::Quotation => out.push_str("⟦q⟧"),
        }
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    let folded: String = out
        .chars()
        .map(|character| match character {
            '’' | '‘' | 'ʼ' | '`' => '\'',
            '–' | '―' => '—',
            '\u{a0}' | '\n' | '\t' | '\r' => ' ',
            other => other,
        })
        .collect();
    folded.split_whitespace().collect::<Vec<_>>().join(" ").replace(" -- ", " — ").replace(" - ", " — ")
}

/// Code that reads as a word or a short command.
fn plain_code(code: &str) -> Option<&str> {
    let code = code.trim();
    let words = code.split(' ').count();
    let plain = !code.is_empty()
        && words <= 5
        && code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | ' '));
    plain.then_some(code)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn quotations_code_addresses_and_paths_are_masked_but_plain_words_stay() {
        assert_eq!(masked("Use `pnpm`, see https://a.example/x."), "use pnpm, see ⟦u⟧.");
        assert_eq!(masked("He said \"never use tabs\" in src/main.rs"), "he said ⟦q⟧ in ⟦c⟧");
        assert_eq!(masked("don’t  use and/or – ever"), "don't use and/or — ever");
        assert_eq!(masked("the users' data isn't 'tomorrow'"), "the users' data isn't ⟦q⟧");
    }
}
