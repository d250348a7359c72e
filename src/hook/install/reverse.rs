//! Taking an insertion back out of a text that was edited since, so that the edit and nothing else remains.
//!
//! Not its job: whether what comes of it is good (see [`super::record`]).

use std::time::Duration;

use similar::{ChangeTag, TextDiff, TextDiffConfig};

/// After this time a comparison is as good as it is: texts that have little in common are no edits of each other.
const PATIENCE: Duration = Duration::from_secs(1);

/// `now` came from `left` by somebody's edits, and `left` from `before` by insertions: the text with the edits and without
/// the insertions. `None`: more than insertions made `left`, or an edit lies within one of them.
pub(super) fn of(before: &str, left: &str, now: &str) -> Option<String> {
    let mut inserted: Vec<bool> = Vec::new();
    for change in compared().diff_chars(before, left).iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => inserted.push(false),
            ChangeTag::Insert => inserted.push(true),
            ChangeTag::Delete => return None,
        }
    }
    let is_inserted = |at: usize| inserted.get(at).copied().unwrap_or(false);
    let mut out = String::new();
    let mut at = 0;
    for change in compared().diff_chars(left, now).iter_all_changes() {
        match change.tag() {
            ChangeTag::Equal => {
                if !is_inserted(at) {
                    out.push_str(change.value());
                }
                at += 1;
            }
            ChangeTag::Delete if is_inserted(at) => return None,
            ChangeTag::Delete => at += 1,
            ChangeTag::Insert if at > 0 && is_inserted(at - 1) && is_inserted(at) => return None,
            ChangeTag::Insert => out.push_str(change.value()),
        }
    }
    Some(out)
}

fn compared() -> TextDiffConfig {
    let mut comparison = TextDiff::configure();
    comparison.timeout(PATIENCE);
    comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_stays_and_an_insertion_goes_unless_the_edit_is_in_it() {
        assert_eq!(of("ab", "aXXXb", "aXXXb"), Some("ab".to_owned()));
        assert_eq!(of("ab", "aXXXb", "aXXXcb"), Some("acb".to_owned()));
        assert_eq!(of("ab", "aXXXb", "zaXXX"), Some("za".to_owned()));
        for edited in ["aXyXXb", "aXXb", "ab"] {
            assert_eq!(of("ab", "aXXXb", edited), None, "{edited}");
        }
        assert_eq!(of("ab", "bXXX", "bXXX"), None);
    }
}
