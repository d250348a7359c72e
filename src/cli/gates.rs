//! `gates`: each gate with its figure: why a dream or an extraction would start now, or not.

use serde::Serialize;

use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::config::Config;
use crate::project::{ClaudeHome, settings};
use crate::run::gates::{self, Gate, GateReport, Look};
use crate::run::reap;
use crate::run::spent::{self, Today};

/// The JSON.
#[derive(Debug, Serialize)]
struct Standing<'a> {
    #[serde(flatten)]
    report: &'a GateReport,
    expiring: usize,
    today: Today,
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
    let report = gates::evaluate(&choice, &config, &context.state, &context.clock, None, Look::Report);
    let kept = settings::kept_days(&context.environment, choice.home.as_ref().map(ClaudeHome::base));
    let expiring = gates::expiring(&choice, &context.state, &context.clock, kept);
    let today = spent::today(&context.state, &config, context.clock.today());
    context.output.answer(&Standing { report: &report, expiring, today }, |page| {
        print(page, "dream", &report.dream)?;
        print(page, "extract", &report.extract)?;
        page.line(page.paint("today, all stores", Meaning::Strong))?;
        page.line(format!("    dream         {}", today.dream))?;
        page.line(format!("    extract       {}", today.extract))?;
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
