//! What other programs do while the screen is open, and that looking on changes nothing.

use std::time::Duration;

use crate::pty::{Home, Terminal};
use crate::select;

#[test]
fn fc_114_each_of_five_saves_by_rename_is_shown() {
    let home = Home::new();
    let terminal = Terminal::open(&home, &[]);
    for save in 1..=5 {
        let text = home.read("user_role.md").replace(&old_name(save), &format!("name: role number {save}"));
        let temp = home.store().join(".user_role.md.swp");
        std::fs::write(&temp, text).unwrap();
        std::fs::rename(&temp, home.store().join("user_role.md")).unwrap();
        terminal.wait_for(&format!("role number {save}"));
    }
}

fn old_name(save: usize) -> String {
    if save == 1 { "name: backend role".to_owned() } else { format!("name: role number {}", save - 1) }
}

#[test]
fn fc_117_fc_118_looking_at_a_store_writes_nothing_to_it_and_idling_writes_nothing_to_the_terminal() {
    let home = Home::new();
    for number in 0..300 {
        let text = format!("---\nname: note {number}\ndescription: \"d\"\nmetadata:\n  type: user\n---\n\nText.\n");
        std::fs::write(home.store().join(format!("user_{number}.md")), text).unwrap();
    }
    let terminal = Terminal::start(home.command(&[]), 100, 30);
    terminal.wait_for("Memories 303");
    // The findings are the last to come: these memories are in no index.
    terminal.wait_for("⚠");
    terminal.settle();
    let (before, written) = (home.contents(), terminal.bytes().len());
    for _ in 0..15 {
        std::thread::sleep(Duration::from_millis(100));
        let drawn = terminal.bytes();
        assert_eq!(&drawn[written..], "", "something was drawn while nothing happened");
    }
    // A touch without another content is read, and nothing flickers.
    let shown = terminal.text();
    let touched = std::fs::File::options().append(true).open(home.store().join("user_7.md")).unwrap();
    touched.set_modified(std::time::SystemTime::now()).unwrap();
    for _ in 0..150 {
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(terminal.text(), shown, "a touch changed the picture");
    }
    let strip = |all: Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)>| {
        all.into_iter().filter(|(path, ..)| !path.ends_with("user_7.md")).collect::<Vec<_>>()
    };
    assert_eq!(strip(home.contents()), strip(before));
    assert!(!home.store().join(".consolidate-lock").exists());
}

#[test]
fn fc_019_a_line_changed_outside_and_another_changed_here_are_both_in_the_file() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    select(&mut terminal, "testing policy");
    terminal.press("e");
    terminal.wait_for("Edit feedback_testing.md");
    let outside = home.read("feedback_testing.md").replace("always.", "in every suite.");
    std::fs::write(home.store().join("feedback_testing.md"), outside).unwrap();
    terminal.wait_for("changed on disk");
    terminal.press("Here. ");
    terminal.press("\u{13}");
    terminal.wait_until("the edit on disk", |_| home.read("feedback_testing.md").contains("Here. "));
    let both = home.read("feedback_testing.md");
    assert!(both.contains("Here. Use real databases.") && both.contains("in every suite."), "{both}");
}

#[test]
fn fc_019_the_same_line_changed_on_both_sides_is_a_question_and_nothing_is_lost() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    select(&mut terminal, "testing policy");
    terminal.press("e");
    terminal.wait_for("Edit feedback_testing.md");
    let outside = home.read("feedback_testing.md").replace("Use real databases.", "Theirs instead.");
    std::fs::write(home.store().join("feedback_testing.md"), &outside).unwrap();
    terminal.press("Ours. ");
    terminal.press("\u{13}");
    terminal.wait_for("Nothing was overwritten");
    assert_eq!(home.read("feedback_testing.md"), outside);
    terminal.press("o");
    terminal.wait_until("ours on disk", |_| home.read("feedback_testing.md").contains("Ours. Use real databases."));
}

#[test]
fn a_pause_given_in_another_terminal_is_seen_and_so_is_its_end() {
    let home = Home::new();
    let terminal = Terminal::open(&home, &[]);
    for (arguments, is_shown) in [(vec!["pause", "2h"], true), (vec!["pause", "--off"], false)] {
        let (code, output) = Terminal::start(home.command(&arguments), 100, 30).end();
        assert_eq!(code, 0, "{output}");
        if is_shown { terminal.wait_for("paused 2h") } else { terminal.wait_gone("paused 2h") }
    }
}
