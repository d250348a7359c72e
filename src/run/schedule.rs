//! What is remembered about the runs of one store between runs: last success, last scan, failures, cursors.
//!
//! Each fact is a small file of its own, written as a whole, so that two workers never overwrite each other's. A file that
//! is missing or damaged counts as "never". Not its job: deciding on a run (see [`super::gates`]).

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::files::{read, write};
use super::lock::JITTER;
use crate::engine::JobKind;
use crate::state::{StateDir, session_name};

/// After the first failure automatic runs wait this long; each further one doubles it.
const FIRST_WAIT_MINUTES: i64 = 5;
/// They never wait longer than this.
const LONGEST_WAIT_MINUTES: i64 = 6 * 60;

/// The schedule of a store.
#[derive(Clone, Debug)]
pub struct Schedule {
    dir: PathBuf,
}

/// How runs of one kind went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The last success.
    pub last_success: Option<DateTime<Utc>>,
    /// Failures since then.
    pub failures: u32,
    /// Automatic runs wait until then.
    pub retry_after: Option<DateTime<Utc>>,
    /// Or until then, as a failure before a clock that was set back had it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_later: Option<DateTime<Utc>>,
    /// The latest successes, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub successes: Vec<Success>,
}

/// A run that succeeded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Success {
    /// The run.
    pub run: String,
    /// When it succeeded.
    pub at: DateTime<Utc>,
    /// The success before it, by anyone.
    #[serde(default)]
    pub before: Option<DateTime<Utc>>,
    /// When a person took back what it landed; `None`: it stands.
    #[serde(default)]
    pub taken_back: Option<DateTime<Utc>>,
}

/// So many successes are remembered: an undo is of something recent.
const SUCCESSES: usize = 20;

/// The ending of the file about workers that died over a session.
const DIED: &str = "died";

/// As precisely as other programs keep the time of the lock.
const SAME: TimeDelta = TimeDelta::seconds(2);

impl Record {
    /// Until when automatic runs wait after failures. A time further away than the wait after so many failures is of a
    /// clock that was set back since: nobody waits for that.
    #[must_use]
    pub fn waits_until(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let waits = [self.retry_after, self.retry_later].into_iter().flatten();
        waits.filter(|until| *until > now && *until - now <= wait(self.failures)).max()
    }

    /// Counts a failure: the next run waits, longer each time.
    fn fail(&mut self, now: DateTime<Utc>) {
        self.failures = self.failures.saturating_add(1);
        let until = now + wait(self.failures);
        // Under a clock that was set back, the wait of the right one is not forgotten.
        self.retry_later = self.retry_later.max(self.retry_after).filter(|later| *later > until);
        self.retry_after = Some(until);
    }

    /// When a person took back what the latest success landed: until another one, automatic runs do not do the same again.
    #[must_use]
    pub fn taken_back(&self) -> Option<DateTime<Utc>> {
        self.successes.last().and_then(|success| success.taken_back)
    }

    /// Whether a person took back what a run landed; `None`: it is not among the latest successes.
    #[must_use]
    pub fn was_taken_back(&self, run: &str) -> Option<bool> {
        let success = self.successes.iter().find(|success| success.run == run)?;
        Some(success.taken_back.is_some())
    }

    /// Whether a time is one that the lock had when a success stood.
    #[must_use]
    pub fn knows(&self, at: impl Fn(DateTime<Utc>) -> bool) -> bool {
        self.successes.iter().any(|success| at(success.at) || success.before.is_some_and(&at))
    }

    /// The latest success that counts now, whatever the clock was when it was noted. One that is dated in the future is of a
    /// clock that was set back since: it tells nothing, and those before it are not forgotten for it.
    #[must_use]
    pub fn success_by(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.last_success.into_iter().chain(self.standing()).filter(|at| *at <= now + JITTER).max()
    }

    /// When the last success is dated, if that is still to come.
    #[must_use]
    pub fn success_to_come(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.last_success.filter(|at| *at > now + JITTER)
    }

    /// The successes that nobody took back, in the order in which they were noted, the latest first.
    fn standing(&self) -> impl Iterator<Item = DateTime<Utc>> {
        let was_taken_back = |at: DateTime<Utc>| {
            let same = self.successes.iter().filter(|known| (known.at - at).abs() <= SAME);
            same.into_iter().any(|known| known.taken_back.is_some())
        };
        self.successes.iter().rev().flat_map(move |success| {
            let own = Some(success.at).filter(|_| success.taken_back.is_none());
            // One by another program is known only from the run that came after it.
            let before = success.before.filter(|before| !was_taken_back(*before));
            own.into_iter().chain(before)
        })
    }
}

/// How long automatic runs wait after so many failures in a row.
fn wait(failures: u32) -> TimeDelta {
    let doublings = failures.saturating_sub(1).min(16);
    TimeDelta::minutes(FIRST_WAIT_MINUTES.saturating_mul(1 << doublings).min(LONGEST_WAIT_MINUTES))
}

/// Up to where a session was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cursor {
    /// The offset after the last line read.
    pub offset: u64,
    /// That line's number.
    pub line: u64,
    /// The uuid of the last human turn read.
    pub uuid: Option<String>,
}

/// When sessions were looked through.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Scan {
    at: Option<DateTime<Utc>>,
}

impl Schedule {
    /// The schedule of a store.
    #[must_use]
    pub fn of(state: &StateDir, store: &Path) -> Self {
        Self { dir: state.store(store) }
    }

    /// Where it lies.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How runs of a kind went so far.
    #[must_use]
    pub fn record(&self, kind: JobKind) -> Record {
        read(&self.file(kind))
    }

    /// A run of that kind succeeded; `before` is the success before it, by anyone.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn succeeded(
        &self,
        kind: JobKind,
        run: &str,
        before: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> io::Result<()> {
        let mut successes = self.record(kind).successes;
        successes.push(Success { run: run.to_owned(), at: now, before, taken_back: None });
        successes.drain(..successes.len().saturating_sub(SUCCESSES));
        let record = Record { last_success: Some(now), successes, ..Record::default() };
        write(&self.file(kind), "schedule", &record)
    }

    /// What a run landed was taken back, or (`at`: `None`) is in force again. The last success is then the latest one that
    /// stands.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn taken_back(&self, kind: JobKind, run: &str, at: Option<DateTime<Utc>>) -> io::Result<()> {
        let mut record = self.record(kind);
        let Some(success) = record.successes.iter_mut().find(|known| known.run == run) else { return Ok(()) };
        success.taken_back = at;
        let latest = record.standing().next();
        record.last_success = latest;
        write(&self.file(kind), "schedule", &record)
    }

    /// A run of that kind failed: the next automatic one waits, longer each time.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn failed(&self, kind: JobKind, now: DateTime<Utc>) -> io::Result<()> {
        let mut record = self.record(kind);
        record.fail(now);
        write(&self.file(kind), "schedule", &record)
    }

    /// The worker of a run died or never came to its first word: what it was about waits before it is tried again, longer each
    /// time. An extraction is about one session, and no other one waits for it.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn died(&self, kind: JobKind, session: Option<&str>, now: DateTime<Utc>) -> io::Result<()> {
        let Some(session) = session.filter(|_| kind == JobKind::Extract) else { return self.failed(kind, now) };
        let mut record = self.session_record(session);
        record.fail(now);
        write(&self.session_file(session, DIED), "schedule", &record)
    }

    /// How often workers died over a session in a row.
    #[must_use]
    pub fn session_record(&self, session: &str) -> Record {
        read(&self.session_file(session, DIED))
    }

    /// A worker got through with a session.
    pub fn survived(&self, session: &str) {
        let _ = std::fs::remove_file(self.session_file(session, DIED));
    }

    /// When sessions were last scanned for the session gate. A time in the future counts as never.
    #[must_use]
    pub fn last_scan(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        read::<Scan>(&self.dir.join("scan.json")).at.filter(|at| *at <= now + TimeDelta::minutes(5))
    }

    /// Sessions are being scanned.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn scanned(&self, now: DateTime<Utc>) -> io::Result<()> {
        write(&self.dir.join("scan.json"), "scan", &Scan { at: Some(now) })
    }

    /// Up to where a session was read. A transcript that no longer fits (shorter than that, or no line ends there) was
    /// rewritten and is read from its start.
    #[must_use]
    pub fn cursor(&self, session: &str, transcript: &Path) -> Cursor {
        let cursor: Cursor = read(&self.session_file(session, "json"));
        if cursor.offset == 0 || ends_a_line(transcript, cursor.offset) { cursor } else { Cursor::default() }
    }

    /// The last human turn that was read of each session.
    #[must_use]
    pub fn last_turns(&self) -> HashSet<String> {
        let entries = std::fs::read_dir(self.dir.join("sessions")).into_iter().flatten().flatten();
        let cursors =
            entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
        cursors.filter_map(|path| read::<Cursor>(&path).uuid).collect()
    }

    /// A session was read up to there. Never moves backwards within one transcript.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn move_cursor(&self, session: &str, transcript: &Path, to: &Cursor) -> io::Result<()> {
        if to.offset < self.cursor(session, transcript).offset {
            return Ok(());
        }
        write(&self.session_file(session, "json"), "cursor", to)
    }

    /// A file about a session; ids that are no plain names are replaced by their hash.
    pub(super) fn session_file(&self, session: &str, ending: &str) -> PathBuf {
        let name = session_name(session);
        self.dir.join("sessions").join(format!("{name}.{ending}"))
    }

    fn file(&self, kind: JobKind) -> PathBuf {
        self.dir.join(format!("{}.json", kind.word()))
    }
}

/// Whether a line of the file ends right before the offset.
fn ends_a_line(path: &Path, offset: u64) -> bool {
    use std::io::{Read, Seek, SeekFrom};
    let mut byte = [0];
    crate::state::open_file(path)
        .and_then(|mut file| {
            file.seek(SeekFrom::Start(offset.saturating_sub(1)))?;
            file.read_exact(&mut byte)
        })
        .is_ok_and(|()| byte == *b"\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use std::fs;

    use super::*;

    fn schedule() -> (tempfile::TempDir, Schedule) {
        let dir = tempfile::tempdir().unwrap();
        let schedule = Schedule { dir: dir.path().join("stores/x") };
        (dir, schedule)
    }

    fn now() -> DateTime<Utc> {
        "2026-04-09T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn waits_grow_with_each_failure_up_to_six_hours_and_end_with_a_success() {
        let (_dir, schedule) = schedule();
        let mut waits = Vec::new();
        for _ in 0..9 {
            schedule.failed(JobKind::Dream, now()).unwrap();
            waits.push((schedule.record(JobKind::Dream).retry_after.unwrap() - now()).num_minutes());
        }
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
        assert_eq!(schedule.record(JobKind::Extract), Record::default());
        schedule.succeeded(JobKind::Dream, "a", None, now()).unwrap();
        let record = schedule.record(JobKind::Dream);
        assert_eq!((record.last_success, record.failures, record.retry_after), (Some(now()), 0, None));
    }

    #[test]
    fn a_worker_that_died_over_a_session_keeps_only_that_session_waiting() {
        let (_dir, schedule) = schedule();
        schedule.died(JobKind::Extract, Some("a"), now()).unwrap();
        schedule.died(JobKind::Extract, Some("a"), now()).unwrap();
        let waits = |session: &str| schedule.session_record(session).waits_until(now());
        assert_eq!(waits("a"), Some(now() + TimeDelta::minutes(10)));
        assert_eq!((waits("b"), schedule.record(JobKind::Extract).waits_until(now())), (None, None));
        schedule.survived("a");
        assert_eq!(waits("a"), None);
        // A dream is about the whole store.
        schedule.died(JobKind::Dream, Some("a"), now()).unwrap();
        assert!(schedule.record(JobKind::Dream).waits_until(now()).is_some() && waits("a").is_none());
    }

    #[test]
    fn the_last_success_is_the_latest_one_that_nobody_took_back() {
        let (_dir, schedule) = schedule();
        let at = |hours| now() + TimeDelta::hours(hours);
        let last = || schedule.record(JobKind::Dream).last_success;
        let kind = JobKind::Dream;
        // Another program dreamt an hour before ours.
        schedule.succeeded(kind, "a", Some(at(-1)), at(0)).unwrap();
        schedule.succeeded(kind, "b", Some(at(0)), at(30)).unwrap();
        schedule.taken_back(kind, "b", Some(at(31))).unwrap();
        assert_eq!((last(), schedule.record(kind).taken_back()), (Some(at(0)), Some(at(31))));
        assert_eq!(schedule.record(kind).was_taken_back("a"), Some(false));
        schedule.taken_back(kind, "a", Some(at(32))).unwrap();
        assert_eq!(last(), Some(at(-1)), "the other program's still counts");
        schedule.taken_back(kind, "b", None).unwrap();
        assert_eq!((last(), schedule.record(kind).taken_back()), (Some(at(30)), None));
        schedule.taken_back(kind, "a", None).unwrap();
        assert_eq!(last(), Some(at(30)));
        schedule.taken_back(kind, "unknown", Some(at(40))).unwrap();
        assert_eq!((last(), schedule.record(kind).was_taken_back("unknown")), (Some(at(30)), None));
        for number in 0..50 {
            schedule.succeeded(kind, &number.to_string(), None, at(100 + number)).unwrap();
        }
        assert_eq!(schedule.record(kind).successes.len(), SUCCESSES);
    }

    #[test]
    fn a_cursor_never_moves_backwards_but_starts_anew_in_a_rewritten_transcript() {
        let (dir, schedule) = schedule();
        let transcript = dir.path().join("t.jsonl");
        fs::write(&transcript, "one\ntwo\nthree\n").unwrap();
        let at = |offset, line| Cursor { offset, line, uuid: None };
        schedule.move_cursor("s", &transcript, &at(8, 2)).unwrap();
        schedule.move_cursor("s", &transcript, &at(4, 1)).unwrap();
        assert_eq!(schedule.cursor("s", &transcript), at(8, 2));
        fs::write(&transcript, "one\n").unwrap();
        assert_eq!(schedule.cursor("s", &transcript), Cursor::default());
        schedule.move_cursor("s", &transcript, &at(4, 1)).unwrap();
        assert_eq!(schedule.cursor("s", &transcript), at(4, 1));
    }

    #[test]
    fn damaged_files_and_scans_in_the_future_count_as_never() {
        let (_dir, schedule) = schedule();
        schedule.scanned(now() + TimeDelta::hours(1)).unwrap();
        assert_eq!(schedule.last_scan(now()), None);
        schedule.scanned(now()).unwrap();
        assert_eq!(schedule.last_scan(now()), Some(now()));
        fs::write(schedule.dir.join("scan.json"), "{").unwrap();
        assert_eq!(schedule.last_scan(now()), None);
    }

    #[test]
    fn session_ids_that_are_paths_stay_in_their_directory() {
        let (_dir, schedule) = schedule();
        for id in ["../../x", "a/b", "", "..", "é", &"x".repeat(300)] {
            let file = schedule.session_file(id, "json");
            assert_eq!(file.parent().unwrap(), schedule.dir.join("sessions"), "{id}");
            assert!(file.file_name().unwrap().len() < 80);
        }
    }
}
