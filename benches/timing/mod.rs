//! Timing a command in a home of its own.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long it takes, its output thrown away. One that finds nothing has done its work, too.
#[allow(dead_code)]
pub(crate) fn run(command: &mut Command, home: &Path) -> Duration {
    command.env("HOME", home).env("XDG_STATE_HOME", home.join("state")).env_remove("CLAUDE_CONFIG_DIR");
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).status().expect("the command starts");
    let took = start.elapsed();
    assert!(matches!(status.code(), Some(0 | 1)), "{command:?}");
    took
}

/// The middle one.
pub(crate) fn median(times: impl Iterator<Item = Duration>) -> Duration {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    times[times.len() / 2]
}
