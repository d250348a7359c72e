//! The server's log: one JSON object a line on standard error, for whatever collects it.
//!
//! Not its job: what is said (`super::observe`), and the program's own log file (`crate::log`).

use std::io::{self, Write};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::secret;

/// Sends what this process has to say to standard error. A second call changes nothing.
pub fn log_to_stderr() {
    let subscriber = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_current_span(false)
        .with_span_list(false)
        .with_max_level(LevelFilter::INFO)
        .with_writer(Redacted);
    let _ = tracing::subscriber::set_global_default(subscriber.finish());
}

/// Standard error, without what looks like a credential: an error of a library may quote what it was about.
#[derive(Clone, Copy, Debug)]
struct Redacted;

impl Write for Redacted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = secret::redacted(&String::from_utf8_lossy(bytes));
        // Nobody reading the log is no reason to stop serving.
        let _ = io::stderr().lock().write_all(line.as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Redacted {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        *self
    }
}
