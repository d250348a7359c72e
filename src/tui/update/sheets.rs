//! The preview and the reading layer: asking for the page they need, taking the answer.

use crate::tui::effect::{Effect, PreviewQuestion};
use crate::tui::event::Page;
use crate::tui::layer::Layer;
use crate::tui::layout::{self, Scale, areas, inside};
use crate::tui::page;
use crate::tui::state::{Sheet, State};
use crate::tui::view::triage::card_area;

/// Asks for the page that is to be shown, if it was not asked for yet. Only the sheet that is seen asks.
pub(super) fn ask(state: &mut State) -> Option<Effect> {
    let width = match state.layers.last() {
        Some(Layer::Reading(_)) => reading_area(state).width,
        Some(Layer::Triage(_)) => card_area(state).width,
        _ => preview_width(state),
    };
    let question = state.target().filter(|_| width > 0).map(|memory| PreviewQuestion {
        store: state.store_root().to_owned(),
        file: memory.file.clone(),
        hash: memory.hash,
        width,
        theme: state.theme,
    });
    let sheet = match state.layers.last_mut() {
        Some(Layer::Reading(reading)) => &mut reading.sheet,
        Some(Layer::Triage(triage)) => &mut triage.sheet,
        _ => &mut state.preview,
    };
    let Some(question) = question else {
        if width > 0 {
            *sheet = Sheet::default();
        }
        return None;
    };
    if sheet.asked.as_ref() == Some(&question) {
        return None;
    }
    sheet.asked = Some(question.clone());
    Some(Effect::ReadPreview(question))
}

/// Gives an answer to whoever asked.
pub(super) fn answered(state: &mut State, question: &PreviewQuestion, result: Result<Page, String>) {
    for layer in &mut state.layers {
        let sheet = match layer {
            Layer::Reading(reading) => &mut reading.sheet,
            Layer::Triage(triage) => &mut triage.sheet,
            _ => continue,
        };
        if sheet.asked.as_ref() == Some(question) {
            return sheet.take(question, result);
        }
    }
    state.preview.take(question, result);
}

/// Where the reading layer writes.
pub(super) fn reading_area(state: &State) -> ratatui::layout::Rect {
    inside(layout::large(state.area))
}

fn preview_width(state: &State) -> u16 {
    inside(areas(state).preview).width
}

/// The lines of the preview on the screen.
pub(super) fn preview_height(state: &State) -> usize {
    usize::from(inside(areas(state).preview).height)
}

/// The lines of the preview, head and body.
pub(super) fn preview_length(state: &State) -> usize {
    if areas(state).scale == Scale::Line {
        return 0;
    }
    length(state, &state.preview, preview_width(state))
}

/// The lines of a sheet, head and body.
pub(super) fn length(state: &State, sheet: &Sheet, width: u16) -> usize {
    state.target().map_or(0, |memory| {
        let findings = state.findings_of(&memory.file);
        let (used, owed) = (state.use_of(memory), state.owed(&memory.file).latest());
        page::head(memory, findings, used.as_deref(), owed, width, state.theme).len() + sheet.body_length()
    })
}
