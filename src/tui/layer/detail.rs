//! The right half of a layer in two halves: rows laid out once per content and width, and how far they are scrolled.

use ratatui::text::Line;

/// What the rows show: a name, a version of its content, and the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailKey {
    /// The name; another one starts at the top.
    pub what: String,
    /// The version; another one stays where it was.
    pub version: String,
    /// The columns.
    pub width: usize,
}

/// The rows.
#[derive(Clone, Debug, Default)]
pub struct Detail {
    /// What they show.
    pub key: DetailKey,
    /// The rows, none wider than the key says.
    pub lines: Vec<Line<'static>>,
    /// The first one shown.
    pub scroll: usize,
}

impl Detail {
    /// Shows something; it is laid out only when it is not shown already.
    pub fn show(&mut self, key: DetailKey, lay_out: impl FnOnce(usize) -> Vec<Line<'static>>) {
        if self.key == key && !self.lines.is_empty() {
            return;
        }
        if self.key.what != key.what {
            self.scroll = 0;
        }
        self.lines = lay_out(key.width);
        self.key = key;
        self.scroll = self.scroll.min(self.lines.len().saturating_sub(1));
    }

    /// Scrolls, stopping where the last row is the last one shown.
    pub fn scroll_by(&mut self, rows: isize, height: usize) {
        self.scroll = self.scroll.saturating_add_signed(rows).min(self.lines.len().saturating_sub(height));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(what: &str, version: &str) -> DetailKey {
        DetailKey { what: what.to_owned(), version: version.to_owned(), width: 20 }
    }

    #[test]
    fn another_version_keeps_the_place_and_another_thing_starts_at_its_top() {
        let rows = |count: usize| move |_| vec![Line::default(); count];
        let mut detail = Detail::default();
        detail.show(key("a.md", "1"), rows(30));
        detail.scroll_by(100, 10);
        assert_eq!(detail.scroll, 20);
        detail.show(key("a.md", "2"), rows(30));
        assert_eq!(detail.scroll, 20);
        detail.show(key("a.md", "3"), rows(5));
        assert_eq!(detail.scroll, 4);
        detail.show(key("b.md", "3"), rows(30));
        assert_eq!(detail.scroll, 0);
    }

    #[test]
    fn what_is_shown_already_is_not_laid_out_again() {
        let mut laid_out = 0;
        let mut detail = Detail::default();
        for _ in 0..3 {
            detail.show(key("a.md", "1"), |_| {
                laid_out += 1;
                vec![Line::default()]
            });
        }
        assert_eq!(laid_out, 1);
    }
}
