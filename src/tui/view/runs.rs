//! How the control room looks: the table of runs, the events of the one under the cursor, a year of dreams.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{filter_line, footer, pane};
use crate::text::{fit, fit_padded, visible};
use crate::tui::layer::runs::{RoomView, RunsList};
use crate::tui::layout::{self, Room};
use crate::tui::page::{self, run_cells, run_heading};
use crate::tui::state::{ListFilter, RunRow, State};
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &RunsList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let place = layout::large(area);
    let keys = |room| footer::keys(state, room);
    let none = ListFilter::default();
    // A filter is of the table; a view that is only read shows all there is.
    let (filter, counts) = match layer.view {
        RoomView::Table => {
            (&layer.filter, (state.run_rows(&layer.filter).len(), state.run_rows(&ListFilter::default()).len()))
        }
        RoomView::Year | RoomView::Stats => (&none, (0, 0)),
    };
    let inner = filter_line::dialog(place, &title(layer, state), filter, counts, state, &keys, frame);
    let width = usize::from(inner.width);
    let lines = match layer.view {
        RoomView::Table => return draw_table(layer, state, layout::room(area), frame),
        RoomView::Year => page::year(state, width),
        RoomView::Stats => page::stats(state, width),
    };
    let latest = lines.len().saturating_sub(usize::from(inner.height));
    for (line, row) in lines.into_iter().skip(layer.scroll.min(latest)).zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}

fn title(layer: &RunsList, state: &State) -> String {
    let live = state.live_count();
    let foreign = match state.foreign.len() {
        0 => String::new(),
        others => format!(" · {others} not ours"),
    };
    match layer.view {
        RoomView::Table => {}
        RoomView::Year => return "A year of dreams".to_owned(),
        RoomView::Stats => return "Records of runs".to_owned(),
    }
    format!("Runs {} · {live} live{foreign}{}", state.runs.len(), latest_refusal(state))
}

/// The latest trigger, when it began nothing: which gate was closed, and when.
fn latest_refusal(state: &State) -> String {
    let Some(Ok(ledger)) = &state.stats else { return String::new() };
    let Some(latest) = ledger.records.iter().find(|record| record.is_trigger()) else { return String::new() };
    if !latest.is_refusal() {
        return String::new();
    }
    let gate = latest.reason.split(':').next().unwrap_or_default();
    format!(" · {} {} ({})", page::moment(latest.at), latest.words(), fit(&visible(gate), 30))
}

fn draw_table(layer: &RunsList, state: &State, room: Room, frame: &mut Frame<'_>) {
    let rows = state.run_rows(&layer.filter);
    if rows.is_empty() {
        let text =
            if layer.filter.is_on() { filter_line::NONE } else { "No run yet. D on the dashboard starts a dream." };
        return pane::text(text, Meaning::Dim, room.heading.union(room.table), state.theme, frame);
    }
    let width = usize::from(room.table.width);
    let heading = fit(&run_heading(width), width).into_owned();
    frame.render_widget(Line::styled(heading, state.theme.style(Meaning::Dim)), room.heading);
    let window = layer.list.window(rows.len(), usize::from(room.table.height));
    for (at, place) in window.zip(room.table.rows()) {
        let Some(row) = rows.get(at) else { break };
        let (mark, rest, meaning) = run_cells(row, state, width);
        if at == layer.list.selected {
            let text = format!("{mark}{rest}");
            frame.render_widget(pane::selected_row(&text, place.width, true, state.theme), place);
            continue;
        }
        let rest = fit(&rest, width.saturating_sub(crate::text::width(&mark))).into_owned();
        let line = Line::from(vec![Span::styled(mark, state.theme.style(meaning)), Span::raw(rest)]);
        frame.render_widget(line, place);
    }
    let selected = rows.get(layer.list.selected);
    if room.tail.height > 0 {
        let rule = Rect { y: room.tail.y - 1, height: 1, x: room.heading.x, width: room.heading.width };
        let name = selected.map(|row| match row {
            RunRow::Ours(run) => format!("─ {} ", visible(&run.id)),
            RunRow::Foreign(dream) => format!("─ {}, not ours ", visible(&dream.project)),
        });
        let name = fit(&name.unwrap_or_default(), usize::from(rule.width)).into_owned();
        let dashes = "─".repeat(usize::from(rule.width).saturating_sub(crate::text::width(&name)));
        frame.render_widget(Line::styled(format!("{name}{dashes}"), state.theme.style(Meaning::Border)), rule);
        if let Some(row) = selected {
            draw_tail(row, layer, state, room.tail, frame);
        }
    }
    if let Some(place) = room.year {
        for (line, row) in page::year(state, usize::from(place.width)).into_iter().zip(place.rows()) {
            frame.render_widget(line, row);
        }
    }
}

/// The newest events of the run, the last one at the bottom.
fn draw_tail(row: &RunRow<'_>, layer: &RunsList, state: &State, place: Rect, frame: &mut Frame<'_>) {
    let width = usize::from(place.width);
    let lines: Vec<(String, Meaning)> = match row {
        RunRow::Foreign(dream) => page::foreign_words(dream, state, width),
        RunRow::Ours(run) => layer.tail.iter().map(|event| page::event_words(event, run.started)).collect(),
    };
    let from = lines.len().saturating_sub(usize::from(place.height));
    for ((text, meaning), row) in lines.into_iter().skip(from).zip(place.rows()) {
        frame.render_widget(Line::styled(fit_padded(&text, width), state.theme.style(meaning)), row);
    }
}
