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
mod place;
mod prune;
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
pub(super) use history::{Page, Version};
pub(super) use place::{Act, Place};
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
    /// It cannot be opened: which one it is, without a password.
    #[error("cannot open the database, {0}: {1}")]
    Unreachable(String, sqlx::Error),
    /// Its tables cannot be brought up to date.
    #[error("the database's tables cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// There is none, and the caller would not make one.
    #[error("there is no database of a team server: {0}; `dreamtop serve` makes one, --database names another")]
    Absent(String),
    /// The file of SQLite cannot be made.
    #[error(transparent)]
    File(#[from] std::io::Error),
    /// It holds something that we did not write.
    #[error("the database holds {0}")]
    Odd(String),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sqlx::{AssertSqlSafe, Row};

    use super::*;

    #[tokio::test]
    async fn pages_are_read_by_their_index_and_sorted_by_nobody() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&Database::Sqlite(dir.path().join("team.db"))).await.unwrap();
        for (text, index) in [
            (history::OF_ALL, "history_by_version"),
            (history::OF_ALL, "entries_by_version"),
            (audit::OF_ALL, "sqlite_autoindex_audit_1"),
            (audit::OF_ONE, "audit_of_repository"),
        ] {
            let query = sqlx::query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {text}")));
            let rows = query.fetch_all(&store.pool).await.unwrap();
            let plan: Vec<String> = rows.iter().map(|row| row.try_get(3).unwrap()).collect();
            let plan = plan.join("\n");
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "{plan}");
        }
        store.close().await;
    }
}
