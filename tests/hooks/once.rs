//! Each memory once: two hooks at a time, output that nobody takes, forks and sessions whose ledger is gone.

use std::fs;
use std::io::Write;
use std::process::{Child, Stdio};

use chrono::TimeDelta;
use serde_json::json;

use crate::common::Answer;
use crate::drive::{Desk, Session, copy_of};
use crate::recall::{PROMPT, desk, given, shown};

#[test]
fn two_hooks_of_one_prompt_give_its_memories_once_and_no_others_in_their_place() {
    let desk = desk();
    for number in 0..8 {
        let body = format!("The quetzal exporter needs token number {number}.");
        desk.remember(&format!("project_quetzal_{number}.md"), "project", &body);
    }
    for number in 0..40 {
        desk.remember(
            &format!("project_part_{number}.md"),
            "project",
            &format!("Part {number} of the build is cached."),
        );
    }
    let asked = "what does the quetzal exporter need?";
    // Older versions give a prompt no id.
    for id in [Some("p-1"), None] {
        let session = desk.session();
        let input = session.input("UserPromptSubmit", json!({"prompt": asked, "prompt_id": id})).to_string();
        let children: Vec<Child> = (0..4).map(|_| start(&desk, &input)).collect();
        let said: Vec<Answer> =
            children.into_iter().map(|child| Answer::of(child.wait_with_output().unwrap())).collect();
        let notes: Vec<usize> = said.iter().map(|answer| answer.out().matches("<memory-note ").count()).collect();
        assert_eq!(notes.iter().sum::<usize>(), 5, "{id:?}: {notes:?}");
        assert_eq!(desk.log(), "");
        assert!(given(&session, asked).matches("<memory-note ").count() == 3, "the next prompt has the rest");
    }
}

/// A hook that has its input and is on its way.
fn start(desk: &Desk, input: &str) -> Child {
    let mut command = desk.command();
    command.arg("hook").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child
}

#[test]
fn what_nobody_took_was_not_given_and_comes_with_the_next_prompt() {
    let desk = desk();
    let session = desk.session();
    let input = session.input("UserPromptSubmit", json!({"prompt": PROMPT})).to_string();
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let nowhere: [Stdio; 3] =
        [fs::File::options().write(true).open("/dev/full").unwrap().into(), closed.into(), Stdio::null()];
    for stdout in nowhere {
        let answer = desk.hook_bytes(input.as_bytes(), |command| {
            command.stdout(stdout);
        });
        assert_eq!((answer.code(), answer.err()), (0, String::new()));
    }
    assert_eq!(desk.log().matches("nothing was given").count(), 3, "{}", desk.log());
    let shown = shown(&desk, "feedback_database");
    assert_eq!(shown["used"]["injected"], 0, "{shown:#}");
    assert!(given(&session, PROMPT).contains("feedback_database.md"));
}

#[test]
fn a_fork_is_not_given_what_the_lines_it_copied_hold_and_is_given_what_came_after_them() {
    let desk = desk();
    let parent = desk.session();
    parent.says(PROMPT);
    assert!(given(&parent, PROMPT).contains("feedback_database.md"));
    parent.hook(
        "PostToolUse",
        json!({"tool_name": "Read", "tool_input": {"file_path": desk.store().join("reference_board.md")}}),
    );
    let fork = desk.session();
    copy_of(&parent, &fork, true);
    desk.later(TimeDelta::minutes(5));
    let freeze = "when are merges frozen for the release?";
    assert!(given(&parent, freeze).contains("project_freeze.md"));
    fork.hook("SessionStart", json!({"source": "fork"}));
    assert_eq!(given(&fork, PROMPT), "", "its parent was given it before the fork");
    assert_eq!(given(&fork, "where are ingest bugs tracked, in which board?"), "", "its parent read it");
    assert!(given(&fork, freeze).contains("project_freeze.md"), "its parent was given it after the fork");
    // What a fork has counts as use once, by the session that was given it.
    assert_eq!(shown(&desk, "feedback_database")["used"]["injected"], 1);
    // A compaction takes all of it away.
    fork.hook("SessionStart", json!({"source": "compact"}));
    assert!(given(&fork, PROMPT).contains("feedback_database.md"));
}

#[test]
fn a_session_without_a_ledger_is_not_given_what_its_transcript_holds() {
    let desk = desk();
    let told = |session: &Session<'_>, file: &str| {
        let note = format!(
            "Notes.\n\n<memory-note source=\"{file}\" type=\"feedback\" dated=\"unknown\">\nx\n</memory-note>\n"
        );
        let mut line = session.line("attachment", "user", &json!(""));
        line["attachment"] =
            json!({"type": "hook_additional_context", "content": [note], "hookName": "UserPromptSubmit"});
        session.append(&line);
    };
    desk.later(TimeDelta::days(2));
    // The files were written before what the transcripts say, by their own clocks as well.
    for (file, _) in desk.memories() {
        let file = fs::File::options().write(true).open(desk.store().join(file)).unwrap();
        file.set_modified((desk.now() - TimeDelta::days(1)).into()).unwrap();
    }
    let resumed = desk.session();
    resumed.says(PROMPT);
    told(&resumed, "feedback_database.md");
    assert_eq!(given(&resumed, PROMPT), "");
    let compacted = desk.session();
    told(&compacted, "feedback_database.md");
    compacted.append(&json!({"type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": compacted.id,
        "timestamp": desk.now().to_rfc3339()}));
    assert!(given(&compacted, PROMPT).contains("feedback_database.md"), "nothing of before is left in it");
    let later = desk.session();
    told(&later, "feedback_database.md");
    desk.later(TimeDelta::hours(1));
    desk.remember("feedback_database.md", "feedback", "Integration tests must hit a real database, on port 5433.");
    let file = fs::File::options().write(true).open(desk.store().join("feedback_database.md")).unwrap();
    file.set_modified(desk.now().into()).unwrap();
    assert!(given(&later, PROMPT).contains("5433"), "it has changed since");
}
