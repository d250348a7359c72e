//! The keys that do something here.

use super::{Flow, step};
use crate::tui::command::{self, Command};
use crate::tui::layer::{Help, Layer};
use crate::tui::layout::{inside, large};
use crate::tui::state::State;
use crate::tui::view::help::lines;

/// Opens it: over whatever is there, and about it.
pub(super) fn open(state: &mut State) {
    if matches!(state.layers.last(), Some(Layer::Help(_))) {
        state.layers.pop();
        return;
    }
    let commands = command::available(state).filter(|spec| spec.command != Command::Help).collect();
    state.layers.push(Layer::Help(Help { place: command::place(state), commands, scroll: 0 }));
}

/// Takes a command: moving scrolls.
pub(super) fn command(state: &mut State, command: Command) -> Flow {
    let inner = inside(large(state.area));
    let height = usize::from(inner.height);
    let Some(Layer::Help(help)) = state.layers.last() else { return Flow::Pass };
    let length = lines(help, state, usize::from(inner.width)).len();
    let Some(Layer::Help(help)) = state.layers.last_mut() else { return Flow::Pass };
    let Some(rows) = step(command, length, height) else { return Flow::Pass };
    help.scroll = help.scroll.saturating_add_signed(rows).min(length.saturating_sub(height));
    Flow::Done(Vec::new())
}
