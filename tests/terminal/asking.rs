//! Commands that ask on a terminal before anything goes.

use crate::pty::{Home, Terminal};
use crate::select;

#[test]
fn fc_112_removing_on_a_terminal_asks_first_and_only_a_yes_removes() {
    let home = Home::new();
    let memory = home.store().join("feedback_testing.md");
    let terminal = |arguments: &[&str]| Terminal::start(home.command(arguments), 100, 30);
    for (answer, is_there) in [("n\r", true), ("\r", true), ("y\r", false)] {
        let mut terminal = terminal(&["rm", "feedback_testing.md"]);
        terminal.wait_for("[y/N]");
        assert!(memory.exists(), "it only asked");
        terminal.press(answer);
        let (code, _) = terminal.end();
        assert_eq!((memory.exists(), code), (is_there, u32::from(is_there)), "{answer:?}");
    }
}

#[test]
fn purging_on_a_terminal_wants_the_number_of_what_goes_for_good() {
    let home = Home::new();
    let history = || walk(&home.path().join("state"));
    let mut terminal = Terminal::open(&home, &[]);
    select(&mut terminal, "merge freeze");
    terminal.press("e");
    terminal.wait_for("Edit project_freeze.md");
    terminal.press("Edited. \u{13}");
    terminal.wait_for("Saved project_freeze.md");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    let kept = history();
    for (answer, code) in [("y\r", 1), ("2\r", 0)] {
        let mut terminal = Terminal::start(home.command(&["purge", "project_freeze.md"]), 100, 30);
        terminal.wait_for("type 2 to do it");
        terminal.press(answer);
        let (ended, output) = terminal.end();
        assert_eq!(ended, code, "{output:?}");
        assert_eq!(history() == kept, code == 1, "{output:?}");
    }
}

/// Every file below a directory that holds a kept content.
fn walk(root: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if entry.path().components().any(|part| part.as_os_str() == "objects") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}
