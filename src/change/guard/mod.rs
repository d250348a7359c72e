//! Guards: what a change set has to pass before it lands. One guard, one file.
//!
//! Containment and secrets bind everyone; the others hold what nobody looked at. Not its job: what becomes of a held
//! change (see `super::plan`).

mod amounts;
pub(super) mod apart;
pub(super) mod bulk;
mod claim;
pub(crate) mod containment;
pub(super) mod evidence;
pub(super) mod fields;
mod heard;
pub(super) mod hidden;
pub(super) mod index_text;
pub(super) mod instruction;
mod label;
mod literals;
pub(super) mod loss;
pub(crate) mod orders;
mod over;
pub(super) mod placeholder;
pub(super) mod provenance;
mod quoted;
pub(super) mod raw;
pub(super) mod removal;
mod repeated;
mod said;
pub mod secrets;
pub(super) mod sentences;
pub(super) mod size;
mod stated;
pub(super) mod twice;
pub(super) mod validity;
pub(super) mod values;

use super::{HoldReason, Rationale};

/// A change as a guard sees it: what is on disk, and what would be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    pub(super) file: &'a str,
    /// The bytes on disk; `None`: there is no such file.
    pub(super) before: Option<&'a [u8]>,
    /// The bytes it would have; `None`: it would go.
    pub(super) after: Option<&'a [u8]>,
    pub(super) rationale: &'a Rationale,
}

/// A reason, with its guard's name.
pub(super) fn held(guard: &str, message: impl Into<String>) -> HoldReason {
    HoldReason { guard: guard.to_owned(), message: message.into() }
}
