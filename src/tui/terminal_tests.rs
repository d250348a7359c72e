//! What reaches the terminal when the screen ends in a way the real binary has no key for: each test starts this test
//! binary again under a terminal of its own, where one of the `child_…` tests takes the screen.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use std::io::Read;

use portable_pty::{CommandBuilder, NativePtySystem, PtySize, PtySystem};

use super::*;

const CHILD: &str = "DREAMTOP_TEST_CHILD";

/// Everything a child test writes to its terminal, and whether its test passed.
fn in_a_terminal(child: &str) -> (String, bool) {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = NativePtySystem::default().openpty(size).unwrap();
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        &format!("tui::terminal::tests::{child}"),
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env(CHILD, "1");
    command.env("RUST_BACKTRACE", "0");
    let mut process = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let bytes = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut chunk = [0; 4096];
        // The end of a terminal is an error on Linux and an end elsewhere.
        while let Ok(read @ 1..) = reader.read(&mut chunk) {
            bytes.extend_from_slice(chunk.get(..read).unwrap());
        }
        bytes
    });
    let passed = process.wait().unwrap().success();
    drop(pair.master);
    (String::from_utf8_lossy(&bytes.join().unwrap()).into_owned(), passed)
}

fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

const UNDONE: [&str; 4] = ["\u{1b}[?1049l", "\u{1b}[?25h", "\u{1b}[?2004l", "\u{1b}[?1000l"];

fn assert_undone_once(output: &str) {
    for sequence in UNDONE {
        assert_eq!(output.matches(sequence).count(), 1, "{sequence:?} in {output:?}");
    }
}

#[test]
#[ignore = "run by fc_104_a_panic_restores_once_and_its_message_stays_readable"]
fn child_panics_while_drawing() {
    if !is_child() {
        return;
    }
    let _guard = runtime();
    let mut screen = Screen::enter(true, false).unwrap();
    screen.draw(false, None, |frame| frame.render_widget("whole", frame.area())).unwrap();
    let _ = screen.draw(false, None, |frame| {
        frame.render_widget("half", frame.area());
        panic!("the drawing broke");
    });
}

#[test]
fn fc_104_a_panic_restores_once_and_its_message_stays_readable() {
    let (output, passed) = in_a_terminal("child_panics_while_drawing");
    assert!(!passed);
    assert_undone_once(&output);
    let (_, after) = output.split_once("\u{1b}[?1049l").unwrap();
    assert!(after.contains("the drawing broke"), "{output:?}");
    assert!(output.contains("whole") && !output.contains("half"), "{output:?}");
}

#[test]
#[ignore = "run by fc_104_a_panic_of_a_background_thread_leaves_the_screen_alone"]
fn child_has_a_background_panic() {
    if !is_child() {
        return;
    }
    let mut screen = Screen::enter(true, false).unwrap();
    let joined = std::thread::spawn(|| panic!("the worker broke")).join();
    assert!(joined.is_err());
    screen.draw(false, None, |frame| frame.render_widget("still", frame.area())).unwrap();
}

#[test]
fn fc_104_a_panic_of_a_background_thread_leaves_the_screen_alone() {
    let (output, passed) = in_a_terminal("child_has_a_background_panic");
    assert!(passed, "{output:?}");
    assert_undone_once(&output);
    let (before, _) = output.split_once("\u{1b}[?1049l").unwrap();
    assert!(before.contains("still"), "the screen went on: {output:?}");
    assert!(!output.contains("the worker broke"), "nothing is painted over it: {output:?}");
}

#[test]
#[ignore = "run by the_mouse_can_be_switched_and_what_is_off_is_not_undone"]
fn child_switches_the_mouse_off() {
    if !is_child() {
        return;
    }
    let mut screen = Screen::enter(true, false).unwrap();
    screen.set_mouse(false).unwrap();
    screen.set_mouse(false).unwrap();
    restore();
    restore();
}

#[test]
fn the_mouse_can_be_switched_and_what_is_off_is_not_undone() {
    let (output, passed) = in_a_terminal("child_switches_the_mouse_off");
    assert!(passed, "{output:?}");
    assert_undone_once(&output);
}

#[test]
#[ignore = "run by fc_111_a_mouse_that_is_off_sends_nothing_also_after_another_program"]
fn child_gives_the_terminal_away_without_a_mouse() {
    if !is_child() {
        return;
    }
    let mut screen = Screen::enter(false, false).unwrap();
    runtime().block_on(screen.released(async { print_aside("the other program") })).unwrap();
    screen.draw(false, None, |frame| frame.render_widget("painted again", frame.area())).unwrap();
}

fn print_aside(text: &str) {
    io::stdout().write_all(text.as_bytes()).unwrap();
    io::stdout().flush().unwrap();
}

#[test]
fn fc_111_a_mouse_that_is_off_sends_nothing_also_after_another_program() {
    let (output, passed) = in_a_terminal("child_gives_the_terminal_away_without_a_mouse");
    assert!(passed, "{output:?}");
    assert!(!output.contains("\u{1b}[?1000"), "{output:?}");
    assert_eq!(output.matches("\u{1b}[?1049h").count(), 2, "{output:?}");
    assert_eq!(output.matches("\u{1b}[?1049l").count(), 2, "{output:?}");
    let (before, after) = output.split_once("the other program").unwrap();
    assert!(before.contains("\u{1b}[?1049l") && after.contains("painted"), "{output:?}");
    assert!(!output.contains("\u{1b}[6n"), "nothing is asked of the terminal: {output:?}");
}
