//! Text of a memory in CLAUDE.md or a rule: the one way out of a store, and only by a person's own hand.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use dreamtop::change::promote::{self, Place as Where, Promotion};
use dreamtop::change::verdicts::Seen;
use dreamtop::change::{Change, ChangeSet, Consent, DoorError, Op, Origin};
use dreamtop::memory::ContentHash;

use super::help::*;

const INDEX: &str = "# Index\n\n- [Testing](feedback_testing.md) — real databases\n- [Role](user_role.md) — backend\n";

/// A store with two memories beside a checkout with a CLAUDE.md.
fn setting() -> (Place, PathBuf) {
    let place = Place::new();
    place.write(
        "feedback_testing.md",
        &memory("feedback", "testing policy", "Use real databases.\n\n**Why:** mocks lie."),
    );
    place.write("user_role.md", &memory("user", "role", "They write Rust."));
    place.write("MEMORY.md", INDEX);
    let checkout = fs::canonicalize(&place.root).unwrap().join("work");
    fs::create_dir_all(&checkout).unwrap();
    fs::write(checkout.join("CLAUDE.md"), "# Ours\r\n\r\nRun make.\r\n").unwrap();
    (place, checkout)
}

fn promotion(place: &Place, path: &std::path::Path, is_removed: bool) -> Promotion {
    let bytes = place.read("feedback_testing.md").into_bytes();
    let before = fs::read(path).ok();
    let content = promote::content(Where::Project, before.as_deref(), &[], "## Testing\n\nUse real databases.\n");
    let seen = Seen { file: "feedback_testing.md".to_owned(), hash: ContentHash::of(&bytes) };
    Promotion { seen, path: path.to_str().unwrap().to_owned(), before, content, is_removed }
}

#[test]
fn the_text_lands_the_memory_goes_if_asked_and_one_undo_takes_back_both_to_the_byte() {
    for is_removed in [false, true] {
        let (place, checkout) = setting();
        let claude = checkout.join("CLAUDE.md");
        fs::set_permissions(&claude, fs::Permissions::from_mode(0o640)).unwrap();
        let (before, store) = (fs::read(&claude).unwrap(), place.everything());
        let time = fs::metadata(&claude).unwrap().modified().unwrap();
        let set = promote::promote(&place.scan(), &promotion(&place, &claude, is_removed)).unwrap();
        let landing = place.land(&set, Consent::Person).unwrap();
        let after = fs::read(&claude).unwrap();
        assert_eq!(after, [&before[..], b"\r\n## Testing\r\n\r\nUse real databases.\r\n"].concat());
        assert_eq!(fs::metadata(&claude).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(place.has("feedback_testing.md"), !is_removed);
        assert_eq!(place.read("MEMORY.md").contains("feedback_testing.md"), !is_removed);
        assert_eq!(place.door.note_foreign(&place.store).unwrap(), None, "it is no change of another program's");
        place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
        assert_eq!((fs::read(&claude).unwrap(), place.everything()), (before, store));
        assert_eq!(fs::metadata(&claude).unwrap().modified().unwrap(), time);
    }
}

#[test]
fn a_new_rule_is_made_with_its_directories_readable_like_the_checkout_and_undo_takes_the_file_away() {
    let (place, checkout) = setting();
    let rule = checkout.join(".claude/rules/web/testing.md");
    let set = promote::promote(&place.scan(), &promotion(&place, &rule, false)).unwrap();
    let landing = place.land(&set, Consent::Person).unwrap();
    assert_eq!(fs::read_to_string(&rule).unwrap(), "## Testing\n\nUse real databases.\n");
    assert_eq!(fs::metadata(&rule).unwrap().permissions().mode() & 0o777, 0o644);
    assert_eq!(landing.landed.len(), 1);
    place.door.undo(&place.store, &landing.history.unwrap()).unwrap();
    assert!(!rule.exists() && checkout.join("CLAUDE.md").exists());
}

#[test]
fn nothing_but_a_persons_own_edit_may_name_a_file_outside_the_store() {
    let (place, checkout) = setting();
    let claude = checkout.join("CLAUDE.md");
    let own = promote::promote(&place.scan(), &promotion(&place, &claude, true)).unwrap();
    let before = (fs::read(&claude).unwrap(), place.everything());
    for origin in [Origin::Triage, Origin::Extract, Origin::Dream, Origin::Pull, Origin::Repair, Origin::Undo] {
        for consent in [Consent::None, Consent::Ask, Consent::Person] {
            let set = ChangeSet { origin, index: None, changes: own.changes[..1].to_vec(), ..own.clone() };
            match place.land(&set, consent) {
                Err(DoorError::Refused { reason, .. }) => assert_eq!(reason.guard, "containment", "{origin:?}"),
                Err(error) => panic!("{origin:?} {consent:?}: {error}"),
                Ok(landing) => {
                    assert!(landing.landed.is_empty() && consent != Consent::Person, "{origin:?} {landing:?}");
                }
            }
        }
    }
    for (run, consent) in [(Some("dream-1".to_owned()), Consent::Person), (None, Consent::None), (None, Consent::Ask)] {
        let set = ChangeSet { run, index: None, changes: own.changes[..1].to_vec(), ..own.clone() };
        assert!(place.land(&set, consent).map_or(true, |landing| landing.landed.is_empty()));
    }
    assert_eq!(place.door.inbox(&place.store).unwrap(), [], "nothing of it waits to be accepted either");
    assert_eq!((fs::read(&claude).unwrap(), place.everything()), before);
}

#[test]
fn a_person_cannot_write_anything_else_outside_the_store_or_take_away_what_is_there() {
    let (place, checkout) = setting();
    let odd = |inside: &str| checkout.join(inside).to_str().unwrap().to_owned();
    fs::create_dir_all(checkout.join(".claude/rules")).unwrap();
    for file in [
        odd("README.md"),
        odd("AGENTS.md"),
        odd(".claude/settings.json"),
        odd(".claude/rules/../settings.md"),
        odd(".claude/rules/x.txt"),
        odd("../CLAUDE.md/../x.md"),
        odd(".claude/rules/.hidden.md"),
        "/etc/passwd".to_owned(),
        "/CLAUDE.md".to_owned(),
    ] {
        let set = set(Origin::Edit, vec![create(&file, "x\n")]);
        let error = place.land(&set, Consent::Person).expect_err(&file);
        assert!(
            matches!(&error, DoorError::Refused { reason, .. } if reason.guard == "containment"),
            "{file}: {error}"
        );
    }
    let claude = odd("CLAUDE.md");
    let text = fs::read_to_string(&claude).unwrap();
    for change in [remove(&claude, &text), replace(&claude, &text, "Mine alone.\n")] {
        let error = place.land(&set(Origin::Edit, vec![change]), Consent::Person).unwrap_err();
        assert!(matches!(error, DoorError::Refused { .. }), "{error}");
    }
    assert_eq!(fs::read_to_string(&claude).unwrap(), text);
}

#[test]
fn a_linked_claude_md_stays_a_link_and_a_linked_directory_of_rules_is_refused() {
    let (place, checkout) = setting();
    let (claude, agents) = (checkout.join("CLAUDE.md"), checkout.join("AGENTS.md"));
    fs::rename(&claude, &agents).unwrap();
    std::os::unix::fs::symlink("AGENTS.md", &claude).unwrap();
    let set = promote::promote(&place.scan(), &promotion(&place, &claude, false)).unwrap();
    place.land(&set, Consent::Person).unwrap();
    assert!(fs::symlink_metadata(&claude).unwrap().is_symlink());
    assert!(fs::read_to_string(&agents).unwrap().contains("Use real databases."));
    let elsewhere = place.root.join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, checkout.join(".claude")).unwrap();
    let rule = checkout.join(".claude/rules/testing.md");
    let set = promote::promote(&place.scan(), &promotion(&place, &rule, false)).unwrap();
    let error = place.land(&set, Consent::Person).unwrap_err();
    assert!(error.to_string().contains("symbolic link"), "{error}");
    assert!(fs::read_dir(&elsewhere).unwrap().next().is_none());
}

#[test]
fn a_claude_md_that_changed_meanwhile_is_merged_or_is_a_conflict_and_never_overwritten() {
    let (place, checkout) = setting();
    let claude = checkout.join("CLAUDE.md");
    let set = promote::promote(&place.scan(), &promotion(&place, &claude, true)).unwrap();
    fs::write(&claude, "# Theirs\r\n\r\nRun make.\r\n").unwrap();
    let landing = place.land(&set, Consent::Person).unwrap();
    assert!(landing.landed[0].merged);
    let both = fs::read_to_string(&claude).unwrap();
    assert!(both.starts_with("# Theirs") && both.contains("Use real databases."), "{both}");

    let (place, checkout) = setting();
    let claude = checkout.join("CLAUDE.md");
    let set = promote::promote(&place.scan(), &promotion(&place, &claude, true)).unwrap();
    fs::write(&claude, "Something else.\n").unwrap();
    let store = place.everything();
    let error = place.land(&set, Consent::Person).unwrap_err();
    assert!(
        matches!(&error, DoorError::Conflict { theirs: Some(theirs), .. } if theirs == b"Something else.\n"),
        "{error}"
    );
    assert_eq!((fs::read_to_string(&claude).unwrap().as_str(), place.everything()), ("Something else.\n", store));
}

#[test]
fn a_memory_that_changed_since_it_was_seen_and_a_text_with_a_secret_are_not_promoted() {
    let (place, checkout) = setting();
    let claude = checkout.join("CLAUDE.md");
    let before = fs::read(&claude).unwrap();
    let wanted = promotion(&place, &claude, true);
    place.write("feedback_testing.md", "changed\n");
    let error = promote::promote(&place.scan(), &wanted).unwrap_err();
    assert!(matches!(error, DoorError::Conflict { .. }), "{error}");
    let secret = format!("{}A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8", "ghp_");
    let change = Change {
        content: Some([&before[..], format!("{secret}\n").as_bytes()].concat()),
        op: Op::Replace,
        base: Some(before.clone()),
        ..create(claude.to_str().unwrap(), "")
    };
    let error = place.land(&set(Origin::Edit, vec![change]), Consent::Person).unwrap_err();
    assert!(matches!(&error, DoorError::Refused { reason, .. } if reason.guard == "secret"), "{error}");
    assert!(!place.state_holds(&secret));
    assert_eq!(fs::read(&claude).unwrap(), before);
}
