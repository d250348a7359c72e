//! The team server under load, beside a bare `axum` handler that returns the same bytes in the same run.
//!
//! `cargo bench --features server --bench team -- [--repositories 2000] [--clients 200] [--requests 40000] [--database URL]`.
//! Of a hundred requests eighty are pulls of what has not changed (304), eight ask for hashes, four for everything, and eight
//! write; three of ten go to ten repositories that everybody wants, so that writers get in each other's way (412, then
//! fresh hashes and again). Then the cost of one request at 1, 10 and 100 times as many repositories, one client. Prints
//! tables; asserts nothing. A `--database` has to be empty, and is for the load: the growth is always SQLite's.
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use dreamtop::clock::Clock;
use dreamtop::team::server::{Database, Limits, Options, Server};
use dreamtop::team::wire;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

const ENTRIES: usize = 20;
const ENTRY_BYTES: usize = 1_000;
const HOT: usize = 10;

/// What a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Unchanged,
    Hashes,
    Full,
    Write,
}

const KINDS: [Kind; 4] = [Kind::Unchanged, Kind::Hashes, Kind::Full, Kind::Write];

/// A small generator (xorshift): the same seed asks the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below.max(1) as u64).unwrap_or_default()
    }

    fn kind(&mut self) -> Kind {
        match self.roll(100) {
            0..80 => Kind::Unchanged,
            80..88 => Kind::Hashes,
            88..92 => Kind::Full,
            _ => Kind::Write,
        }
    }

    fn repository(&mut self, of: usize) -> usize {
        if self.roll(10) < 3 { self.roll(HOT.min(of)) } else { self.roll(of) }
    }
}

/// What was measured of one kind.
#[derive(Default)]
struct Measured {
    times: Vec<Duration>,
    bytes: u64,
    conflicts: usize,
    errors: usize,
}

impl Measured {
    fn add(&mut self, other: Self) {
        self.times.extend(other.times);
        self.bytes += other.bytes;
        self.conflicts += other.conflicts;
        self.errors += other.errors;
    }

    fn at(&mut self, percent: usize) -> Duration {
        self.times.sort();
        let last = self.times.len().saturating_sub(1);
        self.times.get(last * percent / 100).copied().unwrap_or_default()
    }
}

type Table = BTreeMap<Kind, Measured>;

/// A place to ask, and what a caller knows of it.
#[derive(Clone)]
struct Asker {
    http: reqwest::Client,
    address: SocketAddr,
    token: String,
}

impl Asker {
    fn new(address: SocketAddr, token: &str) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().expect("a client");
        Self { http, address, token: token.to_owned() }
    }

    fn request(&self, method: reqwest::Method, repository: usize, more: &str) -> reqwest::RequestBuilder {
        let url = format!("http://{}{}?repo=acme%2Fr{repository}{more}", self.address, wire::PATH);
        self.http.request(method, url).bearer_auth(&self.token)
    }

    /// Status, tag and bytes; status 0: no answer.
    async fn send(request: reqwest::RequestBuilder) -> (u16, String, u64) {
        let Ok(response) = request.send().await else { return (0, String::new(), 0) };
        let status = response.status().as_u16();
        let tag = response.headers().get("etag").and_then(|tag| tag.to_str().ok()).unwrap_or_default().to_owned();
        match response.bytes().await {
            Ok(bytes) => (status, tag, bytes.len() as u64),
            Err(_) => (0, tag, 0),
        }
    }

    async fn write(&self, repository: usize, precondition: (&str, &str), entries: &Value) -> (u16, String, u64) {
        let body = json!({ "entries": entries }).to_string();
        let request = self.request(reqwest::Method::PUT, repository, "").header("content-type", "application/json");
        Self::send(request.header(precondition.0, precondition.1).body(body)).await
    }

    /// One request of a kind, with what follows from it, into the table.
    async fn one(
        &self,
        kind: Kind,
        repository: usize,
        tags: &mut HashMap<usize, String>,
        number: usize,
        out: &mut Table,
    ) {
        let tag = match tags.get(&repository) {
            Some(tag) => tag.clone(),
            None => Self::send(self.request(reqwest::Method::GET, repository, "&view=hashes")).await.1,
        };
        let measured = out.entry(kind).or_default();
        let get = |more: &str| self.request(reqwest::Method::GET, repository, more);
        let start = Instant::now();
        let mut answer = match kind {
            Kind::Unchanged => Self::send(get("").header("if-none-match", &tag)).await,
            Kind::Hashes => Self::send(get("&view=hashes")).await,
            Kind::Full => Self::send(get("")).await,
            Kind::Write => self.write(repository, ("if-match", &tag), &one_entry(number)).await,
        };
        // Measured is one request; what a conflict costs beside it is counted as conflicts.
        measured.times.push(start.elapsed());
        measured.bytes += answer.2;
        for _ in 0..20 {
            if answer.0 != 412 {
                break;
            }
            measured.conflicts += 1;
            let (_, fresh, _) = Self::send(get("&view=hashes")).await;
            answer = self.write(repository, ("if-match", &fresh), &one_entry(number)).await;
        }
        if !matches!(answer.0, 200 | 304) {
            measured.errors += 1;
        }
        tags.insert(repository, answer.1);
    }
}

fn one_entry(number: usize) -> Value {
    json!({ format!("entry_{}.md", number % ENTRIES): text(number) })
}

fn text(number: usize) -> String {
    format!("---\nname: entry {number}\n---\n\n")
        .chars()
        .chain("a plain sentence of a memory. ".chars().cycle())
        .take(ENTRY_BYTES)
        .collect()
}

fn main() {
    let mut wanted = HashMap::from([("--repositories", 2_000), ("--clients", 200), ("--requests", 40_000)]);
    let mut database = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--database" {
            database = arguments.next();
        } else if let Some(value) = wanted.get_mut(argument.as_str()) {
            *value = arguments.next().and_then(|text| text.parse().ok()).expect("a number");
        }
    }
    let (repositories, clients, requests) = (wanted["--repositories"], wanted["--clients"], wanted["--requests"]);
    let servers = Runtime::new().expect("a runtime");
    let askers = Runtime::new().expect("a runtime");
    let dir = tempfile::tempdir().expect("a temp directory");
    let file = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let start = |text: &str| {
        let database: Database = text.parse().expect("a database");
        let limits = Limits { token_rate: 0, address_rate: 0, requests: 4 * clients.max(32), ..Limits::default() };
        let listen = ([127, 0, 0, 1], 0).into();
        let shown = database.to_string();
        let options = Options { listen, database, limits, tls: None, is_behind_proxy: false, clock: Clock::System };
        let mut server = servers.block_on(Server::start(options)).expect("the server starts");
        let Some(token) = server.take_first_token() else {
            println!("{shown} is in use: this bench writes thousands of repositories, give an empty database");
            std::process::exit(2);
        };
        let token = token.as_str().to_owned();
        (Asker::new(server.address(), &token), server)
    };

    let (asker, server) = start(&database.unwrap_or_else(|| file("team.db")));
    let seeding = Instant::now();
    askers.block_on(seed(&asker, repositories));
    println!(
        "{repositories} repositories of {ENTRIES} entries of {ENTRY_BYTES} bytes written in {:.1?}",
        seeding.elapsed()
    );
    let bodies = Arc::new(askers.block_on(bodies(&asker)));
    let bare = Asker { address: servers.block_on(serve_bare(bodies)), ..asker.clone() };
    println!("{requests} requests of {clients} clients\n");
    println!(
        "{:>9}  {:>7}  {:>9}  {:>9}  {:>9}  {:>6}  {:>9}  {:>9}  {:>9}",
        "", "count", "p50", "p99", "conflicts", "errors", "bytes", "bare p50", "ratio p50"
    );
    let (mut measured, took) = load(&askers, &asker, repositories, clients, requests);
    let (mut beside, bare_took) = load(&askers, &bare, repositories, clients, requests);
    for kind in KINDS {
        let (Some(of), Some(bare)) = (measured.get_mut(&kind), beside.get_mut(&kind)) else { continue };
        let (p50, bare) = (of.at(50), bare.at(50));
        println!(
            "{:>9}  {:>7}  {:>9.1?}  {:>9.1?}  {:>9}  {:>6}  {:>9}  {bare:>9.1?}  {:>9.2}",
            format!("{kind:?}").to_lowercase(),
            of.times.len(),
            p50,
            of.at(99),
            of.conflicts,
            of.errors,
            of.bytes,
            p50.as_secs_f64() / bare.as_secs_f64()
        );
    }
    let rate = |took: Duration| requests as f64 / took.as_secs_f64();
    println!(
        "\n{:.0} requests/s, bare {:.0} requests/s: ratio {:.2}",
        rate(took),
        rate(bare_took),
        took.as_secs_f64() / bare_took.as_secs_f64()
    );
    servers.block_on(server.stop()).expect("it stops");

    println!("\none client on SQLite, p50 of one request, by the number of repositories");
    println!("{:>12}  {:>10}  {:>10}  {:>10}  {:>10}", "repositories", "unchanged", "hashes", "full", "write");
    for times in [1, 10, 100] {
        let repositories = (repositories / 100).max(1) * times;
        let (asker, server) = start(&file(&format!("growth-{times}.db")));
        askers.block_on(seed(&asker, repositories));
        let (mut measured, _) = load(&askers, &asker, repositories, 1, 2_000.min(requests));
        let p50 = KINDS.map(|kind| measured.entry(kind).or_default().at(50));
        println!("{repositories:>12}  {:>10.1?}  {:>10.1?}  {:>10.1?}  {:>10.1?}", p50[0], p50[1], p50[2], p50[3]);
        servers.block_on(server.stop()).expect("it stops");
    }
}

/// Writes the repositories, a few at once.
async fn seed(asker: &Asker, repositories: usize) {
    let writers = (0..8).map(|writer| {
        let asker = asker.clone();
        tokio::spawn(async move {
            for repository in (writer..repositories).step_by(8) {
                let entries: BTreeMap<String, String> =
                    (0..ENTRIES).map(|number| (format!("entry_{number}.md"), text(repository + number))).collect();
                let (status, ..) = asker.write(repository, ("if-none-match", "*"), &json!(entries)).await;
                assert_eq!(status, 200, "a repository is written");
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.expect("it is written");
    }
}

/// Asks with so many clients at once until so many requests are answered.
fn load(runtime: &Runtime, asker: &Asker, repositories: usize, clients: usize, requests: usize) -> (Table, Duration) {
    let start = Instant::now();
    let tables = runtime.block_on(async {
        let one = |client: usize| {
            let asker = Asker { http: asker.http.clone(), ..asker.clone() };
            tokio::spawn(async move {
                let (mut table, mut tags) = (Table::new(), HashMap::new());
                let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ (client as u64 + 1));
                for number in 0..requests / clients {
                    let (kind, repository) = (dice.kind(), dice.repository(repositories));
                    asker.one(kind, repository, &mut tags, client * 1_000_003 + number, &mut table).await;
                }
                table
            })
        };
        let clients: Vec<_> = (0..clients).map(one).collect();
        let mut tables = Vec::new();
        for client in clients {
            tables.push(client.await.expect("a client"));
        }
        tables
    });
    let took = start.elapsed();
    let mut all = Table::new();
    for (kind, measured) in tables.into_iter().flatten() {
        all.entry(kind).or_default().add(measured);
    }
    (all, took)
}

/// What the server answers to each kind, for the handler beside it.
struct Bodies {
    tag: String,
    hashes: Bytes,
    full: Bytes,
    stored: Bytes,
}

async fn bodies(asker: &Asker) -> Bodies {
    let read = async |more: &str| {
        let response = asker.request(reqwest::Method::GET, 0, more).send().await.expect("an answer");
        let tag = response.headers()["etag"].to_str().expect("a tag").to_owned();
        (tag, response.bytes().await.expect("a body"))
    };
    let ((tag, full), (_, hashes)) = (read("").await, read("&view=hashes").await);
    let stored = json!({ "version": 2, "checksum": tag, "lastModified": "2026-11-30T10:00:00Z", "entryChecksums": { "entry_0.md": tag } });
    Bodies { tag, hashes, full, stored: stored.to_string().into() }
}

/// The same bytes without anything behind them.
async fn serve_bare(bodies: Arc<Bodies>) -> SocketAddr {
    async fn read(State(bodies): State<Arc<Bodies>>, headers: HeaderMap, uri: Uri) -> Response {
        let tag = [("etag", bodies.tag.clone()), ("content-type", "application/json".to_owned())];
        if headers.contains_key("if-none-match") {
            return (StatusCode::NOT_MODIFIED, tag).into_response();
        }
        let is_hashes = uri.query().is_some_and(|query| query.contains("view=hashes"));
        (tag, if is_hashes { bodies.hashes.clone() } else { bodies.full.clone() }).into_response()
    }
    async fn write(State(bodies): State<Arc<Bodies>>, _: Bytes) -> Response {
        let tag = [("etag", bodies.tag.clone()), ("content-type", "application/json".to_owned())];
        (tag, bodies.stored.clone()).into_response()
    }
    let router = Router::new().route(wire::PATH, get(read).put(write)).with_state(bodies);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}
