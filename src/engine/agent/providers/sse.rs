//! Server-sent events, from bytes as they come in: split anywhere, also within a character or a line end.
//!
//! Not its job: what an event means.

/// No line and no event is longer than this; an endless one must not fill the memory.
const LONGEST: usize = 32 * 1024 * 1024;

/// One event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Event {
    /// What `event:` said; empty when nothing did.
    pub(super) name: String,
    /// The `data:` lines, joined.
    pub(super) data: String,
}

/// A line or an event that does not end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Cuts a stream into events.
#[derive(Debug, Default)]
pub(super) struct Parser {
    line: Vec<u8>,
    /// The last byte was a carriage return: a line feed right after it is the same line end.
    after_return: bool,
    is_begun: bool,
    name: String,
    data: Vec<u8>,
    has_data: bool,
}

impl Parser {
    /// Takes bytes and hands out the events that they complete. An event without its blank line is none.
    pub(super) fn take(&mut self, bytes: &[u8]) -> Result<Vec<Event>, TooLong> {
        let mut events = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' if std::mem::take(&mut self.after_return) => {}
                b'\n' | b'\r' => {
                    self.after_return = *byte == b'\r';
                    events.extend(self.end_of_line());
                }
                byte => {
                    self.after_return = false;
                    self.line.push(*byte);
                }
            }
            if self.line.len() > LONGEST || self.data.len() > LONGEST {
                return Err(TooLong);
            }
        }
        Ok(events)
    }

    /// What a stream that ended had begun: a server that breaks off may not have come to its blank line.
    pub(super) fn rest(&mut self) -> Option<Event> {
        self.end_of_line().or_else(|| self.end_of_line())
    }

    fn end_of_line(&mut self) -> Option<Event> {
        let whole = std::mem::take(&mut self.line);
        let is_first = !std::mem::replace(&mut self.is_begun, true);
        let line = whole.strip_prefix(b"\xEF\xBB\xBF").filter(|_| is_first).unwrap_or(&whole);
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            let data = std::mem::take(&mut self.data);
            let has_data = std::mem::take(&mut self.has_data);
            return has_data.then(|| Event { name, data: String::from_utf8_lossy(&data).into_owned() });
        }
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
            }
            // Comments, ids and times to wait mean nothing here: a POST is not taken up again.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]
    use proptest::prelude::*;

    use super::*;

    fn events(text: &[u8]) -> Vec<(String, String)> {
        Parser::default().take(text).unwrap().into_iter().map(|event| (event.name, event.data)).collect()
    }

    fn event(name: &str, data: &str) -> (String, String) {
        (name.to_owned(), data.to_owned())
    }

    #[test]
    fn names_and_data_are_read_with_any_line_end_and_comments_are_not() {
        for end in ["\n", "\r\n", "\r"] {
            let text = "\u{FEFF}: hello|event: ping|data:  two|data: lines|id: 7|odd|||data:x||event: only a name||data: cut off";
            let text = text.replace('|', end);
            assert_eq!(events(text.as_bytes()), [event("ping", " two\nlines"), event("", "x")], "{end:?}");
        }
        assert_eq!(events(b"data\n\n"), [event("", "")], "a field without a colon is there, and empty");
    }

    #[test]
    fn a_line_that_does_not_end_is_given_up() {
        let mut parser = Parser::default();
        let piece = vec![b'a'; 1024 * 1024];
        assert!((0..64).any(|_| parser.take(&piece).is_err()));
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_bytes_are_cut(
            lines in prop::collection::vec("(data: |event: |: |)[a-zé€🙂: ]{0,12}", 0..20),
            ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", "\r\n\r\n"]), 20),
            cuts in prop::collection::vec(1_usize..7, 1..200),
        ) {
            let text: String = lines.iter().zip(&ends).map(|(line, end)| format!("{line}{end}")).collect();
            let whole = Parser::default().take(text.as_bytes()).unwrap();
            let (mut parser, mut rest, mut pieces) = (Parser::default(), text.as_bytes(), Vec::new());
            for cut in cuts.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (piece, more) = rest.split_at((*cut).min(rest.len()));
                pieces.extend(parser.take(piece).unwrap());
                rest = more;
            }
            prop_assert_eq!(pieces, whole);
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
            prop_assert!(Parser::default().take(&bytes).is_ok());
        }
    }
}
