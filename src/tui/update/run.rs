//! What keys and commands do to this layer.

use super::Flow;
use crate::tui::command::Command;
use crate::tui::state::State;

/// Takes a command.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let _ = (state, command);
    Flow::Pass
}

/// Takes what a run did to a file.
pub(super) fn diff_read(
    state: &mut State,
    question: &crate::tui::effect::RunDiffQuestion,
    result: Result<(Option<Vec<u8>>, Option<Vec<u8>>), String>,
) -> Vec<crate::tui::effect::Effect> {
    let _ = (state, question, result);
    Vec::new()
}
