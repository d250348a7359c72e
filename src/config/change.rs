//! Setting one value in the text of the configuration: comments, order, quoting, line ends and every other byte stay.
//!
//! Understands values on one line, in sections written with indentation or with braces. Whatever it makes is read again: the
//! result says exactly what was meant and nothing else, or the text is left alone and the person is sent to an editor. Not
//! its job: the file on disk (see `file`).

use serde_yaml::{Mapping, Value};

use super::parse;

/// Why a value cannot be set.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ChangeError {
    /// It is not accepted there.
    #[error("{0}")]
    NotAccepted(String),
    /// The file is written in a way that is not touched here.
    #[error("the file is written in a way that only an editor should touch; put {0} in it by hand")]
    NotHere(String),
}

/// The text with one value set, or with `None` taken out so that the default holds.
///
/// # Errors
/// When the value is not accepted, or the text is written in a way that is not understood well enough to change it.
pub fn changed(text: &str, path: &[&str], value: Option<&str>) -> Result<String, ChangeError> {
    let shown = || format!("{}: {}", path.join("."), value.unwrap_or_default());
    let not_here = || ChangeError::NotHere(shown());
    let before = document(text).ok_or_else(not_here)?;
    // Blanks around a value are never meant.
    let written = value.map(|value| scalar(path, value.trim()));
    let body = text.trim_start_matches('\u{FEFF}').trim_start();
    let new = if body.starts_with('{') {
        in_braces(text, text.len() - body.len(), path, written.as_deref())
    } else {
        in_lines(text, path, written.as_deref())
    };
    let new = new.ok_or_else(not_here)?;
    let wanted = match &written {
        Some(written) => with(before, path, Some(serde_yaml::from_str(written).map_err(|_| not_here())?)),
        None => with(before, path, None),
    };
    let after = document(&new).ok_or_else(not_here)?;
    if pruned(after) != pruned(wanted) {
        return Err(not_here());
    }
    parse::config(&new).map_err(|problem| ChangeError::NotAccepted(problem.message))?;
    Ok(new)
}

fn document(text: &str) -> Option<Value> {
    serde_yaml::from_str(text.trim_start_matches('\u{FEFF}')).ok()
}

/// A value as YAML: plain where that cannot be mistaken, else in double quotes.
fn scalar(path: &[&str], value: &str) -> String {
    let is_text = matches!(path, ["keys" | "models", ..] | ["engine"]) && value.parse::<u64>().is_err();
    let is_plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_/.".contains(c)) && !value.is_empty();
    let is_word = value.starts_with(|first: char| first.is_ascii_alphabetic())
        && value.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_');
    if is_plain && (!is_text || is_word) {
        return value.to_owned();
    }
    let mut quoted = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted.push_str(&format!("\\u{:04X}", control as u32)),
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

/// A document with a value set or taken out.
fn with(document: Value, path: &[&str], value: Option<Value>) -> Value {
    let [key, rest @ ..] = path else { return value.unwrap_or(Value::Null) };
    let mut map = match document {
        Value::Mapping(map) => map,
        _ => Mapping::new(),
    };
    let old = map.get(*key).cloned().unwrap_or(Value::Null);
    map.insert(Value::from(*key), with(old, rest, value));
    Value::Mapping(map)
}

/// Without what says nothing: empty values and sections.
fn pruned(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::Mapping(map) => {
            let kept: Mapping = map.into_iter().filter_map(|(key, value)| Some((key, pruned(value)?))).collect();
            (!kept.is_empty()).then_some(Value::Mapping(kept))
        }
        other => Some(other),
    }
}

/// A line of the text: where it begins, its indentation, and its content with comment.
struct Row<'a> {
    start: usize,
    indent: usize,
    content: &'a str,
}

/// The lines that say something.
fn rows(text: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        let bare = bare.strip_prefix('\u{FEFF}').unwrap_or(bare);
        let from = start + line.trim_end_matches(['\n', '\r']).len() - bare.len();
        let content = bare.trim_start();
        if !content.is_empty() && !content.starts_with(['#', '%']) && !content.starts_with("---") {
            rows.push(Row { start: from, indent: bare.len() - content.len(), content });
        }
        start += line.len();
    }
    rows
}

/// What stands after `key:` in a line's content, and at which byte of it; nothing when the line has another key.
fn after_key<'a>(content: &'a str, key: &str) -> Option<(usize, &'a str)> {
    let (open, rest) = match content.strip_prefix(['"', '\'']) {
        Some(rest) => (1, rest),
        None => (0, content),
    };
    let rest = rest.strip_prefix(key)?;
    let rest = if open == 1 { rest.strip_prefix(['"', '\''])? } else { rest };
    let rest = rest.trim_start().strip_prefix(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (content.len() - rest.len(), rest))
}

/// How many bytes of a text the value at its start takes: quoted, or plain up to a comment.
fn value_length(rest: &str) -> Option<usize> {
    for quote in ['"', '\''] {
        if let Some(inner) = rest.strip_prefix(quote) {
            let mut escaped = false;
            for (at, character) in inner.char_indices() {
                match character {
                    '\\' if quote == '"' && !escaped => escaped = true,
                    end if end == quote && !escaped => return Some(at + 2),
                    _ => escaped = false,
                }
            }
            return None;
        }
    }
    let end = rest.find(" #").unwrap_or(rest.len());
    rest.get(..end).map(|value| value.trim_end().len())
}

/// Sets a value in a document of indented lines.
fn in_lines(text: &str, path: &[&str], value: Option<&str>) -> Option<String> {
    let rows = rows(text);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let (mut from, mut to) = (0, rows.len());
    let mut section: Option<usize> = None;
    // The sections around, each with where its siblings begin and end.
    let mut outer: Vec<(usize, usize, usize)> = Vec::new();
    for (depth, key) in path.iter().enumerate() {
        let indent = rows.get(from..to)?.first().map(|row| row.indent);
        let found = (from..to).find_map(|at| {
            let row = rows.get(at).filter(|row| Some(row.indent) == indent)?;
            after_key(row.content, key).map(|(offset, rest)| (at, row.start + row.indent + offset, rest))
        });
        let Some((at, offset, rest)) = found else {
            let value = value?;
            return Some(inserted(text, &rows, (from, to), section, path.get(depth..)?, value, newline));
        };
        let blank = rest.len() - rest.trim_start().len();
        let (start, rest) = (offset + blank, rest.trim_start());
        if depth + 1 == path.len() {
            let Some(value) = value else { return without(text, &rows, (at, from, to), &outer) };
            let length = if rest.starts_with('#') { 0 } else { value_length(rest)? };
            let space = if blank == 0 { " " } else { "" };
            let comment = if length == 0 && !rest.is_empty() { " " } else { "" };
            return replaced(text, start, length, &format!("{space}{value}{comment}"));
        }
        if rest.starts_with('{') {
            return in_braces(text, start, path.get(depth + 1..)?, value);
        }
        if !rest.is_empty() && !rest.starts_with('#') {
            return None;
        }
        let own = rows.get(at)?.indent;
        let end = (at + 1..to).find(|next| rows.get(*next).is_some_and(|row| row.indent <= own)).unwrap_or(to);
        outer.push((at, from, to));
        (from, to, section) = (at + 1, end, Some(at));
    }
    None
}

/// The text with new lines at the end of a section, or of the document.
fn inserted(
    text: &str,
    rows: &[Row<'_>],
    (from, to): (usize, usize),
    section: Option<usize>,
    missing: &[&str],
    value: &str,
    newline: &str,
) -> String {
    let outer = section.and_then(|at| rows.get(at));
    let of_children = rows.get(from..to).and_then(|rows| rows.first()).map(|row| row.indent);
    let indent = of_children.unwrap_or_else(|| outer.map_or(0, |row| row.indent + 2));
    let mut lines = String::new();
    for (depth, key) in missing.iter().enumerate() {
        let value = if depth + 1 == missing.len() { format!(" {value}") } else { String::new() };
        let key = if key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
            (*key).to_owned()
        } else {
            format!("\"{key}\"")
        };
        lines.push_str(&format!("{}{key}:{value}{newline}", " ".repeat(indent + 2 * depth)));
    }
    // After the last line of the section; comments that follow it belong to what comes next.
    let last = rows.get(from..to).and_then(|rows| rows.last()).or(outer);
    let after = match (last, section) {
        (Some(row), Some(_)) => text.get(row.start..).and_then(|rest| rest.find('\n')).map(|end| row.start + end + 1),
        _ => None,
    };
    let at = after.unwrap_or(text.len());
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    let gap = if before.is_empty() || before.ends_with('\n') || before == "\u{FEFF}" { "" } else { newline };
    format!("{before}{gap}{lines}{rest}")
}

fn replaced(text: &str, start: usize, length: usize, by: &str) -> Option<String> {
    Some(format!("{}{by}{}", text.get(..start)?, text.get(start + length..)?))
}

/// The text without a line, and without the sections that have nothing else in them, not even a comment.
fn without(
    text: &str,
    rows: &[Row<'_>],
    (at, from, to): (usize, usize, usize),
    outer: &[(usize, usize, usize)],
) -> Option<String> {
    let row = rows.get(at)?;
    let end = text.get(row.start..)?.find('\n').map_or(text.len(), |end| row.start + end + 1);
    let (mut first, mut siblings) = (at, (from, to));
    for (section, from, to) in outer.iter().rev().copied() {
        let head = rows.get(section)?;
        let is_alone = siblings == (first, at + 1);
        let is_bare = head.content.trim_end().ends_with(':');
        let is_close = text.get(head.start..end)?.lines().count() == at - section + 1;
        if !(is_alone && is_bare && is_close) {
            break;
        }
        (first, siblings) = (section, (from, to));
    }
    Some(format!("{}{}", text.get(..rows.get(first)?.start)?, text.get(end..)?))
}

/// Sets a value in a mapping in braces that begins at a byte of the text.
fn in_braces(text: &str, open: usize, path: &[&str], value: Option<&str>) -> Option<String> {
    let [key, rest @ ..] = path else { return None };
    let (entries, close) = entries(text, open)?;
    for (start, end) in &entries {
        let entry = text.get(*start..*end)?;
        let lead = entry.len() - entry.trim_start().len();
        let Some((offset, after)) = after_key(entry.trim_start(), key) else { continue };
        let from = start + lead + offset + (after.len() - after.trim_start().len());
        let after = after.trim();
        return match (rest.is_empty(), value) {
            (false, _) if after.starts_with('{') => in_braces(text, from, rest, value),
            (true, Some(value)) => replaced(text, from, after.len(), value),
            (true, None) => {
                let is_last = entries.last() == Some(&(*start, *end));
                // With its comma: the one after it, else the one before it.
                let (from, to) = if is_last && entries.len() > 1 {
                    (start - 1, *end)
                } else {
                    (*start, if is_last { *end } else { end + 1 })
                };
                replaced(text, from, to - from, "")
            }
            _ => None,
        };
    }
    let mut made = value?.to_owned();
    for inner in rest.iter().rev() {
        made = format!("{{{inner}: {made}}}");
    }
    let has_entries = entries.iter().any(|(start, end)| text.get(*start..*end).is_some_and(|it| !it.trim().is_empty()));
    let before = text.get(..close)?.trim_end();
    let comma = if has_entries { ", " } else { "" };
    Some(format!("{before}{comma}{key}: {made}{}", text.get(before.len()..)?))
}

/// The entries of a mapping in braces as byte ranges, and where its closing brace is.
fn entries(text: &str, open: usize) -> Option<(Vec<(usize, usize)>, usize)> {
    let (mut entries, mut start, mut depth) = (Vec::new(), open + 1, 0_usize);
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (at, character) in text.get(open..)?.char_indices() {
        let at = open + at;
        if let Some(end) = quote {
            if character == end && !escaped {
                quote = None;
            }
            escaped = character == '\\' && end == '"' && !escaped;
            continue;
        }
        match character {
            '"' | '\'' => quote = Some(character),
            '{' | '[' => depth += 1,
            '}' | ']' if depth == 1 => {
                entries.push((start, at));
                return Some((entries, at));
            }
            '}' | ']' => depth -= 1,
            ',' if depth == 1 => {
                entries.push((start, at));
                start = at + 1;
            }
            // A comment among braces is for an editor.
            '#' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn set(text: &str, path: &str, value: &str) -> String {
        changed(text, &path.split('.').collect::<Vec<_>>(), Some(value)).unwrap()
    }

    fn unset(text: &str, path: &str) -> String {
        changed(text, &path.split('.').collect::<Vec<_>>(), None).unwrap()
    }

    #[test]
    fn a_value_is_replaced_where_it_stands_and_every_other_byte_stays() {
        let text = "\u{FEFF}# mine\r\ntheme:   \"dark\"  # at night\r\n\r\ndream:\r\n    # more often\r\n    min_hours: 12 # half a day\r\n    budget: {tokens: 5, seconds: 60}\r\nmouse: true";
        assert_eq!(set(text, "theme", "light"), text.replace("\"dark\"", "light"));
        assert_eq!(set(text, "dream.min_hours", "48"), text.replace("12", "48"));
        assert_eq!(set(text, "dream.budget.seconds", "61"), text.replace("60", "61"));
        assert_eq!(set(text, "mouse", "false"), text.replace("true", "false"));
    }

    #[test]
    fn what_is_missing_is_added_at_the_end_of_its_section() {
        assert_eq!(set("", "theme", "mono"), "theme: mono\n");
        assert_eq!(
            set("# only a comment", "dream.budget.tokens", "7"),
            "# only a comment\ndream:\n  budget:\n    tokens: 7\n"
        );
        assert_eq!(
            set("dream:\n    apply: ask\n# about keys\nkeys:\n", "dream.min_hours", "3"),
            "dream:\n    apply: ask\n    min_hours: 3\n# about keys\nkeys:\n"
        );
        assert_eq!(set("keys:\nmouse: true\n", "keys.top", "g g"), "keys:\n  top: \"g g\"\nmouse: true\n");
        assert_eq!(
            set("dream: {apply: ask}\n", "dream.budget.tokens", "9"),
            "dream: {apply: ask, budget: {tokens: 9}}\n"
        );
        assert_eq!(set("{}\n", "mouse", "false"), "{mouse: false}\n");
        assert_eq!(set("theme: # later\n", "theme", "dark"), "theme: dark # later\n");
    }

    #[test]
    fn what_is_taken_out_leaves_the_default() {
        assert_eq!(unset("theme: dark # x\nmouse: false\n", "theme"), "mouse: false\n");
        assert_eq!(unset("keys:\n  top: g\n", "keys.top"), "", "a section goes with the last thing in it");
        assert_eq!(unset("keys: # mine\n  top: g\n", "keys.top"), "keys: # mine\n", "but not with a comment");
        assert_eq!(unset("keys:\n  # mine\n  top: g\n", "keys.top"), "keys:\n  # mine\n");
        let nested = "mouse: true\ndream:\n  budget:\n    tokens: 9\ntheme: dark\n";
        assert_eq!(unset(nested, "dream.budget.tokens"), "mouse: true\ntheme: dark\n");
        assert_eq!(unset("dream: {apply: ask, min_hours: 3}\n", "dream.min_hours"), "dream: {apply: ask}\n");
        assert_eq!(unset("dream: {apply: ask, min_hours: 3}\n", "dream.apply"), "dream: { min_hours: 3}\n");
    }

    #[test]
    fn what_is_not_accepted_is_said_with_what_is_and_nothing_is_made() {
        let error = changed("theme: dark\n", &["theme"], Some("pink")).unwrap_err();
        assert_eq!(error.to_string(), "theme is \"pink\"; accepted: auto, dark, light, contrast, mono");
        let error = changed("", &["dream", "min_hours"], Some("soon")).unwrap_err();
        assert!(error.to_string().contains("a whole number, 0 or more"), "{error}");
        let odd = "dream: {apply: ask, # why\n  min_hours: 3}\n";
        assert!(matches!(changed(odd, &["dream", "min_hours"], Some("4")), Err(ChangeError::NotHere(_))));
        let anchored = "a: &x 3\nshelf_life:\n  user: *x\n";
        assert!(changed(anchored, &["shelf_life", "user"], Some("4")).is_err(), "an unknown key is not made worse");
    }

    #[test]
    fn a_key_with_signs_in_it_is_quoted() {
        for key in ["?", ":", "g g", "#", "\"", "'", "\\", "-", "~", "1", "{", "ctrl-\\"] {
            let text = set("mouse: true\n", "keys.help", key);
            let config = parse::config(&text).unwrap();
            assert_eq!(config.keys.get("help").map(String::as_str), Some(key), "{text}");
            let again = set(&text, "keys.help", "x");
            assert_eq!(again, "mouse: true\nkeys:\n  help: x\n", "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn whatever_the_text_the_change_says_exactly_what_was_meant_or_is_refused(
            text in "([a-z_]{1,9}: ?[a-z0-9\"{}#, ]{0,12}\r?\n|dream:\n|  min_hours: [0-9]{1,2}( # x)?\n|keys: \\{\\}\n|mouse: true\n){0,6}",
            which in 0..super::super::CATALOG.len(),
            value in "([a-z0-9]( ?[a-z0-9]){0,3})?",
        ) {
            let known = super::super::CATALOG[which];
            // 1e3 is an amount, and is given back as 1000.
            proptest::prop_assume!(!known.path.iter().any(|key| key.starts_with("usd")) || !value.contains(['e', 'x', 'o']));
            if let Ok(new) = changed(&text, known.path, Some(&value)) {
                let config = parse::config(&new).unwrap();
                proptest::prop_assert_eq!((known.value)(&config), value.trim());
                let comments = |text: &str| text.matches('#').count();
                proptest::prop_assert_eq!(comments(&new), comments(&text));
            }
        }
    }
}
