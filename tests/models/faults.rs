//! What goes wrong between a model and us: each ends as one plain sentence, and nothing is lost.

use std::io::Write;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Bench, KEY};
use crate::common::{contents, wait_until};
use crate::server::{Reply, Server};
use crate::{chat, messages};

/// Both protocols: the engine's word, an answer that says something, one that uses tools.
pub type Protocol = (&'static str, fn(&str) -> Reply, fn(&[(&str, Value)]) -> Reply);
pub const PROTOCOLS: [Protocol; 2] =
    [("anthropic", messages::says, messages::calls), ("openai", chat::says, chat::calls)];

fn error(kind: &str, message: &str) -> String {
    json!({ "type": "error", "error": { "type": kind, "message": message } }).to_string()
}

fn soon() -> Vec<(&'static str, String)> {
    vec![("retry-after-ms", "5".to_owned())]
}

fn read() -> Vec<(&'static str, Value)> {
    vec![("Read", json!({ "file_path": "project_testing.md" }))]
}

/// A dream with replies, none of which may change the store when it fails.
fn dream(engine: &'static str, replies: Vec<Reply>) -> (Bench, Server, i32, Value) {
    let server = Server::playing(replies);
    let bench = Bench::new(engine, &server.url);
    bench.session("s-0001", &["we never mock the database"]);
    let before = contents(&bench.machine.path("m"));
    let (code, run) = bench.dream();
    if run["outcome"] == "failed" {
        assert_eq!(contents(&bench.machine.path("m")), before);
        assert_eq!(run["reason"].as_str().unwrap().lines().count(), 1, "{run:#}");
    }
    assert!(!bench.everything().contains(KEY), "the key is in no file");
    (bench, server, code, run)
}

#[test]
fn what_passes_is_asked_again_and_each_time_is_told() {
    for (engine, says, calls) in PROTOCOLS {
        for (status, body) in [
            (429, error("rate_limit_error", "slow down")),
            (529, error("overloaded_error", "Overloaded")),
            (500, "<html>oops</html>".to_owned()),
            (503, String::new()),
        ] {
            let replies = vec![
                Reply::Status(status, soon(), body.clone()),
                Reply::Status(status, soon(), body),
                calls(&read()),
                says("Fine."),
            ];
            let (bench, server, code, run) = dream(engine, replies);
            assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{engine} {status}: {run:#}");
            assert_eq!(server.asked().len(), 4);
            let told: Vec<String> =
                bench.notices().into_iter().filter(|notice| notice.contains("asked again")).collect();
            assert_eq!(told.len(), 2, "{told:?}");
            assert!(told[0].contains(&status.to_string()) && told[0].contains("(1 of 6)"), "{told:?}");
        }
    }
}

#[test]
fn what_stays_is_not_asked_again() {
    for (engine, ..) in PROTOCOLS {
        for (status, body, words) in [
            (400, error("invalid_request_error", "messages: too many"), "messages: too many"),
            (403, error("permission_error", "not for you"), "the credentials are not accepted"),
            (404, error("not_found_error", "model: some-model"), "there is no such address or model"),
            (413, String::new(), "too large"),
            (302, String::new(), "put base_url right"),
        ] {
            let (_, server, code, run) = dream(engine, vec![Reply::Status(status, Vec::new(), body)]);
            assert_eq!((code, server.asked().len()), (5, 1), "{engine} {status}: {run:#}");
            assert!(run["reason"].as_str().unwrap().contains(words), "{engine} {status}: {run:#}");
        }
    }
    let headers = vec![("x-should-retry", "false".to_owned())];
    let (_, server, code, _) = dream("anthropic", vec![Reply::Status(529, headers, String::new())]);
    assert_eq!((code, server.asked().len()), (5, 1), "a server may say that it is no use");
}

#[test]
fn a_key_that_is_refused_pauses_the_engine_and_is_never_repeated() {
    for (engine, ..) in PROTOCOLS {
        let body = error("authentication_error", &format!("invalid key {KEY}"));
        let (_, _, code, run) = dream(engine, vec![Reply::Status(401, Vec::new(), body)]);
        let reason = run["reason"].as_str().unwrap();
        assert_eq!(code, 5);
        assert!(reason.starts_with("paused until") && reason.contains("credentials are not accepted"), "{reason}");
        assert!(reason.ends_with("; put its key right"), "{reason}");
    }
}

#[test]
fn parts_of_a_key_that_is_refused_are_not_repeated_either() {
    for (engine, ..) in PROTOCOLS {
        let (begin, end) = (KEY.get(..12).unwrap(), KEY.get(8..).unwrap());
        let body = error("invalid_request_error", &format!("the key {begin}*** or ***{end} is bad"));
        let (bench, _, code, run) = dream(engine, vec![Reply::Status(400, Vec::new(), body)]);
        let reason = run["reason"].as_str().unwrap();
        assert_eq!(code, 5);
        assert!(reason.contains("is bad"), "{reason}");
        for part in [begin, end, &KEY[4..12]] {
            assert!(!reason.contains(part) && !bench.everything().contains(&format!("{part}*")), "{part}: {reason}");
        }
    }
}

#[test]
fn an_answer_that_is_no_event_stream_is_named_and_not_asked_for_again() {
    let page = "<html><body>Welcome</body></html>";
    for (engine, ..) in PROTOCOLS {
        for (headers, named) in [
            (vec![("content-type", "text/html; charset=utf-8".to_owned())], "is no event stream (text/html)"),
            (vec![("content-type", "application/json".to_owned())], "is no event stream (application/json)"),
            (Vec::new(), "is no event stream;"),
        ] {
            let (_, server, code, run) = dream(engine, vec![Reply::Status(200, headers, page.to_owned())]);
            let reason = run["reason"].as_str().unwrap();
            assert_eq!((code, server.asked().len()), (5, 1), "{engine}: {reason}");
            assert!(reason.contains(named) && reason.contains("is base_url right?"), "{reason}");
        }
    }
}

#[test]
fn a_budget_of_no_money_asks_nobody() {
    for (engine, says, _) in PROTOCOLS {
        let server = Server::playing(vec![says("Fine.")]);
        let bench = Bench::new(engine, &server.url);
        bench.session("s-0001", &["we never mock the database"]);
        let path = bench.machine.path("config/dreamtop/config.yaml");
        let config = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{config}dream: {{ budget: {{ usd: 0 }} }}\n")).unwrap();
        let (code, run) = bench.dream();
        assert_eq!((code, server.asked().len()), (5, 0), "{run:#}");
        assert!(run["reason"].as_str().unwrap().contains("dream.budget.usd"), "{run:#}");
    }
}

#[test]
fn fc_121_a_limit_as_status_or_as_the_text_of_an_answer_pauses_at_once_and_says_until_when() {
    for (engine, says, _) in PROTOCOLS {
        let headers = vec![("retry-after", "7200".to_owned())];
        let limited = Reply::Status(429, headers, error("rate_limit_error", "limit for today"));
        let (_, server, _, run) = dream(engine, vec![limited]);
        assert!(run["reason"].as_str().unwrap().starts_with("paused until 2026-11-30 11:00"), "{run:#}");
        assert_eq!(server.asked().len(), 1, "two hours are not waited for");

        let (bench, server, code, run) = dream(engine, vec![says("You've hit your session limit · resets 3:45pm")]);
        assert_eq!(code, 5);
        assert!(
            run["reason"].as_str().unwrap().starts_with(&format!(
                "paused until 2026-11-30 15:45: {engine} refuses: \"You've hit your session limit"
            )),
            "{run:#}"
        );
        let asked = server.asked().len();
        assert!(asked <= 2, "{asked}");
        let answer = bench.machine.run(&bench.arguments(&["dream", "--trigger", "hook"]));
        assert_eq!(answer.code(), 4, "an automatic one does not begin: {}", answer.out());
        assert_eq!(server.asked().len(), asked, "and asks nobody");
    }
}

#[test]
fn a_stream_that_is_cut_off_is_asked_for_again_and_no_half_of_it_is_used() {
    let write = json!({ "file_path": "project_new.md", "content": "half", "reason": "x" });
    for (engine, says, calls) in PROTOCOLS {
        let whole = match engine {
            "anthropic" => messages::answer("", &[("Write", write.clone())], "tool_use"),
            _ => chat::answer("", &[("Write", write.clone())], "tool_calls"),
        };
        let cut: String = whole.chars().take(whole.len() * 2 / 3).collect();
        let (bench, server, code, run) = dream(engine, vec![Reply::Cut(cut), calls(&read()), says("Fine.")]);
        assert_eq!((code, server.asked().len()), (0, 3), "{engine}: {run:#}");
        assert!(bench.read("project_new.md").is_empty());
        assert_eq!(server.asked()[0].body, server.asked()[1].body, "the very same is asked again");
    }
}

#[test]
fn an_error_after_the_beginning_is_heard() {
    let begun = messages::answer("Hello", &[], "end_turn");
    let begun = begun.split("event: content_block_stop").next().unwrap().to_owned();
    let overloaded = format!("{begun}event: error\ndata: {}\n\n", error("overloaded_error", "Overloaded"));
    let (_, server, code, _) =
        dream("anthropic", vec![Reply::Stream(overloaded, 9), messages::calls(&read()), messages::says("Fine.")]);
    assert_eq!((code, server.asked().len()), (0, 3));
    let refused = format!("data: {}\n\n", json!({ "error": { "message": "context is full", "code": 400 } }));
    let (_, server, code, run) = dream("openai", vec![Reply::Stream(refused, 9)]);
    assert_eq!((code, server.asked().len()), (5, 1));
    assert!(run["reason"].as_str().unwrap().contains("context is full"), "{run:#}");
}

#[test]
fn what_is_no_json_and_what_never_ends_fails_in_words() {
    for (engine, ..) in PROTOCOLS {
        let server = Server::answering(|_, _| Reply::Stream("data: {oops\n\n".to_owned(), 3));
        let bench = Bench::new(engine, &server.url);
        bench.session("s-0001", &["hello there"]);
        let (code, run) = bench.extract("s-0001");
        assert_eq!(code, 5);
        assert!(run["reason"].as_str().unwrap().contains("no JSON"), "{run:#}");
        assert_eq!(server.asked().len(), 4, "three more tries");
    }
}

#[test]
fn a_huge_answer_is_taken_whole_and_a_slow_one_waited_for() {
    let big = "words ".repeat(20_000);
    for (engine, says, calls) in PROTOCOLS {
        let text = match engine {
            "anthropic" => messages::answer(&big, &[], "end_turn"),
            _ => chat::answer(&big, &[], "stop"),
        };
        let (bench, _, code, run) = dream(engine, vec![calls(&read()), Reply::Stream(text, 1 << 20)]);
        assert_eq!(code, 0, "{run:#}");
        let journalled = bench.journal().iter().filter_map(|event| event["text"].as_str().map(str::len)).max();
        assert!(journalled.is_some_and(|length| length <= 4_000), "{journalled:?}");
        let _ = says;
    }
    let pieces: Vec<String> =
        messages::answer("Slowly.", &read(), "tool_use").split_inclusive("\n\n").map(str::to_owned).collect();
    let slow = Reply::Slow(pieces, Duration::from_millis(20));
    let (_, _, code, run) = dream("anthropic", vec![slow, messages::says("Fine.")]);
    assert_eq!(code, 0, "{run:#}");
}

#[test]
fn a_server_that_is_silent_is_given_up_after_the_time_that_is_set() {
    for (engine, ..) in PROTOCOLS {
        let server = Server::answering(|_, _| Reply::Silence("\n".to_owned()));
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, "    idle_seconds: 1\n");
        bench.session("s-0001", &["hello there"]);
        let child = bench.start(&["extract", "--transcript", "s/s-0001.jsonl"]);
        wait_until("it was asked again", || server.asked().len() >= 2);
        assert!(bench.notices().iter().any(|notice| notice.contains("was silent for 1 s")), "{:?}", bench.notices());
        end(child);
    }
}

fn end(mut child: std::process::Child) {
    let id = child.id().to_string();
    std::process::Command::new("kill").arg(&id).status().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_run_closes_its_connection_at_once_and_has_changed_nothing() {
    for (engine, ..) in PROTOCOLS {
        for begun in ["\n", ": ping\n\n"] {
            let server = Server::answering(move |_, _| Reply::Silence(begun.to_owned()));
            let bench = Bench::new(engine, &server.url);
            bench.session("s-0001", &["we never mock the database"]);
            let before = contents(&bench.machine.path("m"));
            let child = bench.start(&["dream", "--force"]);
            wait_until("it was asked", || !server.asked().is_empty());
            let started = Instant::now();
            end(child);
            wait_until("the connection is closed", || server.was_left());
            eprintln!("{engine}: from the signal to the end of process and connection: {:?}", started.elapsed());
            let last = bench.journal().pop().unwrap();
            assert_eq!((last["event"].as_str(), last["outcome"].as_str()), (Some("ended"), Some("killed")));
            assert_eq!(contents(&bench.machine.path("m")), before);
        }
    }
}

#[test]
fn a_run_that_waits_to_ask_again_is_killed_at_once_too() {
    let wait = vec![("retry-after", "200".to_owned())];
    let server = Server::answering(move |_, _| Reply::Status(529, wait.clone(), String::new()));
    let bench = Bench::new("anthropic", &server.url);
    bench.session("s-0001", &["we never mock the database"]);
    let child = bench.start(&["dream", "--force"]);
    wait_until("it waits", || {
        std::fs::read_dir(bench.machine.path("state/dreamtop/runs")).is_ok() && !server.asked().is_empty()
    });
    wait_until("it says so", || bench.notices().iter().any(|notice| notice.contains("asked again in 200.0 s")));
    end(child);
    assert_eq!(bench.journal().pop().unwrap()["outcome"], "killed");
}

#[test]
fn nobody_there_and_no_encryption_there_are_told_apart() {
    for (engine, ..) in PROTOCOLS {
        let bench = Bench::new(engine, "http://127.0.0.1:1");
        bench.session("s-0001", &["hello there"]);
        let (code, run) = bench.extract("s-0001");
        assert_eq!(code, 5);
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains("cannot reach http://127.0.0.1:1") && reason.contains("refused"), "{reason}");
        let plain = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = plain.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in plain.incoming().map_while(Result::ok) {
                let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            }
        });
        bench.configure(&format!("https://{address}"), "");
        let (code, run) = bench.extract("s-0001");
        assert_eq!(code, 5);
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains("no secure connection"), "{reason}");
    }
}

#[test]
fn an_engine_without_a_model_or_a_key_is_a_usage_error_that_says_what_to_do() {
    let bench = Bench::new("anthropic", "http://127.0.0.1:1");
    bench.machine.write("config/dreamtop/config.yaml", "theme: dark\n");
    for (engine, words) in [
        ("anthropic", "models.anthropic.model"),
        ("anthropic:m", "ANTHROPIC_API_KEY"),
        ("openai:m", "OPENAI_API_KEY"),
        ("gpt", "accepted: embedded"),
    ] {
        let answer =
            bench.machine.run(&["--memory-dir", "m", "--sessions", "s", "--engine", engine, "dream", "--force"]);
        assert_eq!(answer.code(), 2, "{engine}");
        assert!(answer.err().contains(words), "{engine}: {}", answer.err());
    }
}
