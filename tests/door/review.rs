//! A person's decision on what waits: whole files, single hunks, their own words.

use std::collections::BTreeSet;

use dreamtop::change::{Accepted, Account, Consent, Decision, Disk, DoorError, Op, Origin, Take};

use super::help::*;

pub(crate) const FILE: &str = "project_a.md";

fn before() -> String {
    memory("project", "a", "One stays here.\nTwo goes away.\nThree stays here.\nFour stays here.\nFive goes away.")
}

fn after() -> String {
    before().replace("Two goes away.", "Two came instead.").replace("Five goes away.", "Five came instead.")
}

/// A store in which a change of two hunks, a removal and a new file wait, with the index as a whole; the entry's id.
pub(crate) fn waiting(place: &Place) -> String {
    let index = "- [a](project_a.md) — a\n- [b](project_b.md) — b\n";
    place.write(FILE, &before());
    place.write("project_b.md", &memory("project", "b", "B is what it is."));
    place.write("MEMORY.md", index);
    let changes = vec![
        replace(FILE, &before(), &after()),
        remove("project_b.md", &place.read("project_b.md")),
        create("project_c.md", &memory("project", "c", "C is new.")),
    ];
    let wanted = "- [a](project_a.md) — a\n- [c](project_c.md) — c\n";
    let landing = place.land(&with_index(set(Origin::Dream, changes), index, wanted), Consent::Ask).unwrap();
    assert_eq!((landing.landed.len(), landing.held.len()), (0, 4), "{landing:?}");
    landing.inbox.unwrap()
}

pub(crate) fn accept(file: &str, take: Take) -> Decision {
    Decision { accepted: vec![Accepted { file: file.to_owned(), take }], ..Decision::default() }
}

pub(crate) fn hunks(numbers: &[usize]) -> Take {
    Take::Hunks(numbers.iter().copied().collect())
}

/// The person's own version, based on what the proposal was made from.
pub(crate) fn mine(text: &str) -> Take {
    Take::Text { text: text.as_bytes().to_vec(), base: None }
}

pub(crate) fn held_files(place: &Place) -> Vec<String> {
    let inbox = place.door.inbox(&place.store).unwrap();
    inbox.iter().flat_map(|entry| entry.changes.iter().map(|change| change.file.clone())).collect()
}

#[test]
fn one_hunk_lands_and_the_other_waits_on_what_is_there_now() {
    let place = Place::new();
    let id = waiting(&place);
    let review = place.door.review(&place.store, &id).unwrap();
    assert_eq!((review.files[0].hunks.len(), review.files[0].disk), (2, Disk::Same));
    place.door.decide(&place.store, &id, &accept(FILE, hunks(&[2]))).unwrap();
    assert_eq!(place.read(FILE), before().replace("Five goes away.", "Five came instead."));
    let review = place.door.review(&place.store, &id).unwrap();
    assert_eq!((review.files[0].hunks.len(), review.files[0].disk), (1, Disk::Same), "the rest waits, on the new base");
    place.door.decide(&place.store, &id, &accept(FILE, hunks(&[1]))).unwrap();
    assert_eq!(place.read(FILE), after());
    assert!(!held_files(&place).contains(&FILE.to_owned()));
}

#[test]
fn a_decision_is_one_entry_of_the_history_and_one_undo() {
    let place = Place::new();
    let id = waiting(&place);
    let everything = place.everything();
    let mut decision = accept(FILE, hunks(&[1]));
    decision.accepted.push(Accepted { file: "project_b.md".to_owned(), take: Take::Whole });
    decision.rejected.insert("project_c.md".to_owned());
    let landing = place.door.decide(&place.store, &id, &decision).unwrap();
    assert!(!place.has("project_b.md") && !place.has("project_c.md"));
    assert!(!place.read("MEMORY.md").contains("project_b.md"), "the line of a file that went goes with it");
    assert_eq!(held_files(&place), [FILE], "what the index edit said of the others is settled");
    assert_eq!(place.door.history(&place.store).unwrap().len(), 1);
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert_eq!(place.everything(), everything);
}

#[test]
fn accepting_the_index_brings_no_line_about_a_file_that_does_not_land() {
    let place = Place::new();
    let id = waiting(&place);
    place.door.decide(&place.store, &id, &accept("MEMORY.md", Take::Whole)).unwrap();
    assert_eq!(place.read("MEMORY.md"), "- [a](project_a.md) — a\n- [b](project_b.md) — b\n");
    place.door.accept(&place.store, &id, &["project_c.md".to_owned()]).unwrap();
    assert!(place.read("MEMORY.md").contains("project_c.md"), "the line waited for its file");
    place.door.accept(&place.store, &id, &["project_b.md".to_owned()]).unwrap();
    assert_eq!(place.read("MEMORY.md"), "- [a](project_a.md) — a\n- [c](project_c.md) — c\n");
}

#[test]
fn a_hunk_of_the_index_lands_and_lines_of_files_that_wait_stay_with_them() {
    let place = Place::new();
    let id = waiting(&place);
    let review = place.door.review(&place.store, &id).unwrap();
    let index = review.entry.changes.iter().position(|change| change.file == "MEMORY.md").unwrap();
    let all: BTreeSet<usize> = (1..=review.files[index].hunks.len()).collect();
    place.door.decide(&place.store, &id, &accept("MEMORY.md", Take::Hunks(all))).unwrap();
    place.door.accept(&place.store, &id, &[]).unwrap();
    assert_eq!(place.read("MEMORY.md"), "- [a](project_a.md) — a\n- [c](project_c.md) — c\n");
    assert!(held_files(&place).is_empty());
}

#[test]
fn the_persons_own_version_lands_instead_of_the_proposal() {
    let place = Place::new();
    let id = waiting(&place);
    let own = after().replace("Two came instead.", "Two is mine.");
    let landing = place.door.decide(&place.store, &id, &accept(FILE, mine(&own))).unwrap();
    assert_eq!(place.read(FILE), own);
    assert!(landing.landed[0].rationale.reason.ends_with("(edited in review)"));
    let error = place.door.decide(&place.store, &id, &accept("project_b.md", mine(""))).unwrap_err();
    assert!(error.to_string().contains("a removal has no text to edit"), "{error}");
    let error = place.door.decide(&place.store, &id, &accept("MEMORY.md", mine(""))).unwrap_err();
    assert!(error.to_string().contains("line by line"), "{error}");
}

#[test]
fn fc_065_a_file_that_moved_since_is_merged_or_stays_in_the_inbox_while_the_rest_lands() {
    let place = Place::new();
    let id = waiting(&place);
    place.write(FILE, &before().replace("Four stays here.", "Four moved on."));
    assert_eq!(
        place.door.review(&place.store, &id).unwrap().files[0].disk,
        Disk::Conflicts,
        "too near to the proposal"
    );
    place
        .write(FILE, &format!("{}A line at the end, far from all.\n", before().replace("name: \"a\"", "name: \"aa\"")));
    assert_eq!(place.door.review(&place.store, &id).unwrap().files[0].disk, Disk::Conflicts);
    place.write(FILE, &before().replace("name: \"a\"", "name: \"aa\""));
    assert_eq!(place.door.review(&place.store, &id).unwrap().files[0].disk, Disk::Merges);
    place.door.decide(&place.store, &id, &accept(FILE, hunks(&[2]))).unwrap();
    let text = place.read(FILE);
    assert!(
        text.contains("name: \"aa\"") && text.contains("Five came instead.") && text.contains("Two goes away."),
        "{text}"
    );
    // What is left conflicts: it stays as it is and waits, and all else that was decided is done.
    let theirs = text.replace("Two goes away.", "Two is something else.");
    place.write(FILE, &theirs);
    let mut decision = accept(FILE, Take::Whole);
    decision.accepted.push(Accepted { file: "project_b.md".to_owned(), take: Take::Whole });
    decision.rejected.insert("project_c.md".to_owned());
    let landing = place.door.decide(&place.store, &id, &decision).unwrap();
    assert_eq!((landing.held[0].file.as_str(), landing.held[0].reasons[0].guard.as_str()), (FILE, "conflict"));
    assert_eq!(landing.inbox.as_deref(), Some(id.as_str()), "it waits where it waited");
    assert_eq!((place.read(FILE), place.has("project_b.md")), (theirs, false));
    assert!(!place.read("MEMORY.md").contains("project_b.md"));
    assert_eq!(held_files(&place), [FILE]);
}

#[test]
fn what_was_accepted_and_conflicts_keeps_its_index_line_and_lands_later_as_it_was() {
    let place = Place::new();
    let text = memory("project", "a", "The release is on Monday.");
    place.write(FILE, &text);
    place.write("project_b.md", &memory("project", "b", "B is what it is."));
    let index = "- [a](project_a.md) — Monday\n- [b](project_b.md) — b\n";
    place.write("MEMORY.md", index);
    let wanted = index.replace("Monday", "Friday").replace("— b", "— bees");
    let changes = vec![
        replace(FILE, &text, &text.replace("Monday", "Friday")),
        replace("project_b.md", &place.read("project_b.md"), &memory("project", "b", "B is what it was.")),
    ];
    let landing = place.land(&with_index(set(Origin::Dream, changes), index, &wanted), Consent::Ask).unwrap();
    let id = landing.inbox.unwrap();
    place.write(FILE, &text.replace("Monday", "Sunday"));
    let landing = place.door.accept(&place.store, &id, &[]).unwrap();
    assert_eq!(landing.held.len(), 1, "{landing:?}");
    assert_eq!(place.read("MEMORY.md"), index.replace("— b", "— bees"), "the line about a.md waits with it");
    let again = place.door.accept(&place.store, &id, &[]).unwrap();
    assert_eq!((again.landed, again.held.len()), (vec![], 1), "nothing could land, and nothing is lost");
    place.write(FILE, &text);
    assert_eq!(place.door.accept(&place.store, &id, &[]).unwrap().held, []);
    assert_eq!((place.read("MEMORY.md"), place.read(FILE)), (wanted, text.replace("Monday", "Friday")));
    assert!(held_files(&place).is_empty());
}

#[test]
fn a_file_whose_words_were_to_go_into_one_that_conflicts_is_not_removed() {
    let place = Place::new();
    let (a, b) = (memory("project", "a", "A is one."), memory("project", "b", "The tea is green and comes at four."));
    place.write(FILE, &a);
    place.write("project_b.md", &b);
    place.write("project_c.md", &memory("project", "c", "C goes."));
    let merged = memory("project", "a", "A is one.\nThe tea is green and comes at four.");
    let changes = vec![
        replace(FILE, &a, &merged),
        remove("project_b.md", &b),
        remove("project_c.md", &place.read("project_c.md")),
    ];
    let id = place.land(&set(Origin::Dream, changes), Consent::Ask).unwrap().inbox.unwrap();
    place.write(FILE, &memory("project", "a", "A is many by now."));
    let landing = place.door.accept(&place.store, &id, &[]).unwrap();
    let held: Vec<(&str, &str)> =
        landing.held.iter().map(|held| (held.file.as_str(), held.reasons[0].guard.as_str())).collect();
    assert_eq!(held, [(FILE, "conflict"), ("project_b.md", "loss")], "the person did not see the tea go");
    assert!(place.has("project_b.md"));
    assert!(!place.has("project_c.md"), "that this one's words go, they saw");
    assert_eq!(held_files(&place), [FILE, "project_b.md"]);
    // By itself it was looked at by itself.
    place.door.accept(&place.store, &id, &["project_b.md".to_owned()]).unwrap();
    assert!(!place.has("project_b.md"));
}

#[test]
fn a_version_of_the_persons_own_that_holds_a_secret_lands_nowhere_and_holds_up_nothing_else() {
    let place = Place::new();
    let id = waiting(&place);
    let secret = format!("postgres://deploy:{}@db.example.net/app", "kq9Zr4TtW2xLb7");
    let mut decision = accept(FILE, mine(&after().replace("Two came instead.", &secret)));
    decision.accepted.push(Accepted { file: "project_c.md".to_owned(), take: Take::Whole });
    let landing = place.door.decide(&place.store, &id, &decision).unwrap();
    assert_eq!((landing.held[0].file.as_str(), landing.held[0].reasons[0].guard.as_str()), (FILE, "secret"));
    assert!(place.has("project_c.md") && place.read(FILE) == before());
    assert!(!place.state_holds("kq9Zr4TtW2xLb7"));
    assert!(held_files(&place).contains(&FILE.to_owned()));
}

#[test]
fn what_does_not_wait_cannot_be_decided_on() {
    let place = Place::new();
    let id = waiting(&place);
    let everything = place.everything();
    let wrong = [
        accept("project_x.md", Take::Whole),
        accept(FILE, hunks(&[3])),
        accept(FILE, hunks(&[0])),
        accept("project_b.md", hunks(&[2])),
        Decision { accepted: accept(FILE, Take::Whole).accepted, rejected: BTreeSet::from([FILE.to_owned()]) },
    ];
    for decision in wrong {
        let error = place.door.decide(&place.store, &id, &decision).unwrap_err();
        assert!(matches!(error, DoorError::Unknown { .. } | DoorError::Refused { .. }), "{error}");
    }
    assert!(place.door.decide(&place.store, "no-such-entry", &Decision::default()).is_err());
    assert_eq!(place.door.decide(&place.store, &id, &Decision::default()).unwrap().landed, []);
    assert_eq!((place.everything(), held_files(&place).len()), (everything, 4));
}

#[test]
fn some_hunks_accepted_and_the_rest_rejected_leaves_nothing_waiting() {
    let place = Place::new();
    let id = waiting(&place);
    let decision = Decision { rejected: BTreeSet::from([FILE.to_owned()]), ..accept(FILE, hunks(&[1])) };
    place.door.decide(&place.store, &id, &decision).unwrap();
    assert_eq!(place.read(FILE), before().replace("Two goes away.", "Two came instead."));
    assert!(!held_files(&place).contains(&FILE.to_owned()));
}

#[test]
fn every_sentence_that_would_go_is_accounted_for() {
    let place = Place::new();
    let id = waiting(&place);
    place.write("project_d.md", &memory("project", "d", "B is what it is."));
    let review = place.door.review(&place.store, &id).unwrap();
    let of = |file: &str| {
        let at = review.entry.changes.iter().position(|change| change.file == file).unwrap();
        review.files[at].losses.clone()
    };
    assert_eq!(of("project_b.md").len(), 1);
    assert_eq!(of("project_b.md")[0].account, Account::Kept, "it stands in another file");
    assert_eq!(of("project_b.md")[0].into.as_deref(), Some("project_d.md"));
    assert!(of("project_c.md").is_empty() && of("MEMORY.md").is_empty());
    assert!(review.entry.changes.iter().any(|change| change.op == Op::Remove));
}

#[test]
fn a_rejected_file_takes_the_index_lines_about_it_along() {
    let place = Place::new();
    let id = waiting(&place);
    let files: Vec<String> = ["project_b.md", "project_c.md"].map(str::to_owned).to_vec();
    assert_eq!(place.door.reject(&place.store, &id, &files).unwrap(), files);
    assert_eq!(held_files(&place), [FILE], "nothing is left of the index edit");
    place.door.accept(&place.store, &id, &[]).unwrap();
    assert_eq!(place.read("MEMORY.md"), "- [a](project_a.md) — a\n- [b](project_b.md) — b\n");
    assert!(place.has("project_b.md") && !place.has("project_c.md"));
}

#[test]
fn a_file_that_lands_brings_its_index_line_whichever_hunks_of_the_index_are_taken() {
    let place = Place::new();
    let id = waiting(&place);
    let mut decision = accept("MEMORY.md", hunks(&[]));
    for file in ["project_b.md", "project_c.md"] {
        decision.accepted.push(Accepted { file: file.to_owned(), take: Take::Whole });
    }
    place.door.decide(&place.store, &id, &decision).unwrap();
    assert_eq!(place.read("MEMORY.md"), "- [a](project_a.md) — a\n- [c](project_c.md) — c\n");
    assert_eq!(held_files(&place), [FILE]);
}

#[test]
fn a_taken_hunk_of_the_index_and_the_lines_of_accepted_files_land_together() {
    let place = Place::new();
    let index = "# Index\n\nBy hand.\n\n- [a](project_a.md) — a\n\n## More\n\n- [b](project_b.md) — b\n";
    for file in ["project_a.md", "project_b.md"] {
        place.write(file, &memory("project", file, &format!("{file} is what it is.")));
    }
    place.write("MEMORY.md", index);
    let wanted = index.replace("By hand.", "By dream.").replace("— b\n", "— b\n- [c](project_c.md) — c\n");
    let changes = vec![create("project_c.md", &memory("project", "c", "C is new."))];
    let landing = place.land(&with_index(set(Origin::Dream, changes), index, &wanted), Consent::Ask).unwrap();
    let id = landing.inbox.unwrap();
    let mut decision = accept("MEMORY.md", hunks(&[1]));
    decision.accepted.push(Accepted { file: "project_c.md".to_owned(), take: Take::Whole });
    place.door.decide(&place.store, &id, &decision).unwrap();
    assert_eq!(place.read("MEMORY.md"), wanted);
    assert!(held_files(&place).is_empty());
}

/// A store of 40 memories of which a dream wants 23 gone; the entry's id, and the index as it was.
fn forty(place: &Place) -> (String, String) {
    let mut index = "# Memory Index\n\nWritten by hand.\n\n".to_owned();
    for number in 0..40 {
        let file = format!("project_{number:02}.md");
        place.write(&file, &memory("project", &file, &format!("Fact number {number} stands only here.")));
        index.push_str(&format!("- [Fact {number}]({file}) — fact {number}\n"));
    }
    place.write("MEMORY.md", &index);
    let gone: Vec<String> = (0..23).map(|number| format!("project_{number:02}.md")).collect();
    let changes = gone.iter().map(|file| remove(file, &place.read(file))).collect();
    let kept = index.lines().filter(|line| !gone.iter().any(|file| line.contains(file.as_str())));
    let wanted: String = kept.map(|line| format!("{line}\n")).collect();
    let landing = place.land(&with_index(set(Origin::Dream, changes), &index, &wanted), Consent::None).unwrap();
    (landing.inbox.unwrap(), index)
}

#[test]
fn fc_038_five_of_23_removals_accepted_go_with_their_lines_and_the_others_stay_untouched() {
    let place = Place::new();
    let (id, _) = forty(&place);
    let before = place.everything();
    let accepted =
        (0..5).map(|number| Accepted { file: format!("project_{number:02}.md"), take: Take::Whole }).collect();
    let landing = place.door.decide(&place.store, &id, &Decision { accepted, ..Decision::default() }).unwrap();
    assert_eq!(place.everything().len(), before.len() - 5);
    let index = place.read("MEMORY.md");
    assert!((0..40).all(|number| index.contains(&format!("(project_{number:02}.md)")) == (number >= 5)), "{index}");
    assert!(index.contains("Written by hand."));
    assert_eq!(held_files(&place).len(), 18);
    let review = place.door.review(&place.store, &id).unwrap();
    assert!(review.files.iter().all(|file| file.losses.iter().all(|loss| loss.account == Account::Unexplained)));
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert_eq!(place.everything(), before);
}

#[test]
fn fc_038_rejecting_the_bulk_leaves_every_file_and_every_line() {
    let place = Place::new();
    let (id, index) = forty(&place);
    let before = place.everything();
    place.door.reject(&place.store, &id, &[]).unwrap();
    assert_eq!((place.everything(), place.read("MEMORY.md")), (before, index));
    assert!(held_files(&place).is_empty());
}

#[test]
fn fc_040_undo_of_a_reviewed_run_takes_back_every_landing_but_files_edited_since() {
    let place = Place::new();
    let id = waiting(&place);
    place.door.decide(&place.store, &id, &accept(FILE, hunks(&[1]))).unwrap();
    place.door.decide(&place.store, &id, &accept(FILE, Take::Whole)).unwrap();
    place.door.accept(&place.store, &id, &["project_c.md".to_owned()]).unwrap();
    let mine = place.read("project_c.md").replace("C is new.", "C is mine now.");
    place.write("project_c.md", &mine);
    // None of these landings carries a run, so each is named by its entry, newest first.
    let landed: Vec<String> = place.door.history(&place.store).unwrap().iter().map(|entry| entry.id.clone()).collect();
    assert!(landed.len() >= 3, "{landed:?}");
    let dreams: Vec<_> = place.door.history(&place.store).unwrap();
    for entry in dreams.iter().filter(|entry| entry.origin == Origin::Dream) {
        let result = place.door.undo(&place.store, &entry.id);
        let touches_mine = entry.files.iter().any(|file| file.file == "project_c.md");
        assert!(touches_mine || result.is_ok(), "{entry:?}: {result:?}");
    }
    assert_eq!((place.read(FILE), place.read("project_c.md")), (before(), mine), "what was edited since is left alone");
}

#[test]
fn a_conflict_is_settled_by_a_version_based_on_what_is_there_now() {
    let place = Place::new();
    let id = waiting(&place);
    let theirs = before().replace("Two goes away.", "Two is something else.");
    place.write(FILE, &theirs);
    let review = place.door.review(&place.store, &id).unwrap();
    assert_eq!((review.files[0].disk, review.files[0].theirs.as_deref()), (Disk::Conflicts, Some(theirs.as_bytes())));
    let landing = place.door.decide(&place.store, &id, &accept(FILE, mine(&after()))).unwrap();
    assert_eq!((landing.landed, place.read(FILE)), (vec![], theirs.clone()), "not over what nobody saw");
    let both = theirs.replace("Five goes away.", "Five came instead.");
    let take = Take::Text { text: both.clone().into_bytes(), base: Some(theirs.into_bytes()) };
    place.door.decide(&place.store, &id, &accept(FILE, take)).unwrap();
    assert_eq!(place.read(FILE), both);
    assert!(!held_files(&place).contains(&FILE.to_owned()));
}

#[test]
fn a_file_that_is_gone_or_taken_since_is_named_as_that() {
    let place = Place::new();
    let id = waiting(&place);
    std::fs::remove_file(place.path(FILE)).unwrap();
    place.write("project_b.md", "Changed since.\n");
    place.write("project_c.md", "Another one.\n");
    let review = place.door.review(&place.store, &id).unwrap();
    let disk: Vec<Disk> = review.files.iter().map(|file| file.disk).collect();
    assert_eq!(disk[..3], [Disk::Gone, Disk::Conflicts, Disk::Conflicts]);
    let changes = review.entry.changes.iter().zip(disk);
    let said: Vec<&str> = changes.map(|(change, disk)| disk.sentence(change.op)).collect();
    assert!(said[0].contains("gone") && said[1].contains("reject the removal") && said[2].contains("numbered"));
    place.door.accept(&place.store, &id, &["project_c.md".to_owned()]).unwrap();
    assert!(place.has("project_c_2.md") && place.read("project_c.md") == "Another one.\n");
}

#[test]
fn a_removal_waits_when_what_was_to_say_the_same_is_gone_by_now() {
    for is_deleted in [true, false] {
        let place = Place::new();
        let text = "The Alpha service of the shop listens on port 8000.";
        place.write("project_0a.md", &memory("project", "a", text));
        place.write("project_0b.md", &memory("project", "b", text));
        let mut gone = remove("project_0b.md", &place.read("project_0b.md"));
        gone.rationale.reason = "merged into project_0a.md".to_owned();
        let id = place.land(&set(Origin::Dream, vec![gone]), Consent::Ask).unwrap().inbox.unwrap();
        if is_deleted {
            std::fs::remove_file(place.store.root().join("project_0a.md")).unwrap();
        } else {
            place.write("project_0a.md", &memory("project", "a", "Something else altogether."));
        }
        let landing = place.door.decide(&place.store, &id, &accept("project_0b.md", Take::Whole)).unwrap();
        assert!(place.has("project_0b.md"), "the last copy stays");
        let said = &landing.held[0].reasons[0].message;
        assert!(said.starts_with("project_0a.md was to") && said.contains("dreamtop rm"), "{said}");
        assert_eq!(held_files(&place), ["project_0b.md"], "it goes on waiting");
        place.write("project_0a.md", &memory("project", "a", text));
        place.door.decide(&place.store, &id, &accept("project_0b.md", Take::Whole)).unwrap();
        assert!(!place.has("project_0b.md"), "with the other back it can go");
    }
}

#[test]
fn what_waits_does_not_wait_twice_and_what_was_rejected_is_not_asked_again() {
    let place = Place::new();
    place.write(FILE, &before());
    let wanted = |text: &str| set(Origin::Dream, vec![replace(FILE, &before(), text)]);
    let id = place.land(&wanted(&after()), Consent::Ask).unwrap().inbox.unwrap();
    assert_eq!(place.land(&wanted(&after()), Consent::Ask).unwrap().inbox, Some(id.clone()));
    assert_eq!(held_files(&place), [FILE]);
    let reject = Decision { rejected: BTreeSet::from([FILE.to_owned()]), ..Decision::default() };
    place.door.decide(&place.store, &id, &reject).unwrap();
    for consent in [Consent::Ask, Consent::None] {
        let landing = place.land(&wanted(&after()), consent).unwrap();
        assert_eq!((landing.inbox, landing.landed.len()), (None, 0), "{consent:?}");
        assert_eq!(place.read(FILE), before());
    }
    place.land(&wanted(&after().replace("instead", "after all")), Consent::Ask).unwrap();
    assert_eq!(held_files(&place), [FILE], "another proposal is asked");
}
