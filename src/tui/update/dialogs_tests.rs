#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;
use crate::change::verbs::SaveKind;
use crate::change::{DoorError, HoldReason, Landing};
use crate::memory::{ContentHash, Kind, Topic};
use crate::run::RunView;
use crate::tui::effect::Deed;
use crate::tui::event::Outcome;
use crate::tui::fixture::*;
use crate::tui::fixture_runs::*;
use crate::tui::layer::edit::Editor;

const FEEDBACK: &str = "---\nname: testing policy\ndescription: \"Real databases only\"\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nUse real databases.\n\n**Why:** mocks hid a broken migration.\n\n**How to apply:** in every integration test.\n";

#[test]
fn the_history_shows_the_difference_of_a_file_and_takes_an_entry_back() {
    let mut state = state(120, 30, four());
    press(&mut state, &["H"]);
    let store = store_path();
    update(&mut state, AppEvent::History { store, result: Ok(vec![entry("h1"), entry("h0")]), dropped: Vec::new() });
    assert!(screen(&state).contains("the same said twice"));
    let effects = press(&mut state, &["j"]);
    let Some(Effect::ReadImages(question)) = effects.first() else { panic!("{effects:?}") };
    assert!(screen(&state).contains("reading…"));
    let result = Ok((Some(b"old text\n".to_vec()), Some(b"new text\n".to_vec())));
    update(&mut state, AppEvent::Images { question: question.clone(), result });
    assert_screen!(&state);
    assert!(press(&mut state, &["u"]).is_empty(), "what nobody typed is asked about first");
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    assert_eq!(deed(&confirm.effects), &Deed::Undo { store: store_path(), entry: "h1".to_owned() });
}

fn editing(text: &str) -> State {
    let mut state = state(100, 30, four());
    let event = AppEvent::TopicRead {
        store: state.store_root().to_owned(),
        file: "feedback_testing.md".to_owned(),
        result: Ok(Box::new(Topic::read(text.into()))),
    };
    update(&mut state, event);
    state
}

fn editor(state: &State) -> &Editor {
    match state.layers.last() {
        Some(Layer::Edit(editor)) => editor,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_editor_shows_the_fields_the_body_and_what_is_missing() {
    let mut state = editing(&FEEDBACK.replace("**How to apply:** in every integration test.\n", ""));
    assert!(!editor(&state).is_dirty());
    typed(&mut state, "Never mocks. ");
    assert_screen!(&state);
}

#[test]
fn an_edit_changes_only_the_lines_meant_and_says_what_it_does_to_the_age() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "Always. ");
    let effects = press(&mut state, &["ctrl-s"]);
    let Deed::Save { base, content, kind, .. } = deed(&effects) else { panic!("{effects:?}") };
    assert_eq!((base.as_slice(), *kind), (FEEDBACK.as_bytes(), SaveKind::KeepAge));
    let content = String::from_utf8(content.clone()).unwrap();
    assert_eq!(content, FEEDBACK.replace("Use real", "Always. Use real"));
    let mut state = editing(FEEDBACK);
    let effects = press(&mut state, &["ctrl-y"]);
    assert!(
        matches!(deed(&effects), Deed::Save { kind: SaveKind::Renew, content, .. } if content == FEEDBACK.as_bytes())
    );
}

#[test]
fn saving_what_nobody_changed_is_no_save() {
    let mut state = editing(FEEDBACK);
    assert!(press(&mut state, &["ctrl-s"]).is_empty());
    assert!(told(&state).contains("Nothing to save"));
}

#[test]
fn letters_that_are_commands_elsewhere_are_text_in_the_editor() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "q:?Mx");
    assert!(editor(&state).form.body_text().starts_with("q:?MxUse real"));
}

#[test]
fn closing_with_unsaved_text_asks_and_every_answer_does_what_it_says() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "x");
    press(&mut state, &["esc"]);
    assert!(screen(&state).contains("Unsaved changes"));
    press(&mut state, &["esc"]);
    assert!(!screen(&state).contains("Unsaved changes") && editor(&state).is_dirty());
    press(&mut state, &["ctrl-c"]);
    assert!(screen(&state).contains("Unsaved changes"), "leaving asks as well");
    press(&mut state, &["d"]);
    assert!(state.layers.is_empty());
    let mut state = editing(FEEDBACK);
    press(&mut state, &["esc"]);
    assert!(state.layers.is_empty(), "nothing to lose, nothing to ask");
}

fn conflict(theirs: Option<&str>, merged: Option<&str>) -> (State, Deed) {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "Ours. ");
    let effects = press(&mut state, &["ctrl-s"]);
    let deed = deed(&effects).clone();
    let error = DoorError::Conflict {
        file: "feedback_testing.md".to_owned(),
        theirs: theirs.map(|text| text.as_bytes().to_vec()),
        merged: merged.map(str::to_owned),
    };
    update(&mut state, AppEvent::Done { deed: Box::new(deed.clone()), result: Err(error) });
    (state, deed)
}

#[test]
fn fc_019_an_outside_edit_met_by_a_save_shows_both_versions_and_overwrites_neither() {
    let theirs = FEEDBACK.replace("Use real databases.", "Theirs instead.");
    let merged = format!("<<<<<<< ours\n{FEEDBACK}=======\n{theirs}>>>>>>> theirs\n");
    let (mut state, _) = conflict(Some(&theirs), Some(&merged));
    assert_screen!(&state);
    assert!(press(&mut state, &["ctrl-s"]).is_empty(), "a save has to be chosen here");
    let effects = press(&mut state, &["o"]);
    let Deed::Save { base, content, .. } = deed(&effects) else { panic!("{effects:?}") };
    assert_eq!(base, theirs.as_bytes(), "ours is based on what was seen of theirs");
    assert!(String::from_utf8_lossy(content).contains("Ours. Use real"));
}

#[test]
fn fc_019_going_on_with_the_merge_or_with_theirs_is_based_on_what_the_disk_holds() {
    let theirs = FEEDBACK.replace("mocks hid", "fakes hid");
    let merged = theirs.replace("Use real", "Ours. Use real");
    let (mut state, _) = conflict(Some(&theirs), Some(&merged));
    press(&mut state, &["m"]);
    assert!(editor(&state).form.body_text().contains("Ours. Use real databases.\n\n**Why:** fakes hid"));
    let effects = press(&mut state, &["ctrl-s"]);
    assert!(matches!(deed(&effects), Deed::Save { base, .. } if base == theirs.as_bytes()));
    let (mut state, _) = conflict(Some(&theirs), None);
    press(&mut state, &["t"]);
    assert!(editor(&state).form.body_text().contains("fakes hid") && !editor(&state).is_dirty());
}

#[test]
fn fc_019_a_file_removed_meanwhile_is_made_anew_or_left_removed_and_esc_loses_nothing() {
    let (mut state, _) = conflict(None, None);
    press(&mut state, &["esc"]);
    assert!(editor(&state).form.body_text().starts_with("Ours. "));
    let (mut state, _) = conflict(None, None);
    let effects = press(&mut state, &["o"]);
    assert!(
        matches!(deed(&effects), Deed::Recreate { file, content, .. } if file == "feedback_testing.md" && content == FEEDBACK.replace("Use real", "Ours. Use real").as_bytes())
    );
    let (mut state, _) = conflict(None, None);
    press(&mut state, &["t"]);
    assert!(state.layers.is_empty());
}

#[test]
fn a_change_on_disk_is_told_of_while_editing() {
    let mut state = editing(FEEDBACK);
    let mut memories = four();
    memories[0].hash = ContentHash::of(FEEDBACK.as_bytes());
    scanned(&mut state, memories.clone());
    assert!(!screen(&state).contains("changed on disk"));
    memories[0].hash = ContentHash::of(b"another");
    scanned(&mut state, memories);
    assert!(screen(&state).contains("changed on disk"));
}

#[test]
fn a_save_that_landed_closes_the_editor_and_one_that_was_refused_keeps_it() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "x");
    let saved = deed(&press(&mut state, &["ctrl-s"])).clone();
    let refusal = DoorError::Refused {
        file: "feedback_testing.md".to_owned(),
        reason: HoldReason { guard: "secret".to_owned(), message: "it holds a token".to_owned() },
    };
    update(&mut state, AppEvent::Done { deed: Box::new(saved.clone()), result: Err(refusal) });
    press(&mut state, &["esc"]);
    assert!(editor(&state).is_dirty() && !editor(&state).saving);
    press(&mut state, &["ctrl-s"]);
    let outcome = Outcome::Landed { title: "edit".to_owned(), landing: Landing::default() };
    update(&mut state, AppEvent::Done { deed: Box::new(saved), result: Ok(outcome) });
    assert!(state.layers.is_empty());
}

#[test]
fn what_would_be_damaged_here_is_left_to_the_persons_own_editor() {
    let mut state = state(100, 30, four());
    let long_line = format!("---\nname: a\ndescription: {}\n---\n\nb\n", "x".repeat(65_533)).into_bytes();
    for bytes in [b"caf\xe9".to_vec(), vec![b'x'; 1_000_001], vec![b'\n'; 60_001], long_line] {
        let result = Ok(Box::new(Topic::read(bytes)));
        let store = state.store_root().to_owned();
        update(&mut state, AppEvent::TopicRead { store, file: "a.md".to_owned(), result });
        assert!(state.layers.is_empty() && told(&state).contains("use your editor (E)"), "{}", told(&state));
    }
}

#[test]
fn pasted_text_goes_into_the_field_and_is_never_taken_for_keys() {
    let mut state = editing(FEEDBACK);
    update(&mut state, AppEvent::Paste("q\r\n\u{1b}:d".to_owned()));
    assert!(editor(&state).form.body_text().starts_with("q\n:dUse"));
}

#[test]
fn a_new_memory_starts_with_the_template_of_its_type() {
    let mut state = state(100, 30, four());
    press(&mut state, &["n"]);
    assert_screen!(&state);
}

#[test]
fn a_new_memory_wants_a_name_and_a_description_and_is_made_of_what_was_typed() {
    let mut state = state(100, 30, four());
    press(&mut state, &["n"]);
    assert!(press(&mut state, &["ctrl-s"]).is_empty() && told(&state).contains("needs a name"));
    typed(&mut state, "Short answers");
    assert!(press(&mut state, &["ctrl-s"]).is_empty() && told(&state).contains("needs a description"));
    typed(&mut state, "They want short answers\nu\nNo preamble.");
    let effects = press(&mut state, &["ctrl-s"]);
    let Deed::Create(draft) = deed(&effects) else { panic!("{effects:?}") };
    assert_eq!((draft.name.as_str(), draft.kind), ("Short answers", Kind::User));
    assert_eq!((draft.description.as_str(), draft.body.as_str()), ("They want short answers", "No preamble."));
}

#[test]
fn fc_106_every_dialog_draws_at_every_size() {
    let opened: [fn() -> State; 9] = [
        || {
            let mut state = state(80, 24, four());
            update(&mut state, runs(vec![live()]));
            press(&mut state, &["shift-down"]);
            state
        },
        || {
            let mut state = state(80, 24, four());
            update(&mut state, runs(vec![live()]));
            press(&mut state, &["R"]);
            state
        },
        || {
            let mut state = state(80, 24, four());
            update(&mut state, runs(vec![live()]));
            press(&mut state, &["R", "y"]);
            state
        },
        || {
            let mut state = state(80, 24, four());
            press(&mut state, &["i"]);
            let store = store_path();
            update(&mut state, AppEvent::Inbox { store, result: Ok(vec![inbox_entry("i1")]) });
            state
        },
        || {
            let mut state = state(80, 24, four());
            let store = store_path();
            update(&mut state, AppEvent::Inbox { store: store.clone(), result: Ok(vec![inbox_entry("i1")]) });
            press(&mut state, &["i", "enter"]);
            let result = Ok(review_of(inbox_entry("i1")));
            update(&mut state, AppEvent::Reviewed { store, entry: "i1".to_owned(), result });
            press(&mut state, &["space", "tab"]);
            state
        },
        || {
            let mut state = state(80, 24, four());
            press(&mut state, &["w"]);
            state
        },
        || {
            let mut state = state(80, 24, four());
            press(&mut state, &["H"]);
            let store = store_path();
            update(&mut state, AppEvent::History { store, result: Ok(vec![entry("h1")]), dropped: Vec::new() });
            state
        },
        || editing(FEEDBACK),
        || conflict(Some("theirs"), Some("merged")).0,
    ];
    for open in opened {
        let mut state = open();
        for (width, height) in
            [(0, 0), (1, 1), (2, 2), (10, 3), (20, 5), (21, 6), (46, 44), (60, 16), (76, 9), (300, 5)]
        {
            update(&mut state, AppEvent::Resize(width, height));
            press(&mut state, &["down", "up"]);
            screen(&state);
        }
    }
}

#[test]
fn the_notice_of_a_run_that_was_taken_back_goes() {
    let mut state = state(120, 40, four());
    let done = || RunView { notice: Some("Improved 5 memories".to_owned()), ..ended(crate::run::Outcome::Done) };
    update(&mut state, runs(vec![live()]));
    update(&mut state, runs(vec![done()]));
    assert!(screen(&state).contains("Improved 5 memories"), "{}", screen(&state));
    update(&mut state, runs(vec![RunView { undone_by: Some("undo-1".to_owned()), ..done() }]));
    assert!(!screen(&state).contains("Improved 5 memories"), "{}", screen(&state));
}

#[test]
fn what_was_said_of_an_empty_history_goes_with_the_first_landing() {
    let mut state = state(120, 40, four());
    press(&mut state, &["u"]);
    assert!(told(&state).contains("Nothing has landed"), "{}", told(&state));
    update(&mut state, AppEvent::History { store: store_path(), result: Ok(Vec::new()), dropped: Vec::new() });
    assert!(screen(&state).contains("Nothing has landed"), "it is still true");
    update(&mut state, AppEvent::History { store: store_path(), result: Ok(vec![entry("h1")]), dropped: Vec::new() });
    assert!(!screen(&state).contains("Nothing has landed"), "{}", screen(&state));
}
