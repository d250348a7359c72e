//! Promises that hold for any mixture of the develop half's memories, dreamed through the binary.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::common::{contents, picture};
use crate::label::{self, File, Half, Label};
use crate::layout::{LaidOut, lay_out};

/// The files of the develop half that can stand in any store; of the healthy ones only, if asked.
fn pool(is_healthy: bool) -> Vec<(String, File)> {
    label::load()
        .into_iter()
        .filter(|label| label.half() == Half::Develop && (!is_healthy || label.healthy) && label.sessions.is_empty())
        .flat_map(|label| label.files)
        .filter(|(file, memory)| memory.raw.is_none() && memory.modified.is_some() && !file.contains('/'))
        .collect()
}

fn mixture(pool: &[(String, File)], picks: &[prop::sample::Index], name: &str) -> Label {
    let files: BTreeMap<String, File> = picks
        .iter()
        .map(|pick| {
            let (file, memory) = pick.get(pool);
            (file.clone(), File { unlisted: false, ..memory.clone() })
        })
        .collect();
    Label { name: name.to_owned(), neighbours: "en".to_owned(), files, ..Label::default() }
}

fn run(place: &LaidOut, arguments: &[&str]) -> serde_json::Value {
    let mut all = vec!["--json", "--project", place.checkout.to_str().unwrap()];
    all.extend(arguments);
    place.machine.run(&all).json()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_dream_is_accounted_for_settled_after_one_night_the_same_anywhere_and_undone_byte_for_byte(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 4..16),
    ) {
        let pool = pool(false);
        let place = lay_out(&mixture(&pool, &picks, "mixed"));
        let before = contents(&place.store);
        let dream = run(&place, &["dream", "--force"]);
        let after = contents(&place.store);
        // Many removals may wait for a person; a loss that nothing explains may not happen.
        let unexplained: Vec<String> = dream["held"]
            .as_array()
            .into_iter()
            .flatten()
            .map(ToString::to_string)
            .filter(|held| held.contains("\"loss\""))
            .collect();
        prop_assert!(unexplained.is_empty(), "{:?}", unexplained);

        let again = run(&place, &["dream", "--force"]);
        prop_assert_eq!(&contents(&place.store), &after, "a second dream: {}", again["changes"]);

        let elsewhere = lay_out(&mixture(&pool, &picks, "mixed"));
        run(&elsewhere, &["dream", "--force"]);
        let named = |place: &LaidOut| -> BTreeMap<String, Vec<u8>> {
            contents(&place.store)
                .into_iter()
                .map(|(path, bytes)| (path.strip_prefix(&place.store).unwrap().to_string_lossy().into_owned(), bytes))
                .collect()
        };
        prop_assert_eq!(named(&elsewhere), named(&place));

        if let Some(id) = dream["history"].as_str() {
            run(&place, &["undo", id]);
            prop_assert_eq!(contents(&place.store), before);
        }
    }

    #[test]
    fn a_store_of_healthy_memories_keeps_every_byte_and_every_time(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..24),
    ) {
        let place = lay_out(&mixture(&pool(true), &picks, "healthy"));
        let without_lock = || {
            let mut files = picture(&place.store);
            files.retain(|path, _| !path.ends_with(".consolidate-lock"));
            files
        };
        let before = without_lock();
        run(&place, &["dream", "--force"]);
        prop_assert_eq!(without_lock(), before);
    }
}
