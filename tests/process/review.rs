//! What waits, from the command line: looked at, taken by the hunk; and what runs and memories say afterwards.

use std::fs;

use serde_json::{Value, json};

use crate::common::Machine;

const MEMORY: &str = "---\nname: \"freeze\"\ndescription: \"The freeze\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nMerges are frozen.\n\n**Why:** The release.\n\n**How to apply:** Ask Tomasz.\n";
const INDEX: &str = "# Memory Index\n\n- [Freeze](project_freeze.md) — the freeze\n";

/// A machine whose dreams wait for a person, with one that proposes two changes of one file; the inbox entry's id.
fn waiting() -> (Machine, String) {
    let machine = Machine::new();
    machine.write("config/dreamtop/config.yaml", "dream:\n  apply: ask\n");
    machine.write("m/project_freeze.md", MEMORY);
    machine.write("m/MEMORY.md", INDEX);
    let edit = |old: &str, new: &str| {
        format!(
            "{{\"tool\":\"Edit\",\"input\":{{\"file_path\":\"project_freeze.md\",\"old_string\":\"{old}\",\"new_string\":\"{new}\"}}}}\n"
        )
    };
    let script = edit("Merges are frozen.", "Merges of features are frozen.") + &edit("Ask Tomasz.", "Ask Ingrid.");
    machine.write("script.jsonl", script + "{\"text\":\"done\"}\n");
    let run = machine.run(&["--memory-dir", "m", "--json", "--engine", "script:script.jsonl", "dream", "--force"]);
    assert_eq!(run.code(), 3, "{} {}", run.out(), run.err());
    let inbox = machine.run(&["--memory-dir", "m", "--json", "inbox"]).json();
    let id = inbox["held"][0]["id"].as_str().expect("an inbox entry").to_owned();
    (machine, id)
}

fn json(machine: &Machine, arguments: &[&str]) -> (i32, Value) {
    let mut all = vec!["--memory-dir", "m", "--json"];
    all.extend(arguments);
    let answer = machine.run(&all);
    (answer.code(), answer.json())
}

fn text(machine: &Machine) -> String {
    fs::read_to_string(machine.path("m/project_freeze.md")).unwrap()
}

#[test]
fn inbox_show_numbers_the_hunks_and_accept_takes_them_one_by_one() {
    let (machine, id) = waiting();
    let (code, shown) = json(&machine, &["inbox", "show", &id]);
    assert_eq!((code, shown["changes"][0]["hunks"].as_array().map(Vec::len)), (3, Some(2)), "{shown:#}");
    assert_eq!(shown["changes"][0]["hunks"][1]["added"][0], "**How to apply:** Ask Ingrid.\n");
    assert_eq!(shown["changes"][0]["disk"], "same");
    assert!(shown["changes"][0]["losses"].as_array().is_some_and(|losses| !losses.is_empty()), "{shown:#}");
    let words = machine.run(&["--memory-dir", "m", "inbox", "show", &id, "project_freeze.md"]);
    for piece in [
        "hunk 2",
        "-**How to apply:** Ask Tomasz.",
        "+**How to apply:** Ask Ingrid.",
        "waits: provenance: nothing that was said bears out \"Merges of features are frozen\"",
    ] {
        assert!(words.out().contains(piece), "{piece}: {}", words.out());
    }
    let run = shown["run"].as_str().expect("a run");
    let (code, by_run) = json(&machine, &["inbox", "show", run]);
    assert_eq!((code, &by_run["id"]), (3, &shown["id"]), "`runs` and `dream` name it by its run");
    assert_eq!(text(&machine), MEMORY, "looking lands nothing");

    let (code, landing) = json(&machine, &["inbox", "accept", &id, "--hunk", "2"]);
    assert_eq!(code, 0, "{landing:#}");
    assert_eq!(text(&machine), MEMORY.replace("Tomasz", "Ingrid"));
    let (_, inbox) = json(&machine, &["inbox"]);
    assert_eq!(inbox["held"][0]["id"], id.as_str(), "the other hunk goes on waiting");
    let (code, _) = json(&machine, &["undo"]);
    assert_eq!((code, text(&machine)), (0, MEMORY.to_owned()), "one undo");
}

#[test]
fn hunks_that_are_not_there_are_refused_with_what_there_is() {
    let (machine, id) = waiting();
    let refused = machine.run(&["--memory-dir", "m", "inbox", "accept", &id, "--hunk", "3"]);
    assert_eq!(refused.code(), 2);
    assert!(refused.err().contains("there is no hunk 3; it has 2 hunks"), "{}", refused.err());
    let unknown = machine.run(&["--memory-dir", "m", "inbox", "accept", &id, "no.md", "--hunk", "1"]);
    assert_eq!(unknown.code(), 1, "{}", unknown.err());
    let unknown = machine.run(&["--memory-dir", "m", "inbox", "show", "nothing"]);
    assert_eq!(unknown.code(), 1, "{}", unknown.err());
    assert!(unknown.err().contains("see `dreamtop inbox`"), "{}", unknown.err());
    assert_eq!(text(&machine), MEMORY);
}

#[test]
fn what_conflicts_by_now_stays_in_the_inbox_and_the_rest_lands() {
    let machine = Machine::new();
    machine.write("config/dreamtop/config.yaml", "dream:\n  apply: ask\n");
    machine.write("m/project_freeze.md", MEMORY);
    machine.write("m/project_board.md", MEMORY.replace("freeze", "board"));
    machine.write("m/MEMORY.md", INDEX);
    let edit = |file: &str, new: &str| {
        format!(
            "{{\"tool\":\"Edit\",\"input\":{{\"file_path\":\"{file}\",\"old_string\":\"Ask Tomasz.\",\"new_string\":\"{new}\"}}}}\n"
        )
    };
    let script = edit("project_freeze.md", "Ask Ingrid.") + &edit("project_board.md", "Ask Ingrid.");
    machine.write("script.jsonl", script + "{\"text\":\"done\"}\n");
    let (_, run) = json(&machine, &["--engine", "script:script.jsonl", "dream", "--force"]);
    machine.write("m/project_freeze.md", MEMORY.replace("Tomasz", "Olga"));
    let id = run["run"].as_str().unwrap();
    let words = machine.run(&["--memory-dir", "m", "inbox", "accept", id]);
    assert_eq!(words.code(), 3, "{}", words.err());
    let out = words.out();
    assert!(out.contains("replace project_board.md"), "{out}");
    assert!(out.contains("held    project_freeze.md  it was changed on disk meanwhile, in the same lines"), "{out}");
    assert!(out.contains("dreamtop inbox show"), "{out}");
    assert_eq!(text(&machine), MEMORY.replace("Tomasz", "Olga"));
    let (code, landing) = json(&machine, &["inbox", "accept", id]);
    assert_eq!((code, &landing["held"][0]["file"]), (3, &"project_freeze.md".into()), "{landing:#}");
    assert_eq!(landing["inbox"], json(&machine, &["inbox"]).1["held"][0]["id"]);
}

#[test]
fn fc_065_rejecting_leaves_no_file_no_index_line_and_nothing_that_waits() {
    let (machine, id) = waiting();
    let index = fs::read(machine.path("m/MEMORY.md")).unwrap();
    let (code, rejected) = json(&machine, &["inbox", "reject", &id]);
    assert_eq!((code, &rejected["rejected"][0]), (0, &Value::from("project_freeze.md")));
    assert_eq!((text(&machine).as_str(), fs::read(machine.path("m/MEMORY.md")).unwrap()), (MEMORY, index));
    let left: Vec<_> = fs::read_dir(machine.path("m")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "two memories' files and the lock: {left:?}");
    assert_eq!(json(&machine, &["inbox"]).1["held"], Value::Array(Vec::new()));
}

#[test]
fn fc_040_a_run_that_was_taken_back_says_undone_until_the_undo_is_taken_back() {
    let machine = Machine::with_sample();
    let (_, run) = machine.json("acme-api", &["dream", "--force"]);
    let id = run["run"].as_str().unwrap().to_owned();
    let of = |machine: &Machine| {
        let runs = machine.run(&["--json", "runs"]).json();
        runs["runs"].as_array().unwrap().iter().find(|run| run["run"] == id.as_str()).unwrap().clone()
    };
    assert_eq!(of(&machine)["undone_by"], Value::Null);
    let (_, landing) = machine.json("acme-api", &["undo", &id]);
    let undo = landing["history"].as_str().unwrap().to_owned();
    let undone = of(&machine);
    assert_eq!((&undone["undone_by"], &undone["outcome"]), (&Value::from(undo.as_str()), &run["outcome"]));
    assert!(machine.run(&["runs"]).out().contains("undone"));
    machine.json("acme-api", &["undo", &undo]);
    assert_eq!(of(&machine)["undone_by"], Value::Null, "it is in force again");
}

#[test]
fn a_memory_says_which_run_made_it_and_which_changed_it_last() {
    let (machine, id) = waiting();
    json(&machine, &["inbox", "accept", &id]);
    let (_, shown) = json(&machine, &["show", "project_freeze.md"]);
    assert_eq!(shown["owes"]["created"], Value::Null, "it was there before dreamtop looked");
    assert_eq!(shown["owes"]["changed"]["origin"], "dream", "{shown:#}");
    assert!(shown["owes"]["changed"]["run"].as_str().is_some_and(|run| run.starts_with("dream-")), "{shown:#}");
    let words = machine.run(&["--memory-dir", "m", "show", "project_freeze.md"]).out();
    assert!(words.contains("Changed by dream-"), "{words}");
    json(&machine, &["new", "board", "--type", "reference", "--body", "It is INGEST."]);
    let (_, shown) = json(&machine, &["show", "reference_board.md"]);
    assert_eq!((&shown["owes"]["created"]["origin"], &shown["owes"]["created"]["run"]), (&"edit".into(), &Value::Null));
    json(&machine, &["undo", shown["owes"]["created"]["history"].as_str().unwrap()]);
    let (_, history) = json(&machine, &["history"]);
    let dream = history["history"].as_array().unwrap().iter().find(|entry| entry["origin"] == "dream").unwrap();
    json(&machine, &["undo", dream["id"].as_str().unwrap()]);
    let (_, shown) = json(&machine, &["show", "project_freeze.md"]);
    assert_eq!(shown["owes"]["changed"], Value::Null, "what was taken back counts for nothing");
}

#[test]
fn runs_stats_adds_up_the_records_of_this_machine() {
    let machine = Machine::with_sample();
    let empty = machine.run(&["--json", "runs", "--stats"]);
    assert_eq!((empty.code(), &empty.json()["dream"]["all"]["done"]), (1, &Value::from(0)));
    machine.json("acme-api", &["dream", "--force"]);
    machine.write("script.jsonl", "{\"error\":\"the engine broke\"}\n");
    machine.json("acme-api", &["--engine", "script:script.jsonl", "dream", "--force"]);
    let stats = machine.run(&["--json", "runs", "--stats"]);
    let (code, stats) = (stats.code(), stats.json());
    assert_eq!((code, &stats["dream"]["all"]["done"]), (0, &Value::from(1)), "{stats:#}");
    assert_eq!((&stats["dream"]["all"]["failed"], &stats["dream"]["unfinished"]), (&Value::from(1), &Value::from(0)));
    let fired = stats["records"].as_array().unwrap().iter().filter(|record| record["event"] == "auto_dream_fired");
    assert!(fired.into_iter().any(|record| record["sessions_since"].as_u64() > Some(0)), "{stats:#}");
    assert!(stats["dream"]["all"]["sessions_reviewed"].as_u64() > Some(0), "{stats:#}");
    // A line that is no record, and one of a kind that is not known, cost nothing.
    let log = machine.path("state/dreamtop/log/records.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, format!("{{\n\"half\n{{\"event\":\"other_thing\"}}\n{text}")).unwrap();
    let again = machine.run(&["--json", "runs", "--stats"]).json();
    assert_eq!(again["dream"], stats["dream"]);
    assert!(machine.run(&["runs", "--stats"]).out().contains("2 began: 1 done, 1 failed"));
}

#[test]
fn gates_say_in_one_sentence_why_no_dream_starts() {
    let machine = Machine::with_sample();
    let (code, gates) = machine.json("acme-api", &["gates"]);
    let why = gates["why"]["dream"].as_str().unwrap().to_owned();
    if code == 0 {
        assert!(why.starts_with("All gates are open") && why.contains("`dreamtop dream`"), "{why}");
    }
    assert!(
        gates["dream"].as_array().unwrap().iter().all(|gate| gate["why"].as_str().unwrap().ends_with('.')),
        "{gates:#}"
    );
    let machine = Machine::new();
    machine.write("config/dreamtop/config.yaml", "dream:\n  enabled: false\n");
    machine.write("m/user_role.md", "---\nname: role\ndescription: \"x\"\ntype: user\n---\n\nWords.\n");
    let (code, gates) = json(&machine, &["gates"]);
    assert_eq!(code, 4);
    let why = gates["why"]["dream"].as_str().unwrap();
    assert!(why.starts_with("No dream starts by itself. It is switched off by config.yaml, dream.enabled."), "{why}");
    let words = machine.run(&["--memory-dir", "m", "gates"]).out();
    assert!(words.contains("It is switched off by config.yaml, dream.enabled."), "{words}");
}

#[test]
fn fc_049_a_run_that_says_running_with_no_live_holder_is_interrupted_and_the_next_one_runs() {
    let (machine, _) = waiting();
    let store = machine.path("m");
    let started = serde_json::json!({
        "at": "2026-11-20T09:00:00Z", "event": "started", "run": "dream-lost", "kind": "dream", "engine": "embedded",
        "store": store, "project": "m", "pid": u32::MAX, "birth": null, "sessions": [], "dry_run": false, "trigger": "hook",
    });
    machine.write("state/dreamtop/runs/dream-lost.jsonl", format!("{started}\n"));
    machine.write("m/.consolidate-lock", u32::MAX.to_string());
    let runs = machine.run(&["--json", "runs"]).json();
    let lost = runs["runs"].as_array().unwrap().iter().find(|run| run["run"] == "dream-lost").unwrap().clone();
    assert_eq!((&lost["status"], &lost["outcome"]), (&Value::from("interrupted"), &Value::Null), "{lost:#}");
    let (_, gates) = json(&machine, &["gates"]);
    let lock = gates["dream"].as_array().unwrap().iter().find(|gate| gate["gate"] == "lock").unwrap();
    assert_eq!(lock["passed"], true, "{lock:#}");
    let (code, run) = json(&machine, &["dream", "--force"]);
    assert!(code != 4, "it runs: {code} {run:#}");
}

#[cfg(unix)]
#[test]
fn runs_names_a_dream_of_another_program_by_its_lock_and_leaves_it_alone() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    // The process that runs this test is alive, and dreamtop never took the lock for it.
    let lock = store.join(".consolidate-lock");
    fs::write(&lock, std::process::id().to_string()).unwrap();
    let since = std::time::SystemTime::from("2026-11-30T08:55:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap());
    fs::File::options().write(true).open(&lock).unwrap().set_modified(since).unwrap();
    let runs = machine.run(&["--json", "runs"]).json();
    let foreign = &runs["foreign"][0];
    assert_eq!(
        (&foreign["pid"], &foreign["project"]),
        (&Value::from(std::process::id()), &"acme-api".into()),
        "{runs:#}"
    );
    let answer = machine.run(&["runs"]);
    let words = answer.out();
    assert!(words.contains("not ours") && words.contains("watched, not killed"), "{words}");
    assert!(
        answer.code() == 0 && !words.contains("no runs yet"),
        "a row is not followed by that there is none: {words}"
    );
    assert_eq!(fs::read_to_string(&lock).unwrap(), std::process::id().to_string());
    fs::remove_file(&lock).unwrap();
    assert_eq!(machine.run(&["--json", "runs"]).json()["foreign"], Value::Array(Vec::new()));
}

#[test]
fn runs_stats_says_of_each_record_what_it_was_about_without_a_stray_comma() {
    let machine = Machine::with_sample();
    machine.json("acme-api", &["dream", "--force"]);
    let words = machine.run(&["runs", "--stats"]);
    let fired = words.out().lines().find(|line| line.contains("dream began")).unwrap_or_default().to_owned();
    assert!(fired.ends_with("   6 sessions since"), "{fired:?}");
    assert!(!words.out().contains("auto_dream"), "names of events are for programs: {}", words.out());
}

#[test]
fn the_inbox_takes_the_name_of_a_run_for_showing_accepting_and_rejecting_also_from_another_project() {
    let (machine, _) = waiting();
    let (_, inbox) = json(&machine, &["inbox"]);
    let run = inbox["held"][0]["run"].as_str().unwrap().to_owned();
    let elsewhere = |arguments: &[&str]| machine.run(&[&["--memory-dir", "other"], arguments].concat());
    machine.write("other/user_role.md", MEMORY);
    let shown = elsewhere(&["inbox", "show", &run]);
    assert!(shown.code() == 3 && shown.out().contains("hunk 2"), "{} {}", shown.out(), shown.err());
    assert_eq!(json(&machine, &["runs"]).1["runs"][0]["reviewed"], Value::Null);
    assert_eq!(elsewhere(&["inbox", "accept", &run, "--hunk", "1"]).code(), 0);
    let listed = json(&machine, &["runs"]).1["runs"][0].clone();
    assert!(listed["inbox"].is_string() && listed["reviewed"]["became"] == "accepted-in-part", "{listed:#}");
    let rejected = elsewhere(&["inbox", "reject", &run]);
    assert_eq!((rejected.code(), rejected.out().trim()), (0, "rejected project_freeze.md"), "{}", rejected.err());
    let reviewed = json(&machine, &["runs"]).1["runs"][0]["reviewed"].clone();
    assert_eq!((&reviewed["became"], reviewed["history"].as_array().unwrap().len()), (&json!("accepted-in-part"), 1));
    let runs = machine.run(&["--memory-dir", "m", "runs"]);
    assert!(runs.out().contains("1 change was held, then accepted in part ("), "{}", runs.out());
    assert_eq!(text(&machine), MEMORY.replace("Merges are frozen.", "Merges of features are frozen."));
    let again = machine.run(&["--memory-dir", "m", "inbox", "reject", &run]);
    assert_eq!(again.code(), 1);
    assert!(again.err().contains(&format!("nothing of {run} waits")), "{}", again.err());
}

#[test]
fn a_run_whose_held_changes_were_accepted_says_so_and_is_taken_back_by_its_name() {
    let (machine, _) = waiting();
    let (_, inbox) = json(&machine, &["inbox"]);
    let run = inbox["held"][0]["run"].as_str().unwrap().to_owned();
    let say = |arguments: &[&str]| machine.run(&[&["--memory-dir", "m"], arguments].concat());
    assert!(say(&["runs"]).out().contains("waits in the inbox"), "{}", say(&["runs"]).out());
    let early = say(&["undo", &run]);
    assert!(early.code() == 1 && early.err().contains("landed nothing"), "{}", early.err());
    assert_eq!(say(&["inbox", "accept", &run]).code(), 0);
    let runs = say(&["runs"]);
    assert!(runs.out().contains("reviewed") && !runs.out().contains("waits in the inbox"), "{}", runs.out());
    let again = say(&["inbox", "accept", &run]);
    assert!(again.err().contains("waits any more") && !again.err().contains("for a person"), "{}", again.err());
    let landed = text(&machine);
    let (_, listed) = json(&machine, &["runs"]);
    let (_, history) = json(&machine, &["history"]);
    let entry = &history["history"][0]["id"];
    assert_eq!(listed["runs"][0]["inbox"], Value::Null, "{listed:#}");
    let figures =
        json!({"became": "accepted", "accepted": 1, "in_part": 0, "rejected": 0, "waiting": 0, "history": [entry]});
    assert_eq!(listed["runs"][0]["reviewed"], figures, "{listed:#}");
    assert!(runs.out().contains(&format!("then accepted ({})", entry.as_str().unwrap())), "{}", runs.out());
    let undone = say(&["undo", &run]);
    assert_eq!((undone.code(), text(&machine)), (0, MEMORY.to_owned()), "{}", undone.err());
    // It does not wait again; what takes the undo back is named.
    assert_eq!(json(&machine, &["inbox"]).1["held"], json!([]));
    let way = undone.out().lines().find(|line| line.contains("stays in the history")).unwrap_or_default().to_owned();
    let id =
        way.split("`dreamtop undo ").nth(1).and_then(|rest| rest.strip_suffix('`')).unwrap_or_else(|| panic!("{way}"));
    assert_eq!((say(&["undo", id]).code(), text(&machine)), (0, landed));
}

#[test]
fn a_run_whose_held_changes_were_rejected_names_no_inbox_entry_any_more() {
    let (machine, _) = waiting();
    let run = json(&machine, &["runs"]).1["runs"][0].clone();
    assert!(run["inbox"].is_string() && run["reviewed"].is_null(), "{run:#}");
    assert_eq!(machine.run(&["--memory-dir", "m", "inbox", "reject", run["run"].as_str().unwrap()]).code(), 0);
    let run = json(&machine, &["runs"]).1["runs"][0].clone();
    let figures =
        json!({"became": "rejected", "accepted": 0, "in_part": 0, "rejected": 1, "waiting": 0, "history": []});
    assert_eq!((&run["inbox"], &run["reviewed"]), (&Value::Null, &figures));
    assert!(machine.run(&["--memory-dir", "m", "runs"]).out().contains("then rejected"));
}

#[test]
fn the_index_line_of_a_held_file_is_shown_with_the_file() {
    let machine = Machine::new();
    machine.write("m/project_freeze.md", MEMORY);
    machine.write("m/MEMORY.md", INDEX);
    let new = "---\\nname: role\\ndescription: The role\\nmetadata:\\n  node_type: memory\\n  type: user\\n---\\n\\nThe user leads QA.\\n";
    let script = format!("{{\"tool\":\"Write\",\"input\":{{\"file_path\":\"user_role.md\",\"content\":\"{new}\"}}}}\n");
    machine.write("script.jsonl", script + "{\"text\":\"done\"}\n");
    let (code, run) = json(&machine, &["--engine", "script:script.jsonl", "dream", "--force"]);
    assert_eq!(code, 3, "a user memory without a quote waits: {run:#}");
    let id = run["inbox"].as_str().unwrap();
    let (_, shown) = json(&machine, &["inbox", "show", id]);
    assert_eq!(shown["changes"][0]["index"]["added"][0], "- [role](user_role.md) — The role", "{shown:#}");
    let words = machine.run(&["--memory-dir", "m", "inbox", "show", id]).out();
    assert!(words.contains("with it, in MEMORY.md") && words.contains("+- [role](user_role.md)"), "{words}");
}

#[test]
fn runs_say_what_became_of_the_memories_in_the_same_words_everywhere_and_have_a_heading() {
    let machine = Machine::with_sample();
    let (_, run) = machine.json("acme-api", &["dream", "--force"]);
    let notice = run["notice"].as_str().unwrap().to_owned();
    assert!(run["reason"].as_str().unwrap().starts_with(&notice), "{run:#}");
    let of = |op: &str| {
        let changes = run["changes"].as_array().unwrap().iter();
        changes.filter(|change| change["op"] == op && change["file"] != "MEMORY.md").count()
    };
    let (saved, improved, removed) = (of("create"), of("replace"), of("remove"));
    assert_eq!(notice, format!("Improved {improved} memories, saved {saved}, removed {removed}"));
    let words = machine.run(&["runs"]).out();
    let mut lines = words.lines();
    let heading = lines.next().unwrap();
    assert!(heading.starts_with("run ") && heading.ends_with("reason"), "{heading}");
    assert!(lines.next().unwrap().contains(&notice), "{words}");
    assert_eq!(machine.run(&["runs", "--quiet"]).out(), "");
}

#[test]
fn a_problem_under_the_row_of_its_memory_does_not_name_the_file_again() {
    let machine = Machine::with_sample();
    let words = machine.run(&["--project", "checkouts/acme-api", "ls", "--evidence"]).out();
    let problems: Vec<&str> = words.lines().filter(|line| line.trim_start().starts_with('⚠')).collect();
    assert!(problems.iter().any(|line| line.contains("⚠ line 12: path-gone: src/billing/retry.rs")), "{words}");
    assert!(problems.iter().all(|line| !line.contains("feedback_retry_backoff.md:")), "{words}");
}

/// A store with two owners of one module, of which a dream that asks holds the supersede; the name of its run.
fn asked(machine: &Machine) -> String {
    let owner = |name: &str, day: &str| {
        format!(
            "---\nname: own\ndescription: Owner\nmetadata:\n  node_type: memory\n  type: project\n  modified: {day}T09:00:00.000Z\n---\n\n{name} owns the auth module.\n"
        )
    };
    machine.write("m/project_own.md", owner("Ben", "2026-10-01"));
    machine.write("m/project_own2.md", owner("Anna", "2026-11-01"));
    machine.write("m/MEMORY.md", "- [own](project_own.md) — first\n- [own2](project_own2.md) — second\n");
    machine.write("config/dreamtop/config.yaml", "dream:\n  apply: ask\n");
    json(machine, &["dream", "--force"]).1["run"].as_str().unwrap().to_owned()
}

#[test]
fn a_second_dream_over_a_held_one_waits_with_it_and_both_say_what_became_of_it() {
    let machine = Machine::new();
    let say = |arguments: &[&str]| machine.run(&[&["--memory-dir", "m"], arguments].concat());
    asked(&machine);
    let (_, again) = json(&machine, &["dream", "--force"]);
    assert_eq!((&again["outcome"], &again["reason"]), (&json!("held"), &json!("2 changes wait in the inbox already")));
    let (_, inbox) = json(&machine, &["inbox"]);
    assert_eq!((inbox["held"].as_array().unwrap().len(), &inbox["held"][0]["id"]), (1, &again["inbox"]), "{inbox:#}");
    // The second run's name opens what waits for it, and half of it takes the other half along.
    let run = again["run"].as_str().unwrap();
    assert!(say(&["inbox", "show", run]).out().contains("lands together with project_own2.md"));
    let accepted = say(&["inbox", "accept", run, "project_own.md"]);
    assert!(accepted.out().contains("project_own2.md was accepted along with project_own.md"), "{}", accepted.out());
    let kept = fs::read_to_string(machine.path("m/project_own2.md")).unwrap();
    assert!(kept.contains("Ben owns") && !machine.path("m/project_own.md").exists(), "{kept}");
    assert_eq!(fs::read_to_string(machine.path("m/MEMORY.md")).unwrap(), "- [own2](project_own2.md) — second\n");
    let said = say(&["runs"]);
    assert_eq!(said.out().matches("2 changes were held, then accepted (").count(), 2, "{}", said.out());
}

#[test]
fn a_run_that_was_accepted_in_part_and_rejected_in_part_says_both() {
    let machine = Machine::new();
    machine.write("config/dreamtop/config.yaml", "dream:\n  apply: ask\n");
    machine.write("m/MEMORY.md", "# Memory Index\n\n- [One](project_one.md) — one\n- [Two](project_two.md) — two\n");
    for name in ["one", "two"] {
        machine.write(&format!("m/project_{name}.md"), MEMORY.replace("freeze", name));
    }
    let edit = |name: &str| {
        let file = format!("project_{name}.md");
        json!({"tool": "Edit", "input": {"file_path": file, "old_string": "Ask Tomasz", "new_string": "Ask Ingrid"}})
    };
    machine.write("script.jsonl", format!("{}\n{}\n", edit("one"), edit("two")));
    let run = json(&machine, &["--engine", "script:script.jsonl", "dream", "--force"]).1["run"].clone();
    let run = run.as_str().unwrap();
    let say = |arguments: &[&str]| machine.run(&[&["--memory-dir", "m"], arguments].concat());
    assert_eq!(say(&["inbox", "reject", run, "project_one.md"]).code(), 0);
    let partly = say(&["runs"]);
    assert!(partly.out().contains("2 changes were held, then 1 rejected, 1 still waiting"), "{}", partly.out());
    let figures = json(&machine, &["runs"]).1["runs"][0]["reviewed"].clone();
    assert_eq!((&figures["rejected"], &figures["waiting"]), (&json!(1), &json!(1)), "{figures:#}");
    assert_eq!(say(&["inbox", "accept", run]).code(), 0);
    let said = say(&["runs"]);
    assert!(said.out().contains("then 1 accepted (") && said.out().contains("), 1 rejected"), "{}", said.out());
    let reviewed = &json(&machine, &["runs"]).1["runs"][0]["reviewed"];
    assert_eq!((&reviewed["became"], &reviewed["rejected"]), (&json!("accepted-in-part"), &json!(1)), "{reviewed:#}");
}

#[test]
fn the_row_of_the_index_is_no_change_of_its_own_and_what_was_decided_on_by_another_is_said() {
    let machine = Machine::new();
    machine.write("config/dreamtop/config.yaml", "dream:\n  apply: ask\n");
    machine.write("m/project_freeze.md", MEMORY);
    machine.write("m/MEMORY.md", INDEX);
    let body = MEMORY.replace("Merges are frozen", "Deploys wait for Ingrid").replace('\n', "\\n").replace('"', "\\\"");
    let index = format!("{INDEX}- [Deploys](project_deploys.md) — who\n").replace('\n', "\\n");
    let write = |file: &str, content: &str| {
        format!("{{\"tool\":\"Write\",\"input\":{{\"file_path\":\"{file}\",\"content\":\"{content}\"}}}}\n")
    };
    machine.write("script.jsonl", write("project_deploys.md", &body) + &write("MEMORY.md", &index));
    let (code, run) = json(&machine, &["--engine", "script:script.jsonl", "dream", "--force"]);
    assert_eq!(code, 3, "{run:#}");
    let run = run["run"].as_str().unwrap();
    let held: Vec<String> = {
        let inbox = json(&machine, &["inbox"]).1;
        let changes = inbox["held"][0]["changes"].as_array().unwrap().clone();
        changes.iter().map(|change| change["file"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(held, ["project_deploys.md", "MEMORY.md"]);
    let said = machine.run(&["--memory-dir", "m", "inbox", "reject", run, "MEMORY.md"]);
    assert!(said.code() == 0 && said.out().contains("lands, waits and goes with that file"), "{}", said.out());
    let (code, landed) = json(&machine, &["inbox", "accept", run]);
    assert_eq!(code, 0, "{landed:#}");
    let listed = machine.run(&["--memory-dir", "m", "runs"]);
    assert!(listed.out().contains("1 change was held, then accepted ("), "{}", listed.out());
    let late = machine.run(&["--memory-dir", "m", "inbox", "accept", run]);
    assert!(late.err().contains("was decided on"), "{}", late.err());
    // Whoever named the entry itself, and came second, hears the same.
    let (machine, id) = waiting();
    assert_eq!(json(&machine, &["inbox", "accept", &id]).0, 0);
    for verb in ["accept", "reject", "show"] {
        let late = machine.run(&["--memory-dir", "m", "inbox", verb, &id]);
        assert!(late.code() == 1 && late.err().contains("was decided on"), "{verb}: {}", late.err());
    }
    let unknown = machine.run(&["--memory-dir", "m", "inbox", "accept", "20200101T000000-00000000"]);
    assert!(unknown.err().contains("there is no inbox entry"), "{}", unknown.err());
}

#[test]
fn a_run_whose_file_was_accepted_by_hunk_names_every_landing() {
    let (machine, id) = waiting();
    let mut landings = Vec::new();
    for _ in 0..2 {
        let (_, landing) = json(&machine, &["inbox", "accept", &id, "--hunk", "1"]);
        landings.push(landing["history"].as_str().unwrap().to_owned());
    }
    // At one moment by this clock.
    landings.sort();
    let runs = json(&machine, &["runs"]).1;
    assert_eq!(runs["runs"][0]["reviewed"]["history"], json!(landings), "{runs:#}");
    let listed = machine.run(&["--memory-dir", "m", "runs"]);
    let sentence = format!("1 change was held, then accepted ({}) ({})", landings[0], landings[1]);
    assert!(listed.out().contains(&sentence), "{}", listed.out());
}

#[test]
fn a_rejection_is_taken_back_by_undo_by_its_name_or_as_the_latest_thing_done() {
    let (machine, id) = waiting();
    for undo in [vec!["undo", id.as_str()], vec!["undo"]] {
        let (code, rejected) = json(&machine, &["inbox", "reject", &id]);
        assert_eq!((code, &rejected["rejected"][0]), (0, &json!("project_freeze.md")));
        assert_eq!(json(&machine, &["inbox"]).1["held"], json!([]));
        let (code, waits) = json(&machine, &undo);
        assert_eq!((code, waits), (0, json!({ "waiting": ["project_freeze.md"], "inbox": id })));
        assert_eq!(json(&machine, &["inbox"]).1["held"][0]["id"], id.as_str());
    }
    assert_eq!(text(&machine), MEMORY);
    assert_eq!(json(&machine, &["inbox", "accept", &id]).0, 0, "and lands as before");
    assert!(text(&machine).contains("Ask Ingrid."));
}
