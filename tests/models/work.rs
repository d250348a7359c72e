//! What a model does when all goes well: a dream, an extraction, the bytes that are sent for them.

use serde_json::{Value, json};

use crate::bench::{Bench, KEY, topic};
use crate::messages::{answer, calls, says};
use crate::server::{Reply, Server};

const SAID: &str = "No, please never mock the database in integration tests, we got burned last quarter.";

fn remember() -> Value {
    json!({
        "file_path": "feedback_no_mocks.md",
        "content": topic("no-mocks", "feedback", "Integration tests use no mocks", "Integration tests never mock the database.\n\n**Why:** It went wrong last quarter."),
        "reason": "the developer corrected the agent",
        "sources": [{ "session": "s-0001", "line": 1, "quote": "please never mock the database in integration tests" }],
    })
}

#[test]
fn an_extraction_by_a_model_stores_a_memory_with_its_evidence_and_undo_takes_it_back() {
    let server = Server::playing(vec![calls(&[("Write", remember())]), says("Stored one rule – sehr schön 🙂.")]);
    let bench = Bench::new("anthropic", &server.url);
    bench.session("s-0001", &[SAID, "thanks"]);
    let before = crate::common::contents(&bench.machine.path("m"));
    let (code, run) = bench.extract("s-0001");
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert_eq!(run["notice"], "Saved 1 memory");
    assert_eq!(run["engine"], "anthropic");
    let source = &run["changes"][0]["sources"][0];
    assert_eq!((source["session"].as_str(), source["line"].as_u64()), (Some("s-0001"), Some(1)), "{run:#}");
    let written = bench.read("feedback_no_mocks.md");
    assert!(
        written.contains("originSessionId: \"s-0001\"") || written.contains("originSessionId: s-0001"),
        "{written}"
    );
    assert!(written.contains("Source: session s-0001, line 1, 2026-11-30: \"please never mock"), "{written}");
    assert!(bench.read("MEMORY.md").contains("feedback_no_mocks.md"), "the index follows");
    assert_eq!(run["tokens"], json!({ "input": 200, "output": 40, "cache_read": 120, "cache_created": 80 }));
    let texts: Vec<Value> = bench.journal().into_iter().filter(|event| event["event"] == "text").collect();
    assert_eq!(texts[0]["text"], "Stored one rule – sehr schön 🙂.", "cut anywhere, put together whole");

    let asked = server.asked();
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[0].path, "/v1/messages");
    assert_eq!(asked[0].header("x-api-key"), Some(KEY));
    assert_eq!(asked[0].header("anthropic-version"), Some("2023-06-01"));
    let body = &asked[0].body;
    assert_eq!((body["model"].as_str(), body["stream"].as_bool()), (Some("some-model"), Some(true)));
    assert!(["temperature", "top_p", "top_k", "thinking"].iter().all(|key| body.get(key).is_none()));
    let task = body["messages"][0]["content"][0]["text"].as_str().unwrap();
    assert!(
        task.contains("[1] 2026-11-30") && task.contains(SAID) && task.contains("project_testing.md (project"),
        "{task}"
    );
    let results = &asked[1].body["messages"][2]["content"][0];
    assert_eq!((results["type"].as_str(), results["tool_use_id"].as_str()), (Some("tool_result"), Some("toolu_0")));
    assert_eq!(asked[1].body["system"], body["system"], "the beginning is the same, byte for byte");
    assert_eq!(asked[1].body["tools"], body["tools"]);
    assert!(!bench.everything().contains(KEY), "the key is in no file");

    let (code, _) = bench.run(&["undo", run["run"].as_str().unwrap()]);
    assert_eq!(code, 0);
    assert_eq!(crate::common::contents(&bench.machine.path("m")), before);
}

#[test]
fn a_dream_by_a_model_goes_through_its_phases_reads_laid_out_sessions_and_edits() {
    let server = Server::answering(|request, at| match at {
        0 => {
            let task = request.body["messages"][0]["content"][0]["text"].as_str().unwrap();
            let path = task.split("session s-0001: ").nth(1).unwrap().split(" (").next().unwrap().to_owned();
            Reply::Stream(
                answer(
                    "phase: gather\nLooking for the outage.",
                    &[
                        ("Grep", json!({ "pattern": "outage", "path": path, "output_mode": "content" })),
                        ("Read", json!({ "file_path": "project_testing.md" })),
                    ],
                    "tool_use",
                ),
                1_000,
            )
        }
        1 => calls(&[(
            "Edit",
            json!({
                "file_path": "project_testing.md",
                "old_string": "a real database.",
                "new_string": "a real database, since the outage on 2026-11-28.",
                "reason": "the day of the outage is known",
                "sources": [{ "session": "s-0001", "line": 1, "quote": "the outage was on Saturday" }],
            }),
        )]),
        _ => says("Added the day of the outage."),
    });
    let bench = Bench::new("anthropic", &server.url);
    bench.session("s-0001", &["By the way, the outage was on Saturday."]);
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    let phases: Vec<_> =
        run["phases"].as_array().unwrap().iter().map(|phase| phase["name"].as_str().unwrap()).collect();
    assert_eq!(phases, ["orient", "gather", "consolidate"]);
    assert_eq!(run["notice"], "Improved 1 memory");
    assert!(bench.read("project_testing.md").contains("since the outage on 2026-11-28"));
    let grepped = server.asked()[1].body["messages"][2]["content"][0]["content"].as_str().unwrap().to_owned();
    assert!(grepped.contains("[1] 2026-11-30") && grepped.contains("developer: By the way"), "{grepped}");
    let quote = &run["changes"][0]["sources"][0]["quote"];
    assert_eq!(quote, "the outage was on Saturday");
    assert!(!bench.machine.path(&format!("state/dreamtop/runs/{}", run["run"].as_str().unwrap())).exists());
}

#[test]
fn a_model_that_says_there_is_nothing_is_done_and_one_that_only_talks_is_asked_once_more_and_fails() {
    let server = Server::playing(vec![says("**Nothing to remember.**")]);
    let bench = Bench::new("anthropic", &server.url);
    bench.session("s-0001", &["fix the typo please"]);
    let (code, run) = bench.extract("s-0001");
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert_eq!(server.asked().len(), 1);

    let server = Server::playing(vec![says("All your memories look great!"), says("You are welcome.")]);
    bench.configure(&server.url, "");
    let before = crate::common::contents(&bench.machine.path("m"));
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("used no tool"), "{run:#}");
    assert_eq!((server.asked().len(), crate::common::contents(&bench.machine.path("m"))), (2, before));
}
