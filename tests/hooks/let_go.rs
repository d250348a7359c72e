//! What a person removed, undid or rejected is not stored again from the same words, by whatever way they are read again; said
//! anew it is.

use std::collections::BTreeSet;
use std::fs;

use chrono::TimeDelta;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::drive::{Desk, Session, copy_of};

const ICONS: &str = "Always export icons as SVG.";
const BILLING: &str = "Priya owns the billing service.";
const APART: &str = "Questions about the schema go to #data-platform.";

fn said(desk: &Desk, words: &str) -> bool {
    desk.memories().iter().any(|(_, text)| text.contains(words))
}

fn file_of(desk: &Desk, words: &str) -> String {
    let found = desk.memories().into_iter().find(|(_, text)| text.contains(words));
    found.unwrap_or_else(|| panic!("{words:?} is in {:?}", desk.memories())).0
}

/// A session in which that was said, read by an extraction, and a day later.
fn told<'a>(desk: &'a Desk, words: &[&str]) -> Session<'a> {
    let session = desk.session();
    for words in words {
        session.turn(words, "Understood.");
        desk.settle();
        desk.later(TimeDelta::minutes(1));
    }
    desk.later(TimeDelta::hours(1));
    session
}

/// Every way in which old words are read again: by hand from the start, a fork, a dream.
fn read_again(desk: &Desk, session: &Session<'_>) {
    let before: Vec<(String, String)> = desk.memories();
    desk.later(TimeDelta::hours(1));
    let transcript = session.transcript.to_string_lossy().into_owned();
    desk.json(&["extract", "--again", "--transcript", &transcript]);
    assert_eq!(desk.memories(), before, "read again from the start");
    let fork = desk.session();
    copy_of(session, &fork, true);
    let transcript = fork.transcript.to_string_lossy().into_owned();
    desk.json(&["extract", "--again", "--transcript", &transcript]);
    assert_eq!(desk.memories(), before, "a fork of it");
    desk.later(TimeDelta::days(2));
    desk.json(&["dream", "--force"]);
    assert_eq!(desk.memories(), before, "a dream");
    assert_eq!(desk.json(&["inbox"]).1["held"], json!([]), "nothing waits");
}

fn entry_of(desk: &Desk, at: usize) -> String {
    desk.json(&["history"]).1["history"][at]["id"].as_str().unwrap().to_owned()
}

#[test]
fn what_a_person_removed_does_not_come_back_and_what_they_say_anew_does() {
    let desk = Desk::within();
    let session = told(&desk, &[ICONS, BILLING]);
    let (code, _) = desk.json(&["rm", &file_of(&desk, "SVG")]);
    assert_eq!(code, 0);
    read_again(&desk, &session);
    assert!(!said(&desk, "SVG") && said(&desk, "Priya"), "{:?}", desk.memories());
    // Five ordinary sessions and the automatic dream.
    for number in 0..6 {
        told(&desk, &[&format!("please fix the failing test number {number}")]);
    }
    desk.later(TimeDelta::days(2));
    told(&desk, &["and the next one"]);
    assert!(desk.runs().iter().any(|run| run.trigger == "hook" && run.id.starts_with("dream")), "{:?}", desk.runs());
    assert!(!said(&desk, "SVG"), "{:?}", desk.memories());
    session.turn(ICONS, "Understood.");
    desk.settle();
    assert!(said(&desk, "SVG"), "said anew in the same session: {:?}", desk.memories());
}

#[test]
fn the_undo_of_a_removal_brings_it_back_and_it_can_be_let_go_again() {
    let desk = Desk::within();
    let session = told(&desk, &[ICONS]);
    let file = file_of(&desk, "SVG");
    desk.json(&["rm", &file]);
    let list = || fs::read_to_string(desk.state().store(&desk.store()).join("let-go.json")).unwrap();
    assert!(list().contains(&session.id) && !list().contains("SVG") && !list().contains("icons"), "{}", list());
    desk.json(&["undo"]);
    assert!(said(&desk, "SVG") && !list().contains(&session.id), "{}", list());
    read_again(&desk, &session);
    assert_eq!(file_of(&desk, "SVG"), file);
    desk.json(&["rm", &file]);
    read_again(&desk, &session);
    assert!(!said(&desk, "SVG"));
}

#[test]
fn what_a_person_undid_of_an_extraction_or_a_dream_does_not_come_back() {
    let desk = Desk::within();
    let session = told(&desk, &[ICONS]);
    desk.json(&["undo", &desk.runs()[0].id.clone()]);
    read_again(&desk, &session);
    assert!(!said(&desk, "SVG"));
    // A dream that stored what no extraction had read.
    let other = desk.session();
    desk.later(TimeDelta::hours(1));
    other.says(BILLING);
    other.says(APART);
    desk.later(TimeDelta::hours(1));
    desk.json(&["dream", "--force"]);
    assert!(said(&desk, "Priya"), "{:?}", desk.memories());
    let dream = desk.runs().last().unwrap().id.clone();
    desk.json(&["undo", &dream]);
    assert!(!said(&desk, "Priya") && !said(&desk, "data-platform"));
    read_again(&desk, &other);
    // Taken back itself, all of it is as it was, and only then.
    let undo = entry_of(&desk, 0);
    desk.json(&["undo", &undo]);
    assert!(said(&desk, "Priya") && said(&desk, "data-platform"), "{:?}", desk.memories());
}

#[test]
fn an_update_that_was_undone_is_not_made_again() {
    let desk = Desk::within();
    told(&desk, &["The launch of the shop is on December 10."]);
    let later = told(&desk, &["The launch of the shop is on December 17 now."]);
    assert!(said(&desk, "12-17"), "{:?}", desk.memories());
    desk.json(&["undo"]);
    assert!(said(&desk, "12-10") && !said(&desk, "12-17"), "{:?}", desk.memories());
    read_again(&desk, &later);
}

#[test]
fn what_a_person_rejected_is_not_asked_about_again() {
    let desk = Desk::within();
    desk.configure("extract:\n  apply: ask\n");
    let session = told(&desk, &[ICONS]);
    let held = desk.json(&["inbox"]).1["held"].clone();
    let id = held[0]["id"].as_str().unwrap().to_owned();
    desk.json(&["inbox", "reject", &id]);
    desk.configure("extract:\n  apply: auto\n");
    read_again(&desk, &session);
    assert_eq!(desk.memories(), []);
    let again = told(&desk, &[ICONS]);
    assert!(said(&desk, "SVG"), "said anew: {:?}", desk.memories());
    read_again(&desk, &again);
}

#[test]
fn what_was_merged_away_or_removed_by_hand_outside_does_not_come_back() {
    let desk = Desk::within();
    let session = told(&desk, &[ICONS, BILLING]);
    // Once seen, so that what another program does is told.
    desk.json(&["history"]);
    let file = file_of(&desk, "SVG");
    fs::remove_file(desk.store().join(&file)).unwrap();
    let index =
        desk.index().lines().filter(|line| !line.contains(&file)).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(desk.store().join("MEMORY.md"), index).unwrap();
    read_again(&desk, &session);
    assert!(!said(&desk, "SVG") && said(&desk, "Priya"), "{:?}", desk.memories());
}

#[test]
fn what_a_dream_removed_because_it_ran_out_does_not_come_back_from_the_old_words() {
    let desk = Desk::within();
    for number in ["one", "two", "three", "four"] {
        desk.remember(
            &format!("reference_{number}.md"),
            "reference",
            &format!("Dashboard {number} is in room {number}."),
        );
    }
    let session = told(&desk, &["The deadline for the audit of the shop is December 3."]);
    assert!(said(&desk, "12-03"), "{:?}", desk.memories());
    desk.later(TimeDelta::days(60));
    let (_, run) = desk.json(&["dream", "--force"]);
    assert!(!said(&desk, "12-03"), "it ran out: {run:#}");
    read_again(&desk, &session);
}

#[test]
fn a_memory_that_a_person_brought_back_is_not_taken_back_again_by_the_same_words() {
    let desk = Desk::within();
    let session = told(&desk, &[ICONS, "Scrap what I said about icons as SVG."]);
    assert!(!said(&desk, "Always export"), "{:?}", desk.memories());
    desk.json(&["undo"]);
    assert!(said(&desk, "Always export"), "{:?}", desk.memories());
    read_again(&desk, &session);
}

/// A model that stores a rule with these words as its evidence.
fn model(session: &Session<'_>, quote: &str) -> [Value; 3] {
    let content = "---\nname: \"icons\"\ndescription: \"Icons are exported as SVG\"\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nAlways export icons as SVG.\n";
    [
        json!({"tool": "Write", "input": {"file_path": "feedback_vector_icons.md", "content": content}}),
        json!({"rationale": {"file": "feedback_vector_icons.md", "reason": "said so",
            "sources": [{"session": session.id, "line": 1, "quote": quote}]}}),
        json!({"text": "done"}),
    ]
}

#[test]
fn a_model_does_not_store_again_what_was_let_go_either_and_nothing_of_it_waits() {
    let desk = Desk::within();
    let session = told(&desk, &[ICONS]);
    desk.json(&["rm", &file_of(&desk, "SVG")]);
    desk.later(TimeDelta::hours(1));
    for quote in [ICONS, "always export icons as svg", "export icons as SVG"] {
        session.says("please fix the failing test");
        desk.script(&model(&session, quote));
        let (_, run) = desk.json(&["dream", "--force"]);
        assert_eq!((desk.memories().len(), &run["held"]), (0, &json!([])), "{quote}: {run:#}");
        assert_eq!(desk.index().matches("vector_icons").count(), 0, "{}", desk.index());
        let view = desk.runs().into_iter().rfind(|view| view.id == run["run"].as_str().unwrap()).unwrap();
        assert!(view.notices.join(" ").contains("you let go before"), "{view:#?}");
        desk.later(TimeDelta::hours(1));
    }
    session.says(ICONS);
    let mut anew = model(&session, ICONS);
    anew[1]["rationale"]["sources"][0]["line"] = json!(session.lines());
    desk.script(&anew);
    let (_, run) = desk.json(&["dream", "--force"]);
    assert!(said(&desk, "SVG"), "{run:#}");
}

const FACTS: [(&str, &str); 4] = [
    (ICONS, "SVG"),
    (BILLING, "Priya"),
    (APART, "data-platform"),
    ("Bugs of the importer are tracked in Linear, project INGEST.", "INGEST"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    /// Each fact stays, is removed, undone or rejected; a dream afterwards adds none of those back, and keeps the others.
    #[test]
    fn a_dream_adds_back_no_subset_of_what_was_let_go(verdicts in prop::collection::vec(0..4_u8, FACTS.len())) {
        let desk = Desk::within();
        let mut sessions = Vec::new();
        for ((words, _), verdict) in FACTS.iter().zip(&verdicts) {
            desk.configure(if *verdict == 3 { "extract:\n  apply: ask\n" } else { "extract:\n  apply: auto\n" });
            sessions.push(told(&desk, &[words]));
        }
        for ((_, mark), verdict) in FACTS.iter().zip(&verdicts) {
            let run = desk.runs()[FACTS.iter().position(|fact| fact.1 == *mark).unwrap()].id.clone();
            let done = match verdict {
                1 => desk.json(&["rm", &file_of(&desk, mark)]).0,
                2 => desk.json(&["undo", &run]).0,
                3 => desk.json(&["inbox", "reject", &run]).0,
                _ => 0,
            };
            prop_assert_eq!(done, 0);
            desk.later(TimeDelta::minutes(5));
        }
        desk.later(TimeDelta::days(1));
        desk.json(&["dream", "--force"]);
        let stored: BTreeSet<&str> = FACTS.iter().map(|fact| fact.1).filter(|mark| said(&desk, mark)).collect();
        let kept: BTreeSet<&str> =
            FACTS.iter().zip(&verdicts).filter(|(_, verdict)| **verdict == 0).map(|(fact, _)| fact.1).collect();
        prop_assert_eq!(stored, kept);
        prop_assert_eq!(&desk.json(&["inbox"]).1["held"], &json!([]));
    }
}
