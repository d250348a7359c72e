//! Keys and verbs that can be used now, from the table of commands; as many as fit.

use ratatui::text::{Line, Span};

use crate::text::width;
use crate::tui::command::available;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// The footer in at most `room` columns: ` y still true  e edit `.
pub(super) fn keys(state: &State, room: u16) -> Line<'static> {
    let mut spans = Vec::new();
    let mut left = usize::from(room).saturating_sub(2);
    // Help is the way to what does not fit: it always has its place.
    let is_help = |name: &str| name == "help";
    let help = available(state).filter(|spec| is_help(spec.name));
    for spec in help.chain(available(state).filter(|spec| !is_help(spec.name) && !spec.verb.is_empty())) {
        let key = state.keymap.shown(spec.command);
        let columns = width(&key) + width(spec.verb) + 3;
        if key.is_empty() || columns > left {
            continue;
        }
        left -= columns;
        let entry = [
            Span::styled(format!(" {key}"), state.theme.style(Meaning::Key)),
            Span::styled(format!(" {} ", spec.verb), state.theme.style(Meaning::Dim)),
        ];
        if is_help(spec.name) {
            spans.extend(entry);
        } else {
            let at = spans.len() - 2;
            spans.splice(at..at, entry);
        }
    }
    Line::from(spans)
}
