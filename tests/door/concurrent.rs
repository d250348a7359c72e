//! Several processes at the door at once. The test binary itself is the other process.

use std::process::{Child, Command, Stdio};

use dreamtop::change::{ChangeSet, Consent, Origin};
use dreamtop::memory::Index;
use dreamtop::memory::index::NewEntry;

use super::help::*;

/// Which test the child runs and on which directory; see [`child`].
const WHAT: &str = "DOOR_TEST_CHILD";

/// Starts this test binary again, running only `test`, as a child that works on `place`.
pub(crate) fn child(test: &str, place: &Place, argument: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(WHAT, format!("{}\n{argument}", place.root.display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// In a child: the place to work on and the argument. In the ordinary run: nothing.
pub(crate) fn called_as_child() -> Option<(Place, String)> {
    let what = std::env::var(WHAT).ok()?;
    let (root, argument) = what.split_once('\n').unwrap();
    Some((Place::at(root.as_ref()), argument.to_owned()))
}

fn add(place: &Place, who: &str, number: usize) -> ChangeSet {
    let file = format!("project_{who}_{number}.md");
    let index = std::fs::read(place.path("MEMORY.md")).unwrap_or_default();
    let entry = NewEntry { file: file.clone(), title: format!("{who} {number}"), hook: "a fact".to_owned() };
    let content = Index::read(index.clone()).with_entry(&entry);
    let body = format!("A fact of {who}'s, number {number}.");
    let mut set = set(Origin::Extract, vec![create(&file, &memory("project", &file, &body))]);
    set.index = Some(dreamtop::change::IndexChange { base: index, content });
    set
}

#[test]
fn child_that_adds_memories() {
    let Some((place, who)) = called_as_child() else { return };
    for number in 0..50 {
        let landing = place.land(&add(&place, &who, number), Consent::None).unwrap();
        assert!(landing.held.is_empty());
    }
}

#[test]
fn fc_020_two_processes_adding_at_once_lose_no_file_and_no_index_line() {
    let place = Place::new();
    place.write("MEMORY.md", "# Memory Index\n\nWritten by hand.\n");
    let children = ["one", "two"].map(|who| child("concurrent::child_that_adds_memories", &place, who));
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let files: Vec<String> = place.everything().into_keys().filter(|file| file != "MEMORY.md").collect();
    assert_eq!(files.len(), 100);
    let index = place.read("MEMORY.md");
    for file in &files {
        assert_eq!(index.matches(&format!("({file})")).count(), 1, "{file}");
    }
    assert_eq!(index.lines().filter(|line| line.contains("](")).count(), 100);
    assert!(index.starts_with("# Memory Index\n\nWritten by hand.\n"), "{index}");
    assert_eq!(place.door.history(&place.store).unwrap().len(), 100);
}

#[test]
fn a_writer_that_empties_a_file_before_it_fills_it_loses_nothing_either() {
    use std::io::{Seek, Write};
    let place = Place::new();
    let hand = "# Memory Index\n\nWritten by hand.\n";
    place.write("MEMORY.md", hand);
    let path = place.path("MEMORY.md");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = SetAtEnd(&done);
        // It holds on to the file it opened, whatever has its name meanwhile.
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Acquire) {
                let Ok(mut file) = std::fs::File::options().read(true).write(true).open(&path) else { continue };
                let text = std::io::read_to_string(&file).unwrap();
                assert!(text.is_empty() || text.contains("Written by hand."), "what stood there is gone: {text}");
                if text.is_empty() {
                    continue;
                }
                file.set_len(0).unwrap();
                std::thread::yield_now();
                file.rewind().unwrap();
                file.write_all(text.as_bytes()).unwrap();
                // So that it is found filled more often than empty.
                (0..4).for_each(|_| std::thread::yield_now());
            }
        });
        for number in 0..8 {
            // Giving way is right as well; losing is not.
            let _ = place.land(&add(&place, "one", number), Consent::None);
        }
    });
    assert!(place.read("MEMORY.md").contains("Written by hand."));
}

/// Sets a flag when it goes, however that comes.
struct SetAtEnd<'a>(&'a std::sync::atomic::AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Release);
    }
}

#[test]
fn a_writer_that_ignores_the_lock_loses_nothing_either() {
    let place = Place::new();
    place.write("a.md", &ten_lines());
    let path = place.path("a.md");
    let done = std::sync::atomic::AtomicBool::new(false);
    let tried = std::sync::atomic::AtomicUsize::new(0);
    let ended = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Also when an assertion below fails.
        let _end = SetAtEnd(&ended);
        // Another program appends by reading and rewriting through a rename, as editors do.
        scope.spawn(|| {
            for number in 0..200 {
                // Now and then it rests while we try twice, or on a fast machine none of ours would ever land.
                let enough = tried.load(std::sync::atomic::Ordering::Acquire) + 2;
                while number % 16 == 15 && tried.load(std::sync::atomic::Ordering::Acquire) < enough {
                    if ended.load(std::sync::atomic::Ordering::Acquire) {
                        return;
                    }
                    std::thread::yield_now();
                }
                let temp = place.root.join("foreign.tmp");
                let mut text = std::fs::read_to_string(&path).unwrap();
                let read = text.clone();
                text.push_str(&format!("Foreign {number}.\n"));
                std::fs::write(&temp, text).unwrap();
                // It compares as well as such programs can; what it overwrites in between is its fault, not ours.
                if std::fs::read_to_string(&path).unwrap() == read {
                    std::fs::rename(&temp, &path).unwrap();
                }
                std::thread::yield_now();
            }
            done.store(true, std::sync::atomic::Ordering::Release);
        });
        let mut landed = 0;
        while !done.load(std::sync::atomic::Ordering::Acquire) {
            let base = std::fs::read_to_string(&path).unwrap();
            let ours = base.replacen("Line 2", "Line 2!", 1);
            let outcome = place.land(&set(Origin::Edit, vec![replace("a.md", &base, &ours)]), Consent::Person);
            tried.fetch_add(1, std::sync::atomic::Ordering::Release);
            match outcome {
                Ok(landing) => {
                    // What we displaced is in the history, and every line of the other program in what we wrote.
                    // When the two changes merge into what is there already, nothing has to land.
                    let Some(id) = landing.history else { continue };
                    landed += 1;
                    let entry = place.door.history(&place.store).unwrap().into_iter().find(|one| one.id == id).unwrap();
                    let image = |hash| String::from_utf8(place.door.image(&place.store, hash).unwrap()).unwrap();
                    let after = image(entry.files[0].after.unwrap());
                    for line in image(entry.files[0].before.unwrap()).lines().filter(|line| line.starts_with("Foreign"))
                    {
                        assert!(after.contains(line), "lost: {line}");
                    }
                }
                Err(error) => assert!(error.to_string().contains("again"), "{error}"),
            }
        }
        assert!(landed > 0, "at least one of ours met one of theirs");
    });
    assert!(place.read("a.md").contains("Line 10 says something.\n"));
    assert_eq!(place.strays(), Vec::<String>::new());
}

/// One round: two processes, fifty adds each. Returns files and index lines that were lost.
fn race() -> (usize, usize) {
    let place = Place::new();
    place.write("MEMORY.md", "# Memory Index\n\nWritten by hand.\n");
    let children = ["one", "two"].map(|who| child("concurrent::child_that_adds_memories", &place, who));
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let index = place.read("MEMORY.md");
    let all =
        || ["one", "two"].into_iter().flat_map(|who| (0..50).map(move |number| format!("project_{who}_{number}.md")));
    let files = all().filter(|file| !place.has(file)).count();
    let lines = all().filter(|file| index.matches(&format!("({file})")).count() != 1).count();
    (files, lines + usize::from(!index.starts_with("# Memory Index\n\nWritten by hand.\n")))
}

/// The long version, for `docs/safety.md`.
#[test]
#[ignore = "takes minutes; run it by name, see docs/safety.md"]
fn long_two_processes_fifty_adds_twenty_rounds() {
    let lost = (0..20).map(|_| race()).fold((0, 0), |sum, lost| (sum.0 + lost.0, sum.1 + lost.1));
    eprintln!("20 rounds, 2,000 adds: {} files and {} index lines lost", lost.0, lost.1);
    assert_eq!(lost, (0, 0));
}
