//! Recall use: what sessions read, were given and wrote, read once and remembered.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::Machine;

/// A machine with one project, its store and a checkout.
fn machine() -> Machine {
    let machine = Machine::new();
    let checkout = machine.path("work/app");
    fs::create_dir_all(&checkout).unwrap();
    let folder = machine.path("claude/projects").join(dreamtop::project::slug(&checkout.to_string_lossy()));
    fs::create_dir_all(folder.join("memory")).unwrap();
    fs::create_dir_all(machine.path("claude/projects")).unwrap();
    for (name, modified) in
        [("a", "2026-09-01T00:00:00Z"), ("b", "2026-09-01T00:00:00Z"), ("young", "2026-11-29T00:00:00Z")]
    {
        let text = format!(
            "---\nname: {name}\ndescription: \"d\"\nmetadata:\n  type: user\n  modified: {modified}\n---\n\nText {name}.\n"
        );
        fs::write(folder.join("memory").join(format!("user_{name}.md")), text).unwrap();
    }
    fs::write(folder.join("memory/MEMORY.md"), "- [A](user_a.md)\n- [B](user_b.md)\n- [Y](user_young.md)\n").unwrap();
    machine
}

fn folder(machine: &Machine) -> std::path::PathBuf {
    machine.path("claude/projects").join(dreamtop::project::slug(&machine.path("work/app").to_string_lossy()))
}

fn line(machine: &Machine, at: &str, mut value: Value) -> String {
    value["timestamp"] = json!(at);
    value["cwd"] = json!(machine.path("work/app").to_string_lossy());
    format!("{value}\n")
}

fn call(machine: &Machine, at: &str, id: &str, tool: &str, path: &Path) -> String {
    let content = json!([{"type": "tool_use", "id": id, "name": tool, "input": {"file_path": path.to_string_lossy()}}]);
    line(machine, at, json!({"type": "assistant", "uuid": id, "message": {"role": "assistant", "content": content}}))
}

fn prompt(machine: &Machine, at: &str) -> String {
    line(machine, at, json!({"type": "user", "uuid": at, "message": {"role": "user", "content": "please go on"}}))
}

fn show(machine: &Machine, file: &str) -> Value {
    let project = machine.path("work/app");
    let answer = machine.run(&["--json", "--project", project.to_str().unwrap(), "show", file]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    answer.json()
}

fn never_recalled(machine: &Machine) -> Vec<String> {
    let project = machine.path("work/app");
    let check = machine.run(&["--json", "--project", project.to_str().unwrap(), "check"]).json();
    let all = check["findings"].as_array().unwrap().iter().filter(|one| one["code"] == "never-recalled");
    all.map(|one| one["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn reads_injections_and_writes_are_counted_and_failed_ones_and_the_index_are_not() {
    let machine = machine();
    let (folder, at) = (folder(&machine), "2026-11-18T09:00:00Z");
    let a = folder.join("memory/user_a.md");
    let attachment = |kind: &str, inner: Value| {
        let mut attachment = inner;
        attachment["type"] = json!(kind);
        line(&machine, "2026-11-19T09:00:00Z", json!({"type": "attachment", "uuid": kind, "attachment": attachment}))
    };
    let refused = json!([{"type": "tool_result", "tool_use_id": "t4", "content": "no", "is_error": true}]);
    let text = [
        prompt(&machine, at),
        call(&machine, at, "t1", "Read", &a),
        call(&machine, at, "t2", "Edit", &a),
        call(&machine, at, "t3", "Read", &folder.join("memory/MEMORY.md")),
        call(&machine, at, "t4", "Read", &folder.join("memory/user_b.md")),
        line(&machine, at, json!({"type": "user", "uuid": "r4", "message": {"role": "user", "content": refused}})),
        call(&machine, at, "t5", "Read", Path::new("/elsewhere/memory/user_b.md")),
        // What a fork copied was read where it was said.
        call(&machine, at, "t6", "Read", &a).replacen('{', "{\"forkedFrom\":{\"sessionId\":\"x\"},", 1),
        attachment("relevant_memories", json!({"memories": [{"path": a, "content": "Text a."}]})),
        attachment("nested_memory", json!({"path": "/elsewhere/CLAUDE.md"})),
        attachment("hook_additional_context", json!({"content": [format!("See {} for it.", a.display())]})),
    ];
    fs::write(folder.join("11111111-0000-4000-8000-000000000001.jsonl"), text.concat()).unwrap();
    let used = show(&machine, "user_a")["used"].clone();
    assert_eq!(used, json!({"read": 1, "injected": 2, "written": 1, "sessions": 1, "last": "2026-11-19T09:00:00Z"}));
    assert_eq!(show(&machine, "user_b")["used"]["read"], 0);
    let project = machine.path("work/app");
    let page = machine.run(&["--project", project.to_str().unwrap(), "show", "user_a"]).out();
    assert!(page.contains("read 1 time, recalled 2 times, in 1 session, last 11 days ago · written 1 time"), "{page}");
}

#[test]
fn a_session_that_grows_is_read_from_where_it_ended_and_a_swept_one_still_counts() {
    let machine = machine();
    let folder = folder(&machine);
    let path = folder.join("11111111-0000-4000-8000-000000000001.jsonl");
    let a = folder.join("memory/user_a.md");
    let mut text = prompt(&machine, "2026-11-18T09:00:00Z") + &call(&machine, "2026-11-18T09:00:00Z", "t1", "Read", &a);
    fs::write(&path, &text).unwrap();
    assert_eq!(show(&machine, "user_a")["used"]["read"], 1);
    // What was read is not read again: were it counted anew, these bytes would be missing.
    text.push_str(&call(&machine, "2026-11-18T10:00:00Z", "t2", "Read", &a));
    fs::write(&path, &text).unwrap();
    assert_eq!(show(&machine, "user_a")["used"]["read"], 2);
    assert_eq!(show(&machine, "user_a")["used"]["read"], 2, "asking again counts nothing again");
    // Another program rewrote it: what it says now counts.
    fs::write(&path, prompt(&machine, "2026-11-18T09:00:00Z") + &" ".repeat(4_000) + "\n").unwrap();
    assert_eq!(show(&machine, "user_a")["used"]["read"], 0);
    fs::write(&path, &text).unwrap();
    assert_eq!(show(&machine, "user_a")["used"]["read"], 2);
    fs::remove_file(&path).unwrap();
    assert_eq!(show(&machine, "user_a")["used"]["read"], 2, "Claude Code sweeps its sessions after a month");
}

#[test]
fn a_damaged_record_is_made_anew() {
    let machine = machine();
    let folder = folder(&machine);
    let a = folder.join("memory/user_a.md");
    let text = prompt(&machine, "2026-11-18T09:00:00Z") + &call(&machine, "2026-11-18T09:00:00Z", "t1", "Read", &a);
    fs::write(folder.join("11111111-0000-4000-8000-000000000001.jsonl"), text).unwrap();
    assert_eq!(show(&machine, "user_a")["used"]["read"], 1);
    let record = fs::read_dir(machine.path("state/dreamtop/stores"))
        .unwrap()
        .flatten()
        .map(|dir| dir.path().join("recall-use.json"));
    let record = record.into_iter().find(|path| path.exists()).unwrap();
    for damage in [&b"{\"version\":1,\"transcripts\":{"[..], b"", b"{\"version\":99,\"transcripts\":{}}", b"\xFF\x00"] {
        fs::write(&record, damage).unwrap();
        assert_eq!(show(&machine, "user_a")["used"]["read"], 1);
    }
}

#[test]
fn never_recalled_is_said_after_twenty_sessions_since_the_claim_and_not_before() {
    let machine = machine();
    let folder = folder(&machine);
    let a = folder.join("memory/user_a.md");
    let write = |number: usize, text: &str| {
        let path = folder.join(format!("11111111-0000-4000-8000-{number:012}.jsonl"));
        fs::write(&path, text).unwrap();
        let at = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_792_000_000);
        fs::File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
    };
    for number in 0..19 {
        write(number, &prompt(&machine, "2026-10-10T09:00:00Z"));
    }
    // A program's session is nobody's.
    write(
        90,
        &line(
            &machine,
            "2026-10-10T09:00:00Z",
            json!({"type": "user", "entrypoint": "sdk-cli", "uuid": "x", "message": {"role": "user", "content": "x"}}),
        ),
    );
    assert_eq!(never_recalled(&machine), [] as [&str; 0]);
    let last = prompt(&machine, "2026-10-10T09:00:00Z") + &call(&machine, "2026-10-10T09:00:00Z", "t1", "Read", &a);
    write(19, &last);
    assert_eq!(never_recalled(&machine), ["user_b.md"], "one was read, one is younger than all sessions");
}
