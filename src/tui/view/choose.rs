//! A question with a few answers, one key each.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::text::{count, fit, visible, width};
use crate::tui::layer::choose::{Asked, Choose, SNOOZES, TYPES};
use crate::tui::layout::centred;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over what it is about. The answers come first: a long list of memories must not push them out.
pub(super) fn draw(layer: &Choose, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let what = match layer.seen.as_slice() {
        [one] => visible(&one.file).into_owned(),
        all => count(all.len(), "memory", "memories"),
    };
    let (title, answers) = match layer.asked {
        Asked::Snooze => {
            let answers = SNOOZES.iter().map(|(key, _, words)| (*key, *words)).collect();
            (format!("How long shall {what} wait?"), answers)
        }
        Asked::Retype => {
            let answers: Vec<_> = TYPES.iter().map(|(key, kind)| (*key, kind.word())).collect();
            (format!("Which type has {what}?"), answers)
        }
    };
    let mut lines: Vec<Line<'static>> = answers
        .into_iter()
        .map(|(key, words)| {
            Line::from(vec![
                Span::styled(format!(" {key}  "), state.theme.style(Meaning::Key)),
                Span::styled(words, state.theme.style(Meaning::Text)),
            ])
        })
        .collect();
    if layer.asked == Asked::Snooze {
        let (key, words) = match layer.days {
            None => ("14s".to_owned(), "so many days: digits, then s or Enter".to_owned()),
            Some(days) => (format!("{days}"), format!("{}: s or Enter", if days == 1 { "day" } else { "days" })),
        };
        lines.push(Line::from(vec![
            Span::styled(format!(" {key} "), state.theme.style(Meaning::Key)),
            Span::styled(words, state.theme.style(Meaning::Text)),
        ]));
    }
    if layer.seen.len() > 1 || !layer.hidden.is_empty() {
        lines.push(Line::default());
        lines.extend(layer.seen.iter().map(|seen| Line::raw(visible(&seen.file).into_owned())));
        lines.extend(hidden(&layer.hidden).into_iter().map(|line| Line::styled(line, state.theme.style(Meaning::Dim))));
    }
    let longest = lines.iter().map(Line::width).max().unwrap_or(0).max(width(&title));
    let wide = u16::try_from(longest + 6).unwrap_or(u16::MAX).clamp(34, 90);
    let high = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2);
    let place = centred(area, wide, high.min(area.height));
    let inner = pane::dialog(place, &title, state, footer::of(&[("Esc", "leave it")], state), frame);
    let room = usize::from(inner.height);
    let rest = lines.len().saturating_sub(room);
    if rest > 0 {
        lines.truncate(room.saturating_sub(1));
        lines.push(Line::raw(fit(&format!("… and {} more", rest + 1), usize::from(inner.width)).into_owned()));
    }
    for (line, row) in lines.into_iter().zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}

/// What is marked and not meant, one line each.
pub(in crate::tui) fn hidden(files: &[String]) -> Vec<String> {
    let named = files.iter().map(|file| format!("  {}", visible(file)));
    let heading = format!("not {}, marked but hidden by the filter:", count(files.len(), "memory", "memories"));
    if files.is_empty() { Vec::new() } else { std::iter::once(heading).chain(named).collect() }
}
