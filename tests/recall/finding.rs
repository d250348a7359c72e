//! `find`: memories and transcripts, escapes, credentials, exit codes.

use dreamtop::recall::find::Finder;
use dreamtop::recall::find::hunt::MOST_A_FILE;
use serde_json::Value;

use crate::common::Machine;

fn find(machine: &Machine, arguments: &[&str]) -> (i32, Value) {
    let mut all = vec!["--json", "find"];
    all.extend(arguments);
    let answer = machine.run(&all);
    (answer.code(), answer.json())
}

fn texts(answer: &Value) -> Vec<&str> {
    answer["hits"].as_array().unwrap().iter().map(|hit| hit["text"].as_str().unwrap()).collect()
}

/// Memories of one store, and a transcript beside it with these texts.
fn machine(memory: &str, said: &[&str]) -> Machine {
    let machine = Machine::new();
    machine.write("memory/project_note.md", memory);
    let lines: Vec<String> = said
        .iter()
        .map(|text| {
            serde_json::json!({"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": text}}).to_string()
        })
        .collect();
    machine.write("sessions/s.jsonl", lines.join("\n") + "\n");
    machine
}

fn places(machine: &Machine) -> [String; 4] {
    let place = |name: &str| machine.path(name).to_string_lossy().into_owned();
    ["--memory-dir".to_owned(), place("memory"), "--sessions".to_owned(), place("sessions")]
}

#[test]
fn lines_of_memories_and_sessions_are_found_with_their_place() {
    let machine = machine("first\nThe Kestrel flies\n", &["nothing", "a kestrel\nsits here"]);
    let places = places(&machine);
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let (code, answer) = find(&machine, &[&["kestrel"], &places[..]].concat());
    assert_eq!((code, texts(&answer)), (0, vec!["The Kestrel flies", "a kestrel"]), "{answer:#}");
    assert_eq!((answer["hits"][0]["line"].as_u64(), answer["hits"][1]["line"].as_u64()), (Some(2), Some(2)));
    let (_, answer) = find(&machine, &[&["Kestrel"], &places[..]].concat());
    assert_eq!(texts(&answer), ["The Kestrel flies"], "a capital is meant");
    let (_, answer) = find(&machine, &[&["kestrel"], &places[..2]].concat());
    assert_eq!(texts(&answer).len(), 1, "sessions only when asked for");
    let (code, answer) = find(&machine, &[&["ostrich"], &places[..]].concat());
    assert_eq!((code, texts(&answer)), (1, vec![]));
    assert_eq!(machine.run(&["find", "(", "--memory-dir", places[1]]).code(), 2);
    assert_eq!(machine.run(&["find", "--memory-dir", places[1]]).code(), 2);
}

#[test]
fn text_is_found_however_json_escapes_it_and_keys_are_no_text() {
    let machine = machine("x\n", &[r#"say "hi" to C:\Users\me"#, "tab\there", "größe 日本 a/b", "the end"]);
    let places = places(&machine);
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    for (pattern, expected) in [
        (r#"say "hi""#, 1),
        (r"C:\\Users\\me", 1),
        (r"tab\s+here", 1),
        ("größe", 1),
        ("日本", 1),
        ("a/b", 1),
        ("^the end$", 1),
        (r"\\n", 0),
        ("sessionId", 0),
        ("uuid", 0),
    ] {
        let (_, answer) = find(&machine, &[&[pattern], &places[..]].concat());
        assert_eq!(texts(&answer).len(), expected, "{pattern}: {answer:#}");
    }
}

#[test]
fn a_hit_shows_no_credential_and_nothing_that_a_terminal_obeys() {
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let long = format!("{} deploy with {token} now \u{1b}]0;title\u{7}", "word ".repeat(200));
    let machine = machine(&format!("deploy {token}\n"), &[&long]);
    let places = places(&machine);
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let answer = machine.run(&[&["find", "deploy"], &places[..]].concat());
    assert_eq!(answer.out().lines().count(), 2, "{}", answer.out());
    assert!(!answer.out().contains("ghp_") && !answer.out().contains('\u{1b}'), "{}", answer.out());
    assert!(find(&machine, &[&["deploy"], &places[..]].concat()).1.to_string().len() < 2_000, "a long line is cut");
}

#[test]
fn the_word_after_a_bare_sessions_flag_is_the_pattern() {
    let machine = Machine::with_sample();
    let project = machine.path("checkouts/acme-api");
    let project = ["--project", project.to_str().unwrap()];
    let count = |arguments: &[&str]| texts(&find(&machine, &[arguments, &project[..]].concat()).1).len();
    let (memories, both) = (count(&["database"]), count(&["database", "--sessions"]));
    assert!(memories > 0 && both > memories, "{memories} {both}");
    assert_eq!(count(&["--sessions", "database"]), both);
    assert!(count(&["database", "--all", "--sessions"]) >= both);
    assert_eq!(machine.run(&["ls", "--sessions"]).code(), 2, "everywhere else it needs its directory");
}

#[test]
fn fc_076_find_all_names_the_copies_of_a_memory_with_the_first_and_a_link_is_none() {
    let machine = Machine::new();
    for folder in 0..8 {
        for file in ["a", "b", "c", "d", "e"] {
            let text = format!("---\nname: {file}\ntype: reference\n---\n\nThe harpsichord tuning table {file}.\n");
            machine.write(&format!("claude/projects/-srv-historic-{folder}/memory/reference_{file}.md"), text);
        }
    }
    #[cfg(unix)]
    {
        let store = machine.path("claude/projects/-srv-historic-0/memory");
        std::os::unix::fs::symlink(store.join("reference_a.md"), store.join("reference_z.md")).unwrap();
    }
    let (code, answer) = find(&machine, &["harpsichord", "--all"]);
    let hits = answer["hits"].as_array().unwrap();
    assert_eq!((code, hits.len()), (0, 5), "{answer:#}");
    assert!(hits.iter().all(|hit| hit["copies"].as_array().unwrap().len() == 7), "{answer:#}");
    let lines = machine.run(&["find", "harpsichord", "--all"]).out();
    assert_eq!(lines.matches("the same in 7 other places").count(), 5, "{lines}");
}

/// Transcripts of which every third has a hit.
fn transcripts(dir: &std::path::Path, count: usize) -> Vec<std::path::PathBuf> {
    let lay = |number: usize| {
        let path = dir.join(format!("{number:03}.jsonl"));
        let word = if number.is_multiple_of(3) { "a kestrel" } else { "a heron" };
        let line = serde_json::json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": word}});
        std::fs::write(&path, format!("{line}\n").repeat(1 + number % 2)).unwrap();
        path
    };
    (0..count).map(lay).collect()
}

#[test]
fn a_hunt_tells_files_in_the_order_they_were_given_in_and_counts_what_it_searched() {
    let dir = tempfile::tempdir().unwrap();
    let mut files = transcripts(dir.path(), 60);
    files.reverse();
    files.push(dir.path().join("gone.jsonl"));
    let (mut found, mut searched, mut skipped) = (Vec::new(), 0, 0);
    Finder::literal("KESTREL".to_lowercase().as_str()).unwrap().hunt(&files, &|| false, &mut |catch| {
        searched += catch.searched;
        skipped += catch.skipped.len();
        found.extend(catch.files.into_iter().map(|file| file.path));
    });
    let expected: Vec<_> = (0..60)
        .rev()
        .filter(|number| number % 3 == 0)
        .map(|number| dir.path().join(format!("{number:03}.jsonl")))
        .collect();
    assert_eq!((found, searched, skipped), (expected, 61, 1));
}

#[test]
fn a_hunt_nobody_wants_any_more_ends_also_in_the_middle_of_a_file_and_tells_nothing_more() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("large.jsonl");
    std::fs::write(&path, "{\"type\":\"x\"}\n".repeat(400_000)).unwrap();
    let asked = AtomicUsize::new(0);
    let is_over = || asked.fetch_add(1, Ordering::Relaxed) > 3;
    let mut told = 0;
    Finder::literal("kestrel").unwrap().hunt(&[path], &is_over, &mut |_| told += 1);
    assert_eq!(told, 0);
    assert!(asked.load(Ordering::Relaxed) < 60, "it was read to its end");
}

#[test]
fn one_file_gives_so_many_hits_and_says_that_there_are_more() {
    let dir = tempfile::tempdir().unwrap();
    let lay = |name: &str, count: usize| {
        let line =
            serde_json::json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": "a kestrel"}});
        let path = dir.path().join(name);
        std::fs::write(&path, format!("{line}\n").repeat(count)).unwrap();
        path
    };
    let files = [lay("a.jsonl", MOST_A_FILE), lay("b.jsonl", MOST_A_FILE + 1)];
    let mut told = Vec::new();
    Finder::literal("kestrel").unwrap().hunt(&files, &|| false, &mut |catch| {
        told.extend(catch.files.into_iter().map(|file| (file.hits.len(), file.has_more)));
    });
    assert_eq!(told, [(MOST_A_FILE, false), (MOST_A_FILE, true)]);
}

#[test]
fn the_nearest_line_with_a_text_is_found_below_and_above() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let said = |text: &str| {
        serde_json::json!({"type": "user", "uuid": text, "message": {"role": "user", "content": text}}).to_string()
    };
    std::fs::write(&path, ["one (x)", "two", "three (x)", "four", "five (x)"].map(said).join("\n")).unwrap();
    let finder = Finder::literal("(x)").unwrap();
    let near = |line, is_down| finder.next_line(&path, line, is_down);
    assert_eq!([near(0, true), near(1, true), near(4, true), near(5, true)], [Some(1), Some(3), Some(5), None]);
    assert_eq!([near(9, false), near(5, false), near(2, false), near(1, false)], [Some(5), Some(3), Some(1), None]);
}
