#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
use super::*;
use crate::engine::JobKind;
use crate::run::Outcome;

struct Desk {
    _dir: tempfile::TempDir,
    state: StateDir,
}

fn desk() -> Desk {
    let dir = tempfile::tempdir().unwrap();
    let state = StateDir::at(dir.path().join("state"));
    Desk { _dir: dir, state }
}

impl Desk {
    fn book(&self) -> RunBook {
        RunBook::new(self.state.clone())
    }
}

fn stamped(seconds: i64, event: RunEvent) -> Stamped {
    Stamped { at: chrono::DateTime::from_timestamp(1_800_000_000 + seconds, 0).unwrap(), event }
}

fn started(pid: u32, birth: Option<String>) -> RunEvent {
    RunEvent::Started {
        run: String::new(),
        kind: JobKind::Dream,
        engine: "script".into(),
        store: "/s".into(),
        project: "acme".into(),
        pid,
        birth,
        sessions: Vec::new(),
        dry_run: false,
        trigger: "hand".into(),
        budget: None,
        place: crate::process::Place::here(),
        leads_group: false,
    }
}

fn ended() -> RunEvent {
    RunEvent::Ended {
        outcome: Outcome::Done,
        reason: String::new(),
        killed_by: None,
        changes: Vec::new(),
        held: Vec::new(),
        history: None,
        inbox: None,
        notice: None,
        ms: 1,
    }
}

fn me() -> RunEvent {
    started(std::process::id(), crate::process::birth(std::process::id()))
}

#[test]
fn a_book_takes_in_only_what_was_appended() {
    let desk = desk();
    let mut book = desk.book();
    assert!(!book.refresh().unwrap());
    let journal = JournalWriter::of(&desk.state, "dream-a");
    journal.append(&stamped(0, me())).unwrap();
    assert!(book.refresh().unwrap());
    assert!(book.run("dream-a").unwrap().is_live());
    assert!(!book.refresh().unwrap());
    journal.append(&stamped(1, RunEvent::Text { text: "hi".into() })).unwrap();
    assert!(book.refresh().unwrap());
    assert_eq!(book.run("dream-a").unwrap().text.as_deref(), Some("hi"));
}

#[test]
fn torn_and_damaged_lines_are_skipped_and_the_next_event_is_not_lost() {
    let desk = desk();
    let journal = JournalWriter::of(&desk.state, "dream-a");
    journal.append(&stamped(0, me())).unwrap();
    let path = desk.state.runs().join("dream-a.jsonl");
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"\xff\xfe nonsense\n{\"at\":\"2027-01-15T08:00:01Z\",\"event\":\"te").unwrap();
    let mut book = desk.book();
    book.refresh().unwrap();
    assert!(!book.refresh().unwrap(), "a torn line alone is no news");
    journal.append(&stamped(2, ended())).unwrap();
    assert!(book.refresh().unwrap());
    assert_eq!(book.runs()[0].status, RunStatus::Ended);
}

#[test]
fn an_unfinished_run_whose_process_is_gone_is_interrupted() {
    let desk = desk();
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    JournalWriter::of(&desk.state, "dream-dead").append(&stamped(0, started(pid, None))).unwrap();
    let reused = started(std::process::id(), Some("born at another time".into()));
    JournalWriter::of(&desk.state, "dream-reused").append(&stamped(1, reused)).unwrap();
    JournalWriter::of(&desk.state, "dream-live").append(&stamped(2, me())).unwrap();
    let mut book = desk.book();
    book.refresh().unwrap();
    let status: Vec<_> = book.runs().iter().map(|view| (view.id.as_str(), view.status)).collect();
    assert_eq!(
        status,
        [
            ("dream-live", RunStatus::Starting),
            ("dream-reused", RunStatus::Interrupted),
            ("dream-dead", RunStatus::Interrupted)
        ]
    );
    assert!(!book.refresh().unwrap(), "interrupted once is enough");
}

#[test]
fn a_journal_that_was_replaced_by_a_shorter_one_is_read_anew_and_a_removed_one_leaves() {
    let desk = desk();
    let journal = JournalWriter::of(&desk.state, "dream-a");
    journal.append(&stamped(0, me())).unwrap();
    journal.append(&stamped(1, RunEvent::Text { text: "long".repeat(100) })).unwrap();
    let mut book = desk.book();
    book.refresh().unwrap();
    let path = desk.state.runs().join("dream-a.jsonl");
    fs::remove_file(&path).unwrap();
    journal.append(&stamped(5, me())).unwrap();
    assert!(book.refresh().unwrap());
    assert_eq!(book.runs()[0].text, None);
    fs::remove_file(&path).unwrap();
    assert!(book.refresh().unwrap());
    assert!(book.runs().is_empty());
}

#[cfg(unix)]
#[test]
fn journals_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let desk = desk();
    JournalWriter::of(&desk.state, "dream-a").append(&stamped(0, me())).unwrap();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(desk.state.runs()), 0o700);
    assert_eq!(mode(desk.state.runs().join("dream-a.jsonl")), 0o600);
}
