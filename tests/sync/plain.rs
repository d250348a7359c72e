//! What is to happen when nothing goes wrong.

use serde_json::json;

use crate::desk::{Desk, memory};
use crate::server::Server;

#[test]
fn what_one_person_pushes_another_pulls_byte_for_byte_and_can_undo() {
    let server = Server::holding(&[]);
    let (ann, bo) = (Desk::at(&server), Desk::at(&server));
    let text = memory("freeze", "No merges after Thursday.");
    ann.write("freeze.md", &text);
    let (code, sent) = ann.json(&["team", "push"]);
    assert_eq!((code, &sent["sent"]), (0, &json!(["freeze.md"])), "{sent:#}");
    assert_eq!(server.entry("freeze.md"), Some(text.clone()));
    let put = &server.asked("PUT")[0];
    assert_eq!(put.headers["if-none-match"], "*");
    assert!(put.path.ends_with("/api/claude_code/team_memory?repo=acme%2Fapp"), "{}", put.path);

    let (code, got) = bo.json(&["team", "pull"]);
    assert_eq!((code, &got["received"]), (0, &json!(["freeze.md"])), "{got:#}");
    assert_eq!(bo.read("freeze.md"), Some(text));
    let history = bo.json(&["history"]).1;
    assert!(history.to_string().contains("team pull from acme/app"), "{history:#}");
    assert_eq!(bo.run(&["undo", got["history"].as_str().unwrap()]).code(), 0);
    assert_eq!(bo.read("freeze.md"), None);
}

#[test]
fn nothing_new_is_asked_for_with_what_is_known_and_nothing_is_done() {
    let server = Server::holding(&[("a.md", &memory("a", "One."))]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    let before = crate::common::picture(&desk.store);
    server.with(|state| state.asked.clear());
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!(code, 0, "{report:#}");
    let asked = server.asked("GET");
    assert!(asked.len() == 1 && asked[0].headers.contains_key("if-none-match"), "{asked:#?}");
    assert!(server.asked("PUT").is_empty());
    assert_eq!(crate::common::picture(&desk.store), before);
}

#[test]
fn an_edit_travels_and_a_removal_on_the_server_goes_to_the_trash() {
    let entries: Vec<(String, String)> =
        (0..8).map(|at| (format!("m{at}.md"), memory("m", &format!("Fact {at}.")))).collect();
    let rows: Vec<(&str, &str)> = entries.iter().map(|(key, text)| (key.as_str(), text.as_str())).collect();
    let server = Server::holding(&rows);
    let (ann, bo) = (Desk::at(&server), Desk::at(&server));
    let answer = ann.run(&["team", "pull"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert_eq!(bo.run(&["team", "pull"]).code(), 0);
    let edited = memory("m", "Fact 1, as of today.");
    ann.write("m1.md", &edited);
    let (code, sent) = ann.json(&["team", "sync"]);
    assert_eq!((code, &sent["sent"]), (0, &json!(["m1.md"])), "{sent:#}");
    assert_eq!(server.asked("PUT").last().unwrap().keys(), ["m1.md"], "only what changed travels");
    server.with(|state| {
        state.entries.remove("m2.md");
        state.version += 1;
    });
    let (code, got) = bo.json(&["team", "pull"]);
    assert_eq!((code, &got["received"], &got["removed"]), (0, &json!(["m1.md"]), &json!(["m2.md"])), "{got:#}");
    assert_eq!((bo.read("m1.md"), bo.read("m2.md")), (Some(edited), None));
    assert_eq!(bo.run(&["undo", got["history"].as_str().unwrap()]).code(), 0);
    assert!(bo.read("m2.md").is_some(), "one undo takes the whole pull back");
}

#[test]
fn status_says_how_each_entry_stands_and_asks_nobody() {
    let server = Server::holding(&[("a.md", &memory("a", "One.")), ("b.md", &memory("b", "Two."))]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    desk.write("c.md", &memory("c", "Three."));
    desk.remove("b.md");
    server.with(|state| state.asked.clear());
    let (code, status) = desk.json(&["team", "status"]);
    let standing: Vec<(&str, &str)> = status["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["file"].as_str().unwrap(), row["standing"].as_str().unwrap()))
        .collect();
    assert_eq!(code, 1, "something differs: {status:#}");
    assert_eq!(standing, [("a.md", "same"), ("b.md", "to-restore"), ("c.md", "to-send")]);
    assert_eq!(status["last"]["words"], "2 received", "{status:#}");
    assert!(server.asked("GET").is_empty());
    let people = desk.run(&["team", "status"]).out();
    assert!(people.contains("acme/app on http://127.0.0.1") && people.contains("to send"), "{people}");
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    assert_eq!(desk.run(&["team", "status"]).code(), 0, "nothing differs");
}

#[test]
fn without_a_team_nothing_is_asked_and_the_next_step_is_said() {
    let desk = Desk::with("");
    let answer = desk.run(&["team", "pull"]);
    assert_eq!(answer.code(), 2);
    assert!(answer.err().contains("team.url") && answer.err().contains("DREAMTOP_TEAM_TOKEN"), "{}", answer.err());
    let open = Desk::with("team:\n  url: http://memory.example\n");
    let answer = open.run(&["team", "push"]);
    assert!(answer.code() == 2 && answer.err().contains("insecure"), "{}", answer.err());
}

#[test]
fn large_entries_go_alone_and_no_body_is_larger_than_it_may_be() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    for (name, size) in [("a", 90_000), ("b", 90_000), ("c", 240_000), ("d", 90_000), ("e", 260_000)] {
        desk.write(&format!("{name}.md"), &memory(name, &"word ".repeat(size / 5)));
    }
    desk.write("MEMORY.md", "# Team\n- [A](a.md) — a\n");
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!(code, 3, "{report:#}");
    assert_eq!(report["set_aside"][0]["file"], "e.md");
    let puts = server.asked("PUT");
    let keys: Vec<Vec<String>> = puts.iter().map(crate::server::Asked::keys).collect();
    assert_eq!(keys, [vec!["a.md", "b.md"], vec!["c.md"], vec!["MEMORY.md", "d.md"]], "indexes last");
    assert!(puts.iter().all(|put| put.bytes <= 200_000 || put.keys() == ["c.md"]));
    assert_eq!(server.state.lock().unwrap().entries.len(), 5);
}
