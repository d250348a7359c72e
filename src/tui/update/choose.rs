//! A question with a few answers: one key each, anything else is told.

use chrono::TimeDelta;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Flow, stray, triage};
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::layer::Layer;
use crate::tui::layer::choose::{Asked, Choose, MOST_DAYS, SNOOZES, TYPES};
use crate::tui::state::State;

/// Takes a key; control keys pass, so that Ctrl-C and Ctrl-Z keep their meaning.
pub(super) fn key(state: &mut State, key: &KeyEvent) -> Flow {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return Flow::Pass;
    }
    let Some(Layer::Choose(choose)) = state.layers.last() else { return Flow::Pass };
    let answers = match choose.asked {
        Asked::Snooze => "7, 3 or 9, digits and then s; Esc leaves it",
        Asked::Retype => "u, f, p or r; Esc leaves it",
    };
    let effects = match (choose.asked, key.code) {
        (_, KeyCode::Esc | KeyCode::Char('q' | 'n')) => {
            state.layers.pop();
            Vec::new()
        }
        (Asked::Snooze, KeyCode::Char('s') | KeyCode::Enter) => match choose.days {
            Some(days) if days > 0 => snooze(state, days),
            _ => no_answer(state, key, answers),
        },
        (Asked::Snooze, KeyCode::Backspace) => {
            type_days(state, |days| days.map(|days| days / 10).filter(|days| *days > 0));
            Vec::new()
        }
        // A number that begins with another digit than an answer's is typed to its end.
        (Asked::Snooze, KeyCode::Char(own))
            if own.is_ascii_digit() && (choose.days.is_some() || SNOOZES.iter().all(|(key, ..)| *key != own)) =>
        {
            let digit = own.to_digit(10).and_then(|digit| u16::try_from(digit).ok()).unwrap_or_default();
            type_days(state, |days| {
                Some(days.unwrap_or_default().saturating_mul(10).saturating_add(digit).min(MOST_DAYS))
            });
            Vec::new()
        }
        (Asked::Snooze, KeyCode::Char(own)) => match SNOOZES.iter().find(|(key, ..)| *key == own) {
            Some((_, days, _)) => snooze(state, *days),
            None => no_answer(state, key, answers),
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
            None => no_answer(state, key, answers),
        },
        _ => no_answer(state, key, answers),
    };
    Flow::Done(effects)
}

fn no_answer(state: &mut State, key: &KeyEvent, answers: &str) -> Vec<Effect> {
    stray::no_answer(state, key, answers);
    Vec::new()
}

fn type_days(state: &mut State, change: impl FnOnce(Option<u16>) -> Option<u16>) {
    if let Some(Layer::Choose(choose)) = state.layers.last_mut() {
        choose.days = change(choose.days);
    }
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
