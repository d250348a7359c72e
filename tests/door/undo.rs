//! Taking landings back.

use std::fs;

use dreamtop::change::{Consent, DoorError, Mtime, Origin};

use super::help::*;

/// A dream that creates, changes and removes, with its index lines.
fn dream(place: &Place) -> String {
    place.write("project_a.md", &memory("project", "a", "Alpha is owned by Dana. It ships in May."));
    place.write("project_b.md", &memory("project", "b", "Alpha is owned by Dana."));
    for other in ["c", "d", "e"] {
        place.write(&format!("project_{other}.md"), &memory("project", other, &format!("Text of {other}.")));
    }
    let index = "# Index\n\n- [a](project_a.md) — alpha\n- [b](project_b.md) — alpha too\n- [c](project_c.md)\n";
    place.write("MEMORY.md", index);
    let a = place.read("project_a.md");
    let changes = vec![
        create("project_new.md", &memory("project", "new", "Something new.")),
        replace("project_a.md", &a, &a.replace("in May", "on 2026-05-01")),
        remove("project_b.md", &place.read("project_b.md")),
    ];
    let wanted = "# Index\n\n- [a](project_a.md) — alpha\n- [c](project_c.md)\n- [new](project_new.md) — new\n";
    let mut set = with_index(set(Origin::Dream, changes), index, wanted);
    set.run = Some("run-7".to_owned());
    let landing = place.land(&set, Consent::None).unwrap();
    assert_eq!(landing.held, []);
    assert_eq!(place.read("MEMORY.md"), wanted);
    landing.history.unwrap()
}

#[test]
fn fc_040_undo_this_run_restores_the_state_byte_for_byte() {
    let place = Place::new();
    dream(&place);
    place.door.undo(&place.store, "run-7").unwrap();

    let fresh = Place::new();
    dream(&fresh);
    let id = fresh.door.history(&fresh.store).unwrap()[0].id.clone();
    let entry = fresh.door.history(&fresh.store).unwrap().remove(0);
    let told: Vec<(&str, &str)> = entry.files.iter().map(|file| (file.file.as_str(), file.op.word())).collect();
    assert_eq!(
        told,
        [
            ("project_new.md", "create"),
            ("project_a.md", "replace"),
            ("project_b.md", "remove"),
            ("MEMORY.md", "replace")
        ]
    );
    assert_eq!(entry.run.as_deref(), Some("run-7"));
    fresh.door.undo(&fresh.store, &id).unwrap();
    assert_eq!(place.everything(), fresh.everything());
    assert!(place.read("project_a.md").contains("in May"));
    assert!(place.has("project_b.md") && !place.has("project_new.md"));
    assert!(place.read("MEMORY.md").contains("[b](project_b.md) — alpha too"));
    assert!(fresh.door.history(&fresh.store).unwrap()[1].undone_by.is_some());
}

#[test]
fn fc_040_files_edited_since_are_left_alone_and_named() {
    let place = Place::new();
    let id = dream(&place);
    let edited = place.read("project_new.md") + "And a line by hand.\n";
    place.write("project_new.md", &edited);
    let index = place.read("MEMORY.md") + "A hand-written line.\n";
    place.write("MEMORY.md", &index);
    let landing = place.door.undo(&place.store, &id).unwrap();
    let held: Vec<&str> = landing.held.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(held, ["project_new.md"]);
    assert_eq!(place.read("project_new.md"), edited);
    assert!(place.read("project_a.md").contains("in May"));
    let index = place.read("MEMORY.md");
    assert!(index.contains("(project_b.md)") && index.contains("hand-written"), "{index}");
    assert!(index.contains("(project_new.md)"), "the file that stays keeps its line: {index}");
    // What could not be taken back can be, once it is as it was left.
    place.write("project_new.md", &edited.replace("And a line by hand.\n", ""));
    place.door.undo(&place.store, &id).unwrap();
    assert!(!place.has("project_new.md") && !place.read("MEMORY.md").contains("project_new"));
}

#[test]
fn an_undo_can_be_undone_and_again() {
    let place = Place::new();
    let id = dream(&place);
    let after = place.everything();
    let undo = place.door.undo(&place.store, &id).unwrap().history.unwrap();
    let before = place.everything();
    assert_ne!(before, after);
    place.door.undo(&place.store, &undo).unwrap();
    assert_eq!(place.everything(), after);
    let history = place.door.history(&place.store).unwrap();
    assert_eq!(history.iter().find(|entry| entry.id == id).unwrap().undone_by, None);
    place.door.undo(&place.store, "run-7").unwrap();
    assert_eq!(place.everything(), before);
    let error = place.door.undo(&place.store, "run-7").unwrap_err();
    assert!(matches!(error, DoorError::CannotUndo(_)) && error.to_string().contains("already"), "{error}");
}

#[test]
fn an_unknown_id_is_said_in_words_and_leaves_no_trace() {
    let place = Place::new();
    let error = place.door.undo(&place.store, "no\u{1b}such").unwrap_err().to_string();
    assert!(error.contains("no history entry") && error.contains("dreamtop history") && !error.contains('\u{1b}'));
    assert!(!place.root.join("state").exists());
}

#[test]
fn undo_restores_mode_and_time_to_the_nanosecond() {
    let place = Place::new();
    place.write("a.md", "a\n");
    let at = noon() - chrono::TimeDelta::days(40) + chrono::TimeDelta::nanoseconds(987_654_321);
    fs::File::options().write(true).open(place.path("a.md")).unwrap().set_modified(at.into()).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(place.path("a.md"), fs::Permissions::from_mode(0o640)).unwrap();
    }
    let before = (place.everything(), place.mtime("a.md"), fs::metadata(place.path("a.md")).unwrap().permissions());
    for change in [replace("a.md", "a\n", "b\n"), remove("a.md", "a\n")] {
        let landing = place.land(&set(Origin::Edit, vec![change]), Consent::Person).unwrap();
        place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
        let now = (place.everything(), place.mtime("a.md"), fs::metadata(place.path("a.md")).unwrap().permissions());
        assert_eq!(now, before);
    }
    let mut renewed = replace("a.md", "a\n", "a\n");
    renewed.mtime = Mtime::Now;
    let landing = place.land(&set(Origin::Triage, vec![renewed]), Consent::Person).unwrap();
    assert_eq!(place.mtime("a.md"), std::time::SystemTime::from(noon()));
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert_eq!(place.mtime("a.md"), before.1);
}

#[test]
fn a_run_that_landed_in_two_parts_is_taken_back_whole() {
    let place = Place::new();
    place.write("a.md", "a\n");
    for (base, content) in [("a\n", "b\n"), ("b\n", "c\n")] {
        let mut set = set(Origin::Edit, vec![replace("a.md", base, content)]);
        set.run = Some("r".to_owned());
        place.land(&set, Consent::Person).unwrap();
    }
    place.door.undo(&place.store, "r").unwrap();
    assert_eq!(place.read("a.md"), "a\n");
}

#[test]
fn an_undo_of_an_undo_of_an_undo_counts_as_the_first_one() {
    let place = Place::new();
    let text = memory("project", "a", "A.");
    let made = place.land(&set(Origin::Edit, vec![create("project_a.md", &text)]), Consent::Person).unwrap();
    let mut last = made.history.clone().unwrap();
    for depth in 1..=5 {
        last = place.door.undo(&place.store, &last).unwrap().history.unwrap();
        let history = place.door.history(&place.store).unwrap();
        let first = history.iter().find(|entry| Some(&entry.id) == made.history.as_ref()).unwrap();
        assert_eq!((first.undone_by.is_some(), place.has("project_a.md")), (depth % 2 == 1, depth % 2 == 0), "{depth}");
    }
}
