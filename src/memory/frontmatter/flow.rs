//! `metadata: {type: feedback, …}` on one line: where its keys and values are.

use std::ops::Range;

use super::scalar;
use crate::memory::lines::slice;

/// One `key: value` of a flow mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The key, without quotes.
    pub(super) key: String,
    /// The value's bytes in the file.
    pub(super) value: Range<usize>,
}

/// A flow mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flow {
    /// Its pairs, in order.
    pub(super) pairs: Vec<Pair>,
    /// Right before the closing brace.
    pub(super) close: usize,
}

/// Understands the flow mapping at `at`; `None` when there is none, or it is not whole.
pub(super) fn read(bytes: &[u8], at: Range<usize>) -> Option<Flow> {
    let raw = slice(bytes, at.clone());
    if raw.first() != Some(&b'{') || raw.contains(&b'\n') {
        return None;
    }
    let mut depth = 0_usize;
    let mut parts = Vec::new();
    let mut start = 1;
    let mut place = 0;
    let close = loop {
        match *raw.get(place)? {
            b'"' | b'\'' => place += scalar::quoted_end(slice(raw, place..raw.len()))? - 1,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 1 => depth -= 1,
            b'}' => break place,
            b']' => return None,
            b',' if depth == 1 => {
                parts.push(start..place);
                start = place + 1;
            }
            _ => {}
        }
        place += 1;
    };
    parts.push(start..close);
    let pairs = parts.into_iter().filter_map(|part| pair(raw, part, at.start)).collect();
    Some(Flow { pairs, close: at.start + close })
}

fn pair(raw: &[u8], part: Range<usize>, offset: usize) -> Option<Pair> {
    let text = slice(raw, part.clone());
    let from =
        scalar::quoted_end(text.trim_ascii_start()).map_or(0, |end| end + text.len() - text.trim_ascii_start().len());
    let colon = from + text.get(from..)?.iter().position(|byte| *byte == b':')?;
    let key = String::from_utf8_lossy(slice(text, 0..colon)).trim().trim_matches(['"', '\'']).to_owned();
    let value = slice(text, colon + 1..text.len());
    let end = part.start + text.trim_ascii_end().len();
    let start = end - value.trim_ascii().len();
    Some(Pair { key, value: offset + start..offset + end })
}
