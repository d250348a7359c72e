//! What a model does when all goes well: a dream, an extraction, the bytes that are sent for them.

use serde_json::{Value, json};

use crate::bench::{Bench, KEY, topic};
use crate::faults::PROTOCOLS;
use crate::messages::{answer, calls, says};
use crate::server::{Reply, Server};

const SAID: &str = "No, please never mock the database in integration tests, we got burned last quarter.";

fn remember() -> Value {
    json!({
        "file_path": "feedback_no_mocks.md",
        "content": topic("no-mocks", "feedback", "Integration tests use no mocks", "Integration tests never mock the database.\n\n**Why:** It went wrong last quarter."),
        "reason": "the developer corrected the agent",
        "sources": [{ "session": "s-0001", "line": 1, "quote": SAID }],
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
    assert!(written.contains("Source: session s-0001, line 1, 2026-11-30: \"No, please never mock"), "{written}");
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

#[test]
fn doctor_asks_the_model_only_when_it_is_told_to_and_says_what_it_cost() {
    let glob = || vec![("Glob", json!({ "pattern": "*.md" }))];
    for (engine, says, calls) in PROTOCOLS {
        let server = Server::playing(vec![calls(&glob()), says("There are some files, I think.")]);
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, "    prices: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }\n");
        let check = |arguments: &[&str], name: &str| {
            let (_, doctor) = bench.run(&[&["doctor"], arguments].concat());
            let found = doctor["checks"].as_array().unwrap().iter().find(|check| check["check"] == name).cloned();
            found.unwrap_or_default()
        };
        let engine_check = check(&[], "engine");
        assert!(engine_check["message"].as_str().unwrap().contains("some-model"), "{engine_check}");
        assert!(server.asked().is_empty(), "nobody was asked");
        let proved = check(&["--engine-call"], "engine-call");
        assert!(proved["level"] == "ok" && proved["message"].as_str().unwrap().contains("it cost 0.0"), "{proved}");
        let spoke = check(&["--engine-call"], "engine-call");
        assert_eq!(spoke["level"], "warn", "{spoke}");
        assert_eq!(server.asked().len(), 2);
        assert!(server.asked()[0].bytes < 1_500, "{}", server.asked()[0].bytes);
    }
    let bench = Bench::new("anthropic", "http://127.0.0.1:1");
    let answer = bench.machine.run(&["--memory-dir", "m", "--json", "doctor", "--engine-call"]);
    assert!(answer.out().contains("embedded asks nobody"), "{}", answer.out());
}

#[test]
fn a_run_says_what_it_cost_and_so_do_the_day_and_the_statistics() {
    for (engine, says, calls) in PROTOCOLS {
        let server = Server::playing(vec![calls(&[("Read", json!({ "file_path": "MEMORY.md" }))]), says("Fine.")]);
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, "    prices: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }\n");
        let (_, run) = bench.dream();
        let expected = if engine == "anthropic" {
            2.0 * (100.0 * 3.0 + 20.0 * 15.0 + 60.0 * 0.3 + 40.0 * 3.75)
        } else {
            2.0 * (3_000.0 * 3.0 + 20.0 * 15.0)
        };
        let cost = run["cost"].as_f64().unwrap();
        assert!((cost * 1e6 - expected).abs() < 0.5, "{cost} {expected}");
        let stats = bench.machine.run(&["--memory-dir", "m", "--json", "runs", "--stats"]).json();
        assert_eq!(
            stats["stats"]["dream"]["all"]["cost"].as_f64().or(stats["dream"]["all"]["cost"].as_f64()),
            Some(cost),
            "{stats:#}"
        );
        let gates = bench.machine.run(&["--memory-dir", "m", "--sessions", "s", "gates"]);
        assert!(gates.out().contains("cost 0.0"), "{}", gates.out());
    }
    let server = Server::playing(vec![says("nothing to change")]);
    let bench = Bench::new("anthropic", &server.url);
    assert_eq!(bench.dream().1["cost"], Value::Null, "without prices nothing is made up");
}

#[test]
fn a_line_of_the_index_that_a_model_made_up_goes_again_and_the_persons_own_stays() {
    let index = "# Memory Index\n\n- [Testing](project_testing.md) — how we test\n- [Old](gone_long_ago.md) — mine\n- [New](project_new.md) — made up\n";
    for (engine, says, calls) in PROTOCOLS {
        let write = json!({ "file_path": "MEMORY.md", "content": index, "reason": "tidy" });
        let server = Server::playing(vec![calls(&[("Write", write)]), says("Tidied.")]);
        let bench = Bench::new(engine, &server.url);
        bench.machine.write("m/MEMORY.md", index.replace("- [New](project_new.md) — made up\n", ""));
        let before = bench.read("MEMORY.md");
        let (code, run) = bench.dream();
        assert_eq!(code, 0, "{run:#}");
        assert_eq!(bench.read("MEMORY.md"), before);
        assert!(bench.notices().iter().any(|notice| notice.contains("pointed nowhere")), "{:?}", bench.notices());
    }
}

#[test]
fn an_entry_that_says_what_a_description_says_follows_it_and_a_persons_own_words_stay() {
    const MOVED: &str = "The billing launch moved from December 11 to December 18.";
    let launch = |day: &str| format!("The billing launch is on December {day}.");
    for (hook, follows) in [(launch("11"), true), ("ask Mira about the day".to_owned(), false)] {
        let write = json!({
            "file_path": "project_billing.md",
            "content": topic("billing", "project", &launch("18"), &launch("18")),
            "reason": "the developer moved it",
            "sources": [{ "session": "s-0001", "line": 1, "quote": MOVED }],
        });
        let read = json!({ "file_path": "project_billing.md" });
        let server = Server::playing(vec![calls(&[("Read", read)]), calls(&[("Write", write)]), says("Moved it.")]);
        let bench = Bench::new("anthropic", &server.url);
        bench.memory("project_billing.md", "billing", "project", &launch("11"), &launch("11"));
        let index = format!("# Memory Index\n\n- [Billing](project_billing.md) — {hook}\n");
        bench.machine.write("m/MEMORY.md", &index);
        bench.session("s-0001", &[MOVED, "thanks"]);
        let (code, run) = bench.extract("s-0001");
        assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
        assert!(bench.read("project_billing.md").contains("December 18"), "{run:#}");
        let expected = if follows { index.replace("December 11", "December 18") } else { index };
        assert!(bench.read("MEMORY.md").starts_with(&expected), "{}", bench.read("MEMORY.md"));
    }
}

#[test]
fn a_proxy_that_is_named_is_gone_through_and_headers_of_ones_own_are_sent_and_kept_secret() {
    for (engine, says, _) in PROTOCOLS {
        let server = Server::playing(vec![says("nothing to change")]);
        let bench = Bench::new(engine, &server.url);
        bench.configure(
            "http://model.invalid/api",
            &format!("    proxy: {}\n    headers: {{ x-team: hush-hush-1 }}\n", server.url),
        );
        let (code, run) = bench.dream();
        assert_eq!(code, 0, "{run:#}");
        let asked = server.asked()[0].clone();
        assert!(asked.path.starts_with("http://model.invalid/api/"), "{}", asked.path);
        assert_eq!(asked.header("x-team"), Some("hush-hush-1"));
        let state = crate::common::picture(&bench.machine.path("state"));
        assert!(state.values().all(|(bytes, _)| !String::from_utf8_lossy(bytes).contains("hush-hush-1")));
    }
}

#[test]
fn the_tokens_of_a_run_are_a_limit_and_the_model_is_warned_before() {
    for (engine, says, calls) in PROTOCOLS {
        let server = Server::answering(move |_, at| {
            if at > 50 { says("Fine.") } else { calls(&[("Read", json!({ "file_path": "MEMORY.md" }))]) }
        });
        let bench = Bench::new(engine, &server.url);
        let config = std::fs::read_to_string(bench.machine.path("config/dreamtop/config.yaml")).unwrap();
        let budget = if engine == "anthropic" { 1_000 } else { 20_000 };
        bench
            .machine
            .write("config/dreamtop/config.yaml", format!("{config}dream: {{ budget: {{ tokens: {budget} }} }}\n"));
        let (code, run) = bench.dream();
        assert_eq!(code, 5, "{run:#}");
        assert!(run["reason"].as_str().unwrap().contains("budget is used up"), "{run:#}");
        let asked = server.asked();
        assert!(asked.len() < 10, "{}", asked.len());
        assert!(asked.last().unwrap().text().contains("Finish what you have begun"));
    }
}

#[test]
fn a_prompt_of_ones_own_takes_the_place_of_ours_and_the_run_says_so() {
    for (engine, says, _) in PROTOCOLS {
        let server = Server::playing(vec![says("nothing to change")]);
        let bench = Bench::new(engine, &server.url);
        bench.machine.write("config/dreamtop/prompts/dream.md", "<!-- mine -->\nTidy up, gently.\n");
        let (code, run) = bench.dream();
        assert_eq!(code, 0, "{run:#}");
        let asked = server.asked()[0].text();
        assert!(
            asked.contains("Tidy up, gently.") && !asked.contains("mine -->") && !asked.contains("four phases"),
            "{asked}"
        );
        assert!(bench.notices().iter().any(|notice| notice.contains("prompts/dream.md")), "{:?}", bench.notices());
    }
}

#[test]
fn a_call_written_as_text_is_run_and_a_sentence_about_one_is_not() {
    let call = json!({ "name": "Write", "arguments": { "file_path": "project_new.md", "content": topic("n", "project", "a fact", "A fact that holds."), "reason": "x",
        "sources": [{ "session": "s-0001", "line": 1, "quote": "that is a fact" }] } });
    let fenced = format!("```json\n{call}\n```");
    let server = Server::playing(vec![crate::chat::says(&fenced), crate::chat::says("Done.")]);
    let bench = Bench::new("openai", &server.url);
    bench.session("s-0001", &["Yes, that is a fact that holds."]);
    let (code, run) = bench.dream();
    assert_eq!(code, 0, "{run:#}");
    assert!(bench.read("project_new.md").contains("A fact that holds."));
    let talk = format!("I would do this: {call}");
    let server = Server::playing(vec![crate::chat::says(&talk), crate::chat::says(&talk)]);
    let bench = Bench::new("openai", &server.url);
    let (code, run) = bench.dream();
    assert_eq!(code, 5);
    assert!(run["reason"].as_str().unwrap().contains("--enable-auto-tool-choice"), "{run:#}");
    assert!(bench.read("project_new.md").is_empty());
}

#[test]
fn a_window_that_is_too_small_or_was_cut_without_a_word_is_named() {
    let server = Server::playing(vec![crate::chat::says("nothing to remember")]);
    let bench = Bench::new("openai", &server.url);
    bench.session("s-0001", &["we deploy on Fridays"]);
    bench.configure(&server.url, "    context_tokens: 2000\n");
    let (code, run) = bench.extract("s-0001");
    assert_eq!((code, server.asked().len()), (5, 0), "nothing is sent that cannot fit");
    assert!(run["reason"].as_str().unwrap().contains("context_tokens"), "{run:#}");
    let cut = crate::chat::answer("nothing to remember", &[], "stop")
        .replace("\"prompt_tokens\":3000", "\"prompt_tokens\":400");
    let server = Server::playing(vec![Reply::Stream(cut, 50)]);
    bench.configure(&server.url, "");
    let (code, run) = bench.extract("s-0001");
    assert_eq!(code, 5);
    assert!(run["reason"].as_str().unwrap().contains("OLLAMA_CONTEXT_LENGTH"), "{run:#}");
}

#[test]
fn a_conversation_that_outgrows_the_window_lets_its_oldest_answers_go() {
    for (engine, says, calls) in PROTOCOLS {
        let server = Server::answering(move |_, at| {
            if at < 12 { calls(&[("Read", json!({ "file_path": "logs/long.md" }))]) } else { says("Fine.") }
        });
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, "    context_tokens: 24000\n    max_tokens: 1000\n");
        bench.machine.write("m/logs/long.md", "a line of the log that says nothing new\n".repeat(300));
        let (code, run) = bench.dream();
        assert_eq!((code, server.asked().len()), (0, 13), "{run:#}");
        let sizes: Vec<usize> = server.asked().iter().map(|request| request.bytes).collect();
        assert!(sizes.iter().all(|size| *size < 84_000), "{sizes:?}");
        assert!(server.asked()[12].text().contains("no longer here, to make room"));
    }
}

#[test]
fn a_machine_without_certificates_asks_a_plain_server_and_says_what_it_lacks_for_another() {
    let server = Server::playing(vec![crate::chat::calls(&[("Glob", json!({ "pattern": "*.md" }))])]);
    let bench = Bench::new("openai", &server.url);
    let doctor = |bench: &Bench| {
        let mut command = bench.machine.command();
        command.env("SSL_CERT_FILE", "/nowhere").env("SSL_CERT_DIR", "/nowhere");
        let output = command.args(bench.arguments(&["doctor", "--engine-call"])).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(doctor(&bench).contains("answered with a tool call"), "{}", doctor(&bench));
    bench.configure("https://127.0.0.1:1", "");
    assert!(doctor(&bench).contains("No CA certificates were loaded"), "{}", doctor(&bench));
}
