//! What entries were: every version with who and when, the present one among them.

use sqlx::any::AnyRow;
use sqlx::{Connection, Row};

use super::retry::again;
use super::{Act, Place, Store, StoreError};

/// One version of an entry.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Version {
    /// The entry.
    key: String,
    /// The version of the repository that it came with.
    version: i64,
    /// `put`, `delete`, or `erased`: its text is gone for good.
    operation: String,
    /// The sum of its text; empty where there is none.
    checksum: String,
    /// Bytes of its text.
    bytes: i64,
    /// When, RFC 3339.
    at: String,
    /// The id of the token it came with, and what that is called.
    token: String,
    by: String,
    /// Its text, when one version is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Version {
    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        Ok(Self {
            key: row.try_get(0)?,
            version: row.try_get(1)?,
            operation: row.try_get(2)?,
            checksum: row.try_get(3)?,
            bytes: row.try_get(4)?,
            at: row.try_get(5)?,
            token: row.try_get(6)?,
            by: row.try_get(7)?,
            text: None,
        })
    }

    /// Its place, from which a next page goes on.
    pub(crate) fn place(&self) -> (i64, &str) {
        (self.version, &self.key)
    }
}

/// What comes after a place in the history: versions below one of the repository, and of the highest of these only entries
/// behind a key. One write may make more versions of one number than a page holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page<'a> {
    pub(crate) below: i64,
    /// Empty: all of them.
    pub(crate) after: &'a str,
    /// The most rows.
    pub(crate) most: i64,
}

/// A page; `$and`: of which entry. One text for each question: a condition with an "or" would keep SQLite off its indexes.
macro_rules! page {
    ($and:literal) => {
        concat!(
            "SELECT path, version, operation, checksum, bytes, modified, token, actor FROM history \
             WHERE organization = $1 AND repository = $2 AND version < $3 AND (version < $4 OR path > $5)",
            $and,
            " UNION ALL SELECT path, version, 'put', checksum, bytes, modified, token, actor FROM entries \
             WHERE organization = $1 AND repository = $2 AND version < $3 AND (version < $4 OR path > $5)",
            $and,
            " ORDER BY 2 DESC, 1 LIMIT $6"
        )
    };
}

/// Of everything.
pub(super) const OF_ALL: &str = page!("");
/// Of one only.
pub(super) const OF_ONE: &str = page!(" AND path = $7");

impl Store {
    /// A page of the versions of an entry, or of all entries where `path` is empty, the latest first.
    pub(crate) async fn versions(
        &self,
        place: Place<'_>,
        path: &str,
        page: Page<'_>,
    ) -> Result<Vec<Version>, StoreError> {
        let query = place
            .query(if path.is_empty() { OF_ALL } else { OF_ONE })
            .bind(page.below)
            .bind(page.below.saturating_sub(1))
            .bind(page.after)
            .bind(page.most);
        let query = if path.is_empty() { query } else { query.bind(path) };
        let rows = query.fetch_all(&self.pool).await?;
        rows.iter().map(Version::from_row).collect()
    }

    /// One version of an entry with its text.
    pub(crate) async fn version(
        &self,
        place: Place<'_>,
        path: &str,
        version: i64,
    ) -> Result<Option<Version>, StoreError> {
        let statement = "SELECT path, version, operation, checksum, bytes, modified, token, actor, content FROM history \
             WHERE organization = $1 AND repository = $2 AND path = $3 AND version = $4 \
             UNION ALL SELECT path, version, 'put', checksum, bytes, modified, token, actor, content FROM entries \
             WHERE organization = $1 AND repository = $2 AND path = $3 AND version = $4";
        let row = place.query_entry(statement, path).bind(version).fetch_optional(&self.pool).await?;
        let Some(row) = row else { return Ok(None) };
        let text = row.try_get(8)?;
        let found = Version::from_row(&row)?;
        let has_text = found.operation == "put";
        Ok(Some(Version { text: has_text.then_some(text), ..found }))
    }

    /// Erases the text of a version that is no longer the present one; `false`: there is no such version.
    pub(crate) async fn erase(&self, act: Act<'_>, path: &str, version: i64) -> Result<bool, StoreError> {
        let is_erased = again(|| self.erase_once(act, path, version)).await?;
        if is_erased {
            self.forget_former_pages().await?;
        }
        Ok(is_erased)
    }

    async fn erase_once(&self, act: Act<'_>, path: &str, version: i64) -> Result<bool, StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        let former =
            "SELECT checksum FROM history WHERE organization = $1 AND repository = $2 AND path = $3 AND version = $4";
        let former = act.place.query_entry(former, path).bind(version).fetch_optional(&mut *transaction).await?;
        let erased = "UPDATE history SET operation = 'erased', checksum = '', bytes = 0, content = '' \
             WHERE organization = $1 AND repository = $2 AND path = $3 AND version = $4 AND operation = 'put'";
        let erased = act.place.query_entry(erased, path).bind(version).execute(&mut *transaction).await?;
        if erased.rows_affected() == 0 {
            return Ok(false);
        }
        if let Some(former) = former {
            // Of a short text its sum is enough to guess it.
            super::audit::forget(&mut transaction, act.place, path, former.try_get(0)?).await?;
        }
        let details = serde_json::json!({ "key": path }).to_string();
        super::audit::note(&mut transaction, &act.note("erase", version, details)).await?;
        transaction.commit().await?;
        Ok(true)
    }
}
