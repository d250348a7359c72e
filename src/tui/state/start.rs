//! What the screen starts with, and what it knows before anything was read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use ratatui::layout::Rect;

use super::{Drafts, ListState, Memories, Notice, Pane, Setup, Sheet, State, StoreView};
use crate::config::Config;
use crate::health::RecallUse;
use crate::project::Choice;
use crate::run::GateReport;
use crate::tui::keymap::Keymap;
use crate::tui::theme::{Background, Meaning, Theme};

/// What the screen starts with.
#[derive(Clone, Debug)]
pub struct Start {
    /// The store and its project.
    pub choice: Choice,
    /// The configuration.
    pub config: Config,
    /// Where it is, or would be.
    pub config_file: Option<PathBuf>,
    /// The person's home, to write paths in it short.
    pub home: Option<PathBuf>,
    /// The engine that `--engine` named.
    pub engine_flag: Option<String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// What lies behind the text, as far as it is known at the start.
    pub background: Option<Background>,
    /// Whether this is the throw-away copy of the sample.
    pub demo: bool,
    /// The present instant.
    pub now: DateTime<Utc>,
    /// The terminal's size.
    pub size: (u16, u16),
}

impl State {
    /// The state before anything was read.
    #[must_use]
    pub fn new(start: Start) -> Self {
        let (keymap, complaints) = Keymap::new(&start.config);
        let setup = Setup {
            config: start.config.clone(),
            file: start.config_file,
            home: start.home,
            engine_flag: start.engine_flag,
            no_color: start.no_color,
            complaints,
        };
        let file = setup.file.as_ref().map(|file| PathBuf::from(setup.short(file)));
        let notices = setup
            .complaints
            .iter()
            .map(|complaint| complaint.at(file.as_deref()))
            .chain(start.choice.notices.iter().cloned());
        let notice = notices.reduce(|all, next| format!("{all} · {next}")).map(|text| Notice {
            text,
            tone: Meaning::Warn,
            at: start.now,
            is_answer: false,
        });
        Self {
            now: start.now,
            area: Rect::new(0, 0, start.size.0, start.size.1),
            theme: Theme::choose(&start.config.theme, start.no_color, start.background),
            background: start.background,
            keymap,
            pressed: None,
            mouse: start.config.mouse,
            demo: start.demo,
            engine: start.config.engine.clone(),
            setup,
            shelf_life: start.config.shelf_life,
            choice: start.choice,
            branch: None,
            store: StoreView::Loading,
            findings: Vec::new(),
            used: RecallUse::default(),
            knows_findings: false,
            checked_at: None,
            gates: GateReport::default(),
            halt: None,
            runs: Vec::new(),
            foreign: Vec::new(),
            stats: None,
            started_here: Vec::new(),
            knows_runs: false,
            launching: None,
            ending: None,
            inbox: Vec::new(),
            history: Vec::new(),
            history_trouble: None,
            snoozed: None,
            dropped: Vec::new(),
            projects: Vec::new(),
            project_facts: BTreeMap::new(),
            focus: Pane::Memories,
            index: ListState::default(),
            memories: Memories::default(),
            views: Vec::new(),
            preview: Sheet::default(),
            last_health: None,
            searches: 0,
            last_find: None,
            ages_asked_for: None,
            setting_steps: Vec::new(),
            drafts: Drafts::default(),
            layers: Vec::new(),
            notice,
        }
    }
}
