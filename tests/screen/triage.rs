//! Triage from the front door: keys in, bytes on the disk, what the screen says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use chrono::TimeDelta;
use dreamtop::memory::Freshness;
use dreamtop::tui::event::AppEvent;

use crate::stage::{Setting, Stage, now, usual};

/// Every file of a store with its bytes and its time.
pub fn listing(store: &Path) -> BTreeMap<String, (String, SystemTime)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![store.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(store).unwrap().to_string_lossy().into_owned();
                let modified = fs::metadata(&path).unwrap().modified().unwrap();
                files.insert(name, (fs::read_to_string(&path).unwrap(), modified));
            }
        }
    }
    files
}

pub fn text(stage: &Stage, file: &str) -> String {
    fs::read_to_string(stage.store().join(file)).unwrap()
}

pub fn card(stage: &Stage) -> String {
    stage.state.triage().and_then(|triage| triage.card()).unwrap_or_default().to_owned()
}

pub fn note(stage: &Stage) -> String {
    stage.state.triage().and_then(|triage| triage.note.clone()).map(|(text, _)| text).unwrap_or_default()
}

/// Skips to the card of one of two that say the same.
pub fn to_the_pair(stage: &mut Stage) {
    for _ in 0..9 {
        if card(stage).contains("feedback") {
            return;
        }
        stage.press(&["space"]);
    }
    panic!("no pair is found: {}", stage.screen());
}

/// Two memories that say the same, one that links to the partner, and an old one.
pub fn pair() -> Setting {
    let setting = Setting::new();
    setting
        .memory(
            "feedback_database.md",
            "feedback",
            "real database",
            "2026-11-20T10:00:00.000Z",
            "Integration tests must use a real database, never mocks of it.\n\n**Why:** mocks hid a broken migration.\n\n\
             **How to apply:** start the database with docker compose before the tests.",
        )
        .memory(
            "feedback_no_mocks.md",
            "feedback",
            "never mocks",
            "2026-11-25T10:00:00.000Z",
            "Integration tests must use a real database, never mocks of it.\n\n**Why:** mocks hid a broken migration.\n\n**How to apply:** ask \
             for the staging copy.",
        )
        .memory(
            "project_freeze.md",
            "project",
            "merge-freeze",
            "2026-10-14T09:00:00.000Z",
            "The release branch is frozen. See [[feedback_no_mocks]] and [the rule](feedback_no_mocks.md).\n\n**Why:** a release.\n\n**How to apply:** only fixes.",
        )
        .file(
            "MEMORY.md",
            "# Memory Index\n\n- [Database](feedback_database.md) — real database\n- [Mocks](feedback_no_mocks.md) — no mocks\n- \
             [Freeze](project_freeze.md) — frozen\n\nBefore a release read [the rule](feedback_no_mocks.md) again.\n",
        );
    setting
}

#[test]
fn the_card_has_the_most_needy_memory_first_with_its_reason_and_one_key_judges_it() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t"]);
    let screen = stage.screen();
    assert!(screen.contains("Triage · 1 of "), "{screen}");
    assert!(screen.contains("Why: "), "{screen}");
    let first = card(&stage);
    stage.press(&["y"]);
    assert_ne!(card(&stage), first, "the next one is shown");
    assert_eq!(note(&stage), format!("Still true, dated today: {first} · u takes it back"));
    assert_eq!(stage.state.snapshot().unwrap().memory(&first).unwrap().age_days, Some(0));
    let entry = stage.state.history[0].clone();
    assert_eq!(entry.origin.word(), "triage");
}

#[test]
fn a_question_over_the_card_leaves_only_its_own_keys() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        for key in ["s", "t"] {
            let mut stage = usual().open(width, height);
            stage.press(&["t", key]);
            let screen = stage.screen();
            assert!(screen.contains("Esc leave it"), "{screen}");
            for other in ["? help", ": commands", "y still true", "q leave", "Esc close", "Q quit"] {
                assert!(!screen.contains(other), "{other} does nothing now: {screen}");
            }
            stage.press(&["esc"]);
            assert!(stage.screen().contains("y still true"), "{}", stage.screen());
        }
    }
}

#[test]
fn every_verdict_is_taken_back_by_as_many_keys_and_the_cards_return() {
    let mut stage = usual().open(80, 24);
    let before = listing(stage.store());
    stage.press(&["t"]);
    let first = card(&stage);
    for keys in [["y", "d", "s", "7"], ["t", "r", "y", "d"]] {
        stage.press(&keys);
        assert_ne!(listing(stage.store()), before);
        assert_eq!(stage.state.triage().unwrap().judged.len(), 3);
        // After the last card it is the summary that takes back, the latest one first.
        stage.press(&["G", "u", "G", "u", "G", "u", "enter"]);
        assert_eq!(card(&stage), first);
        assert_eq!(listing(stage.store()), before, "byte for byte, times too");
    }
    assert!(stage.state.snapshot().unwrap().memories.iter().all(|memory| memory.snoozed_until.is_none()));
    assert!(stage.state.triage().unwrap().judged.is_empty());
}

#[test]
fn delete_asks_nothing_in_triage_and_says_how_to_take_it_back() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t"]);
    let first = card(&stage);
    stage.press(&["d"]);
    assert!(!stage.store().join(&first).exists());
    assert!(stage.screen().contains("u takes it back"), "{}", stage.screen());
    stage.press(&["u"]);
    assert!(stage.store().join(&first).exists());
    assert_eq!(card(&stage), first);
}

#[test]
fn a_card_whose_memory_changes_on_the_disk_is_shown_anew_and_no_key_judges_the_old_text() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t"]);
    let first = card(&stage);
    let changed = text(&stage, &first) + "\nA line of another program.\n";
    fs::write(stage.store().join(&first), &changed).unwrap();
    // The screen has not heard of it yet.
    stage.press(&["d"]);
    assert_eq!(text(&stage, &first), changed, "what was not seen is not judged");
    assert!(note(&stage).contains("changed on disk"), "{}", note(&stage));
    assert_eq!(card(&stage), first);
    assert!(stage.screen().contains("A line of another program."), "{}", stage.screen());
    let again = changed + "And one more.\n";
    fs::write(stage.store().join(&first), &again).unwrap();
    stage.take(AppEvent::StoreTouched);
    assert!(note(&stage).contains("changed on disk while you looked"), "{}", note(&stage));
    stage.press(&["y"]);
    assert_ne!(card(&stage), first);
}

#[test]
fn a_memory_that_goes_while_its_card_is_open_gives_way_to_the_next_one() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t"]);
    let first = card(&stage);
    fs::remove_file(stage.store().join(&first)).unwrap();
    stage.take(AppEvent::StoreTouched);
    assert_ne!(card(&stage), first);
    assert!(note(&stage).contains("gone from the disk"), "{}", note(&stage));
}

#[test]
fn an_edit_comes_back_to_its_card_and_saving_as_still_true_goes_on() {
    let mut stage = usual().open(120, 40);
    let before = listing(stage.store());
    stage.press(&["t"]);
    let first = card(&stage);
    stage.press(&["e"]).type_text("New words. ").press(&["ctrl-s"]);
    assert_eq!(card(&stage), first, "{}", stage.screen());
    assert!(stage.screen().contains("New words."), "{}", stage.screen());
    assert!(note(&stage).contains("as old as before"), "{}", note(&stage));
    stage.press(&["e"]).type_text("More. ").press(&["ctrl-y"]);
    assert_ne!(card(&stage), first);
    assert!(stage.state.history.iter().take(2).all(|entry| entry.origin.word() == "triage"));
    stage.press(&["u", "u"]);
    assert_eq!((card(&stage), listing(stage.store())), (first, before));
}

#[test]
fn a_snoozed_memory_is_left_out_until_its_day_and_comes_back_at_once_when_it_changes() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t"]);
    let first = card(&stage);
    stage.press(&["1", "4", "s"]);
    let until = stage.state.snapshot().unwrap().memory(&first).unwrap().snoozed_until;
    assert_eq!(until, Some(now() + TimeDelta::days(14)));
    stage.press(&["esc", "esc", "t"]);
    assert!(!stage.state.triage().unwrap().queue.contains(&first));
    assert!(stage.screen().contains("1 memory left out: snoozed"), "{}", stage.screen());
    stage.press(&["esc"]);
    let changed = text(&stage, &first) + "\nChanged.\n";
    fs::write(stage.store().join(&first), changed).unwrap();
    stage.take(AppEvent::StoreTouched);
    stage.press(&["t"]);
    assert!(stage.state.triage().unwrap().queue.contains(&first));
}

#[test]
fn with_a_filter_triage_is_over_exactly_the_visible_ones_and_with_marks_over_the_marked() {
    let mut stage = usual().open(120, 40);
    stage.press(&["/"]).type_text("board").press(&["enter", "t"]);
    let queue: Vec<String> = stage.state.triage().unwrap().queue.iter().cloned().collect();
    assert_eq!(queue, ["reference_board.md"], "also what needs nobody");
    assert!(stage.screen().contains("Triage of the filtered"), "{}", stage.screen());
    stage.press(&["esc", "esc", "g", "space", "space", "T"]);
    let triage = stage.state.triage().unwrap();
    assert_eq!(triage.queue.len(), 2);
    assert!(triage.queue.iter().all(|file| stage.state.memories.marked.contains(file)));
}

#[test]
fn the_summary_counts_what_was_done_and_takes_any_of_it_back() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t"]);
    let first = card(&stage);
    stage.take(AppEvent::Time(now() + TimeDelta::milliseconds(2_400)));
    stage.press(&["y", "d", "space"]);
    let screen = stage.screen();
    assert!(screen.contains("1 confirmed · 1 deleted · 1 skipped"), "{screen}");
    assert!(screen.contains("1.2 s each"), "the median of 2.4 s and at once: {screen}");
    // The first of the three, though it is not the last.
    stage.press(&["g", "u"]);
    assert!(stage.screen().contains("1 deleted · 1 skipped"), "{}", stage.screen());
    assert!(note(&stage).contains(&format!("Taken back: {first} was confirmed")), "{}", note(&stage));
    stage.press(&["enter"]);
    assert_eq!(card(&stage), first, "its card waits again");
    stage.press(&["esc", "esc"]);
    assert!(stage.state.layers.is_empty());
}

#[test]
fn nothing_is_stale_after_triage_that_a_person_did_not_confirm() {
    let mut stage = usual().open(80, 24);
    stage.press(&["t"]);
    let mut keys = 0;
    while stage.state.triage().is_some_and(|triage| triage.card().is_some()) {
        stage.press(&["y"]);
        keys += 1;
        assert!(keys < 20, "{}", stage.screen());
    }
    let snapshot = stage.state.snapshot().unwrap();
    assert!(snapshot.memories.iter().all(|memory| memory.freshness != Freshness::Stale));
}

/// The sizes people have.
const SIZES: [(u16, u16); 4] = [(60, 16), (80, 24), (120, 40), (200, 50)];

#[test]
fn the_card_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = pair().open(width, height);
        stage.press(&["t"]);
        to_the_pair(&mut stage);
        insta::assert_snapshot!(format!("the_card_of_one_of_a_pair_at_{width}x{height}"), stage.screen());
    }
}

#[test]
fn the_merge_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = pair().open(width, height);
        stage.press(&["t"]);
        to_the_pair(&mut stage);
        stage.press(&["m"]);
        insta::assert_snapshot!(format!("a_merge_shows_both_and_what_they_become_at_{width}x{height}"), stage.screen());
    }
}

#[test]
fn the_summary_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = usual().open(width, height);
        stage.press(&["t"]);
        stage.take(AppEvent::Time(now() + TimeDelta::milliseconds(3_300)));
        stage.press(&["y", "s", "3", "esc"]);
        insta::assert_snapshot!(format!("the_summary_counts_what_was_judged_at_{width}x{height}"), stage.screen());
    }
}

#[test]
fn bulk_questions_at_an_ordinary_size() {
    let mut stage = usual().open(80, 24);
    stage.press(&["s", "s", "g", "space", "space", "/"]).type_text("freeze").press(&["enter", "space", "s"]);
    insta::assert_snapshot!("a_bulk_snooze_counts_first_and_names_what_is_hidden", stage.screen());
}

#[test]
fn the_summary_counts_what_is_past_its_shelf_life_beside_what_was_found() {
    let setting = Setting::new();
    for number in 0..5 {
        let name = format!("fact-{number}");
        setting.memory(&format!("user_{number}.md"), "user", &name, "2024-08-01T10:00:00Z", "They write Rust.");
    }
    let lines: String = (0..5).map(|number| format!("- [Fact](user_{number}.md) — fact {number}\n")).collect();
    setting.file("MEMORY.md", lines);
    let mut stage = setting.open(120, 40);
    stage.press(&["t", "y", "y", "d", "esc"]);
    let screen = stage.screen();
    assert!(screen.contains("2 left") && !screen.contains("nothing is found wrong"), "{screen}");
    assert!(screen.contains("2 memories past shelf life"), "{screen}");
    stage.press(&["enter", "y", "y"]);
    assert!(!stage.screen().contains("past shelf life"), "{}", stage.screen());
}

#[test]
fn the_list_triage_and_the_command_line_have_one_order_where_nothing_but_names_differs() {
    let setting = Setting::new();
    // Damaged alike, and called otherwise than their files.
    for (file, name) in [("one.md", "zebra"), ("three.md", "adder"), ("two.md", "mole")] {
        setting.file(file, format!("---\nname: {name}\ndescription: a: b: c\n---\n\nText.\n"));
    }
    let mut stage = setting.open(120, 40);
    let files = |stage: &Stage| -> Vec<String> {
        let snapshot = stage.state.snapshot().unwrap();
        stage.state.memories.rows.iter().map(|row| snapshot.memories[row.at].file.clone()).collect()
    };
    let listed = files(&stage);
    assert_eq!(listed, ["one.md", "three.md", "two.md"]);
    stage.press(&["t"]);
    assert_eq!(stage.state.triage().unwrap().queue.iter().cloned().collect::<Vec<_>>(), listed);
}

#[test]
fn evidence_that_arrives_while_a_card_is_looked_at_leaves_it_and_what_was_judged_where_they_are() {
    let setting = usual();
    fs::create_dir_all(setting.checkout().join("src")).unwrap();
    fs::write(setting.checkout().join("src/main.rs"), "fn main() {}\n").unwrap();
    let cites = "It is in `src/gone.rs`.";
    setting.memory("reference_gone.md", "reference", "gone", "2026-11-29T10:00:00.000Z", cites);
    let mut stage = setting.open(120, 40);
    let (findings, used) = (stage.state.findings.clone(), stage.state.used.clone());
    let store = stage.store().to_owned();
    stage.take(AppEvent::Checked { store: store.clone(), findings: Vec::new(), used: used.clone() });
    stage.state.knows_findings = false;
    stage.press(&["t", "space"]);
    let (skipped, seen) = (stage.state.triage().unwrap().judged[0].file.clone(), card(&stage));
    assert_ne!(seen, "reference_gone.md");
    stage.take(AppEvent::Checked { store: store.clone(), findings, used: used.clone() });
    assert_eq!(card(&stage), seen);
    let queue: Vec<String> = stage.state.triage().unwrap().queue.iter().cloned().collect();
    assert!(queue.contains(&"reference_gone.md".to_owned()) && !queue.contains(&skipped), "{queue:?}");
    // A later look moves nothing: what was counted stays as it was counted.
    stage.take(AppEvent::Checked { store, findings: Vec::new(), used });
    assert_eq!(stage.state.triage().unwrap().queue.iter().cloned().collect::<Vec<_>>(), queue);
    stage.press(&["u"]);
    assert_eq!(card(&stage), skipped, "what was judged comes back to its place");
}

#[test]
fn triage_of_a_filter_that_shows_nothing_is_refused_in_its_words_and_not_offered() {
    let mut stage = usual().open(120, 40);
    stage.press(&["/"]).type_text("nobody has this").press(&["enter"]);
    assert!(!stage.screen().contains("t triage"), "{}", stage.screen());
    stage.press(&["t"]);
    let screen = stage.screen();
    assert!(screen.contains("no memory matches the filter") && !screen.contains("Nothing here needs you"), "{screen}");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_said_to_be_there_with_what_to_do_and_is_skipped() {
    let setting = pair();
    std::os::unix::fs::symlink(setting.path("nowhere.md"), setting.store().join("dangle.md")).unwrap();
    let mut stage = setting.open(120, 40);
    stage.press(&["t"]);
    assert_eq!(card(&stage), "dangle.md", "an error comes first: {}", stage.screen());
    for verdict in ["d", "y"] {
        stage.press(&[verdict]);
        assert!(note(&stage).contains("remove the link with rm"), "{verdict}: {}", note(&stage));
        assert_eq!(card(&stage), "dangle.md");
    }
    assert!(stage.store().join("dangle.md").symlink_metadata().is_ok());
    stage.press(&["space"]);
    assert_ne!(card(&stage), "dangle.md");
}

#[test]
fn what_comes_from_a_partner_in_another_folder_links_to_what_it_did() {
    let setting = pair();
    let partner = setting.store().join("feedback_no_mocks.md");
    let own = fs::read_to_string(&partner).unwrap();
    fs::remove_file(&partner).unwrap();
    setting.file("sub/feedback_no_mocks.md", own.trim_end().to_owned() + " See [the freeze](../project_freeze.md).\n");
    let longer = fs::read_to_string(setting.store().join("feedback_database.md")).unwrap();
    let more =
        " Wait until it answers, then run the tests one after the other, the slow ones last, and stop it again.\n";
    setting.file("feedback_database.md", longer.trim_end().to_owned() + more);
    let index = fs::read_to_string(setting.store().join("MEMORY.md")).unwrap();
    setting.file("MEMORY.md", index.replace("(feedback_no_mocks.md)", "(sub/feedback_no_mocks.md)"));
    let mut stage = setting.open(200, 50);
    stage.press(&["t"]);
    to_the_pair(&mut stage);
    stage.press(&["m", "ctrl-s"]);
    let merged = text(&stage, "feedback_database.md");
    assert!(merged.contains("ask for the staging copy. See [the freeze](project_freeze.md)."), "{merged}");
    assert!(!stage.store().join("sub/feedback_no_mocks.md").exists(), "{}", stage.screen());
    assert!(
        text(&stage, "project_freeze.md").contains("[[feedback_database]]"),
        "{}",
        text(&stage, "project_freeze.md")
    );
}
