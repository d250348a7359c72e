//! The screen as a person meets it: the real binary under a real terminal. Here how it takes the terminal and gives it back.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
#![allow(missing_docs, unreachable_pub)]

mod asking;
mod external_editor;
mod hard;
mod outside;
mod pty;
mod unsaved;
mod work;

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

/// Puts the cursor of the list on a memory.
fn select(terminal: &mut Terminal, name: &str) {
    terminal.press("/");
    terminal.press(name);
    terminal.press("\r");
    terminal.wait_until("the memory in the preview", |terminal| terminal.text().matches(name).count() >= 2);
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
