//! The embedded engine over the sample and over made-up sessions, through the library.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use dreamtop::clock::Clock;
use dreamtop::engine::embedded::Embedded;
use dreamtop::engine::{
    Engine, EngineError, EngineEvent, EventSender, Job, JobKind, RunContext, SessionSource, Verdict,
};
use dreamtop::memory::{Kind, Topic};
use tokio_util::sync::CancellationToken;

/// A working copy with sessions beside it.
struct Bench {
    dir: tempfile::TempDir,
    now: DateTime<Utc>,
}

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("copy")).unwrap();
        Self { dir, now: "2026-11-30T12:00:00Z".parse().unwrap() }
    }

    fn copy(&self) -> PathBuf {
        self.dir.path().join("copy")
    }

    /// A session of human turns, one a line, a minute apart, from noon of 2026-11-28 on.
    fn session(&self, id: &str, turns: &[&str]) -> SessionSource {
        let path = self.dir.path().join(format!("{id}.jsonl"));
        let lines: String = turns
            .iter()
            .enumerate()
            .map(|(minute, text)| {
                let line = serde_json::json!({
                    "type": "user", "uuid": format!("{id}-{minute}"), "sessionId": id, "cwd": "/work/acme",
                    "timestamp": format!("2026-11-28T12:{minute:02}:00.000Z"), "message": {"role": "user", "content": text},
                });
                format!("{line}\n")
            })
            .collect();
        fs::write(&path, lines).unwrap();
        SessionSource { id: id.to_owned(), path, from: (0, 0), since: None }
    }

    fn memory(&self, file: &str, kind: &str, modified: &str, description: &str, body: &str) {
        let text = format!(
            "---\nname: {}\ndescription: \"{description}\"\nmetadata: \n  node_type: memory\n  type: {kind}\n  modified: {modified}\n---\n\n{body}\n",
            file.trim_end_matches(".md")
        );
        fs::write(self.copy().join(file), text).unwrap();
    }

    fn index(&self, text: &str) {
        fs::write(self.copy().join("MEMORY.md"), text).unwrap();
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.copy().join(file)).unwrap()
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.copy(), &self.copy(), &mut files);
        files
    }

    fn topics(&self) -> Vec<String> {
        self.files().into_keys().filter(|file| file != "MEMORY.md").collect()
    }

    fn job(&self, kind: JobKind, sessions: Vec<SessionSource>) -> Job {
        Job { kind, sessions, checkout: Some(self.dir.path().join("checkout")), store: PathBuf::from("/store/memory") }
    }

    fn try_run(&self, job: &Job, cancel: CancellationToken) -> (Result<Verdict, EngineError>, Vec<EngineEvent>) {
        let (events, mut received) = EventSender::channel();
        let context = RunContext {
            working_copy: self.copy(),
            events,
            cancel,
            clock: Clock::Fixed(self.now),
            token_budget: 0,
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

    fn run(&self, job: &Job) -> Verdict {
        self.try_run(job, CancellationToken::new()).0.unwrap()
    }

    fn extract(&self, sessions: Vec<SessionSource>) -> Verdict {
        self.run(&self.job(JobKind::Extract, sessions))
    }

    fn dream(&self, sessions: Vec<SessionSource>) -> Verdict {
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

fn copy_tree(from: &Path, to: &Path) {
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

fn sample(project: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample/claude/projects").join(project)
}

fn sample_sessions(project: &str) -> Vec<SessionSource> {
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
        })
        .collect()
}

/// The turns of the sample's sessions that a careful reader would remember (session by its first letters, line, types).
/// Every other turn is worth nothing: a question, an order, pasted or quoted text, fiction, something taken back.
const WORTH_REMEMBERING: &[(&str, u64, &[Kind])] = &[
    ("1b7c42f9", 13, &[Kind::Feedback]),
    ("3f2a9c1e", 13, &[Kind::User]),
    ("3f2a9c1e", 16, &[Kind::Reference]),
    ("3f2a9c1e", 34, &[Kind::Feedback]),
    ("3f2a9c1e", 56, &[Kind::Project]),
    ("81d4e6f0", 11, &[Kind::Feedback]),
    ("81d4e6f0", 14, &[Kind::Project]),
    ("c07b35d2", 9, &[Kind::Feedback, Kind::User]),
    ("c07b35d2", 12, &[Kind::Reference]),
    ("5ae8d173", 13, &[Kind::Project]),
    ("5ae8d173", 15, &[Kind::Feedback]),
    ("5ae8d173", 28, &[Kind::Feedback]),
    ("e69f0b84", 6, &[Kind::Project]),
    ("e69f0b84", 12, &[Kind::Project]),
    ("e69f0b84", 20, &[Kind::Feedback]),
    ("42f6d18a", 9, &[Kind::Feedback, Kind::User]),
    ("7e93c0b6", 8, &[Kind::Project]),
    ("7e93c0b6", 20, &[Kind::Feedback]),
    ("7e93c0b6", 23, &[Kind::Reference]),
    ("d215a7e8", 5, &[Kind::Project]),
    ("d215a7e8", 11, &[Kind::Feedback]),
    ("06de9b31", 7, &[Kind::User]),
    ("06de9b31", 12, &[Kind::Project]),
    ("9ac1e5f7", 5, &[Kind::User]),
    ("9ac1e5f7", 17, &[Kind::Feedback]),
];

#[test]
fn the_sample_gives_no_false_memory_and_most_of_the_true_ones() {
    let mut found = BTreeSet::new();
    let mut wrong = Vec::new();
    for project in ["acme-api", "harbor-ios", "notes-cli"] {
        for session in sample_sessions(project) {
            let bench = Bench::new();
            let id = session.id.clone();
            let verdict = bench.extract(vec![session]);
            for (file, rationale) in &verdict.rationales {
                let bytes = fs::read(bench.copy().join(file)).unwrap();
                let kind = Topic::read(bytes.clone()).frontmatter.kind(file).unwrap();
                for source in &rationale.sources {
                    let line = source.line.unwrap();
                    let expected = WORTH_REMEMBERING
                        .iter()
                        .find(|(session, at, kinds)| id.starts_with(session) && *at == line && kinds.contains(&kind));
                    match expected {
                        Some((session, line, _)) => drop(found.insert((*session, *line))),
                        None => wrong.push(format!("{id}:{line} {}", String::from_utf8_lossy(&bytes))),
                    }
                }
            }
        }
    }
    let missed: Vec<_> = WORTH_REMEMBERING
        .iter()
        .map(|(session, line, _)| (*session, *line))
        .filter(|turn| !found.contains(turn))
        .collect();
    assert!(wrong.is_empty(), "false memories: {wrong:#?}\nmissed: {missed:?}");
    assert!(missed.len() * 10 <= WORTH_REMEMBERING.len() * 3, "missed {missed:?}");
}
