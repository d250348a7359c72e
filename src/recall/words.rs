//! The word lists under `assets/recall/`: what says nothing, what says little, and what stands for the same idea.
//!
//! The lists are data; everything in them is folded and compared by stem. Not its job: weighing (see [`super::rank`]).

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::fold::{is_dense, lower};

/// The lists, ready to be asked.
pub(super) struct Words {
    /// Words that say nothing.
    pub(super) stop: HashSet<String>,
    /// Words that say little.
    pub(super) weak: HashSet<String>,
    /// Things said in scripts without spaces that say nothing, the longest first.
    pub(super) dense_stop: Vec<String>,
    /// Phrases of prompts that ask for general knowledge.
    general: Vec<String>,
    /// For each word the ideas it names.
    ideas: HashMap<String, Vec<usize>>,
    /// Ideas whose words stand in scripts without spaces, the longest first.
    pub(super) dense: Vec<String>,
    /// What else each idea is called: what a prompt with one of its words also looks for.
    said: Vec<Vec<String>>,
}

/// The one copy of the lists.
pub(super) static WORDS: LazyLock<Words> = LazyLock::new(Words::read);

impl Words {
    fn read() -> Self {
        let mut words = Self {
            stop: HashSet::new(),
            weak: plain(include_str!("../../assets/recall/weak.txt"))
                .flat_map(str::split_whitespace)
                .map(lower)
                .collect(),
            dense_stop: Vec::new(),
            general: plain(include_str!("../../assets/recall/general.txt"))
                .flat_map(|line| line.split(';').map(|phrase| lower(phrase.trim())))
                .collect(),
            ideas: HashMap::new(),
            dense: Vec::new(),
            said: Vec::new(),
        };
        let mut in_dense = false;
        for line in plain(include_str!("../../assets/recall/stop.txt")) {
            if line.starts_with('[') {
                in_dense = line == "[dense]";
            } else if in_dense {
                words.dense_stop.extend(line.split_whitespace().map(lower));
            } else {
                words.stop.extend(line.split_whitespace().map(lower));
            }
        }
        for line in plain(include_str!("../../assets/recall/concepts.txt")) {
            let (from, to) = line.split_once('>').unwrap_or((line, line));
            let members = |side: &str| -> Vec<String> {
                side.split_whitespace().map(|word| lower(word).replace('_', " ")).collect()
            };
            let idea = words.said.len();
            words.said.push(members(to));
            for word in members(from) {
                if word.starts_with(is_dense) {
                    words.dense.push(word.clone());
                }
                words.ideas.entry(word).or_default().push(idea);
            }
        }
        for list in [&mut words.dense, &mut words.dense_stop] {
            list.sort_by(|one, other| other.chars().count().cmp(&one.chars().count()).then_with(|| one.cmp(other)));
            list.dedup();
        }
        words
    }

    /// What else a folded word is called; empty when the lists do not know it.
    pub(super) fn others(&self, word: &str) -> Vec<&str> {
        let ideas = self.ideas.get(word).map(Vec::as_slice).unwrap_or_default();
        let mut others: Vec<&str> = ideas
            .iter()
            .filter_map(|idea| self.said.get(*idea))
            .flatten()
            .map(String::as_str)
            .filter(|other| *other != word)
            .collect();
        others.sort_unstable();
        others.dedup();
        others
    }
}

impl Words {
    /// Whether a prompt asks for general knowledge, or for an edit that needs no context.
    pub(super) fn is_general(&self, prompt: &str) -> bool {
        let words: Vec<String> =
            prompt.split_whitespace().map(|word| lower(word.trim_matches(|c: char| !c.is_alphanumeric()))).collect();
        let spaced = format!(" {} ", words.join(" "));
        self.general.iter().any(|phrase| {
            if phrase.starts_with(is_dense) { spaced.contains(phrase) } else { spaced.contains(&format!(" {phrase} ")) }
        })
    }

    /// Every listed word of a script with spaces, for comparing with mistyped ones.
    pub(super) fn listed(&self) -> impl Iterator<Item = &str> {
        self.ideas.keys().map(String::as_str).filter(|word| !word.contains(is_dense) && !word.contains(' '))
    }
}

fn plain(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}
