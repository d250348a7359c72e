//! `find`: memories and transcripts, escapes, credentials, exit codes.

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
