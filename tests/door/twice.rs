//! What is wanted twice: the same asks a person once, and two that share a name each bring their own index line.

use dreamtop::change::{Change, Consent, Origin};

use super::help::*;

const BOARD: &str = "- [CI board](reference_ci_board.md) — CI board is at Grafana\n";

fn board(body: &str) -> Change {
    create("reference_ci_board.md", &memory("reference", "ci-board", body))
}

/// Two entries that bring the same new file; their ids.
fn two(place: &Place, second_line: &str) -> [String; 2] {
    [("The board is at grafana/ci.", BOARD), ("The board is at grafana/builds.", second_line)].map(|(body, line)| {
        let proposal = with_index(set(Origin::Proposal, vec![board(body)]), "", line);
        let landing = place.land(&proposal, Consent::Ask).unwrap();
        assert_eq!(
            landing.held.iter().map(|held| held.file.as_str()).collect::<Vec<_>>(),
            ["reference_ci_board.md", "MEMORY.md"]
        );
        landing.inbox.unwrap()
    })
}

#[test]
fn two_that_bring_the_same_new_file_both_keep_their_index_line() {
    let other = "- [CI builds](reference_ci_board.md) — CI builds are at Grafana\n";
    for second_line in [BOARD, other] {
        for turned in [false, true] {
            for files in [vec![], vec!["reference_ci_board.md".to_owned()]] {
                let place = Place::new();
                let mut ids = two(&place, second_line);
                if turned {
                    ids.reverse();
                }
                for id in &ids {
                    let landing = place.door.accept(&place.store, id, &files).unwrap();
                    assert!(landing.held.is_empty(), "{:?}", landing.held);
                }
                let index = place.read("MEMORY.md");
                for file in ["reference_ci_board.md", "reference_ci_board_2.md"] {
                    assert!(place.has(file), "{file}");
                    assert_eq!(index.matches(&format!("({file})")).count(), 1, "{file}: {index}");
                }
                assert_eq!(index.lines().count(), 2, "{index}");
            }
        }
    }
}

#[test]
fn the_line_of_a_rejected_file_does_not_go_with_its_namesake() {
    for rejected in [0, 1] {
        let place = Place::new();
        let ids = two(&place, BOARD);
        place.door.reject(&place.store, &ids[rejected], &[]).unwrap();
        place.door.accept(&place.store, &ids[1 - rejected], &[]).unwrap();
        assert_eq!(place.read("MEMORY.md"), BOARD);
        assert!(place.door.inbox(&place.store).unwrap().is_empty());
    }
}

/// What a session leaves of a rule: the same words, its own day, session and quote.
fn said(session: u32, rule: &str) -> String {
    format!(
        "---\nname: no-mocks\ndescription: \"No mocks\"\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: s{session}\n  modified: 2026-04-0{session}T10:00:00.000Z\n---\n\n{rule}\n\nSource: session s{session}, line 7, 2026-04-0{session}: \"no mocks, {session}\"\n"
    )
}

#[test]
fn the_same_fact_of_another_session_waits_once() {
    let place = Place::new();
    let line = "- [No mocks](feedback_no_mocks.md) — No mocks\n";
    let extract = |session: u32, rule: &str| {
        let change = create("feedback_no_mocks.md", &said(session, rule));
        place.land(&with_index(set(Origin::Extract, vec![change]), "", line), Consent::Ask).unwrap()
    };
    let first = extract(1, "Never mock the database.");
    for session in [2, 3, 1] {
        let again = extract(session, "Never mock the database.");
        assert_eq!(again.inbox, first.inbox);
        assert!(again.held.iter().all(|held| held.waits_in == first.inbox), "{:?}", again.held);
    }
    assert_eq!(place.door.inbox(&place.store).unwrap().len(), 1);
    // Other words are another question.
    assert_ne!(extract(4, "Never mock the network.").inbox, first.inbox);
    place.door.accept(&place.store, &first.inbox.unwrap(), &[]).unwrap();
    assert_eq!(
        (place.read("MEMORY.md"), place.read("feedback_no_mocks.md")),
        (line.to_owned(), said(1, "Never mock the database."))
    );
}

#[test]
fn the_same_text_for_a_file_waits_once_whether_a_session_or_a_dream_comes_to_it() {
    let place = Place::new();
    let base = said(1, "Deploys are on Thursdays.");
    place.write("feedback_no_mocks.md", &base);
    let want = |origin, session: u32, rule: &str| {
        place
            .land(&set(origin, vec![replace("feedback_no_mocks.md", &base, &said(session, rule))]), Consent::Ask)
            .unwrap()
            .inbox
    };
    let first = want(Origin::Extract, 2, "Deploys are on Tuesdays.");
    assert_eq!(want(Origin::Dream, 3, "Deploys are on Tuesdays."), first);
    assert_ne!(want(Origin::Dream, 3, "Deploys are on Fridays."), first);
    // What a colleague wrote is told apart to the byte.
    assert_ne!(want(Origin::Pull, 2, "Deploys are on  Tuesdays."), first);
    assert_eq!(place.door.inbox(&place.store).unwrap().len(), 3);
}

/// What an extraction of a session makes of a rule, with its line in the index.
fn rule(file: &str, session: &str, words: &str) -> dreamtop::change::ChangeSet {
    let text =
        memory("project", "tabs", &format!("{words}\n\nSource: session {session}, line 1, 2026-04-09: \"{words}\""));
    with_index(set(Origin::Extract, vec![create(file, &text)]), "", &format!("- [tabs]({file}) — {words}\n"))
}

#[test]
fn what_another_run_filed_meanwhile_is_not_filed_again_under_any_name() {
    let place = Place::new();
    let words = "The Makefiles have tabs, spaces broke the build.";
    place.land(&rule("project_tabs.md", "one", words), Consent::None).unwrap();
    for file in ["project_tabs.md", "project_makefiles.md"] {
        let landing = place.land(&rule(file, "two", words), Consent::None).unwrap();
        assert!(landing.landed.is_empty() && landing.held.is_empty() && landing.inbox.is_none(), "{landing:?}");
    }
    let landing = place.land(&rule("project_tabs.md", "three", "The scripts have tabs."), Consent::None).unwrap();
    assert_eq!(landing.landed.len(), 2, "other words are another memory: {landing:?}");
    assert!(place.has("project_tabs_2.md") && !place.has("project_makefiles.md"));
    let index = place.read("MEMORY.md");
    assert_eq!((index.lines().count(), index.matches("spaces broke").count()), (2, 1), "{index}");
}
