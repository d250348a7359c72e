//! How the dialog of one run looks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, halves, pane};
use crate::run::TouchOp;
use crate::text::{count, fit, visible};
use crate::tui::command::Command;
use crate::tui::layer::run::RunDialog;
use crate::tui::layout;
use crate::tui::page;
use crate::tui::state::State;
use crate::tui::theme::Meaning;
use crate::tui::update::run as keys;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &RunDialog, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let Some(run) = state.run(&layer.run) else {
        let inner = pane::dialog(area, "Run", state, footer::keys(state, area.width), frame);
        return pane::text("This run has not reported yet.", Meaning::Dim, inner, state.theme, frame);
    };
    // What became of its files when it is over, the notice says.
    let title = if run.is_live() {
        format!("{} · {}", run.id, count(run.touched.len(), "file touched", "files touched"))
    } else {
        run.id.clone()
    };
    let inner = pane::dialog(area, &title, state, footer::keys(state, area.width), frame);
    let head = page::run_head(run, state, keys::is_killing(state, layer), usize::from(inner.width));
    for (line, row) in head.into_iter().zip(inner.rows()) {
        frame.render_widget(line, row);
    }
    let body = keys::body(state, run, layer);
    let (list, detail) = layout::halves(body);
    if run.touched.is_empty() {
        let text = if run.is_live() { "No file touched yet." } else { "No file was touched." };
        return pane::text(text, Meaning::Dim, body, state.theme, frame);
    }
    if body.y > inner.y && run.touched.len() > 1 {
        let place = Rect { y: body.y - 1, height: 1, ..body };
        frame
            .render_widget(Line::styled(hint(state, usize::from(place.width)), state.theme.style(Meaning::Dim)), place);
    }
    let window = layer.files.window(run.touched.len(), usize::from(list.height));
    for (at, row) in window.zip(list.rows()) {
        let Some((file, op)) = run.touched.get(at) else { break };
        let (sign, meaning) = match op {
            TouchOp::Created => ("+", Meaning::Added),
            TouchOp::Changed => ("~", Meaning::Text),
            TouchOp::Removed => ("-", Meaning::Removed),
        };
        let text = format!(" {sign} {}", visible(file));
        if at == layer.files.selected {
            frame.render_widget(pane::selected_row(&text, list.width, true, state.theme), row);
        } else {
            let text = fit(&text, usize::from(list.width)).into_owned();
            frame.render_widget(Line::styled(text, state.theme.style(meaning)), row);
        }
    }
    let selected = run.touched.get(layer.files.selected).map(|(file, _)| file.as_str());
    if selected == Some(layer.detail.key.what.as_str()) {
        halves::detail(&layer.detail, detail, state, frame);
    }
    halves::line_between(list, detail, state, frame);
}

/// What walks the files: the footer has the verbs only.
fn hint(state: &State, width: usize) -> String {
    let key = |command| state.keymap.shown(command);
    let (down, up) = (key(Command::Down), key(Command::Up));
    let text = format!("{down} {up} other file · {} {} its diff", key(Command::HalfPageDown), key(Command::HalfPageUp));
    fit(&text, width).into_owned()
}
