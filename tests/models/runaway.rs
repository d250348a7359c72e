//! Servers and models that do not come to an end, or do not say what they use: limits hold all the same.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::common::contents;
use crate::faults::PROTOCOLS;
use crate::messages;
use crate::server::{Reply, Server};

/// A stream without any figures of usage.
fn without_usage(reply: Reply) -> Reply {
    let Reply::Stream(text, piece) = reply else { panic!("a stream") };
    let lines: Vec<String> = text
        .lines()
        .map(|line| {
            let Some(data) = line.strip_prefix("data: ").and_then(|data| serde_json::from_str::<Value>(data).ok())
            else {
                return line.to_owned();
            };
            let mut data = data;
            for at in ["", "/message"] {
                if let Some(object) = data.pointer_mut(at).and_then(Value::as_object_mut) {
                    object.remove("usage");
                }
            }
            format!("data: {data}")
        })
        .collect();
    Reply::Stream(lines.join("\n") + "\n\n", piece)
}

fn reads() -> Vec<(&'static str, Value)> {
    vec![("Read", json!({ "file_path": "project_testing.md" }))]
}

#[test]
fn a_budget_holds_also_when_the_server_does_not_say_what_it_uses() {
    for (engine, _, calls) in PROTOCOLS {
        let server = Server::answering(move |_, _| without_usage(calls(&reads())));
        let bench = Bench::new(engine, &server.url);
        let file = "config/dreamtop/config.yaml";
        let config = fs::read_to_string(bench.machine.path(file)).unwrap();
        bench.machine.write(file, format!("{config}dream: {{ budget: {{ tokens: 20000 }} }}\n"));
        let before = contents(&bench.machine.path("m"));
        let (code, run) = bench.dream();
        assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
        assert!(run["reason"].as_str().unwrap().contains("of 20000 tokens"), "{run:#}");
        let sent: usize = server.asked().iter().map(|request| request.bytes).sum();
        assert!(sent / 4 < 2 * 20_000, "{engine}: {sent} bytes were sent for 20,000 tokens");
        let told = bench.notices().iter().filter(|notice| notice.contains("estimated from the bytes")).count();
        assert_eq!(told, 1, "{:?}", bench.notices());
        assert!(run["tokens"]["input"].as_u64().unwrap() > 10_000, "{run:#}");
        assert_eq!(contents(&bench.machine.path("m")), before);
    }
}

#[test]
fn an_answer_that_does_not_end_is_cut_off_in_words() {
    for (engine, _, _) in PROTOCOLS {
        let one = match engine {
            "anthropic" => {
                "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"more and more and more\"}}\n\n"
            }
            _ => "data: {\"choices\":[{\"delta\":{\"content\":\"more and more and more\"}}]}\n\n",
        };
        let server = Server::answering(move |_, _| Reply::Stream(one.repeat(40_000), 64 * 1024));
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, "    max_tokens: 100\n");
        let (code, run) = bench.dream();
        assert_eq!(code, 5, "{run:#}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains("does not end") && reason.contains("at most 100 tokens"), "{reason}");
        assert_eq!(server.asked().len(), 1, "nobody asks for that again");
    }
}

#[test]
fn a_model_that_only_pauses_is_ended() {
    let server = Server::answering(|_, _| Reply::Stream(messages::answer("still at it", &[], "pause_turn"), 64));
    let bench = Bench::new("anthropic", &server.url);
    let (code, run) = bench.dream();
    assert_eq!(code, 5);
    assert!(run["reason"].as_str().unwrap().contains("paused 8 times in a row"), "{run:#}");
    assert_eq!(server.asked().len(), 8);
}

#[test]
fn a_full_window_is_called_a_full_window() {
    let server =
        Server::playing(vec![Reply::Stream(messages::answer("Well", &[], "model_context_window_exceeded"), 64)]);
    let bench = Bench::new("anthropic", &server.url);
    let (code, run) = bench.dream();
    assert_eq!(code, 5);
    let reason = run["reason"].as_str().unwrap();
    assert!(reason.contains("window was full") && !reason.contains("vLLM"), "{reason}");
}

#[test]
fn a_server_that_wants_to_be_asked_again_at_once_is_asked_ever_more_slowly() {
    let asks = |retry_after: &str| {
        let retry_after = retry_after.to_owned();
        let server = Server::answering(move |_, _| {
            Reply::Status(429, vec![("retry-after", retry_after.clone())], String::new())
        });
        let bench = Bench::new("anthropic", &server.url);
        // One doubling after the other: within three seconds there is room for few.
        let file = "config/dreamtop/config.yaml";
        let config = fs::read_to_string(bench.machine.path(file)).unwrap();
        bench.machine.write(file, format!("{config}dream: {{ budget: {{ seconds: 3 }} }}\n"));
        let (code, _) = bench.dream();
        assert_eq!(code, 5);
        let waits = bench.notices().into_iter().filter(|notice| notice.contains("asked again in")).collect::<Vec<_>>();
        assert!(!waits.is_empty() && waits.len() <= 5, "{waits:?}");
        assert!(waits.iter().skip(1).all(|wait| !wait.contains("in 0.0 s")), "{waits:?}");
    };
    asks("0");
    asks("Mon, 30 Nov 2020 11:00:00 GMT");
}

#[test]
fn an_error_in_the_last_words_of_a_stream_is_heard_without_its_blank_line() {
    let error = json!({ "type": "error", "error": { "type": "invalid_request_error", "message": "context is odd" } });
    let server = Server::playing(vec![Reply::Stream(format!("data: {error}"), 64)]);
    let bench = Bench::new("anthropic", &server.url);
    let (code, run) = bench.dream();
    assert_eq!(code, 5);
    assert!(run["reason"].as_str().unwrap().contains("context is odd"), "{run:#}");
}

#[test]
fn an_address_with_a_credential_in_it_is_refused_and_shown_nowhere() {
    for address in ["http://user:passwordXX@127.0.0.1:9/v1", "http://127.0.0.1:9/v1?key=passwordXX"] {
        for (engine, _, _) in PROTOCOLS {
            let bench = Bench::new(engine, address);
            fs::remove_file(bench.machine.path("key")).unwrap();
            let config = fs::read_to_string(bench.machine.path("config/dreamtop/config.yaml")).unwrap();
            let answer = bench.machine.run(&bench.arguments(&["dream", "--force"]));
            let doctor = bench.machine.run(&bench.arguments(&["doctor"]));
            for said in [answer.out(), answer.err(), doctor.out(), doctor.err()] {
                assert!(!said.contains("passwordXX"), "{said}");
            }
            assert!(answer.err().contains("base_url") || answer.out().contains("base_url"), "{}", answer.err());
            let everything = bench.everything().replace(&config, "");
            assert!(!everything.contains("passwordXX"));
        }
    }
}

#[test]
fn calls_that_fill_the_window_give_way_too() {
    let server = Server::answering(|request, at| {
        let turns = request.body["messages"].as_array().map_or(0, Vec::len);
        assert!(turns < 300, "the history is bounded");
        if at < 150 {
            crate::chat::calls(&[(
                "Grep",
                json!({ "pattern": format!("word{at}{}", "x".repeat(200)), "path": "project_testing.md" }),
            )])
        } else {
            crate::chat::says("nothing to change")
        }
    });
    let bench = Bench::new("openai", &server.url);
    bench.configure(&server.url, "    context_tokens: 9000\ndream: { budget: { tokens: 4000000 } }\n");
    let (code, run) = bench.dream();
    assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    assert_eq!(server.asked().len(), 151);
}

#[test]
fn a_pattern_that_begins_elsewhere_finds_what_is_there() {
    let bench = Bench::new("anthropic", "http://127.0.0.1:9");
    let place = bench.machine.path("proj/src");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("one.rs"), "x").unwrap();
    let root = bench.machine.path("proj");
    let ask = |input: Value| {
        let server = Server::answering(move |request, at| match at {
            0 => messages::calls(&[("Glob", input.clone())]),
            _ => {
                let is_found = request.text().contains("one.rs");
                messages::says(if is_found { "nothing to change" } else { "It is not there." })
            }
        });
        bench.configure(&server.url, "");
        bench.dream();
        server.asked()[1].body["messages"].as_array().unwrap().last().unwrap().to_string()
    };
    let root = root.display();
    for pattern in [format!("{root}/src/*.rs"), format!("{root}/**/*.rs"), format!("{root}/src/one.rs")] {
        assert!(ask(json!({ "pattern": pattern })).contains("one.rs"), "{pattern}");
    }
    let elsewhere = ask(json!({ "pattern": "../src/*.rs", "path": root.to_string() }));
    assert!(!elsewhere.contains("one.rs"), "{elsewhere}");
    fs::create_dir_all(bench.machine.path("proj/docs")).unwrap();
    assert!(ask(json!({ "pattern": "../src/*.rs", "path": format!("{root}/docs") })).contains("one.rs"));
}

#[test]
fn a_script_that_is_no_file_or_does_not_end_is_refused_in_words() {
    let bench = Bench::new("anthropic", "http://127.0.0.1:9");
    let pipe = bench.machine.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for script in ["/dev/zero", pipe.to_str().unwrap()] {
        let engine = format!("script:{script}");
        let answer =
            bench.machine.run(&["--memory-dir", "m", "--sessions", "s", "--engine", &engine, "dream", "--force"]);
        assert_ne!(answer.code(), 0);
        assert!(answer.err().contains("cannot read the script"), "{}", answer.err());
    }
}
