//! What the screen says when there is nothing to show.

use insta::assert_snapshot;

use super::stage::Setting;

#[test]
fn without_a_claude_home_it_explains_and_offers_the_sample() {
    assert_snapshot!(Setting::without_home().open(120, 24).screen());
}

#[test]
fn a_project_without_memory_says_when_it_will_have_one() {
    let stage = Setting::without_store().open(120, 24);
    assert!(stage.screen().contains("This project has no memory yet."), "{}", stage.screen());
}

#[test]
fn a_first_memory_can_be_written_where_there_is_no_store_yet() {
    let mut stage = Setting::without_store().open(120, 40);
    stage.press(&["n"]).type_text("First").press(&["tab"]).type_text("The very first one").press(&["ctrl-s"]);
    let screen = stage.screen();
    assert!(screen.contains("Memories 1"), "{screen}");
    let index = std::fs::read_to_string(stage.store().join("MEMORY.md")).unwrap();
    assert!(index.contains("The very first one"), "{index}");
}

#[test]
fn an_empty_store_says_what_to_do() {
    assert_snapshot!(Setting::new().open(80, 24).screen());
}

#[test]
fn a_file_where_the_store_should_be_is_named_as_such() {
    let setting = Setting::without_store();
    std::fs::create_dir_all(setting.store().parent().unwrap()).unwrap();
    std::fs::write(setting.store(), "not a directory").unwrap();
    let screen = setting.open(200, 24).screen();
    assert!(screen.contains("is a file, not a memory directory"), "{screen}");
}

#[test]
fn memory_that_is_off_by_settings_says_what_switched_it_off() {
    let setting = Setting::new();
    std::fs::write(setting.path("home/.claude/settings.json"), "{\"autoMemoryEnabled\": false}").unwrap();
    let screen = setting.open(120, 24).screen();
    assert!(screen.contains("Auto-memory is off: ") && screen.contains("autoMemoryEnabled"), "{screen}");
}

#[test]
fn a_credential_is_named_by_rule_and_line_in_preview_and_health_and_marks_its_row() {
    let setting = Setting::new();
    // Put together here, so that no scanner takes this file for a leak.
    let token = format!("ghp{}{}abcdEF", "_", "a1B2c3D4e5".repeat(3));
    let topic = format!("---\nname: login\ndescription: d\ntype: reference\n---\n\nUse `{token}` there.\n");
    std::fs::write(setting.store().join("reference_login.md"), topic).unwrap();
    std::fs::write(setting.store().join("MEMORY.md"), format!("- [Login](reference_login.md) — {token}\n")).unwrap();
    let mut stage = setting.open(200, 50);
    let screen = stage.screen();
    assert!(screen.contains("credential: github-token at line 7"), "{screen}");
    assert!(screen.contains("✗"), "the row is marked: {screen}");
    let health = stage.press(&["c"]).screen();
    assert!(health.contains("credential: github-token at line 1"), "{health}");
}
