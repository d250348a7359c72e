//! The pattern that finds, inside JSON strings, at least what another one finds in the text they stand for.
//!
//! A character may be written as itself, with a backslash, or as `\uXXXX`; a class may match any of them; where a line or a
//! word ends cannot be told before the string is read. Nothing is lost by being too generous here: every hit is looked at
//! again.

use regex_syntax::hir::{Class, Hir, HirKind, Literal, Repetition};

/// Any escape of a JSON string.
const ANY: &str = r#"\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}(?:\\u[0-9A-Fa-f]{4})?)"#;

/// The generous pattern of one that may have capitals or not: see [`super::Finder::new`].
pub(super) fn pattern(wanted: &str) -> Result<String, String> {
    let has_capital = wanted.chars().any(char::is_uppercase) && literal_capital(wanted);
    let hir = regex_syntax::ParserBuilder::new()
        .case_insensitive(!has_capital)
        .build()
        .parse(wanted)
        .map_err(|error| format!("the pattern is not a regular expression: {error}"))?;
    Ok(generous(&hir))
}

/// Whether a capital of the pattern is meant as a letter, not as a class such as `\W`.
fn literal_capital(pattern: &str) -> bool {
    let mut is_escaped = false;
    pattern.chars().any(|character| {
        let counts = character.is_uppercase() && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        counts
    })
}

fn generous(hir: &Hir) -> String {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => String::new(),
        HirKind::Literal(Literal(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => text.chars().map(character).collect(),
            Err(_) => hir.to_string(),
        },
        HirKind::Class(class) => {
            format!("(?:{hir}{})", if may_be_escaped(class) { format!("|{ANY}") } else { String::new() })
        }
        HirKind::Repetition(Repetition { min, max, greedy, sub }) => {
            let most = max.map_or(String::new(), |max| max.to_string());
            let lazy = if *greedy { "" } else { "?" };
            format!("(?:{}){{{min},{most}}}{lazy}", generous(sub))
        }
        HirKind::Capture(capture) => format!("(?:{})", generous(&capture.sub)),
        HirKind::Concat(parts) => parts.iter().map(generous).collect(),
        HirKind::Alternation(parts) => format!("(?:{})", parts.iter().map(generous).collect::<Vec<_>>().join("|")),
    }
}

/// A character as JSON may write it.
fn character(character: char) -> String {
    let own = regex_syntax::escape(&character.to_string());
    let escapes = match character {
        '"' | '\\' | '/' => format!(r"\\{own}|"),
        '\n' => r"\\n|".to_owned(),
        '\t' => r"\\t|".to_owned(),
        '\r' => r"\\r|".to_owned(),
        _ => String::new(),
    };
    if escapes.is_empty() && character.is_ascii_graphic() || character == ' ' {
        // Nobody writes plain letters as escapes, and looking for them would cost the speed of a plain search.
        return own;
    }
    let mut units = [0; 2];
    let coded: String = character.encode_utf16(&mut units).iter().map(|unit| format!(r"\\u(?i:{unit:04x})")).collect();
    // A line break never stands raw in a line.
    if character == '\n' { format!("(?:{escapes}{coded})") } else { format!("(?:{own}|{escapes}{coded})") }
}

/// Whether one of the class's characters may be written with a backslash.
fn may_be_escaped(class: &Class) -> bool {
    match class {
        Class::Unicode(class) => class.iter().any(|range| {
            let (start, end) = (range.start(), range.end());
            !end.is_ascii() || start < ' ' || ['"', '\\', '/'].into_iter().any(|c| (start..=end).contains(&c))
        }),
        Class::Bytes(_) => true,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn finds(wanted: &str, json: &str) -> bool {
        regex::Regex::new(&pattern(wanted).unwrap()).unwrap().is_match(json)
    }

    #[test]
    fn whatever_json_makes_of_a_text_is_found() {
        for (wanted, text) in [
            (r#"say "hi""#, r#"say "hi""#),
            (r"C:\\Users", r"C:\Users"),
            ("a.b", "a\tb"),
            (r"one\s+two", "one\n two"),
            ("^two$", "one\ntwo"),
            ("café", "CAFÉ"),
            ("日本", "日本"),
            ("a/b", "a/b"),
            (r"x[^y]z", "x\"z"),
            (r"\bend\b", "the end"),
        ] {
            let json = serde_json::to_string(text).unwrap();
            assert!(finds(wanted, &json), "{wanted} in {json}");
            let coded: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            let is_plain = text.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '/') || c == ' ');
            let only_special: String = text
                .chars()
                .map(|c| {
                    if c.is_ascii_alphanumeric() || c == ' ' || c == '.' || c == ':' {
                        c.to_string()
                    } else {
                        c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect()
                    }
                })
                .collect();
            assert!(is_plain || finds(wanted, &only_special), "{wanted} in {only_special} ({coded})");
        }
        assert!(!finds("Secret", "secret"), "a capital is meant");
        assert!(finds("secret", "SECRET"));
    }
}
