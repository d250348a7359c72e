//! Rows whose width terminals do not agree on: clusters of several characters (Devanagari, emoji that are joined).
//!
//! A terminal that gives such a cluster more or fewer columns than we do shows the rest of its row shifted, and keeps it when
//! only the cells that differ are written. Not its job: drawing.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use ratatui::buffer::Buffer;

/// The rows of a frame with such a cluster, each with a hash of all it shows.
pub(super) fn rows(buffer: &Buffer) -> BTreeMap<u16, u64> {
    let width = usize::from(buffer.area.width).max(1);
    let rows = (buffer.area.y..).zip(buffer.content.chunks(width));
    let doubtful = rows.filter(|(_, row)| row.iter().any(|cell| is_doubtful(cell.symbol())));
    doubtful.map(|(y, row)| (y, hash(row.iter().map(ratatui::buffer::Cell::symbol)))).collect()
}

/// Whether a row that was such shows something else now.
pub(super) fn leave_debris(before: &BTreeMap<u16, u64>, after: &BTreeMap<u16, u64>) -> bool {
    before.iter().any(|(row, shown)| after.get(row) != Some(shown))
}

/// Accents over a letter take no column anywhere.
fn is_doubtful(symbol: &str) -> bool {
    symbol.len() > 1 && symbol.chars().skip(1).any(|character| !('\u{300}'..='\u{36F}').contains(&character))
}

fn hash<'a>(symbols: impl Iterator<Item = &'a str>) -> u64 {
    let mut hasher = DefaultHasher::new();
    symbols.for_each(|symbol| symbol.hash(&mut hasher));
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_row_with_joined_characters_that_changes_leaves_something_behind() {
        let plain = rows(&Buffer::with_lines(["plain", "e\u{301}t\u{e9} 上海"]));
        assert_eq!(plain, BTreeMap::new());
        let joined = rows(&Buffer::with_lines(["plain", "नमस्ते x"]));
        assert_eq!(joined.keys().copied().collect::<Vec<_>>(), [1]);
        assert!(!leave_debris(&plain, &joined), "what comes has left nothing yet");
        assert!(!leave_debris(&joined, &rows(&Buffer::with_lines(["other", "नमस्ते x"]))));
        assert!(leave_debris(&joined, &rows(&Buffer::with_lines(["plain", "नमस्ते y"]))));
        assert!(leave_debris(&joined, &plain));
    }
}
