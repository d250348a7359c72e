//! What the project shares with a team.

use std::path::Path;

use super::{Flow, step};
use crate::team::client::file_of;
use crate::team::client::status::Standing;
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::team::{Team, TeamFiles};
use crate::tui::layout::{halves, inside, large};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Opens it.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Team(Team::default()));
    vec![Effect::ReadTeam]
}

fn layer(state: &mut State) -> Option<&mut Team> {
    state.layers.iter_mut().rev().find_map(|layer| match layer {
        Layer::Team(team) => Some(team),
        _ => None,
    })
}

/// Takes what is there. The selected entry stays the selected one.
pub(super) fn read(state: &mut State, result: &Result<TeamFiles, String>) {
    let height = usize::from(halves(inside(large(state.area))).0.height);
    let Some(team) = layer(state) else { return };
    let selected = team.selected().map(|file| file.file.clone());
    team.read = Some(result.clone());
    let files = team.files().map(|read| read.files.as_slice()).unwrap_or_default();
    let (length, at) = (files.len(), files.iter().position(|file| Some(&file.file) == selected.as_ref()));
    if let Some(at) = at {
        team.list.selected = at;
    }
    team.list.move_by(0, length, height);
}

/// Takes what came of an exchange with the server, and looks again at what it changed.
pub(super) fn done(state: &mut State, store: &Path, result: Result<String, String>, needs_person: bool) -> Vec<Effect> {
    if let Some(team) = layer(state) {
        team.is_working = false;
    }
    match result {
        Ok(words) => state.tell(if needs_person { Meaning::Warn } else { Meaning::Ok }, words),
        Err(error) => state.tell(Meaning::Bad, error),
    }
    if store != state.store_root() {
        return Vec::new();
    }
    let is_open = layer(state).is_some();
    let read = is_open.then_some(Effect::ReadTeam);
    [Effect::Rescan, Effect::ReadInbox, Effect::ReadHistory].into_iter().chain(read).collect()
}

/// Takes a command: moving moves, the others ask the server or open what waits.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let height = usize::from(halves(inside(large(state.area))).0.height);
    let store = state.store_root().to_owned();
    let Some(Layer::Team(team)) = state.layers.last_mut() else { return Flow::Pass };
    let length = team.files().map_or(0, |read| read.files.len());
    if let Some(by) = step(command, length, height) {
        team.list.move_by(by, length, height);
        return Flow::Done(Vec::new());
    }
    let selected = team.selected().cloned();
    let (pull, push) = match command {
        Command::TeamSync => (true, true),
        Command::TeamPull => (true, false),
        Command::TeamPush => (false, true),
        Command::TeamHide => {
            let Some(file) = selected else { return Flow::Pass };
            team.is_working = true;
            let is_hidden = file.standing != Some(Standing::Hidden);
            return Flow::Done(vec![Effect::HideEntry { file: file.file, is_hidden }]);
        }
        Command::Open => {
            let Some((file, entry)) = selected.and_then(|file| Some((file.file, file.waits?))) else {
                return Flow::Pass;
            };
            let effects = super::review::open(state, &store, &entry);
            if let Some(Layer::Review(screen)) = state.layers.last_mut() {
                screen.wanted = Some(file_of(&file));
            }
            return Flow::Done(effects);
        }
        _ => return Flow::Pass,
    };
    team.is_working = true;
    Flow::Done(vec![Effect::SyncTeam { pull, push }])
}
