//! Everything that can happen to the screen, as one flat list.
//!
//! Results of effects carry their question, so that an answer to a question nobody asks any more is dropped. Not its job:
//! what follows from an event (see [`super::update`]).

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use crossterm::event::{KeyEvent, MouseEvent};
use ratatui::text::Line;

use super::effect::{Deed, ImagesQuestion, PreviewQuestion, RecallQuestion, RunDiffQuestion, TurnQuestion};
use super::layer::find::FindNews;
use super::layer::lint::{LintQuestion, Linted};
use super::layer::projects::ProjectFacts;
use super::layer::promote::Ground;
use super::layer::rename::RenameQuestion;
use super::layer::run::Images;
use super::layer::team::TeamFiles;
use super::layer::turn::Stretch;
use super::theme::Background;
use crate::change::unsaved::Rescued;
use crate::change::{DoorError, HistoryEntry, InboxEntry, Landing, Review, SnoozedBefore};
use crate::config::Config;
use crate::filter::views::View;
use crate::health::{Finding, RecallUse};
use crate::memory::{Snapshot, Topic};
use crate::persons_file::PersonsFile;
use crate::project::{Choice, Project};
use crate::recall::Ranking;
use crate::run::foreign::ForeignDream;
use crate::run::halt::Halt;
use crate::run::ledger::Ledger;
use crate::run::{GateReport, RunView, Stamped};

/// Something that happened.
#[derive(Debug)]
pub enum AppEvent {
    /// The present instant. The loop sends it before each other event: nothing else knows the time.
    Time(DateTime<Utc>),
    /// A second went by while a run is live: its clock moves.
    Second,
    /// A key was pressed or repeats.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// Text was pasted, as one piece: never taken for keys.
    Paste(String),
    /// The terminal has another size.
    Resize(u16, u16),
    /// The terminal said what lies behind the text.
    Background(Background),
    /// The configuration file and what it says, or why it cannot be read.
    Settings(Result<(PersonsFile, Result<Config, String>), String>),
    /// A value of the configuration was set or taken out, or was not.
    SettingChanged {
        /// Which one: `dream.min_hours`.
        name: String,
        /// The file as it is now and what it says, or why it was left alone.
        result: Result<(PersonsFile, Config), String>,
    },
    /// Something moved in the store's directory.
    StoreTouched,
    /// Changes are no longer told of; why, and what happens instead.
    WatchDegraded(String),
    /// Something moved among the run journals.
    RunsTouched,
    /// A worker was started, or could not be.
    Launched {
        /// The run's id.
        run: String,
        /// What the operating system said.
        result: Result<(), String>,
    },
    /// A run was killed, or could not be.
    Killed {
        /// The run's id.
        run: String,
        /// How it ended, or why it did not.
        result: Result<Box<RunView>, String>,
    },
    /// The runs, newest first.
    Runs(Vec<Arc<RunView>>),
    /// The newest events of a run, oldest first.
    Tail {
        /// Which run.
        run: String,
        /// Its events.
        events: Vec<Stamped>,
    },
    /// What the records of runs add up to.
    Stats(Result<Box<Ledger>, String>),
    /// The dreams of other programs.
    Foreign(Vec<ForeignDream>),
    /// The gates of a project were evaluated for the card that explains them.
    Explained {
        /// Of which store.
        store: PathBuf,
        /// How they stand.
        report: GateReport,
    },
    /// An inbox entry was read for a review.
    Reviewed {
        /// In which store.
        store: PathBuf,
        /// Which entry.
        entry: String,
        /// What waits, or why it cannot be told; gone when it was decided on.
        result: Result<Arc<Review>, DoorError>,
    },
    /// The turn that a source names.
    TurnRead {
        /// Which turn.
        question: TurnQuestion,
        /// The lines around it, or why there are none.
        result: Result<Box<Stretch>, String>,
    },
    /// News of a search.
    Found {
        /// Of which question.
        id: u64,
        /// What is new.
        news: FindNews,
    },
    /// What a crash had left half-done was finished or reverted: one sentence each.
    Recovered(Result<Vec<String>, String>),
    /// A scan of a store is done.
    Scanned {
        /// Which store was read.
        store: PathBuf,
        /// What it holds.
        result: Result<Arc<Snapshot>, StoreTrouble>,
    },
    /// The findings of a snapshot.
    Checked {
        /// Which store was checked.
        store: PathBuf,
        /// What is wrong, worst first.
        findings: Vec<Finding>,
        /// Which memories sessions used.
        used: RecallUse,
    },
    /// The branch of the project's checkout.
    Branch {
        /// Of which store's project.
        store: PathBuf,
        /// Its name; `None`: no git, or unreadable.
        branch: Option<String>,
    },
    /// Everything that starts by itself is paused, or not any more (`None`), or that could not be written.
    Halted(Result<Option<Halt>, String>),
    /// The same as the disk tells it: somebody else did it, or the screen just opened.
    HaltChanged(Option<Halt>),
    /// The gates were evaluated.
    Gates {
        /// Of which store.
        store: PathBuf,
        /// How they stand.
        report: GateReport,
    },
    /// A memory was read and laid out for the preview.
    Previewed {
        /// Which memory, which content, how wide.
        question: PreviewQuestion,
        /// The page, or why there is none.
        result: Result<Page, String>,
    },
    /// What a prompt would call back.
    Recalled {
        /// Which prompt, in which store.
        question: RecallQuestion,
        /// What the ranking makes of it, or why it cannot.
        result: Result<Ranking, String>,
    },
    /// The memory was read that the text of a long index line goes to.
    IndexTopicRead {
        /// The store it is of.
        store: PathBuf,
        /// Which file.
        file: String,
        /// Its content, or why there is none.
        result: Result<Box<Topic>, String>,
    },
    /// A memory and the files it could be promoted to were read.
    PromotionRead {
        /// The store it is of.
        store: PathBuf,
        /// Which file.
        file: String,
        /// Both, or why the memory cannot be read.
        result: Result<Box<Ground>, String>,
    },
    /// What another file name would bring with it.
    RenamePreviewed {
        /// Which one.
        question: RenameQuestion,
        /// One line each, or why it cannot be.
        result: Result<Vec<String>, String>,
    },
    /// A long text that is being written was looked at.
    Linted {
        /// Which one, in which state.
        question: Box<LintQuestion>,
        /// What is wrong with it.
        linted: Linted,
    },
    /// A memory was read for editing.
    TopicRead {
        /// The store it is of.
        store: PathBuf,
        /// Which file.
        file: String,
        /// Its content, or why there is none.
        result: Result<Box<Topic>, String>,
    },
    /// Two memories and what they would become as one.
    UnionRead {
        /// The store they are of.
        store: PathBuf,
        /// The one on the card.
        file: String,
        /// Both, or why they cannot be read.
        result: Result<Box<Proposal>, String>,
    },
    /// A deed went through the door, or did not.
    Done {
        /// What was wanted.
        deed: Box<Deed>,
        /// What became of it.
        result: Result<Outcome, DoorError>,
    },
    /// What waits for a person.
    Inbox {
        /// In which store.
        store: PathBuf,
        /// The entries, newest first.
        result: Result<Vec<InboxEntry>, String>,
    },
    /// What landed.
    History {
        /// In which store.
        store: PathBuf,
        /// The entries, newest first.
        result: Result<Vec<HistoryEntry>, String>,
        /// The rejections that can be taken back, by their entry of the inbox, oldest first.
        dropped: Vec<(String, DateTime<Utc>)>,
    },
    /// What a run did to one file.
    RunDiff {
        /// Which run, which file.
        question: RunDiffQuestion,
        /// The content before and after; `None`: not there.
        result: Result<Images, String>,
    },
    /// The contents before and after a change of the history.
    Images {
        /// Which change.
        question: ImagesQuestion,
        /// The content before and after; `None`: not there.
        result: Result<Images, String>,
    },
    /// The person has not touched anything for a moment.
    Paused,
    /// The texts that earlier screens left unsaved.
    Unsaved {
        /// For which store.
        store: PathBuf,
        /// The texts, newest first.
        waiting: Vec<Rescued>,
    },
    /// A text that is not saved cannot be kept, or not be dropped; why.
    NotKept(String),
    /// A view was saved, or could not be.
    ViewSaved {
        /// Its name.
        name: String,
        /// The views as they are now, or why it is not among them.
        result: Result<Vec<View>, String>,
    },
    /// The person's saved views.
    Views(Result<Vec<View>, String>),
    /// The projects of the Claude home.
    Projects(Result<Vec<Project>, String>),
    /// What the stores of some projects hold.
    Surveyed {
        /// By directory.
        facts: Vec<(PathBuf, ProjectFacts)>,
        /// The projects that were not looked into yet.
        then: Vec<Project>,
    },
    /// What is shared with a team, or why it cannot be told.
    Team {
        /// Of which store.
        store: PathBuf,
        /// The files.
        result: Result<TeamFiles, String>,
    },
    /// What is shared was exchanged with the team's server, or an entry hidden.
    TeamDone {
        /// Of which store.
        store: PathBuf,
        /// What came of it, in a sentence; an error says why nothing did.
        result: Result<String, String>,
        /// Whether a person has to look.
        needs_person: bool,
    },
    /// Another project was chosen.
    Opened(Box<Choice>),
    /// The external editor came back.
    EditorClosed {
        /// Which file it edited.
        file: String,
        /// What was opened.
        base: Vec<u8>,
        /// What it left; `None`: nothing changed.
        result: Result<Option<Vec<u8>>, String>,
    },
}

/// A memory laid out for the preview at one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The lines, none wider than asked for.
    pub lines: Vec<Line<'static>>,
}

/// Two memories and what they would become as one.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The file that stays, and what it holds.
    pub keep: (String, Topic),
    /// The file that goes, and what it holds.
    pub partner: (String, Topic),
    /// What the one that stays would become.
    pub united: Topic,
    /// The lines of the older one that contradict the newer and are left out.
    pub left_out: Vec<String>,
}

/// What a deed became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It landed, wholly or in part.
    Landed {
        /// The one line it has in the history.
        title: String,
        /// What the disk says.
        landing: Landing,
    },
    /// Held changes were dropped.
    Dropped(Vec<String>),
    /// Dropped ones wait again.
    Waiting(Vec<String>),
    /// Memories wait, or do not any more; until when they did before.
    Snoozed(SnoozedBefore),
}

/// Why a store cannot be shown, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreTrouble {
    /// There is no Claude home at all.
    NoHome(Option<PathBuf>),
    /// There is a home but not this store.
    Missing(PathBuf),
    /// Anything else, in the words of the error.
    Unreadable(String),
}
