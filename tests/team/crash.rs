//! PostgreSQL killed while a PUT is on its way through it.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::{Machine, wait_until};
use crate::http::call;
use crate::postgres;
use crate::process::{Process, token_of};
use crate::together::{Desk, held, memory};

/// The processes of the database that wait for a lock.
const WAITING: &str = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
/// Those that have the table of former versions to themselves.
const HELD: &str =
    "SELECT pid FROM pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = 'history'::regclass";

fn pids(port: u16, statement: &str) -> Vec<String> {
    let output = postgres::client(port, "team").args(["-c", statement]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_put_that_the_database_died_under_is_tried_again_and_nothing_is_lost_or_doubled() {
    let Some((port, url)) = postgres::of_its_own() else { return };
    let machine = Machine::new();
    let process = Process::start(&machine, &["--database", &url]);
    let token = token_of(&machine, &process);
    let desk = Desk::at(&process, &token);
    let file = desk.team.join("a.md");
    fs::write(&file, memory("a", "One.")).unwrap();
    assert_eq!(desk.sync().code(), 0);

    fs::write(&file, memory("a", "Two.")).unwrap();
    // The PUT is held up in the database until that is killed, lock and all.
    let mut holder = postgres::client(port, "team").stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut statements = holder.stdin.take().unwrap();
    statements.write_all(b"BEGIN; LOCK TABLE history IN ACCESS EXCLUSIVE MODE;\n").unwrap();
    wait_until("the table is locked", || !pids(port, HELD).is_empty());
    let first = thread::scope(|scope| {
        let syncing = scope.spawn(|| desk.sync());
        wait_until("the PUT waits in the database", || !pids(port, WAITING).is_empty());
        let killed = Command::new("kill").arg("-9").args(pids(port, WAITING)).status().unwrap();
        assert!(killed.success());
        syncing.join().unwrap()
    });
    drop(statements);
    holder.wait().unwrap();
    // It had three tries; where the database took longer to come again, the next sync sends it.
    assert!([0, 5].contains(&first.code()), "{} {}", first.out(), first.err());
    assert_eq!(fs::read_to_string(&file).unwrap(), memory("a", "Two."), "the edit is here whatever came");
    let end = Instant::now() + Duration::from_secs(300);
    while desk.sync().code() != 0 {
        assert!(Instant::now() < end, "a sync comes to its end once the database is there again");
    }
    assert_eq!(held(&process, &token).get("a.md"), Some(&memory("a", "Two.")));
    let bearer = format!("Bearer {token}");
    let target = "/v1/history?repo=acme%2Fapp&key=a.md";
    let history = call(process.address, "GET", target, &[("Authorization", &bearer)], None).json();
    let versions: Vec<_> = history["versions"].as_array().unwrap().iter().map(|one| one["version"].clone()).collect();
    assert_eq!(versions, [json!(2), json!(1)], "{history:#}");
    process.stop();
}
