//! `find`: the lines of memories, and of sessions, that match a regular expression.

use std::path::PathBuf;

use serde::Serialize;

use super::args::Find;
use super::context::{Context, store_failure};
use super::exit;
use super::output::{Failure, Meaning};
use crate::memory::{Store, StoreError};
use crate::project::stores::Stores;
use crate::recall::find::{Finder, Found, FoundLine};
use crate::text;

#[derive(Debug, Serialize)]
struct Answer<'a> {
    hits: &'a [FoundLine],
    total: usize,
    skipped: &'a [String],
}

/// Finds. Nothing found: exit code 1.
pub(super) fn run(context: &mut Context, arguments: Find) -> Result<u8, Failure> {
    let takes_sessions = context.global.sessions.is_some();
    // `find --sessions WORD`: the word is the pattern, for a search without one makes no sense.
    let swallowed = |context: &mut Context| context.request.sessions.take().and(context.global.sessions.take());
    let pattern = match arguments.pattern {
        Some(pattern) => pattern,
        None => match swallowed(context) {
            Some(word) => word.to_string_lossy().into_owned(),
            None => return Err(Failure::usage("say what to look for: dreamtop find PATTERN [--sessions] [--all]")),
        },
    };
    let finder = Finder::new(&pattern).map_err(Failure::usage)?;
    let (stores, sessions) = places(context, arguments.all, takes_sessions)?;
    let mut found = Found::default();
    for store in &stores {
        match finder.store(store, &context.scan_options(store), &mut found) {
            Err(StoreError::Missing(_)) if takes_sessions || arguments.all => {}
            Err(error) if arguments.all => found.skipped.push(error.to_string()),
            other => other.map_err(store_failure)?,
        }
    }
    finder.transcripts(&sessions, &mut found);
    found.sort();
    let answer = Answer { hits: &found.hits, total: found.total, skipped: &found.skipped };
    context.output.answer(&answer, |page| {
        for hit in answer.hits {
            let place = page.paint(&format!("{}:{}", hit.file.display(), hit.line), Meaning::Dim);
            let copies = match hit.copies.len() {
                0 => String::new(),
                many => format!("  (the same in {})", text::count(many, "other place", "other places")),
            };
            page.line(format!("{place}: {}{}", text::visible(&hit.text), page.paint(&copies, Meaning::Dim)))?;
        }
        if answer.total > answer.hits.len() {
            page.line(page.paint(&format!("… and {} more", answer.total - answer.hits.len()), Meaning::Dim))?;
        }
        answer.skipped.iter().try_for_each(|skipped| page.line(page.paint(&format!("⚠ {skipped}"), Meaning::Warn)))
    })?;
    Ok(if found.total == 0 { exit::FINDINGS } else { exit::DONE })
}

/// The stores and the directories with transcripts that are meant.
fn places(context: &Context, all: bool, takes_sessions: bool) -> Result<(Vec<Store>, Vec<PathBuf>), Failure> {
    if all {
        let home = context.claude_home()?;
        let stores = Stores::find(&home, &context.environment, &context.state)?;
        let sessions = context.request.sessions.clone().unwrap_or_else(|| home.projects_dir());
        let sessions = if takes_sessions { vec![sessions] } else { Vec::new() };
        return Ok((stores.found.into_iter().map(|found| found.store).collect(), sessions));
    }
    let choice = context.choose()?;
    let sessions = if takes_sessions { choice.sessions } else { Vec::new() };
    let there = sessions.into_iter().filter(|directory| directory.is_dir()).collect();
    Ok((vec![choice.store], there))
}
