//! Any command by its name.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::layer::palette::Palette;
use crate::tui::layout::{FULL, centred};
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::update::matching;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Palette, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let small = area.width < FULL.0 || area.height < FULL.1;
    let place =
        if small { area } else { centred(area, area.width.saturating_sub(6).min(90), (area.height - 4).min(20)) };
    let keys = footer::of(&[("Enter", "do it"), ("↓ ↑", "move"), ("Esc", "close")], state);
    let inner = pane::dialog(place, "Commands", state, keys, frame);
    let Some(input) = inner.rows().next() else { return };
    let text = format!(": {}", visible(&layer.text));
    let shown = fit(&text, usize::from(input.width)).into_owned();
    let end = u16::try_from(width(&shown)).unwrap_or(0).min(input.width.saturating_sub(1));
    frame.render_widget(Line::styled(shown, state.theme.style(Meaning::Accent)), input);
    pane::type_at(Position { x: input.x + end, y: input.y }, frame);
    let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    let found = matching(layer);
    if found.is_empty() {
        return pane::text("No command and no setting of that name.", Meaning::Dim, list, state.theme, frame);
    }
    let window = layer.list.window(found.len(), usize::from(list.height));
    for (at, row) in window.zip(list.rows()) {
        let Some(entry) = found.get(at) else { break };
        let key = if entry.setting.is_some() { String::new() } else { state.keymap.shown(entry.spec.command) };
        let start = format!(" {} {} ", fit_padded(entry.name(), 16), fit_padded(&key, 8));
        if at == layer.list.selected {
            let text = format!("{start}{}", entry.words);
            frame.render_widget(pane::selected_row(&text, list.width, true, state.theme), row);
        } else {
            let room = usize::from(list.width).saturating_sub(width(&start));
            let line = Line::from(vec![
                Span::styled(start, state.theme.style(if entry.is_possible { Meaning::Key } else { Meaning::Dim })),
                Span::styled(fit(&entry.words, room).into_owned(), state.theme.style(Meaning::Dim)),
            ]);
            frame.render_widget(line, row);
        }
    }
}
