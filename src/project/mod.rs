//! Which store belongs to which project.
//!
//! A folder name is never proof of a project: the real path comes from the `cwd` inside transcripts, and nothing is
//! attributed by guess. Not its job: reading what is in the store (see [`crate::memory`]).

pub mod git;
pub mod home;
pub mod root;
mod sessions;
pub mod settings;
pub mod slug;

pub use home::{ClaudeHome, Project};
pub use root::{Choice, Decision, Request, choose};
pub use settings::Settings;
pub use slug::slug;
