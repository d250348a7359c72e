//! What lies over the dashboard: dialogs, lists, forms. The last layer has the keys.
//!
//! A layer is plain data. What keys do to it stands in `update/<layer>.rs`, how it looks in `view/<layer>.rs`; no layer
//! knows another.

pub mod choose;
pub mod confirm;
pub mod detail;
pub mod edit;
pub mod filter;
pub mod find;
pub mod form;
pub mod health;
pub mod history;
pub mod inbox;
pub mod index;
pub mod leave;
pub mod lens;
pub mod lint;
pub mod new;
pub mod palette;
pub mod projects;
pub mod promote;
pub mod rename;
pub mod review;
pub mod run;
pub mod runs;
pub mod settings;
pub mod stray;
pub mod team;
pub mod triage;
pub mod turn;
pub mod unsaved;
pub mod views;
pub mod why;

use super::command::{CommandSpec, Place};
use super::state::{ListFilter, ListState, Sheet};

/// One layer.
#[derive(Clone, Debug)]
pub enum Layer {
    /// The line that filters the memory list.
    Filter(filter::Filter),
    /// A memory in full.
    Reading(Reading),
    /// A question with yes and no.
    Confirm(confirm::Confirm),
    /// All keys.
    Help(Help),
    /// Any command by its name.
    Palette(palette::Palette),
    /// Other projects.
    Projects(projects::Projects),
    /// The findings.
    Health(health::Health),
    /// A text that is too long for the status line.
    Message(Message),
    /// The dialog of one run.
    Run(run::RunDialog),
    /// All runs.
    Runs(runs::RunsList),
    /// The editor.
    Edit(Box<edit::Editor>),
    /// The form of a new memory.
    New(Box<new::NewMemory>),
    /// What waits for a person.
    Inbox(inbox::InboxList),
    /// What landed.
    History(history::HistoryList),
    /// The review of held changes.
    Review(Box<review::ReviewScreen>),
    /// The turn a source names.
    Turn(Box<turn::Turn>),
    /// Why no dream starts.
    Why(why::Why),
    /// The question before leaving while a run goes on.
    Leave(leave::Leave),
    /// One memory after the other, judged.
    Triage(Box<triage::Triage>),
    /// A memory on its way into CLAUDE.md or a rule.
    Promote(Box<promote::Promote>),
    /// The index, put in order by hand.
    Index(Box<index::IndexScreen>),
    /// Another file name for a memory.
    Rename(Box<rename::Rename>),
    /// A question with a few answers, one key each.
    Choose(choose::Choose),
    /// What a prompt would call back.
    Lens(Box<lens::Lens>),
    /// What is looked for in texts.
    Find(Box<find::Find>),
    /// Saved views.
    Views(Box<views::Views>),
    /// The settings.
    Settings(Box<settings::Settings>),
    /// What is shared with a team.
    Team(team::Team),
    /// Texts that were not saved.
    Unsaved(unsaved::UnsavedList),
    /// Words that were meant for a filter where there is none.
    Stray(stray::Stray),
}

impl Layer {
    /// The filter of its list, where it has one, with the cursor that goes by the rows it shows.
    pub fn filter_mut(&mut self) -> Option<(&mut ListFilter, &mut ListState)> {
        Some(match self {
            Self::Runs(layer) if layer.view == runs::RoomView::Table => (&mut layer.filter, &mut layer.list),
            Self::Projects(layer) => (&mut layer.filter, &mut layer.list),
            Self::Inbox(layer) => (&mut layer.filter, &mut layer.list),
            Self::History(layer) => (&mut layer.filter, &mut layer.list),
            Self::Health(layer) => (&mut layer.filter, &mut layer.list),
            Self::Settings(layer) => (&mut layer.filter, &mut layer.list),
            Self::Views(layer) => (&mut layer.filter, &mut layer.list),
            Self::Unsaved(layer) => (&mut layer.filter, &mut layer.list),
            Self::Index(layer) => (&mut layer.filter, &mut layer.list),
            _ => return None,
        })
    }

    /// Whether it asks something that only its own answers end.
    #[must_use]
    pub fn asks(&self) -> bool {
        match self {
            Self::Confirm(_) | Self::Choose(_) | Self::Leave(_) => true,
            Self::Edit(layer) => layer.asking || layer.conflict.is_some(),
            Self::New(layer) => layer.asking,
            Self::Promote(layer) => layer.asking,
            Self::Index(layer) => layer.asking || layer.shortening.is_some(),
            Self::Review(layer) => layer.asking.is_some(),
            _ => false,
        }
    }

    /// The filter of its list, where it has one.
    #[must_use]
    pub fn filter(&self) -> Option<&ListFilter> {
        Some(match self {
            Self::Runs(layer) if layer.view == runs::RoomView::Table => &layer.filter,
            Self::Projects(layer) => &layer.filter,
            Self::Inbox(layer) => &layer.filter,
            Self::History(layer) => &layer.filter,
            Self::Health(layer) => &layer.filter,
            Self::Settings(layer) => &layer.filter,
            Self::Views(layer) => &layer.filter,
            Self::Unsaved(layer) => &layer.filter,
            Self::Index(layer) => &layer.filter,
            _ => return None,
        })
    }
}

/// The memory under the cursor in full.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Its page.
    pub sheet: Sheet,
}

/// The keys that did something where it was opened.
#[derive(Clone, Debug)]
pub struct Help {
    /// Where that was.
    pub place: Place,
    /// What could be asked for there.
    pub commands: Vec<&'static CommandSpec>,
    /// The first line shown.
    pub scroll: usize,
}

/// A text that is too long for the status line.
#[derive(Clone, Debug, Default)]
pub struct Message {
    /// What it is about.
    pub title: String,
    /// The text, escaped when it is drawn.
    pub text: String,
    /// The first line shown.
    pub scroll: usize,
}
