//! What a person wrote into the index between its entries: nothing automatic takes it out.

use std::collections::BTreeSet;

use similar::DiffOp;

use crate::change::IndexChange;
use crate::difference;
use crate::memory::Index;

/// The edit with hand-written lines that it only takes away left standing, and the blank lines around them. A line that is
/// put in other words stays so, one for one, where the edit `may_reword`. A heading goes only with all that its section held, when that were entries.
pub(super) fn kept(change: IndexChange, may_reword: bool) -> IndexChange {
    let (base, content) = (Index::read(change.base.clone()), Index::read(change.content.clone()));
    let (old, new) = (lines(&change.base), lines(&change.content));
    let mut bytes: Vec<u8> = Vec::with_capacity(change.content.len());
    for op in difference::between(&old, &new) {
        let mut fresh: Vec<&[u8]> =
            op.new_range().filter(|at| is_prose(&content, &new, *at)).filter_map(|at| new.get(at).copied()).collect();
        let stays: Vec<usize> = match op {
            DiffOp::Equal { .. } => Vec::new(),
            _ => op
                .old_range()
                .filter(|at| is_prose(&base, &old, *at) && !is_emptied(&base, &content, &old, *at))
                .filter(|at| {
                    old.get(*at)
                        .is_some_and(|line| !(stands(line, &new) || may_reword && take_reworded(line, &mut fresh)))
                })
                .collect(),
        };
        let is_beside = |at: usize| stays.iter().any(|stay| stay.abs_diff(at) == 1);
        let mut has_kept_blank = false;
        for at in op.old_range() {
            let line = old.get(at).copied().unwrap_or_default();
            let is_blank = line.trim_ascii().is_empty();
            let has_blank = bytes.is_empty() || bytes.ends_with(b"\n\n") || bytes.ends_with(b"\r\n\r\n");
            if stays.contains(&at) || (is_blank && is_beside(at) && !has_blank) {
                bytes.extend_from_slice(line);
                if !line.ends_with(b"\n") {
                    bytes.push(b'\n');
                }
                has_kept_blank = is_blank;
            }
        }
        let written = new.get(op.new_range()).unwrap_or_default();
        let is_doubled = has_kept_blank && written.first().is_some_and(|line| line.trim_ascii().is_empty());
        for line in written.iter().skip(usize::from(is_doubled)) {
            bytes.extend_from_slice(line);
        }
    }
    IndexChange { base: change.base, content: bytes }
}

/// Whether a line stands in a text, at whatever place.
fn stands(line: &[u8], lines: &[&[u8]]) -> bool {
    lines.iter().any(|other| other.trim_ascii() == line.trim_ascii())
}

/// Whether one of the new lines is the old one in other words; each new one answers for one old one.
fn take_reworded(line: &[u8], fresh: &mut Vec<&[u8]>) -> bool {
    let is_heading = |line: &[u8]| line.trim_ascii().starts_with(b"#");
    let words = |line: &[u8]| -> BTreeSet<String> {
        let text = String::from_utf8_lossy(line).to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let old = words(line);
    let found = fresh.iter().position(|other| {
        is_heading(other) == is_heading(line) && words(other).intersection(&old).count() * 2 >= old.len().max(1)
    });
    found.map(|at| fresh.swap_remove(at)).is_some()
}

/// Whether a line is the heading of a section that held entries and nothing else, none of which the index has any more: it
/// goes with them.
fn is_emptied(base: &Index, content: &Index, lines: &[&[u8]], at: usize) -> bool {
    let heading = |at: usize| lines.get(at).is_some_and(|line| line.trim_ascii().starts_with(b"##"));
    if !heading(at) {
        return false;
    }
    let end = (at + 1..lines.len()).find(|at| heading(*at)).unwrap_or(lines.len());
    let held: Vec<&str> = base
        .entries()
        .filter(|(line, ..)| (at + 2..=end).contains(line))
        .map(|(_, entry, _)| entry.target.as_str())
        .collect();
    let has_words = (at + 1..end).any(|at| is_prose(base, lines, at));
    let is_there = |target: &str| content.entries().any(|(_, entry, _)| entry.target == target);
    !held.is_empty() && !has_words && !held.iter().any(|target| is_there(target))
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Whether a line says something by itself: no entry, not blank.
fn is_prose(index: &Index, lines: &[&[u8]], at: usize) -> bool {
    let text = lines.get(at).copied().unwrap_or_default().trim_ascii();
    !text.is_empty() && !index.entries().any(|(line, _, _)| line == at + 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn after(base: &str, content: &str) -> String {
        let change = IndexChange { base: base.as_bytes().to_vec(), content: content.as_bytes().to_vec() };
        String::from_utf8(kept(change, true).content).unwrap()
    }

    #[test]
    fn a_line_that_only_goes_stays_and_entries_and_emptied_sections_go() {
        let base = "# Index\n\nAsk Ann first.\n\n## Old\n- [a](a.md)\n- [b](b.md)\n";
        assert_eq!(
            after(base, "# Index\n\n## Old\n- [b](b.md)\n"),
            "# Index\n\nAsk Ann first.\n\n## Old\n- [b](b.md)\n"
        );
        assert_eq!(after(base, ""), "# Index\n\nAsk Ann first.\n\n");
    }

    #[test]
    fn headings_of_a_person_and_the_blank_lines_around_them_stay() {
        let base =
            "# Index\n\n## Build\n\n- [a](a.md)\n\n## Notes of mine\n\nAsk Ann first.\nAsk Ben then.\n\n## Empty\n";
        let without: String = base.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
        assert_eq!(after(base, &without), base);
        let whole = after(base, "- [a](a.md)\n- [b](b.md)\n");
        for line in base.lines() {
            assert!(whole.lines().any(|other| other == line), "{line:?}: {whole}");
        }
        assert!(whole.contains("\n\n## Notes of mine\n\nAsk Ann first.\nAsk Ben then.\n\n## Empty\n"), "{whole}");
        let one = after(base, &base.replace("Ask Ann first.\nAsk Ben then.\n", "Ask Ann.\n"));
        assert!(one.contains("Ask Ann.") && !one.contains("Ask Ann first.") && one.contains("Ask Ben then."), "{one}");
    }

    #[test]
    fn a_line_in_other_words_or_at_another_place_is_not_doubled() {
        assert_eq!(after("Ask Ann first.\n- [a](a.md)\n", "Ask Ann.\n- [a](a.md)\n"), "Ask Ann.\n- [a](a.md)\n");
        let moved = "- [a](a.md)\nAsk Ann first.\n";
        assert_eq!(after("Ask Ann first.\n- [a](a.md)\n", moved), moved);
    }
}
