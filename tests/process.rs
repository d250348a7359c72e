//! The binary, from the command line: real files, real processes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::string_slice)]

mod common;

#[path = "process/bad_input.rs"]
mod bad_input;
#[path = "process/live.rs"]
mod live;
#[path = "process/neighbours.rs"]
mod neighbours;
#[path = "process/reading.rs"]
mod reading;
#[path = "process/runs.rs"]
mod runs;
#[path = "process/stores.rs"]
mod stores;
#[path = "process/stubborn.rs"]
mod stubborn;
#[path = "process/upkeep.rs"]
mod upkeep;
#[path = "process/writing.rs"]
mod writing;
