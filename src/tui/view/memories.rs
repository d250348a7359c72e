//! The memory list.

use std::ops::Range;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::marks::{self, Look};
use super::{empty, pane};
use crate::filter::{Filter, Matcher, Test};
use crate::memory::{Freshness, Memory, freshness};
use crate::text::{fit, fit_padded, visible, width};
use crate::tui::layer::Layer;
use crate::tui::page::{badge_meaning, severity_meaning};
use crate::tui::sign;
use crate::tui::state::{Pane, Row, Sort, State};
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
    let filter = Filter::parse(&state.memories.filter);
    let matcher = Some(Matcher::new(&filter)).filter(|_| !filter.terms.is_empty());
    let window = state.memories.list.window(rows.len(), usize::from(inner.height));
    for (at, place) in window.zip(inner.rows()) {
        let Some(row) = rows.get(at) else { break };
        let Some(memory) = snapshot.memories.get(row.at) else { continue };
        let is_selected = at == state.memories.list.selected;
        frame.render_widget(line(memory, row, is_selected, state, matcher.as_ref(), usize::from(inner.width)), place);
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
    // Words bring what matches them best to the top.
    if !Filter::parse(&state.memories.filter).has_words() {
        // Before the evidence is known nobody knows who needs what.
        let order = match state.memories.sort {
            Sort::Need if !state.knows_findings => "reading evidence".to_owned(),
            sort => format!("by {}", sort.word()),
        };
        text.push_str(&format!(" · {order}"));
    }
    text
}

/// The filter in the lower border: typed in while its layer is open, shown as long as it holds. A filter word looks other
/// than a word that is looked for.
fn filter_line(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let typed = match state.layers.last() {
        Some(Layer::Filter(filter)) => Some(&filter.line),
        _ => None,
    };
    let filter = state.memories.filter.as_str();
    if typed.is_none() && filter.is_empty() || area.height < 2 || area.width < 6 {
        return;
    }
    let place = Rect { x: area.x + 1, y: area.y + area.height - 1, width: area.width - 2, height: 1 };
    let theme = state.theme;
    let mut spans = vec![Span::styled(" /", theme.style(Meaning::Key))];
    let mut end = 0;
    for (piece, term) in Filter::pieces(filter) {
        spans.push(Span::styled(
            visible(filter.get(end..piece.start).unwrap_or_default()).into_owned(),
            theme.style(Meaning::Key),
        ));
        let meaning = match term.map(|term| term.test) {
            Some(Test::Word(_) | Test::Exact(_)) => Meaning::Key,
            Some(Test::Unknown { .. }) => Meaning::Bad,
            Some(_) => Meaning::Link,
            None => Meaning::Dim,
        };
        end = piece.end;
        spans.push(Span::styled(visible(filter.get(piece).unwrap_or_default()).into_owned(), theme.style(meaning)));
    }
    spans.push(Span::styled(format!("{} ", visible(filter.get(end..).unwrap_or_default())), theme.style(Meaning::Key)));
    super::filter_line::put(Line::from(spans), typed, place, frame);
}

fn line(
    memory: &Memory,
    row: &Row,
    is_selected: bool,
    state: &State,
    matcher: Option<&Matcher<'_>>,
    columns: usize,
) -> Line<'static> {
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
    let focused = state.focus == Pane::Memories;
    let selection = theme.style(if focused { Meaning::Selection } else { Meaning::SelectionIdle });
    let style = |meaning| if is_selected { selection } else { theme.style(meaning) };
    let marked = if is_selected {
        selection.add_modifier(Modifier::BOLD | Modifier::UNDERLINED)
    } else {
        theme.style(Meaning::Match)
    };
    let mut spans = vec![Span::styled(fit(&kind, columns).into_owned(), style(Meaning::Dim))];
    spans.extend(named(
        memory,
        matcher,
        room,
        Look { plain: style(Meaning::Text), marked },
        Look { plain: style(Meaning::Dim), marked },
    ));
    let padding = room.saturating_sub(marks::columns(spans.get(1..).unwrap_or_default()));
    let severity = row.severity.filter(|_| !waits).map_or(Meaning::Dim, severity_meaning);
    spans.push(Span::styled(format!("{} {problem}", " ".repeat(padding)), style(severity)));
    spans.push(Span::styled(badge, style(badge_meaning(row.freshness))));
    Line::from(spans)
}

/// The name, what the filter matched set off. Where the name does not show why the memory is there, the file or the place
/// in the description that does stands beside it.
fn named(
    memory: &Memory,
    matcher: Option<&Matcher<'_>>,
    room: usize,
    name_look: Look,
    other_look: Look,
) -> Vec<Span<'static>> {
    let name = visible(&memory.name);
    let Some(matcher) = matcher else { return marks::cut(&name, &[], room, name_look) };
    let in_name = matcher.marks(&name, false);
    let other = if matcher.explains(&name, false) { None } else { elsewhere(memory, matcher) };
    let Some((text, found)) = other else { return marks::cut(&name, &in_name, room, name_look) };
    // The name keeps half of the room, and gives away what it does not need.
    let mut spans = marks::cut(&name, &in_name, room.div_ceil(2).max(room.saturating_sub(width(&text) + 1)), name_look);
    let left = room.saturating_sub(marks::columns(&spans) + 1);
    if left > 3 {
        spans.push(Span::styled(" ", name_look.plain));
        spans.extend(marks::around(&text, &found, left, other_look));
    }
    spans
}

/// The file or the description with what matched in it, whichever tells more.
fn elsewhere(memory: &Memory, matcher: &Matcher<'_>) -> Option<(String, Vec<Range<usize>>)> {
    let (file, description) = (visible(&memory.file).into_owned(), visible(&memory.description).into_owned());
    let (in_file, in_description) = (matcher.marks(&file, false), matcher.marks(&description, true));
    let is_told_by_file = matcher.explains(&file, false) || in_description.is_empty();
    let (text, found) = if is_told_by_file { (file, in_file) } else { (description, in_description) };
    (!found.is_empty()).then_some((text, found))
}
