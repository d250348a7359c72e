//! People at their machines: what they do, and what they may expect of it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};

use dreamtop::change::Door;
use dreamtop::clock::Clock;
use dreamtop::memory::Store;
use dreamtop::state::StateDir;
use dreamtop::team::client::act;
use dreamtop::team::client::local::Local;
use dreamtop::team::client::record::RecordPlace;
use dreamtop::team::client::sync::{Client, Keep, Rest, Wish};
use dreamtop::team::repository::Repository;
use proptest::prelude::*;

use super::Outcome;
use super::model::{Fault, Model, Wire};

const KEYS: [&str; 4] = ["a.md", "b.md", "sub/c.md", "MEMORY.md"];
pub const CLIENTS: usize = 3;

#[derive(Clone, Debug)]
pub enum Op {
    /// See [`edit`].
    Edit {
        client: usize,
        key: usize,
        how: u8,
    },
    Remove {
        client: usize,
        key: usize,
    },
    Delete {
        client: usize,
        key: usize,
    },
    Hide {
        client: usize,
        key: usize,
        is_hidden: bool,
    },
    Sync {
        client: usize,
        pull: bool,
        push: bool,
        keep: u8,
        faults: Vec<Option<Fault>>,
        is_crash: bool,
        /// The PUT after which the client is gone at once.
        dies_after: Option<usize>,
        /// What its person writes during the first PUT.
        meanwhile: Option<(usize, u8)>,
    },
}

impl Op {
    /// The same step in a world where nothing fails and a text is never replaced whole.
    pub fn without_faults(self) -> Self {
        match self {
            Self::Edit { client, key, how: 1 } | Self::Remove { client, key } | Self::Delete { client, key } => {
                Self::Edit { client, key, how: 3 }
            }
            Self::Hide { client, key, .. } => Self::Edit { client, key, how: 0 },
            Self::Sync { client, pull, push, keep, meanwhile, .. } => {
                let meanwhile = meanwhile.filter(|(_, how)| *how != 1);
                Self::Sync {
                    client,
                    pull,
                    push,
                    keep,
                    faults: Vec::new(),
                    is_crash: false,
                    dies_after: None,
                    meanwhile,
                }
            }
            other @ Self::Edit { .. } => other,
        }
    }
}

/// Writes in a file: a line more at the end (0), another text (1), a line in the middle (2), or takes the last line but one
/// out (3). Returns what stood there and does no longer.
pub fn edit(path: &Path, how: u8, token: &str) -> String {
    let before = fs::read_to_string(path).unwrap_or_default();
    let mut lines: Vec<&str> = before.lines().collect();
    let (after, gone) = match how {
        0 => (format!("{before}{token}\n"), String::new()),
        1 => (format!("# A text\n{token}\n"), before.clone()),
        2 => {
            lines.insert(lines.len() / 2, token);
            (lines.join("\n") + "\n", String::new())
        }
        _ if lines.len() < 3 => return String::new(),
        _ => {
            let gone = lines.remove(lines.len() - 2).to_owned();
            (lines.join("\n") + "\n", gone)
        }
    };
    fs::write(path, after).unwrap();
    gone
}

pub fn op() -> impl Strategy<Value = Op> {
    let fault = prop_oneof![
        3 => Just(None),
        1 => prop::sample::select(vec![Fault::LostReply, Fault::Lost, Fault::Twice, Fault::Late, Fault::Busy]).prop_map(Some),
    ];
    let place = (0..CLIENTS, 0..KEYS.len());
    prop_oneof![
        5 => (place.clone(), 0_u8..4).prop_map(|((client, key), how)| Op::Edit { client, key, how }),
        1 => place.clone().prop_map(|(client, key)| Op::Remove { client, key }),
        1 => place.clone().prop_map(|(client, key)| Op::Delete { client, key }),
        1 => (place, any::<bool>()).prop_map(|((client, key), is_hidden)| Op::Hide { client, key, is_hidden }),
        6 => (
            (0..CLIENTS, 0_u8..4, 0_u8..6),
            prop::collection::vec(fault, 0..6),
            prop::bool::weighted(0.15),
            prop::option::weighted(0.1, 0_usize..2),
            prop::option::weighted(0.2, (0..KEYS.len(), 0_u8..4)),
        )
            .prop_map(|((client, which, keep), faults, is_crash, dies_after, meanwhile)| Op::Sync {
                client,
                pull: which != 0,
                push: which != 1,
                keep,
                faults,
                is_crash,
                dies_after,
                meanwhile,
            }),
    ]
}

pub struct Party {
    dir: tempfile::TempDir,
    pub model: RefCell<Model>,
    pub repository: Repository,
    /// What somebody took out or replaced themselves, or was told of as a conflict.
    pub told: BTreeSet<String>,
    /// What its writer took out again, perhaps before anybody else had it.
    pub withdrawn: BTreeSet<String>,
    /// Lines that were taken out, by entry.
    pub taken_out: Vec<(&'static str, String)>,
    /// Entries of which a text may come back: replaced, removed, deleted, hidden, or told as a conflict.
    pub unsettled: BTreeSet<&'static str>,
    /// What was written, by entry.
    pub tokens: Vec<(&'static str, String)>,
    pub outcome: Outcome,
}

impl Party {
    pub fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            model: RefCell::default(),
            repository: "acme/app".parse().unwrap(),
            told: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
            taken_out: Vec::new(),
            unsettled: BTreeSet::new(),
            tokens: Vec::new(),
            outcome: Outcome::default(),
        }
    }

    pub fn store(&self, client: usize) -> Store {
        let root = self.dir.path().join(format!("{client}/memory"));
        fs::create_dir_all(root.join("team/sub")).unwrap();
        Store::at(root)
    }

    pub fn state(&self, client: usize) -> StateDir {
        StateDir::at(self.dir.path().join(format!("{client}/state")))
    }

    pub fn door(&self, client: usize) -> Door {
        // Days apart, in both directions.
        let days = [0, -3, 400][client];
        let now =
            "2026-11-30T09:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap() + chrono::TimeDelta::days(days);
        Door::new(self.state(client), Clock::Fixed(now))
    }

    pub fn record(&self, client: usize) -> RecordPlace {
        RecordPlace::of(&self.state(client), self.store(client).root(), "http://model", &self.repository)
    }

    /// A person took this out of an entry.
    pub fn take_out(&mut self, client: usize, text: &str, key: &'static str, is_line: bool) {
        for (at, token) in &self.tokens {
            if *at == key && text.contains(token.as_str()) {
                self.told.insert(token.clone());
                if token.ends_with(&format!("client {client}.")) {
                    self.withdrawn.insert(token.clone());
                }
                if is_line {
                    self.taken_out.push((key, token.clone()));
                }
            }
        }
        if !is_line {
            self.unsettled.insert(key);
        }
    }

    /// Somebody was told that texts of this entry differ.
    pub fn tell(&mut self, file: &str) {
        for (key, token) in self.tokens.iter().filter(|(key, _)| *key == file) {
            self.told.insert(token.clone());
            self.unsettled.insert(*key);
        }
    }

    /// Does what is wished; the conflicts it told of. False: the client died.
    pub fn sync(&mut self, number: usize, wish: &Wish) -> bool {
        let (door, store, place) = (self.door(number), self.store(number), self.record(number));
        let wire = Wire(&self.model);
        let rest = Rest { sleep: &|_| (), chance: &|| 0.5, tell: &|_| () };
        let client = Client {
            door: &door,
            store: &store,
            remote: &wire,
            repository: &self.repository,
            place: &place,
            credential: "token",
            rest,
        };
        let ended = std::panic::catch_unwind(AssertUnwindSafe(|| client.run(wish)));
        let is_alive = match &ended {
            Ok(_) => true,
            Err(panic) => {
                assert_eq!(panic.downcast_ref::<&str>(), Some(&"killed"), "a panic of its own");
                false
            }
        };
        // A sync that fails has told so; what it did before counts all the same.
        if let Ok(Ok(report)) = ended {
            assert!(report.set_aside.is_empty(), "{report:#?}");
            self.outcome.conflicts += report.conflicts.len();
            report.conflicts.iter().for_each(|conflict| self.tell(&conflict.file));
        } else {
            // It may have met a conflict and told of it in the inbox before it failed.
            for change in door.inbox(&store).unwrap().into_iter().flat_map(|entry| entry.changes) {
                self.tell(change.file.trim_start_matches("team/"));
            }
        }
        is_alive
    }

    pub fn step(&mut self, number: usize, op: &Op) {
        match op {
            Op::Edit { client, key, how } => {
                let token = format!("- Fact {number} of client {client}.");
                let gone = edit(&self.path(*client, *key), *how, &token);
                self.take_out(*client, &gone, KEYS[*key], *how == 3);
                if *how != 3 {
                    self.tokens.push((KEYS[*key], token));
                }
            }
            Op::Remove { client, key } => {
                let path = self.path(*client, *key);
                let gone = fs::read_to_string(&path).unwrap_or_default();
                self.take_out(*client, &gone, KEYS[*key], false);
                let _ = fs::remove_file(path);
            }
            Op::Delete { client, key } => {
                let gone = self.model.borrow().entries.get(KEYS[*key]).cloned().unwrap_or_default();
                let (door, store, place) = (self.door(*client), self.store(*client), self.record(*client));
                if act::delete(&door, &store, &place, &Wire(&self.model), KEYS[*key]).is_ok() {
                    self.take_out(*client, &gone, KEYS[*key], false);
                }
            }
            Op::Hide { client, key, is_hidden } => {
                self.unsettled.insert(KEYS[*key]);
                let (door, store, place) = (self.door(*client), self.store(*client), self.record(*client));
                if *is_hidden {
                    let _ = act::hide(&door, &store, &place, KEYS[*key]);
                } else {
                    let _ = act::unhide(&store, &place, KEYS[*key]);
                }
            }
            Op::Sync { client, pull, push, keep, faults, is_crash, dies_after, meanwhile } => {
                self.model.borrow_mut().faults = faults.iter().copied().collect();
                let keep = match keep {
                    0 => Keep::Server,
                    1 => Keep::Local,
                    _ => Keep::Both,
                };
                let wish =
                    Wish { pull: *pull, push: *push, keep, accept_shrink: number.is_multiple_of(2), ..Wish::default() };
                let records = self.dir.path().join(format!("{client}/state/stores"));
                let before = is_crash.then(|| crate::common::contents(&records));
                let token = format!("- Fact {number} of client {client}.");
                {
                    let mut model = self.model.borrow_mut();
                    model.dies_after = *dies_after;
                    model.meanwhile = meanwhile.map(|(key, how)| (self.path(*client, key), how, token.clone()));
                }
                // It counts from the moment it is written: what the same sync tells of it comes after that.
                let written = self.tokens.len();
                self.tokens.extend(meanwhile.filter(|(_, how)| *how != 3).map(|(key, _)| (KEYS[key], token)));
                if !self.sync(*client, &wish) {
                    self.outcome.crashes += 1;
                }
                let gone = {
                    let mut model = self.model.borrow_mut();
                    (model.dies_after, model.meanwhile) = (None, None);
                    model.taken_out.take()
                };
                match (gone, meanwhile) {
                    (Some(gone), Some((key, how))) => self.take_out(*client, &gone, KEYS[*key], *how == 3),
                    _ => self.tokens.truncate(written),
                }
                if let Some(before) = before {
                    // What the server and the store took stays; what the client would have written down is not.
                    self.outcome.crashes += 1;
                    let is_record = |path: &Path| path.to_string_lossy().contains("/team/acme-app-");
                    for path in crate::common::contents(&records).into_keys().filter(|path| is_record(path)) {
                        fs::remove_file(path).unwrap();
                    }
                    for (path, bytes) in before.into_iter().filter(|(path, _)| is_record(path)) {
                        fs::write(path, bytes).unwrap();
                    }
                }
                self.model.borrow_mut().faults.clear();
            }
        }
    }

    pub fn path(&self, client: usize, key: usize) -> PathBuf {
        self.store(client).root().join("team").join(KEYS[key])
    }

    pub fn files(&self, client: usize) -> BTreeMap<String, String> {
        let texts = Local::read(self.store(client).root()).unwrap().texts;
        texts.into_iter().map(|(key, text)| (key, String::from_utf8(text).unwrap())).collect()
    }

    pub fn quiet(&mut self) {
        self.model.borrow_mut().late = None;
        for client in 0..CLIENTS {
            let (store, place) = (self.store(client), self.record(client));
            for key in KEYS {
                let _ = act::unhide(&store, &place, key);
            }
        }
        let wish = Wish { pull: true, push: true, accept_shrink: true, ..Wish::default() };
        for _ in 0..3 {
            (0..CLIENTS).for_each(|client| assert!(self.sync(client, &wish)));
        }
        let puts = self.model.borrow().puts;
        (0..CLIENTS).for_each(|client| assert!(self.sync(client, &wish)));
        assert_eq!(self.model.borrow().puts, puts, "nobody has anything to send any more");
    }
}
