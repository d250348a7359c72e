#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use chrono::TimeDelta;

use super::update;
use crate::change::verdicts::Seen;
use crate::change::{DoorError, Landing};
use crate::memory::{ContentHash, Freshness, Kind};
use crate::tui::effect::{Deed, Effect, Judgement};
use crate::tui::event::{AppEvent, Outcome};
use crate::tui::fixture::{deed, four, memory, now, press, scanned, screen, state};
use crate::tui::layer::triage::{Triage, What};
use crate::tui::state::State;

/// Many that need a person, the oldest first.
fn old(number: u32) -> Vec<crate::memory::Memory> {
    let one = |at: u32| {
        memory(&format!("project_{at:02}.md"), &format!("p{at:02}"), Kind::Project, 100 - at, Freshness::Stale)
    };
    (0..number).map(one).collect()
}

fn triage(state: &State) -> &Triage {
    state.triage().unwrap()
}

fn landed(entry: &str) -> Result<Outcome, DoorError> {
    let landing = Landing { history: Some(entry.to_owned()), ..Landing::default() };
    Ok(Outcome::Landed { title: String::new(), landing })
}

/// Lets the door say yes to what was asked for.
fn agree(state: &mut State, effects: &[Effect], entry: &str) {
    let deed = Box::new(deed(effects).clone());
    update(state, AppEvent::Done { deed, result: landed(entry) });
}

#[test]
fn a_second_key_before_the_door_answered_judges_nothing() {
    let mut state = state(120, 40, old(5));
    let first = press(&mut state, &["t", "y"]);
    let wanted = Seen { file: "project_00.md".to_owned(), hash: ContentHash::of(b"project_00.md") };
    assert_eq!(deed(&first), &Deed::Judge { seen: vec![wanted], judgement: Judgement::StillTrue });
    for key in ["y", "d", "space", "u", "e", "m"] {
        let effects = press(&mut state, &[key]);
        assert!(
            !effects.iter().any(|effect| matches!(effect, Effect::Do(_) | Effect::ReadTopic(_))),
            "{key}: {effects:?}"
        );
    }
    assert_eq!(triage(&state).card(), Some("project_00.md"));
    agree(&mut state, &first, "e1");
    assert_eq!(triage(&state).card(), Some("project_01.md"));
}

#[test]
fn a_verdict_that_fails_is_said_on_the_card_which_stays() {
    let mut state = state(120, 40, old(3));
    let effects = press(&mut state, &["t", "d"]);
    let error = std::io::Error::from(std::io::ErrorKind::StorageFull);
    let result = Err(DoorError::Io { what: "cannot write", path: "/disk/full.md".into(), source: error });
    update(&mut state, AppEvent::Done { deed: Box::new(deed(&effects).clone()), result });
    assert_eq!(triage(&state).card(), Some("project_00.md"));
    assert!(triage(&state).judged.is_empty());
    let shown = screen(&state);
    assert!(shown.contains("Nothing was written: cannot write /disk/full.md"), "{shown}");
    // And the next try counts.
    let effects = press(&mut state, &["y"]);
    agree(&mut state, &effects, "e1");
    assert_eq!(triage(&state).card(), Some("project_01.md"));
}

#[test]
fn the_pace_is_the_median_of_the_verdicts_by_the_clock_that_is_told() {
    let mut state = state(120, 40, old(5));
    press(&mut state, &["t"]);
    assert_eq!(triage(&state).pace(), None);
    let mut at = now();
    for (number, seconds) in [1, 9, 2].into_iter().enumerate() {
        at += TimeDelta::seconds(seconds);
        update(&mut state, AppEvent::Time(at));
        let effects = press(&mut state, &["y"]);
        agree(&mut state, &effects, &format!("e{number}"));
    }
    assert_eq!(triage(&state).pace(), Some(20));
    assert!(screen(&state).contains("Triage · 4 of 5 · 2 left · 2.0 s each"), "{}", screen(&state));
}

#[test]
fn after_the_last_card_the_summary_comes_and_undo_there_brings_a_card_back() {
    let mut state = state(120, 40, old(2));
    let effects = press(&mut state, &["t", "y"]);
    agree(&mut state, &effects, "e1");
    press(&mut state, &["space"]);
    assert!(triage(&state).summary.is_some());
    assert!(screen(&state).contains("1 confirmed · 1 skipped"), "{}", screen(&state));
    let effects = press(&mut state, &["g", "u"]);
    assert!(matches!(deed(&effects), Deed::Undo { entry, .. } if entry == "e1"));
    agree(&mut state, &effects, "e2");
    let text = screen(&state);
    assert!(text.contains("Enter goes on") && text.contains("Enter go on") && !text.contains("Enter open"), "{text}");
    press(&mut state, &["enter"]);
    assert_eq!(triage(&state).card(), Some("project_00.md"));
    press(&mut state, &["esc", "esc"]);
    assert!(state.layers.is_empty());
}

#[test]
fn esc_leaves_at_once_when_nothing_was_judged() {
    let mut state = state(120, 40, old(2));
    press(&mut state, &["t", "esc"]);
    assert!(state.layers.is_empty());
}

#[test]
fn a_snooze_is_by_a_second_key_or_a_number_before() {
    for (keys, days) in [(vec!["s", "7"], 7), (vec!["s", "3"], 30), (vec!["s", "9"], 90), (vec!["1", "0", "s"], 10)] {
        let mut state = state(120, 40, old(2));
        press(&mut state, &["t"]);
        let effects = press(&mut state, &keys);
        let Deed::Snooze(wanted) = deed(&effects) else { panic!("{effects:?}") };
        assert_eq!(wanted[0].1, Some(now() + TimeDelta::days(days)), "{keys:?}");
    }
    let mut state = state(120, 40, old(2));
    press(&mut state, &["t", "5", "y"]);
    assert_eq!(triage(&state).count, None, "a number is for the next verdict only");
}

#[test]
fn a_number_of_days_can_be_typed_into_the_question_too() {
    for (keys, days) in [
        (vec!["s", "1", "4", "s"], 14),
        (vec!["s", "1", "7", "enter"], 17),
        (vec!["s", "1", "2", "backspace", "4", "s"], 14),
    ] {
        let mut state = state(120, 40, old(2));
        press(&mut state, &["t", "s"]);
        assert!(screen(&state).contains("so many days: digits, then s or Enter"), "{}", screen(&state));
        let effects = press(&mut state, &keys[1..]);
        let Deed::Snooze(wanted) = deed(&effects) else { panic!("{effects:?}") };
        assert_eq!(wanted[0].1, Some(now() + TimeDelta::days(days)), "{keys:?}");
    }
    let mut state = state(120, 40, old(2));
    press(&mut state, &["t", "s", "1", "4"]);
    assert!(screen(&state).contains("14 days: s or Enter"), "{}", screen(&state));
    let mut state = crate::tui::fixture::state(120, 40, old(2));
    assert_eq!(press(&mut state, &["t", "s", "s"]), [], "no number, no snooze");
}

#[test]
fn each_type_has_one_key_and_escape_leaves_the_type() {
    for (key, kind) in [("u", Kind::User), ("f", Kind::Feedback), ("p", Kind::Project), ("r", Kind::Reference)] {
        let mut state = state(120, 40, old(2));
        let effects = press(&mut state, &["t", "t", key]);
        assert!(matches!(deed(&effects), Deed::Judge { judgement: Judgement::Retype(own), .. } if *own == kind));
    }
    let mut state = state(120, 40, old(2));
    press(&mut state, &["t", "t", "esc"]);
    assert_eq!(triage(&state).card(), Some("project_00.md"));
    assert_eq!(triage(&state).pending, None);
}

#[test]
fn a_change_on_the_disk_while_the_question_is_open_takes_the_question_away() {
    let mut state = state(120, 40, old(2));
    press(&mut state, &["t", "t"]);
    let mut changed = old(2);
    changed[0].hash = ContentHash::of(b"other words");
    scanned(&mut state, changed);
    assert_eq!(state.layers.len(), 1, "the question is gone");
    let note = triage(&state).note.clone().unwrap().0;
    assert!(note.contains("project_00.md changed on disk while you looked"), "{note}");
    assert_eq!(triage(&state).shown.as_ref().unwrap().hash, ContentHash::of(b"other words"));
}

#[test]
fn evidence_that_comes_late_orders_the_rest_but_leaves_the_card() {
    let mut state = state(120, 40, old(4));
    state.knows_findings = false;
    press(&mut state, &["t"]);
    assert!(screen(&state).contains("Evidence is still being read"), "{}", screen(&state));
    let mut finding = crate::health::Finding::new(
        crate::memory::ProblemCode::PathGone,
        "project_03.md",
        None,
        "cites src/gone.rs, which is not there".to_owned(),
    );
    finding.evidence = Some("src/gone.rs".to_owned());
    let store = state.store_root().to_owned();
    update(&mut state, AppEvent::Checked { store, findings: vec![finding], used: crate::health::RecallUse::default() });
    let queue: Vec<&str> = triage(&state).queue.iter().map(String::as_str).collect();
    assert_eq!(queue, ["project_00.md", "project_03.md", "project_01.md", "project_02.md"]);
    assert!(!screen(&state).contains("Evidence is still being read"));
}

#[test]
fn the_verbs_of_the_list_change_their_meaning_only_while_marks_are_visible() {
    let mut state = state(120, 40, four());
    let before = state.memories.sort;
    press(&mut state, &["s"]);
    assert_ne!(state.memories.sort, before, "without marks it sorts");
    press(&mut state, &["g", "space", "s"]);
    assert!(screen(&state).contains("How long shall"), "{}", screen(&state));
    press(&mut state, &["esc", "t"]);
    assert!(screen(&state).contains("Which type has"), "{}", screen(&state));
    press(&mut state, &["esc", "esc", "t"]);
    assert!(state.triage().is_some());
}

#[test]
fn a_skip_is_no_verdict_of_the_pace_and_comes_back_with_undo() {
    let mut state = state(120, 40, old(3));
    press(&mut state, &["t", "space", "space"]);
    assert_eq!(triage(&state).card(), Some("project_02.md"));
    assert_eq!(triage(&state).pace(), None);
    assert!(triage(&state).judged.iter().all(|verdict| verdict.what == What::Skipped));
    press(&mut state, &["u", "u"]);
    assert_eq!(triage(&state).card(), Some("project_00.md"));
}
