//! `ls`: the memories of a store, or of all.

mod filter;

use std::collections::HashMap;

use serde::Serialize;

use super::args::{Ls, Order};
use super::context::{Context, store_failure};
use super::exit;
use super::output::{Failure, Meaning, Page};
use super::row::{Row, print};
use crate::filter::Filter;
use crate::health::{self, Finding, RecallUse, paths};
use crate::memory::index::{MAX_BYTES, MAX_LINES};
use crate::memory::{Problem, Snapshot, StoreKind};
use crate::project::origin::SessionFolders;
use crate::project::stores::{FoundStore, Oddity, Stores};
use crate::project::{Choice, Decision};
use crate::text;

/// The JSON of one store.
#[derive(Debug, Serialize)]
struct Listing<'a> {
    store: String,
    kind: &'static str,
    read_only: bool,
    #[serde(skip)]
    of: StoreKind,
    project: Option<String>,
    index: IndexJson<'a>,
    memories: Vec<Row<'a>>,
    problems: Vec<StoreProblem<'a>>,
    others: Vec<OtherJson<'a>>,
}

#[derive(Debug, Serialize)]
struct IndexJson<'a> {
    lines: usize,
    bytes: usize,
    loaded_lines: usize,
    loaded_bytes: usize,
    cut: &'a [String],
}

#[derive(Debug, Serialize)]
struct StoreProblem<'a> {
    file: &'a str,
    #[serde(flatten)]
    problem: &'a Problem,
}

#[derive(Debug, Serialize)]
struct OtherJson<'a> {
    file: &'a str,
    what: &'a str,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct All<'a> {
    stores: Vec<Attributed<'a>>,
    unreadable: Vec<String>,
}

/// A store with whose it is.
#[derive(Debug, Serialize)]
struct Attributed<'a> {
    #[serde(skip)]
    title: &'a str,
    decided_by: &'a str,
    paths: Vec<String>,
    odd: &'a [Oddity],
    #[serde(flatten)]
    listing: Listing<'a>,
}

/// Lists.
pub(super) fn run(context: &Context, arguments: &Ls) -> Result<u8, Failure> {
    let (filter, order) = filter::asked(context, arguments)?;
    if arguments.all {
        return all(context, &filter);
    }
    let choice = context.choose()?;
    context.recover(&choice);
    let options = context.scan_options(&choice.store);
    let looks_closely = arguments.evidence || order == Order::Need || filter.needs_evidence();
    // What is looked at closely needs no quick look at its paths before.
    let checkout = choice.checkout.as_deref().filter(|_| !looks_closely);
    let mut snapshot = paths::scan(&choice.store, &options, checkout).map_err(store_failure)?;
    context.door().mark_snoozed(&mut snapshot);
    let kind = match choice.decision {
        Decision::Setting => StoreKind::Setting,
        _ => choice.store.kind(),
    };
    let mut listing = listing(&snapshot, kind, choice.checkout.as_ref().map(|path| path.display().to_string()));
    let evidence = looks_closely.then(|| Evidence::of(context, &choice, &snapshot));
    let kept = filter::kept(&filter, &snapshot, evidence.as_ref(), &context.config.shelf_life, &listing.of);
    if let Some(evidence) = evidence {
        listing.memories = evidence.rows(&snapshot);
    }
    listing.memories.retain(|row| kept.contains(row.file()));
    sort(&mut listing.memories, order);
    context.output.answer(&listing, |page| print_store(page, &listing, &choice.title))?;
    Ok(if listing.memories.is_empty() { exit::FINDINGS } else { exit::DONE })
}

/// What evidence says of the memories of a store.
pub(super) struct Evidence {
    /// The findings about each file.
    pub(super) by_file: HashMap<String, Vec<Finding>>,
    /// How sessions used them.
    pub(super) recall: RecallUse,
}

impl Evidence {
    fn of(context: &Context, choice: &Choice, snapshot: &Snapshot) -> Self {
        let grounds = context.grounds(choice);
        let mut by_file: HashMap<String, Vec<Finding>> = HashMap::new();
        for finding in health::check(snapshot, &grounds) {
            by_file.entry(finding.file.clone()).or_default().push(finding);
        }
        Self { by_file, recall: grounds.recall.unwrap_or_default() }
    }

    /// The rows with what evidence says of each.
    fn rows(mut self, snapshot: &Snapshot) -> Vec<Row<'_>> {
        let mut rows = Vec::with_capacity(snapshot.memories.len());
        for memory in &snapshot.memories {
            let findings = self.by_file.remove(&memory.file).unwrap_or_default();
            rows.push(Row::with_evidence(memory, findings, self.recall.used(&memory.file)));
        }
        rows
    }
}

/// Brings rows in order; those that are equal stay by file name.
fn sort(rows: &mut [Row<'_>], order: Order) {
    match order {
        Order::Name => {}
        Order::Need => rows.sort_by(|one, other| one.need().cmp(&other.need())),
        Order::Age => rows.sort_by_key(Row::age),
        Order::Type => rows.sort_by_key(|row| row.kind().to_owned()),
    }
}

/// Every store, each once, however many ways lead to it.
fn all(context: &Context, filter: &Filter) -> Result<u8, Failure> {
    if filter.needs_evidence() {
        return Err(Failure::usage(
            "--all lists without evidence; `stale`, `unused`, `has:` and codes need a store of their own (--project or --memory-dir)",
        ));
    }

    let home = context.claude_home()?;
    let mut stores = Stores::find(&home, &context.environment, &context.state)?;
    let found = std::mem::take(&mut stores.found);
    let sessions = SessionFolders::of(&home);
    let mut snapshots: Vec<(FoundStore, Snapshot)> = Vec::new();
    let mut unreadable = Vec::new();
    for mut store in found {
        match paths::scan(&store.store, &context.scan_options(&store.store), store.root.as_deref()) {
            Ok(mut snapshot) => {
                context.door().mark_snoozed(&mut snapshot);
                let odd = stores.written_elsewhere(&store, snapshot.origins(), &sessions);
                store.odd.extend(odd);
                snapshots.push((store, snapshot));
            }
            Err(_) => unreadable.push(store.store.root().display().to_string()),
        }
    }
    let attributed = |(store, snapshot)| {
        let FoundStore { title, kind, project, decided_by, paths, odd, .. }: &FoundStore = store;
        let mut listing = listing(snapshot, kind.clone(), project.as_ref().map(|path| path.display().to_string()));
        let kept = filter::kept(filter, snapshot, None, &context.config.shelf_life, kind);
        listing.memories.retain(|row| kept.contains(row.file()));
        let paths = paths.iter().map(|path| path.display().to_string()).collect();
        Attributed { title, decided_by, paths, odd, listing }
    };
    let pairs = snapshots.iter().map(|(store, snapshot)| (store, snapshot));
    let mut stores: Vec<Attributed<'_>> = pairs.map(attributed).collect();
    // A filter asks for memories: a store without one that matches is no answer.
    stores.retain(|store| filter.terms.is_empty() || !store.listing.memories.is_empty());
    let all = All { stores, unreadable };
    context.output.answer(&all, |page| {
        if snapshots.is_empty() && all.unreadable.is_empty() {
            page.line(format!("no project under {} has a memory directory yet", home.base().display()))?;
        }
        for attributed in &all.stores {
            print_store(page, &attributed.listing, attributed.title)?;
            page.line(page.paint(&format!("project by {}", attributed.decided_by), Meaning::Dim))?;
            for odd in attributed.odd {
                page.line(page.paint(&format!("⚠ {}: {}", odd.code, odd.message), Meaning::Warn))?;
            }
            page.line("")?;
        }
        all.unreadable
            .iter()
            .try_for_each(|store| page.line(page.paint(&format!("⚠ cannot read {store}"), Meaning::Bad)))
    })?;
    Ok(if all.stores.is_empty() { exit::FINDINGS } else { exit::DONE })
}

fn listing(snapshot: &Snapshot, of: StoreKind, project: Option<String>) -> Listing<'_> {
    let measure = &snapshot.index.measure;
    Listing {
        store: snapshot.store.root().display().to_string(),
        kind: of.word(),
        read_only: of.is_read_only(),
        of,
        project,
        index: IndexJson {
            lines: measure.lines,
            bytes: measure.bytes,
            loaded_lines: measure.loaded_lines,
            loaded_bytes: measure.loaded_bytes,
            cut: &measure.cut,
        },
        memories: snapshot.memories.iter().map(Row::from).collect(),
        problems: snapshot.problems.iter().map(|(file, problem)| StoreProblem { file, problem }).collect(),
        others: snapshot
            .others
            .iter()
            .map(|other| OtherJson { file: &other.file, what: other.what, bytes: other.bytes })
            .collect(),
    }
}

fn print_store(page: &mut Page<'_>, listing: &Listing<'_>, title: &str) -> std::io::Result<()> {
    let whose = match (&listing.of, listing.read_only) {
        (of, true) => format!("  written by {}, read-only", of.writer()),
        (StoreKind::Replit, false) => format!("  written by {}", listing.of.writer()),
        _ => String::new(),
    };
    let place = page.paint(&format!("{}{whose}", listing.store), Meaning::Dim);
    page.line(format!("{}  {place}", page.paint(title, Meaning::Strong)))?;
    listing.memories.iter().try_for_each(|row| print(page, row, listing.of.has_types()))?;
    for StoreProblem { file, problem } in &listing.problems {
        let place = problem.line.map_or_else(|| (*file).to_owned(), |line| format!("{file}:{line}"));
        page.line(page.paint(&format!("⚠ {place}: {}: {}", problem.code, problem.message), Meaning::Bad))?;
    }
    if let Some(line) = besides(listing) {
        page.line(page.paint(&line, Meaning::Dim))?;
    }
    page.line(summary(listing))
}

/// What lies there and is no memory, as far as it is odd: `no memories: .x.md (hidden), old (directory link)`.
fn besides(listing: &Listing<'_>) -> Option<String> {
    const MOST: usize = 5;
    let odd =
        listing.others.iter().filter(|other| !matches!(other.what, "lock" | "daily log" | "team memory" | "sub-index"));
    let named: Vec<String> = odd.map(|other| format!("{} ({})", text::visible(other.file), other.what)).collect();
    let shown = named.get(..named.len().min(MOST)).unwrap_or_default().join(", ");
    let more = named.len().saturating_sub(MOST);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!named.is_empty()).then(|| format!("no memories: {shown}{rest}"))
}

/// `3 memories, 1 with a problem · index 42/200 lines, 6.1/25.0 KB`.
fn summary(listing: &Listing<'_>) -> String {
    let troubled = listing.memories.iter().filter(|row| row.has_problems()).count();
    let mut line = text::count(listing.memories.len(), "memory", "memories");
    if troubled > 0 {
        line.push_str(&format!(", {troubled} with a problem"));
    }
    let index = &listing.index;
    let kilobytes = index.bytes as f64 / 1e3;
    line.push_str(&if listing.of.has_limits() {
        format!(" · index {}/{MAX_LINES} lines, {kilobytes:.1}/{:.0} KB", index.lines, MAX_BYTES as f64 / 1e3)
    } else {
        format!(" · index {}, {kilobytes:.1} KB", text::count(index.lines, "line", "lines"))
    });
    if !index.cut.is_empty() {
        line.push_str(&format!(", {} not loaded", text::count(index.cut.len(), "entry", "entries")));
    }
    line
}
