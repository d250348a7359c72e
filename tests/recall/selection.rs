//! A model's answer against what is there, and what happens without one.

use serde_json::Value;

use crate::common::Machine;

/// A machine with nine memories about payouts, and a script that answers with `turns`.
fn machine(turns: &str) -> Machine {
    let machine = Machine::new();
    for number in 1..=9 {
        let text = format!(
            "---\nname: payout-{number}\ndescription: \"Payout rule {number}\"\nmetadata:\n  type: feedback\n  modified: 2026-11-20T09:00:00.000Z\n---\n\nPayout rule number {number}.\n"
        );
        machine.write(&format!("memory/feedback_{number}.md"), text);
    }
    for number in 0..20 {
        let text =
            format!("---\nname: other-{number}\ndescription: \"The lamp in room {number}\"\n---\n\nText {number}.\n");
        machine.write(&format!("memory/project_{number}.md"), text);
    }
    machine.write("memory/MEMORY.md", "- [1](feedback_1.md) — payout\n");
    machine.write("outside.md", "payout");
    machine.write("script.jsonl", turns);
    machine
}

fn recall(machine: &Machine, more: &[&str]) -> (i32, Value) {
    let (store, script) = (machine.path("memory"), format!("script:{}", machine.path("script.jsonl").display()));
    let mut arguments =
        vec!["--json", "--engine", &script, "--memory-dir", store.to_str().unwrap(), "recall", "payout rules"];
    arguments.extend(more);
    let answer = machine.run(&arguments);
    (answer.code(), answer.json())
}

fn files(answer: &Value) -> Vec<String> {
    answer["memories"].as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap().to_owned()).collect()
}

fn says(files: &[&str]) -> String {
    let answer = serde_json::json!({ "selected": files }).to_string();
    serde_json::json!({ "text": answer }).to_string()
}

#[test]
fn fc_074_an_answer_is_checked_against_the_files_that_are_there() {
    let named = [
        "nowhere.md",
        "../outside.md",
        "../../x",
        "MEMORY.md",
        "FEEDBACK_1.md",
        "feedback_2.md",
        "feedback_2.md",
        "./feedback_3.md",
        "feedback_3.md",
        "feedback_4.md",
        "feedback_5.md",
        "feedback_6.md",
        "feedback_7.md",
        "feedback_8.md",
        "feedback_9.md",
        "feedback_1.md",
    ];
    let machine = machine(&says(&named));
    let (code, answer) = recall(&machine, &[]);
    let expected = ["feedback_2.md", "feedback_3.md", "feedback_4.md", "feedback_5.md", "feedback_6.md"];
    assert_eq!((code, files(&answer)), (0, expected.map(str::to_owned).to_vec()));
    assert!(answer["degraded"].is_null() && answer["selector"].as_str().unwrap().starts_with("script:"), "{answer:#}");
    let (_, shown) = recall(&machine, &["--shown", "feedback_2.md", "--prompt"]);
    assert!(!files(&shown).contains(&"feedback_2.md".to_owned()));
    assert!(shown["text"].as_str().unwrap().contains("Payout rule number 3."), "a chosen memory reaches the session");
}

#[test]
fn a_model_that_is_not_sure_gets_its_way() {
    let (code, answer) = recall(&machine(&says(&[])), &[]);
    assert_eq!((code, files(&answer)), (1, vec![]));
    assert!(answer["degraded"].is_null());
}

#[test]
fn fc_071_a_selector_that_fails_or_talks_leaves_the_ranking_and_says_so() {
    for turns in [
        r#"{"error":"overloaded"}"#.to_owned(),
        r#"{"text":"I would take the payout rules, I think."}"#.to_owned(),
        r#"{"text":"{\"selected\": \"feedback_1.md\"}"}"#.to_owned(),
        says(&["nowhere.md", "../../etc/passwd"]),
        String::new(),
    ] {
        let (code, answer) = recall(&machine(&turns), &[]);
        assert_eq!((code, files(&answer).len()), (0, 5), "{turns}: {answer:#}");
        assert_eq!(answer["selector"], "embedded");
        assert!(answer["degraded"].as_str().unwrap().starts_with("selected without the model: "), "{answer:#}");
    }
}

#[test]
fn fc_071_a_selector_that_does_not_answer_is_given_up_in_time() {
    let started = std::time::Instant::now();
    let (_, answer) = recall(&machine(&format!("{{\"delay_ms\":600000}}\n{}", says(&["feedback_1.md"]))), &[]);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    assert_eq!(files(&answer).len(), 5);
    assert!(answer["degraded"].as_str().unwrap().contains("did not answer within"), "{answer:#}");
}
