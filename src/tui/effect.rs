//! What the loop is asked to do to the world.
//!
//! [`super::update`] returns these; [`super::effects`] and the loop carry them out. Not its job: doing anything.

use std::path::PathBuf;

use chrono::{DateTime, Utc};

use super::layer::lint::LintQuestion;
use super::layer::rename::RenameQuestion;
use super::theme::Theme;
use crate::change::index_edit::IndexEdit;
use crate::change::promote::Promotion;
use crate::change::unsaved::{Rescued, Unsaved};
use crate::change::verbs::SaveKind;
use crate::change::verdicts::{Seen, Union};
use crate::change::{Decision, Origin};
use crate::filter::views::View;
use crate::memory::{ContentHash, Draft, Kind};
use crate::persons_file::PersonsFile;
use crate::project::Project;

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// End the program and give the terminal back.
    Quit,
    /// Stop as Ctrl-Z stops any program, and come back with `fg`.
    Suspend,
    /// Switch mouse capture on or off.
    CaptureMouse(bool),
    /// Draw everything anew, whatever the terminal shows.
    Repaint,
    /// Put a text on the clipboard of the person's own terminal (OSC 52).
    Copy(String),
    /// Finish or revert what a crash left half-done in the store.
    Recover,
    /// Read the store again. While one scan runs, at most one more waits.
    Rescan,
    /// Look for findings in the snapshot of the last scan.
    Check,
    /// Read which branch the project's checkout is on.
    ReadBranch,
    /// Evaluate the gates of the next run.
    RefreshGates,
    /// Read what is new in the run journals.
    RefreshRuns,
    /// Read a memory and lay it out for the preview.
    ReadPreview(PreviewQuestion),
    /// Ask what a prompt would call back.
    Recall(RecallQuestion),
    /// Work out what another file name would bring with it.
    PreviewRename(RenameQuestion),
    /// Read the memory that the text of a long index line goes to.
    ReadForIndex(String),
    /// Read a memory and the files it could be promoted to.
    ReadPromotion(String),
    /// Look at a long text that is being written.
    Lint(Box<LintQuestion>),
    /// Read a memory for editing.
    ReadTopic(String),
    /// Read two memories and what they would become as one.
    ReadUnion {
        /// The one on the card.
        file: String,
        /// Its partner.
        partner: String,
    },
    /// Change the store through the door.
    Do(Box<Deed>),
    /// Start a dream in a process of its own.
    Dream {
        /// The run's id.
        run: String,
        /// The store to dream over.
        store: PathBuf,
    },
    /// Kill a live run.
    Kill(String),
    /// Read the inbox.
    ReadInbox,
    /// Exchange what is shared with the team's server.
    SyncTeam {
        /// Take the server's changes.
        pull: bool,
        /// Send ours.
        push: bool,
    },
    /// Do both if something is to be sent and the configuration says so, once nobody writes there any more.
    SyncTeamIfDue,
    /// Keep an entry of the team's away from here, or let it come again.
    HideEntry {
        /// The entry.
        file: String,
        /// Whether it goes.
        is_hidden: bool,
    },
    /// Read the history.
    ReadHistory,
    /// Read what a run did to a file.
    ReadRunDiff(RunDiffQuestion),
    /// Read the contents before and after a change of the history.
    ReadImages(ImagesQuestion),
    /// Read an entry of a store's inbox for a review.
    ReadReview {
        /// The store's directory.
        store: PathBuf,
        /// The inbox entry.
        entry: String,
    },
    /// Read the turn that a source names.
    ReadTurn(TurnQuestion),
    /// Search the text of memories and sessions; what is found is told as it comes.
    Find(FindQuestion),
    /// Stop searching: no question below this number counts any more.
    StopFind(u64),
    /// Read the newest events of a run.
    ReadTail(String),
    /// Read the records of runs.
    ReadStats,
    /// Pause everything that starts by itself, or end that.
    Pause {
        /// Whether the person saw a pause that is to end.
        ends: bool,
    },
    /// Look whose dreams of other programs hold a lock.
    RefreshForeign,
    /// Evaluate the gates of a project for the card that explains them; `None`: of the one that is shown.
    Explain(Option<Box<Project>>),
    /// Read the saved views.
    ReadViews,
    /// Keep a filter and an order under a name.
    SaveView(View),
    /// Forget a saved view.
    ForgetView(String),
    /// Keep a text that is not saved, in case the screen ends.
    KeepUnsaved {
        /// The store it is meant for, which need not be shown any more.
        store: PathBuf,
        /// The text; `None`: it is saved, or dropped.
        text: Option<Box<Unsaved>>,
    },
    /// Read which texts earlier screens left unsaved.
    ReadUnsaved,
    /// Drop such a text.
    DropUnsaved(PathBuf),
    /// Keep the parts of such a text as drafts of their own.
    PartUnsaved {
        /// What they are parts of.
        whole: Box<Rescued>,
        /// The store that their files are in.
        store: PathBuf,
        /// The parts.
        parts: Vec<Unsaved>,
    },
    /// List the projects of the Claude home.
    ListProjects,
    /// Look into the stores of projects.
    SurveyProjects {
        /// Into these now.
        now: Vec<Project>,
        /// Into these after that.
        then: Vec<Project>,
    },
    /// Read what is shared with a team.
    ReadTeam,
    /// Show another project's store.
    OpenProject(Box<Project>),
    /// Hand a file to `$EDITOR`, on a copy outside the store.
    OpenExternalEditor(String),
    /// Read the configuration file.
    ReadSettings,
    /// Set a value in the configuration file, if it still is what was read.
    ChangeSetting {
        /// The file as it was read.
        file: PersonsFile,
        /// The way to the key.
        path: Vec<String>,
        /// The value; `None`: none, so that the default holds.
        value: Option<String>,
    },
    /// Put the configuration file back as it was before a change, if it still is what was read.
    RestoreSettings {
        /// The file as it was read.
        file: PersonsFile,
        /// The setting that was changed.
        name: String,
        /// What it held; `None`: it was not there.
        content: Option<Vec<u8>>,
    },
    /// Hand the configuration file to `$EDITOR`, at a line.
    EditSettings {
        /// From 1.
        line: Option<usize>,
    },
}

/// What a preview was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PreviewQuestion {
    /// The store's directory.
    pub store: PathBuf,
    /// The file in it.
    pub file: String,
    /// The content it had when it was asked for.
    pub hash: ContentHash,
    /// The columns to lay it out in.
    pub width: u16,
    /// How meanings look.
    pub theme: Theme,
}

/// Which prompt, in which store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecallQuestion {
    /// The store's directory.
    pub store: PathBuf,
    /// The prompt.
    pub prompt: String,
}

/// Which change of which run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunDiffQuestion {
    /// The directory of the store the run is over, which need not be the one that is shown.
    pub store: PathBuf,
    /// The run.
    pub run: String,
    /// The file.
    pub file: String,
}

/// Which change of the history, by the hashes of its contents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImagesQuestion {
    /// The store's directory.
    pub store: PathBuf,
    /// The content before; `None`: it was not there.
    pub before: Option<ContentHash>,
    /// The content after; `None`: it was removed.
    pub after: Option<ContentHash>,
}

/// Which turn of which session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TurnQuestion {
    /// The store whose memory names it.
    pub store: PathBuf,
    /// The session's id, or a file of the store.
    pub session: String,
    /// The line, from 1; `None`: the source does not say.
    pub line: Option<u64>,
    /// The words that stand there.
    pub quote: Option<String>,
    /// The transcript itself, when it is known already.
    pub path: Option<PathBuf>,
    /// The file of the memory that was written there, for a source without a line.
    pub wrote: Option<String>,
    /// Whether a few rows are enough.
    pub is_glance: bool,
    /// A text, and whether it is looked for below the line or above it: the nearest line that holds it is meant.
    pub seek: Option<(String, bool)>,
}

/// What is looked for in texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FindQuestion {
    /// Its number: of two questions the higher one counts.
    pub id: u64,
    /// The text, or the regular expression.
    pub pattern: String,
    /// Which of the two it is.
    pub is_regex: bool,
    /// Whether sessions are searched.
    pub sessions: bool,
    /// Whether all projects are.
    pub all: bool,
}

/// What becomes of memories by a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// They are still true: their age starts again.
    StillTrue,
    /// They go to the trash.
    Delete,
    /// They get another type.
    Retype(Kind),
    /// One of them becomes one with its partner.
    Merge(Box<Union>),
}

/// What a person wants done to the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A new memory.
    Create(Draft),
    /// An edited memory.
    Save {
        /// The file.
        file: String,
        /// What was opened.
        base: Vec<u8>,
        /// What it becomes.
        content: Vec<u8>,
        /// Whether the claim's age starts again.
        kind: SaveKind,
        /// Who wants it: an edit, or a verdict of triage.
        origin: Origin,
    },
    /// An edited memory whose file went meanwhile: it comes back under its name.
    Recreate {
        /// The file.
        file: String,
        /// What was opened.
        base: Vec<u8>,
        /// What it holds then.
        content: Vec<u8>,
        /// Whether the claim's age starts again.
        kind: SaveKind,
        /// The time the file had when it was opened.
        claimed: Option<DateTime<Utc>>,
        /// Who wants it.
        origin: Origin,
    },
    /// A verdict on memories, as they were seen.
    Judge {
        /// Which ones.
        seen: Vec<Seen>,
        /// What becomes of them.
        judgement: Judgement,
    },
    /// Memories that wait until an instant before triage asks about them again; `None`: not any more.
    Snooze(Vec<(Seen, Option<DateTime<Utc>>)>),
    /// A memory's text in CLAUDE.md or a rule.
    Promote(Box<Promotion>),
    /// The index, put in order.
    EditIndex(IndexEdit),
    /// A memory under another file name.
    Rename {
        /// As it is called.
        from: String,
        /// As it shall be called.
        to: String,
    },
    /// A history entry, or all that a run landed, taken back.
    Undo {
        /// The store's directory.
        store: PathBuf,
        /// The entry or the run.
        entry: String,
    },
    /// A decision on held changes.
    Decide {
        /// The store's directory.
        store: PathBuf,
        /// The inbox entry.
        entry: String,
        /// What lands, what is dropped.
        decision: Decision,
    },
    /// Held changes landed: all of an entry, or these files of it.
    Accept {
        /// The inbox entry.
        entry: String,
        /// The files; empty: all.
        files: Vec<String>,
    },
    /// Held changes dropped: all of an entry, or these files of it.
    Reject {
        /// The inbox entry.
        entry: String,
        /// The files; empty: all.
        files: Vec<String>,
    },
    /// What was rejected last of an inbox entry waits again.
    WaitAgain {
        /// The store's directory.
        store: PathBuf,
        /// The inbox entry.
        entry: String,
    },
    /// Everything repaired that is safe to repair.
    Repair,
}
