//! The binary: started by one command, ended by a signal, killed under load; what its operator does beside it.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::{Answer, Machine};
use crate::http::{Reply, call, raw, read};
use crate::postgres;
use crate::process::{Process, token_of};
use crate::world::target;

fn ask(address: SocketAddr, token: &str, method: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Reply {
    let bearer = format!("Bearer {token}");
    let mut all = vec![("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    all.extend(headers);
    let body = body.map(|body| body.to_string().into_bytes());
    call(address, method, &target("acme/app"), &all, body.as_deref())
}

fn mode(path: &str) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn fc_094_one_command_starts_it_and_only_its_owner_can_read_what_it_keeps() {
    let machine = Machine::new();
    let process = Process::start(&machine, &[]);
    let token = token_of(&machine, &process);
    assert_eq!(mode(process.said["token_file"].as_str().unwrap()), 0o600);
    let entries = json!({ "entries": { "a.md": "kept" } });
    assert_eq!(ask(process.address, &token, "PUT", &[("If-None-Match", "*")], Some(&entries)).status, 200);
    let directory = machine.path("state/dreamtop/server");
    assert_eq!(mode(directory.to_str().unwrap()), 0o700);
    for file in fs::read_dir(&directory).unwrap().flatten() {
        assert_eq!(mode(file.path().to_str().unwrap()), 0o600, "{:?}", file.path());
    }
    process.stop();
    // The second start makes no second token, and finds what the first one kept.
    let process = Process::start(&machine, &[]);
    assert_eq!(process.said["token_file"], Value::Null);
    let kept = ask(process.address, &token, "GET", &[], None);
    assert_eq!(kept.json()["content"]["entries"], json!({ "a.md": "kept" }));
    process.stop();
}

#[test]
fn the_log_is_json_and_has_no_text_no_name_and_no_token() {
    let machine = Machine::new();
    let process = Process::start(&machine, &[]);
    let token = token_of(&machine, &process);
    let secret = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let put = |text: &str| {
        let entries = json!({ "entries": { "entry-name.md": text } });
        ask(process.address, &token, "PUT", &[("If-None-Match", "*")], Some(&entries)).status
    };
    assert_eq!((put(&secret), put("the very text"), put("other text")), (422, 200, 412));
    ask(process.address, "dtt_0123456789abcdef_wrong", "GET", &[], None);
    raw(
        process.address,
        format!("GET /{token}?access_token={token}&x={secret} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            .as_bytes(),
    );
    raw(process.address, format!("{secret} {token}\r\n\r\n").as_bytes());
    let log = process.stop();
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect();
    let statuses: Vec<u64> = lines.iter().filter_map(|line| line["status"].as_u64()).collect();
    assert!([422, 200, 412, 401, 404].iter().all(|status| statuses.contains(status)), "{log}");
    let id = token.split('_').nth(1).unwrap();
    assert!(log.contains(id), "which token it was is said by its id");
    for hidden in [&token, &token[22..], &secret, "the very text", "other text", "entry-name", "wrong"] {
        assert!(!log.contains(hidden), "{hidden}: {log}");
    }
}

#[test]
fn a_signal_lets_what_is_under_way_be_finished() {
    let machine = Machine::new();
    let process = Process::start(&machine, &[]);
    let token = token_of(&machine, &process);
    let body = json!({ "entries": { "a.md": "finished" } }).to_string();
    let mut stream = TcpStream::connect(process.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    let head = format!(
        "PUT {} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nIf-None-Match: *\r\nExpect: 100-continue\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        target("acme/app"),
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // It asks for the body: the request is under way.
    let mut line = [0; 25];
    stream.read_exact(&mut line).unwrap();
    assert_eq!(&line, b"HTTP/1.1 100 Continue\r\n\r\n");
    process.signal("-TERM");
    // Nobody new is let in from then on.
    let end = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect(process.address).is_ok() && Instant::now() < end {
        thread::sleep(Duration::from_millis(10));
    }
    stream.write_all(body.as_bytes()).unwrap();
    let reply = read(stream).expect("an answer");
    assert_eq!(reply.status, 200, "{}", reply.text());
    let mut process = process;
    assert_eq!(process.child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_address_a_database_or_a_certificate_that_cannot_be_had_is_named() {
    let machine = Machine::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    machine.write("broken.db", "this is no database, only a text that is long enough to be looked at".repeat(100));
    machine.write("no.pem", "nothing");
    machine.write("empty.db", "");
    machine.write("empty.jsonl", "");
    Process::start(&machine, &[]).stop();
    for (arguments, code, word) in [
        (vec!["serve", "--listen", &address], 5, address.as_str()),
        (vec!["serve", "--listen", "nowhere"], 2, "nowhere"),
        (vec!["serve", "--database", "mysql://me:hunter22@db/x"], 2, "postgres://"),
        (vec!["serve", "--database", "broken.db"], 5, "database"),
        (vec!["serve", "--database", "postgres://me:hunter22@127.0.0.1:1/x"], 5, "PostgreSQL at 127.0.0.1:1/x"),
        (vec!["serve", "--database", "postgres://me:hunter22@127.0.0.1:1/x"], 5, "refused"),
        (vec!["serve", "--database", "no.pem"], 5, "not a database"),
        (vec!["serve", "token", "list", "--database", "no.pem"], 5, "not a database"),
        (vec!["serve", "--max-entries", "0"], 2, "--max-entries"),
        (vec!["serve", "--max-requests", "0"], 2, "--max-requests"),
        (vec!["serve", "--body-timeout", "18446744073709551615"], 2, "--body-timeout"),
        (vec!["serve", "--listen", "127.0.0.1:0", "--tls-certificate", "no.pem", "--tls-key", "no.pem"], 5, "no.pem"),
        (vec!["serve", "token", "new", "x", "--role", "root"], 2, "root"),
        (vec!["serve", "token", "revoke", "0123456789abcdef"], 1, "0123456789abcdef"),
        (vec!["serve", "token", "new", "x", "--database", "typo.db"], 5, "typo.db"),
        (vec!["serve", "token", "list", "--database", "typo.db"], 5, "typo.db"),
        (vec!["serve", "export", "--database", "typo.db"], 5, "typo.db"),
        (vec!["serve", "backup", "aside", "--database", "typo.db"], 5, "typo.db"),
        (vec!["serve", "backup", "aside", "--database", "empty.db"], 5, "empty.db"),
        (vec!["serve", "import", "none.jsonl"], 5, "none.jsonl"),
        (vec!["serve", "import", "no.pem"], 2, "no export"),
        (vec!["serve", "import", "empty.jsonl"], 2, "there is nothing in it"),
    ] {
        let answer = machine.run(&arguments);
        assert_eq!(answer.code(), code, "{arguments:?}: {}", answer.err());
        assert!(answer.err().contains(word) && !answer.err().contains("hunter22"), "{arguments:?}: {}", answer.err());
    }
    // Only a server and an import make a database.
    assert!(!machine.path("typo.db").exists() && !machine.path("aside").exists());
}

#[test]
fn a_first_token_that_cannot_be_written_is_made_by_the_next_start() {
    let machine = Machine::new();
    let place = machine.write("state/dreamtop/server", "in the way");
    let failed = machine.run(&["serve", "--listen", "127.0.0.1:0", "--database", "team.db"]);
    assert_eq!(failed.code(), 5, "{}", failed.err());
    fs::remove_file(place).unwrap();
    // Each database has a file of its own for it: none takes another one's place.
    let (mut tokens, mut names) = (Vec::new(), Vec::new());
    for database in [None, Some("team.db"), Some("other.db"), Some("team.db")] {
        let _ = fs::remove_file(machine.path("team.db"));
        let arguments: Vec<&str> = database.iter().flat_map(|database| ["--database", database]).collect();
        let process = Process::start(&machine, &arguments);
        let token = token_of(&machine, &process);
        names.push(process.said["token_file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned());
        tokens.push(token);
        process.stop();
    }
    assert_eq!(names, ["admin-token", "admin-token-2", "admin-token-3", "admin-token-4"]);
    let files = crate::common::contents(&machine.path("state/dreamtop/server"));
    let kept: Vec<String> =
        files.into_values().map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()).collect();
    assert!(tokens.iter().all(|token| kept.contains(token)), "{}", kept.len());
}

#[test]
fn a_copy_that_fails_leaves_no_file() {
    let machine = Machine::new();
    let process = Process::start(&machine, &["--database", "team.db"]);
    let token = token_of(&machine, &process);
    let entries: serde_json::Map<String, Value> =
        (0..8).map(|number| (format!("{number}.md"), json!("a".repeat(100_000)))).collect();
    let put = ask(process.address, &token, "PUT", &[("If-None-Match", "*")], Some(&json!({ "entries": entries })));
    assert_eq!(put.status, 200);
    process.stop();
    // The first pages, with the tables' names, stay as they are.
    let mut bytes = fs::read(machine.path("team.db")).unwrap();
    let half = bytes.len() / 8;
    bytes.iter_mut().skip(half).for_each(|byte| *byte = 0xA5);
    machine.write("team.db", bytes);
    for _ in 0..2 {
        let failed = machine.run(&["serve", "backup", "copy.db", "--database", "team.db"]);
        assert!(failed.code() == 5 && failed.err().contains("malformed"), "{} {}", failed.out(), failed.err());
        assert!(!machine.path("copy.db").exists());
    }
}

#[test]
fn tokens_export_import_and_backup_beside_a_server_at_work() {
    let urls = [None, postgres::database()];
    for url in urls.iter().enumerate().filter_map(|(at, url)| (at == 0 || url.is_some()).then_some(url.as_deref())) {
        let machine = Machine::new();
        let database: Vec<&str> = url.map(|url| vec!["--database", url]).unwrap_or_default();
        let process = Process::start(&machine, &database);
        let run = |arguments: &[&str]| machine.run(&[&["serve"], arguments, &database].concat());
        let first = run(&["token", "new", "Ann", "--repositories", "acme/*"]);
        let token = first.out().trim().to_owned();
        let entries = json!({ "entries": { "a.md": "by Ann" } });
        let put = ask(process.address, &token, "PUT", &[("If-None-Match", "*")], Some(&entries));
        assert_eq!(put.status, 200, "{} {}", first.err(), put.text());
        let list: Answer = machine.run(&[&["--json", "serve", "token", "list"], database.as_slice()].concat());
        let rows = list.json()["tokens"].clone();
        assert!(!list.out().contains(&token) && rows.as_array().unwrap().len() == 2, "{rows}");

        let export = run(&["export"]);
        assert_eq!(export.code(), 0, "{}", export.err());
        machine.write("export.jsonl", export.out());
        let backup = run(&["backup", "backup"]);
        assert_eq!(backup.code(), 0, "{}", backup.err());
        let file = machine.path("backup");
        assert_eq!(mode(file.to_str().unwrap()), 0o600);
        assert_eq!(run(&["backup", "backup"]).code(), 5, "what is there is never overwritten");

        // Both hold everything, the tokens too.
        let copy = match url {
            None => "backup".to_owned(),
            Some(_) => {
                let imported = machine.run(&["serve", "import", "backup", "--database", "copy.db"]);
                assert_eq!(imported.code(), 0, "{}", imported.err());
                "copy.db".to_owned()
            }
        };
        let imported = machine.run(&["--json", "serve", "import", "export.jsonl", "--database", "other.db"]);
        assert_eq!(imported.json()["imported"], json!(["default/acme/app"]), "{}", imported.err());
        let again = machine.run(&["serve", "import", "export.jsonl", "--database", "other.db"]);
        assert_eq!(again.code(), 3, "what is there is left, which a person has to know: {}", again.out());
        for database in [copy.as_str(), "other.db"] {
            let other = Process::start(&machine, &["--database", database]);
            assert_eq!(other.said["token_file"], Value::Null, "{database}");
            let read = ask(other.address, &token, "GET", &[], None);
            assert_eq!(read.json(), ask(process.address, &token, "GET", &[], None).json(), "{database}");
            other.stop();
        }
        let id = token.split('_').nth(1).unwrap();
        for _ in 0..2 {
            let revoked = run(&["token", "revoke", id]);
            assert!(revoked.code() == 0 && revoked.out().contains("is revoked since"), "{}", revoked.out());
        }
        assert_eq!(ask(process.address, &token, "GET", &[], None).status, 401, "from now on");
        process.stop();
    }
}

#[test]
fn two_servers_on_one_database_are_one_and_a_killed_one_loses_nothing_it_answered() {
    let Some(url) = postgres::database() else { return };
    let machine = Machine::new();
    // They start at the same moment on an empty database: both make its tables, one makes the token.
    let start = || Process::start(&machine, &["--database", &url]);
    let (one, other) = thread::scope(|scope| {
        let (one, other) = (scope.spawn(start), scope.spawn(start));
        (one.join().unwrap(), other.join().unwrap())
    });
    let firsts = [&one, &other].into_iter().filter(|process| process.said["token_file"].is_string()).count();
    assert_eq!(firsts, 1);
    let token = token_of(&machine, if one.said["token_file"].is_string() { &one } else { &other });
    let zero = json!({ "entries": { "count.md": "0" } });
    assert_eq!(ask(one.address, &token, "PUT", &[("If-None-Match", "*")], Some(&zero)).status, 200);
    assert_eq!(ask(other.address, &token, "GET", &[], None).json()["content"]["entries"]["count.md"], json!("0"));

    let (answered, unknown, is_dead) = (AtomicU32::new(0), AtomicU32::new(0), AtomicBool::new(false));
    let (first, second) = (one.address, other.address);
    let mut victim = one;
    thread::scope(|scope| {
        for writer in 0..4 {
            let (answered, unknown, is_dead, token) = (&answered, &unknown, &is_dead, &token);
            scope.spawn(move || {
                let mut address = if writer % 2 == 0 { first } else { second };
                let mut done = 0;
                while done < 30 {
                    match increment(address, token) {
                        Some(200) => {
                            answered.fetch_add(1, Ordering::SeqCst);
                            done += 1;
                        }
                        Some(412) => {}
                        Some(other) => panic!("{other}"),
                        None => {
                            // The connection broke: it may have been written or not.
                            assert!(is_dead.load(Ordering::SeqCst), "only the killed one breaks off");
                            unknown.fetch_add(1, Ordering::SeqCst);
                            address = second;
                        }
                    }
                }
            });
        }
        while answered.load(Ordering::SeqCst) < 20 {
            thread::sleep(Duration::from_millis(1));
        }
        is_dead.store(true, Ordering::SeqCst);
        victim.child.kill().unwrap();
    });
    let end = ask(second, &token, "GET", &[], None).json();
    let count: u32 = end["content"]["entries"]["count.md"].as_str().unwrap().parse().unwrap();
    let (answered, unknown) = (answered.into_inner(), unknown.into_inner());
    eprintln!("two servers, one killed: {answered} increments answered, {unknown} broken off, {count} there");
    assert!((answered..=answered + unknown).contains(&count), "{answered} {unknown} {count}");
    assert_eq!(end["version"].as_u64().unwrap(), u64::from(count) + 1, "each version is one increment");
    other.stop();
}

/// Adds one; `None`: no answer.
fn increment(address: SocketAddr, token: &str) -> Option<u16> {
    let line = format!("HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n");
    let send = |request: String| {
        let mut stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(120))).ok()?;
        stream.write_all(request.as_bytes()).ok()?;
        read(stream)
    };
    let got = send(format!("GET {} {line}\r\n", target("acme/app")))?;
    let count: u32 = got.json()["content"]["entries"]["count.md"].as_str()?.parse().ok()?;
    let body = json!({ "entries": { "count.md": (count + 1).to_string() } }).to_string();
    let headers = format!(
        "If-Match: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
        got.header("etag"),
        body.len()
    );
    send(format!("PUT {} {line}{headers}\r\n{body}", target("acme/app"))).map(|reply| reply.status)
}

#[test]
fn a_killed_server_on_a_file_has_everything_it_answered() {
    let machine = Machine::new();
    let mut process = Process::start(&machine, &[]);
    let token = token_of(&machine, &process);
    let zero = json!({ "entries": { "count.md": "0" } });
    assert_eq!(ask(process.address, &token, "PUT", &[("If-None-Match", "*")], Some(&zero)).status, 200);
    let (address, answered) = (process.address, AtomicU32::new(0));
    let unknown: u32 = thread::scope(|scope| {
        let writers: Vec<_> = (0..3)
            .map(|_| {
                let (answered, token) = (&answered, &token);
                scope.spawn(move || {
                    loop {
                        match increment(address, token) {
                            Some(200) => {
                                answered.fetch_add(1, Ordering::SeqCst);
                            }
                            Some(412) => {}
                            Some(other) => panic!("{other}"),
                            None => return 1,
                        }
                    }
                })
            })
            .collect();
        while answered.load(Ordering::SeqCst) < 20 {
            thread::sleep(Duration::from_millis(1));
        }
        process.child.kill().unwrap();
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    });
    let process = Process::start(&machine, &[]);
    let end = ask(process.address, &token, "GET", &[], None).json();
    let count: u32 = end["content"]["entries"]["count.md"].as_str().unwrap().parse().unwrap();
    let answered = answered.into_inner();
    assert!((answered..=answered + unknown).contains(&count), "{answered} {unknown} {count}");
    process.stop();
}
