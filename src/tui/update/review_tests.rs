#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::collections::BTreeSet;

use super::*;
use crate::change::{
    Accepted, Account, Decision, Disk, DoorError, Held, HoldReason, InboxEntry, Landing, Loss, Op, Take,
};
use crate::tui::effect::Deed;
use crate::tui::event::Outcome;
use crate::tui::fixture::*;
use crate::tui::fixture_runs::*;
use crate::tui::layer::review::{ReviewScreen, Verdict};
use crate::tui::layer::turn::{Speaker, Stretch, TurnLine};

const BEFORE: &str = "---\nname: freeze\ntype: project\n---\n\nMerges are frozen.\n\nUntil May.\n\nAsk Tomasz.\n";
const AFTER: &str =
    "---\nname: freeze\ntype: project\n---\n\nMerges are frozen for features.\n\nUntil May.\n\nAsk Ingrid.\n";

/// An entry of three files: one with two hunks, one that goes, one that comes.
fn three() -> InboxEntry {
    let mut entry = inbox_entry("i1");
    let [replaced, removed] = entry.changes.as_mut_slice() else { panic!("two changes") };
    (replaced.base, replaced.content) = (Some(BEFORE.into()), Some(AFTER.into()));
    replaced.file = "project_freeze.md".to_owned();
    removed.rationale.sources.clear();
    let mut made = removed.clone();
    (made.file, made.op) = ("user_new.md".to_owned(), crate::change::Op::Create);
    (made.base, made.content) = (None, Some(b"---\nname: new\n---\n\nNew words.\n".to_vec()));
    entry.changes.push(made);
    entry
}

fn reviewing_at(width: u16, height: u16, entry: InboxEntry) -> State {
    let mut state = state(width, height, four());
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store: store.clone(), result: Ok(vec![entry.clone()]) });
    let effects = press(&mut state, &["i", "r"]);
    assert!(effects.contains(&Effect::ReadReview { store, entry: "i1".to_owned() }), "{effects:?}");
    answer(&mut state, entry);
    state
}

fn answer(state: &mut State, entry: InboxEntry) {
    let mut review = review_of(entry);
    let known = std::sync::Arc::make_mut(&mut review);
    known.files[0].losses = vec![
        Loss {
            file: "project_freeze.md".to_owned(),
            sentence: "ask tomasz".to_owned(),
            account: Account::Unexplained,
            into: None,
        },
        Loss {
            file: "project_freeze.md".to_owned(),
            sentence: "merges are frozen".to_owned(),
            account: Account::Merged,
            into: Some("project_freeze.md".to_owned()),
        },
    ];
    update(state, AppEvent::Reviewed { store: store_path(), entry: "i1".to_owned(), result: Ok(review) });
}

fn reviewing() -> State {
    reviewing_at(120, 40, three())
}

fn on_top(state: &State) -> &ReviewScreen {
    match state.layers.last() {
        Some(Layer::Review(screen)) => screen,
        other => panic!("{other:?}"),
    }
}

fn decision(effects: &[Effect]) -> &Decision {
    match deed(effects) {
        Deed::Decide { decision, .. } => decision,
        other => panic!("{other:?}"),
    }
}

fn accepted(file: &str, take: Take) -> Accepted {
    Accepted { file: file.to_owned(), take }
}

#[test]
fn a_review_shows_reasons_hunks_sources_and_what_would_be_lost() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut state = reviewing_at(width, height, three());
        press(&mut state, &["l", "space"]);
        assert_screen!(format!("a_review_at_{width}x{height}"), &state);
    }
}

#[test]
fn what_is_accepted_lands_as_one_deed_and_the_rest_goes_on_waiting() {
    let mut state = reviewing();
    let effects = press(&mut state, &["a", "enter"]);
    let expected = Decision { accepted: vec![accepted("project_freeze.md", Take::Whole)], ..Decision::default() };
    assert_eq!(decision(&effects), &expected);
    assert!(on_top(&state).landing);
    assert!(press(&mut state, &["enter", "a", "x", "A"]).is_empty(), "a decision under way is not made twice");
}

#[test]
fn enter_before_any_verdict_lands_nothing_and_says_which_keys_accept() {
    let mut state = reviewing();
    assert!(press(&mut state, &["enter"]).is_empty());
    assert!(told(&state).contains("Nothing is accepted yet: a accepts the file, A all of them"), "{}", told(&state));
}

#[test]
fn single_hunks_are_taken_and_left_and_all_of_them_are_the_whole_file() {
    let mut state = reviewing();
    press(&mut state, &["l", "space"]);
    let verdict = |state: &State| on_top(state).verdicts.get("project_freeze.md").cloned();
    assert_eq!(verdict(&state), Some(Verdict::Hunks(BTreeSet::from([2]))));
    press(&mut state, &["h", "space"]);
    assert_eq!(verdict(&state), Some(Verdict::Accepted));
    press(&mut state, &["J", "space"]);
    assert_eq!(verdict(&state), Some(Verdict::Hunks(BTreeSet::from([1]))));
    let effects = press(&mut state, &["enter"]);
    assert_eq!(decision(&effects).accepted, [accepted("project_freeze.md", Take::Hunks(BTreeSet::from([1])))]);
}

#[test]
fn a_rejection_asks_with_its_count_before_anything_lands() {
    let mut state = reviewing();
    assert!(press(&mut state, &["x", "A", "enter"]).is_empty());
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    assert_eq!(
        (confirm.title.as_str(), confirm.lines.as_slice()),
        ("Land 2 changes, drop 1?", ["drop project_freeze.md".to_owned()].as_slice())
    );
    let effects = press(&mut state, &["y"]);
    assert_eq!(decision(&effects).rejected, BTreeSet::from(["project_freeze.md".to_owned()]));
    assert_eq!(decision(&effects).accepted.len(), 2);
}

#[test]
fn the_same_verdict_again_takes_it_back() {
    let mut state = reviewing();
    press(&mut state, &["j", "j", "a", "a"]);
    assert!(on_top(&state).verdicts.is_empty());
    press(&mut state, &["x", "a"]);
    assert_eq!(on_top(&state).verdict(), Some(&Verdict::Accepted), "another verdict replaces the one before");
}

#[test]
fn closing_with_verdicts_says_that_nothing_landed() {
    let mut state = reviewing();
    press(&mut state, &["A"]);
    assert!(press(&mut state, &["q"]).is_empty());
    assert!(matches!(state.layers.last(), Some(Layer::Inbox(_))));
    assert!(told(&state).contains("nothing landed"), "{}", told(&state));
}

#[test]
fn the_proposed_text_is_edited_and_lands_as_it_was_edited() {
    let mut state = reviewing();
    press(&mut state, &["e"]);
    assert!(screen(&state).contains("Edit the proposal for project_freeze.md"), "{}", screen(&state));
    typed(&mut state, "Mostly: ");
    assert!(press(&mut state, &["ctrl-s"]).is_empty(), "saving changes the verdict, not the store");
    assert!(screen(&state).contains("your version"), "{}", screen(&state));
    let effects = press(&mut state, &["enter"]);
    let [Accepted { take: Take::Text { text, base: None }, .. }] = decision(&effects).accepted.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(String::from_utf8_lossy(text), AFTER.replace("Merges are", "Mostly: Merges are"));
}

#[test]
fn a_removal_has_no_text_to_edit_and_says_so() {
    let mut state = reviewing();
    press(&mut state, &["j", "e"]);
    assert!(matches!(state.layers.last(), Some(Layer::Review(_))));
    assert!(told(&state).contains("a removal has no text to edit"), "{}", told(&state));
}

#[test]
fn enter_on_a_source_opens_the_very_turn_it_quotes() {
    let mut state = reviewing();
    let effects = press(&mut state, &["tab", "enter"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((question.session.as_str(), question.line), ("3f2a51c0", Some(12)));
    let line = |number, speaker, text: &str| TurnLine::said(number, speaker, text.to_owned());
    let turns = vec![
        line(10, Speaker::Assistant, "The freeze ends in May, I think."),
        line(12, Speaker::Person, "No, we moved to June."),
        line(13, Speaker::Assistant, "[Bash {}]"),
    ];
    let stretch =
        Stretch { title: "session 3f2a51c0".to_owned(), turns, lines: (10, 13), wanted: 12, ..Stretch::default() };
    update(&mut state, AppEvent::TurnRead { question: question.clone(), result: Ok(Box::new(stretch)) });
    assert_screen!(&state);
    press(&mut state, &["q"]);
    assert!(matches!(state.layers.last(), Some(Layer::Review(_))), "q closes the turn, not the review");
}

#[test]
fn a_source_whose_session_is_gone_says_so_with_its_words() {
    let mut state = reviewing();
    let effects = press(&mut state, &["tab", "enter"]);
    let [Effect::ReadTurn(question)] = effects.as_slice() else { panic!("{effects:?}") };
    let result = Err("Session 3f2a51c0 is no longer on disk.".to_owned());
    update(&mut state, AppEvent::TurnRead { question: question.clone(), result });
    assert!(screen(&state).contains("no longer on disk"), "{}", screen(&state));
}

#[test]
fn what_still_waits_after_a_landing_stays_in_the_review_and_an_empty_one_closes() {
    let mut state = reviewing();
    let effects = press(&mut state, &["a", "enter"]);
    let done = AppEvent::Done {
        deed: Box::new(deed(&effects).clone()),
        result: Ok(Outcome::Landed { title: "review i1".to_owned(), landing: Landing::default() }),
    };
    let effects = update(&mut state, done);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ReadReview { .. })), "{effects:?}");
    let mut rest = three();
    rest.changes.remove(0);
    answer(&mut state, rest);
    assert!(on_top(&state).verdicts.is_empty() && !on_top(&state).landing);
    let gone = DoorError::Unknown { what: "inbox entry", id: "i1".to_owned(), command: "inbox" };
    update(&mut state, AppEvent::Reviewed { store: store_path(), entry: "i1".to_owned(), result: Err(gone) });
    assert!(matches!(state.layers.last(), Some(Layer::Inbox(_))));
}

#[test]
fn fc_065_a_landing_that_met_a_conflict_says_which_file_waits_and_why_and_keeps_the_verdict_on_it() {
    let mut state = reviewing();
    press(&mut state, &["e"]);
    typed(&mut state, "Mostly: ");
    press(&mut state, &["ctrl-s"]);
    let effects = press(&mut state, &["A", "enter"]);
    let reason = HoldReason { guard: "conflict".to_owned(), message: "it was changed on disk meanwhile".to_owned() };
    let held = Held::new(Op::Replace, "project_freeze.md".to_owned(), vec![reason]);
    let landing = Landing { held: vec![held], ..Landing::default() };
    let result = Ok(Outcome::Landed { title: "review i1".to_owned(), landing });
    update(&mut state, AppEvent::Done { deed: Box::new(deed(&effects).clone()), result });
    let shown = screen(&state);
    assert!(
        shown.contains("1 change still waits") && shown.contains("project_freeze.md: it was changed on"),
        "{shown}"
    );
    assert!(told(&state).contains("Nothing landed · still in the inbox: project_freeze.md"), "{}", told(&state));
    press(&mut state, &["esc"]);
    let kept: Vec<&String> = on_top(&state).verdicts.keys().collect();
    assert_eq!(kept, ["project_freeze.md"]);
    assert!(matches!(on_top(&state).verdict(), Some(Verdict::Edited { .. })), "their words are not lost");
    assert!(!on_top(&state).landing);
}

#[test]
fn a_landing_that_the_disk_refused_keeps_every_verdict() {
    let mut state = reviewing();
    let effects = press(&mut state, &["A", "enter"]);
    let source = std::io::Error::from(std::io::ErrorKind::StorageFull);
    let error = DoorError::Io { what: "cannot write", path: "/m/a.md".into(), source };
    update(&mut state, AppEvent::Done { deed: Box::new(deed(&effects).clone()), result: Err(error) });
    assert!(screen(&state).contains("cannot write /m/a.md"), "{}", screen(&state));
    press(&mut state, &["esc"]);
    assert_eq!(on_top(&state).verdicts.len(), 3);
    assert!(!on_top(&state).landing);
}

#[test]
fn a_file_that_moved_since_says_what_that_means() {
    let mut state = reviewing();
    for (disk, words) in [(Disk::Merges, "both changes will be merged"), (Disk::Conflicts, "in the same places")] {
        let mut review = review_of(three());
        std::sync::Arc::make_mut(&mut review).files[0].disk = disk;
        update(&mut state, AppEvent::Reviewed { store: store_path(), entry: "i1".to_owned(), result: Ok(review) });
        assert!(screen(&state).contains(words), "{}", screen(&state));
    }
}

#[test]
fn the_wheel_scrolls_the_page_under_it_and_moves_among_the_files_elsewhere() {
    let mut state = reviewing_at(80, 16, three());
    let wheel = |state: &mut State, column: u16| {
        let kind = crossterm::event::MouseEventKind::ScrollDown;
        let event =
            crossterm::event::MouseEvent { kind, column, row: 5, modifiers: crossterm::event::KeyModifiers::NONE };
        update(state, AppEvent::Mouse(event));
    };
    wheel(&mut state, 60);
    assert_eq!((on_top(&state).detail.scroll, on_top(&state).files.selected), (3, 0));
    wheel(&mut state, 5);
    assert_eq!(on_top(&state).files.selected, 2);
}

#[test]
fn closing_after_a_landing_does_not_say_that_nothing_landed() {
    let mut state = reviewing();
    let effects = press(&mut state, &["A", "enter"]);
    let reason = HoldReason { guard: "conflict".to_owned(), message: "it was changed on disk meanwhile".to_owned() };
    let held = Held::new(Op::Replace, "project_freeze.md".to_owned(), vec![reason]);
    let landing = Landing { held: vec![held], ..Landing::default() };
    let result = Ok(Outcome::Landed { title: "review i1".to_owned(), landing });
    update(&mut state, AppEvent::Done { deed: Box::new(deed(&effects).clone()), result });
    press(&mut state, &["esc", "esc"]);
    assert_eq!(told(&state), "1 verdict dropped: what is left still waits");
}

#[test]
fn what_cannot_be_merged_is_not_counted_among_what_lands() {
    let mut state = reviewing();
    let mut review = review_of(three());
    let first = &mut std::sync::Arc::make_mut(&mut review).files[0];
    (first.disk, first.theirs) = (Disk::Conflicts, Some(b"other words".to_vec()));
    update(&mut state, AppEvent::Reviewed { store: store_path(), entry: "i1".to_owned(), result: Ok(review) });
    press(&mut state, &["a", "a", "x"]);
    assert!(screen(&state).contains("2 accepted, 1 of them not mergeable"), "{}", screen(&state));
    press(&mut state, &["enter"]);
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    assert_eq!(confirm.title, "Land 1 change, drop 1?");
    let stays = "project_freeze.md goes on waiting: it cannot be merged with what is there now";
    assert!(confirm.lines.iter().any(|line| line == stays), "{:?}", confirm.lines);
}
