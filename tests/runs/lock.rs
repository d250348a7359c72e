//! The lock of a store: dead, foreign and silent holders, and races for it.

use super::site::*;

#[test]
fn fc_028_a_dead_holder_is_taken_over_and_the_run_says_so() {
    let site = Site::new();
    let pid = dead_pid();
    site.put_lock(&pid.to_string(), TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[improve(), because()]);
    let view = site.run(&site.order(Task::Dream { force: false }, &engine));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert_eq!(view.notices, [format!("took over the lock from a dead process (PID {pid})")]);
}

#[test]
fn a_lock_that_names_nobody_does_not_block_for_ever() {
    let site = Site::new();
    for content in ["", "garbage", "-1"] {
        site.put_lock(content, TimeDelta::minutes(1));
        let engine = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
        let view = site.run(&site.dream(&engine));
        assert_eq!((view.outcome, view.notices.len()), (Some(Outcome::Done), 2), "{content:?}: {}", view.reason);
    }
}

#[test]
fn a_live_foreign_holder_is_respected_for_an_hour_and_then_reclaimed() {
    let site = Site::new();
    let sleeper = Process::sleeping();
    let pid = sleeper.0.id().to_string();
    site.put_lock(&pid, TimeDelta::minutes(10));
    let before = site.picture();
    let engine = site.script(&[improve()]);
    let view = site.run(&site.dream(&engine));
    assert_eq!(view.outcome, Some(Outcome::Skipped));
    assert!(view.reason.starts_with("lock: ") && view.reason.contains(&pid), "{}", view.reason);
    assert_eq!(site.picture(), before);
    assert_eq!(site.journalled().len(), 1, "what a person started leaves a journal");
    site.put_lock(&pid, TimeDelta::hours(2));
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
}

#[test]
fn a_live_holder_whose_lock_is_dated_in_the_future_holds_an_hour_from_the_first_trigger_that_met_it() {
    let mut site = Site::new();
    let sleeper = Process::sleeping();
    site.put_lock(&sleeper.0.id().to_string(), TimeDelta::days(-30));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    let engine = site.script(&[improve(), because()]);
    let asked = site.order(Task::Dream { force: false }, &engine);
    let met = site.run(&asked);
    assert!(met.reason.starts_with("lock: ") && met.reason.contains("for 0 min"), "{}", met.reason);
    site.now += TimeDelta::minutes(30);
    let again = site.run(&asked);
    assert!(again.reason.contains("for 30 min"), "{}", again.reason);
    site.now += TimeDelta::minutes(31);
    let view = site.run(&asked);
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert!(view.notices.iter().any(|notice| notice.contains("over an hour")), "{:?}", view.notices);
}

#[test]
fn fc_031_our_own_id_in_the_lock_is_neither_running_nor_mine() {
    let site = Site::new();
    site.put_lock(&std::process::id().to_string(), TimeDelta::minutes(1));
    let engine = site.script(&[improve()]);
    let view = site.run(&site.dream(&engine));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert!(view.notices.iter().any(|notice| notice.contains("our id")), "{:?}", view.notices);
}

#[test]
fn fc_035_after_a_success_another_run_starts_at_once_from_here_and_from_elsewhere() {
    let site = Site::new();
    let engine = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
    for _ in 0..2 {
        assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
    }
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 300})]);
    assert!(process.0.wait().unwrap().success());
    let end = site.journalled().into_iter().find(|end| end.id == view.id).unwrap();
    assert_eq!(end.outcome, Some(Outcome::Done), "{}", end.reason);
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
}

#[test]
fn without_a_lock_before_there_is_none_after_a_failed_run() {
    let site = Site::new();
    let engine = site.script(&[json!({"error": "no answer"})]);
    let view = site.run(&site.dream(&engine));
    assert_eq!((view.outcome, view.reason.as_str()), (Some(Outcome::Failed), "no answer"));
    assert!(!site.lock().exists());
}

#[test]
fn of_eight_workers_that_start_at_once_exactly_one_dreams() {
    let site = Arc::new(Site::new());
    let engine = site.script(&[improve(), json!({"delay_ms": 400})]);
    let barrier = Arc::new(Barrier::new(8));
    let workers: Vec<_> = (0..8)
        .map(|_| {
            let (site, barrier, engine) = (Arc::clone(&site), Arc::clone(&barrier), engine.clone());
            std::thread::spawn(move || {
                barrier.wait();
                site.run(&site.dream(&engine)).outcome.unwrap()
            })
        })
        .collect();
    let mut outcomes: Vec<Outcome> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
    outcomes.sort_by_key(|outcome| outcome.word());
    assert_eq!(outcomes[0], Outcome::Done);
    assert!(outcomes[1..].iter().all(|outcome| *outcome == Outcome::Skipped), "{outcomes:?}");
}

#[test]
fn fc_036_an_extraction_lands_while_a_dream_runs_and_neither_loses_anything() {
    let site = Site::new();
    let transcript = site.session("s1", 1);
    let (mut process, view) = site.dream_elsewhere(&[improve(), because(), json!({"delay_ms": 700})]);
    let engine = site.script(&remember());
    let saved = site.run(&site.order(Task::Extract { transcript, again: false }, &engine));
    assert_eq!(saved.outcome, Some(Outcome::Done), "{}", saved.reason);
    process.0.wait().unwrap();
    let dream = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    assert_eq!(dream.outcome, Some(Outcome::Done), "{}", dream.reason);
    assert!(site.store().join("project_no_mocks.md").exists());
    assert!(fs::read_to_string(site.store().join("project_testing.md")).unwrap().contains("*a real database*"));
}

#[test]
fn fc_036_a_dream_that_goes_on_for_seventy_minutes_is_not_robbed_and_holds_up_no_edit() {
    let mut site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let (mut process, view) = site.dream_elsewhere(&[improve(), because(), json!({"delay_ms": 1_000})]);
    let started = site.now;
    site.now = started + TimeDelta::minutes(70);
    let robber = site.run(&site.dream(&site.script(&[improve()])));
    assert_eq!(robber.outcome, Some(Outcome::Skipped));
    assert!(robber.reason.contains(&format!("running already (PID {})", view.pid)), "{}", robber.reason);
    let saved = Command::new(env!("CARGO_BIN_EXE_dreamtop"))
        .args(["--memory-dir", site.store().to_str().unwrap(), "new", "edited meanwhile", "-t", "user", "-b", "Yes."])
        .env_clear()
        .envs([("HOME", site.dir.to_str().unwrap()), ("XDG_STATE_HOME", site.dir.join("home").to_str().unwrap())])
        .output()
        .unwrap();
    assert!(saved.status.success(), "{saved:?}");
    process.0.wait().unwrap();
    let ended = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    assert_eq!(ended.outcome, Some(Outcome::Done), "{}", ended.reason);
    assert!(fs::read_dir(site.store()).unwrap().count() >= 4);
}
