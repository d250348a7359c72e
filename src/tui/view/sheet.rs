//! A memory's page: head and body as one text, from the line it is scrolled to.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::tui::page;
use crate::tui::state::{Sheet, State};
use crate::tui::theme::Meaning;

/// Draws the memory under the cursor.
pub(super) fn draw(sheet: &Sheet, state: &State, area: Rect, frame: &mut Frame<'_>) {
    let Some(memory) = state.target() else { return };
    let (used, owed) = (state.use_of(memory), state.owed(&memory.file).latest());
    let findings = state.findings_of(&memory.file);
    let head = page::head(memory, findings, used.as_deref(), owed, area.width, state.theme);
    // While another memory's page is still on the sheet, its body is not shown under this head.
    let is_its_own = sheet.answers.as_ref().is_some_and(|answer| answer.file == memory.file);
    let failure;
    let body: &[Line<'static>] = match &sheet.page {
        Some(Ok(page)) if is_its_own => &page.lines,
        Some(Err(error)) if is_its_own => {
            failure = [Line::styled(crate::text::visible(error).into_owned(), state.theme.style(Meaning::Bad))];
            &failure
        }
        _ => &[],
    };
    let scroll = if is_its_own { sheet.scroll } else { 0 };
    let lines = head.iter().chain(body).skip(scroll);
    for (line, row) in lines.zip(area.rows()) {
        frame.render_widget(line, row);
    }
}
