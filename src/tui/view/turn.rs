//! How a session looks, or a file: what was said around a turn.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::marks::{self, Look};
use super::{footer, pane};
use crate::memory::names::is_markdown;
use crate::text::{brief, count, fit, visible, width};
use crate::tui::layer::turn::{Speaker, Stretch, Turn, ViewRow};
use crate::tui::layout;
use crate::tui::page::found_in;
use crate::tui::state::State;
use crate::tui::theme::{Meaning, Theme};

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Turn, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let inner = pane::dialog(area, &title(layer), state, footer::keys(state, area.width), frame);
    let stretch = match &layer.stretch {
        None => return pane::text("reading…", Meaning::Dim, inner, state.theme, frame),
        Some(Err(error)) => return pane::text(error, Meaning::Bad, inner, state.theme, frame),
        Some(Ok(stretch)) => stretch,
    };
    let has_line = layer.has_line();
    let body = Rect { height: inner.height.saturating_sub(u16::from(has_line)), ..inner };
    for ((number, row), place) in layer.rows.iter().enumerate().skip(layer.scroll).zip(body.rows()) {
        let is_cursor = number == layer.cursor;
        frame.render_widget(
            line(row, stretch, layer.looked_for(), is_cursor, usize::from(place.width), state.theme),
            place,
        );
    }
    if has_line && let Some(place) = inner.rows().next_back() {
        last_line(layer, stretch, place, state, frame);
    }
}

/// Where the row under the cursor begins, when it is in sight: its sign sets it off, not a bar from edge to edge.
pub(super) fn caret(layer: &Turn, area: Rect) -> Option<Position> {
    layer.read()?;
    let inner = layout::inside(layout::large(area));
    let height = usize::from(inner.height.saturating_sub(u16::from(layer.has_line())));
    let row = layer.cursor.checked_sub(layer.scroll).filter(|row| *row < height && *row < layer.rows.len())?;
    Some(Position { x: inner.x, y: inner.y + u16::try_from(row).ok()? })
}

/// `acme-api · session 3f2a51c0 · 12 Nov 2026 · line 120 of 3400`.
fn title(layer: &Turn) -> String {
    let question = &layer.question;
    let Some(stretch) = layer.read() else {
        return if is_markdown(&question.session) {
            question.session.clone()
        } else {
            format!("Session {}", brief(&question.session))
        };
    };
    let line = layer.rows.get(layer.cursor).map_or(stretch.wanted, |row| row.line);
    let of = stretch.total.map(|total| format!(" of {total}")).unwrap_or_default();
    let at = layer.sources.iter().position(|source| source.session == question.session && source.line == layer.wanted);
    let source = match (layer.sources.len(), at) {
        (2.., Some(at)) => format!(" · source {} of {}", at + 1, layer.sources.len()),
        _ => String::new(),
    };
    format!("{} · line {line}{of}{source}", stretch.title)
}

/// A row: the cursor in its first column, what is quoted and what is looked for set off.
pub(super) fn line(
    row: &ViewRow,
    stretch: &Stretch,
    looked_for: Option<&str>,
    is_cursor: bool,
    columns: usize,
    theme: Theme,
) -> Line<'static> {
    let lead = if is_cursor { "▸" } else { " " };
    let turn = stretch.turns.get(row.turn);
    let is_file = turn.is_some_and(|turn| turn.speaker == Speaker::File);
    let before = if row.continues {
        format!("{lead}{}", " ".repeat(row.indent.saturating_sub(1)))
    } else if is_file {
        format!("{lead}{:>width$} ", row.line, width = row.indent.saturating_sub(2))
    } else if row.indent == 0 {
        String::new()
    } else {
        format!("{lead}{}", " ".repeat(row.indent - 1))
    };
    let plain = theme.style(row.meaning);
    let found = looked_for.map(|wanted| found_in(&row.text, wanted)).unwrap_or_default();
    let (marked, style) = if found.is_empty() { (&row.quoted, Meaning::Quote) } else { (&found, Meaning::Match) };
    let room = columns.saturating_sub(width(&before));
    let lead_meaning = if is_cursor { Meaning::Accent } else { Meaning::Dim };
    let mut spans = vec![Span::styled(before, theme.style(lead_meaning))];
    spans.extend(marks::cut(&row.text, marked, room, Look { plain, marked: theme.style(style) }));
    Line::from(spans)
}

/// What is looked for, with the cursor while it is typed; else what a person should know.
fn last_line(layer: &Turn, stretch: &Stretch, place: Rect, state: &State, frame: &mut Frame<'_>) {
    let columns = usize::from(place.width);
    let Some(within) = &layer.within else {
        let note = visible(stretch.note.as_deref().unwrap_or_default());
        let text = fit(&format!(" {note}"), columns).into_owned();
        frame.render_widget(Line::styled(text, state.theme.style(Meaning::Warn)), place);
        return;
    };
    // Of a long session only a stretch is read: what lies beyond it was not counted.
    let is_whole = stretch.lines.0 <= 1 && stretch.total.is_some_and(|total| stretch.lines.1 >= total);
    let place_of = if is_whole { "" } else { " in what is loaded" };
    let here = match layer.matches {
        None => String::new(),
        Some(0) => format!("  none{place_of}"),
        Some(found) => format!("  {}{place_of}", count(found, "match", "matches")),
    };
    let line = Line::from(vec![
        Span::styled(format!(" /{}", visible(within.line.text())), state.theme.style(Meaning::Key)),
        Span::styled(here, state.theme.style(Meaning::Dim)),
    ]);
    frame.render_widget(line, place);
    if within.typing.is_some() {
        let column = u16::try_from(2 + width(&visible(within.line.before()))).unwrap_or(u16::MAX);
        pane::type_at(Position { x: place.x + column.min(place.width.saturating_sub(1)), y: place.y }, frame);
    }
}
