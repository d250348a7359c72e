//! The rows of the index pane: the lines of the index, and the cut as a row of its own.

use crate::memory::Index;

/// A row of the index pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexRow {
    /// The line of this number, from 0.
    Line(usize),
    /// Where a session stops reading.
    Cut,
}

/// How many rows an index takes.
#[must_use]
pub fn index_rows(index: &Index) -> usize {
    index.lines.len() + usize::from(first_cut(index).is_some())
}

/// What stands in a row.
#[must_use]
pub fn index_row(index: &Index, row: usize) -> IndexRow {
    match first_cut(index) {
        Some(cut) if row == cut => IndexRow::Cut,
        Some(cut) if row > cut => IndexRow::Line(row - 1),
        _ => IndexRow::Line(row),
    }
}

fn first_cut(index: &Index) -> Option<usize> {
    index.lines.iter().position(|line| line.loaded == Some(false))
}
