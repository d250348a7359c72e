//! `doctor`: what is out of order is named with its path and next step, and put in order once; a store is left alone.

use std::os::unix::fs::PermissionsExt;

use super::common::{Machine, picture};
use super::site::*;

const PROJECT: &str = "acme-api";

fn doctor(machine: &Machine, arguments: &[&str]) -> (i32, Value) {
    machine.json(PROJECT, &[&["doctor"], arguments].concat())
}

/// The checks that are not in order, as `check level fixed message path`.
fn open(answer: &Value) -> Vec<String> {
    let checks = answer["checks"].as_array().unwrap().iter();
    let text = |check: &Value, key: &str| check[key].as_str().unwrap_or_default().to_owned();
    checks
        .filter(|check| check["level"] != "ok")
        .map(|check| {
            let fixed = if check["fixed"] == true { "fixed" } else { "open" };
            format!(
                "{} {} {fixed}: {} {}",
                text(check, "check"),
                text(check, "level"),
                text(check, "message"),
                text(check, "path")
            )
        })
        .collect()
}

fn has(answer: &Value, words: &[&str]) -> bool {
    open(answer).iter().any(|line| words.iter().all(|word| line.contains(word)))
}

#[test]
fn where_everything_is_in_order_it_says_so_check_by_check_and_writes_nothing() {
    let machine = Machine::with_sample();
    for ran in [false, true] {
        if ran {
            machine.json(PROJECT, &["dream", "--force"]);
        }
        let before = picture(&machine.root());
        let (code, answer) = doctor(&machine, &[]);
        assert_eq!((code, open(&answer)), (0, Vec::new()), "{answer:#}");
        let names: Vec<&str> =
            answer["checks"].as_array().unwrap().iter().map(|check| check["check"].as_str().unwrap()).collect();
        for name in
            ["version", "config", "claude-home", "settings", "engine", "terminal", "state", "state-disk", "runs"]
        {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        for name in ["leftovers", "state-files", "store", "store-disk", "dreamers", "watcher"] {
            assert!(names.contains(&name), "{name} in {names:?}");
        }
        let after: Vec<_> =
            picture(&machine.root()).into_iter().filter(|(path, _)| !before.contains_key(path)).collect();
        assert!(after.iter().all(|(path, _)| path.ends_with("landing.lock")), "{after:?}");
        assert!(before.iter().all(|(path, found)| picture(&machine.root()).get(path) == Some(found)));
        let (code, answer) = doctor(&machine, &["--fix"]);
        assert_eq!((code, open(&answer)), (0, Vec::new()), "with nothing to repair: {answer:#}");
    }
}

#[test]
fn what_is_broken_is_named_repaired_once_and_nothing_is_lost_or_changed_in_the_store() {
    let machine = Machine::with_sample();
    machine.json(PROJECT, &["dream", "--force"]);
    let stores = machine.path("state/dreamtop/stores");
    let store_dir = fs::read_dir(stores).unwrap().flatten().next().unwrap().path();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&store_dir.join("dream.json"), 0o644);
    mode(&machine.path("state/dreamtop/log"), 0o755);
    fs::write(store_dir.join("guard.json"), "{\"pid\": 12").unwrap();
    fs::create_dir_all(store_dir.join("sessions")).unwrap();
    fs::write(store_dir.join("sessions/s.json"), "[1]").unwrap();
    // What every field has a default in, and what nobody can read as what it is named.
    fs::create_dir_all(store_dir.join("inbox")).unwrap();
    for empty in ["scan.json", "sessions/t.json", "inbox/20261101T090000-0badcafe.json"] {
        fs::write(store_dir.join(empty), "{}").unwrap();
        mode(&store_dir.join(empty), 0o600);
    }
    fs::write(machine.path("state/dreamtop/runs/dream-nothing.jsonl"), "{}\n".repeat(500)).unwrap();
    fs::write(machine.path("state/dreamtop/runs/dream-broken.jsonl"), b"\xff\xfe garbage\nand more\n").unwrap();
    fs::write(machine.path("state/dreamtop/runs/dream-gone.kill"), "{\"by\":\"screen\"}").unwrap();
    let stray = store_dir.join(".dreamtop-x1y2z3.tmp");
    fs::write(&stray, "half").unwrap();
    set_mtime(&stray, Utc::now() - TimeDelta::hours(3));
    for path in [&store_dir.join("guard.json"), &store_dir.join("sessions/s.json"), &stray] {
        mode(path, 0o600);
    }
    let store = machine.sample_store(PROJECT);
    let before = picture(&store);
    let (code, found) = doctor(&machine, &[]);
    assert_eq!(code, 1, "{found:#}");
    for words in [
        &["modes warn open", "other mode than 0600 and 0700"][..],
        &["state-files fail open", "guard.json"],
        &["state-files fail open", "s.json"],
        &["state-files fail open", "dream-broken.jsonl"],
        &["state-files fail open", "dream-nothing.jsonl"],
        &["state-files fail open", "scan.json: it says nothing"],
        &["state-files fail open", "t.json: it says nothing"],
        &["state-files fail open", "0badcafe.json: missing field"],
        &["leftovers warn open", "2 left-over files"],
    ] {
        assert!(has(&found, words), "{words:?} in {:#?}", open(&found));
    }
    assert!(
        found["checks"].as_array().unwrap().iter().all(|check| check["level"] == "ok" || check["next"].is_string())
    );
    assert!(stray.exists(), "without --fix nothing is done");
    let (code, fixed) = doctor(&machine, &["--fix"]);
    assert_eq!(code, 0, "{:#?}", open(&fixed));
    assert_eq!(open(&fixed).len(), open(&found).len(), "{:#?}", open(&fixed));
    assert!(has(&fixed, &["guard.json", "fixed", "set aside as guard.json.broken-20261130T090000Z and begun anew"]));
    assert_eq!(fs::read_to_string(store_dir.join("guard.json.broken-20261130T090000Z")).unwrap(), "{\"pid\": 12");
    assert_eq!(fs::metadata(store_dir.join("dream.json")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(machine.path("state/dreamtop/log")).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(!stray.exists());
    let (code, again) = doctor(&machine, &["--fix"]);
    assert_eq!((code, open(&again)), (0, Vec::new()), "a second time finds nothing");
    assert_eq!(picture(&store), before);
    let (_, run) = machine.json(PROJECT, &["dream", "--force"]);
    assert_eq!(run["outcome"], "done", "{run:#}");
}

#[test]
fn a_kept_copy_that_rotted_is_named_and_set_aside_and_nothing_puts_its_bytes_into_a_store() {
    let machine = Machine::with_sample();
    let before = fs::read(machine.sample_store(PROJECT).join("project_merge_freeze.md")).unwrap();
    machine.json(PROJECT, &["rm", "project_merge_freeze.md"]);
    let mut copies = Vec::new();
    for (path, _) in picture(&machine.path("state/dreamtop/stores")) {
        let path = machine.path("state/dreamtop/stores").join(path);
        if path.is_file() && fs::read(&path).unwrap() == before {
            copies.push(path);
        }
    }
    assert!(!copies.is_empty(), "the removed file is kept");
    for copy in &copies {
        // One letter of it is another, and its length is what it was.
        let mut rotten = before.clone();
        rotten[20] ^= 1;
        fs::set_permissions(copy, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(copy, rotten).unwrap();
    }
    let (code, found) = doctor(&machine, &[]);
    assert_eq!(code, 1);
    assert!(
        has(&found, &["state-files fail open", "is damaged; what it held cannot be put back"]),
        "{:#?}",
        open(&found)
    );
    machine.run(&["--project", "checkouts/acme-api", "undo"]);
    let path = machine.sample_store(PROJECT).join("project_merge_freeze.md");
    assert!(!path.exists() || fs::read(&path).unwrap() == before, "what rotted is never put back");
    assert_eq!(doctor(&machine, &["--fix"]).0, 0);
    assert!(copies.iter().all(|copy| !copy.exists()));
    assert_eq!(open(&doctor(&machine, &["--fix"]).1), Vec::<String>::new());
}

#[test]
fn what_lies_in_the_place_of_a_file_of_ours_and_is_none_stalls_nothing_is_named_and_set_aside() {
    let machine = Machine::with_sample();
    machine.json(PROJECT, &["dream", "--force"]);
    let stores = machine.path("state/dreamtop/stores");
    let store_dir = fs::read_dir(stores).unwrap().flatten().next().unwrap().path();
    let pipe = |path: &Path| {
        assert!(Command::new("mkfifo").args(["-m", "600"]).arg(path).status().unwrap().success());
    };
    let names = [
        "guard.lock",
        "landing.lock",
        "guard.json",
        "dream.json",
        "manifest.json",
        "journal.jsonl",
        "snoozed.json",
        "confirmed.json",
        "recall-use.json",
        "retention",
        "../../log/dreamtop.log",
        "../../log/records.jsonl",
    ];
    for what in ["a directory", "a link", "a pipe"] {
        for path in names.map(|name| store_dir.join(name)) {
            let _ = fs::remove_file(&path);
            match what {
                "a directory" => fs::create_dir(&path).unwrap(),
                "a link" => std::os::unix::fs::symlink("nowhere/at-all", &path).unwrap(),
                _ => pipe(&path),
            }
        }
        let (code, found) = doctor(&machine, &[]);
        assert_eq!(code, 1, "{what}: {found:#}");
        for name in names.map(|name| name.rsplit('/').next().unwrap()) {
            assert!(has(&found, &["state-files fail open", name, what]), "{name} {what}: {:#?}", open(&found));
        }
        // Whatever they say of it: they come back.
        for command in
            [&["ls"][..], &["show", "project_freeze.md"], &["history"], &["snooze", "no.md"], &["runs", "--stats"]]
        {
            machine.run(&[&["--project", "checkouts/acme-api"], command].concat());
        }
        let fixed = doctor(&machine, &["--fix"]);
        assert_eq!(fixed.0, 0, "{what}: {:#?}", open(&fixed.1));
        assert_eq!(open(&doctor(&machine, &["--fix"]).1), Vec::<String>::new(), "{what}: a second time");
        let (_, run) = machine.json(PROJECT, &["dream", "--force"]);
        assert_eq!(run["outcome"], "done", "{what}: {run:#}");
        let log = fs::read_dir(machine.path("state/dreamtop/log")).unwrap();
        for entry in fs::read_dir(&store_dir).unwrap().chain(log).flatten() {
            if entry.file_name().to_string_lossy().contains(".broken-") {
                fs::remove_dir(entry.path()).or_else(|_| fs::remove_file(entry.path())).unwrap();
            }
        }
    }
}

#[test]
fn garbage_in_the_record_of_what_landed_is_said_and_set_aside_and_what_can_be_read_stays_and_is_undone() {
    let machine = Machine::with_sample();
    let (_, made) = machine.json(PROJECT, &["new", "board", "--type", "reference", "--body", "It is INGEST."]);
    let first = made["history"].as_str().unwrap().to_owned();
    machine.json(PROJECT, &["new", "second", "--type", "reference", "--body", "It is OTHER."]);
    let stores = machine.path("state/dreamtop/stores");
    let dirs = fs::read_dir(stores).unwrap().flatten().map(|entry| entry.path());
    let journal = dirs.map(|dir| dir.join("journal.jsonl")).find(|path| path.is_file()).unwrap();
    let whole = fs::read_to_string(&journal).unwrap();
    let objects = picture(&journal.with_file_name("objects"));
    let lines: Vec<&str> = whole.lines().collect();
    let damaged = format!("{}\n{}\n\0garbage\nmore of it\n", lines[0], lines[1]);
    fs::write(&journal, &damaged).unwrap();
    let history = machine.run(&["--project", "checkouts/acme-api", "history"]);
    let say = history.out();
    assert_eq!(history.code(), 1, "{say}");
    assert!(say.contains("cannot be read from line 3 on (2 lines)") && say.contains("dreamtop doctor --fix"), "{say}");
    assert!(say.contains(&first) && !say.contains("nothing was changed"), "{say}");
    let (_, answer) = machine.json(PROJECT, &["history"]);
    assert_eq!((&answer["damaged"]["from_line"], &answer["damaged"]["to_the_end"]), (&json!(3), &json!(true)));
    // The day's clearing forgets nothing that the damaged lines may have needed.
    fs::write(journal.with_file_name("retention"), "2020-01-01T00:00:00Z").unwrap();
    let looked = machine.run(&["--project", "checkouts/acme-api", "ls"]);
    assert!(looked.err().contains("cannot be read from line 3 on"), "{}", looked.err());
    assert_eq!(picture(&journal.with_file_name("objects")), objects);
    let (code, found) = doctor(&machine, &[]);
    assert!(code == 1 && has(&found, &["state-files fail open", "2 lines from line 3 on"]), "{:#?}", open(&found));
    let (code, fixed) = doctor(&machine, &["--fix"]);
    assert!(code == 0 && has(&fixed, &["fixed", "journal.jsonl.broken-"]), "{:#?}", open(&fixed));
    let aside = journal.with_file_name("journal.jsonl.broken-20261130T090000Z");
    assert!(fs::read_to_string(aside).unwrap().starts_with(&damaged));
    assert_eq!(doctor(&machine, &[]).0, 0);
    let (_, answer) = machine.json(PROJECT, &["history"]);
    assert_eq!(answer["damaged"], Value::Null);
    assert!(answer["history"].as_array().unwrap().iter().any(|entry| entry["id"] == first.as_str()), "{answer:#}");
    assert_eq!(machine.json(PROJECT, &["undo", &first]).0, 0);
    // Nothing at all can be read.
    fs::write(&journal, "garbage\n").unwrap();
    let nothing = machine.run(&["--project", "checkouts/acme-api", "history"]);
    assert!(nothing.out().contains("from line 1 on") && !nothing.out().contains("nothing was"), "{}", nothing.out());
    assert_eq!(doctor(&machine, &["--fix"]).0, 0);
    assert_eq!(machine.json(PROJECT, &["new", "third", "--type", "reference", "--body", "It is THIRD."]).0, 0);
}

#[test]
fn a_run_that_died_and_the_lock_it_left_are_found_and_put_back() {
    let machine = Machine::with_sample();
    let store = machine.sample_store(PROJECT);
    let script = machine.write("slow.jsonl", "{\"phase\":\"orient\"}\n{\"delay_ms\":600000}\n{\"text\":\"late\"}\n");
    let engine = format!("script:{}", script.display());
    let before = picture(&store);
    let (_, started) = machine.json(PROJECT, &["--engine", &engine, "dream", "--force", "--detach"]);
    let pid = started["pid"].as_u64().unwrap().to_string();
    wait_until("the run works", || fs::read_to_string(store.join(LOCK_FILE)).is_ok_and(|text| text == pid));
    let run = machine.path(&format!("state/dreamtop/runs/{}/work", started["run"].as_str().unwrap()));
    wait_until("the run has its copy", || run.is_dir());
    assert!(Command::new("kill").args(["-KILL", &pid]).status().unwrap().success());
    wait_until("it is dead", || !is_alive(pid.parse().unwrap()));
    let (code, found) = doctor(&machine, &[]);
    assert_eq!(code, 1, "{found:#}");
    assert!(has(&found, &["runs warn open", "1 run without an end"]), "{:#?}", open(&found));
    assert!(has(&found, &["lock warn open"]), "{:#?}", open(&found));
    assert_ne!(picture(&store), before);
    let (code, fixed) = doctor(&machine, &["--fix"]);
    assert_eq!(code, 0, "{:#?}", open(&fixed));
    assert_eq!(picture(&store), before, "the lock is as it was before the run");
    let runs = machine.run(&["--json", "runs"]).json();
    assert_eq!(
        (&runs["runs"][0]["killed_by"], &runs["runs"][0]["status"]),
        (&json!("worker died"), &json!("interrupted"))
    );
    assert_eq!(doctor(&machine, &[]).0, 0);
}

#[test]
fn a_landing_that_was_cut_off_is_found_and_finished_through_the_door() {
    let machine = Machine::with_sample();
    machine.json(PROJECT, &["dream", "--force"]);
    let stores = machine.path("state/dreamtop/stores");
    let journal = fs::read_dir(stores).unwrap().flatten().next().unwrap().path().join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let (kept, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&journal, format!("{kept}\n")).unwrap();
    let (code, found) = doctor(&machine, &[]);
    assert!(code == 1 && has(&found, &["landing warn open", "cut off half-way"]), "{:#?}", open(&found));
    let (code, fixed) = doctor(&machine, &["--fix"]);
    assert!(code == 0 && has(&fixed, &["landing warn fixed"]), "{:#?}", open(&fixed));
    assert_eq!(doctor(&machine, &[]).0, 0);
}

#[test]
fn a_wrong_configuration_a_missing_engine_and_a_missing_home_are_told_by_it_when_nothing_else_can() {
    let machine = Machine::with_sample();
    let config = machine.write("config/dreamtop/config.yaml", "mouse: true\nengin: embedded\n");
    assert_eq!(machine.run(&["ls"]).code(), 2);
    let (code, found) = doctor(&machine, &[]);
    assert_eq!(code, 1);
    assert!(has(&found, &["config fail open", "config.yaml:2", "did you mean engine?"]), "{:#?}", open(&found));
    fs::write(&config, "engine: script:nowhere.jsonl\n").unwrap();
    assert!(has(&doctor(&machine, &[]).1, &["engine fail open", "nowhere.jsonl"]));
    fs::remove_file(config).unwrap();
    let homeless = Machine::new();
    let answer = homeless.run(&["--json", "doctor"]);
    assert_eq!(answer.code(), 1, "{}", answer.err());
    assert!(has(&answer.json(), &["claude-home warn open", "claude"]), "{:#?}", open(&answer.json()));
    let nothing = homeless.command().env_clear().args(["--json", "doctor"]).output().unwrap();
    assert_eq!(nothing.status.code(), Some(1), "{nothing:?}");
}

#[test]
fn state_of_a_later_version_is_left_alone_and_said() {
    let machine = Machine::with_sample();
    machine.json(PROJECT, &["dream", "--force"]);
    let stores = machine.path("state/dreamtop/stores");
    let dream = fs::read_dir(stores).unwrap().flatten().next().unwrap().path().join("dream.json");
    let later = "{\"format\":\"dreamtop/schedule/2\",\"success\":1}";
    fs::write(&dream, later).unwrap();
    let (code, found) = doctor(&machine, &["--fix"]);
    assert!(code == 1 && has(&found, &["state-files warn open", "dreamtop/schedule/2"]), "{:#?}", open(&found));
    assert_eq!(fs::read_to_string(dream).unwrap(), later);
}

#[test]
fn a_lock_from_the_future_and_a_paused_engine_are_named() {
    let machine = Machine::with_sample();
    let lock = machine.sample_store(PROJECT).join(LOCK_FILE);
    fs::write(&lock, "").unwrap();
    set_mtime(&lock, "2026-12-03T09:00:00Z".parse().unwrap());
    let script = machine.write("refuses.jsonl", "{\"error\":\"usage limit reached, try again in 90 minutes\"}\n");
    let engine = format!("script:{}", script.display());
    let (code, run) = machine.json(PROJECT, &["--engine", &engine, "dream", "--force"]);
    assert_eq!((code, run["outcome"].as_str()), (5, Some("failed")), "{run:#}");
    let (code, found) = doctor(&machine, &[]);
    assert_eq!(code, 1);
    assert!(has(&found, &["dreamers warn open", "dated in the future"]), "{:#?}", open(&found));
    assert!(has(&found, &["pauses warn open", "paused until 2026-11-30 10:30", "usage limit"]), "{:#?}", open(&found));
    let (_, gates) = machine.json(PROJECT, &["--engine", &engine, "gates"]);
    assert!(gates["dream"][2]["detail"].as_str().unwrap().contains("paused until"), "{gates:#}");
    assert_eq!((&gates["today"]["dream"]["runs"], &gates["today"]["day"]), (&json!(1), &json!("2026-11-30")));
}

#[test]
fn what_stands_where_a_kept_copy_should_be_is_said_and_set_aside_and_the_next_change_lands() {
    let machine = Machine::with_sample();
    machine.json(PROJECT, &["new", "board", "--type", "reference", "--body", "It is INGEST."]);
    let dirs = fs::read_dir(machine.path("state/dreamtop/stores")).unwrap().flatten().map(|entry| entry.path());
    let store_dir = dirs.into_iter().find(|path| path.join("objects").is_dir()).unwrap();
    let shelf = fs::read_dir(store_dir.join("objects")).unwrap().flatten().next().unwrap().path();
    let copy = fs::read_dir(&shelf).unwrap().flatten().next().unwrap().path();
    let short: String = copy.file_name().unwrap().to_string_lossy().chars().take(8).collect();
    for (what, broken) in [("a directory", &copy), ("a pipe", &copy), ("a link", &copy), ("a file", &shelf)] {
        let _ = fs::remove_file(broken).or_else(|_| fs::remove_dir_all(broken));
        match what {
            "a directory" => fs::create_dir(broken).unwrap(),
            "a link" => std::os::unix::fs::symlink("/nowhere", broken).unwrap(),
            "a file" => fs::write(broken, "x").unwrap(),
            _ => {
                let made = Command::new("mkfifo").arg(broken).status().unwrap();
                assert!(made.success());
            }
        }
        fs::set_permissions(&shelf, fs::Permissions::from_mode(if shelf.is_dir() { 0o700 } else { 0o600 })).unwrap();
        // The day's clearing goes round it.
        fs::write(store_dir.join("retention"), "2020-01-01T00:00:00Z").unwrap();
        machine.run(&["--project", "checkouts/acme-api", "ls"]);
        let (code, found) = doctor(&machine, &[]);
        assert_eq!(code, 1, "{what}: {found:#}");
        let name = if what == "a file" { "where copies are kept" } else { short.as_str() };
        assert!(has(&found, &["state-files fail open", name, what]), "{what}: {:#?}", open(&found));
        let (code, fixed) = doctor(&machine, &["--fix"]);
        assert!(code == 0 && has(&fixed, &["fixed", "set aside as"]), "{what}: {:#?}", open(&fixed));
        assert_eq!(doctor(&machine, &[]).0, 0, "{what}: a second time");
        fs::create_dir_all(&shelf).unwrap();
        let (code, _) = machine.json(
            PROJECT,
            &["new", &format!("board {}", what.replace(' ', "")), "--type", "reference", "--body", what],
        );
        assert_eq!(code, 0, "{what}");
        for entry in fs::read_dir(&store_dir).unwrap().flatten() {
            if entry.file_name().to_string_lossy().contains(".broken-") {
                fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path())).unwrap();
            }
        }
    }
}
