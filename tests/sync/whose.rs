//! Whose `memory/team/` is: nothing of one repository goes to another one before a person says so.

use std::fs;

use serde_json::json;

use crate::common::{Answer, wait_until};
use crate::desk::{Desk, memory};
use crate::server::Server;

/// A checkout with this origin; without one it has none.
fn checkout(desk: &Desk, place: &str, origin: Option<&str>) {
    let remote = origin.map(|origin| format!("[remote \"origin\"]\n\turl = https://git.example/{origin}.git\n"));
    desk.machine.write(&format!("{place}/.git/config"), remote.unwrap_or_default());
    desk.machine.write(&format!("{place}/.git/HEAD"), "ref: refs/heads/main\n");
}

fn run_in(desk: &Desk, place: &str, arguments: &[&str]) -> Answer {
    let mut command = desk.machine.command();
    command.current_dir(desk.machine.path(place)).env("DREAMTOP_TEAM_TOKEN", "team-token-1").args(arguments);
    Answer::of(command.output().unwrap())
}

/// The store of a checkout.
fn store(desk: &Desk, place: &str) -> std::path::PathBuf {
    let slug = dreamtop::project::slug(&desk.machine.path(place).to_string_lossy());
    desk.machine.path("claude/projects").join(slug).join("memory")
}

fn write(desk: &Desk, place: &str, key: &str) {
    let path = store(desk, place).join("team").join(key);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, memory(key, "Words.")).unwrap();
}

/// Says that a session was held in a checkout.
fn session(desk: &Desk, place: &str, id: &str) {
    let line = json!({ "type": "user", "cwd": desk.machine.path(place), "sessionId": id, "uuid": id,
        "timestamp": "2026-11-29T09:00:00Z", "message": { "role": "user", "content": "hello" } });
    let folder = store(desk, place);
    fs::create_dir_all(folder.parent().unwrap()).unwrap();
    fs::write(folder.parent().unwrap().join(format!("{id}.jsonl")), format!("{line}\n")).unwrap();
}

/// Two checkouts, of two repositories, whose folders make one slug.
fn twins(desk: &Desk) -> (&'static str, &'static str) {
    checkout(desk, "x-y", Some("acme/x-y"));
    checkout(desk, "x/y", Some("acme/x_y"));
    assert_eq!(store(desk, "x-y"), store(desk, "x/y"));
    ("x-y", "x/y")
}

#[test]
fn two_projects_of_one_folder_share_with_one_repository_until_a_person_says_otherwise() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    let (one, other) = twins(&desk);
    write(&desk, one, "z.md");
    assert_eq!(run_in(&desk, one, &["team", "sync"]).code(), 0);
    let puts = server.asked("PUT").len();
    assert_eq!(puts, 1);
    server.with(|state| state.asked.clear());
    for verb in [
        &["team", "sync"][..],
        &["team", "push"],
        &["team", "pull"],
        &["team", "hide", "z.md"],
        &["team", "delete", "z.md", "--yes"],
    ] {
        let answer = run_in(&desk, other, verb);
        assert_eq!(answer.code(), 3, "{verb:?}: {}", answer.err());
        let said = answer.err();
        assert!(said.contains("acme/x-y") && said.contains("dreamtop team share acme/x_y"), "{verb:?}: {said}");
    }
    let status = run_in(&desk, other, &["team", "status"]);
    assert!(status.code() == 3 && status.out().contains("team share acme/x_y"), "{}", status.out());
    assert!(server.asked("GET").is_empty() && server.asked("PUT").is_empty(), "nobody was asked");
    assert!(store(&desk, one).join("team/z.md").exists());
    // Another name than the one that the checkout comes to is a slip.
    assert_eq!(run_in(&desk, other, &["team", "share", "acme/x-y"]).code(), 2);
    assert_eq!(run_in(&desk, other, &["team", "share", "acme/x_y"]).code(), 0);
    assert_eq!(run_in(&desk, other, &["team", "sync"]).code(), 0);
    assert_eq!(run_in(&desk, one, &["team", "sync"]).code(), 3, "and the first one asks from then on");
}

#[test]
fn transcripts_of_another_project_in_the_folder_are_asked_about_once_and_nothing_is_sent_by_itself() {
    let server = Server::holding(&[]);
    let desk = Desk::with(&format!("team:\n  url: {}\n  sync: after-landing\ndream:\n  enabled: false\n", server.url));
    let (one, other) = twins(&desk);
    session(&desk, one, "s1");
    write(&desk, other, "auto.md");
    let asked = || server.asked("GET").len() + server.asked("PUT").len();
    let by_hook = ["team", "sync", "--settle", "--quiet", "--trigger", "hook"];
    assert_eq!(run_in(&desk, other, &by_hook).code(), 0, "nothing is due");
    let answer = run_in(&desk, other, &["team", "sync"]);
    let said = answer.err();
    assert!(answer.code() == 3 && said.contains("x-y") && said.contains("team share acme/x_y"), "{said}");
    assert_eq!(asked(), 0);
    assert_eq!(run_in(&desk, other, &["team", "share", "acme/x_y"]).code(), 0);
    assert_eq!(run_in(&desk, other, &by_hook).code(), 0);
    wait_until("what is due is sent", || server.entry("auto.md").is_some());
    // A project that comes to it later is asked about, too.
    checkout(&desk, "x.y", Some("acme/third"));
    session(&desk, "x.y", "s2");
    write(&desk, other, "more.md");
    assert_eq!(run_in(&desk, other, &by_hook).code(), 0);
    assert_eq!(run_in(&desk, other, &["team", "push"]).code(), 3);
    assert_eq!(server.entry("more.md"), None);
}

#[test]
fn another_clone_of_the_same_repository_in_the_folder_is_no_question() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    checkout(&desk, "x-y", Some("acme/app"));
    checkout(&desk, "x/y", Some("Acme/App"));
    session(&desk, "x-y", "s1");
    write(&desk, "x/y", "a.md");
    let answer = run_in(&desk, "x/y", &["team", "sync"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert!(server.entry("a.md").is_some());
}

#[test]
fn a_remote_or_a_server_that_was_set_to_another_one_gets_nothing_before_a_person_says_so() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    checkout(&desk, "app", Some("acme/other"));
    let elsewhere = Server::holding(&[]);
    for (config, name) in [(&server, "acme/other"), (&elsewhere, "acme/app")] {
        if name == "acme/app" {
            checkout(&desk, "app", Some(name));
        }
        desk.machine.write("config/dreamtop/config.yaml", format!("team:\n  url: {}\n", config.url));
        server.with(|state| state.asked.clear());
        let answer = desk.run(&["team", "sync"]);
        assert!(answer.code() == 3 && answer.err().contains(&format!("team share {name}")), "{}", answer.err());
        assert!(server.asked("GET").is_empty() && elsewhere.asked("GET").is_empty());
    }
    assert_eq!(desk.run(&["team", "share", "acme/app"]).code(), 0);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    assert_eq!(elsewhere.entry("a.md").as_deref(), Some("One.\n"));
}

#[test]
fn a_store_that_synced_before_such_things_were_noted_is_the_one_it_synced_with() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    let note = desk.record().parent().unwrap().parent().unwrap().join("share.json");
    fs::remove_file(&note).unwrap();
    assert_eq!(desk.run(&["team", "sync"]).code(), 0);
    fs::remove_file(&note).unwrap();
    checkout(&desk, "app", Some("acme/other"));
    assert_eq!(desk.run(&["team", "sync"]).code(), 3);
}

#[test]
fn an_address_at_which_nobody_answered_was_no_teams() {
    let server = Server::holding(&[]);
    let desk = Desk::with("team:\n  url: http://127.0.0.1:9\n");
    desk.write("a.md", "One.\n");
    assert_eq!(desk.run(&["team", "sync"]).code(), 5);
    desk.machine.write("config/dreamtop/config.yaml", format!("team:\n  url: {}\n", server.url));
    let answer = desk.run(&["team", "sync"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
}

#[test]
fn one_line_for_every_folder_without_a_remote_shares_none_of_them_by_itself() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::with(&format!("team:\n  url: {}\n  repository: acme/app\n", server.url));
    checkout(&desk, "p1", None);
    checkout(&desk, "p2", None);
    fs::create_dir_all(desk.machine.path("plain")).unwrap();
    write(&desk, "p1", "p1.md");
    write(&desk, "p2", "p2.md");
    for place in ["p1", "p2", "plain"] {
        let answer = run_in(&desk, place, &["team", "sync"]);
        assert!(answer.code() == 3 && answer.err().contains("team share acme/app"), "{place}: {}", answer.err());
    }
    assert!(server.asked("GET").is_empty());
    assert_eq!(run_in(&desk, "p1", &["team", "share", "acme/app"]).code(), 0);
    assert_eq!(run_in(&desk, "p1", &["team", "sync"]).code(), 0);
    assert!(server.entry("p1.md").is_some() && server.entry("p2.md").is_none());
    assert_eq!(run_in(&desk, "p2", &["team", "sync"]).code(), 3);
}

#[test]
fn what_is_offered_in_one_project_goes_to_no_other_ones_team() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    let (one, other) = twins(&desk);
    write(&desk, one, "z.md");
    assert_eq!(run_in(&desk, one, &["team", "sync"]).code(), 0);
    fs::write(store(&desk, other).join("project_note.md"), memory("note", "Words.")).unwrap();
    let offer = ["team", "promote", "project_note.md", "--owner", "Ann", "--review-by", "2027-03-31"];
    assert_eq!(run_in(&desk, other, &offer).code(), 3);
    assert!(!store(&desk, other).join("team/project_note.md").exists());
    assert_eq!(run_in(&desk, one, &offer).code(), 0);
}

#[test]
fn a_remote_of_more_or_fewer_parts_is_told_apart_and_named_in_the_configuration() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    for origin in ["group/sub/app", "app"] {
        checkout(&desk, "app", Some(origin));
        let answer = desk.run(&["team", "sync"]);
        let said = answer.err();
        assert!(answer.code() == 2 && said.contains(&format!("{origin}: OWNER/NAME")), "{said}");
        assert!(!said.contains("no remote"), "{said}");
    }
    checkout(&desk, "app", Some("Group/sub/app"));
    let config = format!("team:\n  url: {}\n  repositories:\n    group/sub/App: sub/app\n", server.url);
    desk.machine.write("config/dreamtop/config.yaml", config);
    desk.write("a.md", "One.\n");
    let answer = desk.run(&["team", "sync"]);
    assert_eq!(answer.code(), 0, "{}", answer.err());
    assert!(server.asked("PUT").iter().all(|asked| asked.path.contains("repo=sub%2Fapp")));
}
