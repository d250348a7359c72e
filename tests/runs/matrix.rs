//! The kill matrix: the real binary, killed in every way there is, and what must hold after each.

use rustix::process::{Pid, Signal, kill_process};

use super::pty::{ESC, Home, Terminal};
use super::site::*;

/// A home whose store was consolidated long ago, and a script that touches a file and then takes its time.
struct Scene {
    home: Home,
    before: Vec<(PathBuf, Vec<u8>, SystemTime)>,
    gates: Value,
}

impl Scene {
    fn new(delay_ms: u64) -> Self {
        let home = Home::new();
        fs::write(home.store().join(LOCK_FILE), "999999").unwrap();
        set_mtime(&home.store().join(LOCK_FILE), "2026-09-21T14:13:20Z".parse().unwrap());
        let text = "---\nname: backend role\ndescription: \"changed\"\nmetadata:\n  type: user\n---\n\nThey always write Rust.\n";
        let lines = [
            json!({"phase": "orient"}),
            json!({"tool": "Write", "input": {"file_path": "user_role.md", "content": text}}),
            json!({"rationale": {"file": "user_role.md", "reason": "they moved to Go"}}),
            json!({"delay_ms": delay_ms}),
            json!({"text": "done"}),
        ];
        fs::write(home.path().join("slow.jsonl"), lines.map(|line| format!("{line}\n")).concat()).unwrap();
        let mut scene = Self { before: home.contents(), home, gates: Value::Null };
        scene.gates = scene.json(&["gates"])["dream"].clone();
        scene
    }

    fn engine(&self) -> String {
        format!("script:{}", self.home.path().join("slow.jsonl").display())
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dreamtop"));
        command.args(["--memory-dir", self.home.store().to_str().unwrap()]).args(arguments);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.home.path());
        command.env("XDG_STATE_HOME", self.home.path().join("state"));
        command.env("XDG_CONFIG_HOME", self.home.path().join("config"));
        command.current_dir(self.home.path());
        command
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.command(&[&["--json"], arguments].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }

    fn run(&self) -> Option<Value> {
        self.json(&["runs"])["runs"].as_array().and_then(|runs| runs.first().cloned())
    }

    /// Waits until the run has touched its file; its worker's process.
    fn wait_for_touch(&self) -> i32 {
        wait_until("the run has touched a file", || self.run().is_some_and(|run| run["status"] == "updating"));
        i32::try_from(self.run().unwrap()["pid"].as_i64().unwrap()).unwrap()
    }

    fn detach(&self) -> i32 {
        let started = self.json(&["--engine", &self.engine(), "dream", "--force", "--detach"]);
        assert!(started["run"].is_string(), "{started}");
        self.wait_for_touch()
    }

    /// Every process that has this home in its environment: workers, and whatever they started.
    fn processes(&self) -> Vec<u32> {
        let home = self.home.path().to_str().unwrap().as_bytes();
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            memchr::memmem::find(&environment, home).is_some() && is_alive(*pid)
        })
        .collect()
    }

    /// What must hold after every kill.
    fn assert_as_before(&self, status: &str, killed_by: &str) {
        wait_until("the run is over", || self.run().is_some_and(|run| run["outcome"] == "killed"));
        let run = self.run().unwrap();
        assert_eq!((&run["status"], &run["killed_by"]), (&json!(status), &json!(killed_by)), "{run:#}");
        assert!(run["reason"].as_str().unwrap().contains("nothing was changed"), "{run:#}");
        assert_eq!(self.home.contents(), self.before, "{killed_by}: byte for byte, time for time, the lock too");
        assert_eq!(self.json(&["gates"])["dream"], self.gates, "{killed_by}: the schedule is as it was");
        wait_until("no process is left", || self.processes().is_empty());
        let runs = self.home.path().join("state/dreamtop/runs");
        let left: Vec<_> = fs::read_dir(runs).unwrap().flatten().map(|entry| entry.file_name()).collect();
        let left: Vec<_> = left.iter().filter(|name| !name.to_string_lossy().ends_with(".jsonl")).collect();
        assert!(left.iter().all(|name| **name == "reap.lock"), "{killed_by}: {left:?}");
    }
}

fn send(pid: i32, signal: Signal) {
    kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
}

/// Starts a dream from the screen, which asks because the store was dreamt over and no session is new.
fn start(terminal: &mut Terminal) {
    terminal.press("D");
    terminal.wait_for("Dream with nothing new?");
    terminal.press("y");
}

#[test]
fn killed_from_the_dialog_nothing_has_changed_and_the_journal_says_by_the_screen() {
    let scene = Scene::new(600_000);
    let mut terminal = Terminal::open(&scene.home, &["--engine", &scene.engine()]);
    start(&mut terminal);
    terminal.wait_for("dreaming");
    terminal.press("\u{1b}[1;2B");
    terminal.wait_for("1 file touched");
    terminal.press("x");
    terminal.wait_for("✗ killed");
    terminal.press(ESC);
    terminal.settle();
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    scene.assert_as_before("ended", "screen");
}

#[test]
fn killed_by_the_command_nothing_has_changed_and_the_journal_says_so() {
    let scene = Scene::new(600_000);
    scene.detach();
    let id = scene.run().unwrap()["run"].as_str().unwrap().to_owned();
    let output = scene.command(&["kill", &id]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    scene.assert_as_before("ended", "command");
    let again = scene.command(&["kill", &id]).output().unwrap();
    assert_eq!(again.status.code(), Some(1));
}

#[test]
fn killed_by_a_signal_to_the_worker_nothing_has_changed_and_the_journal_says_which() {
    for (signal, status, by) in [
        (Signal::TERM, "ended", "signal TERM"),
        (Signal::INT, "ended", "signal INT"),
        (Signal::QUIT, "ended", "signal QUIT"),
        (Signal::KILL, "interrupted", "worker died"),
        (Signal::ABORT, "interrupted", "worker died"),
    ] {
        let scene = Scene::new(600_000);
        send(scene.detach(), signal);
        scene.assert_as_before(status, by);
    }
}

#[test]
fn a_run_in_the_foreground_ends_with_the_exit_code_of_its_signal() {
    for (signal, code, by) in
        [(Signal::TERM, 143, "signal TERM"), (Signal::INT, 130, "signal INT"), (Signal::QUIT, 131, "signal QUIT")]
    {
        let scene = Scene::new(600_000);
        let mut command = scene.command(&["--engine", &scene.engine(), "dream", "--force"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        send(scene.wait_for_touch(), signal);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal:?}");
        scene.assert_as_before("ended", by);
    }
}

#[test]
fn a_run_in_the_foreground_of_a_terminal_that_closes_is_killed_by_it() {
    let scene = Scene::new(600_000);
    let arguments = ["--engine", &scene.engine(), "dream", "--force"];
    let mut terminal = Terminal::start(scene.home.command(&arguments), 100, 30);
    scene.wait_for_touch();
    terminal.hang_up();
    scene.assert_as_before("ended", "signal HUP, its terminal was closed");
}

#[test]
fn ctrl_c_in_the_terminal_kills_the_run_in_its_foreground() {
    let scene = Scene::new(600_000);
    let arguments = ["--engine", &scene.engine(), "dream", "--force"];
    let mut terminal = Terminal::start(scene.home.command(&arguments), 100, 30);
    scene.wait_for_touch();
    terminal.press("\u{3}");
    let (code, output) = terminal.end();
    assert_eq!(code, 130, "{output}");
    assert!(output.contains("killed by signal INT; nothing was changed"), "{output}");
    scene.assert_as_before("ended", "signal INT");
}

/// Waits for the end of the only run.
fn outcome(scene: &Scene) -> Value {
    wait_until("the run is over", || scene.run().is_some_and(|run| run["outcome"].is_string()));
    scene.run().unwrap()["outcome"].clone()
}

#[test]
fn a_detached_run_outlives_the_terminal_it_was_started_in() {
    let scene = Scene::new(1_500);
    let line =
        format!("\"$DREAMTOP\" --memory-dir \"$STORE\" --engine {} dream --force --detach; sleep 600", scene.engine());
    let mut terminal = Terminal::start(scene.home.shell(&line), 100, 30);
    let pid = scene.wait_for_touch();
    terminal.hang_up();
    // Also told in so many words, as shells do with their jobs.
    send(pid, Signal::HUP);
    assert_eq!(outcome(&scene), "done");
    assert!(scene.home.read("user_role.md").contains("They always write Rust."));
}

#[test]
fn a_run_started_by_the_screen_outlives_it_when_its_terminal_closes() {
    let scene = Scene::new(1_500);
    let mut terminal = Terminal::open(&scene.home, &["--engine", &scene.engine()]);
    start(&mut terminal);
    scene.wait_for_touch();
    terminal.hang_up();
    assert_eq!(outcome(&scene), "done");
}
