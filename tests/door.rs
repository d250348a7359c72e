//! The door to stores, from outside: what lands, what waits, what comes back, and what a crash leaves.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

#[path = "door/help.rs"]
mod help;

#[path = "door/concurrent.rs"]
mod concurrent;
#[path = "door/containment.rs"]
mod containment;
#[path = "door/crash.rs"]
mod crash;
#[path = "door/edits.rs"]
mod edits;
#[path = "door/foreign.rs"]
mod foreign;
#[path = "door/halves.rs"]
mod halves;
#[path = "door/held.rs"]
mod held;
#[path = "door/index_edit.rs"]
mod index_edit;
#[path = "door/let_go.rs"]
mod let_go;
#[path = "door/links.rs"]
mod links;
#[path = "door/model.rs"]
mod model;
#[cfg(unix)]
#[path = "door/promote.rs"]
mod promote;
#[path = "door/review.rs"]
mod review;
#[path = "door/twice.rs"]
mod twice;
#[path = "door/undo.rs"]
mod undo;
