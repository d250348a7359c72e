//! The dialog of one run: its files, what happened to them, and the keys that kill, undo and review.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Flow, deeds, step};
use crate::run::RunView;
use crate::tui::command::Command;
use crate::tui::effect::{Deed, Effect, RunDiffQuestion};
use crate::tui::layer::Layer;
use crate::tui::layer::detail::DetailKey;
use crate::tui::layer::run::{Images, RunDialog};
use crate::tui::layout::{halves, inside, large};
use crate::tui::page;
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::view::diff;

/// A run that was asked to end is shown as ending for this long; after that the person may ask again.
const PATIENCE_SECONDS: i64 = 10;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let Some(Layer::Run(dialog)) = state.layers.last() else { return Flow::Pass };
    let Some(run) = state.run(&dialog.run).map(Arc::clone) else { return Flow::Pass };
    let (list, detail) = halves(body(state, &run, dialog));
    if matches!(command, Command::HalfPageDown | Command::HalfPageUp) {
        let height = usize::from(detail.height);
        if let (Some(rows), Some(Layer::Run(dialog))) = (step(command, 0, height), state.layers.last_mut()) {
            dialog.detail.scroll_by(rows, height);
        }
        return Flow::Done(Vec::new());
    }
    let (length, height) = (run.touched.len(), usize::from(list.height));
    if let Some(rows) = step(command, length, height) {
        if let Some(Layer::Run(dialog)) = state.layers.last_mut() {
            dialog.files.move_by(rows, length, height);
        }
        return Flow::Done(Vec::new());
    }
    match command {
        Command::Kill => Flow::Done(kill(state, &run)),
        Command::Undo => Flow::Done(super::runs::ask_undo(state, &run)),
        Command::Review => Flow::Done(review(state, &run)),
        Command::Dream => Flow::Done(again(state, &run)),
        _ => Flow::Pass,
    }
}

/// What of the dialog is left for files and diff.
pub(in crate::tui) fn body(state: &State, run: &RunView, dialog: &RunDialog) -> ratatui::layout::Rect {
    let inner = inside(large(state.area));
    let head = page::run_head(run, state, is_killing(state, dialog), usize::from(inner.width)).len();
    let head = u16::try_from(head + 1).unwrap_or(u16::MAX).min(inner.height);
    ratatui::layout::Rect { y: inner.y + head, height: inner.height - head, ..inner }
}

/// Whether the run was asked to end just now.
pub(in crate::tui) fn is_killing(state: &State, dialog: &RunDialog) -> bool {
    dialog.killing.is_some_and(|at| (state.now - at).num_seconds() < PATIENCE_SECONDS)
}

/// Asks a live run to end: one key, no question, because it changed nothing yet.
pub(super) fn kill(state: &mut State, run: &RunView) -> Vec<Effect> {
    if !run.is_live() {
        return Vec::new();
    }
    let now = state.now;
    if let Some(Layer::Run(dialog)) = state.layers.last_mut() {
        dialog.killing = Some(now);
    }
    state.tell(Meaning::Text, format!("Killing {}…", run.id));
    vec![Effect::Kill(run.id.clone())]
}

/// Takes back what a run landed, at its end or accepted since.
pub(super) fn undo(state: &mut State, run: &RunView) -> Vec<Effect> {
    if !state.can_take_back(run) {
        state.tell(Meaning::Text, "It was taken back already; see the history");
        return Vec::new();
    }
    vec![Effect::Do(Box::new(Deed::Undo { store: PathBuf::from(&run.store), entry: run.id.clone() }))]
}

/// Opens the review of what the guards held of a run.
pub(super) fn review(state: &mut State, run: &RunView) -> Vec<Effect> {
    match &run.inbox {
        Some(entry) => super::review::open(state, Path::new(&run.store), &entry.clone()),
        None => Vec::new(),
    }
}

/// Starts a dream of the store of a run.
pub(super) fn again(state: &mut State, run: &RunView) -> Vec<Effect> {
    let effects = deeds::dream(state, Path::new(&run.store));
    // Whoever looked at the old one wants to see the new one.
    if let (Some(Layer::Run(dialog)), Some(Effect::Dream { run, .. })) = (state.layers.last_mut(), effects.first()) {
        *dialog = RunDialog::of(run);
    }
    effects
}

/// After each event: the cursor stays in the list, and the diff of the file under it is asked for when the run moved on.
pub(super) fn settle(state: &mut State) -> Option<Effect> {
    let Some(Layer::Run(dialog)) = state.layers.last() else { return None };
    let run = Arc::clone(state.run(&dialog.run)?);
    let (list, detail) = halves(body(state, &run, dialog));
    let version = version(&run);
    let Some(Layer::Run(dialog)) = state.layers.last_mut() else { return None };
    if let Some(at) = run.touched.iter().position(|(file, _)| Some(file) == dialog.wanted.as_ref()) {
        dialog.files.selected = at;
        dialog.wanted = None;
    }
    dialog.files.settle(run.touched.len(), usize::from(list.height));
    if !run.is_live() {
        dialog.killing = None;
    }
    let (file, _) = run.touched.get(dialog.files.selected)?;
    let question = RunDiffQuestion { store: PathBuf::from(&run.store), run: run.id.clone(), file: file.clone() };
    let asked = (question.clone(), format!("{version} {}", detail.width));
    if dialog.asked.as_ref() == Some(&asked) {
        return None;
    }
    dialog.asked = Some(asked);
    Some(Effect::ReadRunDiff(question))
}

/// A word that changes when the run's files may have.
fn version(run: &RunView) -> String {
    match run.last.filter(|_| run.is_live()) {
        Some(last) => last.to_rfc3339(),
        None => run.status.word().to_owned(),
    }
}

/// Takes what a run did to a file.
pub(super) fn diff_read(state: &mut State, question: &RunDiffQuestion, result: &Result<Images, String>) {
    let theme = state.theme;
    let width = state.layers.iter().rev().find_map(|layer| match layer {
        Layer::Run(dialog) if dialog.run == question.run => {
            let run = state.run(&dialog.run)?;
            Some(usize::from(halves(body(state, run, dialog)).1.width))
        }
        _ => None,
    });
    let Some(width) = width else { return };
    for layer in &mut state.layers {
        if let Layer::Run(dialog) = layer
            && dialog.asked.as_ref().is_some_and(|(asked, _)| asked == question)
        {
            let lines = match result {
                Ok((before, after)) => diff::rows(before.as_deref(), after.as_deref(), width, theme),
                Err(error) => page::wrap(error, width)
                    .into_iter()
                    .map(|row| ratatui::text::Line::styled(row, theme.style(Meaning::Bad)))
                    .collect(),
            };
            // The answer is newer than what is shown, whatever the key says.
            dialog.detail.lines.clear();
            let key = DetailKey { what: question.file.clone(), version: String::new(), width };
            dialog.detail.show(key, |_| lines);
        }
    }
}
