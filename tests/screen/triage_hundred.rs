//! The measure of the screen: 120 memories, a third of them stale, made honest and healthy by keyboard.
//!
//! The keys are recorded, and a person presses them: what the project contradicts goes, what says the same becomes one, what
//! is only old is confirmed. At five seconds a verdict that is minutes, not an afternoon. That every verdict can be taken back
//! is shown on the sample.

use dreamtop::memory::{Freshness, ProblemCode};

use crate::stage::{Setting, Stage};
use crate::triage_sample::next;

/// What is pressed, runs of one key counted.
const KEYS: &str = "t d×10 m ctrl-s m ctrl-s m ctrl-s m ctrl-s m ctrl-s m ctrl-s y×24";

/// Subjects that have nothing to do with each other.
const SUBJECTS: [&str; 40] = [
    "invoices",
    "webhooks",
    "the scanner",
    "barcodes",
    "the courier",
    "night shifts",
    "the ledger",
    "pallets",
    "turbines",
    "the harbour",
    "cranes",
    "gaskets",
    "valves",
    "sensors",
    "the basket",
    "checkout",
    "refunds",
    "currencies",
    "the parser",
    "cursors",
    "shards",
    "replicas",
    "the queue",
    "alerts",
    "budgets",
    "tokens",
    "tenants",
    "sessions",
    "caches",
    "columns",
    "migrations",
    "rollbacks",
    "metrics",
    "deploys",
    "branches",
    "parcels",
    "workers",
    "schemas",
    "indexes",
    "backups",
];

/// 120 memories over all types: 80 young ones; 40 stale: 24 only old, 10 that cite what is gone, 6 that say what another says.
fn hundred_and_twenty() -> Setting {
    let setting = Setting::new();
    let mut index = String::from("# Memory Index\n\n");
    let mut add = |file: String, kind: &str, name: &str, day: &str, body: &str| {
        setting.memory(&file, kind, name, &format!("{day}T09:00:00.000Z"), body);
        index.push_str(&format!("- [{name}]({file}) — one of many\n"));
    };
    let why = "\n\n**Why:** it cost a day once.\n\n**How to apply:** look before you act.";
    for (at, subject) in SUBJECTS.iter().enumerate() {
        let slug: String = subject.replace(' ', "_");
        let kinds = ["user", "feedback", "reference", "project"];
        add(
            format!("{}_{slug}.md", kinds[at % 3]),
            kinds[at % 3],
            &format!("{subject} in general"),
            "2026-11-20",
            &format!("About {subject}: number {at} is looked after by desk {}.{why}", at * 7 + 3),
        );
        add(
            format!("feedback_more_{slug}.md"),
            "feedback",
            &format!("{subject} in reviews"),
            "2026-11-22",
            &format!("When {subject} come up in review {}, ask for a picture of drawer {}.{why}", at * 11, at * 13 + 5),
        );
        let (day, body) = match at {
            0..=23 => {
                ("2026-09-01", format!("Until shelf {} is empty, {subject} wait for counter {}.{why}", at * 17, at * 5))
            }
            24..=33 => ("2026-11-24", format!("For {subject} read `src/gone/{slug}.rs` first, page {}.{why}", at * 19)),
            // Word for word what the one about reviews says.
            _ => (
                "2026-05-01",
                format!(
                    "When {subject} come up in review {}, ask for a picture of drawer {}.{why}",
                    at * 11,
                    at * 13 + 5
                ),
            ),
        };
        let kind = if at < 34 { "project" } else { "feedback" };
        add(format!("{kind}_{slug}_now.md"), kind, &format!("{subject} this quarter"), day, &body);
    }
    setting.file("MEMORY.md", index);
    std::fs::create_dir_all(setting.checkout().join("src")).unwrap();
    std::fs::write(setting.checkout().join("src/main.rs"), "fn main() {}\n").unwrap();
    setting
}

/// `y y y d` as `y×3 d`.
fn counted(keys: &[&str]) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for key in keys {
        match runs.last_mut() {
            Some((last, times)) if last == key => *times += 1,
            _ => runs.push((key, 1)),
        }
    }
    let words = runs.iter().map(|(key, times)| if *times == 1 { (*key).to_owned() } else { format!("{key}×{times}") });
    words.collect::<Vec<_>>().join(" ")
}

fn stale(stage: &Stage) -> usize {
    stage.state.memories.rows.iter().filter(|row| row.freshness == Freshness::Stale).count()
}

#[test]
fn a_recorded_list_of_keys_makes_a_hundred_and_twenty_memories_honest_and_healthy() {
    let mut stage = hundred_and_twenty().open(120, 40);
    let (memories, old) = (stage.state.memories.rows.len(), stale(&stage));
    assert_eq!(memories, 120);
    assert!((36..=44).contains(&old), "a third of them is stale: {old}");
    stage.press(&["t"]);
    let mut keys = vec!["t"];
    while stage.state.triage().is_some_and(|triage| triage.card().is_some()) {
        let pressed = next(&stage);
        keys.extend(pressed);
        stage.press(pressed);
        assert!(keys.len() < 500, "{}", stage.screen());
    }
    let judged = stage.state.triage().unwrap().judged.len();
    println!(
        "120 memories, {old} stale: {judged} verdicts, {} keys; at five seconds a verdict {} s",
        keys.len(),
        judged * 5
    );
    assert!(judged * 5 < 600, "ten minutes are enough: {judged} verdicts");
    assert_eq!(counted(&keys), KEYS, "the recorded list: record it anew when the evidence or the order changes");
    assert_eq!(stale(&stage), 0, "{}", stage.screen());
    let contradicted: Vec<&str> = stage
        .state
        .findings
        .iter()
        .filter(|finding| finding.contradicts())
        .map(|finding| finding.file.as_str())
        .collect();
    assert!(contradicted.is_empty(), "{contradicted:?}");
    let is_of_index = |code| {
        matches!(
            code,
            ProblemCode::IndexDangling | ProblemCode::IndexTwice | ProblemCode::Orphan | ProblemCode::Duplicate
        )
    };
    let odd: Vec<_> = stage.state.findings.iter().filter(|finding| is_of_index(finding.code)).collect();
    assert!(odd.is_empty(), "index and files agree, and nothing is said twice: {odd:?}");
}
