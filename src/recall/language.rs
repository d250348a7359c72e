//! Which stemmers a query and a store call for.
//!
//! A prompt of three words says little about its language, a store's index says much: both are asked. English always
//! counts, for it is what code and its words are made of.

use rust_stemmers::{Algorithm, Stemmer};
use whatlang::Lang;

/// The share of the lines that tell their language from which on a language counts as the store's.
const WORTH_A_STEMMER: f64 = 0.2;

/// The stemmers in use. Words of a script none of them reads are compared as they are.
pub(super) struct Stemmers {
    latin: Vec<Stemmer>,
    cyrillic: Stemmer,
    greek: Stemmer,
    arabic: Stemmer,
}

impl Stemmers {
    /// Those for a prompt asked of a store of which `sample` are some lines.
    pub(super) fn of(prompt: &str, sample: &[String]) -> Self {
        let mut algorithms = vec![Algorithm::English];
        let mut counts: Vec<(Lang, usize)> = Vec::new();
        let mut sure = 0_usize;
        for info in sample.iter().filter_map(|line| whatlang::detect(line)).filter(whatlang::Info::is_reliable) {
            sure += 1;
            match counts.iter_mut().find(|(language, _)| *language == info.lang()) {
                Some((_, count)) => *count += 1,
                None => counts.push((info.lang(), 1)),
            }
        }
        let told = counts.iter().filter(|(_, count)| *count as f64 >= WORTH_A_STEMMER * sure as f64);
        let own = whatlang::detect(prompt).filter(whatlang::Info::is_reliable).map(|info| info.lang());
        for language in told.map(|(language, _)| *language).chain(own) {
            if let Some(algorithm) = latin(language)
                && !algorithms.contains(&algorithm)
            {
                algorithms.push(algorithm);
            }
        }
        Self {
            latin: algorithms.into_iter().map(Stemmer::create).collect(),
            cyrillic: Stemmer::create(Algorithm::Russian),
            greek: Stemmer::create(Algorithm::Greek),
            arabic: Stemmer::create(Algorithm::Arabic),
        }
    }

    /// The stems of a folded word, one for each stemmer that reads its script, in a fixed order.
    pub(super) fn stems(&self, word: &str) -> Vec<String> {
        let one = |stemmer: &Stemmer| vec![stemmer.stem(word).into_owned()];
        match word.chars().next() {
            Some('\u{400}'..='\u{52F}') => one(&self.cyrillic),
            Some('\u{370}'..='\u{3FF}') => one(&self.greek),
            Some('\u{600}'..='\u{6FF}') => one(&self.arabic),
            _ => self.latin.iter().map(|stemmer| stemmer.stem(word).into_owned()).collect(),
        }
    }
}

fn latin(language: Lang) -> Option<Algorithm> {
    Some(match language {
        Lang::Deu => Algorithm::German,
        Lang::Fra => Algorithm::French,
        Lang::Spa => Algorithm::Spanish,
        Lang::Por => Algorithm::Portuguese,
        Lang::Ita => Algorithm::Italian,
        Lang::Nld => Algorithm::Dutch,
        Lang::Swe => Algorithm::Swedish,
        Lang::Dan => Algorithm::Danish,
        Lang::Nob => Algorithm::Norwegian,
        Lang::Fin => Algorithm::Finnish,
        Lang::Hun => Algorithm::Hungarian,
        Lang::Ron => Algorithm::Romanian,
        Lang::Tur => Algorithm::Turkish,
        _ => return None,
    })
}
