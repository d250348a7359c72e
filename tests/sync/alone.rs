//! A sync that starts by itself: after a turn that changed what is shared, and never against a person's word.

use std::io::Write;
use std::process::Stdio;

use crate::common::wait_until;
use crate::desk::{Desk, memory};
use crate::server::Server;

/// The end of a turn, as Claude Code tells of it.
fn stop(desk: &Desk, token: &str) {
    let cwd = desk.machine.path("app");
    let event = serde_json::json!({ "hook_event_name": "Stop", "session_id": "s1", "cwd": cwd, "transcript_path": desk.machine.path("s1.jsonl") });
    let mut command = desk.machine.command();
    command.current_dir(&cwd).env("DREAMTOP_TEAM_TOKEN", token).arg("hook");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stdout.is_empty(), "{ended:?}");
}

fn desk(server: &Server, sync: &str) -> Desk {
    let desk = Desk::with(&format!("team:\n  url: {}\n  sync: {sync}\ndream:\n  enabled: false\n", server.url));
    desk.machine.write("s1.jsonl", "");
    desk
}

#[test]
fn what_a_turn_changed_is_sent_by_a_process_of_its_own_and_the_status_says_who_did_it() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = desk(&server, "after-landing");
    desk.write("b.md", &memory("b", "Two."));
    stop(&desk, "team-token-1");
    wait_until("the entry is on the server", || server.entry("b.md").is_some());
    wait_until("the sync is over", || desk.json(&["team", "status"]).1["last"]["by"] == "hook");
    assert_eq!(desk.read("a.md").as_deref(), Some("One.\n"), "and what the team has came along");
    // A turn that changed nothing there asks nobody.
    server.with(|state| state.asked.clear());
    stop(&desk, "team-token-1");
    assert_eq!(desk.run(&["team", "status"]).code(), 0);
    assert!(server.asked("GET").is_empty() && server.asked("PUT").is_empty());
}

#[test]
fn nothing_starts_by_itself_when_it_is_off_paused_or_the_token_was_refused() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let (off, paused, refused) = (desk(&server, "off"), desk(&server, "after-landing"), desk(&server, "after-landing"));
    for desk in [&off, &paused, &refused] {
        desk.write("b.md", &memory("b", "Two."));
    }
    assert_eq!(paused.run(&["pause"]).code(), 0);
    assert_eq!(refused.run_as("wrong", &["team", "push"]).code(), 4);
    server.with(|state| state.asked.clear());
    stop(&off, "team-token-1");
    stop(&paused, "team-token-1");
    stop(&refused, "wrong");
    // What a started process would do first is made visible by one that does start.
    let other = desk(&server, "after-landing");
    other.write("c.md", &memory("c", "Three."));
    stop(&other, "team-token-1");
    wait_until("that one is on the server", || server.entry("c.md").is_some());
    assert_eq!(server.entry("b.md"), None);
    assert!(server.asked("GET").iter().all(|asked| asked.headers["authorization"] != "Bearer wrong"));
}
