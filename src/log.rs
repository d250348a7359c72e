//! The program's log: `log/dreamtop.log` in the state directory, made when there is first something to say.
//!
//! Warnings and errors that have no better place: the screen owns the terminal, and a worker has none. Not its job: what
//! a run did (see its journal) and what a person must be told (that is said where they look).

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use tracing_subscriber::fmt::MakeWriter;

use crate::secret;
use crate::state::{StateDir, create_private_dir, open_plain, private_options};

/// A log longer than this is set aside (one old log is kept) before the next line.
const MAX_BYTES: u64 = 1_000_000;

/// Sends warnings and errors of this process to the log. A second call changes nothing.
pub fn start(state: &StateDir) {
    let log = LogFile { path: state.log().join("dreamtop.log") };
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_max_level(tracing::Level::WARN).with_writer(log);
    let _ = tracing::subscriber::set_global_default(subscriber.finish());
}

#[derive(Clone, Debug)]
struct LogFile {
    path: PathBuf,
}

impl LogFile {
    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        if let Some(parent) = self.path.parent() {
            create_private_dir(parent)?;
        }
        if fs::metadata(&self.path).is_ok_and(|log| log.len() > MAX_BYTES) {
            fs::rename(&self.path, self.path.with_extension("old.log"))?;
        }
        // A path or an error may quote what it was about.
        let line = secret::redacted(&String::from_utf8_lossy(bytes));
        open_plain(private_options().append(true).create(true), &self.path)?.write_all(line.as_bytes())
    }
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A log that cannot be written must not disturb what it would have told of.
        let _ = self.append(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogFile {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_line_makes_the_log_private_and_a_long_log_is_set_aside_once() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = LogFile { path: dir.path().join("log/dreamtop.log") };
        log.write_all(b"a warning\n").unwrap();
        assert_eq!(fs::read_to_string(&log.path).unwrap(), "a warning\n");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&log.path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&log.path, vec![b'x'; 1_000_001]).unwrap();
        log.write_all(b"the next\n").unwrap();
        assert_eq!(fs::read_to_string(&log.path).unwrap(), "the next\n");
        assert_eq!(fs::metadata(dir.path().join("log/dreamtop.old.log")).unwrap().len(), 1_000_001);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_the_log_stalls_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = LogFile { path: dir.path().join("dreamtop.log") };
        assert!(std::process::Command::new("mkfifo").arg(&log.path).status().unwrap().success());
        log.write_all(b"lost\n").unwrap();
        assert!(log.append(b"lost\n").unwrap_err().to_string().contains("a named pipe"));
    }

    #[test]
    fn a_log_that_cannot_be_written_is_no_error() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("log"), "a file in its place").unwrap();
        let mut log = LogFile { path: dir.path().join("log/dreamtop.log") };
        log.write_all(b"lost\n").unwrap();
    }
}
