//! `PostToolUse`: the main agent read or wrote a memory, which it then has: it need not be given again.

use std::path::Path;

use super::input::Call;
use super::place::Place;
use super::{Trouble, World};
use crate::memory::names::is_markdown;
use crate::memory::{INDEX_FILE, Store};
use crate::session::given::{self, Given, How};

/// Notes it.
pub(super) fn run(call: &Call, world: &World) -> Result<(), Trouble> {
    let how = match call.tool.as_deref() {
        Some("Read") => How::Read,
        Some("Write" | "Edit" | "MultiEdit") => How::Written,
        _ => return Ok(()),
    };
    let (Some(session), Some(path), None) = (call.session.as_deref(), call.file.as_deref(), &call.agent) else {
        return Ok(());
    };
    if !is_markdown(&path.to_string_lossy()) {
        return Ok(());
    }
    let place = Place::of(call, world)?;
    let store = &place.choice.store;
    let Some(file) = file_of(store, path).filter(|file| file != INDEX_FILE) else { return Ok(()) };
    given::note(&world.state, store.root(), session, &[Given::now(store, &file, how, world.clock.now())])?;
    Ok(())
}

/// The file of a store that a path means, whichever links lead there.
fn file_of(store: &Store, path: &Path) -> Option<String> {
    let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let below = path.strip_prefix(store.root()).map(Path::to_owned);
    let below = below.or_else(|_| canonical(path).strip_prefix(canonical(store.root())).map(Path::to_owned));
    Some(below.ok()?.to_str()?.replace('\\', "/"))
}
