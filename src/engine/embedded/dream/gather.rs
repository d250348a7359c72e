//! What is new: daily logs, memories that cite what is gone, and sessions since the last success.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use super::super::super::{EngineError, Job};
use super::super::ahead::Ahead;
use super::super::collect;
use super::super::desk::Desk;
use super::super::extract::{self, Tally};
use super::super::settle;
use super::super::similarity::Shape;
use super::super::spans::{self, Span};
use crate::memory::names::is_markdown;
use crate::session::HumanTurn;
use crate::text::brief;

pub(super) async fn run(desk: &mut Desk<'_>, job: &Job) -> Result<(), EngineError> {
    let mut tally = Tally::default();
    let mut ahead = Ahead::of(job, desk.now(), desk.cancellation())?;
    let instructions = settle::instructions(job.checkout.as_deref());
    let since = job.sessions.iter().filter_map(|session| session.since).min();
    for (file, day) in logs(&desk.path("logs")) {
        desk.breathe().await?;
        if since.is_some_and(|since| day < crate::clock::local_day(since)) {
            continue;
        }
        log(desk, job, &file, day, &instructions, &mut tally).await?;
    }
    drift(desk, job.checkout.as_deref()).await?;
    for (done, session) in job.sessions.iter().rev().enumerate() {
        desk.breathe().await?;
        if let Some(error) = extract::review(desk, session, &mut ahead, &instructions, &mut tally).await? {
            let note = format!("session {} cannot be read: {error}", brief(&session.id));
            desk.say(note.clone());
            desk.verdict.left_out.push(note);
        }
        desk.progress(done + 1, job.sessions.len(), "sessions");
    }
    desk.say(tally.summary());
    Ok(())
}

/// `logs/YYYY/MM/YYYY-MM-DD.md`, oldest first, with their days.
fn logs(root: &Path) -> Vec<(PathBuf, NaiveDate)> {
    let children = |dir: &Path| -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = std::fs::read_dir(dir)
            .map(|entries| {
                entries
                    .filter_map(Result::ok)
                    .filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()))
                    .map(|entry| entry.path())
                    .collect()
            })
            .unwrap_or_default();
        found.sort();
        found
    };
    children(root)
        .iter()
        .flat_map(|year| children(year))
        .flat_map(|month| children(&month))
        .filter_map(|file| {
            let day = file.file_stem()?.to_str()?.parse().ok()?;
            is_markdown(file.to_str()?).then_some((file, day))
        })
        .collect()
}

/// A daily log is the assistant's stream: only what it marks as the person's words ("user: …") counts.
async fn log(
    desk: &mut Desk<'_>,
    job: &Job,
    file: &Path,
    day: NaiveDate,
    instructions: &[Shape],
    tally: &mut Tally,
) -> Result<(), EngineError> {
    let name = file.strip_prefix(desk.path("")).unwrap_or(file).to_string_lossy().replace('\\', "/");
    desk.tool("Read", name.clone());
    let Ok(text) = crate::state::read_text(file) else { return Ok(()) };
    let noon: DateTime<Utc> = day.and_time(NaiveTime::from_hms_opt(12, 0, 0).unwrap_or_default()).and_utc();
    let turns: Vec<HumanTurn> = text
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| {
            let text = persons_words(without_time(line))?.to_owned();
            Some(HumanTurn { session: name.clone(), line: number, uuid: None, at: Some(noon), text, after: None })
        })
        .collect();
    let cancel = desk.cancellation();
    let mut facts = collect::collect(&turns, noon, &|| cancel.is_cancelled()).facts;
    facts.retain(|fact| {
        let turn = turns.iter().find(|turn| turn.line == fact.line);
        !turn.is_some_and(|turn| job.unheard.let_go.holds(&name, turn, &fact.quote))
    });
    extract::settle_all(desk, &name, &facts, instructions, tally).await
}

/// `- 14:05 did this` without bullet and time.
fn without_time(line: &str) -> &str {
    let line = line.trim_start().trim_start_matches(['-', '*']).trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '[' | ']'));
    if rest.len() < line.len() && line.contains(':') {
        rest.trim_start_matches([' ', '-', '—', '–', ':'])
    } else {
        line
    }
}

/// What follows "user:".
fn persons_words(line: &str) -> Option<&str> {
    let (who, words) = line.split_once(':')?;
    matches!(who.trim().to_lowercase().as_str(), "user" | "human" | "person").then_some(words.trim())
}

/// Says which memories cite paths that the checkout does not have. They stay: a path may live elsewhere.
async fn drift(desk: &mut Desk<'_>, checkout: Option<&Path>) -> Result<(), EngineError> {
    let Some(checkout) = checkout.filter(|dir| dir.is_dir()) else { return Ok(()) };
    let notes: Vec<(String, String)> = desk.notes.values().map(|note| (note.file.clone(), note.fact.clone())).collect();
    for (file, fact) in notes {
        desk.breathe().await?;
        let gone: BTreeSet<String> = cited(&fact).into_iter().filter(|path| !checkout.join(path).exists()).collect();
        for path in gone {
            desk.tool("Grep", path.clone());
            desk.say(format!("{file} cites {path}, which the checkout does not have"));
        }
    }
    Ok(())
}

/// Relative paths with a directory and a file that a text cites.
fn cited(text: &str) -> Vec<String> {
    spans::protected(text)
        .into_iter()
        .filter(|(_, kind)| matches!(kind, Span::Path | Span::Code))
        .filter_map(|(range, _)| text.get(range))
        .map(|word| word.trim_matches('`').split(':').next().unwrap_or_default().to_owned())
        .filter(|path| {
            path.contains('/')
                && path.rsplit('/').next().is_some_and(|name| name.contains('.') && !name.starts_with('.'))
                && !path.starts_with(['/', '~', '.'])
                && !path.contains([' ', '*', '<', '{', '$'])
                && !path.contains("..")
                && !path.contains("//")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn only_relative_paths_to_files_are_cited() {
        assert_eq!(
            cited(
                "See `src/auth.rs:120` and docs/api.md, not /etc/hosts, and/or `cargo test` or https://a.example/x.md."
            ),
            ["src/auth.rs", "docs/api.md"]
        );
    }

    #[test]
    fn times_of_log_lines_are_no_words() {
        assert_eq!(without_time("- 14:05 The deadline moved"), "The deadline moved");
        assert_eq!(without_time("3 services are down"), "3 services are down");
    }
}
