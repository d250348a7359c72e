//! How the card looks that says why no dream starts.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::run::{Gate, why};
use crate::text::{fit, fit_padded, visible};
use crate::tui::command::Command;
use crate::tui::layer::why::Why;
use crate::tui::layout::centred;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of a gate's name.
const NAMES: usize = 14;

/// Where it is, and its rows.
pub(in crate::tui) fn layout(layer: &Why, state: &State) -> (Rect, Vec<Line<'static>>) {
    let area = state.area;
    let wide = area.width.saturating_sub(4).clamp(1, 84);
    let width = usize::from(wide.saturating_sub(2)).max(1);
    let lines = lines(layer, state, width);
    let high =
        u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height.saturating_sub(2).max(3));
    (centred(area, wide, high), lines)
}

fn lines(layer: &Why, state: &State, width: usize) -> Vec<Line<'static>> {
    let theme = state.theme;
    let say = |text: &str, meaning: Meaning| -> Vec<Line<'static>> {
        wrap(text, width).into_iter().map(|row| Line::styled(row, theme.style(meaning))).collect()
    };
    let Some(report) = &layer.report else { return say("Looking at the gates…", Meaning::Dim) };
    let mut rows = say(&why::dream(report), Meaning::Heading);
    rows.push(Line::default());
    for gate in &report.dream {
        rows.extend(gate_rows(gate, state, width));
    }
    rows.push(Line::default());
    let key = state.keymap.shown(Command::Dream);
    rows.extend(say(&format!("By hand ({key}) only the lock counts."), Meaning::Dim));
    rows.push(Line::default());
    rows.extend(say(&why::extract(report), Meaning::Text));
    rows
}

/// `✗ sessions      3/5 sessions`, and its sentence below.
fn gate_rows(gate: &Gate, state: &State, width: usize) -> Vec<Line<'static>> {
    let theme = state.theme;
    let (sign, meaning) = match gate.passed {
        Some(true) => ("✓", Meaning::Ok),
        Some(false) => ("✗", Meaning::Warn),
        None => ("·", Meaning::Dim),
    };
    let room = width.saturating_sub(NAMES + 2);
    let mut rows = vec![Line::from(vec![
        Span::styled(format!("{sign} "), theme.style(meaning)),
        Span::styled(fit_padded(gate.gate, NAMES), theme.style(meaning)),
        Span::raw(fit(&visible(&gate.short), room).into_owned()),
    ])];
    let sentence = wrap(&why::sentence(gate), width.saturating_sub(2));
    rows.extend(sentence.into_iter().map(|row| Line::styled(format!("  {row}"), theme.style(Meaning::Dim))));
    rows
}

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Why, state: &State, frame: &mut Frame<'_>) {
    let (place, lines) = layout(layer, state);
    let title = format!("Why does {} not dream?", layer.title);
    let inner = pane::dialog(place, &title, state, footer::keys(state, place.width), frame);
    let latest = lines.len().saturating_sub(usize::from(inner.height));
    for (line, row) in lines.into_iter().skip(layer.scroll.min(latest)).zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}
