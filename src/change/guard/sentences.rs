//! Sentences as the guards compare them: what a text says, without the marks around it.
//!
//! A sentence counts as surviving only when its words are all there in order; one of which most words are there as reworded.
//! Not its job: near-duplicates.

use std::collections::{HashMap, HashSet};

use crate::memory::frontmatter;

/// From this share of common words on, a line counts as reworded rather than lost.
const REWORDED: f64 = 0.5;

/// The sentences of some files.
#[derive(Clone, Debug, Default)]
pub(in crate::change) struct Sentences {
    /// Each with a file it stands in.
    known: HashMap<String, String>,
}

impl Sentences {
    /// Adds what a file says, its description included.
    pub(in crate::change) fn add(&mut self, file: &str, bytes: &[u8]) {
        let description = frontmatter::read(bytes).description.unwrap_or_default();
        for sentence in of_file(bytes).into_iter().chain(of_text(&description)) {
            self.known.entry(sentence).or_insert_with(|| file.to_owned());
        }
    }

    /// Adds what two contents of a file both say.
    pub(in crate::change) fn add_common(&mut self, file: &str, one: &[u8], other: &[u8]) {
        let there: HashSet<String> = of_file(one).into_iter().collect();
        for sentence in of_file(other).into_iter().filter(|sentence| there.contains(sentence)) {
            self.known.entry(sentence).or_insert_with(|| file.to_owned());
        }
    }

    pub(in crate::change) fn contains(&self, sentence: &str) -> bool {
        self.known.contains_key(sentence)
    }

    /// A file in which a sentence stands.
    pub(in crate::change) fn place(&self, sentence: &str) -> Option<&str> {
        self.known.get(sentence).map(String::as_str)
    }

    /// Whether a sentence is known to stand in this file.
    pub(in crate::change) fn stands_in(&self, sentence: &str, file: &str) -> bool {
        self.place(sentence) == Some(file)
    }

    /// The sentences of a file.
    pub(in crate::change) fn sentences_of(&self, file: &str) -> impl Iterator<Item = &str> {
        self.known.iter().filter(move |(_, place)| *place == file).map(|(sentence, _)| sentence.as_str())
    }

    /// The words of a file's sentences.
    pub(in crate::change) fn words_of(&self, file: &str) -> HashSet<&str> {
        self.sentences_of(file).flat_map(|sentence| sentence.split(' ')).collect()
    }
}

/// The sentences of a file's body; of its description when the body says nothing.
pub(in crate::change) fn of_file(bytes: &[u8]) -> Vec<String> {
    let read = frontmatter::read(bytes);
    let body = String::from_utf8_lossy(bytes.get(read.body..).unwrap_or_default()).into_owned();
    let sentences = of_text(&body);
    if sentences.is_empty() { of_text(&read.description.unwrap_or_default()) } else { sentences }
}

/// The sentences of a text, each folded: lower case, Markdown marks and blanks gone. Marked labels (`**Why:**`) and
/// headings are no sentences of their own.
pub(in crate::change) fn of_text(text: &str) -> Vec<String> {
    raw(text).iter().map(|sentence| folded(sentence)).filter(|folded| !folded.is_empty()).collect()
}

/// The same sentences as they are written.
pub(super) fn raw(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        let line = without_label(line.trim());
        let mut sentence = String::new();
        let mut characters = line.chars().peekable();
        while let Some(character) = characters.next() {
            let ends = match character {
                '.' | '!' | '?' => characters.peek().is_none_or(|next| next.is_whitespace()),
                '。' | '！' | '？' => true,
                _ => false,
            };
            if ends {
                sentences.push(std::mem::take(&mut sentence));
            } else {
                sentence.push(character);
            }
        }
        sentences.push(sentence);
    }
    sentences
}

fn without_label(line: &str) -> &str {
    match line.strip_prefix("**").and_then(|rest| rest.split_once("**")) {
        Some((label, rest)) if label.ends_with(':') || rest.starts_with(':') => rest.trim_start_matches(':'),
        _ => line,
    }
}

/// A sentence's words in lower case, without what stands around them.
pub(super) fn folded(sentence: &str) -> String {
    sentence
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether most words of a sentence stand among these.
pub(in crate::change) fn is_said_in(sentence: &str, there: &HashSet<&str>) -> bool {
    let words: HashSet<&str> = sentence.split(' ').collect();
    // Texts without blanks between words are compared by character.
    if words.len() <= 2 {
        let (one, other) = (characters(&words), characters(there));
        return one.intersection(&other).count() as f64 >= REWORDED * one.len() as f64;
    }
    words.intersection(there).count() as f64 >= REWORDED * words.len() as f64
}

fn characters(words: &HashSet<&str>) -> HashSet<char> {
    words.iter().flat_map(|word| word.chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_case_and_labels_fold_away() {
        assert_eq!(of_text("- Use **pnpm**, not npm.  Never `yarn`!"), ["use pnpm not npm", "never yarn"]);
        assert_eq!(of_text("**Why:** it broke on 3.2.1 twice"), ["it broke on 3 2 1 twice"]);
        assert_eq!(of_text("# Heading\n\n---\n"), Vec::<String>::new());
        assert_eq!(of_text("第一句。第二句。"), ["第一句", "第二句"]);
    }
}
