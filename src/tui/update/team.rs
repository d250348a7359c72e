//! What the project shares with a team.

use super::{Flow, step};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::layer::team::{Team, TeamFiles};
use crate::tui::layout::{halves, inside, large};
use crate::tui::state::State;

/// Opens it.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    state.layers.push(Layer::Team(Team::default()));
    vec![Effect::ReadTeam]
}

/// Takes what is there.
pub(super) fn read(state: &mut State, result: &Result<TeamFiles, String>) {
    for layer in &mut state.layers {
        if let Layer::Team(team) = layer {
            team.read = Some(result.clone());
        }
    }
}

/// Takes a command: moving moves.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let height = usize::from(halves(inside(large(state.area))).0.height);
    let Some(Layer::Team(team)) = state.layers.last_mut() else { return Flow::Pass };
    let length = team.read.as_ref().and_then(|read| read.as_ref().ok()).map_or(0, |read| read.files.len());
    let Some(by) = step(command, length, height) else { return Flow::Pass };
    team.list.move_by(by, length, height);
    Flow::Done(Vec::new())
}
