//! Where the terminal's own cursor stands while nothing is typed: at the row that is selected, or in the dialog on top.
//!
//! Screen readers, braille displays and magnifiers follow the cursor and know nothing of colours. Usually it is hidden and
//! stands there all the same; `cursor: shown` shows it for those that only follow what they see. Text that is typed has its
//! cursor from the view. Not its job: what is selected; it is read off the frame, so that no widget has to think of it.

use std::cell::Cell;
use std::io::{self, Write};
use std::rc::Rc;

use crossterm::{cursor, queue};
use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{self, Buffer};
use ratatui::layout::{Position, Size};
use ratatui::style::Modifier;

/// The first cell that is selected; without one the inside of the dialog on top, or of the pane that has the focus.
pub(super) fn of(buffer: &Buffer) -> Option<Position> {
    let at = |is_it: &dyn Fn(&buffer::Cell) -> bool| buffer.content.iter().position(is_it);
    if let Some(at) = at(&|cell| cell.modifier.contains(Modifier::REVERSED)) {
        let (x, y) = buffer.pos_of(at);
        return Some(Position { x, y });
    }
    // A dialog over another begins below it.
    let corner =
        buffer.content.iter().rposition(|cell| cell.symbol() == "╭").or_else(|| at(&|cell| cell.symbol() == "┏"));
    let (x, y) = buffer.pos_of(corner?);
    let inside = Position { x: x + 1, y: y + 1 };
    buffer.area.contains(inside).then_some(inside)
}

/// The backend, which puts the cursor where it belongs when the view asks for none. A frame is one piece: nothing here
/// flushes but [`Backend::flush`], and a frame in which nothing differs from the last one writes nothing at all.
pub(super) struct WithCaret<W: Write> {
    inner: CrosstermBackend<W>,
    caret: Rc<Caret>,
    /// How the cursor was left; `None`: nobody knows.
    left: Option<Left>,
}

/// How a frame leaves the cursor.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Left {
    is_shown: bool,
    /// Where; `None`: wherever the last cell that was drawn left it.
    at: Option<Position>,
}

/// Where the cursor stands in the frame that is being drawn when the view asks for none, and whether it is seen there.
#[derive(Debug, Default)]
pub(super) struct Caret {
    /// Where; `None`: nowhere in particular.
    pub(super) at: Cell<Option<Position>>,
    /// Whether it is seen.
    pub(super) is_shown: Cell<bool>,
}

impl<W: Write> WithCaret<W> {
    /// A backend that writes to `writer`.
    pub(super) const fn new(writer: W, caret: Rc<Caret>) -> Self {
        Self { inner: CrosstermBackend::new(writer), caret, left: None }
    }

    /// Leaves the cursor so, if it is not so already.
    fn leave(&mut self, left: Left) -> io::Result<()> {
        if self.left == Some(left) {
            return Ok(());
        }
        self.left = Some(left);
        let moved =
            |out: &mut CrosstermBackend<W>| left.at.map_or(Ok(()), |at| queue!(out, cursor::MoveTo(at.x, at.y)));
        if left.is_shown {
            moved(&mut self.inner)?;
            queue!(self.inner, cursor::Show)
        } else {
            queue!(self.inner, cursor::Hide)?;
            moved(&mut self.inner)
        }
    }
}

impl<W: Write> Backend for WithCaret<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a buffer::Cell)>,
    {
        let mut content = content.peekable();
        if content.peek().is_none() {
            return Ok(());
        }
        self.left = None;
        self.inner.draw(content)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        let at = self.caret.at.get();
        self.leave(Left { is_shown: at.is_some() && self.caret.is_shown.get(), at })
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        let at = self.left.and_then(|left| left.at);
        self.leave(Left { is_shown: true, at })
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        let is_shown = self.left.is_some_and(|left| left.is_shown);
        self.leave(Left { is_shown, at: Some(position.into()) })
    }

    fn clear(&mut self) -> io::Result<()> {
        self.left = None;
        self.inner.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.left = None;
        self.inner.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture::{four, press, state};
    use crate::tui::view;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// Where the cursor stands after these keys, and the text from there on.
    fn after(keys: &[&str]) -> (Option<Position>, String) {
        let mut state = state(120, 40, four());
        press(&mut state, keys);
        let mut terminal = Terminal::new(TestBackend::new(120, 40)).unwrap_or_else(|never| match never {});
        let _ = terminal.draw(|frame| view::draw(&state, frame));
        let drawn = terminal.backend().buffer();
        let caret = of(drawn);
        let text = caret.map(|at| {
            let row = (at.x..120).filter_map(|x| drawn.cell((x, at.y))).map(buffer::Cell::symbol);
            row.collect::<String>()
        });
        (caret, text.unwrap_or_default())
    }

    #[test]
    fn the_cursor_stands_at_the_selected_row_of_the_pane_that_has_the_focus() {
        let (first, text) = after(&[]);
        assert!(text.starts_with("▸● project   merge freeze"), "{text}");
        let (second, text) = after(&["j"]);
        assert!(text.contains("backend role"), "{text}");
        assert_eq!(second.map(|at| at.y), first.map(|at| at.y + 1));
    }

    #[test]
    fn over_a_list_it_stands_in_the_dialog_on_top_and_not_in_what_is_beneath() {
        let (_, text) = after(&[":", "j"]);
        assert!(text.trim_start().starts_with("merge") || text.contains("Enter") || !text.contains("▸"), "{text}");
        let (_, text) = after(&["d"]);
        assert!(text.contains("project_freeze.md"), "{text}");
        let (_, text) = after(&["?"]);
        assert!(text.contains("On the dashboard"), "{text}");
        let (_, text) = after(&["tab"]);
        assert!(!text.contains("▸"), "the preview has the focus: {text}");
    }
}
