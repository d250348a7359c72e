//! The run that ended while we looked on.

use crate::run::Outcome;

/// What the pill says after a run, until it is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The run.
    pub run: String,
    /// How it ended; `None`: its process is gone without a word.
    pub outcome: Option<Outcome>,
    /// What to say.
    pub text: String,
}
