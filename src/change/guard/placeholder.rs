//! Text that stands for "the rest is unchanged": landing it would delete that rest.

use std::sync::LazyLock;

use regex::bytes::{Regex, RegexBuilder};

use super::{Subject, held};
use crate::change::HoldReason;

/// A whole line that says nothing but that something is left out here.
static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let what = r"(rest|remainder|remaining|existing|previous|original|other|following|above|earlier)";
    let things =
        r"(content|contents|text|file|sections?|lines?|entries|items|memory|memories|notes?|body|code|part|parts)";
    let state = r"(unchanged|stays?( the same| as (it was|is|before))?|remains?( the same| as (it was|is|before)| unchanged)?|as (before|is)|omitted|untouched|goes here|here)";
    let lead = r"^\s*([-*+>]\s+|#+\s*|//\s*|<!--\s*)?[\[(<{*_]*(\.{3}|…)?\s*";
    let tail = r"[\s.…)\]>}*_-]*$";
    let pattern = [
        format!(r"{lead}(the )?({what} )+(of )?((the|this) )?({things} )*(is |are )?(kept )?{state}{tail}"),
        format!(r"{lead}(all |the )?({what} )*{things} (is |are )?(kept )?{state}{tail}"),
        format!(
            r"{lead}(unchanged|no changes?|same as (before|above)|keep (the )?({what} )+{things}|{what} {things}){tail}"
        ),
        format!(r"{lead}(rest|remainder) of (the )?{things}{tail}"),
        r"^\s*[-*+>]?\s*[\[(<]?(\.{3}|…)[\])>]?\s*$".to_owned(),
    ]
    .join("|");
    RegexBuilder::new(&pattern).case_insensitive(true).size_limit(4 << 20).build().ok()
});

pub(in crate::change) fn check(subject: &Subject<'_>) -> Option<HoldReason> {
    let (before, after) = (subject.before?, subject.after?);
    let pattern = PLACEHOLDER.as_ref()?;
    let known: std::collections::HashSet<&[u8]> = before.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    let (number, _) = after
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .enumerate()
        .find(|(_, line)| line.len() < 120 && !known.contains(line) && pattern.is_match(line) && says_so(line))?;
    Some(held(
        "placeholder",
        format!("line {} stands for text that is left out; landing it would delete that text", number + 1),
    ))
}

/// A bare "existing notes" is a heading as likely as a placeholder: it must be bracketed, dotted or a comment to count.
fn says_so(line: &[u8]) -> bool {
    let lower = line.to_ascii_lowercase();
    let has = |needle: &[u8]| memchr::memmem::find(&lower, needle).is_some();
    has(b"...")
        || has("…".as_bytes())
        || has(b"<!--")
        || line.starts_with(b"[")
        || line.starts_with(b"(")
        || line.starts_with(b"//")
        || has(b"unchanged")
        || has(b"as before")
        || has(b"the same")
        || has(b"omitted")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Rationale;

    fn holds(before: &str, after: &str) -> bool {
        let rationale = Rationale::default();
        check(&Subject {
            file: "a.md",
            before: Some(before.as_bytes()),
            after: Some(after.as_bytes()),
            rationale: &rationale,
        })
        .is_some()
    }

    #[test]
    fn lines_that_stand_for_the_rest_are_held() {
        for line in [
            "... rest of the file unchanged ...",
            "[rest unchanged]",
            "[the rest stays as before]",
            "(the other sections remain as before)",
            "(the remaining content is unchanged)",
            "<!-- existing content stays the same -->",
            "// ... existing content ...",
            "…",
            "...",
            "[... previous content omitted ...]",
            "*(unchanged)*",
            "- … remaining entries as before",
        ] {
            assert!(holds("a\nb\nc\n", &format!("new\n{line}\n")), "{line:?} must be held");
        }
    }

    #[test]
    fn ordinary_sentences_are_not() {
        for line in [
            "The rest of the team is unchanged since March.",
            "Keep the existing content type header.",
            "Existing notes",
            "Wait... then retry.",
            "The API response stays the same for old clients",
            "## Previous sections",
            "Use `...args` for the rest.",
        ] {
            assert!(!holds("a\nb\nc\n", &format!("new\n{line}\n")), "{line:?} must pass");
        }
    }

    #[test]
    fn a_line_that_was_there_already_is_not_held() {
        assert!(!holds("a\n...\nb\n", "c\n...\nb\n"));
    }
}
