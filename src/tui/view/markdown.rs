//! A memory's body as a person reads it: Markdown in rows of a width.
//!
//! Nothing is fetched, opened or run, raw HTML is shown as text, and every control character is made visible. Beyond
//! [`MARKDOWN_BYTES`] the text is shown as it is written, so that no input can stall the screen. Not its job: frontmatter
//! (the caller passes the body) and scrolling (the caller keeps the rows).

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::wrap::{Wrapper, break_columns};
use crate::text::{fit, fit_padded, visible, width as columns_of};
use crate::tui::theme::{Meaning, Theme};

/// Longer texts are shown as plain text.
const MARKDOWN_BYTES: usize = 1_000_000;

/// The rows of a Markdown text, none wider than `width`.
pub(in crate::tui) fn rows(source: &str, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let width = width.max(1);
    if source.len() > MARKDOWN_BYTES {
        return plain_rows(source, width, theme);
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_WIKILINKS;
    let mut page = Page::new(width, theme);
    for event in Parser::new_ext(source, options) {
        page.take(event);
    }
    page.end_text();
    page.rows
}

/// The rows of a text as it is written, broken at the width.
pub(in crate::tui) fn plain_rows(source: &str, width: usize, theme: Theme) -> Vec<Line<'static>> {
    let style = theme.style(Meaning::Text);
    let mut rows = Vec::new();
    for line in source.lines() {
        let line = visible(line);
        rows.extend(break_columns(&line, width).into_iter().map(|row| Line::styled(row.to_owned(), style)));
    }
    rows
}

/// What stands before each row of a block: `• ` on the first, spaces on the others; or `│ ` on all.
struct Margin {
    first: Option<String>,
    other: String,
}

struct Page {
    width: usize,
    theme: Theme,
    rows: Vec<Line<'static>>,
    margins: Vec<Margin>,
    lists: Vec<Option<u64>>,
    styles: Vec<Style>,
    text: Option<Wrapper>,
    wants_gap: bool,
    soft_break: bool,
    links: Vec<Option<String>>,
    code: Option<String>,
    table: Option<Table>,
}

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
    header: usize,
}

impl Page {
    fn new(width: usize, theme: Theme) -> Self {
        Self {
            width,
            theme,
            rows: Vec::new(),
            margins: Vec::new(),
            lists: Vec::new(),
            styles: vec![theme.style(Meaning::Text)],
            text: None,
            wants_gap: false,
            soft_break: false,
            links: Vec::new(),
            code: None,
            table: None,
        }
    }

    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.inline(&text, self.style()),
            },
            Event::Code(code) => {
                let style = self.style().patch(self.theme.style(Meaning::Code));
                self.inline(&format!("`{code}`"), style);
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let style = self.theme.style(Meaning::Dim);
                for (at, line) in html.trim_end_matches('\n').split('\n').enumerate() {
                    if at > 0 {
                        self.break_row();
                    }
                    self.inline(line, style);
                }
            }
            Event::SoftBreak => self.soft_break = true,
            Event::HardBreak => self.break_row(),
            Event::Rule => {
                self.begin_block();
                let rule = "─".repeat(self.room().min(40));
                let style = self.theme.style(Meaning::Dim);
                self.row(vec![Span::styled(rule, style)]);
                self.wants_gap = true;
            }
            Event::TaskListMarker(done) => {
                let style = self.style();
                self.inline(if done { "[x] " } else { "[ ] " }, style);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.inline(&text, self.style());
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.begin_block(),
            Tag::Heading { .. } => {
                self.begin_block();
                self.push_style(self.theme.style(Meaning::Heading).add_modifier(Modifier::BOLD));
            }
            Tag::BlockQuote(_) => {
                self.begin_block();
                self.push_margin(None, "│ ");
            }
            Tag::CodeBlock(kind) => {
                self.begin_block();
                if let CodeBlockKind::Fenced(language) = &kind
                    && !language.trim().is_empty()
                {
                    let label = fit(&visible(language.trim()), self.room()).into_owned();
                    self.row(vec![Span::styled(label, self.theme.style(Meaning::Dim))]);
                }
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                // A list inside an item follows its text without a gap.
                if self.lists.is_empty() {
                    self.begin_block();
                } else {
                    self.end_text();
                    self.wants_gap = false;
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.end_text();
                self.gap();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        let mark = format!("{number}. ");
                        *number = number.saturating_add(1);
                        mark
                    }
                    _ => "• ".to_owned(),
                };
                let blank = " ".repeat(columns_of(&mark));
                self.push_margin(Some(mark), &blank);
            }
            Tag::Emphasis => self.push_style(Style::new().add_modifier(Modifier::ITALIC)),
            Tag::Strong => {
                // `**Why:**` on a line of its own begins a part of the memory; it must not drown in the paragraph.
                if std::mem::take(&mut self.soft_break) {
                    self.break_row();
                }
                self.push_style(Style::new().add_modifier(Modifier::BOLD));
            }
            Tag::Strikethrough => self.push_style(Style::new().add_modifier(Modifier::CROSSED_OUT)),
            Tag::Link { link_type, dest_url, .. } => {
                let shown = !matches!(link_type, LinkType::WikiLink { .. } | LinkType::Autolink | LinkType::Email);
                self.links.push(shown.then(|| dest_url.to_string()));
                self.push_style(self.theme.style(Meaning::Link));
            }
            Tag::Image { dest_url, .. } => {
                self.links.push(Some(dest_url.to_string()));
                self.push_style(self.theme.style(Meaning::Link));
            }
            Tag::Table(_) => {
                self.begin_block();
                self.table = Some(Table::default());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => {
                if let Some(row) = self.table.as_mut().and_then(|table| table.rows.last_mut()) {
                    row.push(String::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_block(),
            TagEnd::Heading(_) => {
                self.pop_style();
                self.end_block();
            }
            TagEnd::BlockQuote(_) => {
                self.end_block();
                self.margins.pop();
            }
            TagEnd::CodeBlock => {
                let code = self.code.take().unwrap_or_default();
                self.code_rows(&code);
                self.wants_gap = true;
            }
            TagEnd::List(_) => {
                self.end_text();
                self.lists.pop();
                self.wants_gap = self.lists.is_empty();
            }
            TagEnd::Item => {
                self.end_text();
                // An item without any text still shows its mark.
                if self.margins.last().is_some_and(|margin| margin.first.is_some()) {
                    self.row(Vec::new());
                }
                self.margins.pop();
            }
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => self.pop_style(),
            TagEnd::Link | TagEnd::Image => {
                self.pop_style();
                if let Some(Some(target)) = self.links.pop() {
                    let style = self.theme.style(Meaning::Dim);
                    self.inline(&format!(" ({target})"), style);
                }
            }
            TagEnd::Table => {
                if let Some(table) = self.table.take() {
                    self.table_rows(&table);
                }
                self.wants_gap = true;
            }
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.header = table.rows.len();
                }
            }
            _ => {}
        }
    }

    fn style(&self) -> Style {
        self.styles.last().copied().unwrap_or_default()
    }

    fn push_style(&mut self, style: Style) {
        self.styles.push(self.style().patch(style));
    }

    fn pop_style(&mut self) {
        if self.styles.len() > 1 {
            self.styles.pop();
        }
    }

    /// Columns left beside the margins.
    fn room(&self) -> usize {
        let used: usize = self.margins.iter().map(|margin| columns_of(&margin.other)).sum();
        self.width.saturating_sub(used).max(1)
    }

    /// A margin takes part of the width only while half of it is left for the text, however deep a text nests.
    fn push_margin(&mut self, first: Option<String>, other: &str) {
        let fits = self.room().saturating_sub(columns_of(other)) * 2 >= self.width;
        let other = if fits { other.to_owned() } else { String::new() };
        self.margins.push(Margin { first: first.filter(|_| fits), other });
    }

    fn inline(&mut self, text: &str, style: Style) {
        if let Some(cell) = self.table.as_mut().and_then(|table| table.rows.last_mut()).and_then(|row| row.last_mut()) {
            cell.push_str(&visible(text));
            return;
        }
        let room = self.room();
        let wrapper = self.text.get_or_insert_with(|| Wrapper::new(room));
        if std::mem::take(&mut self.soft_break) {
            wrapper.push(" ", style);
        }
        wrapper.push(&visible(text), style);
    }

    fn break_row(&mut self) {
        self.soft_break = false;
        if let Some(wrapper) = &mut self.text {
            wrapper.break_row();
        }
    }

    fn begin_block(&mut self) {
        self.end_text();
        self.gap();
    }

    fn end_block(&mut self) {
        self.end_text();
        self.wants_gap = true;
    }

    fn gap(&mut self) {
        if std::mem::take(&mut self.wants_gap) && !self.rows.is_empty() {
            self.row(Vec::new());
        }
    }

    fn end_text(&mut self) {
        self.soft_break = false;
        if let Some(wrapper) = self.text.take() {
            for row in wrapper.finish() {
                self.row(row);
            }
        }
    }

    fn row(&mut self, content: Vec<Span<'static>>) {
        let style = self.theme.style(Meaning::Dim);
        // A blank row between items must not use up the mark of the next one.
        let mut spans = Vec::with_capacity(content.len() + self.margins.len());
        for margin in &mut self.margins {
            let text = margin.first.take().unwrap_or_else(|| margin.other.clone());
            if !text.is_empty() {
                spans.push(Span::styled(text, style));
            }
        }
        spans.extend(content);
        self.rows.push(Line::from(spans));
    }

    fn code_rows(&mut self, code: &str) {
        let style = self.theme.style(Meaning::Code);
        let room = self.room().saturating_sub(2);
        for line in code.strip_suffix('\n').unwrap_or(code).split('\n') {
            let line = visible(line.strip_suffix('\r').unwrap_or(line));
            for row in break_columns(&line, room) {
                self.row(vec![Span::styled(format!("  {row}"), style)]);
            }
        }
    }

    /// A table in columns when it fits, else one line a row.
    fn table_rows(&mut self, table: &Table) {
        const BETWEEN: &str = " │ ";
        let columns = table.rows.iter().map(Vec::len).max().unwrap_or_default();
        let widths: Vec<usize> = (0..columns)
            .map(|at| {
                table.rows.iter().filter_map(|row| row.get(at)).map(|cell| columns_of(cell)).max().unwrap_or_default()
            })
            .collect();
        let needed = widths.iter().sum::<usize>() + columns.saturating_sub(1) * columns_of(BETWEEN);
        for (at, cells) in table.rows.iter().enumerate() {
            let style = if at < table.header { self.style().add_modifier(Modifier::BOLD) } else { self.style() };
            if needed <= self.room() {
                let padded: Vec<String> =
                    cells.iter().zip(&widths).map(|(cell, width)| fit_padded(cell, *width)).collect();
                self.row(vec![Span::styled(padded.join(BETWEEN), style)]);
            } else {
                let mut wrapper = Wrapper::new(self.room());
                wrapper.push(&cells.join(BETWEEN), style);
                for row in wrapper.finish() {
                    self.row(row);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "markdown_tests.rs"]
mod tests;
