//! What a sync did and what it left is told: when it ends halfway, afterwards, and by `check`.

use serde_json::json;

use crate::desk::{Desk, files_of, memory};
use crate::server::{Fault, Server};

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_set_aside_each_by_itself() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    desk.write("a.md", "One.\n");
    for name in [&b"two\xff.md"[..], b"two\xfe.md"] {
        std::fs::write(desk.store.join("team").join(OsStr::from_bytes(name)), "Text.\n").unwrap();
    }
    for sent in [json!(["a.md"]), json!([])] {
        let (code, report) = desk.json(&["team", "sync"]);
        assert_eq!((code, &report["sent"]), (3, &sent), "{report:#}");
        assert_eq!(files_of(&report["set_aside"]), ["two\\xfe.md", "two\\xff.md"], "{report:#}");
        assert!(report["set_aside"][0]["reason"].as_str().unwrap().contains("UTF-8"), "{report:#}");
    }
    server.with(|state| state.set("bad\u{fffd}.md", "Theirs.\n"));
    let report = desk.json(&["team", "sync"]).1;
    assert!(files_of(&report["set_aside"]).contains(&"bad\u{fffd}.md"), "{report:#}");
    assert_eq!(desk.read("bad\u{fffd}.md"), None);
}

#[test]
fn a_sync_that_ends_between_pull_and_push_tells_what_it_did_first() {
    for (status, code) in [(403, 4), (401, 4), (500, 5)] {
        let server = Server::holding(&[("a.md", "One.\n"), ("b.md", "Two.\n")]);
        let desk = Desk::at(&server);
        assert_eq!(desk.run(&["team", "pull"]).code(), 0);
        server.with(|state| state.set("a.md", "One, by the team.\n"));
        desk.write("b.md", "Two, by me.\n");
        let fault = Fault::Status(status, Vec::new(), json!({ "error": { "code": "x", "message": "no" } }));
        server.with(|state| state.put_faults = std::iter::repeat_n(fault, 9).collect());
        let answer = desk.run(&["--json", "team", "sync"]);
        assert_eq!(answer.code(), code, "{status}: {}", answer.err());
        assert!(answer.err().contains(&status.to_string()), "{}", answer.err());
        let report = answer.json();
        assert_eq!(report["received"], json!(["a.md"]), "{report:#}");
        let last = desk.json(&["team", "status"]).1["last"]["words"].as_str().unwrap().to_owned();
        assert!(last.contains("1 received") && last.contains(&status.to_string()), "{last}");
        assert_eq!(desk.run(&["undo", report["history"].as_str().unwrap()]).code(), 0);
        assert_eq!(desk.read("a.md").as_deref(), Some("One.\n"));
    }
}

#[test]
fn a_deletion_with_a_refused_token_is_a_matter_of_the_token() {
    let server = Server::holding(&[("a.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    let answer = desk.run_as("wrong-token-9", &["team", "delete", "a.md", "--yes"]);
    assert_eq!(answer.code(), 4, "{}", answer.err());
}

#[test]
fn the_status_says_what_the_last_sync_left_and_why_as_long_as_it_is_so() {
    let secret = format!("The key is {}{}.\n", "AKIA", "Q3EGRTVNB5WXKC7P");
    let server = Server::holding(&[("ok.md", "Fine.\n"), ("sec.md", &secret)]);
    server.with(|state| state.max_entries = Some(3));
    let desk = Desk::at(&server);
    for key in ["t1.md", "t2.md"] {
        desk.write(key, "Text.\n");
    }
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["sec.md", "t2.md"]), "{report:#}");
    let of = |file: &str| {
        let status = desk.json(&["team", "status"]).1;
        let rows = status["entries"].as_array().unwrap().clone();
        rows.into_iter().find(|row| row["file"] == file).unwrap()
    };
    for (file, word) in [("sec.md", "credential"), ("t2.md", "no room")] {
        let row = of(file);
        assert_eq!(row["standing"], "blocked", "{row}");
        assert!(row["reason"].as_str().unwrap().contains(word), "{row}");
    }
    assert_eq!(desk.run(&["team", "status"]).code(), 3);
    desk.write("t2.md", "Another text.\n");
    assert_eq!(of("t2.md")["standing"], "to-send", "it is another one now");
}

#[test]
fn names_of_one_file_say_the_way_out_and_hidden_files_are_named() {
    let server = Server::holding(&[("clean.md", "One.\n")]);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    desk.remove("clean.md");
    desk.write("Clean.md", "One.\n");
    desk.write(".hidden.md", "Two.\n");
    let (code, report) = desk.json(&["team", "sync"]);
    assert_eq!((code, files_of(&report["set_aside"])), (3, vec!["clean.md", "Clean.md", ".hidden.md"]), "{report:#}");
    for at in [0, 1] {
        let reason = report["set_aside"][at]["reason"].as_str().unwrap();
        assert!(reason.contains("team delete clean.md"), "{reason}");
    }
    assert_eq!(desk.run(&["team", "delete", "clean.md", "--yes"]).code(), 0);
    assert_eq!(desk.json(&["team", "sync"]).1["sent"], json!(["Clean.md"]), "as it was said");
}

#[test]
fn an_entry_one_byte_too_large_hears_how_many_bytes() {
    let server = Server::holding(&[]);
    let desk = Desk::at(&server);
    desk.write("big.md", &"a".repeat(250_001));
    let report = desk.json(&["team", "sync"]).1;
    let reason = report["set_aside"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("250,001 bytes") && reason.contains("250,000"), "{reason}");
}

#[test]
fn a_token_that_cannot_be_had_is_called_a_token() {
    let server = Server::holding(&[]);
    let desk = Desk::with(&format!("team:\n  url: {}\n  token_file: none\n", server.url));
    let answer = desk.run(&["team", "sync"]);
    assert!(answer.err().contains("the token from the file") && !answer.err().contains("key"), "{}", answer.err());
}

#[test]
fn check_looks_at_the_index_of_the_team_and_fixes_nothing_there() {
    let index = "# Team\n- [a](a.md) — one\n- [gone](gone.md) — gone\n- [h](h.md) — hidden\n";
    let rows = [("a.md", memory("a", "One.")), ("lost.md", memory("lost", "Two.")), ("h.md", memory("h", "Three."))];
    let mut all: Vec<(&str, &str)> = rows.iter().map(|(key, text)| (*key, text.as_str())).collect();
    all.push(("MEMORY.md", index));
    let server = Server::holding(&all);
    let desk = Desk::at(&server);
    assert_eq!(desk.run(&["team", "pull"]).code(), 0);
    assert_eq!(desk.run(&["team", "hide", "h.md"]).code(), 0);
    for arguments in [&["check"][..], &["check", "--fix"]] {
        let (code, report) = desk.json(arguments);
        let found: Vec<(&str, &str)> = report["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (row["code"].as_str().unwrap(), row["file"].as_str().unwrap()))
            .collect();
        assert_eq!(
            (code, found),
            (1, vec![("index-dangling", "team/MEMORY.md"), ("orphan", "team/lost.md")]),
            "{report:#}"
        );
    }
    assert!(desk.run(&["check", "--all"]).out().contains("team/lost.md"));
    assert_eq!(desk.read("MEMORY.md").as_deref(), Some(index));
}
