//! A server on loopback that speaks the team memory contract, keeps what it was asked, and fails as a test tells it.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use dreamtop::team::sum::Sum;
use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: Value,
    pub bytes: usize,
}

impl Asked {
    /// The keys of a PUT.
    pub fn keys(&self) -> Vec<String> {
        self.body["entries"].as_object().map(|entries| entries.keys().cloned().collect()).unwrap_or_default()
    }
}

/// What goes wrong with a request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Answered with this instead, nothing done.
    Status(u16, Vec<(&'static str, String)>, Value),
    /// The same, and the connection closed after the answer, without a word of that in it.
    StatusAndClose(u16, Vec<(&'static str, String)>, Value),
    /// Done, and the connection closed before the answer.
    LostReply,
    /// The connection closed, nothing done.
    Cut,
    /// Somebody else sets an entry just before.
    Before(&'static str, &'static str),
}

/// What the server holds and how it behaves.
#[derive(Default)]
pub struct State {
    pub entries: BTreeMap<String, String>,
    pub version: u64,
    pub asked: Vec<Asked>,
    /// Faults of the next PUTs, in order.
    pub put_faults: VecDeque<Fault>,
    /// Faults of the next GETs, in order.
    pub get_faults: VecDeque<Fault>,
    /// How a tag is written into the header, by a proxy perhaps.
    pub tag: Option<fn(&str) -> String>,
    /// Whether bodies hold no sum of everything, so that only the header tells it.
    pub has_no_checksum: bool,
    pub max_entries: Option<usize>,
    /// Entries that make a request one the server will not have (400).
    pub bad: Vec<String>,
    /// Entries that a scan of the server's finds something in.
    pub secrets: Vec<String>,
}

impl State {
    pub fn checksum(&self) -> Sum {
        let sums: Vec<(&String, Sum)> =
            self.entries.iter().map(|(key, text)| (key, Sum::of(text.as_bytes()))).collect();
        Sum::of_all(sums.iter().map(|(key, sum)| (key.as_str(), sum)))
    }

    pub fn set(&mut self, key: &str, text: &str) {
        self.entries.insert(key.to_owned(), text.to_owned());
        self.version += 1;
    }
}

/// The server; it stops with the test.
#[derive(Clone)]
pub struct Server {
    pub url: String,
    pub state: Arc<Mutex<State>>,
}

impl Server {
    pub fn holding(entries: &[(&str, &str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let mut state = State::default();
        entries.iter().for_each(|(key, text)| state.set(key, text));
        let state = Arc::new(Mutex::new(state));
        let server = Self { url, state: Arc::clone(&state) };
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let state = Arc::clone(&state);
                std::thread::spawn(move || {
                    while let Some(asked) = read(&stream) {
                        if !answer(&stream, &asked, &mut state.lock().unwrap()) {
                            let _ = stream.shutdown(std::net::Shutdown::Both);
                            return;
                        }
                    }
                });
            }
        });
        server
    }

    pub fn with(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap());
    }

    pub fn entry(&self, key: &str) -> Option<String> {
        self.state.lock().unwrap().entries.get(key).cloned()
    }

    pub fn asked(&self, method: &str) -> Vec<Asked> {
        let state = self.state.lock().unwrap();
        state.asked.iter().filter(|asked| asked.method == method).cloned().collect()
    }
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let bytes = body.len();
    Some(Asked { method, path, headers, body: serde_json::from_slice(&body).unwrap_or(Value::Null), bytes })
}

/// False: the connection is over.
fn answer(stream: &TcpStream, asked: &Asked, state: &mut State) -> bool {
    state.asked.push(asked.clone());
    let faults = if asked.method == "PUT" { &mut state.put_faults } else { &mut state.get_faults };
    let fault = faults.pop_front();
    match fault {
        Some(Fault::Status(status, headers, body)) => return reply(stream, status, &headers, Some(&body)),
        Some(Fault::StatusAndClose(status, headers, body)) => {
            reply(stream, status, &headers, Some(&body));
            return false;
        }
        Some(Fault::Cut) => return false,
        Some(Fault::Before(key, text)) => state.set(key, text),
        _ => {}
    }
    let (status, body) = done(asked, state);
    if matches!(fault, Some(Fault::LostReply)) {
        return false;
    }
    let tag = format!("\"{}\"", state.checksum());
    let tag = state.tag.map_or_else(|| tag.clone(), |rewrite| rewrite(&tag));
    reply(stream, status, &[("etag", tag)], body.as_ref())
}

fn done(asked: &Asked, state: &mut State) -> (u16, Option<Value>) {
    let tag = format!("\"{}\"", state.checksum());
    let says = |name: &str| asked.headers.get(name).map(String::as_str);
    if says("authorization") != Some("Bearer team-token-1") {
        return (401, Some(json!({ "error": { "code": "unauthorized", "message": "no such token" } })));
    }
    let sums = |state: &State| -> Value {
        state
            .entries
            .iter()
            .map(|(key, text)| (key.clone(), json!(Sum::of(text.as_bytes()).as_str())))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    match asked.method.as_str() {
        "GET" if state.version == 0 => (404, Some(json!({ "error": { "code": "not_found" } }))),
        "GET" if says("if-none-match") == Some(&tag) => (304, None),
        "GET" => {
            let mut content = json!({ "entryChecksums": sums(state) });
            if !asked.path.contains("view=hashes") {
                content["entries"] = json!(state.entries);
            }
            let mut body = json!({ "organizationId": "o", "repo": "acme/app", "version": state.version, "lastModified": "2026-11-30T10:00:00Z", "content": content });
            if !state.has_no_checksum {
                body["checksum"] = json!(state.checksum().as_str());
            }
            (200, Some(body))
        }
        "PUT" => {
            let holds = match (says("if-match"), says("if-none-match")) {
                (Some(sum), _) => sum == tag,
                (None, Some("*")) => state.version == 0,
                _ => return (428, Some(json!({ "error": { "code": "precondition_required" } }))),
            };
            if !holds {
                return (412, Some(json!({ "error": { "code": "precondition_failed" } })));
            }
            if asked.keys().iter().any(|key| state.bad.contains(key)) {
                return (400, Some(json!({ "error": { "code": "bad_key" } })));
            }
            let found: Vec<Value> = state
                .secrets
                .iter()
                .filter(|key| asked.keys().contains(key))
                .map(|key| json!({ "key": key, "rule_id": "some-token", "line": 3 }))
                .collect();
            if !found.is_empty() {
                return (422, Some(json!({ "error": { "code": "secret_detected", "findings": found } })));
            }
            let mut after = state.entries.clone();
            for (key, text) in asked.body["entries"].as_object().unwrap() {
                after.insert(key.clone(), text.as_str().unwrap().to_owned());
            }
            if let Some(max) = state.max_entries.filter(|max| after.len() > *max) {
                let details = json!({ "error_code": "team_memory_too_many_entries", "max_entries": max, "received_entries": after.len() });
                return (413, Some(json!({ "error": { "code": "too_large", "details": details } })));
            }
            state.version += u64::from(after != state.entries);
            state.entries = after;
            (
                200,
                Some(json!({ "version": state.version, "checksum": state.checksum().as_str(), "entryChecksums": {} })),
            )
        }
        "DELETE" => {
            let key = asked.path.split("key=").nth(1).unwrap_or_default().to_owned();
            match state.entries.get(&key) {
                None => (404, Some(json!({ "error": { "code": "not_found" } }))),
                Some(text) if says("if-match") != Some(&Sum::of(text.as_bytes()).etag()) => (412, Some(json!({}))),
                Some(_) => {
                    state.entries.remove(&key);
                    state.version += 1;
                    (200, Some(json!({ "version": state.version, "checksum": state.checksum().as_str() })))
                }
            }
        }
        _ => (405, None),
    }
}

fn reply(mut stream: &TcpStream, status: u16, headers: &[(&'static str, String)], body: Option<&Value>) -> bool {
    // A 304 has no body: what came after it would be taken for the next answer.
    let body = body.filter(|_| status != 304).map(Value::to_string).unwrap_or_default();
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).is_ok()
}
