//! No event ever breaks a session: whatever is wrong, exit code 0, nothing printed, a line in our log.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::drive::Desk;
use crate::mount::{Mount, fill};

/// Calls the hook and holds it to its promise; the lines that the log got by it.
fn silent(desk: &Desk, bytes: &[u8], arguments: &[&str]) -> String {
    let before = desk.log().len();
    let answer = desk.hook_bytes(bytes, |command| {
        command.args(arguments);
    });
    assert_eq!((answer.code(), answer.out(), answer.err()), (0, String::new(), String::new()), "{arguments:?}");
    desk.log()[before..].to_owned()
}

#[test]
fn what_is_no_event_is_one_line_in_the_log() {
    let desk = Desk::new();
    let deep = "[".repeat(100_000);
    let inputs: [&[u8]; 7] =
        [b"", b"{", b"null", b"[1]", b"{\"hook_event_name\": 5}", b"\xff\xfe\x00", deep.as_bytes()];
    for input in inputs {
        assert_eq!(silent(&desk, input, &[]).lines().count(), 1, "{input:?}");
    }
}

#[test]
fn unknown_events_and_unknown_fields_pass_without_a_word() {
    let desk = Desk::new();
    let session = desk.session();
    for event in ["PreCompact", "Notification", "StopFailure", "SomethingNew"] {
        let input = session.input(event, json!({"new": {"deep": [1, 2]}, "prompt": 7})).to_string();
        assert_eq!(silent(&desk, input.as_bytes(), &[]), "", "{event}");
    }
    let odd =
        json!({"hook_event_name": "UserPromptSubmit", "session_id": 5, "cwd": desk.project("acme"), "prompt": ["x"]});
    assert_eq!(silent(&desk, odd.to_string().as_bytes(), &[]), "");
}

#[test]
fn a_command_line_a_configuration_or_a_clock_that_is_wrong_stops_nothing() {
    let desk = Desk::new();
    let session = desk.session();
    session.says("Remember: never push to main.");
    let stop = session.input("Stop", json!({"last_assistant_message": "Ok."})).to_string();
    assert!(silent(&desk, stop.as_bytes(), &["--no-such-flag"]).contains("command line"));
    assert!(silent(&desk, stop.as_bytes(), &["more"]).contains("command line"));
    desk.configure("extract:\n  every_turn: 2\n");
    let log = silent(&desk, stop.as_bytes(), &[]);
    assert!(log.contains("every_turn") && log.contains("config.yaml:2"), "{log}");
    assert!(desk.runs().is_empty(), "with a configuration that is not understood nothing starts by itself");
    desk.configure("");
    let answer = desk.hook_bytes(stop.as_bytes(), |command| {
        command.env("DREAMTOP_NOW", "yesterday");
    });
    assert_eq!((answer.code(), answer.out(), answer.err()), (0, String::new(), String::new()));
}

#[test]
fn a_transcript_or_a_directory_that_is_not_there_stops_nothing() {
    let desk = Desk::new();
    let session = desk.session();
    let every = ["Stop", "SessionEnd", "SessionStart", "UserPromptSubmit", "SubagentStop", "PostToolUse"];
    for event in every {
        // Nothing was said yet: there is no transcript.
        silent(&desk, session.input(event, json!({"prompt": "hello there"})).to_string().as_bytes(), &[]);
        let nowhere = json!({"hook_event_name": event, "session_id": "s", "cwd": "/no/such/place",
            "transcript_path": "/no/such/place.jsonl", "prompt": "hello", "tool_name": "Read",
            "tool_input": {"file_path": "/no/such/memory/a.md"}});
        let log = silent(&desk, nowhere.to_string().as_bytes(), &[]);
        assert!(log.contains("no project is known") || event == "PostToolUse", "{event}: {log}");
        let bare = json!({"hook_event_name": event});
        silent(&desk, bare.to_string().as_bytes(), &[]);
        // A pipe that nobody writes to is not waited for.
        let pipe = desk.machine.path(&format!("pipe-{event}"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut input = session.input(event, json!({"prompt": "hello"}));
        input["transcript_path"] = json!(pipe);
        silent(&desk, input.to_string().as_bytes(), &[]);
    }
    desk.settle();
    assert!(desk.memories().is_empty());
}

#[test]
fn a_state_directory_that_cannot_be_written_stops_nothing() {
    let desk = Desk::new();
    desk.machine.write("state", "a file in its place");
    desk.remember("feedback_database.md", "feedback", "Tests must hit a real database.");
    let session = desk.session();
    session.says("Remember: never push to main.");
    for (event, more) in [
        ("Stop", json!({"last_assistant_message": "Ok."})),
        ("SessionStart", json!({"source": "startup"})),
        ("SessionEnd", json!({"reason": "other"})),
        ("SubagentStop", json!({"agent_id": "a"})),
        ("UserPromptSubmit", json!({"prompt": "do the tests need a real database?"})),
        (
            "PostToolUse",
            json!({"tool_name": "Read", "tool_input": {"file_path": desk.store().join("feedback_database.md")}}),
        ),
    ] {
        let input = session.input(event, more).to_string();
        let answer = desk.hook_bytes(input.as_bytes(), |_| {});
        assert_eq!((answer.code(), answer.out(), answer.err()), (0, String::new(), String::new()), "{event}");
    }
}

#[test]
fn nothing_that_is_no_file_is_waited_for() {
    let desk = Desk::new();
    let place = desk.project("acme");
    desk.remember("feedback_database.md", "feedback", "Tests must hit a real database.");
    desk.configure("recall:\n  milliseconds: 60000\n");
    for settings in ["claude/settings.json", "claude/.claude.json", "managed-settings.json", "home/.claude.json"] {
        desk.machine.write(settings, "{}");
    }
    for settings in ["settings.json", "settings.local.json"] {
        desk.machine.write(&format!("work/acme/.claude/{settings}"), "{}");
    }
    let session = desk.session();
    session.says("Remember: never push to main.");
    let memory = desk.store().join("feedback_database.md");
    let events = [
        session.input("SessionStart", json!({"source": "startup"})),
        session.input("UserPromptSubmit", json!({"prompt": "do the tests need a real database?"})),
        session.input("PostToolUse", json!({"tool_name": "Read", "tool_input": {"file_path": memory}})),
        session.input("Stop", json!({"last_assistant_message": "Ok."})),
        session.input("SubagentStop", json!({"agent_id": "a"})),
        session.input("SessionEnd", json!({"reason": "other"})),
    ];
    // Everything that hooks leave behind is there, for them to be met again.
    let world = desk.world("/bin/true".as_ref());
    let call_all = || {
        for event in &events {
            let (world, bytes) = (world.clone(), event.to_string());
            let (sender, done) = std::sync::mpsc::channel();
            std::thread::spawn(move || {
                // Whatever it says: it says it.
                let _ = dreamtop::hook::answer(bytes.as_bytes(), &world);
                let _ = sender.send(());
            });
            done.recv_timeout(Duration::from_secs(120)).unwrap_or_else(|_| panic!("it waits: {event}"));
        }
    };
    call_all();
    let mut files = Vec::new();
    walk(&desk.machine.root(), &mut files);
    assert!(files.len() > 15, "{files:?}");
    for file in &files {
        let aside = file.with_extension("aside");
        fs::rename(file, &aside).unwrap();
        pipe(file);
        call_all();
        let _ = fs::remove_file(file);
        fs::rename(&aside, file).unwrap();
    }
    // What the command line reads before anything else.
    let config = desk.machine.path("config/dreamtop/config.yaml");
    fs::remove_file(&config).unwrap();
    pipe(&config);
    assert!(silent(&desk, events[3].to_string().as_bytes(), &[]).contains("a named pipe"));
    for command in [vec!["ls"], vec!["gates"], vec!["recall", "database"], vec!["install", "--dry-run"]] {
        let answer = desk.machine.run(&[&["--project", place.to_str().unwrap()], command.as_slice()].concat());
        assert_eq!((answer.code(), answer.err().contains("a named pipe")), (2, true), "{command:?}: {}", answer.err());
    }
}

fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn walk(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap().flatten() {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => walk(&entry.path(), files),
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

#[test]
fn a_limit_on_the_size_of_files_stops_nothing() {
    let desk = Desk::new();
    desk.configure("recall:\n  milliseconds: 60000\n");
    desk.remember("feedback_database.md", "feedback", "Tests must hit a real database.");
    let session = desk.session();
    session.says("Remember: never push to main.");
    session.answers("Ok.");
    let memory = desk.store().join("feedback_database.md");
    for (event, more) in [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "do the tests need a real database?"})),
        ("PostToolUse", json!({"tool_name": "Read", "tool_input": {"file_path": memory}})),
        ("Stop", json!({"last_assistant_message": "Ok."})),
        ("SubagentStop", json!({"agent_id": "a"})),
        ("SessionEnd", json!({"reason": "other"})),
        ("none", json!([1])),
    ] {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -f 0; exec \"$0\" hook", env!("CARGO_BIN_EXE_dreamtop")]);
        command.current_dir(desk.machine.root()).env_clear().envs(desk.machine.variables());
        let answer = desk.feed(&mut command, session.input(event, more).to_string().as_bytes());
        assert_eq!((answer.code(), answer.out(), answer.err()), (0, String::new(), String::new()), "{event}");
    }
    desk.settle();
    assert_eq!(desk.memories().len(), 1);
    session.stop("Ok.");
    desk.settle();
    assert_eq!(desk.memories().len(), 2, "{:?}", desk.memories());
}

#[test]
fn an_input_without_end_is_named_in_the_log() {
    let desk = Desk::new();
    let mut input = br#"{"hook_event_name": "Stop", "last_assistant_message": ""#.to_vec();
    input.resize(16 * 1024 * 1024 + 2, b'x');
    let log = silent(&desk, &input, &[]);
    assert!(log.contains("the input is larger than 16"), "{log}");
    assert_eq!(log.lines().count(), 1, "{log}");
}

#[test]
fn a_full_disk_stops_nothing_and_the_turn_is_read_when_there_is_room_again() {
    let Some(mount) = Mount::tmpfs("64k") else { return };
    let desk = Desk::new();
    let session = desk.session();
    session.says("Remember: never push to main.");
    session.answers("Ok.");
    let stop = session.input("Stop", json!({"last_assistant_message": "Ok."})).to_string();
    fill(&mount.0);
    let answer = desk.hook_bytes(stop.as_bytes(), |command| {
        command.env("XDG_STATE_HOME", &mount.0);
    });
    assert_eq!((answer.code(), answer.out(), answer.err()), (0, String::new(), String::new()));
    assert!(desk.memories().is_empty());
    session.stop("Ok.");
    desk.settle();
    assert_eq!(desk.memories().len(), 1);
}

#[test]
fn whoever_types_it_is_told_what_it_is_for() {
    let desk = Desk::new();
    let help = desk.machine.run(&["hook", "--help"]);
    assert!(help.code() == 0 && help.out().contains("hook_event_name"), "{}", help.out());
}
