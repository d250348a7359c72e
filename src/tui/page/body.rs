//! The body of a memory's page: the fact, why, how to apply it; or whatever the file says.

use ratatui::text::Line;

use crate::memory::Topic;
use crate::tui::event::Page;
use crate::tui::theme::{Meaning, Theme};
use crate::tui::view::markdown;

/// The body of a topic file in `width` columns.
#[must_use]
pub fn body(topic: &Topic, width: u16, theme: Theme) -> Page {
    let text = topic.body();
    let parts = crate::memory::topic::parts(&text);
    let mut lines = Vec::new();
    if parts.why.is_none() && parts.how_to_apply.is_none() {
        lines.extend(markdown::rows(&text, usize::from(width), theme));
    } else {
        let sections = [("What", Some(parts.fact)), ("Why", parts.why), ("How to apply", parts.how_to_apply)];
        for (title, text) in sections.into_iter().filter_map(|(title, text)| Some((title, text?))) {
            if !lines.is_empty() {
                lines.push(Line::default());
            }
            lines.push(Line::styled(title, theme.style(Meaning::Heading)));
            lines.extend(markdown::rows(&text, usize::from(width), theme));
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled("The file has no text.", theme.style(Meaning::Dim)));
    }
    Page { lines }
}
