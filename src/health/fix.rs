//! Repairs that are safe: index lines, stubs and memories without a description whose index line still has it, and a
//! name or description that is no YAML only because it has no quotes.
//!
//! No other byte of a memory is touched here.

use std::collections::{HashMap, HashSet};

use super::Finding;
use crate::change::{Change, ChangeSet, IndexChange, Mtime, Op, Origin, Rationale};
use crate::memory::index::NewEntry;
use crate::memory::{Entry, Field, INDEX_FILE, Index, Kind, Memory, ProblemCode, Snapshot, links, names};
use crate::text;

/// Whether [`fix`] repairs a finding.
pub(super) fn is_fixable(snapshot: &Snapshot, finding: &Finding) -> bool {
    match finding.code {
        // In a directory without memories the index may be all that is left, or the files are still on their way.
        ProblemCode::IndexDangling => finding.file == INDEX_FILE && !snapshot.memories.is_empty(),
        ProblemCode::CaseMismatch => finding.file == INDEX_FILE,
        ProblemCode::IndexTwice => {
            finding.file == INDEX_FILE && finding.line.is_some_and(|line| is_repetition(snapshot, line))
        }
        ProblemCode::Orphan => {
            let is_whole = |memory: &Memory| memory.problems.iter().all(|one| one.code != ProblemCode::Unreadable);
            snapshot.unread_index().is_none() && snapshot.memory(&finding.file).is_some_and(is_whole)
        }
        code if is_of_memory(code) => of_memory(snapshot, finding).is_some(),
        _ => false,
    }
}

/// Whether a line is one entry that says nothing its file's first entry does not say.
fn is_repetition(snapshot: &Snapshot, line: usize) -> bool {
    let index = &snapshot.index;
    let on_line: Vec<&Entry> = index
        .entries()
        .filter(|(number, entry, _)| *number == line && !entry.mention)
        .map(|(_, entry, _)| entry)
        .collect();
    let [second] = on_line.as_slice() else { return false };
    let first = index.entries().find(|(number, entry, _)| {
        *number < line && !entry.mention && names::folded(&entry.target) == names::folded(&second.target)
    });
    let folded = |text: &str| text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    index.is_entry_line(line)
        && first.is_some_and(|(_, first, _)| {
            folded(&first.hook).contains(folded(&second.hook).trim_end_matches(['.', '…']))
        })
}

/// A change set that repairs what is safe to repair, with the findings it repairs; nothing else is touched.
#[must_use]
pub fn fix(snapshot: &Snapshot, findings: &[Finding]) -> (ChangeSet, Vec<Finding>) {
    let base = snapshot.index.bytes.clone();
    let mut fixed: Vec<Finding> =
        findings.iter().filter(|finding| finding.fixable && is_fixable(snapshot, finding)).cloned().collect();
    let index = with_names_as_on_disk(snapshot, &fixed);
    let index = without_lost_and_doubled(&index, snapshot, &fixed);
    let index = with_orphans(index, snapshot, &mut fixed);
    let changes: Vec<Change> =
        fixed.iter().filter(|one| is_of_memory(one.code)).filter_map(|one| of_memory(snapshot, one)).collect();
    fixed.retain(|one| !is_of_memory(one.code) || changes.iter().any(|change| change.file == one.file));
    let what = if changes.is_empty() { "repair the index" } else { "repair the store" };
    let title = format!("{what}: {}", text::count(fixed.len(), "finding", "findings"));
    let mut set = ChangeSet::new(Origin::Repair, title);
    set.changes = changes;
    if index.bytes != base {
        set.index = Some(IndexChange { base, content: index.bytes });
    }
    (set, fixed)
}

/// Whether its repair changes the memory, not the index.
fn is_of_memory(code: ProblemCode) -> bool {
    matches!(code, ProblemCode::FrontmatterStub | ProblemCode::DescriptionMissing | ProblemCode::FrontmatterUnreadable)
}

fn of_memory(snapshot: &Snapshot, finding: &Finding) -> Option<Change> {
    match finding.code {
        ProblemCode::FrontmatterUnreadable => requoted(snapshot, finding),
        _ => refilled(snapshot, finding),
    }
}

/// A memory whose name or description is put in quotes, where that alone makes the frontmatter valid. `None`: it does not,
/// or something else would read otherwise than before.
fn requoted(snapshot: &Snapshot, finding: &Finding) -> Option<Change> {
    let topic = snapshot.store.topic(&finding.file).ok()?;
    let (text, front) = (std::str::from_utf8(&topic.bytes).ok()?, &topic.frontmatter);
    let values = [(Field::Name, "name", &front.name), (Field::Description, "description", &front.description)];
    let content = values.into_iter().find_map(|(field, key, value)| {
        let value = value.as_deref()?;
        // The value as it stands there, so that quotes are all that comes to it.
        let written = format!("{key}: {value}");
        if !text.lines().any(|line| line.trim_end() == written) {
            return None;
        }
        let quoted = topic.with(field, value).ok()?;
        let after = &quoted.frontmatter;
        let is_same = (&after.name, &after.description, &after.type_word)
            == (&front.name, &front.description, &front.type_word)
            && (&after.origin_session, &after.modified, &after.others)
                == (&front.origin_session, &front.modified, &front.others)
            && quoted.body() == topic.body();
        (after.problems.is_empty() && is_same).then_some(quoted.bytes)
    })?;
    let reason = "the frontmatter was no YAML; quotes around one value make it so";
    Some(Change {
        file: finding.file.clone(),
        op: Op::Replace,
        base: Some(topic.bytes),
        content: Some(content),
        rationale: Rationale { reason: reason.to_owned(), sources: Vec::new() },
        mtime: Mtime::Keep,
    })
}

/// A memory with the description its index line kept, a stub also with the name its file has. `None` when the index says
/// nothing about it, or more than one thing, or no more than the body's first words, which stand for it anyway, or when the
/// block is damaged beyond that.
fn refilled(snapshot: &Snapshot, finding: &Finding) -> Option<Change> {
    let file = finding.file.as_str();
    let is_stub = finding.code == ProblemCode::FrontmatterStub;
    let is_about = |entry: &Entry| {
        // The link may be in another letter case, which the same repair sets right.
        let is_meant =
            || names::folded(&entry.target) == names::folded(file) && snapshot.memory(&entry.target).is_none();
        !entry.mention && (entry.target == file || is_meant())
    };
    let said = snapshot.index.entries().filter(|(line, entry, _)| is_about(entry) && !is_repetition(snapshot, *line));
    let said: Vec<&Entry> = said.map(|(_, entry, _)| entry).collect();
    let [entry] = said.as_slice() else { return None };
    let hook = entry.hook.trim();
    if hook.is_empty() || !is_stub && snapshot.memory(file)?.description.starts_with(hook.trim_end_matches(['.', '…']))
    {
        return None;
    }
    let topic = snapshot.store.topic(file).ok()?;
    let named = if is_stub { topic.with(Field::Name, &names::slug(links::stem(file))).ok()? } else { topic.clone() };
    let refilled = named.with(Field::Description, hook).ok()?;
    let reason = if is_stub {
        "the frontmatter was a stub; name and description come from the file's name and its index line"
    } else {
        "the frontmatter had no description; it comes from the index line"
    };
    let is_whole = refilled.frontmatter.problems.is_empty() && (is_stub || topic.frontmatter.problems.is_empty());
    is_whole.then(|| Change {
        file: file.to_owned(),
        op: Op::Replace,
        base: Some(topic.bytes),
        content: Some(refilled.bytes),
        rationale: Rationale { reason: reason.to_owned(), sources: Vec::new() },
        mtime: Mtime::Keep,
    })
}

fn of_code(findings: &[Finding], code: ProblemCode) -> impl Iterator<Item = &Finding> {
    findings.iter().filter(move |finding| finding.code == code)
}

/// Links written as the files are called. No line moves.
fn with_names_as_on_disk(snapshot: &Snapshot, findings: &[Finding]) -> Index {
    let wrong: HashSet<(usize, &str)> = of_code(findings, ProblemCode::CaseMismatch)
        .filter_map(|finding| Some((finding.line?, finding.evidence.as_deref()?)))
        .collect();
    let by_folded: HashMap<String, &str> =
        snapshot.memories.iter().map(|memory| (names::folded(&memory.file), memory.file.as_str())).collect();
    let index = &snapshot.index;
    Index::read(index.renamed_where(&|line, entry| {
        let is_wrong = !entry.wiki && wrong.contains(&(line, entry.target.as_str()));
        by_folded.get(&names::folded(&entry.target)).filter(|_| is_wrong).map(|file| (*file).to_owned())
    }))
}

fn without_lost_and_doubled(index: &Index, snapshot: &Snapshot, findings: &[Finding]) -> Index {
    let lost: HashSet<(usize, &str)> = of_code(findings, ProblemCode::IndexDangling)
        .filter_map(|finding| Some((finding.line?, finding.evidence.as_deref()?)))
        .collect();
    let doubled: HashSet<usize> =
        of_code(findings, ProblemCode::IndexTwice).filter_map(|finding| finding.line).collect();
    let is_file = |target: &str| snapshot.memory(target).is_some();
    Index::read(index.without_where(&|line, entry| {
        let is_lost = lost.contains(&(line, entry.target.as_str())) && !is_file(&entry.target);
        (!entry.wiki && is_lost) || doubled.contains(&line)
    }))
}

/// An entry for every orphan. What cannot be made to count, because an unclosed fence swallows it, is no repair.
fn with_orphans(mut index: Index, snapshot: &Snapshot, fixed: &mut Vec<Finding>) -> Index {
    let entries = |index: &Index| index.entries().filter(|(_, entry, _)| !entry.mention).count();
    let mut count = entries(&index);
    fixed.retain(|finding| {
        if finding.code != ProblemCode::Orphan {
            return true;
        }
        let Some(memory) = snapshot.memory(&finding.file) else { return false };
        let after = Index::read(index.with_entry(&entry_for(memory)));
        let grown = entries(&after);
        let counts = grown > count;
        if counts {
            (index, count) = (after, grown);
        }
        counts
    });
    index
}

fn entry_for(memory: &Memory) -> NewEntry {
    NewEntry { file: memory.file.clone(), title: title(memory), hook: memory.description.clone() }
}

/// A title for people: `feedback-testing-policy` is `Testing policy`; names that are no slugs stay.
fn title(memory: &Memory) -> String {
    let name = memory.name.trim();
    if name.contains(char::is_whitespace) || !name.contains(['-', '_']) {
        return name.to_owned();
    }
    let words = name.replace(['-', '_'], " ");
    let words =
        Kind::ALL.into_iter().find_map(|kind| words.strip_prefix(kind.word())?.strip_prefix(' ')).unwrap_or(&words);
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
