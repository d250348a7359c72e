//! What is known of a session from its two ends.

use std::io::{Seek, SeekFrom, Write};

use dreamtop::session::head::read_head;
use dreamtop::session::list_sessions;
use dreamtop::session::speech::is_headless;

use crate::{answered, said, write};

/// How many bytes this thread has read; where the system does not tell, none.
fn bytes_read() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/io").unwrap_or_default();
    told.lines().find_map(|line| line.strip_prefix("rchar: ")?.parse().ok()).unwrap_or(0)
}

#[test]
fn fc_139_of_a_transcript_of_gigabytes_only_the_two_ends_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path().join("big.jsonl"), said("1", "first words") + "\n");
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(3_800_000_000).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    let ending = format!("\n{}\n", r#"{"type":"ai-title","aiTitle":"Orders"}"#);
    file.write_all(ending.as_bytes()).unwrap();
    write(dir.path().join("giant-line.jsonl"), said("2", &"x".repeat(12_000_000)) + "\n");

    let before = bytes_read();
    let sessions = list_sessions(dir.path()).unwrap();
    let heads: Vec<_> = sessions.iter().map(|session| read_head(&session.path).unwrap()).collect();
    let read = bytes_read() - before;
    assert!(read < 1_000_000, "{read} bytes of two transcripts");

    assert_eq!(sessions.len(), 2);
    assert!(heads.iter().all(|head| head.cwd.as_deref() == Some("/srv/app")), "{heads:?}");
    let big = sessions.iter().position(|session| session.id == "big").unwrap();
    assert_eq!(sessions[big].bytes, 3_800_000_000 + ending.len() as u64);
    assert_eq!(heads[big].title.as_deref(), Some("Orders"));
}

fn title_of(lines: &[&str]) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    read_head(&write(dir.path().join("s.jsonl"), lines.join("\n"))).unwrap().title
}

#[test]
fn the_title_is_the_last_custom_one_else_the_best_there_is() {
    let first = said("u1", "please fix the orders page");
    let custom = r#"{"type":"custom-title","customTitle":"Mine","sessionId":"s1"}"#;
    let ai = r#"{"type":"ai-title","aiTitle":"Fixing orders"}"#;
    let prompt = r#"{"type":"last-prompt","lastPrompt":"and the tests","leafUuid":"u1"}"#;
    let summary = r#"{"type":"summary","summary":"About orders","leafUuid":"u1"}"#;
    let foreign = r#"{"type":"summary","summary":"Another session","leafUuid":"elsewhere"}"#;
    let title = |lines: &[&str]| title_of(lines).unwrap();
    assert_eq!(title(&[&first, r#"{"type":"custom-title","customTitle":"Old"}"#, custom, ai, prompt]), "Mine");
    assert_eq!(title(&[&first, ai, prompt, summary]), "Fixing orders");
    assert_eq!(title(&[summary, &first, prompt]), "and the tests");
    assert_eq!(title(&[summary, &first]), "About orders");
    assert_eq!(title(&[foreign, &first]), "please fix the orders page");
    assert_eq!(title_of(&[foreign]), None);
}

#[test]
fn times_entry_point_and_sidechain_come_from_the_graph_lines() {
    let dir = tempfile::tempdir().unwrap();
    let lines = [
        r#"{"type":"permission-mode","permissionMode":"default"}"#,
        r#"{"type":"user","uuid":"1","isSidechain":true,"entrypoint":"sdk-cli","cwd":"/a","timestamp":"2026-04-09T12:00:00.000Z"}"#,
        r#"{"type":"user","uuid":"2","cwd":"/a/b","timestamp":"2026-04-09T13:00:00.000Z"}"#,
        r#"{"type":"last-prompt","lastPrompt":""}"#,
        r#"{"torn":"#,
    ];
    let head = read_head(&write(dir.path().join("s.jsonl"), lines.join("\n"))).unwrap();
    assert!(head.is_sidechain && is_headless(head.entrypoint.as_deref()));
    assert_eq!(head.cwd.as_deref(), Some("/a"));
    let time = |at: Option<chrono::DateTime<chrono::Utc>>| at.unwrap().format("%H:%M").to_string();
    assert_eq!((time(head.first), time(head.last)), ("12:00".into(), "13:00".into()));
}

#[test]
fn a_transcript_of_between_one_and_two_ends_loses_no_line() {
    let dir = tempfile::tempdir().unwrap();
    let long = answered(&"word ".repeat(14_000));
    let last = r#"{"type":"custom-title","customTitle":"End"}"#;
    let path = write(
        dir.path().join("s.jsonl"),
        [&said("1", "hi"), &long, &said("2", "there"), last].map(String::from).join("\n"),
    );
    let head = read_head(&path).unwrap();
    assert_eq!((head.title.as_deref(), head.cwd.as_deref()), (Some("End"), Some("/srv/app")));
    let empty = read_head(&write(dir.path().join("empty.jsonl"), "")).unwrap();
    assert_eq!(empty, dreamtop::session::SessionHead::default());
}
