//! Three-way merges of one file, line by line.

/// How two changes of the same base fit together.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Merge {
    /// Both are in the result.
    Clean(Vec<u8>),
    /// They touch the same lines. Text with both versions between markers, when it is text.
    Conflict(Option<String>),
}

/// Both changes of the same base in one text; `None`: they touch the same lines.
#[must_use]
pub fn merged(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    match three_way(base, ours, theirs) {
        Merge::Clean(merged) => Some(merged),
        Merge::Conflict(_) => None,
    }
}

/// Merges what we want and what is on disk, both made from `base`.
pub(super) fn three_way(base: &[u8], ours: &[u8], theirs: &[u8]) -> Merge {
    match diffy::merge_bytes(base, ours, theirs) {
        Ok(merged) => Merge::Clean(merged),
        Err(marked) => Merge::Conflict(String::from_utf8(marked).ok()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]

    use super::*;

    const BASE: &[u8] = b"1\r\n2\n3\n4\n5\n6\n7\n8\n9\n10";

    #[test]
    fn changes_apart_are_both_kept_with_their_line_endings() {
        let ours = b"1\r\n2\n3\n4\n5\n6\n7\n8\nNINE\n10";
        let theirs = b"1\r\n2\nTHREE\n4\n5\n6\n7\n8\n9\n10";
        let both = b"1\r\n2\nTHREE\n4\n5\n6\n7\n8\nNINE\n10";
        assert_eq!(three_way(BASE, ours, theirs), Merge::Clean(both.to_vec()));
    }

    #[test]
    fn changes_of_the_same_line_conflict_and_show_both() {
        let Merge::Conflict(Some(text)) = three_way(b"a\nb\nc\n", b"a\nours\nc\n", b"a\ntheirs\nc\n") else {
            panic!("must conflict")
        };
        assert!(text.contains("ours") && text.contains("theirs") && text.contains("<<<<<<<"));
    }

    #[test]
    fn the_same_change_twice_is_no_conflict() {
        assert_eq!(three_way(b"a\nb\n", b"a\nc\n", b"a\nc\n"), Merge::Clean(b"a\nc\n".to_vec()));
    }
}
