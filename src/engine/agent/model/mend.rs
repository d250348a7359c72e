//! The index after a model wrote in it: lines that it made and that point nowhere go again.
//!
//! Lines that pointed nowhere before are the person's to judge (`dreamtop check` shows them). Not its job: entering new files
//! and taking out deleted ones, which happens to every run's index.

use std::collections::BTreeSet;
use std::fs;

use crate::engine::{EngineError, EngineEvent, RunContext};
use crate::memory::names::is_markdown;
use crate::memory::{INDEX_FILE, Index};
use crate::text::count;

/// What the index pointed at before.
pub(in crate::engine::agent) struct Before {
    targets: BTreeSet<String>,
}

impl Before {
    pub(in crate::engine::agent) fn of(context: &RunContext) -> Self {
        Self { targets: read(context).entries().map(|(_, entry, _)| entry.target.clone()).collect() }
    }

    /// Takes out what points nowhere and did not before.
    ///
    /// # Errors
    /// When the working copy cannot be written.
    pub(in crate::engine::agent) fn mend(&self, context: &RunContext) -> Result<(), EngineError> {
        let index = read(context);
        let points_nowhere = |target: &str| {
            is_markdown(target) && !self.targets.contains(target) && !context.working_copy.join(target).exists()
        };
        let wrong: BTreeSet<usize> =
            index.entries().filter(|(_, entry, _)| points_nowhere(&entry.target)).map(|(line, ..)| line).collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let bytes = index.without_where(&|line, entry| wrong.contains(&line) && points_nowhere(&entry.target));
        fs::write(context.working_copy.join(INDEX_FILE), bytes)?;
        let lines = count(wrong.len(), "line", "lines");
        context
            .events
            .send(EngineEvent::Notice(format!("{lines} of the index that pointed nowhere were taken out again")));
        Ok(())
    }
}

fn read(context: &RunContext) -> Index {
    Index::read(fs::read(context.working_copy.join(INDEX_FILE)).unwrap_or_default())
}
