//! Triage makes one of a memory and its partner.

use std::fs;

use super::triage::{listing, note, pair, text, to_the_pair};

#[test]
fn a_merge_shows_both_and_its_text_and_lands_as_one_with_links_and_index() {
    let mut stage = pair().open(120, 40);
    let before = listing(stage.store());
    stage.press(&["t"]);
    to_the_pair(&mut stage);
    assert!(stage.screen().contains("m merges it with feedback_"), "{}", stage.screen());
    stage.press(&["m"]);
    let screen = stage.screen();
    assert!(screen.contains("stays: feedback_") && screen.contains("goes to the trash: feedback_"), "{screen}");
    assert!(screen.contains("docker compose") && screen.contains("staging copy"), "both are seen: {screen}");
    stage.type_text("Agreed by all. ");
    stage.press(&["ctrl-s"]);
    let names: Vec<String> = listing(stage.store()).into_keys().collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("feedback_")).count(), 1, "{names:?}");
    let kept = names.iter().find(|name| name.starts_with("feedback_")).unwrap();
    let (merged, index, linking) = (text(&stage, kept), text(&stage, "MEMORY.md"), text(&stage, "project_freeze.md"));
    assert!(
        merged.contains("Agreed by all.") && merged.contains("docker compose") && merged.contains("staging copy"),
        "{merged}"
    );
    for other in [&index, &linking] {
        let gone = if kept == "feedback_database.md" { "feedback_no_mocks" } else { "feedback_database" };
        assert!(!other.contains(gone), "{other}");
    }
    assert_eq!(index.matches("- [").count(), 2, "one line for one memory: {index}");
    assert!(index.contains("Before a release read [the rule]"), "hand-written lines stay: {index}");
    assert!(linking.contains(kept.trim_end_matches(".md")), "{linking}");
    assert!(note(&stage).starts_with("Merged feedback_"), "{}", note(&stage));
    stage.press(&["u"]);
    assert_eq!(listing(stage.store()), before, "one undo");
}

#[test]
fn a_merge_whose_partner_changed_meanwhile_writes_nothing_and_keeps_the_text() {
    let mut stage = pair().open(120, 40);
    stage.press(&["t"]);
    to_the_pair(&mut stage);
    stage.press(&["m"]).type_text("My words. ");
    let changed = text(&stage, "feedback_no_mocks.md").replace("ask for the", "never ask for the");
    fs::write(stage.store().join("feedback_no_mocks.md"), &changed).unwrap();
    let (one, index) = (text(&stage, "feedback_database.md"), text(&stage, "MEMORY.md"));
    stage.press(&["ctrl-s"]);
    assert_eq!(text(&stage, "feedback_no_mocks.md"), changed);
    assert_eq!((text(&stage, "feedback_database.md"), text(&stage, "MEMORY.md")), (one, index));
    let screen = stage.screen();
    assert!(screen.contains("My words.") && screen.contains("never ask"), "{screen}");
    stage.press(&["ctrl-s"]);
    assert!(note(&stage).starts_with("Merged feedback_"), "the text lands once it was seen: {}", note(&stage));
}

#[test]
fn a_secret_in_a_merged_text_is_refused_and_the_text_stays_in_the_editor() {
    let mut stage = pair().open(120, 40);
    stage.press(&["t"]);
    to_the_pair(&mut stage);
    let before = listing(stage.store());
    stage.press(&["m"]).type_text(concat!("ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 ")).press(&["ctrl-s"]);
    assert_eq!(listing(stage.store()), before);
    stage.press(&["esc"]);
    assert!(stage.screen().contains(concat!("ghp_", "A1b2")), "{}", stage.screen());
}
