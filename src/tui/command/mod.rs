//! Commands as data: name, keys, verb, sentence, when.
//!
//! One table, from which the footer, the help, the palette, the key map and the manual are printed. Not its job: doing
//! anything (see [`super::update`]) and what the person configured (see [`super::keymap`]).

mod table;
mod when;

pub use table::COMMANDS;

use super::layer::Layer;
use super::state::State;

/// What a person can ask for by a key, a click or a word in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Command {
    /// One up.
    Up,
    /// One down.
    Down,
    /// To the first.
    Top,
    /// To the last.
    Bottom,
    /// Half a page up.
    HalfPageUp,
    /// Half a page down.
    HalfPageDown,
    /// The focus to the next pane.
    NextPane,
    /// The focus to the pane before.
    PreviousPane,
    /// Open what is selected.
    Open,
    /// Close what is open.
    Close,
    /// Filter the memories.
    Filter,
    /// Another order.
    Sort,
    /// Saved filters with their order.
    Views,
    /// Find a text in memories and sessions.
    Find,
    /// To the turn a memory comes from.
    Source,
    /// To the next of its sources.
    NextSource,
    /// A call in full, or on one line again.
    Unfold,
    /// To the next match.
    NextMatch,
    /// To the match before.
    PreviousMatch,
    /// To the next thing the person said.
    NextTurn,
    /// To the thing the person said before.
    PreviousTurn,
    /// Mark for a verb on several.
    Mark,
    /// Edit here.
    Edit,
    /// Edit in `$EDITOR`.
    EditExternally,
    /// A new memory.
    New,
    /// To the trash.
    Delete,
    /// Take the last change back.
    Undo,
    /// The claim still holds.
    StillTrue,
    /// One memory after the other, most in need first.
    Triage,
    /// The same over exactly the marked ones.
    TriageMarked,
    /// Make one of the memory and its partner.
    Merge,
    /// Let it wait.
    Snooze,
    /// Another type.
    Retype,
    /// Another type, from the list or while reading.
    SetType,
    /// Another file name.
    Rename,
    /// Into CLAUDE.md or a rule.
    Promote,
    /// Put the index in order.
    Arrange,
    /// The line one up.
    LineUp,
    /// The line one down.
    LineDown,
    /// The line to the top.
    PinLine,
    /// Write the line.
    EditLine,
    /// The line away.
    DropLine,
    /// What a long line says into its memory.
    Shorten,
    /// Save the index.
    SaveIndex,
    /// On to the next, without a verdict.
    Skip,
    /// Start a dream.
    Dream,
    /// The dialog of the run that is going on, or of the last one.
    RunDialog,
    /// Kill the run.
    Kill,
    /// Review what is held: file by file, hunk by hunk.
    Review,
    /// Accept the file.
    AcceptFile,
    /// Accept all files.
    AcceptAll,
    /// Reject the file.
    RejectFile,
    /// To the next hunk.
    NextHunk,
    /// To the hunk before.
    PreviousHunk,
    /// Take the hunk, or leave it.
    ToggleHunk,
    /// Edit the proposed text.
    EditProposal,
    /// To the sources, and back.
    Sources,
    /// Land what is accepted.
    Land,
    /// A year of dreams.
    Year,
    /// What the records add up to.
    Stats,
    /// Why no dream starts, or one would.
    Why,
    /// To the run a memory is from.
    Origin,
    /// All runs.
    Runs,
    /// What waits for a person.
    Inbox,
    /// What landed.
    History,
    /// Another project.
    Projects,
    /// The findings.
    Health,
    /// What a prompt would call back.
    Lens,
    /// Fix what is safe to fix.
    Repair,
    /// Accept what is held.
    Accept,
    /// Reject what is held.
    Reject,
    /// Save; the claim keeps its age.
    Save,
    /// Save; the claim's age starts again.
    SaveAndRenew,
    /// To the next thing that is wrong with the text.
    NextFinding,
    /// Copy the memory's path.
    CopyPath,
    /// Mouse on or off.
    Mouse,
    /// Read everything again.
    Reload,
    /// Any command by its name.
    Palette,
    /// All keys.
    Help,
    /// Stop, as Ctrl-Z stops any program.
    Suspend,
    /// Close this; from the dashboard: leave.
    Leave,
    /// Leave, wherever one is.
    Quit,
}

/// Where a command's keys count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Wherever nothing takes text.
    Everywhere,
    /// The dashboard.
    Dashboard,
    /// The dashboard while marked memories are visible: verbs mean those.
    Marked,
    /// Triage.
    Triage,
    /// One memory in full.
    Reading,
    /// The dialog of a run.
    Run,
    /// The list of runs.
    Runs,
    /// The inbox.
    Inbox,
    /// The review of held changes.
    Review,
    /// The history.
    History,
    /// The findings.
    Health,
    /// The list of projects.
    Projects,
    /// A session, or a file, that is looked at.
    Session,
    /// The editor and the form of a new memory.
    Edit,
    /// The index while it is put in order.
    Index,
    /// Any other list or message.
    List,
}

/// One command.
#[derive(Clone, Copy)]
pub struct CommandSpec {
    /// What it is.
    pub command: Command,
    /// Its name in the configuration and the palette.
    pub name: &'static str,
    /// Where its keys count.
    pub places: &'static [Place],
    /// Its keys, the first one shown.
    pub keys: &'static [&'static str],
    /// A verb or two for the footer; empty: never there.
    pub verb: &'static str,
    /// A sentence for help and manual.
    pub sentence: &'static str,
    /// Whether it can be done now.
    pub when: fn(&State) -> bool,
}

impl Command {
    /// Its row in the table.
    #[must_use]
    pub fn spec(self) -> Option<&'static CommandSpec> {
        COMMANDS.iter().find(|spec| spec.command == self)
    }
}

impl CommandSpec {
    /// Whether its keys count in a place.
    #[must_use]
    pub fn counts_in(&self, place: Place) -> bool {
        self.places.iter().any(|own| *own == place || *own == Place::Everywhere)
    }
}

/// The place a person is in.
#[must_use]
pub fn place(state: &State) -> Place {
    place_of(state, state.layers.last())
}

/// Where the keys count that the help was asked for: beneath it.
pub fn place_under_help(state: &State) -> Place {
    place_of(state, state.layers.iter().rev().find(|layer| !matches!(layer, Layer::Help(_))))
}

fn place_of(state: &State, layer: Option<&Layer>) -> Place {
    match layer {
        None if state.has_visible_marks() => Place::Marked,
        None | Some(Layer::Filter(_)) => Place::Dashboard,
        Some(Layer::Triage(_)) => Place::Triage,
        Some(Layer::Reading(_)) => Place::Reading,
        Some(Layer::Run(_)) => Place::Run,
        Some(Layer::Runs(_)) => Place::Runs,
        Some(Layer::Inbox(_)) => Place::Inbox,
        Some(Layer::Review(_)) => Place::Review,
        Some(Layer::Projects(_)) => Place::Projects,
        Some(Layer::Turn(_)) => Place::Session,
        Some(Layer::History(_)) => Place::History,
        Some(Layer::Health(_)) => Place::Health,
        Some(Layer::Edit(_) | Layer::New(_) | Layer::Promote(_)) => Place::Edit,
        Some(Layer::Index(_)) => Place::Index,
        Some(
            Layer::Confirm(_)
            | Layer::Help(_)
            | Layer::Palette(_)
            | Layer::Message(_)
            | Layer::Lens(_)
            | Layer::Views(_)
            | Layer::Find(_)
            | Layer::Why(_)
            | Layer::Choose(_)
            | Layer::Rename(_)
            | Layer::Leave(_),
        ) => Place::List,
    }
}

/// A row of the help.
#[derive(Clone, Copy, Debug)]
pub enum HelpRow {
    /// Where the commands below count.
    Place(&'static str),
    /// A command.
    Command(&'static CommandSpec),
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

/// The sections of the help, in order.
const SECTIONS: &[(Place, &str)] = &[
    (Place::Dashboard, "On the dashboard"),
    (Place::Everywhere, "Everywhere"),
    (Place::Marked, "While memories are marked"),
    (Place::Triage, "In triage"),
    (Place::Reading, "In a memory"),
    (Place::Run, "In the dialog of a run"),
    (Place::Runs, "Among the runs"),
    (Place::Inbox, "In the inbox"),
    (Place::Review, "In a review"),
    (Place::Health, "Among the findings"),
    (Place::Session, "In a session"),
    (Place::Edit, "While editing"),
    (Place::Index, "In the index"),
];

/// All commands, each once: first those that count `here`, where the help was asked for, then the others under the place
/// where they count first; what counts nearly anywhere is under "Everywhere".
pub fn help_rows(here: Place) -> impl Iterator<Item = HelpRow> {
    let (first, others): (Vec<_>, Vec<_>) = SECTIONS.iter().partition(|(place, _)| *place == here);
    let has_own = !first.is_empty();
    let section = move |spec: &CommandSpec| match section(spec) {
        Place::Everywhere => Place::Everywhere,
        _ if has_own && spec.places.contains(&here) => here,
        place => place,
    };
    let commands = first.into_iter().chain(others).flat_map(move |&(place, words)| {
        let own = COMMANDS.iter().filter(move |spec| section(spec) == place).map(HelpRow::Command);
        let heading = Some(HelpRow::Place(words)).filter(|_| COMMANDS.iter().any(|spec| section(spec) == place));
        heading.into_iter().chain(own)
    });
    let signs = SIGNS.iter().map(|(signs, meaning)| HelpRow::Sign(signs, meaning));
    commands.chain(std::iter::once(HelpRow::Place("Signs"))).chain(signs)
}

fn section(spec: &CommandSpec) -> Place {
    match spec.places {
        [first, rest @ ..] if rest.len() < 9 => *first,
        _ => Place::Everywhere,
    }
}

/// The commands that can be asked for now, in the order of the table. Where text is typed, a letter is no command.
pub fn available(state: &State) -> impl Iterator<Item = &'static CommandSpec> {
    let place = place(state);
    let counts = move |spec: &CommandSpec| match place {
        Place::Edit => spec.places.contains(&Place::Edit),
        _ => spec.counts_in(place),
    };
    COMMANDS.iter().filter(move |spec| counts(spec) && (spec.when)(state))
}

impl std::fmt::Debug for CommandSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CommandSpec").field("name", &self.name).field("keys", &self.keys).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_command_exactly_once() {
        for here in SECTIONS.iter().map(|(place, _)| *place).chain([Place::List, Place::History]) {
            let mut named: Vec<&str> = help_rows(here)
                .filter_map(|row| match row {
                    HelpRow::Command(spec) => Some(spec.name),
                    HelpRow::Place(_) | HelpRow::Sign(..) => None,
                })
                .collect();
            let mut all: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
            named.sort_unstable();
            all.sort_unstable();
            assert_eq!(named, all, "asked for in {here:?}");
        }
    }

    #[test]
    fn the_help_begins_with_the_keys_of_the_place_where_it_was_asked_for() {
        let first = |here| match help_rows(here).take(2).collect::<Vec<_>>()[..] {
            [HelpRow::Place(words), HelpRow::Command(spec)] => (words, spec.name),
            ref other => panic!("{other:?}"),
        };
        assert_eq!(first(Place::Review), ("In a review", "land"));
        assert_eq!(first(Place::Runs), ("Among the runs", "kill"));
        assert_eq!(first(Place::Dashboard).0, "On the dashboard");
    }

    #[test]
    fn every_command_is_a_row_of_its_own_with_a_sentence() {
        for spec in COMMANDS {
            assert!(spec.sentence.ends_with('.'), "{}", spec.name);
            assert_eq!(
                COMMANDS.iter().filter(|other| other.name == spec.name || other.command == spec.command).count(),
                1
            );
        }
    }
}
