//! The findings.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{filter_line, footer, pane};
use crate::health::Finding;
use crate::text::{fit, visible, width};
use crate::tui::layer::health::{Health, rows};
use crate::tui::layout;
use crate::tui::page::{severity_meaning, wrap};
use crate::tui::sign;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Health, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let rows = rows(layer, state);
    let of = if layer.filter.is_on() { format!("{} of ", rows.len()) } else { String::new() };
    let findings = crate::text::count(state.findings.len(), "finding", "findings");
    let fixable = rows.iter().filter(|finding| finding.fixable).count();
    let title = format!("Health: {of}{findings}, {fixable} safe to fix");
    let (counts, keys) = ((rows.len(), state.findings.len()), |room| footer::keys(state, room));
    let inner = filter_line::dialog(area, &title, &layer.filter, counts, state, &keys, frame);
    if state.findings.is_empty() {
        return pane::text("Nothing is wrong with this store.", Meaning::Ok, inner, state.theme, frame);
    }
    let Some(selected) = rows.get(layer.list.selected.min(rows.len().saturating_sub(1))) else {
        return pane::text(filter_line::NONE, Meaning::Dim, inner, state.theme, frame);
    };
    let (list, below) = parts(selected, inner);
    if let Some((text, place)) = below {
        pane::text(&text, Meaning::Dim, place, state.theme, frame);
    }
    let window = layer.list.window(rows.len(), usize::from(list.height));
    for (at, row) in window.zip(list.rows()) {
        let Some(finding) = rows.get(at) else { break };
        let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
        let start = format!(" {} {}{line} ", sign::severity(finding.severity), visible(&finding.file));
        let fix = if finding.fixable { " (f fixes it)" } else { "" };
        let rest = format!("{}{fix}", visible(&finding.message));
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&format!("{start}{rest}"), inner.width, true, state.theme), row);
        } else {
            let room = usize::from(inner.width).saturating_sub(width(&start));
            let line = Line::from(vec![
                Span::styled(
                    fit(&start, usize::from(inner.width)).into_owned(),
                    state.theme.style(severity_meaning(finding.severity)),
                ),
                Span::raw(fit(&rest, room).into_owned()),
            ]);
            frame.render_widget(line, row);
        }
    }
}

/// The list, and below it the selected finding in full, where there is room: a row often cuts it.
fn parts(finding: &Finding, inner: Rect) -> (Rect, Option<(String, Rect)>) {
    let line = finding.line.map(|line| format!(":{line}")).unwrap_or_default();
    let mut text = format!("{}{line}: {}", finding.file, finding.message);
    if let Some(evidence) = finding.evidence.as_ref().filter(|evidence| !finding.message.contains(evidence.as_str())) {
        text.push('\n');
        text.push_str(evidence);
    }
    let rows = u16::try_from(wrap(&text, usize::from(inner.width)).len()).unwrap_or(u16::MAX).min(BELOW);
    if inner.height < rows + 1 + AT_LEAST {
        return (inner, None);
    }
    let list = Rect { height: inner.height - rows - 1, ..inner };
    (list, Some((text, Rect { y: inner.bottom() - rows, height: rows, ..inner })))
}

/// Rows the text below takes at most.
const BELOW: u16 = 8;
/// Rows the list keeps.
const AT_LEAST: u16 = 5;
