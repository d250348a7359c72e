//! How the fields of a memory look while they are filled in.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use tui_textarea::TextArea;

use crate::memory::{Kind, Problem};
use crate::text::{fit, visible};
use crate::tui::layer::form::{Form, FormField};
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the labels.
const LABELS: u16 = 13;

/// Draws the fields and, below them, what is wrong with the text as it stands.
pub(super) fn draw(form: &Form, problems: &[Problem], state: &State, area: Rect, frame: &mut Frame<'_>) {
    let problems = problem_lines(problems, state, usize::from(area.width), usize::from(area.height / 4));
    let mut rows = area.rows();
    let fields = [
        ("name", FormField::Name, Some(&form.name)),
        ("description", FormField::Description, Some(&form.description)),
        ("type", FormField::Type, None),
    ];
    for (label, field, text) in fields {
        let Some(row) = rows.next() else { return };
        let focused = form.focus == field;
        let meaning = if focused { Meaning::Accent } else { Meaning::Dim };
        let mark = if focused { "▸" } else { " " };
        frame.render_widget(Line::styled(format!("{mark}{label}"), state.theme.style(meaning)), row);
        let left = LABELS.min(row.width);
        let place = Rect { x: row.x + left, width: row.width - left, ..row };
        match text {
            Some(text) => text_area(text, focused, place, frame),
            None => frame.render_widget(types(form, focused, state), place),
        }
    }
    if let Some(row) = rows.next() {
        let rule = "─".repeat(usize::from(row.width));
        let meaning = if form.focus == FormField::Body { Meaning::FocusBorder } else { Meaning::Border };
        frame.render_widget(Line::styled(rule, state.theme.style(meaning)), row);
    }
    let below = u16::try_from(problems.len()).unwrap_or(u16::MAX);
    let top = 4.min(area.height);
    let body = Rect { y: area.y + top, height: (area.height - top).saturating_sub(below), ..area };
    text_area(&form.body, form.focus == FormField::Body, body, frame);
    let under = Rect { y: body.bottom(), height: area.bottom().saturating_sub(body.bottom()), ..area };
    for (line, row) in problems.into_iter().zip(under.rows()) {
        frame.render_widget(line, row);
    }
}

fn types(form: &Form, focused: bool, state: &State) -> Line<'static> {
    let mut spans = Vec::new();
    for kind in Kind::ALL {
        let is_it = form.kind() == Some(kind);
        let meaning = match (is_it, focused) {
            (true, true) => Meaning::Selection,
            (true, false) => Meaning::SelectionIdle,
            (false, _) => Meaning::Dim,
        };
        spans.push(Span::styled(kind.word(), state.theme.style(meaning)));
        spans.push(Span::raw("  "));
    }
    if form.kind().is_none() && !form.type_word.is_empty() {
        spans.push(Span::styled(visible(&form.type_word).into_owned(), state.theme.style(Meaning::Warn)));
    }
    Line::from(spans)
}

/// A text field. The terminal's own cursor stands in the one that has the keys, for input methods and screen readers.
fn text_area(text: &TextArea<'static>, focused: bool, area: Rect, frame: &mut Frame<'_>) {
    if area.is_empty() {
        return;
    }
    let mut shown = text.clone();
    shown.set_cursor_style(Style::new());
    shown.set_cursor_line_style(Style::new());
    frame.render_widget(&shown, area);
    if focused {
        let (cursor, (top, left)) = (shown.screen_cursor(), shown.scroll_offset());
        let column = cursor.col.saturating_sub(usize::from(left)).min(usize::from(area.width - 1));
        let row = cursor.row.saturating_sub(usize::from(top)).min(usize::from(area.height - 1));
        let place = Position {
            x: area.x + u16::try_from(column).unwrap_or_default(),
            y: area.y + u16::try_from(row).unwrap_or_default(),
        };
        frame.set_cursor_position(place);
    }
}

fn problem_lines(problems: &[Problem], state: &State, width: usize, most: usize) -> Vec<Line<'static>> {
    let style = state.theme.style(Meaning::Warn);
    let mut lines: Vec<Line<'static>> = problems
        .iter()
        .flat_map(|problem| {
            let line = problem.line.map(|line| format!(" (line {line})")).unwrap_or_default();
            wrap(&format!("⚠ {}: {}{line}", problem.code, visible(&problem.message)), width)
        })
        .map(|row| Line::styled(row, style))
        .collect();
    if lines.len() > most {
        lines.truncate(most.saturating_sub(1));
        lines.push(Line::styled(fit("⚠ and more", width).into_owned(), style));
    }
    lines
}
