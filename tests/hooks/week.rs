//! A week of work, played through: at its end the memory is right, every trigger has one outcome, no process is left.
//!
//! Hooks are answered within this process, a hundred starts of the binary less; the workers are processes.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use dreamtop::engine::JobKind;
use serde_json::json;

use crate::drive::Desk;

/// What the person says on each day, besides the work itself.
const DAYS: [&[&str]; 7] = [
    &["Remember: integration tests must hit a real database, never mocks.", "please fix the login test"],
    &["I'm a data engineer and new to this frontend."],
    &["Remember: never push to main without a review."],
    &["Remember: integration tests must hit a real database, never mocks."],
    &["Ingest bugs are tracked in the Linear project INGEST."],
    &["please bump the version"],
    &["Remember: the staging cluster is called heron."],
];

#[test]
fn a_week_of_sessions_ends_with_the_right_memory_one_outcome_a_trigger_and_no_process_left() {
    let desk = Desk::within();
    let mut triggers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pull = |what: &'static str| *triggers.entry(what).or_default() += 1;
    for (day, said) in DAYS.iter().enumerate() {
        let morning = desk.session();
        morning.hook("SessionStart", json!({"source": "startup"}));
        for prompt in said.iter() {
            morning.hook("UserPromptSubmit", json!({"prompt": prompt}));
            morning.turn(prompt, "Done.");
            pull("hook");
            if day % 2 == 0 {
                morning.hook("SubagentStop", json!({"agent_id": "a1", "agent_type": "Explore"}));
                pull("hook");
            }
            desk.later(TimeDelta::minutes(20));
        }
        // On one day the session crashes in the middle of a turn, on the others it ends.
        if day == 2 {
            desk.settle();
            morning.says("Remember: Ada owns the billing service.");
        } else {
            morning.hook("SessionEnd", json!({"reason": "prompt_input_exit"}));
            pull("session-end");
        }
        desk.settle();
        desk.later(TimeDelta::hours(4));
        let afternoon = desk.session();
        let program = {
            let mut program = desk.session();
            program.entrypoint = "sdk-cli";
            program
        };
        afternoon.hook("SessionStart", json!({"source": "startup"}));
        if day == 2 {
            pull("catch-up");
        }
        afternoon.turn(&format!("please review change number {day}"), "Done.");
        pull("hook");
        program.turn("Remember: always answer in JSON.", "{}");
        pull("hook");
        afternoon.hook("SessionEnd", json!({"reason": "clear"}));
        pull("session-end");
        desk.settle();
        desk.later(TimeDelta::hours(20) - TimeDelta::minutes(40));
    }

    // The memory: what was said once or twice is there once, what no person said is not.
    let memories = desk.memories();
    let holding = |words: &str| memories.iter().filter(|(_, text)| text.contains(words)).count();
    for (words, times) in [
        ("real database", 1),
        ("data engineer", 1),
        ("push to main", 1),
        ("INGEST", 1),
        ("heron", 1),
        ("billing", 1),
        ("answer in JSON", 0),
    ] {
        assert_eq!(holding(words), times, "{words}: {memories:?}");
    }
    for (file, _) in &memories {
        assert_eq!(desk.index().matches(&format!("({file})")).count(), 1, "{file}: {}", desk.index());
    }

    // Every trigger has one outcome; what joined a run that was going on is answered by a trailing one.
    let outcomes = desk.extractions();
    for (trigger, times) in &triggers {
        let found = outcomes.iter().filter(|outcome| outcome.split(' ').next() == Some(trigger)).count();
        assert_eq!(found, *times, "{trigger}: {outcomes:?}");
    }
    let dreams = desk.outcomes(JobKind::Dream);
    let turns_of_persons = DAYS.iter().map(|said| said.len() + 1).sum::<usize>();
    assert_eq!(dreams.len(), turns_of_persons, "{dreams:?}");
    let dreamt = dreams.iter().filter(|outcome| outcome.ends_with("ran")).count();
    assert!((1..=3).contains(&dreamt), "five sessions and a day apart: {dreams:?}");

    // Nothing is left: no process, no room of a run, nothing asked for.
    assert_eq!(desk.workers(), Vec::<u32>::new());
    let left: Vec<_> = std::fs::read_dir(desk.state().runs()).unwrap().flatten().map(|entry| entry.path()).collect();
    assert!(
        left.iter().all(|path| !path.is_dir() && path.extension().is_none_or(|ending| ending != "asked")),
        "{left:?}"
    );
    assert_eq!(desk.log(), "", "nothing went wrong");
    table(&outcomes, &dreams);
}

/// The week as a table, for who runs it with `--nocapture`.
fn table(outcomes: &[String], dreams: &[String]) {
    let mut rows: BTreeMap<String, usize> = BTreeMap::new();
    outcomes.iter().for_each(|outcome| *rows.entry(format!("extraction, {outcome}")).or_default() += 1);
    dreams.iter().for_each(|outcome| *rows.entry(format!("dream, {outcome}")).or_default() += 1);
    rows.iter().for_each(|(row, times)| eprintln!("{times:>4}  {row}"));
}
