//! What is used is counted as it is used, whatever a server says and however a run ends; what goes on for ever is ended.

use std::fs;
use std::process::{Child, Command};

use serde_json::{Value, json};

use crate::bench::{Bench, topic};
use crate::common::{contents, wait_until};
use crate::faults::PROTOCOLS;
use crate::server::{Reply, Server};
use crate::{chat, messages};

fn add(bench: &Bench, more: &str) {
    let file = "config/dreamtop/config.yaml";
    let config = fs::read_to_string(bench.machine.path(file)).unwrap();
    bench.machine.write(file, format!("{config}{more}"));
}

fn reads() -> Vec<(&'static str, Value)> {
    vec![("Read", json!({ "file_path": "project_testing.md" }))]
}

/// A whole answer with calls, cut off at its limit or not.
fn answer(engine: &str, text: &str, calls: &[(&str, Value)], is_cut: bool) -> Reply {
    let stream = match engine {
        "anthropic" => messages::answer(text, calls, if is_cut { "max_tokens" } else { "tool_use" }),
        _ => chat::answer(text, calls, if is_cut { "length" } else { "tool_calls" }),
    };
    Reply::Stream(stream, 256)
}

fn text_of(reply: Reply) -> String {
    let Reply::Stream(text, _) = reply else { panic!("a stream") };
    text
}

/// Tokens that dreams of today have used, as `gates` says.
fn of_today(bench: &Bench) -> u64 {
    bench.run(&["gates"]).1["today"]["dream"]["tokens"].as_u64().unwrap()
}

fn reason(run: &Value) -> String {
    run["reason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn answers_that_are_cut_off_in_a_call_are_asked_for_three_times_and_no_more() {
    for (engine, says, _) in PROTOCOLS {
        let half = ("Write", json!({ "file_path": "project_half.md", "content": "half", "reason": "x" }));
        for (text, calls) in [
            ("", vec![half.clone()]),
            ("phase: gather", vec![half.clone()]),
            ("", vec![reads().remove(0), half.clone()]),
        ] {
            let server = Server::answering(move |_, _| answer(engine, text, &calls, true));
            let bench = Bench::new(engine, &server.url);
            let before = contents(&bench.machine.path("m"));
            let (code, run) = bench.dream();
            assert_eq!((code, server.asked().len()), (5, 3), "{engine}: {run:#}");
            let said = reason(&run);
            assert!(said.contains("cut off 3 times in a row") && said.contains("max_tokens"), "{said}");
            assert_eq!(contents(&bench.machine.path("m")), before);
        }
        // Twice in a row is told to the model, which goes on in smaller steps.
        let server = Server::answering(move |request, at| match at {
            0 | 1 | 3 => answer(engine, "", std::slice::from_ref(&half), true),
            2 => {
                let asked = request.text();
                assert!(asked.contains("cut off at the limit") && asked.contains("in smaller steps"), "{asked}");
                answer(engine, "", &reads(), false)
            }
            _ => says("nothing to change"),
        });
        let bench = Bench::new(engine, &server.url);
        let (code, run) = bench.dream();
        assert_eq!((code, server.asked().len()), (0, 5), "{engine}: {run:#}");
        assert_eq!(bench.read("project_half.md"), "");
    }
}

/// The beginning of an answer that says nothing more.
fn begun(engine: &str) -> String {
    let whole = text_of(answer(engine, &"we look around ".repeat(200), &[], false));
    let half = &whole[..whole.len() / 2];
    half[..half.rfind("\n\n").unwrap() + 2].to_owned()
}

#[test]
fn a_run_that_is_killed_or_out_of_time_in_the_middle_of_an_answer_has_used_what_it_used() {
    for how in ["-TERM", "-KILL", "time"] {
        let server = Server::answering(|_, _| Reply::Silence(begun("anthropic")));
        let bench = Bench::new("anthropic", &server.url);
        if how == "time" {
            add(&bench, "dream: { budget: { seconds: 10 } }\n");
            let (code, run) = bench.dream();
            assert!(code == 5 && reason(&run).contains("time budget"), "{run:#}");
        } else {
            let mut child = bench.start(&["dream", "--force"]);
            wait_until("what was read counts", || of_today(&bench) > 0);
            kill(&mut child, how);
            bench.run(&["doctor", "--fix"]);
        }
        let tokens = &bench.run(&["runs"]).1["runs"][0]["tokens"];
        let read: u64 = ["input", "cache_read", "cache_created"].iter().map(|key| tokens[*key].as_u64().unwrap()).sum();
        assert_eq!(read, 200, "{how}: {tokens}");
        assert!(of_today(&bench) > 100, "{how}: it counts for the day too");
    }
}

#[test]
fn what_a_server_had_not_said_when_a_run_was_killed_is_estimated() {
    for (engine, ..) in PROTOCOLS {
        // More than a connection holds, so that some of it is read when all of it is sent.
        let server = Server::answering(move |_, _| Reply::Silence(begun(engine) + &more(engine).repeat(100_000)));
        let bench = Bench::new(engine, &server.url);
        let mut child = bench.start(&["dream", "--force"]);
        wait_until("the beginning is read", || server.was_taken());
        kill(&mut child, "-TERM");
        let tokens = bench.run(&["runs"]).1["runs"][0]["tokens"].clone();
        assert!(tokens["output"].as_u64().unwrap() > 1_000, "{engine}: {tokens}");
        assert!(engine == "anthropic" || tokens["input"].as_u64().unwrap() > 500, "{tokens}");
        assert!(of_today(&bench) > 1_000, "{engine}");
    }
}

fn kill(child: &mut Child, signal: &str) {
    Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    child.wait().unwrap();
}

/// One more piece of an answer.
fn more(engine: &str) -> &'static str {
    match engine {
        "anthropic" => {
            "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"more and more\"}}\n\n"
        }
        _ => {
            "data: {\"choices\":[{\"delta\":{\"content\":\"more and more, and none of it of any use to anybody at all\"}}]}\n\n"
        }
    }
}

#[test]
fn an_answer_that_is_refused_or_taken_away_was_paid_for() {
    for (engine, ..) in PROTOCOLS {
        let server = Server::answering(move |_, _| {
            let stream = match engine {
                "anthropic" => messages::answer("I cannot help with that.", &[], "refusal"),
                _ => chat::answer("I cannot help with that.", &[], "content_filter"),
            };
            Reply::Stream(stream, 64)
        });
        let bench = Bench::new(engine, &server.url);
        let (code, run) = bench.dream();
        assert!(code == 5 && reason(&run).contains("declined"), "{run:#}");
        assert!(run["tokens"]["output"] == 20 && of_today(&bench) > 150, "{engine}: {run:#}");
    }
}

#[test]
fn tries_that_fail_count_against_the_runs_tokens() {
    for (engine, ..) in PROTOCOLS {
        let server = Server::answering(move |_, _| Reply::Cut(begun(engine)));
        let bench = Bench::new(engine, &server.url);
        // A try takes about 600 and 3,000.
        let most = if engine == "anthropic" { 900 } else { 5_000 };
        add(&bench, &format!("dream: {{ budget: {{ tokens: {most} }} }}\n"));
        let (code, run) = bench.dream();
        assert!(code == 5 && reason(&run).contains("not asked again, because the run's tokens"), "{run:#}");
        let asked = server.asked().len();
        assert!((2..5).contains(&asked), "{engine}: asked {asked} times");
        assert!(of_today(&bench) > most, "{engine}");
    }
}

/// A stream with other figures.
fn with_figures(reply: Reply, figure: &str) -> Reply {
    let mut text = text_of(reply);
    if figure == "0" {
        for known in ["\"input_tokens\":100", "\"prompt_tokens\":3000"] {
            let key = known.split(':').next().unwrap();
            text = text.replace(known, &format!("{key}:0"));
        }
    }
    for (key, known) in [
        ("cache_creation_input_tokens", "40"),
        ("cache_read_input_tokens", "60"),
        ("output_tokens", "20"),
        ("output_tokens", "1"),
        ("completion_tokens", "20"),
    ] {
        for end in [",", "}"] {
            text = text.replace(&format!("\"{key}\":{known}{end}"), &format!("\"{key}\":{figure}{end}"));
        }
    }
    Reply::Stream(text, 4096)
}

#[test]
fn figures_that_are_all_zero_are_estimated_and_limits_hold() {
    for (engine, _, calls) in PROTOCOLS {
        let server = Server::answering(move |_, _| with_figures(calls(&reads()), "0"));
        let bench = Bench::new(engine, &server.url);
        add(&bench, "dream: { budget: { tokens: 20000 } }\n");
        let (code, run) = bench.dream();
        assert!(code == 5 && reason(&run).contains("of 20000 tokens"), "{run:#}");
        assert!(server.asked().len() < 20, "{engine}: asked {} times", server.asked().len());
        assert!(run["tokens"]["input"].as_u64().unwrap() > 10_000, "{run:#}");
        let told = bench.notices().iter().filter(|notice| notice.contains("estimated from the bytes")).count();
        assert_eq!(told, 1, "{:?}", bench.notices());
    }
}

#[test]
fn a_figure_beyond_all_bounds_is_held_to_what_the_bytes_make() {
    for (engine, says, calls) in PROTOCOLS {
        for figure in ["1000000000000000000", "18446744073709551615"] {
            let server = Server::answering(move |_, at| {
                with_figures(if at == 0 { calls(&reads()) } else { says("nothing to change") }, figure)
            });
            let bench = Bench::new(engine, &server.url);
            let (code, run) = bench.dream();
            assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{engine}: {run:#}");
            let used = of_today(&bench);
            assert!((1_000..100_000).contains(&used), "{engine}: {used}");
            assert!(bench.notices().iter().any(|notice| notice.contains("cannot be true")), "{:?}", bench.notices());
        }
    }
}

#[test]
fn what_an_answer_without_an_end_wrote_is_counted_by_its_bytes() {
    for (engine, ..) in PROTOCOLS {
        let server =
            Server::answering(move |_, _| Reply::Stream(begun(engine) + &more(engine).repeat(40_000), 64 * 1024));
        let bench = Bench::new(engine, &server.url);
        bench.configure(&server.url, "    max_tokens: 100\n");
        let (code, run) = bench.dream();
        assert!(code == 5 && reason(&run).contains("does not end"), "{run:#}");
        assert!(run["tokens"]["output"].as_u64().unwrap() > 20_000, "{engine}: {run:#}");
    }
}

#[test]
fn several_calls_written_as_text_are_run_one_after_the_other() {
    for (engine, says, _) in PROTOCOLS {
        let one = |name: &str, input: Value| json!({ "name": name, "arguments": input }).to_string();
        let read = one("Read", json!({ "file_path": "project_testing.md" }));
        let write = one(
            "Write",
            json!({ "file_path": "project_fact.md", "content": topic("n", "project", "a fact", "A fact that holds."),
                "reason": "said", "sources": [{ "session": "s-0001", "quote": "that is a fact that holds" }] }),
        );
        for text in [
            format!("<tool_call>\n{read}\n</tool_call>\n<tool_call>{write}</tool_call>"),
            format!("<tool_call>\n{read}\n{write}\n</tool_call>"),
            format!("[{read}, {write}]"),
        ] {
            let server = Server::answering(move |_, at| if at == 0 { says(&text) } else { says("Stored it.") });
            let bench = Bench::new(engine, &server.url);
            bench.session("s-0001", &["Mind you, that is a fact that holds."]);
            let (code, run) = bench.dream();
            assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{engine}: {run:#}");
            assert!(bench.read("project_fact.md").contains("A fact that holds."), "{run:#}");
            let tools = bench.journal().iter().filter(|event| event["event"] == "tool").count();
            assert_eq!((tools, server.asked().len()), (2, 2));
            let again = server.asked()[1].text();
            assert!(again.contains("text_1_0") && again.contains("text_1_1"), "both are answered: {again}");
        }
        // A sentence about calls runs none.
        let server = Server::answering(move |_, _| says(&format!("I would say\n<tool_call>{read}</tool_call>")));
        let bench = Bench::new(engine, &server.url);
        assert_eq!((bench.dream().0, server.asked().len()), (5, 2));
        assert!(!bench.journal().iter().any(|event| event["event"] == "tool"));
    }
}

#[test]
fn that_there_is_nothing_to_do_may_be_said_in_a_sentence_and_in_the_words_of_either_work() {
    for (engine, says, _) in PROTOCOLS {
        for (words, is_done) in [
            ("Nothing to remember. The session only fixes code.", true),
            ("nothing to change", true),
            ("I looked at all of it.\n\nNothing to change: all is well.", true),
            ("There is nothing to remember him by", false),
            ("I found nothing to change my mind.", false),
        ] {
            let server = Server::answering(move |_, _| says(words));
            let bench = Bench::new(engine, &server.url);
            bench.session("s-0001", &["we never mock the database"]);
            let (code, run) = bench.extract("s-0001");
            assert_eq!(code == 0, is_done, "{words}: {run:#}");
            let (code, run) = bench.dream();
            assert_eq!(code == 0, is_done, "{words}: {run:#}");
        }
        let server = Server::answering(move |_, _| says(""));
        let bench = Bench::new(engine, &server.url);
        let said = reason(&bench.dream().1);
        assert!(said.contains("answered with nothing") && !said.contains("vLLM"), "{said}");
    }
}

#[test]
fn a_write_without_a_name_is_said_as_one_and_forgotten_when_it_is_made_good() {
    for (engine, says, calls) in PROTOCOLS {
        let nameless = ("Write", json!({ "file_path": "", "content": "x", "reason": "x" }));
        let server = Server::answering({
            let nameless = nameless.clone();
            move |_, at| if at == 0 { calls(&[reads().remove(0), nameless.clone()]) } else { says("Done.") }
        });
        let bench = Bench::new(engine, &server.url);
        let said = reason(&bench.dream().1);
        assert!(said.contains("a file without a name: Write") && !said.contains(": :"), "{said}");
        let fact = json!({ "file_path": "project_fact.md", "content": topic("n", "project", "a fact", "A fact that holds."),
            "reason": "said", "sources": [{ "session": "s-0001", "quote": "that is a fact that holds" }] });
        let server = Server::answering(move |_, at| match at {
            0 => calls(std::slice::from_ref(&nameless)),
            1 => calls(&[("Write", fact.clone())]),
            _ => says("Done."),
        });
        let bench = Bench::new(engine, &server.url);
        bench.session("s-0001", &["Mind you, that is a fact that holds."]);
        let (code, run) = bench.dream();
        assert_eq!((code, run["outcome"].as_str()), (0, Some("done")), "{run:#}");
    }
}

#[test]
fn a_question_that_is_too_long_names_the_key_that_helps() {
    for (engine, ..) in PROTOCOLS {
        let body = json!({ "error": { "type": "invalid_request_error", "message": "prompt is too long: 210000 tokens > 200000 maximum" } });
        let server = Server::answering(move |_, _| Reply::Status(400, Vec::new(), body.to_string()));
        let bench = Bench::new(engine, &server.url);
        let said = reason(&bench.dream().1);
        assert!(said.contains("prompt is too long") && said.contains("set context_tokens in config.yaml"), "{said}");
    }
}

#[test]
fn a_header_that_is_none_is_named_without_its_value() {
    let bench = Bench::new("anthropic", "http://127.0.0.1:9");
    for (line, words) in [
        ("'bad header': hush-hush", "headers.bad header is no name of a header (letters, digits, - and _)"),
        ("x-team: \"hush\\nhush\"", "headers.x-team is a header whose value cannot be sent"),
    ] {
        bench.configure("http://127.0.0.1:9", &format!("    headers:\n      {line}\n"));
        let answer = bench.machine.run(&bench.arguments(&["dream", "--force"]));
        assert!(answer.err().contains(words) && !answer.err().contains("hush"), "{}", answer.err());
    }
}

#[test]
fn doctor_sees_that_the_key_is_not_there_and_asks_nobody() {
    for (engine, ..) in PROTOCOLS {
        let server = Server::answering(|_, _| Reply::Status(500, Vec::new(), String::new()));
        let bench = Bench::new(engine, &server.url);
        let check = |bench: &Bench| {
            let (code, doctor) = bench.run(&["doctor"]);
            let checks = doctor["checks"].as_array().unwrap().iter();
            (code, checks.into_iter().find(|check| check["check"] == "engine").cloned().unwrap())
        };
        assert_eq!(check(&bench).1["level"], "ok");
        let marker = bench.machine.path("ran");
        let program = bench.machine.write("bin/no-program", "#!/bin/sh\n");
        let section = |more: &str| {
            bench.machine.write(
                "config/dreamtop/config.yaml",
                format!("models:\n  {engine}:\n    model: m\n    base_url: {}\n    {more}\n", server.url),
            );
        };
        for (more, words) in [
            ("api_key_file: ~/keys/gone".to_owned(), "keys/gone (api_key_file)"),
            (format!("api_key_file: {}", bench.machine.path("empty").display()), "gives no key"),
            ("api_key_command: no-such-program show key".to_owned(), "no-such-program (api_key_command) is not there"),
            (format!("api_key_command: {} show", program.display()), "may not be executed"),
        ] {
            bench.machine.write("empty", "\n");
            section(&more);
            let (code, found) = check(&bench);
            assert!(code == 1 && found["level"] == "fail", "{found}");
            assert!(found["message"].as_str().unwrap().contains(words), "{found}");
            assert!(found["next"].as_str().unwrap().contains(&format!("models.{engine}")), "{found}");
        }
        section(&format!("api_key_command: [/bin/sh, -c, 'touch {}']", marker.display()));
        assert_eq!(check(&bench).1["level"], "ok");
        assert!(!marker.exists() && server.asked().is_empty(), "nothing is run, and nobody asked");
    }
}

#[test]
fn a_file_that_the_configuration_names_for_a_key_is_read_for_no_model() {
    const HUSH: &str = "correct horse battery";
    for (engine, says, calls) in PROTOCOLS {
        let bench = Bench::new(engine, "http://127.0.0.1:9");
        let project = bench.machine.path("project");
        let keys = project.join("notes");
        fs::create_dir_all(&keys).unwrap();
        fs::write(keys.join("mine"), format!("tok-1234\n{HUSH}\n")).unwrap();
        fs::write(keys.join("team"), format!("{HUSH}\n")).unwrap();
        std::os::unix::fs::symlink(keys.join("mine"), project.join("other-name")).unwrap();
        let (dir, link) = (keys.display().to_string(), project.join("other-name").display().to_string());
        let all: Vec<(&str, Value)> = vec![
            ("Read", json!({ "file_path": format!("{dir}/mine") })),
            ("Read", json!({ "file_path": format!("{dir}/../notes/team") })),
            ("Read", json!({ "file_path": link })),
            ("Grep", json!({ "pattern": "horse", "path": dir, "output_mode": "content" })),
            ("Grep", json!({ "pattern": "horse", "path": format!("{dir}/team"), "output_mode": "content" })),
            ("Glob", json!({ "pattern": "**/*", "path": dir })),
            ("Bash", json!({ "command": format!("cat {dir}/mine") })),
        ];
        let server = Server::answering(move |_, at| if at == 0 { calls(&all) } else { says("nothing to change") });
        bench.machine.write(
            "config/dreamtop/config.yaml",
            format!(
                "models:\n  {engine}:\n    model: m\n    base_url: {}\n    api_key_file: {link}\nteam: {{ token_file: {dir}/team }}\n",
                server.url
            ),
        );
        bench.session("s-0001", &["we talk about the weather"]);
        let (code, run) = bench.dream();
        assert_eq!(code, 0, "{run:#}");
        let asked = server.asked();
        assert!(!asked[1].text().contains("horse battery"), "{}", asked[1].text());
        let denied =
            bench.journal().iter().filter(|event| event["event"] == "tool" && event["allowed"] == false).count();
        assert!(denied >= 4, "{:?}", bench.journal());
    }
}

#[test]
fn what_a_recall_used_that_brought_no_answer_counts_too() {
    for (engine, ..) in PROTOCOLS {
        for is_silent in [true, false] {
            let server =
                Server::answering(
                    move |_, _| {
                        if is_silent { Reply::Silence(begun(engine)) } else { Reply::Cut(begun(engine)) }
                    },
                );
            let bench = Bench::new(engine, &server.url);
            add(&bench, "recall: { model: true, milliseconds: 60000, model_seconds: 3 }\n");
            let (_, recalled) = bench.run(&["recall", "how do we test against the database?"]);
            assert_eq!(recalled["selector"], "embedded", "{recalled}");
            let used = bench.run(&["gates"]).1["today"]["extract"]["tokens"].as_u64().unwrap();
            assert!(used > 100, "{engine}, silent: {is_silent}: {used}");
        }
    }
}
