//! Field cases of dreams and of ages, through the binary.

use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::common::{Machine, contents};
use crate::label::{self, Label};
use crate::layout::{LaidOut, lay_out};

/// A labelled store, by name.
fn labelled(name: &str) -> Label {
    label::load().into_iter().find(|label| label.name == name).unwrap_or_else(|| panic!("no store {name}"))
}

/// A store from YAML.
fn store(yaml: &str) -> LaidOut {
    let mut label: Label = serde_yaml::from_str(yaml).unwrap();
    label.name = "case".to_owned();
    lay_out(&label)
}

fn of_code(answer: &Value, code: &str) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    answer["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|finding| finding["code"] == code)
        .map(|finding| (text(&finding["file"]), text(&finding["evidence"])))
        .collect()
}

#[test]
fn fc_068_four_memories_that_say_the_same_are_one_group_and_one_memory_after_a_dream() {
    let label = labelled("dup-four-of-one-lesson");
    let members: Vec<String> = label.files.keys().cloned().collect();
    let place = lay_out(&label);
    let found = of_code(&place.json(&["check"]), "duplicate");
    assert_eq!(found.len(), 4, "{found:?}");
    for (file, partners) in &found {
        let others: Vec<&str> = partners.split(", ").collect();
        assert!(members.iter().all(|member| member == file || others.contains(&member.as_str())), "{file}: {partners}");
    }
    place.json(&["dream", "--force"]);
    let left: Vec<&String> = members.iter().filter(|member| place.store.join(member).exists()).collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(of_code(&place.json(&["check"]), "duplicate"), []);
}

const OPPOSITE: &str = "
neighbours: en
files:
  project_cache_on.md:
    modified: 2026-09-01
    type: project
    description: The page cache is enabled for guests
    body: |
      The page cache is enabled for guests.
  project_cache_off.md:
    modified: 2026-11-29
    type: project
    description: The page cache is disabled for guests
    body: |
      The page cache is disabled for guests.
";

#[test]
fn fc_081_opposite_values_are_shown_as_a_pair_and_stay_without_a_cue() {
    let place = store(OPPOSITE);
    let before = contents(&place.store);
    let found = of_code(&place.json(&["check"]), "conflict");
    let pair = |file: &str, other: &str| (file.to_owned(), other.to_owned());
    assert_eq!(
        found,
        [pair("project_cache_off.md", "project_cache_on.md"), pair("project_cache_on.md", "project_cache_off.md")]
    );
    place.json(&["dream", "--force"]);
    assert_eq!(contents(&place.store), before, "nothing says which one holds");
}

#[test]
fn fc_081_with_a_cue_the_newer_stays_active_and_the_older_is_in_history() {
    let place = store(&OPPOSITE.replace("is disabled for guests.", "is no longer enabled for guests, it is disabled."));
    let dream = place.json(&["dream", "--force"]);
    assert!(!place.store.join("project_cache_on.md").exists() && place.store.join("project_cache_off.md").exists());
    assert_eq!(of_code(&place.json(&["check"]), "conflict"), []);
    let history = place.json(&["history"]);
    let files = history["history"][0]["files"].to_string();
    assert!(files.contains("project_cache_on.md") && files.contains("superseded by project_cache_off.md"), "{files}");
    place.json(&["undo", dream["history"].as_str().unwrap()]);
    assert!(place.store.join("project_cache_on.md").exists());
}

#[test]
fn fc_043_sessions_of_our_own_runs_are_neither_counted_nor_read() {
    let mut label = labelled("ses-retraction-yarn");
    let said = label.sessions.remove(0);
    label.sessions = vec![said; 7];
    let place = lay_out(&label);
    let project = place.store.parent().unwrap();
    for number in 0..5 {
        let path = project.join(format!("00000000-0000-4000-8000-{number:012}.jsonl"));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"version\":", "\"entrypoint\":\"sdk-cli\",\"version\":")).unwrap();
    }
    let gates = place.json(&["gates"]);
    let sessions = gates["dream"].as_array().unwrap().iter().find(|gate| gate["gate"] == "sessions").unwrap();
    assert!(sessions["short"].to_string().contains("2/5"), "{sessions}");
    let dream = place.json(&["dream", "--force"]);
    assert_eq!(dream["sessions"].as_array().map(Vec::len), Some(2), "{dream}");
}

#[test]
fn fc_050_a_session_of_60_megabytes_is_read_with_the_four_others() {
    let mut label = labelled("ses-retraction-yarn");
    let said = label.sessions.remove(0);
    label.sessions = vec![said; 5];
    for session in label.sessions.iter_mut().take(4) {
        session.turns = vec![[("user".to_owned(), "Show me the form again.".to_owned())].into()];
    }
    let place = lay_out(&label);
    let path = place.store.parent().unwrap().join("00000000-0000-4000-8000-000000000004.jsonl");
    let said = fs::read_to_string(&path).unwrap();
    let output = serde_json::json!({
        "type": "user", "uuid": "u", "sessionId": "00000000-0000-4000-8000-000000000004", "cwd": place.checkout,
        "timestamp": "2026-11-26T09:00:00.000Z",
        "message": { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "t", "content": "x".repeat(60_000) }] },
    })
    .to_string();
    let mut file = std::io::BufWriter::new(fs::File::create(&path).unwrap());
    for _ in 0..1_000 {
        writeln!(file, "{output}").unwrap();
    }
    file.write_all(said.as_bytes()).unwrap();
    drop(file);
    assert!(fs::metadata(&path).unwrap().len() > 60_000_000);
    let dream = place.json(&["dream", "--force"]);
    assert_eq!(
        (dream["outcome"].as_str(), dream["sessions"].as_array().map(Vec::len)),
        (Some("done"), Some(5)),
        "{dream}"
    );
    let text = fs::read_to_string(place.store.join("feedback_use_yarn.md")).unwrap();
    assert!(text.contains("pnpm"), "what stands at its end was read: {text}");
}

#[test]
fn fc_042_raw_lines_of_a_pipeline_become_neither_memories_nor_index_lines() {
    let place = lay_out(&labelled("healthy-english"));
    let before = contents(&place.store);
    let memory = |name: &str, body: &str| {
        serde_json::json!({"tool": "Write", "input": {
            "file_path": format!("reference_{name}.md"),
            "content": format!("---\nname: {name}\ndescription: \"x\"\nmetadata:\n  type: reference\n---\n\n{body}\n"),
        }})
    };
    let index = fs::read_to_string(place.store.join("MEMORY.md")).unwrap();
    let steps = [
        memory("command", "$ cargo build --release"),
        memory("heading", "## Candidates"),
        memory("score", "Deploys go out on Fridays [score=0.85]"),
        memory("line", "{\"type\":\"user\",\"uuid\":\"1\",\"message\":{}}"),
        serde_json::json!({"tool": "Write", "input": {
            "file_path": "MEMORY.md",
            "content": format!("{index}- $ cargo build --release\n- Deploys [score=0.85]\n"),
        }}),
    ];
    let script: String = steps.iter().map(|step| format!("{step}\n")).collect();
    let path = place.machine.write("script.jsonl", script);
    let run = place.json(&["--engine", &format!("script:{}", path.display()), "dream", "--force"]);
    assert_eq!(contents(&place.store), before);
    let held = run["held"].to_string();
    for file in ["reference_command.md", "reference_heading.md", "reference_score.md", "reference_line.md", "MEMORY.md"]
    {
        assert!(held.contains(file), "{file}: {run}");
    }
}

fn rows(machine: &Machine, store: &std::path::Path) -> Vec<Value> {
    let answer = machine.run(&["--json", "--memory-dir", store.to_str().unwrap(), "ls"]).json();
    answer["memories"].as_array().unwrap().clone()
}

#[test]
fn fc_077_files_restored_in_one_minute_are_as_old_as_they_say_and_undated_ones_of_unknown_age() {
    let machine = Machine::new();
    for number in 0..50 {
        let date = if number < 25 { "  modified: 2026-06-01T09:00:00.000Z\n" } else { "" };
        let text =
            format!("---\nname: n{number}\nmetadata:\n  type: reference\n{date}---\n\nShelf {number} is full.\n");
        machine.write(&format!("memory/reference_{number}.md"), text);
    }
    let rows = rows(&machine, &machine.path("memory"));
    assert_eq!(rows.len(), 50);
    for row in rows {
        let number: usize = row["file"].as_str().unwrap()[10..].trim_end_matches(".md").parse().unwrap();
        assert_eq!(row["age_days"], if number < 25 { Value::from(182) } else { Value::Null }, "{row}");
    }
}

#[test]
fn fc_079_looking_at_a_memory_changes_neither_its_age_nor_its_time() {
    let place = lay_out(&labelled("healthy-english"));
    let before = crate::common::picture(&place.store);
    let ages =
        || -> Vec<Value> { rows(&place.machine, &place.store).iter().map(|row| row["age_days"].clone()).collect() };
    let first = ages();
    for _ in 0..20 {
        place.json(&["show", "user_keyboard_layout.md"]);
    }
    assert_eq!(ages(), first);
    assert_eq!(crate::common::picture(&place.store), before);
}

/// Two memories that say these two things, the second later.
fn two(one: &str, other: &str) -> LaidOut {
    let memory = |name: &str, day: &str, fact: &str| {
        format!(
            "  project_{name}.md:\n    modified: {day}\n    type: project\n    description: \"{fact}\"\n    body: |\n      {fact}\n"
        )
    };
    store(&format!(
        "neighbours: en\nfiles:\n{}{}",
        memory("one", "2026-09-01", one),
        memory("other", "2026-11-29", other)
    ))
}

#[test]
fn two_values_of_one_setting_are_a_conflict_in_chinese_and_after_a_verb_too() {
    for (one, other) in [
        ("网关的端口是 8081。", "网关端口为 8090。"),
        ("端口 8081。", "端口 8090。"),
        ("List endpoints return 50 rows.", "List endpoints return 100 rows."),
    ] {
        let found = of_code(&two(one, other).json(&["check"]), "conflict");
        let files: Vec<&str> = found.iter().map(|(file, _)| file.as_str()).collect();
        assert_eq!(files, ["project_one.md", "project_other.md"], "{one:?} / {other:?}");
    }
}

#[test]
fn values_that_both_hold_and_words_that_changed_places_stay_two_memories() {
    for (one, other) in [
        ("Anna does the code reviews on Tuesdays.", "Anna does the code reviews on Fridays too."),
        (
            "The nightly sync job copies all finished orders from the billing service to the archive service at 02:00 UTC.",
            "The nightly sync job copies all finished orders from the archive service to the billing service at 02:00 UTC.",
        ),
        (
            "Priya reviews every database migration that Marco writes for the ledger before it is merged into main.",
            "Marco reviews every database migration that Priya writes for the ledger before it is merged into main.",
        ),
    ] {
        let place = two(one, other);
        let before = contents(&place.store);
        place.json(&["dream", "--force"]);
        assert_eq!(contents(&place.store), before, "{one:?} / {other:?}");
    }
}
