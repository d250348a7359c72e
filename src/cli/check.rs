//! `check`: findings, and with `--fix` the repair of what is safe to repair.

use serde::Serialize;

use super::args::Check;
use super::context::Context;
use super::output::{Failure, Meaning, Page};
use super::{exit, landing};
use crate::change::Consent;
use crate::health::{self, Finding, Severity};

#[derive(Debug, Serialize)]
struct Report {
    findings: Vec<Finding>,
    fixed: Vec<Finding>,
    dry_run: bool,
}

/// Checks. Findings that stay after a fix give exit code 1.
pub(super) fn run(context: &Context, arguments: &Check) -> Result<u8, Failure> {
    let (choice, snapshot) = context.scan()?;
    let grounds = context.grounds(&choice);
    let mut findings = health::check(&snapshot, &grounds);
    let mut fixed = Vec::new();
    if arguments.fix {
        let (set, repairable) = health::fix(&snapshot, &findings);
        fixed = repairable;
        if !arguments.dry_run && !set.is_empty() {
            // The person asked for exactly these repairs by typing --fix.
            context.door().land(&choice.store, &set, Consent::Person).map_err(landing::failure)?;
            let after = choice.store.scan(&context.scan_options(&choice.store))?;
            findings = health::check(&after, &grounds);
        }
    }
    let report = Report { findings, fixed, dry_run: arguments.dry_run };
    context.output.answer(&report, |page| {
        let verb = if report.dry_run { "would fix" } else { "fixed" };
        report.fixed.iter().try_for_each(|finding| print(page, finding, verb, Meaning::Good))?;
        let other = report.findings.iter().filter(|finding| !report.fixed.contains(finding));
        other.into_iter().try_for_each(|finding| {
            let meaning = match finding.severity {
                Severity::Error => Meaning::Bad,
                Severity::Warning => Meaning::Warn,
                Severity::Note => Meaning::Dim,
            };
            print(page, finding, finding.severity.word(), meaning)
        })?;
        let fixable = report.findings.iter().filter(|finding| finding.fixable).count();
        page.line(match (report.findings.len(), fixable) {
            (0, _) => "nothing is wrong".to_owned(),
            (all, 0) => crate::text::count(all, "finding", "findings"),
            (all, some) => {
                format!("{}, {some} of them fixable with --fix", crate::text::count(all, "finding", "findings"))
            }
        })
    })?;
    Ok(if report.findings.is_empty() { exit::DONE } else { exit::FINDINGS })
}

fn print(page: &mut Page<'_>, finding: &Finding, word: &str, meaning: Meaning) -> std::io::Result<()> {
    let place = finding.line.map_or_else(|| finding.file.clone(), |line| format!("{}:{line}", finding.file));
    let head = page.paint(&format!("{word}: {}", finding.code), meaning);
    let fixable = if finding.fixable && !word.ends_with("fix") && word != "fixed" {
        page.paint("  (--fix)", Meaning::Dim)
    } else {
        String::new()
    };
    page.line(format!(
        "{head}  {}  {}{fixable}",
        crate::text::visible(&place),
        crate::text::visible(&finding.message)
    ))?;
    // What was looked for stands in the message; the words that claim it say more.
    match finding.quote.as_ref().or(finding.evidence.as_ref()) {
        Some(words) => page.line(page.paint(&format!("    {words}"), Meaning::Dim)),
        None => Ok(()),
    }
}
