//! The frame around a pane or dialog, and what all of them need to fill it.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear};

use super::footer;
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::{Meaning, Theme};

/// Draws a frame with a title and returns what is inside. The focus shows in the line's weight, not only in its colour.
pub(super) fn frame(area: Rect, title: Line<'_>, focused: bool, theme: Theme, frame: &mut Frame<'_>) -> Rect {
    let (meaning, border) =
        if focused { (Meaning::FocusBorder, BorderType::Thick) } else { (Meaning::Border, BorderType::Plain) };
    let block = Block::bordered().border_type(border).border_style(theme.style(meaning)).title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// Clears an area and frames it as a dialog, with its own keys in the lower border.
pub(super) fn dialog(area: Rect, title: &str, state: &State, keys: Line<'static>, frame: &mut Frame<'_>) -> Rect {
    take_focus(frame);
    frame.render_widget(Clear, area);
    blank_cut_characters(area, frame);
    let title = format!(" {} ", fit(&visible(title), usize::from(area.width.saturating_sub(4))));
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(state.theme.style(Meaning::FocusBorder))
        .title(Line::styled(title, state.theme.style(Meaning::Heading)))
        .title_bottom(footer::fitting(keys, usize::from(area.width.saturating_sub(2))));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// On the cell where text is typed, from when its line is drawn until the frame is whole; never seen.
const TYPED: Modifier = Modifier::RAPID_BLINK;

/// Text is typed here, unless a dialog or another line of text is drawn after it.
pub(super) fn type_at(position: Position, frame: &mut Frame<'_>) {
    let buffer = frame.buffer_mut();
    buffer.content.iter_mut().for_each(|cell| cell.modifier.remove(TYPED));
    if let Some(cell) = buffer.cell_mut(position) {
        cell.modifier.insert(TYPED);
    }
}

/// The frame is whole: the terminal's cursor goes where text is typed.
pub(super) fn put_cursor(frame: &mut Frame<'_>) {
    let buffer = frame.buffer_mut();
    let Some(at) = buffer.content.iter().position(|cell| cell.modifier.contains(TYPED)) else { return };
    let (x, y) = buffer.pos_of(at);
    buffer.content.iter_mut().for_each(|cell| cell.modifier.remove(TYPED));
    frame.set_cursor_position(Position { x, y });
}

/// What is selected beneath a dialog no longer has the keys, and no longer looks so; nothing is typed there.
fn take_focus(frame: &mut Frame<'_>) {
    for cell in &mut frame.buffer_mut().content {
        cell.modifier.remove(TYPED);
        if cell.modifier.contains(Modifier::REVERSED) {
            cell.modifier.remove(Modifier::REVERSED);
            cell.modifier.insert(Modifier::UNDERLINED);
        }
    }
}

/// A wide character whose second column the dialog covers would push the border aside: its first column goes as well.
fn blank_cut_characters(area: Rect, frame: &mut Frame<'_>) {
    let Some(x) = area.x.checked_sub(1) else { return };
    let buffer = frame.buffer_mut();
    for y in area.top()..area.bottom() {
        if let Some(cell) = buffer.cell_mut((x, y))
            && width(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
}

/// A pane's title: ` Memories 37 · by need `, cut to the frame.
pub(super) fn title(text: &str, area: Rect, focused: bool, theme: Theme) -> Line<'static> {
    let room = usize::from(area.width.saturating_sub(2));
    let meaning = if focused { Meaning::Accent } else { Meaning::Text };
    Line::styled(fit(&format!(" {text} "), room).into_owned(), theme.style(meaning))
}

/// Words to choose from, in so many columns. The chosen one is told by its brackets, not only by how it looks.
pub(super) fn choices<'a>(
    words: impl Iterator<Item = &'a str>,
    chosen: Option<usize>,
    focused: bool,
    room: usize,
    state: &State,
) -> Vec<Span<'static>> {
    let words: Vec<&str> = words.collect();
    let all = words.iter().map(|word| width(word) + 3).sum::<usize>();
    // Where there is no room for all: the chosen one, and that there are others on either side.
    if let Some(word) = chosen.and_then(|at| words.get(at)).filter(|_| all > room + 1) {
        let meaning = if focused { Meaning::Selection } else { Meaning::SelectionIdle };
        let dim = state.theme.style(Meaning::Dim);
        return vec![
            Span::styled("‹ ", dim),
            Span::styled(format!("[{word}]"), state.theme.style(meaning)),
            Span::styled(" ›", dim),
        ];
    }
    let spans = words.into_iter().enumerate().flat_map(|(at, word)| {
        let (text, meaning) = match (chosen == Some(at), focused) {
            (true, true) => (format!("[{word}]"), Meaning::Selection),
            (true, false) => (format!("[{word}]"), Meaning::SelectionIdle),
            (false, _) => (format!(" {word} "), Meaning::Dim),
        };
        [Span::styled(text, state.theme.style(meaning)), Span::raw(" ")]
    });
    spans.collect()
}

/// The end of a text where all of it does not fit: the end of a path tells more than its beginning.
pub(super) fn tail(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut tail = String::new();
    for letter in text.chars().rev() {
        if width(&tail) + width(letter.encode_utf8(&mut [0; 4])) + 1 > room {
            break;
        }
        tail.insert(0, letter);
    }
    format!("…{tail}")
}

/// A row that is under the cursor: one style from edge to edge.
pub(super) fn selected_row(text: &str, width: u16, focused: bool, theme: Theme) -> Line<'static> {
    let meaning = if focused { Meaning::Selection } else { Meaning::SelectionIdle };
    Line::from(Span::styled(fit_padded(text, usize::from(width)), theme.style(meaning)))
}

/// Lines of running text, wrapped and escaped, from the top of an area.
pub(super) fn text(text: &str, meaning: Meaning, area: Rect, theme: Theme, frame: &mut Frame<'_>) {
    for (line, row) in wrap(text, usize::from(area.width)).into_iter().zip(area.rows()) {
        frame.render_widget(Line::styled(line, theme.style(meaning)), row);
    }
}
