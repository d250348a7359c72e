//! Many runs in a row leave nothing behind: no file beside the journals, no process, no open file, no thread, no memory.

use super::site::*;

/// What a process holds: open files, threads, resident memory in KB.
#[derive(Debug)]
struct Holding {
    files: usize,
    threads: usize,
    resident: u64,
}

fn holding() -> Holding {
    let count = |dir: &str| fs::read_dir(dir).unwrap().count();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let resident = resident.trim().trim_end_matches(" kB").parse().unwrap();
    Holding { files: count("/proc/self/fd"), threads: count("/proc/self/task"), resident }
}

/// Everything under the state directory that is no journal of a run.
fn kept(site: &Site) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![site.state.root().to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if entry.path().parent() != Some(&site.state.runs())
                || entry.path().extension().is_none_or(|ending| ending != "jsonl")
            {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}

fn endure(runs: usize) -> (Holding, Holding) {
    let site = Site::new();
    site.session("s1", 2);
    let threads = holding().threads;
    // The engine's thread of the last run may just be ending.
    let settle = || wait_until("as many threads as at first", || holding().threads == threads);
    let read = json!({"tool": "Read", "input": {"file_path": "MEMORY.md"}});
    fs::write(site.dir.join("works.jsonl"), format!("{read}\n")).unwrap();
    fs::write(site.dir.join("fails.jsonl"), "{\"error\":\"no answer\"}\n").unwrap();
    fs::write(site.dir.join("talks.jsonl"), "{\"text\":\"Fine.\"}\n").unwrap();
    let one = |number: usize| {
        let order = match number % 4 {
            0 => site.dream("script:works.jsonl"),
            1 => site.dream("script:fails.jsonl"),
            2 => site.dream("script:talks.jsonl"),
            _ => Order { dry_run: true, ..site.dream("script:works.jsonl") },
        };
        let cancel = CancellationToken::new();
        if number % 10 == 9 {
            cancel.cancel();
        }
        site.run_until(&order, &cancel);
    };
    // What is made once is made by then: pools, caches, the files of the state directory.
    (0..40).for_each(one);
    settle();
    let (before, files) = (holding(), kept(&site));
    (40..runs + 40).for_each(one);
    settle();
    let after = holding();
    assert_eq!(kept(&site), files, "files beside the journals");
    assert_eq!(site.copies(), 0);
    assert_eq!(fs::read_dir(site.store()).unwrap().count(), 3, "two memories' files and the lock");
    assert!(dreamtop::process::descendants(std::process::id()).is_empty());
    (before, after)
}

/// Not a test of its own: it counts what its process holds, so it needs one for itself.
#[test]
#[ignore = "started by other tests"]
fn in_a_process_of_its_own() {
    let Some(runs) = std::env::var("DREAMTOP_TEST_RUNS").ok().and_then(|runs| runs.parse().ok()) else { return };
    let started = Instant::now();
    let (before, after) = endure(runs);
    eprintln!("{runs} runs in {:?}: before {before:?}, after {after:?}", started.elapsed());
    assert_eq!((after.files, after.threads), (before.files, before.threads));
    assert!(after.resident < before.resident + 8_192, "{before:?} {after:?}");
}

fn alone(runs: &str) {
    // Where there is one, a file system in memory: what is counted here does not depend on the disk, the time does.
    let temp = Some(PathBuf::from("/dev/shm")).filter(|place| place.is_dir()).unwrap_or_else(std::env::temp_dir);
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["endurance::in_a_process_of_its_own", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("DREAMTOP_TEST_RUNS", runs)
        .env("TMPDIR", temp)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

#[test]
fn five_hundred_runs_in_a_row_leave_nothing_behind() {
    alone("500");
}

/// The long version, for `docs/safety.md`.
#[test]
#[ignore = "takes minutes; run it by name, see docs/safety.md"]
fn long_five_thousand_runs_in_a_row() {
    alone("5000");
}
