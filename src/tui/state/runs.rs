//! What is known of runs: which are live, which is looked at, what can be done about them.

use std::path::Path;
use std::sync::Arc;

use super::{ListFilter, State};
use crate::run::RunView;
use crate::run::event::HeldLine;
use crate::run::foreign::ForeignDream;
use crate::run::lock::is_by_another;
use crate::tui::layer::Layer;
use crate::tui::layer::runs::RoomView;
use crate::tui::page::run_word;

/// A row of the control room.
#[derive(Clone, Copy, Debug)]
pub enum RunRow<'a> {
    /// A dream of another program.
    Foreign(&'a ForeignDream),
    /// A run of ours.
    Ours(&'a Arc<RunView>),
}

impl<'a> RunRow<'a> {
    /// What tells the row from any other: the cursor follows it.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Foreign(dream) => format!("foreign {}", dream.store.display()),
            Self::Ours(run) => run.id.clone(),
        }
    }

    /// The run, when it is ours.
    #[must_use]
    pub fn ours(&self) -> Option<&'a Arc<RunView>> {
        match self {
            Self::Foreign(_) => None,
            Self::Ours(run) => Some(run),
        }
    }

    /// Whether a filter finds its words in project, kind, outcome, engine, trigger and id.
    fn matches(&self, filter: &ListFilter) -> bool {
        if !filter.is_on() {
            return true;
        }
        let text = match self {
            Self::Foreign(dream) => format!("{} dream live foreign not ours {}", dream.project, dream.pid),
            Self::Ours(run) => {
                let live = if run.is_live() { "live" } else { "past" };
                let dry = if run.dry_run { "dry" } else { "" };
                let (kind, word) = (run_word(run.kind), run.word());
                let outcome = run.outcome.map_or("", crate::run::Outcome::word);
                format!(
                    "{} {kind} {word} {outcome} {live} {dry} {} {} {}",
                    run.project, run.engine, run.trigger, run.id
                )
            }
        };
        filter.admits(&text)
    }
}

impl State {
    /// The rows of the control room: dreams of other programs, live runs, past runs, each newest first, as far as they
    /// match the filter.
    #[must_use]
    pub fn run_rows(&self, filter: &ListFilter) -> Vec<RunRow<'_>> {
        let foreign = self.foreign.iter().map(RunRow::Foreign);
        let of = |live: bool| self.runs.iter().filter(move |run| run.is_live() == live).map(RunRow::Ours);
        foreign.chain(of(true)).chain(of(false)).filter(|row| row.matches(filter)).collect()
    }

    /// A run by its id.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<&Arc<RunView>> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// The run that is looked at: the one of the dialog on top, or the one under the cursor of the control room.
    #[must_use]
    pub fn run_in_view(&self) -> Option<&Arc<RunView>> {
        match self.layers.last() {
            Some(Layer::Run(dialog)) => self.run(&dialog.run),
            Some(Layer::Runs(room)) if room.view == RoomView::Table => self.run(room.row.as_deref()?),
            _ => None,
        }
    }

    /// Whether a run works on the store that is shown.
    #[must_use]
    pub fn is_here(&self, run: &RunView) -> bool {
        Path::new(&run.store) == self.store_root()
    }

    /// The live run of a store.
    #[must_use]
    pub fn live_run_in(&self, store: &Path) -> Option<&Arc<RunView>> {
        self.runs.iter().find(|run| run.is_live() && Path::new(&run.store) == store)
    }

    /// The live run of the store that is shown.
    #[must_use]
    pub fn live_run(&self) -> Option<&Arc<RunView>> {
        self.live_run_in(self.store_root())
    }

    /// The run to show when nobody says which: a live one here, a live one elsewhere, else the newest here.
    #[must_use]
    pub fn shown_run(&self) -> Option<&Arc<RunView>> {
        self.live_run()
            .or_else(|| self.runs.iter().find(|run| run.is_live()))
            .or_else(|| self.runs.iter().find(|run| self.is_here(run)))
            .or_else(|| self.runs.first())
    }

    /// The runs that were started here and go on.
    #[must_use]
    pub fn own_live_runs(&self) -> Vec<String> {
        let live = self.runs.iter().filter(|run| run.is_live() && self.started_here.contains(&run.id));
        live.map(|run| run.id.clone()).collect()
    }

    /// Whether something that a run landed is still in force, as far as is known: at its end, or accepted since.
    #[must_use]
    pub fn can_take_back(&self, run: &RunView) -> bool {
        if run.undone_by.is_some() && !run.undone_in_part {
            return false;
        }
        let landed = self.history.iter().filter(|entry| entry.run.as_ref() == Some(&run.id));
        let mut landed = landed.map(|entry| entry.undone_by.is_none()).peekable();
        if self.is_here(run) && landed.peek().is_some() {
            return landed.any(|stands| stands);
        }
        run.history.is_some()
    }

    /// Whether something that a run's guards held still waits, as far as is known.
    #[must_use]
    pub fn waits_for_review(&self, run: &RunView) -> bool {
        let Some(entry) = &run.inbox else { return false };
        !self.is_here(run) || self.inbox.iter().any(|waiting| waiting.id == *entry)
    }

    /// Whether a change that a run's guards held still waits, as far as is known.
    #[must_use]
    pub fn still_waits(&self, run: &RunView, held: &HeldLine) -> bool {
        let entry = held.waits_in.as_ref().or(run.inbox.as_ref());
        let found = self.inbox.iter().find(|waiting| Some(&waiting.id) == entry);
        !self.is_here(run) || found.is_some_and(|entry| entry.changes.iter().any(|change| change.file == held.file))
    }

    /// What is said of what a run held, when a person decided on some of it: `2 of 7 changes still wait`. The index goes with
    /// its memories and is no change beside them.
    #[must_use]
    pub fn decided_in_part(&self, run: &RunView) -> Option<String> {
        let (index, files): (Vec<&HeldLine>, Vec<&HeldLine>) =
            run.held.iter().partition(|held| held.file == crate::memory::INDEX_FILE);
        let held = if files.is_empty() { index } else { files };
        let waiting = held.iter().filter(|held| self.still_waits(run, held)).count();
        let is_partly = !run.is_live() && run.inbox.is_some() && (1..held.len()).contains(&waiting);
        is_partly.then(|| format!("{waiting} of {} changes still wait; you decided on the others", held.len()))
    }

    /// Whether a run is going on, so that its journal has to be read.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.launching.is_some() || self.runs.iter().any(|run| run.is_live())
    }

    /// Whether a gate says that another program holds the lock of the store. Nobody tells when that one ends.
    #[must_use]
    pub fn waits_for_another(&self) -> bool {
        let lock = self.gates.dream.iter().find(|gate| gate.gate == "lock" && gate.passed == Some(false));
        lock.is_some_and(|gate| is_by_another(&gate.detail))
    }

    /// Whether anything moves by itself, so that the clock on the screen has to; the control room, and a gate that waits for
    /// another program, look for others' dreams.
    #[must_use]
    pub fn is_lively(&self) -> bool {
        self.is_running() || self.waits_for_another() || self.layers.iter().any(|layer| matches!(layer, Layer::Runs(_)))
    }
}
