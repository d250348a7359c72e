//! The one door: everything that changes a store goes through [`Door::land`].
//!
//! A change set says what an edit, a run, a verdict or a pull wants done; guards look at it; landing writes each file
//! wholly or not at all, the index last, and keeps pre-images so that any of it can be undone. No other code writes to
//! a store. Not its job: deciding what should change (the callers do) and locks between consolidators (`crate::run`).

mod beyond;
mod commit;
pub mod compare;
mod confirmed;
mod decision;
#[cfg_attr(not(unix), path = "directory_portable.rs")]
mod directory;
pub mod door;
mod dropped;
mod entry;
mod file;
mod foreign;
pub mod guard;
mod halves;
pub mod history;
pub mod hunks;
pub mod inbox;
pub mod index_edit;
mod index_replay;
pub mod journal;
mod land;
pub mod let_go;
mod manifest;
mod merge;
mod objects;
mod patience;
mod plan;
pub mod promote;
mod purge;
mod recover;
mod rejected;
mod retention;
pub mod review;
pub mod rewrite;
pub mod set;
mod settled;
mod snooze;
pub mod stored;
pub mod trash;
mod undo;
pub mod unite;
pub mod unsaved;
pub mod verbs;
pub mod verdicts;
mod waiting;
mod wish;
mod workshop;
mod write;

pub use decision::{Accepted, Decision, Disk, Take};
pub use door::{Account, Consent, Door, DoorError, Held, HoldReason, Landed, Landing, Loss};
pub use entry::{HistoryEntry, HistoryFile};
pub use halves::Along;
pub use history::Debt;
pub use hunks::Hunk;
pub use inbox::{HeldChange, InboxEntry};
pub use merge::{both_lines, favouring, is_mark, marked, merged, named_in_review};
pub use purge::{Purge, Purged};
pub use review::{FileReview, IndexLines, Review};
pub(crate) use set::TAKEN_BACK;
pub use set::{Change, ChangeSet, IndexChange, Mtime, Op, Origin, Rationale, Source};
pub use settled::Settled;
pub use snooze::Before as SnoozedBefore;
pub use trash::Trashed;
pub use waiting::count_waiting;
