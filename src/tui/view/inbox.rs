//! How the inbox looks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{filter_line, footer, halves, pane};
use crate::change::InboxEntry;
use crate::text::{count, fit, visible};
use crate::tui::layer::inbox::{InboxList, rows};
use crate::tui::layout;
use crate::tui::page::moment;
use crate::tui::state::{ListFilter, State};
use crate::tui::theme::Meaning;

/// What an empty inbox says: what would be here.
const NOTHING: &str = "Nothing waits for you. What a dream or an extraction wants to change and a guard holds comes here, and \
    all of it where the configuration says apply: ask.";

/// Draws it over the dashboard.
pub(super) fn draw(layer: &InboxList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let held = state.inbox.iter().map(InboxEntry::waiting).sum();
    let title = format!("Inbox: {}", count(held, "change waits for you", "changes wait for you"));
    let (rows, all) = (rows(&state.inbox, &layer.filter), rows(&state.inbox, &ListFilter::default()).len());
    let keys = |room| footer::keys(state, room);
    let inner = filter_line::dialog(area, &title, &layer.filter, (rows.len(), all), state, &keys, frame);
    if rows.is_empty() && all > 0 {
        return pane::text(filter_line::NONE, Meaning::Dim, inner, state.theme, frame);
    }
    if rows.is_empty() {
        return pane::text(NOTHING, Meaning::Ok, inner, state.theme, frame);
    }
    let (list, detail) = layout::halves(inner);
    let window = layer.list.window(rows.len(), usize::from(list.height));
    for (at, place) in window.zip(list.rows()) {
        let Some(row) = rows.get(at) else { break };
        let (text, meaning) = match row.change {
            None => (format!(" {} {}", moment(row.entry.at), visible(&row.entry.title)), Meaning::Accent),
            Some(change) => {
                let guard = change.reasons.first().map(|reason| reason.guard.as_str()).unwrap_or_default();
                (format!("   {} {} · {}", change.op.word(), visible(&change.file), visible(guard)), Meaning::Text)
            }
        };
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&text, list.width, true, state.theme), place);
        } else {
            let text = fit(&text, usize::from(list.width)).into_owned();
            frame.render_widget(Line::styled(text, state.theme.style(meaning)), place);
        }
    }
    halves::detail(&layer.detail, detail, state, frame);
    halves::line_between(list, detail, state, frame);
}
