//! Saves that meet another version on the disk.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;
use crate::change::DoorError;
use crate::change::verbs::SaveKind;
use crate::memory::Topic;
use crate::tui::effect::Deed;
use crate::tui::fixture::*;
use crate::tui::layer::edit::Editor;
use crate::tui::layer::form::FormField;

const MEMORY: &str = "---\nname: testing policy\ndescription: \"Real databases only\"\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nUse real databases.\n\n**Why:** mocks hid a broken migration.\n\n**How to apply:** in every integration test.\n";

fn told(state: &State) -> &str {
    state.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

fn editor(state: &State) -> &Editor {
    match state.layers.last() {
        Some(Layer::Edit(editor)) => editor,
        other => panic!("{other:?}"),
    }
}

/// An editor whose save met another version: ours begins with `Ours. ` in the field that had the keys.
fn conflict(field: FormField, theirs: &str, save: &str) -> State {
    let mut state = state(100, 30, four());
    let topic = Ok(Box::new(Topic::read(MEMORY.into())));
    let (store, file) = (state.store_root().to_owned(), "feedback_testing.md".to_owned());
    update(&mut state, AppEvent::TopicRead { store, file, result: topic });
    if let Some(Layer::Edit(editor)) = state.layers.last_mut() {
        editor.form.focus = field;
    }
    press(&mut state, &["O", "u", "r", "s", "."]);
    let effects = press(&mut state, &[save]);
    let [Effect::Do(deed)] = &effects[..] else { panic!("{effects:?}") };
    let error = DoorError::Conflict {
        file: "feedback_testing.md".to_owned(),
        theirs: Some(theirs.as_bytes().to_vec()),
        merged: Some(format!("<<<<<<< ours\n{MEMORY}=======\n{theirs}>>>>>>> theirs\n")),
    };
    update(&mut state, AppEvent::Done { deed: deed.clone(), result: Err(error) });
    state
}

#[test]
fn fc_019_a_merge_keeps_both_versions_of_a_field_in_the_frontmatter_and_is_not_saved_with_both() {
    let theirs = MEMORY.replace("Real databases only", "Their words");
    let mut state = conflict(FormField::Description, &theirs, "ctrl-s");
    press(&mut state, &["m"]);
    assert_eq!(editor(&state).form.description_text(), "Real databases onlyOurs. ======= Their words");
    assert_eq!(editor(&state).form.focus, FormField::Description, "the cursor is where a decision is needed");
    assert_eq!(press(&mut state, &["ctrl-s"]), []);
    assert!(told(&state).contains("both versions are still in the description"), "{}", told(&state));
    for _ in 0.." ======= Their words".len() {
        press(&mut state, &["backspace"]);
    }
    let effects = press(&mut state, &["ctrl-s"]);
    let [Effect::Do(deed)] = &effects[..] else { panic!("{effects:?}") };
    let Deed::Save { base, content, .. } = deed.as_ref() else { panic!("{deed:?}") };
    assert_eq!(base, theirs.as_bytes());
    assert!(String::from_utf8_lossy(content).contains("description: \"Real databases onlyOurs.\""));
}

#[test]
fn fc_019_a_merge_with_marks_in_the_body_is_not_saved_before_they_are_gone() {
    let theirs = MEMORY.replace("Use real databases.", "Theirs instead.");
    let mut state = conflict(FormField::Body, &theirs, "ctrl-s");
    press(&mut state, &["m"]);
    let body = editor(&state).form.body_text();
    assert!(body.contains("Ours.Use real databases.") && body.contains("Theirs instead."), "{body}");
    for keys in [&["ctrl-s"][..], &["ctrl-y"], &["esc", "s"]] {
        assert_eq!(press(&mut state, keys), [], "{keys:?}");
        assert!(told(&state).contains("line 1 of the body"), "{}", told(&state));
    }
    assert!(!editor(&state).asking, "the text has the keys again");
}

#[test]
fn fc_019_what_only_one_side_changed_is_merged_without_a_question() {
    let theirs = MEMORY.replace("Real databases only", "Their words").replace("mocks hid", "fakes hid");
    let mut state = conflict(FormField::Body, &theirs, "ctrl-s");
    press(&mut state, &["m"]);
    assert_eq!(editor(&state).form.description_text(), "Their words");
    let effects = press(&mut state, &["ctrl-s"]);
    assert!(matches!(&effects[..], [Effect::Do(deed)] if matches!(deed.as_ref(), Deed::Save { .. })), "{effects:?}");
}

#[test]
fn keeping_ours_does_the_save_that_was_asked_for() {
    let theirs = MEMORY.replace("Use real databases.", "Theirs instead.");
    for (save, expected) in [("ctrl-s", SaveKind::KeepAge), ("ctrl-y", SaveKind::Renew)] {
        let mut state = conflict(FormField::Body, &theirs, save);
        let effects = press(&mut state, &["o"]);
        let [Effect::Do(deed)] = &effects[..] else { panic!("{effects:?}") };
        assert!(matches!(deed.as_ref(), Deed::Save { kind, .. } if *kind == expected), "{deed:?}");
    }
}

#[test]
fn the_conflict_view_names_its_keys_below_and_stops_scrolling_at_its_end() {
    let mut state = conflict(FormField::Body, &MEMORY.replace("Use real", "Use no"), "ctrl-s");
    state.area.height = 16;
    assert!(
        screen(&state).contains("m both  t take theirs  o keep ours  Tab next part  Esc go on editing"),
        "{}",
        screen(&state)
    );
    press(&mut state, &["j"; 200]);
    let end = screen(&state);
    press(&mut state, &["k"]);
    assert_ne!(screen(&state), end, "the first key back moves");
}
