//! What once hung, hid, leaked or fell out of step when the binary was pressed.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{Machine, contents};

const TOPIC: &str = "---\nname: twin\ndescription: one fact\nmetadata:\n  node_type: memory\n  type: project\n---\n\nThe gate opens at nine.\n";

/// Shaped like a token, and none.
fn token() -> String {
    format!("ghp_{}abcdEF", "a1B2c3D4e5".repeat(3))
}

fn store(machine: &Machine) {
    machine.write("m/MEMORY.md", "# Memory Index\n\nAsk Ann before a deploy.\n\n- [a](project_a.md) — one fact\n");
    machine.write("m/project_a.md", TOPIC);
    let turn = serde_json::json!({ "type": "user", "uuid": "1", "sessionId": "s1", "cwd": "/work/acme", "timestamp": "2026-11-29T10:00:00Z",
        "message": { "role": "user", "content": "By the way, the gate opens at ten now." } });
    machine.write("s/s1.jsonl", format!("{turn}\n"));
}

/// Why a memory comes: the person said so.
fn said(file: &str, reason: &str) -> serde_json::Value {
    let source = serde_json::json!({ "session": "s1", "line": 1, "quote": "the gate opens at ten now" });
    serde_json::json!({ "rationale": { "file": file, "reason": reason, "sources": [source] } })
}

fn answer(machine: &Machine, script: &[serde_json::Value]) -> crate::common::Answer {
    let lines: Vec<String> = script.iter().map(ToString::to_string).collect();
    machine.write("script.jsonl", lines.join("\n"));
    machine.run(&["--memory-dir", "m", "--sessions", "s", "--engine", "script:script.jsonl", "dream", "--force"])
}

fn dream(machine: &Machine, script: &[serde_json::Value]) -> i32 {
    answer(machine, script).code()
}

fn write(file: &str, content: &str) -> serde_json::Value {
    serde_json::json!({ "tool": "Write", "input": { "file_path": file, "content": content } })
}

/// How a command ends; that it does not is a failure, not a wait.
#[cfg(unix)]
fn ends(machine: &Machine, arguments: &[&str]) -> Option<i32> {
    let mut child = machine.command().args(["--memory-dir", "m"]).args(arguments).spawn().expect("it starts");
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        if let Some(status) = child.try_wait().expect("a status") {
            return status.code();
        }
        if Instant::now() > until {
            child.kill().expect("it can be killed");
            panic!("{arguments:?} waits for a pipe");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(unix)]
fn make_pipe(path: &std::path::Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(made.success());
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_the_settings_or_of_a_links_target_makes_no_command_wait() {
    let machine = Machine::new();
    store(&machine);
    machine.write("notes.md", "---\nname: n\ndescription: \"d\"\ntype: user\n---\n\nText.\n");
    std::os::unix::fs::symlink("../notes.md", machine.path("m/user_n.md")).expect("a link");
    assert_eq!(ends(&machine, &["rm", "user_n.md", "--yes"]), Some(0));
    std::fs::remove_file(machine.path("notes.md")).expect("it goes");
    make_pipe(&machine.path("notes.md"));
    let entry = machine.run(&["--json", "--memory-dir", "m", "history"]).json()["history"][0]["id"].clone();
    assert_eq!(ends(&machine, &["undo", entry.as_str().expect("an id")]), Some(0));
    assert!(std::fs::read_to_string(machine.path("m/user_n.md")).expect("the bytes are back").contains("Text."));

    machine.write("claude/x", "");
    make_pipe(&machine.path("claude/settings.json"));
    assert_eq!(ends(&machine, &["ls"]), Some(0));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_the_day_of_the_last_clearing_makes_no_command_wait() {
    let machine = Machine::new();
    store(&machine);
    assert_eq!(ends(&machine, &["edit", "project_a.md", "--description", "x"]), Some(0));
    let kept = crate::common::picture(&machine.path("state")).into_keys();
    let journal = kept.into_iter().find(|path| path.ends_with("journal.jsonl")).expect("the edit is in the journal");
    let stamp = machine.path("state").join(journal).with_file_name("retention");
    let _ = fs::remove_file(&stamp);
    make_pipe(&stamp);
    assert_eq!(ends(&machine, &["ls"]), Some(0));
    assert_eq!(ends(&machine, &["edit", "project_a.md", "--description", "y"]), Some(0));
}

#[cfg(unix)]
#[test]
fn a_named_pipe_in_a_store_makes_no_command_wait() {
    let machine = Machine::new();
    store(&machine);
    make_pipe(&machine.path("m/pipe.md"));
    for arguments in [
        vec!["show", "pipe.md"],
        vec!["edit", "pipe.md", "--description", "x"],
        vec!["rm", "pipe.md"],
        vec!["mv", "project_a", "project_b"],
    ] {
        let is_mv = arguments.first() == Some(&"mv");
        assert_eq!(ends(&machine, &arguments), Some(if is_mv { 0 } else { 5 }), "{arguments:?}");
    }
    assert!(machine.path("m/project_b.md").exists());
}

#[test]
fn a_file_too_large_to_be_a_memory_is_read_by_nothing_that_changes_the_store() {
    let machine = Machine::new();
    store(&machine);
    let huge = fs::File::create(machine.path("m/project_huge.md")).expect("a file");
    // Sparse: to read it is to fill the machine's memory.
    huge.set_len(1 << 40).expect("a length");
    let at = |arguments: &[&str]| machine.run(&[&["--memory-dir", "m"], arguments].concat());
    for arguments in [&["rm", "project_huge", "--yes"][..], &["mv", "project_huge", "project_b"]] {
        let answer = at(arguments);
        assert_eq!(answer.code(), 5, "{arguments:?}: {}", answer.err());
        assert!(answer.err().contains("too much for a memory"), "{arguments:?}: {}", answer.err());
    }
    assert_eq!(at(&["mv", "project_a", "project_b"]).code(), 0);
    // Also where an automatic change asks what the other files say.
    let gone = [serde_json::json!({ "tool": "Delete", "input": { "file_path": "project_b.md" } })];
    dream(&machine, &gone);
    assert_eq!(at(&["--json", "inbox"]).json()["held"][0]["changes"][0]["file"], "project_b.md");
}

#[test]
fn a_memory_that_cannot_be_read_keeps_no_other_from_its_new_name() {
    let machine = Machine::new();
    store(&machine);
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere.md", machine.path("m/project_gone.md")).expect("a link");
    let answer = machine.run(&["--memory-dir", "m", "mv", "project_a", "project_b"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
}

#[test]
fn a_run_that_forgets_the_index_leaves_index_and_files_in_agreement() {
    let machine = Machine::new();
    store(&machine);
    for name in ["b", "c", "d", "e"] {
        machine.write(&format!("m/project_{name}.md"), TOPIC.replace("nine", name));
    }
    machine.run(&["--memory-dir", "m", "check", "--fix"]);
    let delete = serde_json::json!({ "tool": "Delete", "input": { "file_path": "project_a.md" } });
    let why = serde_json::json!({ "rationale": { "file": "project_a.md", "reason": "superseded by project_new.md", "sources": [] } });
    assert_eq!(
        dream(
            &machine,
            &[delete, write("project_new.md", &TOPIC.replace("nine", "ten")), why, said("project_new.md", "moved")]
        ),
        0
    );
    let index = fs::read_to_string(machine.path("m/MEMORY.md")).expect("the index");
    assert!(!index.contains("project_a.md") && index.contains("project_new.md"), "{index}");
}

#[test]
fn a_dream_takes_no_hand_written_line_out_of_the_index() {
    let machine = Machine::new();
    store(&machine);
    assert_eq!(dream(&machine, &[write("MEMORY.md", "- [a](project_a.md) — the gate\n")]), 0);
    let index = fs::read_to_string(machine.path("m/MEMORY.md")).expect("the index");
    assert!(index.contains("Ask Ann before a deploy.") && index.contains("the gate"), "{index}");
}

#[test]
fn a_name_in_another_letter_case_does_not_fail_the_whole_dream() {
    let machine = Machine::new();
    store(&machine);
    let delete = serde_json::json!({ "tool": "Delete", "input": { "file_path": "project_a.md" } });
    assert_eq!(dream(&machine, &[delete, write("Project_A.md", TOPIC)]), 0);
    let files = contents(&machine.path("m"));
    assert_eq!(
        files.values().filter(|bytes| bytes.as_slice() == TOPIC.as_bytes()).count(),
        1,
        "the text is there once"
    );
}

#[test]
fn a_credential_in_a_file_name_reaches_neither_store_nor_state() {
    let machine = Machine::new();
    store(&machine);
    let file = format!("project_{}.md", token());
    assert_eq!(dream(&machine, &[write(&file, TOPIC)]), 3);
    for dir in ["m", "state"] {
        for (path, bytes) in contents(&machine.path(dir)) {
            let is_clean =
                !path.to_string_lossy().contains(&token()) && !String::from_utf8_lossy(&bytes).contains(&token());
            assert!(is_clean, "{}", path.display());
        }
    }
}

#[test]
fn a_refused_flag_leaves_no_copy_of_its_secret() {
    let machine = Machine::new();
    store(&machine);
    let answer = machine.run(&["--memory-dir", "m", "edit", "project_a", "--description", &token()]);
    assert_eq!(answer.code(), 2);
    assert!(contents(&machine.path("state")).values().all(|bytes| !String::from_utf8_lossy(bytes).contains(&token())));
}

#[test]
fn a_dream_on_a_mistyped_directory_makes_none() {
    let machine = Machine::new();
    let answer = machine.run(&["--memory-dir", "typo", "dream", "--force"]);
    assert_eq!(answer.code(), 4, "{}", answer.err());
    assert!(answer.out().contains("there is no memory directory"), "{}", answer.out());
    assert!(!machine.path("typo").exists());
}

#[test]
fn a_name_that_several_memories_have_is_said_to_be_theirs() {
    let machine = Machine::new();
    store(&machine);
    machine.write("m/project_b.md", TOPIC);
    let answer = machine.run(&["--memory-dir", "m", "rm", "twin"]);
    assert_eq!(answer.code(), 2);
    assert!(answer.err().contains("project_a.md, project_b.md; name the file"), "{}", answer.err());
    assert_eq!(machine.run(&["--memory-dir", "m", "new", " ", "-t", "user"]).code(), 2, "a blank name is none");
}

#[test]
fn a_detached_dream_can_be_killed_as_soon_as_its_name_is_told() {
    let machine = Machine::new();
    store(&machine);
    machine.write("script.jsonl", "{\"delay_ms\":60000}\n{\"text\":\"late\"}\n");
    let arguments = ["--memory-dir", "m", "--engine", "script:script.jsonl", "--json", "dream", "--force", "--detach"];
    let run = machine.run(&arguments).json()["run"].as_str().expect("a run").to_owned();
    let answer = machine.run(&["--memory-dir", "m", "kill", &run]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
}

#[cfg(unix)]
#[test]
fn a_pipe_or_an_endless_file_in_the_place_of_the_projects_instructions_makes_no_run_wait() {
    let machine = Machine::new();
    store(&machine);
    fs::create_dir_all(machine.path("p/.claude")).expect("a checkout");
    make_pipe(&machine.path("p/CLAUDE.md"));
    std::os::unix::fs::symlink("../CLAUDE.md", machine.path("p/.claude/CLAUDE.md")).expect("a link");
    std::os::unix::fs::symlink("/dev/zero", machine.path("p/CLAUDE.local.md")).expect("a link");
    // Gigabytes that take no room.
    fs::File::create(machine.path("p/AGENTS.md")).and_then(|file| file.set_len(1 << 36)).expect("a sparse file");
    assert_eq!(ends(&machine, &["--project", "p", "dream", "--force"]), Some(0));
}

#[test]
fn a_dream_touches_no_team_memory_no_log_no_hidden_file_and_nothing_that_is_no_memory() {
    let machine = Machine::new();
    store(&machine);
    for twin in ["m/project_twin.md", "m/team/twin.md", "m/.hidden.md", "m/notes.txt"] {
        machine.write(twin, TOPIC);
    }
    machine.write("m/team/MEMORY.md", "- [twin](twin.md) — one fact\n");
    machine.write("m/logs/2026/11/2026-11-27.md", "- The gate opens at nine.\n");
    let of_others = |machine: &Machine| {
        let mut all = contents(&machine.path("m"));
        all.retain(|path, _| !path.ends_with("m/MEMORY.md") && !path.to_string_lossy().contains("/m/project_"));
        all
    };
    let before = of_others(&machine);
    assert_eq!(before.len(), 5);
    assert_eq!(machine.run(&["--memory-dir", "m", "dream", "--force"]).code(), 0);
    let twins = ["project_a.md", "project_twin.md"].map(|file| machine.path("m").join(file).exists());
    assert_eq!(twins.iter().filter(|is_there| **is_there).count(), 1, "the two of the store itself became one");
    assert_eq!(of_others(&machine), before);
}

/// The tool calls that the journals of all runs hold: tool, target, whether it was allowed.
fn tool_calls(machine: &Machine) -> Vec<(String, String, bool)> {
    let journals = contents(&machine.path("state")).into_iter();
    let journals = journals.filter(|(path, _)| path.extension().is_some_and(|ending| ending == "jsonl"));
    let lines: Vec<String> = journals
        .flat_map(|(_, bytes)| String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let events = lines.iter().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    events
        .filter(|event| event["event"] == "tool")
        .map(|event| (word(&event["name"]), word(&event["target"]), event["allowed"] == true))
        .collect()
}

#[test]
fn a_run_reads_team_memory_and_logs_and_changes_none_whatever_its_engine_asks_for() {
    let machine = Machine::new();
    store(&machine);
    for file in ["m/team/x.md", "m/team/y.md", "m/team/MEMORY.md", "m/logs/2026/11/2026-11-27.md"] {
        machine.write(file, "Everybody's words.\n");
    }
    let apart = |machine: &Machine| {
        let mut all = contents(&machine.path("m"));
        all.retain(|path, _| path.parent() != Some(machine.path("m").as_path()));
        all
    };
    let before = apart(&machine);
    let call = |tool: &str, input: serde_json::Value| serde_json::json!({ "tool": tool, "input": input });
    let refused = [
        write("team/x.md", "Mine.\n"),
        call("Edit", serde_json::json!({ "file_path": "team/x.md", "old_string": "words", "new_string": "w" })),
        call("Delete", serde_json::json!({ "file_path": "./team/y.md" })),
        write("team/new.md", "Mine.\n"),
        write("Team/new.md", "Mine.\n"),
        write("team/MEMORY.md", "Mine.\n"),
        write("logs/2026/11/2026-11-27.md", "Mine.\n"),
        call("Delete", serde_json::json!({ "file_path": "logs/2026/11/2026-11-27.md" })),
    ];
    let read = call("Read", serde_json::json!({ "file_path": "team/x.md" }));
    let script =
        [&refused[..], &[read, write("project_b.md", &TOPIC.replace("twin", "b").replace("nine", "ten"))]].concat();
    dream(&machine, &script);
    assert_eq!(apart(&machine), before, "{}", machine.run(&["--json", "runs"]).out());
    let calls = tool_calls(&machine);
    let (denied, allowed): (Vec<_>, Vec<_>) = calls.iter().partition(|(_, _, is_allowed)| !is_allowed);
    assert_eq!(denied.len(), refused.len(), "the journal says what was denied: {calls:?}");
    assert_eq!(allowed.iter().map(|(name, _, _)| name.as_str()).collect::<Vec<_>>(), ["Read", "Write"]);
    let held = machine.run(&["--memory-dir", "m", "--json", "inbox"]).json();
    let is_there = machine.path("m/project_b.md").exists() || held.to_string().contains("project_b.md");
    assert!(is_there, "what else the engine did counts: {held}");
}

#[test]
fn a_checkout_or_a_whole_disk_named_as_a_store_is_shown_in_part_and_no_run_consolidates_half_of_it() {
    let machine = Machine::new();
    store(&machine);
    let far = machine.write("m/sub/deep/project_far.md", TOPIC);
    fs::create_dir_all(machine.path("m/large")).expect("a folder");
    for number in 0..dreamtop::memory::store::MOST_ENTRIES {
        fs::File::create(machine.path("m/large").join(number.to_string())).expect("a file");
    }
    let listed = machine.run(&["--memory-dir", "m", "ls"]);
    assert!(listed.code() == 0 && listed.out().contains("was not read"), "{}{}", listed.out(), listed.err());
    let index = fs::read(machine.path("m/MEMORY.md")).expect("an index");
    let dreamt = machine.run(&["--memory-dir", "m", "dream", "--force"]);
    assert_eq!(dreamt.code(), 5, "{}", dreamt.out());
    assert!(dreamt.out().contains("--memory-dir") || dreamt.err().contains("--memory-dir"), "{}", dreamt.out());
    assert!(far.exists() && fs::read(machine.path("m/MEMORY.md")).expect("an index") == index);
    let made = machine.run(&["--memory-dir", "m", "new", "Tea", "-t", "user", "-d", "Green."]);
    assert_eq!(made.code(), 0, "what a person asks for lands: {}", made.err());
}

#[test]
fn a_run_after_one_that_failed_takes_the_lock_over_from_nobody_and_a_failure_without_words_has_a_reason() {
    let machine = Machine::new();
    store(&machine);
    let read = serde_json::json!({ "tool": "Read", "input": { "file_path": "MEMORY.md" } });
    assert_eq!(dream(&machine, std::slice::from_ref(&read)), 0);
    let failed = answer(&machine, &[read.clone(), serde_json::json!({ "error": "" })]);
    assert_eq!(failed.code(), 5);
    assert!(format!("{}{}", failed.out(), failed.err()).contains("gave no reason"), "{}{}", failed.out(), failed.err());
    let next = answer(&machine, std::slice::from_ref(&read));
    assert_eq!((next.code(), next.err().contains("took over")), (0, false), "{}", next.err());
    // A lock that another program left behind is still taken over in words.
    machine.write("m/.consolidate-lock", "999999");
    assert!(answer(&machine, &[read]).err().contains("took over"), "a dead holder is named");
}

#[test]
fn a_file_in_the_place_of_the_claude_home_is_what_is_named() {
    let machine = Machine::new();
    let home = machine.write("claude", "no directory\n");
    let project = machine.path("work");
    std::fs::create_dir_all(&project).expect("a project");
    let answer = machine.run(&["--project", project.to_str().expect("UTF-8"), "ls"]);
    assert_ne!(answer.code(), 0);
    assert!(answer.err().contains(&format!("{} is a file", home.display())), "{}", answer.err());
}
