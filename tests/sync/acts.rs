//! Removing, hiding, deleting and offering: what a person does to one entry.

use serde_json::json;

use crate::desk::{Desk, files_of, memory};
use crate::server::Server;

#[test]
fn fc_085_a_removed_entry_comes_back_once_and_a_hidden_one_never() {
    let server = Server::holding(&[("a.md", "One.\n"), ("b.md", "Two.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    desk.remove("a.md");
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["restored"]), (0, &json!(["a.md"])), "{report:#}");
    assert_eq!(desk.json(&["team", "sync"]).1["restored"], json!([]), "it is listed once");

    assert_eq!(desk.run(&["team", "hide", "team/a"]).code(), 0);
    assert_eq!(desk.files(), ["b.md"]);
    for _ in 0..10 {
        let (code, report) = desk.json(&["team", "sync"]);
        assert_eq!((code, &report["restored"], &report["hidden"]), (0, &json!([]), &json!(["a.md"])), "{report:#}");
        assert_eq!(desk.files(), ["b.md"]);
    }
    server.with(|state| state.set("a.md", "One, anew.\n"));
    assert_eq!(desk.json(&["team", "sync"]).1["received"], json!([]), "nor another version of it");
    assert!(server.asked("PUT").is_empty());
    assert_eq!(desk.run(&["team", "unhide", "a"]).code(), 0);
    assert_eq!(desk.run(&["team", "unhide", "a"]).code(), 1);
    assert_eq!(desk.json(&["team", "pull"]).1["restored"], json!(["a.md"]));
    assert_eq!(desk.read("a.md").as_deref(), Some("One, anew.\n"));
}

#[test]
fn what_would_lose_an_edit_is_not_hidden() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    desk.write("a.md", "One, and mine.\n");
    assert_eq!(desk.run(&["team", "hide", "a"]).code(), 3);
    desk.write("b.md", "Mine.\n");
    desk.write("MEMORY.md", "# Team\n- [B](b.md) — mine\n- [A](a.md) — one\n");
    assert_eq!(desk.run(&["team", "hide", "nothing"]).code(), 1);
    assert!(desk.run(&["team", "hide", "b"]).err().contains("`dreamtop team delete b.md`"));
    assert_eq!(desk.files(), ["MEMORY.md", "a.md", "b.md"]);
    // What is advised there does it.
    let (code, answer) = desk.json(&["team", "delete", "b.md"]);
    assert_eq!((code, &answer["removed"]), (0, &json!(["b.md"])), "{answer:#}");
    assert_eq!((desk.files(), server.asked("DELETE").len()), (vec!["MEMORY.md".to_owned(), "a.md".to_owned()], 0));
    assert!(!desk.read("MEMORY.md").unwrap().contains("b.md"));
    assert_eq!(desk.run(&["undo"]).code(), 0);
    assert_eq!(desk.read("b.md").as_deref(), Some("Mine.\n"));
}

#[test]
fn a_deletion_is_sent_for_everybody_only_when_a_person_says_so() {
    let index = "# Team\n- [A](a.md) — one\n- [B](b.md) — two\n";
    let server = Server::holding(&[("a.md", "One.\n"), ("b.md", "Two.\n"), ("MEMORY.md", index)]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    let answer = desk.run(&["team", "delete", "a"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    let asked = &server.asked("DELETE")[0];
    assert!(asked.path.starts_with("/v1/team_memory?repo=acme%2Fapp&key=a.md"), "{}", asked.path);
    assert_eq!(server.entry("a.md"), None);
    assert_eq!(desk.files(), ["MEMORY.md", "b.md"]);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["sent"]), (0, &json!(["MEMORY.md"])), "{report:#}");
    assert!(!server.entry("MEMORY.md").unwrap().contains("a.md"));
    // Somebody changed it since: it is not taken away unseen.
    server.with(|state| state.set("b.md", "Two, anew.\n"));
    let answer = desk.run(&["team", "delete", "b"]);
    assert!(answer.code() == 3 && answer.err().contains("changed"), "{}", answer.err());
    assert!(server.entry("b.md").is_some() && desk.read("b.md").is_some());
}

#[test]
fn a_memory_of_ones_own_is_offered_with_an_owner_and_a_day_to_look_again() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    let own = memory("Merge freeze", "No merges after Thursday.");
    std::fs::write(desk.store.join("project_freeze.md"), &own).unwrap();
    std::fs::write(desk.store.join("user_me.md"), memory("me", "I like tea.").replace("project", "user")).unwrap();
    std::fs::write(desk.store.join("MEMORY.md"), "- [Freeze](project_freeze.md) — x\n- [Me](user_me.md) — y\n")
        .unwrap();
    assert!(desk.run(&["team", "promote", "project_freeze"]).err().contains("--owner"));
    let promote = ["team", "promote", "project_freeze", "--owner", "Ann", "--review-by", "2027-03-31"];
    assert_eq!(desk.run(&["team", "promote", "user_me", "--owner", "Ann", "--review-by", "2027-03-31"]).code(), 2);
    assert_eq!(
        desk.run(&["team", "promote", "project_freeze", "--owner", "Ann", "--review-by", "2020-01-01"]).code(),
        2
    );
    let (_, shown) = desk.json(&[&promote[..], &["--dry-run"]].concat());
    assert!(shown["content"].as_str().unwrap().contains("owner: \"Ann\"\nreview_by: \"2027-03-31\"\n---"), "{shown:#}");
    assert!(desk.files().is_empty());
    let answer = desk.run(&promote);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert_eq!(desk.files(), ["MEMORY.md", "project_freeze.md"]);
    assert!(desk.read("MEMORY.md").unwrap().contains("[Merge freeze](project_freeze.md)"));
    assert_eq!(std::fs::read_to_string(desk.store.join("project_freeze.md")).unwrap(), own, "one's own stays");
    assert_eq!(desk.run(&promote).code(), 2, "and is not offered twice");
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, &report["sent"]), (0, &json!(["MEMORY.md", "project_freeze.md"])), "{report:#}");
    assert_eq!(files_of(&report["set_aside"]), Vec::<&str>::new());
}

#[test]
fn a_shrunk_set_is_asked_about_once_and_not_for_what_is_hidden() {
    let three = [("a.md", "One.\n"), ("b.md", "Two.\n"), ("c.md", "Three.\n")];
    let take_away = |server: &Server| {
        server.with(|state| {
            state.entries.remove("a.md");
            state.version += 1;
        });
    };
    let server = Server::holding(&three);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    assert_eq!(desk.run(&["team", "hide", "a"]).code(), 0);
    take_away(&server);
    for _ in 0..2 {
        let answer = desk.run(&["team", "pull"]);
        assert_eq!(answer.code(), 0, "{}", answer.err());
    }

    let server = Server::holding(&three);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    desk.write("a.md", "One, and mine.\n");
    take_away(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 3);
    let (code, report) = desk.json(&["team", "pull", "--accept-shrink"]);
    assert_eq!((code, &report["to_send"]), (0, &json!(["a.md"])), "{report:#}");
    assert!(report["notices"][0].as_str().unwrap().contains("no longer"), "{report:#}");
    assert_eq!(desk.run(&["team", "pull"]).code(), 0, "asked once");
    assert_eq!(desk.read("a.md").as_deref(), Some("One, and mine.\n"));
}

#[test]
fn what_was_written_under_a_hidden_name_does_not_replace_the_teams_text_unseen() {
    let server = Server::holding(&[("a.md", &memory("a", "The team's."))]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    assert_eq!(desk.run(&["team", "hide", "a"]).code(), 0);
    desk.write("a.md", &memory("a", "Mine, about something else."));
    assert_eq!(desk.run(&["team", "unhide", "a"]).code(), 0);
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, files_of(&report["conflicts"])), (3, vec!["a.md"]), "{report:#}");
    assert_eq!(server.entry("a.md"), Some(memory("a", "The team's.")));
}

#[test]
fn what_is_written_under_a_hidden_name_is_said_not_to_go_anywhere_until_it_is_shown_again() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    assert_eq!(desk.run(&["team", "hide", "a"]).code(), 0);
    desk.write("a.md", "One.\nAnd mine.\n");
    let answer = desk.run(&["team", "sync"]);
    assert_eq!(answer.code(), 3, "{}", answer.out());
    assert!(!answer.out().contains("both sides have the same"), "{}", answer.out());
    let (code, report) = desk.json(&["team", "push"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["a.md"]), "{report:#}");
    assert!(report["set_aside"][0]["reason"].as_str().unwrap().contains("dreamtop team unhide"), "{report:#}");
    assert!(server.asked("PUT").is_empty());
    assert_eq!(desk.run(&["team", "unhide", "a"]).code(), 0);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    assert_eq!(server.entry("a.md").as_deref(), Some("One.\nAnd mine.\n"));
}

#[test]
fn a_credential_is_offered_to_no_team_and_shown_by_no_dry_run() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    let secret = "postgres://app:hq7Zx92LmPw4@db.example.org/orders";
    std::fs::write(desk.store.join("project_db.md"), memory("db", secret)).unwrap();
    for more in [&[][..], &["--dry-run"]] {
        let promote = ["team", "promote", "project_db", "--owner", "Ann", "--review-by", "2027-03-31"];
        let answer = desk.run(&[&promote[..], more].concat());
        assert_eq!(answer.code(), 2, "{}", answer.out());
        assert!(answer.err().contains("url-password") && answer.err().contains("line "), "{}", answer.err());
        assert!(!answer.out().contains("hq7Zx92LmPw4") && !answer.err().contains("hq7Zx92LmPw4"));
    }
}

#[test]
fn a_hiding_that_is_undone_hides_nothing_any_more() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    let history = desk.json(&["team", "hide", "a"]).1["history"].as_str().unwrap().to_owned();
    assert_eq!(desk.json(&["team", "status"]).1["entries"][0]["standing"], "hidden");
    assert_eq!(desk.run(&["undo", &history]).code(), 0);
    assert_eq!(desk.json(&["team", "status"]).1["entries"][0]["standing"], "same");
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, &report["hidden"], &report["set_aside"]), (0, &json!([]), &json!([])), "{report:#}");
    server.with(|state| state.set("a.md", "One, anew.\n"));
    assert_eq!(desk.json(&["team", "sync"]).1["received"], json!(["a.md"]));
    desk.write("a.md", "One, and mine.\n");
    assert_eq!(desk.json(&["team", "sync"]).1["sent"], json!(["a.md"]));
}

#[test]
fn a_memory_with_the_name_of_a_hidden_entry_is_not_offered() {
    let server = Server::holding(&[("project_freeze.md", &memory("freeze", "The team's."))]);
    let desk = Desk::at(&server);
    std::fs::write(desk.store.join("project_freeze.md"), memory("freeze", "Mine.")).unwrap();
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    assert_eq!(desk.run(&["team", "hide", "project_freeze"]).code(), 0);
    let promote = ["team", "promote", "project_freeze", "--owner", "Ann", "--review-by", "2027-03-31"];
    let answer = desk.run(&promote);
    assert!(answer.code() == 2 && answer.err().contains("dreamtop team unhide"), "{}", answer.err());
    assert!(desk.files().is_empty());
}
