//! Which lines of a transcript lead where: each names the one it answers. What lies on no way from a thread's last line to
//! its root was taken back by a rewind.
//!
//! Kept small, for transcripts have a million lines: an identity is 16 bytes, whatever was written for it. Not its job: what
//! lines say.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::io::{self, BufReader, Seek, SeekFrom};

use super::Reader;
use super::fields::{boolean, fields, string};

/// How many lines answer which is told for at most; beyond, no rewind is marked.
const MOST_NODES: usize = 2_000_000;

/// Nothing known yet.
const UNKNOWN: u32 = u32::MAX;

/// A line of the graph.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Option<u128>,
    /// Whether it may end a thread: a person's, an assistant's or a tool's, not a notice hung on beside.
    is_spoken: bool,
}

/// The graph. Lines are numbered in the order they were added.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads {
    numbers: HashMap<u128, u32>,
    nodes: Vec<Node>,
}

/// What the graph says once it is whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    numbers: HashMap<u128, u32>,
    kept: Vec<bool>,
    roots: Vec<u32>,
    /// Of each root whether more lines than itself are of its thread.
    is_shared: Vec<bool>,
}

impl Threads {
    /// Adds a line; whether it was not there yet.
    pub(super) fn add(&mut self, uuid: &str, parent: Option<&str>, is_spoken: bool) -> bool {
        let Ok(number) = u32::try_from(self.nodes.len()) else { return true };
        let id = identity(uuid);
        if number == UNKNOWN || self.numbers.contains_key(&id) {
            return number == UNKNOWN;
        }
        self.numbers.insert(id, number);
        self.nodes.push(Node { parent: parent.map(identity), is_spoken });
        true
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// What it says.
    pub(super) fn ways(self) -> Ways {
        let parents: Vec<Option<u32>> =
            self.nodes.iter().map(|node| node.parent.and_then(|parent| self.numbers.get(&parent).copied())).collect();
        let parent = |number: u32| parents.get(number as usize).copied().flatten();
        let roots = roots(&parent, parents.len());
        let mut last: HashMap<u32, u32> = HashMap::new();
        for (number, (node, root)) in (0..).zip(self.nodes.iter().zip(&roots)) {
            if node.is_spoken {
                last.insert(*root, number);
            }
        }
        let mut kept = vec![false; parents.len()];
        for leaf in last.into_values() {
            let mut next = Some(leaf);
            // Parents may go in circles.
            while let Some((number, mark)) = next.and_then(|number| Some((number, kept.get_mut(number as usize)?))) {
                if std::mem::replace(mark, true) {
                    break;
                }
                next = parent(number);
            }
        }
        let mut is_shared = vec![false; parents.len()];
        for (number, root) in (0..).zip(&roots) {
            if let Some(mark) = is_shared.get_mut(*root as usize).filter(|_| *root != number) {
                *mark = true;
            }
        }
        Ways { numbers: self.numbers, kept, roots, is_shared }
    }
}

/// Which lines answer which, in the whole file; whether that is known.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn ways(file: &mut File, stop: &dyn Fn() -> bool) -> io::Result<(Ways, bool)> {
    file.seek(SeekFrom::Start(0))?;
    let mut reader = Reader::new(BufReader::with_capacity(256 * 1024, file));
    let mut threads = Threads::default();
    let queued = memchr::memmem::Finder::new(b"\"queued_command\"");
    while let Some(raw) = reader.next_line_unless(stop)? {
        if threads.len() >= MOST_NODES {
            return Ok((Ways::default(), false));
        }
        let text = String::from_utf8_lossy(raw.bytes);
        let Some(found) = fields(text.trim_start_matches('\u{FEFF}')) else { continue };
        let (mut uuid, mut parent, mut kind, mut is_sidechain) = (None, None, None, false);
        for (key, value) in found {
            match key.as_ref() {
                "uuid" => uuid = string(value),
                "parentUuid" => parent = string(value),
                "type" => kind = string(value),
                "isSidechain" => is_sidechain = boolean(value),
                _ => {}
            }
        }
        if let Some(uuid) = uuid {
            let is_spoken = match kind.as_deref() {
                Some("user" | "assistant") => true,
                Some("attachment") => queued.find(raw.bytes).is_some(),
                _ => false,
            };
            threads.add(&uuid, parent.as_deref(), is_spoken && !is_sidechain);
        }
    }
    Ok(if stop() { (Ways::default(), false) } else { (threads.ways(), true) })
}

/// The root of each line; each line is walked over once.
fn roots(parent: &dyn Fn(u32) -> Option<u32>, count: usize) -> Vec<u32> {
    let mut roots = vec![UNKNOWN; count];
    // On which walk a line was last met: parents may go in circles.
    let mut met = vec![UNKNOWN; count];
    for start in 0..u32::try_from(count).unwrap_or(UNKNOWN) {
        let mut way = Vec::new();
        let mut next = Some(start);
        let mut known = None;
        while let Some(number) = next {
            let at = number as usize;
            known = roots.get(at).copied().filter(|root| *root != UNKNOWN);
            if known.is_some() || met.get(at) == Some(&start) {
                break;
            }
            if let Some(mark) = met.get_mut(at) {
                *mark = start;
            }
            way.push(number);
            next = parent(number);
        }
        let root = known.or(way.last().copied()).unwrap_or(start);
        for number in way {
            if let Some(place) = roots.get_mut(number as usize) {
                *place = root;
            }
        }
    }
    roots
}

impl Ways {
    /// Whether a line was not taken back; `None`: it is not known.
    pub(super) fn is_kept(&self, uuid: &str) -> Option<bool> {
        self.kept.get(self.number(uuid)?).copied()
    }

    /// Which thread a line is of, by the number of its root; each compaction starts one. A line that names no other and is
    /// named by none is of none: older clients wrote only such.
    pub(super) fn thread(&self, uuid: &str) -> Option<u32> {
        let root = self.roots.get(self.number(uuid)?).copied()?;
        self.is_shared.get(root as usize).copied().unwrap_or_default().then_some(root)
    }

    fn number(&self, uuid: &str) -> Option<usize> {
        self.numbers.get(&identity(uuid)).map(|number| *number as usize)
    }
}

/// 128 bits that stand for a text: two of a million of them are not mistaken for each other.
fn identity(text: &str) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        text.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(lines: &[(&str, Option<&str>)]) -> Ways {
        let mut threads = Threads::default();
        for (uuid, parent) in lines {
            threads.add(uuid, *parent, true);
        }
        threads.ways()
    }

    #[test]
    fn what_is_on_no_way_from_the_last_line_up_was_taken_back() {
        let ways = ways(&[("a", None), ("b", Some("a")), ("c", Some("b")), ("d", Some("a"))]);
        let kept = ["a", "b", "c", "d", "x"].map(|uuid| ways.is_kept(uuid));
        assert_eq!(kept, [Some(true), Some(false), Some(false), Some(true), None]);
    }

    #[test]
    fn a_compaction_starts_a_thread_and_takes_nothing_back() {
        let ways = ways(&[("a", None), ("b", Some("a")), ("s", None), ("t", Some("s")), ("u", Some("gone"))]);
        assert!(["a", "b", "s", "t", "u"].iter().all(|uuid| ways.is_kept(uuid) == Some(true)));
        assert_eq!(ways.thread("a"), ways.thread("b"));
        assert_ne!(ways.thread("b"), ways.thread("t"));
        assert_eq!(ways.thread("u"), None, "alone");
    }

    #[test]
    fn parents_in_circles_and_lines_that_come_twice_end() {
        let ways = ways(&[("a", Some("b")), ("b", Some("c")), ("c", Some("a")), ("d", Some("d")), ("a", None)]);
        assert!(["a", "b", "c", "d"].iter().all(|uuid| ways.is_kept(uuid) == Some(true)));
        assert_eq!(ways.thread("a"), ways.thread("c"));
    }

    #[test]
    fn a_child_that_stands_before_its_parent_is_of_its_thread() {
        let ways = ways(&[("c", Some("b")), ("b", Some("a")), ("a", None)]);
        assert_eq!([ways.thread("c"), ways.thread("b")], [ways.thread("a"); 2]);
    }
}
