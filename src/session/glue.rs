//! Several objects on one line: what a crash in the middle of an append leaves behind.
//!
//! A healthy line is one object. A damaged one may be whole objects side by side (`{…}{…}`), or the torn beginning of
//! one with a whole one after it. The torn part is given up, the whole ones are kept.

use std::collections::VecDeque;

use serde::de::IgnoredAny;

/// How many torn objects are stepped over in one line, how many places are tried to find the end of one, and how many
/// objects a line may hold: far more than any crash leaves, few enough that a line made to stall us does not. What
/// comes after is given up as one.
const MOST_TORN: u64 = 16;
const MOST_TRIED: usize = 4_096;
const MOST_OBJECTS: usize = 65_536;

/// Where an object lies in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What else a line held.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Parts that are no object and were given up.
    pub(super) unreadable: u64,
    /// Whether the line ends in an unfinished object that may still be completed.
    pub(super) torn: bool,
}

/// Finds the objects in a line. Only a `complete` line, one whose newline was met, is ever given up in part.
pub(super) fn split(line: &[u8], complete: bool, pieces: &mut VecDeque<Piece>) -> Found {
    let mut found = Found::default();
    let mut place = 0;
    loop {
        place += blank(line.get(place..).unwrap_or_default());
        let rest = line.get(place..).unwrap_or_default();
        if rest.is_empty() {
            return found;
        }
        if pieces.len() == MOST_OBJECTS {
            found.unreadable += u64::from(complete);
            found.torn = !complete;
            return found;
        }
        if let Some(length) = object_length(rest) {
            pieces.push_back(Piece { start: place, end: place + length });
            place += length;
            continue;
        }
        if !complete {
            found.torn = true;
            return found;
        }
        found.unreadable += 1;
        match next_whole_object(rest) {
            Some(ahead) if found.unreadable < MOST_TORN => place += ahead,
            _ => return found,
        }
    }
}

/// How many bytes at the start are blank or a byte order mark.
fn blank(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    loop {
        let before = rest.len();
        rest = rest.trim_ascii_start();
        rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rest);
        if rest.len() == before {
            return bytes.len() - before;
        }
    }
}

/// The length of the object that starts here, by its braces and strings alone; `None` when it does not end.
fn object_length(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'{') {
        return None;
    }
    let mut depth = 0_usize;
    let mut place = 0;
    loop {
        place += memchr::memchr3(b'"', b'{', b'}', bytes.get(place..)?)?;
        match bytes.get(place)? {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => place = string_end(bytes, place + 1)?,
        }
        place += 1;
    }
}

/// Where the string that began before `place` has its closing quote.
fn string_end(bytes: &[u8], mut place: usize) -> Option<usize> {
    loop {
        place += memchr::memchr2(b'"', b'\\', bytes.get(place..)?)?;
        if bytes.get(place) == Some(&b'"') {
            return Some(place);
        }
        place += 2;
    }
}

/// How far ahead the next object starts that is whole and has nothing but objects after it.
fn next_whole_object(rest: &[u8]) -> Option<usize> {
    let starts = memchr::memmem::find_iter(rest, b"{\"").filter(|start| *start > 0);
    starts.take(MOST_TRIED).find(|start| {
        let candidate = rest.get(*start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_slice(candidate).into_iter::<IgnoredAny>();
        let whole = matches!(values.next(), Some(Ok(_)));
        let after = candidate.get(values.byte_offset()..).unwrap_or_default();
        whole && matches!(after.trim_ascii_start().first(), None | Some(b'{'))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    fn objects(line: &str, complete: bool) -> (Vec<&str>, u64, bool) {
        let mut pieces = VecDeque::new();
        let found = split(line.as_bytes(), complete, &mut pieces);
        (pieces.iter().map(|piece| &line[piece.start..piece.end]).collect(), found.unreadable, found.torn)
    }

    #[test]
    fn a_healthy_line_is_one_object_whatever_its_strings_hold() {
        let line = r#"{"a":"}{ \" \\","b":{"c":[{}]}}"#;
        assert_eq!(objects(line, true), (vec![line], 0, false));
    }

    #[test]
    fn objects_side_by_side_are_told_apart() {
        assert_eq!(
            objects(r#"{"a":1}{"b":"}{"} {"c":3}"#, true),
            (vec![r#"{"a":1}"#, r#"{"b":"}{"}"#, r#"{"c":3}"#], 0, false)
        );
    }

    #[test]
    fn a_torn_object_does_not_take_the_next_one_with_it() {
        for torn in [r#"{"a":"x"#, r#"{"a":1,"#, r#"{"a":"x\"#, r#"{"a":{"b":{"c":1},"#, "{", r#"garbage "#] {
            let line = format!(r#"{torn}{{"type":"user","b":{{"c":"{{}}"}}}}"#);
            let whole = &line[torn.len()..];
            assert_eq!(objects(&line, true), (vec![whole], 1, false), "{line}");
        }
    }

    #[test]
    fn an_unfinished_last_line_is_left_whole() {
        assert_eq!(objects(r#"{"a":1}{"b":{"c":1}"#, false), (vec![r#"{"a":1}"#], 0, true));
        assert_eq!(objects(r#"{"b":{"c":1}"#, false), (vec![], 0, true));
    }

    #[test]
    fn a_line_made_to_stall_the_reader_is_given_up_in_bounded_time() {
        for (unit, most) in [(r#"{"a" {"b":1}"#, 16), ("{}", MOST_OBJECTS), (r#"{"a":{"#, 0), ("{\"", 0), ("{", 0)] {
            let line = unit.repeat(100_000);
            let (kept, unreadable, torn) = objects(&line, true);
            assert!(kept.len() <= most && (1..=16).contains(&unreadable) && !torn, "{unit}");
        }
    }

    #[test]
    fn a_line_without_any_object_is_given_up_once() {
        assert_eq!(objects("not json at all", true), (vec![], 1, false));
        assert_eq!(objects(r#"{"a":"#, true), (vec![], 1, false));
        assert_eq!(objects("  \t ", true), (vec![], 0, false));
    }
}
