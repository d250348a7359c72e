//! Text on its way to a terminal: widths, cuts, and making control characters visible.
//!
//! Everything that came from a file passes through [`visible`] before it is printed or drawn. Not its job:
//! Markdown (see `tui`) and the meaning of words (see `engine::embedded`).

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The number of terminal columns a text takes, by grapheme cluster.
#[must_use]
pub fn width(text: &str) -> usize {
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// The longest beginning of `text` that fits into `columns`, cut between grapheme clusters; with `…` when cut.
///
/// The result never takes more than `columns`, and nothing at all when `columns` is 0.
#[must_use]
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    if columns == 0 {
        return Cow::Borrowed("");
    }
    let mut used = 0;
    let mut cut = String::new();
    for cluster in text.graphemes(true) {
        let next = cluster.width();
        if used + next > columns - 1 {
            break;
        }
        used += next;
        cut.push_str(cluster);
    }
    cut.push('…');
    Cow::Owned(cut)
}

/// Like [`fit`], then filled with spaces so that the result takes exactly `columns`.
#[must_use]
pub fn fit_padded(text: &str, columns: usize) -> String {
    let mut fitted = fit(text, columns).into_owned();
    let missing = columns.saturating_sub(width(&fitted));
    fitted.extend(std::iter::repeat_n(' ', missing));
    fitted
}

/// Whether a character must never reach a terminal as it is: controls, line separators, bidirectional
/// overrides and invisible characters that can hide text.
#[must_use]
pub fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{00AD}' | '\u{061C}' | '\u{E0000}'..='\u{E007F}' | '\u{FFF9}'..='\u{FFFB}')
}

/// One line of text with a visible stand-in for every unsafe character: tabs become spaces, `ESC` becomes `␛`,
/// line breaks `␤`, others `‹U+202E›`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\t' => out.push_str("    "),
            c if (c as u32) < 0x20 => out.extend(char::from_u32(0x2400 + c as u32)),
            '\u{7F}' => out.push('␡'),
            c if is_unsafe(c) => out.push_str(&format!("‹U+{:04X}›", c as u32)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// `3 memories`, `1 memory`: a count with its noun.
#[must_use]
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Bytes as a person reads them: `812 B`, `6.1 KB`, `3.4 MB` (units of 1000, as the index limit is).
#[must_use]
pub fn bytes(number: u64) -> String {
    match number {
        0..=999 => format!("{number} B"),
        1_000..=999_999 => format!("{:.1} KB", number as f64 / 1e3),
        1_000_000..=999_999_999 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.1} GB", number as f64 / 1e9),
    }
}
