//! Text that was not saved when the program ended waits at the next start, and nowhere but in our state directory.

use std::path::PathBuf;

use rustix::process::Signal;

use super::pty::{ESC, Home, Terminal};
use super::select;

/// The files in which unsaved text is kept.
fn kept(home: &Home) -> Vec<PathBuf> {
    let stores = std::fs::read_dir(home.path().join("state/dreamtop/stores")).into_iter().flatten().flatten();
    let kept = stores.flat_map(|store| std::fs::read_dir(store.path().join("unsaved")).into_iter().flatten().flatten());
    // Beside them lies what is just being written.
    kept.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

/// The form on a memory with a few words that are not saved.
fn type_into(home: &Home, words: &str) -> Terminal {
    let mut terminal = Terminal::open(home, &[]);
    write_words(&mut terminal, words);
    terminal
}

fn write_words(terminal: &mut Terminal, words: &str) {
    select(terminal, "testing policy");
    terminal.press("e");
    terminal.wait_for("Edit feedback_testing.md");
    terminal.press(words);
    terminal.wait_for(words.lines().last().unwrap_or_default());
}

#[test]
fn unsaved_text_survives_each_signal_and_is_opened_saved_and_gone_at_the_next_start() {
    for signal in [Signal::HUP, Signal::INT, Signal::TERM] {
        let home = Home::new();
        let before = home.contents();
        let terminal = type_into(&home, "Typed and not saved. ");
        terminal.signal(signal);
        terminal.end();
        assert_eq!(home.contents(), before, "the store is as it was");
        let [file] = &kept(&home)[..] else { panic!("{signal:?}: {:?}", kept(&home)) };
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);

        let mut terminal = Terminal::open(&home, &[]);
        terminal.wait_for("An unsaved draft of feedback_testing.md waits");
        terminal.press("H");
        terminal.wait_for("1 unsaved draft waits: U");
        terminal.press("U");
        terminal.wait_for("Not saved when dreamtop ended");
        terminal.press("\r");
        terminal.wait_for("Typed and not saved. Use real databases.");
        terminal.press("\u{13}");
        terminal.wait_for("Saved feedback_testing.md");
        terminal.press("\u{3}");
        assert_eq!(terminal.end().0, 0);
        assert!(home.read("feedback_testing.md").contains("Typed and not saved. Use real databases."));
        assert!(kept(&home).is_empty(), "{:?}", kept(&home));
    }
}

#[test]
fn unsaved_text_survives_a_terminal_that_vanishes_and_merges_with_what_others_wrote() {
    let home = Home::new();
    let line = "trap '' HUP; \"$DREAMTOP\" --memory-dir \"$STORE\"; echo $? > code.tmp; mv code.tmp code";
    let mut terminal = Terminal::start(home.shell(line), 100, 30);
    terminal.wait_for("testing policy");
    write_words(&mut terminal, "Ours. ");
    terminal.hang_up();
    terminal.wait_until("the exit code", |_| home.path().join("code").exists());
    assert_eq!(kept(&home).len(), 1);
    let other = home.read("feedback_testing.md").replace("always.", "always, said another program.");
    std::fs::write(home.store().join("feedback_testing.md"), other).unwrap();

    let mut terminal = Terminal::open(&home, &[]);
    terminal.wait_for("An unsaved draft of feedback_testing.md waits");
    terminal.press("U");
    terminal.wait_for("Not saved when dreamtop ended");
    terminal.press("\r");
    terminal.wait_for("The file changed since");
    terminal.press("\u{13}");
    terminal.wait_for("Saved feedback_testing.md");
    let text = home.read("feedback_testing.md");
    assert!(text.contains("Ours. ") && text.contains("said another program"), "{text}");
}

#[test]
fn a_kill_that_nothing_survives_costs_no_more_than_the_last_moment_and_a_draft_can_be_dropped() {
    let home = Home::new();
    let terminal = type_into(&home, "Thought about for a while. ");
    terminal.wait_until("the text to be kept", |_| kept(&home).len() == 1);
    terminal.signal(Signal::KILL);
    drop(terminal);

    let doctor = || {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dreamtop"));
        command.args(["--memory-dir", home.store().to_str().unwrap(), "--json", "doctor"]).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", home.path());
        command.env("XDG_STATE_HOME", home.path().join("state"));
        command.env("XDG_CONFIG_HOME", home.path().join("config")).current_dir(home.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    assert!(doctor().contains("1 unsaved draft waits: feedback_testing.md"), "{}", doctor());
    let mut terminal = Terminal::open(&home, &[]);
    terminal.wait_for("An unsaved draft of feedback_testing.md waits");
    terminal.press("U");
    terminal.wait_for("Not saved when dreamtop ended");
    terminal.press("d");
    terminal.wait_for("once dropped, it is gone");
    terminal.press("y");
    // The question, and the list below it, which is empty now.
    let is_gone = |terminal: &Terminal| {
        let text = terminal.text();
        !["Drop the unsaved draft", "1 unsaved draft", "Not saved when dreamtop ended"]
            .iter()
            .any(|it| text.contains(it))
    };
    terminal.wait_until("the list to close", is_gone);
    terminal.wait_until("it to go", |_| kept(&home).is_empty());
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    assert!(doctor().contains("no unsaved draft waits"));
}

#[test]
fn what_an_editor_has_saved_waits_as_a_draft_when_a_signal_ends_both() {
    let home = Home::new();
    let before = home.contents();
    let mut command = home.command(&[]);
    let editor = home.script("ed", "echo 'More words from the editor.' >> \"$1\"; echo in-the-editor; read line");
    command.env("EDITOR", editor);
    let mut terminal = Terminal::start(command, 100, 30);
    terminal.wait_for("testing policy");
    select(&mut terminal, "testing policy");
    terminal.press("E");
    terminal.wait_for("in-the-editor");
    let edit = home.path().join("state/dreamtop/edit");
    let copies = || std::fs::read_dir(&edit).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    use std::os::unix::fs::PermissionsExt;
    for directory in copies() {
        assert_eq!(directory.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    }
    terminal.signal(Signal::TERM);
    terminal.end();
    assert_eq!((home.contents(), copies()), (before, Vec::new()), "the text is in one place");
    assert_eq!(kept(&home).len(), 1);

    let mut terminal = Terminal::open(&home, &[]);
    terminal.wait_for("An unsaved draft of feedback_testing.md waits");
    terminal.press("U");
    terminal.wait_for("Not saved when dreamtop ended");
    terminal.press("\r");
    terminal.wait_for("More words from the editor.");
    terminal.press("\u{13}");
    terminal.wait_for("Saved feedback_testing.md");
    assert!(home.read("feedback_testing.md").ends_with("always.\nMore words from the editor.\n"));
}

#[test]
fn a_line_feed_in_a_form_breaks_the_line_and_deletes_nothing() {
    let home = Home::new();
    let mut terminal = type_into(&home, "One line.\nAnother. ");
    terminal.wait_for("Another. Use real databases.");
    terminal.press("\u{13}");
    terminal.wait_for("Saved feedback_testing.md");
    assert!(home.read("feedback_testing.md").contains("One line.\nAnother. Use real databases."));
}

#[test]
fn a_new_memory_that_was_not_saved_waits_too_and_a_credential_in_it_is_not_kept() {
    let home = Home::new();
    let mut terminal = Terminal::open(&home, &[]);
    terminal.press("n");
    terminal.wait_for("ew memory");
    terminal.press("queue names\tthe token is ghp_16C7e42F292c6912E7710c838347Ae178B4a");
    terminal.wait_for("178B4a");
    terminal.signal(Signal::TERM);
    terminal.end();
    let [file] = &kept(&home)[..] else { panic!("{:?}", kept(&home)) };
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains("queue names") && !text.contains("16C7e42F292c6912E7710c838347Ae178B4a"), "{text}");

    let mut terminal = Terminal::open(&home, &[]);
    terminal.wait_for("An unsaved draft of the new memory queue names waits");
    terminal.press("U");
    terminal.wait_for("Not saved when dreamtop ended");
    terminal.press("\r");
    terminal.wait_for("a credential in it was left out");
    // Dropped in the form, it is dropped for good.
    terminal.press(ESC);
    terminal.wait_for("s saves, d drops");
    terminal.press("d");
    terminal.wait_for("Dropped; no memory was written");
    terminal.press("q");
    terminal.wait_until("it to go", |_| kept(&home).is_empty());
}
