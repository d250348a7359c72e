//! `.consolidate-lock`: at most one consolidator per store, together with programs that follow the seeds' protocol.
//!
//! Two layers. Between our own processes an operating-system lock on a file in our state directory (the *guard*), which
//! the kernel frees when a process dies. Towards others the file in the store: its content is the holder's process id,
//! its mtime the last consolidation. It is published whole with a hard link, never truncated and never renamed over while
//! somebody else may hold it; a stale one is set aside and checked first. A record beside the guard remembers what the
//! file was before, so that a killed run does not move the schedule. Not its job: whether a dream is due (see
//! [`super::gates`]).

mod file;
mod guard;
mod holder;
mod judge;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};

use super::schedule;
use crate::clock::Clock;
use crate::lock_file::{SystemLock, system_lock, token};
use crate::memory::LOCK_FILE;
use crate::process::Identity;
use file::{Contents, Prior};
use guard::{Guard, Record};
use judge::Verdict;

pub use holder::{Holder, foreign_holder};
pub(super) use judge::meet;
pub use judge::{Standing, is_by_another, standing};

/// Times in the future up to here are clock jitter between machines; beyond, they are nonsense.
pub(super) const JITTER: TimeDelta = TimeDelta::minutes(5);

/// How long to wait for others. The default is what real file systems need; tests are less patient.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Between publishing and reading back: longer than any other program takes from its check to its write.
    pub settle: Duration,
    /// For an empty or unreadable lock that somebody may just be writing.
    pub unfinished: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { settle: Duration::from_millis(250), unfinished: Duration::from_secs(2) }
    }
}

/// Why the lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody holds it, or it is not to be touched.
    #[error("{0}")]
    Held(String),
    /// The operating system refuses.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A held lock. Dropped without a word it is rolled back.
#[derive(Debug)]
pub struct StoreLock {
    path: PathBuf,
    guard: Guard,
    record: Record,
    notices: Vec<String>,
    released: bool,
}

/// Takes the lock of a store. `dir` is our state directory of that store.
///
/// # Errors
/// [`LockError::Held`] says who holds it; nothing was changed then.
pub fn acquire(store: &Path, dir: &Path, clock: &Clock, patience: Patience) -> Result<StoreLock, LockError> {
    acquire_with(store, dir, clock, patience, system_lock)
}

/// Like [`acquire`], asking `system` for the guard.
fn acquire_with(
    store: &Path,
    dir: &Path,
    clock: &Clock,
    patience: Patience,
    system: SystemLock,
) -> Result<StoreLock, LockError> {
    let path = store.join(LOCK_FILE);
    let Some(guard) = Guard::take(dir, system)? else {
        let holder = Record::read(dir).filter(|record| !record.finished);
        let who = holder.map_or_else(String::new, |record| format!(" ({})", judge::who(&record)));
        return Err(LockError::Held(format!("a dream of this store is running already{who}")));
    };
    let restored = if guard.is_certain() { restore(&path, dir)? } else { None };
    let (found, takeover) = wait_until_free(&path, dir, clock, patience, &guard)?;
    let now = clock.now();
    let mut record = Record {
        holder: Identity::own(),
        token: token(),
        prior: found.as_ref().map(Contents::prior),
        was_free: takeover.is_none(),
        stamp: now,
        finished: false,
    };
    record.write(dir)?;
    let published = publish(&path, found.as_ref(), &record, now, patience);
    if let Err(error) = published {
        record.finished = true;
        record.write(dir)?;
        return Err(error);
    }
    if let Some(notice) = &takeover {
        tracing::warn!("{}: {notice}", path.display());
    }
    let notices = restored.or(takeover).into_iter().chain(guard.notice()).collect();
    Ok(StoreLock { path, guard, record, notices, released: false })
}

/// Reads the file until it is free or surely held. Returns what lies there, and a notice when it is taken over.
fn wait_until_free(
    path: &Path,
    dir: &Path,
    clock: &Clock,
    patience: Patience,
    guard: &Guard,
) -> Result<(Option<Contents>, Option<String>), LockError> {
    let record = Record::read(dir);
    let started = Instant::now();
    let mut first: Option<Contents> = None;
    loop {
        let found = file::read(path).map_err(LockError::Held)?;
        let Some(found) = found else { return Ok((None, None)) };
        let unchanged = first.as_ref() == Some(&found);
        match judge::judge(&found, record.as_ref(), clock.now(), guard.is_certain(), dir) {
            Verdict::Free => return Ok((Some(found), None)),
            Verdict::Stale(why) => return Ok((Some(found), Some(format!("took over the lock from {why}")))),
            Verdict::Unfinished(why) => {
                if unchanged && started.elapsed() >= patience.unfinished {
                    return Ok((Some(found), Some(format!("took over the lock from {why}"))));
                }
                if started.elapsed() >= patience.unfinished * 3 {
                    return Err(LockError::Held("another program keeps writing the lock".to_owned()));
                }
                first = Some(found);
                std::thread::sleep(Duration::from_millis(20).min(patience.unfinished));
            }
            Verdict::Held(why) => {
                judge::remember_sight(&found, dir, clock.now())?;
                return Err(LockError::Held(why));
            }
        }
    }
}

/// Sets a free lock aside, links ours into its place, waits, and reads back.
fn publish(
    path: &Path,
    found: Option<&Contents>,
    record: &Record,
    now: DateTime<Utc>,
    patience: Patience,
) -> Result<(), LockError> {
    let lost = || LockError::Held("another program took the lock at the same moment".to_owned());
    let ours = file::prepare(path, record.holder.pid.to_string().as_bytes(), now, &record.token)?;
    let aside = match found {
        None => None,
        Some(found) => Some(file::set_aside(path, found, &record.token)?.ok_or_else(lost)?),
    };
    let linked = file::link(ours, path, record.holder.pid, now);
    match linked {
        Ok(true) => {
            if let Some(aside) = aside {
                let _ = fs::remove_file(aside);
            }
        }
        Ok(false) => {
            if let Some(aside) = aside {
                let _ = fs::remove_file(aside);
            }
            return Err(lost());
        }
        Err(error) => {
            if let Some(aside) = aside {
                file::put_back(&aside, path);
            }
            return Err(error.into());
        }
    }
    if let Some(parent) = path.parent() {
        crate::state::sync_dir(parent)?;
    }
    std::thread::sleep(patience.settle);
    match file::read(path) {
        Ok(Some(contents)) if contents.pid() == Some(record.holder.pid) => Ok(()),
        _ => Err(lost()),
    }
}

impl StoreLock {
    /// What a person should know about how it was taken.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Whether the file still says that we hold it; asked right before landing.
    #[must_use]
    pub fn is_still_ours(&self) -> bool {
        matches!(file::read(&self.path), Ok(Some(contents)) if contents.pid() == Some(self.record.holder.pid))
    }

    /// Why the file does not say any more that we hold it; asked when it does not.
    #[must_use]
    pub fn why_lost(&self) -> &'static str {
        let store = self.path.parent().unwrap_or(&self.path);
        match file::read(&self.path) {
            _ if !store.is_dir() => "the store was moved away or removed meanwhile; nothing was changed",
            Ok(None) => "the lock of the store was removed meanwhile; nothing was changed",
            _ => "another program took the lock meanwhile; nothing was changed",
        }
    }

    /// Says that the holder is alive, to be called every few minutes.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn renew(&mut self, now: DateTime<Utc>) -> io::Result<()> {
        self.guard.renew();
        if self.is_still_ours() {
            self.record.stamp = now;
            self.record.write(self.guard.dir())?;
            file::set_mtime(&self.path, now)?;
        }
        Ok(())
    }

    /// The consolidation succeeded: the file's mtime becomes `now`, and nobody holds it any more.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn succeed(mut self, now: DateTime<Utc>) -> io::Result<()> {
        self.released = true;
        if self.is_still_ours() {
            file::set_mtime(&self.path, now)?;
        }
        self.record.stamp = now;
        self.record.finished = true;
        self.record.write(self.guard.dir())
    }

    /// The consolidation did not happen: the file becomes what it was before.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn roll_back(mut self) -> io::Result<()> {
        self.undo()
    }

    fn undo(&mut self) -> io::Result<()> {
        self.released = true;
        if self.is_still_ours() {
            file::restore(&self.path, self.record.prior.as_ref(), &self.record.token)?;
        }
        self.record.finished = true;
        self.record.write(self.guard.dir())
    }
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        if !self.released {
            let _ = self.undo();
        }
    }
}

/// Puts the lock of a store back as it was when the run that held it died without a word. Does nothing while a run of
/// ours holds it. Returns what was done, in words.
///
/// # Errors
/// When the disk refuses.
pub fn recover(store: &Path, dir: &Path) -> io::Result<Option<String>> {
    if Record::read(dir).is_none_or(|record| record.finished) {
        return Ok(None);
    }
    match Guard::take(dir, system_lock)? {
        Some(guard) if guard.is_certain() => restore(&store.join(LOCK_FILE), dir),
        _ => Ok(None),
    }
}

/// Whether the record of a store's lock says that this process took it and did not give it back.
pub(super) fn is_on_record(dir: &Path, pid: u32) -> bool {
    Record::read(dir).is_some_and(|record| !record.finished && record.holder.pid == pid)
}

/// Whether a dead run left the lock of a store as it had taken it.
pub(super) fn is_left(dir: &Path, now: DateTime<Utc>) -> bool {
    Record::read(dir).is_some_and(|record| !record.finished && record.standing(now) != guard::Holder::Holds)
}

/// Whether bytes are a record of a holder, or why not.
pub(super) fn understood(bytes: &[u8]) -> Result<(), String> {
    super::files::understood::<Record>(bytes).map(drop)
}

/// With the guard held, an unfinished record belongs to a dead run.
fn restore(path: &Path, dir: &Path) -> io::Result<Option<String>> {
    let Some(mut record) = Record::read(dir).filter(|record| !record.finished) else { return Ok(None) };
    if let Some(parent) = path.parent() {
        file::remove_litter(parent, &record.token);
    }
    let prior = record.prior.as_ref();
    match file::read(path) {
        Ok(Some(found)) if found.pid() == Some(record.holder.pid) && found.is_stamped(record.stamp) => {
            file::restore(path, prior, &record.token)?;
        }
        Ok(None) if prior.is_some() => file::restore(path, prior, &record.token)?,
        _ => {}
    }
    record.finished = true;
    record.write(dir)?;
    Ok(Some(format!("took over the lock from a dead process (PID {})", record.holder.pid)))
}

/// A consolidation that the lock's time tells of was taken back, or is in force again: its time becomes that of the one that
/// counts now, as other programs see it too; without one there is no lock. Does nothing while a run of ours is going on, and
/// where the time is another's.
///
/// # Errors
/// When the disk refuses.
pub(super) fn redate(store: &Path, dir: &Path, schedule: &schedule::Record) -> io::Result<()> {
    let path = store.join(LOCK_FILE);
    let is_due = |found: &Contents| {
        let is_stamped = |at: DateTime<Utc>| found.is_stamped(at);
        let record = Record::read(dir).filter(|record| record.finished);
        let is_ours = record.is_some_and(|own| found.pid() == Some(own.holder.pid)) && schedule.knows(is_stamped);
        is_ours && !schedule.last_success.is_some_and(is_stamped)
    };
    let is_due = || file::read(&path).ok().flatten().is_some_and(|found| is_due(&found));
    if !is_due() {
        return Ok(());
    }
    let Some(_guard) = Guard::take(dir, system_lock)?.filter(|_| is_due()) else { return Ok(()) };
    match schedule.last_success {
        Some(at) => file::set_mtime(&path, at),
        None => fs::remove_file(&path).map_err(|error| crate::state::with_path(error, "cannot remove", &path)),
    }
}

/// When the store was last consolidated, by anyone; `own`: what our own record says. From the lock's mtime; while a run is going on, or after one was
/// killed, what it was before; a time in the future tells nothing, so our own record has to do. It also counts where it is the
/// later one: then the lock was dated by a clock that was set back.
#[must_use]
pub fn last_success(store: &Path, dir: &Path, own: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let record = Record::read(dir).filter(|record| !record.finished);
    let mtime = match file::mtime(&store.join(LOCK_FILE)) {
        Some(mtime) => mtime,
        None => return record.and_then(|record| record.prior).map(|prior| prior.mtime).max(own),
    };
    if let Some(record) = record
        && (mtime - record.stamp).abs() <= TimeDelta::seconds(2)
    {
        return record.prior.map(|prior| prior.mtime).max(own);
    }
    Some(mtime).filter(|mtime| *mtime <= now + JITTER).max(own)
}

#[cfg(test)]
mod tests;
