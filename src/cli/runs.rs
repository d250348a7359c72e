//! `runs`: the runs of all projects, and with `--follow` their events as they come.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::json;

use super::args::Runs;
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::run::journal::RunBook;
use crate::run::{Outcome, RunView};
use crate::text;

/// How often `--follow` looks.
const FOLLOW_EVERY: Duration = Duration::from_millis(200);

/// Lists, or follows.
pub(super) fn run(context: &Context, arguments: &Runs) -> Result<u8, Failure> {
    crate::run::reap::reap(&context.state, &context.clock);
    let mut book = RunBook::new(context.state.clone());
    book.refresh()?;
    if arguments.follow {
        return follow(context, &mut book);
    }
    let object = json!({ "runs": book.runs().iter().map(RunView::to_json).collect::<Vec<_>>() });
    context.output.answer(&object, |page| {
        if book.runs().is_empty() {
            return page.line("no runs yet; `dreamtop dream --force` starts one");
        }
        book.runs().iter().try_for_each(|run| print(page, run))
    })?;
    Ok(if book.runs().is_empty() { exit::FINDINGS } else { exit::DONE })
}

/// Prints each run that changed, one JSON object or line each time, until the pipe closes or a signal ends us.
fn follow(context: &Context, book: &mut RunBook) -> Result<u8, Failure> {
    let mut shown: HashMap<String, RunView> = HashMap::new();
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
            shown.insert(run.id.clone(), run.clone());
        }
        std::thread::sleep(FOLLOW_EVERY);
        book.refresh()?;
    }
}

/// One line: id, project, how it stands, time, reason.
pub(super) fn print(page: &mut Page<'_>, run: &RunView) -> std::io::Result<()> {
    let (word, meaning) = match run.outcome {
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
