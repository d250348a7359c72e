//! `runs`: the runs of all projects, and with `--follow` their events as they come.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::args::Runs;
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::project;
use crate::run::foreign::{self, ForeignDream};
use crate::run::journal::RunBook;
use crate::run::stats::{self, Record, Sums};
use crate::run::{Outcome, RunView};
use crate::text;

/// How often `--follow` looks.
const FOLLOW_EVERY: Duration = Duration::from_millis(200);

/// Lists, or follows.
pub(super) fn run(context: &Context, arguments: &Runs) -> Result<u8, Failure> {
    if arguments.stats {
        return print_stats(context);
    }
    let mut book = RunBook::new(context.state.clone());
    book.refresh()?;
    if arguments.follow {
        return follow(context, &mut book);
    }
    // Without a Claude home there are no stores to look in.
    let choice = project::choose(&context.request, &context.environment).ok();
    let dreams = choice.map(|choice| foreign::foreign_dreams(&choice, &context.state, context.clock.now()));
    let dreams = dreams.unwrap_or_default();
    let object = json!({ "foreign": dreams, "runs": book.runs().iter().map(|run| run.to_json()).collect::<Vec<_>>() });
    context.output.answer(&object, |page| {
        dreams.iter().try_for_each(|dream| print_foreign(page, dream))?;
        if book.runs().is_empty() {
            return page.line("no runs yet; `dreamtop dream --force` starts one");
        }
        book.runs().iter().try_for_each(|run| print(page, run))
    })?;
    Ok(if book.runs().is_empty() { exit::FINDINGS } else { exit::DONE })
}

/// Prints each run that changed, one JSON object or line each time, until the pipe closes or a signal ends us.
fn follow(context: &Context, book: &mut RunBook) -> Result<u8, Failure> {
    let mut shown: HashMap<String, Arc<RunView>> = HashMap::new();
    loop {
        for run in book.runs().iter().rev() {
            if shown.get(&run.id) == Some(run) {
                continue;
            }
            if context.output.is_json() {
                super::output::Output::raw(format!("{}\n", run.to_json()).as_bytes())?;
            } else {
                context.output.lines(|page| print(page, run))?;
            }
            shown.insert(run.id.clone(), Arc::clone(run));
        }
        std::thread::sleep(FOLLOW_EVERY);
        book.refresh()?;
    }
}

/// One line: id, project, how it stands, time, reason.
pub(super) fn print(page: &mut Page<'_>, run: &RunView) -> std::io::Result<()> {
    let (word, meaning) = match run.outcome {
        _ if run.undone_by.is_some() => (run.word(), Meaning::Dim),
        None if run.is_live() => (run.status.word(), Meaning::Strong),
        None => (run.status.word(), Meaning::Bad),
        Some(outcome @ (Outcome::Done | Outcome::Skipped)) => (outcome.word(), Meaning::Good),
        Some(outcome @ (Outcome::Partial | Outcome::Held)) => (outcome.word(), Meaning::Warn),
        Some(outcome @ (Outcome::Killed | Outcome::Failed)) => (outcome.word(), Meaning::Bad),
    };
    let started = run
        .started
        .map_or_else(String::new, |at| at.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M").to_string());
    let took = run.ms.map_or_else(String::new, |ms| format!("{:.1}s", ms as f64 / 1e3));
    page.line(format!(
        "{}  {}  {}  {}  {:>7}  {}",
        text::fit_padded(&text::visible(&run.id), 30),
        text::fit_padded(&text::visible(&run.project), 14),
        started,
        page.paint(&text::fit_padded(word, 11), meaning),
        took,
        if run.dry_run {
            format!("dry run: {}", text::visible(&run.reason))
        } else {
            text::visible(&run.reason).into_owned()
        }
    ))
}

/// One line for a dream of another program.
fn print_foreign(page: &mut Page<'_>, dream: &ForeignDream) -> std::io::Result<()> {
    let since = dream.since.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M");
    let who = format!("not ours: process {}", dream.pid);
    page.line(format!(
        "{}  {}  {since}  {}  watched, not killed",
        text::fit_padded(&who, 30),
        text::fit_padded(&text::visible(&dream.project), 14),
        page.paint(&text::fit_padded("dreaming", 11), Meaning::Warn),
    ))
}

/// So many records are listed for people; JSON has more.
const LISTED: usize = 20;

fn print_stats(context: &Context) -> Result<u8, Failure> {
    let stats = stats::read(&context.state);
    context.output.answer(&stats, |page| {
        if stats.records.is_empty() {
            return page.line("no records yet; `dreamtop dream --force` makes the first");
        }
        sums(page, "dreams", stats.dream)?;
        sums(page, "extractions", stats.extract)?;
        page.line("")?;
        stats.records.iter().take(LISTED).try_for_each(|one| record(page, one))
    })?;
    Ok(if stats.records.is_empty() { exit::FINDINGS } else { exit::DONE })
}

fn sums(page: &mut Page<'_>, what: &str, sums: Sums) -> std::io::Result<()> {
    let Sums { fired, completed, failed, skipped, sessions_reviewed, cache_read, cache_created, output } = sums;
    page.line(page.paint(what, Meaning::Strong))?;
    page.line(format!("  {fired} started, {completed} completed, {failed} failed or killed, {skipped} skipped"))?;
    let tokens = format!("{output} tokens written; cache: {cache_read} read, {cache_created} written");
    page.line(format!("  {sessions_reviewed} sessions reviewed; {tokens}"))
}

fn record(page: &mut Page<'_>, record: &Record) -> std::io::Result<()> {
    let at =
        record.at.map_or_else(String::new, |at| at.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M").to_string());
    let since = record.hours_since.map(|hours| format!("  {hours}h since the last success")).unwrap_or_default();
    let sessions = record.sessions_since.map(|count| format!(", {count} sessions since")).unwrap_or_default();
    let reason = record.reason.as_deref().map(|reason| format!("  {}", text::visible(reason))).unwrap_or_default();
    page.line(format!("{at}  {:<28}{since}{sessions}{reason}", text::visible(&record.event)))
}
