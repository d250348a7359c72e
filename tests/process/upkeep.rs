//! Listing, viewing, checking and trimming over all projects, and editing what is linked in.

use std::fs;

use serde_json::{Value, json};

use crate::common::{Machine, contents, picture};

#[test]
fn fc_112_everything_is_listed_shown_checked_and_trimmed_across_projects_and_a_dry_run_changes_nothing() {
    let machine = Machine::with_sample();
    let projects = machine.path("claude/projects");
    let before = picture(&projects);
    let all = machine.run(&["--json", "ls", "--all"]).json();
    let stores = all["stores"].as_array().expect("stores");
    let project_stores: Vec<&str> =
        stores.iter().filter(|store| store["kind"] == "project").filter_map(|store| store["store"].as_str()).collect();
    assert!(project_stores.len() > 1, "{all:#}");
    let checked = machine.run(&["--json", "check", "--all"]);
    let checked_stores: Vec<Value> = checked.json()["stores"].as_array().expect("stores").clone();
    assert_eq!(checked.code(), 1, "the sample has findings");
    for store in &project_stores {
        let found = checked_stores.iter().find(|found| found["store"] == *store).expect("each store is checked");
        let alone = machine.run(&["--json", "--memory-dir", store, "check"]).json();
        assert_eq!(found["findings"], alone["findings"], "{store}");
    }
    assert!(machine.run(&["check", "--all"]).out().contains("finding"));

    for store in project_stores {
        let listed = machine.run(&["--json", "--memory-dir", store, "ls"]).json();
        let Some(file) = listed["memories"][0]["file"].as_str() else { continue };
        let shown = machine.run(&["--json", "--memory-dir", store, "show", file]).json();
        assert!(shown["body"].is_string(), "{shown:#}");
        let would = machine.run(&["--json", "--memory-dir", store, "rm", "--dry-run", file]).json();
        assert_eq!(would, json!({ "would_remove": [file] }));
        assert_eq!(picture(&projects), before, "no byte and no time, up to a dry run in {store}");

        let bytes = contents(std::path::Path::new(store));
        let removed = machine.run(&["--json", "--memory-dir", store, "rm", "--yes", file]);
        assert_eq!(removed.code(), 0, "{}", removed.err());
        assert!(!std::path::Path::new(store).join(file).exists());
        let undone = machine.run(&["--json", "--memory-dir", store, "undo"]);
        assert_eq!(undone.code(), 0, "{}", undone.err());
        assert_eq!(contents(std::path::Path::new(store)), bytes, "{store}");
        // The undo gives back every time too, the index's as well.
        assert_eq!(picture(&projects), before);
    }
}

#[cfg(unix)]
#[test]
fn fc_113_a_linked_memory_is_edited_with_its_content_and_stays_a_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let topic = "---\nname: linked\ndescription: \"d\"\ntype: project\n---\n\nBefore.\n";
    let target = machine.write("dotfiles/linked.md", topic);
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).expect("permissions");
    symlink(&target, store.join("project_linked.md")).expect("a link");
    // A link to a link, over a directory that is one itself.
    symlink(machine.path("dotfiles"), machine.path("way")).expect("a link");
    symlink(machine.path("way/linked.md"), store.join("project_twice.md")).expect("a link");
    let editor = machine.write("editor.sh", "#!/bin/sh\ntest -L \"$1\" && exit 9\ncp \"$1\" \"$SEEN\"\nsed -i 's/Before/After/;s/Again/Once more/' \"$1\"\nsed 's/After/Again/' \"$1\" > \"$1.x\" && mv \"$1.x\" \"$1\"\n");
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("permissions");
    let checkout = machine.path("checkouts/acme-api");
    for (file, seen_text, left_text) in
        [("project_linked.md", "Before.", "Again."), ("project_twice.md", "Again.", "Once more.")]
    {
        let seen = machine.path("seen");
        let mut command = machine.command();
        command.env("EDITOR", &editor).env("SEEN", &seen);
        command.args(["--project", checkout.to_str().expect("UTF-8"), "edit", file]);
        let output = command.output().expect("it starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(fs::read_to_string(&seen).expect("the editor saw it").contains(seen_text), "not an empty file");
        assert!(fs::symlink_metadata(store.join(file)).expect("there").is_symlink(), "{file} stays a link");
        let left = fs::read_to_string(&target).expect("the target");
        assert!(left.contains(left_text) && left.starts_with("---\nname: linked\n"), "{left}");
        let mode = fs::metadata(&target).expect("the target").permissions().mode() & 0o777;
        assert_eq!(mode, 0o640, "{file}");
    }
}

#[test]
fn fc_064_no_shell_command_given_to_a_run_does_anything_and_each_is_denied_in_the_journal() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    let outside = machine.write("outside/kept.txt", "kept");
    let commands = [
        "find . -delete",
        "find . -exec rm {} ;",
        "fd -x rm",
        "sed -n \"1e id\" MEMORY.md",
        "sed -i s/a/b/ MEMORY.md",
        "sort -o f MEMORY.md",
        "cat MEMORY.md > b",
        "echo x >& f",
        "env make",
        "ls $(id)",
        "ls `id`",
        // Neighbours.
        "rm -rf ../outside",
        "cp MEMORY.md ../outside/kept.txt",
        "ls; rm MEMORY.md",
    ];
    let lines: Vec<String> = commands
        .iter()
        .map(|command| json!({"tool": "Bash", "input": {"command": command}}).to_string())
        .chain([
            json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}}).to_string(),
            json!({"text": "done"}).to_string(),
        ])
        .collect();
    let script = machine.write("shell.jsonl", lines.join("\n") + "\n");
    let engine = format!("script:{}", script.display());
    let (before, kept) = (contents(&store), picture(outside.parent().expect("a directory")));
    let (code, run) = machine.json("acme-api", &["--engine", &engine, "dream", "--force"]);
    assert_eq!((code, &run["changes"]), (0, &json!([])), "{run:#}");
    assert_eq!(contents(&store), before);
    assert_eq!(picture(outside.parent().expect("a directory")), kept);
    let id = run["run"].as_str().expect("a run");
    let journal = fs::read_to_string(machine.path(&format!("state/dreamtop/runs/{id}.jsonl"))).expect("a journal");
    let events: Vec<Value> = journal.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let bash: Vec<&Value> = events.iter().filter(|event| event.to_string().contains("Bash")).collect();
    assert_eq!(bash.len(), commands.len(), "{journal}");
    for event in bash {
        assert!(event.to_string().contains(r#""allowed":false"#), "{event}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_of_a_run_reads_the_project_and_neither_secrets_nor_what_lies_outside() {
    let machine = Machine::with_sample();
    let project = machine.path("checkouts/acme-api");
    machine.write("checkouts/acme-api/.env", "TOKEN=hidden-in-env\n");
    machine.write("elsewhere/notes.txt", "hidden-elsewhere\n");
    let main = machine.write("checkouts/acme-api/src/told.rs", "pub fn told() {}\n");
    let calls = [
        format!("grep -n told {} | wc -l", main.display()),
        format!("cat {}/.env", project.display()),
        format!("cat {}", machine.path("elsewhere/notes.txt").display()),
        "ls *.md && head -1 MEMORY.md".to_owned(),
    ];
    let lines: Vec<String> =
        calls.iter().map(|command| json!({"tool": "Bash", "input": {"command": command}}).to_string()).collect();
    let script = machine.write("looks.jsonl", lines.join("\n") + "\n");
    let engine = format!("script:{}", script.display());
    let (code, run) = machine.json("acme-api", &["--engine", &engine, "dream", "--force"]);
    assert_eq!((code, &run["changes"]), (0, &json!([])), "{run:#}");
    let id = run["run"].as_str().expect("a run");
    let journal = fs::read_to_string(machine.path(&format!("state/dreamtop/runs/{id}.jsonl"))).expect("a journal");
    let allowed: Vec<bool> = journal
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|event| event.get("allowed")?.as_bool())
        .collect();
    assert_eq!(allowed, [true, false, false, true], "{journal}");
    assert!(!journal.contains("hidden-"), "{journal}");
}

/// The binary with the first renames of a landing refused as in use; `None`: no `strace` here, and the policy's own tests
/// (`change::patience`) have to do.
#[cfg(target_os = "linux")]
fn with_renames_in_use(machine: &Machine, which: &str, arguments: &[&str]) -> Option<std::process::Output> {
    use std::process::{Command, Stdio};
    let quiet = |command: &mut Command| {
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    quiet(Command::new("strace").args(["-f", "-o", "/dev/null", "true"])).then_some(())?;
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=renameat2"]);
    command.args(["-e", &format!("inject=renameat2:error=EBUSY:when={which}")]);
    command.arg(env!("CARGO_BIN_EXE_dreamtop")).args(arguments).current_dir(machine.root()).env_clear();
    command.envs(machine.variables());
    Some(command.output().expect("strace starts"))
}

#[cfg(target_os = "linux")]
#[test]
fn fc_027_a_file_in_use_is_waited_for_a_moment_and_then_said_with_nothing_changed_and_nothing_left() {
    let machine = Machine::with_sample();
    let store = machine.sample_store("acme-api");
    // What a dead process left: under our kind of name, and under the fixed name another program would take.
    for left in [".dreamtop-1-0.tmp", "project_merge_freeze.md.tmp"] {
        fs::write(store.join(left), "left over").expect("written");
    }
    let names = || {
        let mut names: Vec<_> = contents(&store).into_keys().collect();
        names.retain(|path| !path.ends_with(".dreamtop-1-0.tmp"));
        names
    };
    let (before, bytes) = (names(), contents(&store));
    let checkout = machine.path("checkouts/acme-api");
    let checkout = checkout.to_str().expect("UTF-8");
    let edit = |text: &'static str| ["--project", checkout, "edit", "project_merge_freeze.md", "--description", text];
    let read = || fs::read_to_string(store.join("project_merge_freeze.md")).expect("a memory");

    let Some(refused) = with_renames_in_use(&machine, "1+", &edit("Never written")) else { return };
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(5), "{said}");
    assert!(said.contains("project_merge_freeze.md") && said.contains("nothing was changed"), "{said}");
    let after = contents(&store);
    for (path, text) in bytes.iter().filter(|(path, _)| !path.ends_with(".dreamtop-1-0.tmp")) {
        assert_eq!(after.get(path), Some(text), "{}", path.display());
    }
    assert_eq!(names(), before, "no temp is left");

    let saved = with_renames_in_use(&machine, "1..2", &edit("Written at the third try")).expect("strace is here");
    assert_eq!(saved.status.code(), Some(0), "{}", String::from_utf8_lossy(&saved.stderr));
    assert_eq!(read().matches("Written at the third try").count(), 1);
    assert_eq!(names(), before, "no temp is left");
    let (_, history) = machine.json("acme-api", &["history"]);
    let edits = history["history"].as_array().expect("history").iter().filter(|entry| entry["origin"] == "edit");
    assert_eq!(edits.count(), 1, "it was saved once: {history:#}");
}

#[cfg(unix)]
#[test]
fn an_editor_that_nobody_named_is_not_started_where_nobody_is_at_a_terminal() {
    use std::os::unix::fs::PermissionsExt;
    let machine = Machine::new();
    machine.write("m/user_tea.md", "---\nname: tea\ndescription: \"d\"\ntype: user\n---\n\nTea.\n");
    let started = machine.path("started");
    let vi = machine.write("bin/vi", format!("#!/bin/sh\ntouch '{}'\n", started.display()));
    fs::set_permissions(&vi, fs::Permissions::from_mode(0o755)).expect("permissions");
    let path = format!("{}:/usr/bin:/bin", machine.path("bin").display());
    let mut command = machine.command();
    command.env("PATH", path).env("EDITOR", "/nowhere/editor").args(["--memory-dir", "m", "edit", "user_tea"]);
    let output = command.output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("EDITOR is") && said.contains("--description"), "{said}");
    assert!(!started.exists(), "it would wait for ever");
}
