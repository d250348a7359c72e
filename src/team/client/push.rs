//! Sending ours: what differs from what both sides had, in bodies that fit, each on what the server has at that moment.
//!
//! Nothing with a credential in it leaves. Not its job: what both sides changed (see [`super::pull`]).

use std::collections::{BTreeMap, VecDeque};

use super::decide::Step;
use super::obstacle::{Names, obstacle};
use super::record::Blocked;
use super::remote::RemoteError;
use super::status::WRITTEN_WHERE_HIDDEN;
use super::sync::{Stop, Work};
use super::view::View;
use crate::memory::INDEX_FILE;
use crate::team::sum::Sum;
use crate::team::wire::{BATCH_BYTES, Delta, SecretFound};

/// The texts of one request.
type Batch = BTreeMap<String, String>;

/// Sends what is to be sent. `view` follows what the server has.
pub(super) fn push(work: &mut Work<'_>, view: &mut View) -> Result<(), Stop> {
    let wanted = wanted(work, view);
    // A server that has more than it said it takes takes more by now.
    work.record.max_entries = work.record.max_entries.filter(|max| view.sums.len() as u64 <= *max);
    let max = work.record.max_entries;
    let mut batches: VecDeque<Batch> = batches(fitting(work, view, wanted, max)).into();
    while let Some(batch) = batches.pop_front() {
        match work.client.remote.put(view.on(), &batch) {
            Ok(changed) => {
                for (key, text) in &batch {
                    let sum = Sum::of(text.as_bytes());
                    view.sums.insert(key.clone(), sum.clone());
                    work.record.agree(key, Some(sum));
                    work.record.blocked.remove(key);
                }
                let all = || Sum::of_all(view.sums.iter().map(|(key, sum)| (key.as_str(), sum)));
                view.checksum = Some(changed.checksum.unwrap_or_else(all));
                view.version = changed.version;
                (work.record.etag, work.record.version) = (view.checksum.clone(), view.version);
                work.record.server.clone_from(&view.sums);
                work.save(&batch.values().map(String::as_bytes).collect::<Vec<_>>())?;
                work.report.sent.extend(batch.into_keys());
            }
            Err(RemoteError::Full { max }) => {
                // A figure is remembered; a server that says none has no room for a new one now.
                work.record.max_entries = max.or(work.record.max_entries);
                let left = fitting(work, view, batch.clone(), Some(max.unwrap_or(view.sums.len() as u64)));
                if left.len() == batch.len() {
                    leave_all(work, &batch, &no_room(max));
                } else if !left.is_empty() {
                    batches.push_front(left);
                }
            }
            Err(RemoteError::Secrets(findings)) => batches.extend(without_findings(work, batch, &findings)),
            Err(RemoteError::TooLarge(words) | RemoteError::Unfit(words)) if batch.len() == 1 => {
                block_all(work, &batch, &words);
            }
            // Nothing is wrong with it, so that it is asked again each time.
            Err(RemoteError::NoRoom(words)) if batch.len() == 1 => {
                leave_all(work, &batch, &format!("{words}; it goes there with a later sync, once there is room"));
            }
            // One of them, perhaps: the others go without it.
            Err(RemoteError::TooLarge(_) | RemoteError::Unfit(_) | RemoteError::NoRoom(_)) => {
                let mut first = batch;
                let half = first.keys().nth(first.len() / 2).cloned().unwrap_or_default();
                let second = first.split_off(&half);
                batches.push_front(second);
                batches.push_front(first);
            }
            Err(error) => return Err(Stop::Remote(error)),
        }
    }
    Ok(())
}

/// What differs from what both sides had and may be sent.
fn wanted(work: &mut Work<'_>, view: &View) -> Batch {
    let mut wanted = Batch::new();
    let mut left: Vec<(String, String)> = Vec::new();
    let names = Names::of(view.sums.keys());
    for (key, text) in &work.local.texts {
        let (sum, record) = (Sum::of(text), &work.record);
        match record.step(key, Some(&sum), view.sums.get(key)) {
            Step::Hidden => {
                left.push((key.clone(), WRITTEN_WHERE_HIDDEN.to_owned()));
                continue;
            }
            Step::Send if !work.skip.contains(key) => {}
            _ => continue,
        }
        if let Some(reason) = obstacle(record, &work.local, &names, key, text) {
            left.push((key.clone(), reason));
            continue;
        }
        wanted.insert(key.clone(), String::from_utf8_lossy(text).into_owned());
        if work.gone.contains(key) || (record.base.contains_key(key) && !view.sums.contains_key(key)) {
            work.report
                .notice(format!("the server had {key} no longer; it was changed here since, so it goes there again"));
        }
    }
    left.into_iter().for_each(|(key, reason)| work.report.leave(&key, reason));
    wanted
}

/// Those for which the server has room, if it takes at most so many. Changes of what it has always fit.
fn fitting(work: &mut Work<'_>, view: &View, wanted: Batch, max: Option<u64>) -> Batch {
    let Some(max) = max else { return wanted };
    let mut room = usize::try_from(max).unwrap_or(usize::MAX).saturating_sub(view.sums.len());
    let mut fitting = Batch::new();
    for (key, text) in wanted {
        if !view.sums.contains_key(&key) {
            if room == 0 {
                work.report.leave(&key, no_room(work.record.max_entries));
                continue;
            }
            room -= 1;
        }
        fitting.insert(key, text);
    }
    fitting
}

/// Why an entry stays out of a server that is full.
fn no_room(max: Option<u64>) -> String {
    match max {
        Some(max) => {
            format!("the server takes at most {max} entries and has no room for this one; --retry asks it again")
        }
        None => "the server has no room for more entries".to_owned(),
    }
}

/// Bodies of at most [`BATCH_BYTES`]; what is larger goes alone. Indexes come last, so that none names what is not there yet.
fn batches(wanted: Batch) -> Vec<Batch> {
    let is_index = |key: &String| key.rsplit('/').next() == Some(INDEX_FILE);
    let (indexes, topics): (Batch, Batch) = wanted.into_iter().partition(|(key, _)| is_index(key));
    let mut batches: Vec<Batch> = Vec::new();
    let (mut batch, mut size) = (Batch::new(), 0);
    for (key, text) in topics.into_iter().chain(indexes) {
        // As it is written, escapes and all; the frame around the entries is a few bytes.
        let one = Delta { entries: [(key.clone(), text.clone())].into() };
        let bytes = serde_json::to_vec(&one).map_or(text.len(), |body| body.len());
        if size + bytes > BATCH_BYTES && !batch.is_empty() {
            batches.push(std::mem::take(&mut batch));
            size = 0;
        }
        size += bytes;
        batch.insert(key, text);
    }
    batches.push(batch);
    batches.retain(|batch| !batch.is_empty());
    batches
}

fn leave_all(work: &mut Work<'_>, batch: &Batch, reason: &str) {
    batch.keys().for_each(|key| work.report.leave(key, reason));
}

/// The server will not have these as they are: they are not sent again before they change, or a person says so.
fn block_all(work: &mut Work<'_>, batch: &Batch, reason: &str) {
    leave_all(work, batch, reason);
    for (key, text) in batch {
        let blocked = Blocked { sum: Sum::of(text.as_bytes()), reason: reason.to_owned() };
        work.record.blocked.insert(key.clone(), blocked);
    }
}

/// The server found credentials: those entries are not sent again as they are, and the others go without them.
fn without_findings(work: &mut Work<'_>, mut batch: Batch, findings: &[SecretFound]) -> Option<Batch> {
    let mut is_any = false;
    for found in findings {
        let Some(text) = batch.remove(&found.key) else { continue };
        is_any = true;
        let rule = crate::text::visible(&found.rule_id).into_owned();
        let reason =
            format!("the server found what looks like a credential on line {} ({rule}); it was not taken", found.line);
        work.record
            .blocked
            .insert(found.key.clone(), Blocked { sum: Sum::of(text.as_bytes()), reason: reason.clone() });
        work.report.leave(&found.key, reason);
    }
    if !is_any {
        block_all(work, &batch, "the server found what looks like a credential and does not say where");
        return None;
    }
    (!batch.is_empty()).then_some(batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_stay_under_their_limit_what_is_larger_goes_alone_and_indexes_go_last() {
        let wanted: Batch =
            [("MEMORY.md", 10), ("a.md", 90_000), ("b.md", 90_000), ("c.md", 240_000), ("d.md", 90_000)]
                .map(|(key, length)| (key.to_owned(), "x".repeat(length)))
                .into();
        let keys: Vec<Vec<String>> = batches(wanted).into_iter().map(|batch| batch.into_keys().collect()).collect();
        assert_eq!(keys, [vec!["a.md", "b.md"], vec!["c.md"], vec!["MEMORY.md", "d.md"]]);
        assert!(batches(Batch::new()).is_empty());
        // A quote is two bytes on the way.
        let quotes: Batch =
            [("a.md", "\"".repeat(60_000)), ("b.md", "\"".repeat(60_000))].map(|(k, t)| (k.to_owned(), t)).into();
        assert_eq!(batches(quotes).len(), 2);
    }
}
