//! What the server keeps, in SQLite or PostgreSQL: one SQL text for both.
//!
//! Only TEXT and BIGINT, no sequences and no advisory locks, so that what speaks PostgreSQL's protocol serves too. All
//! state is here: several servers on one database are one server. Not its job: who may do what, and what a request
//! looks like.

mod audit;
mod connect;
mod delete;
mod dump;
mod history;
mod read;
mod retry;
mod tokens;
mod write;

use sqlx::AnyPool;

pub(super) use audit::Line;
pub use connect::{Database, NotADatabase};
pub(super) use delete::Delete;
pub(super) use dump::Dump;
pub use dump::{NotADump, Restored};
pub(super) use history::Version;
pub(super) use read::Read;
pub(super) use tokens::Kept;
pub(super) use write::{Author, Note, Precondition, Put, Refusal, Written};

/// The kept state. Clones share their connections.
#[derive(Clone, Debug)]
pub(super) struct Store {
    pool: AnyPool,
    /// Where SQLite's file is; `None`: PostgreSQL.
    file: Option<std::path::PathBuf>,
}

/// The database did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It said no, or is not there.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// Its tables cannot be brought up to date.
    #[error("the database's tables cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The file of SQLite cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// It holds something that we did not write.
    #[error("the database holds {0}")]
    Odd(String),
}
