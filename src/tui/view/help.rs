//! All keys, from the table of commands, by the place where they count.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::text::{fit, fit_padded};
use crate::tui::command::{HelpRow, help_rows, place_under_help};
use crate::tui::layer::Help;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the keys.
const KEYS: usize = 18;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Help, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let inner = pane::dialog(area, "Keys", state, footer::keys(state, area.width), frame);
    for (entry, row) in help_rows(place_under_help(state)).skip(layer.scroll).zip(inner.rows()) {
        let line = match entry {
            HelpRow::Place(words) => Line::styled(format!(" {words}"), state.theme.style(Meaning::Heading)),
            HelpRow::Command(spec) => {
                let keys: Vec<String> = state.keymap.keys(spec.command).iter().map(ToString::to_string).collect();
                let room = usize::from(inner.width).saturating_sub(KEYS);
                Line::from(vec![
                    Span::styled(fit_padded(&format!("   {}", keys.join(" ")), KEYS), state.theme.style(Meaning::Key)),
                    Span::raw(fit(spec.sentence, room).into_owned()),
                ])
            }
            HelpRow::Sign(signs, meaning) => {
                let room = usize::from(inner.width).saturating_sub(KEYS);
                Line::from(vec![
                    Span::styled(fit_padded(&format!("   {signs}"), KEYS), state.theme.style(Meaning::Key)),
                    Span::raw(fit(meaning, room).into_owned()),
                ])
            }
        };
        frame.render_widget(line, row);
    }
}
