//! What the help says: the keys that do something where it was asked for, in the words of that place; and the signs.
//!
//! Not its job: every command there is (the palette, `docs/keys.md` and the manual have them all).

use super::{COMMANDS, Command, CommandSpec, Place};

/// A row of the help.
#[derive(Clone, Copy, Debug)]
pub enum HelpRow {
    /// Where the commands below count.
    Heading(&'static str),
    /// A command, and what its key does now.
    Command(&'static CommandSpec, &'static str),
    /// Signs and what they say.
    Sign(&'static str, &'static str),
}

/// What the signs on the screen say.
const SIGNS: &[(&str, &str)] = &[
    ("■ ◆ ● ▲ ○", "A user, feedback, project or reference memory; one without a type."),
    ("✗", "Something of it is lost or not loaded, or could do harm."),
    ("⚠", "Evidence against it: what it cites is gone, or its date has passed; or something is not as it should be."),
    ("·", "Worth knowing."),
    ("z", "Snoozed: triage leaves it out for now."),
    ("! ~", "Stale: past its shelf life, or contradicted. Aging: past half of it."),
];

/// Places in words.
const PLACES: &[(Place, &str)] = &[
    (Place::Dashboard, "On the dashboard"),
    (Place::Everywhere, "Everywhere"),
    (Place::Marked, "While memories are marked"),
    (Place::Triage, "In triage"),
    (Place::Reading, "In a memory"),
    (Place::Run, "In the dialog of a run"),
    (Place::Runs, "Among the runs"),
    (Place::Inbox, "In the inbox"),
    (Place::Review, "In a review"),
    (Place::History, "In the history"),
    (Place::Health, "Among the findings"),
    (Place::Projects, "Among the projects"),
    (Place::Unsaved, "Among the unsaved drafts"),
    (Place::Settings, "In the settings"),
    (Place::Team, "Among the team's entries"),
    (Place::Session, "In a session"),
    (Place::Index, "In the index"),
    (Place::Edit, "While editing"),
    (Place::List, "In a list or message"),
];

/// What a key does in a place, where the table's sentence, which holds for all of them, says more or less than that.
#[rustfmt::skip]
const HERE: &[(Command, Place, &str)] = &[
    (Command::Open, Place::Dashboard, "Open what is selected: the memory in full, that of the index line, the run."),
    (Command::Open, Place::Runs, "Open the dialog of the run."),
    (Command::Open, Place::Health, "Open the memory it is about, or the index at the line; closing that comes back."),
    (Command::Open, Place::Projects, "Show the memories of this project."),
    (Command::Open, Place::Unsaved, "Open the draft, merged with what is there now."),
    (Command::Open, Place::Team, "Review the version that waits."),
    (Command::Open, Place::Settings, "Type another value; Tab goes through those there are."),
    (Command::Open, Place::Inbox, "Review what is held: reasons, sources, hunks."),
    (Command::Close, Place::Dashboard, "Drop the filter, or what is told of the last run."),
    (Command::Close, Place::Marked, "Drop the marks and the filter."),
    (Command::Close, Place::Triage, "To the summary of what was judged; again: leave triage."),
    (Command::Close, Place::Edit, "Close; asks when something is not saved."),
    (Command::Leave, Place::Dashboard, "Leave dreamtop."),
    (Command::Leave, Place::Marked, "Leave dreamtop."),
    (Command::Undo, Place::Dashboard, "Take back the last change."),
    (Command::Undo, Place::Marked, "Take back the last change."),
    (Command::Undo, Place::Reading, "Take back the last change."),
    (Command::Undo, Place::Triage, "Take the last verdict back; its card returns."),
    (Command::Undo, Place::Run, "Take back what this run landed."),
    (Command::Undo, Place::Runs, "Take back what this run landed; asks."),
    (Command::Undo, Place::History, "Take back the landing under the cursor."),
    (Command::Undo, Place::Settings, "Take back the last change that was made here."),
    (Command::StillTrue, Place::Marked, "The marked claims still hold: their age starts again."),
    (Command::Delete, Place::Dashboard, "To the trash; asks first, can be undone."),
    (Command::Delete, Place::Reading, "To the trash; asks first, can be undone."),
    (Command::Delete, Place::Marked, "The marked ones to the trash; asks first, can be undone."),
    (Command::Delete, Place::Triage, "To the trash, without a question; can be undone."),
    (Command::Snooze, Place::Marked, "Let the marked ones wait: triage leaves them out until then."),
    (Command::Retype, Place::Marked, "Give the marked ones another type; their claims keep their age."),
    (Command::Dream, Place::Dashboard, "Start a dream on this store."),
    (Command::Dream, Place::Marked, "Start a dream on this store."),
    (Command::Dream, Place::Run, "Start a dream on the store of this run."),
    (Command::Dream, Place::Runs, "Start a dream on the store of this run."),
    (Command::Filter, Place::Dashboard, "Filter by words, and by filters such as type:user or stale."),
    (Command::Filter, Place::Marked, "Filter by words, and by filters such as type:user or stale."),
    (Command::Filter, Place::Inbox, "Filter the list by words."),
    (Command::Filter, Place::History, "Filter the list by words."),
    (Command::Filter, Place::Health, "Filter the list by words."),
    (Command::Filter, Place::Settings, "Filter the list by words."),
    (Command::Filter, Place::Unsaved, "Filter the list by words."),
    (Command::Filter, Place::Index, "Filter the lines by words."),
    (Command::Filter, Place::Session, "Search the session for words."),
    (Command::Filter, Place::Projects, "Filter the projects by words of their names and paths."),
    (Command::Sort, Place::Projects, "Another order: by stale memories, name, size, last dream."),
    (Command::Filter, Place::Runs, "Filter the runs by words they have."),
    (Command::Why, Place::Projects, "Why no dream starts in this project: each gate with its figure."),
];

/// What a command's key does in a place, in one sentence.
#[must_use]
pub fn sentence(spec: &CommandSpec, place: Place) -> &'static str {
    let own = HERE.iter().find(|(command, where_, _)| *command == spec.command && *where_ == place);
    match own {
        Some((.., words)) => words,
        // There it closes what is open; only the dashboard is left.
        None if spec.command == Command::Leave => "Close this.",
        None if spec.command == Command::Close => "Close this.",
        None => spec.sentence,
    }
}

/// Where a command counts, for whoever is somewhere else: `only in triage`.
#[must_use]
pub fn only_in(spec: &CommandSpec) -> String {
    let places = spec.places.iter().filter_map(|place| words(*place));
    let named: Vec<String> = places.take(3).map(decapitalised).collect();
    format!("only {}", named.join(", "))
}

/// A place in words: `on the dashboard`.
#[must_use]
pub fn in_words(place: Place) -> String {
    words(place).map_or_else(String::new, decapitalised)
}

fn words(place: Place) -> Option<&'static str> {
    PLACES.iter().find(|(own, _)| *own == place).map(|(_, words)| *words)
}

fn decapitalised(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// The commands that can be asked for where the help was opened: first those of the place, then those that hold nearly
/// anywhere; and the signs.
#[must_use]
pub fn help_rows(place: Place, available: &[&'static CommandSpec]) -> Vec<HelpRow> {
    let (anywhere, own): (Vec<_>, Vec<_>) = available.iter().copied().partition(|spec| spec.counts_anywhere());
    let mut rows = Vec::new();
    for (heading, specs) in [(words(place).unwrap_or("Here"), own), ("Everywhere", anywhere)] {
        if !specs.is_empty() {
            rows.push(HelpRow::Heading(heading));
            rows.extend(specs.into_iter().map(|spec| HelpRow::Command(spec, sentence(spec, place))));
        }
    }
    rows.push(HelpRow::Heading("Signs"));
    rows.extend(SIGNS.iter().map(|(signs, meaning)| HelpRow::Sign(signs, meaning)));
    rows
}

impl CommandSpec {
    /// Whether it counts in nearly every place, as moving and leaving do.
    #[must_use]
    pub fn counts_anywhere(&self) -> bool {
        self.places.len() > 9 || self.places == [Place::Everywhere]
    }
}

/// A command for the manual and `docs/keys.md`: its keys as they are by default, its name, where it counts, what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManualRow {
    /// The keys, as they are written in the configuration: `G`, `ctrl-d`.
    pub keys: Vec<&'static str>,
    /// The name.
    pub name: &'static str,
    /// Where it counts first, in words.
    pub place: &'static str,
    /// What it does.
    pub sentence: &'static str,
}

/// Every command, by the place where it counts first, in the order of the places.
#[must_use]
pub fn manual() -> Vec<ManualRow> {
    let first = |spec: &CommandSpec| match spec.places {
        [place, ..] if !spec.counts_anywhere() => *place,
        _ => Place::Everywhere,
    };
    let of = |place: Place| COMMANDS.iter().filter(move |spec| first(spec) == place);
    let row = |place: &'static str, spec: &CommandSpec| ManualRow {
        keys: spec.keys.to_vec(),
        name: spec.name,
        place,
        sentence: spec.sentence,
    };
    PLACES.iter().flat_map(|&(place, words)| of(place).map(move |spec| row(words, spec))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manual_names_every_command_exactly_once() {
        let mut named: Vec<&str> = manual().iter().map(|row| row.name).collect();
        let mut all: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
        named.sort_unstable();
        all.sort_unstable();
        assert_eq!(named, all);
    }

    #[test]
    fn every_place_has_words_and_every_sentence_of_a_place_is_one_of_a_command_that_counts_there() {
        for spec in COMMANDS {
            for place in spec.places {
                assert!(words(*place).is_some(), "{place:?}");
            }
        }
        for (command, place, sentence) in HERE {
            let spec = command.spec();
            assert!(spec.is_some_and(|spec| spec.counts_in(*place)), "{command:?} in {place:?}");
            assert!(sentence.ends_with('.'), "{sentence}");
        }
    }
}
