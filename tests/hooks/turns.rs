//! `Stop`: what a turn ends with. Every trigger has one outcome on record.

use std::fs;

use chrono::TimeDelta;
use dreamtop::engine::JobKind;
use dreamtop::run::Outcome;
use serde_json::{Value, json};

use crate::common::{Answer, wait_until};
use crate::drive::{Desk, Session};

const RULE: &str = "Remember: integration tests must hit a real database, never mocks.";

#[test]
fn what_a_person_says_in_a_turn_is_in_the_memory_after_it_and_the_run_says_who_started_it() {
    let desk = Desk::new();
    let session = desk.session();
    session.turn(RULE, "Understood.");
    desk.settle();
    let runs = desk.runs();
    assert_eq!(runs.len(), 1, "{runs:?}");
    assert_eq!((runs[0].outcome, runs[0].trigger.as_str()), (Some(Outcome::Done), "hook"), "{runs:?}");
    assert_eq!(runs[0].notice.as_deref(), Some("Saved 1 memory"));
    let memories = desk.memories();
    assert!(memories.len() == 1 && memories[0].1.contains("real database"), "{memories:?}");
    assert!(desk.index().contains(&memories[0].0));
    assert_eq!(desk.extractions(), ["hook ran"]);
}

#[test]
fn fc_056_a_turn_that_ends_twice_is_read_once() {
    let desk = Desk::within();
    let session = desk.session();
    session.turn(RULE, "Understood.");
    desk.settle();
    let before = desk.memories();
    for _ in 0..3 {
        session.stop("Understood.");
    }
    desk.settle();
    assert_eq!(desk.extractions(), ["hook ran", "hook turns", "hook turns", "hook turns"]);
    assert_eq!(desk.memories(), before);
    assert_eq!(desk.runs().len(), 1, "a closed gate leaves no journal");
}

#[test]
fn fc_059_six_turns_of_every_kind_have_one_outcome_each_and_runs_shows_the_last_one() {
    let desk = Desk::new();
    let session = desk.session();
    session.turn(RULE, "Understood.");
    desk.settle();
    // A sub-agent.
    session.hook("SubagentStop", json!({"agent_id": "a1", "agent_type": "Explore", "stop_hook_active": false}));
    // Throttled: every second turn.
    desk.configure("extract:\n  every_turns: 2\n");
    session.turn("We deploy on Tuesdays only, because the on-call rota changes then.", "Noted.");
    desk.configure("extract:\n  every_turns: 1\n");
    // Saved by the session itself.
    session.says("And remember that Ada owns the billing service.");
    session.writes_memory("project_billing.md");
    session.answers("Saved.");
    session.stop("Saved.");
    desk.settle();
    // Off.
    desk.machine.write("claude/settings.json", r#"{"autoMemoryEnabled": false}"#);
    session.turn("Remember: never push to main.", "Ok.");
    fs::remove_file(desk.machine.path("claude/settings.json")).unwrap();
    session.turn("Remember: always rebase before a merge.", "Ok.");
    desk.settle();
    let outcomes = ["hook ran", "hook main-agent", "hook turns", "hook already-saved", "hook enabled", "hook ran"];
    assert_eq!(desk.extractions(), outcomes);
    assert_eq!(desk.outcomes(JobKind::Dream).len(), 5, "a sub-agent's end asks for no dream");
    let shown = desk.machine.run(&["--json", "runs"]).json();
    let refused: Vec<&str> =
        shown["refused"].as_array().unwrap().iter().map(|one| one["event"].as_str().unwrap()).collect();
    assert!(refused.contains(&"extract_memories_skipped") && refused.contains(&"auto_dream_skipped"), "{shown:#}");
    let words = desk.machine.run(&["runs"]).out();
    assert!(words.contains("triggers that began nothing"), "{words}");
}

#[test]
fn a_memory_the_session_wrote_itself_closes_the_gate_in_either_order_and_its_turn_is_not_read_again() {
    for writes_first in [true, false] {
        let desk = Desk::within();
        let session = desk.session();
        session.turn("hello, please look at the tests", "Done.");
        desk.settle();
        let written = || session.writes_memory("feedback_database.md");
        if writes_first {
            written();
        }
        session.says(RULE);
        if !writes_first {
            written();
        }
        session.answers("Saved.");
        session.stop("Saved.");
        desk.settle();
        assert_eq!(desk.extractions().last().map(String::as_str), Some("hook already-saved"), "{writes_first}");
        session.turn("thanks, now the linter please", "Done.");
        desk.settle();
        assert_eq!(desk.extractions().last().map(String::as_str), Some("hook ran"), "{writes_first}");
        assert!(desk.memories().is_empty(), "{:?}", desk.memories());
    }
}

#[test]
fn turns_that_end_while_an_extraction_runs_are_answered_by_one_trailing_run() {
    let desk = Desk::new();
    let session = desk.session();
    // Slow until it is told to go on.
    desk.script(&[json!({"delay_ms": 1500}), json!({"tool": "Glob", "input": {"pattern": "*.md"}})]);
    session.turn("one", "Done.");
    wait_until("the first runs", || desk.runs().iter().any(|run| run.is_live()));
    session.turn("two", "Done.");
    session.turn("three", "Done.");
    desk.settle();
    let mut outcomes = desk.extractions();
    outcomes.sort();
    assert_eq!(outcomes, ["hook joined", "hook joined", "hook ran", "trailing ran"]);
    let done = desk.runs().into_iter().filter(|run| run.outcome == Some(Outcome::Done)).count();
    assert_eq!(done, 2, "{:?}", desk.runs());
    session.stop("Done.");
    assert_eq!(desk.extractions().last().map(String::as_str), Some("hook turns"), "nothing is left unread");
}

#[test]
fn a_transcript_that_lags_behind_the_turn_is_given_a_moment_to_catch_up() {
    let desk = Desk::new();
    let session = desk.session();
    session.turn("hello, please look at the tests", "Done.");
    desk.settle();
    session.stop("Understood, never mocks.");
    session.says(RULE);
    session.answers("Understood, never mocks.");
    desk.settle();
    assert_eq!(desk.extractions(), ["hook ran", "hook ran"]);
    assert_eq!(desk.memories().len(), 1);
}

#[test]
fn a_transcript_that_never_gets_the_answer_loses_nothing() {
    let desk = Desk::new();
    let session = desk.session();
    session.says(RULE);
    session.stop("An answer that was never written down.");
    desk.settle();
    let runs = desk.runs();
    assert!(runs[0].notices.iter().any(|notice| notice.contains("does not have the last answer")), "{runs:?}");
    assert_eq!(desk.memories().len(), 1);
}

#[test]
fn fc_067_headless_sessions_and_sub_agents_leave_the_memory_alone_and_say_so() {
    let desk = Desk::new();
    let mut headless = desk.session();
    headless.entrypoint = "sdk-cli";
    headless.turn(RULE, "Understood.");
    headless.hook("SessionEnd", json!({"reason": "other"}));
    // One that has no transcript yet says so by its variable.
    let early = desk.session();
    let stop = early.input("Stop", json!({"last_assistant_message": "Done."}));
    let answer = desk.hook_bytes(stop.to_string().as_bytes(), |command| {
        command.env("CLAUDE_CODE_ENTRYPOINT", "sdk-ts");
    });
    assert_eq!((answer.code(), answer.out()), (0, String::new()));
    // The end of a turn within a sub-agent is the sub-agent's.
    let session = desk.session();
    session.says(RULE);
    session.hook("Stop", json!({"agent_id": "a1", "last_assistant_message": "Done."}));
    desk.settle();
    assert_eq!(desk.extractions(), ["hook main-agent", "session-end main-agent", "hook main-agent", "hook main-agent"]);
    assert!(desk.runs().is_empty() && desk.memories().is_empty());
    assert_eq!(desk.outcomes(JobKind::Dream), Vec::<String>::new());
}

#[test]
fn fc_067_sessions_of_programs_count_when_the_configuration_says_so_and_sub_agents_do_not() {
    let desk = Desk::new();
    desk.configure("extract:\n  programs: true\nrecall:\n  milliseconds: 60000\n");
    let program = || {
        let mut program = desk.session();
        program.entrypoint = "sdk-cli";
        program
    };
    let first = program();
    first.turn(RULE, "Understood.");
    desk.settle();
    first.hook("Stop", json!({"agent_id": "a1", "last_assistant_message": "Done."}));
    assert_eq!(desk.extractions(), ["hook ran", "hook main-agent"]);
    let memories = desk.memories();
    assert!(memories.len() == 1 && memories[0].1.contains("real database"), "{memories:?}");
    let prompt = json!({"prompt": "do the integration tests need a real database or are mocks fine?"});
    let given = || {
        let session = program();
        session.says("please look at the tests");
        session.hook("UserPromptSubmit", prompt.clone()).out()
    };
    assert!(given().contains("real database"));
    // What dreams read, too; without the key all of it is as it was.
    let sessions = || {
        let project = desk.project("acme");
        let mut command = desk.command();
        let gates =
            Answer::of(command.args(["--json", "--project"]).arg(project).arg("gates").output().unwrap()).json();
        let mut gates = gates["dream"].as_array().unwrap().clone().into_iter();
        gates.find(|gate| gate["gate"] == "sessions").unwrap()["short"].as_str().unwrap().to_owned()
    };
    assert_eq!(sessions(), "2/5 sessions");
    desk.configure("");
    assert_eq!(sessions(), "0/5 sessions");
    assert_eq!(given(), "");
}

#[test]
fn fc_043_what_we_started_ourselves_is_answered_with_nothing_at_all() {
    let desk = Desk::new();
    let session = desk.session();
    session.says(RULE);
    for event in ["Stop", "SessionStart", "SessionEnd", "UserPromptSubmit", "SubagentStop", "PostToolUse"] {
        let input = session.input(event, json!({"prompt": "database"})).to_string();
        let answer = desk.hook_bytes(input.as_bytes(), |command| {
            command.env("DREAMTOP_CHILD", "1");
        });
        assert_eq!((answer.code(), answer.out(), answer.err()), (0, String::new(), String::new()), "{event}");
    }
    assert!(!desk.state().root().exists());
}

#[test]
fn fc_041_two_hundred_turns_in_an_hour_ask_for_a_dream_each_and_one_runs() {
    let desk = Desk::within();
    desk.remember("project_database.md", "project", "We test against a real database.");
    // Extractions prove nothing here.
    desk.configure("dream:\n  min_sessions: 1\nextract:\n  every_turns: 1000\n");
    for _ in 0..2 {
        desk.session().says("we never mock the database");
    }
    let session = desk.session();
    for turn in 0..200 {
        session.says(&format!("please run step {turn}"));
        session.answers("Done.");
        session.stop("Done.");
        if turn == 0 {
            desk.settle();
        }
        desk.later(TimeDelta::seconds(18));
    }
    desk.settle();
    let asked = desk.outcomes(JobKind::Dream);
    assert_eq!(asked.len(), 200, "{asked:?}");
    assert_eq!(asked.iter().filter(|outcome| *outcome == "hook ran").count(), 1, "{asked:?}");
}

#[test]
fn fc_058_and_fc_123_a_long_session_is_read_once_turn_by_turn() {
    let desk = Desk::within();
    let session = desk.session();
    for turn in 0..5 {
        session.turn(&format!("please look at step {turn} of the build"), "Done.");
        desk.settle();
    }
    session.turn(RULE, "Understood.");
    desk.settle();
    let saved: usize = desk.runs().iter().map(|run| run.changes.len()).sum();
    assert_eq!((desk.memories().len(), saved), (1, 2), "one memory and its line of the index");
    assert_eq!(desk.extractions(), vec!["hook ran"; 6]);
}

#[test]
fn fc_065_asking_first_leaves_what_a_turn_says_in_the_inbox() {
    let desk = Desk::within();
    desk.configure("extract:\n  apply: ask\n");
    desk.session().turn(RULE, "Understood.");
    desk.settle();
    assert!(desk.memories().is_empty());
    assert_eq!(desk.runs()[0].outcome, Some(Outcome::Held));
    let said = desk.session().hook("SessionStart", json!({"source": "startup"})).json();
    let context = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.contains("1 change waits for a person"), "{context}");
}

#[test]
fn fc_121_an_engine_that_refuses_is_not_asked_again_turn_after_turn() {
    let desk = Desk::within();
    let session = desk.session();
    desk.script(&[json!({"error": "Claude AI usage limit reached"})]);
    for _ in 0..6 {
        session.turn("please go on with the build", "Done.");
        desk.settle();
    }
    assert_eq!(desk.extractions(), [vec!["hook ran"], vec!["hook turns"; 5]].concat());
    assert_eq!(desk.runs().len(), 1);
    let refused = desk.machine.run(&["--json", "runs"]).json();
    assert!(refused["refused"][1]["reason"].as_str().unwrap().contains("limit"), "{refused:#}");
}

#[test]
fn fc_069_a_turn_after_which_an_engine_only_claims_to_have_saved_something_gives_no_notice() {
    let desk = Desk::within();
    let session = desk.session();
    desk.script(&[json!({"text": "I saved the memory."})]);
    session.turn(RULE, "Understood.");
    desk.settle();
    let runs = desk.runs();
    assert_eq!((runs[0].outcome, runs[0].notice.clone()), (Some(Outcome::Failed), None), "{runs:?}");
}

#[test]
fn fc_066_and_fc_068_what_claude_md_says_or_the_store_knows_is_not_stored_again_after_a_turn() {
    let desk = Desk::within();
    fs::write(desk.project("acme").join("CLAUDE.md"), "# Rules\n\n- Use pnpm, never npm.\n").unwrap();
    let session = desk.session();
    session.turn("Remember: use pnpm, never npm.", "Ok.");
    session.turn(RULE, "Ok.");
    desk.settle();
    let before = desk.memories();
    assert_eq!(before.len(), 1, "{before:?}");
    desk.session().turn("Remember: integration tests must hit a real database, never mocks!", "Ok.");
    desk.settle();
    assert_eq!(desk.memories().len(), 1);
}

#[test]
fn sessions_of_two_projects_that_end_turns_at_once_each_write_their_own_memory() {
    let desk = Desk::within();
    let dirs: Vec<_> = ["acme", "ledger"].map(|name| desk.project(name)).into();
    fs::create_dir_all(dirs[1].join(".git")).unwrap();
    fs::write(dirs[1].join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let sessions: Vec<Session<'_>> = dirs.iter().flat_map(|dir| [desk.session_in(dir), desk.session_in(dir)]).collect();
    for (number, session) in sessions.iter().enumerate() {
        session.says(&format!("Remember: service number {number} must never be deployed on a Friday."));
        session.answers("Ok.");
    }
    sessions.iter().for_each(|session| session.stop("Ok."));
    desk.settle();
    let saved: Vec<_> = desk.runs().iter().map(|run| (run.outcome, run.store.clone())).collect();
    assert_eq!(saved.len(), 4, "{saved:?}");
    assert!(saved.iter().all(|(outcome, _)| *outcome == Some(Outcome::Done)), "{saved:?}");
    for dir in &dirs {
        let index = fs::read_to_string(desk.store_of(dir).join("MEMORY.md")).unwrap();
        assert!(index.contains("Friday"), "{index}");
    }
}

#[test]
fn what_two_sessions_say_at_once_in_the_same_words_is_one_memory() {
    let desk = Desk::within();
    let sessions = [desk.session(), desk.session(), desk.session()];
    for session in &sessions {
        session.says(RULE);
        session.answers("Ok.");
    }
    sessions.iter().for_each(|session| session.stop("Ok."));
    desk.settle();
    let outcomes: Vec<_> = desk.runs().iter().map(|run| run.outcome).collect();
    assert_eq!(outcomes, [Some(Outcome::Done); 3]);
    let memories = desk.memories();
    assert_eq!(memories.len(), 1, "{memories:#?}");
    assert_eq!(desk.index().matches(".md)").count(), 1, "{}", desk.index());
}

/// An attachment, with the envelope that lines have.
fn attachment(session: &Session<'_>, attachment: Value) -> Value {
    let mut line = session.line("attachment", "", &Value::Null);
    line["attachment"] = attachment;
    line
}

#[test]
fn what_a_person_types_while_the_assistant_works_is_theirs_and_what_a_program_queues_is_not() {
    let desk = Desk::within();
    let session = desk.session();
    session.says("Go on with the parser.");
    let queued = |prompt: Value, mode: &str, kind: &str| {
        let queued = json!({"type": "queued_command", "prompt": prompt, "commandMode": mode, "origin": {"kind": kind}});
        session.append(&attachment(&session, queued));
    };
    queued(json!(RULE), "prompt", "human");
    queued(
        json!([{"type": "text", "text": "We deploy on Tuesdays only, because the on-call rota changes then."}]),
        "prompt",
        "human",
    );
    queued(json!("Remember: Ada owns the billing service."), "prompt", "peer");
    queued(json!("Remember: Bob owns the search service."), "task-notification", "task-notification");
    session.answers("Done.");
    session.stop("Done.");
    desk.settle();
    let texts: Vec<String> = desk.memories().into_iter().map(|(_, text)| text).collect();
    let has = |words: &str| texts.iter().any(|text| text.contains(words));
    assert!(texts.len() == 2 && has("real database") && has("Tuesdays"), "{texts:#?}");
    let (code, found) = desk.json(&["find", "real database", "--sessions"]);
    assert!(code == 0 && found["hits"].as_array().unwrap().iter().any(|hit| hit["line"] == 2), "{found}");
    let file = desk.memories().into_iter().find(|(_, text)| text.contains("real database")).unwrap().0;
    let (_, shown) = desk.json(&["show", &file, "--source"]);
    assert!(shown.to_string().contains("\"person\""), "{shown}");
}

#[test]
fn words_given_with_a_refused_call_are_the_persons_and_a_tool_that_prints_the_like_is_not() {
    let desk = Desk::within();
    let session = desk.session();
    session.says("Make the tests faster.");
    let answer = |id: &str, said: &str, denial: Option<&str>| {
        let call = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "x"}}]);
        session.append(&session.line("assistant", "assistant", &call));
        let text = format!("The call was refused. To tell you how to proceed, the user said:\n{said}");
        let content = json!([{"type": "tool_result", "tool_use_id": id, "is_error": true, "content": text}]);
        let mut line = session.line("user", "user", &content);
        line["toolUseResult"] = json!(format!("Error: {text}"));
        if let Some(denial) = denial {
            line["toolDenialKind"] = json!(denial);
        }
        session.append(&line);
    };
    answer("one", RULE, Some("user-rejected"));
    answer("two", "Remember: Ada owns the billing service.", None);
    answer("three", "Remember: Bob owns the search service.", Some("permission-rule"));
    session.answers("Done.");
    session.stop("Done.");
    desk.settle();
    let memories = desk.memories();
    assert!(memories.len() == 1 && memories[0].1.contains("real database"), "{memories:#?}");
}
