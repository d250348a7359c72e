//! The lines of an export: what each holds, and how it goes into the tables and comes out of them.
//!
//! Not its job: their order (see the modules beside).

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use super::super::StoreError;
use super::super::place::{Place, written};
use super::super::tokens::Kept;
use crate::team::key;
use crate::team::sum::Sum;

/// The present form.
pub(super) const FORMAT: u32 = 1;

/// One line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Line {
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

impl Line {
    /// Whether one of its fields holds a NUL.
    pub(super) fn has_nul(&self) -> bool {
        let fields: &[&String] = match self {
            Self::DreamtopExport { at, .. } => &[at],
            Self::Repository { organization, repo, modified, .. } => &[organization, repo, modified],
            Self::Entry(text) | Self::History(text) => {
                &[&text.key, &text.operation, &text.checksum, &text.at, &text.token, &text.by, &text.text]
            }
            Self::Token(token) => &[
                &token.id,
                &token.digest,
                &token.organization,
                &token.repositories,
                &token.label,
                &token.created,
                &token.expires,
                &token.revoked,
            ],
            Self::End { .. } => &[],
        };
        fields.iter().any(|field| field.contains('\0'))
    }
}

/// A version of an entry.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Text {
    pub(super) key: String,
    pub(super) version: i64,
    pub(super) operation: String,
    pub(super) checksum: String,
    pub(super) at: String,
    pub(super) token: String,
    pub(super) by: String,
    pub(super) text: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TokenLine {
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

impl TokenLine {
    pub(super) fn of(kept: &Kept) -> Self {
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

    pub(super) fn kept(self) -> Result<Kept, String> {
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

impl Text {
    /// From the columns beginning with `at`.
    pub(super) fn from_row(row: &AnyRow, at: usize) -> Result<Self, StoreError> {
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

    pub(super) fn bytes(&self) -> i64 {
        i64::try_from(self.text.len()).unwrap_or(i64::MAX)
    }

    pub(super) async fn write_entry(&self, connection: &mut AnyConnection, place: Place<'_>) -> Result<(), StoreError> {
        let statement = "INSERT INTO entries (organization, repository, path, folded, checksum, bytes, content, version, modified, \
             token, actor) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let query = place
            .query_entry(statement, &self.key)
            .bind(key::folded(&self.key))
            .bind(self.checksum.as_str())
            .bind(self.bytes())
            .bind(self.text.as_str())
            .bind(self.version);
        written(query, &self.at, &self.token, &self.by).execute(connection).await?;
        Ok(())
    }

    pub(super) async fn write_history(
        &self,
        connection: &mut AnyConnection,
        place: Place<'_>,
    ) -> Result<(), StoreError> {
        let statement = "INSERT INTO history (organization, repository, path, version, operation, checksum, bytes, content, \
             modified, token, actor) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let query = place
            .query_entry(statement, &self.key)
            .bind(self.version)
            .bind(self.operation.as_str())
            .bind(self.checksum.as_str())
            .bind(self.bytes())
            .bind(self.text.as_str());
        written(query, &self.at, &self.token, &self.by).execute(connection).await?;
        Ok(())
    }
}
