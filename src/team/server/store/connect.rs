//! Opening a database and bringing its tables up to date.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sqlx::any::AnyPoolOptions;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AnyConnection, AssertSqlSafe, Connection, Executor, SqlSafeStr};

use super::retry::Attempts;
use super::{Store, StoreError};
use crate::state::{create_private_dir, open_plain, private_options, with_path};

/// How long a request waits for a free connection.
const ACQUIRE: Duration = Duration::from_secs(5);
/// How many connections one server opens at most.
const CONNECTIONS: u32 = 16;

/// The steps from an empty database to the present one. A step that was released is never changed.
const MIGRATIONS: &[(i64, &str, &str)] =
    &[(1, "first", include_str!("migrations/0001_first.sql")), (2, "pages", include_str!("migrations/0002_pages.sql"))];

/// Where everything is kept.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// A file of SQLite.
    Sqlite(PathBuf),
    /// A URL of PostgreSQL or of what speaks its protocol; may hold a password.
    Postgres(String),
}

/// A text that names no database.
#[derive(Debug, thiserror::Error)]
#[error("this is no database that can be served: give a file for SQLite, or postgres://USER@HOST/NAME")]
pub struct NotADatabase;

impl FromStr for Database {
    type Err = NotADatabase;

    fn from_str(text: &str) -> Result<Self, NotADatabase> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        let path = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")).unwrap_or(text);
        if path.is_empty() || path.contains("://") {
            return Err(NotADatabase);
        }
        Ok(Self::Sqlite(PathBuf::from(path)))
    }
}

/// Without the password, which a URL may hold.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "SQLite at {}", path.display()),
            Self::Postgres(url) => {
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
                write!(f, "PostgreSQL at {}", place.split('?').next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Store {
    /// Opens a database, makes SQLite's file (0600) where there is none, and brings the tables up to date.
    ///
    /// # Errors
    /// When it cannot be reached, or holds tables of a later version.
    pub(crate) async fn open(database: &Database) -> Result<Self, StoreError> {
        if let Database::Sqlite(path) = database {
            make_file(path)?;
        }
        let store = Self::connect(database).await?;
        store.migrate().await?;
        Ok(store)
    }

    /// The same for a database that a server has made: a mistyped name makes no empty one.
    ///
    /// # Errors
    /// Also when it is not there.
    pub(crate) async fn open_existing(database: &Database) -> Result<Self, StoreError> {
        let absent = || StoreError::Absent(database.to_string());
        if let Database::Sqlite(path) = database
            && !path.try_exists().map_err(|error| with_path(error, "cannot look at the database", path))?
        {
            return Err(absent());
        }
        let store = Self::connect(database).await?;
        let asked = sqlx::query("SELECT name FROM settings LIMIT 1").execute(&store.pool).await;
        asked.map_err(|error| if is_without_table(&error) { absent() } else { error.into() })?;
        store.migrate().await?;
        Ok(store)
    }

    async fn connect(database: &Database) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let options = AnyPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(ACQUIRE);
        let unreachable = |error| StoreError::Unreachable(database.to_string(), error);
        let (pool, file) = match database {
            Database::Sqlite(path) => {
                let options = options.after_connect(|connection, _| {
                    Box::pin(async move {
                        for pragma in [
                            "PRAGMA busy_timeout = 5000",
                            "PRAGMA journal_mode = WAL",
                            "PRAGMA synchronous = FULL",
                            // What is erased is overwritten, too.
                            "PRAGMA secure_delete = ON",
                        ] {
                            connection.execute(pragma).await?;
                        }
                        Ok(())
                    })
                });
                let url = sqlite_url(path);
                // A pool tries again and again, and says in the end that it took too long; a file is a database or is none.
                probe(&url, "PRAGMA journal_mode = WAL").await.map_err(unreachable)?;
                (options.connect(&url).await.map_err(unreachable)?, Some(path.clone()))
            }
            Database::Postgres(url) => match options.connect(url).await {
                Ok(pool) => (pool, None),
                Err(sqlx::Error::PoolTimedOut) => {
                    let cause = probe(url, "SELECT 1").await.err().unwrap_or(sqlx::Error::PoolTimedOut);
                    return Err(unreachable(cause));
                }
                Err(error) => return Err(unreachable(error)),
            },
        };
        Ok(Self { pool, file })
    }

    /// Servers that start at the same time on one empty database hinder each other once: whoever comes second finds the
    /// work done when it looks again.
    async fn migrate(&self) -> Result<(), StoreError> {
        let step = |(version, name, text): &(i64, &'static str, &'static str)| {
            Migration::new(*version, (*name).into(), MigrationType::Simple, text.into_sql_str(), false)
        };
        let mut migrator = Migrator::with_migrations(MIGRATIONS.iter().map(step).collect());
        // CockroachDB has no advisory locks.
        migrator.set_locking(false);
        let mut attempts = Attempts::new();
        loop {
            match migrator.run(&self.pool).await {
                Ok(()) => return Ok(()),
                Err(error) if is_race(&error) && attempts.wait().await => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Whether the database answers.
    pub(crate) async fn answers(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Finishes what is under way and closes all connections.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }

    /// Writes a whole copy of SQLite's database into a new file while the server goes on; `false`: this is no SQLite.
    ///
    /// # Errors
    /// When the file is there, or cannot be written.
    pub(crate) async fn copy_into(&self, path: &Path) -> Result<bool, StoreError> {
        if self.file.is_none() {
            return Ok(false);
        }
        // The file is made first, for its mode: SQLite takes an empty one.
        open_plain(private_options().write(true).create_new(true), path)
            .map_err(|error| with_path(error, "cannot make the copy", path))?;
        let quoted = path.to_string_lossy().replace('\'', "''");
        if let Err(error) = self.pool.execute(AssertSqlSafe(format!("VACUUM INTO '{quoted}'"))).await {
            // Half a copy is none, and the next try must not find it there.
            let _ = std::fs::remove_file(path);
            return Err(error.into());
        }
        Ok(true)
    }

    /// Takes former states of SQLite's pages out of its write-ahead log. PostgreSQL does it in its own time.
    pub(super) async fn forget_former_pages(&self) -> Result<(), StoreError> {
        if self.file.is_some() {
            self.pool.execute("PRAGMA wal_checkpoint(TRUNCATE)").await?;
        }
        Ok(())
    }
}

/// One connection, without a pool: what stands in its way is told as it is.
async fn probe(url: &str, statement: &'static str) -> Result<(), sqlx::Error> {
    let asked = async {
        let mut connection = AnyConnection::connect(url).await?;
        connection.execute(statement).await?;
        connection.close().await
    };
    tokio::time::timeout(ACQUIRE, asked).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// Whether a statement failed because its table is not there.
fn is_without_table(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| {
        error.code().is_some_and(|code| code == "42P01") || error.message().contains("no such table")
    })
}

/// What two servers that migrate at once do to each other: a table, a type or a row that is there already.
fn is_race(error: &sqlx::migrate::MigrateError) -> bool {
    use sqlx::migrate::MigrateError::{Execute, ExecuteMigration};
    match error {
        Execute(error) | ExecuteMigration(error, _) => {
            super::retry::is_passing(error)
                || error.as_database_error().is_some_and(|error| {
                    let code = error.code().unwrap_or_default();
                    // PostgreSQL: unique, duplicate table, duplicate object. SQLite says "already exists" with code 1.
                    ["23505", "42P07", "42710", "1555", "2067"].contains(&code.as_ref())
                        || error.message().contains("already exists")
                })
        }
        _ => false,
    }
}

fn make_file(path: &Path) -> Result<(), StoreError> {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        create_private_dir(parent)?;
    }
    open_plain(private_options().append(true).create(true), path)
        .map_err(|error| with_path(error, "cannot open the database", path))?;
    Ok(())
}

/// A path as a URL, with everything escaped that means something in one.
fn sqlite_url(path: &Path) -> String {
    let mut url = "sqlite://".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(byte) {
            url.push(char::from(*byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    url
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_database_is_told_by_its_text_and_shown_without_its_password() {
        let shown = |text: &str| text.parse::<Database>().unwrap().to_string();
        assert_eq!(shown("postgres://me:hunter22@db:5432/team?sslmode=require"), "PostgreSQL at db:5432/team");
        assert_eq!(shown("postgresql:///team?host=/run/pg"), "PostgreSQL at /team");
        assert_eq!(shown("sqlite:///var/lib/team.db"), "SQLite at /var/lib/team.db");
        assert_eq!(shown("sqlite:team.db"), "SQLite at team.db");
        assert_eq!(shown("team.db"), "SQLite at team.db");
        for text in ["", "sqlite:", "mysql://db/team"] {
            assert!(text.parse::<Database>().is_err(), "{text:?}");
        }
    }
}
