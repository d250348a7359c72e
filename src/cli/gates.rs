//! `gates`: each gate with its figure: why a dream or an extraction would start now, or not.

use serde::Serialize;

use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::config::Config;
use crate::run::gates::{self, Gate, GateReport, Look};
use crate::run::reap;
use crate::run::spent::{self, Today};
use crate::run::why;

/// The JSON.
#[derive(Debug, Serialize)]
struct Standing<'a> {
    dream: Vec<GateJson<'a>>,
    extract: Vec<GateJson<'a>>,
    why: Why,
    expiring: usize,
    today: Today,
}

/// A gate and what it says.
#[derive(Debug, Serialize)]
struct GateJson<'a> {
    #[serde(flatten)]
    gate: &'a Gate,
    why: String,
}

/// All gates in one sentence.
#[derive(Debug, Serialize)]
struct Why {
    dream: String,
    extract: String,
}

impl<'a> Standing<'a> {
    fn of(report: &'a GateReport, expiring: usize, today: Today) -> Self {
        let gates = |gates: &'a [Gate]| gates.iter().map(|gate| GateJson { gate, why: why::sentence(gate) }).collect();
        let why = Why { dream: why::dream(report), extract: why::extract(report) };
        Self { dream: gates(&report.dream), extract: gates(&report.extract), why, expiring, today }
    }
}

/// Reports. All dream gates open: 0, else 4.
pub(super) fn run(context: &Context) -> Result<u8, Failure> {
    let choice = context.choose()?;
    if !choice.store.root().is_dir() {
        context.output.notice(&format!(
            "there is no memory directory at {} yet; a dream by hand could only make it from the sessions",
            choice.store.root().display()
        ));
    }
    reap::reap(&context.state, &context.clock);
    let config = Config { engine: context.engine(), ..context.config.clone() };
    let report =
        gates::evaluate(&choice, &config, &context.state, &context.clock, &context.environment, None, Look::Report);
    let kept = choice.kept_days(&context.environment);
    let expiring = gates::expiring(&choice, &config, &context.state, &context.clock, kept);
    let today = spent::today(&context.state, &config, context.clock.today());
    let standing = Standing::of(&report, expiring, today);
    context.output.answer(&standing, |page| {
        print(page, "dream", &report.dream)?;
        page.line(format!("  {}", crate::text::visible(&standing.why.dream)))?;
        print(page, "extract", &report.extract)?;
        page.line(format!("  {}", crate::text::visible(&standing.why.extract)))?;
        page.line(page.paint("today, all stores", Meaning::Strong))?;
        page.line(format!("    dream         {}", standing.today.dream))?;
        page.line(format!("    extract       {}", standing.today.extract))?;
        if expiring > 0 {
            let sessions = crate::text::count(expiring, "session", "sessions");
            let line = format!("⚠ {sessions} not dreamed over yet will be swept within 3 days (kept {kept} days)");
            page.line(page.paint(&line, Meaning::Warn))?;
        }
        Ok(())
    })?;
    let open = report.dream.iter().all(|gate| gate.passed == Some(true));
    Ok(if open { exit::DONE } else { exit::NOT_RUN })
}

fn print(page: &mut Page<'_>, what: &str, gates: &[Gate]) -> std::io::Result<()> {
    page.line(page.paint(what, Meaning::Strong))?;
    gates.iter().try_for_each(|gate| {
        let (mark, meaning) = match gate.passed {
            Some(true) => ("✓", Meaning::Good),
            Some(false) => ("✗", Meaning::Warn),
            None => ("·", Meaning::Dim),
        };
        page.line(format!("  {} {:<13} {}", page.paint(mark, meaning), gate.gate, crate::text::visible(&gate.detail)))
    })
}
