#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;

const FAST: Pace = Pace {
    safety: Duration::from_millis(60),
    fallback: Duration::from_millis(60),
    missing: Duration::from_millis(30),
    share: 1,
};

/// A pace at which no look of our own can be what noticed.
const EVENTS_ONLY: Pace = Pace {
    safety: Duration::from_secs(600),
    fallback: Duration::from_secs(600),
    missing: Duration::from_secs(600),
    share: 1,
};

fn next(events: &mut UnboundedReceiver<WatchEvent>, within: Duration) -> Option<WatchEvent> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(within, events.recv()).await.ok().flatten() })
}

fn drain(events: &mut UnboundedReceiver<WatchEvent>) -> usize {
    std::iter::from_fn(|| next(events, QUIET * 3)).count()
}

/// An event source that takes every watch and never says anything, as on a network mount.
struct Silent;

impl Native for Silent {
    fn watch(&mut self, _: &Path, _: bool) -> notify::Result<()> {
        Ok(())
    }
    fn unwatch(&mut self, _: &Path) {}
}

/// An event source without room for another watch.
struct Full(notify::ErrorKind);

impl Native for Full {
    fn watch(&mut self, _: &Path, _: bool) -> notify::Result<()> {
        Err(match &self.0 {
            notify::ErrorKind::MaxFilesWatch => notify::Error::new(notify::ErrorKind::MaxFilesWatch),
            _ => notify::Error::io(std::io::Error::from_raw_os_error(28)),
        })
    }
    fn unwatch(&mut self, _: &Path) {}
}

struct Fixture {
    dir: tempfile::TempDir,
    store: PathBuf,
    runs: PathBuf,
}

fn fixture() -> Fixture {
    let dir = tempfile::tempdir().unwrap();
    let (store, runs) = (dir.path().join("memory"), dir.path().join("runs"));
    fs::create_dir_all(&store).unwrap();
    fs::create_dir_all(&runs).unwrap();
    fs::write(store.join("a.md"), "one").unwrap();
    // As on any day: what is there was there before.
    for path in [store.join("a.md"), store.clone(), runs.clone()] {
        let long_ago = SystemTime::now() - Duration::from_secs(60);
        fs::File::open(path).and_then(|file| file.set_modified(long_ago)).unwrap();
    }
    Fixture { dir, store, runs }
}

#[test]
fn fc_114_five_saves_by_rename_are_each_seen_within_a_second() {
    let fixture = fixture();
    let (sender, mut events) = unbounded_channel();
    let _watch = start_with(&fixture.store, &fixture.runs, sender, EVENTS_ONLY, native).unwrap();
    drain(&mut events);
    for save in 0..5 {
        let temp = fixture.store.join("a.md.tmp");
        fs::write(&temp, format!("save {save}")).unwrap();
        fs::rename(&temp, fixture.store.join("a.md")).unwrap();
        assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store), "save {save}");
        drain(&mut events);
    }
}

#[test]
fn a_file_in_a_directory_made_later_is_seen_and_so_is_the_journal_of_a_run() {
    let fixture = fixture();
    let (sender, mut events) = unbounded_channel();
    let _watch = start_with(&fixture.store, &fixture.runs, sender, EVENTS_ONLY, native).unwrap();
    drain(&mut events);
    fs::create_dir(fixture.store.join("team")).unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store));
    drain(&mut events);
    fs::write(fixture.store.join("team/b.md"), "two").unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store));
    drain(&mut events);
    fs::write(fixture.runs.join("dream-1.jsonl"), "{}\n").unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Runs));
}

#[test]
fn a_file_that_is_written_without_pause_is_told_of_while_it_goes_on() {
    let fixture = fixture();
    let (sender, mut events) = unbounded_channel();
    let _watch = start_with(&fixture.store, &fixture.runs, sender, EVENTS_ONLY, native).unwrap();
    drain(&mut events);
    let journal = fixture.runs.join("dream-1.jsonl");
    let started = Instant::now();
    let mut seen = 0;
    while started.elapsed() < BURST * 3 {
        crate::state::append_line(&journal, "{}", false).unwrap();
        std::thread::sleep(QUIET / 4);
        while events.try_recv().is_ok() {
            seen += 1;
        }
    }
    assert!(seen >= 1, "nothing was told of during {:?} of writing", started.elapsed());
}

#[test]
fn fc_115_running_out_of_watches_is_not_called_a_full_disk_and_polling_takes_over() {
    for kind in [notify::ErrorKind::MaxFilesWatch, notify::ErrorKind::Generic(String::new())] {
        let fixture = fixture();
        let (sender, mut events) = unbounded_channel();
        let _watch =
            start_with(&fixture.store, &fixture.runs, sender, FAST, |_| Ok(Box::new(Full(kind)) as Box<dyn Native>))
                .unwrap();
        let Some(WatchEvent::Degraded(sentence)) = next(&mut events, Duration::from_secs(1)) else { panic!("no word") };
        assert!(sentence.contains("limit on watches") && !sentence.contains("space"), "{sentence}");
        fs::write(fixture.store.join("b.md"), "two").unwrap();
        assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store));
        assert_eq!(drain(&mut events), 0, "the trouble and the change are told of once");
    }
}

#[test]
fn a_watcher_that_cannot_be_made_at_all_falls_back_too() {
    let fixture = fixture();
    let (sender, mut events) = unbounded_channel();
    let _watch = start_with(&fixture.store, &fixture.runs, sender, FAST, |_| {
        Err(notify::Error::io(std::io::Error::from_raw_os_error(24)))
    })
    .unwrap();
    assert!(
        matches!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Degraded(it)) if it.contains("limit"))
    );
    fs::write(fixture.store.join("a.md"), "changed").unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store));
}

#[test]
fn fc_116_a_mount_without_events_is_looked_at_from_time_to_time() {
    let fixture = fixture();
    let (sender, mut events) = unbounded_channel();
    let _watch =
        start_with(&fixture.store, &fixture.runs, sender, FAST, |_| Ok(Box::new(Silent) as Box<dyn Native>)).unwrap();
    for change in ["two", "three!"] {
        fs::write(fixture.store.join("a.md"), change).unwrap();
        assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store));
    }
    fs::remove_file(fixture.store.join("a.md")).unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(1)), Some(WatchEvent::Store));
}

#[test]
fn a_store_that_appears_vanishes_and_comes_back_is_followed() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("later/memory");
    let (sender, mut events) = unbounded_channel();
    let pace = Pace { safety: Duration::from_secs(600), ..FAST };
    let _watch = start_with(&store, &dir.path().join("runs"), sender, pace, native).unwrap();
    assert_eq!(drain(&mut events), 0, "a store that is not there is no change");
    for round in 0..2 {
        fs::create_dir_all(&store).unwrap();
        fs::write(store.join("a.md"), format!("round {round}")).unwrap();
        assert_eq!(next(&mut events, Duration::from_secs(2)), Some(WatchEvent::Store), "round {round}");
        drain(&mut events);
        fs::remove_dir_all(&store).unwrap();
        assert_eq!(next(&mut events, Duration::from_secs(2)), Some(WatchEvent::Store), "removed in round {round}");
        drain(&mut events);
    }
}

#[test]
fn fc_117_reading_everything_again_and_again_makes_no_event() {
    let fixture = fixture();
    for number in 0..300 {
        fs::write(fixture.store.join(format!("memory_{number}.md")), "text").unwrap();
    }
    let (sender, mut events) = unbounded_channel();
    let _watch = start_with(&fixture.store, &fixture.runs, sender, EVENTS_ONLY, native).unwrap();
    drain(&mut events);
    for _ in 0..3 {
        for entry in fs::read_dir(&fixture.store).unwrap() {
            fs::read(entry.unwrap().path()).unwrap();
        }
    }
    assert_eq!(drain(&mut events), 0);
}

#[test]
fn a_dropped_watch_ends_its_thread() {
    static ALIVE: AtomicUsize = AtomicUsize::new(0);
    struct Counted;
    impl Native for Counted {
        fn watch(&mut self, _: &Path, _: bool) -> notify::Result<()> {
            Ok(())
        }
        fn unwatch(&mut self, _: &Path) {}
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let fixture = fixture();
    let (sender, _events) = unbounded_channel();
    ALIVE.fetch_add(1, Ordering::SeqCst);
    let watch =
        start_with(&fixture.store, &fixture.runs, sender, EVENTS_ONLY, |_| Ok(Box::new(Counted) as Box<dyn Native>));
    drop(watch.unwrap());
    let deadline = Instant::now() + Duration::from_secs(2);
    while ALIVE.load(Ordering::SeqCst) != 0 {
        assert!(Instant::now() < deadline, "the thread goes on");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(fixture.dir);
}

#[test]
fn the_signature_tells_names_sizes_and_times_apart_and_nothing_else() {
    let fixture = fixture();
    let first = signature(&fixture.store, STORE);
    assert_eq!(first, signature(&fixture.store, STORE));
    let path = fixture.store.join("a.md");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, "longer").unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(before).unwrap();
    let longer = signature(&fixture.store, STORE);
    assert_ne!(first, longer, "another size");
    fs::File::options().write(true).open(&path).unwrap().set_modified(before + Duration::from_nanos(1_000)).unwrap();
    let later = signature(&fixture.store, STORE);
    assert_ne!(longer, later, "another time");
    fs::rename(&path, fixture.store.join("b.md")).unwrap();
    assert_ne!(later, signature(&fixture.store, STORE), "another name");
}

#[test]
fn a_look_at_a_huge_directory_ends_at_its_bound_and_takes_the_nearest_first() {
    let fixture = fixture();
    for number in 0..30 {
        fs::create_dir_all(fixture.store.join(format!("deep/{number}"))).unwrap();
        fs::write(fixture.store.join(format!("deep/{number}/b.md")), "two").unwrap();
    }
    let looked_at = |reach: Reach| {
        let mut seen = Vec::new();
        each(&fixture.store, reach, |path, _| seen.push(path.to_owned()));
        seen
    };
    assert_eq!(looked_at(STORE).len(), 2 + 30 + 30);
    let few = looked_at(Reach { depth: 8, entries: 5 });
    assert_eq!(few.len(), 5);
    assert!(few.contains(&fixture.store.join("a.md")), "{few:?}");
    assert_eq!(looked_at(RUNS).len(), 2, "of runs only what lies beside each other");
}

#[test]
fn what_a_run_does_in_its_room_is_no_news_of_runs() {
    let fixture = fixture();
    fs::create_dir_all(fixture.runs.join("dream-1/work")).unwrap();
    let (sender, mut events) = unbounded_channel();
    let watch = start_with(&fixture.store, &fixture.runs, sender, EVENTS_ONLY, native).unwrap();
    fs::write(fixture.runs.join("dream-1.jsonl"), "{}\n").unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(20)), Some(WatchEvent::Runs), "its journal is");
    drain(&mut events);
    fs::write(fixture.runs.join("dream-1/work/a.md"), "text").unwrap();
    fs::write(fixture.store.join("later.md"), "text").unwrap();
    assert_eq!(next(&mut events, Duration::from_secs(20)), Some(WatchEvent::Store), "and nothing before it");
    drop(watch);
}
