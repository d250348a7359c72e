#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
use std::process::{Child, Command};
use std::sync::{Arc, Barrier};
use std::time::SystemTime;

use super::*;
use crate::process::{self, Place};

struct Site {
    _dir: tempfile::TempDir,
    store: PathBuf,
    state: PathBuf,
}

const IMPATIENT: Patience = Patience { settle: Duration::from_millis(5), unfinished: Duration::from_millis(40) };

fn now() -> DateTime<Utc> {
    "2026-04-09T12:00:00Z".parse().unwrap()
}

fn clock() -> Clock {
    Clock::Fixed(now())
}

fn site() -> Site {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("memory");
    fs::create_dir(&store).unwrap();
    let state = dir.path().join("state");
    Site { _dir: dir, store, state }
}

impl Site {
    fn lock_file(&self) -> PathBuf {
        self.store.join(LOCK_FILE)
    }
    fn put(&self, content: &[u8], age: TimeDelta) {
        fs::write(self.lock_file(), content).unwrap();
        let file = fs::OpenOptions::new().write(true).open(self.lock_file()).unwrap();
        file.set_modified(SystemTime::from(now() - age)).unwrap();
    }
    fn take(&self) -> Result<StoreLock, LockError> {
        acquire(&self.store, &self.state, &clock(), IMPATIENT)
    }
    fn content(&self) -> String {
        fs::read_to_string(self.lock_file()).unwrap()
    }
    fn mtime(&self) -> DateTime<Utc> {
        file::mtime(&self.lock_file()).unwrap()
    }
    fn last(&self) -> Option<DateTime<Utc>> {
        last_success(&self.store, &self.state, None, now())
    }
    fn litter(&self) -> usize {
        fs::read_dir(&self.store).unwrap().filter(|entry| entry.as_ref().unwrap().file_name() != LOCK_FILE).count()
    }
}

fn dead_pid() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    pid
}

struct Sleeper(Child);
impl Sleeper {
    fn new() -> Self {
        Self(Command::new("sleep").arg("60").spawn().unwrap())
    }
}
impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_free_lock_is_taken_and_success_moves_its_time() {
    let site = site();
    let lock = site.take().unwrap();
    assert!(lock.notices().is_empty());
    assert_eq!(site.content(), std::process::id().to_string());
    assert_eq!(site.last(), None, "a run that goes on is no success");
    lock.succeed(now() + TimeDelta::minutes(3)).unwrap();
    assert_eq!(site.mtime(), now() + TimeDelta::minutes(3));
    assert_eq!(site.litter(), 0);
}

#[test]
fn a_roll_back_restores_bytes_and_time_or_absence() {
    let site = site();
    site.take().unwrap().roll_back().unwrap();
    assert!(!site.lock_file().exists());
    let pid = dead_pid().to_string();
    site.put(pid.as_bytes(), TimeDelta::hours(31));
    let before = (site.content(), site.mtime());
    drop(site.take().unwrap());
    assert_eq!((site.content(), site.mtime()), before);
    assert_eq!(site.litter(), 0);
}

#[test]
fn fc_028_a_lock_of_a_dead_process_is_taken_over_and_said_so() {
    let site = site();
    let pid = dead_pid();
    site.put(pid.to_string().as_bytes(), TimeDelta::minutes(10));
    assert!(matches!(standing(&site.store, &site.state, now()), Standing::Stale(_)));
    let lock = site.take().unwrap();
    assert_eq!(lock.notices()[0], format!("took over the lock from a dead process (PID {pid})"));
}

#[test]
fn fc_030_a_live_foreign_process_is_respected_for_an_hour_and_not_longer() {
    let site = site();
    let sleeper = Sleeper::new();
    let pid = sleeper.0.id().to_string();
    site.put(pid.as_bytes(), TimeDelta::minutes(10));
    let Err(LockError::Held(why)) = site.take() else { panic!("robbed a live holder") };
    assert!(why.contains(&pid) && why.contains("10 min"), "{why}");
    assert_eq!((site.content(), site.mtime()), (pid.clone(), now() - TimeDelta::minutes(10)));
    site.put(pid.as_bytes(), TimeDelta::hours(2));
    assert!(site.take().unwrap().notices()[0].contains("over an hour"));
}

#[test]
fn fc_030_a_lock_of_ours_whose_process_was_born_at_another_time_is_taken_over() {
    let site = site();
    let sleeper = Sleeper::new();
    let pid = sleeper.0.id();
    site.put(pid.to_string().as_bytes(), TimeDelta::minutes(10));
    let record = Record {
        holder: Identity { pid, birth: Some("before the reboot".into()), ..Identity::own() },
        token: "t".into(),
        prior: None,
        was_free: false,
        stamp: now() - TimeDelta::minutes(10),
        finished: false,
    };
    record.write(&site.state).unwrap();
    assert!(site.take().unwrap().notices()[0].contains("dead process"));
}

#[test]
fn fc_031_our_own_id_in_a_lock_we_never_took_is_stale() {
    let site = site();
    site.put(std::process::id().to_string().as_bytes(), TimeDelta::minutes(1));
    assert!(site.take().unwrap().notices()[0].contains("our id"));
}

#[test]
fn fc_034_a_lock_that_names_no_process_is_waited_for_when_young_and_taken_over_when_old() {
    let site = site();
    for content in
        [&b""[..], b"abc", b"-1", b"0", b"123456789012345678901234567890", b"\xff\xfe", b"12 34", &[b'9'; 5_000]]
    {
        for age in [TimeDelta::zero(), TimeDelta::seconds(5), TimeDelta::days(-3)] {
            site.put(content, age);
            let started = Instant::now();
            // An old one that were waited for would be waited for too long for any test.
            let unfinished = if age.is_zero() { IMPATIENT.unfinished } else { Duration::from_secs(600) };
            let lock = acquire(&site.store, &site.state, &clock(), Patience { unfinished, ..IMPATIENT }).unwrap();
            assert!(!age.is_zero() || started.elapsed() >= unfinished, "{content:?}");
            assert!(lock.notices()[0].contains("lock file"));
            lock.roll_back().unwrap();
        }
    }
}

#[test]
fn fc_034_a_time_in_the_future_is_no_success_and_does_not_hold_for_ever() {
    let site = site();
    let sleeper = Sleeper::new();
    site.put(sleeper.0.id().to_string().as_bytes(), TimeDelta::days(-3));
    assert_eq!(site.last(), None);
    let own = now() - TimeDelta::hours(30);
    assert_eq!(last_success(&site.store, &site.state, Some(own), now()), Some(own));
    assert!(matches!(site.take(), Err(LockError::Held(_))));
    let later = Clock::Fixed(now() + TimeDelta::minutes(61));
    assert!(acquire(&site.store, &site.state, &later, IMPATIENT).is_ok());
}

#[test]
fn fc_035_after_a_success_the_same_process_and_others_may_run_again_at_once() {
    let site = site();
    site.take().unwrap().succeed(now()).unwrap();
    assert_eq!(standing(&site.store, &site.state, now()), Standing::Free);
    let again = site.take().unwrap();
    assert!(again.notices().is_empty());
    again.succeed(now()).unwrap();
    // Another process sees a live process id, but the record beside it says that its run is over.
    let sleeper = Sleeper::new();
    let mut record = Record::read(&site.state).unwrap();
    record.holder.pid = sleeper.0.id();
    record.write(&site.state).unwrap();
    site.put(record.holder.pid.to_string().as_bytes(), TimeDelta::zero());
    assert!(site.take().is_ok());
}

#[cfg(unix)]
#[test]
fn a_link_or_directory_in_place_of_the_lock_is_refused_and_left_alone() {
    let site = site();
    let target = site.state.join("target");
    fs::create_dir_all(&site.state).unwrap();
    fs::write(&target, "1").unwrap();
    std::os::unix::fs::symlink(&target, site.lock_file()).unwrap();
    assert!(matches!(site.take(), Err(LockError::Held(why)) if why.contains("a link")));
    assert_eq!(fs::read_to_string(&target).unwrap(), "1");
    fs::remove_file(site.lock_file()).unwrap();
    fs::create_dir(site.lock_file()).unwrap();
    assert!(matches!(site.take(), Err(LockError::Held(why)) if why.contains("a directory")));
    assert_eq!(site.last(), None);
}

#[test]
fn a_run_that_died_without_a_word_leaves_the_schedule_as_it_was() {
    let site = site();
    site.put(dead_pid().to_string().as_bytes(), TimeDelta::hours(31));
    let before = (site.content(), site.mtime());
    // What a killed holder leaves behind: the published file and an unfinished record, the guard freed by the kernel.
    let mut lock = site.take().unwrap();
    lock.record.holder.pid = dead_pid();
    lock.record.write(&site.state).unwrap();
    fs::write(site.lock_file(), lock.record.holder.pid.to_string()).unwrap();
    file::set_mtime(&site.lock_file(), now()).unwrap();
    lock.released = true;
    drop(lock);
    assert_eq!(site.last(), Some(before.1));
    assert!(recover(&site.store, &site.state).unwrap().unwrap().contains("dead process"));
    assert_eq!((site.content(), site.mtime()), before);
    assert_eq!(recover(&site.store, &site.state).unwrap(), None);
}

#[test]
fn a_crash_between_setting_aside_and_publishing_loses_nothing() {
    let site = site();
    site.put(b"1234567", TimeDelta::hours(31));
    let before = (site.content(), site.mtime());
    let found = file::read(&site.lock_file()).unwrap().unwrap();
    let record = Record {
        holder: Identity { pid: dead_pid(), birth: None, ..Identity::own() },
        token: "abc".into(),
        prior: Some(found.prior()),
        was_free: false,
        stamp: now(),
        finished: false,
    };
    record.write(&site.state).unwrap();
    file::set_aside(&site.lock_file(), &found, "abc").unwrap().unwrap();
    assert_eq!(site.last(), Some(before.1));
    recover(&site.store, &site.state).unwrap();
    assert_eq!((site.content(), site.mtime()), before);
    assert_eq!(site.litter(), 0);
}

#[test]
fn a_renewed_lock_is_young_again() {
    let site = site();
    let mut lock = site.take().unwrap();
    lock.renew(now() + TimeDelta::minutes(50)).unwrap();
    assert_eq!(site.mtime(), now() + TimeDelta::minutes(50));
    assert_eq!(last_success(&site.store, &site.state, None, now() + TimeDelta::minutes(51)), None);
    lock.roll_back().unwrap();
    assert!(!site.lock_file().exists());
}

#[test]
fn of_eight_racers_exactly_one_wins_each_of_twenty_rounds() {
    for round in 0..20 {
        let site = Arc::new(site());
        if round % 2 == 1 {
            site.put(dead_pid().to_string().as_bytes(), TimeDelta::hours(30));
        }
        let barrier = Arc::new(Barrier::new(8));
        let held_at_once = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let racers: Vec<_> = (0..8)
            .map(|_| {
                let (site, barrier, held) = (Arc::clone(&site), Arc::clone(&barrier), Arc::clone(&held_at_once));
                std::thread::spawn(move || {
                    barrier.wait();
                    let lock = site.take();
                    let won = lock.is_ok();
                    held.fetch_add(usize::from(won), std::sync::atomic::Ordering::SeqCst);
                    barrier.wait();
                    drop(lock);
                    won
                })
            })
            .collect();
        let winners = racers.into_iter().filter_map(|racer| racer.join().unwrap().then_some(())).count();
        assert_eq!((winners, held_at_once.load(std::sync::atomic::Ordering::SeqCst)), (1, 1), "round {round}");
        assert_eq!(site.litter(), 0);
    }
}

/// What a file system without locks answers.
fn no_locks(_file: &fs::File) -> Result<(), fs2::TryLockError> {
    Err(fs2::TryLockError::Error(io::Error::from_raw_os_error(37)))
}

#[test]
fn fc_032_a_silent_holder_counted_elsewhere_is_broken_with_a_word_and_one_that_can_be_seen_is_not() {
    let sleeper = Sleeper::new();
    let here = Identity { pid: sleeper.0.id(), birth: process::birth(sleeper.0.id()), ..Identity::own() };
    let at = |place: Place| Identity { place, ..here.clone() };
    let elsewhere = at(Place { namespace: Some("pid:[362]".into()), ..Place::here() });
    let remote = at(Place { host: "elsewhere".into(), boot_id: Some("another".into()), ..Place::here() });
    let limit = TimeDelta::from_std(crate::lock_file::SILENCE).unwrap();
    let past = TimeDelta::seconds(45);
    for (holder, silent, is_broken) in [
        (&elsewhere, limit + past, true),
        (&elsewhere, limit - past, false),
        (&remote, limit + past, true),
        (&remote, limit - past, false),
        (&here, limit + past, false),
    ] {
        let site = site();
        let record = Record {
            holder: holder.clone(),
            token: "t".into(),
            prior: None,
            was_free: false,
            stamp: now() - silent,
            finished: false,
        };
        record.write(&site.state).unwrap();
        site.put(holder.pid.to_string().as_bytes(), silent);
        let is_free = !matches!(standing(&site.store, &site.state, now()), Standing::Held(_));
        assert_eq!(is_free, is_broken, "{holder:?} {silent}");
        match acquire_with(&site.store, &site.state, &clock(), IMPATIENT, no_locks) {
            Ok(lock) => assert!(is_broken && lock.notices()[0].contains("silent for 20 min"), "{:?}", lock.notices()),
            Err(LockError::Held(why)) => assert!(!is_broken && why.contains("running"), "{why}"),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn fc_037_without_system_locks_the_fallback_excludes_says_so_once_and_a_kill_leaves_nothing_for_ever() {
    let site = site();
    let take = || acquire_with(&site.store, &site.state, &clock(), IMPATIENT, no_locks);
    let lock = take().unwrap();
    assert_eq!(lock.notices().len(), 1, "{:?}", lock.notices());
    assert!(lock.notices()[0].contains("cannot be locked"));
    assert!(matches!(take(), Err(LockError::Held(why)) if why.contains("running already")));
    lock.succeed(now()).unwrap();
    assert_eq!(site.mtime(), now());
    assert!(take().is_ok());
}

#[test]
fn a_lock_that_was_lost_says_whether_it_was_taken_removed_or_went_with_its_store() {
    let site = site();
    let lock = site.take().unwrap();
    site.put(b"1", TimeDelta::zero());
    assert!(!lock.is_still_ours() && lock.why_lost().starts_with("another program took the lock"));
    fs::remove_file(site.lock_file()).unwrap();
    assert!(lock.why_lost().starts_with("the lock of the store was removed"), "{}", lock.why_lost());
    fs::rename(&site.store, site.store.with_file_name("elsewhere")).unwrap();
    assert!(lock.why_lost().starts_with("the store was moved away"), "{}", lock.why_lost());
}
