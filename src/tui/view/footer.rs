//! Keys and verbs that can be used now, from the table of commands; as many as fit.

use std::collections::HashSet;

use ratatui::text::{Line, Span};

use crate::text::width;
use crate::tui::command::{Command, CommandSpec, available, verb};
use crate::tui::layer::Layer;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// A footer of exactly these keys and verbs.
pub(super) fn of(entries: &[(&str, &str)], state: &State) -> Line<'static> {
    let spans = entries.iter().flat_map(|(key, verb)| {
        [
            Span::styled(format!(" {key}"), state.theme.style(Meaning::Key)),
            Span::styled(
                if verb.is_empty() { " ".to_owned() } else { format!(" {verb} ") },
                state.theme.style(Meaning::Dim),
            ),
        ]
    });
    Line::from(spans.collect::<Vec<_>>())
}

/// The same keys as far as they fit in `room` columns: never half a key. First the words go, from the last one on: the keys
/// are answers; then keys, of which the last one, which leads out, stays before all others.
pub(super) fn fitting(line: Line<'static>, room: usize) -> Line<'static> {
    let mut spans = line.spans;
    // The few answers of a question are all worth more than their words; many keys without words say nothing.
    let is_pairs = matches!(spans.len(), 2 | 4 | 6);
    for verb in (1..spans.len()).step_by(2).rev().filter(|_| is_pairs) {
        if spans.iter().map(Span::width).sum::<usize>() <= room {
            break;
        }
        if let Some(span) = spans.get_mut(verb) {
            span.content = " ".into();
        }
    }
    while spans.len() > 2 && spans.len().is_multiple_of(2) && spans.iter().map(Span::width).sum::<usize>() > room {
        let at = spans.len().saturating_sub(4);
        spans.drain(at..at + 2);
    }
    Line::from(spans)
}

/// The footer in at most `room` columns: ` y still true  e edit  ? help `.
pub(super) fn keys(state: &State, room: u16) -> Line<'static> {
    let has_own_keys = |layer: &Layer| {
        layer.asks()
            || matches!(
                layer,
                Layer::Palette(_)
                    | Layer::Lens(_)
                    | Layer::Views(_)
                    | Layer::Find(_)
                    | Layer::Rename(_)
                    | Layer::Stray(_)
            )
    };
    if state.layers.last().is_some_and(has_own_keys) {
        // What is beneath one of them takes no keys now.
        return Line::default();
    }
    let usable: Vec<&CommandSpec> = available(state)
        .filter(|spec| match spec.command {
            // The key that leaves from where one is.
            Command::Leave => state.layers.is_empty(),
            Command::Quit => !state.layers.is_empty(),
            _ => true,
        })
        .filter(|spec| !spec.verb.is_empty() && !state.keymap.keys(spec.command).is_empty())
        .collect();
    let mut left = usize::from(room).saturating_sub(2);
    let mut kept: HashSet<Command> = HashSet::new();
    // In this order the room is given away: help is the way to what does not fit, whoever is in a dialog has to see how to
    // get out of it, and what goes on now will not wait.
    let is_triage = matches!(state.layers.last(), Some(Layer::Triage(triage)) if triage.summary.is_none());
    let urgency = |spec: &CommandSpec| match spec.command {
        Command::Help => 0,
        Command::Close if !state.layers.is_empty() => 1,
        Command::RunDialog if state.live_count() > 0 => 2,
        // The verdicts most often given.
        Command::StillTrue if is_triage => 3,
        Command::Delete if is_triage => 4,
        Command::Edit if is_triage => 5,
        Command::Skip if is_triage => 6,
        Command::Snooze | Command::Retype if is_triage => 7,
        Command::Quit => 9,
        _ => 8,
    };
    let mut by_urgency = usable.clone();
    by_urgency.sort_by_key(|spec| urgency(spec));
    // What leads out needs no word where there is no room for one; in triage verdicts are worth more than its word.
    let mut is_bare = false;
    let of_word = |spec: &CommandSpec| width(verb(spec, state)) + 1;
    let close = by_urgency.iter().find(|spec| spec.command == Command::Close).map_or(0, |spec| of_word(spec));
    for spec in &by_urgency {
        let word = of_word(spec);
        // The verdicts have their room: what leads out gets its word before anything else.
        if is_bare && urgency(spec) > 7 && close <= left {
            (is_bare, left) = (false, left - close);
        }
        let columns = width(&state.keymap.shown(spec.command)) + 2 + word;
        if spec.command == Command::Close && (is_triage || columns > left) && columns - word <= left {
            (is_bare, left) = (true, left - (columns - word));
            kept.insert(spec.command);
        } else if columns <= left {
            left -= columns;
            kept.insert(spec.command);
        }
    }
    is_bare &= close > left;
    let mut shown: Vec<&CommandSpec> = usable.into_iter().filter(|spec| kept.contains(&spec.command)).collect();
    // What goes on is the first thing seen, help the last one.
    shown.sort_by_key(|spec| match urgency(spec) {
        2 => 0,
        0 => 2,
        _ => 1,
    });
    let word = |spec: &CommandSpec| if is_bare && spec.command == Command::Close { "" } else { verb(spec, state) };
    let entries: Vec<_> = shown.iter().map(|spec| (state.keymap.shown(spec.command), word(spec))).collect();
    let entries: Vec<_> = entries.iter().map(|(key, verb)| (key.as_str(), *verb)).collect();
    of(&entries, state)
}
