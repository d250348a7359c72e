//! What follows from an event: changes of the state, and effects. Pure: no disk, no clock, no terminal.
//!
//! One file per layer and pane. A key goes to the layer on top if that layer takes text; what it does not take becomes a
//! [`Command`] by the key map, and the command goes to the layer on top, then to what holds everywhere.

mod choose;
mod chord;
mod confirm;
mod dashboard;
mod deeds;
pub(super) mod edit;
mod filter;
mod find;
mod health;
mod help;
mod history;
mod inbox;
pub(super) mod index;
mod leave;
mod lens;
mod lint;
mod list_filter;
mod message;
mod mouse;
mod new;
mod palette;
mod pause;
mod projects;
mod promote;
mod reading;
mod refusal;
mod rename;
mod review;
pub(super) mod run;
mod runs;
mod settings;
mod sheets;
mod store;
mod stray;
mod team;
mod triage;
mod turn;
pub(super) mod unsaved;
mod views;
mod why;
mod workers;

pub(super) use palette::matching;

use crossterm::event::{KeyEvent, KeyEventKind};
use ratatui::layout::Rect;

use super::command::Command;
use super::effect::Effect;
use super::event::AppEvent;
use super::layer::Layer;
use super::state::{Pane, State};
use super::theme::{Meaning, Theme};
use crate::config::TeamSync;

/// What answers whether changes that are not saved are kept.
const UNSAVED_ANSWERS: &str = "s: save, d: drop, Esc: go on";

/// What a layer made of a key or a command.
#[derive(Debug)]
pub(super) enum Flow {
    /// It took it.
    Done(Vec<Effect>),
    /// It is not for this layer.
    Pass,
}

/// What to do first.
#[must_use]
pub fn start() -> Vec<Effect> {
    vec![
        Effect::Recover,
        Effect::Rescan,
        Effect::ReadBranch,
        Effect::RefreshRuns,
        Effect::RefreshGates,
        Effect::ReadHistory,
        Effect::ReadInbox,
        Effect::ReadViews,
        Effect::ReadUnsaved,
    ]
}

/// Takes in an event.
pub fn update(state: &mut State, event: AppEvent) -> Vec<Effect> {
    let mut effects = take(state, event);
    effects.extend(unsaved::settle(state));
    effects.extend(settle(state));
    effects.extend(sheets::ask(state));
    dashboard::note_verdict(state, &effects);
    effects
}

/// Brings the layer on top in line with what the event changed under it.
fn settle(state: &mut State) -> Option<Effect> {
    match state.layers.last() {
        Some(Layer::Run(_)) => run::settle(state),
        Some(Layer::History(_)) => history::settle(state),
        Some(Layer::Inbox(_)) => {
            inbox::settle(state);
            None
        }
        Some(Layer::Health(_)) => {
            health::settle(state);
            None
        }
        Some(Layer::Review(_)) => {
            review::settle(state);
            None
        }
        Some(Layer::Triage(_) | Layer::Choose(_)) => {
            triage::settle(state);
            None
        }
        Some(Layer::Runs(_)) => runs::settle(state),
        Some(Layer::Projects(_)) => {
            projects::settle(state);
            None
        }
        Some(Layer::Turn(_)) => turn::settle(state),
        Some(Layer::Find(_)) => find::settle(state),
        Some(Layer::Edit(_) | Layer::New(_)) => lint::settle(state),
        Some(Layer::Rename(_)) => rename::settle(state),
        Some(Layer::Index(_)) => {
            index::settle(state);
            None
        }
        _ => None,
    }
}

fn take(state: &mut State, event: AppEvent) -> Vec<Effect> {
    match event {
        AppEvent::Time(now) => {
            state.now = now;
            workers::lose_patience(state);
            store::day_passed(state)
        }
        AppEvent::Second => pause::second(state).into_iter().chain(runs::second(state)).collect(),
        AppEvent::Key(key) if stray::is_unseen(state) => stray::unseen_key(state, &key),
        AppEvent::Mouse(_) | AppEvent::Paste(_) if stray::is_unseen(state) => Vec::new(),
        AppEvent::Key(key) => {
            let mut effects = answered(state, |state| key_pressed(state, &key));
            effects.extend(store::check_if_due(state));
            effects
        }
        AppEvent::Mouse(event) => mouse::take(state, event),
        AppEvent::Paste(text) => {
            state.pressed = None;
            answered(state, |state| pasted(state, &text))
        }
        AppEvent::Resize(width, height) => {
            state.area = Rect::new(0, 0, width, height);
            dashboard::settle(state);
            Vec::new()
        }
        AppEvent::Background(background) => {
            state.background = Some(background);
            state.theme = Theme::choose(&state.setup.config.theme, state.setup.no_color, state.background);
            Vec::new()
        }
        AppEvent::Settings(result) => settings::read(state, result),
        AppEvent::SettingChanged { name, result } => settings::changed(state, &name, result),
        AppEvent::StoreTouched => vec![Effect::Rescan],
        AppEvent::WatchDegraded(sentence) => {
            state.tell(Meaning::Warn, sentence);
            Vec::new()
        }
        AppEvent::RunsTouched => runs::touched(state),
        AppEvent::Recovered(result) => store::recovered(state, result),
        AppEvent::Scanned { store, result } => {
            let mut effects = store::scanned(state, &store, result);
            // What another program did was written down by the scan, and is what undo takes back first.
            if !effects.is_empty() {
                effects.push(Effect::ReadHistory);
            }
            if store == state.store_root() && state.setup.config.team.sync == TeamSync::AfterLanding {
                effects.push(Effect::SyncTeamIfDue);
            }
            effects
        }
        AppEvent::Checked { store, findings, used } => store::checked(state, &store, findings, used),
        AppEvent::Opened(choice) => store::opened(state, *choice),
        AppEvent::Branch { store, branch } => {
            if store == state.store_root() {
                state.branch = branch;
            }
            Vec::new()
        }
        AppEvent::Gates { store, report } => {
            if store == state.store_root() {
                state.gates = report;
            }
            Vec::new()
        }
        AppEvent::Halted(result) => pause::halted(state, result),
        AppEvent::HaltChanged(halt) => pause::changed(state, halt),
        AppEvent::Previewed { question, result } => {
            sheets::answered(state, &question, result);
            Vec::new()
        }
        AppEvent::Recalled { question, result } => {
            lens::answered(state, question, result);
            Vec::new()
        }
        AppEvent::Runs(runs) => workers::refreshed(state, runs),
        AppEvent::Launched { run, result } => workers::launched(state, &run, result),
        AppEvent::Killed { run, result } => workers::killed(state, &run, result),
        AppEvent::Done { deed, result } => deeds::done(state, &deed, result),
        AppEvent::Projects(result) => projects::listed(state, result),
        AppEvent::Surveyed { facts, then } => projects::surveyed(state, facts, then),
        AppEvent::Team { store, result } => {
            if store == state.store_root() {
                team::read(state, &result);
            }
            Vec::new()
        }
        AppEvent::TeamDone { store, result, needs_person } => team::done(state, &store, result, needs_person),
        AppEvent::ViewSaved { name, result } => {
            views::saved(state, &name, result);
            Vec::new()
        }
        AppEvent::Views(result) => {
            views::read(state, result);
            Vec::new()
        }
        AppEvent::Paused => unsaved::paused(state),
        AppEvent::Unsaved { store, waiting } => {
            if store == state.store_root() {
                unsaved::read(state, waiting);
            }
            Vec::new()
        }
        AppEvent::NotKept(error) => {
            state.tell(Meaning::Bad, error);
            Vec::new()
        }
        AppEvent::Inbox { store, result } => store::inbox_read(state, &store, result),
        AppEvent::History { store, result } => store::history_read(state, &store, result),
        AppEvent::Tail { run, events } => {
            runs::tail_read(state, &run, events);
            Vec::new()
        }
        AppEvent::Stats(stats) => {
            state.stats = Some(stats);
            Vec::new()
        }
        AppEvent::Foreign(dreams) => runs::foreign(state, dreams),
        AppEvent::Explained { store, report } => {
            why::explained(state, &store, &report);
            Vec::new()
        }
        AppEvent::Reviewed { store, entry, result } => {
            review::read(state, &store, &entry, result);
            unsaved::review_read(state, &store, &entry)
        }
        AppEvent::TurnRead { question, result } => {
            turn::read(state, &question, result);
            Vec::new()
        }
        AppEvent::Found { id, news } => {
            find::news(state, id, news);
            Vec::new()
        }
        AppEvent::RunDiff { question, result } => {
            run::diff_read(state, &question, &result);
            Vec::new()
        }
        AppEvent::Images { question, result } => {
            history::images_read(state, &question, &result);
            Vec::new()
        }
        // Another project may have been opened since it was asked for.
        AppEvent::TopicRead { store, file, result } if store == state.store_root() => {
            match unsaved::topic_read(state, &file, &result) {
                Some(effects) => effects,
                None => edit::topic_read(state, &file, result),
            }
        }
        AppEvent::TopicRead { .. } => Vec::new(),
        AppEvent::IndexTopicRead { store, file, result } => {
            if store == state.store_root() {
                index::topic_read(state, &file, result);
            }
            Vec::new()
        }
        AppEvent::PromotionRead { store, file, result } => {
            if store != state.store_root() {
                return Vec::new();
            }
            promote::ground_read(state, &file, result)
        }
        AppEvent::RenamePreviewed { question, result } => {
            rename::previewed(state, &question, result);
            Vec::new()
        }
        AppEvent::Linted { question, linted } => {
            lint::answered(state, &question, linted);
            Vec::new()
        }
        AppEvent::UnionRead { store, file, result } => {
            if store != state.store_root() {
                return Vec::new();
            }
            match unsaved::union_read(state, &file, &result) {
                Some(effects) => effects,
                None => {
                    triage::union_read(state, &file, result);
                    Vec::new()
                }
            }
        }
        AppEvent::EditorClosed { file, base, result } => deeds::editor_closed(state, file, base, result),
    }
}

/// Does what a key asks for. What is told meanwhile answers it; what an earlier key was answered ends with its layer.
fn answered(state: &mut State, press: impl FnOnce(&mut State) -> Vec<Effect>) -> Vec<Effect> {
    let top = |state: &State| (state.layers.len(), state.layers.last().map(std::mem::discriminant));
    let (before, layer) = (state.notice.clone(), top(state));
    let effects = press(state);
    if state.notice != before {
        if let Some(notice) = &mut state.notice {
            notice.is_answer = true;
        }
    } else if top(state) != layer {
        end_answer(state);
    }
    effects
}

/// The answer to an earlier key ends.
fn end_answer(state: &mut State) {
    state.notice.take_if(|notice| notice.is_answer);
}

fn key_pressed(state: &mut State, key: &KeyEvent) -> Vec<Effect> {
    if key.kind == KeyEventKind::Release {
        return Vec::new();
    }
    outlive_notice(state);
    if let Flow::Done(effects) = chord::key(state, key) {
        return effects;
    }
    let taken = match state.layers.last() {
        _ if list_filter::is_typed(state) => list_filter::key(state, key),
        Some(Layer::Filter(_)) => filter::key(state, key),
        Some(Layer::Stray(_)) => stray::key(state, key),
        Some(Layer::Palette(_)) => palette::key(state, key),
        Some(Layer::Lens(_)) => lens::key(state, key),
        Some(Layer::Views(_)) => views::key(state, key),
        Some(Layer::Find(_)) => find::key(state, key),
        Some(Layer::Turn(_)) => turn::key(state, key),
        Some(Layer::Confirm(_)) => confirm::key(state, key),
        Some(Layer::Rename(_)) => rename::key(state, key),
        Some(Layer::Index(_)) => index::key(state, key),
        Some(Layer::Promote(_)) => promote::key(state, key),
        Some(Layer::Edit(_)) => edit::key(state, key),
        Some(Layer::Review(_)) => review::key(state, key),
        Some(Layer::New(_)) => new::key(state, key),
        Some(Layer::Leave(_)) => leave::key(state, key),
        Some(Layer::Choose(_)) => choose::key(state, key),
        Some(Layer::Triage(_)) => triage::key(state, key),
        Some(Layer::Settings(_)) => settings::key(state, key),
        _ => Flow::Pass,
    };
    match taken {
        Flow::Done(effects) => effects,
        Flow::Pass => chord::first(state, key),
    }
}

/// A notice was read when a key comes a while after it. A clock that was set back counts as a while.
fn outlive_notice(state: &mut State) {
    if state.notice.as_ref().is_some_and(|notice| (state.now - notice.at).num_seconds().abs() >= 2) {
        state.notice = None;
    }
}

fn pasted(state: &mut State, text: &str) -> Vec<Effect> {
    match state.layers.last() {
        _ if list_filter::is_typed(state) => list_filter::insert(state, text),
        Some(Layer::Filter(_)) => filter::insert(state, text),
        Some(Layer::Stray(_)) => stray::insert(state, text),
        Some(Layer::Palette(_)) => palette::insert(state, text),
        Some(Layer::Lens(_)) => return lens::insert(state, text),
        Some(Layer::Views(_)) => views::insert(state, text),
        Some(Layer::Find(_)) => return find::insert(state, text),
        Some(Layer::Turn(turn)) if turn.within.as_ref().is_some_and(|within| within.typing.is_some()) => {
            turn::insert(state, text);
        }
        Some(Layer::Edit(_)) => edit::paste(state, text),
        Some(Layer::New(_)) => new::paste(state, text),
        Some(Layer::Rename(_)) => rename::insert(state, text),
        Some(Layer::Promote(_)) => promote::paste(state, text),
        Some(Layer::Index(screen)) if screen.line.is_some() => index::insert(state, text),
        Some(Layer::Settings(layer)) if layer.editing.is_some() => settings::insert(state, text),
        _ => state.tell(Meaning::Text, "Pasted text has no place here; open a filter (/) or an editor (e) first"),
    }
    Vec::new()
}

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

/// How far a moving command moves in a list of `length` rows, `height` of them visible.
pub(super) fn step(command: Command, length: usize, height: usize) -> Option<isize> {
    let half = isize::try_from((height / 2).max(1)).unwrap_or(isize::MAX);
    let all = isize::try_from(length).unwrap_or(isize::MAX);
    match command {
        Command::Down => Some(1),
        Command::Up => Some(-1),
        Command::HalfPageDown => Some(half),
        Command::HalfPageUp => Some(-half),
        Command::Bottom => Some(all),
        Command::Top => Some(-all),
        _ => None,
    }
}

/// Puts the focus on a pane.
pub(super) fn focus(state: &mut State, pane: Pane) {
    state.focus = pane;
    dashboard::settle(state);
}

#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod conflict_tests;
#[cfg(test)]
mod dialogs_tests;
#[cfg(test)]
mod find_tests;
#[cfg(test)]
mod inbox_tests;
#[cfg(test)]
mod review_tests;
#[cfg(test)]
mod runs_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod triage_tests;
#[cfg(test)]
mod why_tests;
