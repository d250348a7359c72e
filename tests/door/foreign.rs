//! What other programs do to a store: one history entry, one undo.

use std::fs;
use std::time::Duration;

use chrono::TimeDelta;
use dreamtop::change::{Consent, Door, Op, Origin, Purge};
use dreamtop::clock::Clock;
use dreamtop::state::StateDir;

use super::help::*;

fn forty(place: &Place) {
    let mut index = "# Memory Index\n\nWritten by hand.\n\n".to_owned();
    for number in 0..40 {
        let file = format!("project_{number:02}.md");
        place.write(&file, &memory("project", &file, &format!("Fact number {number} stands only here.")));
        index.push_str(&format!("- [Fact {number}]({file}) — fact {number}\n"));
    }
    place.write("MEMORY.md", &index);
}

/// As a consolidation of another program would: files go, the index follows, one is changed, one comes.
fn native_dream(place: &Place, remove: std::ops::Range<usize>) {
    let index = place.read("MEMORY.md");
    for number in remove.clone() {
        fs::remove_file(place.path(&format!("project_{number:02}.md"))).unwrap();
    }
    let gone = |line: &str| remove.clone().any(|number| line.contains(&format!("project_{number:02}.md")));
    let left: String = index.lines().filter(|line| !gone(line)).map(|line| format!("{line}\n")).collect();
    place.write("MEMORY.md", &left);
}

/// The same place, some seconds later.
fn later(place: &Place, seconds: i64) -> Door {
    Door::new(StateDir::at(place.root.join("state")), Clock::Fixed(noon() + TimeDelta::seconds(seconds)))
}

#[test]
fn fc_038_a_foreign_dream_that_removes_23_of_40_is_one_undo_with_identical_bytes_times_and_index_lines() {
    let place = Place::new();
    forty(&place);
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(86_400 * 40);
    for number in 0..40 {
        let path = place.path(&format!("project_{number:02}.md"));
        fs::File::options().write(true).open(path).unwrap().set_modified(long_ago).unwrap();
    }
    let (before, time) = (place.everything(), place.mtime("project_05.md"));
    assert_eq!(place.door.note_foreign(&place.store).unwrap(), None, "the first look records nothing");
    assert!(place.door.history(&place.store).unwrap().is_empty());
    native_dream(&place, 0..23);
    let kept = place.read("project_30.md");
    place.write("project_30.md", &kept.replace("stands only", "is found only"));
    place.write("project_new.md", &memory("project", "new", "Something new."));
    let id = place.door.note_foreign(&place.store).unwrap().unwrap();
    let history = place.door.history(&place.store).unwrap();
    assert_eq!((history.len(), history[0].origin, history[0].files.len()), (1, Origin::Foreign, 26));
    assert_eq!(history[0].files.last().unwrap().file, "MEMORY.md");
    assert_eq!(place.door.trash(&place.store).unwrap().len(), 23);
    let after = place.everything();
    let undone = place.door.undo(&place.store, &id).unwrap();
    assert_eq!(undone.held, []);
    assert_eq!(place.everything(), before);
    assert_eq!(place.mtime("project_05.md"), time);
    assert_eq!(place.door.note_foreign(&place.store).unwrap(), None, "our own undo is not foreign");
    place.door.undo(&place.store, &undone.history.unwrap()).unwrap();
    assert_eq!(place.everything(), after, "an undo of the undo");
}

#[test]
fn what_follows_within_a_minute_is_the_same_entry_and_what_comes_later_is_another() {
    let place = Place::new();
    forty(&place);
    let before = place.everything();
    place.door.note_foreign(&place.store).unwrap();
    native_dream(&place, 0..4);
    let first = later(&place, 10).note_foreign(&place.store).unwrap().unwrap();
    native_dream(&place, 4..9);
    assert_eq!(later(&place, 50).note_foreign(&place.store).unwrap().as_ref(), Some(&first));
    native_dream(&place, 9..12);
    assert_eq!(later(&place, 100).note_foreign(&place.store).unwrap().as_ref(), Some(&first));
    let history = place.door.history(&place.store).unwrap();
    assert_eq!((history.len(), history[0].files.len()), (1, 13), "twelve and the index");
    native_dream(&place, 12..14);
    let second = later(&place, 200).note_foreign(&place.store).unwrap().unwrap();
    assert_ne!(second, first);
    place.door.undo(&place.store, &second).unwrap();
    place.door.undo(&place.store, &first).unwrap();
    assert_eq!(place.everything(), before);
}

#[test]
fn a_memory_that_changes_twice_within_a_minute_is_two_entries_and_each_undo_gives_back_what_that_change_took() {
    let place = Place::new();
    forty(&place);
    place.door.note_foreign(&place.store).unwrap();
    let base = place.read("project_07.md");
    let longer = format!("{base}\nA line nobody else has.\n");
    place.write("project_07.md", &longer);
    place.write("passing.md", "comes and goes\n");
    let first = later(&place, 10).note_foreign(&place.store).unwrap().unwrap();
    fs::remove_file(place.path("project_07.md")).unwrap();
    fs::remove_file(place.path("passing.md")).unwrap();
    let second = later(&place, 13).note_foreign(&place.store).unwrap().unwrap();
    assert_ne!(second, first);
    place.door.undo(&place.store, &second).unwrap();
    assert_eq!((place.read("project_07.md"), place.read("passing.md")), (longer, "comes and goes\n".to_owned()));
    place.door.undo(&place.store, &first).unwrap();
    assert_eq!(place.read("project_07.md"), base);
    assert!(!place.path("passing.md").exists());
}

#[test]
fn landings_of_ours_are_not_foreign_and_edits_between_two_starts_are_told_apart() {
    let place = Place::new();
    forty(&place);
    place.door.note_foreign(&place.store).unwrap();
    let base = place.read("project_00.md");
    let ours = base.replace("stands", "stood");
    place.land(&set(Origin::Edit, vec![replace("project_00.md", &base, &ours)]), Consent::Person).unwrap();
    assert_eq!(place.door.note_foreign(&place.store).unwrap(), None);
    // Written by another program on top of ours, and met only by our next landing on the same file.
    let theirs = format!("{ours}A line of theirs.\n");
    place.write("project_00.md", &theirs);
    let again = theirs.replace("stood", "was");
    place.land(&set(Origin::Edit, vec![replace("project_00.md", &theirs, &again)]), Consent::Person).unwrap();
    let history = place.door.history(&place.store).unwrap();
    let told: Vec<Origin> = history.iter().map(|entry| entry.origin).collect();
    assert_eq!(told, [Origin::Edit, Origin::Foreign, Origin::Edit]);
    for entry in &history {
        place.door.undo(&place.store, &entry.id).unwrap();
    }
    assert_eq!(place.read("project_00.md"), base);
}

#[test]
fn files_edited_since_a_foreign_change_are_left_alone_and_the_rest_comes_back() {
    let place = Place::new();
    forty(&place);
    place.door.note_foreign(&place.store).unwrap();
    native_dream(&place, 0..3);
    let id = place.door.note_foreign(&place.store).unwrap().unwrap();
    place.write("project_01.md", "written anew by hand\n");
    let landing = place.door.undo(&place.store, &id).unwrap();
    let held: Vec<&str> = landing.held.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(held, ["project_01.md"]);
    assert!(place.has("project_00.md") && place.has("project_02.md"));
    assert_eq!(place.read("project_01.md"), "written anew by hand\n");
    let index = place.read("MEMORY.md");
    assert!(index.contains("project_00.md") && !index.contains("project_01.md"), "{index}");
}

#[test]
fn fc_092_of_a_file_that_holds_a_secret_no_copy_is_kept_and_that_is_said() {
    let token: String =
        "ghp".chars().chain("_".chars()).chain("q7Rk2mXv9LpZ4tWc8NbY3sHd6JfG1aKeU5oT".chars()).collect();
    let place = Place::new();
    place.write("project_key.md", &memory("project", "key", &format!("The key is {token}.")));
    place.write("project_other.md", &memory("project", "other", "Nothing secret."));
    place.door.note_foreign(&place.store).unwrap();
    assert!(!place.state_holds(&token));
    fs::remove_file(place.path("project_key.md")).unwrap();
    fs::remove_file(place.path("project_other.md")).unwrap();
    let id = place.door.note_foreign(&place.store).unwrap().unwrap();
    place.write("project_late.md", &format!("Another: {token}\n"));
    place.door.note_foreign(&place.store).unwrap();
    assert!(!place.state_holds(&token));
    let entry = place.door.history(&place.store).unwrap().remove(0);
    let why = |file: &str| entry.files.iter().find(|one| one.file == file).unwrap().not_kept.clone();
    assert!(why("project_key.md").unwrap().contains("secret"));
    assert_eq!(why("project_other.md"), None);
    let landing = place.door.undo(&place.store, &id).unwrap();
    assert_eq!(landing.held.len(), 1);
    assert!(landing.held[0].reasons[0].message.contains("secret"), "{:?}", landing.held);
    assert!(place.has("project_other.md") && !place.has("project_key.md"));
}

#[test]
fn a_note_cut_off_by_a_crash_is_complete_at_the_next_start_and_touches_no_file() {
    let place = Place::new();
    forty(&place);
    place.door.note_foreign(&place.store).unwrap();
    let base = place.read("project_00.md");
    place.write("project_00.md", "changed\n");
    place.door.note_foreign(&place.store).unwrap().unwrap();
    place.write("project_01.md", "changed after the crash\n");
    // The journal loses its last line: the end of the note.
    let journal =
        fs::read_dir(place.root.join("state/stores")).unwrap().next().unwrap().unwrap().path().join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let (begun, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&journal, format!("{begun}\n")).unwrap();
    let before = place.everything();
    place.door.recover(&place.store).unwrap();
    assert_eq!(place.everything(), before);
    place.door.note_foreign(&place.store).unwrap();
    let id = place.door.history(&place.store).unwrap().last().unwrap().id.clone();
    place.door.undo(&place.store, &id).unwrap();
    assert_eq!(place.read("project_00.md"), base);
}

#[cfg(unix)]
#[test]
fn a_link_that_another_program_removes_comes_back_as_a_link() {
    let place = Place::new();
    fs::write(place.root.join("shared.md"), memory("project", "s", "Shared.")).unwrap();
    std::os::unix::fs::symlink("../shared.md", place.path("project_s.md")).unwrap();
    place.door.note_foreign(&place.store).unwrap();
    fs::remove_file(place.path("project_s.md")).unwrap();
    let id = place.door.note_foreign(&place.store).unwrap().unwrap();
    place.door.undo(&place.store, &id).unwrap();
    assert_eq!(fs::read_link(place.path("project_s.md")).unwrap().to_str(), Some("../shared.md"));
}

#[test]
fn looking_writes_nothing_into_the_store_and_a_second_look_writes_nothing_at_all() {
    let place = Place::new();
    forty(&place);
    let before = place.everything();
    let times: Vec<_> = (0..40).map(|number| place.mtime(&format!("project_{number:02}.md"))).collect();
    place.door.note_foreign(&place.store).unwrap();
    let manifest =
        fs::read_dir(place.root.join("state/stores")).unwrap().next().unwrap().unwrap().path().join("manifest.json");
    // Files written this very moment are read again, until they have been at rest; then a look writes nothing.
    let old = std::time::SystemTime::now() - Duration::from_secs(60);
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        fs::File::options().append(true).open(&manifest).unwrap().set_modified(old).unwrap();
        place.door.note_foreign(&place.store).unwrap();
        if fs::metadata(&manifest).unwrap().modified().unwrap() == old {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "nothing new, and every look writes");
    }
    assert_eq!(place.everything(), before);
    let after: Vec<_> = (0..40).map(|number| place.mtime(&format!("project_{number:02}.md"))).collect();
    assert_eq!(after, times);
}

#[test]
fn a_store_whose_whole_surroundings_are_gone_was_moved_not_emptied() {
    let place = Place::new();
    fs::create_dir_all(place.root.join("home")).unwrap();
    let store = dreamtop::memory::Store::at(place.root.join("home/memory"));
    fs::create_dir_all(store.root()).unwrap();
    fs::write(store.path("a.md"), "a\n").unwrap();
    place.door.note_foreign(&store).unwrap();
    fs::rename(place.root.join("home"), place.root.join("away")).unwrap();
    assert_eq!(place.door.note_foreign(&store).unwrap(), None);
    fs::rename(place.root.join("away"), place.root.join("home")).unwrap();
    assert_eq!(place.door.note_foreign(&store).unwrap(), None);
    fs::remove_dir_all(store.root()).unwrap();
    let id = place.door.note_foreign(&store).unwrap().unwrap();
    place.door.undo(&store, &id).unwrap();
    assert_eq!(fs::read_to_string(store.path("a.md")).unwrap(), "a\n");
}

#[test]
fn a_purge_erases_every_kept_content_of_a_file_and_marks_its_entries() {
    let place = Place::new();
    // A passphrase no rule knows.
    let secret = "correct horse battery staple";
    let text = memory("project", "a", &format!("The words are {secret}."));
    let clean = memory("project", "a", "The words are in the vault.");
    place.write("project_a.md", &text);
    place.write("project_b.md", &memory("project", "b", "Fine."));
    place.door.note_foreign(&place.store).unwrap();
    let edit = place.land(&set(Origin::Edit, vec![replace("project_a.md", &text, &clean)]), Consent::Person).unwrap();
    let other = place.read("project_b.md");
    place.land(&set(Origin::Edit, vec![remove("project_b.md", &other)]), Consent::Person).unwrap();
    let mut waits = set(Origin::Dream, vec![replace("project_a.md", &clean, &text), create("project_c.md", "c\n")]);
    waits.changes[0].rationale.sources[0].quote = Some(format!("they are {secret}"));
    let held = place.land(&waits, Consent::Ask).unwrap();
    assert!(place.state_holds(secret));

    let would = place.door.purge(&place.store, &Purge::Named("project_a".to_owned()), true).unwrap();
    assert!(place.state_holds(secret) && would.images >= 2);
    let purged = place.door.purge(&place.store, &Purge::Named("project_a.md".to_owned()), false).unwrap();
    assert_eq!(purged, would);
    assert_eq!(purged.dropped, [format!("{} project_a.md", held.inbox.unwrap())]);
    assert!(!place.state_holds(secret), "not in images, copies, inbox or journal");
    let history = place.door.history(&place.store).unwrap();
    assert_eq!(history.len(), 2, "the entries stay");
    assert!(history[1].files[0].not_kept.as_ref().unwrap().starts_with("purged on "));
    let error = place.door.undo(&place.store, &edit.history.unwrap()).unwrap_err();
    assert!(error.to_string().contains("purged on "), "{error}");
    assert_eq!(place.read("project_a.md"), clean);
    place.door.undo(&place.store, &history[0].id).unwrap();
    assert_eq!(place.read("project_b.md"), other, "what was not purged can be taken back");
    let waiting = place.door.inbox(&place.store).unwrap();
    assert_eq!(waiting[0].changes.iter().map(|change| change.file.as_str()).collect::<Vec<_>>(), ["project_c.md"]);
    assert_eq!(place.door.note_foreign(&place.store).unwrap(), None, "a purge is not taken for a foreign change");
    assert!(!place.state_holds(secret));

    let id = history[0].id.clone();
    place.door.purge(&place.store, &Purge::Named(id), false).unwrap();
    place.door.purge(&place.store, &Purge::All, false).unwrap();
    assert!(
        place
            .door
            .history(&place.store)
            .unwrap()
            .iter()
            .all(|entry| { entry.files.iter().all(|file| file.before.is_none() || file.not_kept.is_some()) })
    );
    assert_eq!(place.door.inbox(&place.store).unwrap().len(), 1, "what waits stays");
    let error = place.door.purge(&place.store, &Purge::Named("nothing.md".to_owned()), false).unwrap_err();
    assert!(error.to_string().contains("dreamtop history"), "{error}");
    // What another program removes after a purge of everything is restorable still.
    let last = memory("project", "z", "The last one.");
    place.write("project_z.md", &last);
    place.door.note_foreign(&place.store).unwrap();
    place.door.purge(&place.store, &Purge::All, false).unwrap();
    fs::remove_file(place.path("project_z.md")).unwrap();
    let id = later(&place, 600).note_foreign(&place.store).unwrap().unwrap();
    assert_eq!(place.door.history(&place.store).unwrap()[0].files[0].op, Op::Remove);
    place.door.undo(&place.store, &id).unwrap();
    assert_eq!(place.read("project_z.md"), last);
}

#[test]
fn a_renewed_claim_without_a_date_survives_a_copy_that_resets_every_time() {
    use dreamtop::change::verbs::{SaveKind, save};
    use dreamtop::memory::store::ScanOptions;
    let place = Place::new();
    let flat = |number: usize| {
        format!("---\nname: f{number}\ndescription: about {number}\ntype: project\n---\n\nFact {number}.\n")
    };
    for number in 0..10 {
        place.write(&format!("project_{number}.md"), &flat(number));
    }
    let options = |place: &Place, days: i64| ScanOptions {
        now: noon() + TimeDelta::days(days),
        shelf_life: dreamtop::memory::ShelfLife::default(),
        confirmed: place.door.confirmed(&place.store),
    };
    let snapshot = place.store.scan(&options(&place, 0)).unwrap();
    let bytes = flat(3).into_bytes();
    let renewed = save(&snapshot, "project_3.md", &bytes, &bytes, SaveKind::Renew, noon());
    let landing = place.land(&renewed, Consent::Person).unwrap();
    // A typo keeps the claim's age, and its confirmation with it.
    let fixed = flat(3).replace("Fact 3", "The fact 3").into_bytes();
    let typo = save(&snapshot, "project_3.md", &bytes, &fixed, SaveKind::KeepAge, noon());
    let typo = place.land(&typo, Consent::Person).unwrap();
    let reset = std::time::SystemTime::now();
    for number in 0..10 {
        let file = fs::File::options().append(true).open(place.path(&format!("project_{number}.md"))).unwrap();
        file.set_modified(reset).unwrap();
    }
    let after = place.store.scan(&options(&place, 30)).unwrap();
    let age = |file: &str| (after.memory(file).unwrap().age_days, after.memory(file).unwrap().claim.source);
    assert_eq!(age("project_3.md"), (Some(30), dreamtop::memory::AgeSource::Confirmed));
    assert_eq!(age("project_4.md").0, None, "a copy says nothing about the others");
    // Taking the verdict back takes the confirmation back.
    place.door.undo(&place.store, &typo.history.unwrap()).unwrap();
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert!(place.door.confirmed(&place.store).is_empty());
}
