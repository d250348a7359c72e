//! How the projects look: a row each, with what its store holds, and the path of the selected one below.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{filter_line, footer, pane};
use crate::project::Project;
use crate::text::{bytes, count, fit, fit_padded, visible, width};
use crate::tui::layer::projects::{Projects, rows};
use crate::tui::layout::{self, inside, large};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Columns of the figures beside a name: memories, stale, size, last dream; and of what goes on, where there is room.
const FIGURES: usize = 36;
const GOES_ON: usize = 18;
/// From this many columns on, there is.
const ROOMY: usize = 90;

/// Rows of the list: one is the heading's, one the path's.
pub(in crate::tui) fn height(state: &State) -> usize {
    usize::from(inside(large(state.area)).height.saturating_sub(2))
}

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Projects, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let rows = rows(layer, state);
    let (counts, keys) = ((rows.len(), state.projects.len()), |room| footer::keys(state, room));
    let inner = filter_line::dialog(area, &title(layer, state), &layer.filter, counts, state, &keys, frame);
    if rows.is_empty() {
        let text = if layer.filter.is_on() { filter_line::NONE } else { "No project has sessions or memories here." };
        return pane::text(text, Meaning::Dim, inner, state.theme, frame);
    }
    let columns = usize::from(inner.width);
    let names = columns.saturating_sub(FIGURES + if columns >= ROOMY { GOES_ON } else { 0 }).max(8);
    let project = fit_padded("project", names.saturating_sub(3));
    let heading = format!("   {project} {:>8} {:>5} {:>9} {:>10}", "memories", "stale", "size", "last dream");
    let heading = fit(&heading, columns).into_owned();
    let place = Rect { height: inner.height.min(1), ..inner };
    frame.render_widget(Line::styled(heading, state.theme.style(Meaning::Dim)), place);
    let list = Rect { y: inner.y + place.height, height: inner.height.saturating_sub(2), ..inner };
    let window = layer.list.window(rows.len(), usize::from(list.height));
    for (at, row) in window.zip(list.rows()) {
        let Some(project) = rows.get(at) else { break };
        let (start, figures) = cells(project, state, names);
        if at == layer.list.selected {
            let text = format!("{start}{figures}");
            frame.render_widget(pane::selected_row(&text, inner.width, true, state.theme), row);
            continue;
        }
        let meaning = if project.has_store { Meaning::Text } else { Meaning::Dim };
        let room = columns.saturating_sub(width(&start));
        let line = Line::from(vec![
            Span::styled(start, state.theme.style(meaning)),
            Span::styled(fit(&figures, room).into_owned(), state.theme.style(meaning)),
        ]);
        frame.render_widget(line, row);
    }
    if let Some(project) = rows.get(layer.list.selected).filter(|_| inner.height > 2) {
        let below = Rect { y: inner.bottom() - 1, height: 1, ..inner };
        let text = fit(&format!(" {}", visible(&place_of(project, state))), columns).into_owned();
        frame.render_widget(Line::styled(text, state.theme.style(Meaning::Dim)), below);
    }
}

fn title(layer: &Projects, state: &State) -> String {
    let all = state.projects.len();
    let unseen = state.projects.iter().filter(|it| it.has_store && !state.project_facts.contains_key(it.store.root()));
    let unseen = match unseen.count() {
        0 => String::new(),
        left => format!(" · {left} not looked into yet"),
    };
    format!("Projects {all} · by {}{unseen}", layer.sort.words())
}

/// The name with its signs, and the figures.
fn cells(project: &Project, state: &State, names: usize) -> (String, String) {
    let sign = if project.has_store { "●" } else { "○" };
    let shown = if project.store == state.choice.store { "▸" } else { " " };
    let start = format!("{shown}{sign} {}", fit_padded(&visible(&project.title()), names.saturating_sub(3)));
    let live = match state.live_run_in(project.store.root()) {
        Some(_) => " ● a run goes on",
        None => "",
    };
    let Some(facts) = state.project_facts.get(project.store.root()) else {
        let text = if project.has_store { "        …" } else { " no memory yet" };
        return (start, format!("{text}{live}"));
    };
    let dream = match facts.last_dream {
        None => "none yet".to_owned(),
        Some(at) => match (state.now - at).num_hours().max(0) {
            0 => "just now".to_owned(),
            hours @ 1..=47 => format!("{hours} h ago"),
            hours => format!("{} d ago", hours / 24),
        },
    };
    let stale = if facts.stale == 0 { "-".to_owned() } else { facts.stale.to_string() };
    (start, format!(" {:>8} {stale:>5} {:>9} {dream:>10}{live}", facts.memories, bytes(facts.bytes)))
}

/// A folder's name is no proof of a path: without a transcript that says, the folder is named as such.
fn place_of(project: &Project, state: &State) -> String {
    let place = match &project.path {
        Some(path) => state.setup.short(path),
        None => format!("folder {}, no transcript names its path", project.folder),
    };
    let shown = if project.store == state.choice.store { " · shown now" } else { "" };
    let live =
        state.runs.iter().filter(|run| run.is_live() && std::path::Path::new(&run.store) == project.store.root());
    let live = match live.count() {
        0 => String::new(),
        live => format!(" · {} live", count(live, "run", "runs")),
    };
    format!("{place}{shown}{live}")
}
