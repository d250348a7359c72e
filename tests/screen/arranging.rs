//! The index under the hands of a person, down to the bytes on the disk.

use std::fs;

use dreamtop::tui::layer::Layer;

use super::editing::{SIZES, file, notice, select};
use super::stage::{Setting, usual};

pub fn with_long_line() -> Setting {
    let setting = usual();
    let hook = "frozen until the mobile team has cut the release, which they said would be on Thursday, and nobody knows which Thursday it is";
    let index = format!(
        "# Memory Index\n\nWritten by hand.\n\n- [Testing](feedback_testing.md) — real database\n- [Merge freeze](project_freeze.md) — {hook}\n\n## People\n\n- \
         [Role](user_role.md) — backend\n"
    );
    setting.file("MEMORY.md", index);
    setting
}

#[test]
fn the_index_is_arranged_line_by_line_and_saved_as_one_undo() {
    let mut stage = with_long_line().open(100, 30);
    let (index, freeze) = (file(&stage, "MEMORY.md"), file(&stage, "project_freeze.md"));
    select(&mut stage, "role");
    stage.press(&["I", "p"]);
    assert_eq!(file(&stage, "MEMORY.md"), index, "nothing is written before it is saved");
    stage.press(&["j", "j", "s"]);
    assert!(stage.screen().contains("project_freeze.md would get a paragraph:"), "{}", stage.screen());
    stage.press(&["y", "k", "e"]).type_text(", always").press(&["enter", "ctrl-s"]);
    let after = file(&stage, "MEMORY.md");
    assert!(
        after.starts_with("# Memory Index\n\nWritten by hand.\n\n- [Role](user_role.md) — backend\n- [Testing]"),
        "{after}"
    );
    assert!(after.contains("real database, always\n") && after.contains("\n## People\n"), "{after}");
    assert!(after.lines().all(|line| line.chars().count() <= 150), "{after}");
    assert!(file(&stage, "project_freeze.md").contains("until Thursday.\n\nfrozen until the mobile team"));
    assert_eq!(stage.state.history.len(), 1);
    stage.press(&["u"]);
    assert_eq!((file(&stage, "MEMORY.md"), file(&stage, "project_freeze.md")), (index, freeze));
}

#[test]
fn fc_015_a_dropped_line_says_what_becomes_of_its_memory_and_comes_back_step_by_step() {
    let mut stage = with_long_line().open(100, 30);
    let index = file(&stage, "MEMORY.md");
    select(&mut stage, "role");
    stage.press(&["I", "d"]);
    assert!(
        notice(&stage).contains("user_role.md stays in the store, and no session will see it"),
        "{}",
        notice(&stage)
    );
    stage.press(&["u", "K", "u", "u"]);
    assert!(notice(&stage).contains("nothing was changed here yet"), "{}", notice(&stage));
    stage.press(&["esc"]);
    assert!(stage.state.layers.is_empty(), "nothing to ask about");
    stage.press(&["I", "d", "esc"]);
    assert!(stage.screen().contains("Unsaved changes"), "{}", stage.screen());
    stage.press(&["d"]);
    assert_eq!(file(&stage, "MEMORY.md"), index);
}

#[test]
fn fc_016_lines_that_another_program_wrote_while_the_index_was_arranged_are_kept() {
    let mut stage = with_long_line().open(100, 30);
    select(&mut stage, "role");
    stage.press(&["I", "p"]);
    let theirs = file(&stage, "MEMORY.md").replace("Written by hand.", "Written by hand.\nAnd by another.");
    fs::write(stage.store().join("MEMORY.md"), theirs).unwrap();
    stage.press(&["ctrl-s"]);
    let after = file(&stage, "MEMORY.md");
    assert!(after.contains("And by another.\n\n- [Role](user_role.md)"), "{after}");
}

#[test]
fn the_same_index_line_changed_on_both_sides_is_shown_again_and_saved_only_after_a_look() {
    let mut stage = with_long_line().open(100, 30);
    select(&mut stage, "role");
    stage.press(&["I", "e"]).type_text(", and ours").press(&["enter", "p"]);
    let theirs = file(&stage, "MEMORY.md").replace("— backend", "— theirs");
    fs::write(stage.store().join("MEMORY.md"), &theirs).unwrap();
    stage.press(&["ctrl-s"]);
    assert_eq!(file(&stage, "MEMORY.md"), theirs);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Index(_))));
    assert!(
        notice(&stage).contains("changed the same lines") && stage.screen().contains("— theirs"),
        "{}",
        stage.screen()
    );
}

#[test]
fn the_index_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = with_long_line().open(width, height);
        select(&mut stage, "freeze");
        stage.press(&["I"]);
        insta::assert_snapshot!(format!("the_index_under_the_hands_of_a_person_at_{width}x{height}"), stage.screen());
        stage.press(&["s"]);
        insta::assert_snapshot!(format!("a_long_line_shows_where_its_text_goes_at_{width}x{height}"), stage.screen());
        stage.press(&["n", "e"]);
        insta::assert_snapshot!(
            format!("a_line_of_the_index_is_written_in_its_place_at_{width}x{height}"),
            stage.screen()
        );
    }
}

#[test]
fn the_index_pane_opens_it_with_the_key_that_edits() {
    let mut stage = with_long_line().open(100, 30);
    stage.press(&["shift-tab", "j", "j", "e"]);
    let Some(Layer::Index(screen)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert_eq!(screen.list.selected, 2, "on the line that was under the cursor");
}
