//! Saved views, each with its filter and order.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{filter_line, footer, pane};
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::layer::views::Views;
use crate::tui::layout::centred;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the names.
const NAMES: usize = 22;

/// Draws them over the dashboard.
pub(super) fn draw(layer: &Views, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let high =
        u16::try_from(layer.views.len() + usize::from(layer.naming.is_some())).unwrap_or(u16::MAX).saturating_add(2);
    let place = centred(area, 70, high.min(area.height.saturating_sub(2).max(3)));
    let keys: &[(&str, &str)] = match layer.naming {
        Some(_) => &[("Enter", "save"), ("Esc", "leave it")],
        None => &[("Enter", "go there"), ("s", "save the filter"), ("d", "forget"), ("Esc", "close")],
    };
    let rows = layer.rows();
    let counts = (rows.len(), layer.views.len());
    let fixed = |_| footer::of(keys, state);
    let mut inner = filter_line::dialog(place, "Saved views", &layer.filter, counts, state, &fixed, frame);
    if let Some(line) = &layer.naming
        && let Some(row) = inner.rows().next()
    {
        let lead =
            format!(" name for {} by {}: ", fit(&visible(&state.memories.filter), 20), state.memories.sort.word());
        let text = format!("{lead}{}", visible(line.text()));
        frame.render_widget(
            Line::styled(fit(&text, usize::from(row.width)).into_owned(), state.theme.style(Meaning::Key)),
            row,
        );
        let column = u16::try_from(width(&lead) + width(&visible(line.before()))).unwrap_or(u16::MAX);
        pane::type_at(Position { x: row.x + column.min(row.width.saturating_sub(1)), y: row.y }, frame);
        inner = Rect { y: inner.y + 1, height: inner.height - 1, ..inner };
    }
    if rows.is_empty() {
        return pane::text(filter_line::NONE, Meaning::Dim, inner, state.theme, frame);
    }
    let window = layer.list.window(rows.len(), usize::from(inner.height));
    for (at, row) in window.zip(inner.rows()) {
        let Some(view) = rows.get(at) else { break };
        let number = if at < 9 { (at + 1).to_string() } else { " ".to_owned() };
        let name = format!(" {number} {} ", fit_padded(&visible(&view.name), NAMES));
        let rest = format!("{} · by {}", visible(&view.filter), if view.sort.is_empty() { "need" } else { &view.sort });
        if at == layer.list.selected && layer.naming.is_none() {
            frame.render_widget(pane::selected_row(&format!("{name}{rest}"), row.width, true, state.theme), row);
        } else {
            let room = usize::from(row.width).saturating_sub(width(&name));
            let line = Line::from(vec![
                Span::raw(fit(&name, usize::from(row.width)).into_owned()),
                Span::styled(fit(&visible(&rest), room).into_owned(), state.theme.style(Meaning::Dim)),
            ]);
            frame.render_widget(line, row);
        }
    }
}
