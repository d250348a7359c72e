//! What a person says in a later session takes back the one memory that it names, and no other.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::cases::{Case, Turn};
use crate::run::{self, Written};

/// A store and what is said to it, each in a session of its own.
#[derive(Deserialize)]
struct Group {
    /// Type and text, by file.
    store: BTreeMap<String, (String, String)>,
    /// `FILE|words`: the memory that they take back; `-` for none and nothing new, `?` for none.
    said: Vec<String>,
}

impl Group {
    fn hears(&self, said: &str, runtime: &tokio::runtime::Runtime) -> Vec<Written> {
        let memory = |(kind, text): &(String, String)| {
            format!("---\nname: \"{text}\"\ndescription: \"{text}\"\ntype: {kind}\n---\n\n{text}\n")
        };
        let turn = Turn { user: Some(said.to_owned()), assistant: None, tool: None };
        let memories = self.store.iter().map(|(file, told)| (file.clone(), memory(told))).collect();
        let case =
            Case { name: said.to_owned(), turns: vec![turn], memories, claude_md: None, expect: vec![], allow: vec![] };
        run::run(&case, runtime)
    }
}

#[test]
fn a_later_session_takes_back_the_memory_that_it_names_and_none_that_it_does_not() {
    let groups: Vec<Group> = serde_yaml::from_str(include_str!("taken_back.yaml")).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let mut faults = Vec::new();
    for group in &groups {
        for (file, said) in group.said.iter().map(|line| line.split_once('|').unwrap()) {
            let written = group.hears(said, &runtime);
            let changed: Vec<&str> = written.iter().map(|memory| memory.file.as_str()).collect();
            let is_right = match file {
                "-" => changed.is_empty(),
                "?" => !changed.iter().any(|file| group.store.contains_key(*file)),
                file => {
                    let was = format!("**Before 2026-03-11:** {}", group.store[file].1);
                    changed == [file] && written[0].bytes.contains(&was) && written[0].quotes == [said]
                }
            };
            if !is_right {
                faults.push(format!("{said:?} should take back {file}, changed {changed:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
