//! FC-092 at every way in: whatever brings a credential, no file of ours holds it afterwards.

use std::fs;

use serde_json::json;

use crate::common::{Machine, contents};
use crate::corpus::Dice;

const TOPIC: &str =
    "---\nname: gate\ndescription: one fact\nmetadata:\n  type: project\n---\n\nThe gate opens at nine.\n";

/// One of each kind, drawn now: its name, the text that holds it, and the part that must be nowhere.
fn credentials() -> Vec<(&'static str, String, String)> {
    let mut dice = Dice::new(92);
    let lines: Vec<String> = (0..6).map(|_| dice.form("{b64:64}")).collect();
    let block = format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", lines.join("\n"));
    let mut kinds = vec![("block", block, lines[3].clone())];
    for (kind, form, text) in [
        ("cloud key", "AK~IA{b32:16}", "$"),
        ("token", "gh~p_{b62:36}", "$"),
        ("web token", "ey~J{b62:34}.ey~J{b62:60}.{url:43}", "$"),
        ("address", "{b62:9}4{b62:9}", "postgres://app:$@db.internal:5432/main"),
        ("assignment", "{b62:5}7{sp:1}{b62:8}", "DB_PASSWORD=$"),
    ] {
        let secret = dice.form(form);
        kinds.push((kind, text.replace('$', &secret), secret));
    }
    kinds
}

fn assert_clean(machine: &Machine, dirs: &[&str], secret: &str, how: &str) {
    for dir in dirs {
        for (path, bytes) in contents(&machine.path(dir)) {
            let holds = memchr::memmem::find(&bytes, secret.as_bytes()).is_some();
            assert!(!holds && !path.to_string_lossy().contains(secret), "{how}: {}", path.display());
        }
    }
}

fn machine() -> Machine {
    let machine = Machine::new();
    machine.write("m/MEMORY.md", "# Memory Index\n\n- [gate](project_gate.md) — one fact\n");
    machine.write("m/project_gate.md", TOPIC);
    machine
}

fn run(machine: &Machine, arguments: &[&str], secret: &str, how: &str) -> i32 {
    let mut all = vec!["--memory-dir", "m", "--sessions", "s"];
    all.extend(arguments);
    let answer = machine.run(&all);
    for text in [answer.out(), answer.err()] {
        let line = text.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{how}: {arguments:?} says it");
    }
    answer.code()
}

#[test]
fn fc_092_what_a_session_or_an_engine_says_is_in_no_file_we_write() {
    for (kind, text, secret) in credentials() {
        let machine = machine();
        let says = |role: &str, uuid: &str, content: serde_json::Value| json!({ "type": role, "uuid": uuid, "sessionId": "s1", "cwd": "/srv/app", "timestamp": "2026-11-29T10:00:00Z", "message": { "role": role, "content": content } });
        let session = [
            says("user", "1", json!(format!("Remember: the staging login is {text} and Ann owns it."))),
            says("user", "2", json!(format!("From now on always use {text} for deploys."))),
            says(
                "assistant",
                "3",
                json!([{ "type": "text", "text": text }, { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": text } }]),
            ),
            says("user", "4", json!([{ "type": "tool_result", "tool_use_id": "t", "content": text }])),
        ];
        machine.write("s/s1.jsonl", session.map(|line| line.to_string()).join("\n") + "\n");
        run(&machine, &["--json", "extract", "--transcript", "s/s1.jsonl"], &secret, kind);
        run(&machine, &["--json", "dream", "--force"], &secret, kind);
        let topic = |body: &str| TOPIC.replace("The gate opens at nine.", body);
        let sources = json!([{ "session": format!("s1 {text}"), "line": 1, "quote": text }]);
        // A line of a block in a name is only letters: no scanner tells it.
        let name = if ["cloud key", "token"].contains(&kind) {
            format!("project_{secret}.md")
        } else {
            "project_x.md".to_owned()
        };
        let script = [
            json!({ "text": format!("I found {text}") }),
            json!({ "tool": "Grep", "input": { "pattern": text } }),
            json!({ "tool": "Bash", "input": { "command": format!("grep -r '{text}' .") } }),
            json!({ "tool": "Read", "input": { "file_path": text } }),
            json!({ "tool": "Write", "input": { "file_path": "project_body.md", "content": topic(&text) } }),
            json!({ "tool": "Write", "input": { "file_path": "project_description.md", "content": TOPIC.replace("one fact", &format!("\"{}\"", text.replace('\n', " "))) } }),
            json!({ "tool": "Write", "input": { "file_path": name, "content": TOPIC } }),
            json!({ "tool": "Write", "input": { "file_path": "MEMORY.md", "content": format!("# Memory Index\n\n- [gate](project_gate.md) — {text}\n") } }),
            json!({ "tool": "Write", "input": { "file_path": "project_fine.md", "content": topic("The dock closes at six.") } }),
            json!({ "rationale": { "file": "project_fine.md", "reason": text, "sources": sources } }),
            json!({ "error": format!("the provider said {text}") }),
        ];
        for length in [script.len() - 1, script.len()] {
            let lines: Vec<String> = script[..length].iter().map(ToString::to_string).collect();
            machine.write("script.jsonl", lines.join("\n"));
            let engine = ["--engine", "script:script.jsonl"];
            run(&machine, &[&engine[..], &["dream", "--force"]].concat(), &secret, kind);
            run(
                &machine,
                &[&engine[..], &["extract", "--transcript", "s/s1.jsonl", "--again"]].concat(),
                &secret,
                kind,
            );
        }
        for command in
            [&["runs"][..], &["history"], &["inbox"], &["check"], &["gates"], &["--json", "runs"], &["--json", "inbox"]]
        {
            run(&machine, command, &secret, kind);
        }
        assert_clean(&machine, &["m", "state"], &secret, kind);
    }
}

#[test]
fn fc_092_what_other_programs_leave_in_a_store_is_found_and_copied_nowhere() {
    for (kind, text, secret) in credentials() {
        let machine = machine();
        run(&machine, &["ls"], &secret, kind);
        machine.write("m/project_body.md", TOPIC.replace("The gate opens at nine.", &text));
        machine.write("m/project_cited.md", TOPIC.replace("one fact", &format!("\"{}\"", text.replace('\n', " "))));
        machine.write(
            "m/MEMORY.md",
            format!("# Memory Index\n\n- [gate](project_gate.md) — one fact\n- [gone](gone.md) — {text}\n"),
        );
        let is_name = ["cloud key", "token"].contains(&kind);
        if is_name {
            machine.write(&format!("m/project_{secret}.md"), TOPIC);
        }
        for arguments in [&["check"][..], &["--json", "check"], &["history"], &["--json", "history"]] {
            run(&machine, arguments, &secret, kind);
        }
        let findings = machine.run(&["--memory-dir", "m", "--json", "check"]).json();
        let found: Vec<_> =
            findings["findings"].as_array().expect("findings").iter().filter(|one| one["code"] == "secret").collect();
        assert_eq!(found.len(), if is_name { 4 } else { 3 }, "{kind}: {found:#?}");
        for finding in &found {
            assert_eq!(
                (&finding["severity"], &finding["fixable"], &finding["evidence"]),
                (&json!("error"), &json!(false), &json!(null))
            );
            assert!(finding["message"].as_str().is_some_and(|it| it.starts_with("credential: ")), "{finding}");
        }
        let line_of = |file: &str| found.iter().find(|one| one["file"] == file).and_then(|one| one["line"].as_u64());
        assert_eq!(
            (line_of("project_body.md"), line_of("project_cited.md"), line_of("MEMORY.md")),
            (Some(8), Some(3), Some(4))
        );
        // It goes again, by someone else: nothing of it was copied for that.
        fs::remove_file(machine.path("m/project_body.md")).expect("it goes");
        machine.write("m/MEMORY.md", "# Memory Index\n\n- [gate](project_gate.md) — one fact\n");
        run(&machine, &["history"], &secret, kind);
        run(&machine, &["--json", "dream", "--force", "--dry-run"], &secret, kind);
        assert_clean(&machine, &["state"], &secret, kind);
    }
}

#[cfg(unix)]
#[test]
fn fc_092_what_an_editor_or_a_flag_brings_is_refused_and_kept_nowhere() {
    use std::os::unix::fs::PermissionsExt;
    for (kind, text, secret) in credentials() {
        for (ending, how) in [("exit 0", "refused"), ("exit 3", "failed"), ("printf '\\377' >> \"$1\"", "no text")] {
            let machine = machine();
            machine.write("text", &text);
            let editor =
                machine.write("editor.sh", format!("#!/bin/sh\ncat \"$(dirname \"$0\")/text\" >> \"$1\"\n{ending}\n"));
            fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).expect("it can be run");
            let mut command = machine.command();
            command.env("EDITOR", &editor).args(["--memory-dir", "m", "edit", "project_gate"]);
            let answer = command.output().expect("it starts");
            assert_ne!(answer.status.code(), Some(0), "{kind}, {how}");
            let said = [answer.stdout, answer.stderr].concat();
            assert!(memchr::memmem::find(&said, secret.as_bytes()).is_none(), "{kind}, {how}");
            assert_clean(&machine, &["m", "state"], &secret, &format!("{kind}, {how}"));
        }
        let machine = machine();
        let line = text.replace('\n', " ");
        for arguments in [
            &["edit", "project_gate", "--description", &line][..],
            &["edit", "project_gate", "--name", &line],
            &["new", "x", "-t", "user", "-d", &line],
            &["new", "y", "-t", "user", "-b", &text],
            &["mv", "project_gate", &format!("project_{secret}")],
        ] {
            let all = [&["--memory-dir", "m"], arguments].concat();
            let is_name = arguments[0] == "mv" && !["cloud key", "token", "web token"].contains(&kind);
            let answer = machine.run(&all);
            assert!(answer.code() != 0 || is_name, "{kind}: {}", arguments[0]);
            let is_token = ["cloud key", "token", "web token"].contains(&kind);
            assert!(!is_token || !answer.err().contains(&secret), "{kind}: {} says it", arguments[0]);
        }
        if ["cloud key", "token", "web token"].contains(&kind) {
            assert_clean(&machine, &["m", "state"], &secret, kind);
        }
    }
}

#[test]
fn fc_092_what_is_typed_in_the_wrong_place_is_not_said_back() {
    for (kind, text, secret) in credentials() {
        let machine = machine();
        let line = text.replace('\n', " ");
        let joined = format!("--nonsense={text}");
        for arguments in [
            &["new", "x", "-t", "user", "--description", &text][..],
            &["new", "x", "-t", "user", &text],
            &["new", "x", "-t", &text],
            &["new", "x", &joined],
            &["edit", "project_gate", "--name", &text],
            &["ls", &text],
            &["ls", &line],
            &["--color", &text, "ls"],
            &["inbox", &text],
            &[&text],
            &["show", "--", &text],
            &["rm", "--yes", "--", &line],
            &["kill", "--", &text],
            &["undo", "--", &text],
        ] {
            assert_ne!(run(&machine, arguments, &secret, kind), 0, "{kind}: {arguments:?}");
        }
        assert_clean(&machine, &["m", "state"], &secret, kind);
    }
}

#[test]
fn texts_that_begin_with_dashes_can_be_given_and_flags_beside_them_still_count() {
    let machine = machine();
    let description = |file: &str| {
        let shown = machine.run(&["--memory-dir", "m", "--json", "show", file]);
        shown.json()["description"].as_str().expect("a description").to_owned()
    };
    for (name, given) in
        [("one", &["--description=-----"][..]), ("two", &["--description", "-----"]), ("three", &["-d", "-----"])]
    {
        let all = [&["--memory-dir", "m", "new", name][..], given, &["--body", "--- x", "-t", "user"]].concat();
        let answer = machine.run(&all);
        assert_eq!(answer.code(), 0, "{given:?}: {}", answer.err());
        assert_eq!(description(&format!("user_{name}.md")), "-----", "{given:?}");
    }
    let answer = machine.run(&["--memory-dir", "m", "edit", "user_one", "--description", "--no-verify is banned"]);
    assert_eq!((answer.code(), description("user_one").as_str()), (0, "--no-verify is banned"), "{}", answer.err());
    // A slip is still a slip.
    assert_eq!(machine.run(&["--memory-dir", "m", "new", "four", "-t", "user", "--descripton", "x"]).code(), 2);
}
