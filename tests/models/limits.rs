//! Caps in money, parts that fail, servers that do not run: what is kept, what is said, what is not tried again.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, topic};
use crate::common::contents;
use crate::faults::PROTOCOLS;
use crate::server::{Reply, Server};

const PRICES: &str = "    prices: { input: 3, output: 15 }\n";

fn add(bench: &Bench, more: &str) {
    let file = "config/dreamtop/config.yaml";
    let config = fs::read_to_string(bench.machine.path(file)).unwrap();
    bench.machine.write(file, format!("{config}{more}"));
}

fn said(number: usize) -> String {
    format!("turn {number}: we hold that fact to be true. {}", "we talk about the weather ".repeat(100))
}

#[test]
fn a_later_part_that_fails_keeps_the_parts_before_it_and_the_next_extraction_goes_on_there() {
    for (engine, says, calls) in PROTOCOLS {
        let remember = move |number: usize| {
            let content = topic("fact", "project", "a fact", &format!("Fact {number} holds."));
            json!({ "file_path": format!("project_fact_{number}.md"), "content": content, "reason": "said",
                "sources": [{ "session": "s-0001", "quote": format!("turn {number}: we hold that fact to be true") }] })
        };
        // Each part: a memory, then the end. The third is refused when it has written one.
        let server = Server::answering(move |request, at| {
            let is_done = request.text().contains("wrote project_fact");
            match at {
                0..=3 if is_done => says("Done."),
                0..=3 => calls(&[("Write", remember(at))]),
                4 => calls(&[("Write", remember(4))]),
                5 => Reply::Status(400, Vec::new(), json!({ "error": { "message": "too odd" } }).to_string()),
                _ => says("nothing to remember"),
            }
        });
        let bench = Bench::new(engine, &server.url);
        let all: Vec<String> = (0..40).map(said).collect();
        bench.session("s-0001", &all.iter().map(String::as_str).collect::<Vec<_>>());
        let (code, run) = bench.extract("s-0001");
        assert_eq!((code, run["outcome"].as_str()), (3, Some("partial")), "{run:#}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains("2 of ") && reason.contains("too odd") && reason.contains("goes on there"), "{reason}");
        assert_eq!(run["notice"], "Saved 2 memories");
        assert!(bench.read("project_fact_0.md").contains("holds") && bench.read("project_fact_2.md").contains("holds"));
        assert_eq!(bench.read("project_fact_4.md"), "", "what was half done is not kept");
        assert!(!bench.read("MEMORY.md").contains("project_fact_4"));
        let asked = server.asked();
        let holds = |text: &str, number: usize| text.contains(&format!("turn {number}:"));
        let read: Vec<usize> =
            (0..40).filter(|number| asked[..4].iter().any(|one| holds(&one.text(), *number))).collect();
        assert!(!read.is_empty() && read.len() < 40);

        let (code, run) = bench.extract("s-0001");
        assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
        let rest: String = server.asked()[asked.len()..].iter().map(crate::server::Request::text).collect();
        for number in 0..40 {
            assert_ne!(read.contains(&number), holds(&rest, number), "turn {number} is read once: {engine}");
        }
        let (code, _) = bench.extract("s-0001");
        assert_eq!(code, 4, "nothing is left");
    }
}

#[test]
fn fc_123_a_cap_in_money_ends_a_run_and_the_days_cap_stops_automatic_ones() {
    for (engine, says, calls) in PROTOCOLS {
        let server = Server::answering(move |request, _| {
            if request.text().contains("weather") {
                says("nothing to remember")
            } else {
                calls(&[("Read", json!({ "file_path": "project_testing.md" }))])
            }
        });
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, PRICES);
        add(&bench, "dream: { budget: { usd: 0.0019 } }\nextract: { budget: { usd_a_day: 0.0001 } }\n");
        let before = contents(&bench.machine.path("m"));
        let (code, run) = bench.dream();
        assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
        let reason = run["reason"].as_str().unwrap();
        assert!(reason.contains("the budget is used up") && reason.contains("of 0.0019 USD"), "{reason}");
        assert_eq!(contents(&bench.machine.path("m")), before);

        bench.session("s-0001", &[&said(0)]);
        assert_eq!(bench.extract("s-0001").0, 0);
        let asked = server.asked().len();
        bench.session("s-0001", &[&said(1)]);
        let automatic = |bench: &Bench| {
            let answer = bench.machine.run(&bench.arguments(&[
                "extract",
                "--trigger",
                "hook",
                "--transcript",
                "s/s-0001.jsonl",
            ]));
            (answer.code(), answer.json()["reason"].as_str().unwrap_or_default().to_owned())
        };
        let (code, reason) = automatic(&bench);
        assert!(
            code == 4 && reason.contains("today's money is used up") && reason.contains("0.0001 USD"),
            "{code} {reason}"
        );
        assert_eq!(server.asked().len(), asked, "nobody was asked");
        let gates = bench.machine.run(&["--memory-dir", "m", "--sessions", "s", "gates"]);
        assert!(gates.out().contains("of 0.0001 USD"), "{}", gates.out());
        assert_eq!(bench.extract("s-0001").0, 0, "by hand it goes");
    }
    let server = Server::playing(vec![crate::messages::says("nothing to change")]);
    let bench = Bench::new("anthropic", &server.url);
    add(&bench, "dream: { budget: { usd: 1 } }\n");
    assert_eq!(bench.dream().0, 0);
    assert!(
        bench
            .notices()
            .iter()
            .any(|notice| notice.contains("cap in USD does not count") && notice.contains("models.anthropic.prices")),
        "{:?}",
        bench.notices()
    );
}

#[test]
fn what_recall_asks_a_model_counts_in_the_days_tokens() {
    for (engine, says, _) in PROTOCOLS {
        let server = Server::playing(vec![says("{\"selected\": [\"project_testing.md\"]}")]);
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, PRICES);
        let today = || {
            let gates = bench.run(&["gates"]).1;
            gates["today"]["extract"].clone()
        };
        assert_eq!(today()["tokens"], 0);
        let (code, answer) = bench.run(&["recall", "how do we test against the database?"]);
        assert_eq!((code, answer["selector"].as_str()), (0, Some(engine)), "{answer:#}");
        let after = today();
        assert!(after["tokens"].as_u64().unwrap() > 100 && after["cost"].as_f64().unwrap() > 0.0, "{after}");
        assert_eq!(after["runs"], 0, "it is no run");

        // An answer that is paid for is used, also where it cannot be counted.
        let spent = bench.machine.path("state/dreamtop/spent");
        fs::remove_dir_all(&spent).unwrap();
        fs::write(&spent, "in the way").unwrap();
        let server = Server::playing(vec![says("{\"selected\": [\"project_testing.md\"]}")]);
        bench.configure(&server.url, PRICES);
        let (code, answer) = bench.run(&["recall", "how do we test against the database?"]);
        assert_eq!((code, answer["selector"].as_str()), (0, Some(engine)), "{answer:#}");
    }
}

#[test]
fn a_server_that_does_not_run_is_asked_once_more_each_try_is_said_at_once_and_doctor_says_what_to_change() {
    for (engine, ..) in PROTOCOLS {
        let bench = Bench::new(engine, "http://127.0.0.1:1");
        bench.session("s-0001", &["hello there"]);
        let answer = bench.machine.run(&bench.arguments(&["extract", "--transcript", "s/s-0001.jsonl"]));
        assert_eq!(answer.code(), 5);
        let told: Vec<String> = bench.notices().into_iter().filter(|notice| notice.contains("asked again")).collect();
        assert!(matches!(told.as_slice(), [one] if one.contains("(1 of 1)")), "{told:?}");
        assert!(answer.err().contains("asked again in"), "while it goes on, too: {}", answer.err());
        assert!(answer.json()["reason"].as_str().unwrap().contains("(asked 2 times)"));
        let quiet = bench.machine.run(&bench.arguments(&["--quiet", "extract", "--transcript", "s/s-0001.jsonl"]));
        assert_eq!((quiet.code(), quiet.err().as_str()), (5, ""));
        let next = || {
            let doctor = bench.run(&["doctor", "--engine-call"]).1;
            let check =
                doctor["checks"].as_array().unwrap().iter().find(|check| check["check"] == "engine-call").cloned();
            check.unwrap()["next"].as_str().unwrap().to_owned()
        };
        let config = bench.machine.path("config/dreamtop/config.yaml").display().to_string();
        let refused = next();
        assert!(
            refused.contains("start the server") && refused.contains(&format!("models.{engine}.base_url")),
            "{refused}"
        );
        assert!(refused.contains(&config), "{refused}");
        for (status, words) in [(401, "api_key_command"), (404, ".model or"), (402, "see to the account")] {
            let server = Server::playing(vec![Reply::Status(status, Vec::new(), String::new())]);
            bench.configure(&server.url, "");
            let said = next();
            assert!(said.contains(words), "{status}: {said}");
        }
    }
}

#[test]
fn an_extraction_that_a_hook_starts_with_an_engine_that_cannot_be_had_stands_among_the_runs() {
    let bench = Bench::new("anthropic", "http://127.0.0.1:1");
    bench.machine.write("config/dreamtop/config.yaml", "theme: dark\n");
    bench.session("s-0001", &["hello there"]);
    let (code, run) = bench.run(&["extract", "--trigger", "hook", "--transcript", "s/s-0001.jsonl"]);
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    assert!(run["reason"].as_str().unwrap().contains("models.anthropic.model"), "{run:#}");
    let runs = bench.machine.run(&["--json", "runs"]).json();
    assert!(runs["runs"].as_array().is_some_and(|runs| runs.len() == 1), "{runs:#}");
}

/// For `docs/models.md`: what a person sees of the same dream by each engine.
#[test]
fn a_dream_reads_the_same_whoever_thinks() {
    let edit = json!({ "file_path": "project_testing.md", "old_string": "a real database.", "new_string": "a real database, never a mock.",
        "reason": "said again", "sources": [{ "session": "s-0001", "line": 1, "quote": "a real database, never a mock" }] });
    let turns: Vec<(&str, Value)> = vec![
        ("Grep", json!({ "pattern": "mock", "path": "." })),
        ("Read", json!({ "file_path": "/home/ada/.ssh/id_ed25519" })),
        ("Edit", edit.clone()),
    ];
    let mut transcripts = Vec::new();
    for engine in ["script", "anthropic", "openai"] {
        // A script gives its sources in a line of their own.
        let why = json!({ "rationale": { "file": "project_testing.md", "reason": "said again", "sources": edit["sources"] } });
        let lines: String = std::iter::once(format!("{why}\n"))
            .chain(turns.iter().map(|(tool, input)| format!("{}\n", json!({ "tool": tool, "input": input }))))
            .chain([json!({ "text": "phase: consolidate\nSharpened one memory." }).to_string()])
            .collect();
        let played = turns.clone();
        let server = Server::answering(move |_, at| {
            let (_, says, calls) = PROTOCOLS.into_iter().find(|(name, ..)| *name == engine).unwrap_or(PROTOCOLS[0]);
            played.get(at).map_or_else(
                || says("phase: consolidate\nSharpened one memory."),
                |turn| calls(std::slice::from_ref(turn)),
            )
        });
        let bench = Bench::new(engine, &server.url);
        bench.session("s-0001", &["Once more: we test against a real database, never a mock."]);
        let word = if engine == "script" {
            bench.machine.write("config/dreamtop/config.yaml", "theme: dark\n");
            format!("script:{}", bench.machine.write("script.jsonl", lines).display())
        } else {
            engine.to_owned()
        };
        let answer = bench.machine.run(&[
            "--memory-dir",
            "m",
            "--sessions",
            "s",
            "--engine",
            &word,
            "--json",
            "dream",
            "--force",
        ]);
        assert_eq!(answer.json()["outcome"], "done", "{engine}: {}", answer.out());
        let journal = bench.journal();
        let shown: Vec<String> = journal
            .iter()
            .filter_map(|event| match event["event"].as_str()? {
                "tool" => Some(format!("tool {} {} {}", event["name"], event["target"], event["allowed"])),
                "text" => Some(format!("text {}", event["text"])),
                "ended" => Some(format!("ended {} {}", event["outcome"], event["reason"])),
                _ => None,
            })
            .collect();
        eprintln!("{engine}:\n  {}", shown.join("\n  "));
        transcripts.push(shown);
    }
    assert!(transcripts.iter().all(|one| *one == transcripts[0]), "{transcripts:#?}");
    assert!(transcripts[0][1].ends_with("false"), "what holds keys is not read");
}

/// What a hook gives beside a prompt of a session of its own.
fn prompted(bench: &Bench, number: usize) -> String {
    let cwd = bench.machine.path("work");
    fs::create_dir_all(&cwd).unwrap();
    let input = json!({ "hook_event_name": "UserPromptSubmit", "session_id": format!("s-{number}"), "cwd": cwd,
        "transcript_path": bench.machine.path(&format!("claude/projects/x/s-{number}.jsonl")),
        "prompt": "how do we test against the real database?" });
    let mut command = bench.machine.command();
    let arguments = ["--memory-dir", "m", "--sessions", "s", "--engine", bench.engine, "hook"];
    command.args(arguments).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.to_string().as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn an_engine_that_refused_is_not_asked_at_a_prompt_and_a_prompts_refusal_begins_a_pause() {
    for (engine, ..) in PROTOCOLS {
        for (status, words) in [(401, "the credentials are not accepted"), (429, "429 too many requests")] {
            // By a run, by a person's recall, by a prompt.
            for first in ["run", "recall", "prompt"] {
                let server = Server::answering(move |_, _| {
                    Reply::Status(status, vec![("retry-after", "7200".to_owned())], String::new())
                });
                let bench = Bench::new(engine, &server.url);
                add(&bench, "recall: { model: true, milliseconds: 60000 }\n");
                bench.session("s-0001", &["we talk about the weather"]);
                match first {
                    "run" => drop(bench.dream()),
                    "recall" => drop(bench.run(&["recall", "how do we test against the database?"])),
                    _ => drop(prompted(&bench, 0)),
                }
                let asked = server.asked().len();
                assert!(asked > 0, "{first}");
                for number in 1..4 {
                    let given = prompted(&bench, number);
                    assert!(given.contains("project_testing.md"), "the ranking answers: {given}");
                    assert!(given.contains("selected without the model: paused until"), "{first}: {given}");
                }
                let (_, recalled) = bench.run(&["recall", "how do we test against the database?"]);
                let degraded = recalled["degraded"].as_str().unwrap();
                assert!(degraded.contains("paused until") && degraded.contains(words), "{degraded}");
                assert_eq!(recalled["selector"], "embedded");
                assert_eq!(server.asked().len(), asked, "{engine}, {status}, {first}: nobody is asked meanwhile");
                let (_, gates) = bench.run(&["gates"]);
                assert!(gates.to_string().contains("paused until"), "{gates}");
            }
        }
    }
}

#[test]
fn a_pause_that_a_prompt_began_ends_with_its_time_or_with_another_key() {
    let (engine, says, _) = PROTOCOLS[0];
    let server = Server::answering(move |_, at| match at {
        0 => Reply::Status(429, vec![("retry-after", "7200".to_owned())], String::new()),
        _ => says("{\"selected\": [\"project_testing.md\"]}"),
    });
    let mut bench = Bench::new(engine, &server.url);
    let recall = |bench: &Bench| bench.run(&["recall", "how do we test?"]).1;
    assert!(recall(&bench)["degraded"].as_str().unwrap().contains("paused until 2026-11-30 11:00"));
    assert_eq!(recall(&bench)["selector"], "embedded");
    bench.machine.now = "2026-11-30T11:00:01Z";
    assert_eq!((recall(&bench)["selector"].as_str(), server.asked().len()), (Some(engine), 2));
}

#[test]
fn a_server_that_says_nothing_costs_its_seconds_once() {
    for (engine, says, _) in PROTOCOLS {
        let server = Server::answering(move |_, at| match at {
            0 => Reply::Silence(": wait\n\n".to_owned()),
            _ => says("{\"selected\": [\"project_testing.md\"]}"),
        });
        let mut bench = Bench::new(engine, &server.url);
        add(&bench, "recall: { model: true, milliseconds: 60000, model_seconds: 1 }\n");
        let first = prompted(&bench, 0);
        assert!(first.contains("did not answer within 1.0 s") && first.contains("project_testing.md"), "{first}");
        for number in 1..4 {
            let given = prompted(&bench, number);
            assert!(given.contains("is not waited for until 09:10") && given.contains("project_testing.md"), "{given}");
        }
        assert!(bench.run(&["recall", "how do we test?"]).1["degraded"].as_str().unwrap().contains("not waited for"));
        assert_eq!(server.asked().len(), 1);
        let (_, gates) = bench.run(&["gates"]);
        assert!(!gates.to_string().contains("paused until"), "runs wait for nobody: {gates}");
        bench.machine.now = "2026-11-30T09:11:00Z";
        assert!(!prompted(&bench, 9).contains("without the model"));
        assert_eq!(server.asked().len(), 2);
        assert!(!prompted(&bench, 10).contains("without the model"), "it answered, so it is asked again");
    }
}

#[test]
fn a_proxy_that_is_not_there_is_named_and_not_the_server_behind_it() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for (engine, ..) in PROTOCOLS {
        for server in ["http://models.example:8080", "https://models.example"] {
            let bench = Bench::new(engine, server);
            bench.configure(server, &format!("    proxy: \"http://ada:hush-proxy@{free}\"\n"));
            bench.session("s-0001", &["we talk about the weather"]);
            let (code, run) = bench.dream();
            let reason = run["reason"].as_str().unwrap();
            assert_eq!(code, 5, "{run:#}");
            let proxy = format!("cannot reach the proxy http://{free}, by which {server}");
            assert!(reason.contains(&proxy) && !reason.contains("hush-proxy"), "{reason}");
            let (_, doctor) = bench.run(&["doctor", "--engine-call"]);
            let checks = doctor["checks"].as_array().unwrap();
            let call = checks.iter().find(|check| check["check"] == "engine-call").unwrap();
            let next = call["next"].as_str().unwrap();
            assert!(next.contains(&format!("models.{engine}.proxy")) && !next.contains("base_url"), "{call}");
        }
        // Without one it is the server.
        let bench = Bench::new(engine, &format!("http://{free}"));
        bench.session("s-0001", &["we talk about the weather"]);
        let reason = bench.dream().1["reason"].as_str().unwrap().to_owned();
        assert!(reason.contains(&format!("cannot reach http://{free}")) && !reason.contains("proxy"), "{reason}");
    }
}
