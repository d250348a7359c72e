//! What a block says: strict YAML first, then a rescue line by line, flagged.

use super::block::{self, Found, Span};
use super::layout::{self, Layout};
use super::yaml::{self, Refusal, Typed, Values};
use super::{Frontmatter, Shape, flow, scalar};
use crate::memory::lines::{mark_length, slice, text};
use crate::memory::{Problem, ProblemCode};

/// One block, understood.
pub(super) struct Part {
    /// Where it is.
    pub(super) span: Span,
    /// Its keys.
    pub(super) layout: Layout,
    /// What it says: YAML's word, or the rescue's.
    pub(super) values: Values,
    /// Why YAML refuses it.
    pub(super) refusal: Option<Refusal>,
}

/// Reads the frontmatter of a file. Strict YAML first, then a rescue line by line, flagged.
#[must_use]
pub fn read(bytes: &[u8]) -> Frontmatter {
    whole(bytes).0
}

/// The frontmatter with the blocks it was read from.
pub(super) fn whole(bytes: &[u8]) -> (Frontmatter, Vec<Part>) {
    let start = mark_length(bytes);
    let first = match block::find(bytes, start) {
        Found::Nothing => return (bare(start), Vec::new()),
        Found::Unclosed(inner) => return (unclosed(bytes, start, inner), Vec::new()),
        Found::Closed(span) => part(bytes, span),
    };
    let second = match block::find(bytes, block::skip_blank(bytes, first.span.end)) {
        Found::Closed(span) => Some(part(bytes, span)).filter(|part| {
            part.layout.stray.is_none() && part.layout.items.iter().any(|item| layout::is_known(&item.key))
        }),
        _ => None,
    };
    let parts: Vec<Part> = std::iter::once(first).chain(second).collect();
    (understood(bytes, &parts), parts)
}

fn bare(start: usize) -> Frontmatter {
    Frontmatter {
        shape: Shape::Bare,
        name: None,
        description: None,
        type_word: None,
        origin_session: None,
        modified: None,
        others: Vec::new(),
        block: start..start,
        body: start,
        problems: Vec::new(),
    }
}

/// A block that is never closed: its values are rescued, and all of it is shown as body so that nothing hides.
fn unclosed(bytes: &[u8], start: usize, inner: std::ops::Range<usize>) -> Frontmatter {
    let layout = Layout::of(bytes, inner, 2);
    let message = "the frontmatter is never closed: a line --- is missing; values were read line by line";
    Frontmatter {
        problems: vec![Problem::new(ProblemCode::FrontmatterUnreadable, message, Some(1))],
        ..with_values(bare(start), rescue(bytes, &layout))
    }
}

/// The number of the line that begins at `at`, from 1.
fn line_number(bytes: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', slice(bytes, 0..at)).count() + 1
}

fn part(bytes: &[u8], span: Span) -> Part {
    let layout = Layout::of(bytes, span.inner.clone(), line_number(bytes, span.inner.start));
    let strict = match std::str::from_utf8(slice(bytes, span.inner.clone())) {
        Ok(inner) => yaml::read(inner),
        Err(error) => {
            let line = line_number(slice(bytes, span.inner.clone()), error.valid_up_to());
            Err(Refusal { message: "it is not UTF-8".to_owned(), line: Some(line) })
        }
    };
    let (values, refusal) = match strict {
        Ok(values) => (values, None),
        Err(refusal) => (rescue(bytes, &layout), Some(refusal)),
    };
    Part { span, layout, values, refusal }
}

/// The values of a block that YAML refuses, line by line. The first of two equal keys counts.
fn rescue(bytes: &[u8], layout: &Layout) -> Values {
    let value_of = |range: std::ops::Range<usize>| scalar::rescued(&text(bytes, range));
    let mut values = Values::default();
    for item in layout.items.iter().rev() {
        match item.key.as_str() {
            "name" => values.name = Some(value_of(item.value.clone())),
            "description" => values.description = Some(value_of(item.value.clone())),
            "metadata" => {
                let mut typed = Typed::default();
                let flow = flow::read(bytes, item.value.clone()).map(|flow| flow.pairs).unwrap_or_default();
                let pairs = item.children.iter().map(|child| (&child.key, &child.value));
                for (key, value) in flow.iter().map(|pair| (&pair.key, &pair.value)).chain(pairs) {
                    if let Some(slot) = typed.slot(key) {
                        *slot = Some(value_of(value.clone()));
                    }
                }
                values.nested = Some(typed);
            }
            other => {
                if let Some(slot) = values.top.slot(other) {
                    *slot = Some(value_of(item.value.clone()));
                }
            }
        }
    }
    values
}

/// Puts values into their fields; what stands under `metadata` wins over top level.
fn with_values(frontmatter: Frontmatter, values: Values) -> Frontmatter {
    let nested = values.nested.unwrap_or_default();
    let pick = |inner: Option<String>, outer: Option<String>| {
        inner.filter(|word| !word.trim().is_empty()).or(outer).filter(|word| !word.trim().is_empty())
    };
    Frontmatter {
        name: values.name,
        description: values.description,
        type_word: pick(nested.type_word, values.top.type_word),
        origin_session: pick(nested.origin_session, values.top.origin_session),
        modified: pick(nested.modified, values.top.modified),
        ..frontmatter
    }
}

fn understood(bytes: &[u8], parts: &[Part]) -> Frontmatter {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return bare(mark_length(bytes));
    };
    let values = parts.iter().map(|part| part.values.clone()).reduce(Values::or).unwrap_or_default();
    let is_nested = parts.iter().any(|part| {
        part.values.nested.is_some() || part.layout.metadata().is_some_and(|item| item.raw(bytes).is_empty())
    });
    let mut frontmatter = Frontmatter {
        shape: if is_nested { Shape::Nested } else { Shape::Flat },
        block: first.span.start..last.span.end,
        body: last.span.end,
        others: parts.iter().flat_map(|part| others(bytes, &part.layout)).collect(),
        ..with_values(bare(first.span.start), values)
    };
    let mut problems = Vec::new();
    for part in parts {
        match &part.refusal {
            Some(refusal) => problems.push(unreadable(bytes, part, refusal)),
            None => keep_what_yaml_cuts(bytes, part, &mut frontmatter, &mut problems),
        }
    }
    if parts.len() > 1 {
        let line = line_number(bytes, last.span.start);
        let message = "two frontmatter blocks follow one another; other readers see only the first";
        problems.push(Problem::new(ProblemCode::FrontmatterTwoBlocks, message, Some(line)));
    }
    let is_empty = |value: &Option<String>| value.as_ref().is_none_or(|value| value.trim().is_empty());
    if frontmatter.name.as_deref().is_some_and(|name| name.trim().is_empty()) && is_empty(&frontmatter.description) {
        let line = first.layout.top("name").map(|item| item.line);
        let message = "the frontmatter is a stub: an empty name and no description";
        problems.push(Problem::new(ProblemCode::FrontmatterStub, message, line));
    }
    frontmatter.problems = problems;
    frontmatter
}

fn unreadable(bytes: &[u8], part: &Part, refusal: &Refusal) -> Problem {
    let before = line_number(bytes, part.span.inner.start) - 1;
    let message = format!("the frontmatter is not valid YAML ({}); values were read line by line", refusal.message);
    Problem::new(ProblemCode::FrontmatterUnreadable, message, refusal.line.map(|line| line + before))
}

/// A plain `name` or `description` with ` #` in it: YAML ends the value there, the person did not.
fn keep_what_yaml_cuts(bytes: &[u8], part: &Part, frontmatter: &mut Frontmatter, problems: &mut Vec<Problem>) {
    for key in ["name", "description"] {
        let Some(item) = part.layout.top(key) else { continue };
        let raw = text(bytes, item.value.clone());
        let kept = match key {
            "name" => &part.values.name,
            _ => &part.values.description,
        };
        if !scalar::is_cut(&raw) || kept.as_deref() == Some(raw.as_str()) {
            continue;
        }
        let field = match key {
            "name" => &mut frontmatter.name,
            _ => &mut frontmatter.description,
        };
        if field == kept {
            *field = Some(scalar::rescued(&raw));
        }
        let message = format!("YAML ends the {key} before its \" #\"; put it in double quotes");
        problems.push(Problem::new(ProblemCode::FrontmatterCut, message, Some(item.line)));
    }
}

fn others(bytes: &[u8], layout: &Layout) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for item in &layout.items {
        if item.key == "metadata" {
            let flow = flow::read(bytes, item.value.clone()).map(|flow| flow.pairs).unwrap_or_default();
            let flow = flow.iter().map(|pair| (&pair.key, &pair.value));
            let lines = item.children.iter().map(|child| (&child.key, &child.value));
            found.extend(
                flow.chain(lines)
                    .filter(|(key, _)| !layout::is_known(key))
                    .map(|(key, value)| (format!("metadata.{key}"), text(bytes, value.clone()))),
            );
        } else if !layout::is_known(&item.key) {
            found.push((item.key.clone(), text(bytes, item.value.clone())));
        }
    }
    found
}
