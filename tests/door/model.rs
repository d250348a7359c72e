//! Any sequence of landings and undos does to the disk what it does to a map.

use std::collections::BTreeMap;

use dreamtop::change::{Consent, Origin};
use proptest::prelude::*;

use super::help::*;

#[derive(Clone, Debug)]
enum Action {
    /// Give a file a content: create or replace.
    Put(usize, u8),
    Remove(usize),
    /// Write past the door.
    Foreign(usize, u8),
    /// Undo one of the landings so far.
    Undo(usize),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        4 => (0..4_usize, any::<u8>()).prop_map(|(file, text)| Action::Put(file, text)),
        2 => (0..4_usize).prop_map(Action::Remove),
        1 => (0..4_usize, any::<u8>()).prop_map(|(file, text)| Action::Foreign(file, text)),
        3 => (0..12_usize).prop_map(Action::Undo),
    ]
}

type Files = BTreeMap<String, String>;

fn name(file: usize) -> String {
    format!("project_{file}.md")
}

/// A landing as the model remembers it: file, before, after.
type Remembered = (String, String, Option<String>, Option<String>);

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_landings_and_undos_equals_a_map(actions in prop::collection::vec(action(), 1..25)) {
        let place = Place::new();
        let mut model = Files::new();
        let mut landed: Vec<Remembered> = Vec::new();
        let mut undone: std::collections::HashSet<String> = std::collections::HashSet::new();
        let mut undo_of: BTreeMap<String, String> = BTreeMap::new();
        for action in actions {
            match action {
                Action::Put(file, text) => {
                    let (file, text) = (name(file), format!("Text {text}.\n"));
                    let before = model.insert(file.clone(), text.clone());
                    let change = match &before {
                        Some(base) => replace(&file, base, &text),
                        None => create(&file, &text),
                    };
                    let landing = place.land(&set(Origin::Edit, vec![change]), Consent::Person).unwrap();
                    if let Some(id) = landing.history {
                        landed.push((id, file, before, Some(text)));
                    }
                }
                Action::Remove(file) => {
                    let file = name(file);
                    let Some(base) = model.remove(&file) else { continue };
                    let landing = place.land(&set(Origin::Edit, vec![remove(&file, &base)]), Consent::Person).unwrap();
                    landed.push((landing.history.unwrap(), file, Some(base), None));
                }
                Action::Foreign(file, text) => {
                    let (file, text) = (name(file), format!("Foreign {text}.\n"));
                    place.write(&file, &text);
                    model.insert(file, text);
                }
                Action::Undo(at) => {
                    let Some((id, file, before, after)) = landed.get(at).cloned() else { continue };
                    let now = model.get(&file).cloned();
                    let outcome = place.door.undo(&place.store, &id);
                    let possible = !undone.contains(&id) && now == after && before != after;
                    prop_assert_eq!(outcome.is_ok(), possible, "{:?}", outcome);
                    let Ok(landing) = outcome else { continue };
                    match &before {
                        Some(text) => model.insert(file.clone(), text.clone()),
                        None => model.remove(&file),
                    };
                    undone.insert(id.clone());
                    if let Some(again) = undo_of.get(&id) {
                        undone.remove(again);
                    }
                    let undo = landing.history.unwrap();
                    undo_of.insert(undo.clone(), id);
                    landed.push((undo, file, after, before));
                }
            }
            let disk: Files = place
                .everything()
                .into_iter()
                .map(|(file, bytes)| (file, String::from_utf8(bytes).unwrap()))
                .collect();
            prop_assert_eq!(&disk, &model);
        }
    }
}
