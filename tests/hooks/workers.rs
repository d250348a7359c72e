//! What becomes of a run whose worker dies, or never says a word.

use std::fs;

use chrono::TimeDelta;
use dreamtop::engine::JobKind;
use serde_json::json;

use crate::common::wait_until;
use crate::drive::{Desk, Session};

const RULE: &str = "Remember: integration tests must hit a real database, never mocks.";

#[test]
fn fc_060_a_worker_that_is_killed_between_a_turn_and_its_memory_leaves_both_file_and_index_or_neither() {
    let desk = Desk::new();
    let session = desk.session();
    desk.script(&[json!({"delay_ms": 600_000})]);
    session.turn(RULE, "Understood.");
    wait_until("the worker runs", || desk.runs().iter().any(|run| run.is_live() && run.pid > 0));
    kill(&desk);
    // Another worker that begins at this moment may be the one that settles it.
    wait_until("it is told as killed", || {
        let shown = desk.machine.run(&["--json", "runs"]).json();
        let mut runs = shown["runs"].as_array().unwrap().iter();
        runs.any(|run| run["kind"] == "extract" && run["outcome"] == "killed")
    });
    assert!(desk.memories().is_empty() && desk.index().is_empty());
    *desk.engine() = None;
    // Other sessions do not wait for that.
    desk.session().turn("Remember: Ada owns the billing service.", "Ok.");
    desk.settle();
    assert!(desk.memories().len() == 1 && desk.memories()[0].1.contains("billing"), "{:?}", desk.records());
    session.turn("please go on with the tests", "Done.");
    desk.settle();
    let waits = desk.records().into_iter().rfind(|record| record.kind() == Some(JobKind::Extract)).unwrap();
    assert!(waits.reason.contains("waiting 5 min more: the worker died over this session 1 time"), "{waits:?}");
    // The next turn after that reads what the dead one left.
    desk.later(TimeDelta::minutes(10));
    session.turn("please go on", "Done.");
    desk.settle();
    let memories = desk.memories();
    assert_eq!(memories.len(), 2, "{memories:?}");
    assert!(memories.iter().all(|(file, _)| desk.index().contains(file)), "{}", desk.index());
}

/// Kills the worker of the one live run.
fn kill(desk: &Desk) {
    let run = desk.runs().into_iter().find(|run| run.is_live() && run.pid > 0).unwrap();
    let status = std::process::Command::new("kill").args(["-9", &run.pid.to_string()]).status().unwrap();
    assert!(status.success());
    wait_until("it is gone", || !desk.workers().contains(&run.pid));
}

#[test]
fn a_run_is_shown_from_the_moment_its_worker_is_started_and_ends_with_an_outcome_if_that_never_speaks() {
    let desk = Desk::within();
    let session = desk.session();
    let look = || desk.machine.run(&["--json", "runs"]).json()["runs"].clone();
    // Workers that end without a word.
    let stop = |session: &Session<'_>| {
        session.says(RULE);
        session.answers("Ok.");
        let input = session.input("Stop", json!({"last_assistant_message": "Ok."}));
        assert_eq!(desk.answer("/bin/true".as_ref(), &input), "");
    };
    stop(&session);
    let shown = look();
    let extraction = shown.as_array().unwrap().iter().find(|run| run["kind"] == "extract").unwrap();
    assert_eq!((&extraction["status"], &extraction["outcome"]), (&json!("starting"), &json!(null)), "{shown:#}");
    assert_eq!((&extraction["trigger"], &extraction["sessions"]), (&json!("hook"), &json!([session.id])));
    assert_eq!(extraction["store"], json!(desk.store()), "{shown:#}");
    // Who does not want it ends it.
    let id = extraction["run"].as_str().unwrap().to_owned();
    let killed = desk.machine.run(&["--json", "kill", &id]);
    assert_eq!((killed.code(), &killed.json()["outcome"]), (0, &json!("killed")), "{}", killed.err());
    // Another one is left alone, and has a minute.
    let other = desk.session();
    stop(&other);
    let asked = |run: &std::path::Path| {
        run.to_string_lossy().contains("extract") && run.extension().is_some_and(|end| end == "asked")
    };
    let paths = || fs::read_dir(desk.state().runs()).unwrap().flatten().map(|entry| entry.path());
    let path = paths().find(|path| asked(path)).unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(300);
    fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    let shown = look();
    let failed: Vec<_> = shown.as_array().unwrap().iter().filter(|run| run["outcome"] == "failed").collect();
    assert_eq!((failed.len(), &failed[0]["trigger"]), (1, &json!("hook")), "{shown:#}");
    assert!(failed[0]["reason"].as_str().unwrap().contains("never began"), "{shown:#}");
    assert!(!path.exists());
    assert_eq!(look().as_array().unwrap().len(), shown.as_array().unwrap().len(), "it is told once");
}
