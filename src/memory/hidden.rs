//! Text that a person does not see: HTML comments, invisible characters, characters that turn the reading direction.
//!
//! What scripts and emoji need is no finding: joiners in Persian or Indic words, direction marks in right-to-left lines,
//! the tags of a flag. Not its job: showing it (see [`crate::text::visible`]), and what the text says (see `crate::change::guard::orders`).

use super::text_lines;
use crate::text::{self, is_selector};

/// How many comments of one file are reported.
const MOST_COMMENTS: usize = 20;

/// How much of a comment is quoted, in characters.
const QUOTED: usize = 200;

/// One piece of hidden text.
pub(crate) struct Hidden {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// The HTML comments of a body outside code, but for marks that are meant for tools. Lines count from the body's first.
pub(crate) fn comments(body: &str) -> Vec<Hidden> {
    let mut found = Vec::new();
    if !body.contains("<!--") {
        return found;
    }
    let mut open: Option<Hidden> = None;
    for (line, text) in text_lines(body) {
        let mut rest = without_code(text);
        loop {
            if let Some(mut comment) = open.take() {
                match rest.split_once("-->") {
                    Some((inside, after)) => {
                        comment.text.push_str(inside);
                        found.extend(told(comment));
                        rest = after.to_owned();
                    }
                    None => {
                        comment.text.push_str(&rest);
                        comment.text.push(' ');
                        open = Some(comment);
                        break;
                    }
                }
            }
            let Some((_, inside)) = rest.split_once("<!--") else { break };
            let message = "an HTML comment, which no reader of the page sees and every model reads".to_owned();
            open = Some(Hidden { message, line, text: String::new() });
            rest = inside.to_owned();
        }
        if found.len() >= MOST_COMMENTS {
            return found;
        }
    }
    // One that is never closed hides all that follows.
    found.extend(open.and_then(told));
    found
}

/// A line with its code spans blanked: a comment in code is an example.
fn without_code(line: &str) -> String {
    if !line.contains('`') || !line.contains("<!--") {
        return line.to_owned();
    }
    let parts: Vec<&str> = line.split('`').collect();
    let is_open = parts.len().is_multiple_of(2);
    let last = parts.len() - 1;
    let kept = |at: usize| at.is_multiple_of(2) || (is_open && at == last);
    parts.iter().enumerate().map(|(at, part)| if kept(at) { *part } else { " " }).collect()
}

/// The comment as a finding, unless it is empty or meant for a tool.
fn told(mut comment: Hidden) -> Option<Hidden> {
    const TOOLS: [&str; 9] =
        ["markdownlint", "prettier", "toc", "/toc", "tocstop", "textlint", "vale", "cspell", "eslint"];
    let words = comment.text.trim();
    let first = words.split([' ', '-', ':']).next().unwrap_or_default().to_lowercase();
    let is_mark = TOOLS.contains(&first.as_str()) && words.chars().count() <= 60;
    if words.is_empty() || is_mark {
        return None;
    }
    comment.text = words.chars().take(QUOTED).collect();
    Some(comment)
}

/// The invisible and direction-changing characters of a file, as one finding on the line of the first.
pub(crate) fn characters(whole: &str) -> Option<Hidden> {
    if whole.is_ascii() && !whole.bytes().any(|byte| is_control(char::from(byte))) {
        return None;
    }
    let whole = whole.strip_prefix('\u{FEFF}').unwrap_or(whole);
    let mut codes: Vec<char> = Vec::new();
    let mut count = 0;
    let mut first: Option<(usize, &str)> = None;
    for (number, line) in (1..).zip(whole.lines()).filter(|(_, line)| !line.is_ascii() || line.contains(is_control)) {
        let hidden = in_line(line);
        if !hidden.is_empty() {
            first.get_or_insert((number, line));
        }
        count += hidden.len();
        for character in hidden {
            if codes.len() < 4 && !codes.contains(&character) {
                codes.push(character);
            }
        }
    }
    let (line, text) = first?;
    let codes: Vec<String> = codes.into_iter().map(|code| format!("U+{:04X}", code as u32)).collect();
    let count =
        text::count(count, "invisible or direction-changing character", "invisible or direction-changing characters");
    Some(Hidden {
        message: format!("{count} ({})", codes.join(", ")),
        line,
        text: text.trim().chars().take(QUOTED).collect(),
    })
}

fn is_control(character: char) -> bool {
    // NUL has its own finding: such a file is no text.
    character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\0')
}

fn is_right_to_left(character: char) -> bool {
    matches!(character as u32, 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x10800..=0x10FFF | 0x1E800..=0x1EFFF)
        && !is_mark(character)
}

/// A direction mark or embedding, which right-to-left text needs.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{200E}' | '\u{200F}' | '\u{061C}' | '\u{202A}'..='\u{202C}' | '\u{2066}'..='\u{2069}')
}

/// The characters of a line that hide something.
pub(crate) fn in_line(line: &str) -> Vec<char> {
    let is_mixed = line.chars().any(is_right_to_left);
    let mut found = Vec::new();
    let mut before: Option<char> = None;
    let mut in_flag = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        in_flag = character == '\u{1F3F4}' || in_flag && matches!(character as u32, 0xE0020..=0xE007F);
        let is_letter = |one: Option<char>| one.is_some_and(|one| one.is_ascii_alphanumeric());
        let hides = match character {
            '\u{200C}' | '\u{200D}' => is_letter(before) && is_letter(characters.peek().copied()),
            mark if is_mark(mark) => !is_mixed,
            // One selector chooses a glyph; more carry a message.
            selector if is_selector(selector) => before.is_some_and(is_selector),
            '\u{E0000}'..='\u{E007F}' => !in_flag,
            '\u{200B}'
            | '\u{2060}'..='\u{2064}'
            | '\u{FEFF}'
            | '\u{202D}'
            | '\u{202E}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{180E}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{3164}'
            | '\u{FFA0}' => true,
            other => is_control(other),
        };
        if hides {
            found.push(character);
        }
        before = Some(character);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_and_emoji_need_hides_nothing() {
        for line in [
            "plain words\tand a tab",
            "👩‍💻 🏳️‍🌈 👨‍👩‍👧 ❤️ ☎️",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} England",
            "می‌خواهم",
            "क्‍ष",
            "שלום \u{200F}(a) \u{2067}x\u{2069}",
            "e\u{301} 日本 한국어",
            "葛\u{E0100}城",
        ] {
            assert_eq!(in_line(line), [], "{line}");
        }
    }

    #[test]
    fn what_hides_something_is_told() {
        for (line, hidden) in [
            ("a\u{200B}b", vec!['\u{200B}']),
            ("ig\u{200D}nore", vec!['\u{200D}']),
            ("left \u{202E}thgir", vec!['\u{202E}']),
            ("שלום \u{202E}x", vec!['\u{202E}']),
            ("x \u{2066}y\u{2069}", vec!['\u{2066}', '\u{2069}']),
            ("hi\u{E0068}\u{E0069}", vec!['\u{E0068}', '\u{E0069}']),
            ("x\u{FE00}\u{FE01}\u{FE02}", vec!['\u{FE01}', '\u{FE02}']),
            ("\u{1b}[8mno\u{1b}[0m", vec!['\u{1b}', '\u{1b}']),
        ] {
            assert_eq!(in_line(line), hidden, "{line:?}");
        }
        assert!(characters("\u{FEFF}plain\n").is_none(), "a mark at the start is how some editors save");
        let found = characters("one\ntwo\u{200B} \u{200B}\n").map(|one| (one.line, one.message));
        assert_eq!(found, Some((2, "2 invisible or direction-changing characters (U+200B)".to_owned())));
    }

    #[test]
    fn comments_are_told_with_their_line_and_marks_for_tools_are_not() {
        let body = "a <!-- one --> b <!-- two -->\n\n<!--\nover\nlines\n-->\n`<!-- code -->`\n```\n<!-- fenced -->\n```\n\
                    <!-- toc --><!-- -->\n<!-- prettier-ignore -->\n``\nend <!-- never closed\nrest\n";
        let found: Vec<(usize, String)> = comments(body).into_iter().map(|one| (one.line, one.text)).collect();
        let expected = [(1, "one"), (1, "two"), (3, "over lines"), (14, "never closed rest")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }
}
