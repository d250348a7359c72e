//! The inbox: accept or reject what is held, as a whole or file by file.

use super::{Flow, step};
use crate::change::HeldChange;
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect};
use crate::tui::layer::Layer;
use crate::tui::layer::confirm::Confirm;
use crate::tui::layer::detail::DetailKey;
use crate::tui::layer::inbox::rows;
use crate::tui::layout::{halves, inside, large};
use crate::tui::page;
use crate::tui::state::State;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (list, detail) = halves(inside(large(state.area)));
    let Some(Layer::Inbox(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if matches!(command, Command::HalfPageDown | Command::HalfPageUp) {
        let height = usize::from(detail.height);
        layer.detail.scroll_by(step(command, 0, height).unwrap_or_default(), height);
        return Flow::Done(Vec::new());
    }
    let rows = rows(&state.inbox, &layer.filter);
    let (length, height) = (rows.len(), usize::from(list.height));
    if let Some(by) = step(command, length, height) {
        layer.list.move_by(by, length, height);
        return Flow::Done(Vec::new());
    }
    let Some(row) = rows.get(layer.list.selected).copied() else { return Flow::Pass };
    let entry = row.entry.id.clone();
    // What a filter hides is not meant: a heading stands for the files that are seen below it.
    let seen: Vec<&HeldChange> = match row.change {
        Some(change) => vec![change],
        None => rows.iter().filter(|it| it.entry.id == entry).filter_map(|it| it.change).collect(),
    };
    let is_whole = seen.len() == row.entry.changes.len();
    let files: Vec<String> = if row.change.is_none() && is_whole {
        Vec::new()
    } else {
        seen.iter().map(|change| change.file.clone()).collect()
    };
    match command {
        Command::Open | Command::Review => {
            let (store, file) = (state.store_root().to_owned(), row.change.map(|change| change.file.clone()));
            let effects = super::review::open(state, &store, &entry);
            if let (Some(file), Some(Layer::Review(screen))) = (file, state.layers.last_mut()) {
                screen.wanted = Some(file);
            }
            Flow::Done(effects)
        }
        Command::Accept if seen.len() > 1 => {
            let names: Vec<String> =
                seen.iter().map(|change| format!("{} {}", change.op.word(), change.file)).collect();
            let confirm = Confirm {
                title: format!("Land {}?", crate::text::count(names.len(), "held change", "held changes")),
                lines: names,
                yes: "land",
                effects: vec![Effect::Do(Box::new(Deed::Accept { entry, files }))],
            };
            state.layers.push(Layer::Confirm(confirm));
            Flow::Done(Vec::new())
        }
        Command::Accept => Flow::Done(vec![Effect::Do(Box::new(Deed::Accept { entry, files }))]),
        Command::Reject => {
            let names: Vec<String> = seen.iter().map(|change| change.file.clone()).collect();
            let confirm = Confirm {
                title: format!("Drop {}?", crate::text::count(names.len(), "held change", "held changes")),
                lines: names,
                yes: "drop",
                effects: vec![Effect::Do(Box::new(Deed::Reject { entry, files }))],
            };
            state.layers.push(Layer::Confirm(confirm));
            Flow::Done(Vec::new())
        }
        _ => Flow::Pass,
    }
}

/// After each event: the cursor stays in the list, and what is under it is laid out.
pub(super) fn settle(state: &mut State) {
    let (list, detail) = halves(inside(large(state.area)));
    let theme = state.theme;
    let Some(Layer::Inbox(layer)) = state.layers.last_mut() else { return };
    let rows = rows(&state.inbox, &layer.filter);
    let wanted = layer.wanted.as_ref().and_then(|wanted| rows.iter().position(|row| row.entry.id == *wanted));
    if let Some(at) = wanted {
        layer.list.selected = at;
        layer.wanted = None;
    }
    layer.list.settle(rows.len(), usize::from(list.height));
    let Some(row) = rows.get(layer.list.selected) else { return layer.detail.lines.clear() };
    let what = format!("{} {}", row.entry.id, row.change.map_or("", |change: &HeldChange| change.file.as_str()));
    // A held change never changes, so that its name is version enough; what is left of an entry does.
    let version = row.entry.changes.len().to_string();
    let key = DetailKey { what, version, width: usize::from(detail.width) };
    layer.detail.show(key, |width| match row.change {
        Some(change) => page::held_change(change, width, theme),
        None => page::inbox_entry(row.entry, width, theme),
    });
}
