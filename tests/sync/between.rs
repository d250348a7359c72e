//! What happens between two steps of a sync or a deletion: somebody writes, or it ends there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;

use dreamtop::change::Door;
use dreamtop::clock::Clock;
use dreamtop::memory::Store;
use dreamtop::state::StateDir;
use dreamtop::team::client::act;
use dreamtop::team::client::local::Local;
use dreamtop::team::client::record::RecordPlace;
use dreamtop::team::client::remote::{Changed, Fetched, On, Remote, RemoteError, Seen};
use dreamtop::team::client::report::Report;
use dreamtop::team::client::sync::{Client, Rest, Wish};
use dreamtop::team::repository::Repository;
use dreamtop::team::sum::Sum;

/// A server that does what it is asked, and something else of a test's right afterwards.
struct Meddling<'a> {
    entries: RefCell<BTreeMap<String, String>>,
    then: RefCell<Option<Box<dyn FnOnce() + 'a>>>,
}

impl Meddling<'_> {
    fn changed(&self) -> Changed {
        if let Some(then) = self.then.borrow_mut().take() {
            then();
        }
        Changed { checksum: Some(self.checksum()), version: 1 }
    }

    fn sums(&self) -> BTreeMap<String, Sum> {
        self.entries.borrow().iter().map(|(key, text)| (key.clone(), Sum::of(text.as_bytes()))).collect()
    }

    fn checksum(&self) -> Sum {
        let sums = self.sums();
        Sum::of_all(sums.iter().map(|(key, sum)| (key.as_str(), sum)))
    }
}

impl Remote for Meddling<'_> {
    fn get(&self, _: Option<&Sum>, _: bool) -> Result<Fetched, RemoteError> {
        let (checksum, texts) = (Some(self.checksum()), Some(self.entries.borrow().clone()));
        Ok(Fetched::Here(Seen { checksum, version: 1, sums: Some(self.sums()), texts }))
    }

    fn put(&self, _: On<'_>, entries: &BTreeMap<String, String>) -> Result<Changed, RemoteError> {
        self.entries.borrow_mut().extend(entries.clone());
        Ok(self.changed())
    }

    fn delete(&self, key: &str, _: &Sum) -> Result<Changed, RemoteError> {
        self.entries.borrow_mut().remove(key);
        Ok(self.changed())
    }
}

struct Site {
    _dir: tempfile::TempDir,
    store: Store,
    door: Door,
    repository: Repository,
    place: RecordPlace,
}

impl Site {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::at(dir.path().join("memory"));
        fs::create_dir_all(store.root().join("team")).unwrap();
        let state = StateDir::at(dir.path().join("state"));
        let repository: Repository = "acme/app".parse().unwrap();
        let place = RecordPlace::of(&state, store.root(), "http://meddling", &repository);
        Self { _dir: dir, store, door: Door::new(state, Clock::System), repository, place }
    }

    fn sync(&self, remote: &dyn Remote) -> Report {
        let client = Client {
            door: &self.door,
            store: &self.store,
            remote,
            repository: &self.repository,
            place: &self.place,
            credential: "token",
            rest: Rest { sleep: &|_| (), chance: &|| 0.5, tell: &|_| () },
        };
        client.run(&Wish { pull: true, push: true, accept_shrink: true, ..Wish::default() }).unwrap()
    }
}

fn holding<'a>(entries: &[(&str, &str)], then: impl FnOnce() + 'a) -> Meddling<'a> {
    let entries = entries.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    Meddling { entries: RefCell::new(entries), then: RefCell::new(Some(Box::new(then))) }
}

#[test]
fn what_is_written_during_a_sync_is_news_after_it() {
    let site = Site::new();
    let file = site.store.root().join("team/a.md");
    fs::write(&file, "One.\n").unwrap();
    let remote = holding(&[], || fs::write(&file, "Two, written meanwhile.\n").unwrap());
    assert_eq!(site.sync(&remote).sent, ["a.md"]);
    let picture = || Some(Local::read(site.store.root()).unwrap().picture());
    assert_ne!(site.place.read().0.tried, picture(), "a sync is due for it");
    assert_eq!(site.sync(&remote).sent, ["a.md"]);
    assert_eq!(site.place.read().0.tried, picture(), "and none any more");
}

#[test]
fn a_deletion_that_ends_halfway_brings_the_entry_back_for_nobody() {
    let site = Site::new();
    let index = site.store.root().join("team/MEMORY.md");
    let (first, second) = ("# Team\n- [A](a.md) — one\n", "# Team\n- [A](a.md) — one, and more\n");
    let remote = holding(&[("a.md", "One.\n"), ("MEMORY.md", first)], || fs::write(&index, second).unwrap());
    // Taking what is there sends nothing, so that the meddling comes with the deletion.
    site.sync(&remote);
    // The line in the index is another one by the time the entry is to go from here: nothing lands.
    assert!(act::delete(&site.door, &site.store, &site.place, &remote, "a").is_err());
    assert!(!remote.entries.borrow().contains_key("a.md"));
    assert!(site.store.root().join("team/a.md").exists());
    let report = site.sync(&remote);
    assert_eq!((report.removed, report.sent), (vec!["a.md".to_owned()], vec!["MEMORY.md".to_owned()]));
    assert!(!remote.entries.borrow().contains_key("a.md") && !site.store.root().join("team/a.md").exists());
}
