//! Commands: one that can be done now goes to the layer on top, then to what holds everywhere, then to the dashboard.
//!
//! Not its job: which key is which command (see [`super::keys`]).

use super::keys::end_answer;
use super::{
    Flow, dashboard, deeds, edit, find, health, help, history, inbox, index, leave, list_filter, message, new, palette,
    projects, promote, reading, refusal, review, run, runs, settings, step, stray, team, triage, turn, unsaved, why,
};
use crate::tui::command::Command;
use crate::tui::effect::Effect;
use crate::tui::layer::Layer;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Does a command, if it can be done now: the layer on top first, then what holds everywhere, then the dashboard.
pub fn perform(state: &mut State, command: Command) -> Vec<Effect> {
    if step(command, 1, 1).is_none() {
        end_answer(state);
    }
    if let Flow::Done(effects) = list_filter::command(state, command) {
        return effects;
    }
    if let Some(spec) = command.spec().filter(|spec| !(spec.when)(state)) {
        // What is typed next are words for a filter, not commands, whether there is one or not.
        if command == Command::Filter {
            stray::open(state);
            return Vec::new();
        }
        // Enter on what is only read puts it away.
        if command == Command::Open {
            match state.layers.last() {
                Some(Layer::Reading(_) | Layer::Help(_) | Layer::Message(_) | Layer::Why(_)) => {
                    return perform(state, Command::Close);
                }
                Some(_) => {
                    state.tell(Meaning::Text, "There is nothing here to open");
                    return Vec::new();
                }
                None => {}
            }
        }
        if let Some(text) = refusal::why_not(state, spec) {
            state.tell(Meaning::Warn, text);
        }
        return Vec::new();
    }
    let taken = match state.layers.last() {
        Some(Layer::Reading(_)) => reading::command(state, command),
        Some(Layer::Help(_)) => help::command(state, command),
        Some(Layer::Projects(_)) => projects::command(state, command),
        Some(Layer::Health(_)) => health::command(state, command),
        Some(Layer::Message(_)) => message::command(state, command),
        Some(Layer::Run(_)) => run::command(state, command),
        Some(Layer::Runs(_)) => runs::command(state, command),
        Some(Layer::Edit(_)) => edit::command(state, command),
        Some(Layer::New(_)) => new::command(state, command),
        Some(Layer::Inbox(_)) => inbox::command(state, command),
        Some(Layer::History(_)) => history::command(state, command),
        Some(Layer::Review(_)) => review::command(state, command),
        Some(Layer::Turn(_)) => turn::command(state, command),
        Some(Layer::Find(_)) => find::command(state, command),
        Some(Layer::Why(_)) => why::command(state, command),
        Some(Layer::Triage(_)) => triage::command(state, command),
        Some(Layer::Settings(_)) => settings::command(state, command),
        Some(Layer::Team(_)) => team::command(state, command),
        Some(Layer::Unsaved(_)) => unsaved::command(state, command),
        Some(Layer::Index(_)) => index::command(state, command),
        Some(Layer::Promote(_)) => promote::command(state, command),
        Some(
            Layer::Filter(_)
            | Layer::Palette(_)
            | Layer::Lens(_)
            | Layer::Views(_)
            | Layer::Confirm(_)
            | Layer::Choose(_)
            | Layer::Rename(_)
            | Layer::Leave(_)
            | Layer::Stray(_),
        )
        | None => Flow::Pass,
    };
    match taken {
        Flow::Done(effects) => effects,
        Flow::Pass => everywhere(state, command),
    }
}

/// Commands that hold whatever lies on top.
fn everywhere(state: &mut State, command: Command) -> Vec<Effect> {
    match command {
        Command::Leave if !state.layers.is_empty() => perform(state, Command::Close),
        Command::Leave | Command::Quit => leave::ask(state),
        Command::Suspend => vec![Effect::Suspend],
        Command::Close if !state.layers.is_empty() => {
            state.layers.pop();
            Vec::new()
        }
        Command::Help => {
            help::open(state);
            Vec::new()
        }
        Command::Palette => palette::open(state),
        Command::Settings => settings::open(state),
        Command::Team => team::open(state),
        Command::Pause => vec![Effect::Pause { ends: state.halt.is_some() }],
        Command::Mouse => {
            state.mouse = !state.mouse;
            let word = if state.mouse { "on" } else { "off: the terminal selects text again" };
            state.tell(Meaning::Text, format!("Mouse {word}"));
            vec![Effect::CaptureMouse(state.mouse)]
        }
        // A list whose filter shows no row has none that a verb could mean; what lies below is not meant either.
        Command::Open
        | Command::Accept
        | Command::Reject
        | Command::Review
        | Command::ResetSetting
        | Command::EditSettings
        | Command::DropDraft
            if !state.layers.is_empty() =>
        {
            state.tell(Meaning::Text, "There is nothing here that it could act on");
            Vec::new()
        }
        _ => match dashboard::command(state, command) {
            Flow::Done(effects) => effects,
            Flow::Pass => deeds::command(state, command),
        },
    }
}
