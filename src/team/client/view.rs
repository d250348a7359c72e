//! What the server has, with the texts that are needed: asked for with as little as will do.

use std::collections::{BTreeMap, BTreeSet};

use super::decide::Step;
use super::local::Local;
use super::record::{Record, RecordPlace};
use super::remote::{Fetched, On, Remote, RemoteError, Seen};
use crate::team::sum::Sum;

/// What the server has.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    /// The sum of everything; `None`: the repository has no data.
    pub(super) checksum: Option<Sum>,
    pub(super) version: u64,
    /// The sum of each entry.
    pub(super) sums: BTreeMap<String, Sum>,
    texts: BTreeMap<String, String>,
}

impl View {
    /// Asks. `is_first`: nothing is known to have changed since the record was written. `needs`: of which steps the server's
    /// text is needed.
    pub(super) fn ask(
        remote: &dyn Remote,
        place: &RecordPlace,
        (record, local): (&Record, &Local),
        is_first: bool,
        needs: &[Step],
    ) -> Result<Self, RemoteError> {
        // The first pull takes all at once; afterwards only what is needed.
        let hashes = !is_first || record.etag.is_some() || !needs.contains(&Step::Receive);
        let known = record.etag.as_ref().filter(|_| is_first);
        let view = match remote.get(known, hashes)? {
            Fetched::Nothing => return Ok(Self::default()),
            Fetched::Unchanged if known.is_none() => return Err(unasked()),
            Fetched::Unchanged => Self {
                checksum: record.etag.clone(),
                version: record.version,
                sums: record.server.clone(),
                texts: BTreeMap::new(),
            },
            Fetched::Here(seen) => match Self::of(seen) {
                Some(view) => view,
                None => return Self::whole(remote),
            },
        };
        let keys: BTreeSet<&String> = view.sums.keys().collect();
        let is_missing = keys.into_iter().any(|key| {
            let step = record.step(key, local.sum(key).as_ref(), view.sums.get(key));
            needs.contains(&step) && local.refusal(key).is_none() && view.text(key, place).is_none()
        });
        if is_missing { Self::whole(remote) } else { Ok(view) }
    }

    fn whole(remote: &dyn Remote) -> Result<Self, RemoteError> {
        match remote.get(None, false)? {
            Fetched::Here(seen) => Self::of(seen).ok_or_else(|| {
                RemoteError::Wrong("the server's answer has neither entries nor their checksums".to_owned())
            }),
            Fetched::Nothing => Ok(Self::default()),
            Fetched::Unchanged => Err(unasked()),
        }
    }

    /// A server's answer; `None`: it says nothing of its entries. The texts decide, where they are there.
    fn of(seen: Seen) -> Option<Self> {
        let sums: BTreeMap<String, Sum> = match (&seen.texts, seen.sums) {
            (Some(texts), _) => texts.iter().map(|(key, text)| (key.clone(), Sum::of(text.as_bytes()))).collect(),
            (None, sums) => sums?,
        };
        let all = || Sum::of_all(sums.iter().map(|(key, sum)| (key.as_str(), sum)));
        let checksum = Some(seen.checksum.unwrap_or_else(all));
        Some(Self { checksum, version: seen.version, sums, texts: seen.texts.unwrap_or_default() })
    }

    /// What a PUT has to name.
    pub(super) fn on(&self) -> On<'_> {
        self.checksum.as_ref().map_or(On::Nothing, On::This)
    }

    /// The server's text of an entry: as it sent it now, or as both sides had it before.
    pub(super) fn text(&self, key: &str, place: &RecordPlace) -> Option<Vec<u8>> {
        match self.texts.get(key) {
            Some(text) => Some(text.clone().into_bytes()),
            None => place.text(self.sums.get(key)?),
        }
    }
}

/// A server, or a proxy before it, that says "unchanged" to who named nothing: that is not "empty".
fn unasked() -> RemoteError {
    RemoteError::Broken("the server says that nothing changed (304), and nothing was named to it".to_owned())
}
