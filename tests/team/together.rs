//! Clients and servers as people have them: the binary's `team sync` against the binary's `serve`, one server killed under
//! load and started again. No edit is lost, and after quiet all have the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Answer, Machine, contents};
use crate::http::call;
use crate::postgres;
use crate::process::{Process, token_of};
use crate::world::target;

const CLIENTS: usize = 4;
const ROUNDS: usize = 6;
/// How often all of them sync at most until they are equal.
const QUIET: usize = 20;

/// A person's machine whose project shares with a server.
pub struct Desk {
    machine: Machine,
    pub team: PathBuf,
    token: String,
}

impl Desk {
    pub fn at(process: &Process, token: &str) -> Self {
        let machine = Machine::new();
        machine.write("app/.git/config", "[remote \"origin\"]\n\turl = git@git.example:acme/app.git\n");
        machine.write("app/.git/HEAD", "ref: refs/heads/main\n");
        machine.write("config/dreamtop/config.yaml", format!("team:\n  url: http://{}\n", process.address));
        let slug = dreamtop::project::slug(&machine.path("app").to_string_lossy());
        let team = machine.path("claude/projects").join(slug).join("memory/team");
        fs::create_dir_all(&team).unwrap();
        Self { machine, team, token: token.to_owned() }
    }

    pub fn sync(&self) -> Answer {
        let mut command = self.machine.command();
        command.current_dir(self.machine.path("app")).env("DREAMTOP_TEAM_TOKEN", &self.token).args(["team", "sync"]);
        Answer::of(command.output().unwrap())
    }

    /// What it shares, by key.
    fn entries(&self) -> BTreeMap<String, String> {
        let key = |path: PathBuf| path.strip_prefix(&self.team).unwrap().to_string_lossy().into_owned();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        contents(&self.team).into_iter().map(|(path, bytes)| (key(path), text(bytes))).collect()
    }

    /// Two edits of a round: a file of its own, and its own line of the file that all of them share.
    fn edit(&self, client: usize, round: usize) {
        fs::write(self.team.join(own(client, round)), memory("own", &said(client, round))).unwrap();
        let path = self.team.join("shared.md");
        let text = fs::read_to_string(&path).unwrap();
        let mine = format!("client {client} ");
        let changed: Vec<String> = text
            .lines()
            .map(|line| if line.starts_with(&mine) { said(client, round) } else { line.to_owned() })
            .collect();
        fs::write(&path, changed.join("\n") + "\n").unwrap();
    }
}

fn own(client: usize, round: usize) -> String {
    format!("own_{client}_{round}.md")
}

fn said(client: usize, round: usize) -> String {
    format!("client {client} was in round {round}")
}

pub fn memory(name: &str, body: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: \"about {name}\"\nmetadata: \n  node_type: memory\n  type: project\n---\n\n{body}\n"
    )
}

/// What the server has, by key.
pub fn held(process: &Process, token: &str) -> BTreeMap<String, String> {
    let bearer = format!("Bearer {token}");
    let reply = call(process.address, "GET", &target("acme/app"), &[("Authorization", &bearer)], None);
    let entries = reply.json()["content"]["entries"].as_object().unwrap().clone();
    entries.into_iter().map(|(key, text)| (key, text.as_str().unwrap().to_owned())).collect()
}

/// Clients divided among `servers` of them on one database; the first one is killed under load and comes again.
fn converges(machine: &Machine, arguments: &[&str], servers: usize) {
    let mut processes: Vec<Process> = (0..servers).map(|_| Process::start(machine, arguments)).collect();
    let token = token_of(machine, &processes[0]);
    let lines: Vec<String> = (0..CLIENTS).map(|client| said(client, 0)).collect();
    // Enough between two people's lines for both to be changed at once.
    let shared = memory("shared", &lines.join("\n\nA\n\nB\n\nC\n\n"));
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json"), ("If-None-Match", "*")];
    let body = json!({ "entries": { "shared.md": shared } }).to_string();
    let first = call(processes[0].address, "PUT", &target("acme/app"), &headers, Some(body.as_bytes()));
    assert_eq!(first.status, 200, "{}", first.text());
    let desks: Vec<Desk> = (0..CLIENTS).map(|client| Desk::at(&processes[client % servers], &token)).collect();
    for desk in &desks {
        let answer = desk.sync();
        assert_eq!(answer.code(), 0, "{} {}", answer.out(), answer.err());
    }

    let (done, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for (client, desk) in desks.iter().enumerate() {
            let (done, failed) = (&done, &failed);
            scope.spawn(move || {
                for round in 1..=ROUNDS {
                    desk.edit(client, round);
                    // What cannot be reached now is for the next round.
                    failed.fetch_add(usize::from(desk.sync().code() != 0), Ordering::SeqCst);
                    done.fetch_add(1, Ordering::SeqCst);
                }
            });
        }
        let end = Instant::now() + Duration::from_secs(300);
        while done.load(Ordering::SeqCst) < CLIENTS && Instant::now() < end {
            thread::sleep(Duration::from_millis(1));
        }
        let address = processes[0].address.to_string();
        processes[0].signal("-KILL");
        processes[0].child.wait().unwrap();
        // Somebody has met a server that is not there before it comes again.
        let before = failed.load(Ordering::SeqCst);
        while failed.load(Ordering::SeqCst) == before
            && done.load(Ordering::SeqCst) < CLIENTS * ROUNDS
            && Instant::now() < end
        {
            thread::sleep(Duration::from_millis(1));
        }
        processes[0] = Process::start_at(machine, &address, arguments);
    });

    let mut last = Vec::new();
    let quiet = (0..QUIET).find(|_| {
        last = desks.iter().map(|desk| desk.sync()).map(|answer| (answer.code(), answer.out(), answer.err())).collect();
        let there = held(&processes[0], &token);
        last.iter().all(|(code, ..)| *code == 0) && desks.iter().all(|desk| desk.entries() == there)
    });
    assert!(quiet.is_some(), "all are equal after quiet: {last:?}");
    let there = held(&processes[servers - 1], &token);
    for client in 0..CLIENTS {
        assert!(there["shared.md"].contains(&said(client, ROUNDS)), "{}", there["shared.md"]);
        for round in 1..=ROUNDS {
            assert_eq!(there.get(&own(client, round)), Some(&memory("own", &said(client, round))), "{client} {round}");
        }
    }
    eprintln!(
        "{servers} servers, one killed: {} syncs, {} of them failed, equal after {} rounds of quiet",
        done.into_inner(),
        failed.into_inner(),
        quiet.unwrap_or_default() + 1
    );
    processes.into_iter().for_each(|process| drop(process.stop()));
}

#[test]
fn clients_of_one_killed_server_on_a_file_lose_no_edit_and_become_equal() {
    converges(&Machine::new(), &[], 1);
}

#[test]
fn clients_of_two_servers_on_one_database_lose_no_edit_when_one_is_killed_and_become_equal() {
    let Some(url) = postgres::database() else { return };
    converges(&Machine::new(), &["--database", &url], 2);
}
