//! The index after a model wrote: lines that it made and that point nowhere go again, and an entry that said the same as its
//! file's description follows that.
//!
//! Lines that pointed nowhere before are the person's to judge (`dreamtop check` shows them). Not its job: entering new files
//! and taking out deleted ones, which happens to every run's index.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::change::verbs;
use crate::engine::{EngineError, EngineEvent, RunContext};
use crate::memory::names::is_markdown;
use crate::memory::{INDEX_FILE, Index, frontmatter};
use crate::text::count;

/// What the index pointed at before.
pub(in crate::engine::agent) struct Before {
    targets: BTreeSet<String>,
    /// The description of each file whose entry says just that.
    described: BTreeMap<String, String>,
}

impl Before {
    pub(in crate::engine::agent) fn of(context: &RunContext) -> Self {
        let index = read(context);
        let targets: BTreeSet<String> = index.entries().map(|(_, entry, _)| entry.target.clone()).collect();
        let described = targets.iter().filter_map(|file| Some((file.clone(), description(context, file)?)));
        let described = described.filter(|(file, text)| verbs::follows(&index, file, text).is_some()).collect();
        Self { targets, described }
    }

    /// Takes out what points nowhere and did not before, and has entries follow descriptions.
    ///
    /// # Errors
    /// When the working copy cannot be written.
    pub(in crate::engine::agent) fn mend(&self, context: &RunContext) -> Result<(), EngineError> {
        self.follow(context)?;
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

    /// An entry that said the same as its file's description, and that the model left as it was, says the new one.
    fn follow(&self, context: &RunContext) -> Result<(), EngineError> {
        let mut index = read(context);
        let mut is_changed = false;
        for (file, old) in &self.described {
            let Some(new) = description(context, file).filter(|new| new != old) else { continue };
            if verbs::follows(&index, file, old).is_some() {
                index = Index::read(index.with_hook(file, &new));
                is_changed = true;
            }
        }
        if is_changed {
            fs::write(context.working_copy.join(INDEX_FILE), &index.bytes)?;
        }
        Ok(())
    }
}

/// What a file of the working copy says of itself in a line.
fn description(context: &RunContext, file: &str) -> Option<String> {
    let path = Some(context.working_copy.join(file)).filter(|_| is_markdown(file))?;
    frontmatter::read(&crate::state::read_file(&path).ok()?).description
}

fn read(context: &RunContext) -> Index {
    Index::read(fs::read(context.working_copy.join(INDEX_FILE)).unwrap_or_default())
}
