//! Commands as data: name, keys, verb, sentence, when.
//!
//! One table, from which the footer, the help, the palette, the key map and the manual are printed. Not its job: doing
//! anything (see [`super::update`]) and what the person configured (see [`super::keymap`]).

mod help;
mod table;
mod when;

pub use help::{HelpRow, ManualRow, help_rows, in_words, manual, only_in, sentence};
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
    /// A line for a memory that has none.
    AddLine,
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
    /// Let nothing start by itself, or let it again.
    Pause,
    /// To the run a memory is from.
    Origin,
    /// All runs.
    Runs,
    /// What waits for a person.
    Inbox,
    /// What landed.
    History,
    /// Texts that were not saved.
    Unsaved,
    /// Drop the selected one of them.
    DropDraft,
    /// Another project.
    Projects,
    /// The findings.
    Health,
    /// What is shared with a team.
    Team,
    /// Take the team's changes and send ours.
    TeamSync,
    /// Take the team's changes.
    TeamPull,
    /// Send ours.
    TeamPush,
    /// Keep an entry away from here, or let it come again.
    TeamHide,
    /// The settings.
    Settings,
    /// A setting's default.
    ResetSetting,
    /// The settings in `$EDITOR`.
    EditSettings,
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
    /// The drafts that were not saved.
    Unsaved,
    /// The settings.
    Settings,
    /// What is shared with a team.
    Team,
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

/// The word for a command where a person is now.
#[must_use]
pub fn verb(spec: &CommandSpec, state: &State) -> &'static str {
    match (spec.command, state.layers.last()) {
        (Command::Open, Some(Layer::Settings(_))) => "change",
        (Command::Open, Some(Layer::Triage(_))) => "go on",
        (Command::Land, Some(Layer::Review(review))) if review.source.is_some() => "its turn",
        // Only the session is known, and perhaps where in it the memory was written.
        (Command::Source, _) if state.sources().iter().all(|source| source.wrote.is_some()) => "its session",
        _ => spec.verb,
    }
}

/// The place a person is in.
#[must_use]
pub fn place(state: &State) -> Place {
    match state.layers.last() {
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
        Some(Layer::Settings(_)) => Place::Settings,
        Some(Layer::Team(_)) => Place::Team,
        Some(Layer::Unsaved(_)) => Place::Unsaved,
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
            | Layer::Leave(_)
            | Layer::Stray(_),
        ) => Place::List,
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
