//! Who did what: one line for each change, never the text.

use sqlx::{AnyConnection, Row};

use super::retry::again;
use super::write::Note;
use super::{Place, Store, StoreError};
use crate::team::server::token::random_hex;

/// Writes a line down, in the transaction of what it tells of.
pub(super) async fn note(connection: &mut AnyConnection, note: &Note<'_>) -> Result<(), StoreError> {
    let micros = chrono::DateTime::parse_from_rfc3339(note.now).map_or(0, |at| at.timestamp_micros());
    sqlx::query(
        "INSERT INTO audit (organization, id, moment, action, repository, version, token, actor, details) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(note.organization)
    // Digits and small letters only: they have one order in every database's language.
    .bind(format!("{micros:016}{}", random_hex(4)))
    .bind(note.now)
    .bind(note.action)
    .bind(note.repository.to_ascii_lowercase())
    .bind(note.version)
    .bind(note.author.token.as_str())
    .bind(note.author.actor.as_str())
    .bind(note.details.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Takes the sum of an erased text of an entry out of the lines that tell of it.
pub(super) async fn forget(
    connection: &mut AnyConnection,
    place: Place<'_>,
    path: &str,
    sum: String,
) -> Result<(), StoreError> {
    let statement =
        "SELECT id, details FROM audit WHERE organization = $1 AND repository = $2 AND details LIKE '%' || $3 || '%'";
    let rows = place.query(statement).bind(sum.as_str()).fetch_all(&mut *connection).await?;
    for row in rows {
        let (id, details): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let mut details: serde_json::Value = serde_json::from_str(&details).unwrap_or_default();
        let Some(told) = details.get_mut(path).filter(|told| told.as_str() == Some(sum.as_str())) else { continue };
        *told = "erased".into();
        sqlx::query("UPDATE audit SET details = $1 WHERE organization = $2 AND id = $3")
            .bind(details.to_string())
            .bind(place.organization)
            .bind(id)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// A line of the audit.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Line {
    /// Its place; the next page is below it.
    pub(crate) id: String,
    /// When, RFC 3339.
    at: String,
    /// `put`, `delete`, `erase`, `import`, `export`, `token-new`, `token-revoke`.
    action: String,
    /// `owner/name` in small letters, where it is about one.
    repository: String,
    /// The version it made or was about; 0: none.
    version: i64,
    /// The id of the token it was done with, and what that is called.
    token: String,
    by: String,
    /// The keys and their sums, or whom a token is for.
    details: serde_json::Value,
}

/// A page; `$and`: of which repository. One text for each question: a condition with an "or" would keep SQLite off its
/// indexes.
macro_rules! page {
    ($and:literal) => {
        concat!(
            "SELECT id, moment, action, repository, version, token, actor, details FROM audit \
             WHERE organization = $1 AND id < $2",
            $and,
            " ORDER BY id DESC LIMIT $3"
        )
    };
}

/// Of everything.
pub(super) const OF_ALL: &str = page!("");
/// Of one only.
pub(super) const OF_ONE: &str = page!(" AND repository = $4");

impl Store {
    /// Lines of the audit, the latest first, of one repository where `repository` is not empty, below a line where
    /// `below` is not.
    pub(crate) async fn audit(
        &self,
        organization: &str,
        repository: &str,
        below: &str,
        most: i64,
    ) -> Result<Vec<Line>, StoreError> {
        let query = sqlx::query(if repository.is_empty() { OF_ALL } else { OF_ONE })
            .bind(organization)
            // Every id begins with a digit, which stands before this in every language.
            .bind(if below.is_empty() { "z" } else { below })
            .bind(most);
        let query = if repository.is_empty() { query } else { query.bind(repository) };
        let rows = query.fetch_all(&self.pool).await?;
        let line = |row: &sqlx::any::AnyRow| {
            let details: String = row.try_get(7)?;
            Ok(Line {
                id: row.try_get(0)?,
                at: row.try_get(1)?,
                action: row.try_get(2)?,
                repository: row.try_get(3)?,
                version: row.try_get(4)?,
                token: row.try_get(5)?,
                by: row.try_get(6)?,
                details: serde_json::from_str(&details).unwrap_or_default(),
            })
        };
        rows.iter().map(line).collect()
    }

    /// Writes down what changed nothing but is worth knowing: an export.
    pub(crate) async fn note(&self, line: &Note<'_>) -> Result<(), StoreError> {
        again(|| async {
            let mut connection = self.pool.acquire().await?;
            note(&mut connection, line).await
        })
        .await
    }
}
