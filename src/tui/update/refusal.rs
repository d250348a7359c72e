//! Why a command cannot be done now, in words that say what can.
//!
//! Not its job: whether it can be done (the table of commands knows).

use crate::tui::command::{Command, CommandSpec};
use crate::tui::event::StoreTrouble;
use crate::tui::layer::Layer;
use crate::tui::layer::team::Server;
use crate::tui::state::{Pane, State, StoreView};

const NO_SERVER: &str = "no team's server is set up; docs/team.md says how";

/// What to tell a person whose command cannot be done; `None`: a key like `esc`, pressed by habit, needs no answer.
pub(super) fn why_not(state: &State, spec: &CommandSpec) -> Option<String> {
    let needs_none = matches!(
        spec.command,
        Command::Close
            | Command::Save
            | Command::SaveAndRenew
            | Command::Unfold
            | Command::NextTurn
            | Command::PreviousTurn
    );
    (!needs_none).then(|| format!("Not possible now: {}", why(state, spec)))
}

/// Why a command cannot be done, in a few words.
pub(super) fn why(state: &State, spec: &CommandSpec) -> String {
    let key = |command| state.keymap.shown(command);
    match spec.command {
        Command::Close => "nothing is open, filtered or marked".to_owned(),
        _ if super::runs::refusal(state).is_some() => super::runs::refusal(state).unwrap_or_default(),
        Command::Save | Command::SaveAndRenew => "a question is open, or it is being saved".to_owned(),
        Command::SaveIndex => "the index is as it was".to_owned(),
        Command::Unsaved => "no unsaved draft waits here".to_owned(),
        Command::Kill => "this run is over".to_owned(),
        Command::Review if matches!(state.layers.last(), Some(Layer::Inbox(_))) => "nothing waits for you".to_owned(),
        Command::Review => "nothing of this run waits for you".to_owned(),
        Command::ToggleHunk | Command::NextHunk | Command::PreviousHunk => {
            "there are no hunks here to choose from".to_owned()
        }
        Command::Sources => "no source is named for this change".to_owned(),
        Command::Source if state.target().is_some() => crate::project::origin::NONE_RECORDED.to_owned(),
        Command::NextMatch | Command::PreviousMatch => format!("nothing is looked for; {} does", key(Command::Filter)),
        Command::Unfold | Command::NextTurn | Command::PreviousTurn => "there is none here".to_owned(),
        Command::NextSource => match state.layers.last() {
            Some(Layer::Turn(turn)) if turn.read().is_none() => "its session cannot be read".to_owned(),
            Some(Layer::Turn(turn)) if turn.question.wrote.is_some() => {
                "only the session is recorded, no other turn of it".to_owned()
            }
            _ => "it comes from this turn alone".to_owned(),
        },
        Command::Origin => "no landing of dreamtop made or changed it".to_owned(),
        Command::TeamSync | Command::TeamPull | Command::TeamPush => match state.layers.last() {
            Some(Layer::Team(team)) if team.is_working => "a sync is going on".to_owned(),
            Some(Layer::Team(team)) => match team.files().map(|files| &files.server) {
                Some(Server::Wrong(why)) => why.strip_prefix("nothing was sent or taken: ").unwrap_or(why).to_owned(),
                _ => NO_SERVER.to_owned(),
            },
            _ => NO_SERVER.to_owned(),
        },
        Command::TeamHide => "only what the server has, and nothing of yours is unsent, can be hidden".to_owned(),
        Command::Accept | Command::Reject => "nothing waits for you".to_owned(),
        Command::Repair => "nothing here can be fixed safely without you".to_owned(),
        Command::RunDialog => format!("no run yet; {} starts a dream", key(Command::Dream)),
        Command::Undo => match state.layers.last() {
            Some(Layer::Run(_) | Layer::Runs(_)) if state.run_in_view().is_some_and(|run| run.history.is_some()) => {
                "it was taken back already".to_owned()
            }
            Some(Layer::Run(_) | Layer::Runs(_)) => "this run landed nothing that could be taken back".to_owned(),
            Some(Layer::Index(_) | Layer::Settings(_)) => "nothing was changed here yet".to_owned(),
            Some(Layer::Review(_)) => "the store of this review is not the one shown".to_owned(),
            Some(Layer::History(_)) if state.history.is_empty() => "nothing has landed yet".to_owned(),
            Some(Layer::History(_)) => "it was taken back already".to_owned(),
            Some(Layer::Triage(_)) => "there is no verdict to take back".to_owned(),
            _ => no_store(state),
        },
        Command::Merge if state.target().is_some() => "no partner is proposed for this memory".to_owned(),
        Command::Dream if matches!(state.layers.last(), Some(Layer::Run(_) | Layer::Runs(_))) => {
            "a run is going on in its store already, or it names none".to_owned()
        }
        Command::Dream if state.snapshot().is_some() => {
            format!("a run is going on here already; {} watches it", key(Command::RunDialog))
        }
        Command::Triage if state.snapshot().is_some() => {
            format!("no memory matches the filter; {} drops it", key(Command::Close))
        }
        Command::Mark if state.focus != Pane::Memories && state.target().is_some() => {
            format!("only the list of memories takes marks; {} goes there", key(Command::NextPane))
        }
        _ if state.snapshot().is_none() => no_store(state),
        _ if state.layers.is_empty() && state.focus == Pane::Index && state.target().is_none() => {
            "this line of the index leads to no memory".to_owned()
        }
        _ if state.memories.rows.is_empty() && !state.memories.filter.is_empty() => {
            format!("no memory matches the filter; {} drops it", key(Command::Close))
        }
        _ => "there is nothing here that it could act on".to_owned(),
    }
}

fn no_store(state: &State) -> String {
    let key = |command| state.keymap.shown(command);
    match &state.store {
        StoreView::Trouble(StoreTrouble::Missing(_)) => {
            format!("this project has no memory yet; {} writes the first one", key(Command::New))
        }
        StoreView::Trouble(StoreTrouble::NoHome(_)) => {
            "no store is open, there is no Claude home; --claude-dir names one, dreamtop demo has a sample".to_owned()
        }
        _ => format!("no store is open; {} looks at other projects", key(Command::Projects)),
    }
}
