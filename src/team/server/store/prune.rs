//! What the history and the audit do not keep for ever.
//!
//! Not its job: erasing one version on purpose (`super::history`), and what the present holds, which never goes by itself.

use sqlx::AnyConnection;

use super::retry::again;
use super::{Place, Store, StoreError};

/// Drops the oldest versions of an entry until `versions` are left.
pub(super) async fn beyond(
    connection: &mut AnyConnection,
    place: Place<'_>,
    path: &str,
    versions: u32,
) -> Result<(), StoreError> {
    let statement = "DELETE FROM history WHERE organization = $1 AND repository = $2 AND path = $3 AND version <= (SELECT version \
         FROM history WHERE organization = $1 AND repository = $2 AND path = $3 ORDER BY version DESC LIMIT 1 OFFSET $4)";
    place.query_entry(statement, path).bind(i64::from(versions)).execute(connection).await?;
    Ok(())
}

impl Store {
    /// Drops what was written before an instant (RFC 3339): versions of which there are `versions` later ones of the same
    /// entry, and lines of the audit. How many of each went.
    pub(crate) async fn prune(&self, before: &str, versions: u32) -> Result<(u64, u64), StoreError> {
        again(|| self.prune_once(before, versions)).await
    }

    async fn prune_once(&self, before: &str, versions: u32) -> Result<(u64, u64), StoreError> {
        let old = sqlx::query(
            "DELETE FROM history WHERE modified < $1 AND (SELECT COUNT(*) FROM history later WHERE \
             later.organization = history.organization AND later.repository = history.repository AND \
             later.path = history.path AND later.version > history.version) >= $2",
        )
        .bind(before)
        .bind(i64::from(versions))
        .execute(&self.pool)
        .await?;
        let lines = sqlx::query("DELETE FROM audit WHERE moment < $1").bind(before).execute(&self.pool).await?;
        Ok((old.rows_affected(), lines.rows_affected()))
    }
}
