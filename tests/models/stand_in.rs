//! A stand-in for the command `claude`: a shell script that says what a test tells it to, and notes what it was told.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::bench::{Bench, topic};

/// Every stand-in notes what it was told, in the directory of its own, and finds the working copy in its permissions.
pub const BEGIN: &str = r#"#!/bin/sh
echo $$ > "$CLAUDE_CONFIG_DIR/pid"
printf '%s\n' "$@" > "$CLAUDE_CONFIG_DIR/arguments"
env > "$CLAUDE_CONFIG_DIR/environment"
cat > "$CLAUDE_CONFIG_DIR/task"
copy=$(sed -n 's|^Edit(/\(/.*\)/\*\*)$|\1|p' "$CLAUDE_CONFIG_DIR/arguments" | head -n 1)
say() { printf '%s\n' "$1"; }
say '{"type":"system","subtype":"init","claude_code_version":"2.9.9","model":"stand-in","tools":["Read"]}'
"#;

/// A session of a project says something, as sessions write it.
pub const GOES_ON: &str = r#"mkdir -p "$CLAUDE_CONFIG_DIR/projects/-work-other"
printf '{"type":"user","sessionId":"s","timestamp":"%s","message":{"role":"user","content":"hm"}}\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >> "$CLAUDE_CONFIG_DIR/projects/-work-other/s.jsonl"
"#;

pub const SAID: &str =
    "No, please never mock the database in integration tests, we got burned last quarter. That is a fact.";

pub fn bench(script: &str) -> Bench {
    let bench = Bench::new("claude", "http://127.0.0.1:1");
    fs::create_dir_all(bench.machine.path("claude")).unwrap();
    fs::create_dir_all(bench.machine.path("home")).unwrap();
    stand_in(&bench, &format!("{BEGIN}{script}"));
    bench.session("s-0001", &[SAID]);
    bench
}

pub fn stand_in(bench: &Bench, script: &str) {
    let path = bench.machine.write("bin/claude", script);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    configure(bench, "models: { claude: { idle_seconds: 60 } }\n");
}

pub fn configure(bench: &Bench, more: &str) {
    let program = bench.machine.path("bin/claude");
    bench.machine.write("config/dreamtop/config.yaml", format!("claude_command: {}\n{more}", program.display()));
}

pub fn told(bench: &Bench, what: &str) -> String {
    fs::read_to_string(bench.machine.path("claude").join(what)).unwrap_or_default()
}

/// The journal of a run, as a text.
pub fn journal(bench: &Bench, run: &Value) -> String {
    let file = format!("state/dreamtop/runs/{}.jsonl", run["run"].as_str().unwrap());
    fs::read_to_string(bench.machine.path(&file)).unwrap()
}

pub fn told_arguments(bench: &Bench) -> Vec<String> {
    told(bench, "arguments").lines().map(str::to_owned).collect()
}

pub fn has_walls(bench: &Bench) -> bool {
    !bench.notices().iter().any(|notice| notice.contains("only claude's own permissions"))
}

/// A line of the stream.
pub fn line(event: &Value) -> String {
    format!("say '{}'\n", event.to_string().replace('\'', "'\\''"))
}

pub fn says(id: &str, text: &str) -> String {
    let usage = json!({ "input_tokens": 100, "output_tokens": 1, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 50 });
    line(
        &json!({ "type": "assistant", "message": { "id": id, "content": [{ "type": "text", "text": text }], "usage": usage } }),
    )
}

/// A call and its answer.
pub fn calls(id: &str, name: &str, input: &Value, answer: &str, is_error: bool) -> String {
    let call = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
    let result = json!({ "type": "tool_result", "tool_use_id": id, "content": answer, "is_error": is_error });
    line(&json!({ "type": "assistant", "message": { "id": id, "content": [call] } }))
        + &line(&json!({ "type": "user", "message": { "content": [result] } }))
}

pub fn result(subtype: &str, is_error: bool, text: &str) -> String {
    line(&json!({ "type": "result", "subtype": subtype, "is_error": is_error, "result": text, "total_cost_usd": 0.0421,
        "usage": { "input_tokens": 100, "output_tokens": 40, "cache_read_input_tokens": 900, "cache_creation_input_tokens": 50 } }))
}

pub fn write(file: &str, content: &str) -> String {
    format!("mkdir -p \"$(dirname \"$copy/{file}\")\"\ncat > \"$copy/{file}\" <<'END'\n{content}END\n")
}

/// A session where the command finds it, with an answer that says how much it holds.
pub fn held_session(bench: &Bench, tokens: u64) -> PathBuf {
    let cwd = bench.machine.path("work");
    fs::create_dir_all(&cwd).unwrap();
    let folder = format!("claude/projects/{}", dreamtop::project::slug(cwd.to_str().unwrap()));
    let said = json!({ "type": "user", "uuid": "u1", "sessionId": "s-0002", "cwd": cwd, "entrypoint": "cli", "isSidechain": false,
        "timestamp": "2026-11-30T08:00:00Z", "message": { "role": "user", "content": SAID } });
    let answered = json!({ "type": "assistant", "uuid": "u2", "sessionId": "s-0002", "cwd": cwd, "isSidechain": false,
        "timestamp": "2026-11-30T08:01:00Z", "message": { "role": "assistant", "model": "the-model", "content": [],
        "usage": { "input_tokens": 10, "cache_read_input_tokens": tokens, "output_tokens": 5 } } });
    bench.machine.write(&format!("{folder}/s-0002.jsonl"), format!("{said}\n{answered}\n"))
}

/// A memory that is written by a tool, as the command tells of it.
pub fn written() -> String {
    write("project_new.md", &topic("n", "project", "a fact", "A fact that holds."))
        + &calls("t1", "Write", &json!({ "file_path": "/x/project_new.md" }), "File created", false)
        + &declares("project_new.md", "s-0001", "that is a fact")
}

/// What the command says at its end about a file that it wrote.
pub fn declares(file: &str, session: &str, quote: &str) -> String {
    let declared = json!({ "changes": [{ "file": file, "reason": "it was said",
        "sources": [{ "session": session, "line": 1, "quote": quote }] }] });
    let text = format!("Stored one fact.\n\n```json\n{declared}\n```");
    line(&json!({ "type": "assistant", "message": { "id": "m9", "content": [{ "type": "text", "text": text }] } }))
}
