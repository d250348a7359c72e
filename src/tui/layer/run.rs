//! The dialog of one run.

use chrono::{DateTime, Utc};

use super::detail::Detail;
use crate::tui::effect::RunDiffQuestion;
use crate::tui::state::ListState;

/// The content of a file before and after; `None`: not there.
pub type Images = (Option<Vec<u8>>, Option<Vec<u8>>);

/// The dialog of one run.
#[derive(Clone, Debug, Default)]
pub struct RunDialog {
    /// Which run.
    pub run: String,
    /// Which of its files is selected.
    pub files: ListState,
    /// The file to put the cursor on as soon as it is there.
    pub wanted: Option<String>,
    /// What the run did to that file.
    pub detail: Detail,
    /// What was asked for last, and about which moment of the run.
    pub asked: Option<(RunDiffQuestion, String)>,
    /// When the run was asked to end.
    pub killing: Option<DateTime<Utc>>,
}

impl RunDialog {
    /// The dialog of a run.
    #[must_use]
    pub fn of(run: &str) -> Self {
        Self { run: run.to_owned(), ..Self::default() }
    }
}
