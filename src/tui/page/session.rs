//! A session on a page: rows of what was said, calls folded to one line or in full.
//!
//! Laid out once for a width, outside drawing. Not its job: where the page stands and how far it is scrolled.

use std::collections::BTreeSet;
use std::ops::Range;

use super::{moment, wrap};
use crate::text::{fit, visible};
use crate::tui::layer::turn::{CallLine, Speaker, Stretch, TurnLine, ViewRow};
use crate::tui::theme::Meaning;

/// Columns before what was said.
const INDENT: usize = 3;
/// Columns of the line numbers of a file.
const NUMBERS: usize = 7;

/// The rows of a stretch.
#[must_use]
pub fn session(
    stretch: &Stretch,
    unfolded: &BTreeSet<(u64, usize)>,
    wanted: Option<u64>,
    quote: Option<&str>,
    width: usize,
) -> Vec<ViewRow> {
    let mut rows = Vec::new();
    for (number, turn) in stretch.turns.iter().enumerate() {
        let is_it = wanted.is_some_and(|line| turn.lines.contains(&line));
        let from = rows.len();
        if turn.speaker == Speaker::File {
            of_file(&mut rows, number, turn, is_it, width);
        } else {
            spoken(&mut rows, number, turn, is_it, unfolded, width);
        }
        if let Some(quote) = quote.filter(|_| is_it)
            && let Some(own) = rows.get_mut(from..)
        {
            mark_words(own, quote);
        }
    }
    rows
}

fn of_file(rows: &mut Vec<ViewRow>, number: usize, turn: &TurnLine, is_it: bool, width: usize) {
    let meaning = if is_it { Meaning::Heading } else { Meaning::Text };
    let lines = wrap(&turn.text, width.saturating_sub(NUMBERS));
    let lines = if lines.is_empty() { vec![String::new()] } else { lines };
    for (at, text) in lines.into_iter().enumerate() {
        let (line, continues) = (turn.number, at > 0);
        rows.push(ViewRow { turn: number, line, text, meaning, indent: NUMBERS, continues, ..ViewRow::default() });
    }
}

fn spoken(
    rows: &mut Vec<ViewRow>,
    number: usize,
    turn: &TurnLine,
    is_it: bool,
    unfolded: &BTreeSet<(u64, usize)>,
    width: usize,
) {
    let row = |text: String, meaning: Meaning, indent: usize| ViewRow {
        turn: number,
        line: turn.number,
        text,
        meaning,
        indent,
        ..ViewRow::default()
    };
    if turn.begins {
        let text = "── another thread begins: the conversation was compacted or taken up again ──";
        rows.push(row(fit(text, width).into_owned(), Meaning::Dim, 0));
        rows.push(row(String::new(), Meaning::Text, 0));
    }
    let meaning = if is_it { Meaning::Accent } else { Meaning::Dim };
    rows.push(row(fit(&head(turn), width.saturating_sub(1)).into_owned(), meaning, 1));
    let meaning = match turn.speaker {
        _ if turn.rewound || turn.sidechain => Meaning::Dim,
        Speaker::Person if is_it => Meaning::Heading,
        Speaker::Client => Meaning::Dim,
        _ => Meaning::Text,
    };
    for text in wrap(&turn.text, width.saturating_sub(INDENT)) {
        rows.push(row(text, meaning, INDENT));
    }
    for (at, call) in turn.calls.iter().enumerate() {
        let is_open = unfolded.contains(&(turn.number, at));
        let room = width.saturating_sub(INDENT);
        let of_call =
            |text: String, meaning: Meaning, indent: usize| ViewRow { call: Some(at), ..row(text, meaning, indent) };
        let meaning = if call.is_error { Meaning::Warn } else { Meaning::Code };
        rows.push(of_call(fit(&folded(call, is_open), room).into_owned(), meaning, INDENT));
        if is_open {
            let deep = INDENT + 2;
            let inside = |text: &str| wrap(text, width.saturating_sub(deep));
            rows.extend(inside(&call.input).into_iter().map(|text| of_call(text, Meaning::Text, deep)));
            match &call.result {
                Some(result) => {
                    rows.push(of_call("→".to_owned(), Meaning::Dim, deep));
                    rows.extend(inside(result).into_iter().map(|text| of_call(text, Meaning::Dim, deep)));
                }
                None => rows.push(of_call("→ no answer here".to_owned(), Meaning::Dim, deep)),
            }
        }
    }
    rows.push(row(String::new(), Meaning::Text, 0));
}

/// `person, line 12 · 2026-11-12 09:30 · taken back by a rewind`.
fn head(turn: &TurnLine) -> String {
    let who = match (turn.speaker, turn.sidechain) {
        (Speaker::Person, _) => "person",
        (Speaker::Assistant, false) => "assistant",
        (Speaker::Assistant, true) => "sub-agent",
        (Speaker::Client, true) => "for the sub-agent",
        (Speaker::Client, false) => "put in by the client",
        (Speaker::File, _) => "",
    };
    let at = turn.at.map(|at| format!(" · {}", moment(at))).unwrap_or_default();
    let rewound = if turn.rewound { " · taken back by a rewind" } else { "" };
    format!("{who}, line {}{at}{rewound}", turn.number)
}

/// `+ Bash failed: cargo test`.
fn folded(call: &CallLine, is_open: bool) -> String {
    let sign = if is_open { "−" } else { "+" };
    let failed = if call.is_error { "failed: " } else { "" };
    format!("{sign} {} {failed}{}", visible(&call.tool), visible(&call.brief))
}

/// Marks the words of a quote where they follow one another in the rows; blanks, signs and breaks do not count.
fn mark_words(rows: &mut [ViewRow], quote: &str) {
    let wanted: Vec<String> = words(quote).map(|(_, word)| word.to_lowercase()).collect();
    if wanted.is_empty() {
        return;
    }
    let mut all: Vec<(usize, Range<usize>, String)> = Vec::new();
    for (number, row) in rows.iter().enumerate().filter(|(_, row)| row.call.is_none() && row.indent == INDENT) {
        all.extend(words(&row.text).map(|(at, word)| (number, at..at + word.len(), word.to_lowercase())));
    }
    let Some(found) =
        all.windows(wanted.len()).find(|some| some.iter().zip(&wanted).all(|((_, _, own), word)| own == word))
    else {
        return;
    };
    let mut marks: Vec<(usize, Range<usize>)> = Vec::new();
    for (number, place, _) in found {
        match marks.last_mut() {
            Some((row, mark)) if row == number => mark.end = place.end,
            _ => marks.push((*number, place.clone())),
        }
    }
    for (number, mark) in marks {
        if let Some(row) = rows.get_mut(number) {
            row.quoted.push(mark);
        }
    }
}

/// Where a text holds another, letters in either case unless the other has a capital; byte ranges.
#[must_use]
pub fn found_in(text: &str, wanted: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(place) = crate::text::find_folded(text, wanted, from) {
        from = place.end;
        found.push(place);
    }
    found
}

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let ahead = text.get(rest..)?;
        let start = rest + ahead.find(char::is_alphanumeric)?;
        let behind = text.get(start..)?;
        let length = behind.find(|c: char| !c.is_alphanumeric()).unwrap_or(behind.len());
        rest = start + length;
        Some((start, behind.get(..length)?))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]
    use super::*;

    fn turn(text: &str) -> TurnLine {
        TurnLine { lines: vec![4, 5], ..TurnLine::said(4, Speaker::Person, text.to_owned()) }
    }

    fn quoted(text: &str, quote: &str, width: usize) -> Vec<String> {
        let stretch = Stretch { turns: vec![turn(text)], ..Stretch::default() };
        let rows = session(&stretch, &BTreeSet::new(), Some(5), Some(quote), width);
        rows.iter().flat_map(|row| row.quoted.iter().map(|mark| row.text[mark.clone()].to_owned())).collect()
    }

    #[test]
    fn the_words_of_a_quote_are_marked_over_rows_and_whatever_stands_between_them() {
        assert_eq!(
            quoted("Please: never mock the database again.", "Never mock the database", 60),
            ["never mock the database"]
        );
        assert_eq!(
            quoted("never mock\nthe   database", "never mock the database", 60),
            ["never mock", "the   database"]
        );
        assert_eq!(quoted("never mock the database", "never mock the database", 14), ["never mock", "the", "database"]);
        assert_eq!(quoted("something else", "never mock", 60), Vec::<String>::new());
        assert_eq!(quoted("上海 office", "上海", 60), ["上海"]);
    }

    #[test]
    fn a_call_is_one_row_until_it_is_unfolded() {
        let mut turn = turn("Go.");
        turn.calls = vec![CallLine {
            tool: "Bash".to_owned(),
            brief: "cargo test".to_owned(),
            input: "command: cargo test".to_owned(),
            result: Some("ok\n3 passed".to_owned()),
            is_error: true,
        }];
        let stretch = Stretch { turns: vec![turn], ..Stretch::default() };
        let texts = |unfolded: &BTreeSet<(u64, usize)>| -> Vec<String> {
            session(&stretch, unfolded, None, None, 60).into_iter().map(|row| row.text).collect()
        };
        assert_eq!(texts(&BTreeSet::new()), ["person, line 4", "Go.", "+ Bash failed: cargo test", ""]);
        assert_eq!(
            texts(&BTreeSet::from([(4, 0)])),
            ["person, line 4", "Go.", "− Bash failed: cargo test", "command: cargo test", "→", "ok", "3 passed", ""]
        );
    }
}
