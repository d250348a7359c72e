//! The ranking: BM25+ over fields, and the question whether it is sure enough.
//!
//! Words of name and description say most, then the file's name, then the body. A memory is picked when enough of what the
//! prompt is about is found in it; a rare word says more than one that half the store has. Not its job: how words are
//! found (see [`super::count`]), copies (see [`super::copies`]).

use std::cmp::Ordering;
use std::collections::HashSet;

use super::count::{Counter, Counts};
use super::examine::{Examined, Question};
use super::query::Term;
use super::words::WORDS;
use super::{Hit, MOST, Missed, Ranking, copies, correct, tools, why};
use crate::memory::{Memory, names};

/// BM25+ with the usual constants; tuning them does not carry over to other texts.
const K1: f64 = 1.2;
const B: f64 = 0.75;
const DELTA: f64 = 0.5;

/// What an occurrence counts by its field.
const NAME: f64 = 2.0;
const DESCRIPTION: f64 = 3.0;
const FILE: f64 = 1.0;
const LINKS: f64 = 0.5;
const BODY: f64 = 1.0;

/// From here on a word is what a memory is about: it stands in the description as the prompt has it, and in name or file.
const SUBJECT: f64 = DESCRIPTION + FILE;

/// What a word of the body is worth as evidence, beside one of name or description.
const BODY_EVIDENCE: f64 = 0.6;

/// The rarity of a word that no memory has: the prompt is about something the store does not know.
const UNKNOWN: f64 = 0.8;

/// What has to be found, in rare words: one whole word in name or description, or two in the body.
const EVIDENCE: f64 = 0.5;

/// Which share of what the prompt is about has to be found.
const COVERAGE: f64 = 0.25;

/// The same for a prompt that asks for general knowledge.
const GENERAL_COVERAGE: f64 = 0.65;

/// What falls below this share of the best score is left out.
const RELATIVE: f64 = 0.4;

/// How many of those that narrowly missed are told.
const MOST_MISSED: usize = 5;

/// What one memory has of the terms.
pub(super) struct Scored<'a> {
    pub(super) from: &'a Examined,
    pub(super) memory: &'a Memory,
    pub(super) head: Counts,
    pub(super) body: Counts,
    pub(super) score: f64,
    pub(super) evidence: f64,
    coverage: f64,
    /// Said when something lowered it.
    pub(super) lowered: Option<String>,
}

/// Picks from stores that were read with the question.
#[must_use]
pub fn rank(question: &Question, examined: &[Examined]) -> Ranking {
    let mut terms = question.terms.clone();
    let mut all = counted(question, examined, &terms);
    let corrections = correct::corrections(&terms, &all, &question.stemmers);
    for (at, replacement) in corrections {
        if let Some(term) = terms.get_mut(at) {
            *term = replacement;
        }
        recount(question, &terms, at, &mut all);
    }
    weigh(&terms, &mut all);
    for scored in &mut all {
        tools::lower_if_usage(scored, &question.tools);
    }
    all.retain(|scored| scored.score > 0.0 && !is_shown(scored, &question.shown));
    all.sort_by(|one, other| {
        other.score.partial_cmp(&one.score).unwrap_or(Ordering::Equal).then_with(|| {
            let age = |scored: &Scored<'_>| scored.memory.age_days.unwrap_or(u32::MAX);
            age(one).cmp(&age(other)).then_with(|| one.memory.file.cmp(&other.memory.file))
        })
    });
    picked(&terms, copies::grouped(all), question)
}

fn picked(terms: &[Term], all: Vec<copies::Group<'_>>, question: &Question) -> Ranking {
    let coverage = if WORDS.is_general(&question.prompt) { GENERAL_COVERAGE } else { COVERAGE };
    let best =
        all.iter().filter(|group| is_sure(&group.first, coverage)).map(|group| group.first.score).fold(0.0, f64::max);
    let mut ranking = Ranking::default();
    for group in all {
        let scored = &group.first;
        let because = if !is_sure(scored, coverage) {
            unsure(scored)
        } else if scored.score < RELATIVE * best {
            Some("far behind the best one".to_owned())
        } else if ranking.picked.len() >= MOST {
            Some(format!("{MOST} others match better"))
        } else {
            None
        };
        if because.is_some() && ranking.missed.len() >= MOST_MISSED {
            continue;
        }
        let hit = Hit {
            store: scored.from.snapshot.store.clone(),
            memory: scored.memory.clone(),
            score: (scored.score * 1000.0).round() / 1000.0,
            why: why::said(terms, scored, &question.stemmers),
            places: group.places,
        };
        match because {
            None => ranking.picked.push(hit),
            Some(because) => ranking.missed.push(Missed { hit, because }),
        }
    }
    ranking
}

fn is_sure(scored: &Scored<'_>, coverage: f64) -> bool {
    scored.evidence >= EVIDENCE && scored.coverage >= coverage
}

fn unsure(scored: &Scored<'_>) -> Option<String> {
    Some(if scored.evidence < EVIDENCE {
        "what matches is said in too many memories, or only in passing".to_owned()
    } else {
        format!("only {:.0} % of what the prompt is about matches", scored.coverage * 100.0)
    })
}

/// Whether it was shown already: named by its path, by its path through a link, or by its file in the store.
fn is_shown(scored: &Scored<'_>, shown: &[String]) -> bool {
    let path = scored.from.snapshot.store.path(&scored.memory.file);
    shown.iter().any(|shown| {
        *shown == scored.memory.file
            || std::path::Path::new(shown) == path
            || (shown.contains('/') && std::fs::canonicalize(shown).ok() == std::fs::canonicalize(&path).ok())
    })
}

/// Counts names, descriptions, files and links; bodies were counted when they were read.
fn counted<'a>(question: &Question, examined: &'a [Examined], terms: &[Term]) -> Vec<Scored<'a>> {
    let counter = Counter::new(terms, &question.stemmers);
    let mut all = Vec::new();
    for from in examined {
        for memory in &from.snapshot.memories {
            let head = head(&counter, memory, terms.len());
            let body = from.bodies.get(&memory.file).cloned().unwrap_or_default();
            all.push(Scored { from, memory, head, body, score: 0.0, evidence: 0.0, coverage: 0.0, lowered: None });
        }
    }
    all
}

fn head(counter: &Counter<'_>, memory: &Memory, terms: usize) -> Counts {
    let mut head = Counts::new();
    counter.count(&memory.name, NAME, &mut head);
    counter.count(&memory.description, DESCRIPTION, &mut head);
    // Where it lies says nothing of it.
    counter.count(names::of_the_team(&memory.file).unwrap_or(&memory.file), FILE, &mut head);
    for link in &memory.trace.links {
        counter.count(link, LINKS, &mut head);
    }
    head.resize(terms, 0.0);
    head
}

/// Counts one corrected term again, in the heads: bodies are not read twice.
fn recount(question: &Question, terms: &[Term], at: usize, all: &mut [Scored<'_>]) {
    let Some(term) = terms.get(at) else { return };
    let one = std::slice::from_ref(term);
    let counter = Counter::new(one, &question.stemmers);
    for scored in all {
        let head = head(&counter, scored.memory, 1);
        if let (Some(place), Some(count)) = (scored.head.get_mut(at), head.first()) {
            *place = *count;
        }
    }
}

/// Scores everything.
fn weigh(terms: &[Term], all: &mut [Scored<'_>]) {
    // Copies of one content are one memory: eight of them make no word common.
    let mut contents = HashSet::new();
    let distinct: Vec<bool> = all.iter().map(|scored| contents.insert(scored.memory.hash)).collect();
    let number = distinct.iter().filter(|is_first| **is_first).count() as f64;
    let average = all.iter().map(|scored| scored.memory.bytes as f64).sum::<f64>() / all.len().max(1) as f64;
    let of = |counts: &Counts, at: usize| counts.get(at).copied().unwrap_or(0.0);
    let rarity_of = |has: &dyn Fn(&Scored<'_>, usize) -> bool| -> Vec<f64> {
        let having = |at| all.iter().zip(&distinct).filter(|(scored, first)| **first && has(scored, at)).count();
        (0..terms.len()).map(|at| idf(number, having(at) as f64)).collect()
    };
    let rarity = rarity_of(&|scored, at| of(&scored.head, at) + of(&scored.body, at) > 0.0);
    // A memory whose own subject is the word answers for it, however often others mention it or say the like.
    let is_subject = |scored: &Scored<'_>, at: usize| of(&scored.head, at) >= SUBJECT;
    let as_subject = rarity_of(&is_subject);
    let most = idf(number, 1.0).max(f64::MIN_POSITIVE);
    let about: f64 = terms
        .iter()
        .zip(&rarity)
        .filter(|(term, _)| term.is_strong)
        .map(|(term, idf)| term.weight * if *idf == 0.0 { UNKNOWN } else { idf / most })
        .sum();
    for scored in all {
        let length = 1.0 - B + B * scored.memory.bytes as f64 / average.max(1.0);
        let (mut found, mut evidence) = (0.0, 0.0);
        for (at, (term, idf)) in terms.iter().zip(&rarity).enumerate() {
            let (head, body) = (of(&scored.head, at), of(&scored.body, at));
            let frequency = head + BODY * body;
            if frequency <= 0.0 {
                continue;
            }
            scored.score += term.weight * idf * (frequency * (K1 + 1.0) / (frequency + K1 * length) + DELTA);
            if term.is_strong {
                // Once in the description, or in name and file, is as good as it gets.
                let quality = (head / DESCRIPTION).min(1.0).max(BODY_EVIDENCE * body.min(1.0));
                found += term.weight * (idf / most) * quality;
                let own = as_subject.get(at).filter(|_| is_subject(scored, at)).copied().unwrap_or_default();
                evidence += term.weight * (idf.max(own) / most) * quality;
            }
        }
        scored.evidence = evidence;
        scored.coverage = if about > 0.0 { found / about } else { 0.0 };
    }
}

/// How much a word says that `having` of `number` memories have; 0 when none has it.
fn idf(number: f64, having: f64) -> f64 {
    if having == 0.0 { 0.0 } else { (1.0 + (number - having + 0.5) / (having + 0.5)).ln() }
}
