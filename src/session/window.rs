//! A stretch of a transcript around a line, whatever its size: what a person looks at.
//!
//! The file is passed over once for its line breaks, and once more for which lines answer which when that is asked for;
//! only the stretch itself is understood and held. Not its job: how it looks.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::conversation::{Gathering, Turn};
use super::threads::{Ways, ways};
use super::{Damage, Line, Reader, Speakers, human_text};
use crate::state::open_file;

/// How much around a line is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Lines on each side.
    pub lines: u64,
    /// Bytes on each side; a line is read whole.
    pub bytes: u64,
    /// Whether to tell which turns were taken back, which needs the whole file.
    pub threads: bool,
}

impl Bounds {
    /// What a viewer shows at once.
    pub const SCREEN: Self = Self { lines: 400, bytes: 4_000_000, threads: true };
    /// What a few rows beside a list show.
    pub const GLANCE: Self = Self { lines: 24, bytes: 400_000, threads: false };
}

/// A stretch of a transcript.
#[derive(Clone, Debug, Default)]
pub struct Window {
    /// The turns, with what tools answered, in the order of the file.
    pub turns: Vec<Turn>,
    /// The first and the last line of the stretch, from 1.
    pub lines: (u64, u64),
    /// The lines of the whole file; `None`: they were not counted.
    pub total: Option<u64>,
    /// What was stepped over in the stretch.
    pub damage: Damage,
    /// Whether rewinds are marked.
    pub knows_threads: bool,
}

impl Window {
    /// Reads the stretch around a line. `stop` is asked while the file is passed over.
    ///
    /// # Errors
    /// When the file is no regular file, or cannot be opened or read.
    pub fn read(path: &Path, line: u64, bounds: Bounds, stop: &dyn Fn() -> bool) -> io::Result<Self> {
        let line = line.max(1);
        let mut file = open_file(path)?;
        let place = locate(&mut file, line, bounds, stop)?;
        let (ways, knows_threads) = match bounds.threads {
            true => ways(&mut file, stop)?,
            false => (Ways::default(), false),
        };
        file.seek(SeekFrom::Start(place.offset))?;
        let source = BufReader::with_capacity(128 * 1024, file);
        let mut reader = Reader::starting_at(source, place.offset, place.number);
        let mut gathering = Gathering::for_looking();
        let last = line.saturating_add(bounds.lines);
        let mut reached = place.number;
        let mut unreadable = 0;
        while let Some(raw) = reader.next_line_unless(stop)? {
            let is_behind = raw.number > line && raw.offset > place.wanted.saturating_add(bounds.bytes);
            if raw.number > last || is_behind {
                break;
            }
            reached = raw.number;
            match Line::parse(raw.bytes) {
                Some(parsed) => gathering.take(0, raw.number, parsed),
                None => unreadable += 1,
            }
        }
        let damage = reader.damage();
        gathering.damage = Damage { unreadable: damage.unreadable + unreadable, ..damage };
        let conversation = gathering.finish(&ways);
        Ok(Self {
            turns: conversation.turns,
            lines: (place.number + 1, reached.max(place.number + 1)),
            total: place.total,
            damage: conversation.damage,
            knows_threads,
        })
    }

    /// The turn that a line belongs to, else the nearest one before it, else the first.
    #[must_use]
    pub fn at(&self, line: u64) -> Option<usize> {
        let whole = self.turns.iter().position(|turn| turn.lines.contains(&line));
        whole
            .or_else(|| self.turns.iter().rposition(|turn| turn.line <= line))
            .or((!self.turns.is_empty()).then_some(0))
    }
}

/// Where a stretch begins: its offset, the line breaks before it, and the offset of the line that is wanted.
struct Place {
    offset: u64,
    number: u64,
    wanted: u64,
    total: Option<u64>,
}

/// Finds the beginning by counting line breaks. A line beyond the end means the last one.
fn locate(file: &mut File, line: u64, bounds: Bounds, stop: &dyn Fn() -> bool) -> io::Result<Place> {
    let mut chunk = vec![0; 256 * 1024];
    // The beginnings of the last lines, with the number of line breaks before them.
    let mut recent: VecDeque<(u64, u64)> = VecDeque::from([(0, 0)]);
    let (mut offset, mut breaks) = (0_u64, 0_u64);
    let mut found: Option<Place> = None;
    let settle = |recent: &VecDeque<(u64, u64)>| {
        let (wanted, number) = recent.back().copied().unwrap_or_default();
        let is_near = |(start, before): &&(u64, u64)| wanted - start <= bounds.bytes && number - before <= bounds.lines;
        let (offset, number) = recent.iter().find(is_near).copied().unwrap_or((wanted, number));
        Place { offset, number, wanted, total: None }
    };
    if line == 1 {
        found = Some(settle(&recent));
    }
    loop {
        let length = match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let read = chunk.get(..length).unwrap_or_default();
        if found.is_some() {
            breaks += memchr::memchr_iter(b'\n', read).count() as u64;
        } else {
            for at in memchr::memchr_iter(b'\n', read) {
                breaks += 1;
                if found.is_some() {
                    continue;
                }
                recent.push_back((offset + at as u64 + 1, breaks));
                if recent.len() as u64 > bounds.lines + 1 {
                    recent.pop_front();
                }
                if breaks + 1 == line {
                    found = Some(settle(&recent));
                }
            }
        }
        offset += length as u64;
        if stop() || found.is_some() && !bounds.threads {
            break;
        }
    }
    let is_counted = bounds.threads && !stop();
    // Behind the last line break there may be nothing.
    if recent.len() > 1 && recent.back().is_some_and(|(start, _)| *start >= offset) {
        recent.pop_back();
    }
    let mut place = found.unwrap_or_else(|| settle(&recent));
    if is_counted {
        place.total = Some(breaks + u64::from(ends_open(file)?));
    }
    Ok(place)
}

/// Whether the last line has no line break.
fn ends_open(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last != [b'\n'])
}

/// The line in which the person says something, when there is exactly one: transcripts are rewritten, and a line that was
/// recorded may have moved. Words are compared, not blanks and signs.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn line_saying(path: &Path, quote: &str, stop: &dyn Fn() -> bool) -> io::Result<Option<u64>> {
    let wanted = crate::text::folded_words(quote);
    let mut reader = Reader::new(BufReader::with_capacity(256 * 1024, open_file(path)?));
    let mut found = None;
    while let Some(raw) = reader.next_line_unless(stop)? {
        let said = Line::parse(raw.bytes).and_then(|line| human_text(&line, Speakers::ProgramsToo));
        if !wanted.is_empty() && said.is_some_and(|said| crate::text::folded_words(&said).contains(&wanted)) {
            if found.is_some_and(|line| line != raw.number) {
                return Ok(None);
            }
            found = Some(raw.number);
        }
    }
    Ok(found)
}
