//! Text on its way to a terminal: widths, cuts, and making control characters visible; and escapes on its way in.
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
    let (mut used, mut kept) = (0, 0);
    for (at, cluster) in text.grapheme_indices(true) {
        used += cluster.width();
        if used > columns {
            // Looked at no further than this: what does not fit may be megabytes.
            let beginning = text.get(..kept).unwrap_or_default();
            return if columns == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("{beginning}…")) };
        }
        if used < columns {
            kept = at + cluster.len();
        }
    }
    Cow::Borrowed(text)
}

/// The longest end of `text` that fits into `columns`, cut between grapheme clusters: what a field shows where one types.
#[must_use]
pub fn fit_end(text: &str, columns: usize) -> &str {
    let (mut used, mut from) = (0, text.len());
    for (at, cluster) in text.grapheme_indices(true).rev() {
        used += cluster.width();
        if used > columns {
            break;
        }
        from = at;
    }
    text.get(from..).unwrap_or_default()
}

/// The beginning of a session's id or a commit's hash by which people know it.
#[must_use]
pub fn brief(id: &str) -> String {
    id.chars().take(8).collect()
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
            '\n' => out.push('␤'),
            c if (c as u32) < 0x20 => out.extend(char::from_u32(0x2400 + c as u32)),
            '\u{7F}' => out.push('␡'),
            c if is_unsafe(c) => out.push_str(&format!("‹U+{:04X}›", c as u32)),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Whether a character chooses between glyphs of the one before it.
pub(crate) fn is_selector(character: char) -> bool {
    matches!(character as u32, 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

/// The text without what hides in it, so that a word cannot be cut by something nobody sees. Line breaks stay.
pub(crate) fn without_hidden(whole: &str) -> String {
    let is_hidden = |c: char| {
        is_unsafe(c) && !matches!(c, '\n' | '\t' | '\r')
            || is_selector(c)
            || matches!(c, '\u{200C}' | '\u{200D}' | '\u{180E}' | '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}')
    };
    whole.chars().filter(|c| !is_hidden(*c)).collect()
}

/// A text cut to so many characters at a sentence's or word's end.
#[must_use]
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most.saturating_sub(1)).collect();
    // "Frau Dr. Brandt": a full stop after a short word may end no sentence.
    let ends_a_sentence = |at: usize| {
        let last = head.get(..at).and_then(|before| before.rsplit(|c: char| !c.is_alphanumeric()).next());
        last.is_some_and(|word| word.chars().count() > 3 || word.chars().all(|c| c.is_ascii_digit()))
    };
    let mut stops = head.rmatch_indices(". ").map(|(at, _)| at).take_while(|at| *at * 2 > head.len());
    let sentence = stops.find(|at| ends_a_sentence(*at)).and_then(|at| head.get(..=at));
    if let Some(sentence) = sentence {
        return sentence.to_owned();
    }
    let at = head.rfind(' ').filter(|at| *at * 2 > head.len()).unwrap_or(head.len());
    format!("{}…", head.get(..at).unwrap_or(&head).trim_end_matches([',', ';', ':', ' ', '—']))
}

/// `3 memories`, `1 memory`: a count with its noun.
#[must_use]
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", figure(number as u64), if number == 1 { one } else { many })
}

/// A number as a person reads it: `1,234,567`.
#[must_use]
pub fn figure(number: u64) -> String {
    let digits = number.to_string();
    let mut read = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            read.push(',');
        }
        read.push(digit);
    }
    read
}

/// Bytes as a person reads them: `812 B`, `6.1 KB`, `3.4 MB` (units of 1000, as the index limit is).
#[must_use]
pub fn bytes(number: u64) -> String {
    match number {
        0..=999 => format!("{number} B"),
        // From 999,950 on the rounded figure would read 1000.0.
        1_000..=999_949 => format!("{:.1} KB", number as f64 / 1e3),
        999_950..=999_949_999 => format!("{:.1} MB", number as f64 / 1e6),
        _ => format!("{:.1} GB", number as f64 / 1e9),
    }
}

/// Bytes with percent escapes read; what is no whole escape stays as written.
pub(crate) fn percent_decoded(written: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(written.len());
    let mut rest = written;
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                decoded.extend(u8::try_from(high * 16 + low));
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    decoded
}

/// The words of a text alone, in lower case, one blank between them: for finding a quote whose cut and blanks were changed.
#[must_use]
pub fn folded_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// A letter without its case, as far as one letter stands for it.
#[must_use]
pub fn folded(character: char) -> char {
    if character.is_ascii() {
        return character.to_ascii_lowercase();
    }
    character.to_lowercase().next().unwrap_or(character)
}

/// The first place at or after `from` where a text holds another, letters in either case unless the other has a capital.
/// Nothing is found of nothing.
#[must_use]
pub fn find_folded(text: &str, wanted: &str, from: usize) -> Option<std::ops::Range<usize>> {
    if wanted.is_empty() {
        return None;
    }
    let rest = text.get(from..)?;
    if wanted.chars().any(char::is_uppercase) {
        let at = from + rest.find(wanted)?;
        return Some(at..at + wanted.len());
    }
    let first = wanted.chars().next().map(folded);
    for (at, character) in rest.char_indices() {
        if Some(folded(character)) != first {
            continue;
        }
        let mut here = rest.get(at..)?.char_indices();
        let mut end = at;
        let is_it = wanted.chars().all(|c| match here.next() {
            Some((offset, own)) if folded(own) == folded(c) => {
                end = at + offset + own.len_utf8();
                true
            }
            _ => false,
        });
        if is_it {
            return Some(from + at..from + end);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_end_of_a_text_fits_and_keeps_clusters_whole() {
        for (text, columns, end) in [
            ("abc", 5, "abc"),
            ("abcdef", 3, "def"),
            ("日本語", 5, "本語"),
            ("ae\u{301}", 1, "e\u{301}"),
            ("abc", 0, ""),
            ("", 3, ""),
        ] {
            assert_eq!(fit_end(text, columns), end, "{text:?} in {columns}");
        }
        // As long as a paste may be: it is looked at from its end, and no further than it is shown.
        assert_eq!(fit_end(&"x".repeat(4_000_000), 2), "xx");
    }

    #[test]
    fn whole_percent_escapes_are_read_and_others_stay() {
        for (written, meant) in
            [("a%20b", "a b"), ("%E6%97%A5%", "日%"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("%%41", "%A")]
        {
            assert_eq!(percent_decoded(written.as_bytes()), meant.as_bytes(), "{written}");
        }
    }

    #[test]
    fn widths_are_those_of_the_terminal() {
        for (text, columns) in [("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍👩‍👧", 2), ("🇯🇵", 2)]
        {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn a_cut_falls_between_clusters_and_is_marked() {
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abcd", 3), "ab…");
        assert_eq!(fit("日本語", 4), "日…");
        assert_eq!(fit("日本", 1), "…");
        assert_eq!(fit("a", 0), "");
        assert_eq!(fit("ab\u{301}", 2), "ab\u{301}");
        assert_eq!(fit("ab\u{301}\u{200D}c", 2), "a…");
        assert_eq!(fit_padded("日本語", 4), "日… ");
        assert_eq!(fit_padded("", 2), "  ");
    }

    #[test]
    fn controls_and_hidden_characters_are_made_visible() {
        assert_eq!(visible("plain ünïcödé 日本 👩‍👧"), "plain ünïcödé 日本 👩‍👧");
        assert_eq!(visible("\u{1b}[31mred\u{7}"), "␛[31mred␇");
        assert_eq!(visible("a\tb\nc\rd\u{7f}"), "a    b␤c␍d␡");
        assert_eq!(visible("\u{9b}31m\u{202e}x\u{200b}"), "‹U+009B›31m‹U+202E›x‹U+200B›");
    }

    #[test]
    fn counts_and_sizes_read_like_words() {
        assert_eq!(
            (count(1, "memory", "memories"), count(0, "memory", "memories")),
            ("1 memory".into(), "0 memories".into())
        );
        assert_eq!(count(12_000, "memory", "memories"), "12,000 memories");
        for (number, read) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567"), (98_765, "98,765")] {
            assert_eq!(figure(number), read);
        }
        for (number, read) in [
            (0, "0 B"),
            (999, "999 B"),
            (6_100, "6.1 KB"),
            (999_999, "1.0 MB"),
            (3_400_000, "3.4 MB"),
            (999_999_999, "1.0 GB"),
            (3_800_000_000, "3.8 GB"),
        ] {
            assert_eq!(bytes(number), read);
        }
    }

    #[test]
    fn a_text_is_shortened_between_words_or_where_there_are_none_between_characters() {
        assert_eq!(shortened("one two three", 20), "one two three");
        assert_eq!(shortened("one two three four", 12), "one two…");
        assert_eq!(shortened("这是一个很长的句子没有空格", 6), "这是一个很…");
        assert_eq!(shortened("A whole sentence. And more of it", 24), "A whole sentence.");
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_left_whatever_the_text(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(is_unsafe));
        }

        #[test]
        fn a_fitted_text_never_takes_more_than_its_columns(text in any::<String>(), columns in 0_usize..40) {
            let text = visible(&text).into_owned();
            prop_assert!(width(&fit(&text, columns)) <= columns);
            prop_assert_eq!(width(&fit_padded(&text, columns)), columns);
        }
    }
}
