//! Deleting an entry: a tombstone in the history, for which clients that have the entry still can ask.

use sqlx::{Connection, Row};

use super::retry::again;
use super::write::{Author, Note, Refusal, checksum, finish, present, set_aside};
use super::{Store, StoreError};
use crate::team::repository::Repository;
use crate::team::sum::Sum;
use crate::team::wire::Stored;

/// An entry to be deleted.
#[derive(Debug)]
pub(crate) struct Delete<'a> {
    pub(crate) organization: &'a str,
    pub(crate) repository: &'a Repository,
    pub(crate) author: &'a Author,
    /// RFC 3339.
    pub(crate) now: &'a str,
    pub(crate) path: &'a str,
    /// What the caller thinks it holds: one of these.
    pub(crate) sums: &'a [Sum],
    /// How many versions of an entry are kept.
    pub(crate) versions: u32,
}

impl Store {
    /// Deletes an entry; its text stays in the history.
    pub(crate) async fn delete(&self, delete: &Delete<'_>) -> Result<Result<Stored, Refusal>, StoreError> {
        again(|| self.delete_once(delete)).await
    }

    async fn delete_once(&self, delete: &Delete<'_>) -> Result<Result<Stored, Refusal>, StoreError> {
        let Delete { organization, repository, author, now, path, sums, versions } = delete;
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        // The repository first, as every writer does: whoever holds it decides what its entries are.
        let row = sqlx::query(
            "UPDATE repositories SET version = version + 1 WHERE organization = $1 AND name = $2 RETURNING version",
        )
        .bind(*organization)
        .bind(repository.folded())
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(Err(Refusal::Missing)) };
        let version: i64 = row.try_get(0)?;
        let mut entries = present(&mut transaction, organization, repository).await?;
        let Some(entry) = entries.remove(*path) else { return Ok(Err(Refusal::Missing)) };
        if !sums.contains(&entry.sum) {
            return Ok(Err(Refusal::Stale));
        }
        set_aside(&mut transaction, organization, repository, path, *versions).await?;
        sqlx::query(
            "INSERT INTO history (organization, repository, path, version, operation, checksum, bytes, content, \
             modified, token, actor) VALUES ($1, $2, $3, $4, 'delete', '', 0, '', $5, $6, $7)",
        )
        .bind(*organization)
        .bind(repository.folded())
        .bind(*path)
        .bind(version)
        .bind(*now)
        .bind(author.token.as_str())
        .bind(author.actor.as_str())
        .execute(&mut *transaction)
        .await?;
        sqlx::query("DELETE FROM entries WHERE organization = $1 AND repository = $2 AND path = $3")
            .bind(*organization)
            .bind(repository.folded())
            .bind(*path)
            .execute(&mut *transaction)
            .await?;
        let checksum = checksum(&entries);
        let details = serde_json::json!({ *path: entry.sum }).to_string();
        let repository = repository.as_str();
        let note = Note { organization, repository, author, now, action: "delete", version, details };
        finish(&mut transaction, &note, &checksum).await?;
        transaction.commit().await?;
        Ok(Ok(Stored {
            version: u64::try_from(version).unwrap_or_default(),
            checksum: Some(checksum),
            last_modified: (*now).to_owned(),
            entry_checksums: std::collections::BTreeMap::new(),
        }))
    }
}
