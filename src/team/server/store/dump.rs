//! Everything as lines of JSON, and back: for moving to another database, and as a backup where the database has no copy
//! of its own making.
//!
//! A repository comes back whole or not at all, and never over one that is there.

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Connection, Row};
use tokio::sync::mpsc::Sender;

use super::retry::again;
use super::tokens::{Kept, keep};
use super::write::{Author, Note};
use super::{Store, StoreError};
use crate::team::key;
use crate::team::repository::Repository;
use crate::team::sum::Sum;

/// How many former versions are read at once.
const PAGE: i64 = 32;

/// The present form.
const FORMAT: u32 = 1;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Line {
    /// The first one.
    DreamtopExport { format: u32, at: String },
    /// A repository; its entries and their history follow.
    Repository { organization: String, repo: String, version: i64, checksum: Sum, modified: String },
    /// A present entry of the repository before.
    Entry(Text),
    /// A former version of an entry, or its tombstone.
    History(Text),
    /// A token, without its text; only in an export by the operator.
    Token(TokenLine),
    /// The last one: without it the export was cut off.
    End { repositories: usize },
}

/// A version of an entry.
#[derive(Debug, Serialize, Deserialize)]
struct Text {
    key: String,
    version: i64,
    operation: String,
    checksum: String,
    at: String,
    token: String,
    by: String,
    text: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct TokenLine {
    id: String,
    digest: String,
    organization: String,
    role: String,
    repositories: String,
    label: String,
    created: String,
    expires: String,
    revoked: String,
}

/// A repository that was read from lines.
#[derive(Debug)]
struct Whole {
    organization: String,
    repository: Repository,
    version: i64,
    checksum: Sum,
    modified: String,
    entries: Vec<Text>,
    history: Vec<Text>,
}

/// An export that was read and found to be right.
#[derive(Debug, Default)]
pub(crate) struct Dump {
    repositories: Vec<Whole>,
    tokens: Vec<Kept>,
}

/// What came of an import, as `organization/owner/name`.
#[derive(Debug, Default, Serialize)]
pub struct Restored {
    /// These are there now.
    pub imported: Vec<String>,
    /// These were there before, and were left as they are.
    pub skipped: Vec<String>,
}

/// Lines that are no export.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct NotADump {
    line: usize,
    reason: String,
}

impl Dump {
    /// Reads an export and checks all of it: nothing is written of one that is cut off or damaged.
    ///
    /// # Errors
    /// With the first line that is wrong.
    pub(crate) fn read(lines: impl BufRead) -> Result<Self, NotADump> {
        let mut dump = Self::default();
        let (mut number, mut is_over) = (0, false);
        for line in lines.lines() {
            number += 1;
            let wrong = |reason: &str| NotADump { line: number, reason: reason.to_owned() };
            let line = line.map_err(|_| wrong("it cannot be read as text"))?;
            // An error of the parser may quote the text.
            let line: Line = serde_json::from_str(&line).map_err(|_| wrong("this is no line of an export"))?;
            if is_over || (number == 1) != matches!(line, Line::DreamtopExport { .. }) {
                return Err(wrong("this is no export: it begins with its format and ends with its end"));
            }
            is_over = matches!(line, Line::End { .. });
            dump.take(line).map_err(|reason| wrong(&reason))?;
        }
        if number == 0 {
            return Err(NotADump { line: 1, reason: "there is nothing in it".to_owned() });
        }
        if !is_over {
            return Err(NotADump { line: number, reason: "the export was cut off here".to_owned() });
        }
        Ok(dump)
    }

    fn take(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::DreamtopExport { format: FORMAT, .. } => {}
            Line::DreamtopExport { format, .. } => return Err(format!("a later version wrote it (format {format})")),
            Line::Repository { organization, repo, version, checksum, modified } => {
                self.check_last()?;
                let repository = repo.parse().map_err(|_| "the repository has no right name".to_owned())?;
                let (entries, history) = (Vec::new(), Vec::new());
                let whole = Whole { organization, repository, version, checksum, modified, entries, history };
                self.repositories.push(whole);
            }
            Line::Entry(text) => {
                let whole = self.repositories.last_mut().ok_or("an entry without a repository")?;
                key::check(&text.key).map_err(|error| error.to_string())?;
                if text.checksum != Sum::of(text.text.as_bytes()).as_str() || text.text.contains('\0') {
                    return Err("the text is not the one its checksum is of".to_owned());
                }
                whole.entries.push(text);
            }
            Line::History(text) => {
                let whole = self.repositories.last_mut().ok_or("a version without a repository")?;
                key::check(&text.key).map_err(|error| error.to_string())?;
                let is_right = match text.operation.as_str() {
                    "put" => text.checksum == Sum::of(text.text.as_bytes()).as_str() && !text.text.contains('\0'),
                    "delete" | "erased" => text.checksum.is_empty() && text.text.is_empty(),
                    _ => false,
                };
                if !is_right {
                    return Err("the text is not the one its checksum is of".to_owned());
                }
                whole.history.push(text);
            }
            Line::Token(line) => self.tokens.push(line.kept()?),
            Line::End { repositories } => {
                self.check_last()?;
                if repositories != self.repositories.len() {
                    return Err("some of its repositories are missing".to_owned());
                }
            }
        }
        Ok(())
    }

    /// Whether the repository that was read last is what its sum says.
    fn check_last(&self) -> Result<(), String> {
        let Some(whole) = self.repositories.last() else { return Ok(()) };
        let sums: BTreeMap<&str, Sum> =
            whole.entries.iter().map(|text| (text.key.as_str(), Sum::sent(text.checksum.as_str()))).collect();
        let folded: BTreeSet<String> = whole.entries.iter().map(|text| key::folded(&text.key)).collect();
        let versions: BTreeSet<(&str, i64)> =
            whole.entries.iter().chain(&whole.history).map(|text| (text.key.as_str(), text.version)).collect();
        let is_right = Sum::of_all(sums.iter().map(|(key, sum)| (*key, sum))) == whole.checksum
            && folded.len() == whole.entries.len()
            && versions.len() == whole.entries.len() + whole.history.len();
        if is_right { Ok(()) } else { Err(format!("{} is not what its checksum is of", whole.repository)) }
    }

    /// Every text with its key, those of the history too.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.repositories
            .iter()
            .flat_map(|whole| whole.entries.iter().chain(&whole.history))
            .map(|text| (text.key.as_str(), text.text.as_str()))
    }

    /// How many repositories it has.
    pub(crate) fn count(&self) -> usize {
        self.repositories.len()
    }

    /// The most entries and the most bytes that one of its repositories has.
    pub(crate) fn largest(&self) -> (usize, u64) {
        let bytes = |whole: &Whole| whole.entries.iter().map(|text| text.text.len() as u64).sum();
        let entries = self.repositories.iter().map(|whole| whole.entries.len()).max();
        (entries.unwrap_or_default(), self.repositories.iter().map(bytes).max().unwrap_or_default())
    }
}

impl TokenLine {
    fn of(kept: &Kept) -> Self {
        Self {
            id: kept.id.clone(),
            digest: kept.digest.clone(),
            organization: kept.organization.clone(),
            role: kept.role.to_string(),
            repositories: kept.scope.as_str().to_owned(),
            label: kept.label.clone(),
            created: kept.created.clone(),
            expires: kept.expires.clone(),
            revoked: kept.revoked.clone(),
        }
    }

    fn kept(self) -> Result<Kept, String> {
        Ok(Kept {
            role: self.role.parse().map_err(|_| "a token with a role that is none")?,
            scope: self.repositories.parse().map_err(|_| "a token with a pattern that is none")?,
            id: self.id,
            digest: self.digest,
            organization: self.organization,
            label: self.label,
            created: self.created,
            expires: self.expires,
            revoked: self.revoked,
        })
    }
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
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        let name = whole.repository.folded();
        let made = sqlx::query(
            "INSERT INTO repositories (organization, name, spelled, version, checksum, modified) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (organization, name) DO NOTHING",
        )
        .bind(organization)
        .bind(name.as_str())
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
            text.write_entry(&mut transaction, organization, &name).await?;
        }
        for text in &whole.history {
            text.write_history(&mut transaction, organization, &name).await?;
        }
        let sums: BTreeMap<&str, &str> =
            whole.entries.iter().map(|text| (text.key.as_str(), text.checksum.as_str())).collect();
        let details = serde_json::to_string(&sums).unwrap_or_default();
        let (repository, version) = (whole.repository.as_str(), whole.version);
        let note = Note { organization, repository, author, now, action: "import", version, details };
        super::audit::note(&mut transaction, &note).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

impl Text {
    /// From the columns beginning with `at`.
    fn from_row(row: &AnyRow, at: usize) -> Result<Self, StoreError> {
        Ok(Self {
            key: row.try_get(at)?,
            version: row.try_get(at + 1)?,
            operation: row.try_get(at + 2)?,
            checksum: row.try_get(at + 3)?,
            at: row.try_get(at + 4)?,
            token: row.try_get(at + 5)?,
            by: row.try_get(at + 6)?,
            text: row.try_get(at + 7)?,
        })
    }

    fn bytes(&self) -> i64 {
        i64::try_from(self.text.len()).unwrap_or(i64::MAX)
    }

    async fn write_entry(&self, connection: &mut AnyConnection, org: &str, name: &str) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO entries (organization, repository, path, folded, checksum, bytes, content, version, modified, \
             token, actor) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(org)
        .bind(name)
        .bind(self.key.as_str())
        .bind(key::folded(&self.key))
        .bind(self.checksum.as_str())
        .bind(self.bytes())
        .bind(self.text.as_str())
        .bind(self.version)
        .bind(self.at.as_str())
        .bind(self.token.as_str())
        .bind(self.by.as_str())
        .execute(connection)
        .await?;
        Ok(())
    }

    async fn write_history(&self, connection: &mut AnyConnection, org: &str, name: &str) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO history (organization, repository, path, version, operation, checksum, bytes, content, \
             modified, token, actor) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(org)
        .bind(name)
        .bind(self.key.as_str())
        .bind(self.version)
        .bind(self.operation.as_str())
        .bind(self.checksum.as_str())
        .bind(self.bytes())
        .bind(self.text.as_str())
        .bind(self.at.as_str())
        .bind(self.token.as_str())
        .bind(self.by.as_str())
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Whether the line was taken.
async fn send(out: &Sender<Vec<u8>>, line: &Line) -> bool {
    let Ok(mut bytes) = serde_json::to_vec(line) else { return false };
    bytes.push(b'\n');
    out.send(bytes).await.is_ok()
}
