//! Changing a repository: one transaction whose first statement decides whether the caller knew the present state.
//!
//! That statement also holds the repository's row until the end, so that writers of one repository go one after the
//! other, and those of different ones never meet.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sqlx::{AnyConnection, Connection, Row};

use super::place::written;
use super::retry::again;
use super::{Act, Place, Store, StoreError};
use crate::team::key;
use crate::team::server::options::Limits;
use crate::team::sum::Sum;
use crate::team::wire::Stored;

/// Who writes.
#[derive(Clone, Debug)]
pub(crate) struct Author {
    /// The id of the token.
    pub(crate) token: String,
    /// What the token is called.
    pub(crate) actor: String,
}

/// What the caller thinks is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Precondition {
    /// Nothing.
    Absent,
    /// A repository with one of these sums.
    Matches(Vec<Sum>),
}

/// Entries to be written, checked already.
#[derive(Debug)]
pub(crate) struct Put<'a> {
    pub(crate) act: Act<'a>,
    pub(crate) precondition: &'a Precondition,
    /// Text by key.
    pub(crate) entries: &'a BTreeMap<String, String>,
}

/// What came of a write.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) stored: Stored,
    /// Whether there is a new version.
    pub(crate) is_change: bool,
}

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The caller does not know the present state.
    Stale,
    /// There is no such entry.
    Missing,
    /// The repository would have too many entries.
    TooMany {
        /// How many there may be.
        max: usize,
        /// How many there would be.
        received: usize,
    },
    /// The repository would have too much text.
    TooLarge {
        /// How many bytes there may be.
        max: u64,
        /// How many there would be.
        received: u64,
    },
    /// The organisation has no room for another repository.
    TooManyRepositories {
        /// How many there may be.
        max: usize,
    },
    /// Two names that are one file on some systems.
    Collides(String, String),
}

/// An entry without its text.
pub(super) struct Present {
    folded: String,
    pub(super) sum: Sum,
    bytes: u64,
}

/// What the first statement of a change found.
struct Held {
    version: i64,
    modified: String,
    entries: BTreeMap<String, Present>,
}

impl Store {
    /// Writes entries, all or none. Nothing changed: the answer is the state that was there.
    pub(crate) async fn put(&self, put: &Put<'_>, limits: &Limits) -> Result<Result<Written, Refusal>, StoreError> {
        again(|| self.put_once(put, limits)).await
    }

    async fn put_once(&self, put: &Put<'_>, limits: &Limits) -> Result<Result<Written, Refusal>, StoreError> {
        let Act { place, now, .. } = put.act;
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        let Some(mut held) = hold(&mut transaction, put).await? else { return Ok(Err(Refusal::Stale)) };
        let before = Size::of(&held.entries);
        let sums: BTreeMap<String, Sum> =
            put.entries.iter().map(|(path, text)| (path.clone(), Sum::of(text.as_bytes()))).collect();
        let is_changed = |path: &&String| held.entries.get(*path).map(|present| &present.sum) != sums.get(*path);
        let changed: Vec<&String> = put.entries.keys().filter(is_changed).collect();
        let is_new = *put.precondition == Precondition::Absent;
        let is_one_more = is_new && count(&mut transaction, place.organization).await? > limits.repositories;
        if is_one_more {
            return Ok(Err(Refusal::TooManyRepositories { max: limits.repositories }));
        }
        if changed.is_empty() && !is_new {
            transaction.rollback().await?;
            let checksum = Some(checksum(&held.entries));
            let version = u64::try_from(held.version - 1).unwrap_or_default();
            let stored = Stored { version, checksum, last_modified: held.modified, entry_checksums: sums };
            return Ok(Ok(Written { stored, is_change: false }));
        }
        let known: BTreeSet<String> = held.entries.keys().cloned().collect();
        for path in &changed {
            let (Some(text), Some(sum)) = (put.entries.get(*path), sums.get(*path)) else { continue };
            let present = Present { folded: key::folded(path), sum: sum.clone(), bytes: text.len() as u64 };
            held.entries.insert((*path).clone(), present);
        }
        if let Some(refusal) = refusal(&held.entries, &before, limits) {
            return Ok(Err(refusal));
        }
        let checksum = checksum(&held.entries);
        for path in &changed {
            let (Some(text), Some(present)) = (put.entries.get(*path), held.entries.get(*path)) else { continue };
            if known.contains(*path) {
                set_aside(&mut transaction, place, path, limits.versions).await?;
            }
            write_entry(&mut transaction, put, path, text, present, held.version).await?;
        }
        let changes: BTreeMap<&String, &Sum> =
            changed.iter().filter_map(|path| Some((*path, sums.get(*path)?))).collect();
        let note = put.act.note("put", held.version, serde_json::to_string(&changes).unwrap_or_default());
        finish(&mut transaction, place, &note, &checksum).await?;
        transaction.commit().await?;
        let version = u64::try_from(held.version).unwrap_or_default();
        let last_modified = now.to_owned();
        let stored = Stored { version, checksum: Some(checksum), last_modified, entry_checksums: sums };
        Ok(Ok(Written { stored, is_change: true }))
    }
}

/// The statement that everything depends on: the version rises only where the caller knew the state. Then what is there.
async fn hold(connection: &mut AnyConnection, put: &Put<'_>) -> Result<Option<Held>, StoreError> {
    let Act { place, now, .. } = put.act;
    let none = Sum::of_all([]);
    let mut row = None;
    match put.precondition {
        Precondition::Absent => {
            let statement = "INSERT INTO repositories (organization, name, spelled, version, checksum, modified) \
                 VALUES ($1, $2, $3, 1, $4, $5) ON CONFLICT (organization, name) DO NOTHING RETURNING version, modified";
            let query = place.query(statement).bind(place.repository.as_str()).bind(none.as_str()).bind(now);
            row = query.fetch_optional(&mut *connection).await?;
        }
        Precondition::Matches(sums) => {
            for sum in sums {
                let statement = "UPDATE repositories SET version = version + 1 \
                     WHERE organization = $1 AND name = $2 AND checksum = $3 RETURNING version, modified";
                row = place.query(statement).bind(sum.as_str()).fetch_optional(&mut *connection).await?;
                if row.is_some() {
                    break;
                }
            }
        }
    }
    let Some(row) = row else { return Ok(None) };
    let entries = present(connection, place).await?;
    Ok(Some(Held { version: row.try_get(0)?, modified: row.try_get(1)?, entries }))
}

/// The entries of a repository, without their texts.
pub(super) async fn present(
    connection: &mut AnyConnection,
    place: Place<'_>,
) -> Result<BTreeMap<String, Present>, StoreError> {
    let rows = place
        .query("SELECT path, folded, checksum, bytes FROM entries WHERE organization = $1 AND repository = $2")
        .fetch_all(connection)
        .await?;
    let mut entries = BTreeMap::new();
    for row in rows {
        let bytes = u64::try_from(row.try_get::<i64, _>(3)?).unwrap_or_default();
        let sum = Sum::sent(row.try_get::<String, _>(2)?);
        entries.insert(row.try_get(0)?, Present { folded: row.try_get(1)?, sum, bytes });
    }
    Ok(entries)
}

/// The sum of a repository.
pub(super) fn checksum(entries: &BTreeMap<String, Present>) -> Sum {
    Sum::of_all(entries.iter().map(|(path, present)| (path.as_str(), &present.sum)))
}

/// How large a repository is.
struct Size {
    entries: usize,
    bytes: u64,
}

impl Size {
    fn of(entries: &BTreeMap<String, Present>) -> Self {
        Self { entries: entries.len(), bytes: entries.values().map(|present| present.bytes).sum() }
    }
}

/// What is wrong with a repository that would look like this. One that is above a limit already, since that was lowered, may
/// change and shrink: only what grows is refused.
fn refusal(entries: &BTreeMap<String, Present>, before: &Size, limits: &Limits) -> Option<Refusal> {
    let after = Size::of(entries);
    if after.entries > limits.entries.max(before.entries) {
        return Some(Refusal::TooMany { max: limits.entries, received: after.entries });
    }
    if after.bytes > limits.repository_bytes.max(before.bytes) {
        return Some(Refusal::TooLarge { max: limits.repository_bytes, received: after.bytes });
    }
    let mut seen: HashMap<&str, &String> = HashMap::new();
    entries.iter().find_map(|(path, present)| {
        let other = seen.insert(&present.folded, path)?;
        Some(Refusal::Collides(other.clone(), path.clone()))
    })
}

/// How many repositories an organisation has.
pub(super) async fn count(connection: &mut AnyConnection, organization: &str) -> Result<usize, StoreError> {
    let row = sqlx::query("SELECT COUNT(*) FROM repositories WHERE organization = $1")
        .bind(organization)
        .fetch_one(connection)
        .await?;
    Ok(usize::try_from(row.try_get::<i64, _>(0)?).unwrap_or_default())
}

/// What an entry holds goes into the history, of which the latest `versions` stay.
pub(super) async fn set_aside(
    connection: &mut AnyConnection,
    place: Place<'_>,
    path: &str,
    versions: u32,
) -> Result<(), StoreError> {
    let statement = "INSERT INTO history (organization, repository, path, version, operation, checksum, bytes, content, modified, \
         token, actor) SELECT organization, repository, path, version, 'put', checksum, bytes, content, modified, token, \
         actor FROM entries WHERE organization = $1 AND repository = $2 AND path = $3";
    place.query_entry(statement, path).execute(&mut *connection).await?;
    super::prune::beyond(connection, place, path, versions).await
}

async fn write_entry(
    connection: &mut AnyConnection,
    put: &Put<'_>,
    path: &str,
    text: &str,
    present: &Present,
    version: i64,
) -> Result<(), StoreError> {
    let Act { place, author, now } = put.act;
    let statement = "INSERT INTO entries (organization, repository, path, folded, checksum, bytes, content, version, modified, \
         token, actor) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (organization, repository, path) DO UPDATE SET checksum = excluded.checksum, \
         bytes = excluded.bytes, content = excluded.content, version = excluded.version, modified = excluded.modified, \
         token = excluded.token, actor = excluded.actor";
    let query = place
        .query_entry(statement, path)
        .bind(present.folded.as_str())
        .bind(present.sum.as_str())
        .bind(i64::try_from(present.bytes).unwrap_or(i64::MAX))
        .bind(text)
        .bind(version);
    written(query, now, &author.token, &author.actor).execute(connection).await?;
    Ok(())
}

/// A line for the audit.
pub(crate) struct Note<'a> {
    pub(crate) organization: &'a str,
    /// `owner/name`; empty: it is about none.
    pub(crate) repository: &'a str,
    pub(crate) author: &'a Author,
    /// RFC 3339.
    pub(crate) now: &'a str,
    /// `put`, `delete` and the like.
    pub(crate) action: &'a str,
    /// The version that it made or is about; 0: none.
    pub(crate) version: i64,
    /// JSON.
    pub(crate) details: String,
}

/// The last two statements of a change: the repository's new sum, and who did it.
pub(super) async fn finish(
    connection: &mut AnyConnection,
    place: Place<'_>,
    note: &Note<'_>,
    checksum: &Sum,
) -> Result<(), StoreError> {
    place
        .query("UPDATE repositories SET checksum = $3, modified = $4 WHERE organization = $1 AND name = $2")
        .bind(checksum.as_str())
        .bind(note.now)
        .execute(&mut *connection)
        .await?;
    super::audit::note(connection, note).await
}
