//! Lines of the team's index that come back with their entries.
//!
//! Who deletes an entry takes its line out of the index; where somebody had an unsent edit of it, the entry goes to the team
//! again, and without its line nobody would be led to it. Not its job: lines that people take out while the entry stays.

use super::offer::line;
use super::report::SyncError;
use super::sync::Work;
use crate::change::{Change, ChangeSet, Consent, Op, Origin};
use crate::memory::{INDEX_FILE, Index};

/// Puts back the lines that a pull took out of the index, of entries that go to the team again. `before`: the index as it was.
/// True: something landed.
pub(super) fn put_back(work: &mut Work<'_>, before: Option<&Vec<u8>>) -> Result<bool, SyncError> {
    work.record.returned.extend(work.gone.iter().cloned());
    let Some(before) = before else { return Ok(false) };
    let mut set = ChangeSet::new(Origin::Pull, "lines of the team's index, with the entries that stay");
    let mut index = work.local.texts.get(INDEX_FILE).cloned();
    let mut back: Vec<String> = Vec::new();
    for key in &work.record.returned {
        let has_line = |index: &Vec<u8>| Index::read(index.clone()).without(key) != *index;
        let Some(text) = work.local.texts.get(key) else { continue };
        if has_line(before) && !index.as_ref().is_some_and(has_line) {
            let Some(change) = line(key, text, index.as_ref()) else { continue };
            index.clone_from(&change.content);
            back.push(key.clone());
            let base = work.local.texts.get(INDEX_FILE).cloned();
            let op = if base.is_some() { Op::Replace } else { Op::Create };
            set.changes = vec![Change { base, op, ..change }];
        }
    }
    if set.is_empty() {
        return Ok(false);
    }
    work.record.returned.retain(|key| !back.contains(key));
    let landing = work.client.door.land(work.client.store, &set, Consent::None)?;
    // The pull itself is what a person takes back.
    work.report.history = work.report.history.take().or(landing.history);
    Ok(true)
}
