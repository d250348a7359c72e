//! The index put in order by hand, while others write to it.

use dreamtop::change::index_edit::{IndexEdit, TakenOver, edit_index, on_top};
use dreamtop::change::{Consent, DoorError};
use dreamtop::memory::Index;

use super::help::*;

const INDEX: &str = "# Index\n\nBy hand.\n\n- [A](a.md) — a\n- [B](b.md) — b\n\n## Later\n\n- [C](c.md) — c\n";

fn setting() -> Place {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.write(&format!("{name}.md"), &memory("user", name, "Text."));
    }
    place.write("MEMORY.md", INDEX);
    place
}

fn edit(content: Vec<u8>) -> IndexEdit {
    IndexEdit { base: INDEX.into(), content, taken_over: Vec::new() }
}

#[test]
fn fc_016_a_new_order_keeps_every_other_line_and_what_another_program_wrote_meanwhile() {
    let place = setting();
    let (pinned, _) = Index::read(INDEX.into()).pinned(10).unwrap();
    let snapshot = place.scan();
    let theirs =
        INDEX.replace("By hand.", "By hand, and more by another hand.").replace("— c\n", "— c\n- [D](d.md) — new\n");
    place.write("MEMORY.md", &theirs);
    let set = edit_index(&snapshot, &edit(pinned)).unwrap();
    let landing = place.land(&set, Consent::Person).unwrap();
    let expected = "# Index\n\nBy hand, and more by another hand.\n\n- [C](c.md) — c\n- [A](a.md) — a\n- [B](b.md) — b\n\n## Later\n\n\
                    - [D](d.md) — new\n";
    assert_eq!(place.read("MEMORY.md"), expected);
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert_eq!(place.read("MEMORY.md"), theirs);
}

#[test]
fn an_index_taken_away_while_it_is_arranged_is_a_question_and_comes_back_whole() {
    let place = setting();
    let snapshot = place.scan();
    let (moved, _) = Index::read(INDEX.into()).moved(5, true).unwrap();
    std::fs::remove_file(place.path("MEMORY.md")).unwrap();
    let error = edit_index(&snapshot, &edit(moved.clone())).unwrap_err();
    let DoorError::Conflict { theirs: Some(found), merged: Some(merged), .. } = error else { panic!("{error}") };
    assert_eq!((found, merged.as_bytes()), (Vec::new(), moved.as_slice()));
    let again = IndexEdit { base: Vec::new(), content: moved.clone(), taken_over: Vec::new() };
    place.land(&edit_index(&place.scan(), &again).unwrap(), Consent::Person).unwrap();
    assert_eq!(place.read("MEMORY.md").as_bytes(), moved);
}

#[test]
fn a_line_that_moves_and_is_linked_twice_is_not_lost_on_another_index() {
    let place = setting();
    let twice = INDEX.replace("By hand.", "By hand, see [A](a.md).");
    place.write("MEMORY.md", &twice);
    let snapshot = place.scan();
    let (moved, _) = Index::read(twice.clone().into_bytes()).moved(5, false).unwrap();
    place.write("MEMORY.md", &twice.replace("— c\n", "— c, changed\n"));
    let set = edit_index(&snapshot, &IndexEdit { base: twice.into(), content: moved, taken_over: Vec::new() }).unwrap();
    place.land(&set, Consent::Person).unwrap();
    let after = place.read("MEMORY.md");
    assert!(after.contains("- [B](b.md) — b\n- [A](a.md) — a\n") && after.contains("— c, changed"), "{after}");
}

#[test]
fn a_line_changed_on_both_sides_is_a_question_with_ours_on_top_of_theirs_and_nothing_lands() {
    let place = setting();
    let snapshot = place.scan();
    let ours = edit(INDEX.replace("— a\n", "— ours\n").replace("— b\n", "— ours too\n").into());
    let theirs = INDEX.replace("— a\n", "— theirs\n");
    place.write("MEMORY.md", &theirs);
    let error = edit_index(&snapshot, &ours).unwrap_err();
    let DoorError::Conflict { theirs: Some(found), merged: Some(merged), .. } = error else { panic!("{error}") };
    assert_eq!(found, theirs.as_bytes());
    assert!(merged.contains("— theirs") && merged.contains("— ours too") && !merged.contains("— ours\n"), "{merged}");
    assert_eq!(place.read("MEMORY.md"), theirs);
    // Dropping a line that another program edited is the same question; dropping one that is gone already is none.
    let dropped = edit(Index::read(INDEX.into()).without_line(5));
    assert!(edit_index(&snapshot, &dropped).is_err());
    place.write("MEMORY.md", &INDEX.replace("- [A](a.md) — a\n", ""));
    assert!(edit_index(&snapshot, &dropped).is_ok());
    assert_eq!(on_top(&dropped, place.read("MEMORY.md").as_bytes()), place.read("MEMORY.md").into_bytes());
}

#[test]
fn a_long_line_and_its_memory_change_together_and_one_undo_takes_both_back() {
    let place = setting();
    let long = INDEX.replace("— a\n", &format!("— {}\n", "the same thing said at length, and then again. ".repeat(6)));
    place.write("MEMORY.md", &long);
    let (snapshot, before) = (place.scan(), place.everything());
    let short = snapshot.index.shortened(5).unwrap();
    let base = place.read("a.md").into_bytes();
    let content = dreamtop::memory::Topic::read(base.clone()).with_paragraph(&short.hook).bytes;
    let taken_over = vec![TakenOver { file: short.file, base, content }];
    let set = edit_index(&snapshot, &IndexEdit { base: long.into(), content: short.index, taken_over }).unwrap();
    let time = place.mtime("a.md");
    let landing = place.land(&set, Consent::Person).unwrap();
    assert!(
        place.read("a.md").contains("said at length")
            && place.read("MEMORY.md").lines().all(|line| line.chars().count() <= 150)
    );
    let aged = place.mtime("a.md").duration_since(time).unwrap();
    assert_eq!(aged.as_secs(), 1, "the claim keeps its age");
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert_eq!(place.everything(), before);
}
