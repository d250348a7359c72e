//! The title bar: program, project, pill, engine.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::text::{fit, visible};
use crate::tui::layout;
use crate::tui::state::{Pane, State};
use crate::tui::theme::Meaning;

/// Draws the title bar.
pub(super) fn draw(state: &State, area: Rect, frame: &mut Frame<'_>) {
    let theme = state.theme;
    let pill = state.pill().zip(layout::pill(state));
    let engine = visible(&state.engine).into_owned();
    let engine_width = u16::try_from(crate::text::width(&engine)).unwrap_or(u16::MAX);
    let end = pill
        .as_ref()
        .map_or_else(|| (area.x + area.width).saturating_sub(engine_width + 2), |(_, pill)| pill.x.saturating_sub(1));
    let left = Rect { width: end.saturating_sub(area.x), ..area };
    let demo = if state.demo { " · demo" } else { "" };
    let name = " dreamtop";
    let branch = state.branch.as_ref().map(|branch| format!(" · {}", visible(branch))).unwrap_or_default();
    let project = format!("   {}", visible(&state.choice.title));
    let room = usize::from(left.width).saturating_sub(name.len());
    // The project's name is worth more than what stands behind it.
    let rest = [format!("{project}{branch}{demo}"), format!("{project}{branch}"), project.clone()]
        .into_iter()
        .find(|rest| crate::text::width(rest) <= room)
        .unwrap_or(project);
    let line =
        Line::from(vec![Span::styled(name, theme.style(Meaning::Accent)), Span::raw(fit(&rest, room).into_owned())]);
    frame.render_widget(line, left);
    if let Some((pill, place)) = pill {
        let style = if state.focus == Pane::Pill { theme.style(Meaning::Selection) } else { theme.style(pill.tone) };
        frame.render_widget(
            Line::styled(fit(&visible(&pill.text), usize::from(place.width)).into_owned(), style),
            place,
        );
    }
    if engine_width + 2 < area.width {
        let place = Rect { x: area.x + area.width - engine_width - 1, width: engine_width, ..area };
        frame.render_widget(Line::styled(engine, theme.style(Meaning::Dim)), place);
    }
}
