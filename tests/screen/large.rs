//! Memories larger than any terminal.

use super::growth::{cheaper, in_proportion};
use super::stage::{Setting, Stage};

/// The screen with a memory of this body open in full.
fn opened(body: &str) -> Stage {
    let setting = Setting::new();
    setting.memory("project_large.md", "project", "large", "2026-11-29T10:00:00Z", body);
    setting.file("MEMORY.md", "- [Large](project_large.md) — large\n");
    let mut stage = setting.open(120, 40);
    stage.press(&["enter"]);
    stage.screen();
    stage
}

fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("line {number}\n")).collect()
}

#[test]
fn fc_107_a_memory_of_seventy_thousand_lines_opens_and_scrolls_to_its_end_at_a_cost_in_proportion() {
    let mut stage = opened(&lines(70_000));
    stage.press(&["G"]);
    let screen = stage.screen();
    assert!(screen.contains("line 70000"), "{screen}");
    in_proportion("opening", 70_000, |count| drop(opened(&lines(count))));
    // A frame in the middle costs what is seen, not what there is.
    let mut frame = || drop(stage.press(&["k"]).screen());
    cheaper("a frame", 10, &mut frame, &mut || drop(opened(&lines(70_000))));
}

#[test]
fn fc_107_a_line_of_two_hundred_thousand_characters_opens_and_scrolls_to_its_end() {
    let body = |count: usize| format!("{}END", "x".repeat(count));
    let screen = opened(&body(200_000)).press(&["G"]).screen();
    assert!(screen.contains("END"), "{screen}");
    in_proportion("opening", 200_000, |count| drop(opened(&body(count))));
}

#[test]
fn fc_107_a_long_line_of_wide_characters_scrolls_to_its_end_too() {
    let body = format!("{}終", "木".repeat(70_000));
    let screen = opened(&body).press(&["G"]).screen();
    assert!(screen.contains('終'), "{screen}");
}
