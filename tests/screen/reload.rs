//! The view follows the disk, and stays where the person was.

use std::fs;
use std::time::{Duration, SystemTime};

use dreamtop::memory::ProblemCode;
use dreamtop::tui::event::AppEvent;

use super::stage::{Setting, usual};

fn many() -> Setting {
    let setting = Setting::new();
    for number in 0..300 {
        let body = format!("Fact {number}.\n\n{}", "More of it.\n\n".repeat(60));
        let file = format!("project_{number:03}.md");
        setting.memory(&file, "project", &format!("fact-{number:03}"), "2026-11-29T10:00:00Z", &body);
    }
    setting
}

#[test]
fn fc_117_a_touch_without_change_reloads_once_and_keeps_selection_and_scroll() {
    let mut stage = many().open(120, 40);
    stage.press(&["ctrl-d", "ctrl-d", "ctrl-d", "j", "tab", "ctrl-d", "j"]);
    let (file, scroll, list) =
        (stage.state.memories.file.clone(), stage.state.preview.scroll, stage.state.memories.list);
    assert!(scroll > 0 && list.offset > 0, "the test is somewhere in the middle");
    let (before, scans) = (stage.screen(), stage.scans);
    for entry in fs::read_dir(stage.store()).unwrap() {
        let later = SystemTime::now() + Duration::from_secs(5);
        fs::File::options().write(true).open(entry.unwrap().path()).unwrap().set_modified(later).unwrap();
    }
    stage.take(AppEvent::StoreTouched);
    assert_eq!(stage.scans, scans + 1, "one touch, one look");
    assert_eq!(stage.state.memories.file, file);
    assert_eq!((stage.state.preview.scroll, stage.state.memories.list), (scroll, list));
    assert_eq!(stage.screen(), before, "no cell differs");
}

#[test]
fn a_change_from_outside_is_shown_and_the_cursor_follows_its_file() {
    let mut stage = usual().open(120, 40);
    stage.press(&["/"]).type_text("board").press(&["enter", "esc"]);
    assert_eq!(stage.state.memories.file.as_deref(), Some("reference_board.md"));
    let path = stage.store().join("reference_board.md");
    let text = fs::read_to_string(&path).unwrap().replace("the board INGEST", "a board PIPELINE");
    fs::write(&path, text).unwrap();
    fs::write(stage.store().join("aaa.md"), "---\nname: aaa\ndescription: first\ntype: project\n---\n\nNew.\n")
        .unwrap();
    stage.take(AppEvent::StoreTouched);
    assert_eq!(stage.state.memories.file.as_deref(), Some("reference_board.md"));
    let screen = stage.screen();
    assert!(screen.contains("PIPELINE") && screen.contains("Memories 6"), "{screen}");
}

#[test]
fn when_the_selected_file_is_removed_the_cursor_stays_at_its_row() {
    let mut stage = many().open(80, 24);
    stage.press(&["j", "j", "j"]);
    let gone = stage.state.memories.file.clone().unwrap();
    fs::remove_file(stage.store().join(&gone)).unwrap();
    stage.take(AppEvent::StoreTouched);
    assert_eq!(stage.state.memories.list.selected, 3);
    assert_ne!(stage.state.memories.file, Some(gone));
}

#[test]
fn a_store_that_vanishes_and_comes_back_is_said_and_shown_again() {
    let mut stage = usual().open(120, 24);
    let (store, aside) = (stage.store().to_owned(), stage.root().join("aside"));
    fs::rename(&store, &aside).unwrap();
    stage.take(AppEvent::StoreTouched);
    assert!(stage.screen().contains("This project has no memory yet."), "{}", stage.screen());
    fs::rename(&aside, &store).unwrap();
    stage.take(AppEvent::StoreTouched);
    assert!(stage.screen().contains("Memories 5"), "{}", stage.screen());
}

/// A memory that cites a file which is gone; the checkout holds others.
fn cites_what_is_gone() -> Setting {
    let setting = Setting::new();
    fs::create_dir_all(setting.checkout().join("src/auth")).unwrap();
    fs::write(setting.checkout().join("src/main.rs"), "fn main() {}\n").unwrap();
    let body = "The login is `src/auth/old.rs`.";
    setting.memory("project_login.md", "project", "login", "2026-11-29T10:00:00Z", body);
    setting
}

#[test]
fn evidence_that_changed_is_seen_with_the_key_for_reading_again_and_with_any_key_after_a_while() {
    let gone = "⚠ src/auth/old.rs is not in the project";
    let mut stage = cites_what_is_gone().open(120, 40);
    assert!(stage.screen().contains(gone), "{}", stage.screen());
    let cited = stage.state.choice.checkout.clone().unwrap().join("src/auth/old.rs");
    fs::write(&cited, "fn login() {}\n").unwrap();
    stage.press(&["j"]);
    assert!(stage.screen().contains(gone), "not with every key: {}", stage.screen());
    stage.press(&["f5"]);
    assert!(!stage.screen().contains(gone), "{}", stage.screen());
    assert!(
        stage.state.findings.iter().all(|finding| finding.code != ProblemCode::PathGone),
        "{:?}",
        stage.state.findings
    );
    fs::remove_file(&cited).unwrap();
    stage.later(60).press(&["j"]);
    assert!(stage.screen().contains(gone), "{}", stage.screen());
}
