//! A bench for the embedded engine: a working copy with sessions beside it, and what a run made of them.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::missing_docs_in_private_items)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use dreamtop::clock::Clock;
use dreamtop::engine::embedded::Embedded;
use dreamtop::engine::{
    Engine, EngineError, EngineEvent, EventSender, Job, JobKind, RunContext, SessionSource, Verdict,
};
use dreamtop::memory::ShelfLife;
use dreamtop::session::Speakers;
use tokio_util::sync::CancellationToken;

/// A working copy with sessions beside it.
pub struct Bench {
    pub dir: tempfile::TempDir,
    pub now: DateTime<Utc>,
    pub shelf_life: ShelfLife,
}

impl Bench {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("copy")).unwrap();
        Self { dir, now: "2026-11-30T12:00:00Z".parse().unwrap(), shelf_life: ShelfLife::default() }
    }

    pub fn copy(&self) -> PathBuf {
        self.dir.path().join("copy")
    }

    /// A session of human turns, one a line, a minute apart, from noon of 2026-11-28 on.
    pub fn session(&self, id: &str, turns: &[&str]) -> SessionSource {
        self.session_of("2026-11-28", id, turns)
    }

    /// The same, of another day.
    pub fn session_of(&self, day: &str, id: &str, turns: &[&str]) -> SessionSource {
        let path = self.dir.path().join(format!("{id}.jsonl"));
        let lines: String = turns
            .iter()
            .enumerate()
            .map(|(minute, text)| {
                let line = serde_json::json!({
                    "type": "user", "uuid": format!("{id}-{minute}"), "sessionId": id, "cwd": "/work/acme",
                    "timestamp": format!("{day}T12:{minute:02}:00.000Z"), "message": {"role": "user", "content": text},
                });
                format!("{line}\n")
            })
            .collect();
        fs::write(&path, lines).unwrap();
        SessionSource { id: id.to_owned(), path, from: (0, 0), since: None, speakers: Speakers::Persons }
    }

    pub fn memory(&self, file: &str, kind: &str, modified: &str, description: &str, body: &str) {
        let text = format!(
            "---\nname: {}\ndescription: \"{description}\"\nmetadata: \n  node_type: memory\n  type: {kind}\n  modified: {modified}\n---\n\n{body}\n",
            file.trim_end_matches(".md")
        );
        fs::write(self.copy().join(file), text).unwrap();
    }

    pub fn index(&self, text: &str) {
        fs::write(self.copy().join("MEMORY.md"), text).unwrap();
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.copy().join(file)).unwrap()
    }

    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.copy(), &self.copy(), &mut files);
        files
    }

    pub fn topics(&self) -> Vec<String> {
        self.files().into_keys().filter(|file| file != "MEMORY.md").collect()
    }

    pub fn job(&self, kind: JobKind, sessions: Vec<SessionSource>) -> Job {
        Job { kind, sessions, checkout: Some(self.dir.path().join("checkout")), unheard: Default::default() }
    }

    pub fn try_run(&self, job: &Job, cancel: CancellationToken) -> (Result<Verdict, EngineError>, Vec<EngineEvent>) {
        let (events, mut received) = EventSender::channel();
        let context = RunContext {
            working_copy: self.copy(),
            reach: dreamtop::engine::agent::Reach::default(),
            events,
            cancel,
            clock: Clock::Fixed(self.now),
            shelf_life: self.shelf_life,
            token_budget: 0,
            money_budget: None,
            max_turns: None,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let verdict = runtime.block_on(Embedded.run(job, &context));
        drop(context);
        let mut seen = Vec::new();
        while let Ok(event) = received.try_recv() {
            seen.push(event);
        }
        (verdict, seen)
    }

    pub fn run(&self, job: &Job) -> Verdict {
        self.try_run(job, CancellationToken::new()).0.unwrap()
    }

    pub fn extract(&self, sessions: Vec<SessionSource>) -> Verdict {
        self.run(&self.job(JobKind::Extract, sessions))
    }

    pub fn dream(&self, sessions: Vec<SessionSource>) -> Verdict {
        self.run(&self.job(JobKind::Dream, sessions))
    }
}

fn collect(root: &Path, dir: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else {
            files.insert(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
        }
    }
}

pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

pub fn sample(project: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/claude/projects").join(project)
}

pub fn sample_sessions(project: &str) -> Vec<SessionSource> {
    let mut paths: Vec<PathBuf> = fs::read_dir(sample(project))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| SessionSource {
            id: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            path,
            from: (0, 0),
            since: None,
            speakers: Speakers::Persons,
        })
        .collect()
}
