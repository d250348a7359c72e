//! What keeps automatic runs from running too often, too long or for nothing.

use super::site::*;

#[test]
fn the_time_budget_ends_a_run_as_failed() {
    let site = Site::new();
    let mut order = site.dream(&site.script(&[json!({"delay_ms": 60_000})]));
    order.config.dream.budget.seconds = 0;
    let view = site.run(&order);
    assert_eq!(view.outcome, Some(Outcome::Failed));
    assert!(view.reason.contains("time budget"), "{}", view.reason);
}

#[test]
fn fc_041_a_dream_that_changes_nothing_runs_once_in_an_hour_of_triggers() {
    let mut site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
    let mut ran = 0;
    for turn in 0..200 {
        site.now = now() + TimeDelta::seconds(18 * turn);
        let order = Order { trigger: "hook".into(), ..site.order(Task::Dream { force: false }, &engine) };
        ran += usize::from(site.run(&order).outcome != Some(Outcome::Skipped));
    }
    assert_eq!(ran, 1);
    assert_eq!(site.journalled().len(), 1, "skipped triggers of a hook leave no journal");
    assert_eq!(site.records().len(), 201, "but a record each");
}

#[test]
fn fc_048_automatic_tries_after_failures_wait_longer_each_time_and_say_so() {
    let mut site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[json!({"error": "the answer was cut off"})]);
    let automatic = Order { trigger: "hook".into(), ..site.order(Task::Dream { force: false }, &engine) };
    let mut waits = Vec::new();
    for _ in 0..3 {
        let failed = site.run(&automatic);
        assert_eq!((failed.outcome, failed.reason.as_str()), (Some(Outcome::Failed), "the answer was cut off"));
        let until = site.record(JobKind::Dream).retry_after.unwrap();
        waits.push((until - site.now).num_minutes());
        let early = site.run(&automatic);
        assert_eq!(early.outcome, Some(Outcome::Skipped));
        assert!(early.reason.contains("waiting"), "{}", early.reason);
        site.now = until.max(site.now + TimeDelta::minutes(10));
    }
    assert_eq!(waits, [5, 10, 20]);
    let by_hand = site.run(&site.dream(&site.script(&[improve()])));
    assert_eq!(by_hand.outcome, Some(Outcome::Done));
    assert_eq!(site.record(JobKind::Dream).failures, 0);
}

#[test]
fn fc_051_an_automatic_dream_over_nothing_asks_no_engine() {
    let site = Site::new();
    fs::remove_file(site.store().join("project_testing.md")).unwrap();
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let view = site.run(&site.order(Task::Dream { force: false }, "script:nowhere.jsonl"));
    assert_eq!(view.outcome, Some(Outcome::Skipped));
    assert!(view.reason.contains("nothing new"), "{}", view.reason);
}
