//! Full text: the line, how the search stands, what was found by file, and the place of the selected hit.

use std::collections::BTreeSet;

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::marks::{self, Look};
use super::{footer, pane, turn};
use crate::recall::find::Voice;
use crate::text::{count, fit, visible, width};
use crate::tui::layer::find::{Find, FoundFile, MOST_SHOWN, Stand};
use crate::tui::layer::turn::ViewRow;
use crate::tui::layout::{inside, large};
use crate::tui::page;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Rows above the list: the line and how the search stands.
const HEAD: u16 = 2;
/// From this many columns on, list and place stand side by side.
const SIDE_BY_SIDE: u16 = 100;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Find, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = large(area);
    let end = if layer.is_going() { "stop" } else { "close" };
    let keys = footer::of(
        &[("Enter", "go there"), ("^A", "all projects"), ("^S", "sessions"), ("^R", "regex"), ("Esc", end)],
        state,
    );
    let inner = pane::dialog(area, "Find in the text", state, keys, frame);
    let mut rows = inner.rows();
    if let Some(row) = rows.next() {
        draw_line(layer, state, row, frame);
    }
    if let Some(row) = rows.next() {
        let (text, meaning) = stand(layer);
        frame.render_widget(
            Line::styled(fit(&text, usize::from(row.width)).into_owned(), state.theme.style(meaning)),
            row,
        );
    }
    let (list, place) = areas(inner);
    if layer.files.is_empty() {
        if layer.stand == Stand::Idle {
            let text = "Type at least two letters. Memories of this project come first, then its sessions, the newest first; small letters match capitals too.";
            pane::text(text, Meaning::Dim, list, state.theme, frame);
        }
        return;
    }
    for ((file, hit), row) in layer.rows().skip(layer.offset).zip(list.rows()) {
        draw_row(layer, file, hit, state, row, frame);
    }
    draw_place(layer, state, place, frame);
}

/// The list and the place beside or below it.
fn areas(inner: Rect) -> (Rect, Rect) {
    let rest = Rect { y: inner.y + HEAD.min(inner.height), height: inner.height.saturating_sub(HEAD), ..inner };
    if rest.width >= SIDE_BY_SIDE {
        let left = rest.width / 2;
        return (Rect { width: left, ..rest }, Rect { x: rest.x + left + 1, width: rest.width - left - 1, ..rest });
    }
    // Hits are sentences: where both would be narrow, each gets the whole width.
    let list = (rest.height * 3 / 5).max(rest.height.min(3));
    let below = (list + 1).min(rest.height);
    (Rect { height: list, ..rest }, Rect { y: rest.y + below, height: rest.height - below, ..rest })
}

/// Where the list is.
pub(in crate::tui) fn list_area(state: &State) -> Rect {
    areas(inside(large(state.area))).0
}

fn draw_line(layer: &Find, state: &State, row: Rect, frame: &mut Frame<'_>) {
    let lead = if layer.is_regex { " regex: " } else { " find: " };
    let text = visible(layer.line.text()).into_owned();
    let column = width(lead) + width(&visible(layer.line.before()));
    let room = usize::from(row.width).saturating_sub(1);
    // The cursor stays in sight.
    let hidden = column.saturating_sub(room);
    let meaning = if layer.line.is_selected() { Meaning::Selection } else { Meaning::Key };
    let spans =
        vec![Span::styled(lead, state.theme.style(Meaning::Key)), Span::styled(text, state.theme.style(meaning))];
    let line = ratatui::widgets::Paragraph::new(Line::from(spans));
    frame.render_widget(line.scroll((0, u16::try_from(hidden).unwrap_or(u16::MAX))), row);
    let x = row.x.saturating_add(u16::try_from(column - hidden).unwrap_or(0));
    pane::type_at(Position { x, y: row.y }, frame);
}

/// `12 hits in 4 files · this project · memories and 214 sessions`.
fn stand(layer: &Find) -> (String, Meaning) {
    let place = if layer.all { "all projects" } else { "this project" };
    let what = if layer.sessions { "memories and sessions" } else { "memories" };
    let found =
        || format!(" {} in {}", count(layer.length(), "hit", "hits"), count(layer.files.len(), "file", "files"));
    match &layer.stand {
        Stand::Idle => (format!(" {place} · {what}"), Meaning::Dim),
        Stand::Going(_, 0) => (format!("{} · searching… · {place} · {what}", found()), Meaning::Accent),
        Stand::Going(done, all) => {
            (format!("{} · searching {done}/{all} sessions… · {place}", found()), Meaning::Accent)
        }
        Stand::Stopped => (format!("{} · stopped, there may be more · {place} · {what}", found()), Meaning::Warn),
        Stand::Failed(why) => (format!(" {}", visible(why)), Meaning::Bad),
        Stand::Done { is_capped: true, .. } => {
            let text = format!(
                " the first {MOST_SHOWN} hits in {}; there are more, so look for more letters",
                count(layer.files.len(), "file", "files")
            );
            (text, Meaning::Warn)
        }
        Stand::Done { sessions, skipped, .. } => {
            let what = match (layer.sessions, sessions) {
                (true, sessions) => format!("memories and {}", count(*sessions, "session", "sessions")),
                (false, _) => "memories".to_owned(),
            };
            let left = match skipped.first() {
                Some(first) => format!(" · {} left out: {}", skipped.len(), visible(first)),
                None => String::new(),
            };
            let meaning = if layer.files.is_empty() || !skipped.is_empty() { Meaning::Warn } else { Meaning::Dim };
            let found = if layer.files.is_empty() { " nothing found".to_owned() } else { found() };
            (format!("{found} · {place} · {what}{left}"), meaning)
        }
    }
}

fn draw_row(layer: &Find, file: &FoundFile, hit: Option<usize>, state: &State, row: Rect, frame: &mut Frame<'_>) {
    let theme = state.theme;
    let columns = usize::from(row.width);
    let Some((number, (_, found))) = hit.and_then(|number| Some((number, layer.hit(number)?))) else {
        let more = if file.has_more { " and more" } else { "" };
        let copies = match file.copies.as_slice() {
            [] => String::new(),
            copies => format!(" · {}: {}", count(copies.len() + 1, "place", "places"), copies.join(", ")),
        };
        let text = format!(" {} · {}{more}{copies}", visible(&file.heading), file.hits.len());
        frame.render_widget(
            Line::styled(fit(&visible(&text), columns).into_owned(), theme.style(Meaning::Heading)),
            row,
        );
        return;
    };
    let is_selected = number == layer.selected;
    let voice = match found.voice {
        Voice::File => "",
        Voice::Person => "person ",
        Voice::Assistant => "assistant ",
        Voice::Tool => "tool ",
        Voice::Client => "client ",
    };
    let lead = format!("{}{:>5} {voice}", if is_selected { "▸" } else { " " }, found.line);
    let room = columns.saturating_sub(width(&lead));
    let selection = theme.style(Meaning::Selection);
    let (before, look) = if is_selected {
        let marked = selection.add_modifier(ratatui::style::Modifier::BOLD | ratatui::style::Modifier::UNDERLINED);
        (selection, Look { plain: selection, marked })
    } else {
        (theme.style(Meaning::Dim), Look { plain: theme.style(Meaning::Text), marked: theme.style(Meaning::Match) })
    };
    let mut spans = vec![Span::styled(fit(&lead, columns).into_owned(), before)];
    spans.extend(marks::around(&found.text, &found.marks, room, look));
    if is_selected {
        let used = marks::columns(&spans);
        spans.push(Span::styled(" ".repeat(columns.saturating_sub(used)), selection));
    }
    frame.render_widget(Line::from(spans), row);
}

/// What stands around the selected hit.
fn draw_place(layer: &Find, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let Some((question, answer)) = &layer.preview else { return };
    let stretch = match answer {
        None => return pane::text("reading…", Meaning::Dim, area, state.theme, frame),
        Some(Err(error)) => return pane::text(error, Meaning::Bad, area, state.theme, frame),
        Some(Ok(stretch)) => stretch,
    };
    let columns = usize::from(area.width);
    let unfolded: BTreeSet<(u64, usize)> = match stretch.turns.iter().find(|turn| turn.lines.contains(&stretch.wanted))
    {
        // What a tool was asked or answered is seen when the hit is there.
        Some(turn) if layer.hit(layer.selected).is_some_and(|(_, hit)| hit.voice == Voice::Tool) => {
            (0..turn.calls.len()).map(|at| (turn.number, at)).collect()
        }
        _ => BTreeSet::new(),
    };
    let rows = page::session(stretch, &unfolded, question.line, None, columns);
    let own = |row: &ViewRow| stretch.turns.get(row.turn).is_some_and(|turn| turn.lines.contains(&stretch.wanted));
    let first = rows.iter().position(own).unwrap_or_default();
    let is_hit = |row: &ViewRow| own(row) && !page::found_in(&row.text, layer.line.text()).is_empty();
    let at = rows.iter().position(is_hit).unwrap_or(first);
    let height = usize::from(area.height);
    // The hit is in sight, with as much of its turn before it as there is room for.
    let from = first
        .saturating_sub(2)
        .max((at + height / 3 + 1).saturating_sub(height))
        .min(rows.len().saturating_sub(height));
    let looked_for = Some(layer.line.text()).filter(|text| !layer.is_regex && !text.is_empty());
    // The sign stands where the line begins that the hit is in, as far as there is room for both.
    let begin = rows.iter().take(at + 1).rposition(|row| !row.continues).filter(|begin| at - begin < height);
    let (from, at) = begin.map_or((from, at), |begin| (from.min(begin), begin));
    for (number, (row, place)) in rows.iter().skip(from).zip(area.rows()).enumerate() {
        let is_it = number + from == at;
        frame.render_widget(turn::line(row, stretch, looked_for, is_it, columns, state.theme), place);
    }
}
