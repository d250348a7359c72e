//! What waits of an earlier pull, when the team went on: it never replaces what the team has now, and ends by itself.

use serde_json::{Value, json};

use crate::conflicts::{ORDER, changed};
use crate::desk::{Desk, files_of, memory};
use crate::server::Server;

/// The ids of what waits.
fn waiting(desk: &Desk) -> Vec<String> {
    let held = desk.json(&["inbox"]).1["held"].clone();
    held.as_array().unwrap().iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

fn order(more: &str) -> String {
    memory("a", &format!("{ORDER} {more}"))
}

/// A desk where an order of the team's waits.
fn held() -> (Server, Desk) {
    let server = Server::holding(&[("a.md", &order("One.")), ("b.md", "B.\n"), ("c.md", "C.\n"), ("d.md", "D.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "sync"]).code(), 3);
    assert_eq!(waiting(&desk).len(), 1);
    (server, desk)
}

fn gone(server: &Server) {
    server.with(|state| {
        state.entries.remove("a.md");
        state.version += 1;
    });
}

fn notices(report: &Value) -> String {
    report["notices"].to_string()
}

#[test]
fn what_waits_of_an_entry_that_the_team_deleted_waits_no_more_and_comes_back_for_nobody() {
    let (server, desk) = held();
    gone(&server);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, waiting(&desk).len()), (0, 0), "{report:#}");
    assert!(notices(&report).contains("waits no more"), "{report:#}");
    assert_eq!((desk.read("a.md"), server.entry("a.md")), (None, None));
    // Accepted before anybody looked at the server again: it is what both had, and goes to the trash.
    let (server, desk) = held();
    gone(&server);
    assert_eq!(desk.run(&["inbox", "accept", &waiting(&desk)[0]]).code(), 0);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["removed"], &report["sent"]), (0, &json!(["a.md"]), &json!([])), "{report:#}");
    assert_eq!(server.entry("a.md"), None);
}

#[test]
fn a_version_that_waits_is_renewed_with_the_teams_and_never_undoes_what_they_corrected() {
    let (server, desk) = held();
    let first = waiting(&desk);
    server.with(|state| state.set("a.md", &order("Two.")));
    let (code, report) = desk.json(&["team", "sync"]);
    let now = waiting(&desk);
    assert!(code == 3 && now.len() == 1 && now != first, "{report:#}");
    assert_eq!(desk.run(&["inbox", "accept", &first[0]]).code(), 1, "the outdated one is gone");
    assert_eq!(desk.run(&["inbox", "reject", &now[0]]).code(), 0);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"], server.entry("a.md")), (0, &json!([]), Some(order("Two."))), "{report:#}");
    // Accepted just before the team went on: their correction is put before the person, and nothing is sent.
    let (server, desk) = held();
    assert_eq!(desk.run(&["inbox", "accept", &waiting(&desk)[0]]).code(), 0);
    server.with(|state| state.set("a.md", &memory("a", "Harmless.")));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["received"], &report["sent"]), (0, &json!(["a.md"]), &json!([])), "{report:#}");
    assert_eq!(desk.read("a.md"), Some(memory("a", "Harmless.")));
}

#[test]
fn a_version_that_the_team_made_harmless_or_a_person_hides_waits_no_more() {
    let (server, desk) = held();
    server.with(|state| state.set("a.md", &memory("a", "Harmless.")));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["received"], waiting(&desk).len()), (0, &json!(["a.md"]), 0), "{report:#}");
    let (_server, desk) = held();
    assert_eq!(desk.run(&["team", "hide", "a.md"]).code(), 0);
    assert_eq!(waiting(&desk).len(), 0);
    assert_eq!(desk.json(&["team", "sync"]).0, 0);
    assert_eq!(desk.run(&["team", "unhide", "a.md"]).code(), 0);
    assert_eq!(desk.json(&["team", "sync"]).0, 3, "and is asked about again");
    assert_eq!(waiting(&desk).len(), 1);
}

#[test]
fn a_version_that_waits_without_a_record_of_it_is_asked_about_once() {
    let (_server, desk) = held();
    std::fs::remove_file(desk.record()).unwrap();
    let first = waiting(&desk);
    assert_eq!(desk.json(&["team", "sync"]).0, 3);
    let now = waiting(&desk);
    assert!(now.len() == 1 && now != first, "{now:?}");
}

#[test]
fn what_guards_hold_is_said_to_be_held_and_what_two_changed_to_be_changed_on_both_sides() {
    let (_server, desk) = held();
    let said = desk.run(&["team", "sync"]);
    assert!(!said.out().contains("changed on both sides"), "{}", said.out());
    let (_server, desk) = changed("a.md", &memory("a", "Base."), &memory("a", "Ours."), &memory("a", "Theirs."));
    assert_eq!(desk.run(&["team", "sync"]).code(), 3);
    let (_, report) = desk.json(&["team", "sync"]);
    assert_eq!(report["waiting"][0]["conflict"], json!(true), "{report:#}");
    assert!(desk.run(&["team", "sync"]).out().contains("changed on both sides  a.md"));
}

#[test]
fn an_undo_of_a_pull_asks_again_what_it_had_put_before_a_person_and_sends_nothing_over_the_teams() {
    let (ours, theirs) = (memory("a", "Ours."), memory("a", "Theirs."));
    let (server, desk) = changed("a.md", &memory("a", "Base."), &ours, &theirs);
    let (_, report) = desk.json(&["team", "sync"]);
    assert_eq!(desk.run(&["undo", report["history"].as_str().unwrap()]).code(), 0);
    assert_eq!(desk.read("a.md"), Some(ours.clone()));
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, files_of(&report["conflicts"]), &report["sent"]), (3, vec!["a.md"], &json!([])), "{report:#}");
    assert_eq!(server.entry("a.md"), Some(theirs.clone()));
    assert_eq!(waiting(&desk).len(), 1);
    // Who wants theirs for everybody says so, and the team's waits then.
    assert_eq!(desk.run(&["undo", report["history"].as_str().unwrap()]).code(), 0);
    let (code, report) = desk.json(&["team", "sync", "--keep", "local"]);
    assert_eq!((code, &report["sent"]), (0, &json!(["a.md"])), "{report:#}");
    assert_eq!((server.entry("a.md"), desk.read("a.md")), (Some(ours.clone()), Some(ours.clone())));
    assert_eq!(waiting(&desk).len(), 1);
    // And a version of one's own that was accepted is no undo, also where it is the same text.
    let (server, desk) = changed("a.md", &memory("a", "Base."), &ours, &theirs);
    assert_eq!(desk.run(&["team", "sync"]).code(), 3);
    assert_eq!(desk.run(&["inbox", "accept", &waiting(&desk)[0]]).code(), 0);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"], server.entry("a.md")), (0, &json!(["a.md"]), Some(ours)), "{report:#}");
}

#[test]
fn ours_with_a_credential_in_a_conflict_stays_with_its_reason_until_a_person_says_what_counts() {
    let key = format!("Use {}{}.", "AKIA", "Z7QX4MNR2VWL5TKD");
    let ours = memory("a", &key);
    let (server, desk) = changed("a.md", &memory("a", "Base."), &ours, &memory("a", "Theirs."));
    for _ in 0..2 {
        let (code, report) = desk.json(&["team", "sync"]);
        let reason = report["set_aside"][0]["reason"].as_str().unwrap_or_default();
        assert!(code == 3 && reason.contains("credential") && reason.contains("--keep server"), "{report:#}");
        assert!(!report.to_string().contains("Z7QX4MNR2VWL5TKD"));
        assert_eq!((desk.read("a.md"), waiting(&desk).len()), (Some(ours.clone()), 0));
    }
    assert_eq!(desk.json(&["team", "status"]).1["entries"][0]["standing"], "blocked");
    assert_eq!(server.entry("a.md"), Some(memory("a", "Theirs.")));
    assert_eq!(desk.json(&["team", "sync", "--keep", "server"]).0, 0);
    assert_eq!(desk.read("a.md"), Some(memory("a", "Theirs.")));
}
