//! `check`: findings, and with `--fix` the repair of what is safe to repair.

use std::path::Path;

use serde::Serialize;

use super::args::Check;
use super::context::Context;
use super::output::{Failure, Meaning, Page};
use super::team::hidden;
use super::{exit, landing};
use crate::health::{self, Finding, Grounds, Severity};
use crate::memory::Store;
use crate::project::stores::{FoundStore, Stores};
use crate::run::live::Site;

#[derive(Debug, Serialize)]
struct Report {
    findings: Vec<Finding>,
    fixed: Vec<Finding>,
    dry_run: bool,
}

/// One store of many.
#[derive(Debug, Serialize)]
struct Checked {
    store: String,
    #[serde(skip)]
    title: String,
    findings: Vec<Finding>,
}

#[derive(Debug, Serialize)]
struct All {
    stores: Vec<Checked>,
    unreadable: Vec<String>,
}

/// Every store that is ours to keep in order; those of other programs follow rules of their own.
fn all(context: &Context) -> Result<u8, Failure> {
    let home = context.claude_home()?;
    let found = Stores::find(&home, &context.environment, &context.state)?.found;
    let mut all = All { stores: Vec::new(), unreadable: Vec::new() };
    for FoundStore { store, title, project, .. } in found.into_iter().filter(|found| !found.kind.is_read_only()) {
        let root = store.root().display().to_string();
        match store.scan(&context.scan_options(&store)) {
            Ok(snapshot) => {
                let (environment, state) = (&context.environment, &context.state);
                let grounds = Grounds::of_project(project.as_deref(), Some(home.base()), environment, state);
                let mut findings = health::check(&snapshot, &grounds);
                findings.extend(of_team(context, &store, project.as_deref()));
                all.stores.push(Checked { store: root, title, findings });
            }
            Err(_) => all.unreadable.push(root),
        }
    }
    context.output.answer(&all, |page| {
        for checked in &all.stores {
            let place = page.paint(&checked.store, Meaning::Dim);
            page.line(format!("{}  {place}", page.paint(&checked.title, Meaning::Strong)))?;
            checked.findings.iter().try_for_each(|finding| print_found(page, finding))?;
            page.line(summary(&checked.findings))?;
            page.line("")?;
        }
        all.unreadable
            .iter()
            .try_for_each(|store| page.line(page.paint(&format!("⚠ cannot read {store}"), Meaning::Bad)))
    })?;
    let is_fine = all.unreadable.is_empty() && all.stores.iter().all(|checked| checked.findings.is_empty());
    Ok(if is_fine { exit::DONE } else { exit::FINDINGS })
}

/// What is wrong with the index of the team's part of a store, and what somebody was to look at again.
fn of_team(context: &Context, store: &Store, checkout: Option<&Path>) -> Vec<Finding> {
    let team = store.team();
    let is_there = std::fs::symlink_metadata(team.root()).is_ok_and(|found| found.is_dir());
    match is_there.then(|| team.scan(&context.scan_options(&team))) {
        Some(Ok(snapshot)) => {
            let hidden = hidden(context, store, checkout);
            let mut findings = health::of_team(&snapshot, &hidden);
            findings.extend(health::due_for_review(&snapshot, &team, &hidden, context.clock.today()));
            findings
        }
        Some(Err(_)) | None => Vec::new(),
    }
}

/// Checks. Findings that stay after a fix give exit code 1.
pub(super) fn run(context: &Context, arguments: &Check) -> Result<u8, Failure> {
    if arguments.all {
        return all(context);
    }
    let (choice, snapshot) = context.scan()?;
    let grounds = context.grounds(&choice);
    let team = of_team(context, &choice.store, choice.checkout.as_deref());
    let mut findings = health::check(&snapshot, &grounds);
    let mut fixed = Vec::new();
    let mut undo = None;
    if arguments.fix {
        let (set, repairable) = health::fix(&snapshot, &findings);
        fixed = repairable;
        if !arguments.dry_run && !set.is_empty() {
            // The person asked for exactly these repairs by typing --fix.
            let landed = context.land(&choice.store, &set, Site::of(&choice).as_ref()).map_err(landing::failure)?;
            undo = landed.history;
            let after = choice.store.scan(&context.scan_options(&choice.store))?;
            findings = health::check(&after, &grounds);
        }
    }
    findings.extend(team);
    let report = Report { findings, fixed, dry_run: arguments.dry_run };
    context.output.answer(&report, |page| {
        let verb = if report.dry_run { "would fix" } else { "fixed" };
        report.fixed.iter().try_for_each(|finding| print(page, finding, verb, Meaning::Good))?;
        let other = report.findings.iter().filter(|finding| !report.fixed.contains(finding));
        other.into_iter().try_for_each(|finding| print_found(page, finding))?;
        page.line(summary(&report.findings))?;
        undo.iter().try_for_each(|id| landing::way_back(page, id))
    })?;
    Ok(if report.findings.is_empty() { exit::DONE } else { exit::FINDINGS })
}

/// `3 findings, 1 of them fixable with --fix`.
fn summary(findings: &[Finding]) -> String {
    let fixable = findings.iter().filter(|finding| finding.fixable).count();
    match (findings.len(), fixable) {
        (0, _) => "nothing is wrong".to_owned(),
        (all, 0) => crate::text::count(all, "finding", "findings"),
        (all, some) => {
            format!("{}, {some} of them fixable with --fix", crate::text::count(all, "finding", "findings"))
        }
    }
}

fn print_found(page: &mut Page<'_>, finding: &Finding) -> std::io::Result<()> {
    let meaning = match finding.severity {
        Severity::Error => Meaning::Bad,
        Severity::Warning => Meaning::Warn,
        Severity::Note => Meaning::Dim,
    };
    print(page, finding, finding.severity.word(), meaning)
}

fn print(page: &mut Page<'_>, finding: &Finding, word: &str, meaning: Meaning) -> std::io::Result<()> {
    let file = crate::secret::redacted_name(&finding.file);
    let place = finding.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"));
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
