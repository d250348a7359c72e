//! Learns the weights of the scorer from the develop half of `tests/extraction/`, the same bytes each time:
//! `cargo test --lib -- --ignored --nocapture learns_the_weights`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::super::sentences::{self, Sentence};
use super::super::{announced, classify, confirm, contrast, irony, language, once, retractions, revoke, voices};
use super::{ANSWERS, MODEL, Model, PAIRS, Place, WORDS, Weights, best, by_cues, by_words, is_open};
use crate::memory::Kind;

/// How much weights are held back.
const L2: f64 = 2.0;
/// How often the examples are gone through.
const ROUNDS: usize = 400;
/// Into how many parts the examples are put: what is said of each part was learned from the others.
const FOLDS: u64 = 8;
/// The share of answers that have to be right, of those that the scorer gives.
const PRECISION: f64 = 0.88;
/// What an example counts that a rule finds: the scorer is not asked about it.
const RULED: f64 = 0.5;

#[derive(Deserialize)]
struct Case {
    name: String,
    turns: Vec<BTreeMap<String, String>>,
    #[serde(default)]
    memories: BTreeMap<String, String>,
    claude_md: Option<String>,
    #[serde(default)]
    expect: Vec<Label>,
    #[serde(default)]
    allow: Vec<Label>,
}

#[derive(Deserialize)]
struct Label {
    #[serde(rename = "type")]
    kinds: serde_yaml::Value,
    words: Vec<String>,
}

impl Label {
    fn fits(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.words.iter().all(|word| text.contains(&word.to_lowercase()))
    }

    fn kinds(&self) -> Vec<Option<Kind>> {
        let named = serde_yaml::to_string(&self.kinds).unwrap();
        ANSWERS.into_iter().filter(|kind| kind.is_some_and(|kind| named.contains(kind.word()))).collect()
    }
}

/// A sentence with what it is.
struct Example {
    case: String,
    features: Vec<String>,
    /// The right answers.
    right: Vec<Option<Kind>>,
    /// Whether no rule finds it.
    is_asked: bool,
}

impl Example {
    fn fold(&self) -> u64 {
        let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        (self.case.bytes().fold(0xcbf2_9ce4_8422_2325, hash) >> 16) % FOLDS
    }

    fn weight(&self) -> f64 {
        if self.is_asked || self.right == [None] { 1.0 } else { RULED }
    }
}

/// The sentences of the develop half that are open to the scorer; cases where something is taken back, or known already, say
/// nothing about sentences.
fn examples() -> Vec<Example> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extraction/develop");
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let cases: Vec<Case> = serde_yaml::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        let is_plain = |case: &Case| case.memories.is_empty() && case.claude_md.is_none();
        for case in cases.iter().filter(|case| is_plain(case)) {
            all.extend(of_case(case).unwrap_or_default());
        }
    }
    all
}

fn of_case(case: &Case) -> Option<Vec<Example>> {
    let mut found = Vec::new();
    let mut after: Option<&str> = None;
    let day = "2026-03-11".parse().unwrap();
    for turn in &case.turns {
        after = turn.get("assistant").map(String::as_str).or(after);
        let Some(text) = turn.get("user").filter(|text| !classify::is_invented_turn(text)) else { continue };
        let sentences = sentences::split(text);
        let mut next = 0;
        for (at, sentence) in sentences.iter().enumerate() {
            let text = &sentence.text;
            let takes_back = classify::takes_back(text) || classify::lifts(text) || retractions::is_said(text);
            if takes_back || revoke::of(text, day).is_some_and(|revokes| revokes.is_plain()) {
                return None;
            }
            if at < next || irony::is_meant_otherwise(&sentences, at) || voices::is_someone_elses(&sentences, at) {
                continue;
            }
            let ruled = confirm::statement(&sentences, at, after)
                .or_else(|| classify::classify(&sentences, at, day))
                .or_else(|| contrast::statement(&sentences, at, after))
                .or_else(|| announced::statement(&sentences, at, day));
            next = ruled.as_ref().map_or(next, |ruled| at + ruled.sentences.max(1));
            if let Some(example) = of_sentence(case, &sentences, at, ruled.is_none()) {
                found.push(example);
            }
        }
    }
    Some(found)
}

fn of_sentence(case: &Case, sentences: &[Sentence], at: usize, is_asked: bool) -> Option<Example> {
    let text = &sentences[at].text;
    let seen = RefCell::new(None);
    let stated = classify::stated(sentences, at, "2026-03-11".parse().unwrap(), &|parts, _, cues| {
        if !is_asked || is_open(parts, cues) {
            let by_words = by_words(parts, language::of(text), Place::of(sentences, at));
            *seen.borrow_mut() = by_words.map(|by_words| [by_words, by_cues(parts, cues)].concat());
        }
        Some(Kind::User)
    })?;
    let features = seen.into_inner()?;
    let right = case.expect.iter().find(|label| label.fits(text)).map_or(vec![None], Label::kinds);
    let is_either = right == [None] && case.allow.iter().any(|label| label.fits(text));
    (!is_either && !once::is_only_now(&stated, sentences, at)).then(|| Example {
        case: case.name.clone(),
        features,
        right,
        is_asked,
    })
}

/// Learns weights: gradient descent with momentum on the likelihood of the right answers, from nothing on.
fn learn(examples: &[&Example]) -> Model {
    let names: BTreeSet<&String> = examples.iter().flat_map(|example| &example.features).collect();
    let mut model =
        Model { sure: 1.0, weights: names.into_iter().map(|name| (name.clone(), Weights::default())).collect() };
    let mut speed: HashMap<String, Weights> = model.weights.clone();
    let step = 0.01 / (1.0 + examples.len() as f64 / 200.0);
    for _ in 0..ROUNDS {
        let held_back = |(name, weights): (&String, &Weights)| {
            (name.clone(), weights.map(|weight| if name == "any" { 0.0 } else { L2 * weight }))
        };
        let mut slope: HashMap<String, Weights> = model.weights.iter().map(held_back).collect();
        for example in examples {
            let likelihoods = model.likelihoods(&example.features);
            let share = 1.0 / example.right.len() as f64;
            for name in &example.features {
                let slope = slope.get_mut(name).unwrap();
                for ((slope, answer), likelihood) in slope.iter_mut().zip(ANSWERS).zip(likelihoods) {
                    let meant = if example.right.contains(&answer) { share } else { 0.0 };
                    *slope += example.weight() * (likelihood - meant);
                }
            }
        }
        for (name, weights) in &mut model.weights {
            let speed = speed.get_mut(name).unwrap();
            for ((weight, speed), slope) in weights.iter_mut().zip(speed).zip(slope[name]) {
                *speed = 0.9 * *speed - step * slope;
                *weight += *speed;
            }
        }
    }
    model
}

/// From which likelihood on enough of the answers are right, where each is given by what was learned without it.
fn threshold(examples: &[Example]) -> f64 {
    let mut answers: Vec<(f64, bool)> = Vec::new();
    for fold in 0..FOLDS {
        let others: Vec<&Example> = examples.iter().filter(|example| example.fold() != fold).collect();
        let model = learn(&others);
        for example in examples.iter().filter(|example| example.fold() == fold && example.is_asked) {
            let (kind, likelihood) = best(model.likelihoods(&example.features));
            answers.push((likelihood, example.right.contains(&kind)));
        }
    }
    answers.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut right, mut sure) = (0, 1.0);
    for (asked, (likelihood, is_right)) in answers.iter().enumerate() {
        right += usize::from(*is_right);
        let precision = f64::from(right as u32) / (asked + 1) as f64;
        if precision >= PRECISION {
            sure = *likelihood;
        }
        if asked % 5 == 4 && asked < 120 {
            println!("{:>4} answers from {likelihood:.3} on, {precision:.3} of them right", asked + 1);
        }
    }
    let open = examples.iter().filter(|example| example.is_asked && example.right != [None]).count();
    println!(
        "{} examples; {open} facts among {} that no rule finds; sure from {sure:.3} on",
        examples.len(),
        answers.len()
    );
    sure
}

#[test]
#[ignore = "writes assets/manner/weights.tsv"]
fn learns_the_weights() {
    let examples = examples();
    let sure = threshold(&examples);
    let model = learn(&examples.iter().collect::<Vec<_>>());
    let mut text =
        "# Learned, not written: `cargo test --lib -- --ignored --nocapture learns_the_weights`.\n".to_owned();
    let _ = writeln!(text, "{sure:.3}");
    let weights: BTreeMap<_, _> = model.weights.into_iter().collect();
    for (name, weights) in weights {
        let cells = weights.map(|weight| format!("\t{:.0}", weight * 1000.0)).concat();
        let _ = writeln!(text, "{name}{cells}");
    }
    fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/manner/weights.tsv"), text).unwrap();
}

#[test]
fn the_word_lists_and_the_weights_can_be_read() {
    let names = &WORDS.as_ref().unwrap().names;
    for (one, other) in PAIRS {
        for name in [one, other] {
            assert!(names.contains(&name.trim_start_matches(['!', '^'])), "{name:?} is no class of words");
        }
    }
    assert!(MODEL.as_ref().is_some_and(|model| model.weights.contains_key("any") && model.sure > 0.5));
}

#[test]
fn a_statement_is_told_by_its_manner_and_orders_reports_and_what_a_program_does_are_none() {
    let said = |text: &str| {
        let sentences = sentences::split(text);
        classify::by_manner(&sentences, 0, "2026-03-11".parse().unwrap()).map(|stated| stated.kind)
    };
    for (text, kind) in [
        ("the recap at the end of each answer is noise to me", Kind::Feedback),
        ("biggest customer is a bank, they audit every release", Kind::Project),
        ("im herbst ziehen wir ins neue rechenzentrum, bis dahin kauft keiner mehr hardware", Kind::Project),
        ("las tareas pendientes las apuntamos en Trello, tablero Obrador", Kind::Reference),
        ("もともと経理なので、プログラムは独学です", Kind::User),
    ] {
        assert_eq!(said(text), Some(kind), "{text:?}");
    }
    for text in [
        "rename the handler to onClose and move it below the constructor",
        "so, login läuft, jetzt fehlt noch das passwort vergessen",
        "each order has one owner and belongs to exactly one team",
        "quizá cambiemos a mysql el año que viene, ni idea",
        "为什么每次都是第一次请求失败",
        "la deuxième version est mieux, garde celle-là",
    ] {
        assert_eq!(said(text), None, "{text:?}");
    }
}
