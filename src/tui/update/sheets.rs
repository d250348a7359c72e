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
    take(state, question, result);
    seek(state);
}

/// Scrolls the page that is read to what was looked for, once it is there.
fn seek(state: &mut State) {
    let area = reading_area(state);
    let Some(Layer::Reading(reading)) = state.layers.last() else { return };
    let Some(seek) = reading.sheet.seek.as_ref().filter(|seek| seek.is_due) else { return };
    let Some(Ok(page)) = &reading.sheet.page else { return };
    let length = length(state, &reading.sheet, area.width);
    let head = length - reading.sheet.body_length();
    let is_match = |line: &&ratatui::text::Line<'static>| {
        let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
        !page::found_in(&text, &seek.text).is_empty()
    };
    let rows: Vec<usize> = (0..).zip(&page.lines).filter(|(_, line)| is_match(line)).map(|(at, _)| at).collect();
    // What stands in the frontmatter is said in the head.
    let row = rows.get(seek.nth).or(rows.last()).map_or(0, |row| row + head);
    let height = usize::from(area.height);
    if let Some(Layer::Reading(reading)) = state.layers.last_mut() {
        if row >= height {
            reading.sheet.scroll = row.saturating_sub(height / 3).min(length.saturating_sub(height));
        }
        if let Some(seek) = &mut reading.sheet.seek {
            seek.is_due = false;
        }
    }
}

/// Gives an answer to whoever asked.
fn take(state: &mut State, question: &PreviewQuestion, result: Result<Page, String>) {
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
