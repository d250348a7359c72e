//! Names: slugs for `name`, file names legal everywhere, and when two file names mean the same file.
//!
//! Not its job: which names may be written (see `crate::change::guard`), and the slug of a project (`crate::project::slug`).

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization;

use super::Kind;

/// The longest file name we make, in bytes, `.md` included.
const MAX_FILE_NAME: usize = 100;

/// A file name in the form in which two names are compared: without letter case and Unicode form, since some file
/// systems keep neither. Letters are folded as those do it, in full: `ß` is `ss`, `ς` is `σ`.
#[must_use]
pub fn folded(file: &str) -> String {
    if file.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return file.to_owned();
    }
    let composed: String = file.nfc().collect();
    UniCase::new(composed).to_folded_case().nfc().collect()
}

/// Whether a path names a Markdown file: `.md` in any letter case, after at least one other character. The one
/// definition for scan, index, door and runs.
#[must_use]
pub fn is_markdown(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && extension.eq_ignore_ascii_case("md"))
}

/// The folder of a store whose memories are shared with a team.
pub const TEAM_DIRECTORY: &str = "team";

/// The name that a file of a store has among the team's memories; `None`: it is none of the team's.
#[must_use]
pub fn of_the_team(file: &str) -> Option<&str> {
    file.strip_prefix(TEAM_DIRECTORY)?.strip_prefix('/')
}

/// What a file is that lies in a store and is none of its own memories, by its folder: `team memory`, `daily log`. The one
/// definition for scan, door and engines, which read such files and change none of them unasked.
#[must_use]
pub fn set_apart(file: &str) -> Option<&'static str> {
    match file.split_once('/')?.0 {
        "logs" => Some("daily log"),
        TEAM_DIRECTORY => Some("team memory"),
        _ => None,
    }
}

/// The file name that a person means who types one: its ending once, in small letters, whether they typed it or not.
///
/// # Errors
/// A sentence with a name that would do, for one that they cannot mean: another ending, blanks that break links.
pub fn typed(name: &str) -> Result<String, String> {
    let name = name.trim();
    let mut stem = name;
    while is_markdown(stem) {
        stem = without_extension(stem);
    }
    if stem.is_empty() || stem.ends_with('/') {
        return Ok(stem.to_owned());
    }
    let last = stem.rsplit('/').next().unwrap_or(stem);
    let is_ending =
        |ending: &str| (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase());
    let foreign = last.rsplit_once('.').filter(|(before, ending)| !before.is_empty() && is_ending(ending));
    if foreign.is_none() && !stem.contains(char::is_whitespace) {
        return Ok(format!("{stem}.md"));
    }
    let plain = foreign.and_then(|(_, ending)| stem.strip_suffix(ending)?.strip_suffix('.')).unwrap_or(stem);
    let proposed = plain.split_whitespace().collect::<Vec<_>>().join("_");
    let why = match foreign {
        Some((_, ending)) => format!("a memory ends in .md, not in .{ending}"),
        None => "a blank in a file name breaks links to it".to_owned(),
    };
    Err(format!("{why}; {proposed}.md would do"))
}

/// A file's name with a number, for when its own is taken: `topic_2.md`; with 1 `topic.md`, also of `topic.MD`.
#[must_use]
pub fn numbered(file: &str, number: usize) -> String {
    let stem = without_extension(file);
    if number > 1 { format!("{stem}_{number}.md") } else { format!("{stem}.md") }
}

/// Lowercase words of a text, joined: letters and digits of any script stay, everything else parts words.
fn words(text: &str, joint: char) -> String {
    let lower: String = text.nfc().flat_map(char::to_lowercase).nfc().collect();
    let mut out = String::with_capacity(lower.len());
    for character in lower.chars() {
        if character.is_alphanumeric() || is_mark(character) && !out.is_empty() && !out.ends_with(joint) {
            out.push(character);
        } else if !out.is_empty() && !out.ends_with(joint) && !matches!(character, '\'' | '’') {
            out.push(joint);
        }
    }
    out.truncate(out.trim_end_matches(joint).len());
    out
}

/// Combining marks belong to the letter before them.
fn is_mark(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

/// A name as a kebab-case slug: `Testing policy!` is `testing-policy`. Letters of every script are kept.
#[must_use]
pub fn slug(name: &str) -> String {
    let slug = words(name, '-');
    if slug.is_empty() { "memory".to_owned() } else { slug }
}

/// A file name for a memory: `feedback_testing_policy.md`; lowercase, legal on every system, at most 100 bytes, not
/// one of `taken` (asked with the name [`folded`]), with `_2`, `_3`… added when needed.
#[must_use]
pub fn file_name(kind: Kind, name: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let all = words(name, '_');
    // A name that begins with its type does not say it twice; the prefix also keeps clear of names like `con`.
    let rest = all.strip_prefix(kind.word()).and_then(|rest| rest.strip_prefix('_')).unwrap_or(&all);
    let rest = if rest.is_empty() || rest == kind.word() { "memory" } else { rest };
    let mut number = 1_usize;
    loop {
        let suffix = if number == 1 { ".md".to_owned() } else { format!("_{number}.md") };
        let room = MAX_FILE_NAME - kind.word().len() - 1 - suffix.len();
        let file = format!("{}_{}{suffix}", kind.word(), cut(rest, room));
        if !taken(&folded(&file)) {
            return file;
        }
        number += 1;
    }
}

/// The longest beginning of at most `bytes` bytes that ends with a whole character, without a trailing joint.
fn cut(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default().trim_end_matches('_')
}

/// A file's path without its `.md`, in any letter case.
pub(crate) fn without_extension(file: &str) -> &str {
    match file.rsplit_once('.') {
        Some((stem, extension)) if extension.eq_ignore_ascii_case("md") => stem,
        _ => file,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

    use super::*;

    #[test]
    fn a_typed_name_gets_its_ending_once_and_what_cannot_be_meant_comes_with_a_proposal() {
        for (name, meant) in [
            ("x", "x.md"),
            ("x.md", "x.md"),
            ("x.md.md", "x.md"),
            (" a/x.MD ", "a/x.md"),
            ("v1.2", "v1.2.md"),
            ("", ""),
        ] {
            assert_eq!(typed(name).as_deref(), Ok(meant), "{name}");
        }
        let refused = typed("a/b c.txt").unwrap_err();
        assert!(refused.contains("not in .txt") && refused.ends_with("a/b_c.md would do"), "{refused}");
        let refused = typed("two words").unwrap_err();
        assert!(refused.contains("two_words.md would do"), "{refused}");
    }

    #[test]
    fn slugs_keep_letters_of_every_script() {
        assert_eq!(slug("Testing policy!"), "testing-policy");
        assert_eq!(slug("上海：交接"), "上海-交接");
        assert_eq!(slug("Don't use  mocks_here"), "dont-use-mocks-here");
        assert_eq!(slug("हिन्दी टिप्पणी"), "हिन्दी-टिप्पणी");
        assert_eq!(slug("…!"), "memory");
    }

    #[test]
    fn file_names_are_legal_everywhere_and_distinct() {
        let free = |_: &str| false;
        for title in ["con", "a:b?", "..", "日", "ends in a dot. ", "../../etc/passwd", "a\u{0}b\nc", "NUL.txt"] {
            let file = file_name(Kind::User, title, &free);
            assert!(file.starts_with("user_") && file.ends_with(".md"), "{file}");
            assert!(file.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')), "{file}");
        }
        let long = file_name(Kind::Reference, &"日".repeat(200), &free);
        assert!(long.len() <= 100 && long.starts_with("reference_日"), "{long}");
        assert_eq!(file_name(Kind::Feedback, "feedback-testing", &free), "feedback_testing.md");
        assert_eq!(file_name(Kind::Feedback, "Feedback", &free), "feedback_memory.md");
        let taken = |file: &str| matches!(file, "user_role.md" | "user_role_2.md");
        assert_eq!(file_name(Kind::User, "ROLE", &taken), "user_role_3.md");
        let all_taken_once = |file: &str| !file.contains("_2");
        let second = file_name(Kind::Reference, &"x".repeat(200), &all_taken_once);
        assert!(second.len() == 100 && second.ends_with("x_2.md"), "{second}");
    }

    #[test]
    fn a_markdown_file_is_one_in_any_letter_case_and_nothing_else_is() {
        for path in ["a.md", "A.MD", "sub/b.Md", "日.md", "a.b.md", "..md"] {
            assert!(is_markdown(path), "{path}");
        }
        for path in [".md", "sub/.md", "a.mdx", "a.md.txt", "amd", "", "a.md/", "a.markdown"] {
            assert!(!is_markdown(path), "{path}");
        }
    }

    #[test]
    fn folding_ignores_case_and_unicode_form() {
        assert_eq!(folded("Cafe\u{301}.MD"), folded("caf\u{e9}.md"));
        assert_ne!(folded("a_b.md"), folded("a-b.md"));
        for (one, other) in
            [("straße.md", "STRASSE.md"), ("οδος.md", "ΟΔΟΣ.md"), ("οδοσ.md", "ΟΔΟΣ.md"), ("İ.md", "i\u{307}.md")]
        {
            assert_eq!(folded(one), folded(other), "{one}");
        }
        assert_ne!(folded("résumé.md"), folded("resume.md"));
    }
}
