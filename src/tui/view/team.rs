//! How the team screen looks: the entries and how each stands; and in plain words when no server is set up.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, halves, pane};
use crate::memory::names::TEAM_DIRECTORY;
use crate::team::client::status::Standing;
use crate::text::{bytes, count, fit, visible, width};
use crate::tui::layer::team::{Server, Team, TeamFile, TeamFiles};
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// What is true where no server is set up.
const NO_SERVER: &str = "Sync with a team is not set up: nothing is sent to anybody and nothing received. team.url in config.yaml \
                         names a server; docs/team.md says how. Claude Code and other programs may share these files in \
                         their own way.";
/// How one gets there.
const OFFER: &str = "`dreamtop team promote FILE` offers a memory of yours.";

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Team, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let number =
        layer.files().map(|read| format!(" · {}", count(read.files.len(), "file", "files"))).unwrap_or_default();
    let working = if layer.is_working { " · asking the server …" } else { "" };
    let title = format!("Team{number}{working}");
    let inner = pane::dialog(area, &title, state, footer::keys(state, area.width), frame);
    let directory = state.setup.short(&state.store_root().join(TEAM_DIRECTORY));
    let nothing = match &layer.read {
        None => "Reading …".to_owned(),
        Some(Err(error)) => error.clone(),
        Some(Ok(read)) if read.files.is_empty() => {
            let what = if read.exists {
                format!("{directory} holds no memory.")
            } else {
                format!("This project shares nothing: there is no {directory}.")
            };
            let last = read.last.as_ref().map(|(words, _)| format!(" {words}")).unwrap_or_default();
            match &read.server {
                Server::None => format!("{what} {NO_SERVER}"),
                Server::Wrong(why) => format!("{what} {why}"),
                Server::Set(server) => format!("{what} It is shared as {server}. {OFFER}{last}"),
            }
        }
        Some(Ok(read)) => return draw_files(read, layer, state, inner, frame),
    };
    pane::text(&nothing, Meaning::Text, inner, state.theme, frame);
}

/// The sign of an entry, and what it means.
fn sign(file: &TeamFile) -> (&'static str, Meaning) {
    match file.standing {
        None if file.kept_back().is_some() => ("✗", Meaning::Bad),
        None | Some(Standing::Same) => ("✓", Meaning::Ok),
        Some(Standing::ToSend) => ("↑", Meaning::Accent),
        Some(Standing::ToReceive | Standing::ToRestore) => ("↓", Meaning::Accent),
        Some(Standing::Conflict | Standing::Waiting) => ("!", Meaning::Warn),
        Some(Standing::Blocked) => ("✗", Meaning::Bad),
        Some(Standing::Gone | Standing::Rejected | Standing::Hidden) => ("-", Meaning::Dim),
    }
}

fn draw_files(read: &TeamFiles, layer: &Team, state: &State, inner: Rect, frame: &mut Frame<'_>) {
    let (list, detail) = layout::halves(inner);
    let window = layer.list.window(read.files.len(), usize::from(list.height));
    for (at, place) in window.zip(list.rows()) {
        let Some(file) = read.files.get(at) else { break };
        let (sign, meaning) = sign(file);
        let right = file.standing.map_or_else(|| bytes(file.bytes), |standing| standing.words().to_owned());
        let size = format!(" {right:>9}");
        let room = usize::from(list.width).saturating_sub(width(&size) + 3);
        let name = crate::text::fit_padded(&visible(&file.file), room);
        if at == layer.list.selected {
            let text = format!(" {sign} {name}{size}");
            frame.render_widget(pane::selected_row(&text, list.width, true, state.theme), place);
            continue;
        }
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
    let is_set = matches!(read.server, Server::Set(_));
    if let Some(file) = file {
        lines.push((file.file.clone(), Meaning::Accent));
        lines.push((file.about.clone(), Meaning::Text));
        match (file.standing, file.kept_back()) {
            (Some(standing), None) => {
                let why = file.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
                lines.push((format!("{}{why}.", first_up(standing.words())), sign(file).1));
            }
            (_, Some(why)) => lines.push((format!("A sync would keep it back: {why}."), Meaning::Bad)),
            (None, None) => lines.push(("A sync would share it.".to_owned(), Meaning::Ok)),
        }
        for hit in file.secrets.iter().skip(1) {
            lines.push((format!("{} on line {}", hit.rule, hit.line), Meaning::Bad));
        }
        lines.push((String::new(), Meaning::Text));
    }
    if !is_set {
        let kept = read.files.iter().filter(|file| file.kept_back().is_some()).count();
        let shared = read.files.len() - kept;
        lines.push((format!("{shared} would be shared, {kept} kept back."), Meaning::Text));
    }
    if !read.others.is_empty() {
        lines.push((format!("Never shared: {}", read.others.join(", ")), Meaning::Dim));
    }
    match &read.server {
        Server::None => lines.push((NO_SERVER.to_owned(), Meaning::Warn)),
        Server::Wrong(why) => lines.push((why.clone(), Meaning::Bad)),
        Server::Set(server) => {
            lines.push((server.clone(), Meaning::Text));
            if let Some((words, is_failed)) = &read.last {
                lines.push((words.clone(), if *is_failed { Meaning::Bad } else { Meaning::Dim }));
            }
            lines.push((OFFER.to_owned(), Meaning::Dim));
        }
    }
    lines
}

/// A word with a capital at its beginning.
fn first_up(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
