//! Which keys mean which command, after the configuration had its say.
//!
//! Resolved once into an immutable map; a key that two commands of one place want is reported, with the line of the
//! configuration that wants it, and stays with the first. Because no chord begins with keys that mean something by
//! themselves, nothing ever waits for a clock to decide what a key meant. Not its job: text input (layers that take text
//! see their keys first), what a command does, and the keys pressed so far (`update/chord.rs`).

mod key;

use std::collections::{BTreeMap, HashMap};

pub use key::{Chord, Key};

use super::command::{COMMANDS, Command, CommandSpec, Place};
use crate::config::Config;

/// Something in the configuration's `keys` that cannot be as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// On which line of the configuration, from 1.
    pub line: Option<usize>,
    /// What is wrong and what becomes of it, in one sentence.
    pub text: String,
    /// The names in `keys` it is about.
    pub about: Vec<String>,
    /// What to do about it.
    pub next: &'static str,
}

impl Complaint {
    /// `config.yaml:12: keys.new: …`, as far as file and line are known.
    #[must_use]
    pub fn at(&self, file: Option<&std::path::Path>) -> String {
        match (file, self.line) {
            (Some(file), Some(line)) => format!("{}:{line}: {}", file.display(), self.text),
            (Some(file), None) => format!("{}: {}", file.display(), self.text),
            (None, _) => self.text.clone(),
        }
    }
}

/// What keys pressed after each other mean so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// This command.
    Command(Command),
    /// A chord goes on from here.
    More,
    /// Nothing.
    Nothing,
}

/// What is said of words that name no key.
pub const NO_KEY: &str =
    "is not a key; write it like j, G, ctrl-d, shift-down or f5, and keys that follow each other with a space: g g";

/// The keys of all commands.
#[derive(Clone, Debug)]
pub struct Keymap {
    by_place: HashMap<Place, Vec<(Chord, Command)>>,
    chords: BTreeMap<Command, Vec<Chord>>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::new(&Config::default()).0
    }
}

impl Keymap {
    /// The default keys with the configuration's `keys` laid over them, and what is wrong with those, in the order of
    /// their lines.
    #[must_use]
    pub fn new(config: &Config) -> (Self, Vec<Complaint>) {
        let mut complaints = Vec::new();
        let wanted = wanted(config, &mut complaints);
        let mut keymap = Self { by_place: HashMap::new(), chords: BTreeMap::new() };
        // Configured keys first: a person's choice takes a key from a default, not the other way round.
        let is_configured = |spec: &&'static CommandSpec| config.keys.contains_key(spec.name);
        let (configured, defaults): (Vec<&'static CommandSpec>, Vec<_>) = COMMANDS.iter().partition(is_configured);
        for spec in configured.into_iter().chain(defaults) {
            let own = wanted.get(&spec.command).cloned().unwrap_or_default();
            let mut kept = Vec::new();
            let mut lost = Vec::new();
            for chord in own {
                match keymap.taken(spec, &chord) {
                    Some((other, place)) if spec.places == [Place::Everywhere] && place != Place::Everywhere => {
                        lost.push((chord.clone(), other, false));
                        kept.push(chord);
                    }
                    Some((other, _)) => lost.push((chord, other, true)),
                    None => kept.push(chord),
                }
            }
            for (chord, other, is_gone) in lost {
                let line = [other.1.name, spec.name].iter().find_map(|name| line_of(config, name));
                let is_named = config.keys.contains_key(spec.name) || config.keys.contains_key(other.1.name);
                if is_named {
                    let text = without(&chord, &other.0, other.1, spec, is_gone, kept.is_empty());
                    let about = vec![other.1.name.to_owned(), spec.name.to_owned()];
                    let next = "give one of the two another key; `dreamtop man` lists the commands and their keys";
                    complaints.push(Complaint { line, text, about, next });
                }
            }
            for place in spec.places {
                let of_place = keymap.by_place.entry(*place).or_default();
                of_place.extend(kept.iter().map(|chord| (chord.clone(), spec.command)));
            }
            keymap.chords.insert(spec.command, kept);
        }
        complaints.sort();
        complaints.dedup();
        (keymap, complaints)
    }

    /// Who has these keys already where a command wants them: in its own places and everywhere; of a command that counts
    /// everywhere: anywhere.
    fn taken(&self, spec: &CommandSpec, chord: &Chord) -> Option<((Chord, &'static CommandSpec), Place)> {
        let is_everywhere = spec.places == [Place::Everywhere];
        let mut places: Vec<Place> = spec.places.to_vec();
        places.push(Place::Everywhere);
        if is_everywhere {
            let mut others: Vec<Place> = self.by_place.keys().copied().collect();
            others.sort();
            places.extend(others);
        }
        places.into_iter().find_map(|place| {
            let of_place = self.by_place.get(&place)?;
            let (other, command) = of_place.iter().find(|(other, _)| other.overlaps(chord))?;
            Some(((other.clone(), command.spec()?), place))
        })
    }

    /// What keys pressed after each other mean in a place.
    #[must_use]
    pub fn look(&self, place: Place, pressed: &[Key]) -> Look {
        let mut begins = false;
        for place in [place, Place::Everywhere] {
            for (chord, command) in self.by_place.get(&place).into_iter().flatten() {
                if chord.keys() == pressed {
                    return Look::Command(*command);
                }
                begins = begins || chord.keys().starts_with(pressed);
            }
            // What a place says itself goes before what holds everywhere.
            if begins {
                return Look::More;
            }
        }
        Look::Nothing
    }

    /// The command of one key in a place.
    #[must_use]
    pub fn command(&self, place: Place, key: Key) -> Option<Command> {
        match self.look(place, &[key]) {
            Look::Command(command) => Some(command),
            Look::More | Look::Nothing => None,
        }
    }

    /// What can follow keys that were pressed in a place: the rest of the chord, and its command.
    pub fn following<'a>(&'a self, place: Place, pressed: &'a [Key]) -> impl Iterator<Item = (String, Command)> + 'a {
        let chords = [place, Place::Everywhere].into_iter().flat_map(|place| self.by_place.get(&place)).flatten();
        chords.filter(move |(chord, _)| chord.keys().len() > pressed.len()).filter_map(move |(chord, command)| {
            let rest = chord.keys().strip_prefix(pressed)?;
            let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
            Some((rest.join(" "), *command))
        })
    }

    /// The keys of a command, the first one shown.
    #[must_use]
    pub fn keys(&self, command: Command) -> &[Chord] {
        self.chords.get(&command).map_or(&[], Vec::as_slice)
    }

    /// The key to show for a command; empty when it has none.
    #[must_use]
    pub fn shown(&self, command: Command) -> String {
        self.keys(command).first().map(ToString::to_string).unwrap_or_default()
    }
}

/// The keys each command wants: those of the configuration where they can be read, else its own.
fn wanted(config: &Config, complaints: &mut Vec<Complaint>) -> BTreeMap<Command, Vec<Chord>> {
    let mut wanted = BTreeMap::new();
    for spec in COMMANDS {
        let own: Vec<Chord> = spec.keys.iter().filter_map(|word| Chord::parse(word)).collect();
        wanted.insert(spec.command, own);
    }
    for (name, words) in &config.keys {
        let line = line_of(config, name);
        let Some(spec) = COMMANDS.iter().find(|spec| spec.name == name) else {
            let names: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
            let near = crate::config::nearest(name, &names);
            let hint = near.map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
            let text = format!("keys: there is no command {name:?}{hint}");
            let next = "take the line out, or write a command there; `dreamtop man` lists them";
            complaints.push(Complaint { line, text, about: vec![name.clone()], next });
            continue;
        };
        let Some(chord) = Chord::parse(words) else {
            let text = format!("keys.{name}: {words:?} {NO_KEY}");
            let next = "write a key there, or take the line out: the command has its own";
            complaints.push(Complaint { line, text, about: vec![name.clone()], next });
            continue;
        };
        // Whatever else a person chooses, the key that ends any program ends this one.
        let end = Chord::parse("ctrl-c").filter(|end| spec.command == Command::Quit && *end != chord);
        wanted.insert(spec.command, std::iter::once(chord).chain(end).collect());
    }
    wanted
}

/// The line of the configuration that gives a command its key.
fn line_of(config: &Config, name: &str) -> Option<usize> {
    config.lines.get(&format!("keys.{name}")).copied()
}

/// Why a command does not get keys it wants.
fn without(
    chord: &Chord,
    taken: &Chord,
    other: &CommandSpec,
    spec: &CommandSpec,
    is_gone: bool,
    has_none: bool,
) -> String {
    let why = if chord == taken {
        format!("{chord} already means {}", other.name)
    } else {
        format!("{chord} and {taken}, which means {}, cannot both be keys", other.name)
    };
    match (is_gone, has_none) {
        (true, false) => format!("keys: {why}; {} has to do without it", spec.name),
        (true, true) => format!("keys: {why}; {} has to do without it and is left without a key", spec.name),
        (false, _) => format!("keys: {why} in some places; {} has to do without it there", spec.name),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn configured(pairs: &[(&str, &str)]) -> Config {
        let keys = pairs.iter().map(|(name, key)| ((*name).to_owned(), (*key).to_owned())).collect();
        let lines = pairs.iter().zip(2..).map(|((name, _), line)| (format!("keys.{name}"), line)).collect();
        Config { keys, lines, ..Config::default() }
    }

    fn texts(complaints: Vec<Complaint>) -> Vec<String> {
        complaints.into_iter().map(|complaint| complaint.text).collect()
    }

    fn keys(words: &str) -> Vec<Key> {
        Chord::parse(words).unwrap().keys().to_vec()
    }

    #[test]
    fn every_default_key_is_a_key_and_none_means_two_things_in_one_place() {
        for spec in COMMANDS {
            for word in spec.keys {
                assert!(Chord::parse(word).is_some(), "{}: {word}", spec.name);
            }
        }
        let keymap = Keymap::default();
        for spec in COMMANDS {
            let own: Vec<Chord> = spec.keys.iter().filter_map(|word| Chord::parse(word)).collect();
            assert_eq!(keymap.keys(spec.command), own, "{}", spec.name);
        }
    }

    #[test]
    fn a_configured_key_takes_the_key_from_the_default_that_had_it_and_says_so() {
        let (keymap, complaints) = Keymap::new(&configured(&[("new", "e")]));
        let key = Key::parse("e").unwrap();
        assert_eq!(keymap.command(Place::Dashboard, key), Some(Command::New));
        assert_eq!(
            complaints.first().unwrap().at(Some(std::path::Path::new("/c/config.yaml"))),
            "/c/config.yaml:2: keys: e already means new; edit has to do without it and is left without a key"
        );
        assert_eq!(complaints.len(), 1);
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
    fn unknown_commands_and_impossible_keys_are_named_with_their_line_and_what_is_accepted() {
        let (_, complaints) = Keymap::new(&configured(&[("fly", "x"), ("new", "meta-n"), ("sart", "x")]));
        let lines: Vec<_> = complaints.iter().map(|complaint| complaint.line).collect();
        assert_eq!(lines, [Some(2), Some(3), Some(4)]);
        let texts = texts(complaints);
        assert!(texts.first().unwrap().contains("there is no command \"fly\""));
        assert!(texts.get(1).unwrap().contains("keys.new: \"meta-n\" is not a key"));
        assert!(texts.get(2).unwrap().contains("(did you mean sort?)"));
    }

    #[test]
    fn a_chord_waits_for_its_other_keys_and_says_which_can_follow() {
        let (keymap, complaints) = Keymap::new(&configured(&[("top", "g g"), ("sort", "g s"), ("bottom", "g e")]));
        assert_eq!(complaints, []);
        assert_eq!(keymap.look(Place::Dashboard, &keys("g")), Look::More);
        assert_eq!(keymap.look(Place::Dashboard, &keys("g g")), Look::Command(Command::Top));
        assert_eq!(keymap.look(Place::Dashboard, &keys("g x")), Look::Nothing);
        let mut following: Vec<_> = keymap.following(Place::Dashboard, &keys("g")).collect();
        following.sort();
        assert_eq!(
            following,
            [("e".to_owned(), Command::Bottom), ("g".to_owned(), Command::Top), ("s".to_owned(), Command::Sort),]
        );
    }

    #[test]
    fn a_chord_and_a_key_it_begins_with_cannot_both_be_so_the_configured_one_wins() {
        let (keymap, complaints) = Keymap::new(&configured(&[("sort", "g s")]));
        assert_eq!(keymap.look(Place::Dashboard, &keys("g")), Look::More);
        assert_eq!(keymap.shown(Command::Top), "Home");
        assert_eq!(
            texts(complaints),
            ["keys: g and g s, which means sort, cannot both be keys; top has to do without it"]
        );
    }

    #[test]
    fn a_key_that_holds_everywhere_is_hidden_by_one_chosen_for_a_place_and_it_is_said() {
        let (keymap, complaints) = Keymap::new(&configured(&[("sort", "q")]));
        assert_eq!(keymap.command(Place::Dashboard, Key::parse("q").unwrap()), Some(Command::Sort));
        assert_eq!(keymap.command(Place::Runs, Key::parse("q").unwrap()), Some(Command::Leave));
        assert_eq!(texts(complaints), ["keys: q already means sort in some places; leave has to do without it there"]);
    }
}
