//! The keys that do something here, from the table of commands.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::text::fit_padded;
use crate::tui::command::{Command, HelpRow, help_rows, in_words};
use crate::tui::layer::Help;
use crate::tui::layout;
use crate::tui::page::wrap;
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
    for (line, row) in lines(layer, state, usize::from(inner.width)).into_iter().skip(layer.scroll).zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}

/// Its lines at a width; a sentence that is longer goes on below itself.
#[must_use]
pub(in crate::tui) fn lines(layer: &Help, state: &State, columns: usize) -> Vec<Line<'static>> {
    let room = columns.saturating_sub(KEYS).max(1);
    let pair = |keys: &str, says: &str| {
        let rows = wrap(says, room).into_iter().enumerate();
        let lines = rows.map(|(at, row)| {
            let keys = if at == 0 { fit_padded(&format!("   {keys}"), KEYS) } else { " ".repeat(KEYS) };
            Line::from(vec![Span::styled(keys, state.theme.style(Meaning::Key)), Span::raw(row)])
        });
        lines.collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for entry in help_rows(layer.place, &layer.commands) {
        match entry {
            HelpRow::Heading(words) => {
                lines.push(Line::styled(format!(" {words}"), state.theme.style(Meaning::Heading)));
            }
            HelpRow::Command(spec, sentence) => {
                let keys: Vec<String> = state.keymap.keys(spec.command).iter().map(ToString::to_string).collect();
                // Without a key it has still its name.
                let name = || format!("{}{}", state.keymap.shown(Command::Palette), spec.name);
                let keys = if keys.is_empty() { name() } else { keys.join(" ") };
                lines.extend(pair(&keys, sentence));
            }
            HelpRow::Sign(signs, meaning) => lines.extend(pair(signs, meaning)),
        }
    }
    lines
}
