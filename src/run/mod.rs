//! Runs: one extraction or dream each, a process of its own, with gates before and a journal beside.
//!
//! Only this floor starts engines. A run works on a copy of the store, so that killing it changes nothing. Not its job:
//! what the engine does (`crate::engine`), and how changes reach the store (`crate::change`).

mod asked;
pub mod decided;
pub mod doctor;
pub mod event;
pub mod foreign;
pub mod gates;
pub mod halt;
pub mod journal;
pub mod kill;
pub mod launch;
pub mod ledger;
pub mod live;
pub mod lock;
pub mod pause;
pub mod quiet;
pub mod reap;
pub mod reason;
pub mod records;
pub mod refusal;
mod review;
pub mod schedule;
pub mod seen;
pub mod selection;
pub mod service;
mod silence;
pub mod spent;
pub mod stats;
pub mod trigger;
pub mod undo;
pub mod view;
pub mod volume;
pub mod why;
pub mod worker;
mod working_copy;

use crate::state::files;

pub use event::{Outcome, RunEvent, Stamped, TouchOp};
pub use gates::{Gate, GateReport};
pub use view::{RunStatus, RunView};
