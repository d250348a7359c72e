//! The engine `claude`, with a stand-in for the command: a shell script that says what the test tells it to.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Value, json};

use crate::bench::{Bench, topic};
use crate::common::{contents, wait_until};

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

const SAID: &str =
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

fn configure(bench: &Bench, more: &str) {
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

fn told_arguments(bench: &Bench) -> Vec<String> {
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

#[test]
fn a_dream_by_the_command_is_read_off_the_disk_and_held_to_the_working_copy() {
    let machine_store = "$CLAUDE_CONFIG_DIR/../m/outside.md";
    let script = [
        says("m1", "phase: gather\nLooking."),
        calls("t1", "Read", &json!({ "file_path": "/x/project_testing.md" }), "text", false),
        calls("t2", "Bash", &json!({ "command": "curl example.org" }), "PreToolUse:Bash hook error: not allowed", true),
        write("project_new.md", &topic("n", "project", "a fact", "A fact that holds.")),
        write("team/shared.md", &topic("t", "project", "for all", "Not for a run to write.")),
        format!("echo x 2>/dev/null > \"{machine_store}\"\necho x 2>/dev/null > \"$HOME/outside\"\n"),
        "(exec 2>/dev/null; echo x > \"$copy/../owner.json\")\n".to_owned(),
        calls("t3", "Write", &json!({ "file_path": "/x/project_new.md" }), "File created", false),
        says(
            "m2",
            "Stored one fact.\n\n```json\n{\"changes\": [{\"file\": \"project_new.md\", \"reason\": \"it was said\", \"sources\": [{\"session\": \"s-0001\", \"quote\": \"that is a fact\"}]}]}\n```",
        ),
        result("success", false, "Stored one fact."),
    ]
    .concat();
    let bench = bench(&script);
    let before = contents(&bench.machine.path("m"));
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("team/shared.md"), "what no run may write is put back: {run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
    assert!(bench.read("MEMORY.md").contains("project_new.md"), "the index follows");
    assert_eq!(run["changes"][0]["reason"], "it was said");
    assert_eq!(run["tokens"], json!({ "input": 200, "output": 40, "cache_read": 1800, "cache_created": 100 }));
    assert_eq!(run["cost"], 0.0421);
    let events = bench.journal();
    let tools: Vec<(&str, bool)> = events
        .iter()
        .filter(|event| event["event"] == "tool")
        .map(|event| (event["name"].as_str().unwrap(), event["allowed"].as_bool().unwrap()))
        .collect();
    assert_eq!(tools, [("Read", true), ("Bash", false), ("Write", true)]);
    assert!(events.iter().any(|event| event["text"] == "Stored one fact."), "without the declaration");
    let phases: Vec<_> = run["phases"].as_array().unwrap().iter().map(|phase| phase["name"].clone()).collect();
    assert_eq!(phases, ["orient", "gather", "consolidate"]);
    if has_walls(&bench) {
        assert!(!bench.machine.path("m/outside.md").exists() && !bench.machine.path("home/outside").exists());
    }
    assert!(!bench.machine.path("m/team").exists());
    let arguments = told_arguments(&bench);
    for flag in
        ["-p", "--no-session-persistence", "--strict-mcp-config", "--system-prompt", "Read,Grep,Glob,Edit,Write"]
    {
        assert!(arguments.iter().any(|argument| argument == flag), "{flag}: {arguments:?}");
    }
    assert!(!arguments.iter().any(|argument| argument == "--resume"));
    let environment = told(&bench, "environment");
    assert!(environment.contains("DREAMTOP_CHILD=1") && environment.contains("CLAUDE_CODE_DISABLE_AUTO_MEMORY=1"));
    assert!(told(&bench, "task").contains("session s-0001"));
    let (code, _) = bench.run(&["undo", run["run"].as_str().unwrap()]);
    assert_eq!((code, contents(&bench.machine.path("m"))), (0, before));
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

#[test]
fn an_extraction_forks_its_session_with_the_model_and_tools_it_has_and_gives_evidence() {
    let declared = json!({ "changes": [
        { "file": "feedback_no_mocks.md", "reason": "the developer corrected the agent",
          "sources": [{ "session": "s-0002", "line": 1, "quote": "please never mock the database in integration tests" }] },
        { "file": "project_testing.md", "delete": true, "reason": "said better now" },
    ] });
    let script = [
        write(
            "feedback_no_mocks.md",
            &topic("no-mocks", "feedback", "no mocks", "Integration tests never mock the database."),
        ),
        calls("t1", "Write", &json!({ "file_path": "/x/feedback_no_mocks.md" }), "File created", false),
        says("m1", &format!("Stored one rule.\n```json\n{declared}\n```")),
        result("success", false, "Stored one rule."),
    ]
    .concat();
    let bench = bench(&script);
    let transcript = held_session(&bench, 50_000);
    let transcript = transcript.to_str().unwrap();
    let (_, run) = bench.run(&["extract", "--transcript", transcript]);
    assert!(matches!(run["outcome"].as_str(), Some("done" | "partial")), "{run:#}");
    let arguments = told_arguments(&bench);
    let after = |flag: &str| arguments.iter().skip_while(|argument| *argument != flag).nth(1).cloned();
    assert_eq!(after("--resume").as_deref(), Some("s-0002"), "{arguments:?}");
    assert_eq!((after("--model").as_deref(), after("--max-turns").as_deref()), (Some("the-model"), Some("5")));
    assert!(arguments.iter().any(|argument| argument == "--fork-session"));
    for flag in ["--system-prompt", "--tools", "Grep"] {
        assert!(
            !arguments.iter().any(|argument| argument == flag),
            "{flag} would cost the prompt cache: {arguments:?}"
        );
    }
    let environment = told(&bench, "environment");
    assert!(environment.contains("DREAMTOP_CHILD=1") && !environment.contains("DISABLE_AUTO_MEMORY"));
    let task = told(&bench, "task");
    assert!(task.contains("five turns") && task.contains(SAID) && task.contains("nothing to remember"), "{task}");
    let written = bench.read("feedback_no_mocks.md");
    assert!(written.contains("Source: session s-0002, line 1, 2026-11-30: \"please never mock"), "{written}");
    let removed = run["changes"].as_array().unwrap().iter().chain(run["held"].as_array().unwrap());
    assert!(removed.into_iter().any(|change| change["file"] == "project_testing.md"), "{run:#}");

    // With a CLAUDE.md a conversation is in no cache: a long one is not sent again.
    bench.machine.write("work/CLAUDE.md", "Be nice.\n");
    let (_, run) = bench.run(&["extract", "--again", "--transcript", transcript]);
    assert!(!told_arguments(&bench).iter().any(|argument| argument == "--resume"), "{run:#}");
    assert!(journal(&bench, &run).contains("50,015 tokens"), "{}", journal(&bench, &run));
}

#[test]
fn a_killed_run_leaves_no_process_of_the_command_and_changed_nothing() {
    let script = "sleep 300 &\necho $! > \"$CLAUDE_CONFIG_DIR/below\"\necho x > \"$copy/half.md\"\nwait\n";
    for signal in ["-TERM", "-KILL"] {
        let bench = bench(script);
        let before = contents(&bench.machine.path("m"));
        let mut child = bench.start(&["dream", "--force"]);
        let pid = |file: &str| told(&bench, file).trim().parse::<u32>().ok();
        wait_until("the command is at work", || pid("pid").is_some() && pid("below").is_some());
        let started = Instant::now();
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        if signal == "-KILL" {
            // Whoever comes next cleans up.
            bench.run(&["doctor", "--fix"]);
        }
        let is_gone = |file: &str| pid(file).is_none_or(|pid| !dreamtop::process::is_alive(pid));
        wait_until("the command and what it started are gone", || is_gone("pid") && is_gone("below"));
        eprintln!("claude, {signal}: from the signal to the end of all processes: {:?}", started.elapsed());
        assert_eq!(bench.journal().pop().unwrap()["outcome"], "killed");
        assert_eq!(contents(&bench.machine.path("m")), before);
    }
}

#[test]
fn fc_121_what_goes_wrong_with_the_command_is_said_in_words_and_changes_nothing() {
    let limit = "Claude AI usage limit reached|1796040000";
    for (script, words) in [
        (result("success", true, "Not logged in · Please run /login"), "the credentials are not accepted; claude"),
        (result("success", true, "Not logged in · Please run /login"), "start `claude` in a terminal and enter /login"),
        (
            result("success", true, limit),
            "paused until 2026-11-30 12:00: claude refuses: \"claude: Claude AI usage limit reached",
        ),
        (says("m1", limit) + &result("success", true, limit), "paused until 2026-11-30 12:00"),
        (result("success", true, "API Error: 500 oops"), "claude: API Error: 500 oops"),
        ("exec >&-\necho 'error: unknown option --fork-session' >&2\nexit 1\n".to_owned(), "too old"),
        ("echo 'Segmentation fault' >&2\nexit 139\n".to_owned(), "ended with exit code 139: Segmentation fault"),
        ("exit 0\n".to_owned(), "said nothing"),
        ("for i in 1 2 3; do echo '<html>'; done\nexit 0\n".to_owned(), "no event of its own (\"<html>\")"),
        ("while :; do echo '<html>'; done\n".to_owned(), "no event of its own"),
        (says("m1", "All your memories look great!") + &result("success", false, ""), "used no tool"),
        (written() + "exit 0\n", "ended with exit code 0 in the middle of its work, without a result"),
    ] {
        let bench = bench(&script);
        let before = contents(&bench.machine.path("m"));
        let (code, run) = bench.dream();
        let reason = run["reason"].as_str().unwrap();
        assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{script}: {run:#}");
        assert!(reason.contains(words) && reason.lines().count() == 1, "{words}: {reason}");
        assert_eq!(contents(&bench.machine.path("m")), before);
    }
}

#[test]
fn a_later_part_that_fails_leaves_nothing_of_what_it_half_wrote() {
    let memory = |name: &str| topic(name, "project", "a fact", &format!("A fact that is {name}."));
    let script = [
        "n=$(($(cat \"$CLAUDE_CONFIG_DIR/asked\" 2>/dev/null || echo 0) + 1))\necho $n > \"$CLAUDE_CONFIG_DIR/asked\"\n",
        "if [ $n = 2 ]; then\n",
        &write("team/x.md", &memory("for-all")),
        &write("project_half.md", &memory("half")),
        "rm \"$copy/project_testing.md\"\necho '- [Half](project_half.md): half' >> \"$copy/MEMORY.md\"\n",
        "echo 'it broke' >&2\nexit 1\nfi\n",
        &write("project_whole.md", &memory("whole")),
        &calls("t1", "Write", &json!({ "file_path": "/x/project_whole.md" }), "File created", false),
        &declares("project_whole.md", "s-0001", "that is a fact"),
        &result("success", false, "Stored one fact."),
    ]
    .concat();
    let bench = bench(&script);
    let turns: Vec<String> =
        (0..25).map(|turn| format!("turn {turn}: that is a fact. {}", "we talk of the weather ".repeat(100))).collect();
    bench.session("s-0001", &turns.iter().map(String::as_str).collect::<Vec<_>>());
    let testing = bench.read("project_testing.md");
    let (code, run) = bench.extract("s-0001");
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.contains("1 of ") && reason.contains("it broke") && reason.contains("goes on there"), "{reason}");
    assert_eq!(told(&bench, "asked").trim(), "2");
    assert!(bench.read("project_whole.md").contains("A fact that is whole."));
    assert_eq!((bench.read("project_half.md").as_str(), bench.machine.path("m/team").exists()), ("", false));
    assert!(!testing.is_empty() && bench.read("project_testing.md") == testing);
    let index = bench.read("MEMORY.md");
    assert!(index.contains("project_whole.md") && !index.contains("project_half.md"), "{index}");
}

#[test]
fn a_command_that_says_nothing_is_ended_after_the_time_that_is_set() {
    let bench = bench("sleep 300\n");
    configure(&bench, "models: { claude: { idle_seconds: 1 } }\n");
    let (code, run) = bench.extract("s-0001");
    assert_eq!(code, 5, "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("silent for 1 s"), "{run:#}");
    // On a machine that is busy it may be ended before its first line.
    let pid = told(&bench, "pid").trim().parse().ok();
    wait_until("it is gone", || pid.is_none_or(|pid| !dreamtop::process::is_alive(pid)));
}

/// A memory that is written by a tool, as the command tells of it.
pub fn written() -> String {
    write("project_new.md", &topic("n", "project", "a fact", "A fact that holds."))
        + &calls("t1", "Write", &json!({ "file_path": "/x/project_new.md" }), "File created", false)
        + &declares("project_new.md", "s-0001", "that is a fact")
}

/// What the command says at its end about a file that it wrote.
fn declares(file: &str, session: &str, quote: &str) -> String {
    let declared = json!({ "changes": [{ "file": file, "reason": "it was said",
        "sources": [{ "session": session, "line": 1, "quote": quote }] }] });
    let text = format!("Stored one fact.\n\n```json\n{declared}\n```");
    line(&json!({ "type": "assistant", "message": { "id": "m9", "content": [{ "type": "text", "text": text }] } }))
}

#[test]
fn a_result_counts_although_something_in_the_background_holds_the_output() {
    let more = "echo $$ > \"$CLAUDE_CONFIG_DIR/pid\"\nsleep 300 &\necho $! > \"$CLAUDE_CONFIG_DIR/below\"\n";
    let bench = bench(&format!("{}{more}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
    for file in ["pid", "below"] {
        let pid = told(&bench, file).trim().parse().unwrap();
        wait_until("it is gone", || !dreamtop::process::is_alive(pid));
    }
}

/// A stand-in that leaves something behind in a session and a group of its own, which holds nothing of it.
const LEAVES: &str = "setsid sh -c 'echo $$ > \"$CLAUDE_CONFIG_DIR/stray\"; exec sleep 300' >/dev/null 2>&1 </dev/null &\nwhile [ ! -s \"$CLAUDE_CONFIG_DIR/stray\" ]; do sleep 0.01; done\n";

/// The same without anything of its environment, and with a parent that ends at once.
const LEAVES_BARE: &str = "(env -i /bin/sh -c \"PATH=$PATH; setsid sh -c 'echo \\$\\$ > $CLAUDE_CONFIG_DIR/stray; exec sleep 300' &\" >/dev/null 2>&1 </dev/null)\nwhile [ ! -s \"$CLAUDE_CONFIG_DIR/stray\" ]; do sleep 0.01; done\n";

#[cfg(target_os = "linux")]
#[test]
fn what_left_the_command_with_neither_its_group_nor_its_environment_ends_with_the_run() {
    let stray = |bench: &Bench| told(bench, "stray").trim().parse::<u32>().ok();
    let is_gone = |bench: &Bench| stray(bench).is_some_and(|pid| !dreamtop::process::is_alive(pid));
    let done = bench(&format!("{LEAVES_BARE}{}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = done.dream();
    assert_eq!(code, 0, "{run:#}");
    wait_until("no child outlives its run", || is_gone(&done));
    let killed = bench(&format!("{LEAVES_BARE}sleep 300\n"));
    let mut child = killed.start(&["dream", "--force"]);
    wait_until("what it leaves is there", || stray(&killed).is_some());
    std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
    wait_until("nor a killed one", || is_gone(&killed));
}

#[cfg(target_os = "linux")]
#[test]
fn what_left_the_commands_group_ends_with_the_run_however_it_ends() {
    let stray = |bench: &Bench| told(bench, "stray").trim().parse::<u32>().ok();
    let is_gone = |bench: &Bench| stray(bench).is_some_and(|pid| !dreamtop::process::is_alive(pid));
    let done = bench(&format!("{LEAVES}{}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = done.dream();
    assert_eq!(code, 0, "{run:#}");
    wait_until("what a run left is gone", || is_gone(&done));

    for signal in ["-TERM", "-KILL"] {
        let bench = bench(&format!("{LEAVES}sleep 300\n"));
        let mut child = bench.start(&["dream", "--force"]);
        wait_until("what it leaves is there", || stray(&bench).is_some());
        std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        if signal == "-KILL" {
            assert!(!is_gone(&bench), "nobody was left to end it");
            bench.run(&["doctor", "--fix"]);
        }
        wait_until(&format!("what a run killed with {signal} left is gone"), || is_gone(&bench));
    }
}

#[test]
fn a_run_whose_command_changes_stores_or_settings_fails_and_says_the_way_back() {
    let evil = "echo pwned >> \"$CLAUDE_CONFIG_DIR/projects/-work-other/memory/project_a.md\"\necho '{}' > \"$CLAUDE_CONFIG_DIR/settings.json\"\n";
    let bench = bench(&format!("{}{evil}{}", written(), result("success", false, "Stored one fact.")));
    let text = topic("a", "project", "a fact", "The other project's fact.");
    let other = bench.machine.write("claude/projects/-work-other/memory/project_a.md", &text);
    let before = contents(&bench.machine.path("m"));
    let (code, run) = bench.dream();
    let reason = run["reason"].as_str().unwrap();
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    assert!(reason.contains("-work-other/memory") && reason.contains("claude/settings.json"), "{reason}");
    assert_eq!(contents(&bench.machine.path("m")), before, "its work is dropped");
    let back = reason.split("undo ").nth(1).unwrap().split(')').next().unwrap();
    let dir = bench.machine.path("claude/projects/-work-other/memory");
    let answer = bench.machine.run(&["--memory-dir", dir.to_str().unwrap(), "undo", back]);
    assert_eq!((answer.code(), fs::read_to_string(&other).unwrap()), (0, text), "{}", answer.err());

    // A session that goes on writes into its own store: that is told, and no failure.
    let live = "echo x >> \"$CLAUDE_CONFIG_DIR/projects/-work-other/memory/project_a.md\"\n";
    stand_in(&bench, &format!("{BEGIN}{}{live}{GOES_ON}{}", written(), result("success", false, "Stored one fact.")));
    let (code, run) = bench.dream();
    assert_eq!(code, 0, "{run:#}");
    assert!(journal(&bench, &run).contains("-work-other/memory"), "{}", journal(&bench, &run));
}

/// What a person has in Claude Code's directory, a part of it in a directory of their own that is linked.
pub fn furnish(bench: &Bench) {
    for (file, text) in [
        ("settings.json", "{ \"model\": \"opus\" }\n"),
        ("CLAUDE.md", "Be brief.\n"),
        ("rules/tone.md", "Be kind.\n"),
        ("agents/reviewer.md", "You review.\n"),
        ("plugins/installed_plugins.json", "{}\n"),
        (".claude.json", "{\n  \"mcpServers\": { \"docs\": { \"command\": \"docs\" } },\n  \"n\": 1\n}\n"),
    ] {
        bench.machine.write(&format!("claude/{file}"), text);
    }
    fs::set_permissions(bench.machine.path("claude/agents/reviewer.md"), fs::Permissions::from_mode(0o600)).unwrap();
    let skill = bench.machine.write("claude/own/skills/mine/SKILL.md", "Mine.\n");
    let skills = skill.parent().unwrap().parent().unwrap();
    std::os::unix::fs::symlink(skills, bench.machine.path("claude/skills")).unwrap();
}

/// Everything there but what the stand-in notes, and what a file of links leads to.
fn furniture(bench: &Bench) -> Vec<(PathBuf, Vec<u8>)> {
    let notes = ["pid", "arguments", "environment", "task", "own/tone/tone.md"];
    let all = contents(&bench.machine.path("claude")).into_iter();
    all.filter(|(path, _)| !notes.iter().any(|note| path.ends_with(note))).collect()
}

/// It writes wherever sessions look for what to do.
const STRAYS: &str = r#"cd "$CLAUDE_CONFIG_DIR"
mkdir -p commands/deep skills/evil plugins/cache/evil
for file in commands/deep/evil.md agents/evil.md rules/evil.md skills/evil/SKILL.md plugins/cache/evil/run.sh statusline.sh; do echo pwned > $file; done
echo '{"hooks":{}}' > settings.json
echo pwned >> CLAUDE.md
rm rules/tone.md
echo pwned > skills/mine/SKILL.md
chmod 777 agents/reviewer.md
echo '{"plugins":{"evil":1}}' > plugins/installed_plugins.json
rm skills; mkdir -p skills/evil; echo pwned > skills/evil/SKILL.md
mkdir own/tone; echo 'Be kind.' > own/tone/tone.md; rm -r rules; ln -s own/tone rules
printf '{\n  "mcpServers": { "docs": { "command": "docs" }, "evil": { "command": "sh" } },\n  "n": 2\n}\n' > .claude.json
"#;

#[test]
fn what_the_command_changes_of_settings_instructions_and_programs_is_given_back_and_kept() {
    let bench = bench(&format!("{}{STRAYS}{}", written(), result("success", false, "Stored one fact.")));
    furnish(&bench);
    let (store, before) = (contents(&bench.machine.path("m")), furniture(&bench));
    let (code, run) = bench.dream();
    let reason = run["reason"].as_str().unwrap();
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    assert!(reason.contains("given back as it was") && !reason.contains("cannot"), "{reason}");
    assert!(reason.contains("mcpServers in ") && reason.contains(" more file"), "{reason}");
    assert_eq!(contents(&bench.machine.path("m")), store, "its work is dropped");
    let after: Vec<_> = furniture(&bench)
        .into_iter()
        .map(|(path, bytes)| {
            // What Claude Code writes there all the time is left.
            let text = String::from_utf8(bytes).unwrap();
            (path, text.replace("\"n\": 2", "\"n\": 1"))
        })
        .collect();
    let plain = |all: Vec<(PathBuf, Vec<u8>)>| -> Vec<_> {
        all.into_iter().map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap())).collect()
    };
    let spaceless = |all: Vec<(PathBuf, String)>| -> Vec<_> {
        let is_json = |path: &PathBuf| path.ends_with(".claude.json");
        all.into_iter()
            .map(|(path, text)| if is_json(&path) { (path, text.split_whitespace().collect()) } else { (path, text) })
            .collect()
    };
    assert_eq!(spaceless(after), spaceless(plain(before)));
    let mode = fs::metadata(bench.machine.path("claude/agents/reviewer.md")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(bench.machine.path("claude/skills").is_symlink() && !bench.machine.path("claude/commands").exists());
    // What it wrote can be looked at, and what was there before too.
    let kept = bench.machine.path("state/dreamtop/strayed").join(run["run"].as_str().unwrap());
    assert!(reason.contains(kept.to_str().unwrap()), "{reason}");
    for (file, text) in [
        ("after/settings.json", "hooks"),
        ("before/settings.json", "opus"),
        ("after/commands/deep/evil.md", "pwned"),
        ("before/rules/tone.md", "kind"),
        ("after/registered.json", "evil"),
    ] {
        assert!(fs::read_to_string(kept.join(file)).unwrap_or_default().contains(text), "{file}");
    }
}

#[test]
fn what_a_session_may_have_changed_stays_and_what_was_there_before_is_named() {
    let edits = "echo '{ \"model\": \"haiku\" }' > \"$CLAUDE_CONFIG_DIR/settings.json\"\nmkdir -p \"$CLAUDE_CONFIG_DIR/plugins/marketplaces/x\"\necho new > \"$CLAUDE_CONFIG_DIR/plugins/marketplaces/x/plugin.json\"\n";
    let bench = bench(&format!("{}{GOES_ON}{edits}{}", written(), result("success", false, "Stored one fact.")));
    furnish(&bench);
    bench.machine.write("claude/projects/-work-other/memory/a.md", "A.\n");
    let (code, run) = bench.dream();
    let reason = run["reason"].as_str().unwrap();
    assert_eq!(code, 5, "{run:#}");
    assert!(reason.contains("settings.json (left as it is, because a session went on"), "{reason}");
    assert!(!reason.contains("marketplaces"), "{reason}");
    assert!(
        bench.notices().iter().any(|notice| notice.contains("marketplaces/x/plugin.json")),
        "{:?}",
        bench.notices()
    );
    assert!(told(&bench, "settings.json").contains("haiku"), "it may be the person's");
    let kept = bench.machine.path("state/dreamtop/strayed").join(run["run"].as_str().unwrap());
    assert!(fs::read_to_string(kept.join("before/settings.json")).unwrap().contains("opus"));
    assert!(reason.contains(kept.join("before").to_str().unwrap()), "{reason}");
}

#[test]
fn what_claude_code_renews_by_itself_is_no_failure() {
    let renews = "mkdir -p \"$CLAUDE_CONFIG_DIR/plugins\" \"$CLAUDE_CONFIG_DIR/statsig\"\necho '{}' > \"$CLAUDE_CONFIG_DIR/plugins/known_marketplaces.json\"\necho x > \"$CLAUDE_CONFIG_DIR/statsig/cache\"\necho x > \"$CLAUDE_CONFIG_DIR/.credentials.json\"\n";
    let bench = bench(&format!("{}{renews}{}", written(), result("success", false, "Stored one fact.")));
    furnish(&bench);
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
}

#[test]
fn a_value_that_changes_waits_whatever_the_reason_and_lands_with_what_was_said() {
    let edit = "sed -i 's/real database/fake database/; s/8080/9090/' \"$copy/project_port.md\"\n";
    let call = calls("t1", "Edit", &json!({ "file_path": "/x/project_port.md" }), "File changed", false);
    let why = json!({ "changes": [{ "file": "project_port.md", "reason": "the developer moved the port" }] });
    let mut said = why.clone();
    said["changes"][0]["sources"] = json!([{ "session": "s-0003", "quote": "let the api listen on 9090" }]);
    for (words, lands) in [
        ("Improved it.".to_owned(), false),
        (format!("Moved.\n```json\n{why}\n```"), false),
        (format!("Moved.\n```json\n{said}\n```"), true),
    ] {
        let bench = bench(&format!("{edit}{call}{}{}", says("m1", &words), result("success", false, &words)));
        bench.memory("project_port.md", "port", "project", "where it listens", "The api listens on 8080.");
        bench.session("s-0003", &["From now on let the api listen on 9090, please."]);
        let (_, run) = bench.dream();
        assert_eq!(bench.read("project_port.md").contains("9090"), lands, "{run:#}");
        assert_eq!(run["held"].as_array().is_some_and(|held| !held.is_empty()), !lands, "{run:#}");
        assert!(lands || run["held"].to_string().contains("9090"), "{run:#}");
    }
}

#[test]
fn a_command_that_may_not_be_executed_is_named_so() {
    let bench = bench("exit 0\n");
    fs::set_permissions(bench.machine.path("bin/claude"), fs::Permissions::from_mode(0o644)).unwrap();
    let answer = bench.machine.run(&bench.arguments(&["dream", "--force"]));
    assert_eq!(answer.code(), 2, "{}", answer.err());
    assert!(answer.err().contains("bin/claude (claude_command) may not be executed; chmod +x"), "{}", answer.err());
}

#[test]
fn out_of_turns_is_partial_and_out_of_money_fails() {
    let written = written();
    let turns = bench(&format!("{written}{}", result("error_max_turns", true, "")));
    let (code, run) = turns.extract("s-0001");
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("after 5 turns"), "{run:#}");
    // A dream has no such limit of ours.
    let dreams = bench(&format!("{written}{}", result("error_max_turns", true, "")));
    let (code, run) = dreams.dream();
    assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("claude ended it after 2 turns by a limit of its own"), "{run:#}");
    let money = bench(&format!("{written}{}", result("error_max_budget_usd", true, "")));
    configure(&money, "dream: { budget: { usd: 0.5 } }\n");
    let (code, run) = money.dream();
    assert_eq!(code, 5, "{run:#}");
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.contains("the budget is used up") && reason.contains("budget.usd"), "{reason}");
    assert!(told_arguments(&money).windows(2).any(|pair| pair == ["--max-budget-usd", "0.5"]));
}

#[test]
fn doctor_proves_the_command_with_one_call_and_says_what_it_cost() {
    let script = calls("t1", "Glob", &json!({ "pattern": "*.md" }), "No files found", false)
        + &result("success", false, "There are none.");
    let bench = bench(&script);
    let check = |name: &str| {
        let (_, doctor) = bench.run(&["doctor", "--engine-call"]);
        doctor["checks"].as_array().unwrap().iter().find(|check| check["check"] == name).cloned().unwrap_or_default()
    };
    let engine = check("engine");
    assert!(engine["message"].as_str().unwrap().contains("bin/claude"), "{engine}");
    let proved = check("engine-call");
    assert!(proved["level"] == "ok" && proved["message"].as_str().unwrap().contains("it cost 0.0421"), "{proved}");
    fs::remove_file(bench.machine.path("bin/claude")).unwrap();
    let gone = check("engine");
    assert!(gone["level"] == "fail" && gone["message"].as_str().unwrap().contains("claude_command"), "{gone}");
    let answer = bench.machine.run(&bench.arguments(&["dream", "--force"]));
    assert_eq!(answer.code(), 2, "{}", answer.err());
}

#[test]
fn the_command_selects_memories_too() {
    let bench = bench(&(says("m1", "{\"selected\": [\"project_testing.md\"]}") + &result("success", false, "")));
    let (code, answer) = bench.run(&["recall", "how do we test against the database?"]);
    assert_eq!((code, answer["selector"].as_str()), (0, Some("claude")), "{answer:#}");
    assert_eq!(answer["memories"][0]["file"], "project_testing.md");
}
