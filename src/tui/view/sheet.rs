//! A memory's page: head and body as one text, from the line it is scrolled to.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

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
    let wanted = sheet.seek.as_ref().map(|seek| seek.text.as_str());
    for (line, row) in lines.zip(area.rows()) {
        match wanted.and_then(|wanted| set_off(line, wanted, state.theme.style(Meaning::Match))) {
            Some(line) => frame.render_widget(line, row),
            None => frame.render_widget(line, row),
        }
    }
}

/// The line with what is looked for set off; nothing when it has none of it.
fn set_off(line: &Line<'static>, wanted: &str, style: Style) -> Option<Line<'static>> {
    let text: String = line.spans.iter().map(|span| span.content.as_ref()).collect();
    let found = page::found_in(&text, wanted);
    if found.is_empty() {
        return None;
    }
    let mut spans = Vec::new();
    let mut at = 0;
    for span in &line.spans {
        let end = at + span.content.len();
        let mut from = at;
        // The edges of what is found cut the span in pieces.
        let edges = found.iter().flat_map(|mark| [mark.start, mark.end]).filter(|edge| (at + 1..end).contains(edge));
        for edge in edges.chain([end]) {
            let own = if found.iter().any(|mark| mark.contains(&from)) { style } else { span.style };
            spans.push(Span::styled(text.get(from..edge).unwrap_or_default().to_owned(), own));
            from = edge;
        }
        at = end;
    }
    Some(Line::from(spans).style(line.style))
}
