//! Killed with `kill -9` at each step of a run: the store is as before or as after, never between, and the next start puts
//! everything back.

use std::os::unix::process::ExitStatusExt;

use super::site::*;

const BEFORE: &str = "We test against a real database.";
const AFTER: &str = "We test against *a real database*.";

/// What the store is after a run was killed and the next start looked.
#[derive(Debug, PartialEq)]
enum Found {
    Before,
    After,
}

struct Crash {
    site: Site,
    engine: String,
    age: DateTime<Utc>,
}

impl Crash {
    fn new(script: &[Value]) -> Self {
        let site = Site::new();
        let engine = site.script(script);
        let crash = Self { age: "2026-04-08T05:00:00Z".parse().unwrap(), engine, site };
        crash.reset();
        crash
    }

    /// The store as before, with the lock of a dream long ago.
    fn reset(&self) {
        fs::write(self.site.store().join("project_testing.md"), TOPIC).unwrap();
        fs::write(self.site.lock(), "999999").unwrap();
        set_mtime(&self.site.lock(), self.age);
    }

    fn dreamtop(&self, before: &[&str], arguments: &[&str]) -> Command {
        let mut words = before.to_vec();
        words.push(env!("CARGO_BIN_EXE_dreamtop"));
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["--memory-dir", self.site.store().to_str().unwrap()]).args(arguments);
        command.env_clear().current_dir(&self.site.dir).env("PATH", std::env::var_os("PATH").unwrap());
        command.env("HOME", &self.site.dir).env("XDG_STATE_HOME", self.site.dir.join("home"));
        command.env("DREAMTOP_NOW", now().to_rfc3339()).stdin(Stdio::null());
        command
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.dreamtop(&[], &[&["--json"], arguments].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or(Value::Null)
    }

    fn state(&self) -> PathBuf {
        self.site.dir.join("home/dreamtop")
    }

    /// Looks after a kill: the next start, by whatever command, has put everything back.
    fn look(&self, what: &str) -> Found {
        let runs = self.json(&["runs"]);
        let topic = fs::read_to_string(self.site.store().join("project_testing.md")).unwrap();
        let has_landed = topic.contains(AFTER);
        assert!(has_landed || topic == TOPIC && topic.contains(BEFORE), "{what}: {topic}");
        let names: Vec<String> = fs::read_dir(self.site.store())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !["MEMORY.md", "project_testing.md", LOCK_FILE].contains(&name.as_str()))
            .collect();
        assert_eq!(names, [""; 0], "{what}: nothing is left in the store");
        let lock = (fs::read_to_string(self.site.lock()).ok(), mtime(&self.site.lock()));
        let is_done = runs["runs"].as_array().is_some_and(|runs| runs.iter().any(|run| run["outcome"] == "done"));
        if !is_done {
            // Succeeded or not is decided in one step: until then the schedule is as it was.
            let as_before = (Some("999999".to_owned()), self.age);
            let is_released = lock.1 == now() && has_landed;
            assert!(lock == as_before || is_released, "{what}: {lock:?}, {runs:#}");
        }
        for run in runs["runs"].as_array().unwrap_or(&Vec::new()) {
            assert!(run["outcome"].is_string() && run["status"] != "updating", "{what}: {run:#}");
            if run["status"] == "interrupted" {
                assert_eq!(run["killed_by"], "worker died", "{what}");
            }
        }
        let state = self.state().join("runs");
        let left: Vec<_> = fs::read_dir(&state).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        // A room that was just being made names nobody yet; such a one goes after a minute.
        let is_room = |path: &PathBuf| path.join("owner.json").exists() || path.join("work").exists();
        assert!(!left.iter().any(is_room), "{what}: {left:?}");
        if has_landed { Found::After } else { Found::Before }
    }

    /// Afterwards another dream runs to its end.
    fn assert_runnable(&self) {
        self.reset();
        let run = self.json(&["--engine", &self.engine, "dream", "--force"]);
        assert_eq!(run["outcome"], "done", "{run:#}");
        assert_eq!(mtime(&self.site.lock()), now());
    }
}

#[test]
fn killed_at_each_event_of_its_journal_a_run_has_changed_nothing_and_the_next_one_runs() {
    let pause = || json!({"delay_ms": 150});
    let script = [
        json!({"phase": "orient"}),
        json!({"text": "Looking."}),
        pause(),
        json!({"phase": "gather"}),
        json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}}),
        pause(),
        json!({"phase": "consolidate"}),
        improve(),
        because(),
        pause(),
        json!({"turn": [{"text": "Done soon."}, {"usage": {"input": 9, "output": 3}}]}),
        json!({"delay_ms": 400}),
        json!({"phase": "prune"}),
        json!({"text": "done"}),
    ];
    let mut met = std::collections::BTreeSet::new();
    for number in 1..=10 {
        let crash = Crash::new(&script);
        let mut child = crash.dreamtop(&[], &["--engine", &crash.engine, "dream", "--force", "--run", "dream-x"]);
        let mut child = Process(child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let journal = crash.state().join("runs/dream-x.jsonl");
        let events = || {
            let text = fs::read_to_string(&journal).unwrap_or_default();
            let event = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?["event"].as_str()?.to_owned());
            text.lines().filter_map(event).collect::<Vec<String>>()
        };
        let until = Instant::now() + Duration::from_secs(20);
        while events().len() < number && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.0.kill();
        child.0.wait().unwrap();
        met.extend(events().last().cloned());
        assert_eq!(crash.look(&format!("killed at event {number}, {:?}", events())), Found::Before);
        crash.assert_runnable();
    }
    assert!(met.len() >= 4, "only these were met: {met:?}");
}

fn has_strace() -> bool {
    let mut command = Command::new("strace");
    command.args(["-f", "-o", "/dev/null", "true"]).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Kills runs at the first, second, third… of each of these system calls, until they get through. How many kills there were,
/// and how many stores had the changes already.
fn killed_at_each(calls: &[&str]) -> (usize, usize) {
    let crash = Crash::new(&[improve(), because(), json!({"text": "done"})]);
    let (mut kills, mut landed) = (0, 0);
    for call in calls {
        for when in 1..2_000 {
            crash.reset();
            let (trace, inject) = (format!("trace={call}"), format!("inject={call}:signal=SIGKILL:when={when}"));
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
            let mut run = crash.dreamtop(&strace, &["--engine", &crash.engine, "--quiet", "dream", "--force"]);
            let status = run.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
            let was_killed = status.signal() == Some(9) || status.code() == Some(137);
            assert!(was_killed || status.success(), "{call} {when}: {status}");
            kills += usize::from(was_killed);
            let found = crash.look(&format!("{call} {when}"));
            landed += usize::from(was_killed && found == Found::After);
            let _ = fs::remove_dir_all(crash.state().join("runs"));
            if !was_killed {
                break;
            }
        }
    }
    crash.assert_runnable();
    (kills, landed)
}

/// Without `strace` the kills at events above have to do.
#[test]
fn killed_at_every_link_rename_and_change_of_time_a_run_leaves_store_lock_and_schedule_whole() {
    if !has_strace() {
        eprintln!("skipped: strace is not installed");
        return;
    }
    let (kills, landed) = killed_at_each(&["linkat", "rename", "renameat2", "utimensat", "unlink", "unlinkat"]);
    assert!(kills >= 12 && landed >= 1, "{kills} kills, {landed} landed: the test proves nothing");
}

/// An undo that was killed: whoever looks next finishes it or takes it back, and everybody says the same of it.
#[test]
fn killed_at_every_removal_rename_and_sync_an_undo_and_the_run_and_the_schedule_say_the_same() {
    if !has_strace() {
        eprintln!("skipped: strace is not installed");
        return;
    }
    let (mut kills, mut taken_back) = (0, 0);
    for call in ["unlink", "unlinkat", "rename", "renameat2", "fsync", "fdatasync", "utimensat"] {
        for when in 1..200 {
            let crash = Crash::new(&[improve(), because(), json!({"text": "done"})]);
            let run = crash.json(&["--engine", &crash.engine, "dream", "--force"])["run"].as_str().unwrap().to_owned();
            let (trace, inject) = (format!("trace={call}"), format!("inject={call}:signal=SIGKILL:when={when}"));
            let strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject];
            let status = crash.dreamtop(&strace, &["--quiet", "undo", &run]).stdout(Stdio::null()).status().unwrap();
            let was_killed = status.signal() == Some(9) || status.code() == Some(137);
            kills += usize::from(was_killed);
            let told = crash.json(&["runs"])["runs"][0]["undone_by"].is_string();
            let is_back = fs::read_to_string(crash.site.store().join("project_testing.md")).unwrap() == TOPIC;
            let time = crash.json(&["gates"])["dream"][1]["short"].as_str().unwrap().to_owned();
            let expected = if is_back { ("undone 0h", crash.age) } else { ("0h", now()) };
            assert_eq!((time.as_str(), mtime(&crash.site.lock())), expected, "{call} {when}");
            assert_eq!(told, is_back, "{call} {when}: the run says so as well");
            taken_back += usize::from(was_killed && is_back);
            let left = fs::read_dir(crash.state().join("runs")).unwrap().flatten().map(|entry| entry.path());
            let left: Vec<_> = left.filter(|path| path.extension().is_some_and(|end| end == "undoing")).collect();
            assert_eq!(left, Vec::<PathBuf>::new(), "{call} {when}");
            if !was_killed {
                break;
            }
        }
    }
    assert!(kills >= 12 && taken_back >= 4, "{kills} kills, {taken_back} taken back: the test proves nothing");
}

/// The long version, for `docs/safety.md`.
#[test]
#[ignore = "takes minutes; run it by name, see docs/safety.md"]
fn long_killed_at_every_system_call_of_a_run() {
    assert!(has_strace(), "install strace");
    for call in [
        "openat",
        "write",
        "fsync",
        "fdatasync",
        "linkat",
        "rename",
        "renameat2",
        "unlink",
        "unlinkat",
        "utimensat",
        "flock",
        "mkdir",
        "fchmod",
        "clone3",
    ] {
        let (kills, landed) = killed_at_each(&[call]);
        eprintln!("{call}: {kills} kills, {landed} after the changes had landed, 0 torn");
    }
}
