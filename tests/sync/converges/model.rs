//! The model of a server, and the wire to it that fails.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use dreamtop::team::client::remote::{Changed, Fetched, On, Remote, RemoteError, Seen};
use dreamtop::team::sum::Sum;

use super::party::edit;

/// What goes wrong with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
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

/// The model of a server.
#[derive(Default)]
pub struct Model {
    pub entries: BTreeMap<String, String>,
    /// Every text an entry ever had.
    pub history: Vec<String>,
    pub version: u64,
    pub late: Option<(Option<Sum>, BTreeMap<String, String>)>,
    pub faults: VecDeque<Option<Fault>>,
    pub puts: usize,
    pub failed: usize,
    pub dies_after: Option<usize>,
    /// An edit that comes with the next PUT: where, how, which.
    pub meanwhile: Option<(PathBuf, u8, String)>,
    /// What an edit that came took out.
    pub taken_out: Option<String>,
}

impl Model {
    pub fn checksum(&self) -> Sum {
        let sums: Vec<(&String, Sum)> =
            self.entries.iter().map(|(key, text)| (key, Sum::of(text.as_bytes()))).collect();
        Sum::of_all(sums.iter().map(|(key, sum)| (key.as_str(), sum)))
    }

    pub fn take(&mut self, on: Option<&Sum>, entries: &BTreeMap<String, String>) -> Result<Changed, RemoteError> {
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

    pub fn fault(&mut self) -> Option<Fault> {
        let fault = self.faults.pop_front().flatten();
        self.failed += usize::from(fault.is_some());
        fault
    }
}

pub struct Wire<'a>(pub &'a RefCell<Model>);

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
