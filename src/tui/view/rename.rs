//! How the line for another file name looks, with what would follow below it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{footer, form, pane};
use crate::text::visible;
use crate::tui::layer::rename::Rename;
use crate::tui::layout::centred;
use crate::tui::page::wrap;
use crate::tui::state::State;
use crate::tui::theme::Meaning;

/// Draws it over the dashboard.
pub(super) fn draw(layer: &Rename, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let columns = usize::from(area.width.min(80).saturating_sub(4));
    let (lines, meaning) = match &layer.preview {
        None => (vec!["Links in the index and in other memories follow.".to_owned()], Meaning::Dim),
        Some(Ok(lines)) => (lines.clone(), Meaning::Text),
        Some(Err(why)) => (vec![why.clone()], Meaning::Warn),
    };
    let lines: Vec<String> = lines.iter().flat_map(|line| wrap(line, columns)).collect();
    let high = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(4);
    let place = centred(area, 80, high.clamp(5, area.height.max(5)));
    let title = format!("{} {}", if layer.saving { "Renaming" } else { "Another name for" }, visible(&layer.from));
    let keys = footer::of(&[("Enter", "rename"), ("Esc", "leave it")], state);
    let inner = pane::dialog(place, &title, state, keys, frame);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    let mut rows = inner.rows();
    if let Some(row) = rows.next() {
        form::text_area(&layer.line, true, row, frame);
    }
    rows.next();
    let room = usize::from(inner.height.saturating_sub(2));
    let rest = lines.len().saturating_sub(room);
    for (at, (line, row)) in lines.into_iter().zip(rows).enumerate() {
        let line = if rest > 0 && at + 1 == room { format!("… and {} more", rest + 1) } else { line };
        frame.render_widget(Line::styled(line, state.theme.style(meaning)), row);
    }
}
