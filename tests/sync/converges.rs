//! Clients and a server that fails in every way a network has: no entry is lost silently, and all are equal after quiet.
//!
//! The server is a model in this process: it loses replies, takes requests twice, takes them late, and a client may crash
//! right after its request, or before what it writes down is on the disk. People write while a sync goes on. Clocks differ
//! by days.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
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
use dreamtop::team::client::remote::{Changed, Fetched, On, Remote, RemoteError, Seen};
use dreamtop::team::client::sync::{Client, Keep, Rest, Wish};
use dreamtop::team::repository::Repository;
use dreamtop::team::sum::Sum;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

const KEYS: [&str; 4] = ["a.md", "b.md", "sub/c.md", "MEMORY.md"];
const CLIENTS: usize = 3;

/// What goes wrong with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Done, and the answer is lost.
    LostReply,
    /// Never came.
    Lost,
    /// Comes twice.
    Twice,
    /// Comes when others have been there meanwhile.
    Late,
    /// Refused for now.
    Busy,
}

#[derive(Clone, Debug)]
enum Op {
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
    fn without_faults(self) -> Self {
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
fn edit(path: &Path, how: u8, token: &str) -> String {
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

fn op() -> impl Strategy<Value = Op> {
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

/// The model of a server.
#[derive(Default)]
struct Model {
    entries: BTreeMap<String, String>,
    /// Every text an entry ever had.
    history: Vec<String>,
    version: u64,
    late: Option<(Option<Sum>, BTreeMap<String, String>)>,
    faults: VecDeque<Option<Fault>>,
    puts: usize,
    failed: usize,
    dies_after: Option<usize>,
    /// An edit that comes with the next PUT: where, how, which.
    meanwhile: Option<(PathBuf, u8, String)>,
    /// What an edit that came took out.
    taken_out: Option<String>,
}

impl Model {
    fn checksum(&self) -> Sum {
        let sums: Vec<(&String, Sum)> =
            self.entries.iter().map(|(key, text)| (key, Sum::of(text.as_bytes()))).collect();
        Sum::of_all(sums.iter().map(|(key, sum)| (key.as_str(), sum)))
    }

    fn take(&mut self, on: Option<&Sum>, entries: &BTreeMap<String, String>) -> Result<Changed, RemoteError> {
        let holds = match on {
            Some(sum) => *sum == self.checksum() && self.version > 0,
            None => self.version == 0,
        };
        if !holds {
            return Err(RemoteError::Moved);
        }
        self.version += 1;
        self.history.extend(entries.values().cloned());
        self.entries.extend(entries.clone());
        Ok(Changed { checksum: Some(self.checksum()), version: self.version })
    }

    fn fault(&mut self) -> Option<Fault> {
        let fault = self.faults.pop_front().flatten();
        self.failed += usize::from(fault.is_some());
        fault
    }
}

struct Wire<'a>(&'a RefCell<Model>);

fn broken() -> RemoteError {
    RemoteError::Broken("the connection broke".to_owned())
}

impl Remote for Wire<'_> {
    fn get(&self, known: Option<&Sum>, hashes: bool) -> Result<Fetched, RemoteError> {
        let mut model = self.0.borrow_mut();
        match model.fault() {
            Some(Fault::Busy) => return Err(RemoteError::Busy { wait: None, words: "busy".to_owned() }),
            Some(Fault::Lost | Fault::LostReply) => return Err(broken()),
            _ => {}
        }
        if model.version == 0 {
            return Ok(Fetched::Nothing);
        }
        let checksum = model.checksum();
        if known == Some(&checksum) {
            return Ok(Fetched::Unchanged);
        }
        let sums = model.entries.iter().map(|(key, text)| (key.clone(), Sum::of(text.as_bytes()))).collect();
        let texts = (!hashes).then(|| model.entries.clone());
        Ok(Fetched::Here(Seen { checksum: Some(checksum), version: model.version, sums: Some(sums), texts }))
    }

    fn put(&self, on: On<'_>, entries: &BTreeMap<String, String>) -> Result<Changed, RemoteError> {
        let mut model = self.0.borrow_mut();
        model.puts += 1;
        let on = match on {
            On::This(sum) => Some(sum.clone()),
            On::Nothing => None,
        };
        if let Some((path, how, token)) = model.meanwhile.take() {
            model.taken_out = Some(edit(&path, how, &token));
        }
        let fault = model.fault();
        // What was on its way comes before this one, if it still may.
        if let Some((late_on, late)) = model.late.take() {
            let _ = model.take(late_on.as_ref(), &late);
        }
        let result = match fault {
            Some(Fault::Lost) => Err(broken()),
            Some(Fault::Busy) => Err(RemoteError::Busy { wait: None, words: "busy".to_owned() }),
            Some(Fault::Late) => {
                model.late = Some((on, entries.clone()));
                Err(broken())
            }
            Some(Fault::LostReply) => {
                let _ = model.take(on.as_ref(), entries);
                Err(broken())
            }
            Some(Fault::Twice) => {
                let _ = model.take(on.as_ref(), entries);
                model.take(on.as_ref(), entries)
            }
            None => model.take(on.as_ref(), entries),
        };
        model.dies_after = match model.dies_after {
            // As when the process is killed: nothing more is done, and the lock is free.
            Some(0) => std::panic::resume_unwind(Box::new("killed")),
            left => left.map(|left| left - 1),
        };
        result
    }

    fn delete(&self, key: &str, sum: &Sum) -> Result<Changed, RemoteError> {
        let mut model = self.0.borrow_mut();
        if model.entries.get(key).map(|text| Sum::of(text.as_bytes())).as_ref() != Some(sum) {
            return Err(RemoteError::Moved);
        }
        model.entries.remove(key);
        model.version += 1;
        Ok(Changed { checksum: Some(model.checksum()), version: model.version })
    }
}

/// What came of a run.
#[derive(Debug, Default)]
struct Outcome {
    steps: usize,
    faults: usize,
    crashes: usize,
    conflicts: usize,
    tokens: usize,
    losses: Vec<String>,
}

struct Party {
    dir: tempfile::TempDir,
    model: RefCell<Model>,
    repository: Repository,
    /// What somebody took out or replaced themselves, or was told of as a conflict.
    told: BTreeSet<String>,
    /// What its writer took out again, perhaps before anybody else had it.
    withdrawn: BTreeSet<String>,
    /// Lines that were taken out, by entry.
    taken_out: Vec<(&'static str, String)>,
    /// Entries of which a text may come back: replaced, removed, deleted, hidden, or told as a conflict.
    unsettled: BTreeSet<&'static str>,
    /// What was written, by entry.
    tokens: Vec<(&'static str, String)>,
    outcome: Outcome,
}

impl Party {
    fn new() -> Self {
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

    fn store(&self, client: usize) -> Store {
        let root = self.dir.path().join(format!("{client}/memory"));
        fs::create_dir_all(root.join("team/sub")).unwrap();
        Store::at(root)
    }

    fn state(&self, client: usize) -> StateDir {
        StateDir::at(self.dir.path().join(format!("{client}/state")))
    }

    fn door(&self, client: usize) -> Door {
        // Days apart, in both directions.
        let days = [0, -3, 400][client];
        let now =
            "2026-11-30T09:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap() + chrono::TimeDelta::days(days);
        Door::new(self.state(client), Clock::Fixed(now))
    }

    fn record(&self, client: usize) -> RecordPlace {
        RecordPlace::of(&self.state(client), self.store(client).root(), "http://model", &self.repository)
    }

    /// A person took this out of an entry.
    fn take_out(&mut self, client: usize, text: &str, key: &'static str, is_line: bool) {
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
    fn tell(&mut self, file: &str) {
        for (key, token) in self.tokens.iter().filter(|(key, _)| *key == file) {
            self.told.insert(token.clone());
            self.unsettled.insert(*key);
        }
    }

    /// Does what is wished; the conflicts it told of. False: the client died.
    fn sync(&mut self, number: usize, wish: &Wish) -> bool {
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

    fn step(&mut self, number: usize, op: &Op) {
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

    fn path(&self, client: usize, key: usize) -> PathBuf {
        self.store(client).root().join("team").join(KEYS[key])
    }

    fn files(&self, client: usize) -> BTreeMap<String, String> {
        let texts = Local::read(self.store(client).root()).unwrap().texts;
        texts.into_iter().map(|(key, text)| (key, String::from_utf8(text).unwrap())).collect()
    }

    fn quiet(&mut self) {
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

/// Plays the steps, lets it become quiet, and looks for what is lost.
fn play(ops: &[Op]) -> Outcome {
    let mut party = Party::new();
    for (number, op) in ops.iter().enumerate() {
        party.step(number, op);
    }
    party.quiet();
    let server = party.model.borrow().entries.clone();
    for client in 0..CLIENTS {
        assert_eq!(party.files(client), server, "client {client} and the server");
    }
    // What was written is there, or somebody was told that it goes; and it is never gone altogether.
    let kept: String = (0..CLIENTS)
        .flat_map(|client| crate::common::contents(party.state(client).root()).into_values())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .chain(party.model.borrow().history.iter().cloned())
        .collect();
    let mut losses = Vec::new();
    for (key, token) in &party.tokens {
        let is_there = server.get(*key).is_some_and(|text| text.contains(token));
        if !is_there && !party.told.contains(token) {
            losses.push(format!("{token} of {key}: nobody was told"));
        }
        if !is_there && !kept.contains(token) && !party.withdrawn.contains(token) {
            losses.push(format!("{token} of {key}: gone altogether"));
        }
    }
    // What was taken out stays out, where no step failed and nobody was asked.
    if party.model.borrow().failed + party.outcome.crashes == 0 {
        for (key, token) in party.taken_out.iter().filter(|(key, _)| !party.unsettled.contains(key)) {
            if server.get(*key).is_some_and(|text| text.contains(token)) {
                losses.push(format!("{token} of {key}: taken out, and back unseen"));
            }
        }
    }
    Outcome {
        steps: ops.len(),
        faults: party.model.borrow().failed,
        tokens: party.tokens.len(),
        losses,
        ..party.outcome
    }
}

proptest! {
    #![proptest_config(Config { cases: 24, max_shrink_iters: 200, failure_persistence: None, ..Config::default() })]

    #[test]
    fn clients_converge_whatever_the_network_does_and_nothing_is_lost_silently(ops in prop::collection::vec(op(), 1..24)) {
        let outcome = play(&ops);
        prop_assert!(outcome.losses.is_empty(), "{:#?}", outcome.losses);
    }

    #[test]
    fn what_is_taken_out_stays_out_where_nothing_fails(ops in prop::collection::vec(op(), 1..24)) {
        let outcome = play(&ops.into_iter().map(Op::without_faults).collect::<Vec<_>>());
        prop_assert!(outcome.losses.is_empty(), "{:#?}", outcome.losses);
    }
}

/// `cargo test --test sync -- --ignored --nocapture converge`: DREAMTOP_SEEDS runs (200), each printed with its figures.
#[test]
#[ignore = "long; prints seeds, steps, faults and losses"]
fn many_seeds_converge_and_are_printed() {
    let seeds = std::env::var("DREAMTOP_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(200_u64);
    let strategy = prop::collection::vec(op(), 20..60);
    let mut all = Outcome::default();
    for seed in 0..seeds {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let outcome = play(&strategy.new_tree(&mut runner).unwrap().current());
        let Outcome { steps, faults, crashes, conflicts, tokens, losses } = &outcome;
        eprintln!(
            "seed {seed}: steps {steps}, faults {faults}, crashes {crashes}, conflicts {conflicts}, writes {tokens}, losses {}",
            losses.len()
        );
        assert!(losses.is_empty(), "seed {seed}: {losses:#?}");
        all.steps += steps;
        all.faults += faults;
        all.crashes += crashes;
        all.conflicts += conflicts;
        all.tokens += tokens;
    }
    eprintln!(
        "{seeds} seeds: steps {}, faults {}, crashes {}, conflicts {}, writes {}, losses 0",
        all.steps, all.faults, all.crashes, all.conflicts, all.tokens
    );
}
