//! Who takes an event: keys and text, ticks, what the disk and other programs did, and what came of effects. Answers carry
//! the store or the question they are about, and one about something that is no longer shown is dropped.
//!
//! Not its job: which layer a key or a command goes to (see [`super::keys`], [`super::perform`]).

use ratatui::layout::Rect;

use super::keys::{answered, key_pressed, pasted};
use super::{
    dashboard, deeds, edit, find, history, index, lens, lint, mouse, pause, projects, promote, rename, review, run,
    runs, settings, sheets, store, stray, team, triage, turn, unsaved, views, why, workers,
};
use crate::config::TeamSync;
use crate::tui::effect::Effect;
use crate::tui::event::AppEvent;
use crate::tui::state::State;
use crate::tui::theme::{Meaning, Theme};

/// Takes an event.
pub(super) fn take(state: &mut State, event: AppEvent) -> Vec<Effect> {
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
        AppEvent::History { store, result, dropped } => store::history_read(state, &store, result, dropped),
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
