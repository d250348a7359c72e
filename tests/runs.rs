//! Runs from the outside: one worker from order to end, its lock, its schedule, its kill.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant, SystemTime};

use chrono::{DateTime, TimeDelta, Utc};
use dreamtop::clock::Clock;
use dreamtop::config::{Apply, Config};
use dreamtop::engine::JobKind;
use dreamtop::environment::Environment;
use dreamtop::memory::{LOCK_FILE, Store};
use dreamtop::project::settings::{Decided, Settings};
use dreamtop::project::{Choice, Decision};
use dreamtop::run::journal::RunBook;
use dreamtop::run::kill::{KillError, kill};
use dreamtop::run::lock::Patience;
use dreamtop::run::schedule::{Record, Schedule};
use dreamtop::run::worker::{Order, Task, run_until};
use dreamtop::run::{Outcome, RunStatus, RunView, TouchOp};
use dreamtop::state::StateDir;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const IMPATIENT: Patience = Patience { settle: Duration::from_millis(5), unfinished: Duration::from_millis(40) };

const TOPIC: &str = "---\nname: \"testing\"\ndescription: \"how we test\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nWe test against a real database.\n";
const INDEX: &str = "# Memory Index\n\n- [Testing](project_testing.md) — how we test\n";

fn now() -> DateTime<Utc> {
    "2026-04-09T12:00:00Z".parse().unwrap()
}

struct Site {
    dir: PathBuf,
    state: StateDir,
    now: DateTime<Utc>,
    _keep: Option<tempfile::TempDir>,
}

impl Site {
    fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let site = Self::at(keep.path().canonicalize().unwrap());
        fs::create_dir_all(site.store()).unwrap();
        fs::create_dir_all(site.sessions()).unwrap();
        fs::write(site.store().join("project_testing.md"), TOPIC).unwrap();
        fs::write(site.store().join("MEMORY.md"), INDEX).unwrap();
        Self { _keep: Some(keep), ..site }
    }

    fn at(dir: PathBuf) -> Self {
        let state = StateDir::at(dir.join("state"));
        Self { dir, state, now: now(), _keep: None }
    }

    fn store(&self) -> PathBuf {
        self.dir.join("memory")
    }
    fn sessions(&self) -> PathBuf {
        self.dir.join("sessions")
    }
    fn lock(&self) -> PathBuf {
        self.store().join(LOCK_FILE)
    }

    fn put_lock(&self, content: &str, age: TimeDelta) {
        fs::write(self.lock(), content).unwrap();
        set_mtime(&self.lock(), self.now - age);
    }

    /// A session in which a person said something that many hours ago.
    fn session(&self, id: &str, hours_ago: i64) -> PathBuf {
        let path = self.sessions().join(format!("{id}.jsonl"));
        self.say(&path, id, "we never mock the database", hours_ago);
        path
    }

    fn say(&self, path: &Path, id: &str, text: &str, hours_ago: i64) {
        let line = json!({
            "type": "user", "uuid": format!("{id}-{text}"), "sessionId": id, "cwd": "/work/acme", "entrypoint": "cli",
            "timestamp": (self.now - TimeDelta::hours(hours_ago)).to_rfc3339(), "isSidechain": false,
            "message": {"role": "user", "content": text},
        });
        let text = fs::read_to_string(path).unwrap_or_default() + &format!("{line}\n");
        fs::write(path, text).unwrap();
        set_mtime(path, self.now);
    }

    fn script(&self, lines: &[Value]) -> String {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.dir.join("script.jsonl"), text).unwrap();
        "script:script.jsonl".to_owned()
    }

    fn order(&self, task: Task, engine: &str) -> Order {
        let settings = Settings {
            auto_memory: Decided { value: true, by: "default".into() },
            auto_dream: None,
            memory_directory: None,
            remote: false,
            bare: false,
            notices: Vec::new(),
        };
        let choice = Choice {
            store: Store::at(self.store()),
            decision: Decision::Flag,
            checkout: None,
            title: "acme".into(),
            sessions: vec![self.sessions()],
            home: None,
            settings,
            notices: Vec::new(),
        };
        Order {
            run: None,
            task,
            dry_run: false,
            engine: engine.to_owned(),
            trigger: "hand".into(),
            choice,
            config: Config::default(),
        }
    }

    fn dream(&self, engine: &str) -> Order {
        self.order(Task::Dream { force: true }, engine)
    }

    fn run(&self, order: &Order) -> RunView {
        self.run_until(order, &CancellationToken::new())
    }

    fn run_until(&self, order: &Order, cancel: &CancellationToken) -> RunView {
        let environment = Environment::of(&self.dir, &[]);
        run_until(order, &self.state, &Clock::Fixed(self.now), &environment, cancel, IMPATIENT).unwrap()
    }

    /// Everything in the store: bytes and times.
    fn picture(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        fs::read_dir(self.store())
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                (path.clone(), (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap()))
            })
            .collect()
    }

    fn record(&self, kind: JobKind) -> Record {
        Schedule::of(&self.state, &self.store()).record(kind)
    }

    fn journalled(&self) -> Vec<RunView> {
        let mut book = RunBook::new(self.state.clone());
        book.refresh().unwrap();
        book.runs().iter().map(|run| RunView::clone(run)).collect()
    }

    /// The directories of working copies that are still there.
    fn copies(&self) -> usize {
        fs::read_dir(self.state.runs())
            .into_iter()
            .flatten()
            .filter(|entry| entry.as_ref().unwrap().path().is_dir())
            .count()
    }

    fn records(&self) -> Vec<String> {
        let text = fs::read_to_string(self.state.log().join("records.jsonl")).unwrap_or_default();
        let event = |line: &str| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned();
        text.lines().map(event).collect()
    }
}

fn set_mtime(path: &Path, at: DateTime<Utc>) {
    fs::File::options().write(true).open(path).unwrap().set_modified(at.into()).unwrap();
}

fn mtime(path: &Path) -> DateTime<Utc> {
    fs::metadata(path).unwrap().modified().unwrap().into()
}

fn improve() -> Value {
    json!({"tool": "Edit", "input": {"file_path": "project_testing.md", "old_string": "a real database",
        "new_string": "a real database, since the outage in March"}})
}

fn because() -> Value {
    json!({"rationale": {"file": "project_testing.md", "reason": "the outage was named",
        "sources": [{"session": "s1", "line": 1, "quote": "we never mock the database"}]}})
}

fn dead_pid() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    pid
}

struct Process(Child);
impl Process {
    fn sleeping() -> Self {
        Self(Command::new("sleep").arg("60").spawn().unwrap())
    }
}
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Not a test of its own: the worker process that other tests start and kill.
#[test]
#[ignore = "started by other tests"]
fn worker_process() {
    let Ok(dir) = std::env::var("DREAMTOP_TEST_SITE") else { return };
    let site = Site::at(PathBuf::from(dir));
    site.run(&site.dream("script:script.jsonl"));
}

impl Site {
    /// Starts a dream in a process (and group) of its own and waits until it touched its first file.
    fn dream_elsewhere(&self, script: &[Value]) -> (Process, RunView) {
        use std::os::unix::process::CommandExt;
        self.script(script);
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["worker_process", "--exact", "--ignored"])
            .env("DREAMTOP_TEST_SITE", &self.dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        let process = Process(child);
        let started = Instant::now();
        loop {
            if let Some(view) = self.journalled().into_iter().find(|view| view.status == RunStatus::Updating) {
                return (process, view);
            }
            assert!(started.elapsed() < Duration::from_secs(20), "no run appeared: {:?}", self.journalled());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_scripted_dream_lands_moves_the_schedule_and_leaves_no_copy() {
    let site = Site::new();
    site.session("s1", 2);
    let engine = site.script(&[json!({"phase": "consolidate"}), improve(), because(), json!({"usage": {"output": 7}})]);
    let view = site.run(&site.dream(&engine));
    assert_eq!((view.outcome, view.reason.as_str()), (Some(Outcome::Done), "1 change landed"));
    assert_eq!(view.notice.as_deref(), Some("Improved 1 memory"));
    assert_eq!(view.changes[0].file, "project_testing.md");
    assert_eq!(view.changes[0].sources[0].quote.as_deref(), Some("we never mock the database"));
    assert_eq!(view.touched, [("project_testing.md".to_owned(), TouchOp::Changed)]);
    assert_eq!((view.sessions.as_slice(), view.tokens.output, view.tool_calls), (&["s1".to_owned()][..], 7, 1));
    assert!(view.history.is_some());
    assert!(fs::read_to_string(site.store().join("project_testing.md")).unwrap().contains("since the outage"));
    assert_eq!(mtime(&site.lock()), site.now);
    assert_eq!(site.record(JobKind::Dream).last_success, Some(site.now));
    assert_eq!(site.copies(), 0);
    assert_eq!(site.journalled(), [view]);
    assert_eq!(site.records(), ["auto_dream_fired", "auto_dream_completed"]);
}

#[test]
fn fc_028_a_dead_holder_is_taken_over_and_the_run_says_so() {
    let site = Site::new();
    let pid = dead_pid();
    site.put_lock(&pid.to_string(), TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[improve(), because()]);
    let view = site.run(&site.order(Task::Dream { force: false }, &engine));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert_eq!(view.notices, [format!("took over the lock from a dead process (PID {pid})")]);
}

#[test]
fn a_lock_that_names_nobody_does_not_block_for_ever() {
    let site = Site::new();
    for content in ["", "garbage", "-1"] {
        site.put_lock(content, TimeDelta::minutes(1));
        let engine = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
        let view = site.run(&site.dream(&engine));
        assert_eq!((view.outcome, view.notices.len()), (Some(Outcome::Done), 2), "{content:?}: {}", view.reason);
    }
}

#[test]
fn a_live_foreign_holder_is_respected_for_an_hour_and_then_reclaimed() {
    let site = Site::new();
    let sleeper = Process::sleeping();
    let pid = sleeper.0.id().to_string();
    site.put_lock(&pid, TimeDelta::minutes(10));
    let before = site.picture();
    let engine = site.script(&[improve()]);
    let view = site.run(&site.dream(&engine));
    assert_eq!(view.outcome, Some(Outcome::Skipped));
    assert!(view.reason.starts_with("lock: ") && view.reason.contains(&pid), "{}", view.reason);
    assert_eq!(site.picture(), before);
    assert_eq!(site.journalled().len(), 1, "what a person started leaves a journal");
    site.put_lock(&pid, TimeDelta::hours(2));
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
}

#[test]
fn fc_031_our_own_id_in_the_lock_is_neither_running_nor_mine() {
    let site = Site::new();
    site.put_lock(&std::process::id().to_string(), TimeDelta::minutes(1));
    let engine = site.script(&[improve()]);
    let view = site.run(&site.dream(&engine));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert!(view.notices.iter().any(|notice| notice.contains("our id")), "{:?}", view.notices);
}

#[test]
fn fc_035_after_a_success_another_run_starts_at_once_from_here_and_from_elsewhere() {
    let site = Site::new();
    let engine = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
    for _ in 0..2 {
        assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
    }
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 300})]);
    assert!(process.0.wait().unwrap().success());
    let end = site.journalled().into_iter().find(|end| end.id == view.id).unwrap();
    assert_eq!(end.outcome, Some(Outcome::Done), "{}", end.reason);
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
}

#[test]
fn fc_046_a_run_that_did_no_work_leaves_lock_schedule_and_sessions_as_they_were() {
    let write = json!({"tool": "Write", "input": {"file_path": "new.md", "content": "x"}});
    for (what, script, outcome) in [
        ("polite", vec![json!({"text": "All memories look great!"})], Outcome::Failed),
        ("denied", vec![json!({"tool": "Bash", "input": {"command": "true"}})], Outcome::Failed),
        ("malformed", vec![json!({"tool": "Write", "input": {"path": 1}})], Outcome::Failed),
        ("fails after writing", vec![write.clone(), json!({"error": "overloaded"})], Outcome::Failed),
        (
            "too many tokens",
            vec![write, json!({"usage": {"input": 500_000}, }), json!({"text": "on"})],
            Outcome::Failed,
        ),
    ] {
        let site = Site::new();
        site.session("s1", 2);
        site.put_lock("", TimeDelta::hours(31));
        let before = site.picture();
        let engine = site.script(&script);
        let view = site.run(&site.dream(&engine));
        assert_eq!(view.outcome, Some(outcome), "{what}");
        assert!(!view.reason.is_empty() && view.notice.is_none() && view.changes.is_empty(), "{what}: {view:?}");
        assert_eq!(site.picture(), before, "{what}");
        assert_eq!(site.record(JobKind::Dream).last_success, None, "{what}");
        assert_eq!(site.record(JobKind::Dream).failures, 0, "{what}: what a person tried does not delay others");
        assert_eq!(site.copies(), 0, "{what}");
        assert_eq!(site.run(&site.dream(&engine)).sessions, ["s1"], "{what}: the session still counts");
    }
}

#[test]
fn without_a_lock_before_there_is_none_after_a_failed_run() {
    let site = Site::new();
    let engine = site.script(&[json!({"error": "no answer"})]);
    let view = site.run(&site.dream(&engine));
    assert_eq!((view.outcome, view.reason.as_str()), (Some(Outcome::Failed), "no answer"));
    assert!(!site.lock().exists());
}

#[test]
fn cancelling_a_slow_dream_ends_it_within_a_second_and_changes_nothing() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let before = site.picture();
    let engine = site.script(&[improve(), json!({"delay_ms": 60_000})]);
    let cancel = CancellationToken::new();
    let canceller = {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
            Instant::now()
        })
    };
    let view = site.run_until(&site.dream(&engine), &cancel);
    assert!(canceller.join().unwrap().elapsed() < Duration::from_secs(1));
    assert_eq!(view.outcome, Some(Outcome::Killed));
    assert_eq!(site.picture(), before);
    assert_eq!(site.record(JobKind::Dream), Record::default());
    assert_eq!(site.copies(), 0);
}

#[test]
fn a_killed_worker_process_leaves_the_store_byte_identical_and_the_schedule_as_before() {
    let site = Site::new();
    site.put_lock(&dead_pid().to_string(), TimeDelta::hours(31));
    let before = site.picture();
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    assert_eq!(view.touched, [("project_testing.md".to_owned(), TouchOp::Changed)]);
    assert_ne!(site.picture(), before, "the lock is held meanwhile");
    let started = Instant::now();
    let killed = kill(&site.state, &view.id, &Clock::Fixed(site.now)).unwrap();
    assert!(started.elapsed() < Duration::from_secs(2));
    process.0.wait().unwrap();
    assert_eq!((killed.outcome, killed.status), (Some(Outcome::Killed), RunStatus::Ended));
    assert_eq!(site.picture(), before);
    assert_eq!(site.record(JobKind::Dream), Record::default());
    assert_eq!(site.copies(), 0);
    assert!(matches!(kill(&site.state, &view.id, &Clock::Fixed(site.now)), Err(KillError::Over(..))));
    assert!(matches!(kill(&site.state, "dream-nope", &Clock::Fixed(site.now)), Err(KillError::Unknown(_))));
}

#[test]
fn a_worker_that_does_not_answer_is_ended_with_its_group_and_cleaned_up_after() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let before = site.picture();
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    let pid = process.0.id().to_string();
    assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    let killed = kill(&site.state, &view.id, &Clock::Fixed(site.now)).unwrap();
    process.0.wait().unwrap();
    assert_eq!(killed.outcome, Some(Outcome::Killed));
    assert_eq!(site.picture(), before);
    assert_eq!(site.copies(), 0);
}

#[test]
fn a_run_that_died_without_a_word_is_interrupted_and_the_next_one_takes_over() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    process.0.kill().unwrap();
    process.0.wait().unwrap();
    let dead = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    assert_eq!((dead.status, dead.outcome), (RunStatus::Interrupted, None));
    assert!(matches!(kill(&site.state, &view.id, &Clock::Fixed(site.now)), Err(KillError::Over(..))));
    let engine = site.script(&[json!({"error": "not today"})]);
    let next = site.run(&site.dream(&engine));
    assert!(next.notices.iter().any(|notice| notice.contains("took over the lock from a dead process")), "{next:?}");
    assert_eq!(mtime(&site.lock()), site.now - TimeDelta::hours(31), "neither run moved the schedule");
    assert_eq!(site.copies(), 0);
    assert_eq!(fs::read_to_string(site.store().join("project_testing.md")).unwrap(), TOPIC);
}

#[test]
fn of_eight_workers_that_start_at_once_exactly_one_dreams() {
    let site = Arc::new(Site::new());
    let engine = site.script(&[improve(), json!({"delay_ms": 400})]);
    let barrier = Arc::new(Barrier::new(8));
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let (site, barrier, engine) = (Arc::clone(&site), Arc::clone(&barrier), engine.clone());
            std::thread::spawn(move || {
                barrier.wait();
                site.run(&site.dream(&engine)).outcome.unwrap()
            })
        })
        .collect();
    let mut outcomes: Vec<Outcome> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
    outcomes.sort_by_key(|outcome| outcome.word());
    assert_eq!(outcomes[0], Outcome::Done);
    assert!(outcomes[1..].iter().all(|outcome| *outcome == Outcome::Skipped), "{outcomes:?}");
}

#[test]
fn a_dry_run_lists_what_would_land_and_leaves_no_trace_in_store_and_schedule() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let before = site.picture();
    let engine = site.script(&[improve(), because()]);
    let view = site.run(&Order { dry_run: true, ..site.dream(&engine) });
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert_eq!((view.changes.len(), view.changes[0].file.as_str()), (1, "project_testing.md"));
    assert_eq!((view.history, view.notice), (None, None));
    assert_eq!(site.picture(), before);
    assert_eq!(site.record(JobKind::Dream), Record::default());
}

#[test]
fn asking_first_holds_everything_and_still_counts_as_a_dream() {
    let site = Site::new();
    let engine = site.script(&[improve(), because()]);
    let mut order = site.dream(&engine);
    order.config.dream.apply = Apply::Ask;
    let view = site.run(&order);
    assert_eq!(view.outcome, Some(Outcome::Held), "{}", view.reason);
    assert!(view.inbox.is_some() && view.held.len() == 1 && view.notice.is_none());
    assert_eq!(fs::read_to_string(site.store().join("project_testing.md")).unwrap(), TOPIC);
    assert_eq!(mtime(&site.lock()), site.now);
}

#[test]
fn fc_047_what_could_not_be_done_is_named_and_the_rest_lands() {
    let site = Site::new();
    let bad =
        json!({"tool": "Edit", "input": {"file_path": "project_unknown.md", "old_string": "a", "new_string": "b"}});
    let view = site.run(&site.dream(&site.script(&[bad, improve(), because()])));
    assert_eq!(view.outcome, Some(Outcome::Partial));
    assert!(view.reason.contains("project_unknown.md") && view.changes.len() == 1, "{}", view.reason);
}

#[test]
fn the_time_budget_ends_a_run_as_failed() {
    let site = Site::new();
    let mut order = site.dream(&site.script(&[json!({"delay_ms": 60_000})]));
    order.config.dream.budget.seconds = 0;
    let view = site.run(&order);
    assert_eq!(view.outcome, Some(Outcome::Failed));
    assert!(view.reason.contains("time budget"), "{}", view.reason);
}

#[test]
fn an_engine_that_cannot_be_had_fails_in_words_and_is_journalled() {
    let site = Site::new();
    for (engine, expected) in [("script:nowhere.jsonl", "nowhere.jsonl"), ("gpt", "accepted: embedded")] {
        let view = site.run(&site.dream(engine));
        assert_eq!(view.outcome, Some(Outcome::Failed));
        assert!(view.reason.contains(expected), "{}", view.reason);
    }
    assert_eq!(site.journalled().len(), 2);
    assert!(!site.lock().exists());
}

#[test]
fn a_run_id_that_is_a_path_or_taken_is_refused_before_anything_is_touched() {
    let site = Site::new();
    let engine = site.script(&[improve()]);
    let with_id = |id: &str| {
        let order = Order { run: Some(id.to_owned()), ..site.dream(&engine) };
        let (clock, environment) = (Clock::Fixed(site.now), Environment::of(&site.dir, &[]));
        run_until(&order, &site.state, &clock, &environment, &CancellationToken::new(), IMPATIENT)
    };
    for id in ["..", ".", "", "../../x", "a/b", "/tmp/x", "é", &"x".repeat(200)] {
        assert!(with_id(id).unwrap_err().to_string().contains("no id for a run"), "{id:?}");
    }
    assert_eq!(with_id("dream-mine").unwrap().id, "dream-mine");
    assert!(with_id("dream-mine").unwrap_err().to_string().contains("already"));
    assert_eq!(site.journalled().len(), 1);
}

#[test]
fn no_credential_an_engine_speaks_of_reaches_journal_or_records() {
    let site = Site::new();
    let token = format!("ghp_{}", "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5");
    let engine = site.script(&[
        json!({"text": format!("I found {token} in a session.")}),
        json!({"tool": "Grep", "input": {"pattern": token}}),
        improve(),
        json!({"tool": "Edit", "input": {"file_path": format!("{token}.md"), "old_string": "a", "new_string": "b"}}),
        json!({"rationale": {"file": "project_testing.md", "reason": token, "sources": [{"quote": token}]}}),
    ]);
    let view = site.run(&site.dream(&engine));
    assert!(view.tool_calls == 3 && !view.changes.is_empty(), "{view:?}");
    let mut written = fs::read_to_string(site.state.runs().join(format!("{}.jsonl", view.id))).unwrap();
    written += &fs::read_to_string(site.state.log().join("records.jsonl")).unwrap();
    assert!(written.contains("I found") && !written.contains(&token), "{written}");
}

#[test]
fn fc_041_a_dream_that_changes_nothing_runs_once_in_an_hour_of_triggers() {
    let mut site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
    let mut ran = 0;
    for turn in 0..200 {
        site.now = now() + TimeDelta::seconds(18 * turn);
        let order = Order { trigger: "hook".into(), ..site.order(Task::Dream { force: false }, &engine) };
        ran += usize::from(site.run(&order).outcome != Some(Outcome::Skipped));
    }
    assert_eq!(ran, 1);
    assert_eq!(site.journalled().len(), 1, "skipped triggers of a hook leave no journal");
    assert_eq!(site.records().len(), 201, "but a record each");
}

#[test]
fn fc_048_automatic_tries_after_failures_wait_longer_each_time_and_say_so() {
    let mut site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[json!({"error": "the answer was cut off"})]);
    let automatic = Order { trigger: "hook".into(), ..site.order(Task::Dream { force: false }, &engine) };
    let mut waits = Vec::new();
    for _ in 0..3 {
        let failed = site.run(&automatic);
        assert_eq!((failed.outcome, failed.reason.as_str()), (Some(Outcome::Failed), "the answer was cut off"));
        let until = site.record(JobKind::Dream).retry_after.unwrap();
        waits.push((until - site.now).num_minutes());
        let early = site.run(&automatic);
        assert_eq!(early.outcome, Some(Outcome::Skipped));
        assert!(early.reason.contains("waiting"), "{}", early.reason);
        site.now = until.max(site.now + TimeDelta::minutes(10));
    }
    assert_eq!(waits, [5, 10, 20]);
    let by_hand = site.run(&site.dream(&site.script(&[improve()])));
    assert_eq!(by_hand.outcome, Some(Outcome::Done));
    assert_eq!(site.record(JobKind::Dream).failures, 0);
}

#[test]
fn fc_051_an_automatic_dream_over_nothing_asks_no_engine() {
    let site = Site::new();
    fs::remove_file(site.store().join("project_testing.md")).unwrap();
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let view = site.run(&site.order(Task::Dream { force: false }, "script:nowhere.jsonl"));
    assert_eq!(view.outcome, Some(Outcome::Skipped));
    assert!(view.reason.contains("nothing new"), "{}", view.reason);
}

fn remember() -> [Value; 2] {
    let content = "---\nname: \"no-mocks\"\ndescription: \"never mock the database\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nWe never mock the database.\n";
    [
        json!({"tool": "Write", "input": {"file_path": "project_no_mocks.md", "content": content}}),
        json!({"rationale": {"file": "project_no_mocks.md", "reason": "said so",
            "sources": [{"session": "s1", "line": 1, "quote": "we never mock the database"}]}}),
    ]
}

#[test]
fn fc_056_extracting_twice_without_anything_new_asks_the_engine_once() {
    let site = Site::new();
    let transcript = site.session("s1", 1);
    let task = Task::Extract { transcript: transcript.clone(), again: false };
    let view = site.run(&site.order(task.clone(), &site.script(&remember())));
    assert_eq!((view.outcome, view.notice.as_deref()), (Some(Outcome::Done), Some("Saved 1 memory")), "{view:?}");
    let again = site.run(&site.order(task.clone(), "script:nowhere.jsonl"));
    assert_eq!(again.outcome, Some(Outcome::Skipped), "{}", again.reason);
    assert!(again.reason.contains("nothing new"), "{}", again.reason);
    site.say(&transcript, "s1", "and one thing more", 0);
    let more = site.run(&site.order(task, &site.script(&[json!({"tool": "Glob", "input": {"pattern": "*.md"}})])));
    assert_eq!((more.outcome, more.notice), (Some(Outcome::Done), None), "{}", more.reason);
}

#[test]
fn a_failed_or_dry_extraction_leaves_the_cursor_where_it_was() {
    let site = Site::new();
    let task = Task::Extract { transcript: site.session("s1", 1), again: false };
    let failed = site.run(&site.order(task.clone(), &site.script(&[json!({"error": "overloaded"})])));
    assert_eq!(failed.outcome, Some(Outcome::Failed));
    let dry = Order { dry_run: true, ..site.order(task.clone(), &site.script(&remember())) };
    assert_eq!(site.run(&dry).changes.len(), 2);
    let view = site.run(&site.order(task, &site.script(&remember())));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
}

#[test]
fn a_trigger_during_an_extraction_is_answered_by_one_trailing_run() {
    let site = Arc::new(Site::new());
    let transcript = site.session("s1", 1);
    let task = Task::Extract { transcript: transcript.clone(), again: false };
    let mut script = vec![json!({"delay_ms": 300})];
    script.extend(remember());
    let engine = site.script(&script);
    let first = {
        let (site, order) = (Arc::clone(&site), site.order(task.clone(), &engine));
        std::thread::spawn(move || site.run(&order))
    };
    let started = Instant::now();
    while !site.journalled().iter().any(RunView::is_live) {
        assert!(started.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(10));
    }
    site.say(&transcript, "s1", "and one thing more", 0);
    let second = site.run(&site.order(task, &engine));
    assert_eq!(second.outcome, Some(Outcome::Skipped));
    assert!(second.reason.contains("will look once more"), "{}", second.reason);
    assert_eq!(first.join().unwrap().outcome, Some(Outcome::Done));
    let done = site.journalled().into_iter().filter(|run| run.outcome == Some(Outcome::Done)).count();
    assert_eq!(done, 2);
}

#[test]
fn fc_036_an_extraction_lands_while_a_dream_runs_and_neither_loses_anything() {
    let site = Site::new();
    let transcript = site.session("s1", 1);
    let (mut process, view) = site.dream_elsewhere(&[improve(), because(), json!({"delay_ms": 700})]);
    let engine = site.script(&remember());
    let saved = site.run(&site.order(Task::Extract { transcript, again: false }, &engine));
    assert_eq!(saved.outcome, Some(Outcome::Done), "{}", saved.reason);
    process.0.wait().unwrap();
    let dream = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    assert_eq!(dream.outcome, Some(Outcome::Done), "{}", dream.reason);
    assert!(site.store().join("project_no_mocks.md").exists());
    assert!(fs::read_to_string(site.store().join("project_testing.md")).unwrap().contains("since the outage"));
}
