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
    assert_eq!(answer.code(), 5);
    assert!(answer.err().contains("401") && !answer.err().contains("wrong-token-9"), "{}", answer.err());
    server.with(|state| state.asked.clear());
    let again = desk.run_as("wrong-token-9", &["team", "push"]);
    assert_eq!(again.code(), 4, "{}", again.err());
    assert!(again.err().contains("--retry"), "{}", again.err());
    assert!(server.asked("GET").is_empty() && server.asked("PUT").is_empty(), "nothing is asked with it");
    assert_eq!(desk.run_as("wrong-token-9", &["team", "push", "--retry"]).code(), 5);
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
    assert!(answer.code() == 5 && answer.err().contains("403"), "{}", answer.err());
    server.with(|state| state.set("c.md", "Three.\n"));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["received"], &report["sent"]), (0, &json!(["c.md"]), &json!([])), "{report:#}");
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
    let states = crate::common::contents(&desk.machine.path("state"));
    let record = states.into_keys().find(|path| path.ends_with("record.json")).unwrap();
    std::fs::write(&record, "{\"etag\": ").unwrap();
    desk.write("c.md", &memory("c", "Three."));
    let answer = desk.run(&["team", "sync"]);
    assert_eq!(answer.code(), 0, "{}{}", answer.out(), answer.err());
    assert!(answer.err().contains("made anew"), "{}", answer.err());
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
