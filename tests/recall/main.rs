//! Recall: the labelled set with its floors, the field cases, framing, and the commands `recall`, `context` and `find`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, clippy::print_stdout)]
#![allow(missing_docs, unreachable_pub)]

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod finding;
mod framing;
#[path = "../common/growth.rs"]
mod growth;
mod labelled;
mod measured;
mod selection;
