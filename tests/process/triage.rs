//! `confirm` and `snooze`: verdicts of triage from the command line.

use serde_json::Value;

use crate::common::{Machine, picture};

fn row(machine: &Machine, store: &str, file: &str) -> Value {
    let listed = machine.run(&["--json", "--memory-dir", store, "ls"]).json();
    let rows = listed["memories"].as_array().expect("memories").clone();
    rows.into_iter().find(|row| row["file"] == file).expect("the memory is listed")
}

fn oldest(machine: &Machine, store: &str) -> Vec<String> {
    let listed = machine.run(&["--json", "--memory-dir", store, "ls", "--sort", "age"]).json();
    let rows = listed["memories"].as_array().expect("memories").clone();
    let old = rows.iter().filter(|row| row["age_days"].as_u64() > Some(10)).take(2);
    old.map(|row| row["file"].as_str().expect("a file").to_owned()).collect()
}

#[test]
fn confirm_renews_the_claims_and_undo_gives_back_every_byte() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let path = store.to_string_lossy().into_owned();
    let files = oldest(&machine, &path);
    let before = picture(&store);
    let confirmed = machine.run(&["--json", "--memory-dir", &path, "confirm", &files[0], &files[1], &files[0]]);
    assert_eq!(confirmed.code(), 0, "{}", confirmed.err());
    let landing = confirmed.json();
    let entry = landing["history"].as_str().expect("an entry").to_owned();
    assert_eq!(landing["landed"].as_array().map(Vec::len), Some(2), "each once: {landing:#}");
    for file in &files {
        assert_eq!(row(&machine, &path, file)["age_days"], 0);
    }
    let history = machine.run(&["--json", "--memory-dir", &path, "history"]).json();
    assert_eq!(history["history"][0]["origin"], "triage", "{history:#}");
    assert_eq!(machine.run(&["--memory-dir", &path, "undo", &entry]).code(), 0);
    assert_eq!(picture(&store), before, "bytes and times");
}

#[test]
fn confirm_of_one_that_is_not_there_changes_none() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let path = store.to_string_lossy().into_owned();
    let files = oldest(&machine, &path);
    let before = picture(&store);
    let refused = machine.run(&["--memory-dir", &path, "confirm", &files[0], "no_such_memory"]);
    assert_eq!(refused.code(), 1);
    assert!(refused.err().contains("no_such_memory") && refused.err().contains("dreamtop ls"), "{}", refused.err());
    assert_eq!(picture(&store), before);
}

#[test]
fn a_snooze_is_listed_changes_no_file_and_is_woken() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let path = store.to_string_lossy().into_owned();
    let file = oldest(&machine, &path).remove(0);
    let before = picture(&store);
    let snoozed = machine.run(&["--json", "--memory-dir", &path, "snooze", &file, "--days", "7"]);
    assert_eq!(snoozed.code(), 0, "{}", snoozed.err());
    assert_eq!(snoozed.json()["snoozed"][0]["snoozed_until"], "2026-12-07T09:00:00Z");
    assert_eq!(row(&machine, &path, &file)["snoozed_until"], "2026-12-07T09:00:00Z");
    assert!(machine.run(&["--memory-dir", &path, "ls"]).out().contains("snoozed until 2026-12-07"));
    assert_eq!(picture(&store), before, "it is remembered beside the store");
    let again = machine.run(&["--json", "--memory-dir", &path, "snooze", &file]).json();
    assert_eq!(again["snoozed"][0]["before"], "2026-12-07T09:00:00Z");
    let woken = machine.run(&["--json", "--memory-dir", &path, "snooze", "--wake", &file]).json();
    assert!(woken["snoozed"][0]["snoozed_until"].is_null(), "{woken:#}");
    assert!(row(&machine, &path, &file)["snoozed_until"].is_null());
}

#[test]
fn a_snooze_ends_with_its_day_and_with_a_change() {
    let mut machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let path = store.to_string_lossy().into_owned();
    let files = oldest(&machine, &path);
    machine.run(&["--memory-dir", &path, "snooze", &files[0], &files[1], "--days", "7"]);
    machine.run(&["--memory-dir", &path, "edit", &files[1], "--description", "another claim"]);
    assert!(row(&machine, &path, &files[1])["snoozed_until"].is_null(), "it says something else now");
    assert!(row(&machine, &path, &files[0])["snoozed_until"].is_string());
    machine.now = "2026-12-07T09:00:00Z";
    assert!(row(&machine, &path, &files[0])["snoozed_until"].is_null());
}

#[test]
fn a_snooze_of_no_days_is_a_usage_error() {
    let machine = Machine::with_sample();
    for days in ["0", "-3", "4000", "soon"] {
        let refused = machine.run(&["--project", "checkouts/acme-api", "snooze", "user_role", "--days", days]);
        assert_eq!(refused.code(), 2, "{days}: {}", refused.err());
    }
}
