//! What can be typed to serve a team.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};

/// The highest number of anything, and the longest of a wait in seconds: a day.
const MOST: u64 = 1_000_000;
const DAY: u64 = 24 * 60 * 60;

/// A number that is not nothing: a server with a limit of zero serves nobody.
fn some<N: TryFrom<u64> + Clone + Send + Sync + 'static>(most: u64) -> RangedU64ValueParser<N> {
    RangedU64ValueParser::new().range(1..=most)
}

/// `serve`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Serve {
    /// What to do beside a server; nothing: serve
    #[command(subcommand)]
    pub(in crate::cli) verb: Option<ServeVerb>,
    /// Where everything is kept: a file for SQLite, or postgres://USER@HOST/NAME (default: $DREAMTOP_DATABASE, else a file in
    /// the state directory)
    #[arg(long, value_name = "FILE|URL", global = true)]
    pub(in crate::cli) database: Option<String>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7327")]
    pub(in crate::cli) listen: SocketAddr,
    /// The certificate chain, in PEM: serve over TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(in crate::cli) tls_certificate: Option<PathBuf>,
    /// The certificate's key, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub(in crate::cli) tls_key: Option<PathBuf>,
    /// Callers are told apart by the last address in X-Forwarded-For: only behind a proxy that writes it
    #[arg(long)]
    pub(in crate::cli) behind_proxy: bool,
    /// The most entries of a repository
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = some::<usize>(MOST))]
    pub(in crate::cli) max_entries: usize,
    /// The most repositories of an organisation
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = some::<usize>(MOST))]
    pub(in crate::cli) max_repositories: usize,
    /// Former versions of an entry that stay however old they are
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(in crate::cli) keep_versions: u32,
    /// Days after which older versions and the audit go; 0: never
    #[arg(long, value_name = "DAYS", default_value_t = 365)]
    pub(in crate::cli) keep_days: u64,
    /// The most requests a minute with one token; 0: any number
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub(in crate::cli) token_rate: u32,
    /// The most requests a minute from one address; 0: any number
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    pub(in crate::cli) address_rate: u32,
    /// The most requests at work at once
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = some::<usize>(MOST))]
    pub(in crate::cli) max_requests: usize,
    /// The most open connections
    #[arg(long, value_name = "N", default_value_t = 1_024, value_parser = some::<usize>(MOST))]
    pub(in crate::cli) max_connections: usize,
    /// Seconds that the head of a request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = some::<u64>(DAY))]
    pub(in crate::cli) header_timeout: u64,
    /// Seconds that the body of a request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = some::<u64>(DAY))]
    pub(in crate::cli) body_timeout: u64,
}

/// What the operator does beside a server, on its database.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ServeVerb {
    /// Make, list and revoke tokens
    Token(Token),
    /// Write everything to standard output, as lines of JSON; tokens without their texts
    Export,
    /// Read an export: repositories that are not there yet, and tokens
    Import(Import),
    /// Write everything into a new file, while servers go on: a copy for SQLite, an export for PostgreSQL
    Backup {
        /// The file, which must not be there yet
        file: PathBuf,
    },
}

/// `serve token`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Token {
    /// What to do
    #[command(subcommand)]
    pub(in crate::cli) verb: TokenVerb,
}

/// What to do with tokens.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TokenVerb {
    /// Make a token and print it, this only time
    New(TokenNew),
    /// List the tokens, never their texts
    List,
    /// Revoke a token: it counts for nothing from now on
    Revoke {
        /// Its id
        id: String,
    },
}

/// A token to be made.
#[derive(Debug, Args)]
pub(in crate::cli) struct TokenNew {
    /// What it is called: the person or the machine that gets it
    pub(in crate::cli) label: String,
    /// read, write or admin
    #[arg(long, value_name = "ROLE", default_value = "write")]
    pub(in crate::cli) role: String,
    /// The repositories it is for: owner/name, where * and ? stand for other letters (default: all of the organisation)
    #[arg(long, value_name = "PATTERN")]
    pub(in crate::cli) repositories: Option<String>,
    /// When it ends, as 2027-01-31T00:00:00Z (default: never)
    #[arg(long, value_name = "INSTANT")]
    pub(in crate::cli) expires: Option<String>,
    /// The organisation it belongs to; it sees nothing of another
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(in crate::cli) organization: String,
}

/// `serve import`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Import {
    /// The export; `-` reads standard input
    pub(in crate::cli) file: PathBuf,
    /// Take it as it is, also what looks like a secret
    #[arg(long)]
    pub(in crate::cli) unscanned: bool,
}
