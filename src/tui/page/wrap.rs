//! Breaking a text into lines of a width, by words where it has some.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// The lines of a text, none wider than `width` columns (unless a single character is). Line breaks of the text are kept;
/// a word that is too long, and text without spaces, is broken between characters.
#[must_use]
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    text.lines().flat_map(|line| wrap_line(line, width)).collect()
}

fn wrap_line(line: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut current = String::new();
    let mut used = 0;
    for chunk in line.split_inclusive(char::is_whitespace) {
        let word = chunk.trim_end();
        let columns = crate::text::width(word);
        if used + columns <= width {
            current.push_str(chunk);
            used += columns + crate::text::width(chunk.strip_prefix(word).unwrap_or_default());
            continue;
        }
        // Wide characters stand for text without spaces: it fills the line it is on.
        let is_wide = columns > word.graphemes(true).count();
        if used > 0 && !is_wide {
            push_line(&mut lines, &mut current, &mut used);
        }
        for cluster in chunk.graphemes(true) {
            let columns = cluster.width();
            if used + columns > width && used > 0 && !cluster.trim().is_empty() {
                push_line(&mut lines, &mut current, &mut used);
            }
            current.push_str(cluster);
            used += columns;
        }
    }
    if !current.is_empty() || lines.is_empty() {
        lines.push(current.trim_end().to_owned());
    }
    lines
}

fn push_line(lines: &mut Vec<String>, current: &mut String, used: &mut usize) {
    lines.push(current.trim_end().to_owned());
    current.clear();
    *used = 0;
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

    #[test]
    fn a_line_of_two_hundred_thousand_characters_is_no_trouble() {
        let lines = wrap(&"x".repeat(200_000), 80);
        assert_eq!(lines.len(), 2_500);
    }
}
