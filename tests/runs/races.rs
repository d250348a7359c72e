//! Races: sixteen processes for one store, fifty times, and never two dreamers.

use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc::{Receiver, channel};

use super::site::*;

const RACERS: usize = 16;

/// Not a test of its own: one racer. A `go` starts a dream, which ends at once when it is not the one; a `stop` kills it.
#[test]
#[ignore = "started by other tests"]
fn racer() {
    let Ok(dir) = std::env::var("DREAMTOP_TEST_SITE") else { return };
    let mut running: Option<(CancellationToken, std::thread::JoinHandle<()>)> = None;
    for line in std::io::stdin().lines() {
        match line.unwrap().as_str() {
            "go" => {
                let (cancel, dir) = (CancellationToken::new(), dir.clone());
                let token = cancel.clone();
                let thread = std::thread::spawn(move || {
                    let site = Site::at(PathBuf::from(dir));
                    let view = site.run_until(&site.dream("script:script.jsonl"), &token);
                    let mut out = std::io::stderr().lock();
                    writeln!(out, "racer {} {}", view.word(), view.reason).unwrap();
                });
                running = Some((cancel, thread));
            }
            _ => {
                if let Some((cancel, thread)) = running.take() {
                    cancel.cancel();
                    thread.join().unwrap();
                }
            }
        }
    }
}

/// The processes, and what they say: who, and the word for how the dream ended.
fn racers(site: &Site) -> (Vec<Process>, Receiver<(usize, String)>) {
    let (sender, receiver) = channel();
    let racers = (0..RACERS)
        .map(|number| {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["races::racer", "--exact", "--ignored", "--nocapture"])
                .env("DREAMTOP_TEST_SITE", &site.dir)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let (said, sender) = (child.stderr.take().unwrap(), sender.clone());
            std::thread::spawn(move || {
                for line in BufReader::new(said).lines().map_while(Result::ok) {
                    if let Some(word) = line.strip_prefix("racer ") {
                        let _ = sender.send((number, word.to_owned()));
                    }
                }
            });
            Process(child)
        })
        .collect();
    (racers, receiver)
}

fn tell(racer: &mut Process, word: &str) {
    writeln!(racer.0.stdin.as_mut().unwrap(), "{word}").unwrap();
}

/// Rounds in which all start at once; the winner is killed when every other one has given up. Returns the rounds that did not
/// have exactly one winner.
fn race(rounds: usize) -> usize {
    let site = Site::new();
    site.script(&[json!({"delay_ms": 600_000}), json!({"text": "late"})]);
    let (mut racers, said) = racers(&site);
    let mut wrong = 0;
    for round in 0..rounds {
        match round % 3 {
            0 => drop(fs::remove_file(site.lock())),
            1 => site.put_lock("", TimeDelta::hours(31)),
            _ => site.put_lock(&dead_pid().to_string(), TimeDelta::minutes(10)),
        }
        let before = site.picture();
        for racer in &mut racers {
            tell(racer, "go");
        }
        let mut waiting: Vec<usize> = (0..RACERS).collect();
        while waiting.len() > 1 {
            let (number, word) = said.recv_timeout(Duration::from_secs(60)).expect("all but the winner give up");
            assert!(word.starts_with("skipped lock: "), "round {round}: {word}");
            waiting.retain(|waiting| *waiting != number);
        }
        let winner = waiting[0];
        // The one that is left holds the lock, or there was no winner.
        let held = || fs::read_to_string(site.lock()).is_ok_and(|text| text == racers[winner].0.id().to_string());
        let until = Instant::now() + Duration::from_secs(20);
        while !held() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        let is_held = held();
        tell(&mut racers[winner], "stop");
        let (number, word) = said.recv_timeout(Duration::from_secs(60)).expect("the winner is killed");
        wrong += usize::from(!is_held || number != winner || !word.starts_with("killed"));
        for racer in &mut racers {
            tell(racer, "stop");
        }
        assert_eq!(site.picture(), before, "round {round}");
    }
    assert_eq!(site.copies(), 0);
    wrong
}

#[test]
fn of_sixteen_processes_exactly_one_dreams_in_each_of_fifty_rounds() {
    assert_eq!(race(50), 0);
}

/// The long version, for `docs/safety.md`.
#[test]
#[ignore = "takes minutes; run it by name, see docs/safety.md"]
fn long_a_thousand_rounds_of_sixteen() {
    let wrong = race(1_000);
    eprintln!("1000 rounds of {RACERS} processes: {wrong} without exactly one winner");
    assert_eq!(wrong, 0);
}
