//! What a server is started with.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use super::store::Database;
use crate::clock::Clock;
use crate::team::wire;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where everything is kept.
    pub database: Database,
    /// What may be asked of it.
    pub limits: Limits,
    /// The certificate chain and the key in PEM files; `None`: no TLS.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// The address of a caller is the last one in `X-Forwarded-For`: only behind a proxy that writes it.
    pub is_behind_proxy: bool,
    /// When it is.
    pub clock: Clock,
}

/// What may be asked of a server.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of a request's body, packed or not.
    pub body: usize,
    /// Bytes of an import's body.
    pub import: usize,
    /// Bytes of text in one entry.
    pub entry: usize,
    /// Entries in one repository.
    pub entries: usize,
    /// Bytes of text in one repository.
    pub repository_bytes: u64,
    /// Repositories in one organisation.
    pub repositories: usize,
    /// Former versions of an entry; the oldest go.
    pub versions: u32,
    /// Former versions of an entry that stay however old they are.
    pub old_versions: u32,
    /// How old history and audit become; zero: any age.
    pub age: Duration,
    /// Requests at work at once, until their answers are taken; more are told to come back.
    pub requests: usize,
    /// Bytes of repositories in answers that are made or wait to be taken; more wait, and are told to come back.
    pub answers: u64,
    /// Open connections; more are closed at once.
    pub connections: usize,
    /// Requests a minute with one token; 0: any number.
    pub token_rate: u32,
    /// Requests a minute from one address; 0: any number.
    pub address_rate: u32,
    /// How long the head of a request may take, also until the next request of a connection.
    pub header: Duration,
    /// How long the body may take.
    pub read: Duration,
    /// How long a connection may take none of what it is sent.
    pub write: Duration,
    /// How long an answer may take.
    pub answer: Duration,
    /// How long requests under way are waited for at the end.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: wire::BODY_BYTES,
            import: 64 * 1024 * 1024,
            entry: wire::ENTRY_BYTES,
            entries: 2_000,
            repository_bytes: 32 * 1024 * 1024,
            repositories: 10_000,
            versions: 1_000,
            old_versions: 20,
            age: Duration::from_secs(365 * 24 * 60 * 60),
            requests: 128,
            answers: 512 * 1024 * 1024,
            connections: 1_024,
            token_rate: 600,
            address_rate: 3_000,
            header: Duration::from_secs(15),
            read: Duration::from_secs(30),
            write: Duration::from_secs(60),
            answer: Duration::from_secs(60),
            stop: Duration::from_secs(10),
        }
    }
}
