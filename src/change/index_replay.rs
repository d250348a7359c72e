//! Replaying an index edit on the index as it is now: lines that went go if they are still there, lines that came
//! come after the neighbour they came after. Hand-written lines are kept.
//!
//! Not its job: which edits are wanted (the caller says), and what an entry looks like (see `crate::memory::index`).

use std::collections::HashSet;

use similar::DiffOp;

use super::IndexChange;
use crate::memory::names::is_markdown;
use crate::memory::{Entry, Index, mark_length};

/// A line with its ending and the files it links to.
#[derive(Clone, Debug)]
struct Line {
    /// Without the line ending.
    text: Vec<u8>,
    ending: Vec<u8>,
    targets: Vec<String>,
}

/// A line of the index in the making.
struct Slot {
    line: Line,
    /// Which line of the current index it was.
    current: Option<usize>,
    /// Which line of the wanted index it is.
    wanted: Option<usize>,
}

/// The lines an index edit adds (`true`) or removes, each with the files it links to.
pub(super) fn lines_changed(change: &IndexChange) -> Vec<(bool, Vec<u8>, Vec<String>)> {
    let (base, content) = (lines(&change.base), lines(&change.content));
    let mut changed = Vec::new();
    for op in difference(&base, &content) {
        for line in base.get(op.old_range()).unwrap_or_default() {
            changed.push((false, line.text.clone(), line.targets.clone()));
        }
        for line in content.get(op.new_range()).unwrap_or_default() {
            changed.push((true, line.text.clone(), line.targets.clone()));
        }
    }
    changed
}

/// The current index with the edit made. `wants` says, for the files a line links to, whether its coming or going is
/// wanted. When everything is and nothing moved, the result is exactly the wanted content.
pub(super) fn replay(change: &IndexChange, current: &[u8], wants: &dyn Fn(&[String]) -> bool) -> Vec<u8> {
    if change.base == change.content {
        return current.to_vec();
    }
    let (base, content) = (lines(&change.base), lines(&change.content));
    let edits = difference(&base, &content);
    let all_wanted = edits.iter().all(|op| {
        let touched = base.get(op.old_range()).into_iter().chain(content.get(op.new_range()));
        touched.flatten().all(|line| wants(&line.targets))
    });
    if all_wanted && current == change.base {
        return change.content.clone();
    }
    let now = lines(current);
    let where_now = alignment(&base, &now);
    let mut slots: Vec<Slot> =
        now.iter().enumerate().map(|(at, line)| Slot { line: line.clone(), current: Some(at), wanted: None }).collect();

    // A line that only moves goes and comes: it is not left out for a link of its own somewhere else.
    let mut gone: HashSet<Vec<u8>> = HashSet::new();
    for op in &edits {
        for at in op.old_range() {
            let Some(line) = base.get(at).filter(|line| wants(&line.targets)) else { continue };
            let position = match where_now.get(at).copied().flatten() {
                Some(here) => slots.iter().position(|slot| slot.current == Some(here)),
                None if is_blank(line) => None,
                None => slots.iter().position(|slot| slot.line.text == line.text),
            };
            if let Some(position) = position {
                gone.insert(slots.remove(position).line.text);
            }
        }
    }

    // Lines that stayed tie the wanted index to the current one.
    for (old, new) in kept(&base, &content) {
        if let Some(here) = where_now.get(old).copied().flatten()
            && let Some(slot) = slots.iter_mut().find(|slot| slot.current == Some(here))
        {
            slot.wanted = Some(new);
        }
    }
    let mut left_out = HashSet::new();
    let mut linked: HashSet<String> = slots.iter().flat_map(|slot| slot.line.targets.clone()).collect();
    for op in &edits {
        for at in op.new_range() {
            let Some(line) = content.get(at) else { continue };
            let is_linked = !line.targets.is_empty()
                && line.targets.iter().all(|target| linked.contains(target))
                && !gone.contains(&line.text);
            if is_linked || !wants(&line.targets) {
                left_out.insert(at);
                continue;
            }
            linked.extend(line.targets.iter().cloned());
            let position = position_for(&slots, &content, &left_out, at);
            slots.insert(position, Slot { line: line.clone(), current: None, wanted: Some(at) });
        }
    }
    joined(&slots, current)
}

/// Whether replaying an edit on the current index gives all that the edit says: no line of it stays out because another
/// program changed the same line.
pub(super) fn is_met(change: &IndexChange, current: &[u8]) -> bool {
    if change.base == current {
        return true;
    }
    let (base, content, now) = (lines(&change.base), lines(&change.content), lines(current));
    let after = lines(&replay(change, current, &|_| true));
    let has = |all: &[Line], text: &[u8]| all.iter().any(|line| line.text == text);
    let links_to = |all: &[Line], targets: &[String]| {
        all.iter().any(|line| line.targets.iter().any(|target| targets.contains(target)))
    };
    difference(&base, &content).iter().all(|op| {
        let comes = content.get(op.new_range()).unwrap_or_default();
        let goes = base.get(op.old_range()).unwrap_or_default();
        comes.iter().all(|line| has(&after, &line.text))
            // One that is there with other words was edited; one that is not there at all went already.
            && goes.iter().all(|line| has(&now, &line.text) || !links_to(&now, &line.targets))
    })
}

/// Where a line that comes belongs among the slots.
fn position_for(slots: &[Slot], content: &[Line], left_out: &HashSet<usize>, at: usize) -> usize {
    let after = |position: usize| position + 1;
    let slot_of = |wanted: usize| slots.iter().rposition(|slot| slot.wanted == Some(wanted));
    let mut before = None;
    for candidate in (0..at).rev() {
        if !left_out.contains(&candidate) {
            before = Some(candidate);
            break;
        }
        // A line that does not come because its file has one already: that one is the neighbour.
        let files = content.get(candidate).map(|line| line.targets.as_slice()).unwrap_or_default();
        let same = |slot: &Slot| slot.line.targets.iter().any(|target| files.contains(target));
        if let Some(position) = slots.iter().rposition(same) {
            return after(position);
        }
    }
    let Some(before) = before else { return 0 };
    if let Some(position) = slot_of(before) {
        return after(position);
    }
    let neighbour = content.get(before);
    if let Some(neighbour) = neighbour.filter(|line| !is_blank(line))
        && let Some(position) = slots.iter().rposition(|slot| slot.line.text == neighbour.text)
    {
        return after(position);
    }
    let targets = content.get(at).map(|line| line.targets.as_slice()).unwrap_or_default();
    if let Some(prefix) = targets.first().and_then(|target| prefix(target)) {
        let beside = |slot: &Slot| slot.line.targets.iter().any(|target| self::prefix(target) == Some(prefix));
        if let Some(position) = slots.iter().rposition(beside) {
            return after(position);
        }
    }
    if targets.is_empty() {
        let nearest = (0..before).rev().find_map(slot_of);
        if let Some(position) = nearest {
            return after(position);
        }
    }
    slots.iter().rposition(|slot| !is_blank(&slot.line)).map_or(slots.len(), after)
}

/// `feedback` of `feedback_testing.md`.
fn prefix(target: &str) -> Option<&str> {
    let name = target.rsplit('/').next()?;
    name.split_once(['_', '-']).map(|(prefix, _)| prefix)
}

fn is_blank(line: &Line) -> bool {
    line.text.trim_ascii().is_empty()
}

/// Where each line of `base` stands in `now`.
fn alignment(base: &[Line], now: &[Line]) -> Vec<Option<usize>> {
    let mut aligned = vec![None; base.len()];
    for (old, new) in kept(base, now) {
        if let Some(place) = aligned.get_mut(old) {
            *place = Some(new);
        }
    }
    aligned
}

fn texts(lines: &[Line]) -> Vec<&[u8]> {
    lines.iter().map(|line| line.text.as_slice()).collect()
}

fn operations(old: &[Line], new: &[Line]) -> Vec<DiffOp> {
    crate::difference::between(&texts(old), &texts(new))
}

/// The places where two lists of lines differ.
fn difference(old: &[Line], new: &[Line]) -> Vec<DiffOp> {
    operations(old, new).into_iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).collect()
}

/// Pairs of lines that are the same line in both.
fn kept(old: &[Line], new: &[Line]) -> Vec<(usize, usize)> {
    let equal = operations(old, new).into_iter().filter(|op| matches!(op, DiffOp::Equal { .. }));
    equal.flat_map(|op| op.old_range().zip(op.new_range())).collect()
}

/// The lines of an index with their endings and links.
fn lines(bytes: &[u8]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut starts = Vec::new();
    // A byte-order mark is of the file, not of its first line.
    let mut start = mark_length(bytes);
    for piece in bytes.get(start..).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
        let text = piece.strip_suffix(b"\r\n").or_else(|| piece.strip_suffix(b"\n")).unwrap_or(piece);
        let ending = piece.get(text.len()..).unwrap_or_default().to_vec();
        lines.push(Line { text: text.to_vec(), ending, targets: Vec::new() });
        starts.push(start);
        start += piece.len();
    }
    for read in Index::read(bytes.to_vec()).lines {
        let at = starts.partition_point(|start| *start <= read.range.start);
        if let Some(line) = at.checked_sub(1).and_then(|at| lines.get_mut(at)) {
            line.targets.extend(read.entries.into_iter().filter(|entry| !entry.mention).map(|entry| file_of(&entry)));
        }
    }
    lines
}

/// The file an entry means; a wiki word is taken for a file's stem.
fn file_of(entry: &Entry) -> String {
    match entry.target.split('#').next().unwrap_or_default().trim() {
        word if entry.wiki && !is_markdown(word) => format!("{word}.md"),
        target => target.to_owned(),
    }
}

/// The slots as bytes. Lines that came get the ending the current index has.
fn joined(slots: &[Slot], current: &[u8]) -> Vec<u8> {
    let theirs: Option<&[u8]> = current.split_inclusive(|byte| *byte == b'\n').next().and_then(|line| {
        let endings: [&'static [u8]; 2] = [b"\r\n", b"\n"];
        endings.into_iter().find(|ending| line.ends_with(ending))
    });
    let mut out = Vec::with_capacity(current.len() + 256);
    out.extend_from_slice(current.get(..mark_length(current)).unwrap_or_default());
    for (at, slot) in slots.iter().enumerate() {
        out.extend_from_slice(&slot.line.text);
        let own: &[u8] = &slot.line.ending;
        let ending = if slot.current.is_some() { own } else { theirs.unwrap_or(own) };
        let is_last = at + 1 == slots.len();
        if ending.is_empty() && !(is_last && slot.current.is_some()) {
            out.extend_from_slice(theirs.unwrap_or(b"\n"));
        } else {
            out.extend_from_slice(ending);
        }
    }
    out
}

#[cfg(test)]
#[path = "index_replay_tests.rs"]
mod tests;
