//! How the turn that a source names looks, with what was said around it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::memory::names::is_markdown;
use crate::text::brief;
use crate::tui::layer::turn::{Speaker, Turn};
use crate::tui::layout;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Rows of one line that are shown, but for the turn itself.
const MOST_ROWS: usize = 12;

/// The rows, and the one to start at: a few above the turn.
pub(in crate::tui) fn layout(layer: &Turn, state: &State, width: usize) -> (Vec<Line<'static>>, usize) {
    let theme = state.theme;
    let say = |text: &str, meaning: Meaning| -> Vec<Line<'static>> {
        wrap(text, width).into_iter().map(|row| Line::styled(row, theme.style(meaning))).collect()
    };
    let lines = match &layer.lines {
        None => return (say("reading…", Meaning::Dim), 0),
        Some(Err(error)) => return (say(error, Meaning::Bad), 0),
        Some(Ok(lines)) => lines,
    };
    let (mut rows, mut at) = (Vec::new(), 0);
    for line in lines {
        let is_it = layer.question.line == Some(line.number);
        if is_it {
            at = rows.len();
        }
        let who = match line.speaker {
            Speaker::Person => "person",
            Speaker::Assistant => "assistant",
            Speaker::File => "",
        };
        let lead = if is_it { "▸" } else { " " };
        let (head, body) = if is_it { (Meaning::Accent, Meaning::Heading) } else { (Meaning::Dim, Meaning::Text) };
        if line.speaker == Speaker::File {
            let text = wrap(&line.text, width.saturating_sub(7));
            for (row, number) in text.into_iter().zip([Some(line.number)].into_iter().chain(std::iter::repeat(None))) {
                let number = number.map_or_else(String::new, |number| number.to_string());
                rows.push(Line::from(vec![
                    Span::styled(format!("{lead}{number:>4}  "), theme.style(head)),
                    Span::styled(row, theme.style(body)),
                ]));
            }
            continue;
        }
        rows.push(Line::styled(format!("{lead}{who}, line {}", line.number), theme.style(head)));
        let text = wrap(&line.text, width.saturating_sub(3));
        let most = if is_it { text.len() } else { MOST_ROWS };
        let is_cut = text.len() > most;
        rows.extend(text.into_iter().take(most).map(|row| Line::styled(format!("   {row}"), theme.style(body))));
        if is_cut {
            rows.push(Line::styled("   …".to_owned(), theme.style(Meaning::Dim)));
        }
        rows.push(Line::default());
    }
    (rows, at.saturating_sub(4))
}

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Turn, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let line = layer.question.line.map(|line| format!(", line {line}")).unwrap_or_default();
    let title = if is_markdown(&layer.question.session) {
        format!("{}{line}", layer.question.session)
    } else {
        format!("Session {}{line}", brief(&layer.question.session))
    };
    let inner = pane::dialog(area, &title, state, footer::keys(state, area.width), frame);
    let (lines, at) = layout(layer, state, usize::from(inner.width));
    let latest = lines.len().saturating_sub(usize::from(inner.height));
    let from = layer.scroll.unwrap_or(at).min(latest);
    for (line, row) in lines.into_iter().skip(from).zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}
