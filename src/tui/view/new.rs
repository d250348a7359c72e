//! How the form of a new memory looks.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::{edit, form, pane};
use crate::tui::layer::new::NewMemory;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &NewMemory, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let title = if layer.saving { "Saving a new memory" } else { "A new memory" };
    let inner = pane::dialog(area, title, state, edit::keys(layer.asking, state, area), frame);
    let inner = edit::draw_banner(layer.asking.then_some((edit::UNSAVED, Meaning::Warn)), state, inner, frame);
    form::draw(&layer.form, &layer.lint, state, inner, frame);
}
