//! A store, sessions and a configuration that names a server on loopback as the model.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::common::Machine;

/// A key that a test must never see again, anywhere.
pub const KEY: &str = "hush-4f9a1c77e0d24b58";

pub struct Bench {
    pub machine: Machine,
    pub engine: &'static str,
}

impl Bench {
    /// A store with one memory, and a model at an address.
    pub fn new(engine: &'static str, url: &str) -> Self {
        let bench = Self { machine: Machine::new(), engine };
        bench.memory("project_testing.md", "testing", "project", "how we test", "We test against a real database.");
        bench.machine.write("m/MEMORY.md", "# Memory Index\n\n- [Testing](project_testing.md) — how we test\n");
        fs::create_dir(bench.machine.path("s")).unwrap();
        bench.machine.write("key", format!("{KEY}\n"));
        bench.configure(url, "");
        bench
    }

    /// Writes the configuration; `more` are lines of the model's section, each with its own indent of four.
    pub fn configure(&self, url: &str, more: &str) {
        let key = self.machine.path("key");
        self.machine.write(
            "config/dreamtop/config.yaml",
            format!(
                "models:\n  {}:\n    model: some-model\n    base_url: {url}\n    api_key_file: {}\n{more}",
                self.engine,
                key.display()
            ),
        );
    }

    pub fn memory(&self, file: &str, name: &str, kind: &str, description: &str, body: &str) -> PathBuf {
        self.machine.write(&format!("m/{file}"), topic(name, kind, description, body))
    }

    /// Adds turns of the person to a session, an hour apart, the last one an hour ago.
    pub fn session(&self, id: &str, said: &[&str]) -> PathBuf {
        let now: chrono::DateTime<chrono::Utc> = crate::common::NOW.parse().unwrap();
        let path = self.machine.path(&format!("s/{id}.jsonl"));
        let mut text = fs::read_to_string(&path).unwrap_or_default();
        let before = text.lines().count();
        let count = said.len();
        for (at, said) in said.iter().enumerate() {
            let hours = i64::try_from(count - at).unwrap();
            let line = json!({
                "type": "user", "uuid": format!("{id}-{}", before + at), "sessionId": id, "cwd": "/work/acme", "entrypoint": "cli",
                "timestamp": (now - chrono::TimeDelta::hours(hours)).to_rfc3339(), "isSidechain": false,
                "message": { "role": "user", "content": said },
            });
            text.push_str(&format!("{line}\n"));
        }
        self.machine.write(&format!("s/{id}.jsonl"), text)
    }

    pub fn arguments<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        let mut all = vec!["--memory-dir", "m", "--sessions", "s", "--engine", self.engine, "--json"];
        all.extend(arguments);
        all
    }

    /// Runs the binary and gives its code and its object.
    pub fn run(&self, arguments: &[&str]) -> (i32, Value) {
        let answer = self.machine.run(&self.arguments(arguments));
        (answer.code(), answer.json())
    }

    pub fn dream(&self) -> (i32, Value) {
        self.run(&["dream", "--force"])
    }

    pub fn extract(&self, session: &str) -> (i32, Value) {
        self.run(&["extract", "--transcript", &format!("s/{session}.jsonl")])
    }

    pub fn start(&self, arguments: &[&str]) -> Child {
        let mut command = self.machine.command();
        command.args(self.arguments(arguments)).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// The events of the latest run.
    pub fn journal(&self) -> Vec<Value> {
        let runs = fs::read_dir(self.machine.path("state/dreamtop/runs")).unwrap().flatten();
        let mut journals: Vec<_> = runs
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
            .collect();
        // The ids of two runs begun at the same fixed instant say nothing of their order.
        journals.sort_by_key(|path| fs::metadata(path).and_then(|found| found.modified()).unwrap());
        let text = fs::read_to_string(journals.last().unwrap()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub fn notices(&self) -> Vec<String> {
        let events = self.journal();
        let notices = events.iter().filter(|event| event["event"] == "notice");
        notices.map(|event| event["text"].as_str().unwrap().to_owned()).collect()
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.machine.path("m").join(file)).unwrap_or_default()
    }

    /// Every file of ours, and of the store, as one text.
    pub fn everything(&self) -> String {
        let mut all = String::new();
        for (path, (bytes, _)) in crate::common::picture(&self.machine.root()) {
            let is_given = path.ends_with("key") || path.starts_with(self.machine.path("s"));
            if !is_given {
                all.push_str(&String::from_utf8_lossy(&bytes));
            }
        }
        all
    }
}

pub fn topic(name: &str, kind: &str, description: &str, body: &str) -> String {
    format!(
        "---\nname: \"{name}\"\ndescription: \"{description}\"\nmetadata:\n  node_type: memory\n  type: {kind}\n---\n\n{body}\n"
    )
}
