//! Commands as data: name, keys, verb, sentence, when.
//!
//! One table, from which the footer, the help, the palette, the key map and the manual are printed. Not its job: doing
//! anything (see [`super::update`]) and what the person configured (see [`super::keymap`]).

use super::event::StoreTrouble;
use super::layer::Layer;
use super::state::{Pane, State, StoreView};

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
    /// Start a dream.
    Dream,
    /// The dialog of the run that is going on, or of the last one.
    RunDialog,
    /// Kill the run.
    Kill,
    /// Review what a run's guards held.
    Review,
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
    /// Leave.
    Quit,
}

/// Where a command's keys count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// Wherever nothing takes text.
    Everywhere,
    /// The dashboard.
    Dashboard,
    /// One memory in full.
    Reading,
    /// The dialog of a run.
    Run,
    /// The list of runs.
    Runs,
    /// The inbox.
    Inbox,
    /// The history.
    History,
    /// The findings.
    Health,
    /// The editor and the form of a new memory.
    Edit,
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

fn always(_: &State) -> bool {
    true
}

/// Whether there is something to open; what is only read has nothing.
fn opens(state: &State) -> bool {
    match state.layers.last() {
        None => state.target().is_some() || matches!(state.focus, Pane::Index | Pane::Pill) && has_store(state),
        Some(
            Layer::Reading(_)
            | Layer::Help(_)
            | Layer::Message(_)
            | Layer::Run(_)
            | Layer::Inbox(_)
            | Layer::History(_),
        ) => false,
        Some(Layer::Runs(_)) => !state.runs.is_empty(),
        Some(Layer::Health(_)) => !state.findings.is_empty(),
        Some(Layer::Projects(_)) => !state.projects.is_empty(),
        Some(_) => true,
    }
}

fn closable(state: &State) -> bool {
    let memories = &state.memories;
    !state.layers.is_empty() || !memories.filter.is_empty() || !memories.marked.is_empty() || state.ending.is_some()
}

fn has_store(state: &State) -> bool {
    state.snapshot().is_some()
}

/// Whether there is a store, or a first memory would make it.
fn may_have_store(state: &State) -> bool {
    has_store(state) || matches!(state.store, StoreView::Trouble(StoreTrouble::Missing(_)))
}

fn has_target(state: &State) -> bool {
    state.target().is_some()
}

fn has_run(state: &State) -> bool {
    state.launching.is_some() || state.shown_run().is_some()
}

fn in_list(state: &State) -> bool {
    state.layers.is_empty() && state.focus == Pane::Memories && has_target(state)
}

fn can_dream(state: &State) -> bool {
    may_have_store(state) && state.live_run().is_none()
}

fn can_undo(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Run(dialog)) => state.run(&dialog.run).is_some_and(|run| run.history.is_some()),
        Some(Layer::Runs(list)) => state.runs.get(list.list.selected).is_some_and(|run| run.history.is_some()),
        Some(Layer::History(list)) => super::layer::history::rows(&state.history)
            .get(list.list.selected)
            .is_some_and(|row| row.entry.undone_by.is_none()),
        _ => has_store(state),
    }
}

fn has_fixable(state: &State) -> bool {
    state.findings.iter().any(|finding| finding.fixable)
}

fn has_inbox_row(state: &State) -> bool {
    state.inbox.iter().any(|entry| !entry.changes.is_empty())
}

fn can_save(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Edit(editor)) => editor.conflict.is_none() && !editor.saving,
        Some(Layer::New(new)) => !new.saving,
        _ => true,
    }
}

fn has_held(state: &State) -> bool {
    matches!(state.layers.last(), Some(Layer::Run(dialog)) if state.run(&dialog.run).is_some_and(|run| run.inbox.is_some()))
}

fn run_is_live(state: &State) -> bool {
    match state.layers.last() {
        Some(Layer::Run(dialog)) => state.run(&dialog.run).is_some_and(crate::run::RunView::is_live),
        Some(Layer::Runs(list)) => state.runs.get(list.list.selected).is_some_and(crate::run::RunView::is_live),
        _ => state.live_run().is_some(),
    }
}

const DASHBOARD: &[Place] = &[Place::Dashboard];
const MOVING: &[Place] = &[
    Place::Dashboard,
    Place::Reading,
    Place::Run,
    Place::Runs,
    Place::Inbox,
    Place::History,
    Place::Health,
    Place::List,
];
const CLOSING: &[Place] = &[
    Place::Dashboard,
    Place::Reading,
    Place::Run,
    Place::Runs,
    Place::Inbox,
    Place::History,
    Place::Health,
    Place::Edit,
    Place::List,
];
const MEMORY: &[Place] = &[Place::Dashboard, Place::Reading];

const fn spec(
    command: Command,
    name: &'static str,
    places: &'static [Place],
    keys: &'static [&'static str],
    verb: &'static str,
    sentence: &'static str,
    when: fn(&State) -> bool,
) -> CommandSpec {
    CommandSpec { command, name, places, keys, verb, sentence, when }
}

/// All commands, in the order of the footer and the help.
#[rustfmt::skip]
pub const COMMANDS: &[CommandSpec] = &[
    spec(Command::Open, "open", MOVING, &["enter"], "open", "Open what is selected: a memory in full, a run, a project.", opens),
    spec(Command::Kill, "kill", &[Place::Run, Place::Runs], &["x"], "kill", "Kill the run. It worked on a copy, so nothing changes.", run_is_live),
    spec(Command::Review, "review", &[Place::Run], &["r"], "review", "Review what the guards held of this run.", has_held),
    spec(Command::Accept, "accept", &[Place::Inbox], &["a"], "accept", "Land the held change.", has_inbox_row),
    spec(Command::Reject, "reject", &[Place::Inbox], &["d"], "reject", "Drop the held change.", has_inbox_row),
    spec(Command::Repair, "repair", &[Place::Health], &["f"], "fix", "Fix what is safe to fix; the rest stays listed.", has_fixable),
    spec(Command::Save, "save", &[Place::Edit], &["ctrl-s"], "save", "Save; the claim keeps its age.", can_save),
    spec(Command::SaveAndRenew, "save-and-renew", &[Place::Edit], &["ctrl-y"], "save, still true", "Save and confirm the claim: its age starts again.", can_save),
    spec(Command::StillTrue, "still-true", MEMORY, &["y"], "still true", "The claim still holds: its age starts again.", has_target),
    spec(Command::Edit, "edit", MEMORY, &["e"], "edit", "Edit the memory here.", has_target),
    spec(Command::Filter, "filter", DASHBOARD, &["/"], "find", "Filter the memories by name, description and file.", has_store),
    spec(Command::Dream, "dream", DASHBOARD, &["D"], "dream", "Start a dream on this store: consolidate what is remembered.", can_dream),
    spec(Command::RunDialog, "run", DASHBOARD, &["shift-down"], "watch", "Watch the run that is going on, or look at the last one.", has_run),
    spec(Command::Undo, "undo", &[Place::Dashboard, Place::Reading, Place::Run, Place::Runs, Place::History], &["u"], "undo", "Take back the last change, or the one selected.", can_undo),
    spec(Command::Delete, "delete", MEMORY, &["d", "delete"], "delete", "Move the memory to the trash; asks first, can be undone.", has_target),
    spec(Command::New, "new", DASHBOARD, &["n"], "new", "Write a new memory.", may_have_store),
    spec(Command::Close, "close", CLOSING, &["esc"], "close", "Close this; on the dashboard: drop filter and marks.", closable),
    spec(Command::Palette, "palette", &[Place::Everywhere], &[":"], "commands", "Any command by its name.", always),
    spec(Command::Help, "help", &[Place::Everywhere], &["?"], "help", "All keys.", always),
    spec(Command::Sort, "sort", DASHBOARD, &["s"], "sort", "Another order: by need, age, name, type.", has_store),
    spec(Command::Mark, "mark", DASHBOARD, &["space"], "mark", "Mark the memory; a verb then acts on all marked ones that are visible.", in_list),
    spec(Command::EditExternally, "edit-externally", MEMORY, &["E"], "$EDITOR", "Edit the memory in $EDITOR.", has_target),
    spec(Command::Runs, "runs", DASHBOARD, &["R"], "runs", "All runs of all projects, live and past.", always),
    spec(Command::Inbox, "inbox", DASHBOARD, &["i"], "inbox", "Changes that wait for you.", has_store),
    spec(Command::History, "history", DASHBOARD, &["H"], "history", "What landed in this store; any of it can be undone.", has_store),
    spec(Command::Projects, "projects", DASHBOARD, &["p"], "projects", "Look at another project.", always),
    spec(Command::Health, "health", DASHBOARD, &["c"], "health", "What is wrong with this store, with evidence.", has_store),
    spec(Command::Lens, "recall", DASHBOARD, &["r"], "recall", "Type a prompt and see which memories it would call back, and why.", has_store),
    spec(Command::CopyPath, "copy-path", MEMORY, &["Y"], "", "Copy the memory's path to the clipboard.", has_target),
    spec(Command::Reload, "reload", DASHBOARD, &["f5", "ctrl-l"], "", "Read everything again from the disk.", always),
    spec(Command::Mouse, "mouse", &[Place::Everywhere], &["M"], "", "Switch the mouse on or off; off lets the terminal select text.", always),
    spec(Command::NextPane, "next-pane", DASHBOARD, &["tab", "l", "right"], "", "The focus to the next pane.", always),
    spec(Command::PreviousPane, "previous-pane", DASHBOARD, &["shift-tab", "h", "left"], "", "The focus to the pane before.", always),
    spec(Command::Down, "down", MOVING, &["j", "down", "ctrl-n"], "", "One down.", always),
    spec(Command::Up, "up", MOVING, &["k", "up"], "", "One up.", always),
    spec(Command::HalfPageDown, "half-page-down", MOVING, &["ctrl-d", "pagedown"], "", "Half a page down.", always),
    spec(Command::HalfPageUp, "half-page-up", MOVING, &["ctrl-u", "pageup"], "", "Half a page up.", always),
    spec(Command::Top, "top", MOVING, &["g", "home"], "", "To the first.", always),
    spec(Command::Bottom, "bottom", MOVING, &["G", "end"], "", "To the last.", always),
    spec(Command::Suspend, "suspend", &[Place::Everywhere], &["ctrl-z"], "", "Stop the program; `fg` brings it back.", always),
    spec(Command::Quit, "quit", &[Place::Everywhere], &["q", "ctrl-c"], "quit", "Leave. A run goes on without the screen.", always),
];

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
    match state.layers.last() {
        None | Some(Layer::Filter(_)) => Place::Dashboard,
        Some(Layer::Reading(_)) => Place::Reading,
        Some(Layer::Run(_)) => Place::Run,
        Some(Layer::Runs(_)) => Place::Runs,
        Some(Layer::Inbox(_)) => Place::Inbox,
        Some(Layer::History(_)) => Place::History,
        Some(Layer::Health(_)) => Place::Health,
        Some(Layer::Edit(_) | Layer::New(_)) => Place::Edit,
        Some(
            Layer::Confirm(_)
            | Layer::Help(_)
            | Layer::Palette(_)
            | Layer::Projects(_)
            | Layer::Message(_)
            | Layer::Lens(_),
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
    ("! ~", "Stale: past its shelf life, or contradicted. Aging: past half of it."),
];

/// The sections of the help, in order.
const SECTIONS: &[(Place, &str)] = &[
    (Place::Dashboard, "On the dashboard"),
    (Place::Everywhere, "Everywhere"),
    (Place::Run, "In the dialog of a run"),
    (Place::Inbox, "In the inbox"),
    (Place::Health, "Among the findings"),
    (Place::Edit, "While editing"),
];

/// All commands, each once, under the place where it counts first; what counts nearly anywhere is under "Everywhere".
pub fn help_rows() -> impl Iterator<Item = HelpRow> {
    let commands = SECTIONS.iter().flat_map(|(place, words)| {
        let own = COMMANDS.iter().filter(move |spec| section(spec) == *place).map(HelpRow::Command);
        std::iter::once(HelpRow::Place(words)).chain(own)
    });
    let signs = SIGNS.iter().map(|(signs, meaning)| HelpRow::Sign(signs, meaning));
    commands.chain(std::iter::once(HelpRow::Place("Signs"))).chain(signs)
}

fn section(spec: &CommandSpec) -> Place {
    match spec.places {
        [first, rest @ ..] if rest.len() < 6 => *first,
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
        let mut named: Vec<&str> = help_rows()
            .filter_map(|row| match row {
                HelpRow::Command(spec) => Some(spec.name),
                HelpRow::Place(_) | HelpRow::Sign(..) => None,
            })
            .collect();
        let mut all: Vec<&str> = COMMANDS.iter().map(|spec| spec.name).collect();
        named.sort_unstable();
        all.sort_unstable();
        assert_eq!(named, all);
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
