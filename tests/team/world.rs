//! A server of a test's own, and short words for what is asked of it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;

use dreamtop::clock::Clock;
use dreamtop::team::server::{Database, Limits, Operator, Options, Server, TokenRow, Wanted};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::http::{Reply, call};
use crate::postgres;

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap());

/// A server at work and its first token.
pub struct World {
    server: Option<Server>,
    pub address: SocketAddr,
    pub admin: String,
    pub database: Database,
    /// Which database it is, for messages.
    pub name: &'static str,
    _dir: TempDir,
}

/// Limits that a test does not run into by its speed.
pub fn limits() -> Limits {
    Limits { token_rate: 0, address_rate: 0, ..Limits::default() }
}

/// Runs a test on SQLite and, where it is installed, on PostgreSQL.
pub fn on_each(test: impl Fn(&World)) {
    on_each_with(&limits(), test);
}

/// The same with other limits.
pub fn on_each_with(limits: &Limits, test: impl Fn(&World)) {
    test(&World::sqlite(limits.clone()));
    if let Some(world) = World::postgres(limits.clone()) {
        test(&world);
    }
}

impl World {
    /// A server on a new file.
    pub fn sqlite(limits: Limits) -> Self {
        let (dir, database) = new_file();
        Self::start(dir, database, limits, |_| {}, "SQLite")
    }

    /// A server on a new file that speaks TLS.
    pub fn with_tls(certificate: PathBuf, key: PathBuf) -> Self {
        let (dir, database) = new_file();
        Self::start(dir, database, limits(), |options| options.tls = Some((certificate, key)), "SQLite")
    }

    /// A server on a new file that stands behind a proxy.
    pub fn behind_proxy(limits: Limits) -> Self {
        let (dir, database) = new_file();
        Self::start(dir, database, limits, |options| options.is_behind_proxy = true, "SQLite")
    }

    /// A server on a new database of PostgreSQL, where that is installed.
    pub fn postgres(limits: Limits) -> Option<Self> {
        let database = postgres::database()?.parse().unwrap();
        Some(Self::start(tempfile::tempdir().unwrap(), database, limits, |_| {}, "PostgreSQL"))
    }

    fn start(
        dir: TempDir,
        database: Database,
        limits: Limits,
        adjust: impl FnOnce(&mut Options),
        name: &'static str,
    ) -> Self {
        let (server, admin) = start(&database, limits, adjust);
        let address = server.address();
        Self { server: Some(server), address, admin: admin.expect("the first token"), database, name, _dir: dir }
    }

    /// Another server on the same database.
    pub fn beside(&self, limits: Limits, clock: Clock) -> Beside {
        Beside(Some(start(&self.database, limits, |options| options.clock = clock).0))
    }

    /// Asks with the administrator's token.
    pub fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Reply {
        self.ask_as(&self.admin, method, target, headers, body)
    }

    /// Asks with a token; a body is JSON.
    pub fn ask_as(
        &self,
        token: &str,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Reply {
        let bearer = format!("Bearer {token}");
        let mut all = vec![("Authorization", bearer.as_str())];
        if body.is_some() {
            all.push(("Content-Type", "application/json"));
        }
        all.extend(headers);
        let body = body.map(|body| body.to_string().into_bytes());
        call(self.address, method, target, &all, body.as_deref())
    }

    /// A token of the administrator's organisation.
    pub fn token(&self, role: &str, repositories: &str) -> String {
        let body = json!({ "label": format!("a {role}"), "role": role, "repositories": repositories });
        let made = self.ask("POST", "/v1/tokens", &[], Some(&body));
        assert_eq!(made.status, 201, "{}", made.text());
        made.json()["token"].as_str().unwrap().to_owned()
    }

    /// A token of any organisation, made by the operator at some instant.
    pub fn operator_token(&self, wanted: Wanted<'_>, clock: Clock) -> TokenRow {
        let made = async { Operator::open(&self.database, clock).await.unwrap().new_token(wanted).await };
        RUNTIME.block_on(made).unwrap()
    }

    /// Reads a repository.
    pub fn get(&self, repo: &str) -> Reply {
        self.ask("GET", &target(repo), &[], None)
    }

    /// Writes entries for the first time.
    pub fn create(&self, repo: &str, entries: &Value) -> Reply {
        self.ask("PUT", &target(repo), &[("If-None-Match", "*")], Some(&json!({ "entries": entries })))
    }

    /// Writes entries over a state.
    pub fn put(&self, repo: &str, etag: &str, entries: &Value) -> Reply {
        self.ask("PUT", &target(repo), &[("If-Match", etag)], Some(&json!({ "entries": entries })))
    }
}

/// Another server on a world's database.
pub struct Beside(Option<Server>);

impl Beside {
    pub fn address(&self) -> SocketAddr {
        self.0.as_ref().unwrap().address()
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        stop(self.0.take());
    }
}

impl Drop for World {
    fn drop(&mut self) {
        stop(self.server.take());
    }
}

fn stop(server: Option<Server>) {
    if let Some(server) = server {
        let stopped = RUNTIME.block_on(server.stop());
        assert!(stopped.is_ok() || std::thread::panicking(), "{stopped:?}");
    }
}

fn new_file() -> (TempDir, Database) {
    let dir = tempfile::tempdir().unwrap();
    let database = Database::Sqlite(dir.path().join("a place/team.db"));
    (dir, database)
}

/// Starts a server; with it the first token, if this start made one.
fn start(database: &Database, limits: Limits, adjust: impl FnOnce(&mut Options)) -> (Server, Option<String>) {
    let mut options = Options {
        listen: ([127, 0, 0, 1], 0).into(),
        database: database.clone(),
        limits,
        tls: None,
        is_behind_proxy: false,
        clock: Clock::System,
    };
    adjust(&mut options);
    let mut server = RUNTIME.block_on(Server::start(options)).expect("the server starts");
    let token = server.take_first_token().map(|token| token.as_str().to_owned());
    (server, token)
}

/// The path of a repository in the API.
pub fn target(repo: &str) -> String {
    format!("/api/claude_code/team_memory?repo={}", repo.replace('/', "%2F"))
}
