//! How triage looks: the card with its reason, and the summary.

use chrono::TimeDelta;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane, sheet};
use crate::health;
use crate::memory::Freshness;
use crate::text::{count, fit, visible, width};
use crate::tui::command::Command;
use crate::tui::layer::triage::{Triage, Verdict, What};
use crate::tui::layout::{inside, large};
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Triage, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = large(area);
    if layer.summary.is_some() {
        return draw_summary(layer, state, area, frame);
    }
    let inner = pane::dialog(area, &title(layer), state, footer::keys(state, area.width), frame);
    for (line, row) in header(state, inner).into_iter().zip(inner.rows()) {
        frame.render_widget(line, row);
    }
    sheet::draw(&layer.sheet, state, card_area(state), frame);
}

/// `Triage · 4 of 41 · 38 left · 2.1 s each`.
fn title(layer: &Triage) -> String {
    let total = layer.total();
    let at = total - layer.queue.len() + 1;
    let scope = layer.scope.map(|scope| format!(" of the {scope}")).unwrap_or_default();
    format!("Triage{scope} · {at} of {total} · {} left{}", layer.queue.len(), pace(layer))
}

/// ` · 2.1 s each`.
fn pace(layer: &Triage) -> String {
    layer.pace().map(|tenths| format!(" · {}.{} s each", tenths / 10, tenths % 10)).unwrap_or_default()
}

/// What stands over the page: why the card is here, its partner, what was said. At least half of the card is the page's.
fn header(state: &State, inner: Rect) -> Vec<Line<'static>> {
    let Some(layer) = state.triage() else { return Vec::new() };
    let theme = state.theme;
    let columns = usize::from(inner.width);
    let styled = |text: &str, meaning: Meaning| -> Vec<Line<'static>> {
        wrap(text, columns).into_iter().map(|row| Line::styled(row, theme.style(meaning))).collect()
    };
    let mut lines = Vec::new();
    if let Some((text, tone)) = &layer.note {
        lines.extend(styled(text, *tone));
    }
    if let Some(days) = layer.count {
        let key = state.keymap.shown(Command::Snooze);
        lines.extend(styled(
            &format!("{} · {key} snoozes for so long", count(days.into(), "day", "days")),
            Meaning::Accent,
        ));
    }
    match state.target() {
        Some(memory) => {
            let need = health::need(memory, state.findings_of(&memory.file));
            let why = if need.reason.is_empty() { "nothing speaks against it".to_owned() } else { need.reason };
            let partner = state.partner_of(&memory.file).map(|partner| {
                let key = state.keymap.shown(Command::Merge);
                let age = crate::memory::freshness::short_age(partner.age_days);
                format!(" · {key} merges it with {} ({age})", visible(&partner.file))
            });
            lines.extend(styled(&format!("Why: {}{}", visible(&why), partner.unwrap_or_default()), Meaning::Heading));
        }
        None => lines.extend(styled("Reading it again…", Meaning::Dim)),
    }
    lines.truncate(usize::from(inner.height / 2).max(1));
    if inner.height > 8 {
        lines.push(Line::default());
    }
    lines
}

/// Where the page of the card is.
pub(in crate::tui) fn card_area(state: &State) -> Rect {
    let inner = inside(large(state.area));
    let above = u16::try_from(header(state, inner).len()).unwrap_or(u16::MAX).min(inner.height);
    Rect { y: inner.y + above, height: inner.height - above, ..inner }
}

/// The rows for verdicts in the summary.
pub(in crate::tui) fn summary_height(state: &State) -> usize {
    let inner = inside(large(state.area));
    let above = state.triage().map_or(0, |layer| summary_head(layer, state, inner).len());
    usize::from(inner.height).saturating_sub(above)
}

fn summary_head(layer: &Triage, state: &State, inner: Rect) -> Vec<Line<'static>> {
    let theme = state.theme;
    let columns = usize::from(inner.width);
    let counts: Vec<String> = layer.counts().into_iter().map(|(word, count)| format!("{count} {word}")).collect();
    let counts = if counts.is_empty() { "nothing is judged".to_owned() } else { counts.join(" · ") };
    let open = state.keymap.shown(Command::Open);
    let left = match layer.queue.len() {
        0 => "none left".to_owned(),
        some => format!("{some} left, {open} goes on"),
    };
    let took = clock(state.now - layer.begun);
    let mut lines: Vec<Line<'static>> =
        wrap(&counts, columns).into_iter().map(|row| Line::styled(row, theme.style(Meaning::Heading))).collect();
    let figures = format!("{left} · {took} in all{}", pace(layer));
    lines.extend(wrap(&figures, columns).into_iter().map(|row| Line::styled(row, theme.style(Meaning::Dim))));
    let found = remaining(state);
    lines.extend(wrap(&found, columns).into_iter().map(|row| Line::styled(row, theme.style(Meaning::Dim))));
    if let Some((text, tone)) = &layer.note {
        lines.extend(wrap(text, columns).into_iter().map(|row| Line::styled(row, theme.style(*tone))));
    }
    lines.push(Line::default());
    lines.truncate(usize::from(inner.height).saturating_sub(1).max(1));
    lines
}

/// `still found: 3 orphan, 1 index-dangling · c shows them`.
fn remaining(state: &State) -> String {
    if !state.knows_findings {
        return "what is still wrong is being looked for".to_owned();
    }
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for finding in &state.findings {
        let word = finding.code.word();
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    // Old claims are no findings.
    let memories = state.snapshot().map(|snapshot| snapshot.memories.as_slice()).unwrap_or_default();
    let old = memories.iter().filter(|memory| memory.freshness == Freshness::Stale).count();
    let old = (old > 0).then(|| format!("{} past shelf life", count(old, "memory", "memories")));
    if counts.is_empty() {
        return old.map_or_else(
            || "nothing is found wrong with this store any more".to_owned(),
            |old| format!("nothing else is found wrong, but {old}"),
        );
    }
    let old = old.map(|old| format!("{old}, ")).unwrap_or_default();
    let named = counts.iter().take(4).map(|(word, count)| format!("{count} {word}")).collect::<Vec<_>>().join(", ");
    let more = if counts.len() > 4 { ", …" } else { "" };
    format!("still found: {old}{named}{more} · {} shows them", state.keymap.shown(Command::Health))
}

/// `4:12`.
fn clock(took: TimeDelta) -> String {
    let seconds = took.num_seconds().max(0);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn draw_summary(layer: &Triage, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let inner = pane::dialog(area, "What triage did", state, footer::keys(state, area.width), frame);
    let head = summary_head(layer, state, inner);
    let above = u16::try_from(head.len()).unwrap_or(u16::MAX).min(inner.height);
    for (line, row) in head.into_iter().zip(inner.rows()) {
        frame.render_widget(line, row);
    }
    let rows = Rect { y: inner.y + above, height: inner.height - above, ..inner };
    let Some(list) = &layer.summary else { return };
    for (at, place) in list.window(layer.judged.len(), usize::from(rows.height)).zip(rows.rows()) {
        let Some(verdict) = layer.judged.get(at) else { break };
        let (word, file) = (format!(" {:<10}", verdict.what.word()), detail(verdict));
        if at == list.selected {
            frame.render_widget(pane::selected_row(&format!("{word}{file}"), rows.width, true, state.theme), place);
            continue;
        }
        let room = usize::from(rows.width).saturating_sub(width(&word));
        let line = Line::from(vec![
            Span::styled(word, state.theme.style(meaning(verdict.what))),
            Span::styled(fit(&file, room).into_owned(), state.theme.style(Meaning::Text)),
        ]);
        frame.render_widget(line, place);
    }
}

/// The file, and what else there is to say of the verdict.
fn detail(verdict: &Verdict) -> String {
    let file = visible(&verdict.file);
    match verdict.what {
        What::Snoozed(until) => format!("{file} until {}", crate::clock::local_day(until)),
        What::Retyped(kind) => format!("{file}: {}", kind.word()),
        _ => file.into_owned(),
    }
}

const fn meaning(what: What) -> Meaning {
    match what {
        What::Confirmed | What::Edited | What::Merged => Meaning::Ok,
        What::Deleted => Meaning::Warn,
        What::Retyped(_) => Meaning::Accent,
        What::Snoozed(_) | What::Skipped => Meaning::Dim,
    }
}
