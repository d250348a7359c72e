//! The bottom line: the latest notice, or the gates of the next dream; and the footer.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;

use super::footer;
use crate::change::InboxEntry;
use crate::engine::JobKind;
use crate::text::{count, fit, visible, width};
use crate::tui::command::Command;
use crate::tui::layer::Layer;
use crate::tui::layer::filter::Filter;
use crate::tui::layout::FULL;
use crate::tui::page::wrap;
use crate::tui::state::{Notice, State};
use crate::tui::theme::Meaning;

/// Draws the bottom line.
pub(super) fn draw(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let left = match &state.notice {
        Some(notice) => {
            let text = format!(" {}", visible(&notice.text));
            Line::styled(fit(&text, usize::from(area.width)).into_owned(), state.theme.style(notice.tone))
        }
        None => match state.layers.last() {
            Some(Layer::Filter(filter)) => filter_hint(filter, state),
            _ => gates(state),
        },
    };
    let used = u16::try_from(left.width()).unwrap_or(u16::MAX).min(area.width);
    frame.render_widget(left, area);
    let room = area.width.saturating_sub(used + 1);
    let keys = match state.layers.last() {
        None => footer::keys(state, room),
        Some(Layer::Filter(_)) => {
            let keys = footer::of(
                &[("Tab", "completes"), ("Enter", "keep"), ("Esc", "drop"), ("^S", "save as a view")],
                state,
            );
            let keys = footer::fitting(keys, usize::from(room));
            // Half a key says nothing.
            if keys.width() > usize::from(room) { Line::default() } else { keys }
        }
        // A dialog has its own keys in its own border.
        Some(_) => Line::default(),
    };
    let columns = u16::try_from(keys.width()).unwrap_or(u16::MAX).min(room);
    frame.render_widget(keys, Rect { x: area.x + area.width - columns, width: columns, ..area });
}

/// What the word at the end could become; else what is not known, with what is; else what can be typed.
fn filter_hint(filter: &Filter, state: &State) -> Line<'static> {
    let (theme, room) = (state.theme, usize::from(state.area.width));
    if let Some((completion, chosen)) = &filter.completing {
        let spans = completion.candidates.iter().enumerate().skip(chosen.saturating_sub(2)).map(|(at, candidate)| {
            let meaning = if at == *chosen { Meaning::Selection } else { Meaning::Dim };
            [Span::raw(" "), Span::styled(visible(candidate).into_owned(), theme.style(meaning))]
        });
        return Line::from(spans.flatten().collect::<Vec<_>>());
    }
    if let Some(complaint) = crate::filter::Filter::parse(filter.line.text()).complaints().first() {
        let text = format!(" {}", visible(&complaint.to_string()));
        return Line::styled(fit(&text, room).into_owned(), theme.style(Meaning::Warn));
    }
    if filter.line.text().is_empty() {
        let text = " words · type: is: in: has: older: · stale unused · \"exact\" · -not";
        return Line::styled(fit(text, room).into_owned(), theme.style(Meaning::Dim));
    }
    Line::default()
}

/// Draws a notice that is longer than the bottom line over the rows above it: what to do next is mostly its end.
pub(super) fn draw_long(state: &State, area: Rect, frame: &mut Frame<'_>) {
    // A dialog that takes all of a small screen covers the bottom line.
    let is_covered = !state.layers.is_empty() && (state.area.width < FULL.0 || state.area.height < FULL.1);
    let is_question = state.layers.last().is_some_and(Layer::asks);
    let is_long = |notice: &Notice| width(&visible(&notice.text)) >= usize::from(area.width);
    // What is told of something else must not cover the answers of a question.
    let is_due =
        |notice: &&Notice| notice.is_answer && is_covered || is_long(notice) && (notice.is_answer || !is_question);
    let Some(notice) = state.notice.as_ref().filter(is_due) else { return };
    let rows = wrap(&notice.text, usize::from(area.width.saturating_sub(2)).max(1));
    // The newest keys and the cursor are worth more than the end of an endless text.
    let high = u16::try_from(rows.len()).unwrap_or(u16::MAX).min(frame.area().height / 2).max(1);
    let place = Rect { y: area.bottom().saturating_sub(high), height: high, ..area };
    frame.render_widget(Clear, place);
    for (text, row) in rows.into_iter().zip(place.rows()) {
        let text = fit(&format!(" {text}"), usize::from(row.width)).into_owned();
        frame.render_widget(Line::styled(text, state.theme.style(notice.tone)), row);
    }
}

/// ` next dream ✓ 31h ✗ 3/5 sessions · extract 2 min ago: +1`, before it ` 2 changes wait (i) ·`. Where there is no room
/// for both, what waits for a person goes before what a dream waits for.
fn gates(state: &State) -> Line<'static> {
    let theme = state.theme;
    // In a dialog the keys stand in its border, so the line is free.
    let is_narrow = state.area.width < 100 && state.layers.is_empty();
    let mut spans = Vec::new();
    if !state.inbox.is_empty() {
        let changes = state.inbox.iter().map(InboxEntry::waiting).sum();
        let waiting = count(changes, "change waits", "changes wait");
        let key = state.keymap.shown(Command::Inbox);
        if is_narrow {
            return Line::styled(format!(" {waiting} ({key})"), theme.style(Meaning::Warn));
        }
        spans.push(Span::styled(format!(" {waiting} ({key}) ·"), theme.style(Meaning::Warn)));
    }
    // On the smallest screens the keys are worth more.
    if state.layers.is_empty() && state.area.width < FULL.0 {
        return Line::default();
    }
    let looked_at = state.gates.dream.iter().filter_map(|gate| Some((gate, gate.passed?)));
    let telling: Vec<_> =
        looked_at.filter(|(gate, passed)| !passed || matches!(gate.gate, "time" | "sessions")).collect();
    if !telling.is_empty() {
        spans.push(Span::styled(if is_narrow { " dream" } else { " next dream" }, theme.style(Meaning::Dim)));
        for (gate, passed) in telling {
            let (sign, meaning) = if passed { ("✓", Meaning::Ok) } else { ("✗", Meaning::Dim) };
            // Alone, "next dream … never" says that none will come, and "held" that one waits in the inbox.
            let figure = match (gate.gate, gate.short.as_str()) {
                ("time", "never") if !is_narrow => "none yet",
                ("lock", "held") => "lock held",
                (_, short) if is_narrow => short.trim_end_matches(" sessions"),
                (_, short) => short,
            };
            spans.push(Span::styled(format!(" {sign} {}", visible(figure)), theme.style(meaning)));
        }
    }
    if let Some(text) = last_extraction(state).filter(|_| state.area.width >= 100) {
        spans.push(Span::styled(format!(" · {text}"), theme.style(Meaning::Dim)));
    }
    Line::from(spans)
}

/// `extract 2 min ago: Saved 1 memory`.
fn last_extraction(state: &State) -> Option<String> {
    let run = state.runs.iter().find(|run| run.kind == JobKind::Extract && !run.is_live() && state.is_here(run))?;
    let minutes = (state.now - run.last?).num_minutes().max(0);
    let ago = match minutes {
        0 => "just now".to_owned(),
        1..=59 => format!("{minutes} min ago"),
        60..=2879 => format!("{} h ago", minutes / 60),
        _ => format!("{} days ago", minutes / 1440),
    };
    let what = run.notice.clone().or_else(|| Some(run.outcome?.word().to_owned()))?;
    Some(format!("extract {ago}: {}", visible(&what)))
}
