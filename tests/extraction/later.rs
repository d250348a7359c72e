//! Two sessions, one after the other: what the store says after the second.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::cases::{Case, Turn};
use crate::run;

/// The day of the first session, a Wednesday; the second one is a week later.
const FIRST: &str = "2026-03-04";
const SECOND: &str = "2026-03-11";

/// What two sessions say, and what is left of it.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Story {
    /// The turns of the first session.
    first: Vec<String>,
    /// The turns of the second.
    then: Vec<String>,
    /// The descriptions of all memories at the end, in the order of the alphabet.
    says: Vec<String>,
    /// Words that stand in a memory as what was there before.
    #[serde(default)]
    before: Vec<String>,
    /// Words that stand in no memory, but for its sources.
    #[serde(default)]
    never: Vec<String>,
}

fn hears(turns: &[String], day: &str, store: &mut BTreeMap<String, String>, runtime: &tokio::runtime::Runtime) {
    let turns = turns.iter().map(|said| Turn { user: Some(said.clone()), assistant: None, tool: None }).collect();
    let memories = store.clone();
    let case = Case { name: String::new(), turns, memories, claude_md: None, expect: vec![], allow: vec![] };
    store.extend(run::run_on(&case, day, runtime).into_iter().map(|memory| (memory.file, memory.bytes)));
}

#[test]
fn a_later_session_puts_right_what_an_earlier_one_stored() {
    let of = |text: &str| -> Vec<Story> { serde_yaml::from_str(text).unwrap() };
    let stories = [of(include_str!("later.yaml")), of(include_str!("at_once.yaml"))].concat();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut faults = Vec::new();
    for story in &stories {
        let mut store = BTreeMap::new();
        hears(&story.first, FIRST, &mut store, &runtime);
        hears(&story.then, SECOND, &mut store, &runtime);
        let lines = || store.values().flat_map(|bytes| bytes.lines());
        let described = |line: &str| Some(line.strip_prefix("description: ")?.trim_matches('"').replace("\\\"", "\""));
        let mut says: Vec<String> = lines().filter_map(described).collect();
        says.sort();
        let has = |words: &str| lines().any(|line| !line.starts_with("Source: ") && line.contains(words));
        let is_kept =
            |words: &String| lines().any(|line| line.starts_with("**Before ") && line.contains(words.as_str()));
        if says != story.says || !story.before.iter().all(is_kept) || story.never.iter().any(|words| has(words)) {
            faults.push(format!("{:?} then {:?}: {says:#?}\n{store:#?}", story.first, story.then));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
