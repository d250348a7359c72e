//! `SessionStart`: what earlier sessions left unread is caught up with, and when something is wrong with the memory the
//! session is told so in one line. Nothing wrong, nothing said.

use super::input::Call;
use super::place::Place;
use super::{Said, Trouble, World, context};
use crate::change::{Door, InboxEntry};
use crate::memory::{ProblemCode, ScanOptions, Snapshot, StoreError};
use crate::recall::frame::quoted;
use crate::run::service::Extraction;
use crate::run::{gates, seen, trigger};
use crate::session::given;
use crate::text::count;

/// So many files are named; the rest is counted.
const NAMED: usize = 3;

/// What keeps a memory from being read as it was meant.
const DAMAGE: [ProblemCode; 4] = [
    ProblemCode::Unreadable,
    ProblemCode::FrontmatterUnreadable,
    ProblemCode::FrontmatterStub,
    ProblemCode::FrontmatterTwoBlocks,
];

/// Catches up, and says what is wrong.
pub(super) fn run(call: &Call, world: &World) -> Result<Option<Said>, Trouble> {
    if world.no_person(call).is_some() {
        return Ok(None);
    }
    let place = Place::of(call, world)?;
    let store = &place.choice.store;
    world.note(call, &place, false)?;
    if let (Some(session), Some("compact" | "clear")) = (call.session.as_deref(), call.source.as_deref()) {
        given::forget(&world.state, store.root(), session, world.clock.now())?;
    }
    let options = world.options(place.start.as_deref());
    let service = world.service(&place.choice, &options);
    let (speakers, now) = (gates::speakers(&world.config), world.clock.now());
    for transcript in seen::left(&place.choice, &world.state, speakers, call.session.as_deref(), now) {
        service.start([service.extract(Extraction {
            transcript: &transcript,
            by: trigger::CATCH_UP,
            awaits: None,
        })])?;
    }
    if place.choice.memory_off().is_some() {
        return Ok(None);
    }
    let door = Door::new(world.state.clone(), world.clock.clone());
    let shelf_life = world.config.shelf_life;
    let options = ScanOptions { now, shelf_life, confirmed: door.confirmed(store) };
    let mut said = match store.scan(&options) {
        Ok(snapshot) => trouble(&snapshot),
        // What would be its first memory may wait for a person.
        Err(StoreError::Missing(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let inbox = door.inbox(store)?;
    let waiting: usize = inbox.iter().map(InboxEntry::waiting).sum();
    if waiting > 0 {
        said.push(format!("{} for a person (`dreamtop inbox`)", count(waiting, "change waits", "changes wait")));
    }
    let sentence = format!("dreamtop on this project's memory: {}.", said.join("; "));
    Ok((!said.is_empty()).then(|| context(&call.event, &sentence)))
}

/// What is wrong with a store.
fn trouble(snapshot: &Snapshot) -> Vec<String> {
    let mut said = Vec::new();
    let measure = &snapshot.index.measure;
    if measure.loaded_lines < measure.lines || measure.loaded_bytes < measure.bytes {
        let cut: Vec<&str> = measure.cut.iter().map(String::as_str).collect();
        let entries = count(cut.len(), "entry is", "entries are");
        said.push(format!("the memory index is too long, and {entries} not loaded{}", names(&cut)));
    }
    let is_damaged = |code: &ProblemCode| DAMAGE.contains(code);
    let damaged: Vec<&str> = snapshot
        .memories
        .iter()
        .filter(|memory| memory.problems.iter().any(|problem| is_damaged(&problem.code)))
        .map(|memory| memory.file.as_str())
        .collect();
    if !damaged.is_empty() {
        said.push(format!("{} damaged{}", count(damaged.len(), "memory is", "memories are"), names(&damaged)));
    }
    said
}

fn names(files: &[&str]) -> String {
    let named: Vec<String> = files.iter().take(NAMED).map(|file| quoted(file).replace('\n', " ")).collect();
    match files.len().saturating_sub(NAMED) {
        _ if named.is_empty() => String::new(),
        0 => format!(" ({})", named.join(", ")),
        more => format!(" ({} and {more} more)", named.join(", ")),
    }
}
