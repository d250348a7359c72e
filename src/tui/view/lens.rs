//! The recall lens: the prompt, what would be picked, what narrowly missed, and the selected one in full.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::memory::Freshness;
use crate::memory::freshness::short_age;
use crate::recall::{Hit, Ranking};
use crate::text::{count, fit, fit_end, visible, width};
use crate::tui::layer::lens::Lens;
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Rows the selected memory takes at most.
const BELOW: u16 = 7;
/// Rows the list keeps.
const AT_LEAST: u16 = 4;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Lens, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let keys = footer::of(&[("Enter", "go to it"), ("↓ ↑", "move"), ("Esc", "close")], state);
    let inner = pane::dialog(area, &title(layer), state, keys, frame);
    let Some(input) = inner.rows().next() else { return };
    draw_input(layer, state, input, frame);
    let rest = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    match &layer.answer {
        None => {
            let text = "Type a prompt as you would send it to the agent: here stands what it would be reminded of, why, and what narrowly missed.";
            pane::text(text, Meaning::Dim, rest, state.theme, frame);
        }
        Some((_, Err(why))) => pane::text(why, Meaning::Bad, rest, state.theme, frame),
        Some((_, Ok(ranking))) => draw_rows(layer, ranking, state, rest, frame),
    }
}

/// `Recall: 2 memories, about 310 tokens`.
fn title(layer: &Lens) -> String {
    match layer.ranking() {
        None => "Recall".to_owned(),
        Some(ranking) if ranking.picked.is_empty() => "Recall: nothing would be picked".to_owned(),
        Some(ranking) => {
            let tokens: u64 = ranking.picked.iter().map(Hit::tokens).sum();
            format!("Recall: {}, about {tokens} tokens (estimate)", count(ranking.picked.len(), "memory", "memories"))
        }
    }
}

fn draw_input(layer: &Lens, state: &State, row: Rect, frame: &mut Frame<'_>) {
    // The end of a long prompt is where the person types; only what may be shown of it is made visible.
    let room = usize::from(row.width).saturating_sub(3);
    let visible = visible(fit_end(&layer.text, room)).into_owned();
    let shown = fit_end(&visible, room);
    let line = fit(&format!("> {shown}"), usize::from(row.width)).into_owned();
    let end = u16::try_from(width(&line)).unwrap_or(0).min(row.width.saturating_sub(1));
    frame.render_widget(Line::styled(line, state.theme.style(Meaning::Accent)), row);
    pane::type_at(Position { x: row.x + end, y: row.y }, frame);
}

/// A row: its hit, and what kept it out.
fn rows(ranking: &Ranking) -> Vec<(&Hit, Option<&str>)> {
    let picked = ranking.picked.iter().map(|hit| (hit, None));
    picked.chain(ranking.missed.iter().map(|missed| (&missed.hit, Some(missed.because.as_str())))).collect()
}

fn draw_rows(layer: &Lens, ranking: &Ranking, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let rows = rows(ranking);
    if rows.is_empty() {
        return pane::text("No memory has any of these words.", Meaning::Dim, area, state.theme, frame);
    }
    let selected = rows.get(layer.list.selected);
    let text = selected.map(|(hit, because)| in_full(hit, *because)).unwrap_or_default();
    let below = u16::try_from(wrap(&text, usize::from(area.width)).len()).unwrap_or(u16::MAX).min(BELOW);
    let mut list = area;
    if area.height > below + AT_LEAST {
        list.height -= below + 1;
        let place = Rect { y: area.bottom() - below, height: below, ..area };
        pane::text(&text, Meaning::Dim, place, state.theme, frame);
    }
    let window = layer.list.window(rows.len(), usize::from(list.height));
    for (at, row) in window.zip(list.rows()) {
        let Some((hit, because)) = rows.get(at) else { break };
        let (start, rest, meaning) = row_text(hit, *because);
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&format!("{start}{rest}"), list.width, true, state.theme), row);
        } else {
            let room = usize::from(list.width).saturating_sub(width(&start));
            let line = Line::from(vec![
                Span::styled(fit(&start, usize::from(list.width)).into_owned(), state.theme.style(meaning)),
                Span::styled(fit(&rest, room).into_owned(), state.theme.style(Meaning::Dim)),
            ]);
            frame.render_widget(line, row);
        }
    }
}

/// `✓ feedback_testing.md 12d fresh ~80 t  tests in the description`; `·` for one that missed.
fn row_text(hit: &Hit, because: Option<&str>) -> (String, String, Meaning) {
    let memory = &hit.memory;
    let (mark, meaning) = match (because, memory.freshness) {
        (Some(_), _) => ("·", Meaning::Dim),
        (None, Freshness::Stale) => ("✓", Meaning::Warn),
        (None, _) => ("✓", Meaning::Ok),
    };
    let age = short_age(memory.age_days);
    let start = format!(" {mark} {} {age} {} ~{} t ", visible(&memory.file), memory.freshness.word(), hit.tokens());
    let rest = because.map_or_else(|| hit.why.clone(), |because| format!("missed: {because}"));
    (start, format!(" {}", visible(&rest)), meaning)
}

/// What the selected one says of itself.
fn in_full(hit: &Hit, because: Option<&str>) -> String {
    let mut lines = vec![hit.memory.description.clone(), format!("{} (score {:.2})", hit.why, hit.score)];
    lines.extend(because.map(|because| format!("not picked: {because}")));
    let note = hit.note();
    if !note.is_empty() {
        lines.push(note);
    }
    lines.join("\n")
}
