//! The index as a model writes it. Every session loads it, so its lines obey what a description does: an entry repeats what its
//! own file says, links to a file that is there, and nothing else is added. What a person wrote between the entries is theirs.
//!
//! Line by line: what may not land is taken out of the edit and waits, the rest lands. Not its job: lines that only go (see
//! `crate::change::plan`), and replaying the edit on the index as it is (see `crate::change::index_replay`).

use std::collections::{BTreeMap, BTreeSet};

use similar::DiffOp;

use super::evidence::{claimed, is_personal};
use super::repeated::{self, Wording};
use super::said::said_in;
use super::{held, hidden, instruction, label, sentences};
use crate::change::{HoldReason, IndexChange};
use crate::difference;
use crate::memory::names::without_extension;
use crate::memory::{Entry, Index, frontmatter, mark_length};
use crate::{secret, text};

/// The guard's name in reasons.
const GUARD: &str = "index";
/// So many lines that wait are named; the others are counted.
const MOST_NAMED: usize = 3;

/// What the store is once everything else has landed.
pub(in crate::change) struct Around<'a> {
    /// The bytes of a file that is there then.
    pub(in crate::change) file: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// The bytes of a file before, where a change of it lands.
    pub(in crate::change) before: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    /// Whether a file waits: its lines wait with it, and are judged when a person does.
    pub(in crate::change) waits: &'a dyn Fn(&str) -> bool,
    /// Whether something that lands mentions a file, so that its entry may have gone there.
    pub(in crate::change) is_mentioned: &'a dyn Fn(&str) -> bool,
}

/// The edit without what may not land, and why that waits.
pub(in crate::change) fn judged(change: &IndexChange, around: &Around<'_>) -> (IndexChange, Vec<HoldReason>) {
    let view = View::of(change, around);
    let ops = difference::between(&view.old, &view.new);
    let fresh = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).flat_map(DiffOp::new_range);
    let wrong: BTreeMap<usize, String> = fresh.filter_map(|at| Some((at, view.wrong(at)?))).collect();
    // What the lines that stay link to: an entry that would leave its file without one is put back.
    let mut linked: BTreeSet<String> = (0..view.new.len())
        .filter(|at| !wrong.contains_key(at))
        .flat_map(|at| view.targets(&view.content, at))
        .collect();
    let mut dropped: Vec<String> = Vec::new();
    let mut bytes: Vec<u8> = Vec::with_capacity(change.content.len());
    bytes.extend_from_slice(change.content.get(..mark_length(&change.content)).unwrap_or_default());
    let mut put = |line: &[u8]| {
        bytes.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            bytes.push(b'\n');
        }
    };
    for op in &ops {
        if !matches!(op, DiffOp::Equal { .. }) {
            for at in op.old_range() {
                let orphans: Vec<String> = view
                    .targets(&view.base, at)
                    .into_iter()
                    .filter(|target| view.is_orphaned(target, &linked))
                    .collect();
                if !orphans.is_empty() {
                    put(view.old.get(at).copied().unwrap_or_default());
                    let is_rewritten =
                        |target: &String| wrong.keys().any(|at| view.targets(&view.content, *at).contains(target));
                    dropped.extend(orphans.iter().filter(|target| !is_rewritten(target)).cloned());
                    linked.extend(view.targets(&view.base, at));
                }
            }
        }
        // Blank lines go with the lines that they set apart.
        let is_blank = |at: &usize| view.new.get(*at).is_some_and(|line| line.trim_ascii().is_empty());
        let is_empty = op.new_range().any(|at| wrong.contains_key(&at))
            && op.new_range().all(|at| wrong.contains_key(&at) || is_blank(&at));
        for at in op.new_range().filter(|at| !is_empty && !wrong.contains_key(at)) {
            put(view.new.get(at).copied().unwrap_or_default());
        }
    }
    if wrong.is_empty() && dropped.is_empty() {
        return (change.clone(), Vec::new());
    }
    if !change.content.ends_with(b"\n") && bytes.ends_with(b"\n") {
        bytes.pop();
    }
    let mut reasons: Vec<HoldReason> = wrong.values().take(MOST_NAMED).map(|why| held(GUARD, why.clone())).collect();
    if wrong.len() > MOST_NAMED {
        let more = text::count(wrong.len() - MOST_NAMED, "line", "lines");
        reasons.push(held(GUARD, format!("{more} more of its lines may not land either")));
    }
    if let Some(file) = dropped.first() {
        let entries = text::count(dropped.len(), "entry", "entries");
        reasons.push(held(GUARD, format!("{entries} would go although the files stay: {}", text::visible(file))));
    }
    (IndexChange { base: change.base.clone(), content: bytes }, reasons)
}

/// An edit of the index, with what is around it.
struct View<'a> {
    base: Index,
    content: Index,
    old: Vec<&'a [u8]>,
    new: Vec<&'a [u8]>,
    around: &'a Around<'a>,
}

impl<'a> View<'a> {
    fn of(change: &'a IndexChange, around: &'a Around<'a>) -> Self {
        Self {
            base: Index::read(change.base.clone()),
            content: Index::read(change.content.clone()),
            old: lines(&change.base),
            new: lines(&change.content),
            around,
        }
    }

    /// The files that a line links to.
    fn targets(&self, index: &Index, at: usize) -> Vec<String> {
        index.lines.get(at).into_iter().flat_map(|line| &line.entries).map(|entry| self.file_of(entry)).collect()
    }

    /// The file that an entry means; of a wiki link the one of its name, where there is one.
    fn file_of(&self, entry: &Entry) -> String {
        let with_ending = format!("{}.md", entry.target);
        if entry.wiki && (self.around.file)(&with_ending).is_some() { with_ending } else { entry.target.clone() }
    }

    /// Whether a file that stays would have no entry any more.
    fn is_orphaned(&self, target: &str, linked: &BTreeSet<String>) -> bool {
        !linked.contains(target)
            && !(self.around.waits)(target)
            && !(self.around.is_mentioned)(target)
            && (self.around.file)(target).is_some()
    }

    /// Why a new line may not land.
    fn wrong(&self, at: usize) -> Option<String> {
        let bytes = self.new.get(at).copied().unwrap_or_default();
        let stood = self.old.iter().any(|other| other.trim_ascii() == bytes.trim_ascii());
        if bytes.trim_ascii().is_empty() || stood {
            return None;
        }
        let line = self.content.lines.get(at)?;
        if line.entries.iter().any(|entry| (self.around.waits)(&self.file_of(entry))) {
            return None;
        }
        let shown = shown(&line.text);
        if !crate::memory::hidden::in_line(&line.text).is_empty() {
            return Some(format!("a line of it would hold {}: {shown}", hidden::characters(&line.text)));
        }
        let is_own = self.content.is_entry_line(at + 1) && !line.entries.iter().all(|entry| entry.mention);
        if is_own {
            return self.wrong_entry(&line.text, &line.entries);
        }
        if line.text.trim_start().starts_with('#') {
            let heading = line.text.trim_start().trim_start_matches('#');
            return self
                .adds_as_heading(at, heading)
                .then(|| format!("a heading of it says what no entry below it does: {shown}"));
        }
        Some(format!("a run writes entries into the index and nothing else: {shown}"))
    }

    fn wrong_entry(&self, line: &str, entries: &[Entry]) -> Option<String> {
        let shown = shown(line);
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for entry in entries {
            let file = self.file_of(entry);
            match (self.around.file)(&file) {
                Some(bytes) => files.push((file, bytes)),
                None if self.base.entries().any(|(_, old, _)| old.target == entry.target) => {}
                None => {
                    return Some(format!("it would point to {}, which is not there: {shown}", text::visible(&file)));
                }
            }
        }
        let ordered: BTreeSet<String> = files.iter().flat_map(|(_, bytes)| instruction::words(bytes)).collect();
        // An order that the person gave is no more than their own word again, sentence by sentence.
        let theirs: BTreeSet<String> = files
            .iter()
            .filter(|(file, bytes)| is_personal(file, bytes))
            .flat_map(|(_, bytes)| said_in(bytes))
            .map(|said| sentences::folded(&said.text))
            .collect();
        let is_theirs =
            |part: &String| theirs.contains(&sentences::folded(part)) || instruction::words(part.as_bytes()).is_empty();
        let is_own_word = || {
            let mut parts =
                entries.iter().flat_map(|entry| [&entry.title, &entry.hook]).flat_map(|text| parts_of(text));
            !line.trim_start().starts_with('|') && parts.all(|part| is_theirs(&part))
        };
        if instruction::words(line.as_bytes()).iter().any(|order| !ordered.contains(order)) && !is_own_word() {
            return Some(format!("a line of it gives an order that its file does not: {shown}"));
        }
        let old: Vec<&Entry> = self
            .base
            .entries()
            .map(|(_, entry, _)| entry)
            .filter(|old| files.iter().any(|(file, _)| *file == self.file_of(old)))
            .collect();
        let repeats = |part: &str| {
            let is_known = old.iter().any(|old| [&old.title, &old.hook].iter().any(|text| text.as_str() == part));
            is_known || is_repeated(part, &files)
        };
        // The cells of a table are no hook.
        let cells = line.trim_start().starts_with('|').then(|| plain(line));
        let parts = entries.iter().flat_map(|entry| [&entry.title, &entry.hook]).chain(&cells);
        if parts.into_iter().any(|part| !repeats(part)) {
            return Some(format!("a line of it says what its file does not: {shown}"));
        }
        // What a line said besides its file is lost with it; what its file said before, that file answers for.
        let earlier = files.iter().filter_map(|(file, _)| Some((file.clone(), (self.around.before)(file)?)));
        let earlier: Vec<(String, Vec<u8>)> = earlier.collect();
        let stays = |said: &str| {
            is_repeated(said, &files)
                || is_repeated(said, &earlier)
                || sentences::folded(line).contains(&sentences::folded(said))
        };
        let is_kept = |hook: &str| stays(hook) || parts_of(hook).iter().all(|part| stays(part));
        let gone = old.iter().find(|old| !self.new.iter().any(|new| is_in(&old.hook, new)) && !is_kept(&old.hook));
        gone.map(|gone| format!("a line of it would lose what no file says: {}", self::shown(&gone.hook)))
    }

    /// Whether a heading says more than what the section is about.
    fn adds_as_heading(&self, at: usize, heading: &str) -> bool {
        let is_heading = |line: &[u8]| line.trim_ascii().starts_with(b"#");
        let end = (at + 1..self.new.len()).find(|at| self.new.get(*at).is_some_and(|line| is_heading(line)));
        let below = (at + 1..end.unwrap_or(self.new.len())).flat_map(|at| self.targets(&self.content, at));
        let texts: Vec<String> = below
            .filter_map(|file| Some(((self.around.file)(&file)?, file)))
            .flat_map(|(bytes, file)| texts_of(&file, &bytes))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        label::adds_to(heading, &texts)
    }
}

/// Whether a part of an entry says what its files do.
fn is_repeated(part: &str, files: &[(String, Vec<u8>)]) -> bool {
    let said: Vec<String> = files.iter().flat_map(|(file, bytes)| texts_of(file, bytes)).collect();
    let day = files.iter().find_map(|(_, bytes)| claimed(bytes));
    repeated::is_repeated(part, &said, day, Wording::Other)
}

/// What the hook of an entry says, part by part.
pub(super) fn parts_of(hook: &str) -> Vec<String> {
    hook.split(';').flat_map(sentences::raw).filter(|part| !sentences::folded(part).is_empty()).collect()
}

/// What a file says, its name and the file's among it.
fn texts_of(file: &str, bytes: &[u8]) -> Vec<String> {
    let mut texts: Vec<String> = said_in(bytes).into_iter().map(|said| said.text).collect();
    texts.extend(frontmatter::read(bytes).description);
    texts.extend(frontmatter::read(bytes).name.map(|name| label::spaced(&name)));
    texts.push(label::spaced(without_extension(file)));
    texts
}

/// A row of a table without its marks and the targets of its links.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    for part in line.split("](") {
        let rest = if plain.is_empty() { part } else { part.split_once(')').map_or("", |(_, rest)| rest) };
        plain.push_str(rest);
        plain.push(' ');
    }
    plain.replace(['|', '[', ']', '`', '-'], " ")
}

fn is_in(hook: &str, line: &[u8]) -> bool {
    String::from_utf8_lossy(line).contains(hook.trim())
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    // A byte-order mark is of the file, not of its first line.
    bytes.get(mark_length(bytes)..).unwrap_or_default().split_inclusive(|byte| *byte == b'\n').collect()
}

fn shown(line: &str) -> String {
    let clean = secret::redacted(line.trim());
    format!("\"{}\"", text::visible(&clean).chars().take(80).collect::<String>())
}
