//! What a model may put into a store without a person's words for it, and what of a store reaches a model.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::bench::{Bench, topic};
use crate::faults::PROTOCOLS;
use crate::server::Server;

const RULE: &str = "Integration tests must hit a real database, not mocks.";
const SAID: &str =
    "Please keep the tests green. I am a licensed pilot, by the way, and Bob approved 5 million euros for 2027.";

const NUMBERED: &str =
    "Bob approved facts 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 20 too.";

/// What a dream with these calls does: its object, and the store afterwards.
fn dream(tools: &[(&'static str, Value)]) -> (Bench, Value) {
    let (engine, says, calls) = PROTOCOLS[0];
    let server = Server::playing(vec![calls(tools), says("Tidied.")]);
    let bench = Bench::new(engine, &server.url);
    bench.memory("feedback_testing.md", "tests", "feedback", "tests use a real database", RULE);
    bench.memory("project_release.md", "release", "project", "the release", "The release is cut on 2026-11-26.");
    bench.session("s-0001", &[SAID, NUMBERED]);
    let (_, run) = bench.dream();
    (bench, run)
}

fn write(file: &str, kind: &str, body: &str, quote: Option<&str>) -> (&'static str, Value) {
    let mut input =
        json!({ "file_path": file, "content": topic("n", kind, "", body), "reason": "seen in the sessions" });
    if let Some(quote) = quote {
        input["sources"] = json!([{ "session": "s-0001", "line": 1, "quote": quote }]);
    }
    ("Write", input)
}

fn edit(file: &str, old: &str, new: &str, quote: Option<&str>) -> (&'static str, Value) {
    let mut input =
        json!({ "file_path": file, "old_string": old, "new_string": new, "reason": "seen in the sessions" });
    if let Some(quote) = quote {
        input["sources"] = json!([{ "session": "s-0001", "line": 1, "quote": quote }]);
    }
    ("Edit", input)
}

#[test]
fn a_sentence_that_a_model_adds_to_a_persons_rule_waits_unless_they_said_it() {
    let more = format!("{RULE} The user also wants every function documented in French and hates unit tests.");
    for (new, quote, lands) in [
        (more.as_str(), None, false),
        (&more, Some("Please keep the tests green"), false),
        ("Integration tests must use mocks, never a database.", None, false),
        ("Integration tests must use mocks, never a database.", Some("keep the tests green"), false),
        (&format!("{RULE} Keep the tests green."), Some("Please keep the tests green"), true),
        ("Integration testing must hit a real database, not mocks.", None, true),
    ] {
        let (bench, run) = dream(&[edit("feedback_testing.md", RULE, new, quote)]);
        let stands = bench.read("feedback_testing.md").contains(new);
        assert_eq!((stands, run["outcome"] == "done"), (lands, lands), "{new:?} {quote:?}: {run:#}");
        assert!(lands || run["held"].to_string().contains("your own word"), "{run:#}");
        assert!(lands || bench.read("feedback_testing.md").contains(RULE), "what was there stays");
    }
}

#[test]
fn a_fragment_of_a_turn_is_no_evidence_for_what_is_filed_as_a_persons_word() {
    let pilot = "The user is a licensed pilot.";
    for (quote, lands) in [
        ("I am a", false),
        ("the tests", false),
        ("Please keep the tests green", false),
        ("I am a licensed pilot", true),
        ("I am a licensed pilot, by the way, and Bob approved 5 million euros", true),
    ] {
        let (bench, run) = dream(&[write("user_pilot.md", "user", pilot, Some(quote))]);
        assert_eq!(bench.read("user_pilot.md").contains(pilot), lands, "{quote}: {run:#}");
        assert_eq!(run["inbox"].is_null(), lands, "it waits: {run:#}");
    }
}

#[test]
fn a_fact_without_a_source_or_with_one_that_speaks_of_something_else_waits_and_its_neighbours_land() {
    let budget = "The budget for 2027 is 5 million euros and Bob approved it.";
    for (quote, lands) in [
        (None, false),
        (Some("Please keep the tests green"), false),
        (Some("Bob approved 5 million euros for 2027"), true),
    ] {
        let (bench, run) = dream(&[
            write("project_budget.md", "project", budget, quote),
            edit("project_testing.md", "We test against", "We always test against", None),
        ]);
        assert_eq!(bench.read("project_budget.md").contains(budget), lands, "{run:#}");
        assert_eq!(bench.read("MEMORY.md").contains("project_budget.md"), lands, "{run:#}");
        assert!(bench.read("project_testing.md").contains("We always test"), "other words for the same land: {run:#}");
        assert_eq!(run["outcome"], if lands { "done" } else { "partial" }, "{run:#}");
    }
    for (day, lands) in [("2027-05-01", false), ("2026-11-26", true)] {
        let (bench, run) =
            dream(&[edit("project_release.md", "is cut on 2026-11-26", &format!("will be cut on {day}"), None)]);
        assert_eq!(bench.read("project_release.md").contains(&format!("will be cut on {day}")), lands, "{run:#}");
    }
}

#[test]
fn new_memories_by_the_dozen_wait_and_so_does_what_the_index_has_no_room_for() {
    let many = |count: usize| -> Vec<(&'static str, Value)> {
        let one =
            |at| write(&format!("project_{at}.md"), "project", &format!("Bob approved fact {at}."), Some(NUMBERED));
        (0..count).map(one).collect()
    };
    for (count, lands) in [(20, 20), (21, 0)] {
        let (bench, run) = dream(&many(count));
        let there = (0..count).filter(|at| !bench.read(&format!("project_{at}.md")).is_empty()).count();
        assert_eq!(there, lands, "{run:#}");
        assert!(lands > 0 || run["held"].to_string().contains("21 new memories at once"), "{run:#}");
    }
    let (engine, says, calls) = PROTOCOLS[0];
    let server = Server::playing(vec![calls(&many(3)), says("Done.")]);
    let bench = Bench::new(engine, &server.url);
    bench.session("s-0001", &[SAID, NUMBERED]);
    let lines: String = (0..197).map(|at| format!("- [Old {at}](old_{at}.md) — as it was\n")).collect();
    bench.machine.write("m/MEMORY.md", format!("# Memory Index\n\n{lines}"));
    let (_, run) = bench.dream();
    assert_eq!(run["held"].as_array().map(Vec::len), Some(2), "there is room for one line: {run:#}");
    assert!(run["held"].to_string().contains("not be loaded"), "{run:#}");
}

/// A home with a file of credentials in it, and links in the store.
fn linked(target: &str) -> (Bench, String) {
    let (engine, says, calls) = PROTOCOLS[0];
    let look = [
        ("Read", json!({ "file_path": "notes.md" })),
        ("Grep", json!({ "pattern": "pw", "output_mode": "content" })),
        ("Bash", json!({ "command": "cat notes.md" })),
    ];
    let server = Server::playing(vec![calls(&look), says("Fine.")]);
    let bench = Bench::new(engine, &server.url);
    for file in [".aws/credentials", ".ssh/notes.md", "app/.env", "elsewhere/plain.md"] {
        bench.machine.write(&format!("home/{file}"), "aws_pw = s3cretish\n");
    }
    symlink(bench.machine.path("home/.aws/credentials"), bench.machine.path("home/elsewhere/hop.md")).unwrap();
    symlink(bench.machine.path(&format!("home/{target}")), bench.machine.path("m/notes.md")).unwrap();
    let (code, run) = bench.dream();
    assert_eq!(code, 0, "{run:#}");
    let mut seen: String = server.asked().iter().map(crate::server::Request::text).collect();
    for arguments in [
        &["dream", "--force", "--dry-run", "--show-prompt"][..],
        &["recall", "what is the aws pw"],
        &["check"],
        &["ls"],
        &["show", "notes"],
        &["find", "s3cretish"],
        &["prompt"],
    ] {
        let answer = bench.machine.run(&bench.arguments(arguments));
        seen.push_str(&answer.out());
        seen.push_str(&answer.err());
    }
    (bench, seen)
}

#[test]
fn a_link_to_where_credentials_are_kept_reaches_no_model_no_view_and_no_copy() {
    for target in [".aws/credentials", ".ssh/notes.md", "app/.env", "elsewhere/hop.md"] {
        let (bench, seen) = linked(target);
        assert!(!seen.contains("s3cretish"), "{target}: {seen}");
        assert!(seen.contains("where credentials are kept"), "{target}: it is said: {seen}");
        assert!(bench.notices().iter().any(|notice| notice.contains("notes.md")), "{:?}", bench.notices());
        let edited = bench.machine.run(&["--memory-dir", "m", "rm", "notes", "--yes"]);
        assert!(!edited.err().contains("s3cretish"));
        for (path, (bytes, _)) in crate::common::picture(&bench.machine.path("state")) {
            assert!(!String::from_utf8_lossy(&bytes).contains("s3cretish"), "{target}: {}", path.display());
        }
    }
}

#[test]
fn a_link_to_an_ordinary_file_outside_is_read_as_before() {
    let (bench, seen) = linked("elsewhere/plain.md");
    assert!(seen.contains("s3cretish") && !seen.contains("where credentials are kept"), "{seen}");
    assert!(fs::symlink_metadata(bench.machine.path("m/notes.md")).unwrap().is_symlink());
}
