//! Killed in the middle, out of space, not allowed: every file is wholly old or wholly new afterwards.

use std::fs;
use std::time::Duration;

use dreamtop::change::{ChangeSet, Consent, DoorError, Origin};

use super::concurrent::{called_as_child, child};
use super::help::*;

const FILES: usize = 4;

fn generation(number: usize) -> String {
    memory("project", "a", &format!("Generation {number:06}. {}", "More text. ".repeat(400)))
}

/// All files and the index from one generation to the next, in one change set.
fn step(from: usize, to: usize) -> ChangeSet {
    let changes =
        (0..FILES).map(|file| replace(&format!("project_{file}.md"), &generation(from), &generation(to))).collect();
    let index = |number: usize| format!("# Generation {number:06}\n\n- [a](project_0.md) — {number:06}\n");
    with_index(set(Origin::Edit, changes), &index(from), &index(to))
}

fn number_in(text: &str) -> usize {
    let at = text.find("Generation ").unwrap() + "Generation ".len();
    text[at..at + 6].parse().unwrap()
}

#[test]
fn child_that_saves_for_ever() {
    let Some((place, from)) = called_as_child() else { return };
    let mut from: usize = from.parse().unwrap();
    loop {
        place.land(&step(from, from + 1), Consent::Person).unwrap();
        from += 1;
    }
}

#[test]
fn fc_024_killed_at_random_moments_every_file_is_wholly_old_or_wholly_new() {
    let place = Place::new();
    for file in 0..FILES {
        place.write(&format!("project_{file}.md"), &generation(0));
    }
    place.write("MEMORY.md", "# Generation 000000\n\n- [a](project_0.md) — 000000\n");
    let mut at = 0;
    let mut recovered = 0;
    // A small generator, so that a failing run can be repeated.
    let mut seed: u64 = 42;
    for round in 0..60 {
        let mut writer = child("crash::child_that_saves_for_ever", &place, &at.to_string());
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let begun = std::time::Instant::now();
        // Wait until it works, then a little longer.
        while begun.elapsed() < Duration::from_secs(10) && number_in(&place.read("project_0.md")) == at {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros((seed >> 33) % 12_000));
        writer.kill().unwrap();
        writer.wait().unwrap();

        recovered += usize::from(!place.door.recover(&place.store).unwrap().is_empty());
        assert_eq!(place.strays(), Vec::<String>::new(), "round {round}");
        let numbers: Vec<usize> =
            (0..FILES).map(|file| number_in(&place.read(&format!("project_{file}.md")))).collect();
        let now = numbers[0];
        assert!(now >= at, "round {round} went back from {at} to {now}");
        for file in 0..FILES {
            assert_eq!(place.read(&format!("project_{file}.md")), generation(now), "round {round}: {numbers:?}");
        }
        let index = place.read("MEMORY.md");
        assert_eq!(index, format!("# Generation {now:06}\n\n- [a](project_0.md) — {now:06}\n"), "round {round}");
        at = now;
    }
    // The history survived all of it, and the newest landing can be taken back.
    let history = place.door.history(&place.store).unwrap();
    place.door.undo(&place.store, &history[0].id).unwrap();
    assert_eq!(number_in(&place.read("project_2.md")), at - 1);
    assert!(at > 30, "the writer hardly wrote");
    assert!(recovered > 0, "no kill ever met a landing half-way; the test proves nothing");
}

#[cfg(unix)]
#[test]
fn child_without_space() {
    let Some((place, limit)) = called_as_child() else { return };
    // A limit on the size of files stands in for a full disk: writes fail, for root as well.
    let limit: u64 = limit.parse().unwrap();
    let maximum = rustix::process::Rlimit { current: Some(limit), maximum: Some(limit) };
    rustix::process::setrlimit(rustix::process::Resource::Fsize, maximum).unwrap();
    let mut small = replace("project_0.md", &generation(0), "small\n");
    small.mtime = dreamtop::change::Mtime::Now;
    let changes = vec![small, replace("project_1.md", &generation(0), &"x".repeat(200_000))];
    let error = place.land(&set(Origin::Edit, changes), Consent::Person).unwrap_err();
    assert!(matches!(error, DoorError::Io { .. }), "{error}");
    assert!(error.to_string().contains("nothing was changed"), "{error}");
}

#[cfg(unix)]
#[test]
fn fc_024_out_of_space_is_said_in_words_and_changes_nothing() {
    use std::os::unix::process::ExitStatusExt;
    let place = Place::new();
    for file in 0..FILES {
        place.write(&format!("project_{file}.md"), &generation(0));
    }
    let before = place.everything();
    // Room for nothing, for the journal only, for some of the files.
    for limit in [0, 700, 5_000, 20_000, 120_000] {
        let script = "trap '' XFSZ; exec \"$@\"";
        let status = std::process::Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "crash::child_without_space", "--test-threads=1"])
            .env("DOOR_TEST_CHILD", format!("{}\n{limit}", place.root.display()))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.signal(), None, "limit {limit}");
        assert_eq!(place.everything(), before, "limit {limit}");
        place.door.recover(&place.store).unwrap();
        assert_eq!(place.everything(), before, "limit {limit}");
        assert_eq!(place.door.history(&place.store).unwrap(), [], "limit {limit}");
    }
    place.land(&set(Origin::Edit, vec![replace("project_0.md", &generation(0), "small\n")]), Consent::Person).unwrap();
    assert_eq!(place.read("project_0.md"), "small\n");
}

#[test]
fn a_state_directory_that_cannot_be_written_is_said_and_changes_nothing() {
    let place = Place::new();
    place.write("a.md", "a\n");
    fs::write(place.root.join("state"), "a file where a directory should be").unwrap();
    let error = place.land(&set(Origin::Edit, vec![replace("a.md", "a\n", "b\n")]), Consent::Person).unwrap_err();
    assert!(error.to_string().contains("nothing was changed"), "{error}");
    assert_eq!(place.read("a.md"), "a\n");
}

#[test]
fn a_file_where_the_store_should_be_is_said() {
    let place = Place::new();
    fs::remove_dir(place.store.root()).unwrap();
    fs::write(place.store.root(), "not a directory").unwrap();
    let error = place.land(&set(Origin::Edit, vec![create("a.md", "a\n")]), Consent::Person).unwrap_err();
    assert!(matches!(error, DoorError::Io { .. }), "{error}");
}

/// The journal without its last line: as if the process had died before the done mark.
fn forget_the_end(place: &Place) {
    let stores = fs::read_dir(place.root.join("state/stores")).unwrap().next().unwrap().unwrap().path();
    let journal = stores.join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let (kept, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&journal, format!("{kept}\n{{\"sum\":\"torn")).unwrap();
}

#[test]
fn fc_060_a_crash_between_file_and_index_leaves_both_or_neither() {
    let place = Place::new();
    place.write("MEMORY.md", "- [a](a.md)\n");
    let wanted = with_index(
        set(Origin::Extract, vec![create("project_b.md", &memory("project", "b", "B."))]),
        "- [a](a.md)\n",
        "- [a](a.md)\n- [b](project_b.md)\n",
    );
    place.land(&wanted, Consent::None).unwrap();
    forget_the_end(&place);
    place.write("MEMORY.md", "- [a](a.md)\n");
    let said = place.door.recover(&place.store).unwrap();
    assert!(said[0].contains("taken back"), "{said:?}");
    assert!(!place.has("project_b.md"));
    assert_eq!(place.read("MEMORY.md"), "- [a](a.md)\n");
    assert!(place.door.history(&place.store).unwrap().is_empty());
    assert!(place.door.recover(&place.store).unwrap().is_empty(), "there is nothing left to do");
}

#[test]
fn a_crash_after_the_last_file_is_finished_not_reverted() {
    let place = Place::new();
    place.write("a.md", "a\n");
    place.land(&set(Origin::Edit, vec![replace("a.md", "a\n", "b\n")]), Consent::Person).unwrap();
    forget_the_end(&place);
    let said = place.door.recover(&place.store).unwrap();
    assert!(said[0].contains("complete"), "{said:?}");
    assert_eq!(place.read("a.md"), "b\n");
    assert_eq!(place.door.history(&place.store).unwrap().len(), 1);
}

#[test]
fn recovery_leaves_what_others_wrote_since_alone_and_restores_the_rest_with_its_time() {
    let place = Place::new();
    for file in ["a.md", "b.md", "c.md", "d.md"] {
        place.write(file, "old\n");
    }
    let times = ["a.md", "d.md"].map(|file| place.mtime(file));
    let changes = vec![
        replace("a.md", "old\n", "new\n"),
        replace("b.md", "old\n", "new\n"),
        replace("c.md", "old\n", "new\n"),
        remove("d.md", "old\n"),
        create("e.md", "new\n"),
    ];
    place.land(&set(Origin::Edit, changes), Consent::Person).unwrap();
    forget_the_end(&place);
    place.write("b.md", "by another program\n");
    place.write("c.md", "old\n");
    place.write(".dreamtop-20000101T000000-00000000-0.tmp", "stray of someone alive");
    let said = place.door.recover(&place.store).unwrap();
    assert!(said.iter().any(|line| line.contains("b.md") && line.contains("left alone")), "{said:?}");
    assert_eq!(
        ["a.md", "b.md", "c.md", "d.md"].map(|file| place.read(file)),
        ["old\n", "by another program\n", "old\n", "old\n"]
    );
    assert!(!place.has("e.md"));
    assert_eq!(["a.md", "d.md"].map(|file| place.mtime(file)), times);
    assert_eq!(place.strays().len(), 1, "a fresh temp file of another landing is not ours to remove");
    let path = place.path(".dreamtop-20000101T000000-00000000-0.tmp");
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(7_200);
    fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    assert!(place.door.recover(&place.store).unwrap()[0].contains("1 left-over temp file"));
    assert_eq!(place.strays(), Vec::<String>::new());
}

/// The kept copy of a content, in the state directory.
fn kept_copy(place: &Place, content: &str) -> std::path::PathBuf {
    let name = dreamtop::memory::ContentHash::of(content.as_bytes()).to_string();
    let stores = fs::read_dir(place.root.join("state/stores")).unwrap().next().unwrap().unwrap().path();
    stores.join("objects").join(&name[..2]).join(&name)
}

/// The names under which a landing laid aside what it displaced, by file.
fn temp_names(place: &Place) -> Vec<(String, String)> {
    let stores = fs::read_dir(place.root.join("state/stores")).unwrap().next().unwrap().unwrap().path();
    let journal = fs::read_to_string(stores.join("journal.jsonl")).unwrap();
    let begin: serde_json::Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let word = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let files = begin["record"]["files"].as_array().unwrap();
    files.iter().map(|planned| (word(&planned["file"]["file"]), word(&planned["temp"]))).collect()
}

#[test]
fn after_a_crash_a_file_whose_kept_copy_is_lost_stays_is_named_once_and_stops_no_later_landing() {
    let place = Place::new();
    for file in ["a.md", "b.md", "c.md", "d.md", "e.md"] {
        place.write(file, &format!("old {file}\n"));
    }
    let old = |file: &str| format!("old {file}\n");
    let changes = vec![
        replace("a.md", &old("a.md"), "new a\n"),
        replace("b.md", &old("b.md"), "new b\n"),
        replace("c.md", &old("c.md"), "new c\n"),
        remove("d.md", &old("d.md")),
        remove("e.md", &old("e.md")),
    ];
    place.land(&set(Origin::Edit, changes), Consent::Person).unwrap();
    forget_the_end(&place);
    place.write("c.md", &old("c.md"));
    // Lost, damaged, lost though what was displaced lies there still, and lost without it.
    fs::remove_file(kept_copy(&place, &old("a.md"))).unwrap();
    fs::write(kept_copy(&place, &old("b.md")), "damaged").unwrap();
    for file in ["d.md", "e.md"] {
        fs::remove_file(kept_copy(&place, &old(file))).unwrap();
    }
    let temp = temp_names(&place).into_iter().find(|(file, _)| file == "e.md").unwrap().1;
    place.write(&temp, &old("e.md"));

    let said = place.door.recover(&place.store).unwrap();
    for (file, what) in [("a.md", "it stays as"), ("b.md", "it stays as"), ("d.md", "it stays removed")] {
        let lines: Vec<&String> = said.iter().filter(|line| line.starts_with(file)).collect();
        assert!(lines.len() == 1 && lines[0].contains("lost") && lines[0].contains(what), "{file}: {said:?}");
    }
    assert!(!said.iter().any(|line| line.starts_with("c.md") || line.starts_with("e.md")), "{said:?}");
    let now = ["a.md", "b.md", "c.md", "e.md"].map(|file| place.read(file));
    assert_eq!(now, ["new a\n".to_owned(), "new b\n".to_owned(), old("c.md"), old("e.md")]);
    assert!(!place.has("d.md") && place.strays().is_empty());
    assert_eq!(place.door.recover(&place.store).unwrap(), Vec::<String>::new(), "it is said once");

    place.land(&set(Origin::Edit, vec![replace("a.md", "new a\n", "newer a\n")]), Consent::Person).unwrap();
    assert_eq!(place.read("a.md"), "newer a\n");
    let id = place.door.history(&place.store).unwrap()[0].id.clone();
    place.door.undo(&place.store, &id).unwrap();
    assert_eq!(place.read("a.md"), "new a\n");
}

#[test]
fn child_that_saves_once() {
    let Some((place, from)) = called_as_child() else { return };
    let from: usize = from.parse().unwrap();
    place.land(&step(from, from + 1), Consent::Person).unwrap();
}

/// Kills a landing at its first, second, third… call of each of these system calls, until it gets through. Returns how many
/// kills there were, how many landings were finished or taken back by the next start, and how many of the stores were torn.
#[cfg(target_os = "linux")]
fn killed_at_each(calls: &[&str]) -> (usize, usize, usize) {
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    let place = Place::new();
    for file in 0..FILES {
        place.write(&format!("project_{file}.md"), &generation(0));
    }
    place.write("MEMORY.md", "# Generation 000000\n\n- [a](project_0.md) — 000000\n");
    let (mut at, mut kills, mut recovered, mut torn) = (0, 0, 0, 0);
    for call in calls {
        for when in 1..2_000 {
            let status = Command::new("strace")
                .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")])
                .args(["-e", &format!("inject={call}:signal=SIGKILL:when={when}")])
                .arg(std::env::current_exe().unwrap())
                .args(["--exact", "crash::child_that_saves_once", "--test-threads=1"])
                .env("DOOR_TEST_CHILD", format!("{}\n{at}", place.root.display()))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap();
            let was_killed = status.signal() == Some(9) || status.code() == Some(137);
            assert!(was_killed || status.success(), "{call} {when}: {status}");
            kills += usize::from(was_killed);
            recovered += usize::from(!place.door.recover(&place.store).unwrap().is_empty());
            let now = number_in(&place.read("project_0.md"));
            let index = format!("# Generation {now:06}\n\n- [a](project_0.md) — {now:06}\n");
            let is_whole = (0..FILES).all(|file| place.read(&format!("project_{file}.md")) == generation(now))
                && place.read("MEMORY.md") == index
                && place.strays().is_empty()
                && (now == at || now == at + 1);
            torn += usize::from(!is_whole);
            at = now;
            if !was_killed {
                break;
            }
        }
    }
    // The history is whole: every landing in it can be taken back.
    let history = place.door.history(&place.store).unwrap();
    assert_eq!(history.len(), at, "one entry for each landing that is there");
    (kills, recovered, torn)
}

#[cfg(target_os = "linux")]
fn has_strace() -> bool {
    let quiet = |command: &mut std::process::Command| {
        command
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status()
            .is_ok_and(|it| it.success())
    };
    quiet(std::process::Command::new("strace").args(["-f", "-o", "/dev/null", "true"]))
}

/// Without `strace` the random kills above have to do.
#[cfg(target_os = "linux")]
#[test]
fn fc_024_killed_at_every_rename_removal_and_sync_of_a_landing_nothing_is_torn() {
    if !has_strace() {
        return;
    }
    let (kills, recovered, torn) = killed_at_each(&["renameat2", "unlinkat", "fsync"]);
    assert_eq!(torn, 0, "{kills} kills");
    assert!(kills > 10 && recovered > 0, "{kills} kills, {recovered} recovered: the test proves nothing");
}

/// The long version, for `docs/safety.md`.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes minutes; run it by name, see docs/safety.md"]
fn long_killed_at_every_system_call_of_a_landing() {
    assert!(has_strace(), "install strace");
    for call in
        ["openat", "openat2", "write", "fsync", "fdatasync", "renameat2", "rename", "unlinkat", "utimensat", "fchmod"]
    {
        let (kills, recovered, torn) = killed_at_each(&[call]);
        eprintln!("{call}: {kills} kills, {recovered} finished or taken back at the next start, {torn} torn");
        assert_eq!(torn, 0);
    }
}
