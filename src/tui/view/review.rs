//! How the review of held changes looks: the files with their verdicts, and the page about the one under the cursor.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{edit, footer, halves, pane};
use crate::change::Op;
use crate::text::{count, fit, visible};
use crate::tui::layer::review::{Asking, ReviewScreen, Verdict};
use crate::tui::layout;
use crate::tui::page::{verdict_meaning, verdict_sign};
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &ReviewScreen, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let keys = if layer.asking.is_some() {
        footer::of(&[("d", "drop"), ("Esc", "go on")], state)
    } else {
        footer::keys(state, area.width)
    };
    let inner = pane::dialog(area, &title(layer), state, keys, frame);
    let question = layer.asking.as_ref().map(|asking| {
        let files = match asking {
            Asking::Close => layer.versions().join(", "),
            Asking::Judge(_) => layer.change().map(|change| change.file.clone()).unwrap_or_default(),
        };
        format!("Your version of {} did not land: d drops it, esc goes on", visible(&files))
    });
    let banner = question.as_deref().map(|question| (question, Meaning::Warn));
    let inner = edit::draw_banner(banner, state, inner, frame);
    if let Some(Err(error)) = &layer.review {
        return pane::text(error, Meaning::Bad, inner, state.theme, frame);
    }
    if layer.changes().is_empty() {
        return pane::text("Reading what waits…", Meaning::Dim, inner, state.theme, frame);
    }
    let (list, detail) = layout::halves(inner);
    let window = layer.files.window(layer.changes().len(), usize::from(list.height));
    for (at, place) in window.zip(list.rows()) {
        let Some(change) = layer.changes().get(at) else { break };
        let verdict = layer.verdicts.get(&change.file);
        let sign = match change.op {
            Op::Create => "+",
            Op::Replace => "~",
            Op::Remove => "-",
        };
        let taken = match verdict {
            Some(Verdict::Hunks(chosen)) => {
                let all = layer.read().and_then(|review| review.files.get(at)).map_or(0, |file| file.hunks.len());
                format!(" {}/{all}", chosen.len())
            }
            _ => String::new(),
        };
        // That it waits because everything does is no news.
        let telling = change.reasons.iter().find(|reason| reason.guard != "ask");
        let guard = telling.map(|reason| format!(" · {}", reason.guard)).unwrap_or_default();
        let mark = format!(" {} ", verdict_sign(verdict));
        let text = format!("{sign} {}{taken}", visible(&change.file));
        if at == layer.files.selected {
            let focused = layer.source.is_none();
            let row = format!("{mark}{text}{}", visible(&guard));
            frame.render_widget(pane::selected_row(&row, list.width, focused, state.theme), place);
            continue;
        }
        let room = usize::from(list.width).saturating_sub(crate::text::width(&mark));
        let text = fit(&text, room).into_owned();
        let left = room.saturating_sub(crate::text::width(&text));
        let line = Line::from(vec![
            Span::styled(mark, state.theme.style(verdict_meaning(verdict))),
            Span::styled(text, state.theme.style(Meaning::Text)),
            Span::styled(fit(&visible(&guard), left).into_owned(), state.theme.style(Meaning::Dim)),
        ]);
        frame.render_widget(line, place);
    }
    halves::detail(&layer.detail, detail, state, frame);
    halves::line_between(list, detail, state, frame);
}

/// `Review: dream · 2 of 5 accepted, 1 rejected`.
fn title(layer: &ReviewScreen) -> String {
    let Some(review) = layer.read() else { return "Review".to_owned() };
    let decision = layer.decision();
    let files = count(layer.changes().len(), "file", "files");
    let rejected = match decision.rejected.len() {
        0 => String::new(),
        some => format!(", {some} rejected"),
    };
    let stuck = match layer.stuck().len() {
        0 => String::new(),
        some => format!(", {some} of them not mergeable"),
    };
    let state = if layer.landing {
        "landing…".to_owned()
    } else {
        format!("{} accepted{stuck}{rejected}", decision.accepted.len())
    };
    format!("Review of the {}: {files} · {state} · {}", review.entry.origin.word(), review.entry.title)
}
