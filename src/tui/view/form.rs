//! How the fields of a memory look while they are filled in.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use tui_textarea::TextArea;

use super::pane;
use crate::memory::{Kind, template};
use crate::text::{count, fit, visible, width};
use crate::tui::command::Command;
use crate::tui::layer::form::{Form, FormField};
use crate::tui::layer::lint::Lint;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the labels.
const LABELS: u16 = 13;
/// With fewer rows than this the fields and the body are not all seen.
const LEAST: u16 = 6;
/// From so many rows on, the keys that have no field are shown too.
const ROOMY: u16 = 12;

/// Draws the fields and, below them, what is wrong with the text as it stands.
pub(super) fn draw(form: &Form, lint: &Lint, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let problems = problem_lines(lint, state, usize::from(area.width), usize::from(area.height / 4));
    let mut rows = area.rows();
    let mut fields = [
        ("name", FormField::Name, Some(&form.name)),
        ("description", FormField::Description, Some(&form.description)),
        ("type", FormField::Type, None),
    ];
    if area.height < LEAST {
        // What has the keys comes first: who types must see it.
        if form.focus == FormField::Body {
            return text_area(&form.body, true, area, frame);
        }
        fields.sort_by_key(|(_, field, _)| *field != form.focus);
    }
    for (label, field, text) in fields {
        let Some(row) = rows.next() else { return };
        let focused = form.focus == field;
        let meaning = if focused { Meaning::Accent } else { Meaning::Dim };
        let mark = if focused { "▸" } else { " " };
        frame.render_widget(Line::styled(format!("{mark}{label}"), state.theme.style(meaning)), row);
        let left = LABELS.min(row.width);
        let place = Rect { x: row.x + left, width: row.width - left, ..row };
        match text {
            Some(text) if focused && !form.is_locked(field) => text_area(text, true, place, frame),
            // Its beginning: a text area shows where its cursor stands, which nobody looks for here.
            Some(text) => {
                let meaning = if form.is_locked(field) { Meaning::Dim } else { Meaning::Text };
                let text = fit(&visible(&text.lines().concat()), usize::from(place.width)).into_owned();
                frame.render_widget(Line::styled(text, state.theme.style(meaning)), place);
            }
            None => frame.render_widget(types(form, focused, state, usize::from(place.width)), place),
        }
    }
    let mut top = 4;
    if !form.others.is_empty()
        && area.height >= ROOMY
        && let Some(row) = rows.next()
    {
        top += 1;
        let others: Vec<String> = form.others.iter().map(|(key, value)| format!("{key} {value}")).collect();
        let text = format!(" {:<12}{} (kept)", "also", visible(&others.join(" · ")));
        let text = fit(&text, usize::from(row.width)).into_owned();
        frame.render_widget(Line::styled(text, state.theme.style(Meaning::Dim)), row);
    }
    if let Some(row) = rows.next() {
        let rule = rule(form, usize::from(row.width));
        let meaning = if form.focus == FormField::Body { Meaning::FocusBorder } else { Meaning::Border };
        frame.render_widget(Line::styled(rule, state.theme.style(meaning)), row);
    }
    let below = u16::try_from(problems.len()).unwrap_or(u16::MAX);
    let top = top.min(area.height);
    let body = Rect { y: area.y + top, height: (area.height - top).saturating_sub(below), ..area };
    text_area(&form.body, form.focus == FormField::Body, body, frame);
    let under = Rect { y: body.bottom(), height: area.bottom().saturating_sub(body.bottom()), ..area };
    for (line, row) in problems.into_iter().zip(under.rows()) {
        frame.render_widget(line, row);
    }
}

/// The line over the body; while the rule or fact is missing, with what belongs there.
fn rule(form: &Form, columns: usize) -> String {
    let is_empty = form.body.lines().first().is_none_or(|line| line.trim().is_empty());
    let hint = form.kind().filter(|_| is_empty).map(|kind| format!("── {} ", template::hint(kind)));
    let hint = hint.filter(|hint| width(hint) <= columns).unwrap_or_default();
    format!("{hint}{}", "─".repeat(columns.saturating_sub(width(&hint))))
}

fn types(form: &Form, focused: bool, state: &State, room: usize) -> Line<'static> {
    let at = Kind::ALL.iter().position(|kind| form.kind() == Some(*kind));
    let mut spans = pane::choices(Kind::ALL.iter().map(|kind| kind.word()), at, focused, room, state);
    if form.kind().is_none() && !form.type_word.is_empty() {
        spans.push(Span::styled(visible(&form.type_word).into_owned(), state.theme.style(Meaning::Warn)));
    }
    Line::from(spans)
}

/// A text field. The terminal's own cursor stands in the one that has the keys, for input methods and screen readers.
pub(super) fn text_area(text: &TextArea<'static>, focused: bool, area: Rect, frame: &mut Frame<'_>) {
    if area.is_empty() {
        return;
    }
    frame.render_widget(text, area);
    if focused {
        let (cursor, (top, left)) = (text.screen_cursor(), text.scroll_offset());
        let column = cursor.col.saturating_sub(usize::from(left)).min(usize::from(area.width - 1));
        let row = cursor.row.saturating_sub(usize::from(top)).min(usize::from(area.height - 1));
        let place = Position {
            x: area.x + u16::try_from(column).unwrap_or_default(),
            y: area.y + u16::try_from(row).unwrap_or_default(),
        };
        pane::type_at(place, frame);
    }
}

/// What is wrong, one line each where it fits, as many as there is room for.
fn problem_lines(lint: &Lint, state: &State, width: usize, most: usize) -> Vec<Line<'static>> {
    let style = state.theme.style(Meaning::Warn);
    let mut lines: Vec<Line<'static>> = lint
        .findings
        .iter()
        .flat_map(|finding| {
            // The number that every listing names, once.
            let line = finding.line.filter(|line| !finding.message.contains(&format!("at line {line};")));
            let line = line.map(|line| format!(" (line {line} of the file)")).unwrap_or_default();
            wrap(&format!("⚠ {}: {}{line}", finding.code, visible(&finding.message)), width)
        })
        .map(|row| Line::styled(row, style))
        .collect();
    if lines.len() > most {
        let rest = lines.len() - most.saturating_sub(1);
        lines.truncate(most.saturating_sub(1));
        let key = state.keymap.shown(Command::NextFinding);
        let more = format!("⚠ and {}; {key} goes from one to the next", count(rest, "line more", "lines more"));
        lines.push(Line::styled(fit(&more, width).into_owned(), style));
    }
    lines
}
