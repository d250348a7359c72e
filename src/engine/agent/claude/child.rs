//! The process: started in a group of its own behind the kernel's walls, read line by line, killed whole when it is dropped.
//!
//! Not its job: what it is told and what it says.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::CHILD_NOTE;
use super::command::Ask;
use crate::engine::agent::walls;
use crate::engine::{EngineError, EngineEvent, EventSender};
use crate::environment::{CHILD, Environment, RUN};
use crate::process::{self, Identity};

/// A line longer than this is none of its events.
const LONGEST_LINE: u64 = 16 * 1024 * 1024;
/// So much of what it says on standard error is kept.
const ERRORS: usize = 8 * 1024;
/// After its last word it is given this long to end.
const ENDING: Duration = Duration::from_secs(10);
/// After its result it is listened to for so long; what it left in the background may keep its output open for ever.
const GRACE: Duration = Duration::from_secs(2);
/// Its last words are read this long after its end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What was heard.
pub(super) enum Heard {
    /// A line.
    Line(String),
    /// It ended, so, with the end of what it said on standard error.
    End(ExitStatus, String),
}

/// The process.
pub(super) struct Child {
    process: std::process::Child,
    lines: UnboundedReceiver<String>,
    errors: Arc<Mutex<Vec<u8>>>,
    note: PathBuf,
    /// What its descendants have in their environment.
    mark: PathBuf,
    /// Until when it is listened to, once its result is there.
    grace: Option<tokio::time::Instant>,
    has_ended: bool,
}

impl Child {
    /// Starts the command. `room` is where it keeps what is temporary.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(
        program: &[String],
        arguments: &[String],
        ask: &Ask<'_>,
        room: &Path,
        environment: &Environment,
        events: &EventSender,
    ) -> Result<Self, EngineError> {
        let Some((name, first)) = program.split_first() else {
            return Err(EngineError::Failed("the command claude is not named".to_owned()));
        };
        // A question outside of any run has a room of its own and nothing around it.
        let mark = ask.directory.and_then(|_| room.parent()).unwrap_or(room);
        let mark = mark.canonicalize().unwrap_or_else(|_| mark.to_owned());
        let mut command = Command::new(name);
        command
            .args(first)
            .args(arguments)
            .current_dir(ask.started_in)
            .env_clear()
            .envs(environment.variables())
            .env(CHILD, "1")
            .env(RUN, &mark)
            .env("TMPDIR", room)
            .env("CLAUDE_CODE_TMPDIR", room)
            // Neither itself nor plugins are renewed by a run: what changes there is somebody's doing.
            .env("DISABLE_AUTOUPDATER", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if ask.fork.is_none() {
            // A fork keeps its session's instructions, of which memory is a part: without it the cache would be lost.
            // Its stores are closed to it by rule.
            command.env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
            command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
        }
        // What started us may itself be a session: its marks are not the child's.
        for mark in ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"] {
            command.env_remove(mark);
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let writable = writable(ask.directory, room, environment);
        let started = match walls::held_to(&writable, || command.spawn()) {
            Ok(started) => started,
            Err(why) => {
                events.send(EngineEvent::Notice(format!(
                    "only claude's own permissions hold its writes to the working copy: {why}"
                )));
                command.spawn()
            }
        };
        let mut process = started.map_err(|error| {
            EngineError::Failed(format!("cannot start {name}: {error}; put claude_command right in config.yaml"))
        })?;
        let note = room.parent().unwrap_or(room).join(CHILD_NOTE);
        // Should this process die, whoever cleans up after it ends the child by this.
        let identity = Identity { pid: process.id(), birth: process::birth(process.id()), ..Identity::own() };
        if ask.directory.is_some() {
            let _ = std::fs::write(&note, serde_json::to_vec(&identity).unwrap_or_default());
        }
        let (sender, lines) = unbounded_channel();
        let errors = Arc::new(Mutex::new(Vec::new()));
        if let Some(output) = process.stdout.take() {
            std::thread::spawn(move || read_lines(output, &sender));
        }
        if let Some(output) = process.stderr.take() {
            let errors = Arc::clone(&errors);
            std::thread::spawn(move || read_errors(output, &errors));
        }
        if let Some(mut input) = process.stdin.take() {
            let task = ask.task.to_owned();
            // One that does not read must not keep us; one that ended has no use for it.
            std::thread::spawn(move || drop(input.write_all(task.as_bytes())));
        }
        Ok(Self { process, lines, errors, note, mark, grace: None, has_ended: false })
    }

    /// The next line, or the end. `is_done`: its result is there, so that it has little more to say and is ended when it
    /// does not end.
    ///
    /// # Errors
    /// When it is silent for too long.
    pub(super) async fn next(&mut self, idle: Duration, is_done: bool) -> Result<Heard, EngineError> {
        if is_done {
            let until = *self.grace.get_or_insert_with(|| tokio::time::Instant::now() + GRACE);
            return match tokio::time::timeout_at(until, self.lines.recv()).await {
                Ok(Some(line)) => Ok(Heard::Line(line)),
                Ok(None) => self.end().await,
                Err(_) => {
                    self.kill();
                    self.end().await
                }
            };
        }
        match tokio::time::timeout(idle, self.lines.recv()).await {
            Ok(Some(line)) => Ok(Heard::Line(line)),
            Ok(None) => self.end().await,
            Err(_) => {
                let said = self.errors();
                let said = said.lines().last().map(|line| format!("; its last words: {line}")).unwrap_or_default();
                Err(EngineError::Failed(format!(
                    "the command claude was silent for {} s and was ended (models.claude.idle_seconds){said}",
                    idle.as_secs()
                )))
            }
        }
    }

    async fn end(&mut self) -> Result<Heard, EngineError> {
        let until = tokio::time::Instant::now() + ENDING;
        let mut is_told = false;
        loop {
            if let Some(status) = self.process.try_wait()? {
                self.has_ended = true;
                self.errors_read().await;
                return Ok(Heard::End(status, self.errors()));
            }
            if !is_told && tokio::time::Instant::now() >= until {
                is_told = true;
                self.kill();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Waits until all that it said on standard error is read; what it left running must not keep that open for long.
    async fn errors_read(&self) {
        let until = tokio::time::Instant::now() + LAST_WORDS;
        // The other one is the reader's, as long as it reads.
        while Arc::strong_count(&self.errors) > 1 && tokio::time::Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn errors(&self) -> String {
        self.errors.lock().map(|errors| String::from_utf8_lossy(&errors).into_owned()).unwrap_or_default()
    }

    /// Ends it and all that it started, whatever group that is in now and whoever is its parent.
    fn kill(&mut self) {
        let below = process::descendants(self.process.id());
        process::end_group(self.process.id());
        let _ = self.process.kill();
        process::end_all(&below);
        process::end_marked(RUN, &self.mark);
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if self.has_ended {
            // What it left behind in its group.
            process::end_group_of_dead(self.process.id());
            process::end_marked(RUN, &self.mark);
        } else {
            self.kill();
            let _ = self.process.wait();
        }
        let _ = std::fs::remove_file(&self.note);
    }
}

/// Where the child may write: the working copy, its own directory and file, what is temporary.
fn writable(directory: Option<&Path>, room: &Path, environment: &Environment) -> Vec<PathBuf> {
    let own = environment.home().map(|home| home.join(".claude.json"));
    directory
        .map(Path::to_owned)
        .into_iter()
        .chain([room.to_owned()])
        .chain(environment.claude_dir())
        .chain(own)
        .collect()
}

fn read_lines(output: impl Read, sender: &UnboundedSender<String>) {
    let mut reader = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
            return;
        }
    }
}

fn read_errors(mut output: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(read) = output.read(&mut buffer) {
        let Some(bytes) = buffer.get(..read).filter(|bytes| !bytes.is_empty()) else { return };
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(bytes);
        let surplus = kept.len().saturating_sub(ERRORS);
        kept.drain(..surplus);
    }
}
