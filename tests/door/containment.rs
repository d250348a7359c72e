//! Nothing outside the store changes, whatever a change set or the disk says.

use std::fs;

use dreamtop::change::{Consent, DoorError, Origin};

use super::help::*;

#[test]
fn fc_061_names_that_leave_the_store_are_refused_and_nothing_outside_changes() {
    let place = Place::new();
    place.write("legal.md", "x\n");
    let names = [
        "../x.md",
        "a/../../x.md",
        "/etc/dreamtop-x.md",
        "..",
        "a/..",
        "..\\x.md",
        "%2e%2e/x.md",
        "C:\\x.md",
        "a\0.md",
        "a\nb.md",
        ".hidden.md",
        "a.txt",
        "",
    ];
    for name in names {
        let wanted = set(Origin::Edit, vec![create(name, "x\n")]);
        let error = place.land(&wanted, Consent::Person).unwrap_err();
        let DoorError::Refused { reason, .. } = error else { panic!("{name:?}: {error}") };
        assert_eq!(reason.guard, "containment", "{name:?}");
    }
    let mut changes: Vec<_> = names.iter().map(|name| create(name, "x\n")).collect();
    changes.push(create("sub/topic.md", &memory("project", "t", "Text.")));
    let landing = place.land(&set(Origin::Extract, changes), Consent::None).unwrap();
    assert_eq!(landing.held.len(), names.len());
    let files: Vec<String> = place.everything().into_keys().collect();
    assert_eq!(files, ["legal.md", "sub/topic.md"]);
    let mut outside: Vec<_> = fs::read_dir(&place.root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    outside.sort();
    assert_eq!(outside, ["memory", "state"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_memory_under_a_name_we_would_not_give_can_be_changed_removed_and_brought_back() {
        let place = Place::new();
        let deep = "d/".repeat(12) + "deep.md";
        let names = ["A.MD", "a:b?.md", "con.md", "a%20b.md", "a\\b.md", "a\nb.md", "a\u{200B}b.md", deep.as_str()];
        for name in names {
            let (old, new) = (memory("project", "n", "Old text."), memory("project", "n", "New text."));
            place.write(name, &old);
            place.land(&set(Origin::Edit, vec![replace(name, &old, &new)]), Consent::Person).unwrap();
            assert_eq!(place.read(name), new, "{name:?}");
            let removed = place.land(&set(Origin::Edit, vec![remove(name, &new)]), Consent::Person).unwrap();
            assert!(!place.has(name), "{name:?}");
            place.door.undo(&place.store, &removed.history.unwrap()).unwrap();
            assert_eq!(place.read(name), new, "{name:?}");
            place.land(&set(Origin::Edit, vec![remove(name, &new)]), Consent::Person).unwrap();
            let error = place.land(&set(Origin::Edit, vec![create(name, &new)]), Consent::Person).unwrap_err();
            assert!(matches!(error, DoorError::Refused { .. }), "{name:?} is no name for a new file: {error}");
        }
    }

    #[test]
    fn a_symlinked_directory_in_the_store_is_no_way_out() {
        let place = Place::new();
        let outside = place.root.join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("x.md"), "theirs\n").unwrap();
        symlink(&outside, place.path("sub")).unwrap();
        for change in
            [create("sub/new.md", "n\n"), replace("sub/x.md", "theirs\n", "ours\n"), remove("sub/x.md", "theirs\n")]
        {
            let error = place.land(&set(Origin::Edit, vec![change]), Consent::Person).unwrap_err();
            assert!(error.to_string().contains("symbolic link"), "{error}");
        }
        assert_eq!(fs::read_to_string(outside.join("x.md")).unwrap(), "theirs\n");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    }

    #[test]
    fn a_link_to_something_that_is_no_memory_is_refused() {
        let place = Place::new();
        fs::write(place.root.join("authorized_keys"), "key\n").unwrap();
        symlink("../authorized_keys", place.path("a.md")).unwrap();
        symlink("../nowhere.md", place.path("b.md")).unwrap();
        symlink("/dev/null", place.path("c.md")).unwrap();
        fs::create_dir(place.path("d.md")).unwrap();
        for file in ["a.md", "b.md", "c.md", "d.md"] {
            for change in [replace(file, "key\n", "x\n"), create(file, "x\n")] {
                let error = place.land(&set(Origin::Edit, vec![change]), Consent::Person).unwrap_err();
                assert!(matches!(error, DoorError::Refused { .. }), "{file}: {error}");
            }
        }
        assert_eq!(fs::read_to_string(place.root.join("authorized_keys")).unwrap(), "key\n");
    }

    #[test]
    fn nothing_automatic_writes_through_a_link_that_leads_out_but_a_person_may() {
        let place = Place::new();
        let text = memory("project", "n", "Old text here.");
        fs::write(place.root.join("note.md"), &text).unwrap();
        symlink("../note.md", place.path("note.md")).unwrap();
        let wanted = set(Origin::Dream, vec![replace("note.md", &text, &text.replace("Old", "New"))]);
        let landing = place.land(&wanted, Consent::None).unwrap();
        assert_eq!(landing.held[0].reasons[0].guard, "containment");
        assert_eq!(fs::read_to_string(place.root.join("note.md")).unwrap(), text);
        place.door.accept(&place.store, &landing.inbox.unwrap(), &[]).unwrap();
        assert!(fs::read_to_string(place.root.join("note.md")).unwrap().contains("New text"));
    }

    #[test]
    fn fc_063_a_store_reached_through_a_link_or_not_made_yet_works() {
        let place = Place::new();
        fs::create_dir(place.root.join("real")).unwrap();
        symlink("real", place.root.join("alias")).unwrap();
        let store = dreamtop::memory::Store::at(place.root.join("alias/project/memory"));
        let landing =
            place.door.land(&store, &set(Origin::Edit, vec![create("a.md", "a\n")]), Consent::Person).unwrap();
        assert!(place.root.join("real/project/memory/a.md").is_file());
        let straight = dreamtop::memory::Store::at(place.root.join("real/project/memory"));
        place.door.undo(&straight, &landing.history.unwrap()).unwrap();
        assert!(!place.root.join("real/project/memory/a.md").exists());
        let escape = set(Origin::Edit, vec![create("../a.md", "a\n")]);
        assert!(place.door.land(&store, &escape, Consent::Person).is_err());
    }
}
