//! What a person wrote into the index between its entries: nothing automatic takes it out.

use similar::DiffOp;

use crate::change::IndexChange;
use crate::difference;
use crate::memory::Index;

/// The edit with hand-written lines that it only takes away left standing. A line that is put in other words stays so.
pub(super) fn kept(change: IndexChange) -> IndexChange {
    let (base, content) = (Index::read(change.base.clone()), Index::read(change.content.clone()));
    let (old, new) = (lines(&change.base), lines(&change.content));
    let mut bytes = Vec::with_capacity(change.content.len());
    for op in difference::between(&old, &new) {
        let is_reworded = op.new_range().any(|at| is_prose(&content, &new, at));
        if !matches!(op, DiffOp::Equal { .. }) && !is_reworded {
            for at in op.old_range().filter(|at| is_prose(&base, &old, *at)) {
                let line = old.get(at).copied().unwrap_or_default();
                if !new.iter().any(|other| other.trim_ascii() == line.trim_ascii()) {
                    bytes.extend_from_slice(line);
                    if !line.ends_with(b"\n") {
                        bytes.push(b'\n');
                    }
                }
            }
        }
        for line in new.get(op.new_range()).unwrap_or_default() {
            bytes.extend_from_slice(line);
        }
    }
    IndexChange { base: change.base, content: bytes }
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Whether a line says something by itself: no entry, no heading of a section, not blank.
fn is_prose(index: &Index, lines: &[&[u8]], at: usize) -> bool {
    let text = lines.get(at).copied().unwrap_or_default().trim_ascii();
    !text.is_empty() && !text.starts_with(b"##") && !index.entries().any(|(line, _, _)| line == at + 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn after(base: &str, content: &str) -> String {
        let change = IndexChange { base: base.as_bytes().to_vec(), content: content.as_bytes().to_vec() };
        String::from_utf8(kept(change).content).unwrap()
    }

    #[test]
    fn a_line_that_only_goes_stays_and_entries_and_sections_go() {
        let base = "# Index\n\nAsk Ann first.\n\n## Old\n- [a](a.md)\n- [b](b.md)\n";
        assert_eq!(after(base, "# Index\n\n- [b](b.md)\n"), "# Index\n\nAsk Ann first.\n- [b](b.md)\n");
        assert_eq!(after(base, ""), "# Index\nAsk Ann first.\n");
    }

    #[test]
    fn a_line_in_other_words_or_at_another_place_is_not_doubled() {
        assert_eq!(after("Ask Ann first.\n- [a](a.md)\n", "Ask Ann.\n- [a](a.md)\n"), "Ask Ann.\n- [a](a.md)\n");
        let moved = "- [a](a.md)\nAsk Ann first.\n";
        assert_eq!(after("Ask Ann first.\n- [a](a.md)\n", moved), moved);
    }
}
