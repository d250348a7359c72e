//! The screen as a person meets it: the real binary under a real terminal.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub)]

mod hard;
mod pty;
mod unsaved;

use std::time::Duration;

use pty::{ESC, Home, Terminal};
use rustix::process::Signal;

/// What is switched on at the start, and what undoes it.
const MODES: [(&str, &str); 4] = [
    ("\u{1b}[?1049h", "\u{1b}[?1049l"),
    ("\u{1b}[?2004h", "\u{1b}[?2004l"),
    ("\u{1b}[?1000h", "\u{1b}[?1000l"),
    ("\u{1b}[?25l", "\u{1b}[?25h"),
];

/// Each mode was switched on `times` and undone as often; the cursor, which comes and goes, is there at the end.
fn assert_undone(output: &str, times: usize) {
    for (on, off) in MODES.iter().take(3) {
        assert_eq!(output.matches(on).count(), times, "{on:?} in {output:?}");
        assert_eq!(output.matches(off).count(), times, "{off:?} in {output:?}");
    }
    assert!(output.rfind("\u{1b}[?25h") > output.rfind("\u{1b}[?25l"), "the cursor is shown: {output:?}");
    assert!(!output.contains("\u{1b}[6n") && !output.contains("\u{1b}[c"), "nothing is asked of the terminal");
}

#[test]
fn it_starts_shows_the_memories_and_leaves_the_terminal_as_it_was() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    assert!(terminal.look(vt100::Screen::alternate_screen) && terminal.look(vt100::Screen::bracketed_paste));
    terminal.wait_for("merge freeze");
    terminal.press("q");
    let (code, output) = terminal.end();
    assert_eq!(code, 0, "{output:?}");
    assert_undone(&output, 1);
}

#[test]
fn another_size_is_drawn_at_once_down_to_nothing_and_back() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    terminal.resize(15, 3);
    terminal.wait_for("dreamtop: too");
    terminal.resize(140, 40);
    terminal.wait_for("merge freeze");
    terminal.wait_until("the footer in the last row", |terminal| {
        terminal.look(|screen| screen.rows(0, 140).last().is_some_and(|row| row.contains("? help")))
    });
}

#[test]
fn fc_104_a_signal_gives_the_terminal_back_once_and_the_exit_status_tells_it() {
    for (signal, status) in [(Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131), (Signal::TERM, 143)] {
        let home = Home::new();
        let terminal = Terminal::open(&home, &[]);
        terminal.signal(signal);
        let (code, output) = terminal.end();
        assert_eq!(code, status, "{signal:?}");
        assert_undone(&output, 1);
    }
}

#[test]
fn fc_104_an_error_at_the_start_is_readable_and_touches_no_mode() {
    let home = Home::new();
    let config = home.path().join("config/dreamtop/config.yaml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "mouze: true\n").unwrap();
    let (code, output) = Terminal::start(home.command(&[]), 100, 30).end();
    assert_eq!(code, 2, "{output:?}");
    assert!(output.contains("mouze") && !output.contains("\u{1b}[?1049h"), "{output:?}");
}

#[test]
fn a_terminal_that_vanishes_without_a_signal_ends_the_program() {
    let home = Home::new();
    // The shell leads the session and ignores the hang-up, so nobody tells the program.
    let line = "trap '' HUP; \"$DREAMTOP\" --memory-dir \"$STORE\"; echo $? > code.tmp; mv code.tmp code";
    let mut terminal = Terminal::start(home.shell(line), 100, 30);
    terminal.wait_for("testing policy");
    terminal.hang_up();
    let code = home.path().join("code");
    terminal.wait_until("the exit code", |_| code.exists());
    assert_eq!(std::fs::read_to_string(code).unwrap().trim(), "129");
}

#[test]
fn fc_099_ctrl_z_gives_the_shell_back_and_fg_repaints_everything_at_the_new_size() {
    let home = Home::new();
    let line = "set -m; \"$DREAMTOP\" --memory-dir \"$STORE\"; echo stopped-1; stty -a | grep -o ' echo '; read go; fg; \
                echo stopped-2; read go; fg; echo over";
    let mut terminal = Terminal::start(home.shell(line), 100, 30);
    terminal.wait_for("testing policy");
    terminal.press("\u{1a}");
    terminal.wait_for("stopped-1");
    terminal.wait_for("echo");
    assert!(!terminal.look(vt100::Screen::alternate_screen) && !terminal.look(vt100::Screen::hide_cursor));
    terminal.resize(120, 40);
    terminal.press("\n");
    terminal.wait_for("merge freeze");
    terminal.wait_until("the footer in the last row", |terminal| {
        terminal.look(|screen| screen.rows(0, 120).last().is_some_and(|row| row.contains("? help")))
    });
    // Keys work, and once more.
    terminal.press("?");
    terminal.wait_for("On the dashboard");
    terminal.press("\u{1a}");
    terminal.wait_for("stopped-2");
    terminal.press("\n");
    terminal.wait_for("On the dashboard");
    terminal.press(ESC);
    terminal.wait_gone("On the dashboard");
    terminal.press("q");
    let (_, output) = terminal.end();
    assert_undone(&output, 3);
}

#[test]
fn ctrl_z_where_nobody_could_continue_us_says_so_and_stops_nothing() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    terminal.press("\u{1a}");
    terminal.wait_for("could continue");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn fc_100_after_an_editor_that_cleared_the_screen_all_of_it_is_painted_again() {
    let home = Home::new();
    let editor = home
        .script("ed", "printf '\\033[2J\\033[H\\033[?25hthe editor'; sed -i 's/real databases/true databases/' \"$1\"");
    let mut command = home.command(&[]);
    command.env("EDITOR", editor);
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    let file = "feedback_testing.md";
    select(&mut terminal, "testing policy");
    terminal.press("E");
    terminal.wait_until("the edit on disk", |_| home.read(file).contains("true databases"));
    terminal.wait_for("Memories 1/3");
    terminal.wait_gone("the editor");
    let look = |screen: &vt100::Screen| {
        (screen.alternate_screen(), screen.hide_cursor(), screen.bracketed_paste(), screen.mouse_protocol_mode())
    };
    terminal.wait_until("all modes back", |terminal| {
        terminal.look(look) == (true, true, true, vt100::MouseProtocolMode::AnyMotion)
    });
    terminal.wait_for("true databases");
    assert!(!home.read(file).contains("real databases."), "{}", home.read(file));
    terminal.press("q");
    let (code, output) = terminal.end();
    assert_eq!(code, 0);
    assert_undone(&output, 2);
}

#[test]
fn fc_101_ctrl_z_in_the_editor_stops_both_and_fg_goes_back_into_the_editor() {
    let home = Home::new();
    let editor =
        home.script("ed", "echo in-the-editor; read line; sed -i \"s/They write Rust/They write $line/\" \"$1\"");
    let line = "set -m; \"$DREAMTOP\" --memory-dir \"$STORE\"; echo stopped; read go; echo going-back; fg; echo over";
    let mut command = home.shell(line);
    command.env("EDITOR", editor);
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    select(&mut terminal, "backend role");
    terminal.press("E");
    terminal.wait_for("in-the-editor");
    terminal.press("\u{1a}");
    terminal.wait_for("stopped");
    terminal.press("\n");
    terminal.wait_for("going-back");
    terminal.press("Zig\n");
    terminal.wait_until("the edit on disk", |_| home.read("user_role.md").contains("They write Zig."));
    terminal.wait_for("They write Zig.");
    terminal.press("q");
    terminal.wait_for("over");
    let (code, output) = terminal.end();
    assert_eq!(code, 0);
    assert_undone(&output, 2);
}

#[test]
fn fc_103_ctrl_c_at_the_editor_is_for_the_editor() {
    let home = Home::new();
    let before = home.contents();
    let mut command = home.command(&[]);
    command.env("EDITOR", home.script("ed", "echo in-the-editor; read line"));
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    terminal.press("E");
    terminal.wait_for("in-the-editor");
    terminal.press("\u{3}");
    terminal.wait_for("keeps its old text");
    assert_eq!(home.contents(), before);
    terminal.press(ESC);
    terminal.wait_gone("keeps its old text");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn fc_111_the_mouse_is_switched_off_and_on_by_a_key_and_the_state_is_said() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    let mode = |screen: &vt100::Screen| screen.mouse_protocol_mode();
    for (wanted, word) in
        [(vt100::MouseProtocolMode::None, "Mouse off"), (vt100::MouseProtocolMode::AnyMotion, "Mouse on")]
    {
        terminal.press("M");
        terminal.wait_for(word);
        terminal.wait_until("the mode", |terminal| terminal.look(mode) == wanted);
    }
}

#[test]
fn fc_103_a_failing_editor_changes_nothing_and_its_failure_is_said() {
    let home = Home::new();
    let before = home.contents();
    let editor = home.script("ed", "echo broken > \"$1\"; exit 3");
    let mut command = home.command(&[]);
    command.env("EDITOR", editor);
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    terminal.press("E");
    terminal.wait_for("exit status 3");
    assert_eq!(home.contents(), before);
}

#[test]
fn fc_113_a_linked_memory_opens_in_the_editor_with_its_content_and_stays_a_link() {
    let home = Home::new();
    let link = home.store().join("feedback_testing.md");
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("kept.md");
    std::fs::rename(&link, &target).unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    let editor = home.script("ed", "test -L \"$1\" && exit 9; sed -i 's/real databases/true databases/' \"$1\"");
    let mut command = home.command(&[]);
    command.env("EDITOR", editor);
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    select(&mut terminal, "testing policy");
    terminal.press("E");
    terminal
        .wait_until("the edit in the target", |_| std::fs::read_to_string(&target).unwrap().contains("true databases"));
    terminal.wait_for("true databases");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink(), "the link stays");
}

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

#[test]
fn the_demo_opens_whatever_is_wrong_with_the_configuration() {
    let home = Home::new();
    let config = home.path().join("config/dreamtop/config.yaml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "mouze: true\n").unwrap();
    let terminal = Terminal::start(home.command(&["demo"]), 120, 30);
    terminal.wait_for("acme-api");
    terminal.wait_for("mouze");
}

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
fn no_color_has_no_colour_and_still_shows_what_is_selected() {
    let home = Home::new();
    let mut command = home.command(&[]);
    command.env("NO_COLOR", "1");
    let terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    terminal.settle();
    let (coloured, inverse) = terminal.look(|screen| {
        let cells = (0..30).flat_map(|row| (0..100).filter_map(move |column| screen.cell(row, column)));
        cells.fold((0, 0), |(coloured, inverse), cell| {
            let has_colour = cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default;
            (coloured + usize::from(has_colour), inverse + usize::from(cell.inverse()))
        })
    });
    assert_eq!(coloured, 0);
    assert!(inverse > 10, "only {inverse} cells are inverse");
}

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

/// Puts the cursor of the list on a memory.
fn select(terminal: &mut Terminal, name: &str) {
    terminal.press("/");
    terminal.press(name);
    terminal.press("\r");
    terminal.wait_until("the memory in the preview", |terminal| terminal.text().matches(name).count() >= 2);
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
fn fc_103_an_edit_from_the_editor_that_meets_another_version_opens_with_both_and_is_not_lost() {
    let home = Home::new();
    let store = home.store();
    // The editor keeps a backup and saves by renaming, as many do; another program saves the same line meanwhile.
    let editor = home.script(
        "ed",
        &format!(
            "cp \"$1\" \"$1~\"; sed 's/Use real databases/Use OUR databases/' \"$1\" > \"$1.new\"; mv \"$1.new\" \"$1\"\n\
             sed -i 's/Use real databases/Use THEIR databases/' '{}/feedback_testing.md'",
            store.display()
        ),
    );
    let mut command = home.command(&[]);
    command.env("VISUAL", "/no/such/editor --wait");
    command.env("EDITOR", editor);
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    select(&mut terminal, "testing policy");
    terminal.press("E");
    terminal.wait_for("Nothing was overwritten");
    terminal.wait_for("OUR databases");
    assert!(home.read("feedback_testing.md").contains("THEIR databases"));
    terminal.press("o");
    terminal.wait_until("ours on disk", |_| home.read("feedback_testing.md").contains("OUR databases"));
    assert!(!store.join("feedback_testing.md~").exists(), "the editor's backup is no memory");
    let left = std::fs::read_dir(home.path().join("state/dreamtop/edit")).unwrap().count();
    assert_eq!(left, 0, "and the private copy is gone");
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
