//! The driver: a machine with Claude Code on it, its sessions, and what they call.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use dreamtop::clock::Clock;
use dreamtop::config::Config;
use dreamtop::engine::JobKind;
use dreamtop::environment::Environment;
use dreamtop::hook::World;
use dreamtop::project::{Request, slug};
use dreamtop::run::RunView;
use dreamtop::run::journal::RunBook;
use dreamtop::run::records::{self, Happened, RunRecord};
use dreamtop::state::StateDir;
use serde_json::{Value, json};

use crate::common::{Answer, Machine};

/// A machine on which a person works with Claude Code, hooks installed.
pub struct Desk {
    pub machine: Machine,
    now: Cell<DateTime<Utc>>,
    engine: RefCell<Option<String>>,
    next: Cell<u32>,
    /// Whether hooks are answered within this process: the binary adds nothing to what such a test shows.
    is_within: bool,
}

impl Desk {
    /// A desk whose hooks are answered within this process; the workers are processes all the same.
    pub fn within() -> Self {
        Self { is_within: true, ..Self::new() }
    }

    /// A desk with one project, `acme`, and an empty memory.
    pub fn new() -> Self {
        let machine = Machine::new();
        let now = machine.now.parse().unwrap();
        let desk =
            Self { machine, now: Cell::new(now), engine: RefCell::new(None), next: Cell::new(0), is_within: false };
        fs::create_dir_all(desk.project("acme").join(".git")).unwrap();
        fs::write(desk.project("acme").join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
        desk
    }

    pub fn project(&self, name: &str) -> PathBuf {
        self.machine.path(&format!("work/{name}"))
    }

    /// Where Claude Code keeps the memory of a directory.
    pub fn store_of(&self, dir: &Path) -> PathBuf {
        self.machine.path("claude/projects").join(slug(&dir.to_string_lossy())).join("memory")
    }

    pub fn store(&self) -> PathBuf {
        self.store_of(&self.project("acme"))
    }

    pub fn state(&self) -> StateDir {
        StateDir::at(self.machine.path("state/dreamtop"))
    }

    pub fn configure(&self, yaml: &str) {
        self.machine.write("config/dreamtop/config.yaml", yaml);
    }

    /// What thinks from now on: a script of these lines.
    pub fn script(&self, lines: &[Value]) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let path = self.machine.write("script.jsonl", text);
        *self.engine.borrow_mut() = Some(format!("script:{}", path.display()));
    }

    /// The engine of the command line, if any.
    pub fn engine(&self) -> std::cell::RefMut<'_, Option<String>> {
        self.engine.borrow_mut()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.now.get()
    }

    pub fn later(&self, by: TimeDelta) {
        self.now.set(self.now.get() + by);
    }

    /// A session in a directory, started by a person.
    pub fn session_in(&self, dir: &Path) -> Session<'_> {
        let number = self.next.replace(self.next.get() + 1);
        let id = format!("00000000-0000-4000-8000-{number:012}");
        Session::of(self, id, dir)
    }

    pub fn session(&self) -> Session<'_> {
        self.session_in(&self.project("acme"))
    }

    /// The binary as Claude Code runs it.
    pub fn command(&self) -> Command {
        let mut command = self.machine.command();
        command.env("DREAMTOP_NOW", self.now().to_rfc3339());
        if let Some(engine) = self.engine.borrow().as_ref() {
            command.args(["--engine", engine]);
        }
        command
    }

    /// What a command answers in the project, as JSON.
    pub fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let mut command = self.command();
        command.arg("--json").arg("--project").arg(self.project("acme")).args(arguments);
        let answer = Answer::of(command.output().unwrap());
        (answer.code(), answer.json())
    }

    /// Calls the hook with these bytes on stdin.
    pub fn hook_bytes(&self, bytes: &[u8], change: impl FnOnce(&mut Command)) -> Answer {
        let mut command = self.command();
        command.arg("hook").stdout(Stdio::piped()).stderr(Stdio::piped());
        change(&mut command);
        Self::fed(&mut command, bytes)
    }

    /// Runs a command with these bytes on stdin.
    pub fn feed(&self, command: &mut Command, bytes: &[u8]) -> Answer {
        Self::fed(command.stdout(Stdio::piped()).stderr(Stdio::piped()), bytes)
    }

    fn fed(command: &mut Command, bytes: &[u8]) -> Answer {
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        // Whoever does nothing may not even read.
        let _ = child.stdin.take().unwrap().write_all(bytes);
        Answer::of(child.wait_with_output().unwrap())
    }

    pub fn hook(&self, input: &Value) -> Answer {
        if self.is_within {
            let stdout = self.answer(Path::new(env!("CARGO_BIN_EXE_dreamtop")), input);
            return Answer::of(Output {
                status: ExitStatus::default(),
                stdout: stdout.into_bytes(),
                stderr: Vec::new(),
            });
        }
        let answer = self.hook_bytes(input.to_string().as_bytes(), |_| {});
        assert_eq!((answer.code(), answer.err().as_str()), (0, ""), "{input}");
        answer
    }

    /// Answers a hook within this process, with this program as the worker; what is said counts as taken.
    pub fn answer(&self, worker: &Path, input: &Value) -> String {
        let said = dreamtop::hook::answer(input.to_string().as_bytes(), &self.world(worker)).unwrap();
        said.map_or_else(String::new, |said| {
            let text = said.output.to_string();
            said.was_taken();
            text
        })
    }

    /// What hooks within this process are answered with.
    pub fn world(&self, worker: &Path) -> World {
        let variables = self.machine.variables();
        let variables: Vec<(&str, &str)> = variables.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let now = self.now().to_rfc3339();
        let environment = Environment::of(&self.machine.root(), &variables).with("DREAMTOP_NOW", &now);
        let config = Config::read(&environment.config_file().unwrap(), false).unwrap();
        World {
            engine: self.engine.borrow().clone().unwrap_or_else(|| config.engine.clone()),
            config,
            state: self.state(),
            clock: Clock::Fixed(self.now()),
            request: Request::default(),
            executable: worker.to_owned(),
            options: self.engine.borrow().iter().flat_map(|engine| ["--engine".to_owned(), engine.clone()]).collect(),
            environment,
        }
    }

    /// Waits until every worker that was started has gone.
    pub fn settle(&self) {
        let mut left;
        let deadline = Instant::now() + Duration::from_secs(300);
        loop {
            // The cheap question first: to look through all processes takes its time on a busy machine.
            left = if self.is_asked_for() {
                "a worker was asked for and has not spoken".to_owned()
            } else if let Some(run) = self.runs().iter().find(|run| run.is_live()) {
                format!("{} is live", run.id)
            } else {
                match self.workers().as_slice() {
                    [] => return,
                    workers => format!("processes {workers:?}"),
                }
            };
            if Instant::now() > deadline {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("after five minutes there is still something: {left}; records {:#?}", self.records());
    }

    fn is_asked_for(&self) -> bool {
        let entries = fs::read_dir(self.state().runs()).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().extension().is_some_and(|ending| ending == "asked"))
    }

    /// The processes of ours that work on their own.
    pub fn workers(&self) -> Vec<u32> {
        let state = format!("XDG_STATE_HOME={}", self.machine.path("state").display());
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let variables: Vec<&[u8]> = environment.split(|byte| *byte == 0).collect();
            if variables.contains(&b"DREAMTOP_CHILD=1".as_slice()) && variables.contains(&state.as_bytes()) {
                found.push(pid);
            }
        }
        found
    }

    /// The runs, oldest first.
    pub fn runs(&self) -> Vec<RunView> {
        let mut book = RunBook::new(self.state());
        book.refresh().unwrap();
        book.runs().iter().rev().map(|run| RunView::clone(run)).collect()
    }

    pub fn records(&self) -> Vec<RunRecord> {
        records::read(&self.state()).unwrap()
    }

    /// The outcome of every trigger of that kind, in order: the word of the gate that was closed, `ran`, `joined`.
    pub fn outcomes(&self, kind: JobKind) -> Vec<String> {
        let of_kind = self.records().into_iter().filter(|record| record.kind() == Some(kind));
        let outcome = |record: RunRecord| match record.happened()? {
            Happened::Fired => Some(format!("{} ran", record.trigger)),
            Happened::Coalesced => Some(format!("{} joined", record.trigger)),
            Happened::Skipped => Some(format!("{} {}", record.trigger, record.reason.split(':').next()?)),
            _ => None,
        };
        of_kind.filter_map(outcome).collect()
    }

    pub fn extractions(&self) -> Vec<String> {
        self.outcomes(JobKind::Extract)
    }

    /// The memories of the project: name and text.
    pub fn memories(&self) -> Vec<(String, String)> {
        let entries = fs::read_dir(self.store()).into_iter().flatten().flatten();
        let mut found: Vec<(String, String)> = entries
            .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
            .filter(|(name, _)| name.ends_with(".md") && name != "MEMORY.md")
            .map(|(name, path)| (name, fs::read_to_string(path).unwrap()))
            .collect();
        found.sort();
        found
    }

    pub fn index(&self) -> String {
        fs::read_to_string(self.store().join("MEMORY.md")).unwrap_or_default()
    }

    pub fn remember(&self, file: &str, kind: &str, body: &str) {
        let store = self.store();
        fs::create_dir_all(&store).unwrap();
        let name = file.trim_end_matches(".md");
        let text = format!(
            "---\nname: {name}\ndescription: \"{body}\"\nmetadata: \n  node_type: memory\n  type: {kind}\n  modified: {}\n---\n\n{body}\n",
            self.now().format("%Y-%m-%dT%H:%M:%S.000Z")
        );
        fs::write(store.join(file), text).unwrap();
        let index = store.join("MEMORY.md");
        let before = fs::read_to_string(&index).unwrap_or_else(|_| "# Memory Index\n\n".to_owned());
        fs::write(index, format!("{before}- [{name}]({file}) — {body}\n")).unwrap();
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.state().log().join("dreamtop.log")).unwrap_or_default()
    }
}

/// A session of Claude Code's.
pub struct Session<'a> {
    desk: &'a Desk,
    pub id: String,
    pub dir: PathBuf,
    pub transcript: PathBuf,
    pub entrypoint: &'static str,
    line: Cell<u32>,
}

impl<'a> Session<'a> {
    pub fn of(desk: &'a Desk, id: String, dir: &Path) -> Self {
        fs::create_dir_all(dir).unwrap();
        let folder = desk.machine.path("claude/projects").join(slug(&dir.to_string_lossy()));
        fs::create_dir_all(&folder).unwrap();
        let transcript = folder.join(format!("{id}.jsonl"));
        Self { desk, id, dir: dir.to_owned(), transcript, entrypoint: "cli", line: Cell::new(0) }
    }

    /// A line of the transcript, with the envelope that they have.
    pub fn line(&self, kind: &str, role: &str, content: &Value) -> Value {
        let number = self.line.replace(self.line.get() + 1);
        json!({
            "type": kind, "uuid": format!("{}-{number}", self.id), "sessionId": self.id, "cwd": self.dir,
            "entrypoint": self.entrypoint, "isSidechain": false, "version": "2.1.240", "userType": "external",
            "timestamp": self.desk.now().format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
            "message": {"role": role, "content": content},
        })
    }

    /// How many lines it has written by itself.
    pub fn lines(&self) -> u32 {
        self.line.get()
    }

    pub fn append(&self, line: &Value) {
        let mut file = fs::File::options().append(true).create(true).open(&self.transcript).unwrap();
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
        file.set_modified(self.desk.now().into()).unwrap();
    }

    pub fn says(&self, text: &str) {
        self.append(&self.line("user", "user", &json!(text)));
    }

    pub fn answers(&self, text: &str) {
        self.append(&self.line("assistant", "assistant", &json!([{"type": "text", "text": text}])));
    }

    /// The main agent writes a memory itself, and the tool says that it worked.
    pub fn writes_memory(&self, file: &str) {
        let path = self.desk.store().join(file);
        let id = format!("toolu_{}", self.line.get());
        let input = json!({"file_path": path, "content": "A note of the session's own.\n"});
        self.append(&self.line(
            "assistant",
            "assistant",
            &json!([{"type": "tool_use", "id": id, "name": "Write", "input": input}]),
        ));
        self.append(&self.line("user", "user", &json!([{"type": "tool_result", "tool_use_id": id, "content": "ok"}])));
    }

    /// The id of the next prompt: of no other session or prompt.
    pub fn prompt_id(&self) -> String {
        format!("{}-{}", self.id, self.line.replace(self.line.get() + 1))
    }

    /// The documented input of an event, with more fields.
    pub fn input(&self, event: &str, more: Value) -> Value {
        let mut input = json!({
            "session_id": self.id, "transcript_path": self.transcript, "cwd": self.dir, "hook_event_name": event,
            "permission_mode": "default",
        });
        if let Value::Object(more) = more {
            input.as_object_mut().unwrap().extend(more);
        }
        input
    }

    pub fn hook(&self, event: &str, more: Value) -> Answer {
        self.desk.hook(&self.input(event, more))
    }

    pub fn stop(&self, answer: &str) {
        let said = self.hook("Stop", json!({"stop_hook_active": false, "last_assistant_message": answer}));
        assert_eq!(said.out(), "");
    }

    /// A whole turn: prompt, answer, end.
    pub fn turn(&self, prompt: &str, answer: &str) {
        self.says(prompt);
        self.answers(answer);
        self.stop(answer);
    }
}

/// The lines of one session in the transcript of another, as a resumption or a fork copies them.
pub fn copy_of(from: &Session<'_>, to: &Session<'_>, is_fork: bool) {
    for line in fs::read_to_string(&from.transcript).unwrap().lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["sessionId"] = json!(to.id);
        if is_fork {
            line["forkedFrom"] = json!({"sessionId": from.id, "messageUuid": line["uuid"]});
            line["uuid"] = json!(format!("fork-{}", line["uuid"].as_str().unwrap()));
        }
        to.append(&line);
    }
}
