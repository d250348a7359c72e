//! A cursor in a list and the window around it. Counts are `usize`: a list may be longer than any terminal.

use std::ops::Range;

/// A cursor and the first row shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListState {
    /// The row under the cursor.
    pub selected: usize,
    /// The first row shown, before the cursor is brought into the window.
    pub offset: usize,
}

impl ListState {
    /// The rows to show in `height` lines: the stored window, moved as little as the cursor asks for.
    #[must_use]
    pub fn window(&self, length: usize, height: usize) -> Range<usize> {
        if height == 0 || length == 0 {
            return 0..0;
        }
        let selected = self.selected.min(length - 1);
        let latest = length.saturating_sub(height);
        let offset = self.offset.min(selected).max((selected + 1).saturating_sub(height)).min(latest);
        offset..(offset + height).min(length)
    }

    /// Brings cursor and window into a list of this length.
    pub fn settle(&mut self, length: usize, height: usize) {
        self.selected = self.selected.min(length.saturating_sub(1));
        self.offset = self.window(length, height).start;
    }

    /// Moves the cursor, stopping at both ends.
    pub fn move_by(&mut self, rows: isize, length: usize, height: usize) {
        self.selected = self.selected.saturating_add_signed(rows).min(length.saturating_sub(1));
        self.settle(length, height);
    }

    /// Moves the window under the cursor, as a wheel does; the cursor stays inside.
    pub fn scroll_by(&mut self, rows: isize, length: usize, height: usize) {
        let latest = length.saturating_sub(height);
        self.offset = self.offset.saturating_add_signed(rows).min(latest);
        let last = (self.offset + height).min(length).saturating_sub(1);
        self.selected = self.selected.clamp(self.offset.min(last), last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_moves_only_as_far_as_the_cursor_asks_for() {
        let mut list = ListState::default();
        list.move_by(4, 10, 5);
        assert_eq!(list.window(10, 5), 0..5);
        list.move_by(1, 10, 5);
        assert_eq!(list.window(10, 5), 1..6);
        list.move_by(-1, 10, 5);
        assert_eq!(list.window(10, 5), 1..6, "moving back inside the window does not scroll");
        list.move_by(isize::MAX, 10, 5);
        assert_eq!((list.selected, list.window(10, 5)), (9, 5..10));
        list.move_by(isize::MIN, 10, 5);
        assert_eq!((list.selected, list.window(10, 5)), (0, 0..5));
    }

    #[test]
    fn a_list_that_shrank_and_a_window_without_height_show_what_there_is() {
        let mut list = ListState { selected: 90, offset: 80 };
        assert_eq!(list.window(3, 5), 0..3);
        list.settle(3, 5);
        assert_eq!(list, ListState { selected: 2, offset: 0 });
        assert_eq!(list.window(3, 0), 0..0);
        list.settle(0, 5);
        assert_eq!(list, ListState::default());
    }

    #[test]
    fn a_wheel_moves_the_window_and_takes_the_cursor_along_only_at_its_edge() {
        let mut list = ListState { selected: 2, offset: 0 };
        list.scroll_by(1, 100, 10);
        assert_eq!(list, ListState { selected: 2, offset: 1 });
        list.scroll_by(3, 100, 10);
        assert_eq!(list, ListState { selected: 4, offset: 4 });
        list.scroll_by(1000, 100, 10);
        assert_eq!(list.offset, 90);
        list.scroll_by(1, 0, 10);
        assert_eq!(list, ListState::default());
    }
}
