//! Disks that refuse: full, read-only, without locks. Nothing is lost, and it is said in words.

use super::mount::{Mount, fill};
use super::site::*;

/// The binary on a store, with its state at another place.
fn dreamtop(store: &Path, state: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dreamtop"));
    command.args(["--memory-dir", store.to_str().unwrap()]).args(arguments);
    command.env_clear().env("HOME", state).env("XDG_STATE_HOME", state).env("PATH", std::env::var_os("PATH").unwrap());
    command.current_dir(state).stdin(Stdio::null()).output().unwrap()
}

fn said(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn put_store(dir: &Path) -> PathBuf {
    let store = dir.join("memory");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("project_testing.md"), TOPIC).unwrap();
    fs::write(store.join("MEMORY.md"), INDEX).unwrap();
    store
}

fn pictured(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    super::common::contents(dir)
}

#[test]
fn a_full_disk_under_the_state_fails_the_run_in_words_and_changes_no_store() {
    let Some(mount) = Mount::tmpfs("64k") else { return };
    let place = tempfile::tempdir().unwrap();
    let store = put_store(place.path());
    let engine = format!("script:{}", place.path().join("script.jsonl").display());
    fs::write(place.path().join("script.jsonl"), format!("{}\n{}\n", improve(), because())).unwrap();
    let before = pictured(&store);
    fill(&mount.0);
    let run = dreamtop(&store, &mount.0, &["--engine", &engine, "dream", "--force"]);
    assert_eq!(run.status.code(), Some(5), "{}", said(&run));
    assert!(said(&run).contains("No space left"), "{}", said(&run));
    assert_eq!(pictured(&store), before);
    assert!(!store.join(LOCK_FILE).exists());
    assert_eq!(dreamtop(&store, &mount.0, &["ls"]).status.code(), Some(0), "looking still works");
    fs::remove_file(mount.0.join("junk")).unwrap();
    let runs = dreamtop(&store, &mount.0, &["runs"]);
    assert!(!said(&runs).contains("starting"), "no half a line stands for a run: {}", said(&runs));
    let again = dreamtop(&store, &mount.0, &["--engine", &engine, "dream", "--force"]);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
}

#[test]
fn a_full_disk_under_the_store_fails_the_run_in_words_and_leaves_lock_and_files_as_they_were() {
    let Some(mount) = Mount::tmpfs("64k") else { return };
    let state = tempfile::tempdir().unwrap();
    let store = put_store(&mount.0);
    fs::write(store.join(LOCK_FILE), "999999").unwrap();
    let long = json!({"tool": "Write", "input": {"file_path": "project_testing.md", "content": TOPIC.to_owned() + &"We test against a real database. ".repeat(700)}});
    let script = state.path().join("script.jsonl");
    fs::write(&script, format!("{long}\n{}\n", because())).unwrap();
    let engine = format!("script:{}", script.display());
    let before = pictured(&store);
    let lock_before = (fs::read(store.join(LOCK_FILE)).unwrap(), mtime(&store.join(LOCK_FILE)));
    fill(&mount.0);
    for _ in 0..2 {
        let run = dreamtop(&store, state.path(), &["--engine", &engine, "dream", "--force"]);
        assert_eq!(run.status.code(), Some(5), "{}", said(&run));
        let words = said(&run);
        assert!(words.contains("No space left") && words.contains("make room"), "{words}");
        assert!(words.contains(store.to_str().unwrap()) && !words.contains(".dreamtop-"), "{words}");
        assert_eq!(pictured(&store), before);
        assert_eq!((fs::read(store.join(LOCK_FILE)).unwrap(), mtime(&store.join(LOCK_FILE))), lock_before);
    }
    // Room for the lock, none for the change.
    fs::File::options().write(true).open(mount.0.join("junk")).unwrap().set_len(30_000).unwrap();
    let mut rest = fs::File::create(mount.0.join("rest")).unwrap();
    while fs2::available_space(&mount.0).unwrap() > 16_384 {
        std::io::Write::write_all(&mut rest, &[b'x'; 4_096]).unwrap();
    }
    let run = dreamtop(&store, state.path(), &["--engine", &engine, "dream", "--force"]);
    assert_eq!(run.status.code(), Some(5), "{}", said(&run));
    assert_eq!(pictured(&store), before);
    assert_eq!((fs::read(store.join(LOCK_FILE)).unwrap(), mtime(&store.join(LOCK_FILE))), lock_before);
    fs::remove_file(mount.0.join("junk")).unwrap();
    let again = dreamtop(&store, state.path(), &["--engine", &engine, "dream", "--force"]);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
}

#[test]
fn a_read_only_store_can_be_looked_at_and_a_dream_over_it_fails_in_words() {
    let Some(mount) = Mount::tmpfs("1m") else { return };
    let state = tempfile::tempdir().unwrap();
    let store = put_store(&mount.0);
    mount.read_only();
    let before = pictured(&store);
    for look in [&["ls"][..], &["show", "testing"], &["check"], &["gates"]] {
        let code = dreamtop(&store, state.path(), look).status.code();
        assert!(matches!(code, Some(0 | 1 | 4)), "{look:?}: {code:?}");
    }
    let gates = said(&dreamtop(&store, state.path(), &["gates"]));
    assert!(gates.contains("✗ lock") && gates.contains("cannot be written: Read-only file system"), "{gates}");
    let run = dreamtop(&store, state.path(), &["dream", "--force"]);
    assert_eq!(run.status.code(), Some(5), "{}", said(&run));
    let words = said(&run);
    assert!(words.contains("Read-only file system") && words.contains("make it writable to you"), "{words}");
    assert!(words.matches(store.to_str().unwrap()).count() == 1 && !words.contains("dreamtop-lock"), "{words}");
    assert_eq!(pictured(&store), before);
    let left: Vec<_> = fs::read_dir(state.path().join("dreamtop/runs"))
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_read_only_state_directory_lets_a_person_look_and_says_why_no_run_begins() {
    let Some(mount) = Mount::tmpfs("1m") else { return };
    let place = tempfile::tempdir().unwrap();
    let store = put_store(place.path());
    fs::create_dir(mount.0.join("dreamtop")).unwrap();
    mount.read_only();
    let before = pictured(&store);
    assert_eq!(dreamtop(&store, &mount.0, &["ls"]).status.code(), Some(0));
    let run = dreamtop(&store, &mount.0, &["dream", "--force"]);
    assert_eq!(run.status.code(), Some(5), "{}", said(&run));
    assert!(said(&run).contains("Read-only file system"), "{}", said(&run));
    assert_eq!(pictured(&store), before);
    assert!(!store.join(LOCK_FILE).exists());
    let doctor = dreamtop(&store, &mount.0, &["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(
        said(&doctor).contains("our state directory cannot be written: Read-only file system"),
        "{}",
        said(&doctor)
    );
}

#[test]
fn fc_037_where_the_system_has_no_locks_everything_works_and_a_run_says_so_once() {
    let place = tempfile::tempdir().unwrap();
    let store = put_store(place.path());
    let script = place.path().join("script.jsonl");
    fs::write(&script, format!("{}\n{}\n", improve(), because())).unwrap();
    let without_locks = |error: &str, arguments: &[&str]| {
        let inject = format!("inject=flock:error={error}");
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", &inject]);
        command.arg(env!("CARGO_BIN_EXE_dreamtop")).args(["--memory-dir", store.to_str().unwrap()]).args(arguments);
        command.env_clear().env("HOME", place.path()).env("XDG_STATE_HOME", place.path().join("state"));
        command.env("PATH", std::env::var_os("PATH").unwrap()).stdin(Stdio::null()).output()
    };
    for error in ["ENOLCK", "EOPNOTSUPP"] {
        fs::write(store.join("project_testing.md"), TOPIC).unwrap();
        let engine = format!("script:{}", script.display());
        let Ok(run) = without_locks(error, &["--engine", &engine, "--json", "dream", "--force"]) else {
            eprintln!("skipped: strace is not installed");
            return;
        };
        assert_eq!(run.status.code(), Some(0), "{error}: {}", said(&run));
        let run: Value = serde_json::from_slice(&run.stdout).unwrap();
        let notices: Vec<&str> = run["notices"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(notices.iter().filter(|notice| notice.contains("cannot be locked")).count(), 1, "{notices:?}");
        for (arguments, codes) in [(&["ls"][..], 0), (&["new", error, "-t", "user", "-b", "Yes."], 0), (&["gates"], 4)]
        {
            let output = without_locks(error, arguments).unwrap();
            assert_eq!(output.status.code(), Some(codes), "{error} {arguments:?}: {}", said(&output));
        }
    }
    let left = super::common::contents(&place.path().join("state"));
    let held: Vec<_> = left.keys().filter(|path| path.to_string_lossy().ends_with(".held")).collect();
    assert!(held.is_empty(), "{held:?}");
}

#[test]
fn where_no_run_could_be_kept_or_land_the_gates_are_closed_and_say_where_and_why() {
    let gate = |store: &Path, state: &Path| {
        let output = dreamtop(store, state, &["--json", "gates"]);
        assert_eq!(output.status.code(), Some(4), "{}", said(&output));
        let gates: Value = serde_json::from_slice(&output.stdout).unwrap();
        let lock = gates["dream"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((lock["gate"].as_str(), lock["passed"].as_bool()), (Some("lock"), Some(false)), "{gates:#}");
        assert!(!gates["why"]["dream"].as_str().unwrap().contains("All gates are open"), "{gates:#}");
        (lock["short"].as_str().unwrap().to_owned(), lock["detail"].as_str().unwrap().to_owned())
    };
    let place = tempfile::tempdir().unwrap();
    let local = put_store(place.path());
    let Some(full) = Mount::tmpfs("2m") else { return };
    let on_full = put_store(&full.0);
    fill(&full.0);
    for (store, state) in [(&local, full.0.as_path()), (&on_full, place.path())] {
        let (short, detail) = gate(store, state);
        assert!(
            short == "full" && detail.contains(full.0.to_str().unwrap()) && detail.contains("make room"),
            "{detail}"
        );
    }
    let Some(read_only) = Mount::tmpfs("2m") else { return };
    read_only.read_only();
    let (short, detail) = gate(&local, &read_only.0);
    assert!(short == "read-only" && detail.contains("XDG_STATE_HOME"), "{detail}");
    assert!(detail.contains(read_only.0.to_str().unwrap()), "{detail}");
}
