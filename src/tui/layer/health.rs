//! The findings.

use crate::health::Finding;
use crate::tui::state::{ListFilter, ListState, State};

/// The findings.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// Which one is selected.
    pub list: ListState,
    /// The words that every row shown has.
    pub filter: ListFilter,
}

/// The findings that the filter shows, in the order of the check.
#[must_use]
pub fn rows<'a>(layer: &Health, state: &'a State) -> Vec<&'a Finding> {
    let says = |finding: &&Finding| {
        let evidence = finding.evidence.as_deref().unwrap_or_default();
        let text = format!("{} {} {} {evidence}", finding.code.word(), finding.file, finding.message);
        layer.filter.admits(&text)
    };
    state.findings.iter().filter(says).collect()
}
