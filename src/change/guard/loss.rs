//! A file losing most of its lines: what is not there any more, nor reworded, nor in another file, is lost.

use std::collections::HashSet;

use super::sentences::{self, Sentences};
use super::{Subject, held};
use crate::change::{HoldReason, IndexChange};
use crate::memory::Index;

/// From this share of common words on, a line counts as reworded rather than lost.
const REWORDED: f64 = 0.5;

pub(in crate::change) fn check(subject: &Subject<'_>, elsewhere: &Sentences) -> Option<HoldReason> {
    let (before, after) = (subject.before?, subject.after?);
    let (old, new) = (sentences::of_file(before), sentences::of_file(after));
    let kept: HashSet<&str> = new.iter().map(String::as_str).collect();
    let mut fresh: Vec<HashSet<&str>> =
        new.iter().filter(|sentence| !old.contains(sentence)).map(|sentence| sentence.split(' ').collect()).collect();
    let lost = old
        .iter()
        .filter(|sentence| !kept.contains(sentence.as_str()) && !elsewhere.contains(sentence))
        .filter(|sentence| !take_reworded(sentence, &mut fresh))
        .count();
    if lost * 2 <= old.len() {
        return None;
    }
    Some(held(
        "loss",
        format!("{lost} of its {} would be lost", crate::text::count(old.len(), "sentence", "sentences")),
    ))
}

/// Whether one of the new sentences is the old one in other words; each new one answers for one old one.
fn take_reworded(sentence: &str, fresh: &mut Vec<HashSet<&str>>) -> bool {
    let words: HashSet<&str> = sentence.split(' ').collect();
    let found = fresh.iter().position(|candidate| {
        let common = words.intersection(candidate).count();
        // Texts without blanks between words are compared by character.
        if words.len() <= 2 {
            let (one, other) = (characters(&words), characters(candidate));
            return one.intersection(&other).count() as f64 >= REWORDED * one.len() as f64;
        }
        common as f64 >= REWORDED * words.len() as f64
    });
    found.map(|at| fresh.swap_remove(at)).is_some()
}

fn characters(words: &HashSet<&str>) -> HashSet<char> {
    words.iter().flat_map(|word| word.chars()).collect()
}

/// More index lines than this, or than a quarter, may not go while their files stay.
const MOST_LINES: usize = 5;

/// Index entries that go although their files `remain` and nothing that lands mentions them.
pub(in crate::change) fn check_index(
    change: &IndexChange,
    remain: &dyn Fn(&str) -> bool,
    mentioned: &[&[u8]],
) -> Option<HoldReason> {
    let targets = |bytes: &[u8]| -> HashSet<String> {
        Index::read(bytes.to_vec()).entries().map(|(_, entry, _)| entry.target.clone()).collect()
    };
    let (old, new) = (targets(&change.base), targets(&change.content));
    let dropped = old
        .difference(&new)
        .filter(|target| !mentioned.iter().any(|text| memchr::memmem::find(text, target.as_bytes()).is_some()))
        .filter(|target| remain(target))
        .count();
    if dropped <= MOST_LINES && dropped * 4 <= old.len() {
        return None;
    }
    let entries = crate::text::count(dropped, "entry", "entries");
    Some(held("loss", format!("{entries} of {} would go although their files stay", old.len())))
}
