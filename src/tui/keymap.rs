//! Which key means which command, after the configuration had its say.
//!
//! Resolved once at the start into an immutable map; a key that two commands of one place want is reported and stays with
//! the first. Not its job: text input (layers that take text see their keys first) and what a command does.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::command::{COMMANDS, Command, Place};

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

/// The keys of all commands.
#[derive(Clone, Debug)]
pub struct Keymap {
    by_key: HashMap<(Place, Key), Command>,
    keys: BTreeMap<Command, Vec<Key>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::new(&BTreeMap::new()).0
    }
}

impl Keymap {
    /// The default keys with the configuration's `keys` laid over them, and what is wrong with those, one sentence each.
    #[must_use]
    pub fn new(configured: &BTreeMap<String, String>) -> (Self, Vec<String>) {
        let mut complaints = Vec::new();
        let mut keys = BTreeMap::new();
        for spec in COMMANDS {
            let own: Vec<Key> = spec.keys.iter().filter_map(|word| Key::parse(word)).collect();
            keys.insert(spec.command, own);
        }
        for (name, word) in configured {
            let Some(spec) = COMMANDS.iter().find(|spec| spec.name == name) else {
                let names: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
                complaints.push(format!("keys: there is no command {name:?}; the commands are {}", names.join(", ")));
                continue;
            };
            let Some(key) = Key::parse(word) else {
                complaints
                    .push(format!("keys.{name}: {word:?} is not a key; write it like j, G, ctrl-d, shift-down or f5"));
                continue;
            };
            // Whatever else a person chooses, the key that ends any program ends this one.
            let end = Key::parse("ctrl-c").filter(|end| spec.command == Command::Quit && *end != key);
            keys.insert(spec.command, std::iter::once(key).chain(end).collect());
        }
        let mut by_key: HashMap<(Place, Key), Command> = HashMap::new();
        // Configured keys first: a person's choice takes a key from a default, not the other way round.
        let configured_first = COMMANDS
            .iter()
            .filter(|spec| configured.contains_key(spec.name))
            .chain(COMMANDS.iter().filter(|spec| !configured.contains_key(spec.name)));
        for spec in configured_first {
            let own = keys.get(&spec.command).cloned().unwrap_or_default();
            let mut kept = Vec::new();
            for key in own {
                let taken = spec.places.iter().find_map(|place| by_key.get(&(*place, key)));
                match taken.and_then(|command| command.spec()) {
                    Some(other) => complaints
                        .push(format!("keys: {key} already means {}; {} has to do without it", other.name, spec.name)),
                    None => {
                        by_key.extend(spec.places.iter().map(|place| ((*place, key), spec.command)));
                        kept.push(key);
                    }
                }
            }
            keys.insert(spec.command, kept);
        }
        (Self { by_key, keys }, complaints)
    }

    /// What a key means in a place.
    #[must_use]
    pub fn command(&self, place: Place, key: Key) -> Option<Command> {
        self.by_key.get(&(place, key)).or_else(|| self.by_key.get(&(Place::Everywhere, key))).copied()
    }

    /// The keys of a command, the first one shown.
    #[must_use]
    pub fn keys(&self, command: Command) -> &[Key] {
        self.keys.get(&command).map_or(&[], Vec::as_slice)
    }

    /// The key to show for a command; empty when it has none.
    #[must_use]
    pub fn shown(&self, command: Command) -> String {
        self.keys(command).first().map(ToString::to_string).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn configured(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, key)| ((*name).to_owned(), (*key).to_owned())).collect()
    }

    #[test]
    fn every_default_key_is_a_key_and_none_means_two_things_in_one_place() {
        for spec in COMMANDS {
            for word in spec.keys {
                assert!(Key::parse(word).is_some(), "{}: {word}", spec.name);
            }
        }
        assert_eq!(Keymap::new(&BTreeMap::new()).1, Vec::<String>::new());
    }

    #[test]
    fn a_configured_key_takes_the_key_from_the_default_that_had_it_and_says_so() {
        let (keymap, complaints) = Keymap::new(&configured(&[("new", "e")]));
        let key = Key::parse("e").unwrap();
        assert_eq!(keymap.command(Place::Dashboard, key), Some(Command::New));
        assert_eq!(complaints, ["keys: e already means new; edit has to do without it"]);
    }

    #[test]
    fn ctrl_c_leaves_whatever_key_was_chosen_for_it() {
        let (keymap, complaints) = Keymap::new(&configured(&[("quit", "ctrl-q")]));
        for word in ["ctrl-q", "ctrl-c"] {
            assert_eq!(keymap.command(Place::Dashboard, Key::parse(word).unwrap()), Some(Command::Quit), "{word}");
        }
        assert_eq!((complaints, keymap.shown(Command::Quit).as_str()), (Vec::new(), "Ctrl-q"));
    }

    #[test]
    fn unknown_commands_and_impossible_keys_are_named_with_what_is_accepted() {
        let (_, complaints) = Keymap::new(&configured(&[("fly", "x"), ("new", "meta-n")]));
        assert!(complaints.first().unwrap().contains("there is no command \"fly\""));
        assert!(complaints.get(1).unwrap().contains("keys.new: \"meta-n\" is not a key"));
    }

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
}
