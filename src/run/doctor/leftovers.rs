//! What dead runs, cut-off landings and broken writes left behind.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Check, Examination, NEXT_FIX};
use crate::change::{Door, unsaved};
use crate::editor;
use crate::memory::Store;
use crate::persons_file;
use crate::run::journal::RunBook;
use crate::run::schedule::Schedule;
use crate::run::{lock, reap, undo};
use crate::state::StateDir;
use crate::text::count;

/// A temp file younger than this may be one that is just being written.
const WRITING: Duration = Duration::from_secs(3_600);

pub(super) fn all(examination: Examination<'_>) -> Vec<Check> {
    let mut book = RunBook::new(examination.state.clone());
    let _ = book.refresh();
    let mut checks = vec![runs(examination)];
    checks.extend(undos(examination));
    checks.extend(stores(examination, &book).into_iter().flat_map(|store| of_store(examination, &store)));
    checks.push(litter(examination, &book));
    checks
}

/// Runs whose worker is gone and whose end nobody wrote down.
fn runs(examination: Examination<'_>) -> Check {
    let (dead, journals) = reap::look(examination.state);
    let Some(first) = dead.first() else {
        return Check::ok("runs", format!("{}, none of them dead", count(journals, "journal", "journals")));
    };
    if examination.fix {
        reap::reap(examination.state, examination.clock);
    }
    let is_clean = examination.fix && reap::look(examination.state).0.is_empty();
    let message =
        format!("{} without an end: its process is gone, its place is left", count(dead.len(), "run", "runs"));
    Check::warn("runs", message, NEXT_FIX).at(&examination.state.runs().join(first)).repaired(is_clean)
}

/// Undos whose process is gone before everybody was told.
fn undos(examination: Examination<'_>) -> Option<Check> {
    let left = undo::left(examination.state);
    let first = left.first()?;
    if examination.fix {
        reap::reap(examination.state, examination.clock);
    }
    let is_clean = examination.fix && undo::left(examination.state).is_empty();
    let message = format!(
        "{} cut off: the schedule and the journals of runs may not say what was taken back",
        count(left.len(), "undo was", "undos were")
    );
    Some(Check::warn("runs", message, NEXT_FIX).at(first).repaired(is_clean))
}

/// The stores we know of: the one that is meant, and those that runs worked on.
fn stores(examination: Examination<'_>, book: &RunBook) -> BTreeSet<PathBuf> {
    let meant = examination.choice.map(|choice| choice.store.root().to_owned());
    let of_runs = book.runs().iter().filter(|run| !run.store.is_empty()).map(|run| PathBuf::from(&run.store));
    meant.into_iter().chain(of_runs).filter(|store| store.is_dir()).collect()
}

fn of_store(examination: Examination<'_>, root: &Path) -> Vec<Check> {
    let store = Store::at(root);
    let door = Door::new(examination.state.clone(), examination.clock.clone());
    let mut checks = Vec::new();
    match door.is_interrupted(&store) {
        Ok(false) => {}
        Ok(true) => {
            let fixed = examination.fix && door.recover(&store).is_ok();
            let message =
                "a landing was cut off half-way; finishing it, or taking it back, is the next start's first work";
            checks.push(Check::warn("landing", message, NEXT_FIX).at(root).repaired(fixed));
        }
        Err(error) => {
            checks.push(Check::fail("landing", error.to_string(), "see to the path, then try again").at(root));
        }
    }
    let schedule = Schedule::of(examination.state, root);
    if lock::is_left(schedule.dir(), examination.clock.now()) {
        let fixed = examination.fix && lock::recover(root, schedule.dir()).is_ok_and(|done| done.is_some());
        let message = "the lock of the store is as a dead run left it, not as it was before";
        checks.push(Check::warn("lock", message, NEXT_FIX).at(root).repaired(fixed));
    }
    checks
}

/// Texts that were not saved when a screen ended: a person's words, which no repair drops.
pub(super) fn unsaved(examination: Examination<'_>) -> Check {
    let (waiting, unreadable) = unsaved::all_waiting(examination.state);
    let mut parts = Vec::new();
    let mut next = Vec::new();
    if let Some(first) = waiting.first() {
        let named = waiting.iter().take(5).map(|rescued| {
            let store = if waiting.len() > 1 { format!(" ({})", rescued.store.display()) } else { String::new() };
            format!("{}{store}", rescued.text.title())
        });
        let named = named.collect::<Vec<_>>().join(", ");
        let more = if waiting.len() > 5 { ", …" } else { "" };
        parts.push(format!("{}: {named}{more}", count(waiting.len(), "unsaved draft waits", "unsaved drafts wait")));
        next.push(format!("open dreamtop on {} and press U: it opens or drops it", first.store.display()));
    }
    if let Some((_, why)) = unreadable.first() {
        parts.push(format!("{} cannot be read ({why})", count(unreadable.len(), "unsaved draft", "unsaved drafts")));
        next.push("save its text by hand, or leave it to the version that wrote it; then remove the file".to_owned());
    }
    let first = waiting.first().map(|rescued| &rescued.path).or_else(|| unreadable.first().map(|(path, _)| path));
    match first {
        Some(first) => Check::warn("unsaved", parts.join("; "), next.join("; ")).at(first),
        None => Check::ok("unsaved", "no unsaved draft waits"),
    }
}

/// Texts that an editor left when the program that had opened it was ended: a person's words as well.
pub(super) fn edited(examination: Examination<'_>) -> Option<Check> {
    let left = editor::left(examination.state.root());
    let first = left.first()?;
    let message = format!(
        "{} that $EDITOR worked on: nobody took it over, or it is open now",
        count(left.len(), "copy", "copies")
    );
    Some(Check::warn("editor", message, "take what you need from it, then remove its directory").at(first))
}

/// Temp files of broken writes, and notes to runs that are over.
fn litter(examination: Examination<'_>, book: &RunBook) -> Check {
    let mut found = find_litter(examination.state, book);
    found.extend(beside_persons_files(examination));
    let Some(first) = found.first() else { return Check::ok("leftovers", "none beside our files") };
    let removed = if examination.fix { found.iter().filter(|path| fs::remove_file(path).is_ok()).count() } else { 0 };
    let message =
        format!("{} of writes and kills that were cut off", count(found.len(), "left-over file", "left-over files"));
    Check::warn("leftovers", message, NEXT_FIX).at(first).repaired(removed == found.len())
}

/// What cut-off writes left beside the files of the person's that we write: our configuration, the settings of Claude Code.
fn beside_persons_files(examination: Examination<'_>) -> Vec<PathBuf> {
    let home = examination.choice.and_then(|choice| Some(choice.home.as_ref()?.base().to_owned()));
    let inside = examination.choice.and_then(|choice| Some(choice.checkout.as_ref()?.join(".claude")));
    let settings: BTreeSet<PathBuf> = [home, inside].into_iter().flatten().collect();
    let config = examination.config.dir.clone();
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    for directory in settings.iter().map(|dir| dir.join("commands")).chain(config) {
        found.extend(persons_file::left_in(&directory));
    }
    for file in settings.iter().flat_map(|dir| ["settings.json", "settings.local.json"].map(|name| dir.join(name))) {
        found.extend(persons_file::left_beside(&file));
    }
    found.into_iter().collect()
}

fn find_litter(state: &StateDir, book: &RunBook) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![state.root().to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() {
                open.push(path);
                continue;
            }
            let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok()).unwrap_or_default();
            let is_temp = name.starts_with(".dreamtop-") && name.ends_with(".tmp") && age > WRITING;
            let is_note = name.strip_suffix(".kill").is_some_and(|run| book.run(run).is_none_or(|run| !run.is_live()));
            if is_temp || is_note {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
