//! What a client asks of a server, and what can come of it. Not its job: how it travels (see [`super::http`]).

use std::collections::BTreeMap;
use std::time::Duration;

use crate::team::sum::Sum;
use crate::team::wire::SecretFound;

/// What a server has, as it said at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The sum of everything, which the next PUT names; `None`: it said none.
    pub checksum: Option<Sum>,
    /// Its version.
    pub version: u64,
    /// The sum of each entry; `None`: it said none, nor the entries.
    pub sums: Option<BTreeMap<String, Sum>>,
    /// The text of each entry; `None`: not asked for.
    pub texts: Option<BTreeMap<String, String>>,
}

/// The answer to a GET.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// It is as the client knows it.
    Unchanged,
    /// The repository has no data.
    Nothing,
    /// What is there.
    Here(Seen),
}

/// What has to hold for a PUT to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On<'a> {
    /// The server still has exactly this.
    This(&'a Sum),
    /// The repository has no data.
    Nothing,
}

/// The answer to a PUT or DELETE that counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The sum of everything now.
    pub checksum: Option<Sum>,
    /// The version now.
    pub version: u64,
}

/// Why a request did not do what it was to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// 412: somebody was faster.
    #[error("somebody else changed the team's memories at the same time")]
    Moved,
    /// 401 or 403: not with this token.
    #[error("{words}")]
    Refused {
        /// The status.
        status: u16,
        /// In words.
        words: String,
    },
    /// 413: there would be too many entries.
    #[error("the server takes at most {} entries", .max.map_or_else(|| "so many".to_owned(), |max| max.to_string()))]
    Full {
        /// How many it takes; `None`: it does not say.
        max: Option<u64>,
    },
    /// 413: the repository has no room for so much text.
    #[error("{0}")]
    NoRoom(String),
    /// 413: the request, or an entry in it, is too large.
    #[error("{0}")]
    TooLarge(String),
    /// 400, 415, 422, 428: not these texts, or one of them.
    #[error("{0}")]
    Unfit(String),
    /// 422: the server found what looks like credentials.
    #[error("the server found what looks like a credential")]
    Secrets(Vec<SecretFound>),
    /// 429 or 503: later.
    #[error("{words}")]
    Busy {
        /// How long it wants to be left alone.
        wait: Option<Duration>,
        /// In words.
        words: String,
    },
    /// Nothing is known of what came of it: the connection broke, or the answer cannot be read.
    #[error("{0}")]
    Broken(String),
    /// It will be the same the next time.
    #[error("{0}")]
    Wrong(String),
}

/// A server, for one repository.
pub trait Remote {
    /// What it has. `known`: what the client knows already. `hashes`: sums only.
    ///
    /// # Errors
    /// As [`RemoteError`] says.
    fn get(&self, known: Option<&Sum>, hashes: bool) -> Result<Fetched, RemoteError>;

    /// Sets the texts of these entries.
    ///
    /// # Errors
    /// As [`RemoteError`] says; after [`RemoteError::Broken`] it may have happened all the same.
    fn put(&self, on: On<'_>, entries: &BTreeMap<String, String>) -> Result<Changed, RemoteError>;

    /// Takes an entry away, if it still has this sum. Our own servers can.
    ///
    /// # Errors
    /// As [`RemoteError`] says.
    fn delete(&self, key: &str, sum: &Sum) -> Result<Changed, RemoteError>;
}
