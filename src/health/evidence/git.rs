//! What the `git` program knows of things that are not in a checkout: on which branch they are, and when they went.
//!
//! The program only reads: no hook, no pager, no configuration but the repository's own, with whatever of that could start
//! another program or a connection switched off. It is found by an absolute path outside the checkout, gets an empty
//! environment and a few seconds. Without it everything here is unknown, which is said. Not its job: branch names, which
//! are read from files (see [`crate::project::refs`]).

use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// All questions of one check together take no longer than this.
const PATIENCE: Duration = Duration::from_secs(4);

/// No answer is longer.
const MOST_BYTES: u64 = 16 << 20;

/// At most so many branches are asked for a path.
const MOST_BRANCHES: usize = 200;

/// When something went, and with which commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Went {
    /// The commit's short name.
    pub(super) commit: String,
    /// Its day, as `2026-03-02`.
    pub(super) day: String,
}

/// A repository that can be asked.
pub(super) struct Git {
    program: PathBuf,
    /// The work tree.
    root: PathBuf,
    /// The checkout's path in it, with a slash behind it, or empty.
    prefix: String,
    until: Option<Instant>,
}

impl Git {
    /// The repository of a checkout; `None` outside git. `program` is git's own path.
    pub(super) fn of(checkout: &Path, program: &Path) -> Option<Self> {
        let root = crate::project::git::work_tree(checkout)?;
        let checkout = std::fs::canonicalize(checkout).ok()?;
        let inside = checkout.strip_prefix(&root).ok()?.to_string_lossy().into_owned();
        let prefix = if inside.is_empty() { inside } else { format!("{inside}/") };
        let is_outside = !program.starts_with(&root);
        is_outside.then(|| Self { program: program.to_owned(), root, prefix, until: None })
    }

    /// On which branch a path is, or that only the index has it.
    pub(super) fn elsewhere(&mut self, paths: &[String], branches: &[String]) -> HashMap<String, String> {
        let branches: Vec<&String> = branches.iter().take(MOST_BRANCHES).collect();
        let mut questions = String::new();
        let mut asked = Vec::new();
        for path in paths {
            questions.push_str(&format!(":{}{path}\n", self.prefix));
            asked.push((path, "the index".to_owned()));
            for branch in &branches {
                questions.push_str(&format!("{branch}:{}{path}\n", self.prefix));
                asked.push((
                    path,
                    format!("branch {}", branch.trim_start_matches("refs/heads/").trim_start_matches("refs/remotes/")),
                ));
            }
        }
        let mut found = HashMap::new();
        let Some(answer) = self.ask(&["cat-file", "--batch-check=%(objecttype)"], Some(questions)) else {
            return found;
        };
        for (line, (path, place)) in String::from_utf8_lossy(&answer).lines().zip(asked) {
            if matches!(line, "blob" | "tree") {
                found.entry(path.clone()).or_insert(place);
            }
        }
        found
    }

    /// When each of the paths went from the history of the checkout's commit. A path that never was there is not in it;
    /// `None` when git did not answer in time.
    pub(super) fn gone(&mut self, paths: &[String]) -> Option<HashMap<String, Went>> {
        let mut arguments = vec![
            "log",
            "--diff-filter=D",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-show-signature",
            "--name-only",
            "-z",
            "--format=%x01%h %cs",
            "HEAD",
            "--",
        ];
        let full: Vec<String> =
            paths.iter().map(|path| format!(":(literal){}{}", self.prefix, path.trim_end_matches('/'))).collect();
        arguments.extend(full.iter().map(String::as_str));
        let answer = self.ask(&arguments, None)?;
        let mut found: HashMap<String, Went> = HashMap::new();
        let text = String::from_utf8_lossy(&answer).into_owned();
        for record in text.split('\u{1}').skip(1) {
            let mut parts = record.split(['\0', '\n']).filter(|part| !part.is_empty());
            let Some((commit, day)) = parts.next().and_then(|head| head.split_once(' ')) else { continue };
            for file in parts {
                let Some(file) = file.strip_prefix(self.prefix.as_str()) else { continue };
                for path in paths {
                    let clean = path.trim_end_matches('/');
                    // A folder went with the last of its files: the newest commit counts.
                    if file == clean || file.strip_prefix(clean).is_some_and(|rest| rest.starts_with('/')) {
                        found
                            .entry(path.clone())
                            .or_insert_with(|| Went { commit: commit.to_owned(), day: day.trim().to_owned() });
                    }
                }
            }
        }
        Some(found)
    }

    /// When a word went from the files of the history: the last commit that changed how often it occurs. `Some(None)`: it
    /// never occurred; `None` when git did not answer in time.
    pub(super) fn word_gone(&mut self, word: &str) -> Option<Option<Went>> {
        let pick = format!("-S{word}");
        let answer = self.ask(
            &["log", "-1", &pick, "--no-ext-diff", "--no-textconv", "--no-show-signature", "--format=%h %cs", "HEAD"],
            None,
        )?;
        let text = String::from_utf8_lossy(&answer);
        let went = text.lines().next().and_then(|line| line.split_once(' '));
        Some(went.map(|(commit, day)| Went { commit: commit.to_owned(), day: day.trim().to_owned() }))
    }

    /// Runs git with a question on its input; its output, when it ended well and in time.
    fn ask(&mut self, arguments: &[&str], question: Option<String>) -> Option<Vec<u8>> {
        let until = *self.until.get_or_insert_with(|| Instant::now() + PATIENCE);
        let left = until.checked_duration_since(Instant::now())?;
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("GIT_ATTR_NOSYSTEM", "1")
            .env("GIT_CEILING_DIRECTORIES", self.root.parent().unwrap_or(&self.root))
            .env("LC_ALL", "C")
            .current_dir("/")
            .arg("--no-pager")
            .arg("-C")
            .arg(&self.root);
        for setting in [
            "core.fsmonitor=false",
            "core.hooksPath=/dev/null",
            "core.pager=cat",
            "core.sshCommand=false",
            "core.askPass=false",
            "log.showSignature=false",
            "gpg.program=false",
            "protocol.allow=never",
            "diff.external=",
            "core.quotePath=false",
        ] {
            command.args(["-c", setting]);
        }
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        if let (Some(mut input), Some(question)) = (child.stdin.take(), question) {
            std::thread::spawn(move || input.write_all(question.as_bytes()));
        }
        let output = child.stdout.take()?;
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let whole =
                output.take(MOST_BYTES).read_to_end(&mut bytes).is_ok_and(|length| (length as u64) < MOST_BYTES);
            // Nobody waits any more when the time was up.
            let _ = sender.send(whole.then_some(bytes));
        });
        let answer = receiver.recv_timeout(left).ok().flatten();
        if answer.is_none() {
            // It may have ended by itself meanwhile.
            let _ = child.kill();
        }
        let status = child.wait().ok()?;
        answer.filter(|_| status.success())
    }
}

/// Where the git program lies: in the absolute folders of `PATH`.
#[must_use]
pub(crate) fn program(path: &str) -> Option<PathBuf> {
    let name = if cfg!(windows) { "git.exe" } else { "git" };
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}
