//! What keeps automatic runs from running too often, too long or for nothing.

use super::site::*;
use dreamtop::run::gates::{Look, evaluate};

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
fn a_plain_dream_waits_after_failures_as_a_hook_does_and_a_forced_one_neither_waits_nor_counts() {
    let mut site = due();
    let engine = site.script(&[json!({"error": "boom"})]);
    let plain = site.order(Task::Dream { force: false }, &engine);
    let begun = site.now;
    let mut said = Vec::new();
    for minutes in [0, 11, 40, 55, 95] {
        site.now = begun + TimeDelta::minutes(minutes);
        let view = site.run(&plain);
        said.push((view.outcome.unwrap(), view.reason.contains("waiting")));
    }
    let (failed, waits) = ((Outcome::Failed, false), (Outcome::Skipped, true));
    assert_eq!(said, [failed, failed, failed, waits, failed], "5, 10, 20 minutes: {said:?}");
    assert_eq!(site.record(JobKind::Dream).failures, 4);
    let forced = site.run(&site.dream(&engine));
    assert_eq!((forced.outcome, site.record(JobKind::Dream).failures), (Some(Outcome::Failed), 4));
    assert_eq!(site.run(&Order { dry_run: true, ..site.dream(&engine) }).outcome, Some(Outcome::Failed));
    assert_eq!(site.record(JobKind::Dream).failures, 4);
}

#[test]
fn a_dream_under_a_clock_that_was_set_back_makes_no_newer_success_and_no_wait_forgotten() {
    let mut site = due();
    let right = site.now;
    let engine = site.script(&[improve(), because()]);
    let gate = |site: &Site, name: &str| {
        let order = site.dream("embedded");
        let (clock, environment) = (Clock::Fixed(site.now), Environment::default());
        let report = evaluate(&order.choice, &order.config, &site.state, &clock, &environment, None, Look::Report);
        report.dream.into_iter().find(|gate| gate.gate == name).unwrap()
    };
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
    site.now = right - TimeDelta::days(11);
    fs::write(site.store().join("project_testing.md"), TOPIC).unwrap();
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
    assert_eq!(gate(&site, "time").short, "0h", "under the clock that is back its own success counts");
    site.now = right + TimeDelta::hours(1);
    let time = gate(&site, "time");
    assert_eq!((time.passed, time.short.as_str()), (Some(false), "1h"), "{time:?}");
    assert!(gate(&site, "sessions").detail.starts_with("0/5"), "what the newer one read is not new");

    let schedule = Schedule::of(&site.state, &site.store());
    let failed = right + TimeDelta::hours(2);
    for _ in 0..4 {
        schedule.failed(JobKind::Dream, failed).unwrap();
    }
    schedule.failed(JobKind::Dream, right - TimeDelta::days(11)).unwrap();
    site.now = failed + TimeDelta::minutes(32);
    let wait = gate(&site, "throttle");
    assert!(wait.detail.contains("waiting 8 min more after 5 failures"), "{wait:?}");
    site.now = failed + TimeDelta::minutes(41);
    assert_eq!(site.record(JobKind::Dream).waits_until(site.now), None);
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

/// Five sessions with something new, and a store that was consolidated long enough ago.
fn due() -> Site {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    for id in ["a", "b", "c", "d", "e"] {
        site.session(id, 2);
    }
    site
}

fn automatic(site: &Site, engine: &str) -> Order {
    Order { trigger: "hook".into(), ..site.order(Task::Dream { force: false }, engine) }
}

#[test]
fn fc_051_without_a_new_session_an_automatic_dream_asks_no_engine_and_one_by_hand_says_so() {
    let site = Site::new();
    let mut order = automatic(&site, "script:nowhere.jsonl");
    order.config.dream.min_sessions = 0;
    let skipped = site.run(&order);
    assert_eq!(skipped.outcome, Some(Outcome::Skipped));
    assert!(skipped.reason.starts_with("nothing new: no session"), "{}", skipped.reason);
    let by_hand = site.run(&site.dream(&site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})])));
    assert_eq!(by_hand.outcome, Some(Outcome::Done));
    assert!(by_hand.notices[0].contains("no session has anything new"), "{:?}", by_hand.notices);
    fs::remove_file(site.store().join("project_testing.md")).unwrap();
    let empty = site.run(&site.dream("script:nowhere.jsonl"));
    assert_eq!(empty.outcome, Some(Outcome::Skipped), "{}", empty.reason);
    assert!(empty.reason.contains("holds no memory"), "{}", empty.reason);
}

#[test]
fn the_session_that_is_going_on_is_not_one_to_review() {
    let site = due();
    let order = Order { current_session: Some("c".into()), ..automatic(&site, "script:nowhere.jsonl") };
    let skipped = site.run(&order);
    assert!(skipped.reason.starts_with("sessions: 4/5 sessions"), "{}", skipped.reason);
    let mut site = due();
    site.session("f", 1);
    site.now += TimeDelta::minutes(11);
    let engine = site.script(&[improve(), because()]);
    let done = site.run(&Order { current_session: Some("c".into()), ..automatic(&site, &engine) });
    assert_eq!(done.outcome, Some(Outcome::Done), "{}", done.reason);
    assert!(done.sessions.len() == 5 && !done.sessions.contains(&"c".to_owned()), "{:?}", done.sessions);
}

#[test]
fn fc_121_an_engine_that_refuses_is_paused_at_once_with_reason_and_time_and_not_asked_again() {
    for (what, script) in [
        ("an ordinary answer", vec![json!({"text": "You've hit your usage limit. Try again in 90 minutes."})]),
        ("answer after answer", vec![json!({"text": "Usage limit reached, try again in 90 minutes"}); 50]),
        (
            "an answer after work",
            vec![improve(), json!({"text": "Claude usage limit reached. Try again in 90 minutes."})],
        ),
        ("an error", vec![improve(), json!({"error": "429 rate_limit_error: retry after 5400"})]),
    ] {
        let mut site = due();
        let before = site.picture();
        let engine = site.script(&script);
        let refused = site.run(&automatic(&site, &engine));
        assert_eq!(refused.outcome, Some(Outcome::Failed), "{what}");
        assert!(
            refused.reason.starts_with("paused until ") && refused.reason.contains("script refuses: "),
            "{what}: {}",
            refused.reason
        );
        assert_eq!(site.picture(), before, "{what}");
        assert_eq!(site.record(JobKind::Dream).failures, 0, "{what}: a pause is no failure of the store");
        // A trigger after each of a hundred turns, over 80 minutes, and of another store.
        for turn in 0..100 {
            site.now = now() + TimeDelta::seconds(48 * turn);
            let early = site.run(&automatic(&site, &engine));
            assert_eq!(early.outcome, Some(Outcome::Skipped), "{what}");
            assert!(early.reason.contains("paused until"), "{what}: {}", early.reason);
        }
        assert_eq!(site.journalled().len(), 1, "{what}: nothing is queued");
        assert_eq!(spent::on(&site.state, JobKind::Dream, local_day(now())).runs, 1, "{what}");
        site.now = now() + TimeDelta::minutes(91);
        let done = site.run(&automatic(&site, &site.script(&[improve(), because()])));
        assert_eq!(done.outcome, Some(Outcome::Done), "{what}: {}", done.reason);
    }
}

#[test]
fn fc_121_credentials_and_bills_pause_longer_and_a_person_can_try_at_any_time() {
    let site = due();
    let engine = site.script(&[json!({"text": "Invalid API key · Please run /login"})]);
    let refused = site.run(&automatic(&site, &engine));
    assert!(refused.reason.contains("script refuses: \"Invalid API key"), "{}", refused.reason);
    let order = site.dream(&engine);
    let environment = Environment::default();
    let asked = pause::Asked { word: &engine, config: &order.config, environment: &environment };
    let pause = pause::of(&site.state, asked, site.now).unwrap();
    assert_eq!(pause.until - site.now, TimeDelta::hours(6));
    for _ in 0..3 {
        let again = site.run(&order);
        assert_eq!(again.outcome, Some(Outcome::Failed), "by hand it is asked, and refuses again");
        let stands = pause::of(&site.state, asked, site.now).unwrap();
        assert_eq!(stands.until, pause.until, "a try by hand makes no pause longer");
    }
    let done = site.run(&site.dream(&site.script(&[improve(), because()])));
    assert_eq!(done.outcome, Some(Outcome::Done));
    assert_eq!(pause::of(&site.state, asked, site.now), None, "an answer ends the pause");
}

#[test]
fn fc_121_a_refused_extraction_leaves_its_cursor_and_no_queue() {
    let site = Site::new();
    let task = Task::Extract { transcript: site.session("s1", 1), again: false };
    let engine = site.script(&[json!({"error": "Credit balance is too low"})]);
    let automatic = Order { trigger: "hook".into(), ..site.order(task.clone(), &engine) };
    assert!(site.run(&automatic).reason.contains("Credit balance is too low"));
    for _ in 0..20 {
        assert_eq!(site.run(&automatic).outcome, Some(Outcome::Skipped));
    }
    assert_eq!(site.journalled().len(), 1);
    let done = site.run(&site.order(task, &site.script(&remember())));
    assert_eq!(done.outcome, Some(Outcome::Done), "{}", done.reason);
}

#[test]
fn an_answer_about_limits_is_no_refusal_and_the_embedded_engine_never_refuses() {
    let site = Site::new();
    let engine =
        site.script(&[improve(), because(), json!({"text": "Noted what to do when the usage limit is reached."})]);
    let view = site.run(&site.dream(&engine));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    site.say(&site.sessions().join("s.jsonl"), "s", "usage limit reached", 1);
    let view = site.run(&site.dream("embedded"));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert!(pause::all(&site.state, &Config::default(), &Environment::default(), site.now).is_empty());
}

#[test]
fn fc_121_the_days_caps_stop_automatic_runs_survive_restarts_and_leave_a_person_free() {
    let mut site = Site::new();
    let transcript = site.session("s1", 1);
    let task = Task::Extract { transcript: transcript.clone(), again: false };
    let used =
        |tokens: u64| vec![json!({"tool": "Glob", "input": {"pattern": "*.md"}}), json!({"usage": {"input": tokens}})];
    let mut order = Order { trigger: "hook".into(), ..site.order(task, &site.script(&used(30))) };
    order.config.extract.budget =
        Budget { seconds: 60, tokens: 1_000, runs_a_day: 3, tokens_a_day: 100, usd: None, usd_a_day: None };
    let mut outcomes = Vec::new();
    for turn in 0..5 {
        site.say(&transcript, "s1", &format!("turn {turn}"), 0);
        outcomes.push(site.run(&order));
    }
    let words: Vec<_> = outcomes.iter().map(RunView::word).collect();
    assert_eq!(words, ["done", "done", "done", "skipped", "skipped"]);
    assert!(outcomes[3].reason.contains("today's runs are used up: 3 of 3"), "{}", outcomes[3].reason);
    // Another day; its tokens: the third run may only use what is left, and does not get through with more.
    site.now += TimeDelta::days(1);
    site.script(&used(45));
    let words: Vec<_> = (0..4)
        .map(|turn| {
            site.say(&transcript, "s1", &format!("another {turn}"), 0);
            order.config.extract.budget.runs_a_day = 100;
            site.run(&order)
        })
        .map(|view| (view.word(), view.reason))
        .collect();
    assert_eq!((words[0].0, words[1].0, words[2].0, words[3].0), ("done", "done", "failed", "skipped"), "{words:?}");
    assert!(words[2].1.contains("of 10 tokens"), "{words:?}");
    assert!(words[3].1.contains("today's tokens are used up: 135 of 100"), "{words:?}");
    let by_hand = site.run(&Order { trigger: "hand".into(), ..order.clone() });
    assert_eq!(by_hand.outcome, Some(Outcome::Done), "{}", by_hand.reason);
    // A clock that goes back finds the day as it left it.
    site.now -= TimeDelta::days(1);
    site.script(&used(5));
    site.say(&transcript, "s1", "back", 0);
    assert_eq!(site.run(&order).outcome, Some(Outcome::Done), "four runs of a hundred");
    order.config.extract.budget.runs_a_day = 4;
    site.say(&transcript, "s1", "again", 0);
    assert!(site.run(&order).reason.contains("4 of 4"));
}

#[test]
fn fc_123_status_tells_the_tokens_of_a_day_for_extraction_and_dream_apart() {
    let site = Site::new();
    let task = Task::Extract { transcript: site.session("s1", 1), again: false };
    let usage = |output: u64| json!({"usage": {"input": 100, "output": output, "cache_read": 9, "cache_created": 8}});
    site.run(&site.order(task, &site.script(&[&remember()[..], &[usage(7)]].concat())));
    site.run(&site.dream(&site.script(&[improve(), because(), usage(40)])));
    let today = spent::today(&site.state, &Config::default(), local_day(site.now));
    assert_eq!(
        (today.extract.spent, today.dream.spent),
        (Spent { runs: 1, tokens: 115, ..Spent::default() }, Spent { runs: 1, tokens: 148, ..Spent::default() })
    );
    let stats = stats(&records::read(&site.state).unwrap(), site.now);
    assert_eq!((stats.extract.today.tokens.output, stats.dream.today.tokens.output), (7, 40));
    assert_eq!((stats.extract.today.done, stats.dream.today.done, stats.dream.unfinished), (1, 1, 0));
}

#[test]
fn a_clock_that_jumps_never_blocks_for_ever_and_never_makes_a_dream_look_fresh() {
    let mut site = due();
    let engine = site.script(&[improve(), because()]);
    let read = site.script(&[json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}})]);
    assert_eq!(engine, read);
    // Two days forward: the dream is due and runs, dated in what becomes the future.
    site.now = now() + TimeDelta::days(2);
    assert_eq!(site.run(&automatic(&site, &read)).outcome, Some(Outcome::Done));
    // Back again: a last success in the future is none, and the dream is not "just consolidated".
    site.now = now() + TimeDelta::minutes(30);
    let back = site.run(&automatic(&site, &read));
    assert_eq!(back.outcome, Some(Outcome::Done), "{}", back.reason);
    // And from there all is as ever.
    site.now = now() + TimeDelta::hours(2);
    let soon = site.run(&automatic(&site, &read));
    assert!(soon.reason.starts_with("time: 1h since the last success"), "{}", soon.reason);
}

#[test]
fn a_dream_in_a_far_future_does_not_make_the_one_before_it_forgotten() {
    let mut site = due();
    let engine = site.script(&[improve(), because()]);
    assert_eq!(site.run(&automatic(&site, &engine)).outcome, Some(Outcome::Done));
    site.now = "2099-01-01T00:00:00Z".parse().unwrap();
    assert_eq!(site.run(&site.dream(&engine)).outcome, Some(Outcome::Done));
    site.now = now() + TimeDelta::hours(4);
    let back = site.run(&automatic(&site, &engine));
    assert!(back.reason.starts_with("time: 4h since the last success"), "{}", back.reason);
    assert_eq!(site.run(&site.dream(&engine)).sessions.len(), 0, "what it read is not new again");
}

#[test]
fn of_a_success_that_is_still_to_come_the_gates_say_that_the_clock_was_set_back() {
    let home = super::pty::Home::new();
    let at = |now: &str, arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_dreamtop"))
            .args(["--json", "--memory-dir", home.store().to_str().unwrap()])
            .args(arguments)
            .env_clear()
            .envs([("DREAMTOP_NOW", now), ("HOME", home.path().to_str().unwrap())])
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_eq!(at("2026-12-01T10:00:00Z", &["gates"])["dream"][1]["detail"], "never consolidated yet");
    assert_eq!(at("2026-12-01T10:00:00Z", &["dream", "--force"])["outcome"], "done");
    let gate = at("2026-11-20T10:00:00Z", &["gates"])["dream"][1].clone();
    let said = gate["detail"].as_str().unwrap();
    assert!(said.contains("dated 2026-12-01") && said.contains("the clock was set back"), "{gate:#}");
    assert_eq!(at("2026-12-01T20:00:00Z", &["gates"])["dream"][1]["short"], "10h", "and it counts again");
}

#[test]
fn a_failure_before_the_clock_was_set_back_does_not_stretch_its_wait() {
    let mut site = due();
    let engine = site.script(&[json!({"error": "the answer was cut off"})]);
    assert_eq!(site.run(&automatic(&site, &engine)).outcome, Some(Outcome::Failed));
    site.now = now() - TimeDelta::hours(3);
    let back = site.run(&automatic(&site, &engine));
    assert_eq!(back.outcome, Some(Outcome::Failed), "{}", back.reason);
}

#[test]
fn the_hours_between_dreams_are_counted_in_utc_over_the_change_of_the_clocks() {
    // In the night of 29 March 2026 the clocks of Berlin go from 2 to 3: local times are 23 hours apart, the dreams 24.
    let gates = |now: &str, hours: i64| {
        let home = super::pty::Home::new();
        let lock = home.store().join(LOCK_FILE);
        fs::write(&lock, "").unwrap();
        let now: DateTime<Utc> = now.parse().unwrap();
        set_mtime(&lock, now - TimeDelta::minutes(60 * hours - 1));
        let output = Command::new(env!("CARGO_BIN_EXE_dreamtop"))
            .args(["--json", "--memory-dir", home.store().to_str().unwrap(), "gates"])
            .env_clear()
            .envs([
                ("TZ", "Europe/Berlin"),
                ("DREAMTOP_NOW", &now.to_rfc3339()),
                ("HOME", home.path().to_str().unwrap()),
            ])
            .output()
            .unwrap();
        let gates: Value = serde_json::from_slice(&output.stdout).unwrap();
        gates["dream"][1].clone()
    };
    let short = gates("2026-03-29T10:00:00Z", 24);
    assert_eq!((&short["passed"], &short["short"]), (&json!(false), &json!("23h")));
    assert_eq!(gates("2026-03-29T10:00:00Z", 25)["passed"], true);
    assert_eq!(gates("2026-10-25T10:00:00Z", 24)["passed"], false);
}

#[test]
fn the_command_line_leaves_the_session_that_is_going_on_out_and_says_how_to_skip_a_gate() {
    let machine = super::common::Machine::with_sample();
    let (code, all) = machine.json("acme-api", &["dream", "--dry-run"]);
    assert_eq!(code, 0, "{all:#}");
    let sessions: Vec<String> = serde_json::from_value(all["sessions"].clone()).unwrap();
    let (_, without) = machine.json("acme-api", &["dream", "--dry-run", "--current-session", &sessions[0]]);
    assert_eq!(without["sessions"], json!(sessions[1..]), "{without:#}");
    machine.json("acme-api", &["dream", "--force"]);
    let project = machine.path("checkouts/acme-api");
    let answer = machine.run(&["--project", project.to_str().unwrap(), "dream"]);
    assert_eq!(answer.code(), 4);
    assert!(answer.out().contains("skipped  time: 0h") && answer.err().contains("dream --force"), "{}", answer.err());
}
