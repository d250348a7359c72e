//! `dream`: one dream, in this process or detached from it.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::args::Dream;
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning};
use crate::engine::{JobKind, Tokens};
use crate::run::worker::{self, Order, Task};
use crate::run::{Outcome, RunView, launch};
use crate::text;

/// Dreams.
pub(super) fn run(context: &Context, arguments: &Dream) -> Result<u8, Failure> {
    let starter = &arguments.starter;
    let (task, is_watched) = (Task::Dream { force: arguments.force }, starter.run.is_some() && !arguments.detach);
    let mut order = context.order(task, arguments.dry_run, starter, is_watched)?;
    order.current_session.clone_from(&arguments.current_session);
    if arguments.show_prompt {
        return super::show_prompt::run(context, &order);
    }
    if arguments.detach {
        return detach(context, arguments);
    }
    let work = |order: &Order| worker::run(order, &context.state, &context.clock, &context.environment);
    let view = work(&order)?;
    let code = conclude(context, &view)?;
    let is_by_hand = !arguments.force && starter.trigger == "hand";
    if view.outcome != Some(Outcome::Skipped) || !is_by_hand {
        return Ok(code);
    }
    // Where somebody else consolidates, asking would promise what cannot be kept.
    let can_be_forced = !view.reason.starts_with("lock:");
    let question = "dream anyway? It looks at the whole store, and costs what the engine costs";
    match if can_be_forced { context.output.agrees(question)? } else { None } {
        Some(true) => {
            let forced = Order { run: None, task: Task::Dream { force: true }, ..order };
            conclude(context, &work(&forced)?)
        }
        Some(false) => Ok(code),
        None => {
            context.output.notice("`dreamtop dream --force` skips every gate but the lock");
            Ok(code)
        }
    }
}

/// Starts the same command in a process of its own and says the run's id.
fn detach(context: &Context, arguments: &Dream) -> Result<u8, Failure> {
    let run = arguments.starter.run.clone().unwrap_or_else(|| launch::new_run_id(JobKind::Dream, context.clock.now()));
    let executable = std::env::current_exe()?;
    let mut command = context.worker_arguments();
    command.extend(["--quiet", "dream", "--run", &run, "--trigger", &arguments.starter.trigger].map(str::to_owned));
    if let Some(session) = &arguments.current_session {
        command.extend(["--current-session".to_owned(), session.clone()]);
    }
    for (wanted, flag) in [(arguments.force, "--force"), (arguments.dry_run, "--dry-run")] {
        if wanted {
            command.push(flag.to_owned());
        }
    }
    let pid = launch::detached(&executable, &command, &context.environment)?;
    await_journal(&context.state.runs().join(format!("{run}.jsonl")));
    context.output.answer(&json!({ "run": run, "pid": pid }), |page| {
        page.line(format!("{run} is running (process {pid}); `dreamtop runs` shows it, `dreamtop kill {run}` ends it"))
    })?;
    Ok(exit::DONE)
}

/// Waits a moment until the worker has said its first word, so that `kill` and `runs` know the run that is named here.
fn await_journal(journal: &Path) {
    let until = Instant::now() + Duration::from_secs(2);
    while Instant::now() < until && std::fs::metadata(journal).map_or(0, |found| found.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Prints a run as it ended and gives its exit code.
pub(super) fn conclude(context: &Context, run: &RunView) -> Result<u8, Failure> {
    context.output.answer(&run.to_json(), |page| {
        let (word, meaning) = match run.outcome {
            Some(outcome @ (Outcome::Done | Outcome::Skipped)) => (outcome.word(), Meaning::Good),
            Some(outcome @ (Outcome::Partial | Outcome::Held)) => (outcome.word(), Meaning::Warn),
            Some(outcome) => (outcome.word(), Meaning::Bad),
            None => (run.status.word(), Meaning::Bad),
        };
        page.line(format!("{}  {}", page.paint(word, meaning), text::visible(&run.reason)))?;
        for change in &run.changes {
            page.line(format!(
                "  {:<7} {}  {}",
                change.op.word(),
                text::visible(&change.file),
                text::visible(&change.reason)
            ))?;
        }
        for held in &run.held {
            let reasons: Vec<&str> = held.reasons.iter().map(|reason| reason.message.as_str()).collect();
            page.line(format!("  held    {}  {}", text::visible(&held.file), text::visible(&reasons.join("; "))))?;
        }
        if run.tokens != Tokens::default() {
            let [input, output, read, written] =
                [run.tokens.input, run.tokens.output, run.tokens.cache_read, run.tokens.cache_created]
                    .map(text::figure);
            let cost = run.cost.map(|cost| format!("; cost {cost}")).unwrap_or_default();
            let used = format!("tokens: {input} read, {output} written; cache: {read} read, {written} written{cost}");
            page.line(page.paint(&used, Meaning::Dim))?;
        }
        // Mostly the reason begins with it.
        if let Some(notice) = run.notice.as_ref().filter(|notice| !run.reason.starts_with(*notice)) {
            page.line(page.paint(notice, Meaning::Strong))?;
        }
        if run.history.is_some() {
            super::landing::way_back(page, &run.id)?;
        }
        if let Some(inbox) = &run.inbox {
            page.line(page.paint(
                &format!("review it with `dreamtop inbox`, accept with `dreamtop inbox accept {inbox}`"),
                Meaning::Dim,
            ))?;
        }
        Ok(())
    })?;
    Ok(match run.outcome {
        Some(Outcome::Done) => exit::DONE,
        Some(Outcome::Partial | Outcome::Held) => exit::PERSON,
        Some(Outcome::Skipped) => exit::NOT_RUN,
        Some(Outcome::Killed) => exit::killed(run.killed_by.as_deref()),
        Some(Outcome::Failed) | None => exit::FAILED,
    })
}
