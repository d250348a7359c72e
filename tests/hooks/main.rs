//! Whole sessions, played the way Claude Code plays them: transcript lines are appended, the binary's `hook` is called with the
//! documented JSON, and workers do the rest.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::string_slice)]
#![allow(dead_code, missing_docs, unreachable_pub)]
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod drive;
mod failures;
mod let_go;
#[path = "../common/mount.rs"]
mod mount;
mod once;
mod outcomes;
mod quiet;
mod recall;
mod sessions;
mod start;
mod turns;
mod week;
mod workers;
