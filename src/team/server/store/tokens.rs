//! Tokens as they are kept: by id, with the digest of the whole.

use std::io;

use chrono::{DateTime, Utc};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Connection, Row};

use super::retry::again;
use super::write::{Author, Note};
use super::{Store, StoreError};
use crate::team::server::token::{Minted, Role, Scope};

/// What is kept of a token.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) id: String,
    pub(crate) digest: String,
    pub(crate) organization: String,
    pub(crate) role: Role,
    pub(crate) scope: Scope,
    /// What it is called, which stands beside what is done with it.
    pub(crate) label: String,
    /// RFC 3339.
    pub(crate) created: String,
    /// RFC 3339, or empty: never.
    pub(crate) expires: String,
    /// RFC 3339, or empty: it is good.
    pub(crate) revoked: String,
}

impl Kept {
    /// What is kept of a token that was just made.
    pub(in crate::team::server) fn of(
        minted: &Minted,
        organization: &str,
        role: Role,
        scope: Scope,
        label: &str,
        now: &str,
    ) -> Self {
        Self {
            id: minted.id.clone(),
            digest: minted.digest.clone(),
            organization: organization.to_owned(),
            role,
            scope,
            label: label.to_owned(),
            created: now.to_owned(),
            expires: String::new(),
            revoked: String::new(),
        }
    }

    fn from_row(row: &AnyRow) -> Result<Self, StoreError> {
        let odd = |_| StoreError::Odd("a token whose role or repositories are none".to_owned());
        let role: String = row.try_get(3)?;
        let scope: String = row.try_get(4)?;
        Ok(Self {
            id: row.try_get(0)?,
            digest: row.try_get(1)?,
            organization: row.try_get(2)?,
            role: role.parse().map_err(|_| odd(()))?,
            scope: scope.parse().map_err(|_| odd(()))?,
            label: row.try_get(5)?,
            created: row.try_get(6)?,
            expires: row.try_get(7)?,
            revoked: row.try_get(8)?,
        })
    }

    /// Whether it is good at this instant.
    pub(crate) fn is_good(&self, now: DateTime<Utc>) -> bool {
        // A time that cannot be read is over.
        let is_ahead = |at: &str| DateTime::parse_from_rfc3339(at).is_ok_and(|at| at > now);
        self.revoked.is_empty() && (self.expires.is_empty() || is_ahead(&self.expires))
    }
}

impl Store {
    /// Keeps the first token of a database that never had one; `false`: it had. It counts only when `written` has put its
    /// text where its owner finds it: a token that nobody can read would be the last one.
    pub(crate) async fn keep_first_token(
        &self,
        kept: &Kept,
        written: &(dyn Fn() -> io::Result<()> + Sync),
    ) -> Result<bool, StoreError> {
        again(|| self.keep_first_token_once(kept, written)).await
    }

    /// Keeps a token, and who made it.
    pub(crate) async fn keep_token(&self, kept: &Kept, author: &Author) -> Result<(), StoreError> {
        again(|| self.keep_token_once(kept, author)).await
    }

    async fn keep_token_once(&self, kept: &Kept, author: &Author) -> Result<(), StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        keep(&mut transaction, kept).await?;
        note(&mut transaction, kept, author, &kept.created, "token-new").await?;
        Ok(transaction.commit().await?)
    }

    /// The tokens of an organisation, or of all where it is empty, by id.
    pub(crate) async fn tokens(&self, organization: &str) -> Result<Vec<Kept>, StoreError> {
        let rows = sqlx::query(
            "SELECT id, digest, organization, role, repositories, label, created, expires, revoked FROM tokens \
             WHERE $1 = '' OR organization = $1 ORDER BY organization, created, id",
        )
        .bind(organization)
        .fetch_all(&self.pool)
        .await?;
        rows.iter().map(Kept::from_row).collect()
    }

    /// Revokes a token of an organisation, or of any where it is empty; `false`: there is none, or it was revoked before.
    pub(crate) async fn revoke(
        &self,
        organization: &str,
        id: &str,
        author: &Author,
        now: &str,
    ) -> Result<bool, StoreError> {
        let Some(kept) = self.token(id).await? else { return Ok(false) };
        again(|| self.revoke_once(organization, &kept, author, now)).await
    }

    async fn revoke_once(
        &self,
        organization: &str,
        kept: &Kept,
        author: &Author,
        now: &str,
    ) -> Result<bool, StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        let revoked = sqlx::query(
            "UPDATE tokens SET revoked = $1 WHERE id = $2 AND ($3 = '' OR organization = $3) AND revoked = ''",
        )
        .bind(now)
        .bind(kept.id.as_str())
        .bind(organization)
        .execute(&mut *transaction)
        .await?;
        if revoked.rows_affected() == 0 {
            return Ok(false);
        }
        note(&mut transaction, kept, author, now, "token-revoke").await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn keep_first_token_once(
        &self,
        kept: &Kept,
        written: &(dyn Fn() -> io::Result<()> + Sync),
    ) -> Result<bool, StoreError> {
        let mut connection = self.pool.acquire().await?;
        let mut transaction = connection.begin().await?;
        let made =
            sqlx::query("INSERT INTO settings (name, value) VALUES ('first_token', $1) ON CONFLICT (name) DO NOTHING")
                .bind(kept.id.as_str())
                .execute(&mut *transaction)
                .await?;
        if made.rows_affected() == 0 {
            return Ok(false);
        }
        keep(&mut transaction, kept).await?;
        let nobody = Author { token: String::new(), actor: "first start".to_owned() };
        note(&mut transaction, kept, &nobody, &kept.created, "token-new").await?;
        written()?;
        transaction.commit().await?;
        Ok(true)
    }

    /// A token by its id.
    pub(crate) async fn token(&self, id: &str) -> Result<Option<Kept>, StoreError> {
        let row = sqlx::query(
            "SELECT id, digest, organization, role, repositories, label, created, expires, revoked \
             FROM tokens WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        row.as_ref().map(Kept::from_row).transpose()
    }
}

/// Writes a token down; one with its id stays as it is.
pub(super) async fn keep(connection: &mut AnyConnection, kept: &Kept) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO tokens (id, digest, organization, role, repositories, label, created, expires, revoked) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING",
    )
    .bind(kept.id.as_str())
    .bind(kept.digest.as_str())
    .bind(kept.organization.as_str())
    .bind(kept.role.to_string())
    .bind(kept.scope.as_str())
    .bind(kept.label.as_str())
    .bind(kept.created.as_str())
    .bind(kept.expires.as_str())
    .bind(kept.revoked.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

async fn note(
    connection: &mut AnyConnection,
    kept: &Kept,
    author: &Author,
    now: &str,
    action: &str,
) -> Result<(), StoreError> {
    let details = serde_json::json!({
        "id": kept.id, "label": kept.label, "role": kept.role, "repositories": kept.scope.as_str(), "expires": kept.expires,
    });
    let organization = &kept.organization;
    let details = details.to_string();
    let note = Note { organization, repository: "", author, now, action, version: 0, details };
    super::audit::note(connection, &note).await
}
