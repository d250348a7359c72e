//! Why no dream starts, or that one would.

use std::path::PathBuf;

use crate::run::GateReport;

/// The card.
#[derive(Clone, Debug, Default)]
pub struct Why {
    /// The project's title.
    pub title: String,
    /// The store it is about.
    pub store: PathBuf,
    /// How its gates stand, once they were looked at.
    pub report: Option<GateReport>,
    /// The first row shown.
    pub scroll: usize,
}
