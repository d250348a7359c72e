//! Changes that wait and belong together: the halves of a supersede or a merge, and the lines of the index with their files.

use dreamtop::change::{Accepted, Account, Consent, Origin, Take};

use super::help::*;
use super::review::*;

/// A store in which the halves of a supersede wait, the removal with its index line and the line that says what stood before;
/// the entry's id.
fn halves(place: &Place, consent: Consent) -> String {
    let (older, newer) = (owner("Ben"), owner("Anna"));
    place.write("project_own.md", &older);
    place.write("project_own2.md", &newer);
    place.write("MEMORY.md", HALVES_INDEX);
    let mut replaces = replace("project_own2.md", &newer, &with_before(&newer));
    replaces.rationale.reason = "replaces project_own.md".to_owned();
    let mut removal = remove("project_own.md", &older);
    removal.rationale.reason = "superseded by project_own2.md".to_owned();
    let dream =
        with_index(set(Origin::Dream, vec![removal, replaces]), HALVES_INDEX, "- [own2](project_own2.md) — who\n");
    place.land(&dream, consent).unwrap().inbox.unwrap()
}

const HALVES_INDEX: &str = "- [own](project_own.md) — who\n- [own2](project_own2.md) — who\n";

fn owner(name: &str) -> String {
    memory("project", "own", &format!("{name} owns the auth module."))
}

fn with_before(newer: &str) -> String {
    format!("{newer}\n**Before (until 2026-11-01):** Ben owns the auth module.\n")
}

#[test]
fn half_of_a_supersede_takes_the_other_half_along_and_says_so() {
    for accepted in ["project_own.md", "project_own2.md"] {
        let place = Place::new();
        let id = halves(&place, Consent::Ask);
        let review = place.door.review(&place.store, &id).unwrap();
        let at = review.entry.changes.iter().position(|change| change.file == "project_own.md").unwrap();
        let loss = &review.files[at].losses[0];
        assert_eq!((loss.account, loss.into.as_deref()), (Account::Kept, Some("project_own2.md")));
        assert_eq!(review.files[at].with, ["project_own2.md"], "what is called kept lands with it");
        let landing = place.door.accept(&place.store, &id, &[accepted.to_owned()]).unwrap();
        let along: Vec<(&str, &str)> =
            landing.along.iter().map(|along| (along.file.as_str(), along.with.as_str())).collect();
        let other = if accepted == "project_own.md" { "project_own2.md" } else { "project_own.md" };
        assert_eq!(along, [(other, accepted)]);
        assert!(!place.has("project_own.md") && place.read("project_own2.md").contains("Ben owns"), "{accepted}");
        assert_eq!(place.read("MEMORY.md"), "- [own2](project_own2.md) — who\n");
        assert!(held_files(&place).is_empty(), "{accepted}: {:?}", held_files(&place));
        place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
        assert_eq!((place.read("project_own.md"), place.read("project_own2.md")), (owner("Ben"), owner("Anna")));
    }
}

#[test]
fn a_removal_does_not_land_without_the_words_that_were_to_stay() {
    let place = Place::new();
    let id = halves(&place, Consent::Ask);
    let everything = place.everything();
    let mut torn = accept("project_own.md", Take::Whole);
    torn.rejected.insert("project_own2.md".to_owned());
    let error = place.door.decide(&place.store, &id, &torn).unwrap_err();
    assert!(error.to_string().contains("was to stand in project_own2.md"), "{error}");
    assert_eq!((place.everything(), held_files(&place).len()), (everything, 3), "nothing landed, nothing was dropped");
    // A version of one's own is known to whoever wrote it.
    let mut own = accept("project_own.md", Take::Whole);
    own.accepted.push(Accepted { file: "project_own2.md".to_owned(), take: mine(&owner("Anna alone")) });
    place.door.decide(&place.store, &id, &own).unwrap();
    assert!(!place.has("project_own.md") && place.read("project_own2.md").contains("Anna alone"));
}

#[test]
fn a_removal_waits_with_its_half_when_that_was_edited_on_the_disk_meanwhile() {
    let place = Place::new();
    let id = halves(&place, Consent::Ask);
    place.write("project_own2.md", &owner("Carla"));
    let review = place.door.review(&place.store, &id).unwrap();
    assert!(
        review.files.iter().flat_map(|file| &file.losses).all(|loss| loss.account == Account::Superseded),
        "{review:?}"
    );
    let landing = place.door.accept(&place.store, &id, &["project_own.md".to_owned()]).unwrap();
    assert_eq!(landing.landed, []);
    assert!(place.has("project_own.md") && place.read("MEMORY.md") == HALVES_INDEX);
    assert_eq!(held_files(&place), ["project_own.md", "project_own2.md", "MEMORY.md"]);
}

#[test]
fn hunks_that_leave_out_what_a_removal_rests_on_refuse_the_removal() {
    let place = Place::new();
    let newer = memory("project", "a", "Anna owns the auth module.\nOne.\nTwo.\nThree.\nThe old line.\nFour.");
    place.write("project_b.md", &owner("Ben"));
    place.write(FILE, &newer);
    let wanted = with_before(&newer).replace("The old line.", "The new line.");
    let mut removal = remove("project_b.md", &owner("Ben"));
    removal.rationale.reason = "superseded by project_a.md".to_owned();
    let dream = set(Origin::Dream, vec![removal, replace(FILE, &newer, &wanted)]);
    let id = place.land(&dream, Consent::Ask).unwrap().inbox.unwrap();
    let with_hunk = |number: usize| {
        let mut decision = accept("project_b.md", Take::Whole);
        decision.accepted.push(Accepted { file: FILE.to_owned(), take: hunks(&[number]) });
        decision
    };
    assert!(place.door.decide(&place.store, &id, &with_hunk(1)).is_err());
    assert!(place.has("project_b.md"));
    place.door.decide(&place.store, &id, &with_hunk(2)).unwrap();
    assert!(!place.has("project_b.md") && place.read(FILE).contains("The old line."));
    assert_eq!(held_files(&place), [FILE], "the other hunk still waits");
}

#[test]
fn rejecting_half_of_a_supersede_rejects_the_other_half_and_a_line_that_says_more_goes_on_waiting() {
    let place = Place::new();
    let id = halves(&place, Consent::Ask);
    let dropped = place.door.reject(&place.store, &id, &["project_own2.md".to_owned()]).unwrap();
    assert_eq!(dropped, ["project_own2.md", "project_own.md"]);
    assert!(held_files(&place).is_empty() && place.read("MEMORY.md") == HALVES_INDEX);
    let place = Place::new();
    let id = halves(&place, Consent::Ask);
    let review = place.door.review(&place.store, &id).unwrap();
    let dropped: Vec<&[String]> = review.files.iter().map(|file| file.dropped_with.as_slice()).collect();
    let expected: [&[String]; 3] = [&["project_own2.md".to_owned()], &["project_own.md".to_owned()], &[]];
    assert_eq!(dropped, expected, "it is known before");
    let dropped = place.door.reject(&place.store, &id, &["project_own.md".to_owned()]).unwrap();
    assert_eq!(dropped, ["project_own.md", "project_own2.md"], "it would say as past what still stands as current");
    assert!(held_files(&place).is_empty() && place.read("project_own2.md") == owner("Anna"));
    // What the other one says besides is no half of anything.
    let place = Place::new();
    place.write("project_own.md", &owner("Ben"));
    place.write("project_own2.md", &owner("Anna"));
    let more = with_before(&owner("Anna")) + "\nShe is back in May 2027.\n";
    let mut removal = remove("project_own.md", &owner("Ben"));
    removal.rationale.reason = "superseded by project_own2.md".to_owned();
    let dream = set(Origin::Dream, vec![removal, replace("project_own2.md", &owner("Anna"), &more)]);
    let id = place.land(&dream, Consent::Ask).unwrap().inbox.unwrap();
    assert_eq!(place.door.reject(&place.store, &id, &["project_own.md".to_owned()]).unwrap(), ["project_own.md"]);
    assert_eq!(held_files(&place), ["project_own2.md"]);
    // Nor does a person's own word on it give way.
    let place = Place::new();
    let id = halves(&place, Consent::Ask);
    let mut both = accept("project_own2.md", Take::Text { text: owner("Anna alone").into_bytes(), base: None });
    both.rejected.insert("project_own.md".to_owned());
    place.door.decide(&place.store, &id, &both).unwrap();
    assert!(place.has("project_own.md") && place.read("project_own2.md").contains("Anna alone"));
}

#[test]
fn the_same_dream_again_makes_no_second_entry_and_its_index_lines_stay_with_their_files() {
    let place = Place::new();
    let first = halves(&place, Consent::Ask);
    let id = halves(&place, Consent::Ask);
    assert_eq!((id.as_str(), place.door.inbox(&place.store).unwrap().len()), (first.as_str(), 1));
    let (older, newer) = (owner("Ben"), owner("Anna"));
    let mut removal = remove("project_own.md", &older);
    removal.rationale.reason = "superseded by project_own2.md".to_owned();
    // A night later there is something more to do.
    place.write("project_c.md", &memory("project", "c", "C is what it is."));
    let index = format!("{HALVES_INDEX}- [c](project_c.md) — c\n");
    place.write("MEMORY.md", &index);
    let changes = vec![
        removal,
        replace("project_own2.md", &newer, &with_before(&newer)),
        remove("project_c.md", &place.read("project_c.md")),
    ];
    let dream = with_index(set(Origin::Dream, changes), &index, "- [own2](project_own2.md) — who\n");
    let landing = place.land(&dream, Consent::Ask).unwrap();
    let waits: Vec<(&str, bool)> =
        landing.held.iter().map(|held| (held.file.as_str(), held.waits_in.as_ref() == Some(&first))).collect();
    assert_eq!(
        waits,
        [("project_own.md", true), ("project_own2.md", true), ("project_c.md", false), ("MEMORY.md", false)]
    );
    place.door.accept(&place.store, &landing.inbox.unwrap(), &[]).unwrap();
    assert!(place.has("project_own.md") && !place.has("project_c.md"));
    assert_eq!(place.read("MEMORY.md"), HALVES_INDEX, "the line of a file that waits elsewhere waits there");
    place.door.accept(&place.store, &first, &[]).unwrap();
    assert!(!place.has("project_own.md"));
    assert_eq!(place.read("MEMORY.md"), "- [own2](project_own2.md) — who\n");
    assert!(held_files(&place).is_empty());
}

#[test]
fn the_index_line_of_what_was_rejected_does_not_wait_the_next_night() {
    let place = Place::new();
    let id = halves(&place, Consent::Ask);
    place.door.reject(&place.store, &id, &[]).unwrap();
    let mut removal = remove("project_own.md", &owner("Ben"));
    removal.rationale.reason = "superseded by project_own2.md".to_owned();
    let dream = with_index(set(Origin::Dream, vec![removal]), HALVES_INDEX, "- [own2](project_own2.md) — who\n");
    let landing = place.land(&dream, Consent::Ask).unwrap();
    assert_eq!((landing.held, landing.inbox), (vec![], None));
    assert_eq!(place.read("MEMORY.md"), HALVES_INDEX);
}

#[test]
fn what_a_person_lets_go_takes_an_index_line_along_that_nobody_thought_of() {
    let place = Place::new();
    place.write("project_b.md", &memory("project", "b", "B is what it is."));
    place.write("MEMORY.md", "# Mine\n\n- [b](project_b.md) — b\n");
    let dream = set(Origin::Dream, vec![remove("project_b.md", &place.read("project_b.md"))]);
    let id = place.land(&dream, Consent::Ask).unwrap().inbox.unwrap();
    let landing = place.door.accept(&place.store, &id, &[]).unwrap();
    assert_eq!((place.has("project_b.md"), place.read("MEMORY.md").as_str()), (false, "# Mine\n\n"));
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert!(place.has("project_b.md") && place.read("MEMORY.md").contains("(project_b.md)"));
}

#[test]
fn what_was_made_of_each_file_is_remembered_when_the_entry_is_gone() {
    let place = Place::new();
    let id = waiting(&place);
    let landing = place.door.accept(&place.store, &id, &["project_b.md".to_owned()]).unwrap();
    place.door.decide(&place.store, &id, &accept(FILE, hunks(&[1]))).unwrap();
    place.door.reject(&place.store, &id, &[]).unwrap();
    assert!(place.door.inbox(&place.store).unwrap().is_empty());
    let settled = place.door.settled(&place.store).remove(&id).unwrap();
    assert_eq!(settled.accepted["project_b.md"], landing.history);
    let accepted: Vec<&String> = settled.accepted.keys().collect();
    assert_eq!(accepted, ["MEMORY.md", FILE, "project_b.md"], "the index followed what landed");
    assert!(settled.rejected.contains(FILE) && settled.rejected.contains("project_c.md"), "{settled:?}");
}
