//! What tests of the binary share: a home of their own, the binary in it, a picture of a directory's bytes.
#![allow(dead_code, unreachable_pub, clippy::missing_docs_in_private_items)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// The instant tests live in; the sample's own reference time.
pub const NOW: &str = "2026-11-30T09:00:00Z";

/// A person's machine in a temp directory: home, Claude home, state, and whatever a test puts there.
pub struct Machine {
    dir: TempDir,
    pub now: &'static str,
}

impl Machine {
    /// A machine with nothing on it.
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a temp directory"), now: NOW }
    }

    /// A machine with the sample as its Claude home.
    pub fn with_sample() -> Self {
        let machine = Self::new();
        dreamtop::cli::lay_out_sample(&machine.root(), NOW.parse().expect("an instant"))
            .expect("the sample is laid out");
        machine
    }

    pub fn root(&self) -> PathBuf {
        fs::canonicalize(self.dir.path()).expect("the temp directory exists")
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    /// Writes a file, with its directories.
    pub fn write(&self, relative: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories are made");
        fs::write(&path, content).expect("the file is written");
        path
    }

    /// The store of one of the sample's projects.
    pub fn sample_store(&self, project: &str) -> PathBuf {
        let checkout = self.path(&format!("checkouts/{project}"));
        self.path("claude/projects").join(dreamtop::project::slug(&checkout.to_string_lossy())).join("memory")
    }

    /// The binary, in this machine's environment and nothing else of ours.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dreamtop"));
        command.current_dir(self.root()).env_clear();
        for (key, value) in self.variables() {
            command.env(key, value);
        }
        command
    }

    /// The variables that make up this machine.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let place = |name: &str| self.path(name).to_string_lossy().into_owned();
        vec![
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("HOME", place("home")),
            ("CLAUDE_CONFIG_DIR", place("claude")),
            ("XDG_STATE_HOME", place("state")),
            ("XDG_CONFIG_HOME", place("config")),
            ("DREAMTOP_MANAGED_SETTINGS", place("managed-settings.json")),
            ("DREAMTOP_NOW", self.now.to_owned()),
            ("TZ", "UTC".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("TERM", "xterm-256color".to_owned()),
        ]
    }

    /// Runs the binary to its end.
    pub fn run(&self, arguments: &[&str]) -> Answer {
        Answer(self.command().args(arguments).output().expect("the binary starts"))
    }

    /// Runs the binary with `--json` in a project of the sample.
    pub fn json(&self, project: &str, arguments: &[&str]) -> (i32, Value) {
        let checkout = self.path(&format!("checkouts/{project}"));
        let mut all = vec!["--json", "--project", checkout.to_str().expect("a UTF-8 path")];
        all.extend(arguments);
        let answer = self.run(&all);
        (answer.code(), answer.json())
    }
}

/// What the binary answered.
pub struct Answer(Output);

impl Answer {
    /// What a command of the binary answered that was run some other way.
    pub fn of(output: Output) -> Self {
        Self(output)
    }

    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap_or(-1)
    }

    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    /// The one JSON object on stdout.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out())
            .unwrap_or_else(|error| panic!("no JSON object ({error}): {:?}, stderr {:?}", self.out(), self.err()))
    }
}

/// Every file below a directory with its bytes and modification time.
pub fn picture(dir: &Path) -> BTreeMap<PathBuf, (Vec<u8>, std::time::SystemTime)> {
    let mut files = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_dir() {
                open.push(path);
            } else {
                files.insert(path.clone(), (fs::read(&path).unwrap_or_default(), meta.modified().expect("a time")));
            }
        }
    }
    files
}

/// Like [`picture`], bytes only, without the lock file.
pub fn contents(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    picture(dir)
        .into_iter()
        .filter(|(path, _)| !path.ends_with(".consolidate-lock"))
        .map(|(path, (bytes, _))| (path, bytes))
        .collect()
}

/// Asks until it holds, at most 20 seconds.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "waited 20 s in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
