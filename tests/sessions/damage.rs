//! Damaged lines: what is stepped over, what is kept, and where reading goes on.

use std::cell::Cell;
use std::io::{BufReader, Write};

use dreamtop::session::human::human_turns;
use dreamtop::session::reader::MAX_LINE;
use dreamtop::session::{Damage, Line, Reader, Speakers};
use proptest::prelude::*;

use crate::{said, write};

/// Number, offset and bytes of every line from a place on, then the damage and the place where reading ended.
type Lines = Vec<(u64, u64, Vec<u8>)>;

fn read_from(bytes: &[u8], place: (u64, u64)) -> (Lines, Damage, (u64, u64)) {
    let rest = &bytes[usize::try_from(place.0).unwrap()..];
    // A small buffer, so that lines are put together from many pieces.
    let mut reader = Reader::starting_at(BufReader::with_capacity(7, rest), place.0, place.1);
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        lines.push((line.number, line.offset, line.bytes.to_vec()));
    }
    (lines, reader.damage(), reader.position())
}

fn read(text: impl AsRef<[u8]>) -> (Vec<(u64, String)>, Damage, (u64, u64)) {
    let (lines, damage, end) = read_from(text.as_ref(), (0, 0));
    let lines = lines.into_iter().map(|(number, _, bytes)| (number, String::from_utf8(bytes).unwrap()));
    (lines.collect(), damage, end)
}

fn numbered(lines: &[(u64, &str)]) -> Vec<(u64, String)> {
    lines.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
}

#[test]
fn blank_lines_and_windows_line_endings_are_stepped_over_and_counted() {
    let (lines, damage, end) = read("\u{FEFF}{\"a\":1}\r\n\r\n  \n\n{\"b\":2}\r\n");
    assert_eq!(lines, numbered(&[(1, r#"{"a":1}"#), (5, r#"{"b":2}"#)]));
    assert_eq!((damage, end), (Damage::default(), (27, 5)));
}

#[test]
fn a_torn_last_line_is_left_for_next_time_and_then_read_once() {
    let torn = "{\"a\":1}\n{\"b\":{\"c\":2}";
    let (lines, damage, end) = read(torn);
    assert_eq!(lines, numbered(&[(1, r#"{"a":1}"#)]));
    assert!(damage.torn_end && damage.unreadable == 0);
    assert_eq!(end, (8, 1));
    let whole = format!("{torn}}}\n");
    let (rest, damage, end) = read_from(whole.as_bytes(), end);
    assert_eq!(rest, [(2, 8, br#"{"b":{"c":2}}"#.to_vec())]);
    assert_eq!((damage, end), (Damage::default(), (22, 2)));
}

#[test]
fn a_whole_last_object_without_a_newline_is_read_now_and_not_again() {
    let (lines, damage, end) = read("{\"a\":1}\n{\"b\":2}");
    assert_eq!(lines.len(), 2);
    assert_eq!((damage, end), (Damage::default(), (15, 1)));
    let (rest, _, end) = read_from(b"{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n", end);
    assert_eq!(rest, [(3, 16, br#"{"c":3}"#.to_vec())]);
    assert_eq!(end, (24, 3));
}

#[test]
fn a_reader_asked_again_goes_on_where_the_file_has_grown() {
    let dir = tempfile::tempdir().unwrap();
    let path = write(dir.path().join("s.jsonl"), r#"{"a":1}{"b":"#);
    let mut growing = std::fs::File::options().append(true).open(&path).unwrap();
    let mut reader = Reader::new(BufReader::new(std::fs::File::open(&path).unwrap()));
    assert_eq!(reader.next_line().unwrap().unwrap().bytes, br#"{"a":1}"#);
    for _ in 0..2 {
        assert!(reader.next_line().unwrap().is_none() && reader.damage().torn_end);
        assert_eq!(reader.position(), (7, 0));
    }
    growing.write_all(b"2}\n{\"c\":3}\n").unwrap();
    let mut rest = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        rest.push((line.number, line.offset, line.bytes.to_vec()));
    }
    assert_eq!(rest, [(1, 7, br#"{"b":2}"#.to_vec()), (2, 15, br#"{"c":3}"#.to_vec())]);
    assert!(!reader.damage().torn_end);
}

#[test]
fn glued_objects_come_one_by_one_with_the_same_number() {
    let (lines, damage, _) = read("{\"a\":\"}{\"}{\"b\":2}\n{\"torn\":\"x{\"c\":{\"d\":3}}\n{\"e\":4}\n");
    assert_eq!(lines, numbered(&[(1, r#"{"a":"}{"}"#), (1, r#"{"b":2}"#), (2, r#"{"c":{"d":3}}"#), (3, r#"{"e":4}"#)]));
    assert_eq!(damage.unreadable, 1);
}

#[test]
fn a_run_of_nul_bytes_costs_nothing_but_itself() {
    let nul = "\0".repeat(700);
    let (lines, damage, _) =
        read(format!("{{\"a\":1}}\n{nul}{{\"b\":2}}\n{nul}\n{{\"c\":{nul}3}}{nul}{{\"d\":4}}\n{nul}"));
    assert_eq!(lines, numbered(&[(1, r#"{"a":1}"#), (2, r#"{"b":2}"#), (4, r#"{"c":3}"#), (4, r#"{"d":4}"#)]));
    assert_eq!(damage, Damage::default());
}

#[test]
fn lines_that_are_not_objects_are_counted_and_the_next_ones_read() {
    let (lines, damage, _) = read("nothing\n[1]\n{\"a\":\n\u{FEFF}\n{\"b\":2}\n");
    assert_eq!((lines, damage.unreadable), (numbered(&[(5, r#"{"b":2}"#)]), 3));
}

#[test]
fn bytes_that_are_not_utf8_and_lone_surrogates_reach_the_line_reader_whole() {
    let bytes = b"{\"type\":\"user\",\"cwd\":\"\xFF\xC3\"}\n{\"type\":\"user\",\"cwd\":\"\\ud83c\"}\n";
    let (lines, damage, _) = read_from(bytes, (0, 0));
    assert_eq!(damage, Damage::default());
    let cwds: Vec<_> = lines.iter().map(|(_, _, bytes)| Line::parse(bytes).unwrap().cwd.unwrap()).collect();
    assert_eq!(cwds, ["\u{FFFD}\u{FFFD}", "\u{FFFD}"]);
}

#[test]
fn fc_139_a_line_of_exactly_the_limit_is_read_and_one_byte_more_is_skipped() {
    let line_of = |length: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(length - 8));
    for ending in ["\n", "\r\n"] {
        for (length, kept) in [(MAX_LINE - 1, true), (MAX_LINE, true), (MAX_LINE + 1, false), (MAX_LINE + 2, false)] {
            let text = format!("{}{ending}{{\"b\":2}}\n", line_of(length));
            let mut reader = Reader::new(text.as_bytes());
            let mut lengths = Vec::new();
            while let Some(line) = reader.next_line().unwrap() {
                lengths.push((line.number, line.bytes.len()));
            }
            let expected = if kept { vec![(1, length), (2, 7)] } else { vec![(2, 7)] };
            assert_eq!(lengths, expected, "{length} {ending:?}");
            assert_eq!(reader.damage().too_long, u64::from(!kept));
            assert_eq!(reader.position(), (text.len() as u64, 2));
        }
    }
}

#[test]
fn fc_139_a_12_mb_line_is_skipped_and_the_turns_around_it_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let giant = said("2", &"x".repeat(12_000_000));
    let path =
        write(dir.path().join("s.jsonl"), [said("1", "one"), giant, said("3", "three"), String::new()].join("\n"));
    let read = human_turns(&path, (0, 0), Speakers::Persons, &|_| false, &|| false).unwrap();
    let turns: Vec<_> = read.turns.iter().map(|turn| (turn.line, turn.text.as_str())).collect();
    assert_eq!(turns, [(1, "one"), (3, "three")]);
    assert_eq!(read.damage.too_long, 1);
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 200_000, "{peak} kB");
    }
}

#[test]
fn fc_139_reading_can_be_stopped_between_lines_and_within_an_endless_one() {
    let dir = tempfile::tempdir().unwrap();
    let many: String = (0..1_000).map(|number| said(&number.to_string(), "word") + "\n").collect();
    let path = write(dir.path().join("many.jsonl"), &many);
    let asked = Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) >= 10;
    let part = human_turns(&path, (0, 0), Speakers::Persons, &|_| false, &stop).unwrap();
    assert!(!part.turns.is_empty() && part.turns.len() < 20);
    let rest = human_turns(&path, part.end, Speakers::Persons, &|_| false, &|| false).unwrap();
    assert_eq!(part.turns.len() + rest.turns.len(), 1_000);

    // An endless line is one of NUL bytes: what a sparse file of gigabytes looks like.
    let path = write(dir.path().join("endless.jsonl"), said("1", "one") + "\n");
    std::fs::File::options().write(true).open(&path).unwrap().set_len(3_800_000_000).unwrap();
    asked.set(0);
    let read = human_turns(&path, (0, 0), Speakers::Persons, &|_| false, &stop).unwrap();
    assert_eq!((read.turns.len(), asked.get()), (1, 11));
    assert_eq!(read.end.1, 1);
}

#[test]
fn a_vanished_transcript_is_not_found_and_a_rewritten_shorter_one_is_read_anew() {
    let dir = tempfile::tempdir().unwrap();
    let gone =
        human_turns(&dir.path().join("gone.jsonl"), (0, 0), Speakers::Persons, &|_| false, &|| false).unwrap_err();
    assert_eq!(gone.kind(), std::io::ErrorKind::NotFound);
    let path = write(dir.path().join("s.jsonl"), said("1", "one") + "\n");
    let read = human_turns(&path, (1_000_000, 500), Speakers::Persons, &|_| false, &|| false).unwrap();
    assert_eq!((read.turns.len(), read.turns[0].line), (1, 1));
}

/// Bytes put together from what transcripts and their damage are made of.
fn rubble() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(br#"{"a":1}"#.to_vec()),
        Just(br#"{"type":"user","b":{"c":"} {\" "}}"#.to_vec()),
        Just(br#"{"torn":"x"#.to_vec()),
        Just(br#"{"torn":{"a":"#.to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(vec![0; 3]),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b" ".to_vec()),
        Just(b"\\\"{}\xFF".to_vec()),
        proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn reading_never_panics_and_its_places_are_true(bytes in rubble()) {
        let (lines, _, end) = read_from(&bytes, (0, 0));
        for (number, offset, line) in &lines {
            let start = usize::try_from(*offset).unwrap();
            let newlines = bytes[..start].iter().filter(|byte| **byte == b'\n').count() as u64;
            prop_assert_eq!(*number, newlines + 1);
            prop_assert_eq!(bytes[start], b'{');
            prop_assert_eq!(line[0], b'{');
            prop_assert!(!line.contains(&0) && !line.contains(&b'\n'));
            let _ = Line::parse(line);
        }
        let read = usize::try_from(end.0).unwrap();
        prop_assert_eq!(bytes[..read].iter().filter(|byte| **byte == b'\n').count() as u64, end.1);
    }

    #[test]
    fn a_reader_that_starts_where_another_stopped_gives_exactly_the_rest(bytes in rubble(), taken in 0_usize..12) {
        let (all, _, end) = read_from(&bytes, (0, 0));
        let mut reader = Reader::new(&bytes[..]);
        let taken = taken.min(all.len());
        for _ in 0..taken {
            reader.next_line().unwrap();
        }
        let (rest, _, rest_end) = read_from(&bytes, reader.position());
        prop_assert_eq!(&rest[..], &all[taken..]);
        prop_assert_eq!(rest_end, end);
    }

    #[test]
    fn a_file_read_while_it_grows_gives_what_it_gives_at_the_end(bytes in rubble(), at in any::<prop::sample::Index>()) {
        let (all, _, end) = read_from(&bytes, (0, 0));
        let cut = at.index(bytes.len() + 1);
        let (mut lines, _, place) = read_from(&bytes[..cut], (0, 0));
        let (rest, _, rest_end) = read_from(&bytes, place);
        lines.extend(rest);
        prop_assert_eq!(lines, all);
        prop_assert_eq!(rest_end, end);
    }

    #[test]
    fn no_bytes_make_the_line_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Line::parse(&bytes);
        let quoted = [b"{\"type\":\"user\",\"cwd\":\"", &bytes[..], b"\"}"].concat();
        let _ = Line::parse(&quoted);
    }
}
