//! What both sides agreed on last, kept in our state directory for each store and repository.
//!
//! `stores/<store>/team/<repository>-<hash>/record.json` and, beside it, the texts of the base, for merges. A record that is
//! lost or damaged is made anew from all the server has. Not its job: the history of the store (`crate::change`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::decide::{Step, step};
use crate::lock_file::{self, Lock};
use crate::memory::ContentHash;
use crate::state::{StateDir, files, read_file, write_atomic};
use crate::team::repository::Repository;
use crate::team::sum::Sum;

/// The name of the format.
const FORMAT: &str = "team";

/// An entry that the server refuses as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The text that it refuses.
    pub sum: Sum,
    /// Why.
    pub reason: String,
}

/// A refusal of the token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// When.
    pub at: DateTime<Utc>,
    /// What the server said.
    pub words: String,
    /// A digest that tells the credentials from others; it begins with that of their source.
    pub credential: String,
}

/// How the last sync ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// When.
    pub at: DateTime<Utc>,
    /// What started it: `hand`, `screen`, `hook`.
    pub by: String,
    /// What came of it, in one sentence.
    pub words: String,
    /// Whether it failed.
    pub is_failed: bool,
}

/// A version of the server's that was put before a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The server's sum of it.
    pub there: Sum,
    /// What lay here then; `None`: nothing did.
    pub over: Option<Sum>,
    /// What it becomes here when it is accepted as it was proposed: guards may have filed it otherwise.
    pub becomes: Option<Sum>,
    /// The entry of the inbox where it waits, or waited.
    pub inbox: String,
}

/// A version of ours that waits, since it could not be merged with the server's, which is in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disputed {
    /// Ours, as it lay here.
    pub ours: Sum,
    /// The server's, which counts as what both have.
    pub there: Sum,
    /// What both had before.
    pub before: Option<Sum>,
    /// The entry of the inbox where ours waits.
    pub inbox: String,
}

/// What a person decided of a version of the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It was accepted as it was proposed: what is here stands for it, and nobody else hears of that.
    AsProposed,
    /// It was accepted with changes, or rejected and written otherwise: what is here is sent.
    Ours,
    /// It was rejected, which says nothing of what the server is to have.
    Rejected,
}

/// An entry that the last sync left as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aside {
    /// What lay here.
    pub here: Option<Sum>,
    /// What the server had.
    pub there: Option<Sum>,
    /// Why.
    pub reason: String,
}

/// The record of one store and repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The sum of everything on the server, as it was last heard of.
    pub etag: Option<Sum>,
    /// Its version.
    pub version: u64,
    /// How many entries it takes, if it ever said.
    pub max_entries: Option<u64>,
    /// The sum of each entry there, as last heard of; together with `etag`.
    pub server: BTreeMap<String, Sum>,
    /// The sum of each entry that both sides had last.
    pub base: BTreeMap<String, Sum>,
    /// Entries that are kept away from here, as long as none of them is there again: see [`Record::hides`].
    pub hidden: BTreeSet<String>,
    /// Entries that the server refuses.
    pub blocked: BTreeMap<String, Blocked>,
    /// Versions of the server's that were put before a person, by entry.
    #[serde(rename = "put_before")]
    pub held: BTreeMap<String, Held>,
    /// Versions of ours that wait while the server's is in the file, by entry.
    pub disputed: BTreeMap<String, Disputed>,
    /// What lies here of an entry that was accepted so, and counts as the base: nothing of it is to be sent.
    pub accepted: BTreeMap<String, Sum>,
    /// Entries that the server had lost and that went there again, since they had been changed here.
    pub returned: BTreeSet<String>,
    /// Entries that were left as they were, as long as both sides are as they were then.
    pub aside: BTreeMap<String, Aside>,
    /// What lay here when the last push came to its end, whatever became of it: nothing starts by itself for that again.
    pub tried: Option<Sum>,
    /// The token was refused.
    pub refused: Option<Refusal>,
    /// How the last sync ended.
    pub last: Option<Last>,
}

impl Record {
    /// Whether an entry is kept away from here. One that lies here again as it did, brought back by an `undo`, is not.
    #[must_use]
    pub fn hides(&self, key: &str, here: Option<&Sum>) -> bool {
        self.hidden.contains(key) && (here.is_none() || self.counted(key, here) != self.base.get(key))
    }

    /// What counts of what lies here: the base, where that was accepted as the guards had filed it.
    #[must_use]
    pub fn counted<'a>(&'a self, key: &str, here: Option<&'a Sum>) -> Option<&'a Sum> {
        let is_accepted = here.is_some() && self.accepted.get(key) == here;
        if is_accepted { self.base.get(key).or(here) } else { here }
    }

    /// What a person made of the server's version that was put before them, once it waits no more; `None`: this one was not.
    #[must_use]
    pub fn decision(&self, key: &str, here: Option<&Sum>, there: &Sum) -> Option<Decision> {
        let held = self.held.get(key).filter(|held| held.there == *there)?;
        Some(match here {
            Some(_) if here == held.becomes.as_ref() => Decision::AsProposed,
            Some(_) if here != held.over.as_ref() && here != self.base.get(key) => Decision::Ours,
            _ => Decision::Rejected,
        })
    }

    /// From now on both sides have this of an entry; `None`: neither has it.
    pub fn agree(&mut self, key: &str, sum: Option<Sum>) {
        self.held.remove(key);
        self.accepted.remove(key);
        self.disputed.remove(key);
        match sum {
            Some(sum) => self.base.insert(key.to_owned(), sum),
            None => self.base.remove(key),
        };
    }

    /// Whether what lies here is ours of two versions that could not be merged, brought back by an `undo` while it waits.
    #[must_use]
    pub fn is_undone(&self, key: &str, here: Option<&Sum>) -> bool {
        self.disputed.get(key).is_some_and(|it| Some(&it.ours) == here && self.base.get(key) == Some(&it.there))
    }

    /// Why the last sync left an entry as it was; `None`: it did not, or one side is another since.
    #[must_use]
    pub fn aside(&self, key: &str, here: Option<&Sum>, there: Option<&Sum>) -> Option<&Aside> {
        self.aside.get(key).filter(|aside| aside.here.as_ref() == here && aside.there.as_ref() == there)
    }

    /// What becomes of an entry: `here` it is this, on the server that.
    #[must_use]
    pub fn step(&self, key: &str, here: Option<&Sum>, there: Option<&Sum>) -> Step {
        step(self.counted(key, here), there, self.base.get(key), self.hides(key, here))
    }
}

/// The names of other repositories, or of this one on other servers, with which the same store exchanged something.
#[must_use]
pub fn records_beside(own: &RecordPlace) -> Vec<String> {
    let folders = own.dir.parent().and_then(|above| fs::read_dir(above).ok()).into_iter().flatten().flatten();
    let others = folders.map(|folder| folder.path()).filter(|dir| dir.is_dir() && *dir != own.dir);
    let met = others.map(|dir| RecordPlace { dir }).filter(RecordPlace::has_met);
    let name = |place: RecordPlace| Some(place.dir.file_name()?.to_string_lossy().into_owned());
    let mut names: Vec<String> = met.filter_map(name).collect();
    names.sort();
    names
}

/// Where a record lies.
#[derive(Clone, Debug)]
pub struct RecordPlace {
    dir: PathBuf,
}

impl RecordPlace {
    /// The record of a store and a repository on a server.
    #[must_use]
    pub fn of(state: &StateDir, store: &Path, url: &str, repository: &Repository) -> Self {
        let hash = ContentHash::of(format!("{url}\n{}", repository.folded()).as_bytes()).to_string();
        let short: String = hash.chars().take(16).collect();
        let name = repository.folded().replace('/', "-");
        Self { dir: state.store(store).join("team").join(format!("{name}-{short}")) }
    }

    fn path(&self) -> PathBuf {
        self.dir.join("record.json")
    }

    fn text_path(&self, hash: &str) -> PathBuf {
        self.dir.join("texts").join(hash)
    }

    /// Whether something was exchanged with the server. A record that cannot be read, or is gone, says nothing against it.
    #[must_use]
    pub fn has_met(&self) -> bool {
        let Ok(bytes) = read_file(&self.path()) else { return self.dir.is_dir() };
        files::understood::<Record>(&bytes).map_or(true, |record| record.etag.is_some() || !record.base.is_empty())
    }

    /// The right to sync; `None`: somebody else is at it.
    ///
    /// # Errors
    /// When the state directory cannot be written.
    pub fn lock(&self) -> io::Result<Option<Lock>> {
        lock_file::try_take(&self.dir.join("sync.lock"))
    }

    /// The record, and a sentence when it was there and could not be read.
    #[must_use]
    pub fn read(&self) -> (Record, Option<String>) {
        let path = self.path();
        let damaged = |why: String| {
            let said = format!(
                "the record of the last sync, {}, could not be read ({why}): it is made anew from all that the server has; what was hidden here comes again until you hide it anew",
                path.display()
            );
            (Record::default(), Some(said))
        };
        match read_file(&path) {
            Ok(bytes) => match files::understood::<Record>(&bytes) {
                Ok(record) => (record, None),
                Err(why) => damaged(why),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Record::default(), None),
            Err(error) => damaged(error.to_string()),
        }
    }

    /// Writes the record durably, with the texts that its base needs. Texts that it no longer needs go.
    ///
    /// # Errors
    /// When the state directory cannot be written.
    pub fn write(&self, record: &Record, texts: &[&[u8]]) -> io::Result<()> {
        for text in texts {
            let path = self.text_path(&ContentHash::of(text).to_string());
            if !path.exists() {
                write_atomic(&path, text)?;
            }
        }
        files::write(&self.path(), FORMAT, record)?;
        self.clean(record);
        Ok(())
    }

    /// Removes texts that no base needs; one that cannot be removed is tried again the next time.
    fn clean(&self, record: &Record) {
        let before = record.disputed.values().filter_map(|disputed| disputed.before.as_ref());
        let needed: BTreeSet<&str> =
            record.base.values().chain(before).filter_map(|sum| sum.as_str().strip_prefix("sha256:")).collect();
        for entry in fs::read_dir(self.dir.join("texts")).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_none_or(|name| !needed.contains(name)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// A text of the base; `None`: it is lost, and merges have to do without.
    #[must_use]
    pub fn text(&self, sum: &Sum) -> Option<Vec<u8>> {
        let hash =
            sum.as_str().strip_prefix("sha256:").filter(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let bytes = read_file(&self.text_path(hash)).ok()?;
        (Sum::of(&bytes) == *sum).then_some(bytes)
    }
}
