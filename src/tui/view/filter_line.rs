//! The line of a filter in a lower border: typed in while it is edited, shown as long as it holds. The same for all lists.
//!
//! Not its job: what the words mean.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Paragraph};

use super::{footer, pane};
use crate::text::{fit, visible, width};
use crate::tui::state::{ListFilter, State, TextLine};
use crate::tui::theme::Meaning;

/// What a list says of which no row has the words.
pub(super) const NONE: &str = "Nothing here has all these words.";

/// Draws a line that begins with the sign of a filter, as much of it as there is room for. While it is typed the cursor
/// stays in sight: what is left of a line that is too long goes.
pub(super) fn put(line: Line<'static>, typed: Option<&TextLine>, place: Rect, frame: &mut Frame<'_>) {
    let room = usize::from(place.width.saturating_sub(2));
    let column = 2 + typed.map_or(0, |line| width(&visible(line.before())));
    let hidden = if typed.is_some() { column.saturating_sub(room) } else { 0 };
    let shown = Rect {
        width: u16::try_from(line.width().saturating_sub(hidden)).unwrap_or(u16::MAX).min(place.width),
        ..place
    };
    let scroll = u16::try_from(hidden).unwrap_or(u16::MAX);
    frame.render_widget(Paragraph::new(line).scroll((0, scroll)), shown);
    if typed.is_some() {
        let x = place.x.saturating_add(u16::try_from(column - hidden).unwrap_or(0));
        pane::type_at(Position { x, y: place.y }, frame);
    }
}

/// A dialog with a list that can be filtered: `shown` of `all` its rows are. `keys` gives its keys for so many columns; while
/// there is a filter, ` /deploy  2/7 ` stands before them.
pub(super) fn dialog(
    area: Rect,
    title: &str,
    filter: &ListFilter,
    (shown, all): (usize, usize),
    state: &State,
    keys: &dyn Fn(u16) -> Line<'static>,
    frame: &mut Frame<'_>,
) -> Rect {
    if filter.typed().is_none() && !filter.is_on() || area.height < 2 || area.width < 6 {
        return pane::dialog(area, title, state, keys(area.width), frame);
    }
    let inner = pane::dialog(area, title, state, Line::default(), frame);
    let theme = state.theme;
    let counted = format!(" {shown}/{all} ");
    let border = Rect { x: area.x + 1, y: area.bottom() - 1, width: area.width - 2, height: 1 };
    let count_room = columns(&counted).min(border.width / 2);
    let words = visible(filter.text()).into_owned();
    let place = Rect { width: columns(&words).saturating_add(4).min(border.width - count_room), ..border };
    let room = usize::from(place.width.saturating_sub(3));
    let words = if filter.typed().is_some() { words } else { fit(&words, room).into_owned() };
    put(Line::styled(format!(" /{words} "), theme.style(Meaning::Key)), filter.typed(), place, frame);
    let counted = fit(&counted, usize::from(count_room)).into_owned();
    let beside = Rect { x: place.right(), width: count_room, ..border };
    frame.render_widget(Line::styled(counted, theme.style(Meaning::Dim)), beside);
    let left = Rect { x: beside.right(), width: border.right().saturating_sub(beside.right()), ..border };
    let keys = match filter.typed() {
        Some(_) => footer::fitting(footer::of(&[("Enter", "keep"), ("Esc", "drop")], state), left.width.into()),
        None => footer::fitting(keys(left.width.saturating_add(2)), left.width.into()),
    };
    let wide = u16::try_from(keys.width()).unwrap_or(u16::MAX);
    // Half a key says nothing.
    if wide <= left.width {
        frame.render_widget(keys, Rect { x: left.right() - wide, width: wide, ..left });
    }
    inner
}

fn columns(text: &str) -> u16 {
    u16::try_from(width(text)).unwrap_or(u16::MAX)
}

/// Draws the line for words that have nothing to filter, over the bottom line.
pub(super) fn stray(line: &TextLine, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let place = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    frame.render_widget(Clear, place);
    let says = " Nothing to filter here · Esc ";
    let half = (place.width / 2).max(place.width.saturating_sub(columns(says)));
    let words = Rect { width: half, ..place };
    let text = format!(" /{} ", visible(line.text()));
    put(Line::styled(text, state.theme.style(Meaning::Key)), Some(line), words, frame);
    let note = Rect { x: words.right(), width: place.width - half, ..place };
    let says = fit(says, usize::from(note.width)).into_owned();
    frame.render_widget(Line::styled(says, state.theme.style(Meaning::Warn)), note);
}
