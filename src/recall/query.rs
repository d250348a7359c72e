//! A prompt as the terms that are looked for.
//!
//! Identifiers and paths are split and kept whole too, words are stemmed, text without spaces is cut into known words and
//! pairs of characters. Not its job: finding the terms (see [`super::count`]) and weighing what was found.

use std::collections::HashSet;

use super::fold::{is_dense, lower};
use super::language::Stemmers;
use super::words::WORDS;

/// How many terms of a prompt are looked for: a pasted log must not cost its length.
const MOST_TERMS: usize = 64;

/// The longest word that is looked for, in characters, a hash in hexadecimal among them. What is longer is an encoded
/// thing, not a word, and an automaton made for it costs the square of its length.
const LONGEST: usize = 128;

/// How much a word counts that stands for the same idea as the one in the prompt.
const IDEA: f64 = 0.6;

/// One thing to look for.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// As the prompt has it, folded: what a person is shown.
    pub(super) word: String,
    /// How much it says, from 0 to 1.
    pub(super) weight: f64,
    /// Whether it can make a memory relevant; weak words only order those that are.
    pub(super) is_strong: bool,
    /// What counts as it.
    pub(super) forms: Vec<Form>,
}

/// One form of a term.
#[derive(Clone, Debug)]
pub(super) struct Form {
    /// The folded word or piece of text.
    pub(super) text: String,
    /// Its stems, by the stemmers of the query; empty for a piece, which is found anywhere in a text.
    pub(super) stems: Vec<String>,
    /// What an occurrence counts, from 0 to 1.
    pub(super) factor: f64,
}

/// The terms of a prompt.
pub(super) fn terms(prompt: &str, stemmers: &Stemmers) -> Vec<Term> {
    let mut terms = Terms { stemmers, found: Vec::new(), seen: HashSet::new() };
    for word in prompt.split(|c: char| c.is_whitespace()).take(4 * MOST_TERMS) {
        terms.word(word);
        if terms.found.len() >= MOST_TERMS {
            break;
        }
    }
    terms.phrases(prompt);
    terms.found.truncate(MOST_TERMS);
    terms.found
}

/// The parts of an identifier or a path: at marks, and where a small letter or a digit meets a capital.
pub(super) fn parts(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut part = String::new();
    let mut before = ' ';
    for character in word.chars() {
        let is_hump = character.is_uppercase() && (before.is_lowercase() || before.is_numeric());
        if (!character.is_alphanumeric() && !is_mark(character)) || is_hump {
            found.push(std::mem::take(&mut part));
        }
        if character.is_alphanumeric() || is_mark(character) {
            part.push(character);
        }
        before = character;
    }
    found.push(part);
    found.retain(|part| !part.is_empty());
    found
}

/// Vowel signs and accents, which belong to the letter before them.
fn is_mark(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

struct Terms<'a> {
    stemmers: &'a Stemmers,
    found: Vec<Term>,
    seen: HashSet<String>,
}

impl Terms<'_> {
    fn word(&mut self, word: &str) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && !is_mark(c));
        let whole = lower(bare);
        // `don't`, `e-mail`: the lists know them whole.
        if WORDS.stop.contains(&whole) {
            return;
        }
        if !WORDS.others(&whole).is_empty() {
            return self.plain(&whole);
        }
        for piece in bare.split('\'').take(MOST_TERMS) {
            let mut parts = parts(piece);
            let is_short = piece.chars().nth(LONGEST).is_none();
            let is_identifier = parts.len() > 1 && is_short && !piece.contains(is_dense);
            parts.truncate(MOST_TERMS);
            let before = self.found.len();
            for part in &parts {
                self.part(&lower(part));
            }
            if is_identifier {
                // One name, however many words it is made of.
                let named = self.found.get_mut(before..).unwrap_or_default();
                let strong = named.iter().filter(|term| term.is_strong).count().max(1) as f64;
                named.iter_mut().filter(|term| term.is_strong).for_each(|term| term.weight /= strong);
            }
            if is_identifier {
                let joined: Vec<String> = parts.iter().map(|part| lower(part)).collect();
                self.add(
                    &lower(piece),
                    0.5,
                    false,
                    vec![whole_form(&lower(piece), 1.0), whole_form(&joined.join("_"), 1.0)],
                );
            }
        }
    }

    fn part(&mut self, part: &str) {
        if part.contains(is_dense) { self.dense(part) } else { self.plain(part) }
    }

    /// A word of a script with spaces.
    fn plain(&mut self, word: &str) {
        let characters = word.chars().count();
        if WORDS.stop.contains(word) || characters > LONGEST || (characters < 2 && !word.chars().all(char::is_numeric))
        {
            return;
        }
        let is_number = word.chars().all(char::is_numeric);
        let is_weak = is_number || WORDS.weak.contains(word);
        let mut forms = vec![self.form(word, 1.0)];
        if !is_weak {
            forms.extend(self.ideas(word));
        }
        self.add(word, if is_weak { 0.3 } else { 1.0 }, !is_weak, forms);
    }

    /// Text of a script without spaces: known words first, the rest in pairs of characters.
    fn dense(&mut self, text: &str) {
        let mut rest = text;
        let mut run = String::new();
        while let Some(first) = rest.chars().next() {
            let known = WORDS.dense.iter().find(|word| rest.starts_with(word.as_str()));
            let stop = WORDS.dense_stop.iter().find(|word| rest.starts_with(word.as_str()));
            // Of a word and a filler that begin alike, the longer is meant.
            let known = known.filter(|word| stop.is_none_or(|stop| stop.len() < word.len()));
            let length = match (known, stop) {
                (Some(word), _) => {
                    self.pairs(&std::mem::take(&mut run));
                    let mut forms = vec![whole_form(word, 1.0)];
                    forms.extend(self.ideas(word));
                    self.add(word, 1.0, true, forms);
                    word.len()
                }
                (None, Some(stop)) => {
                    self.pairs(&std::mem::take(&mut run));
                    stop.len()
                }
                (None, None) => {
                    run.push(first);
                    first.len_utf8()
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        self.pairs(&run);
    }

    fn pairs(&mut self, run: &str) {
        let letters: String = run.chars().filter(|c| !is_dense(*c)).collect();
        if !letters.is_empty() && letters.len() == run.len() {
            return self.plain(&letters);
        }
        let characters: Vec<char> = run.chars().collect();
        if let [one] = characters.as_slice() {
            let is_grammar = matches!(one, '\u{3040}'..='\u{309F}');
            if !is_grammar {
                self.add(run, 0.3, false, vec![whole_form(run, 1.0)]);
            }
            return;
        }
        for pair in characters.windows(2) {
            let text: String = pair.iter().collect();
            // Kana of both kinds are grammar more often than not when nothing but hiragana stands there.
            let is_grammar = pair.iter().all(|c| matches!(c, '\u{3040}'..='\u{309F}'));
            let weight = if is_grammar { 0.15 } else { 0.7 };
            self.add(&text, weight, !is_grammar, vec![whole_form(&text, 1.0)]);
        }
    }

    /// Ideas whose name is several words.
    fn phrases(&mut self, prompt: &str) {
        let folded: Vec<String> =
            prompt.split_whitespace().map(|word| lower(word.trim_matches(|c: char| !c.is_alphanumeric()))).collect();
        for size in [2, 3] {
            for words in folded.windows(size) {
                let phrase = words.join(" ");
                if !WORDS.others(&phrase).is_empty() {
                    let mut forms = vec![self.form(&phrase, 1.0)];
                    forms.extend(self.ideas(&phrase));
                    self.add(&phrase, 1.0, true, forms);
                }
            }
        }
    }

    fn ideas(&self, word: &str) -> Vec<Form> {
        WORDS.others(word).into_iter().map(|other| self.form(other, IDEA)).collect()
    }

    fn form(&self, word: &str, factor: f64) -> Form {
        if word.starts_with(is_dense) || word.contains(' ') {
            return whole_form(word, factor);
        }
        Form { text: word.to_owned(), stems: self.stemmers.stems(word), factor }
    }

    fn add(&mut self, word: &str, weight: f64, is_strong: bool, forms: Vec<Form>) {
        // `test` and `tests` in one prompt are one term.
        let key = forms.first().and_then(|form| form.stems.first()).cloned().unwrap_or_else(|| word.to_owned());
        if self.seen.insert(key) {
            self.found.push(Term { word: word.to_owned(), weight, is_strong, forms });
        }
    }
}

/// A piece that is found anywhere in a text.
fn whole_form(text: &str, factor: f64) -> Form {
    Form { text: text.to_owned(), stems: Vec::new(), factor }
}
