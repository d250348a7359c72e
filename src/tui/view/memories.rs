//! The memory list.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{empty, pane};
use crate::memory::{Freshness, Memory, freshness};
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::layer::Layer;
use crate::tui::page::{badge_meaning, severity_meaning};
use crate::tui::sign;
use crate::tui::state::{Pane, Row, State, matched};
use crate::tui::theme::Meaning;

/// From this many columns on, a row has room for the type's word.
const WORDY: usize = 34;
/// From this many columns on, a row has room for the badge's word.
const BADGED: usize = 46;

/// Draws the memory list.
pub(super) fn draw(state: &State, area: Rect, frame: &mut Frame<'_>) {
    if area.is_empty() {
        return;
    }
    let theme = state.theme;
    let focused = state.focus == Pane::Memories && !matches!(state.layers.last(), Some(Layer::Filter(_)));
    let text = title(state);
    let inner = pane::frame(area, pane::title(&text, area, focused, theme), focused, theme, frame);
    filter_line(state, area, frame);
    let rows = &state.memories.rows;
    if rows.is_empty() {
        return empty::memories(state, inner, frame);
    }
    let Some(snapshot) = state.snapshot() else { return };
    let window = state.memories.list.window(rows.len(), usize::from(inner.height));
    for (at, place) in window.zip(inner.rows()) {
        let Some(row) = rows.get(at) else { break };
        let Some(memory) = snapshot.memories.get(row.at) else { continue };
        let is_selected = at == state.memories.list.selected;
        frame.render_widget(line(memory, row, is_selected, state, usize::from(inner.width)), place);
    }
}

/// `Memories 37 · 9 stale · by need`.
fn title(state: &State) -> String {
    let Some(snapshot) = state.snapshot() else { return "Memories".to_owned() };
    let all = snapshot.memories.len();
    // Counts are of what is shown: a filter hides the others, and a verb leaves them alone.
    let shown = || state.memories.rows.iter().filter_map(|row| snapshot.memories.get(row.at));
    let stale = state.memories.rows.iter().filter(|row| row.freshness == Freshness::Stale).count();
    let marked = shown().filter(|memory| state.memories.marked.contains(&memory.file)).count();
    let hidden = state.memories.marked.len().saturating_sub(marked);
    let mut text = if state.memories.filter.is_empty() {
        format!("Memories {all}")
    } else {
        format!("Memories {}/{all}", state.memories.rows.len())
    };
    if !state.memories.marked.is_empty() {
        text.push_str(&format!(" · {marked} marked"));
    }
    if hidden > 0 {
        text.push_str(&format!(" (+{hidden} hidden)"));
    }
    if stale > 0 {
        text.push_str(&format!(" · {stale} stale"));
    }
    if state.memories.filter.is_empty() {
        text.push_str(&format!(" · by {}", state.memories.sort.word()));
    }
    text
}

/// The filter in the lower border: typed in while its layer is open, shown as long as it holds.
fn filter_line(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let is_typed = matches!(state.layers.last(), Some(Layer::Filter(_)));
    if !is_typed && state.memories.filter.is_empty() || area.height < 2 || area.width < 6 {
        return;
    }
    let room = usize::from(area.width - 4);
    let text = format!("/{}", visible(&state.memories.filter));
    let place = Rect { x: area.x + 1, y: area.y + area.height - 1, width: area.width - 2, height: 1 };
    // The end of a long filter is what is being typed.
    let mut shown: String = text;
    while width(&shown) > room {
        let mut characters = shown.chars();
        characters.next();
        shown = characters.as_str().to_owned();
    }
    let end = u16::try_from(width(&shown)).unwrap_or(0);
    frame.render_widget(Line::styled(format!(" {shown} "), state.theme.style(Meaning::Key)), place);
    if is_typed {
        frame.set_cursor_position(Position { x: place.x + 1 + end, y: place.y });
    }
}

fn line(memory: &Memory, row: &Row, is_selected: bool, state: &State, columns: usize) -> Line<'static> {
    let theme = state.theme;
    let is_marked = state.memories.marked.contains(&memory.file);
    let cursor = if is_selected { "▸" } else { " " };
    let mark = if is_marked { "✓" } else { cursor };
    let word = memory.type_word.clone().or_else(|| memory.kind.map(|kind| kind.word().to_owned()));
    let kind = if columns >= WORDY {
        format!("{mark}{} {} ", sign::kind(memory.kind), fit_padded(&visible(word.as_deref().unwrap_or("no type")), 9))
    } else {
        format!("{mark}{} ", sign::kind(memory.kind))
    };
    let age = freshness::short_age(memory.age_days);
    // That it waits is what counts until it is over.
    let waits = memory.snoozed_until.is_some();
    let problem = if waits { "z" } else { row.severity.map_or(" ", sign::severity) };
    let badge =
        if columns >= BADGED { format!("{:<5}", row.freshness.word()) } else { sign::badge(row.freshness).to_owned() };
    let badge = format!(" {badge} {age:>5}");
    let room = columns.saturating_sub(width(&kind) + 2 + width(&badge));
    let name = fit_padded(&visible(&memory.name), room);
    if is_selected {
        let focused = state.focus == Pane::Memories;
        let text = fit(&format!("{kind}{name} {problem}{badge}"), columns).into_owned();
        return pane::selected_row(&text, u16::try_from(columns).unwrap_or(u16::MAX), focused, theme);
    }
    let mut spans = vec![Span::styled(fit(&kind, columns).into_owned(), theme.style(Meaning::Dim))];
    spans.extend(set_off(&name, &matched(&name, &state.memories.filter), state));
    let severity = row.severity.filter(|_| !waits).map_or(Meaning::Dim, severity_meaning);
    spans.push(Span::styled(format!(" {problem}"), theme.style(severity)));
    spans.push(Span::styled(badge, theme.style(badge_meaning(row.freshness))));
    Line::from(spans)
}

/// A name with the characters that the filter matched set off.
fn set_off(name: &str, at: &[usize], state: &State) -> Vec<Span<'static>> {
    if at.is_empty() {
        return vec![Span::raw(name.to_owned())];
    }
    let mut spans: Vec<(bool, String)> = Vec::new();
    for (number, character) in name.chars().enumerate() {
        let is_match = at.contains(&number);
        match spans.last_mut() {
            Some((kind, text)) if *kind == is_match => text.push(character),
            _ => spans.push((is_match, character.to_string())),
        }
    }
    let style = |is_match| state.theme.style(if is_match { Meaning::Match } else { Meaning::Text });
    spans.into_iter().map(|(is_match, text)| Span::styled(text, style(is_match))).collect()
}
