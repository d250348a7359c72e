//! Links between memories: finding them in a text, and the file each `[[wiki word]]` means.
//!
//! Not its job: how a Markdown link is written (see `super::index`), and links that follow a rename (see
//! `super::following`).

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::Kind;
use super::lines::Fences;
use super::names::without_extension;

/// A wiki link in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WikiLink {
    /// The word between the brackets, before any `|` or `#`.
    pub word: String,
    /// The line it is on, from 1.
    pub line: usize,
}

/// A code span, or a wiki link with its word.
static CODE_OR_LINK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"``[^\n]*?``|`[^`\n]*`|\[\[([^\[\]\n]+?)\]\]").ok());

/// All wiki links of a body, code fences and code spans left out.
#[must_use]
pub fn wiki_links(body: &str) -> Vec<WikiLink> {
    let mut found = Vec::new();
    if !body.contains("[[") {
        return found;
    }
    let Some(pattern) = CODE_OR_LINK.as_ref() else { return found };
    let mut fences = Fences::default();
    for (number, line) in (1..).zip(body.lines()) {
        if fences.covers(line.as_bytes()) || !line.contains("[[") {
            continue;
        }
        for word in pattern.captures_iter(line).filter_map(|captures| captures.get(1)) {
            let word = word.as_str().split(['|', '#']).next().unwrap_or_default().trim_end_matches('\\');
            if is_word(word) {
                found.push(WikiLink { word: word.trim().to_owned(), line: number });
            }
        }
    }
    found
}

/// Whether what stands between brackets is a word and not code such as `[[ -f x ]]` or `[["error"]]`.
pub(super) fn is_word(word: &str) -> bool {
    let trimmed = word.trim();
    !trimmed.is_empty()
        && word.chars().count() <= 200
        && !trimmed.starts_with(['-', '"', '\'', '$', '!', '(', '{', '[', '='])
        && !trimmed.contains(['[', ']', '=', '$', '`'])
}

/// Which file a wiki word means: by file stem, then by `name`, then with `-`/`_`/case folded, then with the type prefix
/// dropped.
#[derive(Debug, Default)]
pub struct Resolver<'a> {
    stems: HashMap<String, &'a str>,
    names: HashMap<String, &'a str>,
    folded: HashMap<String, &'a str>,
    bare: HashMap<String, &'a str>,
}

/// The memories that the Markdown links and definitions of a text lead to, there or not, as paths inside the store, with
/// their lines from 1. `file` is where the text stands: its links are relative to it.
#[must_use]
pub fn markdown_links(text: &str, file: &str) -> Vec<(usize, String)> {
    super::index::targets(text, file.rsplit_once('/').map_or("", |(folder, _)| folder))
}

impl<'a> Resolver<'a> {
    /// Over `(file, name)` pairs; the first of two equal words wins, and a file that is in no folder over one that is.
    pub fn new<'b>(memories: impl Iterator<Item = (&'a str, &'b str)>) -> Self {
        let (outer, inner): (Vec<_>, Vec<_>) = memories.partition(|(file, _)| !file.contains('/'));
        let mut all = Self::default();
        for (file, name) in outer.into_iter().chain(inner) {
            let stem = stem(file);
            for word in [stem, without_extension(file)] {
                all.stems.entry(word.to_owned()).or_insert(file);
                all.folded.entry(folded(word)).or_insert(file);
            }
            all.names.entry(name.to_owned()).or_insert(file);
            for word in [stem, name] {
                let word = folded(word);
                all.bare.entry(without_type(&word).to_owned()).or_insert(file);
                all.folded.entry(word).or_insert(file);
            }
        }
        all
    }

    /// The file a word means.
    #[must_use]
    pub fn resolve(&self, word: &str) -> Option<&'a str> {
        let word = without_extension(word.split('#').next().unwrap_or_default().trim());
        let folded = folded(word);
        let maps =
            [(&self.stems, word), (&self.names, word), (&self.folded, &folded), (&self.bare, without_type(&folded))];
        maps.into_iter().find_map(|(map, word)| map.get(word).copied())
    }
}

/// Whether a wiki word names this file by its stem, folded or not.
pub(super) fn names_file(word: &str, file: &str) -> bool {
    let word = without_extension(word.split('#').next().unwrap_or_default().trim());
    let folded_word = folded(word);
    folded_word == folded(stem(file)) || folded_word == folded(without_extension(file))
}

/// A file's name without directory and `.md`.
pub(crate) fn stem(file: &str) -> &str {
    without_extension(file.rsplit('/').next().unwrap_or(file))
}

fn folded(word: &str) -> String {
    super::names::folded(word).replace(['_', ' '], "-")
}

fn without_type(folded: &str) -> &str {
    Kind::ALL.into_iter().find_map(|kind| folded.strip_prefix(kind.word())?.strip_prefix('-')).unwrap_or(folded)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

    use super::*;

    #[test]
    fn links_in_code_and_code_that_looks_like_links_do_not_count() {
        let body = "See [[testing]] and [[role|the role]].\n`[[not]]` ``[[nor ` this]]``\n```\n[[fenced]]\n```\n[[ -f x ]] [[\"error\"]] [[\n[[a#b]] [[上海]]\n";
        let words: Vec<(String, usize)> = wiki_links(body).into_iter().map(|link| (link.word, link.line)).collect();
        let expected = [("testing", 1), ("role", 1), ("a", 7), ("上海", 7)];
        assert_eq!(words, expected.map(|(word, line)| (word.to_owned(), line)));
    }

    #[test]
    fn words_resolve_by_stem_then_name_then_folded() {
        let memories = [
            ("feedback_testing.md", "real-databases"),
            ("sub/user_role.md", "Role of the user"),
            ("project_a.md", "feedback_testing"),
        ];
        let resolver = Resolver::new(memories.into_iter());
        let meant = |word: &str| resolver.resolve(word);
        assert_eq!(meant("feedback_testing"), Some("feedback_testing.md"), "a stem wins over a name");
        assert_eq!(meant("feedback_testing.md#why"), Some("feedback_testing.md"));
        assert_eq!(meant("real-databases"), Some("feedback_testing.md"));
        assert_eq!(meant("Real_Databases"), Some("feedback_testing.md"));
        assert_eq!(meant("user-role"), Some("sub/user_role.md"));
        assert_eq!(meant("sub/user_role"), Some("sub/user_role.md"));
        assert_eq!(meant("role"), Some("sub/user_role.md"));
        assert_eq!(meant("role-of-the-user"), Some("sub/user_role.md"));
        assert_eq!(meant("nothing"), None);
        assert_eq!(meant(""), None);
    }
}
