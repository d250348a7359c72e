//! All that the screen knows, as plain data.
//!
//! One owner: the loop. [`super::update`] changes it, [`super::view`] reads it. Nothing here reads a disk or a clock.
//! Not its job: how anything looks, and what keys do.

mod drafts;
mod index;
mod line;
mod list;
mod list_filter;
mod memories;
mod pill;
mod pressed;
mod runs;
mod setup;
mod sheet;
mod sources;
mod start;
mod targets;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use ratatui::layout::Rect;

pub use drafts::Drafts;
pub use index::{IndexRow, index_row, index_rows};
pub use line::TextLine;
pub use list::ListState;
pub use list_filter::ListFilter;
pub use memories::{Memories, Row, Sort};
pub use pill::{Ending, Launching, Pill, elapsed};
pub use pressed::Pressed;
pub use runs::RunRow;
pub use setup::Setup;
pub use sheet::{Seek, Sheet};
pub use start::Start;

use super::event::StoreTrouble;
use super::keymap::Keymap;
use super::layer::Layer;
use super::layer::find::Find;
use super::layer::health::Health;
use super::layer::projects::ProjectFacts;
use super::layer::settings::Step;
use super::layer::triage::Triage;
use super::theme::{Background, Meaning, Theme};
use crate::change::{HistoryEntry, InboxEntry, SnoozedBefore};
use crate::config::Config;
use crate::filter::views::View;
use crate::health::{Finding, RecallUse};
use crate::memory::{ShelfLife, Snapshot};
use crate::project::{Choice, Project};
use crate::run::foreign::ForeignDream;
use crate::run::halt::Halt;
use crate::run::ledger::Ledger;
use crate::run::{GateReport, RunView};

/// A pane of the dashboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The index.
    Index,
    /// The memories.
    #[default]
    Memories,
    /// The preview.
    Preview,
    /// The pill of the title bar, while there is one.
    Pill,
}

/// What is known of the store.
#[derive(Clone, Debug, Default)]
pub enum StoreView {
    /// Not read yet.
    #[default]
    Loading,
    /// As the last scan saw it.
    Loaded(Arc<Snapshot>),
    /// It cannot be shown.
    Trouble(StoreTrouble),
}

/// Something to tell, in the status line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What.
    pub text: String,
    /// How it is meant: `Ok`, `Warn`, `Bad` or `Text`.
    pub tone: Meaning,
    /// When it came.
    pub at: DateTime<Utc>,
    /// Whether it answers a key: then it ends with the next deed, and with the layer it was said in.
    pub is_answer: bool,
}

/// All that the screen knows.
#[derive(Clone, Debug)]
pub struct State {
    /// The present instant, as the last event told it.
    pub now: DateTime<Utc>,
    /// The terminal.
    pub area: Rect,
    /// How meanings look.
    pub theme: Theme,
    /// What lies behind the text, as far as it is known.
    pub background: Option<Background>,
    /// The configuration, and what decides beside it.
    pub setup: Setup,
    /// Which key means what.
    pub keymap: Keymap,
    /// The first keys of a chord, while its others are waited for.
    pub pressed: Option<Pressed>,
    /// Whether the mouse is captured.
    pub mouse: bool,
    /// Whether this is the demo.
    pub demo: bool,
    /// The engine's word.
    pub engine: String,
    /// How long claims are good for.
    pub shelf_life: ShelfLife,
    /// The store and its project.
    pub choice: Choice,
    /// The branch of the project's checkout.
    pub branch: Option<String>,
    /// What is known of the store.
    pub store: StoreView,
    /// The findings of the store, worst first.
    pub findings: Vec<Finding>,
    /// Which memories sessions used.
    pub used: RecallUse,
    /// Whether the findings were worked out at all.
    pub knows_findings: bool,
    /// When they were asked for last.
    pub checked_at: Option<DateTime<Utc>>,
    /// The gates of the next run.
    pub gates: GateReport,
    /// The pause of everything that starts by itself, as last told.
    pub halt: Option<Halt>,
    /// All runs, newest first.
    pub runs: Vec<Arc<RunView>>,
    /// The dreams of other programs, as far as they were looked for.
    pub foreign: Vec<ForeignDream>,
    /// What the records of runs add up to, once they were read.
    pub stats: Option<Result<Box<Ledger>, String>>,
    /// The runs that were started here.
    pub started_here: Vec<String>,
    /// Whether the journals were read at all.
    pub knows_runs: bool,
    /// The run that was just started and has not reported yet.
    pub launching: Option<Launching>,
    /// The run that ended while we looked on, until it is acknowledged.
    pub ending: Option<Ending>,
    /// What waits for a person.
    pub inbox: Vec<InboxEntry>,
    /// What landed.
    pub history: Vec<HistoryEntry>,
    /// Why nothing of it can be read.
    pub history_trouble: Option<String>,
    /// The latest snooze from the list, with how it was before: `undo` takes it back as long as nothing landed since.
    pub snoozed: Option<(DateTime<Utc>, SnoozedBefore)>,
    /// The rejections that can be taken back, by their entry of the inbox, oldest first: `undo` takes the latest back as long
    /// as nothing that stands landed since.
    pub dropped: Vec<(String, DateTime<Utc>)>,
    /// The projects of the Claude home.
    pub projects: Vec<Project>,
    /// What their stores hold, by directory, as far as they were looked into.
    pub project_facts: BTreeMap<PathBuf, ProjectFacts>,
    /// The pane that has the focus.
    pub focus: Pane,
    /// The first index line shown and the one selected.
    pub index: ListState,
    /// The memory list.
    pub memories: Memories,
    /// The person's saved views, as they were last read.
    pub views: Vec<View>,
    /// The preview pane.
    pub preview: Sheet,
    /// The findings as they were looked at last: the key for them brings that back.
    pub last_health: Option<Health>,
    /// The number of the latest search: the next one's is higher.
    pub searches: u64,
    /// The search that was put away last: the key for searching brings it back.
    pub last_find: Option<Box<Find>>,
    /// The day whose ages were asked for last.
    pub ages_asked_for: Option<NaiveDate>,
    /// The changes of the configuration that were made here, the latest last.
    pub setting_steps: Vec<Step>,
    /// What is not saved.
    pub drafts: Drafts,
    /// What lies over the dashboard; the last one has the keys.
    pub layers: Vec<Layer>,
    /// The latest thing to tell.
    pub notice: Option<Notice>,
}

impl State {
    /// Goes by a configuration from now on: theme, keys and engine follow it.
    pub fn adopt(&mut self, config: Config) {
        let (keymap, complaints) = Keymap::new(&config);
        (self.keymap, self.pressed) = (keymap, None);
        self.theme = Theme::choose(&config.theme, self.setup.no_color, self.background);
        self.engine = self.setup.engine_flag.clone().unwrap_or_else(|| config.engine.clone());
        self.shelf_life = config.shelf_life;
        self.setup.complaints = complaints;
        self.setup.config = config;
    }

    /// Whether the cursor is seen also where nothing is typed.
    #[must_use]
    pub fn shows_cursor(&self) -> bool {
        self.setup.config.cursor == "shown"
    }

    /// What is known of the background, in words.
    #[must_use]
    pub const fn background_words(&self) -> &'static str {
        match self.background {
            Some(Background::Dark) => "the background is dark",
            Some(Background::Light) => "the background is light",
            None => "the terminal does not say whether its background is dark or light",
        }
    }

    /// The directory of the store that is shown.
    #[must_use]
    pub fn store_root(&self) -> &Path {
        self.choice.store.root()
    }

    /// The last scan, if there was one.
    #[must_use]
    pub fn snapshot(&self) -> Option<&Arc<Snapshot>> {
        match &self.store {
            StoreView::Loaded(snapshot) => Some(snapshot),
            StoreView::Loading | StoreView::Trouble(_) => None,
        }
    }

    /// Triage, when it is open, whatever lies over it.
    #[must_use]
    pub fn triage(&self) -> Option<&Triage> {
        self.layers.iter().rev().find_map(|layer| match layer {
            Layer::Triage(triage) => Some(triage.as_ref()),
            _ => None,
        })
    }

    /// The same, to change it.
    pub fn triage_mut(&mut self) -> Option<&mut Triage> {
        self.layers.iter_mut().rev().find_map(|layer| match layer {
            Layer::Triage(triage) => Some(triage.as_mut()),
            _ => None,
        })
    }

    /// Tells the person something.
    pub fn tell(&mut self, tone: Meaning, text: impl Into<String>) {
        self.notice = Some(Notice { text: text.into(), tone, at: self.now, is_answer: false });
    }
}
