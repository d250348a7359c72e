//! One scan: every file read once, or taken over from the scan before.

use std::collections::HashMap;
use std::io;
use std::num::NonZero;
use std::path::{Component, Path};

use chrono::{DateTime, Utc};

use super::file::{self, Content};
use super::walk::{Candidate, Walked, walk};
use super::{LARGE_BYTES, MOST_ENTRIES, Memory, ScanOptions, Snapshot, Store, StoreError, Trace, age, agree};
use crate::memory::index::{self, Index};
use crate::memory::{
    AgeSource, Claim, ContentHash, Freshness, INDEX_FILE, Kind, Problem, ProblemCode, Shape, Topic, links,
};
use crate::text;

/// From how many files on a scan reads with more than one thread.
const WORTH_A_THREAD: usize = 512;

/// With how many threads a scan reads at most: it is the disk's work more than the processor's.
const MOST_THREADS: usize = 4;

/// What sees each memory's file and body as they are read; from several threads at once.
pub(super) type Look<'a> = &'a (dyn Fn(&str, &str) + Sync);

/// Scans a store, see [`Store::rescan`]. `look` sees what is read, not what is taken over from `previous`.
pub(super) fn scan(
    store: &Store,
    options: &ScanOptions,
    previous: Option<&Snapshot>,
    look: Option<Look<'_>>,
) -> Result<Snapshot, StoreError> {
    let Walked { topics, indexes, others, nameless, closed, ended } =
        walk(store.root()).map_err(|error| refused(store, error))?;
    let mut problems: Vec<(String, Problem)> = closed
        .into_iter()
        .map(|(folder, error)| {
            let message = format!("the folder cannot be listed: {error}; check its permissions");
            (folder, Problem::new(ProblemCode::Unreadable, message, None))
        })
        .collect();
    problems.extend(nameless.into_iter().map(|file| {
        let message =
            "its name is not Unicode, so it can neither be read nor changed here; rename it with mv in a shell";
        (file, Problem::new(ProblemCode::Unreadable, message, None))
    }));
    problems.extend(ended.iter().map(|folder| (INDEX_FILE.to_owned(), too_much(folder))));
    let known: HashMap<&str, &Memory> = previous
        .filter(|previous| previous.store == *store)
        .map(|previous| previous.memories.iter().map(|memory| (memory.file.as_str(), memory)).collect())
        .unwrap_or_default();
    let read = |candidate: &Candidate| match known.get(candidate.file.as_str()).copied() {
        Some(memory) if is_unchanged(memory, candidate) => Some(memory.clone()),
        _ => memory(store, candidate, look),
    };
    let mut memories = read_all(&topics, &read);
    judge(&mut memories, options);

    let read: Vec<(String, Index)> =
        indexes.iter().filter_map(|candidate| read_index(store, candidate, &mut problems)).collect();
    let has_index = indexes.iter().any(|candidate| candidate.file == INDEX_FILE);
    let by_name: Vec<(String, &Index)> = read.iter().map(|(file, index)| (file.clone(), index)).collect();
    problems.extend(agree::agree(&mut memories, &others, &by_name));
    if ended.is_some() {
        // What was not looked at is not gone.
        problems.retain(|(_, problem)| problem.code != ProblemCode::IndexDangling || !lies_inside(store, problem));
    }
    let mut index = read.into_iter().find(|(file, _)| file == INDEX_FILE).map(|(_, index)| index).unwrap_or_default();
    if !store.kind().has_limits() {
        unlimited(&mut index, &mut memories, &mut problems);
    }
    Ok(Snapshot { store: store.clone(), index, has_index, memories, others, problems, scanned_at: options.now })
}

fn too_much(folder: &str) -> Problem {
    let place = if folder.is_empty() { String::new() } else { format!(" from the folder {folder} on,") };
    let message = format!(
        "more than {MOST_ENTRIES} files and folders lie here: what comes after them,{place} was not read and is not in the \
         list; name the directory that holds MEMORY.md with --memory-dir"
    );
    Problem::new(ProblemCode::Unreadable, message, None)
}

/// Whether what a link leads to is there, inside the store.
fn lies_inside(store: &Store, problem: &Problem) -> bool {
    let target = Path::new(problem.subject.as_deref().unwrap_or_default());
    target.components().all(|part| matches!(part, Component::Normal(_)))
        && store.root().join(target).symlink_metadata().is_ok()
}

/// Reads every candidate, in order, with several threads when there are many.
fn read_all(topics: &[Candidate], read: &(dyn Fn(&Candidate) -> Option<Memory> + Sync)) -> Vec<Memory> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    if topics.len() < WORTH_A_THREAD || threads < 2 {
        return topics.iter().filter_map(read).collect();
    }
    std::thread::scope(|scope| {
        let parts: Vec<_> = topics
            .chunks(topics.len().div_ceil(threads))
            .map(|part| (part, scope.spawn(move || part.iter().filter_map(read).collect::<Vec<_>>())))
            .collect();
        // A thread that could not finish is no reason to lose what it should have read.
        parts
            .into_iter()
            .flat_map(|(part, thread)| thread.join().unwrap_or_else(|_| part.iter().filter_map(read).collect()))
            .collect()
    })
}

/// Takes back what only holds where Claude Code reads the index: its limits, and that each memory has a line in it.
fn unlimited(index: &mut Index, memories: &mut [Memory], problems: &mut Vec<(String, Problem)>) {
    index.lines.iter_mut().filter_map(|line| line.loaded.as_mut()).for_each(|loaded| *loaded = true);
    let measure = &mut index.measure;
    (measure.loaded_lines, measure.loaded_bytes, measure.binds) = (measure.lines, measure.bytes, None);
    measure.cut.clear();
    for memory in memories {
        (memory.indexed, memory.loaded) = (true, true);
        memory.problems.retain(|problem| !is_of_the_index(problem.code));
    }
    problems.retain(|(_, problem)| !is_of_the_index(problem.code));
}

fn is_of_the_index(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::IndexOverLines | ProblemCode::IndexOverBytes | ProblemCode::IndexLineLong | ProblemCode::Orphan
    )
}

fn refused(store: &Store, source: io::Error) -> StoreError {
    let path = store.root().to_owned();
    match source.kind() {
        io::ErrorKind::NotFound => StoreError::Missing(path),
        // What stands in the way may be above it.
        io::ErrorKind::NotADirectory => {
            let is_file = |above: &&Path| std::fs::metadata(above).is_ok_and(|metadata| !metadata.is_dir());
            StoreError::NotADirectory(path.ancestors().find(is_file).unwrap_or(&path).to_owned())
        }
        _ => StoreError::Unreadable { path, source },
    }
}

fn is_unchanged(memory: &Memory, candidate: &Candidate) -> bool {
    let identity = file::identity(&candidate.metadata);
    memory.trace.settled
        && memory.trace.identity == identity
        && memory.mtime == file::mtime(&candidate.metadata)
        && candidate.metadata.as_ref().is_ok_and(|metadata| metadata.len() == memory.bytes)
}

/// Ages and badges, which depend on the whole store and on the time.
fn judge(memories: &mut [Memory], options: &ScanOptions) {
    let bulk = age::bulk(
        memories
            .iter()
            .filter(|memory| age::may_be_copied(memory.trace.modified, memory.mtime))
            .map(|memory| memory.mtime)
            .collect(),
    );
    for memory in memories {
        memory.claim = age::claim(memory.trace.modified, &memory.hash, &options.confirmed, memory.mtime, bulk.as_ref());
        memory.age_days = memory.claim.age_days(options.now);
        memory.freshness = options.shelf_life.badge(memory.kind, memory.age_days);
    }
}

fn read_index(store: &Store, candidate: &Candidate, problems: &mut Vec<(String, Problem)>) -> Option<(String, Index)> {
    let base = candidate.file.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    match file::read(store.root(), &store.path(&candidate.file), &candidate.metadata) {
        Content::Bytes(bytes) => {
            problems
                .extend(content_problems(&bytes, true).into_iter().map(|problem| (candidate.file.clone(), problem)));
            Some((candidate.file.clone(), index::read_in(bytes, &base)))
        }
        Content::Gone => None,
        Content::Refused(why) => {
            let problem = Problem::new(ProblemCode::Unreadable, format!("the index: {why}"), None).about(INDEX_FILE);
            problems.push((candidate.file.clone(), problem));
            None
        }
    }
}

/// Reads one topic file. `None`: it vanished between listing and reading.
fn memory(store: &Store, candidate: &Candidate, look: Option<Look<'_>>) -> Option<Memory> {
    let path = store.path(&candidate.file);
    let settled = file::is_settled(&candidate.metadata);
    let blank = blank(candidate);
    match file::read(store.root(), &path, &candidate.metadata) {
        Content::Gone => None,
        Content::Refused(why) => {
            Some(Memory { problems: vec![Problem::new(ProblemCode::Unreadable, why, None)], ..blank })
        }
        Content::Bytes(bytes) => Some(understood(bytes, settled, blank, look)),
    }
}

fn blank(candidate: &Candidate) -> Memory {
    let mtime = file::mtime(&candidate.metadata);
    Memory {
        file: candidate.file.clone(),
        name: links::stem(&candidate.file).to_owned(),
        description: String::new(),
        kind: Kind::from_file_name(&candidate.file),
        type_word: None,
        shape: Shape::Bare,
        origin_session: None,
        claim: Claim { at: None, source: AgeSource::Unknown },
        age_days: None,
        freshness: Freshness::Aging,
        mtime,
        bytes: candidate.metadata.as_ref().map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 }),
        hash: ContentHash::of(b""),
        indexed: false,
        loaded: false,
        snoozed_until: None,
        problems: Vec::new(),
        trace: Trace { identity: file::identity(&candidate.metadata), ..Trace::default() },
    }
}

fn understood(bytes: Vec<u8>, settled: bool, blank: Memory, look: Option<Look<'_>>) -> Memory {
    let topic = Topic::read(bytes);
    let body = topic.body();
    if let Some(look) = look {
        look(&blank.file, &body);
    }
    let mut problems = topic.frontmatter.problems.clone();
    problems.extend(content_problems(&topic.bytes, false));
    let size = u64::try_from(topic.bytes.len()).unwrap_or(u64::MAX);
    if size >= LARGE_BYTES {
        let message = format!("{} is large for one memory; it is read and kept whole", text::bytes(size));
        problems.push(Problem::new(ProblemCode::Large, message, None));
    }
    let hash = topic.hash();
    let frontmatter = topic.frontmatter;
    let kind = frontmatter.kind(&blank.file);
    let said = |value: Option<String>| value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let modified: Option<DateTime<Utc>> = frontmatter.modified.as_deref().and_then(age::parse);
    Memory {
        kind,
        shape: frontmatter.shape,
        name: said(frontmatter.name).unwrap_or(blank.name),
        description: said(frontmatter.description).unwrap_or_else(|| first_line(&body)),
        type_word: frontmatter.type_word,
        origin_session: frontmatter.origin_session,
        bytes: size,
        hash,
        problems,
        trace: Trace { settled, modified, links: links_of(&body, &blank.file), ..blank.trace },
        ..blank
    }
}

/// What stands in for a missing description: the first words of the body, without heading or list marks.
fn first_line(body: &str) -> String {
    let marks = ['#', '-', '*', '>', ' ', '\t'];
    let line = body.lines().map(|line| line.trim_start_matches(marks).trim()).find(|line| !line.is_empty());
    line.unwrap_or_default().chars().take(200).collect()
}

/// Whether the bytes are text at all.
fn content_problems(bytes: &[u8], is_index: bool) -> Option<Problem> {
    let line_of = |at: usize| memchr::memchr_iter(b'\n', bytes.get(..at).unwrap_or_default()).count() + 1;
    let problem = |message: String, line| Some(Problem::new(ProblemCode::Unreadable, message, line));
    if bytes.is_empty() {
        return if is_index { None } else { problem("the file is empty".to_owned(), None) };
    }
    if let Some(at) = memchr::memchr(0, bytes) {
        return problem("the file holds NUL bytes, so it is no text".to_owned(), Some(line_of(at)));
    }
    let error = std::str::from_utf8(bytes).err()?;
    problem("the file is not UTF-8; damaged places show as \u{FFFD}".to_owned(), Some(line_of(error.valid_up_to())))
}

/// What a body links to, each once.
fn links_of(body: &str, file: &str) -> Vec<String> {
    let mut found: Vec<String> = links::wiki_links(body).into_iter().map(|link| format!("[[{}]]", link.word)).collect();
    found.extend(links::markdown_links(body, file).into_iter().map(|(_, target)| target));
    found.sort_unstable();
    found.dedup();
    found
}
