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

#[path = "../common/mod.rs"]
mod common;
mod contract;
mod http;
mod postgres;
mod world;
