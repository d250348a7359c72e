//! `ls --filter` and `ls --view`: which rows are listed.

use std::collections::BTreeSet;

use super::Evidence;
use crate::cli::args::{Ls, Order};
use crate::cli::context::Context;
use crate::cli::output::Failure;
use crate::filter::views::{self, View};
use crate::filter::{Facts, Filter, Matcher, Subject};
use crate::health::{Finding, RecallUse};
use crate::memory::{ShelfLife, Snapshot, StoreKind};

/// The filter and the order that are asked for. A filter with a value that nothing is known by is refused: a script must
/// not take a longer list for an answer.
pub(super) fn asked(context: &Context, arguments: &Ls) -> Result<(Filter, Order), Failure> {
    let view = arguments.view.as_deref().map(|name| named(context, name)).transpose()?;
    let line = view.as_ref().map(|view| view.filter.as_str()).or(arguments.filter.as_deref()).unwrap_or_default();
    let filter = Filter::parse(line);
    if let Some(complaint) = filter.complaints().first() {
        return Err(Failure::usage(complaint));
    }
    let of_view = view.map(|view| match view.sort.as_str() {
        "age" => Order::Age,
        "name" => Order::Name,
        "type" => Order::Type,
        _ => Order::Need,
    });
    Ok((filter, arguments.sort.or(of_view).unwrap_or_default()))
}

fn named(context: &Context, name: &str) -> Result<View, Failure> {
    let own = views::read(&context.state)?;
    let all: Vec<View> = views::built_in().into_iter().chain(own).collect();
    views::named(&all, name).cloned().ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|view| view.name.as_str()).collect();
        Failure::usage(format!("no view is called {name:?}; there are {}", names.join(", ")))
    })
}

/// The files that match.
pub(super) fn kept<'a>(
    filter: &Filter,
    snapshot: &'a Snapshot,
    evidence: Option<&Evidence>,
    shelf_life: &ShelfLife,
    store: &StoreKind,
) -> BTreeSet<&'a str> {
    let matcher = Matcher::new(filter);
    let unknown = RecallUse::default();
    let none: Vec<Finding> = Vec::new();
    let is_kept = |memory: &&crate::memory::Memory| {
        let findings = evidence.and_then(|evidence| evidence.by_file.get(&memory.file)).unwrap_or(&none);
        let used = evidence.map_or(&unknown, |evidence| &evidence.recall);
        let findings: Vec<&Finding> = findings.iter().collect();
        let facts = Facts::of(memory, &findings, used, shelf_life);
        matcher.score(&Subject { memory, facts: &facts, is_marked: false, store: Some(store) }).is_some()
    };
    snapshot.memories.iter().filter(is_kept).map(|memory| memory.file.as_str()).collect()
}
