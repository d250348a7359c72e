//! Two memories that say the same become one: the longer body stays, with the lines of the other that it lacks.
//!
//! Not its job: finding them (see [`super::dream`]).

use chrono::SecondsFormat;

use super::desk::{self, Note};
use super::similarity::{Likeness, Shape};
use crate::memory::{Field, Shape as Layout, Topic};

/// Whether two memories may become one: the same type, and facts or whole bodies that say the same.
pub(super) fn is_same(one: &Note, other: &Note) -> bool {
    if one.kind != other.kind || !one.is_open || !other.is_open {
        return false;
    }
    one.whole().likeness(other.whole()) == Likeness::Same || one.shape.likeness(&other.shape) == Likeness::Same
}

/// Which of two stays: the longer body, else the newer claim, else the first by name. `true`: the first one.
pub(super) fn keeps_first(one: &Note, other: &Note) -> bool {
    let length = |note: &Note| note.body.trim().chars().count();
    (length(one), one.claimed).cmp(&(length(other), other.claimed)).then(other.file.cmp(&one.file)).is_ge()
}

/// The kept memory with what it lacks of the other, and the newest date of both.
pub(super) fn merged(kept: &Note, gone: &Note) -> Option<Topic> {
    let body = union(&kept.body, &gone.body);
    let mut topic = if body == kept.body { kept.topic.clone() } else { kept.topic.with_body(&body) };
    let newer = gone.claimed.filter(|at| gone.is_dated && kept.is_dated && kept.claimed.is_some_and(|own| own < *at));
    if let Some(at) = newer
        && kept.topic.frontmatter.shape == Layout::Nested
    {
        topic = topic.with(Field::Modified, &at.to_rfc3339_opts(SecondsFormat::Millis, true)).ok()?;
    }
    Some(topic)
}

/// The lines of `kept`, then those of `other` that none of them says; sources last.
fn union(kept: &str, other: &str) -> String {
    let known: Vec<Shape> = kept.lines().map(Shape::of).collect();
    let whole = Shape::of(kept);
    let is_new = |line: &&str| {
        let shape = Shape::of(line);
        let is_said = kept.lines().any(|own| own.trim() == line.trim())
            || known.iter().any(|own| own.likeness(&shape) == Likeness::Same)
            || (!shape.content.is_empty() && shape.is_covered_by(&whole) && shape.contained_in(&whole) > 0.999);
        !shape.is_empty() && !is_said
    };
    let (sources, text): (Vec<&str>, Vec<&str>) = other.lines().partition(|line| desk::is_source(line));
    let new_text: Vec<&str> = text.into_iter().filter(is_new).collect();
    let new_sources: Vec<&str> =
        sources.into_iter().filter(|line| !kept.lines().any(|own| own.trim() == line.trim())).collect();
    if new_text.is_empty() && new_sources.is_empty() {
        return kept.to_owned();
    }
    let (own_sources, own_text): (Vec<&str>, Vec<&str>) = kept.lines().partition(|line| desk::is_source(line));
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_union_keeps_every_line_and_source_once() {
        let kept = "Use real databases in tests.\n\n**Why:** mocks passed, production broke.\n\nSource: session a, line 1, 2026-11-01: \"x\"\n";
        let other = "Use real databases in the tests.\n\nThe staging database is reset nightly.\n\nSource: session b, line 2, 2026-11-02: \"y\"\n";
        let both = union(kept, other);
        assert_eq!(
            both,
            "Use real databases in tests.\n\n**Why:** mocks passed, production broke.\n\nThe staging database is reset nightly.\n\nSource: session a, line 1, 2026-11-01: \"x\"\nSource: session b, line 2, 2026-11-02: \"y\"\n"
        );
        assert_eq!(union(&both, other), both);
        assert_eq!(union(kept, kept), kept);
    }
}
