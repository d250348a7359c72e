//! The text under the block: its parts, and replacing it line by line.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use similar::DiffOp;

use super::BodyParts;
use crate::memory::lines::{ByteLine, Fences, ending, lines, slice, text};

/// Beyond this many lines between the common beginning and end, equal lines are found without a comparison in order.
const MOST_LINES: usize = 5_000;

/// What begins a part of the body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Fact,
    Why,
    How,
}

/// The parts of a body, see [`BodyParts`].
#[must_use]
pub fn parts(body: &str) -> BodyParts {
    let mut parts: [Vec<&str>; 3] = Default::default();
    let mut seen = [true, false, false];
    let mut current = Mark::Fact;
    let mut fences = Fences::default();
    for line in body.lines() {
        let rest = if fences.covers(line.as_bytes()) {
            line
        } else if let Some((mark, rest)) = marked(line) {
            current = mark;
            rest
        } else {
            line
        };
        if let Some(part) = parts.get_mut(current as usize) {
            part.push(rest);
        }
        if let Some(seen) = seen.get_mut(current as usize) {
            *seen = true;
        }
    }
    let [fact, why, how] = parts.map(|lines| lines.join("\n").trim().to_owned());
    let [_, has_why, has_how] = seen;
    BodyParts { fact: without_heading(&fact), why: has_why.then_some(why), how_to_apply: has_how.then_some(how) }
}

/// A body with a paragraph more, see [`super::Topic::with_paragraph`].
pub(super) fn with_paragraph(body: &str, paragraph: &str) -> String {
    let mut fences = Fences::default();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let is_part = !fences.covers(line.trim_end().as_bytes())
            && marked(line.trim_end()).is_some_and(|(mark, _)| mark != Mark::Fact);
        if is_part {
            break;
        }
        at += line.len();
    }
    let (before, after) = body.split_at_checked(at).unwrap_or((body, ""));
    let (before, paragraph) = (before.trim_end(), paragraph.trim());
    let gap = if before.is_empty() { "" } else { "\n\n" };
    if after.is_empty() {
        format!("{before}{gap}{paragraph}\n")
    } else {
        format!("{before}{gap}{paragraph}\n\n{after}")
    }
}

/// The mark a line begins with, and what follows it: `**Why:** …`, `**Why**: …`, `- **Why:** …`, `## Why`.
fn marked(line: &str) -> Option<(Mark, &str)> {
    let line = line.trim_start().trim_start_matches(['-', '*', '>', ' ']);
    let (is_heading, line) = match line.strip_prefix('#') {
        Some(rest) => (true, rest.trim_start_matches('#').trim_start()),
        None => (false, line.trim_start_matches(['*', '_'])),
    };
    const WORDS: [(&str, Mark); 6] = [
        ("how to apply", Mark::How),
        ("why", Mark::Why),
        ("reason", Mark::Why),
        ("rule", Mark::Fact),
        ("fact", Mark::Fact),
        ("what", Mark::Fact),
    ];
    WORDS.into_iter().find_map(|(word, mark)| {
        let (head, rest) = line.split_at_checked(word.len())?;
        if !head.eq_ignore_ascii_case(word) {
            return None;
        }
        let after = rest.trim_start_matches(['*', '_']);
        match after.strip_prefix([':', '：']) {
            Some(after) => Some((mark, after.trim_start_matches(['*', '_']).trim_start())),
            None => (is_heading && after.trim().is_empty()).then_some((mark, "")),
        }
    })
}

/// A fact without the heading over it, unless the heading is all there is.
fn without_heading(fact: &str) -> String {
    match fact.strip_prefix('#') {
        Some(rest) => {
            let heading = rest.trim_start_matches('#');
            let (title, below) = heading.split_once('\n').unwrap_or((heading, ""));
            let below = below.trim();
            if below.is_empty() { title.trim().to_owned() } else { below.to_owned() }
        }
        None => fact.to_owned(),
    }
}

/// The bytes with the text after `gap` replaced; `gap` is what lies between the block, if there is one, and the body.
pub(super) fn replaced(bytes: &[u8], has_block: bool, gap: Range<usize>, body: &str) -> Vec<u8> {
    let newline = ending(bytes);
    let ending_of = |line: &ByteLine| slice(bytes, line.range.end..line.next);
    let old: Vec<ByteLine> = lines(bytes, gap.end..bytes.len()).collect();
    let new: Vec<&str> = match body.strip_suffix('\n').unwrap_or(body) {
        "" if body.is_empty() => Vec::new(),
        text => text.split('\n').collect(),
    };
    let mut out = slice(bytes, 0..gap.end).to_vec();
    if has_block && !new.is_empty() && old.is_empty() {
        if !out.ends_with(b"\n") {
            // The file ended on its closing fence.
            out.extend_from_slice(newline.as_bytes());
        }
        if gap.is_empty() {
            out.extend_from_slice(newline.as_bytes());
        }
    }
    // A carriage return more before an ending is no text: what shows a body to a person drops it.
    let old_texts: Vec<String> = old.iter().map(|line| trimmed(&text(bytes, line.range.clone())).to_owned()).collect();
    let new: Vec<&str> = new.into_iter().map(trimmed).collect();
    let matched = matched(&old_texts, &new);
    let is_ended = old.last().is_none_or(|line| !line.is_unended());
    // Where the lines that are no old ones stand among the old ones.
    let (mut place, mut before) = (0, None);
    let following = following(&matched);
    for (at, line) in new.iter().enumerate() {
        let known = matched.get(at).copied().flatten();
        let next = following.get(at).copied().flatten();
        let (content, own_ending) = match known.and_then(|known| old.get(known)) {
            Some(kept) => (slice(bytes, kept.range.clone()), Some(ending_of(kept))),
            None => {
                // The line it stands for, else that before it, else that after it.
                let stands_for = old.get(place).filter(|_| next.is_none_or(|next| place < next));
                let after = next.and_then(|next| old.get(next));
                (line.as_bytes(), stands_for.map(&ending_of).or(before).or(after.map(&ending_of)))
            }
        };
        place = known.unwrap_or(place) + 1;
        out.extend_from_slice(content);
        let own_ending = own_ending.filter(|ending| !ending.is_empty()).or(before).unwrap_or(newline.as_bytes());
        before = Some(own_ending);
        if at + 1 < new.len() || is_ended {
            out.extend_from_slice(own_ending);
        }
    }
    out
}

/// For each new line the next old line that is in the text from there on.
fn following(matched: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut next = None;
    let mut following: Vec<Option<usize>> = matched
        .iter()
        .rev()
        .map(|known| {
            next = known.or(next);
            next
        })
        .collect();
    following.reverse();
    following
}

fn trimmed(line: &str) -> &str {
    line.trim_end_matches('\r')
}

/// For each new line the old line it is, if it is one.
fn matched(old: &[String], new: &[&str]) -> Vec<Option<usize>> {
    let mut matched = vec![None; new.len()];
    let head = old.iter().zip(new).take_while(|(old, new)| old.as_str() == **new).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old.as_str() == **new).count();
    for (at, slot) in matched.iter_mut().take(head).enumerate() {
        *slot = Some(at);
    }
    for (back, slot) in matched.iter_mut().rev().take(tail).enumerate() {
        *slot = Some(old.len() - 1 - back);
    }
    let inner = (head..old.len() - tail, head..new.len() - tail);
    if inner.0.len() + inner.1.len() <= MOST_LINES {
        let old: Vec<&str> = old.get(inner.0.clone()).unwrap_or_default().iter().map(String::as_str).collect();
        for op in crate::difference::between(&old, new.get(inner.1.clone()).unwrap_or_default()) {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                for (by, slot) in matched.iter_mut().skip(head + new_index).take(len).enumerate() {
                    *slot = Some(head + old_index + by);
                }
            }
        }
    }
    // An equal line anywhere in the middle has the bytes wanted; equal ones are used up in order.
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    let used: HashSet<usize> = matched.iter().flatten().copied().collect();
    for (at, line) in old.iter().enumerate().take(inner.0.end).skip(head).filter(|(at, _)| !used.contains(at)) {
        places.entry(line).or_default().push_back(at);
    }
    for (line, slot) in new.iter().zip(&mut matched).take(inner.1.end).skip(head).filter(|(_, slot)| slot.is_none()) {
        *slot = places.get_mut(line).and_then(VecDeque::pop_front);
    }
    matched
}
