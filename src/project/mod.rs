//! Which store belongs to which project.
//!
//! A folder name is never proof of a project: the real path comes from the `cwd` inside transcripts, and nothing is
//! attributed by guess. Not its job: reading what is in the store (see [`crate::memory`]).

pub mod documents;
pub mod git;
pub mod home;
pub mod identity;
pub mod origin;
pub mod refs;
pub mod root;
mod sessions;
pub mod settings;
pub mod slug;
pub mod stores;

pub use home::{ClaudeHome, Project, recorded_paths};
pub use identity::{Identity, Remembered};
pub use root::{Choice, Decision, Request, choose};
pub use sessions::is_of;
pub use settings::Settings;
pub use slug::slug;
