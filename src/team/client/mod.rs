//! The end that lies beside a store: `memory/team/` of a project against the entries of its repository on a server.
//!
//! ```text
//! settings   which server, which repository, with which token      remote, http   what is asked of a server
//! record     what both sides agreed on last, in our state directory local         what lies in memory/team/
//! decide     what becomes of one entry                              pull, push    carrying it out, one way each
//! admit      whether the server's version may come here             overtaken      what waited and holds no longer
//! lines      lines of the index that come back                      share          whose memory/team/ is
//! shared     a project's store with all of that at hand             obstacle       why an entry does not travel
//! sync       both, and again on fresh state when somebody was faster              report   what came of it
//! ```
//!
//! A pull is one change set through the door of the project's store, so that one undo takes it back. Not its job: merging and
//! guarding what lands (`crate::change`), and what a server does.

pub mod act;
mod admit;
mod apart;
pub mod decide;
pub mod http;
mod lines;
pub mod local;
mod meet;
mod obstacle;
pub mod offer;
mod overtaken;
mod pull;
mod push;
pub mod record;
pub mod remote;
pub mod report;
pub mod settings;
pub mod settle;
pub mod share;
pub mod shared;
pub mod status;
pub mod sync;
mod view;

use crate::memory::names::TEAM_DIRECTORY;

/// The file of a store that is an entry.
#[must_use]
pub fn file_of(key: &str) -> String {
    format!("{TEAM_DIRECTORY}/{key}")
}
