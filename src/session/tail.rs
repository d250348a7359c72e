//! The last lines of a transcript, however long it is, and what they tell: the tools that are in use.
//!
//! Not its job: what else was said (see [`super::answer`] and [`super::human`]).

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::{Block, Line};

/// So many of the last calls are of tools in use.
const CALLS: usize = 20;

/// The tools are looked for within so many bytes of the end.
const TOOLS: u64 = 256 * 1024;

/// The last bytes of a file; they may begin within a line.
///
/// # Errors
/// When the file cannot be opened or read.
pub(super) fn bytes(transcript: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut file = crate::state::open_file(transcript)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut tail = Vec::with_capacity(length.min(most) as usize);
    file.take(most).read_to_end(&mut tail)?;
    Ok(tail)
}

/// The tools a session used last, the latest first, each once.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn recent_tools(transcript: &Path) -> io::Result<Vec<String>> {
    let tail = bytes(transcript, TOOLS)?;
    let finder = memchr::memmem::Finder::new(b"\"tool_use\"");
    let lines = tail.rsplit(|byte| *byte == b'\n').filter(|bytes| finder.find(bytes).is_some());
    let lines = lines.filter_map(Line::parse).filter(|line| !line.is_sidechain);
    let calls = lines.flat_map(|line| {
        let names = line.content.into_iter().filter_map(|block| match block {
            Block::ToolUse { name, .. } => Some(name),
            _ => None,
        });
        names.collect::<Vec<_>>().into_iter().rev()
    });
    let mut tools: Vec<String> = Vec::new();
    for name in calls.take(CALLS) {
        if !tools.contains(&name) {
            tools.push(name);
        }
    }
    Ok(tools)
}
