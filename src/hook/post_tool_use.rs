//! `PostToolUse`: the main agent read or wrote a memory, which it then has: it need not be given again.

use std::path::{Component, Path, PathBuf};

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
    // Relative paths are relative to where the session is.
    let path = call.cwd.as_deref().map_or_else(|| path.to_owned(), |cwd| cwd.join(path));
    let Some(file) = file_of(store, &path).filter(|file| file != INDEX_FILE) else { return Ok(()) };
    given::note(&world.state, store.root(), session, &[Given::now(store, &file, how, world.clock.now())])?;
    Ok(())
}

/// The file of a store that a path means, whichever links and detours lead there. A relative path means none.
pub(super) fn file_of(store: &Store, path: &Path) -> Option<String> {
    if !path.is_absolute() {
        return None;
    }
    let below = canonical(path).strip_prefix(canonical(store.root())).map(Path::to_owned);
    Some(below.ok()?.to_str()?.replace('\\', "/"))
}

/// The path without links and `..`; of what is not there, by its words.
fn canonical(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            _ => plain.push(part),
        }
    }
    // A file that is gone lay in a directory that may be a link.
    match (plain.parent().map(Path::canonicalize), plain.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => plain,
    }
}
