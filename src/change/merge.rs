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

/// Both changes of the same base in one text: where they touch the same lines, those of `wins` count.
#[must_use]
pub fn favouring(base: &[u8], wins: &[u8], other: &[u8]) -> Vec<u8> {
    combined(base, wins, other, &|_, _| false)
}

/// Both changes of the same base in one text: where they touch the same lines, those of both, each once.
#[must_use]
pub fn both_lines(base: &[u8], first: &[u8], then: &[u8]) -> Vec<u8> {
    combined(base, first, then, &|before, line| !before.contains(&line))
}

/// Whether a line of the side that loses stays, given those of the one that wins.
type Stays = dyn Fn(&[&[u8]], &[u8]) -> bool;

/// Both changes of the same base in one text: where they touch the same lines, those of `wins`, and those of `other` for which
/// `stays` says so, given the lines of `wins` there.
fn combined(base: &[u8], wins: &[u8], other: &[u8], stays: &Stays) -> Vec<u8> {
    // Every line whole, so that marks stand on lines of their own, and marks longer than anything in the texts.
    let whole = |text: &[u8]| {
        let end: &[u8] = if text.is_empty() || text.ends_with(b"\n") { b"" } else { b"\n" };
        [text, end].concat()
    };
    let texts = [base, wins, other].map(whole);
    let longest = texts.iter().flat_map(|text| text.chunk_by(|one, next| one == next)).map(<[u8]>::len).max();
    let length = longest.unwrap_or_default() + 7;
    let mut options = diffy::MergeOptions::new();
    options.set_conflict_marker_length(length).set_conflict_style(diffy::ConflictStyle::Merge);
    let [base, ours, theirs] = &texts;
    let mut text = match options.merge_bytes(base, ours, theirs) {
        Ok(merged) => merged,
        Err(marked) => {
            let mark = |line: &[u8]| {
                line.chunk_by(|one, next| one == next).next().filter(|run| run.len() >= length)?.first().copied()
            };
            let mut is_other = false;
            let mut winning: Vec<&[u8]> = Vec::new();
            let mut text = Vec::with_capacity(marked.len());
            for line in marked.split_inclusive(|byte| *byte == b'\n') {
                match mark(line) {
                    Some(sign) => {
                        is_other = sign == b'=';
                        if !is_other {
                            winning.clear();
                        }
                    }
                    None if is_other && !stays(&winning, line) => {}
                    None => {
                        text.extend_from_slice(line);
                        winning.push(line);
                    }
                }
            }
            text
        }
    };
    if !wins.ends_with(b"\n") && text.ends_with(b"\n") {
        text.pop();
    }
    text
}

/// Two versions in one text with marks around the lines in which they differ; without any where they do not. `None`: one of
/// them is no text.
#[must_use]
pub fn marked(base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<String> {
    match three_way(base, ours, theirs) {
        Merge::Clean(merged) => String::from_utf8(merged).ok(),
        Merge::Conflict(marked) => marked,
    }
}

/// The marks of [`marked`], and what they are in a review: there it is no matter whose a version is, but where it is.
const NAMED: [(&str, &str); 2] =
    [("<<<<<<< ours", "<<<<<<< waits in the inbox"), (">>>>>>> theirs", ">>>>>>> in the file")];

/// A text of [`marked`], where what waits in the inbox was brought together with what is in the file.
#[must_use]
pub fn named_in_review(marked: &str) -> String {
    let named = |line: &str| {
        let known = NAMED.iter().find(|(mark, _)| line.trim_end() == *mark);
        known.map_or_else(|| line.to_owned(), |(mark, name)| line.replacen(mark, name, 1))
    };
    marked.split_inclusive('\n').map(named).collect()
}

/// Whether a line is one of the marks of [`marked`] or [`named_in_review`].
#[must_use]
pub fn is_mark(line: &str) -> bool {
    let line = line.trim_end();
    line == "||||||| original" || NAMED.iter().any(|(mark, name)| line == *mark || line == *name)
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
    fn where_lines_meet_one_side_wins_and_the_others_other_lines_stay() {
        let base = b"1\n2\n3\n4\n5\n6\n7\n8\n";
        let (ours, theirs) = (b"1\nOURS\n3\n4\n5\n6\n7\n8\n", b"1\nTHEIRS\n3\n4\n5\n6\n=======\n8\n");
        assert_eq!(favouring(base, ours, theirs), b"1\nOURS\n3\n4\n5\n6\n=======\n8\n");
        assert_eq!(favouring(base, theirs, ours), theirs);
        assert_eq!(favouring(b"", b"mine", b"yours\n"), b"mine");
        assert_eq!(favouring(b"a", b"mine", b"yours"), b"mine");
        assert_eq!(favouring(b"a\n", b"", b"yours\n"), b"");
        assert_eq!(both_lines(base, ours, theirs), b"1\nOURS\nTHEIRS\n3\n4\n5\n6\n=======\n8\n");
        assert_eq!(both_lines(b"a\n", b"b\nc\n", b"c\nd\n"), b"b\nc\nd\n");
    }

    #[test]
    fn the_same_change_twice_is_no_conflict() {
        assert_eq!(three_way(b"a\nb\n", b"a\nc\n", b"a\nc\n"), Merge::Clean(b"a\nc\n".to_vec()));
    }
}
