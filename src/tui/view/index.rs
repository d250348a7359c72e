//! The index pane: its lines, its budget, and where a session stops reading.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{empty, pane};
use crate::memory::index::{Line as IndexLine, MAX_BYTES, MAX_LINES, Measure};
use crate::memory::{INDEX_FILE, ProblemCode, Snapshot};
use crate::text::{fit, visible, width};
use crate::tui::state::{IndexRow, Pane, State, index_row, index_rows};
use crate::tui::theme::{Meaning, Theme};

/// Draws the index pane.
pub(super) fn draw(state: &State, area: Rect, frame: &mut Frame<'_>) {
    if area.is_empty() {
        return;
    }
    let focused = state.focus == Pane::Index;
    let theme = state.theme;
    let Some(snapshot) = state.snapshot() else {
        let inner = pane::frame(area, pane::title("MEMORY.md", area, focused, theme), focused, theme, frame);
        return empty::index(state, inner, frame);
    };
    let title = budget(&snapshot.index.measure, area, focused, theme);
    let inner = pane::frame(area, title, focused, theme, frame);
    if snapshot.index.lines.is_empty() {
        return empty::index(state, inner, frame);
    }
    let target = state.target().map(|memory| memory.file.as_str());
    let window = state.index.window(index_rows(&snapshot.index), usize::from(inner.height));
    for (at, place) in window.zip(inner.rows()) {
        match index_row(&snapshot.index, at) {
            IndexRow::Cut => frame.render_widget(cut(&snapshot.index.measure, inner.width, theme), place),
            IndexRow::Line(number) => {
                let Some(line) = snapshot.index.lines.get(number) else { break };
                let text = shortened(line, usize::from(inner.width));
                if focused && at == state.index.selected {
                    frame.render_widget(pane::selected_row(&text, inner.width, focused, theme), place);
                } else {
                    let points_to_target = line.entries.iter().any(|entry| Some(entry.target.as_str()) == target);
                    let meaning = match meaning(line, leads_somewhere(number, snapshot)) {
                        Meaning::Text if points_to_target => Meaning::Accent,
                        meaning => meaning,
                    };
                    let style = theme.style(meaning);
                    let text = fit(&text, usize::from(inner.width)).into_owned();
                    frame.render_widget(Line::styled(text, style), place);
                }
            }
        }
    }
}

/// A line's text; where it does not fit, the targets of its links give way to what is said about them.
fn shortened(line: &IndexLine, columns: usize) -> String {
    let text = visible(&line.text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let without = |text: String, target: &str| text.replace(&format!("]({target})"), "](…)");
    line.entries.iter().fold(text.into_owned(), |text, entry| without(text, &visible(&entry.raw_target)))
}

/// Whether no link of a line is known to dangle.
fn leads_somewhere(number: usize, snapshot: &Snapshot) -> bool {
    !snapshot.problems.iter().any(|(file, problem)| {
        problem.code == ProblemCode::IndexDangling && file == INDEX_FILE && problem.line == Some(number + 1)
    })
}

const fn meaning(line: &IndexLine, leads_somewhere: bool) -> Meaning {
    match line.loaded {
        Some(false) | None => Meaning::Dim,
        Some(true) if !leads_somewhere => Meaning::Warn,
        Some(true) => Meaning::Text,
    }
}

/// `MEMORY.md  42/200 lines ▓▓░░░░  6.1/25 KB`, with less of it where there is less room.
fn budget(measure: &Measure, area: Rect, focused: bool, theme: Theme) -> Line<'static> {
    let room = usize::from(area.width.saturating_sub(2));
    let share = share(measure);
    let kilobytes = |bytes: usize| format!("{:.1}", bytes as f64 / 1e3);
    let lines = format!("{}/{MAX_LINES} lines", measure.lines);
    let bytes = format!("{}/{} KB", kilobytes(measure.bytes), MAX_BYTES / 1000);
    let forms = [
        format!(" MEMORY.md  {lines} {}  {bytes} ", gauge(share, 6)),
        format!(" MEMORY.md {lines} · {bytes} "),
        format!(" MEMORY.md {}/{MAX_LINES} {} {bytes} ", measure.lines, gauge(share, 2)),
        format!(" {}/{MAX_LINES} {} {bytes} ", measure.lines, gauge(share, 4)),
        " MEMORY.md ".to_owned(),
    ];
    let text = forms.iter().find(|form| width(form) <= room).cloned().unwrap_or_default();
    let meaning = match share {
        share if share > 1.0 => Meaning::Bad,
        share if share > 0.8 => Meaning::Warn,
        _ if focused => Meaning::Accent,
        _ => Meaning::Text,
    };
    Line::from(Span::styled(text, theme.style(meaning)))
}

/// How much of the tighter limit is used.
fn share(measure: &Measure) -> f64 {
    (measure.lines as f64 / MAX_LINES as f64).max(measure.bytes as f64 / MAX_BYTES as f64)
}

fn gauge(share: f64, columns: usize) -> String {
    let full = ((share * columns as f64).ceil() as usize).min(columns);
    format!("{}{}", "▓".repeat(full), "░".repeat(columns - full))
}

/// The cut: a line across the pane that says what it means.
fn cut(measure: &Measure, columns: u16, theme: Theme) -> Line<'static> {
    let columns = usize::from(columns);
    let lost = measure.lines.saturating_sub(measure.loaded_lines);
    let long = format!(" below here: not loaded, {} ", crate::text::count(lost, "line", "lines"));
    let text = if width(&long) < columns { &long } else { " below here: not loaded " };
    let dashes = columns.saturating_sub(width(text));
    let line = format!("{}{text}{}", "─".repeat(dashes / 2), "─".repeat(dashes - dashes / 2));
    Line::styled(fit(&line, columns).into_owned(), theme.style(Meaning::Bad))
}
