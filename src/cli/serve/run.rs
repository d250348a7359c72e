//! `serve` itself: starts the server, says where it is, and ends it in good order at a signal.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use tokio::runtime::Runtime;

use super::Serve;
use crate::cli::context::Context;
use crate::cli::exit;
use crate::cli::output::Failure;
use crate::state::{create_private_dir, open_plain, private_options, sync_dir, with_path};
use crate::team::server::{Database, FirstToken, Limits, Options, Server};

/// The JSON of a server that listens.
#[derive(Debug, Serialize)]
struct Listening {
    listening: String,
    database: String,
    /// Where the first administrator's token was written.
    token_file: Option<PathBuf>,
}

/// Serves until a signal.
pub(super) fn run(context: &Context, arguments: &Serve) -> Result<u8, Failure> {
    let options = options(context, arguments)?;
    crate::team::server::log_to_stderr();
    runtime()?.block_on(serve(context, options))
}

/// Where everything is kept: the flag, else the environment, else a file of ours.
pub(super) fn database(context: &Context, arguments: &Serve) -> Result<Database, Failure> {
    let variable = context.environment.variable("DREAMTOP_DATABASE").map(str::to_owned);
    match arguments.database.clone().or(variable) {
        None => Ok(Database::Sqlite(directory(context).join("team.db"))),
        Some(text) => match text.parse().map_err(Failure::usage)? {
            Database::Sqlite(path) => Ok(Database::Sqlite(context.environment.absolute(&path))),
            postgres @ Database::Postgres(_) => Ok(postgres),
        },
    }
}

/// What runs the server's tasks.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    let built = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    built.map_err(|error| Failure::failed(format!("cannot start: {error}")))
}

/// The server's own place in the state directory.
fn directory(context: &Context) -> PathBuf {
    context.state.root().join("server")
}

fn options(context: &Context, arguments: &Serve) -> Result<Options, Failure> {
    let absolute = |path: &PathBuf| context.environment.absolute(path);
    let tls = arguments.tls_certificate.as_ref().map(absolute).zip(arguments.tls_key.as_ref().map(absolute));
    Ok(Options {
        listen: arguments.listen,
        database: database(context, arguments)?,
        limits: Limits {
            entries: arguments.max_entries,
            repositories: arguments.max_repositories,
            old_versions: arguments.keep_versions,
            age: Duration::from_secs(arguments.keep_days.saturating_mul(24 * 60 * 60)),
            requests: arguments.max_requests,
            connections: arguments.max_connections,
            token_rate: arguments.token_rate,
            address_rate: arguments.address_rate,
            header: Duration::from_secs(arguments.header_timeout),
            read: Duration::from_secs(arguments.body_timeout),
            ..Limits::default()
        },
        tls,
        is_behind_proxy: arguments.behind_proxy,
        clock: context.clock.clone(),
    })
}

async fn serve(context: &Context, options: Options) -> Result<u8, Failure> {
    let scheme = if options.tls.is_some() { "https" } else { "http" };
    if options.tls.is_none() && !options.listen.ip().is_loopback() {
        context.output.notice(
            "without TLS tokens travel in the clear: put a proxy with TLS before it, or give --tls-certificate",
        );
    }
    let database = options.database.to_string();
    // From here on a signal is heard, also one that comes before the first request.
    let mut signals = Signals::new()?;
    let file = token_file(&directory(context));
    let kept = |token: &FirstToken| keep(&file, token);
    let mut server = Server::start_keeping(options, &kept).await.map_err(Failure::failed)?;
    let token = server.take_first_token();
    let token_file = token.as_ref().map(|_| file.clone());
    let listening = Listening { listening: format!("{scheme}://{}", server.address()), database, token_file };
    context.output.answer(&listening, |page| {
        page.line(format_args!("listening on {} · {}", listening.listening, listening.database))?;
        let Some(file) = &listening.token_file else { return Ok(()) };
        page.line(format_args!("the administrator's token is in {}", file.display()))?;
        match &token {
            // Where nobody looks, what is printed ends in a log.
            Some(token) if io::stdout().is_terminal() => page.line(token.as_str()),
            _ => Ok(()),
        }
    })?;
    drop(token);
    signals.wait().await;
    server.stop().await.map_err(Failure::failed)?;
    Ok(exit::DONE)
}

/// Where a first token is written: in a file that is not there yet. One that is there is another database's.
fn token_file(directory: &Path) -> PathBuf {
    let numbered = (2_u32..).map(|number| format!("admin-token-{number}"));
    let names = std::iter::once("admin-token".to_owned()).chain(numbered);
    let mut free = names.map(|name| directory.join(name)).filter(|file| fs::symlink_metadata(file).is_err());
    free.next().unwrap_or_else(|| directory.join("admin-token"))
}

/// Writes the token into its file, which only its owner can read.
fn keep(path: &Path, token: &FirstToken) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    create_private_dir(directory)?;
    let mut file = open_plain(private_options().write(true).create_new(true), path)
        .map_err(|error| with_path(error, "cannot write the token", path))?;
    writeln!(file, "{}", token.as_str()).and_then(|()| file.sync_all())?;
    sync_dir(directory)
}

/// The signals that end a server.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The signals that end a server.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    #[allow(clippy::unnecessary_wraps)]
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn wait(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
