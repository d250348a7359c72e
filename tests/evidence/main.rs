//! Evidence: what memories cite, held against checkouts. Precision and recall by code on labelled repositories, this
//! repository among them, the field cases, recall use, need, and the bounds on time.
//!
//! `cargo test --test evidence -- --nocapture` prints the figures.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, clippy::print_stdout)]

#[path = "../common/mod.rs"]
mod common;

mod agree;
mod cases;
mod documents;
mod help;
mod history;
mod labelled;
mod need;
mod own;
mod repositories;
mod speed;
mod used;
