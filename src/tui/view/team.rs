//! How the team screen looks: the files that a sync would share, and in plain words that none is set up.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, halves, pane};
use crate::text::{bytes, count, fit, visible, width};
use crate::tui::layer::team::{Team, TeamFile, TeamFiles};
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// What is true of sync in this version.
const NO_SYNC: &str = "Sync with a team is not set up: this version sends nothing to anybody and receives nothing. Claude Code \
                       and other programs may share these files in their own way.";

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Team, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let files = layer.read.as_ref().and_then(|read| read.as_ref().ok());
    let number = files.map(|read| format!(" · {}", count(read.files.len(), "file", "files"))).unwrap_or_default();
    let inner = pane::dialog(area, &format!("Team{number}"), state, footer::keys(state, area.width), frame);
    let directory = state.setup.short(&state.store_root().join("team"));
    let nothing = match &layer.read {
        None => "Reading …".to_owned(),
        Some(Err(error)) => error.clone(),
        Some(Ok(read)) if !read.exists => {
            format!("This project shares nothing: there is no {directory}. {NO_SYNC}")
        }
        Some(Ok(read)) if read.files.is_empty() => format!("{directory} holds no memory. {NO_SYNC}"),
        Some(Ok(read)) => return draw_files(read, layer, state, inner, frame),
    };
    pane::text(&nothing, Meaning::Text, inner, state.theme, frame);
}

fn draw_files(read: &TeamFiles, layer: &Team, state: &State, inner: Rect, frame: &mut Frame<'_>) {
    let (list, detail) = layout::halves(inner);
    let window = layer.list.window(read.files.len(), usize::from(list.height));
    for (at, place) in window.zip(list.rows()) {
        let Some(file) = read.files.get(at) else { break };
        let sign = if file.kept_back().is_some() { "✗" } else { "✓" };
        let size = format!(" {:>9}", bytes(file.bytes));
        let room = usize::from(list.width).saturating_sub(width(&size) + 3);
        let name = crate::text::fit_padded(&visible(&file.file), room);
        if at == layer.list.selected {
            let text = format!(" {sign} {name}{size}");
            frame.render_widget(pane::selected_row(&text, list.width, true, state.theme), place);
            continue;
        }
        let meaning = if file.kept_back().is_some() { Meaning::Bad } else { Meaning::Ok };
        let line = Line::from(vec![
            Span::styled(format!(" {sign} "), state.theme.style(meaning)),
            Span::raw(fit(&format!("{name}{size}"), usize::from(list.width).saturating_sub(3)).into_owned()),
        ]);
        frame.render_widget(line, place);
    }
    let lines = words(read, read.files.get(layer.list.selected));
    let rows = lines.into_iter().flat_map(|(text, meaning)| {
        let wrapped = wrap(&text, usize::from(detail.width).max(1));
        wrapped.into_iter().map(move |line| (line, meaning))
    });
    for ((text, meaning), row) in rows.zip(detail.rows()) {
        frame.render_widget(Line::styled(text, state.theme.style(meaning)), row);
    }
    halves::line_between(list, detail, state, frame);
}

fn words(read: &TeamFiles, file: Option<&TeamFile>) -> Vec<(String, Meaning)> {
    let mut lines = Vec::new();
    if let Some(file) = file {
        lines.push((file.file.clone(), Meaning::Accent));
        lines.push((file.about.clone(), Meaning::Text));
        match file.kept_back() {
            None => lines.push(("A sync would share it.".to_owned(), Meaning::Ok)),
            Some(why) => lines.push((format!("A sync would keep it back: {why}."), Meaning::Bad)),
        }
        for hit in file.secrets.iter().skip(1) {
            lines.push((format!("{} on line {}", hit.rule, hit.line), Meaning::Bad));
        }
        lines.push((String::new(), Meaning::Text));
    }
    let kept = read.files.iter().filter(|file| file.kept_back().is_some()).count();
    let shared = read.files.len() - kept;
    lines.push((format!("{shared} would be shared, {kept} kept back."), Meaning::Text));
    if !read.others.is_empty() {
        lines.push((format!("Never shared: {}", read.others.join(", ")), Meaning::Dim));
    }
    lines.push((NO_SYNC.to_owned(), Meaning::Warn));
    lines
}
