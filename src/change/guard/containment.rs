//! Names that may be written: inside the store, a Markdown file, and nothing that some system reads as something else.
//!
//! Names are refused, never repaired. Not its job: symbolic links and swaps on disk (see `change::write`).

use unicode_normalization::UnicodeNormalization;

use super::held;
use crate::change::HoldReason;
use crate::memory::names::is_markdown;
use crate::text;

/// The longest path inside a store, and the longest segment, in bytes.
const LONGEST: usize = 255;
/// The deepest path inside a store.
const DEEPEST: usize = 8;

/// Why a file name is refused; `None`: it is fine. A file that `is_new` gets `.md` as everyone reads it; one that is there
/// is a memory with the ending it has.
#[must_use]
pub(crate) fn refusal(file: &str, is_new: bool) -> Option<HoldReason> {
    wrong(file, is_new).map(|what| held("containment", format!("the name {:?} {what}", text::visible(file))))
}

fn wrong(file: &str, is_new: bool) -> Option<&'static str> {
    if file.is_empty() {
        return Some("is empty");
    }
    if file.len() > LONGEST {
        return Some("is longer than 255 bytes");
    }
    if file.chars().any(text::is_unsafe) {
        return Some(
            "holds a control or invisible character; choose one without it, or rename the file outside dreamtop first",
        );
    }
    if file.contains(['\\', '\u{2044}', '\u{2215}', '\u{29F8}', '\u{FF0F}', '\u{FF3C}']) {
        return Some("holds a backslash or a look-alike of a slash");
    }
    if file.contains([':', '*', '?', '"', '<', '>', '|']) {
        return Some("holds a character that some systems forbid in names (: * ? \" < > |)");
    }
    if has_escape(file) {
        return Some("holds a percent escape; write the character itself");
    }
    if file.starts_with('/') {
        return Some("is absolute; name it relative to the store");
    }
    let segments: Vec<&str> = file.split('/').collect();
    if segments.len() > DEEPEST {
        return Some("lies more than eight directories deep");
    }
    for segment in &segments {
        let folded: String = segment.nfkc().collect();
        match *segment {
            "" => return Some("has an empty part"),
            "." | ".." => return Some("leaves the store or goes nowhere"),
            _ if segment.starts_with('.') => return Some("is hidden; begin it with something other than a dot"),
            _ if folded.contains("..") && !segment.contains("..") => return Some("holds a look-alike of two dots"),
            _ if segment.ends_with(['.', ' ']) => return Some("has a part that ends in a dot or blank"),
            _ if is_device(segment) => return Some("has a part that is a device on Windows"),
            _ => {}
        }
    }
    if !is_markdown(file) || (is_new && !file.ends_with(".md")) {
        return Some("does not end in .md");
    }
    None
}

/// Whether a `%` is followed by two hex digits.
fn has_escape(file: &str) -> bool {
    let bytes = file.as_bytes();
    bytes.windows(3).any(|part| matches!(part, [b'%', one, two] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit()))
}

fn is_device(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = |name: &str| {
        stem.strip_prefix(name)
            .is_some_and(|rest| rest.chars().count() == 1 && rest.chars().all(|c| c.is_ascii_digit() && c != '0'))
    };
    matches!(stem.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn fc_061_names_that_leave_the_store_are_refused() {
        let long = format!("{}.md", "x".repeat(253));
        let deep = "a/".repeat(9) + "b.md";
        for name in [
            "",
            "../x.md",
            "a/../../x.md",
            "/etc/x.md",
            "..",
            "a/..",
            "..\\x.md",
            "%2e%2e/x.md",
            "%2E%2e%2fx.md",
            "C:\\x.md",
            "C:/x.md",
            "a\0.md",
            "a\nb.md",
            "a\tb.md",
            "./a.md",
            "a//b.md",
            "a/",
            ".hidden.md",
            ".git/a.md",
            "a.txt",
            "a",
            "a.MD",
            "a.md ",
            "a.md.",
            "con.md",
            "sub/NUL.md",
            "LPT1.md",
            "a\u{202E}b.md",
            "a\u{200B}.md",
            "‥/a.md",
            "a\u{FF0F}b.md",
            "a∕b.md",
            long.as_str(),
            deep.as_str(),
        ] {
            assert!(refusal(name, true).is_some(), "{name:?} must be refused");
            assert_eq!(refusal(name, false).is_none(), name == "a.MD", "{name:?}");
        }
    }

    #[test]
    fn legal_names_pass() {
        for name in [
            "a.md",
            "sub/topic.md",
            "user_rôle.md",
            "日本語.md",
            "with space.md",
            "feedback-x.y.md",
            "100%.md",
            "a..b.md",
            "console.md",
            "com10.md",
            "MEMORY.md",
        ] {
            assert_eq!(refusal(name, true), None, "{name:?} must pass");
        }
    }

    #[test]
    fn a_refusal_never_repeats_control_characters() {
        let message = refusal("a\u{1b}[2J.md", true).unwrap().message;
        assert!(!message.contains('\u{1b}'));
    }
}
