//! Merge what says the same, make dates absolute, drop what is superseded or expired; name what is less sure.
//!
//! Not its job: how each of these is done (see [`super::same`], [`super::superseded`], [`super::expired`]).

use chrono::NaiveDate;

use super::super::super::EngineError;
use super::super::dates::{self, Care, Style};
use super::super::desk::Desk;
use super::{expired, same, superseded};
use crate::memory::likeness::measured;
use crate::memory::{Field, Kind};

pub(super) async fn run(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    make_absolute(desk).await?;
    same::merge(desk).await?;
    superseded::drop(desk).await?;
    expired::drop(desk).await?;
    Ok(())
}

/// Resolves relative dates of bodies and descriptions against the day of the claim.
async fn make_absolute(desk: &mut Desk<'_>) -> Result<(), EngineError> {
    for file in desk.notes.keys().cloned().collect::<Vec<_>>() {
        desk.breathe().await?;
        let Some(note) = desk.notes.get(&file).filter(|note| note.is_open) else { continue };
        let Some(day) = note.day() else { continue };
        // A bare weekday in a memory may well recur ("releases go out on Thursday"); only whoever said it knows.
        let care = Care::Written;
        let is_rule = note.kind == Some(Kind::Feedback);
        let body = resolved(&note.body, day, is_rule);
        // Where the claim's own words are no days, those of its title are none.
        let is_left = is_rule || (body == note.body && !dates::find(&note.body, day).is_empty());
        let mut topic = if body == note.body { note.topic.clone() } else { note.topic.with_body(&body) };
        let description = note.topic.frontmatter.description.as_deref().unwrap_or_default();
        let new_description = dates::resolve(description, day, Style::Compact, care);
        if !is_left && new_description != description {
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
        if let Some(hook) = hook.filter(|_| !is_left) {
            let fresh = dates::resolve(&hook, day, Style::Compact, care);
            if fresh != hook {
                desk.reindex(desk.index.with_hook(&file, &fresh));
            }
        }
        desk.say(format!("Dates in {file} made absolute, as of {day}"));
        desk.rewrite(&file, topic, &format!("relative dates made absolute as of {day}"), Vec::new())?;
    }
    Ok(())
}

/// A body with its dates resolved outside of code fences, sources and pointers; of a rule only the lines that say why.
fn resolved(body: &str, day: NaiveDate, is_rule: bool) -> String {
    let mut in_fence = false;
    let lines: Vec<String> = body
        .split('\n')
        .map(|line| {
            let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
            if is_fence {
                in_fence = !in_fence;
            }
            if is_fence
                || (is_rule && !line.trim_start().starts_with("**Why"))
                || in_fence
                || measured::is_source(line)
                || measured::is_pointer(line)
                || line.trim_start().starts_with('>')
            {
                line.to_owned()
            } else {
                dates::resolve(line, day, Style::Full, Care::Written)
            }
        })
        .collect();
    lines.join("\n")
}
