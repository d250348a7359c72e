//! The words that narrow a list, and the line they are typed in: one for every list.
//!
//! Not its job: the filter language of the memories, which has a line of its own ([`crate::filter`]).

use crossterm::event::KeyEvent;

use super::TextLine;

/// The words that every row shown has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilter {
    line: TextLine,
    /// The words before they were edited, while they are: what `esc` goes back to.
    before: Option<String>,
}

impl ListFilter {
    /// The words as typed.
    #[must_use]
    pub fn text(&self) -> &str {
        self.line.text()
    }

    /// The line with its cursor, while it is typed in.
    #[must_use]
    pub fn typed(&self) -> Option<&TextLine> {
        self.before.is_some().then_some(&self.line)
    }

    /// Whether there are any.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.text().trim().is_empty()
    }

    /// Whether every word is somewhere in a row's text; capitals count as small letters.
    #[must_use]
    pub fn admits(&self, text: &str) -> bool {
        if !self.is_on() {
            return true;
        }
        let text = text.to_lowercase();
        self.text().split_whitespace().all(|word| text.contains(&word.to_lowercase()))
    }

    /// Begins to type.
    pub fn begin(&mut self) {
        self.before = Some(self.text().to_owned());
    }

    /// Keeps what was typed.
    pub fn keep(&mut self) {
        self.before = None;
    }

    /// Goes back to what was before it was typed.
    pub fn give_up(&mut self) {
        if let Some(before) = self.before.take() {
            self.line.set(&before);
        }
    }

    /// Drops the words.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes a key that edits the line; whether the words changed, or `None` when the key is none of these.
    pub fn key(&mut self, key: &KeyEvent) -> Option<bool> {
        self.line.key(key)
    }

    /// Takes pasted text: its first line.
    pub fn insert(&mut self, text: &str) {
        self.line.insert(text);
    }
}
