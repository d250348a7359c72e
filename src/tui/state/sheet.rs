//! A memory laid out on a page, and where the person is on it.

use crate::tui::effect::PreviewQuestion;
use crate::tui::event::Page;

/// A text to go to on a page that is still to come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seek {
    /// The text; it stays set off.
    pub text: String,
    /// How many rows that have it come before.
    pub nth: usize,
    /// Whether the page is still to be scrolled there.
    pub is_due: bool,
}

/// A page, the question it answers and the question that is under way.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// What was asked for last.
    pub asked: Option<PreviewQuestion>,
    /// What the page answers. It stays while a newer one is read, so that nothing flickers.
    pub answers: Option<PreviewQuestion>,
    /// The page, or why there is none.
    pub page: Option<Result<Page, String>>,
    /// The first line shown.
    pub scroll: usize,
    /// What is looked for on it.
    pub seek: Option<Seek>,
}

impl Sheet {
    /// Takes an answer, if it is to the question asked last. Another file starts at its top; the same file stays where it was.
    pub fn take(&mut self, question: &PreviewQuestion, page: Result<Page, String>) {
        if self.asked.as_ref() != Some(question) {
            return;
        }
        let same_file =
            self.answers.as_ref().is_some_and(|old| old.file == question.file && old.store == question.store);
        if !same_file {
            self.scroll = 0;
        }
        self.answers = Some(question.clone());
        self.page = Some(page);
    }

    /// The lines of the page's body.
    #[must_use]
    pub fn body_length(&self) -> usize {
        match &self.page {
            Some(Ok(page)) => page.lines.len(),
            Some(Err(_)) => 1,
            None => 0,
        }
    }

    /// Scrolls a page of `length` lines, stopping where its last line is the last one shown.
    pub fn scroll_by(&mut self, lines: isize, length: usize, height: usize) {
        self.scroll = self.scroll.saturating_add_signed(lines).min(length.saturating_sub(height));
    }
}
