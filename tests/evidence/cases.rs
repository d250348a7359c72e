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

#[test]
fn what_a_memory_says_must_not_be_there_is_not_missed_and_what_it_says_is_there_still_is() {
    let checkout = directory(&[("src/vault/v2.ts", "export function seal2() {}\n"), ("src/new.ts", "")]);
    let quiet = [
        "Do not recreate `src/vault/v1.ts`.",
        "Do not bring back `src/vault/v1.ts`.",
        "Do not use `src/vault/v1.ts`.",
        "Never import `src/vault/v1.ts`.",
        "`src/vault/v1.ts` must not come back.",
        "Avoid `src/vault/v1.ts`.",
        "Do not recreate `src/vault/v1.ts`; it was removed on purpose.",
        "`src/old.ts` -> `src/new.ts`",
        "Before the rewrite, `src/vault/v1.ts` did this.",
        "If `src/auth/extra.ts` exists, delete it.",
        "Never import from src/vault/v1.ts:3.",
    ];
    assert_eq!(drift(&check(store("feedback", &quiet).path(), checkout.path())), []);
    let claims = [
        ("Never edit `src/gen/one.ts` by hand.", "src/gen/one.ts"),
        ("We do not mock, as `src/gen/two.ts` shows.", "src/gen/two.ts"),
        ("If `src/gen/three.ts` changes, run the generator.", "src/gen/three.ts"),
        ("The rule is in src/old/o3.ts:7.", "src/old/o3.ts"),
        ("All of it goes through `src/gen/four.ts`, before the request is sent.", "src/gen/four.ts"),
    ];
    let bodies = claims.map(|(body, _)| body);
    let found = drift(&check(store("feedback", &bodies).path(), checkout.path()));
    let expected: Vec<(&str, String)> = claims.iter().map(|(_, path)| ("path-gone", (*path).to_owned())).collect();
    let (mut found, mut expected) = (found, expected);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_name_that_ends_in_a_number_is_one_where_it_is_called_code() {
    let checkout = directory(&[("src/vault/v2.ts", "export function other2() {}\n")]);
    let bodies = [
        "Vaults are closed by `seal1()` in `src/vault/v2.ts`.",
        "The class `Gate77` in `src/vault/v2.ts` checks it.",
        "`other2()` in `src/vault/v2.ts` is the third.",
        "Sums are `sha256()` and `base64()`, see `src/vault/v2.ts`; the port `http2` and `utf8` too.",
    ];
    let mut found = drift(&check(store("project", &bodies).path(), checkout.path()));
    found.sort();
    assert_eq!(found, [("symbol-gone", "Gate77".to_owned()), ("symbol-gone", "seal1".to_owned())]);
}

#[test]
fn a_day_that_comes_again_or_is_anchored_is_no_riddle_and_what_is_told_as_past_is_no_deadline() {
    let checkout = directory(&[("README.md", "")]);
    let codes = |bodies: &[&str]| -> Vec<&'static str> {
        let found = check(store("project", bodies).path(), checkout.path());
        found.iter().map(|one| one.code.word()).filter(|code| code.starts_with("date-")).collect()
    };
    let quiet = [
        "Runs at the end of the month, every month.",
        "The next Monday after a release is quiet.",
        "The budget is frozen until the end of the year 2026.",
        "Do today what you can.",
        "Bis zum 01.10.2026 galt der Freeze.",
        "The freeze lasted until 2026-10-01.",
    ];
    assert_eq!(codes(&quiet), [] as [&str; 0]);
    let loud = ["The cut-over is next Monday.", "We ship at the end of the month. Every release is tagged."];
    assert_eq!(codes(&loud), ["date-relative", "date-relative"]);
    let passed = ["Der Freeze gilt bis zum 01.10.2026.", "No merges until 2026-10-01. That was decided by all."];
    assert_eq!(codes(&passed), ["date-passed", "date-passed"]);
}

#[test]
fn the_same_text_under_two_descriptions_is_a_duplicate() {
    let body = "Integration tests must run against a real database, no mocks.\n\n**Why:** they lied to us once.\n\n**How to apply:** use the docker compose file.\n";
    let memory =
        |name: &str, about: &str| format!("---\nname: {name}\ndescription: \"{about}\"\ntype: feedback\n---\n\n{body}");
    let store = directory(&[
        ("feedback_a.md", &memory("database-tests", "how we test the ledger")),
        ("feedback_b.md", &memory("no-mocks", "what happened in spring")),
        ("feedback_c.md", &memory("more", "how we test the ledger, 23")),
        ("MEMORY.md", "- [A](feedback_a.md)\n- [B](feedback_b.md)\n- [C](feedback_c.md)\n"),
    ]);
    let found = health::check(&scan(store.path()), &Grounds::default());
    let duplicates: Vec<&str> =
        found.iter().filter(|one| one.code == ProblemCode::Duplicate).map(|one| one.file.as_str()).collect();
    assert_eq!(duplicates, ["feedback_a.md", "feedback_b.md", "feedback_c.md"]);
}
