#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use super::*;
use crate::clock::Clock;
use crate::engine::{JobKind, Verdict};
use crate::memory::ShelfLife;

struct Stage {
    dir: tempfile::TempDir,
    cancel: CancellationToken,
    max_turns: Option<u32>,
    token_budget: u64,
}

impl Stage {
    fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            cancel: CancellationToken::new(),
            max_turns: None,
            token_budget: 1_000,
        }
    }

    fn play(&self, script: &str) -> (Result<Verdict, EngineError>, Vec<EngineEvent>) {
        let script = Script::parse(script).unwrap();
        let (events, mut received) = EventSender::channel();
        let context = RunContext {
            working_copy: self.dir.path().to_owned(),
            reach: crate::engine::agent::Reach::default(),
            events,
            cancel: self.cancel.clone(),
            clock: Clock::System,
            shelf_life: ShelfLife::default(),
            money_budget: None,
            token_budget: self.token_budget,
            max_turns: self.max_turns,
        };
        let job = Job { kind: JobKind::Dream, sessions: Vec::new(), checkout: None, unheard: Default::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let verdict = runtime.block_on(script.run(&job, &context));
        drop(context);
        let mut seen = Vec::new();
        while let Ok(event) = received.try_recv() {
            seen.push(event);
        }
        (verdict, seen)
    }
}

#[test]
fn a_script_writes_reports_and_gives_its_reasons() {
    let stage = Stage::new();
    let (verdict, events) = stage.play(
        r#"
{"phase":"gather"}
{"text":"Looking."}
{"usage":{"input":10,"output":2}}
{"turn":[{"text":"Writing."},{"tool":"Write","input":{"file_path":"x.md","content":"hi"}},{"tool":"Bash","input":{"command":"ls"}}]}
{"rationale":{"file":"x.md","reason":"said so","sources":[{"session":"s1","line":3,"quote":"hi"}]}}
"#,
    );
    let verdict = verdict.unwrap();
    assert!(verdict.worked);
    assert_eq!(verdict.left_out, Vec::<String>::new());
    assert_eq!(verdict.rationales["x.md"].sources[0].line, Some(3));
    assert_eq!(std::fs::read_to_string(stage.dir.path().join("x.md")).unwrap(), "hi");
    let tool =
        |name: &str, target: &str, allowed| EngineEvent::Tool { name: name.into(), target: target.into(), allowed };
    assert_eq!(
        events,
        [
            EngineEvent::Phase(Phase::Gather),
            EngineEvent::Text("Looking.".into()),
            EngineEvent::Usage(Tokens { input: 10, output: 2, ..Tokens::default() }),
            EngineEvent::Text("Writing.".into()),
            tool("Write", "x.md", true),
            tool("Bash", "ls", true),
        ]
    );
}

#[test]
fn a_polite_answer_is_not_work() {
    let (verdict, _) = Stage::new().play(r#"{"text":"All memories look great!"}"#);
    assert!(!verdict.unwrap().worked);
    let (verdict, _) = Stage::new().play(r#"{"tool":"Bash","input":{"command":"echo done"}}"#);
    assert!(!verdict.unwrap().worked);
    let (verdict, _) = Stage::new().play("");
    assert!(!verdict.unwrap().worked);
}

#[test]
fn a_refused_or_failed_write_is_left_out_unless_it_succeeds_later() {
    let (verdict, _) = Stage::new().play(
        r#"{"tool":"Write","input":{"file_path":"good.md","content":"a"}}
{"tool":"Edit","input":{"file_path":"missing.md","old_string":"a","new_string":"b"}}
{"tool":"Write","input":{"file_path":"../out.md","content":"a"}}
{"tool":"Edit","input":{"file_path":"good.md","old_string":"zzz","new_string":"b"}}
{"tool":"Edit","input":{"file_path":"good.md","old_string":"a","new_string":"b"}}"#,
    );
    let left_out = verdict.unwrap().left_out;
    assert_eq!(left_out.len(), 2, "{left_out:?}");
    assert!(left_out[0].starts_with("../out.md") && left_out[1].starts_with("missing.md"));
}

#[test]
fn the_turn_limit_ends_the_conversation_and_keeps_what_was_done() {
    let mut stage = Stage::new();
    stage.max_turns = Some(2);
    let line = |n: u32| format!("{{\"tool\":\"Write\",\"input\":{{\"file_path\":\"{n}.md\",\"content\":\"x\"}}}}\n");
    let (verdict, _) = stage.play(&(1..=5).map(line).collect::<String>());
    assert!(verdict.unwrap().left_out[0].contains("2 turns"));
    assert!(stage.dir.path().join("2.md").exists() && !stage.dir.path().join("3.md").exists());
    let (verdict, _) = stage.play(&(1..=2).map(line).collect::<String>());
    assert!(verdict.unwrap().left_out.is_empty());
}

#[test]
fn the_token_budget_is_an_error_before_any_further_tool_runs() {
    let stage = Stage::new();
    let (verdict, _) = stage.play(
        r#"{"usage":{"input":900,"output":101}}
{"tool":"Write","input":{"file_path":"x.md","content":"hi"}}"#,
    );
    assert!(matches!(verdict, Err(EngineError::Budget(_))));
    assert!(!stage.dir.path().join("x.md").exists());
}

#[test]
fn an_error_of_the_script_is_the_engines_error() {
    let (verdict, _) = Stage::new().play(r#"{"error":"overloaded"}"#);
    assert_eq!(verdict.unwrap_err().to_string(), "overloaded");
}

#[test]
fn cancelling_ends_a_long_delay_at_once() {
    let stage = Stage::new();
    let cancel = stage.cancel.clone();
    let started = Instant::now();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        cancel.cancel();
    });
    let (verdict, _) = stage.play(r#"{"delay_ms":60000}"#);
    canceller.join().unwrap();
    assert!(matches!(verdict, Err(EngineError::Cancelled)));
    assert!(started.elapsed() < Duration::from_secs(60), "the delay was waited for");
}

#[test]
fn mistakes_name_the_line_and_what_is_accepted() {
    for (line, expected) in [
        ("nonsense", "not JSON"),
        ("[1]", "one object"),
        (r#"{"say":"x"}"#, "unknown say"),
        (r#"{"text":"x","also":1}"#, "also"),
        (r#"{"delay_ms":"soon"}"#, "whole number"),
        (r#"{"phase":"sleep"}"#, "orient, gather"),
        (r#"{"turn":[{"turn":[]}]}"#, "cannot hold"),
        (r#"{"usage":{"inputs":1}}"#, "usage has"),
        (r#"{"rationale":{"reason":"x"}}"#, "rationale has"),
        ("{}", "accepted"),
    ] {
        let (number, why) = Script::parse(&format!("{{\"text\":\"ok\"}}\n\n{line}\n")).unwrap_err();
        assert_eq!(number, 3, "{line}");
        assert!(why.contains(expected), "{line}: {why}");
    }
}

#[test]
fn a_missing_script_says_which_and_what_to_do() {
    let error = Script::read(Path::new("/nowhere/script.jsonl")).unwrap_err().to_string();
    assert!(error.contains("/nowhere/script.jsonl") && error.contains("--engine script:FILE"), "{error}");
}
