#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;

/// A Claude home with files about processes, by name.
fn home(files: &[(&str, String)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("sessions")).unwrap();
    for (name, text) in files {
        fs::write(dir.path().join("sessions").join(name), text).unwrap();
    }
    dir
}

fn own_start() -> String {
    let born = process::birth(std::process::id()).unwrap();
    born.split_once('@').map_or(born.clone(), |(ticks, _)| ticks.to_owned())
}

fn pids(files: &[(&str, String)]) -> Vec<u32> {
    sessions(home(files).path()).into_iter().map(|session| session.pid).collect()
}

#[test]
fn a_session_counts_while_its_own_process_is_alive_and_not_a_later_one_with_its_id() {
    let (pid, start) = (std::process::id(), own_start());
    let file = |extra: &str| format!(r#"{{"pid":{pid},"cwd":"/work/app"{extra}}}"#);
    let alive = file(&format!(r#","procStart":"{start}","status":"busy","startedAt":1796029200000"#));
    assert_eq!(pids(&[("1.json", alive.clone())]), [pid]);
    assert_eq!(pids(&[("1.json", file(r#","procStart":"1""#))]), [0_u32; 0], "the id was given out again");
    assert_eq!(pids(&[("1.json", file(""))]), [0_u32; 0], "an id alone proves nothing");
    assert_eq!(pids(&[("1.json", file(r#","procStart":"""#))]), [0_u32; 0]);
    assert_eq!(pids(&[("1.json", alive.clone()), ("pid-1.json", alive.clone())]), [pid], "each process once");
    let old = format!(r#"{{"session_id":"a","cwd":"/work/app","procStart":"{start}"}}"#);
    assert_eq!(pids(&[(&format!("pid-{pid}.json"), old)]), [pid], "the name says the id too");
    let session = sessions(home(&[("1.json", alive)]).path()).remove(0);
    assert!(session.is_busy && session.since.unwrap().to_rfc3339().starts_with("2026-11-30T"), "{session:?}");
}

#[test]
fn idle_and_waiting_sessions_are_not_at_work_and_others_are() {
    let start = own_start();
    for (status, is_busy) in [
        (r#""idle""#, false),
        (r#""waiting""#, false),
        (r#""busy""#, true),
        (r#""shell""#, true),
        ("7", true),
        ("null", true),
    ] {
        let pid = std::process::id();
        let text = format!(r#"{{"pid":{pid},"cwd":"/a","procStart":"{start}","status":{status}}}"#);
        assert_eq!(sessions(home(&[("1.json", text)]).path())[0].is_busy, is_busy, "{status}");
    }
}

#[test]
fn odd_files_and_a_missing_directory_are_stepped_over() {
    assert_eq!(sessions(Path::new("/nonexistent/claude")), vec![]);
    let start = own_start();
    for text in [
        "",
        "{",
        "[]",
        "null",
        "7",
        r#"{"pid":-1,"procStart":"1","cwd":"/"}"#,
        r#"{"pid":99999999999999,"procStart":"1","cwd":"/"}"#,
        r#"{"pid":"x","procStart":[],"cwd":7}"#,
    ] {
        assert_eq!(pids(&[("1.json", text.to_owned()), ("x.json", text.to_owned())]), [0_u32; 0], "{text}");
    }
    let no_place = format!(r#"{{"pid":{},"procStart":"{start}"}}"#, std::process::id());
    assert_eq!(pids(&[("1.json", no_place)]), [0_u32; 0], "without a place it is of no project");
    #[cfg(unix)]
    {
        let dir = home(&[]);
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("sessions/1.json")).status().unwrap();
        assert!(made.success());
        assert_eq!(sessions(dir.path()), vec![], "a named pipe is not waited for");
    }
}

#[test]
fn what_another_program_changed_right_after_a_landing_is_named() {
    use crate::change::{Change, Consent, Mtime, Op, Origin, Rationale};
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("memory")).unwrap();
    let store = Store::at(dir.path().join("memory"));
    let clock = crate::clock::Clock::Fixed(Utc.timestamp_opt(1_796_029_200, 0).unwrap());
    let door = Door::new(crate::state::StateDir::at(dir.path().join("state")), clock);
    let mut set = ChangeSet::new(Origin::Edit, "two");
    for file in ["a.md", "b.md"] {
        set.changes.push(Change {
            file: file.to_owned(),
            op: Op::Create,
            base: None,
            content: Some(b"---\nname: a\ndescription: \"d\"\ntype: project\n---\n\nText.\n".to_vec()),
            rationale: Rationale::default(),
            mtime: Mtime::Now,
        });
    }
    let landing = door.land(&store, &set, Consent::Person).unwrap();
    assert_eq!(changed_since(&door, &store, &landing), [""; 0]);
    fs::write(store.path("b.md"), "theirs").unwrap();
    assert_eq!(changed_since(&door, &store, &landing), ["b.md was changed by another program right after it landed"]);
}
