//! `new`, `edit`, `rm`, `mv`, `undo`, `history`, `inbox`.

use std::fs;

use crate::common::{Machine, contents, picture};

#[test]
fn fc_001_a_description_with_colon_quotes_and_hash_survives_any_yaml_reader() {
    let machine = Machine::new();
    let description = "Deploy order: api, then \"web\" #2";
    let answer = machine.run(&["--memory-dir", "m", "new", "deploy order", "-t", "project", "-d", description]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    let listing = machine.run(&["--memory-dir", "m", "--json", "ls"]).json();
    let file = listing["memories"][0]["file"].as_str().expect("a file").to_owned();
    assert_eq!(listing["memories"][0]["description"], description);
    let text = fs::read_to_string(machine.path("m").join(&file)).expect("the memory");
    let block = text.split("---").nth(1).expect("a block");
    let yaml: serde_yaml::Value = serde_yaml::from_str(block).expect("strict YAML");
    assert_eq!(yaml["description"], description);
    let before = contents(&machine.path("m"));
    let again = machine.run(&["--memory-dir", "m", "edit", &file, "--description", description]);
    assert_eq!(again.code(), 0, "{}", again.err());
    assert_eq!(contents(&machine.path("m")), before, "saving the same again changes no byte");
}

#[test]
fn edit_of_one_field_changes_that_line_only_and_undo_restores_bytes_and_time() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("harbor-ios");
    let before = picture(&store);
    let file = store.join("feedback_snapshot_tests.md");
    let (code, _) =
        machine.json("harbor-ios", &["edit", "feedback_snapshot_tests", "--description", "Record on CI only"]);
    assert_eq!(code, 0);
    let old = String::from_utf8(before[&file].0.clone()).expect("UTF-8");
    let new = fs::read_to_string(&file).expect("the memory");
    let differing: Vec<_> = old.split('\n').zip(new.split('\n')).filter(|(a, b)| a != b).collect();
    assert_eq!(differing.len(), 1, "{differing:?}");
    assert!(differing[0].1.ends_with('\r'), "the CRLF stays");
    let (code, _) = machine.json("harbor-ios", &["undo"]);
    assert_eq!(code, 0);
    assert_eq!(picture(&store), before);
}

#[test]
fn rm_takes_file_and_index_line_and_undo_brings_both_back_to_their_place() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let before = picture(&store);
    let (code, landing) = machine.json("acme-api", &["rm", "project_merge_freeze"]);
    assert_eq!(code, 0);
    assert!(!store.join("project_merge_freeze.md").exists());
    assert!(!fs::read_to_string(store.join("MEMORY.md")).expect("the index").contains("project_merge_freeze"));
    let id = landing["history"].as_str().expect("a history entry").to_owned();
    let (code, _) = machine.json("acme-api", &["undo", &id]);
    assert_eq!(code, 0);
    assert_eq!(picture(&store), before);
}

#[test]
fn mv_takes_the_index_line_along() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let (code, _) = machine.json("acme-api", &["mv", "project_merge_freeze", "project_autumn_freeze"]);
    assert_eq!(code, 0);
    assert!(store.join("project_autumn_freeze.md").exists() && !store.join("project_merge_freeze.md").exists());
    let index = fs::read_to_string(store.join("MEMORY.md")).expect("the index");
    assert!(index.contains("- [Merge freeze](project_autumn_freeze.md) — only fixes until"), "{index}");
}

#[test]
fn names_that_would_leave_the_store_are_refused_and_nothing_outside_changes() {
    let machine = Machine::with_sample();
    let before = contents(&machine.path("claude"));
    for name in ["../x", "a/../../x", "/etc/dreamtop-x", "..", "a/..", "..\\x", "%2e%2e/x", "C:\\x", "a\nb"] {
        let (code, _) = {
            let checkout = machine.path("checkouts/acme-api");
            let answer =
                machine.run(&["--project", checkout.to_str().expect("UTF-8"), "mv", "project_merge_freeze", name]);
            (answer.code(), answer.err())
        };
        assert_ne!(code, 0, "{name:?} is refused");
    }
    assert_eq!(contents(&machine.path("claude")), before);
    assert!(!machine.path("x.md").exists() && !machine.path("claude/projects/x.md").exists());
}

#[test]
fn a_word_that_names_nothing_is_said_with_the_next_step() {
    let machine = Machine::with_sample();
    let answer = machine.run(&[
        "--memory-dir",
        machine.sample_store("acme-api").to_str().expect("UTF-8"),
        "show",
        "no_such_memory",
    ]);
    assert_eq!(answer.code(), 1);
    assert!(answer.err().contains("dreamtop ls"), "{}", answer.err());
}

#[test]
fn a_foreign_change_between_two_starts_is_listed_and_undone_by_its_id_only() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let before = picture(&store);
    machine.json("acme-api", &["ls"]);
    assert_eq!(picture(&store), before, "looking writes nothing into the store");
    fs::remove_file(store.join("project_merge_freeze.md")).expect("another program removes it");
    let index = fs::read_to_string(store.join("MEMORY.md")).expect("the index");
    let left: String =
        index.lines().filter(|line| !line.contains("project_merge_freeze")).map(|line| format!("{line}\n")).collect();
    fs::write(store.join("MEMORY.md"), left).expect("and its line");
    machine.json("acme-api", &["ls"]);
    let (_, history) = machine.json("acme-api", &["history"]);
    assert_eq!(history["history"][0]["origin"], "foreign", "{history:#}");
    let checkout = machine.path("checkouts/acme-api");
    let plain = machine.run(&["--project", checkout.to_str().expect("UTF-8"), "undo"]);
    let id = history["history"][0]["id"].as_str().expect("an id");
    assert_eq!(plain.code(), 1, "{}", plain.out());
    assert!(plain.err().contains(&format!("dreamtop undo {id}")), "{}", plain.err());
    assert_eq!(machine.json("acme-api", &["undo", id]).0, 0);
    assert_eq!(picture(&store), before);
}

#[test]
fn purge_says_what_it_erases_and_a_dry_run_erases_nothing() {
    let machine = Machine::with_sample();
    let (code, landing) = machine.json("acme-api", &["rm", "project_merge_freeze"]);
    assert_eq!(code, 0);
    let id = landing["history"].as_str().expect("an id");
    let (code, would) = machine.json("acme-api", &["purge", "project_merge_freeze", "--dry-run"]);
    assert_eq!((code, would["dry_run"].as_bool()), (0, Some(true)), "{would:#}");
    let (code, purged) = machine.json("acme-api", &["purge", "project_merge_freeze"]);
    assert_eq!(code, 0);
    assert_eq!(purged["purged"], would["purged"]);
    assert_eq!(purged["purged"]["entries"][0], id);
    let checkout = machine.path("checkouts/acme-api");
    let undone = machine.run(&["--project", checkout.to_str().expect("UTF-8"), "undo", id]);
    assert_eq!(undone.code(), 3, "{}", undone.out());
    assert!(undone.err().contains("purged on 2026-11-30"), "{}", undone.err());
    assert_eq!(machine.json("acme-api", &["purge", "project_merge_freeze"]).0, 1, "there is nothing left to erase");
    assert_eq!(machine.run(&["purge"]).code(), 2, "it never erases what was not named");
}

#[cfg(unix)]
#[test]
fn fc_092_a_refused_edit_with_a_secret_keeps_a_copy_without_it() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::with_sample();
    let token: String =
        "ghp".chars().chain("_".chars()).chain("q7Rk2mXv9LpZ4tWc8NbY3sHd6JfG1aKeU5oT".chars()).collect();
    let editor = machine.write("editor.sh", format!("#!/bin/sh\nprintf 'My words. Key: {token}\\n' >> \"$1\"\n"));
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let checkout = machine.path("checkouts/acme-api");
    let mut command = machine.command();
    command.env("EDITOR", &editor).args([
        "--project",
        checkout.to_str().expect("UTF-8"),
        "edit",
        "project_merge_freeze",
    ]);
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("without what looks like a secret") && !said.contains(&token), "{said}");
    let state = contents(&machine.path("state"));
    let holds = |needle: &str| state.values().any(|bytes| String::from_utf8_lossy(bytes).contains(needle));
    assert!(holds("My words.") && !holds(&token));
}
