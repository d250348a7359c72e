//! What the operator of a server does beside it, on the database itself: tokens of any organisation, a copy, everything out
//! and in. All of it may be done while servers are at work.
//!
//! Not its job: what an administrator of an organisation may do over the network (`super::routes`).

use std::io::{self, BufRead, Write};
use std::path::Path;

use chrono::SecondsFormat;
use tokio::sync::mpsc;

use super::store::{Author, Database, Dump, Kept, NotADump, Restored, Store, StoreError};
use super::token::{Minted, Wanted};
use crate::clock::Clock;
use crate::secret;

/// Who stands in the audit when it was the operator.
const OPERATOR: &str = "operator";

/// The operator, with an open database.
#[derive(Debug)]
pub struct Operator {
    store: Store,
    clock: Clock,
}

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    /// The database did not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What was wanted cannot be.
    #[error("{0}")]
    Wrong(String),
    /// What was read is no export.
    #[error("this is no export: {0}")]
    NotADump(#[from] NotADump),
    /// It cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A token as it is listed.
#[derive(Clone, Debug, serde::Serialize)]
pub struct TokenRow {
    /// Its id, by which it is revoked.
    pub id: String,
    /// Whose.
    pub organization: String,
    /// What it is called.
    pub label: String,
    /// `read`, `write` or `admin`.
    pub role: String,
    /// For which repositories.
    pub repositories: String,
    /// RFC 3339.
    pub created: String,
    /// RFC 3339, or empty: never.
    pub expires: String,
    /// RFC 3339, or empty: it is good.
    pub revoked: String,
    /// Its text, for the one that was just made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl From<Kept> for TokenRow {
    fn from(kept: Kept) -> Self {
        Self {
            id: kept.id,
            organization: kept.organization,
            label: kept.label,
            role: kept.role.to_string(),
            repositories: kept.scope.as_str().to_owned(),
            created: kept.created,
            expires: kept.expires,
            revoked: kept.revoked,
            token: None,
        }
    }
}

impl Operator {
    /// Opens a database that a server made.
    ///
    /// # Errors
    /// When it is not there or cannot be reached.
    pub async fn open(database: &Database, clock: Clock) -> Result<Self, OperatorError> {
        Ok(Self { store: Store::open_existing(database).await?, clock })
    }

    /// Opens a database, and makes it where there is none.
    ///
    /// # Errors
    /// When it cannot be reached.
    pub async fn open_or_make(database: &Database, clock: Clock) -> Result<Self, OperatorError> {
        Ok(Self { store: Store::open(database).await?, clock })
    }

    fn author() -> Author {
        Author { token: String::new(), actor: OPERATOR.to_owned() }
    }

    fn now(&self) -> String {
        self.clock.now().to_rfc3339_opts(SecondsFormat::Micros, true)
    }

    /// Makes a token; its text is in the answer and nowhere else.
    ///
    /// # Errors
    /// When what is wanted cannot be.
    pub async fn new_token(&self, wanted: Wanted<'_>) -> Result<TokenRow, OperatorError> {
        let minted = Minted::new();
        let kept = wanted.check(&minted, self.clock.now()).map_err(OperatorError::Wrong)?;
        self.store.keep_token(&kept, &Self::author()).await?;
        Ok(TokenRow { token: Some(minted.text), ..kept.into() })
    }

    /// The tokens of an organisation, or of all.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn tokens(&self, organization: Option<&str>) -> Result<Vec<TokenRow>, OperatorError> {
        let kept = self.store.tokens(organization.unwrap_or_default()).await?;
        Ok(kept.into_iter().map(TokenRow::from).collect())
    }

    /// Revokes a token. Returns it as it is now, revoked then or before; `None`: there is none with this id.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke(&self, id: &str) -> Result<Option<TokenRow>, OperatorError> {
        self.store.revoke("", id, &Self::author(), &self.now()).await?;
        Ok(self.store.token(id).await?.map(TokenRow::from))
    }

    /// Writes everything as lines of JSON: repositories, entries, history, and tokens without their texts.
    ///
    /// # Errors
    /// When the database fails, or `out` takes no more.
    pub async fn export(&self, out: &mut (dyn Write + Send)) -> Result<(), OperatorError> {
        let (send, mut lines) = mpsc::channel::<Vec<u8>>(16);
        let now = self.now();
        let write = async {
            // The sender goes with the dump, so that the lines end.
            let mut failed = Ok(());
            while let Some(line) = lines.recv().await {
                failed = out.write_all(&line);
                if failed.is_err() {
                    lines.close();
                    break;
                }
            }
            failed.and_then(|()| out.flush())
        };
        let dump = async {
            let send = send;
            self.store.dump(None, &now, &send).await
        };
        let (dumped, written) = tokio::join!(dump, write);
        written?;
        Ok(dumped?)
    }

    /// Reads what [`Operator::export`] wrote, into this database: repositories that are not there, and tokens. An export
    /// with what looks like a secret is refused, unless it is to be taken as it is.
    ///
    /// # Errors
    /// When it is no export, holds secrets, or the database fails; each repository is whole or not there.
    pub async fn import(&self, lines: impl BufRead, unscanned: bool) -> Result<Restored, OperatorError> {
        let dump = Dump::read(lines)?;
        if !unscanned {
            let found =
                dump.texts().find_map(|(key, text)| Some((key, secret::scan(text.as_bytes()).into_iter().next()?)));
            if let Some((key, hit)) = found {
                let key = secret::redacted_name(key);
                let message = format!(
                    "{key:?} has what looks like a secret (line {}, {}); nothing was imported",
                    hit.line, hit.rule
                );
                return Err(OperatorError::Wrong(message));
            }
        }
        Ok(self.store.restore(&dump, None, &Self::author(), &self.now()).await?)
    }

    /// Copies a database of SQLite into a new file that only its owner can read; `false`: it is none of SQLite.
    ///
    /// # Errors
    /// When the file is there, or cannot be written.
    pub async fn copy_into(&self, path: &Path) -> Result<bool, OperatorError> {
        Ok(self.store.copy_into(path).await?)
    }
}
