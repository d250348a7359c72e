//! The history: what landed, what it changed, and taking it back.

use super::{Flow, deeds, step};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, ImagesQuestion};
use crate::tui::layer::detail::DetailKey;
use crate::tui::layer::history::rows;
use crate::tui::layer::run::Images;
use crate::tui::layer::{Layer, Message};
use crate::tui::layout::{halves, inside, large};
use crate::tui::page;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let (list, detail) = halves(inside(large(state.area)));
    let Some(Layer::History(layer)) = state.layers.last_mut() else { return Flow::Pass };
    if matches!(command, Command::HalfPageDown | Command::HalfPageUp) {
        let height = usize::from(detail.height);
        layer.detail.scroll_by(step(command, 0, height).unwrap_or_default(), height);
        return Flow::Done(Vec::new());
    }
    let rows = rows(&state.history, &layer.filter);
    let (length, height) = (rows.len(), usize::from(list.height));
    if let Some(by) = step(command, length, height) {
        layer.list.move_by(by, length, height);
        return Flow::Done(Vec::new());
    }
    let Some(row) = rows.get(layer.list.selected) else { return Flow::Pass };
    let (entry, file) = (row.entry.clone(), row.file.map(|file| format!("{} {}", file.op.word(), file.file)));
    match command {
        // The files of a landing follow it; what became of one is worth the whole screen.
        Command::Open => {
            match file {
                None => layer.list.move_by(1, length, height),
                Some(title) => {
                    let text: Vec<String> = layer.detail.lines.iter().map(ToString::to_string).collect();
                    state.layers.push(Layer::Message(Message { title, text: text.join("\n"), scroll: 0 }));
                }
            }
            Flow::Done(Vec::new())
        }
        Command::Undo if entry.undone_by.is_some() => {
            state.tell(Meaning::Text, "It was taken back already");
            Flow::Done(Vec::new())
        }
        Command::Undo => Flow::Done(deeds::undo(state, &entry)),
        _ => Flow::Pass,
    }
}

/// After each event: the cursor stays in the list, and what is under it is laid out or asked for.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let (list, detail) = halves(inside(large(state.area)));
    let (theme, store) = (state.theme, state.store_root().to_owned());
    let Some(Layer::History(layer)) = state.layers.last_mut() else { return None };
    let rows = rows(&state.history, &layer.filter);
    let wanted = layer.wanted.as_ref().and_then(|wanted| rows.iter().position(|row| row.entry.id == *wanted));
    if let Some(at) = wanted {
        layer.list.selected = at;
        layer.wanted = None;
    }
    layer.list.settle(rows.len(), usize::from(list.height));
    let Some(row) = rows.get(layer.list.selected) else {
        layer.detail.lines.clear();
        return None;
    };
    let width = usize::from(detail.width);
    let Some(file) = row.file else {
        // What another program does within a minute makes its entry longer.
        let back = (&row.entry.undone_by, &row.entry.undone_in_part_by);
        let version = format!("{back:?} {} {:?}", row.entry.at, row.entry.files);
        let key = DetailKey { what: row.entry.id.clone(), version, width };
        layer.detail.show(key, |width| page::history_entry(row.entry, width, theme));
        layer.asked = None;
        return None;
    };
    let what = format!("{} {}", row.entry.id, file.file);
    let key = DetailKey { what, version: format!("{:?} {:?}", file.before, file.after), width };
    let question = ImagesQuestion { store, before: file.before, after: file.after };
    if layer.detail.key == key && layer.asked.as_ref() == Some(&question) {
        return None;
    }
    layer.detail.lines.clear();
    layer.detail.show(key, |width| page::history_file(file, None, width, theme));
    layer.asked = Some(question.clone());
    Some(Effect::ReadImages(question))
}

/// Takes the contents before and after a change.
pub(super) fn images_read(state: &mut State, question: &ImagesQuestion, result: &Result<Images, String>) {
    let theme = state.theme;
    for layer in &mut state.layers {
        if let Layer::History(layer) = layer
            && layer.asked.as_ref() == Some(question)
        {
            let rows = rows(&state.history, &layer.filter);
            let Some(file) = rows.get(layer.list.selected).and_then(|row| row.file) else { continue };
            let key = std::mem::take(&mut layer.detail.key);
            layer.detail.lines = page::history_file(file, Some(result), key.width, theme);
            layer.detail.key = key;
        }
    }
}
