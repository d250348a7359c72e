//! Keys and verbs that can be used now, from the table of commands; as many as fit.

use ratatui::text::{Line, Span};

use crate::text::width;
use crate::tui::command::{Command, CommandSpec, available};
use crate::tui::layer::Layer;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// A footer of exactly these keys and verbs.
pub(super) fn of(entries: &[(&str, &str)], state: &State) -> Line<'static> {
    let spans = entries.iter().flat_map(|(key, verb)| {
        [
            Span::styled(format!(" {key}"), state.theme.style(Meaning::Key)),
            Span::styled(format!(" {verb} "), state.theme.style(Meaning::Dim)),
        ]
    });
    Line::from(spans.collect::<Vec<_>>())
}

/// The footer in at most `room` columns: ` y still true  e edit  ? help `.
pub(super) fn keys(state: &State, room: u16) -> Line<'static> {
    if matches!(
        state.layers.last(),
        Some(
            Layer::Confirm(_)
                | Layer::Leave(_)
                | Layer::Palette(_)
                | Layer::Lens(_)
                | Layer::Views(_)
                | Layer::Find(_)
                | Layer::Rename(_),
        )
    ) {
        // These have keys of their own; what is beneath one of them takes none now.
        return Line::default();
    }
    let shown = |spec: &CommandSpec| (state.keymap.shown(spec.command), spec.verb);
    let (help, others): (Vec<_>, Vec<_>) = available(state)
        .filter(|spec| match spec.command {
            // The key that leaves from where one is.
            Command::Leave => state.layers.is_empty(),
            Command::Quit => !state.layers.is_empty(),
            _ => true,
        })
        .filter(|spec| !spec.verb.is_empty() && !state.keymap.keys(spec.command).is_empty())
        .partition(|spec| spec.command == Command::Help);
    let mut left = usize::from(room).saturating_sub(2);
    let mut fits = |entry: &(String, &str)| {
        let columns = width(&entry.0) + width(entry.1) + 3;
        let fits = columns <= left;
        left -= if fits { columns } else { 0 };
        fits
    };
    // Help is the way to what does not fit: its place is kept first, and is the last one.
    let help: Vec<_> = help.into_iter().map(shown).filter(&mut fits).collect();
    // What goes on now will not wait: the key that shows it is never the one that does not fit.
    let is_pressing = |spec: &&CommandSpec| spec.command == Command::RunDialog && state.live_count() > 0;
    let (pressing, others): (Vec<_>, Vec<_>) = others.into_iter().partition(is_pressing);
    let others: Vec<_> = pressing.into_iter().chain(others).map(shown).filter(&mut fits).collect();
    let entries: Vec<_> = others.iter().chain(&help).map(|(key, verb)| (key.as_str(), *verb)).collect();
    of(&entries, state)
}
