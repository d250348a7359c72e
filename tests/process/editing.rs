//! `promote`, `index`, `mv --dry-run`, `new --edit`: what the screen does to memories, from a script.

use std::fs;

use crate::common::{Machine, contents, picture};

/// A store of three memories in a project with a CLAUDE.md.
fn machine() -> Machine {
    let machine = Machine::new();
    machine.write("work/.git/HEAD", "ref: refs/heads/main\n");
    machine.write("work/CLAUDE.md", "# Ours\n\nRun make.\n");
    let memory = |file: &str, kind: &str, name: &str, body: &str| {
        let text = format!(
            "---\nname: {name}\ndescription: \"about {name}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n---\n\n{body}\n"
        );
        machine.write(&format!("m/{file}"), text);
    };
    memory(
        "feedback_testing.md",
        "feedback",
        "testing-policy",
        "Integration tests always run against a real Postgres database, never against mocks.\n\n**Why:** mocks lie.",
    );
    memory("project_freeze.md", "project", "merge-freeze", "No merges, see [[feedback_testing]].\n\n**Why:** release.");
    memory("user_role.md", "user", "role", "They write Rust.");
    let hook = "no merges until the release is out, which the mobile team said would be on the second Thursday of the month, or the third one";
    machine.write(
        "m/MEMORY.md",
        format!("# Index\n\nBy hand.\n\n- [Testing](feedback_testing.md) — real databases\n- [Freeze](project_freeze.md) — {hook}\n- [Role](user_role.md) — backend\n"),
    );
    machine
}

fn run(machine: &Machine, arguments: &[&str]) -> crate::common::Answer {
    let mut all = vec!["--memory-dir", "m", "--project", "work"];
    all.extend(arguments);
    machine.run(&all)
}

#[test]
fn a_dry_run_of_each_says_what_would_happen_and_changes_no_byte_and_no_time() {
    let machine = machine();
    let before = (picture(&machine.path("m")), picture(&machine.path("work")));
    for (arguments, said) in [
        (&["promote", "testing-policy", "--dry-run"][..], "## Testing policy"),
        (&["promote", "role", "--to", "rule", "--paths", "src/**", "--dry-run"], ".claude/rules/role.md"),
        (&["mv", "feedback_testing", "feedback_db", "--dry-run"], "its link follows in project_freeze.md"),
        (&["index", "pin", "role", "--dry-run"], "+ - [Role](user_role.md)"),
        (&["index", "shorten", "--dry-run"], "into project_freeze.md"),
    ] {
        let answer = run(&machine, arguments);
        assert_eq!(answer.code(), 0, "{arguments:?}: {}", answer.err());
        assert!(answer.out().contains(said), "{arguments:?}: {}", answer.out());
        let mut json = vec!["--json"];
        json.extend(arguments);
        assert!(run(&machine, &json).json().is_object(), "{arguments:?}");
    }
    assert_eq!((picture(&machine.path("m")), picture(&machine.path("work"))), before);
}

#[test]
fn a_promotion_lands_says_where_the_memory_is_and_undo_restores_every_byte() {
    let machine = machine();
    let before = (contents(&machine.path("m")), contents(&machine.path("work")));
    let answer = run(&machine, &["promote", "testing-policy"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert!(answer.err().contains("feedback_testing.md stays"), "{}", answer.err());
    let claude = fs::read_to_string(machine.path("work/CLAUDE.md")).unwrap();
    assert_eq!(
        claude,
        "# Ours\n\nRun make.\n\n## Testing policy\n\nIntegration tests always run against a real Postgres database, never against mocks.\n\n**Why:** mocks lie.\n"
    );
    // What CLAUDE.md says now is a finding about the memory that stayed.
    let found = run(&machine, &["--json", "check"]).json();
    let codes: Vec<&str> =
        found["findings"].as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect();
    assert!(codes.contains(&"in-claude-md"), "{codes:?}");
    assert_eq!(run(&machine, &["undo"]).code(), 0);
    let rule = run(
        &machine,
        &["promote", "role", "--to", "rule", "--name", "who", "--paths", "src/**", "--paths", "*.{sql,md}", "--remove"],
    );
    assert_eq!(rule.code(), 0, "{}", rule.err());
    let text = fs::read_to_string(machine.path("work/.claude/rules/who.md")).unwrap();
    assert_eq!(text, "---\npaths:\n  - \"src/**\"\n  - \"*.{sql,md}\"\n---\n\n## Role\n\nThey write Rust.\n");
    assert!(!machine.path("m/user_role.md").exists());
    assert_eq!(run(&machine, &["undo"]).code(), 0);
    assert_eq!((contents(&machine.path("m")), contents(&machine.path("work"))), before);
}

#[test]
fn a_promotion_to_a_place_that_is_none_is_a_usage_error_and_writes_nothing() {
    let machine = machine();
    machine.write("work/.claude/rules/there.md", "There.\n");
    let before = (contents(&machine.path("m")), contents(&machine.path("work")));
    for arguments in [
        &["promote", "role", "--to", "rule", "--name", "../../x"][..],
        &["promote", "role", "--to", "rule", "--name", ".hidden"],
        &["promote", "role", "--to", "rule", "--name", "there", "--paths", "src/**"],
        &["promote", "role", "--paths", "src/**"],
        &["promote", "role", "--text", "  "],
        &["promote", "role", "--to", "elsewhere"],
    ] {
        let answer = run(&machine, arguments);
        assert_eq!(answer.code(), 2, "{arguments:?}: {}", answer.err());
    }
    assert_eq!(run(&machine, &["promote", "nobody"]).code(), 1);
    assert_eq!((contents(&machine.path("m")), contents(&machine.path("work"))), before);
}

#[test]
fn the_index_is_pinned_moved_and_shortened_and_the_rest_of_it_stays() {
    let machine = machine();
    let index = || fs::read_to_string(machine.path("m/MEMORY.md")).unwrap();
    let before = contents(&machine.path("m"));
    assert_eq!(run(&machine, &["index", "pin", "role"]).code(), 0);
    assert!(index().starts_with("# Index\n\nBy hand.\n\n- [Role](user_role.md) — backend\n- [Testing]"), "{}", index());
    assert_eq!(run(&machine, &["index", "pin", "role"]).code(), 0, "where it is already nothing is to do");
    assert_eq!(run(&machine, &["index", "move", "role", "--before", "merge-freeze"]).code(), 0);
    assert!(index().contains("- [Testing](feedback_testing.md) — real databases\n- [Role]"), "{}", index());
    assert_eq!(run(&machine, &["index", "shorten"]).code(), 0);
    assert!(index().lines().all(|line| line.chars().count() <= 150), "{}", index());
    let freeze = fs::read_to_string(machine.path("m/project_freeze.md")).unwrap();
    assert!(
        freeze.contains("see [[feedback_testing]].\n\nno merges until the release is out")
            && freeze.contains("\n\n**Why:** release.")
    );
    for _ in 0..3 {
        assert_eq!(run(&machine, &["undo"]).code(), 0);
    }
    assert_eq!(contents(&machine.path("m")), before);
    assert_eq!(run(&machine, &["index", "pin", "nobody"]).code(), 1);
}

#[test]
fn fc_018_entries_in_every_form_are_moved_and_examples_in_a_fence_stay() {
    let machine = machine();
    machine.write("m/user with space.md", "---\nname: spaced\ntype: user\n---\n\nText.\n");
    let index = "# Index\n\n```\n- [Example](user_role.md)\n```\n\n- [Testing](./feedback_testing.md#why) — dbs\n- [Spaced](user%20with%20space.md)\n- \
                 [[merge-freeze]] — no merges\n1. `user_role.md`: backend\n";
    machine.write("m/MEMORY.md", index);
    for (word, line) in [
        ("spaced", "- [Spaced](user%20with%20space.md)"),
        ("merge-freeze", "- [[merge-freeze]] — no merges"),
        ("role", "1. `user_role.md`: backend"),
        ("testing-policy", "- [Testing](./feedback_testing.md#why) — dbs"),
    ] {
        assert_eq!(run(&machine, &["index", "pin", word]).code(), 0, "{word}");
        let now = fs::read_to_string(machine.path("m/MEMORY.md")).unwrap();
        assert!(
            now.starts_with(&format!("# Index\n\n```\n- [Example](user_role.md)\n```\n\n{line}\n")),
            "{word}: {now}"
        );
        let sorted = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&now), sorted(index), "{word}");
    }
}

#[test]
fn a_new_memory_is_written_in_the_editor_on_a_skeleton_of_which_nothing_unfilled_is_saved() {
    let machine = machine();
    let script = |lines: &str| {
        use std::os::unix::fs::PermissionsExt;
        let path = machine.write("ed", format!("#!/bin/sh\n{lines}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let new = |editor: &str| {
        let mut command = machine.command();
        command.args(["--memory-dir", "m", "new", "lint rules", "-t", "feedback", "-d", "No warnings", "--edit"]);
        crate::common::Answer::of(command.env("EDITOR", editor).output().unwrap())
    };
    let before = contents(&machine.path("m"));
    let left = new(&script("grep -q 'the rule, in a sentence' \"$1\" && grep -q '^..How to apply' \"$1\""));
    assert_eq!((left.code(), contents(&machine.path("m"))), (1, before), "{}", left.err());
    let failed = new(&script("echo x >> \"$1\"; exit 3"));
    assert_eq!(failed.code(), 5, "{}", failed.err());
    let done = new(&script(
        "sed -i 's/‹the rule, in a sentence or two›/Warnings are errors./; s/^name: .*/name: no-warnings/' \"$1\"",
    ));
    assert_eq!(done.code(), 0, "{}", done.err());
    let text = fs::read_to_string(machine.path("m/feedback_no_warnings.md")).unwrap();
    assert!(text.starts_with("---\nname: no-warnings\ndescription: \"No warnings\"\n"), "{text}");
    assert!(text.ends_with("\n---\n\nWarnings are errors.\n"), "{text}");
    assert!(fs::read_to_string(machine.path("m/MEMORY.md")).unwrap().contains("(feedback_no_warnings.md)"));
}
