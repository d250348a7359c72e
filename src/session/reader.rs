//! Lines of a transcript as bytes.
//!
//! The place of a reader is always "so many bytes, and so many newlines in them", so that a reader that starts where
//! another stopped gives exactly the rest, with the same numbers and offsets, whatever damage lies around. Not its
//! job: what an object says (see [`super::line`]).

use std::collections::VecDeque;
use std::io::{self, BufRead};

use super::glue::{self, Piece};

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
    /// Lines, or parts of lines, that are not a whole JSON object.
    pub unreadable: u64,
    /// Lines over [`MAX_LINE`].
    pub too_long: u64,
    /// Whether the last line is unfinished, without a newline and without a whole object: it is left for next time.
    pub torn_end: bool,
}

/// Streams the lines of a transcript.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// The line being read as it is in the file, without its newline and without what was given of an unfinished one.
    raw: Vec<u8>,
    /// The same without NUL bytes, when it has any.
    cleaned: Option<Vec<u8>>,
    /// The objects of the line that were not given yet.
    pieces: VecDeque<Piece>,
    /// Where the same objects lie in `raw`, when that is not `cleaned`.
    places: VecDeque<Piece>,
    /// Where `raw` starts: its offset, and the newlines before it.
    start: (u64, u64),
    /// How many bytes were read from `start` to the newline: more than `raw` holds when the line is too long.
    length: u64,
    /// Whether the newline was met.
    complete: bool,
    /// Where a later reader goes on.
    position: (u64, u64),
    damage: Damage,
}

/// How reading one line ended.
#[derive(PartialEq, Eq)]
enum Ended {
    Newline,
    EndOfFile,
    Stopped,
}

impl<R: BufRead> Reader<R> {
    /// A reader that starts at the given place: `offset` bytes into the file, before line `number + 1`.
    pub fn starting_at(source: R, offset: u64, number: u64) -> Self {
        Self {
            source,
            raw: Vec::new(),
            cleaned: None,
            pieces: VecDeque::new(),
            places: VecDeque::new(),
            start: (offset, number),
            length: 0,
            complete: false,
            position: (offset, number),
            damage: Damage::default(),
        }
    }

    /// A reader from the start of the file.
    pub fn new(source: R) -> Self {
        Self::starting_at(source, 0, 0)
    }

    /// The next line that holds something, or `None` at the end or at a torn last line. A last line without newline is
    /// given when it is a whole object. Asking again after the end goes on when the file has grown.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_line(&mut self) -> io::Result<Option<RawLine<'_>>> {
        self.next_line_unless(&|| false)
    }

    /// Like [`Reader::next_line`], but gives `None` as soon as `stop` says so, also in the middle of an endless line.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_line_unless(&mut self, stop: &dyn Fn() -> bool) -> io::Result<Option<RawLine<'_>>> {
        while self.pieces.is_empty() {
            self.leave_line();
            let ended = self.fill_line(stop)?;
            if ended == Ended::Stopped {
                return Ok(None);
            }
            self.complete = ended == Ended::Newline;
            self.split_line();
            if ended == Ended::EndOfFile && self.pieces.is_empty() {
                return Ok(None);
            }
        }
        Ok(self.give())
    }

    /// What was stepped over so far.
    pub fn damage(&self) -> Damage {
        self.damage
    }

    /// The offset right after what was given, and the number of newlines before it: where a later reader goes on.
    pub fn position(&self) -> (u64, u64) {
        self.position
    }

    /// Forgets what was read to its newline, and of an unfinished line what was given.
    fn leave_line(&mut self) {
        if self.complete {
            self.start = (self.start.0 + self.length + 1, self.start.1 + 1);
            self.position = self.start;
            self.raw.clear();
            self.length = 0;
            self.complete = false;
        } else {
            let given = usize::try_from(self.position.0 - self.start.0).unwrap_or(usize::MAX).min(self.raw.len());
            self.raw.drain(..given);
            self.length -= given as u64;
            self.start = self.position;
        }
    }

    /// Reads up to the next newline; holds no more than [`MAX_LINE`] and a carriage return of it.
    fn fill_line(&mut self, stop: &dyn Fn() -> bool) -> io::Result<Ended> {
        loop {
            if stop() {
                return Ok(Ended::Stopped);
            }
            let chunk = match self.source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(Ended::EndOfFile);
            }
            let newline = memchr::memchr(b'\n', chunk);
            let part = chunk.get(..newline.unwrap_or(chunk.len())).unwrap_or(chunk);
            self.length += part.len() as u64;
            if self.length <= MAX_LINE as u64 + 1 {
                self.raw.extend_from_slice(part);
            } else {
                self.raw = Vec::new();
            }
            let used = part.len() + usize::from(newline.is_some());
            self.source.consume(used);
            if newline.is_some() {
                return Ok(Ended::Newline);
            }
        }
    }

    /// Finds the objects in the line, whole or as far as it is there.
    fn split_line(&mut self) {
        let content = self.length - u64::from(self.raw.last() == Some(&b'\r'));
        self.cleaned = None;
        self.damage.torn_end = false;
        if content > MAX_LINE as u64 {
            // An unfinished giant is counted when its newline comes.
            self.damage.too_long += u64::from(self.complete);
            self.damage.torn_end = !self.complete;
            return;
        }
        if memchr::memchr(0, &self.raw).is_some() {
            self.cleaned = Some(self.raw.iter().copied().filter(|byte| *byte != 0).collect());
        }
        let line = self.cleaned.as_deref().unwrap_or(&self.raw);
        let found = glue::split(line, self.complete, &mut self.pieces);
        self.damage.unreadable += found.unreadable;
        self.damage.torn_end = found.torn;
        self.places.clear();
        if self.cleaned.is_some() {
            let mut kept = self.raw.iter().enumerate().filter(|(_, byte)| **byte != 0).map(|(place, _)| place);
            let mut passed = 0;
            let mut place_of = |index: usize| {
                let place = kept.nth(index - passed).unwrap_or_default();
                passed = index + 1;
                place
            };
            // A piece is two bytes at least, so its first and its last are never the same.
            let raw_piece = |piece: &Piece| Piece { start: place_of(piece.start), end: place_of(piece.end - 1) + 1 };
            self.places = self.pieces.iter().map(raw_piece).collect();
        }
    }

    /// Gives the next object of the line and moves the place behind it.
    fn give(&mut self) -> Option<RawLine<'_>> {
        let piece = self.pieces.pop_front()?;
        let in_file = self.places.pop_front().unwrap_or(piece);
        let next = self.places.front().or(self.pieces.front());
        let (start, newlines) = self.start;
        self.position = match next {
            Some(next) => (start + next.start as u64, newlines),
            None if self.complete => (start + self.length + 1, newlines + 1),
            None => (start + in_file.end as u64, newlines),
        };
        let bytes = self.cleaned.as_deref().unwrap_or(&self.raw).get(piece.start..piece.end)?;
        Some(RawLine { number: newlines + 1, offset: start + in_file.start as u64, bytes })
    }
}
