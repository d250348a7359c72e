//! A memory gets another name or another type, and all that names it follows.

use super::editing::{SIZES, file, select};
use super::stage::usual;

#[test]
fn a_memory_gets_another_name_and_all_that_names_it_follows_as_one_undo() {
    let setting = usual();
    setting.memory(
        "user_links.md",
        "user",
        "links",
        "2026-11-01T09:00:00.000Z",
        "See [[project_freeze]] and [it](project_freeze.md).",
    );
    let mut stage = setting.open(100, 30);
    let (index, links) = (file(&stage, "MEMORY.md"), file(&stage, "user_links.md"));
    select(&mut stage, "freeze");
    stage.press(&["N"]).type_text("_2026");
    let screen = stage.screen();
    assert!(screen.contains("project_freeze.md → project_freeze_2026.md"), "{screen}");
    assert!(screen.contains("MEMORY.md: - [Merge freeze](project_freeze_2026.md)"), "{screen}");
    assert!(screen.contains("its link follows in user_links.md"), "{screen}");
    stage.press(&["enter"]);
    assert!(file(&stage, "MEMORY.md").contains("(project_freeze_2026.md)"));
    assert!(file(&stage, "user_links.md").contains("[[project_freeze_2026]] and [it](project_freeze_2026.md)"));
    assert_eq!(stage.state.memories.file.as_deref(), Some("project_freeze_2026.md"), "the cursor follows");
    stage.press(&["u"]);
    assert_eq!((file(&stage, "MEMORY.md"), file(&stage, "user_links.md")), (index, links));
    assert!(stage.store().join("project_freeze.md").exists());
}

#[test]
fn a_name_that_cannot_be_is_refused_below_the_line_and_another_can_be_typed() {
    let mut stage = usual().open(100, 30);
    select(&mut stage, "freeze");
    for (typed, why) in [("user_role", "taken by"), ("../freeze", "leaves the store"), ("a:b", "forbid")] {
        stage.press(&["N"]);
        for _ in 0..30 {
            stage.press(&["backspace"]);
        }
        stage.press(&["ctrl-k"]).type_text(typed);
        assert!(stage.screen().contains(why), "{typed}: {}", stage.screen());
        stage.press(&["enter"]);
        assert!(stage.store().join("project_freeze.md").exists() && stage.screen().contains(why), "{typed}");
        stage.press(&["esc"]);
    }
}

#[test]
fn another_name_and_another_type_work_from_the_list_and_while_reading() {
    for opening in [&[][..], &["enter"]] {
        let mut stage = usual().open(100, 30);
        select(&mut stage, "freeze");
        stage.press(opening).press(&["T", "r"]);
        assert!(file(&stage, "project_freeze.md").contains("type: reference"), "{opening:?}");
        stage.press(&["N"]).type_text("_done").press(&["enter"]);
        assert!(stage.store().join("project_freeze_done.md").exists(), "{opening:?}");
    }
}

#[test]
fn the_line_of_another_name_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = usual().open(width, height);
        select(&mut stage, "freeze");
        stage.press(&["N"]).type_text("_2026");
        insta::assert_snapshot!(format!("another_name_shows_what_follows_at_{width}x{height}"), stage.screen());
    }
}
