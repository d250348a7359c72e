//! One key, and a few of them pressed after each other, with the words the configuration and the screen have for them.
//!
//! Not its job: what they mean (see [`super::Keymap`]).

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers, normalised: a capital letter carries no shift of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// The key of a terminal event.
    #[must_use]
    pub fn of(event: &KeyEvent) -> Self {
        let known = KeyModifiers::SHIFT | KeyModifiers::CONTROL | KeyModifiers::ALT;
        let mut modifiers = event.modifiers & known;
        let mut code = event.code;
        if let KeyCode::Char(character) = code {
            modifiers.remove(KeyModifiers::SHIFT);
            if modifiers.contains(KeyModifiers::CONTROL) {
                code = KeyCode::Char(character.to_ascii_lowercase());
            }
        }
        if code == KeyCode::BackTab || code == KeyCode::Tab && modifiers.contains(KeyModifiers::SHIFT) {
            code = KeyCode::BackTab;
            modifiers.insert(KeyModifiers::SHIFT);
        }
        Self { code, modifiers }
    }

    /// The key a word names: `j`, `G`, `ctrl-d`, `shift-down`, `enter`, `f5`, `space`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = word;
        while let Some((prefix, after)) = rest.split_once('-').filter(|(_, after)| !after.is_empty()) {
            modifiers |= match prefix.to_ascii_lowercase().as_str() {
                "ctrl" | "c" => KeyModifiers::CONTROL,
                "alt" | "a" => KeyModifiers::ALT,
                "shift" | "s" => KeyModifiers::SHIFT,
                _ => return None,
            };
            rest = after;
        }
        let mut characters = rest.chars();
        let code = match (characters.next(), characters.next()) {
            (Some(character), None) => KeyCode::Char(character),
            _ => match rest.to_ascii_lowercase().as_str() {
                "enter" | "return" => KeyCode::Enter,
                "esc" | "escape" => KeyCode::Esc,
                "tab" if modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
                "tab" => KeyCode::Tab,
                "space" => KeyCode::Char(' '),
                "backspace" => KeyCode::Backspace,
                "delete" => KeyCode::Delete,
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "home" => KeyCode::Home,
                "end" => KeyCode::End,
                "pageup" => KeyCode::PageUp,
                "pagedown" => KeyCode::PageDown,
                function => KeyCode::F(function.strip_prefix('f')?.parse().ok().filter(|n| (1..=12).contains(n))?),
            },
        };
        Some(Self::of(&KeyEvent::new(code, modifiers)))
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.modifiers.contains(KeyModifiers::CONTROL) {
            f.write_str("Ctrl-")?;
        }
        if self.modifiers.contains(KeyModifiers::ALT) {
            f.write_str("Alt-")?;
        }
        if self.modifiers.contains(KeyModifiers::SHIFT) {
            f.write_str("Shift-")?;
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("Space"),
            KeyCode::Char(character) => write!(f, "{character}"),
            KeyCode::BackTab => f.write_str("Tab"),
            KeyCode::Up => f.write_str("↑"),
            KeyCode::Down => f.write_str("↓"),
            KeyCode::Left => f.write_str("←"),
            KeyCode::Right => f.write_str("→"),
            KeyCode::PageUp => f.write_str("PgUp"),
            KeyCode::PageDown => f.write_str("PgDn"),
            KeyCode::F(number) => write!(f, "F{number}"),
            other => write!(f, "{other:?}"),
        }
    }
}

/// Keys pressed one after the other: mostly one, `g g` two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chord(Vec<Key>);

/// More keys than this after each other nobody remembers.
const LONGEST: usize = 4;

impl Chord {
    /// The keys that words name, with spaces between them: `j`, `g g`, `ctrl-x s`.
    #[must_use]
    pub fn parse(words: &str) -> Option<Self> {
        let keys: Option<Vec<Key>> = if words == " " {
            Key::parse(words).map(|key| vec![key])
        } else {
            words.split_whitespace().map(Key::parse).collect()
        };
        keys.filter(|keys| (1..=LONGEST).contains(&keys.len())).map(Self)
    }

    /// Its keys, in the order they are pressed; never empty.
    #[must_use]
    pub fn keys(&self) -> &[Key] {
        &self.0
    }

    /// Whether one of the two begins with the other: then only one of them can mean anything.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0) || other.0.starts_with(&self.0)
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, key) in self.0.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{key}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_capital_letter_is_the_same_key_with_and_without_a_reported_shift() {
        let bare = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::NONE);
        let shifted = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(Key::of(&bare), Key::of(&shifted));
        let back_tab = KeyEvent::new(KeyCode::BackTab, KeyModifiers::NONE);
        let shift_tab = KeyEvent::new(KeyCode::Tab, KeyModifiers::SHIFT);
        assert_eq!([Some(Key::of(&back_tab)), Some(Key::of(&shift_tab))], [Key::parse("shift-tab"); 2]);
    }

    #[test]
    fn a_minus_is_a_key_too() {
        assert_eq!(Key::parse("-").unwrap().to_string(), "-");
        assert_eq!(Key::parse("ctrl--").unwrap().to_string(), "Ctrl--");
    }

    #[test]
    fn a_chord_is_one_to_four_keys_with_spaces_between_and_is_written_as_it_is_read() {
        for (words, shown) in
            [("g g", "g g"), ("  z   t ", "z t"), ("ctrl-x s", "Ctrl-x s"), (" ", "Space"), ("space q", "Space q")]
        {
            assert_eq!(Chord::parse(words).unwrap().to_string(), shown);
        }
        for words in ["", "   ", "a b c d e", "g meta-g"] {
            assert_eq!(Chord::parse(words), None, "{words:?}");
        }
    }

    #[test]
    fn a_chord_and_its_beginning_overlap_and_two_that_part_ways_do_not() {
        let chord = |words| Chord::parse(words).unwrap();
        assert!(chord("g").overlaps(&chord("g g")) && chord("g g").overlaps(&chord("g")));
        assert!(!chord("g g").overlaps(&chord("g s")) && !chord("g").overlaps(&chord("s g")));
    }
}
