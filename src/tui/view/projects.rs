//! Other projects.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, pane};
use crate::text::{fit, fit_padded, visible};
use crate::tui::layer::Projects;
use crate::tui::layout;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Projects, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let title = format!("Projects {}", state.projects.len());
    let inner = pane::dialog(area, &title, state, footer::keys(state, area.width), frame);
    if state.projects.is_empty() {
        return pane::text("No project has sessions or memories here.", Meaning::Dim, inner, state.theme, frame);
    }
    let window = layer.list.window(state.projects.len(), usize::from(inner.height));
    for (at, row) in window.zip(inner.rows()) {
        let Some(project) = state.projects.get(at) else { break };
        // A folder's name is no proof of a path: without a transcript that says, the folder is named as such.
        let place = match &project.path {
            Some(path) => path.display().to_string(),
            None => format!("folder {}, no transcript names its path", project.folder),
        };
        let store = if project.has_store { "●" } else { "○" };
        let shown = if project.store == state.choice.store { "shown now · " } else { "" };
        let text = format!(" {store} {} {shown}{}", fit_padded(&visible(&project.title()), 24), visible(&place));
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&text, inner.width, true, state.theme), row);
        } else {
            let meaning = if project.has_store { Meaning::Text } else { Meaning::Dim };
            let line = Line::styled(fit(&text, usize::from(inner.width)).into_owned(), state.theme.style(meaning));
            frame.render_widget(line, row);
        }
    }
}
