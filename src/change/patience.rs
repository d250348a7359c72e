//! Renames that another program stands in the way of for a moment: a virus scanner or an indexer that has just opened the
//! file, a network file system that is not done with it. And files that another program has emptied and not filled yet.
//!
//! Not its job: waiting for the landing lock (see [`super::workshop`]).

use std::io;
use std::time::Duration;

/// How often a rename is tried.
const TRIES: u32 = 10;

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_millis(20);

/// Tries again while the operating system says that the file is in use, at most a fifth of a second in all; then its last
/// word counts.
pub(super) fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 1..TRIES {
        match attempt() {
            Err(error) if is_sharing(&error) => std::thread::sleep(PAUSE),
            done => return done,
        }
    }
    attempt()
}

/// How long a file that was just emptied may stay so before it counts as empty: a busy machine stops a program anywhere.
pub(super) const MOMENT: Duration = Duration::from_secs(2);

/// How often in a row a file has to be seen empty, with a time that is old, until it counts as empty.
pub(super) const LOOKS: u32 = 4;

/// Looks again while a file is not filled yet, for a [`MOMENT`] and a little more.
///
/// # Errors
/// When somebody keeps emptying it: to go by what is seen then would be to lose what stood there.
pub(super) fn until_filled<T>(
    mut look: impl FnMut() -> io::Result<T>,
    mut is_filled: impl FnMut(&T) -> bool,
) -> io::Result<T> {
    let begun = std::time::Instant::now();
    loop {
        let seen = look()?;
        if is_filled(&seen) {
            return Ok(seen);
        }
        if begun.elapsed() >= MOMENT + 10 * PAUSE {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                "another program keeps emptying it; try again when it is done",
            ));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether an error says that another program is using the file just now.
fn is_sharing(error: &io::Error) -> bool {
    if cfg!(windows) {
        // Access denied, sharing violation, lock violation: a scanner causes any of them.
        return matches!(error.raw_os_error(), Some(5 | 32 | 33));
    }
    matches!(error.kind(), io::ErrorKind::ResourceBusy | io::ErrorKind::ExecutableFileBusy)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn busy() -> io::Error {
        if cfg!(windows) { io::Error::from_raw_os_error(32) } else { io::ErrorKind::ResourceBusy.into() }
    }

    #[test]
    fn a_rename_that_is_refused_twice_for_sharing_is_made_once() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        std::fs::write(&from, "new").unwrap();
        let (mut asked, mut made) = (0, 0);
        patiently(|| {
            asked += 1;
            if asked <= 2 {
                return Err(busy());
            }
            made += 1;
            std::fs::rename(&from, &to)
        })
        .unwrap();
        assert_eq!((asked, made, std::fs::read_to_string(&to).unwrap().as_str()), (3, 1, "new"));
    }

    #[test]
    fn what_stays_in_use_ends_with_the_systems_word_and_other_errors_end_at_once() {
        let mut asked = 0;
        let refused = patiently(|| {
            asked += 1;
            Err::<(), _>(busy())
        });
        assert_eq!((asked, refused.unwrap_err().kind()), (TRIES, busy().kind()));
        asked = 0;
        let refused = patiently(|| {
            asked += 1;
            Err::<(), _>(io::ErrorKind::StorageFull.into())
        });
        assert_eq!((asked, refused.unwrap_err().kind()), (1, io::ErrorKind::StorageFull));
    }
}
