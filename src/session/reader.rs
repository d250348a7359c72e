//! Lines of a transcript as bytes.

use std::io::{self, BufRead};

/// A line longer than this is skipped with a note, without ever being held in memory.
pub const MAX_LINE: usize = 8 * 1024 * 1024;

/// One line with its place. Blank lines are not returned; glued objects come as two lines with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawLine<'a> {
    /// The line's number in the file, from 1.
    pub number: u64,
    /// The offset of its first byte.
    pub offset: u64,
    /// Its bytes, without the line ending, NUL bytes and BOM removed.
    pub bytes: &'a [u8],
}

/// What a reader met and stepped over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Lines that are not JSON.
    pub unreadable: u64,
    /// Lines over [`MAX_LINE`].
    pub too_long: u64,
    /// Whether the last line has no newline: it is left for next time.
    pub torn_end: bool,
}

/// Streams the lines of a transcript.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    buffer: Vec<u8>,
    number: u64,
    offset: u64,
    damage: Damage,
}

impl<R: BufRead> Reader<R> {
    /// A reader that starts at the given place: `offset` bytes into the file, before line `number + 1`.
    pub fn starting_at(source: R, offset: u64, number: u64) -> Self {
        Self { source, buffer: Vec::new(), number, offset, damage: Damage::default() }
    }

    /// A reader from the start of the file.
    pub fn new(source: R) -> Self {
        Self::starting_at(source, 0, 0)
    }

    /// The next line that holds something, or `None` at the end or at a torn last line.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        let _ = (&mut self.source, &mut self.buffer);
        todo!()
    }

    /// What was stepped over so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// The offset right after the last whole line, and its number: where a later reader goes on.
    pub fn position(&self) -> (u64, u64) {
        (self.offset, self.number)
    }
}
