//! Reading a memory store: files, index, ages. Pure reading: nothing here writes to a store, waits, or draws.
//!
//! Everything is read as bytes and kept as bytes; what could not be understood becomes a [`Problem`] beside what
//! could. Editing functions here take bytes and give bytes back; only [`crate::change`] puts them on disk.

mod following;
pub mod freshness;
pub mod frontmatter;
pub mod hash;
pub(crate) mod hidden;
pub mod index;
pub mod kind;
pub(crate) mod likeness;
mod lines;
pub mod links;
pub mod names;
pub mod problem;
pub mod store;
pub mod template;
pub mod topic;

pub use following::Following;
pub use freshness::{AgeSource, Claim, Freshness, ShelfLife};
pub use frontmatter::{Field, Frontmatter, Shape};
pub use hash::ContentHash;
pub use index::{Entry, Index, Measure};
pub use kind::Kind;
pub(crate) use lines::mark_length;
pub use lines::text_lines;
pub use problem::{Problem, ProblemCode};
pub use store::{IndexJudgement, Memory, ScanOptions, Snapshot, Store, StoreError, StoreKind};
pub use topic::{Draft, Topic};

/// The name of a store's index.
pub const INDEX_FILE: &str = "MEMORY.md";

/// The consolidation lock that other programs share with us.
pub const LOCK_FILE: &str = ".consolidate-lock";
