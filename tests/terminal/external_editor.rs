//! The editor of the environment under a real terminal: it has the screen for itself, and what it did is taken up.

use crate::pty::{ESC, Home, Terminal};
use crate::{assert_undone, select};

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
