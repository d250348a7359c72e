//! A text as a scanner reads it, with the way back to where each byte came from.
//!
//! `plain` is without invisible characters and with full-width letters as plain ones; `joined` also without what may cut
//! a token in two: line ends, comments, the seam of two strings. Not its job: finding anything.

use std::borrow::Cow;
use std::ops::Range;

/// The text and where it came from.
pub(super) struct View<'a> {
    bytes: Cow<'a, [u8]>,
    /// For each byte where its character begins and ends in the original. Empty: as it stands.
    origin: Vec<(usize, usize)>,
    /// Places in the original where something was left out between two bytes.
    seams: Vec<usize>,
}

/// Whether a byte can stand in a token.
fn is_token(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte))
}

/// How many bytes of a rest are one of `blanks`.
fn blanks(rest: &[u8], blanks: &[u8]) -> usize {
    rest.iter().take_while(|byte| blanks.contains(byte)).count()
}

/// The length of what cuts a token at the start of `rest`: a line end with what a quote puts before the next line, a
/// comment, the seam of two strings.
fn seam(rest: &[u8]) -> Option<usize> {
    let line_end = |rest: &[u8]| {
        let at = blanks(rest, b" \t\r\\");
        (rest.get(at) == Some(&b'\n')).then(|| at + 1 + blanks(rest.get(at + 1..).unwrap_or_default(), b" \t>"))
    };
    match rest {
        [b'<', b'!', b'-', b'-', ..] => memchr::memmem::find(rest.get(..100).unwrap_or(rest), b"-->").map(|at| at + 3),
        [quote @ (b'"' | b'\''), after @ ..] => {
            let blank = blanks(after, b" \t+.");
            let to_next = after.get(blank..).unwrap_or_default();
            let blank = blank + line_end(to_next).unwrap_or(0);
            (blank > 0 && after.get(blank) == Some(quote)).then_some(blank + 2)
        }
        _ => line_end(rest),
    }
}

impl<'a> View<'a> {
    /// Without invisible characters, full-width letters and signs as plain ones. Lines stay lines.
    pub(super) fn plain(bytes: &'a [u8]) -> Self {
        let is_plain = !bytes.iter().any(|byte| matches!(byte, 0xE2 | 0xEF | 0xC2));
        if is_plain {
            return View { bytes: Cow::Borrowed(bytes), origin: Vec::new(), seams: Vec::new() };
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut origin = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let (byte, step) = match rest {
                [0xE2, 0x80, 0x8B..=0x8F | 0xAA..=0xAE, ..]
                | [0xE2, 0x81, 0xA0..=0xA9, ..]
                | [0xEF, 0xBB, 0xBF, ..] => (None, 3),
                [0xC2, 0xAD, ..] => (None, 2),
                // U+FF01 to U+FF5E are U+0021 to U+007E, wide.
                [0xEF, 0xBC, low @ 0x81..=0xBF, ..] => (Some(low - 0x60), 3),
                [0xEF, 0xBD, low @ 0x80..=0x9E, ..] => (Some(low - 0x20), 3),
                [first, ..] => (Some(*first), 1),
                [] => break,
            };
            if let Some(byte) = byte {
                out.push(byte);
                origin.push((at, at + step));
            }
            at += step;
        }
        View { bytes: Cow::Owned(out), origin, seams: Vec::new() }
    }

    /// The same without seams; `None` when there are none.
    pub(super) fn joined(plain: &View<'_>) -> Option<View<'static>> {
        let text = plain.bytes();
        let mut cuts: Vec<Range<usize>> = Vec::new();
        for at in memchr::memchr3_iter(b'\n', b'<', b'"', text).chain(memchr::memchr_iter(b'\'', text)) {
            // A line end may have blanks before it.
            let before = text.get(..at).unwrap_or_default();
            let start = at - before.iter().rev().take_while(|byte| b" \t\r\\".contains(byte)).count();
            let start = if text.get(at) == Some(&b'\n') { start } else { at };
            let Some(length) = text.get(start..).and_then(seam) else { continue };
            let end = start + length;
            let near = text.get(start.saturating_sub(12)..start).unwrap_or_default();
            let next = text.get(end..(end + 12).min(text.len())).unwrap_or_default();
            // Two words of a sentence are no halves of a token: a digit stands near in one of them.
            let is_cut =
                is_token(near.last()) && is_token(next.first()) && near.iter().chain(next).any(u8::is_ascii_digit);
            if is_cut {
                cuts.push(start..end);
            }
        }
        if cuts.is_empty() {
            return None;
        }
        cuts.sort_by_key(|cut| cut.start);
        let mut out = Vec::with_capacity(text.len());
        let mut origin = Vec::with_capacity(text.len());
        let mut seams = Vec::new();
        let mut at = 0;
        for cut in cuts.into_iter().chain(std::iter::once(text.len()..text.len())) {
            if cut.start < at {
                continue;
            }
            out.extend_from_slice(text.get(at..cut.start).unwrap_or_default());
            origin.extend((at..cut.start).map(|at| plain.back(at)));
            seams.push(plain.back(cut.start).0);
            at = cut.end;
        }
        seams.pop();
        Some(View { bytes: Cow::Owned(out), origin, seams })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether something was left out inside a place of the original.
    pub(super) fn is_mended(&self, place: &Range<usize>) -> bool {
        let first = self.seams.partition_point(|seam| *seam <= place.start);
        self.seams.get(first).is_some_and(|seam| *seam < place.end)
    }

    /// Where a range of this view lies in the original: up to the end of its last character, not over what was left
    /// out behind it.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.back(range.start).0;
        let last = range.end.checked_sub(1).filter(|last| *last >= range.start);
        start..last.map_or(start, |last| self.back(last).1)
    }

    fn back(&self, at: usize) -> (usize, usize) {
        if self.origin.is_empty() { (at, at + 1) } else { self.origin.get(at).copied().unwrap_or_default() }
    }
}
