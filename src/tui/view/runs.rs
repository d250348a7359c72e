//! How the list of all runs looks.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{footer, pane};
use crate::run::RunView;
use crate::text::{fit, fit_padded, visible};
use crate::tui::layer::runs::RunsList;
use crate::tui::layout;
use crate::tui::page::{moment, outcome_meaning, run_word};
use crate::tui::sign;
use crate::tui::state::{State, elapsed};
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &RunsList, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let area = layout::large(area);
    let live = state.runs.iter().filter(|run| run.is_live()).count();
    let title = format!("Runs {} · {live} live", state.runs.len());
    let inner = pane::dialog(area, &title, state, footer::keys(state, area.width), frame);
    if state.runs.is_empty() {
        let text = "No run yet. D on the dashboard starts a dream; a hook starts them by itself.";
        return pane::text(text, Meaning::Dim, inner, state.theme, frame);
    }
    let mut rows = inner.rows();
    let width = usize::from(inner.width);
    if let Some(row) = rows.next() {
        let heading = columns(
            [
                "",
                "status",
                "kind",
                "project",
                "engine",
                if width < ROOMY { HEADING } else { "started" },
                "took",
                "files",
                "reason",
            ],
            width,
        );
        frame.render_widget(Line::styled(fit(&heading, width).into_owned(), state.theme.style(Meaning::Dim)), row);
    }
    let window = layer.list.window(state.runs.len(), usize::from(inner.height.saturating_sub(1)));
    for (at, row) in window.zip(rows) {
        let Some(run) = state.runs.get(at) else { break };
        let (mark, word, meaning) = standing(run);
        let text = text(run, mark, word, width, state);
        if at == layer.list.selected {
            frame.render_widget(pane::selected_row(&text, inner.width, true, state.theme), row);
            continue;
        }
        let text = fit(&text, width).into_owned();
        let cut = text.char_indices().nth(STATUS).map_or(text.len(), |(at, _)| at);
        let (first, rest) = text.split_at_checked(cut).unwrap_or((&text, ""));
        let line =
            Line::from(vec![Span::styled(first.to_owned(), state.theme.style(meaning)), Span::raw(rest.to_owned())]);
        frame.render_widget(line, row);
    }
}

/// The heading of the start; its first five columns go with the year.
const HEADING: &str = "     started";

/// Characters of mark and status together, each one column wide.
const STATUS: usize = 15;

fn standing(run: &RunView) -> (&'static str, &'static str, Meaning) {
    if run.is_live() {
        return ("●", run.word(), Meaning::Accent);
    }
    (sign::outcome(run.outcome), run.word(), outcome_meaning(run.outcome))
}

fn text(run: &RunView, mark: &str, word: &str, width: usize, state: &State) -> String {
    let took = match (run.ms, run.started) {
        (Some(ms), _) => elapsed(i64::try_from(ms / 1_000).unwrap_or(i64::MAX)),
        (None, Some(started)) if run.is_live() => elapsed((state.now - started).num_seconds()),
        _ => String::new(),
    };
    let files = match (run.is_live(), run.changes.len()) {
        (false, landed) if landed > 0 => landed,
        _ => run.touched.len(),
    };
    let dry = if run.dry_run { "dry run: " } else { "" };
    let cells = [
        mark,
        word,
        run_word(run.kind),
        &visible(&run.project),
        &visible(&run.engine),
        &run.started.map(moment).unwrap_or_default(),
        &took,
        &files.to_string(),
        &format!("{dry}{}", visible(run.notice.as_deref().unwrap_or(&run.reason))),
    ];
    columns(cells, width)
}

/// From this width on every column has its room.
const ROOMY: usize = 100;

/// The cells of a row; where there is little room the engine gives way, and the year of the time.
fn columns(cells: [&str; 9], width: usize) -> String {
    const REST: usize = usize::MAX;
    const WIDE: [usize; 9] = [1, 11, 8, 16, 9, 16, 7, 5, REST];
    const NARROW: [usize; 9] = [1, 11, 7, 12, 0, 11, 5, 5, REST];
    let widths = if width < ROOMY { NARROW } else { WIDE };
    let mut line = String::from(" ");
    for ((at, cell), width) in cells.iter().enumerate().zip(widths) {
        let cell = if at == STARTED && width < 16 { cell.get(5..).unwrap_or(cell) } else { cell };
        match width {
            0 => {}
            REST => line.push_str(cell),
            _ => line.push_str(&(fit_padded(cell, width) + " ")),
        }
    }
    line
}

/// Which column is the start.
const STARTED: usize = 5;
