//! A memory goes into CLAUDE.md or a rule, and comes back with one key.

use std::fs;

use super::editing::{SIZES, file, notice, select};
use super::stage::{Setting, usual};

fn with_claude_md() -> Setting {
    let setting = usual();
    fs::write(setting.checkout().join("CLAUDE.md"), "# How we work\n\nRun make.\n").unwrap();
    setting
}

#[test]
fn promoting_shows_the_text_writes_it_keeps_the_memory_and_is_taken_back_with_one_key() {
    let mut stage = with_claude_md().open(100, 30);
    let claude = stage.state.choice.checkout.clone().unwrap().join("CLAUDE.md");
    let before = fs::read_to_string(&claude).unwrap();
    select(&mut stage, "testing");
    stage.press(&["P"]);
    assert!(stage.screen().contains("Run make.") && stage.screen().contains("## Testing policy"), "{}", stage.screen());
    stage.press(&["tab", "tab"]).type_text("# ").press(&["ctrl-s"]);
    let after = fs::read_to_string(&claude).unwrap();
    assert!(after.starts_with("# How we work\n\nRun make.\n\n# ## Testing policy\n\nIntegration tests use"), "{after}");
    assert_eq!(notice(&stage), "It is in CLAUDE.md now; the memory stays · u takes it back");
    assert!(stage.store().join("feedback_testing.md").exists());
    stage.press(&["u"]);
    assert_eq!(fs::read_to_string(&claude).unwrap(), before);
}

#[test]
fn a_rule_gets_its_paths_and_the_memory_goes_to_the_trash_when_that_is_chosen() {
    let mut stage = with_claude_md().open(100, 30);
    let rule = stage.state.choice.checkout.clone().unwrap().join(".claude/rules/testing-policy.md");
    select(&mut stage, "testing");
    stage.press(&["P", "right", "tab"]).type_text("tests/**").press(&["tab", "right", "ctrl-s"]);
    let text = fs::read_to_string(&rule).unwrap();
    assert!(text.starts_with("---\npaths:\n  - \"tests/**\"\n---\n\n## Testing policy\n"), "{text}");
    assert!(
        !stage.store().join("feedback_testing.md").exists() && !file(&stage, "MEMORY.md").contains("feedback_testing")
    );
    assert!(
        notice(&stage).contains(".claude/rules/testing-policy.md now; the memory went to the trash"),
        "{}",
        notice(&stage)
    );
    stage.press(&["u"]);
    assert!(!rule.exists() && stage.store().join("feedback_testing.md").exists());
}

#[test]
fn a_claude_md_that_changed_at_its_end_is_looked_at_again_before_anything_is_written() {
    let mut stage = with_claude_md().open(100, 30);
    let claude = stage.state.choice.checkout.clone().unwrap().join("CLAUDE.md");
    select(&mut stage, "testing");
    stage.press(&["P"]);
    fs::write(&claude, "# How we work\n\nRun cargo.\n").unwrap();
    stage.press(&["ctrl-s"]);
    assert_eq!(fs::read_to_string(&claude).unwrap(), "# How we work\n\nRun cargo.\n");
    assert!(
        stage.screen().contains("Run cargo.") && notice(&stage).contains("changed meanwhile"),
        "{}",
        stage.screen()
    );
    stage.press(&["ctrl-s"]);
    assert!(fs::read_to_string(&claude).unwrap().starts_with("# How we work\n\nRun cargo.\n\n## Testing policy\n"));
}

#[test]
fn the_promotion_at_four_sizes() {
    for (width, height) in SIZES {
        let mut stage = with_claude_md().open(width, height);
        select(&mut stage, "testing");
        stage.press(&["P"]);
        insta::assert_snapshot!(format!("a_promotion_shows_the_file_and_the_text_at_{width}x{height}"), stage.screen());
        stage.press(&["right", "tab"]).type_text("src/**, *.sql").press(&["tab"]);
        insta::assert_snapshot!(format!("a_rule_shows_its_paths_at_{width}x{height}"), stage.screen());
    }
}
