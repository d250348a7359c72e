//! One value on one line: writing it so that every reader keeps it, and reading it when YAML would not.

use std::fmt::Write as _;

use crate::text::is_unsafe;

/// A value as a double-quoted YAML scalar on one line, which any YAML reader and Claude Code's normaliser keep.
#[must_use]
pub fn quoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_unsafe(c) || matches!(c as u32 & 0xFFFF, 0xFFFE | 0xFFFF) => escape(&mut out, c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn escape(out: &mut String, code: u32) {
    // Writing to a String cannot fail.
    let _ = match code {
        0..=0xFF => write!(out, "\\x{code:02X}"),
        0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
        _ => write!(out, "\\U{code:08X}"),
    };
}

/// A value in the form Claude Code's normaliser writes: plain when no YAML reader can take it for anything but this
/// text (slugs, ids, instants), else double-quoted.
pub(crate) fn plain_or_quoted(value: &str) -> String {
    if is_plain(value) { value.to_owned() } else { quoted(value) }
}

fn is_plain(value: &str) -> bool {
    is_word(value) || is_uuid(value) || is_instant(value)
}

fn is_word(value: &str) -> bool {
    const RESERVED: [&str; 11] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf"];
    value.chars().next().is_some_and(char::is_alphabetic)
        && value.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        && !RESERVED.iter().any(|word| word.eq_ignore_ascii_case(value))
}

fn is_uuid(value: &str) -> bool {
    let groups: Vec<&str> = value.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_instant(value: &str) -> bool {
    value.ends_with('Z') && value.is_ascii() && chrono::DateTime::parse_from_rfc3339(value).is_ok()
}

/// Whether any YAML reader takes a value for text: not for a number, a truth value or nothing at all.
pub(super) fn is_text(raw: &[u8]) -> bool {
    matches!(raw.first(), Some(b'"' | b'\'' | b'|' | b'>'))
        || matches!(serde_yaml::from_slice::<serde_yaml::Value>(raw), Ok(serde_yaml::Value::String(_)))
}

/// The place right after a quoted value's closing quote; `None` when it is not quoted, or never closed.
pub(super) fn quoted_end(raw: &[u8]) -> Option<usize> {
    let quote = *raw.first().filter(|first| matches!(first, b'"' | b'\''))?;
    let mut at = 1;
    while let Some(byte) = raw.get(at) {
        match *byte {
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote && quote == b'\'' && raw.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// What a person meant by a value that strict YAML refuses: a whole quoted text without its quotes, else the words as
/// they stand, lines joined by a blank.
pub(super) fn rescued(raw: &str) -> String {
    let joined;
    let raw = if raw.contains('\n') {
        joined = raw.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        joined.as_str()
    } else {
        raw.trim()
    };
    match quoted_end(raw.as_bytes()) {
        Some(end) if end == raw.len() => {
            serde_yaml::from_str::<String>(raw).unwrap_or_else(|_| raw.trim_matches(['"', '\'']).to_owned())
        }
        _ => raw.to_owned(),
    }
}

/// Whether a plain value holds a ` #`, where YAML ends it.
pub(super) fn is_cut(raw: &str) -> bool {
    let is_plain = !raw.starts_with(['"', '\'', '|', '>', '&', '!', '*', '[', '{', '#']);
    is_plain && (raw.contains(" #") || raw.contains("\t#"))
}
