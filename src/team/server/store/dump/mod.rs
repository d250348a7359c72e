//! Everything as lines of JSON, and back: for moving to another database, and as a backup where the database has no copy
//! of its own making.
//!
//! A repository comes back whole or not at all, and never over one that is there.

mod line;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use sqlx::{Connection, Row};
use tokio::sync::mpsc::Sender;

use self::line::{FORMAT, Line, Text, TokenLine};
pub(crate) use self::read::Dump;
pub use self::read::NotADump;
use self::read::Whole;
use super::retry::again;
use super::tokens::{Kept, keep};
use super::write::Author;
use super::{Act, Place, Store, StoreError};
use crate::team::sum::Sum;

/// How many former versions are read at once.
const PAGE: i64 = 32;

/// What came of an import, as `organization/owner/name`.
#[derive(Debug, Default, Serialize)]
pub struct Restored {
    /// These are there now.
    pub imported: Vec<String>,
    /// These were there before, and were left as they are.
    pub skipped: Vec<String>,
}

impl Store {
    /// Sends everything of an organisation, or of all with their tokens, line by line. Each repository is of one instant.
    /// Ends early when nobody takes it any more.
    pub(crate) async fn dump(
        &self,
        organization: Option<&str>,
        now: &str,
        out: &Sender<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let mut is_taken = send(out, &Line::DreamtopExport { format: FORMAT, at: now.to_owned() }).await;
        if organization.is_none() {
            for kept in self.tokens("").await? {
                is_taken = is_taken && send(out, &Line::Token(TokenLine::of(&kept))).await;
            }
        }
        let names = sqlx::query(
            "SELECT organization, name FROM repositories WHERE $1 = '' OR organization = $1 ORDER BY organization, name",
        )
        .bind(organization.unwrap_or_default())
        .fetch_all(&self.pool)
        .await?;
        let mut repositories = 0;
        for row in names {
            let (organization, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
            is_taken = is_taken && self.dump_one(&organization, &name, out).await?;
            repositories += 1;
            if !is_taken {
                return Ok(());
            }
        }
        send(out, &Line::End { repositories }).await;
        Ok(())
    }

    /// Whether it was taken. The entries are of one instant, for one statement reads them. What was history then is so for
    /// ever: it is read page by page as it is taken, without what became history since.
    async fn dump_one(&self, organization: &str, name: &str, out: &Sender<Vec<u8>>) -> Result<bool, StoreError> {
        let rows = sqlx::query(
            "SELECT r.spelled, r.version, r.checksum, r.modified, COALESCE(e.path, ''), COALESCE(e.version, 0), 'put', \
             COALESCE(e.checksum, ''), COALESCE(e.modified, ''), COALESCE(e.token, ''), COALESCE(e.actor, ''), \
             COALESCE(e.content, '') FROM repositories r LEFT JOIN entries e ON e.organization = r.organization AND \
             e.repository = r.name WHERE r.organization = $1 AND r.name = $2",
        )
        .bind(organization)
        .bind(name)
        .fetch_all(&self.pool)
        .await?;
        let Some(first) = rows.first() else { return Ok(true) };
        let version: i64 = first.try_get(1)?;
        let head = Line::Repository {
            organization: organization.to_owned(),
            repo: first.try_get(0)?,
            version,
            checksum: Sum::sent(first.try_get::<String, _>(2)?),
            modified: first.try_get(3)?,
        };
        let mut is_taken = send(out, &head).await;
        let mut present = BTreeSet::new();
        for row in rows {
            let text = Text::from_row(&row, 4)?;
            if !text.key.is_empty() {
                present.insert((text.key.clone(), text.version));
                is_taken = is_taken && send(out, &Line::Entry(text)).await;
            }
        }
        let mut place = (version.saturating_add(1), String::new());
        while is_taken {
            let rows = sqlx::query(
                "SELECT path, version, operation, checksum, modified, token, actor, content FROM history \
                 WHERE organization = $1 AND repository = $2 AND version < $3 AND (version < $4 OR path > $5) \
                 ORDER BY version DESC, path LIMIT $6",
            )
            .bind(organization)
            .bind(name)
            .bind(place.0)
            .bind(place.0.saturating_sub(1))
            .bind(place.1.as_str())
            .bind(PAGE)
            .fetch_all(&self.pool)
            .await?;
            let Some(last) = rows.last() else { break };
            place = (last.try_get::<i64, _>(1)?.saturating_add(1), last.try_get(0)?);
            for row in &rows {
                let text = Text::from_row(row, 0)?;
                if !present.contains(&(text.key.clone(), text.version)) {
                    is_taken = is_taken && send(out, &Line::History(text)).await;
                }
            }
        }
        Ok(is_taken)
    }

    /// How many repositories an organisation has.
    pub(crate) async fn repositories(&self, organization: &str) -> Result<usize, StoreError> {
        let mut connection = self.pool.acquire().await?;
        super::write::count(&mut connection, organization).await
    }

    /// Writes what an export holds: into the organisations it names with their tokens, or all into one without them.
    pub(crate) async fn restore(
        &self,
        dump: &Dump,
        into: Option<&str>,
        author: &Author,
        now: &str,
    ) -> Result<Restored, StoreError> {
        let mut restored = Restored::default();
        for whole in &dump.repositories {
            let organization = into.unwrap_or(&whole.organization);
            let is_new = again(|| self.restore_one(whole, organization, author, now)).await?;
            let list = if is_new { &mut restored.imported } else { &mut restored.skipped };
            list.push(format!("{organization}/{}", whole.repository));
        }
        if into.is_none() && !dump.tokens.is_empty() {
            again(|| self.restore_tokens(&dump.tokens)).await?;
        }
        Ok(restored)
    }

    async fn restore_tokens(&self, tokens: &[Kept]) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        for kept in tokens {
            keep(&mut transaction, kept).await?;
        }
        // Who brings tokens needs no first one.
        sqlx::query(
            "INSERT INTO settings (name, value) VALUES ('first_token', 'imported') ON CONFLICT (name) DO NOTHING",
        )
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    async fn restore_one(
        &self,
        whole: &Whole,
        organization: &str,
        author: &Author,
        now: &str,
    ) -> Result<bool, StoreError> {
        let act = Act { place: Place { organization, repository: &whole.repository }, author, now };
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        let statement = "INSERT INTO repositories (organization, name, spelled, version, checksum, modified) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization, name) DO NOTHING";
        let made = act
            .place
            .query(statement)
            .bind(whole.repository.as_str())
            .bind(whole.version)
            .bind(whole.checksum.as_str())
            .bind(whole.modified.as_str())
            .execute(&mut *transaction)
            .await?;
        if made.rows_affected() == 0 {
            return Ok(false);
        }
        for text in &whole.entries {
            text.write_entry(&mut transaction, act.place).await?;
        }
        for text in &whole.history {
            text.write_history(&mut transaction, act.place).await?;
        }
        let sums: BTreeMap<&str, &str> =
            whole.entries.iter().map(|text| (text.key.as_str(), text.checksum.as_str())).collect();
        let details = serde_json::to_string(&sums).unwrap_or_default();
        super::audit::note(&mut transaction, &act.note("import", whole.version, details)).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

/// Whether the line was taken.
async fn send(out: &Sender<Vec<u8>>, line: &Line) -> bool {
    let Ok(mut bytes) = serde_json::to_vec(line) else { return false };
    bytes.push(b'\n');
    out.send(bytes).await.is_ok()
}
