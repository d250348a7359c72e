//! One line of text that a person types, with its cursor between clusters of characters.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unicode_segmentation::UnicodeSegmentation;

/// No line is longer, in characters.
const MOST: usize = 2_000;

/// A line and its cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextLine {
    text: String,
    /// A byte offset between two clusters.
    cursor: usize,
    /// Whether all of it is selected: what is typed takes its place.
    is_selected: bool,
}

impl From<&str> for TextLine {
    fn from(text: &str) -> Self {
        let mut line = Self::default();
        line.insert(text);
        line
    }
}

impl TextLine {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    #[must_use]
    pub fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    /// Whether the cursor is behind the last character.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.cursor == self.text.len()
    }

    /// Whether all of it is selected.
    #[must_use]
    pub const fn is_selected(&self) -> bool {
        self.is_selected
    }

    /// Selects all of it: what is typed next takes its place, a key that moves the cursor keeps it.
    pub const fn select(&mut self) {
        self.is_selected = !self.text.is_empty();
    }

    /// Another text, the cursor at its end.
    pub fn set(&mut self, text: &str) {
        *self = Self::from(text);
    }

    /// Puts text at the cursor, or in the place of what is selected: its first line, as much as there is room for.
    pub fn insert(&mut self, text: &str) {
        if std::mem::take(&mut self.is_selected) {
            *self = Self::default();
        }
        let room = MOST.saturating_sub(self.text.chars().count());
        let text: String = text.lines().next().unwrap_or_default().chars().take(room).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor = self.at_cluster(self.cursor + text.len());
    }

    /// Takes a key that edits a line; whether the text changed, or `None` when the key is none of these.
    pub fn key(&mut self, key: &KeyEvent) -> Option<bool> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let before = self.text.clone();
        let was_selected = self.is_selected;
        match key.code {
            KeyCode::Char('u' | 'w') if control && was_selected => self.set(""),
            KeyCode::Backspace | KeyCode::Delete if was_selected => self.set(""),
            KeyCode::Left if was_selected => self.cursor = 0,
            KeyCode::Right if was_selected => self.cursor = self.text.len(),
            KeyCode::Char('u') if control => self.erase(0),
            KeyCode::Char('w') if control => self.erase(self.word_before()),
            KeyCode::Char(character) if !control && !key.modifiers.contains(KeyModifiers::ALT) => {
                self.insert(character.encode_utf8(&mut [0; 4]));
            }
            KeyCode::Backspace => self.erase(self.previous()),
            KeyCode::Delete => {
                let end = self.next();
                self.text.replace_range(self.cursor..end, "");
            }
            KeyCode::Left => self.cursor = self.previous(),
            KeyCode::Right => self.cursor = self.next(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            _ => return None,
        }
        self.is_selected = false;
        Some(self.text != before)
    }

    /// Erases from a place to the cursor.
    fn erase(&mut self, from: usize) {
        self.text.replace_range(from..self.cursor, "");
        self.cursor = self.at_cluster(from);
    }

    fn previous(&self) -> usize {
        self.before().grapheme_indices(true).next_back().map_or(0, |(at, _)| at)
    }

    fn next(&self) -> usize {
        let behind = self.text.get(self.cursor..).unwrap_or_default();
        self.cursor + behind.graphemes(true).next().map_or(0, str::len)
    }

    fn word_before(&self) -> usize {
        let before = self.before().trim_end();
        before.char_indices().rev().find(|(_, c)| c.is_whitespace()).map_or(0, |(at, c)| at + c.len_utf8())
    }

    /// The first cluster's edge at or behind a place: what was typed may have joined what stands there.
    fn at_cluster(&self, place: usize) -> usize {
        let edges = self.text.grapheme_indices(true).map(|(at, _)| at);
        edges.chain([self.text.len()]).find(|at| *at >= place).unwrap_or(self.text.len())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn press(line: &mut TextLine, code: KeyCode, modifiers: KeyModifiers) -> Option<bool> {
        line.key(&KeyEvent::new(code, modifiers))
    }

    #[test]
    fn the_cursor_moves_and_erases_by_what_a_person_sees_as_one_character() {
        let mut line = TextLine::from("ae\u{301}上");
        for before in ["ae\u{301}", "a", "", ""] {
            assert_eq!(press(&mut line, KeyCode::Left, KeyModifiers::NONE), Some(false));
            assert_eq!(line.before(), before);
        }
        press(&mut line, KeyCode::Right, KeyModifiers::NONE);
        assert_eq!(press(&mut line, KeyCode::Delete, KeyModifiers::NONE), Some(true));
        assert_eq!((line.text(), line.before()), ("a上", "a"));
        line.insert("bc\nnot this");
        assert_eq!((line.text(), line.before()), ("abc上", "abc"));
    }

    #[test]
    fn words_and_the_whole_beginning_are_erased_with_control() {
        let mut line = TextLine::from("type:user stale ");
        press(&mut line, KeyCode::Char('w'), KeyModifiers::CONTROL);
        assert_eq!(line.text(), "type:user ");
        press(&mut line, KeyCode::Char('u'), KeyModifiers::CONTROL);
        assert_eq!(line.text(), "");
        assert_eq!(press(&mut line, KeyCode::Enter, KeyModifiers::NONE), None);
        assert_eq!(press(&mut line, KeyCode::Char('x'), KeyModifiers::CONTROL), None);
    }

    #[test]
    fn what_is_selected_is_replaced_by_what_is_typed_and_kept_by_a_key_that_moves() {
        let selected = || {
            let mut line = TextLine::from("old word");
            line.select();
            line
        };
        let after = |code, modifiers| {
            let mut line = selected();
            let changed = press(&mut line, code, modifiers);
            assert!(changed.is_none() || !line.is_selected());
            (changed, line.text().to_owned(), line.before().to_owned())
        };
        let (none, control) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        let said = |changed, text: &str, before: &str| (changed, text.to_owned(), before.to_owned());
        assert_eq!(after(KeyCode::Char('n'), none), said(Some(true), "n", "n"));
        for (code, modifiers) in [
            (KeyCode::Backspace, none),
            (KeyCode::Delete, none),
            (KeyCode::Char('u'), control),
            (KeyCode::Char('w'), control),
        ] {
            assert_eq!(after(code, modifiers), said(Some(true), "", ""), "{code}");
        }
        for code in [KeyCode::Left, KeyCode::Home] {
            assert_eq!(after(code, none), said(Some(false), "old word", ""), "{code}");
        }
        for code in [KeyCode::Right, KeyCode::End] {
            assert_eq!(after(code, none), said(Some(false), "old word", "old word"), "{code}");
        }
        assert_eq!(after(KeyCode::Enter, none), said(None, "old word", "old word"));
        let mut line = selected();
        line.insert("pasted");
        assert_eq!(line.text(), "pasted");
        let mut empty = TextLine::default();
        empty.select();
        assert!(!empty.is_selected(), "nothing is there to select");
        let mut same = TextLine::from("n");
        same.select();
        assert_eq!(press(&mut same, KeyCode::Char('n'), none), Some(false), "it reads the same");
    }

    proptest! {
        #[test]
        fn no_keys_on_no_text_break_the_line(text in any::<String>(), keys in prop::collection::vec((0_usize..9, any::<char>()), 0..30)) {
            let mut line = TextLine::from(text.as_str());
            for (which, character) in keys {
                let code = [KeyCode::Left, KeyCode::Right, KeyCode::Home, KeyCode::End, KeyCode::Backspace, KeyCode::Delete,
                    KeyCode::Char(character), KeyCode::Char('w'), KeyCode::Char('u')];
                let modifiers = if which > 6 { KeyModifiers::CONTROL } else { KeyModifiers::NONE };
                press(&mut line, code.get(which).copied().unwrap_or(KeyCode::Home), modifiers);
                prop_assert!(line.text().get(..line.before().len()).is_some());
            }
        }
    }
}
