//! A person's edits: conflicts, merges, times, modes, links.

use std::fs;
use std::time::Duration;

use dreamtop::change::{Consent, DoorError, Mtime, Op, Origin};

use super::help::*;

#[test]
fn fc_019_outside_edit_is_never_overwritten() {
    let place = Place::new();
    let base = ten_lines();
    place.write("a.md", &base.replace("Line 3 says", "Line 3, from outside, says"));
    let ours = base.replace("Line 9 says", "Line 9, edited here, says");
    let landing = place.land(&set(Origin::Edit, vec![replace("a.md", &base, &ours)]), Consent::Person).unwrap();
    assert!(landing.landed[0].merged);
    let text = place.read("a.md");
    assert!(text.contains("Line 3, from outside") && text.contains("Line 9, edited here"));
}

#[test]
fn fc_019_the_same_line_changed_twice_is_a_conflict_with_both_versions() {
    let place = Place::new();
    let base = ten_lines();
    let theirs = base.replace("Line 9 says", "Line 9, from outside, says");
    place.write("a.md", &theirs);
    let ours = base.replace("Line 9 says", "Line 9, edited here, says");
    let before = place.everything();
    let other = create("b.md", "Not landed either.\n");
    let error =
        place.land(&set(Origin::Edit, vec![other, replace("a.md", &base, &ours)]), Consent::Person).unwrap_err();
    let DoorError::Conflict { file, theirs: found, merged } = error else { panic!("{error}") };
    assert_eq!((file.as_str(), found), ("a.md", Some(theirs.into_bytes())));
    let merged = merged.unwrap();
    assert!(merged.contains("from outside") && merged.contains("edited here"));
    assert_eq!(place.everything(), before);
}

#[test]
fn fc_019_a_file_removed_outside_is_not_brought_back_silently() {
    let place = Place::new();
    let error = place.land(&set(Origin::Edit, vec![replace("a.md", "old\n", "new\n")]), Consent::Person).unwrap_err();
    assert!(matches!(error, DoorError::Conflict { theirs: None, .. }), "{error}");
    assert!(!place.has("a.md"));
    let error = place.land(&set(Origin::Edit, vec![create("b.md", "x\n")]), Consent::Person);
    assert!(error.is_ok());
    let error = place.land(&set(Origin::Edit, vec![remove("b.md", "what I read\n")]), Consent::Person).unwrap_err();
    assert!(matches!(error, DoorError::Conflict { theirs: Some(_), .. }), "{error}");
}

#[test]
fn a_new_file_never_replaces_one_of_that_name() {
    let place = Place::new();
    place.write("a.md", "theirs\n");
    let wanted = set(Origin::Edit, vec![create("a.md", "ours\n")]);
    let error = place.land(&wanted, Consent::Person).unwrap_err();
    assert!(matches!(error, DoorError::Conflict { .. }), "{error}");
    assert_eq!(place.read("a.md"), "theirs\n");
    let landing = place.land(&set(Origin::Edit, vec![create("a.md", "theirs\n")]), Consent::Person).unwrap();
    assert_eq!((landing.history, landing.landed.len()), (None, 0));
    let error = place.land(&set(Origin::Edit, vec![create("A.md", "ours\n")]), Consent::Person).unwrap_err();
    assert!(error.to_string().contains("letter case"), "{error}");
}

#[test]
fn fc_021_two_extractions_with_the_same_name_are_both_kept_and_indexed() {
    let place = Place::new();
    for fact in ["one", "two", "three", "two"] {
        let content = memory("feedback", fact, &format!("Fact number {fact}."));
        let index = format!("- [{fact}](feedback_testing.md) — {fact}\n");
        let wanted = with_index(set(Origin::Extract, vec![create("feedback_testing.md", &content)]), "", &index);
        place.land(&wanted, Consent::None).unwrap();
    }
    let files: Vec<String> = place.everything().into_keys().collect();
    assert_eq!(files, ["MEMORY.md", "feedback_testing.md", "feedback_testing_2.md", "feedback_testing_3.md"]);
    let index = place.read("MEMORY.md");
    for file in files.iter().skip(1) {
        assert_eq!(index.matches(&format!("({file})")).count(), 1, "{file} in {index}");
    }
}

#[test]
fn a_change_set_that_contradicts_itself_is_refused_in_words() {
    let place = Place::new();
    place.write("a.md", "a\n");
    let twice = set(Origin::Edit, vec![replace("a.md", "a\n", "b\n"), remove("a.md", "a\n")]);
    let index = set(Origin::Edit, vec![create("MEMORY.md", "x\n")]);
    let mut no_base = replace("a.md", "a\n", "b\n");
    no_base.base = None;
    for (wanted, words) in
        [(twice, "twice"), (index, "line by line"), (set(Origin::Edit, vec![no_base]), "the bytes it was based on")]
    {
        for consent in [Consent::None, Consent::Person] {
            let error = place.land(&wanted, consent).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    }
    assert_eq!(place.read("a.md"), "a\n");
}

#[test]
fn a_typo_keeps_the_claims_age_and_a_restore_its_exact_time() {
    let place = Place::new();
    place.write("a.md", "a\n");
    let old = place.mtime("a.md");
    place.land(&set(Origin::Edit, vec![replace("a.md", "a\n", "b\n")]), Consent::Person).unwrap();
    assert_eq!(place.mtime("a.md"), old + Duration::from_secs(1));
    let mut renewed = replace("a.md", "b\n", "c\n");
    renewed.mtime = Mtime::Now;
    place.land(&set(Origin::Edit, vec![renewed.clone()]), Consent::Person).unwrap();
    assert_eq!(place.mtime("a.md"), std::time::SystemTime::from(noon()));
    let exact = noon() - chrono::TimeDelta::days(3) + chrono::TimeDelta::nanoseconds(123_456_789);
    renewed.base = renewed.content.replace(b"d\n".to_vec());
    renewed.mtime = Mtime::At(exact);
    place.land(&set(Origin::Edit, vec![renewed]), Consent::Person).unwrap();
    assert_eq!(place.mtime("a.md"), std::time::SystemTime::from(exact));
}

#[test]
fn bytes_are_the_callers_bom_and_line_endings_stay() {
    let place = Place::new();
    let base = "\u{FEFF}one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix";
    place.write("a.md", &base.replace("two", "TWO"));
    let wanted = set(Origin::Edit, vec![replace("a.md", base, &base.replace("six", "SIX"))]);
    place.land(&wanted, Consent::Person).unwrap();
    assert_eq!(place.read("a.md"), "\u{FEFF}one\r\nTWO\r\nthree\r\nfour\r\nfive\r\nSIX");
}

#[test]
fn an_op_is_told_for_each_file_that_landed_and_the_index_comes_last() {
    let place = Place::new();
    place.write("a.md", "a\n");
    place.write("b.md", "b\n");
    let changes = vec![create("sub/c.md", "c\n"), replace("a.md", "a\n", "A\n"), remove("b.md", "b\n")];
    let wanted = with_index(set(Origin::Edit, changes), "", "- [c](sub/c.md)\n");
    let landing = place.land(&wanted, Consent::Person).unwrap();
    let told: Vec<(&str, Op)> = landing.landed.iter().map(|one| (one.file.as_str(), one.op)).collect();
    assert_eq!(
        told,
        [("sub/c.md", Op::Create), ("a.md", Op::Replace), ("b.md", Op::Remove), ("MEMORY.md", Op::Create)]
    );
    let entry = &place.door.history(&place.store).unwrap()[0];
    assert_eq!(Some(&entry.id), landing.history.as_ref());
    let hash = entry.files[1].before.unwrap();
    assert_eq!(place.door.image(&place.store, hash).unwrap(), b"a\n");
    assert_eq!(place.door.trash(&place.store).unwrap()[0].file, "b.md");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &std::path::Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn fc_025_a_symlinked_index_stays_a_link_and_its_target_gets_the_bytes() {
        let place = Place::new();
        let dotfiles = place.root.join("dotfiles");
        fs::create_dir(&dotfiles).unwrap();
        fs::write(dotfiles.join("index.md"), "- [a](a.md)\n").unwrap();
        fs::set_permissions(dotfiles.join("index.md"), fs::Permissions::from_mode(0o644)).unwrap();
        symlink("../dotfiles/index.md", place.path("MEMORY.md")).unwrap();
        let changes = vec![create("project_b.md", &memory("project", "b", "Text."))];
        let index = "- [a](a.md)\n- [b](project_b.md)\n";
        place.land(&with_index(set(Origin::Extract, changes), "- [a](a.md)\n", index), Consent::None).unwrap();
        assert!(place.path("MEMORY.md").symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(dotfiles.join("index.md")).unwrap(), index);
        assert_eq!(mode(&dotfiles.join("index.md")), 0o644);
        assert_eq!(fs::read_dir(&dotfiles).unwrap().count(), 1);
    }

    #[test]
    fn fc_026_a_link_to_a_link_is_followed_to_its_final_target() {
        let place = Place::new();
        let (hop, home) = (place.root.join("hop"), place.root.join("home"));
        fs::create_dir(&hop).unwrap();
        fs::create_dir(&home).unwrap();
        fs::write(home.join("real.md"), "old\n").unwrap();
        symlink(home.join("real.md"), hop.join("link.md")).unwrap();
        symlink(hop.join("link.md"), place.path("note.md")).unwrap();
        fs::set_permissions(&hop, fs::Permissions::from_mode(0o555)).unwrap();
        place.land(&set(Origin::Edit, vec![replace("note.md", "old\n", "new\n")]), Consent::Person).unwrap();
        assert_eq!(fs::read_to_string(home.join("real.md")).unwrap(), "new\n");
        assert!(place.path("note.md").symlink_metadata().unwrap().is_symlink());
        assert!(hop.join("link.md").symlink_metadata().unwrap().is_symlink());
        fs::set_permissions(&hop, fs::Permissions::from_mode(0o755)).unwrap();
    }

    #[test]
    fn a_removed_link_leaves_its_target_and_undo_makes_it_a_link_again() {
        let place = Place::new();
        fs::write(place.root.join("kept.md"), "text\n").unwrap();
        symlink("../kept.md", place.path("note.md")).unwrap();
        let landing = place.land(&set(Origin::Edit, vec![remove("note.md", "text\n")]), Consent::Person).unwrap();
        assert!(!place.has("note.md"));
        assert_eq!(fs::read_to_string(place.root.join("kept.md")).unwrap(), "text\n");
        place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
        assert_eq!(fs::read_link(place.path("note.md")).unwrap().to_str(), Some("../kept.md"));
    }

    #[test]
    fn fc_094_new_files_are_private_and_old_ones_keep_their_mode() {
        let place = Place::new();
        fs::remove_dir(place.store.root()).unwrap();
        place.land(&set(Origin::Edit, vec![create("sub/a.md", "a\n")]), Consent::Person).unwrap();
        assert_eq!(mode(place.store.root()), 0o700);
        assert_eq!(mode(&place.path("sub")), 0o700);
        assert_eq!(mode(&place.path("sub/a.md")), 0o600);
        fs::set_permissions(place.path("sub/a.md"), fs::Permissions::from_mode(0o640)).unwrap();
        place.land(&set(Origin::Edit, vec![replace("sub/a.md", "a\n", "b\n")]), Consent::Person).unwrap();
        assert_eq!(mode(&place.path("sub/a.md")), 0o640);
        fn private(directory: &std::path::Path) {
            for entry in fs::read_dir(directory).unwrap() {
                let entry = entry.unwrap();
                let expected = if entry.file_type().unwrap().is_dir() { 0o700 } else { 0o600 };
                assert_eq!(mode(&entry.path()), expected, "{}", entry.path().display());
                if expected == 0o700 {
                    private(&entry.path());
                }
            }
        }
        private(&place.root.join("state"));
    }

    #[test]
    fn a_hard_linked_index_is_not_cut_off_from_its_other_name_by_anyone() {
        let place = Place::new();
        let index = "- [A](a.md) — a\n";
        place.write("a.md", "a\n");
        place.write("MEMORY.md", index);
        let wanted =
            with_index(set(Origin::Edit, vec![create("b.md", "b\n")]), index, "- [A](a.md) — a\n- [B](b.md)\n");
        let landed = place.land(&wanted, Consent::Person).unwrap();
        fs::hard_link(place.path("MEMORY.md"), place.root.join("other.md")).unwrap();
        let before = place.everything();
        let more = with_index(set(Origin::Edit, vec![create("c.md", "c\n")]), index, "- [A](a.md) — a\n- [C](c.md)\n");
        let error = place.land(&more, Consent::Person).unwrap_err().to_string();
        assert!(error.contains("MEMORY.md") && error.contains("hard link"), "{error}");
        assert_eq!(place.everything(), before, "nor is the file made that it would not name");
        let error = place.door.undo(&place.store, &landed.history.unwrap()).unwrap_err().to_string();
        assert!(error.contains("hard link"), "{error}");
        assert_eq!(place.everything(), before, "nothing is taken back by halves");
        assert_eq!(fs::read(place.root.join("other.md")).unwrap(), fs::read(place.path("MEMORY.md")).unwrap());
    }

    #[test]
    fn a_hard_linked_file_is_not_cut_off_from_its_other_name() {
        let place = Place::new();
        place.write("a.md", "a\n");
        fs::hard_link(place.path("a.md"), place.root.join("other.md")).unwrap();
        let error = place.land(&set(Origin::Edit, vec![replace("a.md", "a\n", "b\n")]), Consent::Person).unwrap_err();
        assert!(error.to_string().contains("hard link"), "{error}");
        assert_eq!(fs::metadata(place.path("a.md")).unwrap().nlink(), 2);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_with_an_ending_in_capitals_is_edited_removed_and_watched_like_any_other() {
    let place = Place::new();
    place.write("A.MD", "One thing.\n");
    place.write("MEMORY.md", "- [A](A.MD) — a\n");
    assert_eq!(place.door.note_foreign(&place.store).unwrap(), None, "the first look records nothing");
    place.land(&set(Origin::Edit, vec![replace("A.MD", "One thing.\n", "Another.\n")]), Consent::Person).unwrap();
    assert_eq!(place.read("A.MD"), "Another.\n");
    std::fs::remove_file(place.path("A.MD")).unwrap();
    let id = place.door.note_foreign(&place.store).unwrap().expect("another program's removal is recorded");
    place.door.undo(&place.store, &id).unwrap();
    assert_eq!(place.read("A.MD"), "Another.\n");
    place.land(&set(Origin::Edit, vec![remove("A.MD", "Another.\n")]), Consent::Person).unwrap();
    assert!(!place.has("A.MD"));
    let new = place.land(&set(Origin::Edit, vec![create("B.MD", "New.\n")]), Consent::Person).unwrap_err();
    assert!(new.to_string().contains(".md"), "{new}");
}

#[test]
fn new_files_of_one_new_directory_land_together() {
    let place = Place::new();
    let wanted = set(
        Origin::Edit,
        vec![create("new/deep/a.md", "a\n"), create("new/deep/b.md", "b\n"), create("new/c.md", "c\n")],
    );
    place.land(&wanted, Consent::Person).unwrap();
    assert_eq!(
        [place.read("new/deep/a.md"), place.read("new/deep/b.md"), place.read("new/c.md")],
        ["a\n", "b\n", "c\n"]
    );
}

#[test]
fn a_pull_keeps_names_and_owes_no_account_of_what_the_team_took_out() {
    let place = Place::new();
    place.write("team/a.md", &ten_lines());
    place.write("team/b.md", "Ours, and nobody else's.\n");
    let wanted = set(
        Origin::Pull,
        vec![
            replace("team/a.md", &ten_lines(), "All new.\n"),
            create("team/b.md", "Theirs.\n"),
            create("team/c.md", "New.\n"),
        ],
    );
    let landing = place.land(&wanted, Consent::None).unwrap();
    assert_eq!(place.read("team/a.md"), "All new.\n");
    assert_eq!(place.read("team/b.md"), "Ours, and nobody else's.\n");
    assert_eq!(landing.held.iter().map(|held| held.file.as_str()).collect::<Vec<_>>(), ["team/b.md"]);
    assert!(!place.has("team/b_2.md") && place.has("team/c.md"), "another name would be another entry");
}
