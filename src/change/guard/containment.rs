//! Names that may be written: inside the store, a Markdown file, and, when new, nothing that some system reads as something
//! else. What lies there already under an odd name stays editable and removable.
//!
//! Names are refused, never repaired. Not its job: symbolic links and swaps on disk (see `change::write`).

use unicode_normalization::UnicodeNormalization;

use super::held;
use crate::change::HoldReason;
use crate::memory::names::{self, is_markdown};
use crate::text;

/// The longest path inside a store, and the longest segment, in bytes.
const LONGEST: usize = 255;
/// The deepest path inside a store.
const DEEPEST: usize = 8;

/// Why a name for a new file is refused; `None`: it is fine.
#[must_use]
pub(crate) fn refusal(file: &str) -> Option<HoldReason> {
    foreign_elsewhere(file).or_else(|| astray(file)).map(|what| refused(file, what))
}

/// Why the name of a file that is to be changed or removed is refused; `None`: it is fine. Only where it leads counts: a
/// memory that is there under a name we would not give must not be out of reach.
#[must_use]
pub(crate) fn refusal_of_existing(file: &str) -> Option<HoldReason> {
    if cfg!(windows) { refusal(file) } else { astray(file).map(|what| refused(file, what)) }
}

fn refused(file: &str, what: &str) -> HoldReason {
    held("containment", format!("the name {:?} {what}", text::visible(file)))
}

/// What leads out of the store, or to something that is no memory.
fn astray(file: &str) -> Option<&'static str> {
    if file.is_empty() {
        return Some("is empty");
    }
    if file.contains('\0') {
        return Some("holds a NUL");
    }
    if file.starts_with('/') {
        return Some("is absolute; name it relative to the store");
    }
    for segment in file.split('/') {
        match segment {
            "" => return Some("has an empty part"),
            "." | ".." => return Some("leaves the store or goes nowhere"),
            _ if segment.starts_with('.') => return Some("is hidden; begin it with something other than a dot"),
            _ => {}
        }
    }
    (!is_markdown(file)).then_some("does not end in .md")
}

/// What some system or reader takes for something else.
fn foreign_elsewhere(file: &str) -> Option<&'static str> {
    // What a team shares lies one folder deeper here than it does for the team.
    let own = names::of_the_team(file).unwrap_or(file);
    if own.len() > LONGEST {
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
    if own.split('/').count() > DEEPEST {
        return Some("lies more than eight directories deep");
    }
    for segment in file.split('/') {
        let folded: String = segment.nfkc().collect();
        match segment {
            "." | ".." => return Some("leaves the store or goes nowhere"),
            _ if folded.contains("..") && !segment.contains("..") => return Some("holds a look-alike of two dots"),
            _ if segment.ends_with(['.', ' ']) => return Some("has a part that ends in a dot or blank"),
            _ if is_device(segment) => return Some("has a part that is a device on Windows"),
            _ => {}
        }
    }
    (is_markdown(file) && !file.ends_with(".md")).then_some("does not end in .md, in small letters")
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
            assert!(refusal(name).is_some(), "{name:?} must be refused");
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
            assert_eq!(refusal(name), None, "{name:?} must pass");
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn what_is_there_under_a_name_we_would_not_give_can_still_be_changed() {
        let deep = "a/".repeat(15) + "b.md";
        let names = ["A.MD", "b.Md", "a:b?.md", "con.md", "a%20b.md", "a\\b.md", "sub ./x.md", "a\u{200B}b.md"];
        for name in names.into_iter().chain([deep.as_str()]) {
            assert!(refusal(name).is_some(), "{name:?} is no name for a new file");
            assert_eq!(refusal_of_existing(name), None, "{name:?} must stay in reach");
        }
        for name in
            ["", "../x.md", "a/../../x.md", "/etc/x.md", "./a.md", "a//b.md", ".x.md", ".git/a.md", "a\0.md", "a.txt"]
        {
            assert!(refusal_of_existing(name).is_some(), "{name:?} must be refused");
        }
    }

    #[test]
    fn a_refusal_never_repeats_control_characters() {
        let message = refusal("a\u{1b}[2J.md").unwrap().message;
        assert!(!message.contains('\u{1b}'));
    }
}
