//! The control room: all runs of all projects, ours and others', live and past.

use crate::run::Stamped;
use crate::tui::state::{ListFilter, ListState};

/// What the room shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RoomView {
    /// The table of runs.
    #[default]
    Table,
    /// A year of dreams.
    Year,
    /// What the records add up to.
    Stats,
}

/// The control room.
#[derive(Clone, Debug, Default)]
pub struct RunsList {
    /// Which row is selected.
    pub list: ListState,
    /// The row under the cursor, by its key, which the cursor follows.
    pub row: Option<String>,
    /// What it shows.
    pub view: RoomView,
    /// The words that every row shown has.
    pub filter: ListFilter,
    /// The newest events of the run under the cursor.
    pub tail: Vec<Stamped>,
    /// Whose events were asked for last, and as of which moment.
    pub asked: Option<(String, String)>,
    /// The first row of a view that is only read.
    pub scroll: usize,
}
