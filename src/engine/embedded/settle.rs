//! What becomes of a fact in a store: nothing when it is known, an update of what it replaces, or a new memory.
//!
//! The same evidence never yields a second memory: known is also a fact whose source (session, line, quote) a body names, and what the project's own instructions say. Not its job: finding facts.

use std::collections::BTreeSet;
use std::path::Path;

use super::super::EngineError;
use super::cues::revoking::Manner;
use super::dates::{self, Style};
use super::desk::Desk;
use super::drafts;
use super::forgetting::Left;
use super::moves::Move;
use super::note::Note;
use super::similarity::{Likeness, Shape};
use super::statement::Fact;
use super::supersede::{Claim, Relation};
use super::{forgetting, paraphrase, revoke};
use crate::memory::likeness::{corrected, measured};
use crate::memory::{Field, Kind, Shape as Layout, names, store};

/// What happened to a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    /// A new memory.
    Created(String),
    /// A memory that it changed.
    Updated(String),
    /// Known already, and by what.
    Known(String),
    /// Over before it could be stored.
    Over,
    /// It takes back what is not stored.
    Idle,
}

/// The sentences of the project's own instructions.
pub(super) fn instructions(checkout: Option<&Path>) -> Vec<Shape> {
    let Some(checkout) = checkout else { return Vec::new() };
    ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md"]
        .iter()
        // A checkout may hold anything under these names: what waits or is no text of a person's size is left out.
        .filter_map(|file| store::whole(&checkout.join(file)).ok())
        .flat_map(|bytes| {
            String::from_utf8_lossy(&bytes)
                .lines()
                .filter(|line| !line.trim_start().starts_with('#') && line.chars().any(char::is_alphanumeric))
                .flat_map(|line| line.split_inclusive(". ").map(str::to_owned).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        })
        .map(|line| Shape::of(&line))
        .collect()
}

/// Whether one of these lines says the fact already.
fn is_instructed(shape: &Shape, instructions: &[Shape]) -> bool {
    let meant: BTreeSet<&String> =
        shape.content.iter().filter(|word| !matches!(word.as_str(), "instead" | "rather" | "statt")).collect();
    instructions.iter().any(|line| {
        shape.is_said_by(line)
            // "Use pnpm, never npm" says "always use pnpm instead of npm".
            || (meant.len() >= 2
                && meant.iter().all(|word| line.content.contains(*word))
                && begins_with_no(&shape.plain) == begins_with_no(&line.plain))
            || (!line.content.is_empty()
                && line.content.len() <= 4
                && line.is_covered_by(shape)
                && line.contained_in(shape) >= 0.99)
    })
}

/// Whether a rule in small letters begins by forbidding.
fn begins_with_no(plain: &str) -> bool {
    let rule = ["please ", "always ", "bitte ", "we ", "you must ", "- ", "* "]
        .iter()
        .fold(plain.trim(), |text, opening| text.strip_prefix(opening).unwrap_or(text));
    [
        "never", "don't", "do not", "dont", "no ", "avoid", "stop", "nie", "kein", "ne ", "n'", "jamais", "pas ",
        "nunca", "不要", "别", "禁止",
    ]
    .iter()
    .any(|no| rule.starts_with(no))
}

/// Settles a fact on the desk. `may_create` is false once a session has given enough.
pub(super) fn settle(
    desk: &mut Desk<'_>,
    fact: &Fact,
    instructions: &[Shape],
    may_create: bool,
) -> Result<Option<Settled>, EngineError> {
    if let Some(revocation) = &fact.statement.revokes {
        let place = drafts::source_line(fact);
        if let Some(note) = desk.notes.values().find(|note| note.body.lines().any(|line| line.trim() == place)) {
            return Ok(Some(Settled::Known(note.file.clone())));
        }
        if let Some((file, kind)) = revoke::target(desk, revocation, &fact.quote, fact.at) {
            let mut fact = fact.clone();
            fact.statement.kind = kind;
            let (said, named) = (Shape::of(&fact.statement.text), Shape::of(&revocation.about));
            let note = desk.notes.get(&file);
            if note.is_some_and(|note| says(note, &said)) {
                return Ok(Some(Settled::Known(file)));
            }
            let claim = note.map(|note| note.fact.clone()).unwrap_or_default();
            if revocation.manner == Manner::Topic && revoke::is_bare(&fact.statement) {
                // "Forget what I said about var" says nothing by itself that could stand beside what still holds.
                match forgetting::left(&claim, &revocation.about) {
                    Left::Nothing => {}
                    Left::Part(rest) if kind != Kind::User => fact.statement.text = rest,
                    Left::Part(_) | Left::Unclear => return Ok(Some(Settled::Idle)),
                }
                update(desk, &fact, &file)?;
            } else if Claim::of(forgetting::without_reason(&claim)).lists_more_than(&named) {
                amend(desk, &fact, &file)?;
            } else {
                update(desk, &fact, &file)?;
            }
            return Ok(Some(Settled::Updated(file)));
        }
        if revoke::is_bare(&fact.statement) {
            return Ok(Some(Settled::Idle));
        }
    }
    let text = drafts::sentence(fact, Style::Compact);
    let shape = Shape::of(&text);
    if fact.statement.kind == Kind::Project {
        desk.heard.push((text.clone(), fact.day));
    }
    if is_instructed(&shape, instructions) || is_instructed(&Shape::of(&fact.statement.text), instructions) {
        return Ok(Some(Settled::Known("the project's instructions".to_owned())));
    }
    if let Some(file) = known(desk, fact, &shape) {
        return Ok(Some(Settled::Known(file)));
    }
    if fact.statement.kind == Kind::Project && is_over(&text, desk) {
        return Ok(Some(Settled::Over));
    }
    if let Some(file) = paraphrased(desk, fact, &text, &shape) {
        add_source(desk, fact, &file)?;
        return Ok(Some(Settled::Known(file)));
    }
    if let Some((file, is_whole)) = replaced(desk, fact, &text) {
        if is_whole {
            update(desk, fact, &file)?;
        } else {
            amend(desk, fact, &file)?;
        }
        return Ok(Some(Settled::Updated(file)));
    }
    if let Some(file) = put_right(desk, fact) {
        update(desk, fact, &file)?;
        return Ok(Some(Settled::Updated(file)));
    }
    if let Some(file) = nearly(desk, fact, &shape) {
        add_source(desk, fact, &file)?;
        return Ok(Some(Settled::Updated(file)));
    }
    if !may_create {
        return Ok(None);
    }
    let draft = drafts::draft(fact);
    let said = if fact.statement.is_approval { "approved" } else { "said" };
    let reason = format!("{said} by the person on {}", fact.day);
    let file = desk.create(&draft, &reason, vec![drafts::source(fact)])?;
    Ok(Some(Settled::Created(file)))
}

/// The memory that says it already.
fn known(desk: &mut Desk<'_>, fact: &Fact, shape: &Shape) -> Option<String> {
    let place = drafts::source_line(fact);
    let marks = shape.marks();
    let (lookup, notes) = desk.looked_up(fact.statement.kind);
    let mut may_know = lookup.known(&marks, &place, &fact.session).into_iter().filter_map(|file| notes.get(file));
    may_know
        .find(|note| {
            let is_from_here = note.body.lines().any(|line| line.trim() == place);
            is_from_here || is_written_by_the_session(note, fact, shape) || (note.may_say(&marks) && says(note, shape))
        })
        .map(|note| note.file.clone())
}

/// Whether the session's own assistant stored this statement when it was made: of the same session and type, not ours, and
/// about the same.
fn is_written_by_the_session(note: &Note, fact: &Fact, shape: &Shape) -> bool {
    note.topic.frontmatter.origin_session.as_deref() == Some(fact.session.as_str())
        && note.kind == Some(fact.statement.kind)
        && !note.body.lines().any(measured::is_source)
        && note.sayings().first().is_some_and(|all| all.content.intersection(&shape.content).count() >= 3)
}

/// Whether a memory says what has this shape.
pub(super) fn says(note: &Note, shape: &Shape) -> bool {
    shape.is_said_by(&note.shape) || note.sayings().iter().any(|said| shape.is_said_by(said))
}

/// The memory whose claim a fact replaces, and whether all of it: same type, claimed before, and related as [`super::supersede`]
/// wants it.
fn replaced(desk: &mut Desk<'_>, fact: &Fact, text: &str) -> Option<(String, bool)> {
    // With the words that stood for a date: "this week" is for a while, its days say nothing of that.
    let later = Claim::of(&drafts::sentence(fact, Style::Full));
    let moving = Move::of((text, fact.day));
    let is_vague = dates::is_vague(text);
    let (lookup, notes) = desk.looked_up(fact.statement.kind);
    let candidates: Vec<&Note> = match &moving {
        // A date that moved is named in other words.
        Some(_) => notes.values().collect(),
        None => {
            lookup.replaceable(fact.statement.kind, &later).into_iter().filter_map(|file| notes.get(file)).collect()
        }
    };
    candidates
        .into_iter()
        .filter(|note| note.is_open && note.kind == Some(fact.statement.kind))
        .filter(|note| note.claimed.is_some_and(|claimed| claimed < fact.at))
        // A day that nobody can tell puts no date right that was told.
        .filter(|note| !is_vague || dates::written_days(&note.fact).is_empty())
        .find_map(|note| {
            let relation = measured::relation_to(note, &later);
            let has_moved = || {
                moving.as_ref().zip(note.day()).is_some_and(|(moving, day)| {
                    [&note.fact, &note.description].into_iter().any(|old| moving.moves((old, day)))
                })
            };
            (relation != Relation::None || has_moved()).then(|| (note.file.clone(), relation != Relation::ReplacesPart))
        })
}

/// The one memory that a fact puts right which says that it puts something right: of the same type and polarity, and about the
/// same thing. None where there are several.
fn put_right(desk: &mut Desk<'_>, fact: &Fact) -> Option<String> {
    let text = drafts::sentence(fact, Style::Compact);
    if !fact.statement.corrects || dates::is_vague(&text) {
        return None;
    }
    let (is_negative, whole) = (Shape::of(&text).is_negative, drafts::sentence(fact, Style::Full));
    // What somebody is has few words: "The user is a …".
    let begins = |text: &str| text.split_whitespace().take(3).map(str::to_lowercase).collect::<Vec<_>>();
    let is_meant = |note: &&Note| {
        let is_role = || fact.statement.kind == Kind::User && begins(&note.fact) == begins(&text);
        note.is_open
            && note.kind == Some(fact.statement.kind)
            && note.claimed.is_some_and(|claimed| claimed < fact.at)
            && note.shape.is_negative == is_negative
            && (is_role() || corrected::is_of_the_same(&note.fact, &whole))
    };
    let mut meant = desk.notes.values().filter(is_meant);
    let first = meant.next()?;
    meant.next().is_none().then(|| first.file.clone())
}

/// The memory that says the same in its main clause.
fn paraphrased(desk: &mut Desk<'_>, fact: &Fact, text: &str, shape: &Shape) -> Option<String> {
    let (lookup, notes) = desk.looked_up(fact.statement.kind);
    let alike = lookup.alike(fact.statement.kind, &shape.marks(), paraphrase::FEWEST);
    alike
        .into_iter()
        .filter_map(|file| notes.get(file))
        .filter(|note| note.is_open && note.kind == Some(fact.statement.kind))
        .filter(|note| note.shape.content.intersection(&shape.content).count() >= paraphrase::FEWEST)
        .find(|note| paraphrase::shares_main_clause(&note.fact, text))
        .map(|note| note.file.clone())
}

/// Content words that two statements share at least before they are taken for the same thing in other words.
const SHARED_WORDS: usize = 4;

/// The memory that says nearly the same: of the same type, alike, with the same values, names and polarity, and with at most
/// one word of its own where the other has none. Of several the closest, so that they do not become more.
fn nearly(desk: &mut Desk<'_>, fact: &Fact, shape: &Shape) -> Option<String> {
    let (lookup, notes) = desk.looked_up(fact.statement.kind);
    let is_alike = |note: &&Note| {
        let common = note.shape.content.intersection(&shape.content).count();
        let only_there = note.shape.content.len() - common;
        let only_here = shape.content.len() - common;
        common >= SHARED_WORDS
            && only_here.min(only_there) == 0
            && only_here.max(only_there) <= 2
            && note.shape.agrees_with(shape)
            && note.shape.likeness(shape) != Likeness::Different
            && !note.shape.exchanges_words_with(shape)
    };
    let sharing = lookup.alike(fact.statement.kind, &shape.marks(), SHARED_WORDS);
    sharing
        .into_iter()
        .filter_map(|file| notes.get(file))
        .filter(|note| note.is_open && note.kind == Some(fact.statement.kind))
        .filter(is_alike)
        .max_by(|one, other| one.shape.jaccard(shape).total_cmp(&other.shape.jaccard(shape)))
        .map(|note| note.file.clone())
}

/// Adds where a fact was said once more to the memory that says it, and renews its claim.
fn add_source(desk: &mut Desk<'_>, fact: &Fact, file: &str) -> Result<(), EngineError> {
    let Some(note) = desk.notes.get(file) else { return Ok(()) };
    let is_sourced = note.body.lines().rfind(|line| !line.trim().is_empty()).is_some_and(measured::is_source);
    let joint = if is_sourced { "\n" } else { "\n\n" };
    let body = format!("{}{joint}{}\n", note.body.trim_end(), drafts::source_line(fact));
    let mut topic = note.topic.with_body(&body);
    let is_newer = note.is_dated && note.claimed.is_some_and(|claimed| claimed < fact.at);
    if is_newer && topic.frontmatter.shape == Layout::Nested {
        let at = fact.at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
        topic = topic.with(Field::Modified, &at).map_err(|error| EngineError::Failed(format!("{file}: {error}")))?;
    }
    desk.rewrite(file, topic, &format!("said again on {}", fact.day), vec![drafts::source(fact)])
}

/// Puts the new claim where the old one stood, and keeps the old one as a pointer.
pub(super) fn update(desk: &mut Desk<'_>, fact: &Fact, file: &str) -> Result<(), EngineError> {
    let Some(note) = desk.notes.get(file) else { return Ok(()) };
    let mut lines = vec![drafts::statement(fact)];
    lines.push(String::new());
    // What was said for the old claim goes with it.
    let is_reason = |line: &&str| ["**Why:**", "**How to apply:**"].iter().any(|mark| line.starts_with(mark));
    let reasons = note.body.lines().map(str::trim).filter(is_reason).map(|line| line.replace("**", ""));
    let before: Vec<String> = std::iter::once(note.fact.clone()).chain(reasons).collect();
    lines.push(pointer(fact.day, &before.join(" ")));
    lines.extend(note.body.lines().filter(|line| measured::is_pointer(line)).map(str::to_owned));
    // What the old body said besides its fact stays.
    let fact_lines: Vec<&str> = note.fact.lines().map(str::trim).collect();
    let rest: Vec<&str> = note
        .body
        .lines()
        .filter(|line| !measured::is_source(line) && !measured::is_pointer(line) && !line.trim().is_empty())
        .filter(|line| !fact_lines.iter().any(|fact| !fact.is_empty() && line.trim().contains(fact)))
        .filter(|line| !is_reason(&line.trim()))
        .collect();
    if !rest.is_empty() {
        lines.push(String::new());
        lines.extend(rest.into_iter().map(str::to_owned));
    }
    lines.push(String::new());
    lines.extend(note.body.lines().filter(|line| measured::is_source(line)).map(str::to_owned));
    lines.push(drafts::source_line(fact));
    let mut topic = note.topic.with_body(&lines.join("\n"));
    let known = note.topic.frontmatter.name.clone().unwrap_or_default();
    let name = drafts::newer_name(fact, &known, &note.fact);
    let named = name.as_deref().map(|name| (Field::Name, names::slug(name)));
    let dated = [
        (Field::Description, drafts::description(fact)),
        (Field::Modified, fact.at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true)),
    ];
    for (field, value) in named.into_iter().chain(dated) {
        topic = match topic.with(field, &value) {
            Ok(changed) => changed,
            Err(error) => return Err(EngineError::Failed(format!("{file}: {error}"))),
        };
    }
    let what = if fact.statement.revokes.is_some() { "taken back by the person on" } else { "a newer claim of" };
    desk.rewrite(file, topic, &format!("{what} {}", fact.day), vec![drafts::source(fact)])?;
    let hook = crate::text::shortened(&drafts::description(fact), 100);
    desk.reindex(desk.index.with_hook(file, &hook));
    if let Some(name) = name {
        desk.retitle(file, &known, &name);
    }
    Ok(())
}

/// Adds a claim that takes back one of several things to the memory that says them: the others still hold.
pub(super) fn amend(desk: &mut Desk<'_>, fact: &Fact, file: &str) -> Result<(), EngineError> {
    let Some(note) = desk.notes.get(file) else { return Ok(()) };
    let (sources, said): (Vec<&str>, Vec<&str>) = note.body.lines().partition(|line| measured::is_source(line));
    let mut body = said.join("\n").trim_end().to_owned();
    body.push_str(&format!("\n\n{}\n\n", drafts::statement(fact)));
    for source in sources {
        body.push_str(source);
        body.push('\n');
    }
    body.push_str(&drafts::source_line(fact));
    body.push('\n');
    let at = fact.at.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
    let topic = note
        .topic
        .with_body(&body)
        .with(Field::Modified, &at)
        .map_err(|error| EngineError::Failed(format!("{file}: {error}")))?;
    let reason = format!("a part of it does not hold since {}", fact.day);
    desk.rewrite(file, topic, &reason, vec![drafts::source(fact)])
}

/// The line that says what stood there before.
pub(super) fn pointer(day: chrono::NaiveDate, fact: &str) -> String {
    let fact = fact.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("**Before {day}:** {fact}")
}

/// Whether a project fact's dates are all past by more than its shelf life.
fn is_over(text: &str, desk: &Desk<'_>) -> bool {
    let today = crate::clock::local_day(desk.now());
    let days = if dates::comes_again(text) { Vec::new() } else { dates::written_days(text) };
    days.iter().max().is_some_and(|last| (today - *last).num_days() > desk.project_shelf_life())
}
