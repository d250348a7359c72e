//! What leaves a store is let go, by whatever landing: nobody stores it again from the same words.

use std::fs;

use chrono::{DateTime, TimeDelta, Utc};
use dreamtop::change::verbs::SaveKind;
use dreamtop::change::verdicts::{Union, merge};
use dreamtop::change::{Accepted, Change, Consent, Decision, Origin, Purge, Rationale, Source, Take, verbs};
use dreamtop::session::HumanTurn;

use super::help::*;

const ICONS: &str = "Always export icons as SVG.";
const TABS: &str = "Indent the Makefiles with tabs.";

fn said(line: u64, text: &str, at: DateTime<Utc>) -> HumanTurn {
    HumanTurn { session: "s1".to_owned(), line, uuid: None, at: Some(at), text: text.to_owned(), after: None }
}

fn morning() -> DateTime<Utc> {
    noon() - TimeDelta::hours(3)
}

/// A memory with its source line, as an extraction makes it.
fn rule(line: u64, text: &str) -> String {
    let at = morning().format("%Y-%m-%dT%H:%M:%S.000Z");
    format!(
        "---\nname: rule-{line}\ndescription: \"{text}\"\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: s1\n  modified: {at}\n---\n\n{text}\n\nSource: session s1, line {line}, 2026-04-09: \"{text}\"\n"
    )
}

fn on_words(change: Change, line: u64, text: &str) -> Change {
    let source = Source { session: Some("s1".to_owned()), line: Some(line), quote: Some(text.to_owned()), said: None };
    Change { rationale: Rationale { reason: "said by the person".to_owned(), sources: vec![source] }, ..change }
}

/// The lines of the two turns of which something was let go.
fn gone(place: &Place) -> Vec<u64> {
    let let_go = place.door.let_go(&place.store).unwrap();
    let turns = [said(3, ICONS, morning()), said(5, TABS, morning())];
    turns.iter().filter(|turn| !let_go.of_turn("s1", turn).is_empty()).map(|turn| turn.line).collect()
}

/// A store with both rules.
fn place() -> Place {
    let place = Place::new();
    let changes = [(3, ICONS), (5, TABS)]
        .map(|(line, text)| on_words(create(&format!("feedback_{line}.md"), &rule(line, text)), line, text));
    place.land(&set(Origin::Extract, changes.to_vec()), Consent::None).unwrap();
    assert_eq!(gone(&place), [0; 0]);
    place
}

#[test]
fn a_removed_memory_is_let_go_a_renamed_one_is_not_and_of_an_edited_one_the_words_that_went() {
    let place = place();
    let renamed = verbs::rename(&place.scan(), "feedback_3.md", "feedback_icons.md").unwrap();
    place.land(&renamed, Consent::Person).unwrap();
    assert_eq!(gone(&place), [0; 0]);
    let text = place.read("feedback_icons.md");
    let edited = text.replace("as SVG.\n\nSource", "as SVG, never as PNG.\n\nSource");
    assert_ne!(edited, text);
    place.land(&set(Origin::Edit, vec![replace("feedback_icons.md", &text, &edited)]), Consent::Person).unwrap();
    assert_eq!(gone(&place), [3]);
    place.door.undo(&place.store, &place.door.history(&place.store).unwrap()[0].id).unwrap();
    assert_eq!(gone(&place), [0; 0]);
    let bytes = place.read("feedback_5.md");
    place.land(&set(Origin::Edit, vec![remove("feedback_5.md", &bytes)]), Consent::Person).unwrap();
    assert_eq!(gone(&place), [5]);
    let let_go = place.door.let_go(&place.store).unwrap();
    assert!(let_go.of_turn("s1", &said(9, TABS, noon() + TimeDelta::hours(1))).is_empty(), "said anew");
    assert!(!let_go.of_turn("s2", &said(9, TABS, morning())).is_empty(), "said elsewhere before it was removed");
    let other = said(5, "Use tabs for the Makefiles of the docs. Indent the Makefiles with tabs.", morning());
    let cut = let_go.of_turn("s1", &other).cut_from(&other.text);
    assert!(cut.starts_with("Use tabs for the Makefiles of the docs. [let go"), "{cut}");
}

#[test]
fn what_was_merged_away_is_let_go_and_its_undo_takes_that_back() {
    let place = place();
    let (keep_base, partner_base) =
        (place.read("feedback_3.md").into_bytes(), place.read("feedback_5.md").into_bytes());
    let content =
        place.read("feedback_3.md").replace("as SVG.\n\nSource", "as SVG, indent Makefiles with tabs.\n\nSource");
    let union = Union {
        keep: "feedback_3.md".to_owned(),
        keep_base,
        partner: "feedback_5.md".to_owned(),
        partner_base,
        content: content.into_bytes(),
        kind: SaveKind::KeepAge,
    };
    let landing = place.land(&merge(&place.scan(), &union, noon()).unwrap(), Consent::Person).unwrap();
    assert!(gone(&place).contains(&5));
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert_eq!(gone(&place), [0; 0]);
}

#[test]
fn the_list_is_made_anew_when_it_is_lost_and_outlives_a_purge_without_a_word() {
    let place = place();
    let bytes = place.read("feedback_3.md");
    place.land(&set(Origin::Edit, vec![remove("feedback_3.md", &bytes)]), Consent::Person).unwrap();
    let list = place.root.join("state").join("stores");
    let list = fs::read_dir(list).unwrap().next().unwrap().unwrap().path().join("let-go.json");
    for lost in [None, Some("{"), Some("{\"format\":\"dreamtop/let-go/9\"}"), Some("[]")] {
        match lost {
            None => fs::remove_file(&list).unwrap(),
            Some(text) => fs::write(&list, text).unwrap(),
        }
        assert_eq!(gone(&place), [3], "{lost:?}");
    }
    place.door.purge(&place.store, &Purge::Named("feedback_3.md".to_owned()), false).unwrap();
    assert_eq!(gone(&place), [3]);
    assert!(!place.state_holds("icons as SVG"), "nothing of its words is kept");
    assert!(fs::read_to_string(&list).unwrap().contains("\"format\":\"dreamtop/let-go/1\""));
}

#[test]
fn what_is_rejected_is_let_go_also_by_the_hunk_and_what_is_accepted_is_not() {
    let place = place();
    let both = |first: &str, second: &str| format!("First.\n{first}Then.\n\nMiddle.\n\nMore.\n\nEnd.\n{second}");
    let base = both("", "");
    place.land(&set(Origin::Edit, vec![create("project_x.md", &base)]), Consent::Person).unwrap();
    let (one, other) = (
        "Bugs go to Linear.\n\nSource: session s1, line 7, 2026-04-09: \"bugs go to linear\"\n",
        "Docs go to Notion.\n\nSource: session s1, line 9, 2026-04-09: \"docs go to notion\"\n",
    );
    let change = replace("project_x.md", &base, &both(one, other));
    let change = Change { rationale: Rationale::default(), ..change };
    let id = place.land(&set(Origin::Dream, vec![change]), Consent::Ask).unwrap().inbox.unwrap();
    let taken = Accepted { file: "project_x.md".to_owned(), take: Take::Hunks([1].into()) };
    let decision = Decision { accepted: vec![taken], rejected: ["project_x.md".to_owned()].into() };
    place.door.decide(&place.store, &id, &decision).unwrap();
    assert!(place.read("project_x.md").contains("Linear") && !place.read("project_x.md").contains("Notion"));
    let let_go = place.door.let_go(&place.store).unwrap();
    assert!(let_go.of_turn("s1", &said(7, "bugs go to linear", morning())).is_empty());
    assert!(!let_go.of_turn("s1", &said(9, "and docs go to notion, please", morning())).is_empty());
    // A removal that is rejected lets nothing go: what it was about stays.
    let bytes = place.read("feedback_3.md");
    let removal = on_words(remove("feedback_3.md", &bytes), 3, ICONS);
    let id = place.land(&set(Origin::Dream, vec![removal]), Consent::Ask).unwrap().inbox.unwrap();
    place.door.reject(&place.store, &id, &[]).unwrap();
    assert_eq!(gone(&place), [0; 0]);
}

#[test]
fn another_program_that_removes_a_memory_lets_it_go_and_one_that_brings_it_back_takes_that_back() {
    let place = place();
    place.door.note_foreign(&place.store).unwrap();
    let bytes = place.read("feedback_3.md");
    for _ in 0..2 {
        fs::remove_file(place.path("feedback_3.md")).unwrap();
        place.door.note_foreign(&place.store).unwrap();
        assert_eq!(gone(&place), [3]);
        place.write("feedback_3.md", &bytes);
        place.door.note_foreign(&place.store).unwrap();
        assert_eq!(gone(&place), [0; 0]);
    }
}
