//! Two memories that say the same become one: the longer body stays, with the lines of the other that it lacks.
//!
//! Not its job: finding them (the dream does that).

use chrono::SecondsFormat;

use super::note::{self, Note};
use super::similarity::{Likeness, Shape};
use crate::memory::likeness::measured::{self, Measured};
use crate::memory::likeness::supersede::Relation;
use crate::memory::{Field, Shape as Layout, Topic};

/// Two memories made one, for a person to look at before it lands.
#[derive(Clone, Debug)]
pub struct United {
    /// Whether the first of the two stays.
    pub keeps_first: bool,
    /// What the one that stays would become.
    pub topic: Topic,
    /// The lines of the older one that contradict the newer: they are left out.
    pub left_out: Vec<String>,
}

/// What two memories would become as one, by the rules of a dream; whether they say the same is not asked. Keys of its own
/// that the one to go has in its frontmatter stay behind.
#[must_use]
pub fn united(one: (&str, &Topic), other: (&str, &Topic)) -> United {
    let note = |(file, topic): (&str, &Topic)| note::of(file, topic.bytes.clone(), true).dated();
    let (one, other) = (note(one), note(other));
    let relations = [measured::relation(&one, &other), measured::relation(&other, &one)];
    // Where only a part is replaced, the rest of the older one still holds: both are kept.
    let is_part = relations.contains(&Relation::ReplacesPart);
    let replaces = relations.iter().any(|relation| *relation != Relation::None);
    if !is_part && (replaces || measured::contradicts(&one, &other)) {
        return disagreeing(one, other);
    }
    let keeps_first = keeps_first(&one, &other);
    let (kept, gone) = if keeps_first { (one, other) } else { (other, one) };
    let topic = merged(&kept, &gone).unwrap_or_else(|| kept.topic.with_body(&union(&kept, &gone)));
    United { keeps_first, topic, left_out: Vec::new() }
}

/// Two that cannot both be right: the newer claim stays, and of the older one what does not speak of the same.
fn disagreeing(one: Note, other: Note) -> United {
    let keeps_first = match (one.claimed, other.claimed) {
        (Some(own), Some(theirs)) if own != theirs => own > theirs,
        _ => keeps_first(&one, &other),
    };
    let (kept, gone) = if keeps_first { (one, other) } else { (other, one) };
    let swaps = |line: &Shape, said: &Shape| line.likeness(said) != Likeness::Different && line.swaps_a_value(said);
    let says_otherwise = |line: &&str| {
        let shape = Shape::of(line);
        let is_fact = gone.fact.lines().any(|fact| fact.trim() == line.trim());
        !shape.is_empty() && (is_fact || kept.sentences().iter().any(|said| swaps(&shape, said)))
    };
    let (out, stays): (Vec<&str>, Vec<&str>) = gone.body.lines().partition(says_otherwise);
    let left_out = out.iter().map(|line| line.trim().to_owned()).collect();
    let rest = note::of(&gone.file, gone.topic.with_body(&(stays.join("\n") + "\n")).bytes, true);
    let topic = kept.topic.with_body(&union(&kept, &rest));
    United { keeps_first, topic, left_out }
}

/// Which of two stays: the one with keys of other tools or of a person, then the longer body, the newer claim, the first by
/// name. `true`: the first one.
pub(super) fn keeps_first(one: &Note, other: &Note) -> bool {
    let length = |note: &Note| note.body.trim().chars().count();
    let keys = |note: &Note| note.topic.frontmatter.others.len();
    (keys(one), length(one), one.claimed)
        .cmp(&(keys(other), length(other), other.claimed))
        .then(other.file.cmp(&one.file))
        .is_ge()
}

/// The kept memory with what it lacks of the other, and the newest date of both. `None`: the other has keys of its own.
pub(super) fn merged(kept: &Note, gone: &Note) -> Option<Topic> {
    if gone.topic.frontmatter.others.iter().any(|key| !kept.topic.frontmatter.others.contains(key)) {
        return None;
    }
    let body = union(kept, gone);
    let mut topic = if body == kept.body { kept.topic.clone() } else { kept.topic.with_body(&body) };
    let newer = gone.claimed.filter(|at| gone.is_dated && kept.is_dated && kept.claimed.is_some_and(|own| own < *at));
    if let Some(at) = newer
        && kept.topic.frontmatter.shape == Layout::Nested
    {
        topic = topic.with(Field::Modified, &at.to_rfc3339_opts(SecondsFormat::Millis, true)).ok()?;
    }
    Some(topic)
}

/// The lines of `kept`, then those of the other that it does not say; sources last.
fn union(kept: &Measured, gone: &Measured) -> String {
    let (own, other) = (kept.body.as_str(), gone.body.as_str());
    let is_said = |shape: &Shape| kept.sentences().iter().any(|said| shape.is_said_by(said));
    let is_new = |line: &&str| {
        let shape = Shape::of(line);
        !shape.is_empty()
            && !own.lines().any(|known| known.trim() == line.trim())
            && !is_said(&shape)
            && !says_the_fact(line, gone, kept)
            && !says_the_reason(line, kept)
    };
    let (sources, text): (Vec<&str>, Vec<&str>) = other.lines().partition(|line| measured::is_source(line));
    let new_text: Vec<&str> = text.into_iter().filter(is_new).collect();
    let new_sources: Vec<&str> =
        sources.into_iter().filter(|line| !own.lines().any(|known| known.trim() == line.trim())).collect();
    if new_text.is_empty() && new_sources.is_empty() {
        return own.to_owned();
    }
    let (own_sources, own_text): (Vec<&str>, Vec<&str>) = own.lines().partition(|line| measured::is_source(line));
    let mut body = own_text.join("\n").trim_end().to_owned();
    for line in new_text {
        body.push_str("\n\n");
        body.push_str(line.trim_end());
    }
    if !own_sources.is_empty() || !new_sources.is_empty() {
        body.push_str("\n\n");
        body.push_str(&own_sources.into_iter().chain(new_sources).collect::<Vec<_>>().join("\n"));
    }
    body.push('\n');
    body
}

/// Whether a line is the fact that both memories state, in the words of the one that goes.
fn says_the_fact(line: &str, gone: &Measured, kept: &Measured) -> bool {
    let shape = Shape::of(line);
    gone.fact.lines().next().is_some_and(|fact| fact.trim() == line.trim())
        && shape.agrees_with(&kept.shape)
        && kept.sentences().iter().any(|said| shape.likeness(said) != Likeness::Different && !shape.swaps_a_value(said))
}

/// Whether a line gives the reason that the other gives, in other words.
fn says_the_reason(line: &str, kept: &Measured) -> bool {
    let Some(reason) = line.trim_start().strip_prefix("**Why:**").map(Shape::of) else { return false };
    !reason.is_empty() && reason.content == kept.reason().content && reason.agrees_with(kept.reason())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_union_keeps_every_line_and_source_once() {
        let kept = "Use real databases in tests.\n\n**Why:** mocks passed, production broke.\n\nSource: session a, line 1, 2026-11-01: \"x\"\n";
        let other = "Use real databases in the tests.\n\nThe staging database is reset nightly.\n\nSource: session b, line 2, 2026-11-02: \"y\"\n";
        let memory = |body: &str| {
            Measured::of("feedback_x.md", &Topic::read(format!("---\nname: x\n---\n\n{body}").into_bytes()))
        };
        let union = |kept: &str, other: &str| super::union(&memory(kept), &memory(other));
        let both = union(kept, other);
        assert_eq!(
            both,
            "Use real databases in tests.\n\n**Why:** mocks passed, production broke.\n\nThe staging database is reset nightly.\n\nSource: session a, line 1, 2026-11-01: \"x\"\nSource: session b, line 2, 2026-11-02: \"y\"\n"
        );
        assert_eq!(union(&both, other), both);
        assert_eq!(union(kept, kept), kept);
        // Two subjects that a person makes one file of are both still said.
        let both = union("Use eslint for linting in the web repo.\n", "Use ruff for linting in the api repo.\n");
        assert_eq!(both, "Use eslint for linting in the web repo.\n\nUse ruff for linting in the api repo.\n");
    }
}
