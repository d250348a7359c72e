//! Other programs' stores: found, shown with their kind, and never written to; and Claude Code's own beside the projects'.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{Machine, picture};

const SUMMARY: &str = "v1\n## User Profile\nWrites Rust.\n";

/// A Codex store as its program leaves it: blocks, plain lines, no links, an index over Claude Code's limits.
fn codex(machine: &Machine, place: &str) -> PathBuf {
    let mut index = String::from("# Task Group: build\nscope: repo\napplies_to: cwd=/work/app; reuse_rule=same\n");
    (0..300).for_each(|at| index.push_str(&format!("- keyword {at}\n")));
    for (file, text) in [
        ("MEMORY.md", index.as_str()),
        ("memory_summary.md", SUMMARY),
        ("raw_memories.md", "## Thread `a`\n---\ndescription: x\n---\nText.\n"),
        ("rollout_summaries/2026-04-01T10-00-00-ab12-build.md", "thread_id: a\ncwd: /work/app\n\n# Build\n"),
    ] {
        machine.write(&format!("{place}/{file}"), text);
    }
    machine.path(place)
}

/// An OpenClaw workspace with a managed block and comments that mean something.
fn openclaw(machine: &Machine, place: &str) -> PathBuf {
    for (file, text) in [
        ("MEMORY.md", "# Memory\n\nLikes tea. <!-- importance: 3 -->\n"),
        ("DREAMS.md", "<!-- openclaw:dreaming:light:start -->\nLight.\n<!-- openclaw:dreaming:light:end -->\n"),
        ("memory/2026-04-01.md", "Met Ana. <!-- trigger: ana -->\n"),
        ("memory/.dreams/state.json", "{}"),
    ] {
        machine.write(&format!("{place}/{file}"), text);
    }
    machine.path(place)
}

fn all(machine: &Machine) -> Vec<Value> {
    machine.run(&["--json", "ls", "--all"]).json()["stores"].as_array().expect("stores").clone()
}

fn of<'a>(stores: &'a [Value], root: &Path) -> &'a Value {
    let name = root.to_string_lossy();
    stores.iter().find(|store| store["store"] == name.as_ref()).unwrap_or_else(|| panic!("no {name} in {stores:#?}"))
}

/// Every command that would write; what each must leave as it was.
fn refused_everywhere(machine: &Machine, store: &Path, memory: &str, writer: &str) {
    let before = picture(store);
    let dir = store.to_str().expect("UTF-8");
    let writes: [&[&str]; 6] = [
        &["new", "Tea", "--type", "user", "--body", "Green."],
        &["edit", memory, "--description", "x"],
        &["edit", memory, "--renew"],
        &["rm", memory, "--yes"],
        &["mv", memory, "other.md"],
        &["undo", "20260101T000000-00000000"],
    ];
    for write in writes {
        let answer = machine.run(&[&["--memory-dir", dir], write].concat());
        assert_eq!(answer.code(), 2, "{write:?}: {}{}", answer.out(), answer.err());
        assert!(answer.err().contains("read-only") && answer.err().contains(writer), "{write:?}: {}", answer.err());
    }
    for run in [&["dream", "--force"][..], &["dream"], &["dream", "--dry-run", "--force"]] {
        let answer = machine.run(&[&["--json", "--memory-dir", dir], run].concat());
        assert_eq!((answer.code(), &answer.json()["outcome"]), (4, &json!("skipped")), "{run:?}");
        assert!(answer.json()["reason"].as_str().is_some_and(|why| why.contains("read-only")), "{}", answer.out());
    }
    let gates = machine.run(&["--json", "--memory-dir", dir, "gates"]);
    assert_eq!((gates.code(), &gates.json()["dream"][0]["passed"]), (4, &json!(false)), "{}", gates.out());
    assert_eq!(picture(store), before, "{writer}: not a byte, not a time, not a lock");
}

#[test]
fn stores_of_codex_and_openclaw_are_read_and_every_write_is_refused_in_words() {
    let machine = Machine::with_sample();
    for (place, memory, kind, writer) in [
        (codex(&machine, "home/.codex/memories"), "memory_summary.md", "codex", "Codex"),
        (codex(&machine, "elsewhere/kept"), "raw_memories.md", "codex", "Codex"),
        (openclaw(&machine, "home/.openclaw/workspace"), "memory/2026-04-01.md", "openclaw", "OpenClaw"),
        (openclaw(&machine, "anywhere"), "DREAMS.md", "openclaw", "OpenClaw"),
    ] {
        let dir = place.to_str().expect("UTF-8");
        let listed = machine.run(&["--json", "--memory-dir", dir, "ls"]).json();
        assert_eq!((&listed["kind"], &listed["read_only"]), (&json!(kind), &json!(true)), "{listed:#}");
        let memories = listed["memories"].as_array().expect("memories");
        assert!(memories.iter().any(|row| row["file"] == memory), "{listed:#}");
        assert_eq!(listed["problems"], json!([]), "Claude Code's limits are not theirs: {listed:#}");
        assert_eq!(
            (&listed["index"]["cut"], &listed["index"]["lines"]),
            (&json!([]), &listed["index"]["loaded_lines"])
        );
        let people = machine.run(&["--memory-dir", dir, "ls"]).out();
        assert!(people.contains(&format!("written by {writer}, read-only")) && !people.contains("/200"), "{people}");
        refused_everywhere(&machine, &place, memory, writer);
    }
}

#[test]
fn ls_all_lists_the_neighbours_under_home_with_their_kind_each_once() {
    let machine = Machine::with_sample();
    assert!(all(&machine).iter().all(|store| store["read_only"] == json!(false)), "there are none yet");
    let codex = codex(&machine, "home/.codex/memories");
    let openclaw = openclaw(&machine, "home/.openclaw/workspace");
    let gemini = machine.write("home/.gemini/tmp/app/memory/MEMORY.md", "Tea.\n").parent().expect("a store").to_owned();
    let replit = machine.path("checkouts/acme-api/.agents/memory");
    machine.write("checkouts/acme-api/.agents/memory/MEMORY.md", "- [Tea](tea.md) — x\n");
    machine.write("checkouts/acme-api/.agents/memory/tea.md", "---\nname: tea\ndescription: \"x\"\n---\nTea.\n");
    let stores = all(&machine);
    for (place, kind, read_only) in [
        (&codex, "codex", true),
        (&openclaw, "openclaw", true),
        (&gemini, "gemini", true),
        (&replit, "replit", false),
        (&machine.sample_store("acme-api"), "project", false),
    ] {
        let store = of(&stores, place);
        assert_eq!((&store["kind"], &store["read_only"]), (&json!(kind), &json!(read_only)), "{store:#}");
    }
    let roots: std::collections::BTreeSet<_> = stores.iter().map(|store| store["store"].to_string()).collect();
    assert_eq!(roots.len(), stores.len());

    let mut elsewhere = machine.command();
    let moved = self::codex(&machine, "kept/memories");
    elsewhere.env("CODEX_HOME", machine.path("kept")).args(["--json", "ls", "--all"]);
    let listed: Value = serde_json::from_slice(&elsewhere.output().expect("it starts").stdout).expect("JSON");
    let listed = listed["stores"].as_array().expect("stores").clone();
    assert_eq!(of(&listed, &moved)["kind"], "codex");
    assert!(listed.iter().all(|store| store["store"] != codex.to_string_lossy().as_ref()), "CODEX_HOME says where");
}

#[test]
fn replits_store_is_written_to_like_any_other_and_its_comments_stay() {
    let machine = Machine::new();
    let memory = "---\nname: tea\ndescription: \"x\"\n---\n\n<!-- trigger: tea -->\nTea. <!-- importance: 2 -->\n";
    let path = machine.write("app/.agents/memory/tea.md", memory);
    machine.write("app/.agents/memory/MEMORY.md", "<!-- kept -->\n- [Tea](tea.md) — x\n");
    let dir = machine.path("app/.agents/memory");
    let dir = dir.to_str().expect("UTF-8");
    let answer = machine.run(&["--memory-dir", dir, "edit", "tea", "--description", "y"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert_eq!(fs::read_to_string(&path).expect("a file"), memory.replace("\"x\"", "\"y\""));
    assert!(fs::read_to_string(path.with_file_name("MEMORY.md")).expect("a file").starts_with("<!-- kept -->\n"));
    assert!(!machine.run(&["--memory-dir", dir, "ls"]).out().contains("?  "), "it has no types to miss");
    let checked = machine.run(&["--memory-dir", dir, "check"]);
    assert!(!checked.out().contains("type-missing"), "{}", checked.out());
}

#[cfg(unix)]
#[test]
fn no_editor_opens_on_a_memory_that_could_not_be_saved() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    let store = codex(&machine, "home/.codex/memories");
    let opened = machine.path("opened");
    let editor = machine.write("editor.sh", format!("#!/bin/sh\ntouch '{}'\n", opened.display()));
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let mut command = machine.command();
    command.env("EDITOR", &editor).arg("--memory-dir").arg(&store).args(["edit", "memory_summary.md"]);
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("read-only") && said.contains("Codex"), "{said}");
    assert!(!opened.exists(), "nobody is put to work in vain");
}

#[test]
fn memory_in_the_checkout_that_claude_code_does_not_read_is_named() {
    let machine = Machine::with_sample();
    machine.write(
        "checkouts/acme-api/.claude/memory/user_role.md",
        "---\nname: r\ndescription: \"d\"\ntype: user\n---\nR.\n",
    );
    let stray = machine.path("checkouts/acme-api/.claude/memory");
    let stores = all(&machine);
    let store = of(&stores, &stray);
    assert_eq!((&store["kind"], &store["odd"][0]["code"]), (&json!("checkout"), &json!("unread")), "{store:#}");
    let checkout = machine.path("checkouts/acme-api");
    let checkout = checkout.to_str().expect("UTF-8");
    let said = machine.run(&["--project", checkout, "ls"]).err();
    assert!(said.contains("which Claude Code does not read") && said.contains(".claude/memory"), "{said}");

    // Set as the memory directory, it is the store.
    let setting = json!({ "autoMemoryDirectory": stray });
    machine.write("claude/settings.json", setting.to_string());
    let stores = all(&machine);
    let store = of(&stores, &stray);
    assert_eq!((&store["kind"], &store["odd"]), (&json!("setting"), &json!([])), "{store:#}");
    assert!(!machine.run(&["--project", checkout, "ls"]).err().contains("does not read"));
}
