//! `runs`: the runs of all projects, and with `--follow` each again whenever it changed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::args::Runs;
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::project;
use crate::run::decided::{Decided, Decisions};
use crate::run::foreign::{self, ForeignDream};
use crate::run::journal::RunBook;
use crate::run::ledger::Ledger;
use crate::run::records::RunRecord;
use crate::run::stats::KindStats;
use crate::run::{Outcome, RunView};
use crate::text;

/// How often `--follow` looks.
const FOLLOW_EVERY: Duration = Duration::from_millis(200);

/// Lists, or follows.
pub(super) fn run(context: &Context, arguments: &Runs) -> Result<u8, Failure> {
    crate::run::reap::reap(&context.state, &context.clock);
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
    let records = Ledger::read(&context.state, context.clock.now()).map(|ledger| ledger.records).unwrap_or_default();
    let refused: Vec<&RunRecord> = records.iter().filter(|record| record.is_refusal()).take(LISTED).collect();
    let door = context.door();
    let mut decisions = Decisions::new(&door);
    let runs: Vec<_> = book.runs().iter().map(|run| decisions.json(run)).collect();
    let object = json!({ "foreign": dreams, "runs": runs, "refused": refused });
    // A dream of another program is a row too.
    let is_empty = dreams.is_empty() && book.runs().is_empty() && refused.is_empty();
    context.output.answer(&object, |page| {
        if !dreams.is_empty() || !book.runs().is_empty() {
            print_heading(page)?;
        }
        dreams.iter().try_for_each(|dream| print_foreign(page, dream))?;
        if is_empty {
            return page.line("no runs yet; `dreamtop dream --force` starts one");
        }
        book.runs().iter().try_for_each(|run| print_row(page, run, decisions.of(run).as_ref()))?;
        if !refused.is_empty() {
            page.line(page.paint("triggers that began nothing, the newest first", Meaning::Dim))?;
        }
        refused.iter().take(REFUSED).try_for_each(|one| record(page, one))
    })?;
    Ok(if is_empty { exit::FINDINGS } else { exit::DONE })
}

/// Prints each run that changed, one JSON object or line each time, until the pipe closes or a signal ends us.
fn follow(context: &Context, book: &mut RunBook) -> Result<u8, Failure> {
    let mut shown: HashMap<String, Arc<RunView>> = HashMap::new();
    context.output.lines(print_heading)?;
    loop {
        for run in book.runs().iter().rev() {
            if shown.get(&run.id) == Some(run) {
                continue;
            }
            if context.output.is_json() {
                let json = Decisions::new(&context.door()).json(run);
                super::output::Output::raw(format!("{json}\n").as_bytes())?;
            } else {
                context.output.lines(|page| print(page, run))?;
            }
            shown.insert(run.id.clone(), Arc::clone(run));
        }
        std::thread::sleep(FOLLOW_EVERY);
        book.refresh()?;
    }
}

/// What the columns are.
fn print_heading(page: &mut Page<'_>) -> std::io::Result<()> {
    let heading = format!(
        "{}  {}  {}  {}  {:>7}  reason",
        text::fit_padded("run", 30),
        text::fit_padded("project", 14),
        text::fit_padded("started", 16),
        text::fit_padded("status", 11),
        "took"
    );
    page.line(page.paint(&heading, Meaning::Dim))
}

/// One line: id, project, how it stands, time, reason.
pub(super) fn print(page: &mut Page<'_>, run: &RunView) -> std::io::Result<()> {
    print_row(page, run, None)
}

fn print_row(page: &mut Page<'_>, run: &RunView, decided: Option<&Decided>) -> std::io::Result<()> {
    // Where something landed by itself, or waits on, that is the more important word.
    let is_reviewed = run.outcome == Some(Outcome::Held) && decided.is_some_and(Decided::is_whole);
    let (word, meaning) = match run.outcome {
        _ if run.undone_by.is_some() => (run.word(), Meaning::Dim),
        _ if is_reviewed => ("reviewed", Meaning::Good),
        None if run.is_live() => (run.word(), Meaning::Strong),
        None => (run.word(), Meaning::Bad),
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
        match decided {
            _ if run.dry_run => format!("dry run: {}", text::visible(&run.reason)),
            None => text::visible(&run.reason).into_owned(),
            Some(decided) if run.outcome == Some(Outcome::Held) => decided.sentence(),
            Some(decided) => format!("{}; {}", text::visible(&run.reason), decided.sentence()),
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
/// So many triggers that began nothing are listed beside the runs; JSON has the newest twenty.
const REFUSED: usize = 5;

fn print_stats(context: &Context) -> Result<u8, Failure> {
    let ledger = Ledger::read(&context.state, context.clock.now())?;
    context.output.answer(&ledger, |page| {
        if ledger.records.is_empty() {
            return page.line("no records yet; `dreamtop dream --force` makes the first");
        }
        sums(page, "dreams", &ledger.stats.dream)?;
        sums(page, "extractions", &ledger.stats.extract)?;
        page.line("")?;
        ledger.records.iter().take(LISTED).try_for_each(|one| record(page, one))
    })?;
    Ok(if ledger.records.is_empty() { exit::FINDINGS } else { exit::DONE })
}

fn sums(page: &mut Page<'_>, what: &str, stats: &KindStats) -> std::io::Result<()> {
    page.line(page.paint(what, Meaning::Strong))?;
    for sentence in stats.all.sentences(stats.unfinished) {
        page.line(format!("  {sentence}"))?;
    }
    page.line(format!("  last seven days: {}", stats.week.sentences(0)[0]))?;
    stats
        .skipped_by
        .iter()
        .try_for_each(|by| page.line(format!("    {} × {}", text::figure(by.count), text::visible(&by.latest))))
}

fn record(page: &mut Page<'_>, record: &RunRecord) -> std::io::Result<()> {
    let at = record.at.with_timezone(&chrono::Local).format("%Y-%m-%d %H:%M");
    let since = record.hours_since.map(|hours| format!("{hours}h since the last success"));
    let sessions = record.sessions_since.map(|many| format!("{} since", text::count(many, "session", "sessions")));
    let reason = Some(text::visible(&record.reason).into_owned()).filter(|reason| !reason.is_empty());
    let said: Vec<String> = [since, sessions, reason].into_iter().flatten().collect();
    page.line(format!("{at}  {}  {}", text::fit_padded(&record.words(), 28), said.join(", ")).trim_end())
}
