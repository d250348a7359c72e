//! Where code, addresses, quotations and paths stand in a text, found in one pass.
//!
//! This is asked of every sentence many times over, and one pattern for all of it was a third of a dream: what a quotation may
//! hold at most makes it too large for anything but the slowest matching. The pattern stands in the tests, which hold this
//! to it. Not its job: what of a stretch belongs to the sentence (see [`super::protected`]).

use std::ops::Range;

use super::Span;

/// Characters a quotation has at most.
const LONGEST_QUOTATION: usize = 600;

/// What a web address without `https://` ends with.
const DOMAINS: [&str; 12] =
    ["com", "org", "net", "io", "dev", "app", "internal", "local", "corp", "example", "so", "ai"];

/// What the name of a file ends with.
const FILES: [&str; 38] = [
    "rs", "py", "js", "jsx", "ts", "tsx", "go", "rb", "java", "kt", "c", "h", "cc", "cpp", "hpp", "cs", "swift", "php",
    "sh", "sql", "md", "txt", "toml", "yaml", "yml", "json", "lock", "html", "css", "scss", "vue", "ini", "cfg", "env",
    "xml", "csv", "proto", "tf",
];

/// The stretches of a text, in order, without overlap: of those that begin at one place, the first kind counts.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Span)> {
    let mut found = Vec::new();
    if !may_have_one(text) {
        return found;
    }
    let mut scan = Scan::of(text);
    let mut at = 0;
    let mut before = None;
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let (end, last) = match scan.stretch(at, before, character) {
            Some((end, kind)) => {
                found.push((at..end, kind));
                (end, text.get(at..end).and_then(|stretch| stretch.chars().next_back()))
            }
            None => (at + character.len_utf8(), Some(character)),
        };
        (at, before) = (end, last);
    }
    found
}

/// Whether a text has a character that all stretches have: most sentences have none.
fn may_have_one(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut apostrophes = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'`' | b'"' | b'/' => return true,
            b'\'' => {
                apostrophes += 1;
                if apostrophes > 1 {
                    return true;
                }
            }
            b'.' if bytes.get(at + 1).is_some_and(|next| !next.is_ascii_whitespace()) => return true,
            // The first bytes of “, „, «, 「 and 『.
            0xc2 | 0xe2 | 0xe3 => return true,
            _ => {}
        }
    }
    false
}

fn is_word(character: char) -> bool {
    if character.is_ascii() {
        character.is_ascii_alphanumeric() || character == '_'
    } else {
        regex_syntax::is_word_character(character)
    }
}

/// What names are made of.
fn is_name(character: char) -> bool {
    character == '-' || is_word(character)
}

/// What folders are made of.
fn is_folder(character: char) -> bool {
    matches!(character, '.' | '@') || is_name(character)
}

/// What ends an address.
fn ends_address(character: char) -> bool {
    character.is_whitespace() || matches!(character, '<' | '>' | '"' | '\'' | '`' | ')' | ']')
}

/// One pass over a text. What has been looked for in vain is not looked for again, so that the pass stays one.
struct Scan<'a> {
    text: &'a str,
    /// No code begins before this place.
    no_code_before: usize,
    /// No web address without `https://` begins before it.
    no_domain_before: usize,
    /// No path with a folder begins before it.
    no_path_before: usize,
    /// No name of a file begins before it.
    no_file_before: usize,
}

impl<'a> Scan<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, no_code_before: 0, no_domain_before: 0, no_path_before: 0, no_file_before: 0 }
    }

    fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn character(&self, at: usize) -> Option<char> {
        self.rest(at).chars().next()
    }

    /// The end of the run of such characters from a place on.
    fn run(&self, at: usize, is_in: impl Fn(char) -> bool) -> usize {
        at + self.rest(at).find(|character| !is_in(character)).unwrap_or_else(|| self.rest(at).len())
    }

    /// The end and kind of the stretch that begins here, if one does.
    fn stretch(&mut self, at: usize, before: Option<char>, character: char) -> Option<(usize, Span)> {
        let is_edge = before.is_some_and(is_word) != is_word(character);
        match character {
            '`' => return self.code(at).map(|end| (end, Span::Code)),
            '"' | '“' | '„' | '«' | '「' | '『' => {
                return self.quotation(at, character).map(|end| (end, Span::Quotation));
            }
            // Not the one of "don't".
            '\'' => {
                let end = self.quotation(at, character)?;
                let is_inside = before.is_some_and(is_word) || self.character(end).is_some_and(is_word);
                return (!is_inside).then_some((end, Span::Quotation));
            }
            _ => {}
        }
        let address = self.address(at).or_else(|| is_edge.then(|| self.www(at).or_else(|| self.domain(at)))?);
        if let Some(end) = address {
            return Some((end, Span::Address));
        }
        let path = self.path(at, character).or_else(|| is_edge.then(|| self.file(at))?);
        path.map(|end| (end, Span::Path))
    }

    fn code(&mut self, at: usize) -> Option<usize> {
        if at < self.no_code_before {
            return None;
        }
        let inside = self.run(at, |character| character == '`');
        let end = self.run(inside, |character| !matches!(character, '`' | '\n'));
        let closed = self.run(end, |character| character == '`');
        self.no_code_before = inside;
        (inside < end && end < closed).then_some(closed)
    }

    fn quotation(&self, at: usize, opening: char) -> Option<usize> {
        let closes = |character: char| match opening {
            '“' => character == '”',
            '„' => matches!(character, '“' | '”'),
            '«' => character == '»',
            '「' => character == '」',
            '『' => character == '』',
            other => character == other,
        };
        let inside = at + opening.len_utf8();
        let (place, closing) = self
            .rest(inside)
            .char_indices()
            .take(LONGEST_QUOTATION + 1)
            .take_while(|(_, character)| *character != '\n')
            .find(|(_, character)| closes(*character))?;
        (place > 0).then_some(inside + place + closing.len_utf8())
    }

    fn address(&self, at: usize) -> Option<usize> {
        let rest = self.rest(at);
        if !rest.starts_with(['h', 'f', 's']) {
            return None;
        }
        let after = ["http://", "https://", "ftp://", "ssh://", "file://"]
            .iter()
            .find_map(|scheme| rest.starts_with(scheme).then_some(at + scheme.len()))?;
        let end =
            self.run(after, |character| !ends_address(character) && !matches!(character, '，' | '。' | '、' | '」'));
        (end > after).then_some(end)
    }

    fn www(&self, at: usize) -> Option<usize> {
        let after = at + self.rest(at).starts_with("www.").then_some(4)?;
        let end = self.run(after, |character| !ends_address(character));
        (end > after).then_some(end)
    }

    /// `docs.a.example/x`: of several endings in a row the last one counts.
    fn domain(&mut self, at: usize) -> Option<usize> {
        if at < self.no_domain_before {
            return None;
        }
        let first = self.run(at, is_name);
        if first == at {
            return None;
        }
        let (mut place, mut end) = (first, None);
        while self.character(place) == Some('.') {
            let part = place + 1;
            let after = self.run(part, is_name);
            if after == part {
                break;
            }
            let known = DOMAINS.iter().find(|domain| self.rest(part).starts_with(**domain));
            end = known.map(|domain| part + domain.len()).or(end);
            place = after;
        }
        let Some(end) = end else {
            self.no_domain_before = place;
            return None;
        };
        if self.character(end) != Some('/') {
            return Some(end);
        }
        Some(self.run(end + 1, |character| !ends_address(character) && !matches!(character, '，' | '。')))
    }

    /// `src/main.rs`, `~/notes/`, `/etc`.
    fn path(&mut self, at: usize, character: char) -> Option<usize> {
        if at < self.no_path_before || !(matches!(character, '~' | '/') || is_folder(character)) {
            return None;
        }
        let mut folders = Vec::new();
        let mut place = at + usize::from(character == '~');
        let end = loop {
            let end = self.run(place, is_folder);
            if self.character(end) != Some('/') {
                break end;
            }
            place = end + 1;
            folders.push(place);
        };
        // The last folder may be what the path ends with.
        let found = folders.into_iter().rev().find_map(|place| {
            let end = self.run(place, |character| character == '*' || is_folder(character));
            (end > place).then(|| end + usize::from(self.character(end) == Some('/')))
        });
        if found.is_none() {
            self.no_path_before = end;
        }
        found
    }

    /// `main.rs`.
    fn file(&mut self, at: usize) -> Option<usize> {
        if at < self.no_file_before {
            return None;
        }
        let stem = self.run(at, is_name);
        self.no_file_before = stem;
        let ending = (stem > at && self.character(stem) == Some('.')).then_some(stem + 1)?;
        let end = self.run(ending, is_word);
        FILES.contains(&self.text.get(ending..end)?).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    /// What a stretch is, as a pattern. Groups: 1 code, 2 address, 3 quotation, 4 path.
    static STRETCH: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(`+[^`\n]+`+)",
            r#"|((?:https?|ftp|ssh|file)://[^\s<>"'`)\]，。、」]+|\bwww\.[^\s<>"'`)\]]+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|internal|local|corp|example|so|ai)(?:/[^\s<>"'`)\]，。]*)?)"#,
            r#"|("[^"\n]{1,600}"|“[^”\n]{1,600}”|„[^“”\n]{1,600}[“”]|«[^»\n]{1,600}»|「[^」\n]{1,600}」|『[^』\n]{1,600}』|\B'[^'\n]{1,600}'\B)"#,
            r"|(~?(?:[\w.@-]*/)+[\w.@*-]+/?|\b[\w-]+\.(?:rs|py|js|jsx|ts|tsx|go|rb|java|kt|c|h|cc|cpp|hpp|cs|swift|php|sh|sql|md|txt|toml|ya?ml|json|lock|html|css|scss|vue|ini|cfg|env|xml|csv|proto|tf)\b)",
        ))
        .unwrap()
    });

    fn by_pattern(text: &str) -> Vec<(Range<usize>, Span)> {
        let kinds = [Span::Code, Span::Address, Span::Quotation, Span::Path];
        let kind = |found: &regex::Captures<'_>| {
            (1..).zip(kinds).find_map(|(group, kind)| found.get(group).map(|hit| (hit.range(), kind)))
        };
        STRETCH.captures_iter(text).filter_map(|found| kind(&found)).collect()
    }

    #[test]
    fn runs_of_one_sign_are_passed_once() {
        for piece in ["/", "`", "a.", "a-", "'", "“", "~/", "a/*", ".", "www.", "http://", "a.com-"] {
            let text = piece.repeat(200_000);
            assert!(find(&text).len() <= text.len());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn the_pass_finds_what_the_pattern_finds(
            pieces in prop::collection::vec(
                prop_oneof![
                    4 => "[ a-z\\.\\-_/'\"`~*@:“”„«»「」『』\n\té，。、)>\\]]{0,6}",
                    2 => prop::sample::select(vec![
                        "https://", "http://", "ftp:/", "www.", ".com", ".io/", "docs.example", "main.rs", "x.yaml", ".jsx", "src/", "/etc",
                        "and/or", "don't", " 'q' ", "数据库", "//", "``", "a.b.c", "-", "٣", "\u{0301}", "ª.md", "²", "so", ".so", "a.tf",
                    ]).prop_map(str::to_owned),
                    1 => "\\PC{0,4}",
                ],
                0..14,
            ),
        ) {
            let text = pieces.concat();
            prop_assert_eq!(find(&text), by_pattern(&text), "{:?}", text);
        }

        #[test]
        fn long_quotations_end_where_the_pattern_ends(count in 596_usize..606, mark in prop::sample::select(vec![("\"", "\""), ("“", "”"), ("'", "'")])) {
            let text = format!("He said {}{}{} and {}x{}.", mark.0, "é".repeat(count), mark.1, mark.0, mark.1);
            prop_assert_eq!(find(&text), by_pattern(&text));
        }
    }
}
