//! The field cases of recall, through the library and the binary.

use std::fs;

use dreamtop::memory::{ScanOptions, ShelfLife, Store};
use dreamtop::recall::{MOST, Question, rank};
use serde_json::Value;

use crate::common::{Machine, NOW, picture};
use crate::growth::in_proportion;

/// A memory's file.
fn memory(kind: &str, description: &str, body: &str) -> String {
    format!(
        "---\nname: note\ndescription: \"{description}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n  modified: 2026-10-01T09:00:00.000Z\n---\n\n{body}\n"
    )
}

fn recall(machine: &Machine, arguments: &[&str]) -> (i32, Value) {
    let store = machine.path("memory");
    let mut all = vec!["--json", "--memory-dir", store.to_str().unwrap(), "recall"];
    all.extend(arguments);
    let answer = machine.run(&all);
    (answer.code(), answer.json())
}

fn files(answer: &Value) -> Vec<&str> {
    answer["memories"].as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap()).collect()
}

/// A store of many memories that have nothing to do with one another, and one about payouts.
fn crowded() -> Machine {
    let machine = Machine::new();
    let things = ["lamp", "river", "chair", "violin", "glacier", "orchard", "kettle", "harp", "tunnel", "ladder"];
    for number in 0..400 {
        let (one, other) = (things[number % 10], things[number / 10 % 10]);
        let text =
            memory("project", &format!("The {one} room {number} is next to the {other} room"), "Ask at the desk.");
        machine.write(&format!("memory/project_room_{number:03}.md"), text);
    }
    machine.write(
        "memory/reference_payouts.md",
        memory("reference", "Runbook for stuck payouts", "Replay them one by one."),
    );
    machine
}

#[test]
fn fc_072_one_of_many_is_returned_alone_and_none_when_none_fits() {
    let machine = crowded();
    let (code, answer) = recall(&machine, &["a payout is stuck, what now"]);
    assert_eq!((code, files(&answer)), (0, vec!["reference_payouts.md"]), "{answer:#}");
    for prompt in ["parse the csv header", "sort the users by age", "refactor the websocket handshake", "?", "the"] {
        let (code, answer) = recall(&machine, &[prompt]);
        assert_eq!((code, files(&answer)), (1, vec![]), "{prompt}: {answer:#}");
    }
}

#[test]
fn recall_never_returns_more_than_five_however_many_fit() {
    let machine = crowded();
    let (_, answer) = recall(&machine, &["where is the violin room next to the glacier room"]);
    assert_eq!(files(&answer).len(), MOST);
    assert!(!answer["missed"].as_array().unwrap().is_empty(), "what narrowly missed is told");
}

#[test]
fn fc_073_memories_with_nearly_equal_scores_are_all_returned() {
    let machine = crowded();
    for (file, region) in [("a", "Lisbon"), ("b", "Osaka"), ("c", "Quito")] {
        let text = memory(
            "reference",
            &format!("The sandbox credentials for {region} are in the vault {region}"),
            "Rotated monthly.",
        );
        machine.write(&format!("memory/reference_sandbox_{file}.md"), text);
    }
    let (_, answer) = recall(&machine, &["which sandbox credentials are there"]);
    let mut found = files(&answer);
    found.sort_unstable();
    assert_eq!(found, ["reference_sandbox_a.md", "reference_sandbox_b.md", "reference_sandbox_c.md"]);
}

#[test]
fn the_index_is_never_recalled_and_what_was_shown_is_not_shown_again() {
    let machine = crowded();
    machine.write("memory/MEMORY.md", "# Stuck payouts\n\n- [Payouts](reference_payouts.md) — stuck payouts\n");
    let path = machine.path("memory/reference_payouts.md");
    assert_eq!(files(&recall(&machine, &["stuck payouts"]).1), ["reference_payouts.md"]);
    for shown in ["reference_payouts.md", path.to_str().unwrap()] {
        let (code, answer) = recall(&machine, &["stuck payouts", "--shown", shown]);
        assert_eq!((code, files(&answer)), (1, vec![]), "{shown}");
    }
}

#[test]
fn usage_notes_of_a_tool_in_use_are_lowered_and_warnings_about_it_stay() {
    let machine = crowded();
    machine.write(
        "memory/reference_kubectl.md",
        memory("reference", "How kubectl contexts are switched", "Flags in the wiki."),
    );
    machine.write(
        "memory/feedback_kubectl.md",
        memory("feedback", "Never use kubectl without naming the context", "Two clusters."),
    );
    let prompt = "use kubectl to look at the context";
    assert_eq!(files(&recall(&machine, &[prompt]).1).len(), 2);
    let (_, answer) = recall(&machine, &[prompt, "--tool", "mcp__kubectl__get"]);
    assert_eq!(files(&answer), ["feedback_kubectl.md"]);
    assert!(answer["missed"][0]["why"].as_str().unwrap().contains("is in use"), "{answer:#}");
}

#[cfg(unix)]
#[test]
fn fc_075_a_linked_home_and_a_linked_memory_are_seen_once() {
    let machine = Machine::with_sample();
    let real = machine.path("claude");
    let link = machine.path("linked-home");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    std::os::unix::fs::symlink(real.join("projects"), real.join("projects-again")).unwrap();
    let store = machine.sample_store("acme-api");
    std::os::unix::fs::symlink(store.join("reference_payments_runbook.md"), store.join("reference_runbook_again.md"))
        .unwrap();
    let through = |home: &std::path::Path| {
        let home = home.to_str().unwrap();
        machine.run(&["--json", "--claude-dir", home, "recall", "--all", "runbook for payments"]).json()
    };
    let (one, other) = (through(&real), through(&link));
    assert_eq!(files(&one), files(&other));
    let found = files(&one).into_iter().filter(|file| file.contains("runbook")).count();
    assert_eq!(found, 1, "{one:#}");
    let row = one["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["file"].as_str().unwrap().contains("runbook"))
        .unwrap();
    assert_eq!(row["places"].as_array().unwrap().len(), 1, "a link is no second place: {row:#}");
}

#[test]
fn fc_076_copies_in_eight_folders_are_five_results_that_name_eight_places() {
    let machine = Machine::new();
    for folder in 0..8 {
        let project = format!("-srv-historic-{folder}");
        for (file, word) in [("a", "alpha"), ("b", "beta"), ("c", "gamma"), ("d", "delta"), ("e", "epsilon")] {
            let text = memory("reference", &format!("The harpsichord tuning table {word}"), "Kept by the luthier.");
            machine.write(&format!("claude/projects/{project}/memory/reference_{file}.md"), text);
        }
        for number in 0..6 {
            let text = memory("project", &format!("Folder {folder} note {number}"), "Nothing else.");
            machine.write(&format!("claude/projects/{project}/memory/project_{number}.md"), text);
        }
    }
    let answer = machine.run(&["--json", "recall", "--all", "harpsichord tuning"]).json();
    assert_eq!(files(&answer).len(), 5, "{answer:#}");
    for row in answer["memories"].as_array().unwrap() {
        assert_eq!(row["places"].as_array().unwrap().len(), 8, "{row:#}");
    }
    let lines = machine.run(&["recall", "--all", "harpsichord tuning"]).out();
    assert!(lines.contains("the same in 8 places"), "{lines}");
}

#[test]
fn fc_055_a_cited_path_that_is_not_there_is_marked_by_ls_and_recall() {
    let machine = Machine::new();
    let checkout = machine.path("checkout");
    fs::create_dir_all(checkout.join("src")).unwrap();
    fs::write(checkout.join("src/there.rs"), "").unwrap();
    let gone = std::path::Path::new("/srv/notes/vault");
    let text = memory(
        "project",
        "The login vault is documented",
        &format!("Notes are in `{}`, code in `src/auth.rs:120` and `src/there.rs`.", gone.display()),
    );
    machine.write("memory/project_login.md", text);
    let store = machine.path("memory");
    let arguments = ["--json", "--memory-dir", store.to_str().unwrap(), "--project", checkout.to_str().unwrap()];
    let ask = |verb: &[&str]| machine.run(&[&arguments[..], verb].concat()).json();
    let listed = ask(&["ls"]);
    let problems: Vec<String> = listed["memories"][0]["problems"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|problem| problem["code"] == "path-gone")
        .map(|problem| problem["message"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(problems, ["/srv/notes/vault is not on this machine", "src/auth.rs is not in the project any more"]);
    let recalled = ask(&["recall", "how does the login vault work"]);
    assert_eq!(
        [&listed["memories"][0]["freshness"], &recalled["memories"][0]["freshness"]],
        ["stale", "stale"],
        "what is contradicted is stale, whoever looks"
    );
    let marked: Vec<&str> =
        recalled["memories"][0]["paths_gone"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    assert!(marked.contains(&"src/auth.rs") && !marked.contains(&"src/there.rs"), "{recalled:#}");
    let lines = machine.run(&[&arguments[1..], &["recall", "how does the login vault work"]].concat()).out();
    assert!(lines.contains("src/auth.rs is not in the project any more"), "{lines}");
}

#[test]
fn fc_079_looking_twenty_times_changes_no_age_and_no_file_time() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let ages = || machine.json("acme-api", &["ls"]).1["memories"].clone();
    let (before, aged) = (picture(&store), ages());
    for _ in 0..20 {
        machine.json("acme-api", &["show", "project_merge_freeze"]);
        machine.json("acme-api", &["recall", "may I merge during the freeze"]);
        machine.json("acme-api", &["recall", "--prompt", "may I merge during the freeze"]);
        machine.json("acme-api", &["find", "freeze"]);
        machine.json("acme-api", &["context"]);
    }
    assert_eq!(picture(&store), before);
    assert_eq!(ages(), aged);
}

#[test]
fn odd_stores_and_prompts_never_break_recall() {
    let machine = Machine::new();
    machine.write("memory/empty.md", "");
    machine.write("memory/bytes.md", [0_u8, 255, 254, 10]);
    machine.write("memory/no_end.md", "---\nname: [\n");
    machine.write("memory/long.md", "payout ".repeat(200_000));
    let long = "payout ".repeat(10_000);
    for prompt in ["payout", "🦀🦀", "\u{202e}x", "日", "a", "'''", "[", long.as_str(), "ﬁ ＡＰＩ é"] {
        let (code, answer) = recall(&machine, &[prompt]);
        assert!(code < 2 && files(&answer).len() <= MOST, "{prompt:.20}");
    }
}

/// An encoded thing that was pasted is no word: it costs what reading it costs, and what stands beside it is found.
#[test]
fn a_word_without_end_costs_in_proportion_and_hides_nothing() {
    let machine = Machine::new();
    machine.write("memory/feedback_mocks.md", memory("feedback", "Never mock the database", "It burned us."));
    let stores = [Store::at(machine.path("memory"))];
    let options =
        ScanOptions { now: NOW.parse().unwrap(), shelf_life: ShelfLife::default(), confirmed: Default::default() };
    for unit in ["a", "é", "ж", "aB", "a_", "a'"] {
        in_proportion(&format!("{unit:?} without end"), 80_000, |size| {
            let question = Question::new(&format!("mock the database {}", unit.repeat(size / unit.len())), &stores);
            let ranking = rank(&question, &[question.examine(&stores[0], &options).unwrap()]);
            assert_eq!(ranking.picked.len(), 1, "{unit:?}");
        });
    }
}

#[test]
fn a_memory_that_is_about_the_word_asked_for_is_recalled_however_many_others_mention_it() {
    let machine = Machine::with_sample();
    let files = |prompt: &str| -> Vec<String> {
        let (_, answer) = machine.json("acme-api", &["recall", prompt]);
        let picked = answer["memories"].as_array().unwrap().iter();
        picked.map(|memory| memory["file"].as_str().unwrap().to_owned()).collect()
    };
    for prompt in ["when do we deploy?", "deploy", "who deploys?"] {
        assert_eq!(files(prompt), ["project_deploy_day.md", "project_deploys_tuesday.md"], "{prompt}");
    }
    // What is only called like it, or said in passing, answers for nothing.
    assert_eq!(files("write the release notes"), Vec::<String>::new());
}
