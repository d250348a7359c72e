//! The keys that do something here, from the table of commands.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::text::{fit, fit_padded};
use crate::tui::command::{Command, HelpRow, help_rows, in_words};
use crate::tui::layer::Help;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the keys.
const KEYS: usize = 18;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Help, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let palette = state.keymap.shown(Command::Palette);
    let title = format!("Keys {} · {palette} has every command", in_words(layer.place));
    let inner = pane::dialog(area, &title, state, footer::keys(state, area.width), frame);
    for (entry, row) in help_rows(layer.place, &layer.commands).into_iter().skip(layer.scroll).zip(inner.rows()) {
        let line = match entry {
            HelpRow::Heading(words) => Line::styled(format!(" {words}"), state.theme.style(Meaning::Heading)),
            HelpRow::Command(spec, sentence) => {
                let keys: Vec<String> = state.keymap.keys(spec.command).iter().map(ToString::to_string).collect();
                let room = usize::from(inner.width).saturating_sub(KEYS);
                Line::from(vec![
                    Span::styled(fit_padded(&format!("   {}", keys.join(" ")), KEYS), state.theme.style(Meaning::Key)),
                    Span::raw(fit(sentence, room).into_owned()),
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
