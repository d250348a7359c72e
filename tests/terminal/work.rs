//! A person's work by keys, from the list to the disk: dreams, searches, forms, reviews.

use crate::pty::{ESC, Home, Terminal};
use crate::select;

#[test]
fn a_dream_is_started_watched_and_killed_with_single_keys_and_changes_nothing() {
    let home = Home::new();
    let script = home.path().join("slow.jsonl");
    let store = home.store().join("user_role.md");
    let lines = format!(
        "{}\n{}\n{}\n{}\n",
        r#"{"phase": "orient"}"#,
        r#"{"text": "Looking around slowly."}"#,
        r#"{"tool": "Write", "input": {"file_path": "user_role.md", "content": "---\nname: backend role\ndescription: \"changed\"\nmetadata:\n  type: user\n---\n\nThey write Go.\n"}}"#,
        r#"{"delay_ms": 600000}"#,
    );
    std::fs::write(&script, lines).unwrap();
    let before = home.contents();
    let mut terminal = Terminal::open(&home, &["--engine", &format!("script:{}", script.display())]);
    terminal.press("D");
    terminal.wait_for("dreaming");
    terminal.press("\u{1b}[1;2B");
    terminal.wait_for("Looking around slowly.");
    terminal.wait_for("1/4 orient");
    terminal.wait_for("They write Go.");
    terminal.press("x");
    terminal.wait_for("✗ killed");
    assert!(std::fs::read_to_string(store).unwrap().contains("They write Rust."));
    let files = |all: Vec<(std::path::PathBuf, Vec<u8>, std::time::SystemTime)>| {
        all.into_iter().filter(|(path, ..)| path.extension().is_some_and(|it| it == "md")).collect::<Vec<_>>()
    };
    assert_eq!(files(home.contents()), files(before));
    terminal.press(ESC);
    terminal.wait_gone("1 tool call");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_text_is_found_in_a_session_while_keys_go_on_and_enter_goes_to_its_turn() {
    let home = Home::new();
    let sessions = home.path().join("sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    let said = |number: usize, text: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"u{number}\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let talk: String = (1..=500)
        .map(|number| {
            said(number, &if number == 400 { "the kestrel turn".to_owned() } else { format!("turn {number}") })
        })
        .collect();
    std::fs::write(sessions.join("3f2a51c0.jsonl"), talk).unwrap();
    let mut terminal = Terminal::open(&home, &["--sessions", sessions.to_str().unwrap()]);
    terminal.press("f");
    terminal.wait_for("Find in the text");
    terminal.press("kestrel");
    terminal.wait_for("1 hit in 1 file");
    terminal.press("\r");
    terminal.wait_for("line 400 of 500");
    terminal.wait_for("the kestrel turn");
    // Moving shows the turns around it, and escape comes back to the hits, then to the memories.
    terminal.press("jj");
    terminal.wait_for("line 401 of 500");
    terminal.press(ESC);
    terminal.wait_for("Find in the text");
    terminal.press(ESC);
    terminal.wait_gone("Find in the text");
    terminal.wait_for("merge freeze");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn the_form_is_walked_with_the_tabulator_the_real_cursor_is_where_the_keys_go_and_both_fields_are_saved() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    select(&mut terminal, "testing policy");
    terminal.press("e");
    terminal.wait_for("Edit feedback_testing.md");
    let is_at = |terminal: &Terminal, text: &str| {
        terminal.look(|screen| {
            let row = screen.rows(0, 100).position(|row| row.contains(text));
            !screen.hide_cursor() && row == Some(usize::from(screen.cursor_position().0))
        })
    };
    for (key, label) in [("\t", "name"), ("\t", "description")] {
        terminal.press(key);
        let row = format!("▸{label}");
        terminal.wait_for(&row);
        terminal.wait_until("the cursor on that row", |terminal| is_at(terminal, &row));
    }
    terminal.press(" and more\t\tHere. ");
    terminal.wait_for("Here. Use real databases.");
    // The cursor stands behind what was typed, in the body.
    terminal.wait_until("the cursor in the body", |terminal| is_at(terminal, "Here. Use"));
    terminal.press("\u{13}");
    terminal.wait_for("Saved feedback_testing.md");
    let text = home.read("feedback_testing.md");
    assert!(
        text.contains("description: \"about testing policy and more\"") && text.contains("Here. Use real"),
        "{text}"
    );
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn fc_051_a_dream_by_hand_with_nothing_new_says_so_and_asks_before_it_costs_anything() {
    for (answer, lasts) in [("n", "\r\n"), ("y", "done")] {
        let home = Home::new();
        std::fs::write(home.store().join(".consolidate-lock"), "").unwrap();
        let mut terminal = Terminal::start(home.command(&["dream"]), 100, 30);
        terminal.wait_for("skipped  time: 0h");
        terminal.wait_for("dream anyway?");
        terminal.press(&format!("{answer}\r"));
        let (code, output) = terminal.end();
        assert_eq!(code, if answer == "y" { 0 } else { 4 }, "{output:?}");
        assert!(output.contains(lasts), "{output:?}");
    }
    // Nobody is there to answer: the way is named.
    let home = Home::new();
    std::fs::write(home.store().join(".consolidate-lock"), "").unwrap();
    let line = "\"$DREAMTOP\" --memory-dir \"$STORE\" dream < /dev/null; echo code $?";
    let (_, output) = Terminal::start(home.shell(line), 100, 30).end();
    assert!(output.contains("dreamtop dream --force") && output.contains("code 4"), "{output:?}");
    assert!(!output.contains("[y/N]"), "{output:?}");
}

#[test]
fn the_demo_has_something_worth_reviewing_with_reasons_and_turns_to_open() {
    let home = Home::new();
    let mut terminal = Terminal::start(home.shell("\"$DREAMTOP\" demo"), 120, 40);
    terminal.wait_for("3 changes wait (i)");
    terminal.press("i");
    terminal.wait_for("Inbox: 3 changes wait for you");
    terminal.press("\r");
    terminal.wait_for("would be lost and nothing says why");
    terminal.wait_for("hunk 2 of 2");
    terminal.press("j");
    terminal.wait_for("needs the person's own words");
    terminal.wait_for("with it, in MEMORY.md");
    terminal.press("\t\r");
    terminal.wait_for("squash everything into one commit before you push");
    terminal.press("Q");
    let (code, output) = terminal.end();
    assert_eq!(code, 0, "{output:?}");
}
