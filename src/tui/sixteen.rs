//! The sixteen colours in the sequences that every terminal has had since there are colours.
//!
//! The library writes them as `38;5;1`, the first of 256. A terminal with sixteen takes the `5` in it for *blink*, or shows
//! nothing. `31` and `91` mean the same everywhere. Not its job: which colours are used (`theme`).

/// A frame with every `38;5;n`, `48;5;n` below sixteen written as `3n`, `9n`, `4n`, `10n`. Everything else stays.
pub(super) fn plain(frame: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(frame.len());
    let mut rest = frame;
    while let Some(at) = memchr::memchr(0x1b, rest) {
        let (before, sequence) = rest.split_at(at);
        out.extend_from_slice(before);
        let length = length_of_style(sequence);
        let (sequence, after) = sequence.split_at(length.unwrap_or(1));
        match length.and_then(|_| std::str::from_utf8(sequence).ok()) {
            Some(style) => out.extend_from_slice(rewritten(style).as_bytes()),
            None => out.extend_from_slice(sequence),
        }
        rest = after;
    }
    out.extend_from_slice(rest);
    out
}

/// How long a sequence of styles (`ESC [ 1 ; 38 ; 5 ; 1 m`) at the start is, if one stands there.
fn length_of_style(bytes: &[u8]) -> Option<usize> {
    let parameters = bytes.strip_prefix(b"\x1b[")?;
    let end = parameters.iter().position(|byte| !byte.is_ascii_digit() && *byte != b';')?;
    (parameters.get(end) == Some(&b'm')).then_some(end + 3)
}

fn rewritten(style: &str) -> String {
    let parameters = style.trim_start_matches("\u{1b}[").trim_end_matches('m');
    let all: Vec<&str> = parameters.split(';').collect();
    let mut written: Vec<String> = Vec::new();
    let mut left = all.as_slice();
    while let [first, rest @ ..] = left {
        let colour = match (*first, rest) {
            ("38" | "48", ["5", colour, ..]) => colour.parse::<u16>().ok().filter(|colour| *colour < 16),
            _ => None,
        };
        let Some(colour) = colour else {
            written.push((*first).to_owned());
            left = rest;
            continue;
        };
        let base = match (*first, colour < 8) {
            ("38", true) => 30,
            ("38", false) => 90 - 8,
            (_, true) => 40,
            (_, false) => 100 - 8,
        };
        written.push((base + colour).to_string());
        left = rest.get(2..).unwrap_or_default();
    }
    format!("\u{1b}[{}m", written.join(";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixteen_colours_are_written_as_every_terminal_knows_them_and_all_else_stays() {
        for (written, plainly) in [
            ("\u{1b}[38;5;1m", "\u{1b}[31m"),
            ("\u{1b}[38;5;14;49mx", "\u{1b}[96;49mx"),
            ("\u{1b}[1;38;5;0;48;5;9;4m", "\u{1b}[1;30;101;4m"),
            ("\u{1b}[48;5;7m", "\u{1b}[47m"),
            ("\u{1b}[38;5;200m", "\u{1b}[38;5;200m"),
            ("\u{1b}[38;2;1;2;3m", "\u{1b}[38;2;1;2;3m"),
            ("\u{1b}[39m\u{1b}[0m\u{1b}[m", "\u{1b}[39m\u{1b}[0m\u{1b}[m"),
            ("\u{1b}[?25l\u{1b}[12;38H38;5;1m\u{1b}", "\u{1b}[?25l\u{1b}[12;38H38;5;1m\u{1b}"),
            ("plain 上海 \u{1b}[38;5", "plain 上海 \u{1b}[38;5"),
        ] {
            assert_eq!(plain(written.as_bytes()), plainly.as_bytes(), "{written:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_the_bytes_only_styles_change(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..60)) {
            let plainly = plain(&bytes);
            if !bytes.windows(2).any(|two| two == b"8;") {
                proptest::prop_assert_eq!(plainly, bytes);
            }
        }
    }
}
