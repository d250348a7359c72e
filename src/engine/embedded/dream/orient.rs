//! What is there: the inventory, and how full the index is.

use super::super::super::EngineError;
use super::super::desk::Desk;
use crate::memory::index::{MAX_BYTES, MAX_LINES};
use crate::memory::{INDEX_FILE, Kind};
use crate::text;

pub(super) async fn run(desk: &Desk<'_>) -> Result<(), EngineError> {
    desk.breathe().await?;
    desk.tool("Read", INDEX_FILE);
    let count = |kind: Option<Kind>| desk.notes.values().filter(|note| note.kind == kind).count();
    let kinds: Vec<String> = Kind::ALL
        .into_iter()
        .map(|kind| (kind.word(), count(Some(kind))))
        .chain([("of no type", count(None))])
        .filter(|(_, number)| *number > 0)
        .map(|(word, number)| format!("{number} {word}"))
        .collect();
    let measure = &desk.index.measure;
    let inventory = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    desk.say(format!(
        "{}{inventory}; the index has {} of {MAX_LINES} lines and {} of {MAX_BYTES} bytes",
        text::count(desk.notes.len(), "memory", "memories"),
        measure.lines,
        measure.bytes,
    ));
    for note in desk.notes.values().filter(|note| !note.is_open && !note.file.contains('/')) {
        desk.say(format!("{} is damaged and stays as it is", note.file));
    }
    Ok(())
}
