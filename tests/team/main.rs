//! The team server through its front door: requests over loopback, on SQLite and on a real PostgreSQL.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::string_slice,
    unreachable_pub,
    missing_docs
)]

mod authorization;
mod binary;
mod bounds;
#[path = "../common/mod.rs"]
mod common;
mod contract;
mod crash;
mod hostile;
mod http;
mod limits;
mod postgres;
mod process;
mod property;
mod race;
mod records;
mod secure;
mod slow;
mod together;
mod world;
