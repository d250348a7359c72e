//! A server and a network that fail: tries are bounded, on fresh state, and what was done stays done once.

use std::collections::VecDeque;

use serde_json::json;

use crate::desk::{Desk, files_of, memory};
use crate::server::{Fault, Server};

fn faults(list: Vec<Fault>) -> VecDeque<Fault> {
    list.into()
}

/// A desk with a server's `a.md`, and a `b.md` of its own to send.
fn desk_with_news() -> (Server, Desk) {
    let server = Server::holding(&[("a.md", &memory("a", "One."))]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    desk.write("b.md", &memory("b", "Two."));
    (server, desk)
}

fn moved() -> Fault {
    Fault::Status(412, Vec::new(), json!({ "error": { "code": "precondition_failed" } }))
}

#[test]
fn fc_083_a_stale_delta_is_built_anew_from_fresh_checksums_and_sent_on_them() {
    let (server, desk) = desk_with_news();
    let theirs = memory("a", "One, as of today.");
    let text: &'static str = Box::leak(theirs.clone().into_boxed_str());
    server.with(|state| {
        state.put_faults = faults(vec![Fault::Before("a.md", text)]);
        state.asked.clear();
    });
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"], &report["received"]), (0, &json!(["b.md"]), &json!(["a.md"])), "{report:#}");
    assert_eq!(desk.read("a.md"), Some(theirs));
    let puts = server.asked("PUT");
    assert_eq!(puts.len(), 2);
    assert_ne!(puts[0].headers["if-match"], puts[1].headers["if-match"]);
    let gets = server.asked("GET");
    assert!(gets[1].path.contains("view=hashes") && !gets[1].headers.contains_key("if-none-match"), "{gets:#?}");
}

#[test]
fn fc_083_three_refusals_end_as_a_conflict_with_everything_here_as_it_was() {
    let (server, desk) = desk_with_news();
    server.with(|state| state.put_faults = faults(vec![moved(), moved(), moved(), moved()]));
    let before = crate::common::contents(&desk.store);
    let answer = desk.run(&["team", "push"]);
    assert_eq!(answer.code(), 3, "{}", answer.err());
    assert!(answer.err().contains("conflict") && answer.err().contains("3 tries"), "{}", answer.err());
    assert_eq!(server.asked("PUT").len(), 3, "two retries and no more");
    assert_eq!(crate::common::contents(&desk.store), before);
    assert!(desk.run(&["team", "status"]).out().contains("conflict"), "the last result is kept");
}

#[test]
fn a_reply_that_is_lost_after_the_write_is_met_as_done_and_nothing_is_sent_twice() {
    let (server, desk) = desk_with_news();
    server.with(|state| state.put_faults = faults(vec![Fault::LostReply]));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!(code, 0, "{report:#}");
    assert_eq!((server.asked("PUT").len(), server.state.lock().unwrap().version), (1, 2));
    assert_eq!(desk.json(&["team", "status"]).1["entries"][1]["standing"], "same");
    // And where the connection broke before the server had it, it is sent again.
    desk.write("b.md", &memory("b", "Two, anew."));
    server.with(|state| state.put_faults = faults(vec![Fault::Cut]));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"]), (0, &json!(["b.md"])), "{report:#}");
}

#[test]
fn fc_090_tags_that_a_proxy_rewrote_are_no_conflict() {
    let rewrites: [fn(&str) -> String; 3] = [
        |tag| format!("W/{tag}"),
        |tag| format!("{}-gzip\"", tag.trim_end_matches('"')),
        |tag| format!("W/{}-br\"", tag.trim_end_matches('"')),
    ];
    for (rewrite, has_no_checksum) in rewrites.into_iter().flat_map(|rewrite| [(rewrite, false), (rewrite, true)]) {
        let (server, desk) = desk_with_news();
        server.with(|state| (state.tag, state.has_no_checksum) = (Some(rewrite), has_no_checksum));
        for text in ["Two, anew.", "Two, again."] {
            desk.write("b.md", &memory("b", text));
            let (code, report) = desk.json(&["team", "sync"]);
            assert_eq!((code, &report["sent"]), (0, &json!(["b.md"])), "{report:#}");
        }
        assert_eq!(server.asked("PUT").len(), 2);
    }
}

#[test]
fn a_busy_server_is_waited_for_as_long_as_it_asks_and_not_for_ever() {
    let busy = || Fault::Status(503, vec![("retry-after", "0".to_owned())], json!({}));
    let (server, desk) = desk_with_news();
    server.with(|state| state.put_faults = faults(vec![busy()]));
    let answer = desk.run(&["team", "push"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert!(answer.err().contains("is busy (503") && answer.err().contains("asked again"), "{}", answer.err());
    desk.write("b.md", &memory("b", "Two, anew."));
    server.with(|state| state.put_faults = faults(vec![busy(), busy(), busy()]));
    let answer = desk.run(&["team", "push"]);
    assert_eq!(answer.code(), 5);
    assert!(answer.err().contains("asked 3 times"), "{}", answer.err());
}

#[test]
fn a_refused_token_stops_sending_until_it_is_another_one() {
    let (server, desk) = desk_with_news();
    let answer = desk.run_as("wrong-token-9", &["team", "push"]);
    assert_eq!(answer.code(), 4);
    assert!(answer.err().contains("401") && !answer.err().contains("wrong-token-9"), "{}", answer.err());
    server.with(|state| state.asked.clear());
    let again = desk.run_as("wrong-token-9", &["team", "push"]);
    assert_eq!(again.code(), 4, "{}", again.err());
    assert!(again.err().contains("--retry"), "{}", again.err());
    assert!(server.asked("GET").is_empty() && server.asked("PUT").is_empty(), "nothing is asked with it");
    assert_eq!(desk.run_as("wrong-token-9", &["team", "push", "--retry"]).code(), 4);
    assert_eq!(desk.run_as("wrong-token-9", &["team", "pull"]).code(), 4, "the token, not the server");
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, &report["sent"]), (0, &json!(["b.md"])), "another token is another matter: {report:#}");
    assert!(!desk.state_text().contains("team-token-1") && !desk.state_text().contains("wrong-token-9"));
}

#[test]
fn who_may_only_read_still_gets_what_the_team_writes() {
    let (server, desk) = desk_with_news();
    let denied = Fault::Status(403, Vec::new(), json!({ "error": { "code": "forbidden", "message": "read only" } }));
    server.with(|state| state.put_faults = faults(vec![denied]));
    let answer = desk.run(&["team", "sync"]);
    assert!(answer.code() == 4 && answer.err().contains("403"), "{}", answer.err());
    server.with(|state| state.set("c.md", "Three.\n"));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!(
        (code, &report["received"], &report["sent"]),
        (4, &json!(["c.md"]), &json!([])),
        "what it was to send was not sent: {report:#}"
    );
    assert!(report["notices"][0].as_str().unwrap().contains("nothing was sent"), "{report:#}");
}

#[test]
fn a_full_server_takes_what_fits_and_the_rest_is_named_and_remembered() {
    let (server, desk) = desk_with_news();
    server.with(|state| state.max_entries = Some(2));
    desk.write("a.md", &memory("a", "One, anew."));
    desk.write("c.md", &memory("c", "Three."));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"]), (3, &json!(["a.md", "b.md"])), "{report:#}");
    assert_eq!(files_of(&report["set_aside"]), ["c.md"]);
    assert!(report["set_aside"][0]["reason"].as_str().unwrap().contains("at most 2"), "{report:#}");
    server.with(|state| state.asked.clear());
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["c.md"]), "still said");
    assert!(server.asked("PUT").is_empty(), "the limit is known");
}

#[test]
fn what_the_server_finds_a_credential_in_stays_and_the_rest_goes() {
    let (server, desk) = desk_with_news();
    desk.write("c.md", &memory("c", "Three."));
    server.with(|state| state.secrets = vec!["b.md".to_owned()]);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"]), (3, &json!(["c.md"])), "{report:#}");
    assert!(report["set_aside"][0]["reason"].as_str().unwrap().contains("some-token"), "{report:#}");
    assert_eq!(desk.json(&["team", "sync"]).0, 3);
    assert_eq!(server.asked("PUT").len(), 2, "it is not sent again as it is");
    server.with(|state| state.secrets.clear());
    desk.write("b.md", &memory("b", "Two, without it."));
    assert_eq!(desk.json(&["team", "sync"]).1["sent"], json!(["b.md"]));
}

#[test]
fn a_refused_body_is_named_and_not_sent_again_and_again() {
    let (server, desk) = desk_with_news();
    server.with(|state| {
        state.put_faults = faults(vec![Fault::Status(400, Vec::new(), json!({ "error": { "code": "bad_key" } }))]);
    });
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["b.md"]), "{report:#}");
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["b.md"]), "{report:#}");
    assert_eq!(server.asked("PUT").len(), 1);
    assert_eq!(desk.json(&["team", "push", "--retry"]).1["sent"], json!(["b.md"]));
}

#[test]
fn a_damaged_record_is_made_anew_from_all_the_server_has_and_that_is_said() {
    let (server, desk) = desk_with_news();
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    std::fs::write(desk.record(), "{\"etag\": ").unwrap();
    desk.write("c.md", &memory("c", "Three."));
    let answer = desk.run(&["team", "sync"]);
    assert_eq!(answer.code(), 0, "{}{}", answer.out(), answer.err());
    assert!(answer.err().contains("made anew") && answer.err().contains("hidden"), "{}", answer.err());
    assert_eq!(server.entry("c.md"), Some(memory("c", "Three.")));
    assert_eq!(desk.files(), ["a.md", "b.md", "c.md"]);
}

#[test]
fn a_server_that_is_not_there_is_named_and_nothing_changes() {
    let server = Server::holding(&[]);
    let desk = Desk::with("team:\n  url: http://127.0.0.1:1\n");
    desk.write("a.md", "One.\n");
    let answer = desk.run(&["team", "sync"]);
    assert!(answer.code() == 5 && answer.err().contains("127.0.0.1:1"), "{}", answer.err());
    let page = Desk::with(&format!("team:\n  url: {}\n", server.url));
    server.with(|state| {
        state.get_faults =
            faults(vec![Fault::Status(302, vec![("location", "http://elsewhere.example/".to_owned())], json!(null))]);
    });
    let answer = page.run(&["team", "pull"]);
    assert!(answer.code() == 5 && answer.err().contains("sends elsewhere"), "{}", answer.err());
}

#[test]
fn one_entry_that_the_server_will_not_have_keeps_no_other_back() {
    let (server, desk) = desk_with_news();
    for key in ["c.md", "d.md", "e.md"] {
        desk.write(key, &memory(key, "More."));
    }
    server.with(|state| state.bad = vec!["c.md".to_owned()]);
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["c.md"]), "{report:#}");
    let mut sent: Vec<&str> = report["sent"].as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect();
    sent.sort_unstable();
    assert_eq!(sent, ["b.md", "d.md", "e.md"]);
}

#[test]
fn what_says_nothing_of_the_texts_blocks_none_of_them() {
    let (server, desk) = desk_with_news();
    for status in [404, 302, 405] {
        server.with(|state| state.put_faults = faults(vec![Fault::Status(status, Vec::new(), json!({}))]));
        assert_eq!(desk.run(&["team", "push"]).code(), 5, "{status}");
    }
    assert_eq!(desk.json(&["team", "push"]).1["sent"], json!(["b.md"]));
    assert_eq!(server.entry("b.md"), Some(memory("b", "Two.")));
}

fn full(max: Option<u64>) -> Fault {
    let mut details = json!({ "error_code": "team_memory_too_many_entries" });
    if let Some(max) = max {
        details["max_entries"] = json!(max);
    }
    Fault::Status(413, Vec::new(), json!({ "error": { "code": "too_large", "details": details } }))
}

#[test]
fn a_full_server_is_asked_again_and_never_without_end() {
    let (server, desk) = desk_with_news();
    server.with(|state| state.put_faults = faults(vec![full(None)]));
    assert_eq!(desk.json(&["team", "push"]).0, 3);
    assert_eq!(desk.json(&["team", "push"]).1["sent"], json!(["b.md"]), "it named no figure to remember");

    let (server, desk) = desk_with_news();
    server.with(|state| {
        state.put_faults = (100..200).map(|max| full(Some(max))).collect();
        state.asked.clear();
    });
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, files_of(&report["set_aside"]), server.asked("PUT").len()), (3, vec!["b.md"], 1), "{report:#}");

    let (server, desk) = desk_with_news();
    server.with(|state| state.max_entries = Some(1));
    let (code, report) = desk.json(&["team", "push"]);
    let reason = report["set_aside"][0]["reason"].as_str().unwrap();
    assert!(code == 3 && reason.contains("at most 1 entries") && !reason.contains("has 0"), "{report:#}");
    server.with(|state| state.max_entries = None);
    assert_eq!(desk.json(&["team", "push"]).0, 3, "the limit is known");
    assert_eq!(desk.json(&["team", "push", "--retry"]).1["sent"], json!(["b.md"]));
}

#[test]
fn a_304_that_nobody_asked_for_is_no_empty_server() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    desk.write("b.md", "Two.\n");
    let unasked = || Fault::Status(304, Vec::new(), json!(null));
    server.with(|state| state.get_faults = faults(vec![unasked(), unasked(), unasked()]));
    let answer = desk.run(&["team", "sync"]);
    assert!(answer.code() == 5 && answer.err().contains("304"), "{}", answer.err());
    assert!(server.asked("PUT").is_empty());
}

#[test]
fn a_token_that_a_command_gives_is_another_one_when_it_gives_another_one() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    let token = desk.machine.write("token", "wrong-token-9\n");
    let config = format!("team:\n  url: {}\n  token_command: [cat, \"{}\"]\n", server.url, token.display());
    desk.machine.write("config/dreamtop/config.yaml", &config);
    desk.write("b.md", "Two.\n");
    assert!(desk.run(&["team", "push"]).err().contains("401"));
    let again = desk.run(&["team", "push"]);
    assert!(again.code() == 4 && again.err().contains("--retry"), "the same one: {}", again.err());
    desk.machine.write("token", "team-token-1\n");
    assert_eq!(desk.json(&["team", "push"]).1["sent"], json!(["b.md"]));
    assert!(!desk.state_text().contains("wrong-token-9"));
}

#[test]
fn both_sides_have_the_same_is_said_only_when_they_have() {
    let (server, desk) = desk_with_news();
    let (code, report) = desk.json(&["team", "pull"]);
    assert_eq!((code, &report["to_send"]), (0, &json!(["b.md"])), "{report:#}");
    server.with(|state| state.set("c.md", "Three.\n"));
    let answer = desk.run(&["team", "push"]);
    assert!(answer.out().contains("1 to receive") && !answer.out().contains("the same"), "{}", answer.out());
    assert!(desk.json(&["team", "status"]).1["last"]["words"].as_str().unwrap().contains("to receive"));
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    assert!(desk.run(&["team", "sync"]).out().contains("both sides have the same"));
}

#[test]
fn an_organisation_without_room_for_a_repository_is_no_fault_of_the_token() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    desk.write("a.md", "One.\n");
    let code = json!({ "error": { "code": "too_many_repositories", "message": "at most 1 repositories" } });
    server.with(|state| state.put_faults = faults(vec![Fault::Status(403, Vec::new(), code)]));
    let answer = desk.run(&["team", "push"]);
    let said = answer.err();
    assert!(answer.code() == 5 && said.contains("no room for another repository"), "{said}");
    assert!(!said.contains("token") && said.contains("at most 1 repositories"), "{said}");
    assert_eq!(desk.json(&["team", "push"]).1["sent"], json!(["a.md"]), "nothing has to be given anew");
}
