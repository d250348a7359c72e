//! A question with a few answers: one key each, anything else but `esc` does nothing.

use chrono::TimeDelta;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, triage};
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::layer::Layer;
use crate::tui::layer::choose::{Asked, Choose, SNOOZES, TYPES};
use crate::tui::state::State;

/// Takes a key; control keys pass, so that Ctrl-C and Ctrl-Z keep their meaning.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Flow::Pass;
    }
    let Some(Layer::Choose(choose)) = state.layers.last() else { return Flow::Pass };
    let effects = match (choose.asked, key.code) {
        (_, KeyCode::Esc | KeyCode::Char('q' | 'n')) => {
            state.layers.pop();
            Vec::new()
        }
        (Asked::Snooze, KeyCode::Char(own)) => match SNOOZES.iter().find(|(key, ..)| *key == own) {
            Some((_, days, _)) => snooze(state, *days),
            None => Vec::new(),
        },
        (Asked::Retype, KeyCode::Char(own)) => match TYPES.iter().find(|(key, _)| *key == own) {
            Some((_, kind)) => {
                let kind = *kind;
                let Some(choose) = close(state) else { return Flow::Pass };
                if state.triage().is_some() {
                    triage::retype(state, kind)
                } else {
                    let judgement = Judgement::Retype(kind);
                    vec![Effect::Do(Box::new(Deed::Judge { seen: choose.seen, judgement }))]
                }
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    };
    Flow::Done(effects)
}

fn snooze(state: &mut State, days: u16) -> Vec<Effect> {
    let Some(choose) = close(state) else { return Vec::new() };
    if state.triage().is_some() {
        return triage::snooze(state, days);
    }
    let until = Some(state.now + TimeDelta::days(i64::from(days)));
    let wanted = choose.seen.into_iter().map(|seen| (seen, until)).collect();
    vec![Effect::Do(Box::new(Deed::Snooze(wanted)))]
}

fn close(state: &mut State) -> Option<Choose> {
    match state.layers.pop() {
        Some(Layer::Choose(choose)) => Some(choose),
        _ => None,
    }
}
