//! How the history looks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{filter_line, footer, halves, pane};
use crate::text::{count, fit, visible};
use crate::tui::layer::history::{HistoryList, rows};
use crate::tui::layout;
use crate::tui::page::moment;
use crate::tui::state::{ListFilter, State};
use crate::tui::theme::Meaning;
use crate::tui::update::unsaved;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &HistoryList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let mut title = format!("History: {}", count(state.history.len(), "landing", "landings"));
    if let Some(hint) = unsaved::hint(state) {
        title.push_str(&format!(" · {hint}"));
    }
    let (rows, all) = (rows(&state.history, &layer.filter), rows(&state.history, &ListFilter::default()).len());
    let keys = |room| footer::keys(state, room);
    let inner = filter_line::dialog(area, &title, &layer.filter, (rows.len(), all), state, &keys, frame);
    if rows.is_empty() && all > 0 {
        return pane::text(filter_line::NONE, Meaning::Dim, inner, state.theme, frame);
    }
    if rows.is_empty() {
        if let Some(trouble) = &state.history_trouble {
            return pane::text(trouble, Meaning::Bad, inner, state.theme, frame);
        }
        return pane::text("Nothing has landed in this store yet.", Meaning::Dim, inner, state.theme, frame);
    }
    let (list, detail) = layout::halves(inner);
    let window = layer.list.window(rows.len(), usize::from(list.height));
    for (at, place) in window.zip(list.rows()) {
        let Some(row) = rows.get(at) else { break };
        let undone = row.entry.undone_by.is_some();
        let (text, meaning) = match row.file {
            None => {
                let undone = match (undone, &row.entry.undone_in_part_by) {
                    (true, _) => " (taken back)",
                    (false, Some(_)) => " (taken back in part)",
                    (false, None) => "",
                };
                let title = visible(&row.entry.title);
                let text = format!(" {} {title}{undone}", moment(row.entry.at));
                (text, Meaning::Accent)
            }
            Some(file) => (format!("   {} {}", file.op.word(), visible(&file.file)), Meaning::Text),
        };
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&text, list.width, true, state.theme), place);
        } else {
            let meaning = if undone { Meaning::Dim } else { meaning };
            let text = fit(&text, usize::from(list.width)).into_owned();
            frame.render_widget(Line::styled(text, state.theme.style(meaning)), place);
        }
    }
    halves::detail(&layer.detail, detail, state, frame);
    halves::line_between(list, detail, state, frame);
}
