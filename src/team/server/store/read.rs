//! Reading a repository: one statement each, so that what is read belongs together.

use std::collections::BTreeMap;

use sqlx::Row;

use super::{Place, Store, StoreError};
use crate::team::sum::Sum;

/// A repository as it was at one instant.
#[derive(Debug)]
pub(crate) struct Read {
    /// `owner/name` as it was first written.
    pub(crate) spelled: String,
    /// Rises by one with each change.
    pub(crate) version: u64,
    /// The sum of everything.
    pub(crate) checksum: Sum,
    /// When it changed last, RFC 3339.
    pub(crate) modified: String,
    /// The sum of each entry.
    pub(crate) sums: BTreeMap<String, Sum>,
    /// The text of each entry, when it was asked for.
    pub(crate) texts: BTreeMap<String, String>,
}

impl Store {
    /// The bytes of all texts of a repository; 0: it has no data.
    pub(crate) async fn bytes(&self, place: Place<'_>) -> Result<u64, StoreError> {
        // A sum of BIGINT is none in PostgreSQL.
        let row = place
            .query(
                "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM entries WHERE organization = $1 AND repository = $2",
            )
            .fetch_one(&self.pool)
            .await?;
        Ok(u64::try_from(row.try_get::<i64, _>(0)?).unwrap_or_default())
    }

    /// The sum of a repository; `None`: it has no data.
    pub(crate) async fn checksum(&self, place: Place<'_>) -> Result<Option<Sum>, StoreError> {
        let row = place
            .query("SELECT checksum FROM repositories WHERE organization = $1 AND name = $2")
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|row| row.try_get(0)).transpose()?.map(|sum: String| Sum::sent(sum)))
    }

    /// A repository with the sums of its entries, and with their texts if wanted; `None`: it has no data.
    pub(crate) async fn read(&self, place: Place<'_>, with_texts: bool) -> Result<Option<Read>, StoreError> {
        let statement = if with_texts {
            "SELECT r.spelled, r.version, r.checksum, r.modified, COALESCE(e.path, ''), COALESCE(e.checksum, ''), \
             COALESCE(e.content, '') FROM repositories r LEFT JOIN entries e ON e.organization = r.organization AND \
             e.repository = r.name WHERE r.organization = $1 AND r.name = $2"
        } else {
            "SELECT r.spelled, r.version, r.checksum, r.modified, COALESCE(e.path, ''), COALESCE(e.checksum, '') \
             FROM repositories r LEFT JOIN entries e ON e.organization = r.organization AND e.repository = r.name \
             WHERE r.organization = $1 AND r.name = $2"
        };
        let rows = place.query(statement).fetch_all(&self.pool).await?;
        let Some(first) = rows.first() else { return Ok(None) };
        let mut read = Read {
            spelled: first.try_get(0)?,
            version: u64::try_from(first.try_get::<i64, _>(1)?).unwrap_or_default(),
            checksum: Sum::sent(first.try_get::<String, _>(2)?),
            modified: first.try_get(3)?,
            sums: BTreeMap::new(),
            texts: BTreeMap::new(),
        };
        for row in rows {
            let path: String = row.try_get(4)?;
            if path.is_empty() {
                continue;
            }
            if with_texts {
                read.texts.insert(path.clone(), row.try_get(6)?);
            }
            read.sums.insert(path, Sum::sent(row.try_get::<String, _>(5)?));
        }
        Ok(Some(read))
    }
}
