//! The dialog of one run.

/// The dialog of one run.
#[derive(Clone, Debug, Default)]
pub struct RunDialog {
    /// Which run.
    pub run: String,
}
