//! How long a client waits, and that it ends: against a server of this process, with waits that are only written down.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use dreamtop::change::Door;
use dreamtop::clock::Clock;
use dreamtop::memory::Store;
use dreamtop::state::StateDir;
use dreamtop::team::client::record::RecordPlace;
use dreamtop::team::client::remote::{Changed, Fetched, On, Remote, RemoteError};
use dreamtop::team::client::report::SyncError;
use dreamtop::team::client::sync::{Client, Rest, Wish};
use dreamtop::team::repository::Repository;
use dreamtop::team::sum::Sum;

/// A server that has nothing and always answers a PUT with the same error.
struct Stubborn(RemoteError);

impl Remote for Stubborn {
    fn get(&self, _: Option<&Sum>, _: bool) -> Result<Fetched, RemoteError> {
        Ok(Fetched::Nothing)
    }

    fn put(&self, _: On<'_>, _: &BTreeMap<String, String>) -> Result<Changed, RemoteError> {
        Err(self.0.clone())
    }

    fn delete(&self, _: &str, _: &Sum) -> Result<Changed, RemoteError> {
        Err(self.0.clone())
    }
}

/// The waits before the end, and how it ended.
fn waits(error: RemoteError, chance: f64) -> (Vec<Duration>, SyncError) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path().join("memory"));
    fs::create_dir_all(store.root().join("team")).unwrap();
    fs::write(store.root().join("team/a.md"), "One.\n").unwrap();
    let state = StateDir::at(dir.path().join("state"));
    let door = Door::new(state.clone(), Clock::System);
    let repository: Repository = "acme/app".parse().unwrap();
    let place = RecordPlace::of(&state, store.root(), "http://stubborn", &repository);
    let waited = RefCell::new(Vec::new());
    let client = Client {
        door: &door,
        store: &store,
        remote: &Stubborn(error),
        repository: &repository,
        place: &place,
        credential: "token",
        rest: Rest { sleep: &|time| waited.borrow_mut().push(time), chance: &|| chance, tell: &|_| () },
    };
    let ended = client.run(&Wish { push: true, ..Wish::default() }).unwrap_err();
    assert_eq!(fs::read_to_string(store.root().join("team/a.md")).unwrap(), "One.\n");
    (waited.into_inner(), ended)
}

#[test]
fn fc_083_there_are_two_more_tries_a_tenth_to_eight_tenths_of_a_second_apart() {
    for (chance, milliseconds) in [(0.0, 100), (1.0, 800)] {
        let (waited, ended) = waits(RemoteError::Moved, chance);
        assert_eq!(waited, [Duration::from_millis(milliseconds); 2]);
        assert!(matches!(ended, SyncError::Conflict(3)), "{ended}");
    }
}

#[test]
fn a_server_that_asks_for_an_hour_is_waited_for_five_minutes_at_a_time_and_given_up() {
    let busy = |seconds| RemoteError::Busy { wait: Some(Duration::from_secs(seconds)), words: "busy".to_owned() };
    let (waited, ended) = waits(busy(3_600), 0.0);
    assert_eq!(waited, [Duration::from_millis(300_100); 2]);
    assert!(matches!(ended, SyncError::Remote(_)), "{ended}");
    assert_eq!(waits(busy(7), 0.0).0, [Duration::from_millis(7_100); 2]);
}

#[test]
fn what_will_be_the_same_the_next_time_is_not_tried_again() {
    let refused = RemoteError::Refused { status: 403, words: "no right".to_owned() };
    let (waited, ended) = waits(refused, 0.5);
    assert!(waited.is_empty() && matches!(ended, SyncError::Refused(_)), "{ended}");
}
