//! What was selected, and by whom: a model's answer, checked against what is there, or the ranking.
//!
//! Nothing a model says is taken at its word: files that do not exist, paths that lead out, names in another case and
//! repetitions are dropped, and after [`MOST`] it is enough. A fault, a slow answer or one that names nothing that exists
//! gives the ranking and says so. Not its job: asking the model; whoever does hands the answer in.

use std::collections::HashSet;

use serde::Deserialize;

use super::{Examined, Hit, MOST, Ranking};
use crate::memory::INDEX_FILE;
use crate::text;

/// Who selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The ranking.
    Embedded,
    /// A model, by the engine's word.
    Model(String),
}

impl Selector {
    /// The word in JSON: `embedded`, or the engine's.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Embedded => "embedded",
            Self::Model(engine) => engine,
        }
    }
}

/// What is recalled.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The memories, best first; at most [`MOST`], each once, each there when it was read.
    pub memories: Vec<Hit>,
    /// Who selected them.
    pub selector: Selector,
    /// Why the model that should have selected did not; `None` when whoever should did.
    pub degraded: Option<String>,
}

/// One line of the manifest a model picks from. Bodies are not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// What the model has to say to pick it.
    pub file: String,
    /// Type, age and description, on one line.
    pub said: String,
}

/// What a model answers: a JSON object with the files, alone or in a code fence.
#[derive(Debug, Deserialize)]
struct Answer {
    selected: Vec<String>,
}

impl Selection {
    /// What the ranking picked.
    #[must_use]
    pub fn of(ranking: Ranking) -> Self {
        Self { memories: ranking.picked, selector: Selector::Embedded, degraded: None }
    }

    /// What a model picked from the manifest of one store, or the ranking when the answer is of no use. `answer` is its text, or why
    /// there is none.
    #[must_use]
    pub fn by_model(
        engine: &str,
        answer: Result<String, String>,
        examined: &Examined,
        ranking: Ranking,
        shown: &[String],
    ) -> Self {
        let fallen_back = |ranking, why: String| Self {
            degraded: Some(format!("selected without the model: {why}")),
            ..Self::of(ranking)
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(why) => return fallen_back(ranking, why),
        };
        let Some(named) = named(&answer) else {
            return fallen_back(ranking, "its answer is not the list of files it was asked for".to_owned());
        };
        // Naming nothing is an answer: not sure means none.
        if named.is_empty() {
            return Self { memories: Vec::new(), selector: Selector::Model(engine.to_owned()), degraded: None };
        }
        let memories = checked(&named, examined, &ranking, shown);
        if memories.is_empty() {
            return fallen_back(ranking, "none of the files it named is there".to_owned());
        }
        Self { memories, selector: Selector::Model(engine.to_owned()), degraded: None }
    }
}

/// The manifest of a store: every memory a model may pick, without those shown already.
#[must_use]
pub fn manifest(examined: &Examined, shown: &[String]) -> Vec<Offered> {
    let memories = examined.snapshot.memories.iter().filter(|memory| !shown.contains(&memory.file));
    memories
        .map(|memory| {
            let kind = memory.kind.map(|kind| kind.word()).or(memory.type_word.as_deref()).unwrap_or("?");
            let age = crate::memory::freshness::short_age(memory.age_days);
            Offered {
                file: memory.file.clone(),
                said: text::visible(&format!("{kind}, {age}: {}", memory.description)).into_owned(),
            }
        })
        .collect()
}

/// The files an answer names; `None` when it is no list.
fn named(answer: &str) -> Option<Vec<String>> {
    let bare = answer.trim();
    let bare = bare.strip_prefix("```json").or_else(|| bare.strip_prefix("```")).unwrap_or(bare);
    let bare = bare.strip_suffix("```").unwrap_or(bare).trim();
    let is_list = bare.starts_with('[');
    if is_list {
        return serde_json::from_str(bare).ok();
    }
    serde_json::from_str::<Answer>(bare).ok().map(|answer| answer.selected)
}

fn checked(named: &[String], examined: &Examined, ranking: &Ranking, shown: &[String]) -> Vec<Hit> {
    let snapshot = &examined.snapshot;
    let mut contents = HashSet::new();
    let mut picked = Vec::new();
    for file in named {
        // Exactly as the manifest has it: a name that has to be guessed at was not picked from it.
        let Some(memory) = snapshot.memory(file).filter(|memory| memory.file != INDEX_FILE) else { continue };
        if shown.contains(file) || !contents.insert(memory.hash) || !snapshot.store.path(file).is_file() {
            continue;
        }
        let ranked = ranking.picked.iter().chain(ranking.missed.iter().map(|missed| &missed.hit));
        let known = ranked.into_iter().find(|hit| hit.memory.file == *file).cloned();
        picked.push(known.map_or_else(
            || Hit {
                store: snapshot.store.clone(),
                memory: memory.clone(),
                score: 0.0,
                why: "chosen by the model from its description".to_owned(),
                places: vec![snapshot.store.path(file)],
            },
            |hit| Hit { why: format!("chosen by the model; {}", hit.why), ..hit },
        ));
        if picked.len() == MOST {
            break;
        }
    }
    picked
}
