//! Merge what says the same, make dates absolute, drop what is superseded or expired; name what is less sure.

use chrono::NaiveDate;

use super::super::super::EngineError;
use super::super::dates::{self, Care, Style};
use super::super::desk::{self, Desk, Note};
use super::super::settle::pointer;
use super::super::similarity::Likeness;
use super::super::supersede::{self, Relation};
use super::super::{merge, moves};
use crate::clock;
use crate::memory::{Field, Index, Kind};

pub(super) async fn run(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    make_absolute(desk).await?;
    merge_same(desk).await?;
    drop_superseded(desk).await?;
    drop_expired(desk).await?;
    Ok(())
}

/// Resolves relative dates of bodies and descriptions against the day of the claim.
async fn make_absolute(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    for file in desk.notes.keys().cloned().collect::<Vec<_>>() {
        desk.breathe().await?;
        let Some(note) = desk.notes.get(&file).filter(|note| note.is_open) else { continue };
        let Some(day) = note.day() else { continue };
        // A bare weekday in a memory may well recur ("releases go out on Thursday"); only whoever said it knows.
        let care = Care::Rule;
        let body = resolved(&note.body, day, care);
        let mut topic = if body == note.body { note.topic.clone() } else { note.topic.with_body(&body) };
        let description = note.topic.frontmatter.description.as_deref().unwrap_or_default();
        let new_description = dates::resolve(description, day, Style::Compact, care);
        let is_reworded = new_description != description;
        if is_reworded {
            match topic.with(Field::Description, &new_description) {
                Ok(changed) => topic = changed,
                Err(error) => desk.say(format!("{file}: {error}")),
            }
        }
        if topic.bytes == note.topic.bytes {
            continue;
        }
        // The index says it in its own words; they age the same way.
        let hook =
            desk.index.entries().find(|(_, entry, _)| entry.target == file).map(|(_, entry, _)| entry.hook.clone());
        if let Some(hook) = hook {
            let fresh = dates::resolve(&hook, day, Style::Compact, care);
            if fresh != hook {
                desk.index = Index::read(desk.index.with_hook(&file, &fresh));
            }
        }
        desk.say(format!("Dates in {file} made absolute, as of {day}"));
        desk.rewrite(&file, topic, &format!("relative dates made absolute as of {day}"), Vec::new())?;
    }
    Ok(())
}

/// A body with its dates resolved outside of code fences, sources and pointers.
fn resolved(body: &str, day: NaiveDate, mut care: Care) -> String {
    let mut in_fence = false;
    let lines: Vec<String> = body
        .split('\n')
        .map(|line| {
            let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            if is_fence {
                in_fence = !in_fence;
            }
            // How to apply a claim is a rule, whatever the claim is.
            if line.trim_start().starts_with("**How") {
                care = Care::Rule;
            }
            if is_fence
                || in_fence
                || desk::is_source(line)
                || desk::is_pointer(line)
                || line.trim_start().starts_with('>')
            {
                line.to_owned()
            } else {
                dates::resolve(line, day, Style::Full, care)
            }
        })
        .collect();
    lines.join("\n")
}

/// Files of open memories, and which two of them are of one type and worth comparing. Names stay out of the pairs: of
/// two thousand memories there are two million.
fn pairs(desk: &Desk<'_>) -> (Vec<String>, Vec<(usize, usize)>) {
    let open: Vec<&Note> =
        desk.notes.values().filter(|note| note.is_open && note.kind.is_some() && !note.shape.is_empty()).collect();
    let mut pairs = Vec::new();
    for (at, one) in open.iter().enumerate() {
        for (other_at, other) in open.iter().enumerate().skip(at + 1).filter(|(_, other)| other.kind == one.kind) {
            // What shares no content word is not worth comparing.
            if one.shape.content.intersection(&other.shape.content).next().is_some() || one.shape.content.is_empty() {
                pairs.push((at, other_at));
            }
        }
    }
    (open.into_iter().map(|note| note.file.clone()).collect(), pairs)
}

/// The two memories of a pair, as long as both are there.
fn both<'a>(desk: &'a Desk<'_>, files: &[String], pair: (usize, usize)) -> Option<(&'a Note, &'a Note)> {
    let note = |at: usize| desk.notes.get(files.get(at)?);
    Some((note(pair.0)?, note(pair.1)?))
}

async fn merge_same(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let (files, pairs) = pairs(desk);
    for (at, pair) in pairs.into_iter().enumerate() {
        if at % 256 == 0 {
            desk.breathe().await?;
        }
        let Some((one, other)) = both(desk, &files, pair) else { continue };
        if !merge::is_same(one, other) {
            continue;
        }
        let (kept, gone) = if merge::keeps_first(one, other) { (one, other) } else { (other, one) };
        let Some(topic) = merge::merged(kept, gone) else { continue };
        let (kept, gone) = (kept.file.clone(), gone.file.clone());
        desk.say(format!("{gone} says what {kept} says: merged"));
        desk.rewrite(&kept, topic, &format!("merged with {gone}"), Vec::new())?;
        desk.remove(&gone, &format!("merged into {kept}"), Vec::new())?;
        relink(desk, &gone, &kept)?;
    }
    Ok(())
}

/// Lets `[[links]]` to a merged memory point to the one that stayed.
fn relink(desk: &mut Desk<'_>, from: &str, to: &str) -> Result<(), EngineError> {
    let (Some(old), Some(new)) = (from.strip_suffix(".md"), to.strip_suffix(".md")) else { return Ok(()) };
    let linking: Vec<String> = desk
        .notes
        .values()
        .filter(|note| {
            note.is_open && (note.body.contains(&format!("[[{old}]]")) || note.body.contains(&format!("[[{old}|")))
        })
        .map(|note| note.file.clone())
        .collect();
    for file in linking {
        let Some(note) = desk.notes.get(&file) else { continue };
        let body = note
            .body
            .replace(&format!("[[{old}]]"), &format!("[[{new}]]"))
            .replace(&format!("[[{old}|"), &format!("[[{new}|"));
        let topic = note.topic.with_body(&body);
        desk.rewrite(&file, topic, &format!("its link to {from} leads to {to} now"), Vec::new())?;
    }
    Ok(())
}

async fn drop_superseded(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let (files, pairs) = pairs(desk);
    for (at, pair) in pairs.into_iter().enumerate() {
        if at % 256 == 0 {
            desk.breathe().await?;
        }
        let Some((one, other)) = both(desk, &files, pair) else { continue };
        let (Some(day), Some(other_day)) = (one.day(), other.day()) else { continue };
        let (older, newer) = if day <= other_day { (one, other) } else { (other, one) };
        let [later, _] = newer.claims();
        let relation = older
            .claims()
            .iter()
            .map(|earlier| supersede::relation(earlier, later))
            .find(|relation| *relation != Relation::None)
            .unwrap_or(Relation::None);
        let relation = match (relation, older.day(), newer.day()) {
            (Relation::None, Some(old), Some(new)) if moves::moves((&older.fact, old), (&newer.fact, new)) => {
                Relation::ReplacesBySaying
            }
            _ => relation,
        };
        if relation == Relation::None {
            if older.shape.likeness(&newer.shape) == Likeness::Maybe {
                desk.say(format!("{} and {} may say the same or disagree; both stay", older.file, newer.file));
            }
            continue;
        }
        // A claim that says itself what it replaces only has to be the later one; otherwise both dates have to be written.
        let is_later =
            day != other_day && (relation == Relation::ReplacesBySaying || (older.is_dated && newer.is_dated));
        if !is_later {
            desk.say(format!("{} and {} disagree, and nothing says which is newer; both stay", older.file, newer.file));
            continue;
        }
        let since = newer.day().unwrap_or(day);
        let line = pointer(since, &older.fact);
        let sources: Vec<&str> =
            older.body.lines().filter(|line| desk::is_source(line) && !newer.body.contains(line.trim())).collect();
        let mut body = newer.body.trim_end().to_owned();
        if !body.contains(&line) {
            body.push_str(&format!("\n\n{line}"));
        }
        for source in sources {
            body.push('\n');
            body.push_str(source);
        }
        body.push('\n');
        let topic = newer.topic.with_body(&body);
        let (older, newer) = (older.file.clone(), newer.file.clone());
        desk.say(format!("{newer} replaces {older}"));
        desk.rewrite(&newer, topic, &format!("replaces {older}"), Vec::new())?;
        desk.remove(&older, &format!("superseded by {newer}"), Vec::new())?;
        relink(desk, &older, &newer)?;
    }
    Ok(())
}

/// Words that make a date in a project memory a deadline.
const DEADLINE: &[&str] = &[
    "until",
    "till",
    "by ",
    "due",
    "deadline",
    "ends",
    "launch",
    "release",
    "freeze",
    "frozen",
    "demo",
    "cutover",
    "rollout",
    "go-live",
    "goes live",
    "maintenance window",
    "out ",
    "leave",
    "vacation",
    "bis ",
    "frist",
    "fällig",
    "hasta",
    "plazo",
    "jusqu",
    "échéance",
    "截止",
    "上线",
    "冻结",
    "まで",
    "期限",
    "締切",
    "リリース",
];

/// Removes project memories whose last date is past by more than their shelf life.
async fn drop_expired(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    let today = clock::local_day(desk.now());
    for file in desk.notes.keys().cloned().collect::<Vec<_>>() {
        desk.breathe().await?;
        let Some(note) = desk.notes.get(&file).filter(|note| note.is_open && note.kind == Some(Kind::Project)) else {
            continue;
        };
        let text: String = note
            .body
            .lines()
            .filter(|line| !desk::is_source(line) && !desk::is_pointer(line))
            .collect::<Vec<_>>()
            .join("\n");
        let claimed = note.day();
        let days =
            |text: &str| -> Vec<NaiveDate> { dates::named(text, claimed).into_iter().map(|(_, day)| day).collect() };
        let Some(last) = days(&text).into_iter().max() else { continue };
        let past = (today - last).num_days();
        if past <= 0 {
            continue;
        }
        let fact = note.fact.to_lowercase();
        let has_deadline = !days(&note.fact).is_empty() && DEADLINE.iter().any(|word| fact.contains(word));
        let is_claimed_before = claimed.is_some_and(|day| day <= last);
        if has_deadline && has_later_claim(desk, note, last) {
            desk.say(format!("{file} speaks of {last}, and a newer claim of a later date; it stays"));
        } else if has_deadline && is_claimed_before && past > desk.project_shelf_life() && is_about_one_date(note) {
            desk.say(format!("{file} ended on {last}, {past} days ago: expired"));
            desk.remove(&file, &format!("expired: its last date, {last}, is {past} days past"), Vec::new())?;
        } else if has_deadline {
            desk.say(format!("{file} speaks of {last}, which has passed; it stays"));
        }
    }
    Ok(())
}

/// Whether something newer, in the store or in the sessions under review, gives the same thing a later date.
fn has_later_claim(desk: &Desk<'_>, note: &Note, last: NaiveDate) -> bool {
    let Some(day) = note.day() else { return false };
    let is_later = |text: &str, at: NaiveDate| moves::gives_later_date((&note.fact, day), (text, at), last);
    let in_store = desk
        .notes
        .values()
        .filter(|other| other.file != note.file && other.kind == Some(Kind::Project))
        .any(|other| other.day().is_some_and(|at| is_later(&other.fact, at)));
    in_store || desk.heard.iter().any(|(text, at)| is_later(text, *at))
}

/// A memory that goes on about other things is more than its date.
fn is_about_one_date(note: &Note) -> bool {
    note.fact.lines().filter(|line| !line.trim().is_empty()).count() <= 3 && note.fact.chars().count() <= 400
}
