//! Reading session transcripts: streams of bytes, one JSON object a line, with every oddity they come with.
//!
//! A transcript is never loaded whole and never trusted: unknown lines pass, damaged ones are counted and skipped.
//! Not its job: which project a session belongs to (see [`crate::project`]) and what its words mean (`engine`).

pub mod answer;
pub mod conversation;
pub mod expiry;
mod fields;
pub mod given;
mod glue;
pub mod head;
pub mod human;
pub mod latest;
pub mod line;
pub mod list;
pub mod memory_use;
pub mod quiet;
pub mod reader;
pub mod speech;
mod tail;
mod threads;
pub mod window;

pub use conversation::Conversation;
pub use head::SessionHead;
pub use human::HumanTurn;
pub use latest::{Latest, latest};
pub use line::{Block, Content, Line, Role};
pub use list::{SessionFile, list_sessions};
pub use memory_use::{MemoryUse, MemoryUses, UseKind, memory_uses};
pub use reader::{Damage, RawLine, Reader};
pub use speech::{Speakers, human_text, is_speech};
pub use tail::recent_tools;
pub use window::Window;
