//! Index and files against each other: what is reached, what is loaded, and where they disagree.
//!
//! Not its job: saying what to do about it (see `crate::health`).

use std::collections::{HashMap, HashSet};

use super::{Memory, OtherFile};
use crate::memory::index::{LONG_LINE, MAX_BYTES, MAX_LINES};
use crate::memory::links::Resolver;
use crate::memory::{Entry, INDEX_FILE, Index, Problem, ProblemCode, names};
use crate::text;

/// How many topic files Claude Code's own recall looks through, the newest first.
const MOST_RECALLED: usize = 200;

/// The files of a store by name, for looking up what links mean.
struct Names<'a> {
    exact: HashSet<&'a str>,
    folded: HashMap<String, &'a str>,
    words: Resolver<'a>,
    /// What lies there besides memories: linking to it is fine.
    others: HashSet<&'a str>,
}

/// What a link means.
enum Meaning<'a> {
    /// A memory, by its own name.
    File(&'a str),
    /// A memory whose name differs in letter case or Unicode form.
    Nearly(&'a str),
    /// Something in the store that is no memory.
    Other,
    /// Nothing.
    Nothing,
}

impl<'a> Names<'a> {
    fn new(memories: &'a [Memory], others: &'a [OtherFile]) -> Self {
        let pairs = memories.iter().map(|memory| (memory.file.as_str(), memory.name.as_str()));
        Self {
            exact: memories.iter().map(|memory| memory.file.as_str()).collect(),
            folded: memories.iter().map(|memory| (names::folded(&memory.file), memory.file.as_str())).collect(),
            words: Resolver::new(pairs),
            others: others.iter().map(|other| other.file.as_str()).collect(),
        }
    }

    fn target(&self, target: &str) -> Meaning<'a> {
        if let Some(file) = self.exact.get(target) {
            Meaning::File(file)
        } else if self.others.contains(target) || target == INDEX_FILE {
            Meaning::Other
        } else if let Some(file) = self.folded.get(&names::folded(target)) {
            Meaning::Nearly(file)
        } else {
            Meaning::Nothing
        }
    }

    fn entry(&self, entry: &Entry) -> Meaning<'a> {
        if entry.wiki {
            self.words.resolve(&entry.target).map_or(Meaning::Nothing, Meaning::File)
        } else {
            self.target(&entry.target)
        }
    }

    /// The file a link kept in [`super::Trace::links`] means.
    fn link(&self, link: &str) -> Option<&'a str> {
        match link.strip_prefix("[[").and_then(|word| word.strip_suffix("]]")) {
            Some(word) => self.words.resolve(word),
            None => match self.target(link) {
                Meaning::File(file) | Meaning::Nearly(file) => Some(file),
                Meaning::Other | Meaning::Nothing => None,
            },
        }
    }
}

/// What comparing gave.
struct Agreement {
    reached: HashSet<String>,
    loaded: HashSet<String>,
    problems: Vec<(String, Problem)>,
}

/// Marks what the indexes reach and returns where index and files disagree. `indexes`: the store's, then its folders'.
pub(super) fn agree(
    memories: &mut [Memory],
    others: &[OtherFile],
    indexes: &[(String, &Index)],
) -> Vec<(String, Problem)> {
    let Agreement { reached, loaded, mut problems } = compared(memories, others, indexes);
    if memories.len() > MOST_RECALLED {
        let message = format!(
            "{} memories: Claude Code looks through the newest {MOST_RECALLED} when it recalls",
            memories.len()
        );
        problems.push((INDEX_FILE.to_owned(), Problem::new(ProblemCode::Large, message, None)));
    }
    for memory in memories.iter_mut() {
        memory.indexed = reached.contains(&memory.file);
        memory.loaded = loaded.contains(&memory.file);
        if !memory.indexed {
            let problem = Problem::new(ProblemCode::Orphan, "no line of the index leads to it", None);
            problems.push((memory.file.clone(), problem));
        }
    }
    problems
}

fn compared(memories: &[Memory], others: &[OtherFile], indexes: &[(String, &Index)]) -> Agreement {
    let names = Names::new(memories, others);
    let mut reached: HashSet<&str> = HashSet::new();
    let mut loaded: HashSet<String> = HashSet::new();
    let mut problems = Vec::new();
    for (file, index) in indexes {
        let mut found = Vec::new();
        if file == INDEX_FILE {
            found.extend(limits(index));
        }
        for (target, is_loaded) in links(index, &names, &mut found) {
            reached.insert(target);
            if is_loaded && file == INDEX_FILE {
                loaded.insert(target.to_owned());
            }
        }
        problems.extend(found.into_iter().map(|problem| (file.clone(), problem)));
    }
    follow(memories, &names, &mut reached);
    Agreement { reached: reached.into_iter().map(str::to_owned).collect(), loaded, problems }
}

/// The memories an index names, each with whether its line is loaded; notes links that lead nowhere, to a file of nearly
/// that name, or to one that was linked before.
fn links<'a>(index: &Index, names: &Names<'a>, problems: &mut Vec<Problem>) -> Vec<(&'a str, bool)> {
    let mut linked = Vec::new();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (line, entry, is_loaded) in index.entries() {
        let meaning = names.entry(entry);
        let mut note = |code, message: String| {
            problems.push(Problem::new(code, message, Some(line)).about(&entry.target));
        };
        match meaning {
            Meaning::File(target) | Meaning::Nearly(target) => {
                linked.push((target, is_loaded));
                if entry.mention {
                    continue;
                }
                if matches!(meaning, Meaning::Nearly(_)) {
                    let message = format!("the index links to {}, the file is called {target}", entry.target);
                    note(ProblemCode::CaseMismatch, message);
                }
                match first.get(target) {
                    Some(before) => {
                        note(ProblemCode::IndexTwice, format!("{target} is linked on line {before} already"));
                    }
                    None => drop(first.insert(target, line)),
                }
            }
            Meaning::Other => {}
            Meaning::Nothing if entry.wiki || entry.mention => {}
            Meaning::Nothing => {
                note(ProblemCode::IndexDangling, format!("the index links to {}, which is not there", entry.target));
            }
        }
    }
    linked
}

/// What an index would mean in place of the one that was scanned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexJudgement {
    /// The memories its lines name.
    pub linked: HashSet<String>,
    /// Links that lead nowhere, to a file of nearly that name, or to one that was linked before; in the order of the lines.
    pub problems: Vec<Problem>,
}

impl IndexJudgement {
    /// Judges an index against the files of a store.
    pub(super) fn of(index: &Index, memories: &[Memory], others: &[OtherFile]) -> Self {
        let mut problems = Vec::new();
        let linked = links(index, &Names::new(memories, others), &mut problems);
        Self { linked: linked.into_iter().map(|(file, _)| file.to_owned()).collect(), problems }
    }
}

/// Links in what is reached reach further.
fn follow<'a>(memories: &'a [Memory], names: &Names<'a>, reached: &mut HashSet<&'a str>) {
    let links: HashMap<&str, &[String]> =
        memories.iter().map(|memory| (memory.file.as_str(), memory.trace.links.as_slice())).collect();
    let mut queue: Vec<&str> = reached.iter().copied().collect();
    while let Some(file) = queue.pop() {
        for link in links.get(file).copied().unwrap_or_default() {
            if let Some(target) = names.link(link).filter(|target| reached.insert(target)) {
                queue.push(target);
            }
        }
    }
}

/// What does not fit into a session, and lines that should be shorter.
fn limits(index: &Index) -> Vec<Problem> {
    let measure = &index.measure;
    let lost = || match measure.cut.as_slice() {
        [] => "no entry is lost".to_owned(),
        [one] => format!("{one} is not loaded"),
        [first, .., last] => format!("{} entries from {first} to {last} are not loaded", measure.cut.len()),
    };
    let first_cut = index.lines.iter().position(|line| line.loaded == Some(false)).map(|at| at + 1);
    let mut problems = Vec::new();
    if measure.lines > MAX_LINES {
        let message = format!("the index has {} lines, {MAX_LINES} are loaded: {}", measure.lines, lost());
        problems.push(Problem::new(ProblemCode::IndexOverLines, message, first_cut));
    }
    if measure.bytes > MAX_BYTES {
        let message = format!("the index has {}, {} are loaded: {}", size(measure.bytes), size(MAX_BYTES), lost());
        problems.push(Problem::new(ProblemCode::IndexOverBytes, message, first_cut));
    }
    for (number, line) in (1..).zip(&index.lines) {
        let is_entry = line.entries.iter().any(|entry| !entry.mention);
        let length = if is_entry && line.range.len() > LONG_LINE { line.text.chars().count() } else { 0 };
        if length > LONG_LINE {
            let message = format!("the line has {length} characters; its text belongs into the topic file");
            problems.push(Problem::new(ProblemCode::IndexLineLong, message, Some(number)));
        }
    }
    problems
}

fn size(bytes: usize) -> String {
    text::bytes(u64::try_from(bytes).unwrap_or(u64::MAX))
}
