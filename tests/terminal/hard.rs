//! What terminals do to programs: no room, storms of sizes, large files, odd characters, pasted text, few colours, answers
//! that come late.

use std::time::{Duration, Instant};

use crate::pty::{ESC, Home, Terminal};
use crate::select;

/// The question for the background's colour.
const QUESTION: &str = "\u{1b}]11;?";

#[test]
fn fc_106_one_cell_is_enough_and_a_storm_of_sizes_ends_with_a_whole_picture() {
    let home = Home::new();
    let mut terminal = Terminal::start(home.command(&[]), 1, 1);
    terminal.wait_for("d");
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    for _ in 0..120 {
        terminal.resize(1 + next(180) as u16, 1 + next(60) as u16);
        terminal.press(["j", "k", "\t", "?", ESC, "s"][next(6) as usize]);
    }
    terminal.resize(100, 30);
    terminal.settle();
    terminal.press(ESC);
    terminal.wait_for("testing policy");
    terminal.wait_until("the footer in the last row", |terminal| {
        terminal.look(|screen| screen.rows(0, 100).last().is_some_and(|row| row.contains("? help")))
    });
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn fc_107_a_memory_of_seventy_thousand_lines_and_one_of_a_single_long_line_open_and_scroll_to_their_ends() {
    let home = Home::new();
    let write = |file: &str, name: &str, body: &str| {
        let text = format!("---\nname: {name}\ndescription: \"d\"\nmetadata:\n  type: user\n---\n\n{body}\n");
        std::fs::write(home.store().join(file), text).unwrap();
    };
    let lines: String = (0..70_000).map(|number| format!("- line {number}\n")).collect();
    write("user_lines.md", "many lines", &(lines + "- the very end\n"));
    write("user_wide.md", "one line", &format!("{}the far end", "word ".repeat(40_000)));
    let mut terminal = Terminal::open(&home, &[]);
    for (name, start, end) in [("many lines", "line 1", "the very end"), ("one line", "word word", "the far end")] {
        select(&mut terminal, name);
        terminal.press("\r");
        terminal.wait_for("Esc close");
        terminal.wait_for(start);
        terminal.press("G");
        terminal.wait_for(end);
        terminal.press("g");
        terminal.wait_gone(end);
        terminal.press("q");
        terminal.wait_gone("Esc close");
        terminal.press(ESC);
        terminal.wait_for("Memories 5 ");
    }
}

#[test]
fn fc_109_wide_and_combining_characters_keep_the_border_in_one_column() {
    let home = Home::new();
    for (file, name) in [
        ("user_a.md", "上海交接 merge 凍結"),
        ("user_b.md", "e\u{301}te\u{301} a\u{300} la carte"),
        ("user_c.md", "👍 emoji 🎉"),
        ("user_d.md", "\u{1112}\u{1161}\u{11ab} hangul"),
    ] {
        let text = format!("---\nname: \"{name}\"\ndescription: \"d\"\nmetadata:\n  type: user\n---\n\nText.\n");
        std::fs::write(home.store().join(file), text).unwrap();
    }
    let terminal = Terminal::open(&home, &[]);
    terminal.wait_for("Memories 7");
    terminal.wait_for("emoji");
    terminal.settle();
    let borders = terminal.look(|screen| {
        let row_has = |row: u16, sign: &str| {
            (0..100).filter(|column| screen.cell(row, *column).is_some_and(|cell| cell.contents() == sign)).collect()
        };
        let top = (0..30).find(|row| !<Vec<u16>>::is_empty(&row_has(*row, "┏"))).unwrap();
        (top + 1..top + 8).map(|row| row_has(row, "┃")).collect::<Vec<Vec<u16>>>()
    });
    assert!(borders.iter().all(|columns| columns.len() == 2 && *columns == borders[0]), "{borders:?}");
}

#[test]
fn pasted_text_is_never_keys() {
    let home = Home::new();
    let before = home.contents();
    let mut terminal = Terminal::open(&home, &[]);
    terminal.press("\u{1b}[200~dy\rqqQ\u{1}\ny\n\u{1b}[201~");
    terminal.wait_for("Pasted text has no place here");
    assert_eq!(home.contents(), before);
    terminal.press("/");
    terminal.press("\u{1b}[200~merge\nq\u{1b}[201~");
    terminal.wait_for("/merge");
    terminal.wait_for("Memories 1/3");
    terminal.press(ESC);
    terminal.wait_for("Memories 3");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    assert_eq!(home.contents(), before);
}

#[test]
fn sixteen_colours_are_written_as_terminals_with_sixteen_know_them() {
    for term in ["xterm", "tmux", "screen", "linux", "xterm-256color"] {
        let home = Home::new();
        let mut command = home.command(&[]);
        command.env("TERM", term);
        let mut terminal = Terminal::start(command, 100, 30);
        terminal.wait_for("testing policy");
        terminal.press("?");
        terminal.wait_for("On the dashboard");
        terminal.press("?");
        terminal.wait_gone("On the dashboard");
        terminal.press("q");
        let (code, output) = terminal.end();
        assert_eq!(code, 0, "{term}");
        assert!(!output.contains("8;5;") && !output.contains("8;2;"), "{term}: {output:?}");
        assert!(output.contains("\u{1b}[36") || output.contains(";36"), "{term} has colours");
    }
}

/// The colours of the footer's keys.
fn key_colour(terminal: &Terminal) -> Option<vt100::Color> {
    terminal.look(|screen| {
        let row = 29;
        let text = screen.rows(0, 100).nth(29)?;
        let column = u16::try_from(text.find("? help")?).ok()?;
        let columns = (column.saturating_sub(12)..100).filter_map(|column| screen.cell(row, column));
        columns.filter(|cell| cell.contents() == "?").map(vt100::Cell::fgcolor).next()
    })
}

#[test]
fn the_answer_about_the_background_chooses_the_theme_and_is_never_keys() {
    for (answer, colour) in [
        ("\u{1b}]11;rgb:ffff/fafa/f0f0\u{1b}\\", vt100::Color::Idx(4)),
        ("\u{1b}]11;rgb:1e1e/1e1e/2e2e\u{7}", vt100::Color::Idx(14)),
    ] {
        let home = Home::new();
        let mut terminal = Terminal::start(home.command(&[]), 100, 30);
        terminal.wait_until("the question", |terminal| terminal.bytes().contains(QUESTION));
        terminal.press(answer);
        terminal.wait_for("testing policy");
        terminal.wait_until("the theme", |terminal| key_colour(terminal) == Some(colour));
        terminal.settle();
        assert!(terminal.text().contains("Memories 3"), "no key came of it: {}", terminal.text());
        terminal.press("q");
        let (code, output) = terminal.end();
        assert_eq!((code, output.matches(QUESTION).count()), (0, 1));
    }
}

#[test]
fn an_answer_that_comes_late_is_no_key_input_and_changes_nothing() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    let start = Instant::now();
    terminal.wait_until("the deadline to pass", |_| start.elapsed() > Duration::from_millis(1_100));
    terminal.settle();
    let before = terminal.text();
    terminal.press("\u{1b}]11;rgb:ffff/ffff/ffff\u{1b}\\");
    // The key after it is a key.
    terminal.press("?");
    terminal.wait_for("On the dashboard");
    terminal.press("?");
    terminal.wait_gone("On the dashboard");
    terminal.settle();
    assert_eq!((terminal.text(), key_colour(&terminal)), (before, Some(vt100::Color::Idx(6))));
}

#[test]
fn nothing_is_asked_where_the_answer_is_known_or_means_nothing() {
    for (name, value) in [("COLORFGBG", "0;15"), ("NO_COLOR", "1"), ("TERM", "linux")] {
        let home = Home::new();
        let mut command = home.command(&[]);
        command.env(name, value);
        let mut terminal = Terminal::start(command, 100, 30);
        terminal.wait_for("testing policy");
        terminal.press("q");
        let (code, output) = terminal.end();
        assert_eq!(code, 0, "{name}");
        assert!(!output.contains("\u{1b}]"), "{name}: {output:?}");
    }
}

#[test]
fn the_cursor_of_the_terminal_stands_at_the_selected_row_and_is_shown_when_that_is_asked_for() {
    for (setting, is_hidden) in [("hidden", true), ("shown", false)] {
        let home = Home::new();
        let config = home.path().join("config/dreamtop/config.yaml");
        std::fs::create_dir_all(config.parent().unwrap()).unwrap();
        std::fs::write(&config, format!("cursor: {setting}\n")).unwrap();
        let mut terminal = Terminal::open(&home, &[]);
        let at_cursor = |terminal: &Terminal| {
            terminal.look(|screen| {
                let (row, column) = screen.cursor_position();
                screen.rows(column, 100).nth(usize::from(row)).unwrap_or_default()
            })
        };
        terminal.wait_until("the selected row", |terminal| at_cursor(terminal).starts_with('▸'));
        terminal.press("G");
        terminal.wait_until("the last row", |terminal| at_cursor(terminal).contains("testing policy"));
        assert_eq!(terminal.look(vt100::Screen::hide_cursor), is_hidden, "{setting}");
        terminal.press("/");
        terminal.wait_until("the cursor where text is typed", |terminal| !terminal.look(vt100::Screen::hide_cursor));
        terminal.press("\r");
        terminal.wait_until("the selected row", |terminal| at_cursor(terminal).starts_with('▸'));
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
    }
}

#[test]
fn what_is_opened_over_a_line_that_is_typed_in_takes_the_cursor_with_it() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    let is_hidden = |terminal: &Terminal| terminal.look(vt100::Screen::hide_cursor);
    terminal.press("r");
    terminal.wait_for("Type a prompt");
    terminal.press("mocks lie");
    terminal.wait_until("a memory", |terminal| terminal.text().contains("✓ feedback_testing.md"));
    assert!(!is_hidden(&terminal), "text is typed: {}", terminal.text());
    terminal.press("\r");
    terminal.wait_until("the memory on top, and no cursor", |terminal| {
        terminal.text().contains("Use real databases.") && is_hidden(terminal)
    });
    terminal.press("\u{1b}");
    terminal.wait_until("the prompt", |terminal| !is_hidden(terminal));
}

#[test]
fn in_a_session_the_cursor_of_the_terminal_stands_at_the_row_with_the_sign() {
    let home = Home::new();
    let sessions = home.path().join("sessions");
    std::fs::create_dir_all(&sessions).unwrap();
    let said = |number: usize| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"u{number}\",\"message\":{{\"role\":\"user\",\"content\":\"turn {number}.\"}}}}\n"
        )
    };
    let talk: String = (1..=60).map(said).collect();
    std::fs::write(sessions.join("3f2a51c0.jsonl"), talk).unwrap();
    let mut terminal = Terminal::open(&home, &["--sessions", sessions.to_str().unwrap()]);
    terminal.press("f");
    terminal.wait_for("Find in the text");
    terminal.press("turn 40.");
    terminal.wait_for("1 hit in 1 file");
    terminal.press("\r");
    terminal.wait_for("line 40 of 60");
    let at_cursor = |terminal: &Terminal| {
        terminal.look(|screen| {
            let (row, column) = screen.cursor_position();
            screen.rows(column, 100).nth(usize::from(row)).unwrap_or_default()
        })
    };
    terminal
        .wait_until("the hit", |terminal| at_cursor(terminal).starts_with('▸') && terminal.text().contains("turn 40."));
    let row = |terminal: &Terminal| terminal.look(|screen| screen.cursor_position().0);
    let before = row(&terminal);
    assert!(terminal.look(vt100::Screen::hide_cursor), "nothing is typed there");
    terminal.press("k");
    terminal.wait_until("the row before", |terminal| at_cursor(terminal).starts_with('▸') && row(terminal) < before);
}

#[test]
fn the_configuration_opens_in_the_editor_at_the_line_of_the_setting_and_counts_after_it() {
    let home = Home::new();
    let config = home.path().join("config/dreamtop/config.yaml");
    std::fs::create_dir_all(config.parent().unwrap()).unwrap();
    std::fs::write(&config, "# mine\n\nengine: embedded\nmouse: true\n").unwrap();
    // An editor that is known to take a line, and says which one it got.
    let said = home.path().join("said");
    let lines = format!("echo \"$1\" > {}; sed -i 's/mouse: true/mouse: false/' \"$2\"", said.display());
    let mut command = home.command(&[]);
    command.env("EDITOR", home.script("vi", &lines));
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    terminal.press(",");
    terminal.wait_for("Settings 1/");
    terminal.press("jjj");
    terminal.wait_for("config.yaml:3");
    terminal.press("E");
    terminal.wait_until("the edit", |_| std::fs::read_to_string(&config).unwrap().contains("mouse: false"));
    terminal.wait_until("the mouse off", |terminal| {
        terminal.look(|screen| screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None)
    });
    assert_eq!(std::fs::read_to_string(said).unwrap(), "+3\n");
    assert!(std::fs::read_to_string(&config).unwrap().starts_with("# mine\n\nengine"));
}
