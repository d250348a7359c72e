//! Field cases about freshness and the index, and neighbours they do not name.

use std::fs;

use dreamtop::health::{self, Grounds, Severity};
use dreamtop::memory::{Freshness, ProblemCode};

use crate::common::{Machine, picture};
use crate::help::{check, directory, drift, lay, scan, store};

#[test]
fn fc_055_an_invented_folder_and_an_invented_line_are_marked_wherever_the_memory_is_shown() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let body = "---\nname: vault\ndescription: \"where notes go\"\ntype: reference\n---\nNotes go to `/etc/notes/vault`; tokens come from `src/auth.rs:120`.\n";
    fs::write(store.join("reference_vault.md"), body).unwrap();
    let (_, check) = machine.json("acme-api", &["check"]);
    let gone: Vec<&str> = check["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["file"] == "reference_vault.md" && one["code"] == "path-gone")
        .map(|one| one["evidence"].as_str().unwrap())
        .collect();
    assert_eq!(gone, ["/etc/notes/vault", "src/auth.rs"]);
    let (_, show) = machine.json("acme-api", &["show", "reference_vault"]);
    assert_eq!(show["freshness"], "stale", "evidence contradicts it");
    assert_eq!(show["evidence"].as_array().unwrap().iter().filter(|one| one["code"] == "path-gone").count(), 2);
    let (_, ls) = machine.json("acme-api", &["ls", "--sort", "need"]);
    let row = ls["memories"].as_array().unwrap().iter().find(|row| row["file"] == "reference_vault.md").unwrap();
    assert_eq!(row["freshness"], "stale");
    assert!(row["evidence"].as_array().unwrap().iter().any(|one| one["code"] == "path-gone"), "{row}");
    assert!(row["need"]["score"].as_u64().unwrap() > 0);
}

#[test]
fn fc_055_neighbours_a_path_of_another_machine_a_route_and_a_path_that_is_there_are_not_marked() {
    let checkout = directory(&[("src/auth.rs", "1\n2\n3\n"), ("src/long.rs", "x"), ("lib/auth.ts", "")]);
    let inside = checkout.path().join("src/auth.rs").display().to_string();
    let body = format!(
        "`/Users/nobody-here/notes/a.md` `/no-such-root/b/c.md` `/api/v1/users.json` `{inside}:3` `src/auth.rs:2-3` `src/long.rs:1` `/lib/auth.ts`"
    );
    let store = store("reference", &[&body]);
    assert_eq!(drift(&check(store.path(), checkout.path())), []);
}

#[test]
fn a_path_in_the_home_is_looked_for_there() {
    let checkout = directory(&[("README.md", "")]);
    let home = directory(&[("notes/here.md", "")]);
    let store = store("user", &["Notes: `~/notes/here.md`, keys: `~/notes/keys/`."]);
    let mut grounds = Grounds::at(checkout.path());
    assert_eq!(drift(&health::check(&scan(store.path()), &grounds)), [], "whose home it is, nobody knows");
    grounds.home = Some(home.path().to_owned());
    let found = health::check(&scan(store.path()), &grounds);
    assert_eq!(drift(&found), [("path-gone", "~/notes/keys/".to_owned())]);
}

#[test]
fn paths_that_are_another_machines_are_not_missed_and_what_is_missed_here_is_not_said_to_be_the_projects() {
    let checkout = directory(&[("README.md", "")]);
    let home = directory(&[("notes/here.md", ""), (".zshrc", "")]);
    let bodies = [
        "The editor is set up in `~/.config/nvim/init.lua`.",
        "Billing writes `/var/log/billing.log`.",
        "Cron on the box runs `/usr/local/bin/backup.sh` at night.",
        "The interpreter is `/opt/homebrew/bin/python3`.",
        "Dotfiles: `~/.zshrc`; the list: `~/notes/list.md`.",
    ];
    let store = store("project", &bodies);
    let mut grounds = Grounds::at(checkout.path());
    grounds.home = Some(home.path().to_owned());
    let found = health::check(&scan(store.path()), &grounds);
    assert_eq!(drift(&found), [("path-gone", "~/notes/list.md".to_owned())]);
    let messages: Vec<&str> =
        found.iter().filter(|one| one.code == ProblemCode::PathGone).map(|one| one.message.as_str()).collect();
    assert_eq!(messages, ["~/notes/list.md is not on this machine"]);
    // Where somebody's home is the root, that says nothing of what lies in it.
    grounds.home = Some("/".into());
    assert_eq!(drift(&health::check(&scan(store.path()), &grounds)), []);
}

#[test]
fn fc_079_looking_at_a_memory_twenty_times_changes_neither_its_age_nor_its_file() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let before = picture(&store);
    let (_, first) = machine.json("acme-api", &["show", "project_merge_freeze"]);
    for _ in 0..20 {
        let (_, shown) = machine.json("acme-api", &["show", "project_merge_freeze"]);
        assert_eq!(shown, first);
    }
    machine.json("acme-api", &["check"]);
    machine.json("acme-api", &["ls", "--evidence"]);
    assert_eq!(picture(&store), before);
}

#[test]
fn fc_078_a_fixed_typo_keeps_the_age_until_the_claim_is_confirmed() {
    let machine = Machine::with_sample();
    let age = || machine.json("acme-api", &["show", "project_merge_freeze"]).1["age_days"].as_u64().unwrap();
    let before = age();
    machine.json("acme-api", &["edit", "project_merge_freeze", "--description", "Only fixes are merged"]);
    assert_eq!(age(), before);
    machine
        .json("acme-api", &["edit", "project_merge_freeze", "--description", "Only fixes are merged now", "--renew"]);
    assert_eq!(age(), 0);
}

#[test]
fn what_evidence_contradicts_is_stale_at_any_age_and_what_is_only_noted_is_not() {
    let checkout = directory(&[("src/here.rs", "")]);
    let store = store("user", &["In `src/gone.rs`.", "In `src/here.rs`."]);
    let findings = check(store.path(), checkout.path());
    let snapshot = scan(store.path());
    let badge = |file: &str| health::badge(snapshot.memory(file).unwrap(), findings.iter());
    assert_eq!((badge("user_000.md"), badge("user_001.md")), (Freshness::Stale, Freshness::Fresh));
}

#[test]
fn a_file_that_moved_is_named_and_an_ignored_or_generated_one_is_not_missed() {
    let checkout = directory(&[
        ("src/billing/backoff.rs", ""),
        (".gitignore", "*.local.json\nsecrets/\n"),
        ("web/.gitignore", "generated/\n"),
        ("web/package.json", "{}"),
    ]);
    let store = store(
        "project",
        &[
            "The loop is `src/retry/backoff.rs`.",
            "`config/dev.local.json` `secrets/a.pem` `web/generated/api.ts` `node_modules/x/y.js`",
        ],
    );
    let findings = check(store.path(), checkout.path());
    assert_eq!(drift(&findings), [("path-gone", "src/retry/backoff.rs".to_owned())]);
    assert!(
        findings.iter().any(|one| one.message.ends_with("a file of that name is src/billing/backoff.rs")),
        "{findings:#?}"
    );
}

#[test]
fn the_store_inside_its_checkout_is_no_evidence_for_itself() {
    let checkout = directory(&[("src/main.rs", "fn main() {}")]);
    let memory = checkout.path().join(".claude/memory");
    lay(&memory, &[("project_a.md", "---\ntype: project\n---\nThe helper `settle_all()` does it.\n\n**Why:** x\n")]);
    let found = drift(&check(&memory, checkout.path()));
    assert_eq!(found, [("symbol-gone", "settle_all".to_owned())]);
}

#[test]
fn a_generated_makefile_and_one_with_targets_by_variables_say_nothing() {
    for files in [&[("CMakeLists.txt", "")][..], &[("Makefile", "$(BINS): x\n\tcc\n")][..]] {
        let checkout = directory(files);
        let store = store("project", &["Run `make install`."]);
        assert_eq!(drift(&check(store.path(), checkout.path())), []);
    }
}

#[test]
fn odd_checkouts_and_bodies_neither_stop_nor_hide_anything() {
    let checkout = directory(&[("package.json", "{ not json"), ("Makefile", "\u{0}\u{1}:::\n"), ("a/b.rs", "")]);
    fs::write(checkout.path().join("raw.bin"), [0xFF, 0xFE, 0, 1]).unwrap();
    let long = format!("`{}` `src/gone.rs` {}", "a/".repeat(120), "`x/y.rs` ".repeat(2_000));
    let store = store("project", &[&long, "``` \n`open/fence.rs`", "`npm run x` `make y` `cargo test -p` `just` `./`"]);
    let found = drift(&check(store.path(), checkout.path()));
    assert!(found.contains(&("path-gone", "src/gone.rs".to_owned())), "{found:?}");
    // A checkout that is not there gives no evidence at all.
    assert_eq!(drift(&check(store.path(), &checkout.path().join("nowhere"))), []);
}

#[test]
fn the_sample_gives_exactly_the_drift_it_was_made_with() {
    let machine = Machine::with_sample();
    let drift = |project: &str| -> Vec<(String, String)> {
        let (_, check) = machine.json(project, &["check"]);
        let is_drift = |code: &str| code.ends_with("-gone") || matches!(code, "never-recalled" | "in-claude-md");
        let all = check["findings"].as_array().unwrap().iter();
        all.filter(|one| is_drift(one["code"].as_str().unwrap()))
            .map(|one| (one["code"].as_str().unwrap().to_owned(), one["evidence"].as_str().unwrap().to_owned()))
            .collect()
    };
    assert_eq!(drift("acme-api"), [("path-gone".to_owned(), "src/billing/retry.rs".to_owned())]);
    assert_eq!(drift("notes-cli"), [("path-gone".to_owned(), "src/sync/crdt.ts".to_owned())]);
    assert_eq!(drift("harbor-ios"), []);
}

#[test]
fn findings_have_the_severity_that_sorts_them_and_an_empty_checkout_is_no_evidence() {
    let checkout = directory(&[]);
    let empty = check(store("project", &["`make x` in `src/a.rs`"]).path(), checkout.path());
    assert_eq!(drift(&empty), []);
    lay(checkout.path(), &[("README.md", "")]);
    let store = store("project", &["`make x`"]);
    let findings = check(store.path(), checkout.path());
    let gone = findings.iter().find(|one| one.code == ProblemCode::ScriptGone).unwrap();
    assert_eq!(
        (gone.severity, gone.message.as_str()),
        (Severity::Warning, "make x is not in the project any more; the checkout has no Makefile")
    );
}
