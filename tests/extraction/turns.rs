//! Extraction turn by turn, as runs: what is read, what is stored once, what is recorded, and what a notice may say.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use dreamtop::clock::Clock;
use dreamtop::engine::JobKind;
use dreamtop::environment::Environment;
use dreamtop::memory::Store;
use dreamtop::memory::store::ScanOptions;
use dreamtop::project::settings::Decided;
use dreamtop::run::lock::Patience;
use dreamtop::run::schedule::Schedule;
use dreamtop::run::worker::{Order, Task, run_until};
use dreamtop::run::{Outcome, RunView};
use dreamtop::state::StateDir;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::order::order;

/// A store, a session that grows, and runs over it.
struct Talk {
    dir: tempfile::TempDir,
    now: DateTime<Utc>,
    turns: i64,
}

impl Talk {
    fn new() -> Self {
        let talk = Self { dir: tempfile::tempdir().unwrap(), now: "2026-03-11T12:00:00Z".parse().unwrap(), turns: 0 };
        fs::create_dir_all(talk.store()).unwrap();
        fs::write(talk.transcript(), "").unwrap();
        talk
    }

    fn store(&self) -> PathBuf {
        self.dir.path().join("memory")
    }

    fn transcript(&self) -> PathBuf {
        self.dir.path().join("5e551017.jsonl")
    }

    fn state(&self) -> StateDir {
        StateDir::at(self.dir.path().join("state"))
    }

    fn line(&mut self, kind: &str, content: &Value, more: &[(&str, Value)]) {
        self.turns += 1;
        let mut line = json!({
            "type": kind, "uuid": format!("u{}", self.turns), "sessionId": "5e551017", "cwd": "/home/dev/acme",
            "timestamp": (self.now + TimeDelta::seconds(self.turns)).to_rfc3339(), "entrypoint": "cli",
            "message": {"role": kind, "content": content},
        });
        for (key, value) in more {
            line[*key] = value.clone();
        }
        let text = fs::read_to_string(self.transcript()).unwrap() + &format!("{line}\n");
        fs::write(self.transcript(), text).unwrap();
    }

    /// One turn: what the person says and what the assistant answers.
    fn say(&mut self, text: &str) {
        self.line("user", &json!(text), &[]);
        self.line("assistant", &json!([{"type": "text", "text": "Done."}]), &[]);
    }

    fn order(&self, task: Task, engine: &str) -> Order {
        order(self.store(), self.dir.path(), task, engine, "hook")
    }

    fn run(&self, order: &Order) -> RunView {
        let environment = Environment::of(self.dir.path(), &[]);
        let patience = Patience { settle: std::time::Duration::from_millis(5), unfinished: std::time::Duration::ZERO };
        run_until(order, &self.state(), &Clock::Fixed(self.now), &environment, &CancellationToken::new(), patience)
            .unwrap()
    }

    fn extract(&self, engine: &str) -> RunView {
        self.run(&self.order(Task::Extract { transcript: self.transcript(), again: false }, engine))
    }

    fn script(&self, lines: &[Value]) -> String {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.dir.path().join("script.jsonl"), text).unwrap();
        "script:script.jsonl".to_owned()
    }

    /// Up to where the session was read.
    fn read_to(&self) -> u64 {
        Schedule::of(&self.state(), &self.store()).cursor("5e551017", &self.transcript()).offset
    }

    fn length(&self) -> u64 {
        fs::metadata(self.transcript()).unwrap().len()
    }

    /// The descriptions in the store.
    fn descriptions(&self) -> Vec<String> {
        let options = ScanOptions {
            now: self.now,
            shelf_life: dreamtop::memory::ShelfLife::default(),
            confirmed: Default::default(),
        };
        let snapshot = Store::at(self.store()).scan(&options).unwrap();
        snapshot.memories.into_iter().map(|memory| memory.description).collect()
    }
}

/// What a person says over and over in a long session, with what is worth nothing in between.
const SAID: [&str; 10] = [
    "never push to main, we work by pull request",
    "fix the off by one in the pager",
    "I'm a backend developer, mostly Go",
    "why does this test fail?",
    "Never push to main!",
    "the release is on April 14",
    "looks good, next",
    "as I said, I'm a backend developer, mostly Go",
    "pipeline bugs are tracked in Linear, project INGEST",
    "the release is on 14 April",
];

#[test]
fn fc_058_five_hundred_turns_are_each_read_once_and_no_fact_is_stored_twice() {
    let mut talk = Talk::new();
    let (mut read, mut most) = (0, 0);
    for turn in 0..500 {
        let before = talk.read_to();
        talk.say(&format!("{} ", SAID[turn % SAID.len()]));
        let view = talk.extract("embedded");
        assert!(
            matches!(view.outcome, Some(Outcome::Done | Outcome::Skipped)),
            "{turn}: {} {:?}",
            view.reason,
            view.outcome
        );
        // What this run had before it: from where the last one ended to the end of the session.
        let now = talk.read_to();
        assert!(now >= before && now <= talk.length());
        read += now - before;
        most = most.max(now - before);
    }
    assert_eq!(read, talk.length(), "every byte is read once");
    assert!(most < 3 * talk.length() / 500, "no turn costs more than its own length: {most}");
    let descriptions = talk.descriptions();
    let distinct: BTreeSet<&String> = descriptions.iter().collect();
    assert_eq!((descriptions.len(), distinct.len()), (4, 4), "{descriptions:#?}");
}

#[test]
fn fc_123_over_three_hundred_turns_each_run_has_only_its_own_turn_and_tokens_are_counted_by_kind() {
    let mut talk = Talk::new();
    let engine = talk.script(&[
        json!({"tool": "Glob", "input": {"pattern": "*.md"}}),
        json!({"turn": [{"usage": {"input": 90, "output": 10}}, {"text": "Nothing worth remembering."}]}),
    ]);
    let mut parts = Vec::new();
    for turn in 0..300 {
        let before = talk.read_to();
        talk.say(&format!("turn {turn}: rename the helper and run it again"));
        let view = talk.extract(&engine);
        assert_eq!(view.outcome, Some(Outcome::Done), "{turn}: {}", view.reason);
        parts.push(talk.read_to() - before);
    }
    let (sum, most) = (parts.iter().sum::<u64>(), parts.iter().max().copied().unwrap_or_default());
    assert_eq!(sum, talk.length());
    assert!(most <= sum / 300 + 200, "the part of each run is its own turn: {most} of {sum}");
    let day = talk.now.date_naive();
    let tokens = |kind| dreamtop::run::spent::on(&talk.state(), kind, day).tokens;
    assert_eq!((tokens(JobKind::Extract), tokens(JobKind::Dream)), (300 * 100, 0));
    talk.run(&talk.order(Task::Dream { force: true }, &engine));
    assert_eq!((tokens(JobKind::Extract), tokens(JobKind::Dream)), (300 * 100, 100));
}

#[test]
fn fc_059_six_turns_have_one_recorded_outcome_each_with_its_reason() {
    let mut talk = Talk::new();
    let mut ended = Vec::new();
    talk.say("never push to main, we work by pull request");
    ended.push(talk.extract("embedded"));
    talk.say("fix the off by one in the pager");
    ended.push(talk.extract("embedded"));
    ended.push(talk.extract("embedded"));
    let write = json!([{"type": "tool_use", "id": "t1", "name": "Write",
        "input": {"file_path": talk.store().join("user_role.md"), "content": "x"}}]);
    talk.line("user", &json!("remember that I'm on the payments team"), &[]);
    talk.line("assistant", &write, &[]);
    talk.line("user", &json!([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]), &[]);
    ended.push(talk.extract("embedded"));
    talk.say("the release is on April 14");
    let mut off = talk.order(Task::Extract { transcript: talk.transcript(), again: false }, "embedded");
    off.choice.settings.auto_memory = Decided { value: false, by: "settings.json".into() };
    ended.push(talk.run(&off));
    let mut seldom = talk.order(Task::Extract { transcript: talk.transcript(), again: false }, "embedded");
    seldom.config.extract.every_turns = 3;
    ended.push(talk.run(&seldom));

    use Outcome::{Done, Skipped};
    let outcomes: Vec<_> = ended.iter().map(|view| view.outcome.unwrap()).collect();
    assert_eq!(outcomes, [Done, Done, Skipped, Skipped, Skipped, Skipped], "{ended:#?}");
    assert_eq!((ended[0].notice.as_deref(), ended[1].notice.as_deref()), (Some("Saved 1 memory"), None));
    for (view, words) in ended[2..].iter().zip(["nothing new", "wrote a memory", "settings.json", "1/3 turns"]) {
        let said = format!("{} {}", view.reason, view.notices.join(" "));
        assert!(said.contains(words) || said.contains(&words.replace("1/3 turns", "3")), "{words}: {said}");
    }
    // The neighbours: a sub-agent's session and a headless one.
    for mark in [("isSidechain", json!(true)), ("entrypoint", json!("sdk-cli"))] {
        let mut other = Talk::new();
        other.line("user", &json!("never push to main"), &[mark]);
        let view = other.extract("embedded");
        assert_eq!((view.outcome, other.descriptions().len()), (Some(Skipped), 0), "{}", view.reason);
    }
    let log = fs::read_to_string(talk.state().log().join("records.jsonl")).unwrap();
    let recorded: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ends: Vec<_> = recorded.iter().filter(|record| record["event"] != "extract_memories_fired").collect();
    assert_eq!(ends.len(), 6, "{log}");
    for (view, record) in ended.iter().zip(ends) {
        let event = if view.outcome == Some(Done) { "extract_memories_completed" } else { "extract_memories_skipped" };
        assert_eq!(record["event"], event, "{log}");
        assert!(view.outcome == Some(Done) || record["reason"] == view.reason.as_str(), "{log}");
    }
}

#[test]
fn fc_069_a_notice_only_tells_of_a_file_that_is_on_disk_and_in_the_index() {
    let memory = |name: &str| {
        format!(
            "---\nname: \"{name}\"\ndescription: \"we never mock the database\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nWe never mock the database.\n"
        )
    };
    let write =
        |file: &str, name: &str| json!({"tool": "Write", "input": {"file_path": file, "content": memory(name)}});
    let because = json!({"rationale": {"file": "project_no_mocks.md", "reason": "said so",
        "sources": [{"session": "5e551017", "line": 1, "quote": "we never mock the database"}]}});
    let claim = json!({"text": "I saved a memory about the database."});
    let rows = [
        ("only words", vec![claim.clone()]),
        ("a write outside", vec![write("../project_no_mocks.md", "out"), claim.clone()]),
        ("a write of no Markdown file", vec![write("project_no_mocks.txt", "out"), claim.clone()]),
        ("a read and words", vec![json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}}), claim.clone()]),
    ];
    for (what, script) in rows {
        let mut talk = Talk::new();
        talk.say("we never mock the database");
        let view = talk.extract(&talk.script(&script));
        assert_eq!(view.notice, None, "{what}: {view:#?}");
        assert!(talk.descriptions().is_empty() && !talk.dir.path().join("project_no_mocks.md").exists(), "{what}");
    }
    let mut talk = Talk::new();
    talk.say("we never mock the database");
    let view = talk.extract(&talk.script(&[write("project_no_mocks.md", "no mocks"), because, claim]));
    assert_eq!(view.notice.as_deref(), Some("Saved 1 memory"), "{view:#?}");
    assert!(talk.store().join("project_no_mocks.md").exists());
    assert!(fs::read_to_string(talk.store().join("MEMORY.md")).unwrap().contains("project_no_mocks.md"));
}

#[test]
fn what_was_taken_back_in_its_own_session_goes_even_from_a_store_of_one_memory() {
    let mut talk = Talk::new();
    talk.say("Always use tabs for indentation.");
    talk.extract("embedded");
    assert_eq!(talk.descriptions(), ["Always use tabs for indentation."]);
    talk.say("scratch that");
    let view = talk.extract("embedded");
    assert_eq!((view.outcome, talk.descriptions().len()), (Some(Outcome::Done), 0), "{view:#?}");
    // Put right in the next turn, it is the same memory with the value that was meant.
    talk.say("Always use tabs for indentation.");
    talk.extract("embedded");
    talk.say("sorry, I meant spaces, not tabs");
    let view = talk.extract("embedded");
    assert_eq!(talk.descriptions(), ["Always use spaces for indentation."], "{view:#?}");
}

#[test]
fn a_transcript_that_was_copied_keeps_the_quotes_of_the_session_that_its_lines_name() {
    let mut talk = Talk::new();
    talk.say("I'm a data scientist, mostly Python.");
    let copy = talk.dir.path().join("bugreport.jsonl");
    fs::copy(talk.transcript(), &copy).unwrap();
    let view = talk.run(&talk.order(Task::Extract { transcript: copy, again: false }, "embedded"));
    assert_eq!((view.outcome, talk.descriptions().len()), (Some(Outcome::Done), 1), "{view:#?}");
}
