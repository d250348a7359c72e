#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;
use crate::tui::effect::Deed;
use crate::tui::fixture::*;
use crate::tui::fixture_runs::*;

fn with_inbox() -> State {
    let mut state = state(120, 30, four());
    press(&mut state, &["i"]);
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store, result: Ok(vec![inbox_entry("i1")]) });
    state
}

#[test]
fn a_held_change_shows_why_it_waits_on_what_evidence_and_what_it_would_do() {
    let mut state = with_inbox();
    press(&mut state, &["j"]);
    assert_screen!(&state);
}

#[test]
fn held_changes_are_accepted_file_by_file_or_all_at_once_and_dropping_asks() {
    let mut state = with_inbox();
    let all = Deed::Accept { entry: "i1".to_owned(), files: Vec::new() };
    assert!(press(&mut state, &["a"]).is_empty(), "a heading stands for several: it asks with the count");
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    assert_eq!((confirm.title.as_str(), confirm.lines.len()), ("Land 2 held changes?", 2));
    assert_eq!(deed(&press(&mut state, &["y"])), &all);
    let one = Deed::Accept { entry: "i1".to_owned(), files: vec!["b.md".to_owned()] };
    assert_eq!(deed(&press(&mut state, &["j", "j", "a"])), &one);
    assert!(press(&mut state, &["d"]).is_empty());
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    let reject = Deed::Reject { entry: "i1".to_owned(), files: vec!["b.md".to_owned()] };
    assert_eq!((confirm.lines.as_slice(), deed(&confirm.effects)), (["b.md".to_owned()].as_slice(), &reject));
}

#[test]
fn an_inbox_that_empties_under_the_cursor_says_so() {
    let mut state = with_inbox();
    press(&mut state, &["j", "j"]);
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store, result: Ok(Vec::new()) });
    assert!(screen(&state).contains("Nothing waits for you."));
    assert!(press(&mut state, &["a"]).is_empty());
}

#[test]
fn an_empty_inbox_says_what_would_come_there() {
    let mut state = state(80, 24, four());
    press(&mut state, &["i"]);
    assert!(screen(&state).contains("apply: ask"), "{}", screen(&state));
}

#[test]
fn beneath_a_question_no_dialog_shows_keys_that_do_nothing() {
    let mut state = with_inbox();
    assert!(screen(&state).contains("Esc close"));
    press(&mut state, &["a"]);
    assert!(matches!(state.layers.last(), Some(Layer::Confirm(_))));
    assert!(!screen(&state).contains("Esc close"), "{}", screen(&state));
}

#[test]
fn on_a_narrow_screen_what_waits_for_a_person_leaves_the_room_of_the_gates_to_the_keys() {
    let mut state = state(80, 24, four());
    let shut = |gate, short: &str| crate::run::Gate {
        gate,
        passed: Some(false),
        detail: String::new(),
        short: short.to_owned(),
        wait: None,
    };
    state.gates.dream = vec![shut("time", "0h"), shut("throttle", "0m"), shut("sessions", "0/5 sessions")];
    assert!(screen(&state).contains("dream ✗ 0h ✗ 0m ✗ 0/5"), "{}", screen(&state));
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store, result: Ok(vec![inbox_entry("i1")]) });
    let screen = screen(&state);
    let last = screen.lines().rev().find(|line| line.contains("(i)")).unwrap();
    let keys = ["Enter open", "t triage", "y still true", "e edit", "? help"];
    assert!(keys.iter().all(|key| last.contains(key)) && !last.contains('✗'), "{last}");
}

#[test]
fn the_bottom_line_does_not_say_that_the_next_dream_is_never_or_held() {
    let mut state = state(120, 40, four());
    let gate = |gate, passed, short: &str| crate::run::Gate {
        gate,
        passed: Some(passed),
        detail: String::new(),
        short: short.to_owned(),
        wait: None,
    };
    state.gates.dream =
        vec![gate("time", true, "never"), gate("sessions", true, "6/5 sessions"), gate("lock", false, "held")];
    assert!(screen(&state).contains("next dream ✓ none yet ✓ 6/5 sessions ✗ lock held"), "{}", screen(&state));
}
