//! Breaking plain text into lines of a width: the view's wrapper without styles.

use ratatui::style::Style;

use crate::text::visible;
use crate::tui::view::wrap::Wrapper;

/// The lines of a text, none wider than `width` columns, every control character made visible. Line breaks of the text are
/// kept; there are no others to write one with.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut wrapper = Wrapper::new(width);
    for line in text.lines() {
        wrapper.push(&visible(line), Style::new());
        wrapper.break_row();
    }
    let joined =
        |row: Vec<ratatui::text::Span<'static>>| row.into_iter().map(|span| span.content.into_owned()).collect();
    wrapper.finish().into_iter().map(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    #[test]
    fn words_stay_whole_where_they_fit_and_spaces_at_the_break_go() {
        assert_eq!(wrap("deploys run on Thursday", 11), ["deploys run", "on Thursday"]);
        assert_eq!(wrap("a\n\nb", 5), ["a", "", "b"]);
        assert_eq!(wrap("on Thursday.", 11), ["on", "Thursday."], "a full stop stays with its word");
    }

    #[test]
    fn text_without_spaces_breaks_between_characters_at_every_width() {
        let text = "デプロイは木曜日です 👨‍👩‍👧‍👦🇩🇪 e\u{301}tude Интеграционные 각";
        for columns in 2..40 {
            for line in wrap(text, columns) {
                assert!(width(&line) <= columns, "{line:?} is wider than {columns}");
            }
        }
    }
}
