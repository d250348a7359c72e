//! How long Claude Code waits for a hook: p50 and p99 of 500 calls of the binary, from start to exit.
//!
//! `cargo bench --bench hook`. A home with 200 projects, a memory of 1,000 files, a session of some megabytes. Each call is a
//! process of its own with the documented JSON on stdin. Where a turn starts workers, the next call comes only when they have
//! gone: what is measured is the hook, not what it detached. Prints beside them what a process costs that does nothing
//! (`--version`); asserts nothing, for machines differ.
#![allow(clippy::expect_used, clippy::print_stdout)]

use std::cell::Cell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dreamtop::project::slug;
use serde_json::{Value, json};

const CALLS: usize = 500;

fn main() {
    let dir = tempfile::tempdir().expect("a temp directory");
    let bench = Bench::lay_out(&dir.path().canonicalize().expect("it is there"));
    println!("{:>44}  {:>9}  {:>9}  {:>9}", format!("{CALLS} calls each"), "p50", "p99", "most");
    bench.row("a process that does nothing", |bench| bench.time(&["--version"], b""));
    bench.row("Stop, gates closed", |bench| bench.hook(&bench.stop()));
    bench.row("Stop, an extraction and a dream begin", |bench| {
        bench.speak();
        let took = bench.hook(&bench.stop());
        bench.settle();
        took
    });
    bench.row("SubagentStop", |bench| bench.hook(&bench.event("SubagentStop", &json!({"agent_id": "a1"}))));
    bench.row("PostToolUse, a memory is read", |bench| {
        let path = bench.store.join("project_00001.md");
        bench.hook(&bench.event("PostToolUse", &json!({"tool_name": "Read", "tool_input": {"file_path": path}})))
    });
    bench.row("PostToolUse, another file is read", |bench| {
        bench
            .hook(&bench.event("PostToolUse", &json!({"tool_name": "Read", "tool_input": {"file_path": "/etc/hosts"}})))
    });
    let sessions = Cell::new(0);
    bench.row("UserPromptSubmit, 1,000 memories", |bench| {
        // A new session each time: what a session was given is not given again.
        let session = format!("prompt-{}", sessions.replace(sessions.get() + 1));
        let transcript = bench.transcript.with_file_name(format!("{session}.jsonl"));
        let prompt = json!({"prompt": "who owns the quetzal exporter on staging?", "session_id": session,
            "transcript_path": transcript});
        bench.hook(&bench.event("UserPromptSubmit", &prompt))
    });
    bench.row("SessionStart, 1,000 memories", |bench| {
        bench.hook(&bench.event("SessionStart", &json!({"source": "startup"})))
    });
}

struct Bench {
    root: PathBuf,
    project: PathBuf,
    store: PathBuf,
    transcript: PathBuf,
}

impl Bench {
    fn lay_out(root: &Path) -> Self {
        let project = root.join("work/acme");
        fs::create_dir_all(project.join(".git")).expect("a project");
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a repository");
        let projects = root.join("home/.claude/projects");
        for number in 0..200 {
            fs::create_dir_all(projects.join(format!("-work-other-{number}/memory"))).expect("another project");
        }
        let folder = projects.join(slug(&project.to_string_lossy()));
        let store = folder.join("memory");
        fs::create_dir_all(&store).expect("a store");
        for number in 0..1_000 {
            let about = if number == 500 { "quetzal exporter".to_owned() } else { format!("part {number}") };
            let text = format!(
                "---\nname: note-{number}\ndescription: \"What to know about the {about}\"\nmetadata:\n  node_type: memory\n  \
                 type: project\n---\n\n{}\n",
                "The worker of the queue needs a token before the deploy to staging.\n".repeat(20)
            );
            fs::write(store.join(format!("project_{number:05}.md")), text).expect("a memory");
        }
        fs::write(store.join("MEMORY.md"), "# Memory Index\n\n- [Note](project_00001.md) — a part\n")
            .expect("an index");
        let bench = Self { root: root.to_owned(), project, store, transcript: folder.join("session-1.jsonl") };
        for _ in 0..4_000 {
            bench.append(
                "assistant",
                &json!([{"type": "text", "text": "I looked at the file and ran the tests. ".repeat(25)}]),
            );
        }
        // What was there before is read once, so that each turn is only what is new.
        bench.speak();
        bench.hook(&bench.stop());
        bench.settle();
        bench
    }

    fn append(&self, role: &str, content: &Value) {
        let line = json!({
            "type": role, "uuid": format!("{:?}", Instant::now()), "sessionId": "session-1", "cwd": self.project,
            "entrypoint": "cli", "isSidechain": false, "timestamp": "2026-11-30T09:00:00.000Z",
            "message": {"role": role, "content": content},
        });
        let mut file = fs::File::options().append(true).create(true).open(&self.transcript).expect("a transcript");
        file.write_all(format!("{line}\n").as_bytes()).expect("a line");
    }

    /// A turn of a person and its answer.
    fn speak(&self) {
        self.append("user", &json!("please look at the failing test once more"));
        self.append("assistant", &json!([{"type": "text", "text": "Done."}]));
        // The dream's gates are open, too: never consolidated, sessions not scanned just now.
        for entry in fs::read_dir(self.root.join("state/dreamtop/stores")).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path().join("scan.json"));
        }
    }

    fn event(&self, name: &str, more: &Value) -> Value {
        let mut event = json!({
            "session_id": "session-1", "transcript_path": self.transcript, "cwd": self.project, "hook_event_name": name,
        });
        let fields = event.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        event
    }

    fn stop(&self) -> Value {
        self.event("Stop", &json!({"stop_hook_active": false, "last_assistant_message": "Done."}))
    }

    fn hook(&self, event: &Value) -> Duration {
        self.time(&["hook"], event.to_string().as_bytes())
    }

    fn time(&self, arguments: &[&str], input: &[u8]) -> Duration {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dreamtop"));
        command.args(arguments).current_dir(&self.project).env_clear();
        command.env("HOME", self.root.join("home")).env("XDG_STATE_HOME", self.root.join("state"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().expect("the binary starts");
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        let status = child.wait().expect("it ends");
        let took = start.elapsed();
        assert!(status.success());
        took
    }

    /// Waits until the workers that were started have said their last word, and a moment more.
    fn settle(&self) {
        let runs = self.root.join("state/dreamtop/runs");
        let is_busy = || {
            let names = fs::read_dir(&runs).into_iter().flatten().flatten();
            // A run that goes on has a room, one that was asked for a note.
            names
                .map(|entry| entry.path())
                .any(|path| path.is_dir() || path.extension().is_some_and(|ending| ending == "asked"))
        };
        while is_busy() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(5));
    }

    fn row(&self, name: &str, call: impl Fn(&Self) -> Duration) {
        for _ in 0..3 {
            call(self);
        }
        let mut times: Vec<Duration> = (0..CALLS).map(|_| call(self)).collect();
        times.sort();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
        println!("{name:>44}  {:>9.1?}  {:>9.1?}  {:>9.1?}", at(50), at(99), at(100));
    }
}
