//! Runs from the outside: workers from order to end, their lock, their limits, their death.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::string_slice)]
#![allow(dead_code, missing_docs, unreachable_pub)]
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;
#[cfg(target_os = "linux")]
#[path = "../common/mount.rs"]
mod mount;
#[path = "../common/order.rs"]
mod order;
#[path = "../terminal/pty.rs"]
mod pty;

#[cfg(target_os = "linux")]
mod crash;
#[cfg(target_os = "linux")]
mod disk;
mod doctor;
mod dreams;
#[cfg(target_os = "linux")]
mod endurance;
mod extraction;
mod kill;
mod limits;
mod lock;
#[cfg(target_os = "linux")]
mod matrix;
mod races;
mod site;
mod undone;
