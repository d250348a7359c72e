//! Lines of a file as byte ranges: what every byte-preserving reader and editor here stands on.
//!
//! Not its job: meaning. A line ends at `\n`; a `\r` before it belongs to the ending.

use std::ops::Range;

/// One line: where it is and where the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ByteLine {
    /// Its bytes without the ending.
    pub(crate) range: Range<usize>,
    /// Where the next line begins; the end of the file when there is none.
    pub(crate) next: usize,
}

impl ByteLine {
    /// Its bytes with the ending.
    pub(crate) fn whole(&self) -> Range<usize> {
        self.range.start..self.next
    }

    /// Whether the file ends on this line without a newline.
    pub(crate) fn is_unended(&self) -> bool {
        self.range.end == self.next
    }
}

/// The lines of `within`, in order. An ending at the very end does not make another, empty line.
pub(crate) fn lines(bytes: &[u8], within: Range<usize>) -> impl Iterator<Item = ByteLine> + '_ {
    let end = within.end.min(bytes.len());
    let mut at = within.start;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..end).filter(|rest| !rest.is_empty())?;
        let (length, ending) = match memchr::memchr(b'\n', rest) {
            Some(newline) if newline > 0 && rest.get(newline - 1) == Some(&b'\r') => (newline - 1, 2),
            Some(newline) => (newline, 1),
            None => (rest.len(), 0),
        };
        let line = ByteLine { range: at..at + length, next: at + length + ending };
        at = line.next;
        Some(line)
    })
}

/// The bytes of a range; nothing when it is not inside.
pub(crate) fn slice(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

/// The text of a range, damaged UTF-8 replaced.
pub(crate) fn text(bytes: &[u8], range: Range<usize>) -> String {
    String::from_utf8_lossy(slice(bytes, range)).into_owned()
}

/// The ending the file uses: that of its first line, `\n` when it has none.
pub(crate) fn ending(bytes: &[u8]) -> &'static str {
    match memchr::memchr(b'\n', bytes) {
        Some(newline) if newline > 0 && bytes.get(newline - 1) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

/// How many bytes a byte-order mark takes at the start: 3 or 0.
pub(crate) fn mark_length(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }
}

/// The bytes with some ranges replaced. The ranges must not overlap; their order does not matter.
pub(crate) fn replaced(bytes: &[u8], mut edits: Vec<(Range<usize>, Vec<u8>)>) -> Vec<u8> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = Vec::with_capacity(bytes.len() + edits.iter().map(|(_, new)| new.len()).sum::<usize>());
    let mut at = 0;
    for (range, new) in edits {
        out.extend_from_slice(slice(bytes, at..range.start));
        out.extend_from_slice(&new);
        at = range.end;
    }
    out.extend_from_slice(slice(bytes, at..bytes.len()));
    out
}

/// Whether a line opens or closes a code fence: the fence character and how many of it.
pub(crate) fn fence(line: &[u8]) -> Option<(u8, usize)> {
    let line = line.trim_ascii_start();
    let mark = *line.first().filter(|first| matches!(first, b'`' | b'~'))?;
    let count = line.iter().take_while(|byte| **byte == mark).count();
    // An inline span like ```` ```x``` ```` on one line is no fence.
    (count >= 3 && (mark == b'~' || !slice(line, count..line.len()).contains(&b'`'))).then_some((mark, count))
}

/// Follows code fences from line to line.
#[derive(Debug, Default)]
pub(crate) struct Fences {
    open: Option<(u8, usize)>,
}

impl Fences {
    /// Takes the next line; says whether it is a fence or inside one.
    pub(crate) fn covers(&mut self, line: &[u8]) -> bool {
        match (self.open, fence(line)) {
            (None, Some(found)) => {
                self.open = Some(found);
                true
            }
            (None, None) => false,
            (Some((mark, count)), found) => {
                let bare = line.trim_ascii().iter().all(|byte| *byte == mark);
                if bare && found.is_some_and(|(found_mark, found_count)| found_mark == mark && found_count >= count) {
                    self.open = None;
                }
                true
            }
        }
    }
}

/// The lines of a Markdown text outside code fences, with their numbers from 1.
pub fn text_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fences = Fences::default();
    (1..).zip(text.lines()).filter(move |(_, line)| !fences.covers(line.as_bytes()))
}
