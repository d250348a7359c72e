//! A store, its sessions and our state in a temp directory, and workers on it: in this process or in one of its own.

pub use std::collections::BTreeMap;
pub use std::fs;
pub use std::path::{Path, PathBuf};
pub use std::process::{Child, Command, Stdio};
pub use std::sync::{Arc, Barrier};
pub use std::time::{Duration, Instant, SystemTime};

pub use chrono::{DateTime, TimeDelta, Utc};
pub use dreamtop::clock::{Clock, local_day};
pub use dreamtop::config::{Apply, Budget, Config, ShellPolicy};
pub use dreamtop::engine::JobKind;
pub use dreamtop::environment::Environment;
pub use dreamtop::memory::LOCK_FILE;
pub use dreamtop::process::is_alive;
pub use dreamtop::run::journal::RunBook;
pub use dreamtop::run::kill::{KillError, kill};
pub use dreamtop::run::lock::Patience;
pub use dreamtop::run::reap::reap;
pub use dreamtop::run::reason::WORKER_DIED;
pub use dreamtop::run::schedule::{Record, Schedule};
pub use dreamtop::run::spent::Spent;
pub use dreamtop::run::stats::stats;
pub use dreamtop::run::worker::{Order, Task, run, run_until};
pub use dreamtop::run::{Outcome, RunStatus, RunView, TouchOp, pause, records, spent};
pub use dreamtop::state::StateDir;
pub use serde_json::{Value, json};
pub use tokio_util::sync::CancellationToken;

use crate::order::order;

pub const IMPATIENT: Patience = Patience { settle: Duration::from_millis(5), unfinished: Duration::from_millis(40) };

pub const TOPIC: &str = "---\nname: \"testing\"\ndescription: \"how we test\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nWe test against a real database.\n";
pub const INDEX: &str = "# Memory Index\n\n- [Testing](project_testing.md) — how we test\n";

pub fn now() -> DateTime<Utc> {
    "2026-04-09T12:00:00Z".parse().unwrap()
}

pub struct Site {
    pub dir: PathBuf,
    pub state: StateDir,
    pub now: DateTime<Utc>,
    _keep: Option<tempfile::TempDir>,
}

impl Site {
    pub fn new() -> Self {
        let keep = tempfile::tempdir().unwrap();
        let site = Self::at(keep.path().canonicalize().unwrap());
        fs::create_dir_all(site.store()).unwrap();
        fs::create_dir_all(site.sessions()).unwrap();
        fs::write(site.store().join("project_testing.md"), TOPIC).unwrap();
        fs::write(site.store().join("MEMORY.md"), INDEX).unwrap();
        Self { _keep: Some(keep), ..site }
    }

    pub fn at(dir: PathBuf) -> Self {
        let state = StateDir::at(dir.join("state"));
        Self { dir, state, now: now(), _keep: None }
    }

    pub fn store(&self) -> PathBuf {
        self.dir.join("memory")
    }
    pub fn sessions(&self) -> PathBuf {
        self.dir.join("sessions")
    }
    pub fn lock(&self) -> PathBuf {
        self.store().join(LOCK_FILE)
    }

    pub fn put_lock(&self, content: &str, age: TimeDelta) {
        fs::write(self.lock(), content).unwrap();
        set_mtime(&self.lock(), self.now - age);
    }

    /// A session in which a person said something that many hours ago.
    pub fn session(&self, id: &str, hours_ago: i64) -> PathBuf {
        let path = self.sessions().join(format!("{id}.jsonl"));
        self.say(&path, id, "we never mock the database", hours_ago);
        path
    }

    pub fn say(&self, path: &Path, id: &str, text: &str, hours_ago: i64) {
        let line = json!({
            "type": "user", "uuid": format!("{id}-{text}"), "sessionId": id, "cwd": "/work/acme", "entrypoint": "cli",
            "timestamp": (self.now - TimeDelta::hours(hours_ago)).to_rfc3339(), "isSidechain": false,
            "message": {"role": "user", "content": text},
        });
        let text = fs::read_to_string(path).unwrap_or_default() + &format!("{line}\n");
        fs::write(path, text).unwrap();
        set_mtime(path, self.now);
    }

    pub fn script(&self, lines: &[Value]) -> String {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(self.dir.join("script.jsonl"), text).unwrap();
        "script:script.jsonl".to_owned()
    }

    pub fn order(&self, task: Task, engine: &str) -> Order {
        order(self.store(), &self.sessions(), task, engine, "hand")
    }

    pub fn dream(&self, engine: &str) -> Order {
        self.order(Task::Dream { force: true }, engine)
    }

    pub fn run(&self, order: &Order) -> RunView {
        self.run_until(order, &CancellationToken::new())
    }

    pub fn run_until(&self, order: &Order, cancel: &CancellationToken) -> RunView {
        let environment = Environment::of(&self.dir, &[]);
        run_until(order, &self.state, &Clock::Fixed(self.now), &environment, cancel, IMPATIENT).unwrap()
    }

    /// Everything in the store: bytes and times.
    pub fn picture(&self) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
        fs::read_dir(self.store())
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                (path.clone(), (fs::read(&path).unwrap(), fs::metadata(&path).unwrap().modified().unwrap()))
            })
            .collect()
    }

    pub fn record(&self, kind: JobKind) -> Record {
        Schedule::of(&self.state, &self.store()).record(kind)
    }

    pub fn journalled(&self) -> Vec<RunView> {
        let mut book = RunBook::new(self.state.clone());
        book.refresh().unwrap();
        book.runs().iter().map(|run| RunView::clone(run)).collect()
    }

    /// The directories of working copies that are still there.
    pub fn copies(&self) -> usize {
        fs::read_dir(self.state.runs())
            .into_iter()
            .flatten()
            .filter(|entry| entry.as_ref().unwrap().path().is_dir())
            .count()
    }

    pub fn records(&self) -> Vec<String> {
        let text = fs::read_to_string(self.state.log().join("records.jsonl")).unwrap_or_default();
        let event = |line: &str| serde_json::from_str::<Value>(line).unwrap()["event"].as_str().unwrap().to_owned();
        text.lines().map(event).collect()
    }
}

pub fn set_mtime(path: &Path, at: DateTime<Utc>) {
    fs::File::options().write(true).open(path).unwrap().set_modified(at.into()).unwrap();
}

pub fn mtime(path: &Path) -> DateTime<Utc> {
    fs::metadata(path).unwrap().modified().unwrap().into()
}

pub fn improve() -> Value {
    json!({"tool": "Edit", "input": {"file_path": "project_testing.md", "old_string": "a real database",
        "new_string": "*a real database*"}})
}

pub fn because() -> Value {
    json!({"rationale": {"file": "project_testing.md", "reason": "the outage was named",
        "sources": [{"session": "s1", "line": 1, "quote": "we never mock the database"}]}})
}

pub fn dead_pid() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    pid
}

pub struct Process(pub Child);
impl Process {
    pub fn sleeping() -> Self {
        Self(Command::new("sleep").arg("60").spawn().unwrap())
    }
}
impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Not a test of its own: the worker process that other tests start and kill. With `DREAMTOP_TEST_CHILD` it has started a
/// process itself before, as an engine does that runs a command; with `DREAMTOP_TEST_TASK=gated` it asks the gates.
#[test]
#[ignore = "started by other tests"]
fn worker_process() {
    let Ok(dir) = std::env::var("DREAMTOP_TEST_SITE") else { return };
    let site = Site::at(PathBuf::from(dir));
    let mut order = site.dream("script:script.jsonl");
    // Where the kernel has no sandbox, commands run without one.
    order.config.bash = ShellPolicy::Anywhere;
    if std::env::var("DREAMTOP_TEST_TASK").is_ok_and(|task| task == "gated") {
        order.task = Task::Dream { force: false };
    }
    if let Ok(trigger) = std::env::var("DREAMTOP_TEST_TRIGGER") {
        order.trigger = trigger;
    }
    if std::env::var_os("DREAMTOP_TEST_CHILD").is_none() {
        site.run(&order);
        return;
    }
    let mut child = Command::new("sleep").arg("600").spawn().unwrap();
    fs::write(site.dir.join("child"), child.id().to_string()).unwrap();
    let environment = Environment::of(&site.dir, &[]);
    run(&order, &site.state, &Clock::Fixed(site.now), &environment).unwrap();
    child.wait().unwrap();
}

impl Site {
    /// Starts a dream in a process (and group) of its own and waits until it touched its first file.
    pub fn dream_elsewhere(&self, script: &[Value]) -> (Process, RunView) {
        self.dream_elsewhere_with(script, &[])
    }

    /// The same with more variables for the process.
    pub fn dream_elsewhere_with(&self, script: &[Value], variables: &[(&str, &str)]) -> (Process, RunView) {
        use std::os::unix::process::CommandExt;
        self.script(script);
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["site::worker_process", "--exact", "--ignored"])
            .env("DREAMTOP_TEST_SITE", &self.dir)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
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

pub fn remember() -> [Value; 2] {
    let content = "---\nname: \"no-mocks\"\ndescription: \"never mock the database\"\nmetadata:\n  node_type: memory\n  type: project\n---\n\nWe never mock the database.\n";
    [
        json!({"tool": "Write", "input": {"file_path": "project_no_mocks.md", "content": content}}),
        json!({"rationale": {"file": "project_no_mocks.md", "reason": "said so",
            "sources": [{"session": "s1", "line": 1, "quote": "we never mock the database"}]}}),
    ]
}

pub use super::common::wait_until;
