//! Odd answers of servers, and what a person is told of what cannot go: each is over with the answer, and says the way out.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::desk::{Desk, files_of, memory};
use crate::server::{Fault, Server};

fn with_sum(sum: &str) -> Fault {
    let body = json!({ "organizationId": "o", "repo": "acme/app", "version": 1, "checksum": sum,
        "content": { "entries": { "a.md": "One.\n" }, "entryChecksums": {} }, "entryChecksums": {} });
    Fault::Status(200, Vec::new(), body)
}

#[test]
fn a_checksum_that_no_header_carries_is_refused_at_once_and_remembered_nowhere() {
    for odd in ["a\u{1}b", "a\"b", "a\nb", "", &"x".repeat(10_000)] {
        let server = Server::holding(&[("a.md", "One.\n")]);
        let desk = Desk::at(&server);
        desk.write("b.md", "Two.\n");
        server.with(|state| state.get_faults = (0..3).map(|_| with_sum(odd)).collect());
        let answer = desk.run(&["team", "sync"]);
        assert!(answer.code() == 5 && answer.err().contains("no header can carry"), "{odd:?}: {}", answer.err());
        assert!(server.asked("PUT").is_empty());
        let answer = desk.run(&["team", "sync"]);
        assert_eq!(answer.code(), 0, "{odd:?}: {}", answer.err());
        assert_eq!(server.entry("b.md").as_deref(), Some("Two.\n"));
        // The answer to a PUT is no other matter.
        desk.write("b.md", "Three.\n");
        server.with(|state| state.put_faults = VecDeque::from([with_sum(odd)]));
        let answer = desk.run(&["team", "sync"]);
        assert_eq!(answer.code(), 0, "{odd:?}: {}", answer.err());
        assert_eq!(server.entry("b.md").as_deref(), Some("Three.\n"));
    }
}

#[test]
fn each_of_three_tries_comes_to_the_server_also_where_it_closes_its_connections() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    desk.write("b.md", "Two.\n");
    let busy = || Fault::StatusAndClose(429, vec![("retry-after", "0".to_owned())], json!({}));
    server.with(|state| state.put_faults = (0..3).map(|_| busy()).collect());
    let answer = desk.run(&["team", "sync"]);
    assert!(answer.code() == 5 && answer.err().contains("asked 3 times"), "{}", answer.err());
    assert_eq!(server.asked("PUT").len(), 3);
}

#[test]
fn what_a_repository_has_no_room_for_goes_there_once_it_has() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    desk.write("b.md", "Two.\n");
    let details = json!({ "error_code": "team_memory_repository_too_large", "max_bytes": 10, "received_bytes": 20 });
    let full =
        json!({ "error": { "code": "repository_too_large", "message": "at most 10 bytes", "details": details } });
    server.with(|state| state.put_faults = VecDeque::from([Fault::Status(413, Vec::new(), full)]));
    let (code, report) = desk.json(&["team", "sync"]);
    let reason = report["set_aside"][0]["reason"].as_str().unwrap_or_default();
    assert!(code == 3 && reason.contains("no room") && reason.contains("later sync"), "{report:#}");
    assert_eq!(desk.json(&["team", "sync"]).1["sent"], json!(["b.md"]), "nobody has to ask again by hand");
}

fn named(answer: &str, what: &str) -> Vec<String> {
    answer.lines().filter_map(|line| line.strip_prefix(what)).map(|name| name.trim().to_owned()).collect()
}

#[test]
fn what_a_pull_or_push_left_is_named_and_what_cannot_go_is_not_counted_as_going() {
    let server = Server::holding(&[("a.md", "One.\n"), ("f.md", &memory("f", "Words."))]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    desk.write("b.md", "Two.\n");
    desk.write("f.md", &memory("f", &format!("Use {}{}.", "AKIA", "Z7QX4MNR2VWL5TKD")));
    server.with(|state| state.set("c.md", "Three.\n"));
    let pull = desk.run(&["team", "push"]);
    assert_eq!(named(&pull.out(), "to receive  "), ["c.md"], "{}", pull.out());
    desk.write("d.md", "Four.\n");
    let (code, report) = desk.json(&["team", "pull"]);
    assert_eq!((code, &report["to_send"], files_of(&report["set_aside"])), (3, &json!(["d.md"]), vec!["f.md"]));
    let pull = desk.run(&["team", "pull"]);
    assert_eq!(named(&pull.out(), "to send  "), ["d.md"], "{}", pull.out());
    // Whoever deletes such an entry hears what helps.
    let refused = desk.run(&["team", "delete", "f.md", "--yes"]);
    let said = refused.err();
    assert!(refused.code() == 3 && said.contains("credential") && !said.contains("sync first"), "{said}");
    desk.remove("f.md");
    assert_eq!(desk.run(&["team", "delete", "f.md", "--yes"]).code(), 0);
    assert_eq!(server.entry("f.md"), None);
}

#[test]
fn a_day_to_look_again_that_has_passed_is_a_finding_and_stands_with_the_entry() {
    let dated = |day: &str| {
        let with = format!("description: \"about n\"\nowner: \"Ann\"\nreview_by: \"{day}\"\n");
        memory("n", "Words.").replace("description: \"about n\"\n", &with)
    };
    let (past, ahead) = (dated("2020-01-01"), dated("2027-01-01"));
    let server = Server::holding(&[("project_past.md", &past), ("project_ahead.md", &ahead)]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    let due = |report: &Value| -> Vec<String> {
        let findings = report["findings"].as_array().unwrap().iter();
        findings.filter(|row| row["code"] == "review-due").map(|row| row["file"].as_str().unwrap().to_owned()).collect()
    };
    let (code, report) = desk.json(&["check"]);
    assert_eq!((code, due(&report)), (1, vec!["team/project_past.md".to_owned()]), "{report:#}");
    let status = desk.run(&["team", "status"]);
    let line = status.out().lines().find(|line| line.contains("project_past.md")).unwrap().to_owned();
    assert!(status.code() == 0 && line.contains("2020-01-01") && line.contains("Ann"), "{line}");
    assert!(!status.out().contains("2027-01-01"));
    // A day that nobody can read asks nobody, which is said.
    desk.write("project_soon.md", &dated("soon"));
    let soon = desk.run(&["check"]).out();
    assert!(soon.lines().any(|line| line.contains("project_soon.md") && line.contains("no day such as")), "{soon}");
    desk.remove("project_soon.md");
    // What is promoted with a day is read as it was written.
    std::fs::write(desk.store.join("project_mine.md"), memory("mine", "Words.")).unwrap();
    let promote = ["team", "promote", "project_mine.md", "--owner", "Bo", "--review-by", "2026-12-01"];
    assert_eq!(desk.run(&promote).code(), 0);
    let mut later = desk.machine.command();
    later.current_dir(desk.machine.path("app")).env("DREAMTOP_NOW", "2026-12-05T09:00:00Z");
    let answer = crate::common::Answer::of(later.args(["--json", "check"]).output().unwrap());
    assert!(due(&answer.json()).contains(&"team/project_mine.md".to_owned()), "{}", answer.out());
}
