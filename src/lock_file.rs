//! One holder at a time of one of *our* files: the operating system's lock, and where there is none a file made
//! exclusively.
//!
//! The kernel frees its lock however the holder ends. On file systems that have no locks (some network mounts and shared
//! folders answer "not supported" or "no locks available") `<file>.held` is made instead, with its holder's identity in it:
//! one of a dead holder is set aside, one of another machine or container after twenty minutes of silence. Such a lock is
//! good, not certain; [`Lock::is_certain`] says which it is. Not its job: the lock in a store (`crate::run::lock`).

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::process::{Identity, Life};
use crate::state::{create_private_dir, open_plain, private_options, with_path};

/// A holder that cannot be looked up from here and gave no sign for this long is gone.
pub const SILENCE: Duration = Duration::from_secs(20 * 60);

/// A holder's file without a readable identity may be one that is just being written.
const WRITING: Duration = Duration::from_secs(10);

/// The operating system's answer to a wish for a lock.
pub type SystemLock = fn(&File) -> Result<(), fs2::TryLockError>;

/// The system's own lock.
///
/// # Errors
/// `WouldBlock` when somebody has it; anything else when there is no lock to be had here.
pub fn system_lock(file: &File) -> Result<(), fs2::TryLockError> {
    fs2::FileExt::try_lock(file)
}

/// A held lock; freed when dropped.
#[derive(Debug)]
pub struct Lock {
    held: Held,
}

#[derive(Debug)]
enum Held {
    /// By the kernel, on the open file.
    System(File),
    /// By a file that nobody else could make; `why` are the system's words.
    Made { path: PathBuf, owner: Owner, why: String },
}

/// What a holder's file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Owner {
    format: String,
    #[serde(flatten)]
    identity: Identity,
    /// Tells this holding from every other, also of the same process.
    token: String,
}

/// Takes the lock of a file, which is made when missing (0600). `None`: somebody else has it.
///
/// # Errors
/// When the file cannot be made or opened.
pub fn try_take(path: &Path) -> io::Result<Option<Lock>> {
    try_take_with(path, system_lock)
}

/// Like [`try_take`], asking `system` for the lock.
///
/// # Errors
/// As [`try_take`].
pub fn try_take_with(path: &Path, system: SystemLock) -> io::Result<Option<Lock>> {
    if let Some(parent) = path.parent() {
        create_private_dir(parent)?;
    }
    let file = open_plain(private_options().read(true).write(true).create(true).truncate(false), path)
        .map_err(|error| with_path(error, "cannot open", path))?;
    match system(&file) {
        Ok(()) => Ok(Some(Lock { held: Held::System(file) })),
        Err(fs2::TryLockError::WouldBlock) => Ok(None),
        Err(fs2::TryLockError::Error(error)) => make(path, &error.to_string()),
    }
}

impl Lock {
    /// Whether the kernel holds it, so that having it proves that nobody else is at it.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        matches!(self.held, Held::System(_))
    }

    /// What a person should know: why the lock is not the system's.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        match &self.held {
            Held::System(_) => None,
            Held::Made { path, why, .. } => {
                let place = path.parent().unwrap_or(path).display();
                Some(format!("files cannot be locked in {place} ({why}): a file made exclusively is used instead"))
            }
        }
    }

    /// A sign of life, for others that cannot look the holder up. To be given every few minutes.
    pub fn renew(&self) {
        if let Held::Made { path, .. } = &self.held {
            // A sign that cannot be given is given again next time.
            let _ = open_plain(File::options().write(true), path).and_then(|file| file.set_modified(SystemTime::now()));
        }
    }
}

impl Drop for Lock {
    /// Unlocks in so many words: a child that another thread is just starting has the open file too, and would hold the
    /// lock until it runs its program.
    fn drop(&mut self) {
        match &self.held {
            Held::System(file) => drop(fs2::FileExt::unlock(file)),
            Held::Made { path, owner, .. } => {
                if read(path).as_ref() == Some(owner) {
                    let _ = fs::remove_file(path);
                }
            }
        }
    }
}

/// Where the holder of a file stands that the system cannot lock.
fn held_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".held");
    path.with_file_name(name)
}

fn make(path: &Path, why: &str) -> io::Result<Option<Lock>> {
    let held = held_path(path);
    let owner = Owner { format: "dreamtop/held/1".to_owned(), identity: Identity::own(), token: token() };
    let bytes = serde_json::to_vec(&owner)?;
    // Two attempts: the second one after a dead holder's file was set aside.
    for _ in 0..2 {
        if publish(&held, &bytes).map_err(|error| with_path(error, "cannot make", &held))? {
            return Ok(Some(Lock { held: Held::Made { path: held, owner, why: why.to_owned() } }));
        }
        if !set_aside_if_dead(&held, &owner.token)? {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Puts a holder's file in its place whole, if there is none. Where there are no hard links it is made there, which nobody
/// else can have done before.
fn publish(held: &Path, bytes: &[u8]) -> io::Result<bool> {
    let parent = held.parent().unwrap_or(Path::new("."));
    let mut temp = tempfile::Builder::new().prefix(".dreamtop-").suffix(".tmp").tempfile_in(parent)?;
    temp.write_all(bytes)?;
    temp.as_file().sync_all()?;
    match fs::hard_link(temp.path(), held) {
        Ok(()) => return Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(_) => {}
    }
    match private_options().write(true).create_new(true).open(held) {
        Ok(mut file) => {
            if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_all()) {
                let _ = fs::remove_file(held);
                return Err(error);
            }
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// A holder's file as it lies there: its bytes and when it last gave a sign.
fn look(held: &Path) -> Option<(Vec<u8>, SystemTime)> {
    Some((crate::state::read_file(held).ok()?, fs::metadata(held).ok()?.modified().ok()?))
}

/// Removes a dead holder's file; whether it did. One at a time looks and removes, or a second one would remove what the
/// first one has just put in its place.
fn set_aside_if_dead(held: &Path, token: &str) -> io::Result<bool> {
    let marker = held.with_extension("takeover");
    if let Err(error) = fs::create_dir(&marker) {
        let made = fs::metadata(&marker).and_then(|found| found.modified());
        if made.is_ok_and(|made| made.elapsed().is_ok_and(|age| age > WRITING)) {
            // Whoever made it died over it; the next attempt has its turn.
            let _ = fs::remove_dir(&marker);
        }
        return if error.kind() == io::ErrorKind::AlreadyExists { Ok(false) } else { Err(error) };
    }
    let done = look_and_set_aside(held, token);
    let _ = fs::remove_dir(&marker);
    done
}

/// Sets aside what it looked at, or puts it back.
fn look_and_set_aside(held: &Path, token: &str) -> io::Result<bool> {
    let Some(found) = look(held) else { return Ok(!held.exists()) };
    let silent = found.1.elapsed().unwrap_or_default();
    let is_dead = match serde_json::from_slice::<Owner>(&found.0) {
        Err(_) => silent > WRITING,
        Ok(owner) => match owner.identity.life() {
            Life::Alive => false,
            Life::Dead => true,
            Life::Unknown => silent > SILENCE,
        },
    };
    if !is_dead {
        return Ok(false);
    }
    let aside = held.with_extension(format!("{token}.tmp"));
    match fs::rename(held, &aside) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        renamed => renamed.map_err(|error| with_path(error, "cannot set aside", held))?,
    }
    if look(&aside).as_ref() == Some(&found) {
        tracing::warn!("{}: the lock of a holder that is gone was broken", held.display());
        fs::remove_file(&aside)?;
        return Ok(true);
    }
    // Somebody took it between our look and our rename.
    if fs::hard_link(&aside, held).is_ok() {
        fs::remove_file(&aside)?;
    } else {
        fs::rename(&aside, held)?;
    }
    Ok(false)
}

fn read(path: &Path) -> Option<Owner> {
    serde_json::from_slice(&crate::state::read_file(path).ok()?).ok()
}

/// A word that no other holder has.
#[must_use]
pub fn token() -> String {
    use std::hash::{BuildHasher, Hasher};
    // Every such state has random keys, which is all the chance a token needs.
    let random = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    /// What a file system without locks answers.
    fn no_locks(_file: &File) -> Result<(), fs2::TryLockError> {
        Err(fs2::TryLockError::Error(io::Error::from_raw_os_error(37)))
    }

    #[test]
    fn the_systems_lock_is_certain_excludes_and_is_freed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("new/x.lock");
        let lock = try_take(&path).unwrap().unwrap();
        assert!(lock.is_certain() && lock.notice().is_none());
        assert!(try_take(&path).unwrap().is_none());
        drop(lock);
        assert!(try_take(&path).unwrap().is_some());
    }

    #[test]
    fn fc_037_where_files_cannot_be_locked_a_file_made_exclusively_excludes_says_so_and_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.lock");
        let lock = try_take_with(&path, no_locks).unwrap().unwrap();
        assert!(!lock.is_certain());
        let notice = lock.notice().unwrap();
        assert!(notice.contains("cannot be locked") && notice.contains("exclusively"), "{notice}");
        assert!(try_take_with(&path, no_locks).unwrap().is_none());
        drop(lock);
        assert!(!held_path(&path).exists());
        assert!(try_take_with(&path, no_locks).unwrap().is_some());
    }

    #[test]
    fn a_dead_holders_file_is_broken_a_live_ones_is_not_and_one_from_elsewhere_after_its_silence() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.lock");
        let held = held_path(&path);
        let own = Identity::own();
        let put = |identity: &Identity, age: Duration| {
            let owner = Owner { format: "dreamtop/held/1".into(), identity: identity.clone(), token: "t".into() };
            fs::write(&held, serde_json::to_vec(&owner).unwrap()).unwrap();
            File::options().write(true).open(&held).unwrap().set_modified(SystemTime::now() - age).unwrap();
        };
        let second = Duration::from_secs(1);
        let reused = Identity { birth: Some("at another time".into()), ..own.clone() };
        let place = crate::process::Place { namespace: Some("pid:[1]".into()), ..own.place.clone() };
        let elsewhere = Identity { place, ..own.clone() };
        for (identity, age, taken) in [
            (&own, SILENCE * 10, false),
            (&reused, second, true),
            (&elsewhere, SILENCE - 45 * second, false),
            (&elsewhere, SILENCE + 45 * second, true),
        ] {
            put(identity, age);
            assert_eq!(try_take_with(&path, no_locks).unwrap().is_some(), taken, "{identity:?} {age:?}");
        }
        for (content, age, taken) in
            [(&b""[..], second, false), (b"", WRITING * 2, true), (b"\xff{", WRITING * 2, true)]
        {
            fs::write(&held, content).unwrap();
            File::options().write(true).open(&held).unwrap().set_modified(SystemTime::now() - age).unwrap();
            assert_eq!(try_take_with(&path, no_locks).unwrap().is_some(), taken, "{content:?} {age:?}");
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside the lock file");
    }

    #[test]
    fn of_eight_racers_without_system_locks_one_wins_also_over_a_dead_holder() {
        for round in 0..20 {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("x.lock");
            if round % 2 == 1 {
                fs::write(held_path(&path), "").unwrap();
                let long_ago = SystemTime::now() - WRITING * 3;
                File::options().write(true).open(held_path(&path)).unwrap().set_modified(long_ago).unwrap();
            }
            let barrier = std::sync::Barrier::new(8);
            let won = std::thread::scope(|scope| {
                let racers: Vec<_> = (0..8)
                    .map(|_| {
                        scope.spawn(|| {
                            barrier.wait();
                            let lock = try_take_with(&path, no_locks).unwrap();
                            barrier.wait();
                            lock.is_some()
                        })
                    })
                    .collect();
                racers.into_iter().map(|racer| usize::from(racer.join().unwrap())).sum::<usize>()
            });
            assert!(won <= 1, "round {round}: {won} winners");
            assert!(round % 2 == 1 || won == 1, "round {round}");
        }
    }
}
