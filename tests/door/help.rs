//! A store and a door in a temporary directory, and short ways to ask for changes.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use chrono::{DateTime, TimeZone, Utc};
use dreamtop::change::{
    Change, ChangeSet, Consent, Door, DoorError, IndexChange, Landing, Mtime, Op, Origin, Rationale, Source,
};
use dreamtop::clock::Clock;
use dreamtop::memory::{ScanOptions, ShelfLife, Snapshot, Store};
use dreamtop::state::StateDir;

pub(crate) struct Place {
    pub(crate) root: PathBuf,
    pub(crate) store: Store,
    pub(crate) door: Door,
    /// Keeps the directory alive; `None` when someone else does.
    _temporary: Option<tempfile::TempDir>,
}

pub(crate) fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 4, 9, 12, 0, 0).unwrap()
}

impl Place {
    pub(crate) fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().to_owned();
        fs::create_dir_all(root.join("memory")).unwrap();
        Self { _temporary: Some(temporary), ..Self::at(&root) }
    }

    pub(crate) fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            store: Store::at(root.join("memory")),
            door: Door::new(StateDir::at(root.join("state")), Clock::Fixed(noon())),
            _temporary: None,
        }
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.store.path(file)
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    pub(crate) fn has(&self, file: &str) -> bool {
        self.path(file).symlink_metadata().is_ok()
    }

    pub(crate) fn mtime(&self, file: &str) -> SystemTime {
        fs::metadata(self.path(file)).unwrap().modified().unwrap()
    }

    /// Every file of the store with its bytes, hidden ones too.
    pub(crate) fn everything(&self) -> BTreeMap<String, Vec<u8>> {
        let mut all = BTreeMap::new();
        collect(self.store.root(), "", &mut all);
        all
    }

    pub(crate) fn strays(&self) -> Vec<String> {
        self.everything().into_keys().filter(|name| name.contains(".tmp")).collect()
    }

    /// The store as a scan sees it.
    pub(crate) fn scan(&self) -> Snapshot {
        let options = ScanOptions { now: noon(), shelf_life: ShelfLife::default(), confirmed: HashMap::new() };
        self.store.scan(&options).unwrap()
    }

    pub(crate) fn land(&self, set: &ChangeSet, consent: Consent) -> Result<Landing, DoorError> {
        self.door.land(&self.store, set, consent)
    }

    /// Whether any file under the state directory holds some bytes.
    pub(crate) fn state_holds(&self, needle: &str) -> bool {
        let mut all = BTreeMap::new();
        collect(&self.root.join("state"), "", &mut all);
        all.values().any(|bytes| bytes.windows(needle.len()).any(|window| window == needle.as_bytes()))
    }
}

fn collect(directory: &Path, way: &str, all: &mut BTreeMap<String, Vec<u8>>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        let name = format!("{way}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{name}/"), all);
        } else {
            all.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
}

pub(crate) fn create(file: &str, content: &str) -> Change {
    Change {
        file: file.to_owned(),
        op: Op::Create,
        base: None,
        content: Some(content.as_bytes().to_vec()),
        rationale: quoted("because the person said so"),
        mtime: Mtime::Now,
    }
}

pub(crate) fn replace(file: &str, base: &str, content: &str) -> Change {
    Change { op: Op::Replace, base: Some(base.as_bytes().to_vec()), mtime: Mtime::Keep, ..create(file, content) }
}

pub(crate) fn remove(file: &str, base: &str) -> Change {
    Change { op: Op::Remove, content: None, ..replace(file, base, "") }
}

pub(crate) fn quoted(reason: &str) -> Rationale {
    let source = Source {
        session: Some("s1".to_owned()),
        line: Some(7),
        quote: Some("please do".to_owned()),
        ..Source::default()
    };
    Rationale { reason: reason.to_owned(), sources: vec![source] }
}

pub(crate) fn set(origin: Origin, changes: Vec<Change>) -> ChangeSet {
    ChangeSet { changes, ..ChangeSet::new(origin, format!("a {} for a test", origin.word())) }
}

pub(crate) fn with_index(mut set: ChangeSet, base: &str, content: &str) -> ChangeSet {
    set.index = Some(IndexChange { base: base.as_bytes().to_vec(), content: content.as_bytes().to_vec() });
    set
}

/// A well-formed memory.
pub(crate) fn memory(kind: &str, name: &str, body: &str) -> String {
    format!("---\nname: \"{name}\"\ndescription: \"About {name}\"\nmetadata:\n  type: \"{kind}\"\n---\n\n{body}\n")
}

pub(crate) fn ten_lines() -> String {
    (1..=10).map(|number| format!("Line {number} says something.\n")).collect()
}
