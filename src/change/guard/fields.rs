//! The frontmatter that a model writes. Where a memory comes from and how old its claim is are the door's: what a model says of
//! them is put right before anything else looks at it. A type, a name and a key of its own need grounds or wait.
//!
//! Not its job: the description, which is weighed like a sentence of the body (see [`super::evidence`]).

use std::collections::{BTreeSet, HashSet};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use super::label;
use super::said::said_in;
use super::{Subject, held};
use crate::change::{Change, HoldReason, Op, Rationale, Source};
use crate::memory::names::{is_markdown, without_extension};
use crate::memory::{Field, Frontmatter, Kind, frontmatter};

/// The guard's name in reasons.
const GUARD: &str = "frontmatter";

/// So far may the clocks of two machines be apart.
const SKEW: TimeDelta = TimeDelta::minutes(5);

/// The change with session and claim time as they may be: as they were before, else as its quotes have them.
pub(in crate::change) fn mended(change: &Change, now: DateTime<Utc>) -> Change {
    let mut mended = change.clone();
    let Some(content) = &change.content else { return mended };
    let before = change.base.as_deref().map(frontmatter::read);
    let mut bytes = content.clone();
    for field in [Field::OriginSession, Field::Modified] {
        let wanted = wanted(field, &frontmatter::read(&bytes), before.as_ref(), &change.rationale, now);
        let put = match &wanted {
            Wanted::AsIs => continue,
            Wanted::Is(value) => frontmatter::set(&bytes, field, value),
            Wanted::Nothing => frontmatter::without(&bytes, field),
        };
        // What cannot be put right is held below.
        if let Ok(put) = put {
            bytes = put;
        }
    }
    mended.content = Some(bytes);
    mended
}

/// What a field should be.
#[derive(PartialEq, Eq)]
enum Wanted {
    AsIs,
    Is(String),
    Nothing,
}

fn wanted(
    field: Field,
    after: &Frontmatter,
    before: Option<&Frontmatter>,
    rationale: &Rationale,
    now: DateTime<Utc>,
) -> Wanted {
    let of =
        |read: &Frontmatter| if field == Field::Modified { read.modified.clone() } else { read.origin_session.clone() };
    let (was, is) = (before.and_then(of), of(after));
    let quoted: Vec<&str> = rationale
        .sources
        .iter()
        .filter(|source| is_with_words(source))
        .filter_map(|source| source.session.as_deref())
        .collect();
    let instead = |was: Option<String>| was.map_or(Wanted::Nothing, Wanted::Is);
    match (field, was, is) {
        (_, was, is) if was == is => Wanted::AsIs,
        // A claim is as old as the latest words that it rests on, and what a model says of it is neither here nor there.
        (Field::Modified, was, is) => {
            let at = |text: &str| DateTime::parse_from_rfc3339(text).ok().map(|at| at.to_utc());
            let quoted =
                rationale.sources.iter().filter(|source| is_with_words(source)).filter_map(|source| source.said);
            let said = quoted.filter(|said| *said <= now + SKEW).max();
            let known = was.as_deref().and_then(at);
            match said.filter(|said| known.is_none_or(|known| known < *said)) {
                Some(said)
                    if is
                        .as_deref()
                        .and_then(at)
                        .is_some_and(|is| is.timestamp_millis() == said.timestamp_millis()) =>
                {
                    Wanted::AsIs
                }
                Some(said) => Wanted::Is(said.to_rfc3339_opts(SecondsFormat::Millis, true)),
                None => instead(was),
            }
        }
        (_, Some(was), _) => Wanted::Is(was),
        (_, None, is) => {
            let mut sessions = quoted.into_iter().filter(|session| !is_markdown(session)).peekable();
            let first = sessions.peek().map(|session| (*session).to_owned());
            if is.is_some_and(|is| sessions.any(|session| session == is)) { Wanted::AsIs } else { instead(first) }
        }
    }
}

/// The keys that we do not know, of the files as they are, with their values.
pub(in crate::change) type Keys = HashSet<(String, String)>;

/// The keys of a file that we do not know.
pub(in crate::change) fn keys(bytes: &[u8]) -> Keys {
    frontmatter::read(bytes).others.into_iter().collect()
}

/// Why a file waits whose frontmatter says more than a model may. `known`: what the files that change had.
pub(in crate::change) fn check(subject: &Subject<'_>, op: Op, known: &Keys, now: DateTime<Utc>) -> Option<HoldReason> {
    let after = subject.after?;
    let (was, is) = (subject.before.map(frontmatter::read), frontmatter::read(after));
    for (field, name) in [(Field::OriginSession, "originSessionId"), (Field::Modified, "modified")] {
        if wanted(field, &is, was.as_ref(), subject.rationale, now) != Wanted::AsIs {
            return Some(held(GUARD, format!("its {name} would be one that no quote bears out")));
        }
    }
    let kinds = (was.as_ref().and_then(|was| was.kind(subject.file)), is.kind(subject.file));
    if let (Some(old), new) = kinds
        && Some(old) != new
        && (matches!(old, Kind::User | Kind::Feedback) || !is_quoted(subject.rationale))
    {
        let new = new.map_or_else(|| "none of the four".to_owned(), |new| new.to_string());
        return Some(held(
            GUARD,
            format!("its type would change from {old} to {new}, and other rules hold for that one"),
        ));
    }
    if let Some((key, _)) = is.others.iter().find(|other| !known.contains(*other)) {
        let key = crate::text::visible(&crate::secret::redacted(key)).into_owned();
        return Some(held(GUARD, format!("it would have the key {key} with a value that no memory had")));
    }
    if let Some(comment) = comment(subject, &was, &is) {
        return Some(held(GUARD, format!("its frontmatter would have a comment: {comment}")));
    }
    named(subject, op, was.as_ref(), &is)
}

fn is_quoted(rationale: &Rationale) -> bool {
    rationale.sources.iter().any(is_with_words)
}

fn is_with_words(source: &Source) -> bool {
    source.quote.as_deref().is_some_and(|quote| !quote.trim().is_empty())
}

/// A new comment among the keys, which no field shows.
fn comment(subject: &Subject<'_>, was: &Option<Frontmatter>, is: &Frontmatter) -> Option<String> {
    let block = |bytes: &[u8], read: &Frontmatter| {
        String::from_utf8_lossy(bytes.get(read.block.clone()).unwrap_or_default()).into_owned()
    };
    let old = was.as_ref().zip(subject.before).map(|(was, before)| block(before, was)).unwrap_or_default();
    let known: BTreeSet<&str> = old.lines().map(str::trim).collect();
    let new = block(subject.after?, is);
    let line = new.lines().map(str::trim).find(|line| !known.contains(line) && has_comment(line))?;
    Some(crate::text::visible(&crate::secret::redacted(line)).chars().take(80).collect())
}

/// Whether a line of a block is a comment or ends in one.
fn has_comment(line: &str) -> bool {
    let (mut quote, mut before) = (None, ' ');
    for character in line.chars() {
        match quote {
            None if character == '#' && before.is_whitespace() => return true,
            None if matches!(character, '"' | '\'') && (before.is_whitespace() || before == ':') => {
                quote = Some(character);
            }
            Some(open) if character == open && before != '\\' => quote = None,
            _ => {}
        }
        before = character;
    }
    false
}

/// A new name, of the memory or its file, that says more than the memory does.
fn named(subject: &Subject<'_>, op: Op, was: Option<&Frontmatter>, is: &Frontmatter) -> Option<HoldReason> {
    let said = said_in(subject.after?);
    let mut texts: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
    texts.extend(was.and_then(|was| was.name.as_deref()));
    if op != Op::Create {
        texts.push(without_extension(subject.file));
    }
    let name = is.name.as_deref().filter(|name| was.and_then(|was| was.name.as_deref()) != Some(*name));
    let file = (op == Op::Create).then(|| without_extension(subject.file));
    let wrong = name.into_iter().chain(file).find(|label| label::adds_to(label, &texts))?;
    let shown: String = crate::text::visible(&crate::secret::redacted(wrong)).chars().take(80).collect();
    Some(held(GUARD, format!("its name \"{shown}\" says what the memory does not")))
}
