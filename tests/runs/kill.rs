//! Runs that somebody kills, and runs that die.

use super::site::*;

#[test]
fn cancelling_a_slow_dream_ends_it_within_a_second_and_changes_nothing() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let before = site.picture();
    let engine = site.script(&[improve(), json!({"delay_ms": 60_000})]);
    let cancel = CancellationToken::new();
    let canceller = {
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            cancel.cancel();
            Instant::now()
        })
    };
    let view = site.run_until(&site.dream(&engine), &cancel);
    assert!(canceller.join().unwrap().elapsed() < Duration::from_secs(1));
    assert_eq!(view.outcome, Some(Outcome::Killed));
    assert_eq!(site.picture(), before);
    assert_eq!(site.record(JobKind::Dream), Record::default());
    assert_eq!(site.copies(), 0);
}

#[test]
fn a_killed_worker_process_leaves_the_store_byte_identical_and_the_schedule_as_before() {
    let site = Site::new();
    site.put_lock(&dead_pid().to_string(), TimeDelta::hours(31));
    let before = site.picture();
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    assert_eq!(view.touched, [("project_testing.md".to_owned(), TouchOp::Changed)]);
    assert_ne!(site.picture(), before, "the lock is held meanwhile");
    let started = Instant::now();
    let killed = kill(&site.state, &view.id, &Clock::Fixed(site.now), "command").unwrap();
    assert!(started.elapsed() < Duration::from_secs(2));
    process.0.wait().unwrap();
    assert_eq!((killed.outcome, killed.status), (Some(Outcome::Killed), RunStatus::Ended));
    assert_eq!(site.picture(), before);
    assert_eq!(site.record(JobKind::Dream), Record::default());
    assert_eq!(site.copies(), 0);
    assert!(matches!(kill(&site.state, &view.id, &Clock::Fixed(site.now), "command"), Err(KillError::Over(..))));
    assert!(matches!(kill(&site.state, "dream-nope", &Clock::Fixed(site.now), "command"), Err(KillError::Unknown(_))));
}

#[test]
fn a_worker_that_does_not_answer_is_ended_with_its_group_and_cleaned_up_after() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let before = site.picture();
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    let pid = process.0.id().to_string();
    assert!(Command::new("kill").args(["-STOP", &pid]).status().unwrap().success());
    let killed = kill(&site.state, &view.id, &Clock::Fixed(site.now), "command").unwrap();
    process.0.wait().unwrap();
    assert_eq!(killed.outcome, Some(Outcome::Killed));
    assert_eq!(site.picture(), before);
    assert_eq!(site.copies(), 0);
}

#[test]
fn a_run_that_died_without_a_word_is_interrupted_and_the_next_one_takes_over() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    process.0.kill().unwrap();
    process.0.wait().unwrap();
    let dead = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    assert_eq!((dead.status, dead.outcome), (RunStatus::Interrupted, None));
    assert!(matches!(kill(&site.state, &view.id, &Clock::Fixed(site.now), "command"), Err(KillError::Over(..))));
    let engine = site.script(&[json!({"error": "not today"})]);
    let next = site.run(&site.dream(&engine));
    assert_eq!(next.notices[0], format!("cleaned up after {}, whose process had died", view.id));
    assert_eq!(mtime(&site.lock()), site.now - TimeDelta::hours(31), "neither run moved the schedule");
    assert_eq!(site.copies(), 0);
    assert_eq!(fs::read_to_string(site.store().join("project_testing.md")).unwrap(), TOPIC);
}

/// A worker that has started a process itself, and that process.
fn with_a_child(site: &Site, script: &[Value]) -> (Process, RunView, u32) {
    let (process, view) = site.dream_elsewhere_with(script, &[("DREAMTOP_TEST_CHILD", "1")]);
    let child = fs::read_to_string(site.dir.join("child")).unwrap().parse().unwrap();
    assert!(is_alive(child));
    (process, view, child)
}

fn send(signal: &str, pid: u32) {
    assert!(Command::new("kill").args([signal, &pid.to_string()]).status().unwrap().success());
}

#[test]
fn what_a_worker_started_does_not_outlive_it_however_it_ends() {
    let slow = [improve(), json!({"delay_ms": 60_000})];
    for way in ["kill", "-TERM", "-INT", "-QUIT", "-KILL"] {
        let site = Site::new();
        site.put_lock("", TimeDelta::hours(31));
        let before = site.picture();
        let (mut process, view, child) = with_a_child(&site, &slow);
        let clock = Clock::Fixed(site.now);
        let expected = match way {
            "kill" => {
                kill(&site.state, &view.id, &clock, "command").unwrap();
                "command"
            }
            signal => {
                send(signal, view.pid);
                ["signal TERM", "signal INT", "signal QUIT", WORKER_DIED]
                    [["-TERM", "-INT", "-QUIT", "-KILL"].iter().position(|known| *known == signal).unwrap()]
            }
        };
        process.0.wait().unwrap();
        reap(&site.state, &clock);
        let ended = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
        assert_eq!((ended.outcome, ended.killed_by.as_deref()), (Some(Outcome::Killed), Some(expected)), "{way}");
        wait_until("the child is gone", || !is_alive(child));
        assert_eq!(site.picture(), before, "{way}");
        assert_eq!((site.record(JobKind::Dream), site.copies()), (Record::default(), 0), "{way}");
    }
}

#[test]
fn a_run_whose_child_is_killed_goes_on_and_ends_as_it_would() {
    let site = Site::new();
    let (mut process, view, child) = with_a_child(&site, &[improve(), because(), json!({"delay_ms": 300})]);
    send("-KILL", child);
    process.0.wait().unwrap();
    let ended = site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    assert_eq!(ended.outcome, Some(Outcome::Done), "{}", ended.reason);
}

#[test]
fn fc_049_a_run_that_is_said_to_run_and_has_no_holder_is_interrupted_runnable_and_told_how() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let (mut process, view) = site.dream_elsewhere(&[improve(), json!({"delay_ms": 60_000})]);
    process.0.kill().unwrap();
    process.0.wait().unwrap();
    let seen = || site.journalled().into_iter().find(|run| run.id == view.id).unwrap();
    // Whoever looks sees it at once; whoever may write writes it down, once.
    assert_eq!((seen().word(), seen().outcome), ("interrupted", None));
    let clock = Clock::Fixed(site.now);
    assert_eq!(reap(&site.state, &clock), [view.id.as_str()]);
    assert_eq!(
        (seen().word(), seen().outcome, seen().killed_by.as_deref()),
        ("interrupted", Some(Outcome::Killed), Some(WORKER_DIED))
    );
    assert!(seen().reason.contains("dreamtop dream --force"), "{}", seen().reason);
    assert!(reap(&site.state, &clock).is_empty());
    assert_eq!(mtime(&site.lock()), site.now - TimeDelta::hours(31), "the lock is given back without another run");
    let next = site.run(&site.dream(&site.script(&[improve(), because()])));
    assert_eq!(next.outcome, Some(Outcome::Done), "{next:?}");
}

#[test]
fn what_a_cron_job_types_and_dies_counts_as_a_failure_and_what_a_person_forces_does_not() {
    for (trigger, failures) in [("gated", 1), ("hand", 0)] {
        let site = Site::new();
        site.put_lock("", TimeDelta::hours(31));
        for id in ["a", "b", "c", "d", "e"] {
            site.session(id, 2);
        }
        let variables = [("DREAMTOP_TEST_TASK", trigger)];
        let (mut process, view) = site.dream_elsewhere_with(&[improve(), json!({"delay_ms": 60_000})], &variables);
        process.0.kill().unwrap();
        process.0.wait().unwrap();
        reap(&site.state, &Clock::Fixed(site.now));
        assert_eq!((view.trigger.as_str(), site.record(JobKind::Dream).failures), ("hand", failures), "{trigger}");
    }
}

#[test]
fn a_run_whose_journal_was_cut_off_before_its_first_word_is_ended_by_whoever_looks_next() {
    let site = Site::new();
    let done = site.run(&site.dream(&site.script(&[improve(), because()])));
    let journal = |run: &str| site.state.runs().join(format!("{run}.jsonl"));
    let whole = fs::read_to_string(journal(&done.id)).unwrap();
    let cut = &whole.as_bytes()[..100];
    let garbage = b"\xff\xfe garbage\n{}\n";
    for (run, bytes) in [("dream-empty", &b""[..]), ("dream-cut", cut), ("dream-odd", garbage), ("dream-young", b"")] {
        fs::write(journal(run), bytes).unwrap();
        if run != "dream-young" {
            let long_ago = SystemTime::now() - Duration::from_secs(120);
            fs::File::options().write(true).open(journal(run)).unwrap().set_modified(long_ago).unwrap();
        }
    }
    let clock = Clock::Fixed(site.now);
    assert_eq!(reap(&site.state, &clock), ["dream-cut", "dream-empty", "dream-odd"], "a young one may be being begun");
    for run in ["dream-empty", "dream-cut", "dream-odd"] {
        let view = site.journalled().into_iter().find(|view| view.id == run).unwrap();
        assert_eq!((view.outcome, view.killed_by.as_deref()), (Some(Outcome::Killed), Some(WORKER_DIED)), "{run}");
        let refused = kill(&site.state, run, &clock, "command").unwrap_err();
        assert!(matches!(refused, KillError::Over(..)), "{run}: {refused}");
    }
    assert!(reap(&site.state, &clock).is_empty(), "and only once");
}

#[test]
fn an_automatic_run_that_dies_is_not_started_again_after_every_turn() {
    let site = Site::new();
    site.put_lock("", TimeDelta::hours(31));
    let (mut process, view) =
        site.dream_elsewhere_with(&[improve(), json!({"delay_ms": 60_000})], &[("DREAMTOP_TEST_TRIGGER", "hook")]);
    process.0.kill().unwrap();
    process.0.wait().unwrap();
    reap(&site.state, &Clock::Fixed(site.now));
    let record = site.record(JobKind::Dream);
    assert_eq!(
        (view.trigger.as_str(), record.failures, record.retry_after),
        ("hook", 1, Some(site.now + TimeDelta::minutes(5)))
    );
}

#[test]
fn a_fake_record_of_a_holder_whose_id_was_given_out_again_holds_nothing() {
    let site = Site::new();
    let sleeper = Process::sleeping();
    let pid = sleeper.0.id();
    site.put_lock(&pid.to_string(), TimeDelta::minutes(10));
    let place = dreamtop::process::Place::here();
    let stamp = site.now - TimeDelta::minutes(10);
    let mut fake = json!({"format": "dreamtop/guard/1", "pid": pid, "birth": "1@another boot", "token": "t", "prior": null,
        "stamp": stamp, "finished": false});
    fake.as_object_mut().unwrap().extend(serde_json::to_value(&place).unwrap().as_object().unwrap().clone());
    let dir = Schedule::of(&site.state, &site.store()).dir().to_owned();
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("guard.json"), fake.to_string()).unwrap();
    let view = site.run(&site.dream(&site.script(&[improve(), because()])));
    assert_eq!(view.outcome, Some(Outcome::Done), "{}", view.reason);
    assert!(
        view.notices.contains(&format!("took over the lock from a dead process (PID {pid})")),
        "{:?}",
        view.notices
    );
    assert!(is_alive(pid), "and nobody was killed for it");
}

/// The processes that have this path among their arguments.
#[cfg(target_os = "linux")]
fn at_work_on(path: &Path) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let wanted = path.as_os_str().as_encoded_bytes().to_vec();
    let has_it = |pid: &u32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == wanted)
    };
    pids.filter(has_it).filter(|pid| is_alive(*pid)).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_tool_of_a_worker_had_started_ends_with_the_run_also_when_the_worker_was_killed_with_kill_9() {
    let site = Site::new();
    fs::create_dir_all(site.sessions()).unwrap();
    // So much to read that no reader comes to its end.
    let big = site.sessions().join("big");
    fs::File::create(&big).unwrap().set_len(300 << 30).unwrap();
    let command = format!("cat {} | wc -l", big.display());
    let (mut process, view) = site.dream_elsewhere(&[
        improve(),
        json!({"tool": "Bash", "input": {"command": command}}),
        json!({"delay_ms": 60_000}),
    ]);
    wait_until("the tool is at work", || !at_work_on(&big).is_empty());
    let worker = view.pid;
    let of_run = || -> Vec<u32> {
        let below = dreamtop::process::descendants(worker);
        below.into_iter().map(|(pid, _)| pid).collect()
    };
    let tools = of_run();
    assert!(tools.len() >= 2, "cat and wc: {tools:?}");
    process.0.kill().unwrap();
    process.0.wait().unwrap();
    assert_eq!(reap(&site.state, &Clock::Fixed(site.now)), [view.id.as_str()]);
    let left: Vec<&u32> = tools.iter().filter(|pid| is_alive(**pid)).collect();
    assert!(left.is_empty(), "{left:?} of {tools:?}");
}
