//! Deleting an entry: a tombstone in the history, for which clients that have the entry still can ask.

use sqlx::{Connection, Row};

use super::place::written;
use super::retry::again;
use super::write::{Refusal, checksum, finish, present, set_aside};
use super::{Act, Store, StoreError};
use crate::team::sum::Sum;
use crate::team::wire::Stored;

/// An entry to be deleted.
#[derive(Debug)]
pub(crate) struct Delete<'a> {
    pub(crate) act: Act<'a>,
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
        let Delete { act, path, sums, versions } = *delete;
        let Act { place, author, now } = act;
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        // The repository first, as every writer does: whoever holds it decides what its entries are.
        let row = place
            .query(
                "UPDATE repositories SET version = version + 1 WHERE organization = $1 AND name = $2 RETURNING version",
            )
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(row) = row else { return Ok(Err(Refusal::Missing)) };
        let version: i64 = row.try_get(0)?;
        let mut entries = present(&mut transaction, place).await?;
        let Some(entry) = entries.remove(path) else { return Ok(Err(Refusal::Missing)) };
        if !sums.contains(&entry.sum) {
            return Ok(Err(Refusal::Stale));
        }
        set_aside(&mut transaction, place, path, versions).await?;
        let tombstone = "INSERT INTO history (organization, repository, path, version, operation, checksum, bytes, content, \
             modified, token, actor) VALUES ($1, $2, $3, $4, 'delete', '', 0, '', $5, $6, $7)";
        let tombstone = place.query_entry(tombstone, path).bind(version);
        written(tombstone, now, &author.token, &author.actor).execute(&mut *transaction).await?;
        place
            .query_entry("DELETE FROM entries WHERE organization = $1 AND repository = $2 AND path = $3", path)
            .execute(&mut *transaction)
            .await?;
        let checksum = checksum(&entries);
        let details = serde_json::json!({ path: entry.sum }).to_string();
        finish(&mut transaction, place, &act.note("delete", version, details), &checksum).await?;
        transaction.commit().await?;
        Ok(Ok(Stored {
            version: u64::try_from(version).unwrap_or_default(),
            checksum: Some(checksum),
            last_modified: now.to_owned(),
            entry_checksums: std::collections::BTreeMap::new(),
        }))
    }
}
