//! The binary, from the command line: real files, real processes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::string_slice)]

mod common;

// Credentials are drawn as the scanner's own measure draws them.
#[allow(dead_code)]
#[path = "secrets/corpus.rs"]
mod corpus;

#[path = "process/bad_input.rs"]
mod bad_input;
#[path = "process/credentials.rs"]
mod credentials;
#[cfg(unix)]
#[path = "process/doctor.rs"]
mod doctor;
#[cfg(unix)]
#[path = "process/editing.rs"]
mod editing;
#[path = "process/escapes.rs"]
mod escapes;
#[cfg(unix)]
#[path = "process/install.rs"]
mod install;
#[path = "process/links.rs"]
mod links;
#[path = "process/live.rs"]
mod live;
#[path = "process/neighbours.rs"]
mod neighbours;
#[path = "process/reading.rs"]
mod reading;
#[path = "process/review.rs"]
mod review;
#[path = "process/runs.rs"]
mod runs;
#[cfg(unix)]
#[path = "process/set_up.rs"]
mod set_up;
#[cfg(unix)]
#[path = "process/shared_settings.rs"]
mod shared_settings;
#[path = "process/stores.rs"]
mod stores;
#[path = "process/stubborn.rs"]
mod stubborn;
#[path = "process/triage.rs"]
mod triage;
#[path = "process/upkeep.rs"]
mod upkeep;
#[path = "process/writing.rs"]
mod writing;
