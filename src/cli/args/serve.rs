//! What can be typed to serve a team.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

/// `serve`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Serve {
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
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub(in crate::cli) max_entries: usize,
    /// The most requests a minute with one token; 0: any number
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub(in crate::cli) token_rate: u32,
    /// The most requests a minute from one address; 0: any number
    #[arg(long, value_name = "N", default_value_t = 3_000)]
    pub(in crate::cli) address_rate: u32,
    /// The most requests at work at once
    #[arg(long, value_name = "N", default_value_t = 128)]
    pub(in crate::cli) max_requests: usize,
    /// The most open connections
    #[arg(long, value_name = "N", default_value_t = 1_024)]
    pub(in crate::cli) max_connections: usize,
    /// Seconds that the head of a request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 15)]
    pub(in crate::cli) header_timeout: u64,
    /// Seconds that the body of a request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub(in crate::cli) body_timeout: u64,
}
