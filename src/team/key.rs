//! Which names an entry of a team may have: a relative path that means the same file on every system.
//!
//! A name that breaks a rule is refused and never repaired: a repaired one is another file on another machine. Not its
//! job: names in a store (`crate::change::guard`), which may have been there before us.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// The longest name, in bytes.
pub const LONGEST: usize = 255;
/// The most folders and file name together.
const DEEPEST: usize = 8;

/// Why a name cannot be an entry's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refused(Cow<'static, str>);

/// Checks the name of an entry.
///
/// # Errors
/// [`Refused`] with the first rule it breaks.
pub fn check(key: &str) -> Result<(), Refused> {
    match broken_rule(key).map(Cow::Borrowed).or_else(|| compatible(key).map(Cow::Owned)) {
        Some(rule) => Err(Refused(rule)),
        None => Ok(()),
    }
}

/// What is said of a name with letters that some systems write otherwise: full-width ones, ligatures, half-width kana.
fn compatible(key: &str) -> Option<String> {
    let plain: String = key.nfkc().collect();
    if plain == key {
        return None;
    }
    let advice = if broken_rule(&plain).is_none() { format!("; {plain:?} would do") } else { String::new() };
    Some(format!(
        "a name has none of Unicode's compatibility forms (full-width signs, half-width kana, ligatures){advice}"
    ))
}

fn broken_rule(key: &str) -> Option<&'static str> {
    if key.is_empty() {
        return Some("a name cannot be empty");
    }
    if key.len() > LONGEST {
        return Some("a name has at most 255 bytes");
    }
    if key.chars().any(is_forbidden) {
        return Some("control characters, hidden characters and \\ : * ? \" < > | % cannot be in a name");
    }
    if !key.nfc().eq(key.chars()) {
        return Some("a name has to be in the composed (NFC) form of its characters");
    }
    if key.split('/').count() > DEEPEST {
        return Some("a name has at most 8 parts");
    }
    if let Some(rule) = key.split('/').find_map(broken_part) {
        return Some(rule);
    }
    // `notes.md` beside `notes.md/a.md` would be a file and a folder of one name.
    if key.rsplit('/').skip(1).any(crate::memory::names::is_markdown) {
        return Some("no folder of a name ends in .md");
    }
    let last = key.rsplit('/').next().unwrap_or(key);
    let is_named = last.strip_suffix(".md").is_some_and(|stem| !stem.is_empty());
    (!is_named).then_some("an entry ends in .md")
}

fn broken_part(part: &str) -> Option<&'static str> {
    if part.is_empty() {
        return Some("a name has no empty parts");
    }
    if part.starts_with('.') {
        return Some("no part of a name begins with a dot");
    }
    if part.ends_with(['.', ' ']) {
        return Some("no part of a name ends in a dot or a blank");
    }
    is_device(part).then_some("some systems keep this name for a device")
}

/// Characters that are read otherwise somewhere: by a file system, a URL, or an eye.
fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '%')
        // Slashes that are none.
        || matches!(c, '\u{2044}' | '\u{2215}' | '\u{29F8}')
        // What a name that was no text became where it was read as one.
        || c == char::REPLACEMENT_CHARACTER
        || is_hidden(c)
}

/// Characters that an eye does not see, or that change what it does.
#[must_use]
pub const fn is_hidden(c: char) -> bool {
    matches!(c,
            '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Names of devices, alone or before an ending.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    let is_numbered = |name: &str| {
        stem.strip_prefix(name).is_some_and(|rest| {
            matches!(rest, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
        })
    };
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul" | "conin$" | "conout$" | "clock$")
        || is_numbered("com")
        || is_numbered("lpt")
}

/// A name in the form in which two are compared: two entries whose names differ in letter case only would be one file
/// on some systems.
#[must_use]
pub fn folded(key: &str) -> String {
    crate::memory::names::folded(key)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn plain_names_of_any_script_pass() {
        for key in [
            "MEMORY.md",
            "a.md",
            "feedback/testing policy.md",
            "a/b/c/d/e/f/g/h.md",
            "项目_发布.md",
            "Übersicht.md",
            "console.md",
            "a..b.md",
        ] {
            assert_eq!(check(key), Ok(()), "{key:?}");
        }
        assert_eq!(folded("Feedback/A.md"), folded("feedback/a.md"));
    }

    #[test]
    fn names_that_mean_another_file_somewhere_are_refused() {
        let long = format!("{}.md", "a".repeat(253));
        let rows = [
            "",
            "a.txt",
            "a.MD",
            ".md",
            "a.md/",
            "/a.md",
            "a//b.md",
            "../a.md",
            "a/../b.md",
            "./a.md",
            ".hidden.md",
            "a/.git/b.md",
            "a\\b.md",
            "c:a.md",
            "a%2e%2e.md",
            "a\0.md",
            "a\n.md",
            "a\u{200b}.md",
            "a\u{202e}.md",
            "a\u{feff}.md",
            "a /b.md",
            "a./b.md",
            "con.md",
            "NUL.md",
            "a/com1.x.md",
            "lpt¹.md",
            "aux",
            "cafe\u{301}.md",
            "ａ.md",
            "．．/a.md",
            "a／b.md",
            "‥/a.md",
            "a\u{2215}b.md",
            "a\u{2044}b.md",
            "a\u{29f8}b.md",
            "1/2/3/4/5/6/7/8/9.md",
            "notes.md/a.md",
            "a/B.MD/c.md",
            "ﬁ.md",
            "bad\u{fffd}.md",
            &long,
        ];
        for key in rows {
            assert!(check(key).is_err(), "{key:?}");
        }
    }

    #[test]
    fn a_name_with_compatibility_forms_hears_which_one_would_do() {
        let said = |key: &str| check(key).unwrap_err().to_string();
        for (key, plain) in
            [("部署（生产）.md", "部署(生产).md"), ("メモ ﾊﾝｶｸ.md", "メモ ハンカク.md"), ("ﬁ.md", "fi.md")]
        {
            assert!(said(key).contains("compatibility") && said(key).contains(plain), "{}", said(key));
            assert_eq!(check(plain), Ok(()));
        }
        assert!(!said("a／b.md").contains("would do") || check("a/b.md").is_ok());
        assert!(!said("．．/a.md").contains("would do"), "{}", said("．．/a.md"));
        assert!(said("cafe\u{301}.md").contains("composed"));
    }

    #[test]
    fn what_an_entry_may_be_called_can_be_a_file_of_a_store() {
        let parts = |part: &str| {
            [format!("{part}.md"), format!("{part}/a.md"), format!("a{part}b.md"), format!("x/a{part}b/c.md")]
        };
        let letters = ('\0'..='\u{3200}').chain('\u{F900}'..='\u{FFFF}').chain('\u{E0000}'..='\u{E0FFF}');
        let of_a_letter = letters.map(|letter| format!("a{letter}b.md"));
        let around = ('\0'..='\u{180}').flat_map(|letter| parts(&letter.to_string()));
        let longest = [format!("{}.md", "a".repeat(252)), format!("{}/{}.md", "b".repeat(120), "c".repeat(131))];
        let words = ["com0", "con", "conin$", "..", "a..b", "%41", "%", "logs", "team", "MEMORY.md"]
            .into_iter()
            .flat_map(parts);
        for key in of_a_letter.chain(around).chain(longest).chain(words).chain(["1/2/3/4/5/6/7/8.md".to_owned()]) {
            if check(&key).is_ok() {
                let file = crate::team::client::file_of(&key);
                assert_eq!(crate::change::guard::containment::refusal(&file), None, "{file:?}");
            }
        }
    }
}
