//! The server of a team's memories: the contract of [`crate::team::wire`] over SQLite or PostgreSQL.
//!
//! A laptop starts it with one command; any number of them on one PostgreSQL are one server, for each keeps nothing but
//! counts. Organisations are tenants: a token belongs to one, and sees nothing of another. Not its job: stores on disk,
//! merging, and whatever a client decides.

mod body;
mod caller;
mod connections;
mod failure;
mod log;
mod metrics;
mod observe;
mod operator;
mod options;
mod rate;
mod request;
mod room;
mod routes;
mod store;
mod token;

use std::fmt;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum_server::Handle;
use axum_server::accept::NoDelayAcceptor;
use axum_server::tls_rustls::{RustlsAcceptor, RustlsConfig};
use chrono::SecondsFormat;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

pub use log::log_to_stderr;
pub use operator::{Operator, OperatorError, TokenRow};
pub use options::{Limits, Options};
pub use store::{Database, NotADatabase, StoreError};
pub use store::{NotADump, Restored};
pub use token::{NotARole, NotAScope, Role, Scope, Wanted};

use crate::clock::Clock;
use connections::Guarded;
use metrics::Metrics;
use rate::Rates;
use room::Room;
use store::{Kept, Store};
use token::Minted;

/// How often what is over is forgotten.
const TIDY: Duration = Duration::from_secs(60);
/// In how many of these what is too old is dropped once.
const PRUNE: u64 = 60;
/// The organisation of the first token.
const FIRST_ORGANIZATION: &str = "default";

/// What every request works with.
#[derive(Debug)]
struct App {
    store: Store,
    limits: Limits,
    clock: Clock,
    rates: Rates,
    metrics: Metrics,
    /// Requests that may be at work.
    places: Arc<Semaphore>,
    /// Memory for answers.
    room: Room,
    is_behind_proxy: bool,
    /// Only this machine can ask.
    is_loopback: bool,
    is_stopping: AtomicBool,
}

impl App {
    /// The present instant, RFC 3339 in UTC.
    fn now(&self) -> String {
        self.clock.now().to_rfc3339_opts(SecondsFormat::Micros, true)
    }
}

/// Why a server does not start or has ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be had.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The certificate or its key cannot be used.
    #[error("the certificate {0} with the key {1} cannot be used: {2}")]
    Certificate(PathBuf, PathBuf, io::Error),
    /// The database cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Serving broke off.
    #[error("serving broke off: {0}")]
    Broken(io::Error),
}

/// The token of an administrator that was made because there was none; shown once.
pub struct FirstToken(String);

impl FirstToken {
    /// The token.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for FirstToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FirstToken")
    }
}

/// A server at work.
#[derive(Debug)]
pub struct Server {
    app: Arc<App>,
    address: SocketAddr,
    handle: Handle<SocketAddr>,
    serving: JoinHandle<io::Result<()>>,
    tidying: JoinHandle<()>,
    first_token: Option<FirstToken>,
}

impl Server {
    /// Opens the database, makes the first token where there never was one, and serves until [`Server::stop`].
    ///
    /// # Errors
    /// When the database, the certificate or the address cannot be used.
    pub async fn start(options: Options) -> Result<Self, ServeError> {
        Self::start_keeping(options, &|_| Ok(())).await
    }

    /// The same; a first token counts only once `keep` has put it where its owner finds it.
    ///
    /// # Errors
    /// Also when `keep` has none: then the next start makes a token.
    pub async fn start_keeping(
        options: Options,
        keep: &(dyn Fn(&FirstToken) -> io::Result<()> + Sync),
    ) -> Result<Self, ServeError> {
        let store = Store::open(&options.database).await?;
        let listen = |error| ServeError::Listen(options.listen, error);
        let listener = TcpListener::bind(options.listen).map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let certificate = match &options.tls {
            None => None,
            Some((chain, key)) => {
                let read = certificate(chain, key).await;
                Some(read.map_err(|error| ServeError::Certificate(chain.clone(), key.clone(), error))?)
            }
        };
        let limits = options.limits;
        let app = Arc::new(App {
            store,
            rates: Rates::new(&limits),
            metrics: Metrics::default(),
            places: Arc::new(Semaphore::new(limits.requests.min(Semaphore::MAX_PERMITS))),
            room: Room::of(limits.answers),
            is_behind_proxy: options.is_behind_proxy,
            is_loopback: address.ip().is_loopback(),
            is_stopping: AtomicBool::new(false),
            clock: options.clock,
            limits,
        });
        let first_token = first_token(&app, keep).await?;
        let handle = Handle::new();
        let mut server = axum_server::from_tcp(listener).map_err(listen)?.handle(handle.clone()).http1_only();
        server.http_builder().http1().header_read_timeout(app.limits.header).max_buf_size(64 * 1024);
        let service = service(&app).into_make_service_with_connect_info::<SocketAddr>();
        let (connections, write) = (app.limits.connections, app.limits.write);
        let serving = match certificate {
            None => {
                let acceptor = Guarded::new(NoDelayAcceptor::new(), connections, write);
                tokio::spawn(server.acceptor(acceptor).serve(service))
            }
            Some(certificate) => {
                let inner = RustlsAcceptor::new(certificate).acceptor(NoDelayAcceptor::new());
                tokio::spawn(server.acceptor(Guarded::new(inner, connections, write)).serve(service))
            }
        };
        let tidying = tokio::spawn(tidy(Arc::clone(&app)));
        Ok(Self { app, address, handle, serving, tidying, first_token })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The administrator's token, when this start made it.
    pub fn take_first_token(&mut self) -> Option<FirstToken> {
        self.first_token.take()
    }

    /// Takes no further connections, finishes what is under way (for so long as its limits say) and closes the database.
    ///
    /// # Errors
    /// When serving had broken off before.
    pub async fn stop(self) -> Result<(), ServeError> {
        self.app.is_stopping.store(true, Ordering::Relaxed);
        self.handle.graceful_shutdown(Some(self.app.limits.stop));
        let ended = self.serving.await;
        self.tidying.abort();
        self.app.store.close().await;
        ended.map_err(io::Error::other).and_then(|ended| ended).map_err(ServeError::Broken)
    }
}

/// A certificate with its key. Only the protocol that is spoken here is offered in the handshake.
async fn certificate(chain: &Path, key: &Path) -> io::Result<RustlsConfig> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let read = RustlsConfig::from_pem_file(chain, key).await?;
    let mut config = rustls::ServerConfig::clone(&read.get_inner());
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

/// Makes the administrator's token of a database that never had one; of servers that start at once, one makes it.
async fn first_token(
    app: &App,
    keep: &(dyn Fn(&FirstToken) -> io::Result<()> + Sync),
) -> Result<Option<FirstToken>, StoreError> {
    let Ok(everything) = "*".parse() else { return Ok(None) };
    let minted = Minted::new();
    let kept = Kept::of(&minted, FIRST_ORGANIZATION, Role::Admin, everything, "first", &app.now());
    let token = FirstToken(minted.text);
    let is_first = app.store.keep_first_token(&kept, &|| keep(&token)).await?;
    Ok(is_first.then_some(token))
}

/// All routes within what holds for each, from the inside out.
fn service(app: &Arc<App>) -> Router {
    let limits = &app.limits;
    routes::all()
        .layer(from_fn(observe::body_apart))
        .layer(RequestBodyLimitLayer::new(limits.import.max(8 * limits.body)))
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, limits.answer))
        .layer(CatchPanicLayer::new())
        .layer(from_fn_with_state(Arc::clone(app), observe::around))
        .with_state(Arc::clone(app))
}

async fn tidy(app: Arc<App>) {
    for minute in 0_u64.. {
        if minute.is_multiple_of(PRUNE) {
            prune(&app).await;
        }
        tokio::time::sleep(TIDY).await;
        app.rates.tidy();
    }
}

/// Drops what is older than is kept. Several servers on one database do no harm to each other: there is less to do.
async fn prune(app: &App) {
    let age = chrono::Duration::from_std(app.limits.age).ok().filter(|age| !age.is_zero());
    let Some(before) = age.and_then(|age| app.clock.now().checked_sub_signed(age)) else { return };
    let before = before.to_rfc3339_opts(SecondsFormat::Micros, true);
    match app.store.prune(&before, app.limits.old_versions).await {
        Ok((0, 0)) => {}
        Ok((versions, lines)) => tracing::info!(versions, lines, "what is too old was dropped"),
        Err(error) => tracing::error!(error = %error, "what is too old could not be dropped"),
    }
}
