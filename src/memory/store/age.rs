//! When a claim was made: the date in the file, the person's "still true", or the file's time if that means anything.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc};

use crate::memory::{AgeSource, Claim, ContentHash};

/// From how many files on equal times look like a copy.
const BULK_FILES: usize = 8;

/// The instant a `modified` value means: ISO with or without a zone, or a day alone.
pub(super) fn parse(modified: &str) -> Option<DateTime<Utc>> {
    let modified = modified.trim();
    if let Ok(at) = DateTime::parse_from_rfc3339(modified) {
        return Some(at.with_timezone(&Utc));
    }
    let without_zone = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"];
    without_zone
        .into_iter()
        .find_map(|format| NaiveDateTime::parse_from_str(modified, format).ok())
        .or_else(|| NaiveDate::parse_from_str(modified, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0))
        .map(|at| at.and_utc())
}

/// The minute in which a copy, a checkout or a restore set most of the store's times, if there is one.
pub(super) fn bulk(mut mtimes: Vec<DateTime<Utc>>) -> Option<RangeInclusive<DateTime<Utc>>> {
    mtimes.sort_unstable();
    let (mut first, mut best) = (0, None);
    for (last, at) in mtimes.iter().enumerate() {
        while mtimes.get(first).is_some_and(|start| *at - *start > TimeDelta::minutes(1)) {
            first += 1;
        }
        let count = last - first + 1;
        if best.as_ref().is_none_or(|(most, _)| count > *most) {
            best = mtimes.get(first).map(|start| (count, *start..=*at));
        }
    }
    best.filter(|(count, _)| *count >= BULK_FILES && count * 2 > mtimes.len()).map(|(_, minute)| minute)
}

/// Whether a file's time can be a copy's: nothing inside says otherwise, or what it says is long before. Files that were
/// just written, by us or by Claude Code, carry their date; however many of them there are, they are no copy.
pub(super) fn may_be_copied(modified: Option<DateTime<Utc>>, mtime: DateTime<Utc>) -> bool {
    modified.is_none_or(|modified| mtime - modified > TimeDelta::days(7))
}

/// The claim of one file.
pub(super) fn claim(
    modified: Option<DateTime<Utc>>,
    hash: &ContentHash,
    confirmed: &HashMap<ContentHash, DateTime<Utc>>,
    mtime: DateTime<Utc>,
    bulk: Option<&RangeInclusive<DateTime<Utc>>>,
) -> Claim {
    if let Some(at) = modified {
        return Claim { at: Some(at), source: AgeSource::Modified };
    }
    if let Some(at) = confirmed.get(hash) {
        return Claim { at: Some(*at), source: AgeSource::Confirmed };
    }
    // Archives and file systems without times say "1970".
    let is_none = mtime < DateTime::UNIX_EPOCH + TimeDelta::days(1);
    if is_none || bulk.is_some_and(|minute| minute.contains(&mtime)) {
        return Claim { at: None, source: AgeSource::Unknown };
    }
    Claim { at: Some(mtime), source: AgeSource::Mtime }
}
