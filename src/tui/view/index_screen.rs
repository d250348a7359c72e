//! How the index looks while a person puts it in order. Not its job: the pane of the dashboard (see [`super::index`]).

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{edit, filter_line, footer, form, pane};
use crate::memory::index::{ENTRY_CHARACTERS, MAX_BYTES, MAX_LINES};
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::layer::index::{IndexScreen, Shortening};
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::{IndexRow, ListState, State, index_row, index_rows};
use crate::tui::theme::Meaning;
use crate::tui::update::index::changed_on_disk;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &IndexScreen, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let measure = &layer.now.measure;
    let dirty = if layer.saving {
        " · saving"
    } else if layer.is_dirty() {
        " · not saved yet"
    } else {
        ""
    };
    let title = format!(
        "Arrange the index · {}/{MAX_LINES} lines · {:.1}/{} KB{dirty}",
        measure.lines,
        measure.bytes as f64 / 1e3,
        MAX_BYTES / 1000
    );
    let keys = |room| match layer {
        _ if layer.asking => footer::of(&[("s", "save"), ("d", "drop"), ("Esc", "go on")], state),
        _ if layer.line.is_some() => footer::of(&[("Enter", "take it"), ("Esc", "leave the line")], state),
        _ if layer.shortening.is_some() => footer::of(&[("y", "shorten"), ("n", "leave it")], state),
        _ => footer::keys(state, room),
    };
    let counts = (layer.shown().len(), layer.now.lines.len());
    let inner = filter_line::dialog(area, &title, &layer.filter, counts, state, &keys, frame);
    let banner = if layer.asking {
        Some((edit::UNSAVED, Meaning::Warn))
    } else if changed_on_disk(state, layer) {
        Some(("The index changed on disk since you opened it: saving replays your lines on it", Meaning::Warn))
    } else {
        None
    };
    let inner = edit::draw_banner(banner, state, inner, frame);
    let inner = match &layer.shortening {
        Some(shortening) => draw_shortening(shortening, state, inner, frame),
        None => inner,
    };
    draw_lines(layer, state, inner, frame);
}

fn draw_lines(layer: &IndexScreen, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let index = &layer.now;
    let is_shown = |row: &IndexRow| match row {
        IndexRow::Line(number) => index.lines.get(*number).is_some_and(|line| layer.filter.admits(&line.text)),
        IndexRow::Cut => !layer.filter.is_on(),
    };
    let rows: Vec<IndexRow> = (0..index_rows(index)).map(|row| index_row(index, row)).filter(is_shown).collect();
    if rows.is_empty() && layer.filter.is_on() {
        return pane::text(filter_line::NONE, Meaning::Dim, area, state.theme, frame);
    }
    let is_selected = |row: &IndexRow| matches!(row, IndexRow::Line(number) if *number == layer.list.selected);
    let selected = rows.iter().position(is_selected).unwrap_or_default();
    let window = ListState { selected, offset: layer.list.offset }.window(rows.len(), usize::from(area.height));
    for (row, place) in window.zip(area.rows()) {
        let columns = usize::from(place.width);
        let Some(IndexRow::Line(number)) = rows.get(row).copied() else {
            let text = format!("── below here: not loaded {}", "─".repeat(columns));
            frame.render_widget(Line::styled(fit(&text, columns).into_owned(), state.theme.style(Meaning::Bad)), place);
            continue;
        };
        let Some(line) = index.lines.get(number) else { break };
        let length = line.text.chars().count();
        let is_long = length > ENTRY_CHARACTERS && !line.entries.is_empty();
        let long = if is_long { format!(" {length} » ") } else { String::new() };
        let wrong = layer.wrong(number);
        let long = match wrong {
            Some(word) => format!(" {word}{}", if long.is_empty() { " ".to_owned() } else { long }),
            None => long,
        };
        let text = visible(&line.text);
        let text = format!("{}{long}", fit_padded(&text, columns.saturating_sub(width(&long))));
        if row != selected {
            let meaning = match line.loaded {
                _ if wrong.is_some() => Meaning::Warn,
                Some(true) if is_long => Meaning::Warn,
                Some(true) => Meaning::Text,
                Some(false) | None => Meaning::Dim,
            };
            frame.render_widget(Line::styled(text, state.theme.style(meaning)), place);
        } else if let Some(line) = &layer.line {
            form::text_area(line, true, place, frame);
        } else {
            frame.render_widget(pane::selected_row(&text, place.width, true, state.theme), place);
        }
    }
}

/// The shorter line and what the memory gets, at the bottom; returns what is left.
fn draw_shortening(shortening: &Shortening, state: &State, area: Rect, frame: &mut Frame<'_>) -> Rect {
    let columns = usize::from(area.width.saturating_sub(2));
    let file = visible(&shortening.file);
    let mut lines = Vec::new();
    let mut say = |text: &str, meaning: Meaning| {
        lines.extend(wrap(text, columns).into_iter().map(|row| Line::styled(row, state.theme.style(meaning))));
    };
    say("The line would be:", Meaning::Heading);
    say(&visible(&shortening.to), Meaning::Added);
    match &shortening.taken_over {
        Some(_) => {
            say(&format!("{file} would get a paragraph:"), Meaning::Heading);
            say(&visible(&shortening.text), Meaning::Added);
        }
        None => say(&format!("{file} says all of it already and stays as it is."), Meaning::Dim),
    }
    let high = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(1).min(area.height * 3 / 4);
    let below = Rect { y: area.bottom() - high, height: high, ..area };
    let mut rows = below.rows();
    if let Some(row) = rows.next() {
        let rule = "─".repeat(usize::from(row.width));
        frame.render_widget(Line::styled(rule, state.theme.style(Meaning::Border)), row);
    }
    for (line, row) in lines.into_iter().zip(rows) {
        frame.render_widget(line, Rect { x: row.x + 1, width: row.width.saturating_sub(1), ..row });
    }
    Rect { height: area.height - high, ..area }
}
