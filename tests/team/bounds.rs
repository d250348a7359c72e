//! What ends by itself: pages of the history, versions, the audit, repositories; and what a lowered limit still lets pass.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use dreamtop::clock::Clock;
use dreamtop::team::server::{Database, Limits};
use serde_json::{Map, Value, json};

use crate::http::call;
use crate::world::{World, limits, on_each, on_each_with, target};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);

fn history(world: &World, query: &str) -> Value {
    let reply = world.ask("GET", &format!("/v1/history?repo=acme%2Fapp{query}"), &[], None);
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

#[test]
fn pages_of_the_history_hold_every_version_also_where_one_write_made_more_than_a_page() {
    on_each(|world| {
        let entries: Map<String, Value> = (0..450).map(|number| (format!("{number}.md"), json!("one"))).collect();
        let first = world.create("acme/app", &json!(entries));
        assert_eq!(first.status, 200, "{}", first.text());
        let changed: Map<String, Value> = entries.keys().map(|key| (key.clone(), json!("two"))).collect();
        assert_eq!(world.put("acme/app", first.header("etag"), &json!(changed)).status, 200);
        let (mut seen, mut query, mut rows) = (BTreeSet::new(), String::new(), 0);
        loop {
            let page = history(world, &query);
            for row in page["versions"].as_array().unwrap() {
                rows += 1;
                seen.insert((row["version"].as_i64().unwrap(), row["key"].as_str().unwrap().to_owned()));
            }
            let Some(below) = page["below"].as_i64() else { break };
            query = format!("&below={below}&after={}", page["after"].as_str().unwrap());
        }
        assert_eq!((seen.len(), rows), (900, 900), "{}: none is missing, none comes twice", world.name);
        let export = world.ask("GET", "/v1/export", &[], None).text();
        assert_eq!(export.matches("\"kind\":\"history\"").count(), 450, "{}: an export reads pages, too", world.name);
    });
}

#[test]
fn of_an_entry_so_many_former_versions_stay() {
    on_each_with(&Limits { versions: 2, ..limits() }, |world| {
        let mut tag = world.create("acme/app", &json!({ "a.md": "0", "b.md": "0" })).header("etag").to_owned();
        for number in 1..6 {
            tag = world.put("acme/app", &tag, &json!({ "a.md": number.to_string() })).header("etag").to_owned();
        }
        let numbers = |key: &str| -> Vec<i64> {
            let rows = history(world, &format!("&key={key}"))["versions"].as_array().unwrap().clone();
            rows.iter().map(|row| row["version"].as_i64().unwrap()).collect()
        };
        assert_eq!(numbers("a.md"), [6, 5, 4], "the present one and two former ones");
        assert_eq!(numbers("b.md"), [1]);
    });
}

#[test]
fn what_is_older_than_is_kept_goes_and_the_latest_versions_and_the_present_stay() {
    on_each(|world| {
        let mut tag = world.create("acme/app", &json!({ "a.md": "0", "b.md": "0" })).header("etag").to_owned();
        for number in 1..5 {
            tag = world.put("acme/app", &tag, &json!({ "a.md": number.to_string() })).header("etag").to_owned();
        }
        let before = world.get("acme/app").text();
        // Another server on the same database, in which two years have gone by.
        let later = chrono::Utc::now() + chrono::Duration::days(730);
        let limits = Limits { old_versions: 1, ..limits() };
        let other = world.beside(limits, Clock::Fixed(later));
        let end = Instant::now() + PATIENCE;
        while !world.ask("GET", "/v1/audit", &[], None).json()["audit"].as_array().unwrap().is_empty() {
            assert!(Instant::now() < end, "{}: the old lines go", world.name);
            std::thread::sleep(Duration::from_millis(5));
        }
        let rows = history(world, "&key=a.md")["versions"].as_array().unwrap().clone();
        let numbers: Vec<i64> = rows.iter().map(|row| row["version"].as_i64().unwrap()).collect();
        assert_eq!(numbers, [5, 4], "{}", world.name);
        assert_eq!(world.get("acme/app").text(), before);
        drop(other);
    });
}

#[test]
fn an_organisation_has_so_many_repositories() {
    on_each_with(&Limits { repositories: 2, ..limits() }, |world| {
        let entries = json!({ "a.md": "1" });
        let one = world.create("acme/one", &entries);
        assert_eq!((one.status, world.create("acme/two", &entries).status), (200, 200));
        let refused = world.create("acme/three", &entries);
        assert_eq!((refused.status, refused.code().as_str()), (403, "too_many_repositories"));
        assert_eq!(world.get("acme/three").status, 404, "nothing of it was written");
        assert_eq!(world.put("acme/one", one.header("etag"), &json!({ "a.md": "2" })).status, 200);
        let export = world.ask("GET", "/v1/export", &[], None).text().replace("acme/one", "acme/other");
        let bearer = format!("Bearer {}", world.admin);
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/x-ndjson")];
        let import = call(world.address, "POST", "/v1/import", &headers, Some(export.as_bytes()));
        assert_eq!((import.status, import.code().as_str()), (403, "too_many_repositories"));
    });
}

#[test]
fn a_repository_above_a_lowered_limit_may_change_and_shrink_and_not_grow() {
    on_each(|world| {
        let first = world.create("acme/app", &json!({ "1.md": "a".repeat(90), "2.md": "2", "3.md": "3" }));
        let lowered = world.beside(Limits { entries: 2, repository_bytes: 50, ..limits() }, Clock::System);
        let put = |tag: &str, entries: Value| {
            let bearer = format!("Bearer {}", world.admin);
            let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json"), ("If-Match", tag)];
            let body = json!({ "entries": entries }).to_string();
            call(lowered.address(), "PUT", &target("acme/app"), &headers, Some(body.as_bytes()))
        };
        let shrunk = put(first.header("etag"), json!({ "1.md": "a".repeat(60) }));
        assert_eq!(shrunk.status, 200, "{}", shrunk.text());
        assert_eq!(put(shrunk.header("etag"), json!({ "2.md": "22" })).code(), "repository_too_large");
        assert_eq!(put(shrunk.header("etag"), json!({ "4.md": "" })).code(), "too_many_entries");
        assert_eq!(put(shrunk.header("etag"), json!({ "1.md": "b".repeat(60) })).status, 200);
    });
}

#[test]
fn what_is_erased_is_in_no_file_of_sqlite() {
    let world = World::sqlite(limits());
    let text = "the quick brown fox and nobody else ".repeat(400);
    let first = world.create("acme/app", &json!({ "a.md": text }));
    assert_eq!(world.put("acme/app", first.header("etag"), &json!({ "a.md": "other" })).status, 200);
    let Database::Sqlite(file) = &world.database else { panic!("it is SQLite") };
    let holds = || {
        let files = fs::read_dir(file.parent().unwrap()).unwrap().flatten();
        files
            .filter(|file| String::from_utf8_lossy(&fs::read(file.path()).unwrap()).contains("quick brown fox"))
            .count()
    };
    assert!(holds() > 0, "it is kept as it is");
    let erased = world.ask("DELETE", "/v1/history?repo=acme%2Fapp&key=a.md&version=1", &[], None);
    assert_eq!((erased.status, holds()), (204, 0));
}

/// What `/metrics` says of a name.
fn metric(world: &World, name: &str) -> i64 {
    let text = call(world.address, "GET", "/metrics", &[], None).text();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    line.unwrap_or_default()
}

#[test]
fn a_client_that_hangs_up_is_counted_and_no_longer_at_work() {
    let world = World::sqlite(limits());
    let mut stream = TcpStream::connect(world.address).unwrap();
    let head = format!(
        "PUT {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nIf-None-Match: *\r\nContent-Type: application/json\r\n\
         Content-Length: 1000\r\n\r\n{{\"entries\"",
        target("acme/app"),
        world.admin
    );
    stream.write_all(head.as_bytes()).unwrap();
    let end = Instant::now() + PATIENCE;
    let wait = |at_work: i64| {
        while metric(&world, "dreamtop_requests_at_work") != at_work {
            assert!(Instant::now() < end, "{at_work} at work");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    // The one that asks is at work itself.
    wait(2);
    drop(stream);
    wait(1);
    let text = call(world.address, "GET", "/metrics", &[], None).text();
    let counted: u64 = text
        .lines()
        .filter(|line| line.starts_with("dreamtop_requests_total") && line.contains("method=\"PUT\""))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(counted, 1, "{text}");
}

/// Asks for a repository of fifteen megabytes, and does not read the answer.
fn not_reading(world: &World) -> TcpStream {
    let mut tag = world.create("acme/app", &json!({ "0.md": "a".repeat(250_000) })).header("etag").to_owned();
    for number in 1..60 {
        tag = until_free(|| world.put("acme/app", &tag, &json!({ format!("{number}.md"): "a".repeat(250_000) })));
    }
    let mut stream = TcpStream::connect(world.address).unwrap();
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {}\r\n\r\n",
        target("acme/app"),
        world.admin
    );
    stream.write_all(request.as_bytes()).unwrap();
    stream
}

#[test]
fn answers_that_wait_to_be_taken_have_so_much_memory_and_no_more() {
    let world = World::sqlite(Limits { answers: 1_000_000, ..limits() });
    let mut stream = not_reading(&world);
    let mut first = [0_u8; 1];
    std::io::Read::read_exact(&mut stream, &mut first).unwrap();
    let refused = world.get("acme/app");
    assert_eq!((refused.status, refused.code().as_str()), (503, "unavailable"), "one that is larger goes alone");
    assert!(!refused.header("retry-after").is_empty());
    let hashes = world.ask("GET", &format!("{}&view=hashes", target("acme/app")), &[], None);
    assert_eq!(hashes.status, 200, "what is small is answered all the same");
    std::io::Read::read_to_end(&mut stream, &mut Vec::new()).unwrap();
    let end = Instant::now() + PATIENCE;
    while world.get("acme/app").status != 200 {
        assert!(Instant::now() < end, "the room is free again");
    }
}

#[test]
fn an_answer_that_waits_to_be_taken_keeps_its_place() {
    let world = World::sqlite(Limits { requests: 1, ..limits() });
    let mut stream = not_reading(&world);
    let mut first = [0_u8; 1];
    std::io::Read::read_exact(&mut stream, &mut first).unwrap();
    let other = || call(world.address, "GET", &target("acme/app"), &[], None).status;
    assert_eq!(other(), 503, "its fifteen megabytes wait in memory");
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut stream, &mut rest).unwrap();
    assert!(rest.len() > 15_000_000);
    let end = Instant::now() + PATIENCE;
    while other() != 401 {
        assert!(Instant::now() < end, "the place is free again");
    }
}

/// Asks until there is a place; the tag of what was written.
fn until_free(ask: impl Fn() -> crate::http::Reply) -> String {
    let end = Instant::now() + PATIENCE;
    loop {
        let reply = ask();
        if reply.status == 200 {
            return reply.header("etag").to_owned();
        }
        assert!(reply.status == 503 && Instant::now() < end, "{}", reply.text());
    }
}
