//! Why a command cannot be done now, in words that say what can.
//!
//! Not its job: whether it can be done (the table of commands knows).

use crate::tui::command::{Command, CommandSpec};
use crate::tui::layer::Layer;
use crate::tui::state::{Pane, State};

/// What to tell a person whose command cannot be done; `None`: a key like `esc`, pressed by habit, needs no answer.
pub(super) fn why_not(state: &State, spec: &CommandSpec) -> Option<String> {
    let key = |command| state.keymap.shown(command);
    let why = match spec.command {
        Command::Close => return None,
        Command::Save | Command::SaveAndRenew => return None,
        Command::Kill => "this run is over".to_owned(),
        Command::Review => "the guards held nothing of this run".to_owned(),
        Command::Accept | Command::Reject => "nothing waits for you".to_owned(),
        Command::Repair => "nothing here can be fixed safely without you".to_owned(),
        Command::RunDialog => format!("no run yet; {} starts a dream", key(Command::Dream)),
        Command::Undo => match state.layers.last() {
            Some(Layer::Run(_) | Layer::Runs(_)) => "this run landed nothing that could be taken back".to_owned(),
            Some(Layer::History(_)) if state.history.is_empty() => "nothing has landed yet".to_owned(),
            Some(Layer::History(_)) => "it was taken back already".to_owned(),
            _ => no_store(state),
        },
        Command::Dream if state.snapshot().is_some() => {
            format!("a run is going on here already; {} watches it", key(Command::RunDialog))
        }
        Command::Mark if state.focus != Pane::Memories && state.target().is_some() => {
            format!("only the list of memories takes marks; {} goes there", key(Command::NextPane))
        }
        _ if state.snapshot().is_none() => no_store(state),
        _ if state.memories.rows.is_empty() && !state.memories.filter.is_empty() => {
            format!("no memory matches the filter; {} drops it", key(Command::Close))
        }
        _ => "there is nothing here that it could act on".to_owned(),
    };
    Some(format!("Not possible now: {why}"))
}

fn no_store(state: &State) -> String {
    format!("no store is open; {} looks at other projects", state.keymap.shown(Command::Projects))
}
