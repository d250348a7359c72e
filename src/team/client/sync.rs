//! One sync: look at the server, take its changes, send ours, and again on fresh state when somebody was faster.
//!
//! Tries are bounded: three, with a wait between them that differs from client to client. Not its job: when one is due.

use std::collections::BTreeSet;
use std::time::Duration;

use super::decide::Step;
use super::local::Local;
use super::obstacle::{Names, obstacle};
use super::record::{Aside, Last, Record, RecordPlace, Refusal};
use super::remote::{Remote, RemoteError};
use super::report::{Report, SetAside, SyncError, Waiting};
use super::view::View;
use super::{apart, lines, overtaken, pull, push};
use crate::change::{Door, Origin};
use crate::memory::names::of_the_team;
use crate::memory::{INDEX_FILE, Store};
use crate::team::repository::Repository;

/// How often a sync looks at the server, the first time counted.
const TRIES: u32 = 3;
/// The shortest and the longest wait before the next try, in milliseconds.
const WAIT: (f64, f64) = (100.0, 800.0);
/// No server is waited for longer than this at a time.
const LONGEST: Duration = Duration::from_secs(300);

/// What becomes of two versions that cannot be merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Of a pull the server's in the file and ours in the inbox; of a push alone ours, which is sent, and the server's in the
    /// inbox.
    #[default]
    Both,
    /// The server's; ours stays in the history.
    Server,
    /// Ours, which is sent; the server's waits in the inbox.
    Local,
}

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Take the server's changes.
    pub pull: bool,
    /// Send ours.
    pub push: bool,
    /// What becomes of two versions that cannot be merged.
    pub keep: Keep,
    /// A set of the server's that lost much is taken over.
    pub accept_shrink: bool,
    /// What the server refused, a token or a text, is tried again.
    pub retry: bool,
    /// What starts it: `hand`, `screen`, `hook`.
    pub by: String,
}

/// How waiting is done, and how a wait is told. Injected, so that tests need not wait.
#[derive(Clone, Copy)]
pub struct Rest<'a> {
    /// Waits.
    pub sleep: &'a dyn Fn(Duration),
    /// A number between 0 and 1.
    pub chance: &'a dyn Fn() -> f64,
    /// Tells a person.
    pub tell: &'a dyn Fn(&str),
}

/// A store, its door, and the server that holds the team's entries.
#[derive(Clone, Copy)]
pub struct Client<'a> {
    /// The door.
    pub door: &'a Door,
    /// The project's store.
    pub store: &'a Store,
    /// The server.
    pub remote: &'a dyn Remote,
    /// Which repository.
    pub repository: &'a Repository,
    /// Where the record lies.
    pub place: &'a RecordPlace,
    /// A digest of the credentials.
    pub credential: &'a str,
    /// How to wait.
    pub rest: Rest<'a>,
}

/// A sync that is going on.
pub(super) struct Work<'a> {
    pub(super) client: Client<'a>,
    pub(super) wish: Wish,
    pub(super) record: Record,
    pub(super) local: Local,
    pub(super) report: Report,
    /// Entries that are not sent this time: what the server has of them waits for a person.
    pub(super) skip: BTreeSet<String>,
    /// Entries that were changed here and that the server has no longer.
    pub(super) gone: BTreeSet<String>,
    /// Entries of which the server's version, or that it has none, came here.
    pub(super) came: BTreeSet<String>,
}

/// Why a sync does not go straight on.
pub(super) enum Stop {
    /// The server said something that may pass.
    Remote(RemoteError),
    /// It is over.
    Over(SyncError),
}

impl<E: Into<SyncError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Over(error.into())
    }
}

impl Work<'_> {
    /// Tells what this sync was not to do: what is unsent after a pull, and unseen after a push.
    fn tell_what_is_left(&mut self) {
        let keys: BTreeSet<&String> = self.local.texts.keys().chain(self.record.server.keys()).collect();
        let (mut to_send, mut to_receive, mut blocked) = (Vec::new(), Vec::new(), Vec::new());
        let names = Names::of(self.record.server.keys());
        for key in keys {
            let (here, there) = (self.local.sum(key), self.record.server.get(key));
            let is_told = self.local.refusal(key).is_some() || self.report.is_set_aside(key);
            match self.record.step(key, here.as_ref(), there) {
                _ if is_told => {}
                Step::Send if !self.wish.push => {
                    let text = self.local.texts.get(key).map(Vec::as_slice).unwrap_or_default();
                    match obstacle(&self.record, &self.local, &names, key, text) {
                        Some(reason) => blocked.push((key.clone(), reason)),
                        None => to_send.push(key.clone()),
                    }
                }
                Step::Receive | Step::Restore | Step::Trash if !self.wish.pull => to_receive.push(key.clone()),
                _ => {}
            }
        }
        for key in self.gone.iter().filter(|key| to_send.contains(key)) {
            self.report.notice(format!("the server has {key} no longer; it was changed here since, so it stays"));
        }
        blocked.into_iter().for_each(|(key, reason)| self.report.leave(&key, reason));
        (self.report.to_send, self.report.to_receive) = (to_send, to_receive);
    }

    /// Tells of what waits for a person since an earlier sync.
    fn tell_what_waits(&mut self) {
        self.report.waiting.clear();
        let entries = self.client.door.inbox(self.client.store).unwrap_or_default();
        for entry in entries.iter().filter(|entry| entry.origin == Origin::Pull) {
            for change in &entry.changes {
                let Some(key) = of_the_team(&change.file) else { continue };
                let reasons: Vec<&str> = change.reasons.iter().map(|reason| reason.message.as_str()).collect();
                let waiting = Waiting {
                    file: key.to_owned(),
                    inbox: entry.id.clone(),
                    reason: reasons.join("; "),
                    is_conflict: overtaken::is_conflict(change),
                };
                self.report.waits(waiting);
            }
        }
    }

    /// Remembers what was left as it was, so that whoever asks how an entry stands hears it. What another way only would have
    /// looked at stays as long as both sides do.
    fn remember_what_is_left(&mut self) {
        let Self { record, local, report, wish, .. } = self;
        let is_whole = wish.pull && wish.push;
        let mut aside = std::mem::take(&mut record.aside);
        aside.retain(|key, aside| {
            !is_whole && local.sum(key) == aside.here && record.server.get(key) == aside.there.as_ref()
        });
        for SetAside { file, reason, .. } in &report.set_aside {
            let (here, there) = (local.sum(file), record.server.get(file).cloned());
            // What was put before a person stands in the inbox, or was decided.
            if there.is_none() || record.held.get(file).map(|held| &held.there) != there.as_ref() {
                aside.insert(file.clone(), Aside { here, there, reason: crate::secret::redacted(reason) });
            }
        }
        record.aside = aside;
    }

    /// Writes down what both sides have, with these texts of it.
    pub(super) fn save(&self, texts: &[&[u8]]) -> std::io::Result<()> {
        self.client.place.write(&self.record, texts)
    }
}

impl Client<'_> {
    /// Does what is wished.
    ///
    /// # Errors
    /// As [`SyncError`] says. What was done before it is recorded.
    pub fn run(&self, wish: &Wish) -> Result<Report, SyncError> {
        let _lock = self.place.lock()?.ok_or(SyncError::Busy)?;
        let (record, damage) = self.place.read();
        let mut work = Work {
            client: *self,
            wish: wish.clone(),
            record,
            local: Local::default(),
            report: Report { notices: damage.into_iter().collect(), ..Report::default() },
            skip: BTreeSet::new(),
            gone: BTreeSet::new(),
            came: BTreeSet::new(),
        };
        let result = self.tries(&mut work);
        let (words, is_failed) = match &result {
            Ok(()) => (work.report.sentence(), false),
            Err(error) if work.report.has_done_something() => {
                (format!("{}, then: {error}", work.report.sentence()), true)
            }
            Err(error) => (error.to_string(), true),
        };
        if result.is_ok() {
            work.remember_what_is_left();
        }
        work.record.last = Some(Last {
            at: self.door.clock().now(),
            by: wish.by.clone(),
            words: crate::secret::redacted(&words),
            is_failed,
        });
        // What failed for now is tried again the next time something starts a sync; what came to its end is not.
        let is_for_now = matches!(
            result,
            Err(SyncError::Remote(_) | SyncError::Io(_) | SyncError::Door(_) | SyncError::StillRefused { .. })
        );
        if wish.push && !is_for_now {
            // As it was read: what somebody wrote since was not tried.
            work.record.tried = Some(work.local.picture());
        }
        let saved = work.save(&[]);
        match result {
            Ok(()) => {}
            Err(error) if work.report.has_done_something() => {
                return Err(SyncError::Halfway { done: Box::new(work.report), error: Box::new(error) });
            }
            Err(error) => return Err(error),
        }
        saved?;
        Ok(work.report)
    }

    fn tries(&self, work: &mut Work<'_>) -> Result<(), SyncError> {
        if work.wish.retry {
            work.record.blocked.clear();
            work.record.max_entries = None;
        }
        self.forget_refusal(work)?;
        let mut attempt = 1;
        loop {
            let stop = match self.once(work, attempt == 1) {
                Ok(()) => {
                    if work.wish.push {
                        work.record.refused = None;
                    }
                    return Ok(());
                }
                Err(Stop::Over(error)) => return Err(error),
                Err(Stop::Remote(error)) => error,
            };
            let is_last = attempt == TRIES;
            let jitter = Duration::from_secs_f64((WAIT.0 + (WAIT.1 - WAIT.0) * (self.rest.chance)()) / 1_000.0);
            let wait = match stop {
                RemoteError::Refused { words, .. } => {
                    let at = self.door.clock().now();
                    let credential = self.credential.to_owned();
                    work.record.refused = Some(Refusal { at, words: words.clone(), credential });
                    return Err(SyncError::Refused(words));
                }
                RemoteError::Moved if is_last => return Err(SyncError::Conflict(TRIES)),
                RemoteError::Moved => jitter,
                RemoteError::Broken(words) | RemoteError::Busy { words, .. } if is_last => {
                    return Err(SyncError::Remote(format!("{words} (asked {TRIES} times)")));
                }
                RemoteError::Busy { wait, words } => {
                    let wait = wait.unwrap_or_default().min(LONGEST) + jitter;
                    (self.rest.tell)(&format!("{words}; asked again in {:.1} s", wait.as_secs_f64()));
                    wait
                }
                RemoteError::Broken(_) => jitter,
                error => return Err(SyncError::Remote(error.to_string())),
            };
            (self.rest.sleep)(wait);
            attempt += 1;
        }
    }

    /// Lets go of a refusal of other credentials. One of the same ones holds: nothing is sent.
    fn forget_refusal(&self, work: &mut Work<'_>) -> Result<(), SyncError> {
        let Some(refusal) = &work.record.refused else { return Ok(()) };
        if refusal.credential != self.credential || work.wish.retry {
            work.record.refused = None;
            return Ok(());
        }
        let at = refusal.at.format("%Y-%m-%d").to_string();
        let stopped = SyncError::StillRefused { at, words: refusal.words.clone() };
        if work.wish.push && !work.wish.pull {
            return Err(stopped);
        }
        if work.wish.push {
            // Whoever may only read still gets what the team writes.
            work.report.notices.push(stopped.to_string());
            work.wish.push = false;
            work.report.is_refused = true;
        }
        Ok(())
    }

    fn once(&self, work: &mut Work<'_>, is_first: bool) -> Result<(), Stop> {
        work.local = Local::read(self.store.root())?;
        let (record, local) = (&work.record, &work.local);
        let hidden = record.hidden.iter().filter(|key| record.hides(key, local.sum(key).as_ref()));
        work.record.hidden = hidden.cloned().collect();
        work.report.set_aside.clear();
        work.report.hidden.clear();
        work.skip.clear();
        overtaken::reopen(work)?;
        let needs: &[Step] = if work.wish.pull { &[Step::Receive, Step::Restore, Step::Both] } else { &[Step::Both] };
        let looked = (&work.record, &work.local);
        let mut view = View::ask(self.remote, self.place, looked, is_first, needs).map_err(Stop::Remote)?;
        let index = work.local.texts.get(INDEX_FILE).cloned();
        overtaken::take_back(work, &view)?;
        pull::pull(work, &view)?;
        work.local = Local::read(self.store.root())?;
        if work.wish.pull && lines::put_back(work, index.as_ref())? {
            work.local = Local::read(self.store.root())?;
        }
        if work.wish.push {
            push::push(work, &mut view)?;
        }
        apart::renew(work)?;
        work.tell_what_is_left();
        work.tell_what_waits();
        for refused in work.local.refused.clone() {
            work.report.leave(&refused.file, refused.reason);
        }
        Ok(())
    }
}
