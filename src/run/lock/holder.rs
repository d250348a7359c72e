//! Who else holds the lock of a store: another program that is dreaming there. Not its job: our own runs, which their
//! journals tell of.

use std::path::Path;

use chrono::{DateTime, Utc};

use super::file;
use super::guard::Record;
use super::judge::{Verdict, judge};
use crate::memory::LOCK_FILE;

/// A process of another program that holds the lock of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its id.
    pub pid: u32,
    /// The lock's mtime: when it took the lock or last renewed it.
    pub since: DateTime<Utc>,
}

/// The program that is not ours and holds the lock of a store. Looks only. `dir` is our state directory of that store.
#[must_use]
pub fn foreign_holder(store: &Path, dir: &Path, now: DateTime<Utc>) -> Option<Holder> {
    let found = file::read(&store.join(LOCK_FILE)).ok()??;
    let record = Record::read(dir);
    let pid = found.pid()?;
    let is_ours = record.as_ref().is_some_and(|record| !record.finished && record.holder.pid == pid);
    let is_held = !is_ours && matches!(judge(&found, record.as_ref(), now, true, dir), Verdict::Held(_));
    is_held.then_some(Holder { pid, since: found.mtime })
}
