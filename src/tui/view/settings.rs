//! How the settings look: all of them in a list, the one under the cursor in full.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{filter_line, footer, halves, pane};
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::layer::settings::{SettingRow, Settings, rows, shown};
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Settings, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let file = state.setup.file.as_ref().map(|file| format!(" · {}", state.setup.short(file))).unwrap_or_default();
    let keys = |room| match &layer.editing {
        Some(typed) if typed.choices.is_empty() => footer::of(&[("Enter", "set"), ("Esc", "leave it")], state),
        Some(_) => footer::of(&[("Tab", "next value"), ("Enter", "set"), ("Esc", "leave it")], state),
        None => footer::keys(state, room),
    };
    let (rows, all) = (shown(layer, state), rows(state));
    let title = format!("Settings {}/{}{file}", (layer.list.selected + 1).min(rows.len()), rows.len());
    let inner = filter_line::dialog(area, &title, &layer.filter, (rows.len(), all.len()), state, &keys, frame);
    if rows.is_empty() {
        return pane::text(filter_line::NONE, Meaning::Dim, inner, state.theme, frame);
    }
    let (list, detail) = layout::halves(inner);
    let longest = all.iter().map(|row| width(&row.name)).max().unwrap_or(0);
    let window = layer.list.window(rows.len(), usize::from(list.height));
    for (at, place) in window.zip(list.rows()) {
        let Some(row) = rows.get(at) else { break };
        let columns = usize::from(list.width);
        let names = longest.saturating_add(2).min(columns.saturating_sub(8)).max(12).min(columns);
        let room = names.saturating_sub(2);
        let name = format!(" {} ", fit_padded(&pane::tail(&row.name, room), room));
        let value = fit(&visible(&row.value), columns.saturating_sub(width(&name))).into_owned();
        if at == layer.list.selected {
            let text = format!("{name}{value}");
            frame.render_widget(pane::selected_row(&text, place.width, true, state.theme), place);
            continue;
        }
        // What a person chose stands out from what is so by default.
        let meaning = if row.note.is_some() && row.path.is_some() && row.line.is_some() {
            Meaning::Warn
        } else if row.line.is_some() {
            Meaning::Accent
        } else {
            Meaning::Dim
        };
        let line = Line::from(vec![Span::raw(name), Span::styled(value, state.theme.style(meaning))]);
        frame.render_widget(line, place);
    }
    if let Some(row) = rows.get(layer.list.selected) {
        draw_detail(row, layer, state, detail, frame);
    }
    halves::line_between(list, detail, state, frame);
}

fn draw_detail(row: &SettingRow, layer: &Settings, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let columns = usize::from(area.width).max(1);
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut say = |text: &str, meaning| {
        lines.extend(wrap(text, columns).into_iter().map(|line| Line::styled(line, state.theme.style(meaning))));
    };
    say(&row.name, Meaning::Accent);
    let typed = layer.editing.as_ref();
    if typed.is_none() {
        say(&format!("{} · {}", row.value, row.from), Meaning::Text);
    }
    let input = lines.len();
    let mut say = |text: &str, meaning| {
        lines.extend(wrap(text, columns).into_iter().map(|line| Line::styled(line, state.theme.style(meaning))));
    };
    if let Some(typed) = typed {
        say(&format!("▸ {}", visible(&typed.text)), Meaning::Key);
        if let Some(why) = &typed.refused {
            say(why, Meaning::Bad);
        }
    }
    say(&row.says, Meaning::Text);
    say(&format!("Accepted: {}", row.accepted), Meaning::Dim);
    if let Some(note) = &row.note {
        say(note, Meaning::Warn);
    }
    say(row.counts, Meaning::Dim);
    if let Some(why) = &layer.broken {
        say(&format!("The file does not count: {why}"), Meaning::Bad);
    }
    for (line, place) in lines.into_iter().zip(area.rows()) {
        frame.render_widget(line, place);
    }
    if let Some(typed) = typed {
        let rows = wrap(&format!("▸ {}", visible(&typed.text)), columns);
        let end = rows.last().map_or(0, |row| width(row)).min(columns.saturating_sub(1));
        let down = input + rows.len().saturating_sub(1);
        if let (Ok(x), Ok(y)) = (u16::try_from(end), u16::try_from(down))
            && y < area.height
        {
            pane::type_at(Position { x: area.x + x, y: area.y + y }, frame);
        }
    }
}
