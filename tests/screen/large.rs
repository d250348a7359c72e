//! Memories larger than any terminal.

use std::time::{Duration, Instant};

use super::stage::Setting;

fn opened(body: &str) -> (super::stage::Stage, Duration) {
    let setting = Setting::new();
    setting.memory("project_large.md", "project", "large", "2026-11-29T10:00:00Z", body);
    setting.file("MEMORY.md", "- [Large](project_large.md) — large\n");
    let start = Instant::now();
    let mut stage = setting.open(120, 40);
    stage.press(&["enter"]);
    stage.screen();
    (stage, start.elapsed())
}

#[test]
fn fc_107_a_memory_of_seventy_thousand_lines_opens_at_once_and_scrolls_to_its_end() {
    let body: String = (1..=70_000).map(|number| format!("line {number}\n")).collect();
    let (mut stage, took) = opened(&body);
    assert!(took < Duration::from_secs(4), "{took:?} without optimisation");
    stage.press(&["G"]);
    let screen = stage.screen();
    assert!(screen.contains("line 70000"), "{screen}");
    let start = Instant::now();
    stage.press(&["k"]).screen();
    assert!(start.elapsed() < Duration::from_millis(200), "a frame in the middle took {:?}", start.elapsed());
}

#[test]
fn fc_107_a_line_of_two_hundred_thousand_characters_opens_and_scrolls_to_its_end() {
    let body = format!("{}END", "x".repeat(200_000));
    let (mut stage, took) = opened(&body);
    assert!(took < Duration::from_secs(4), "{took:?} without optimisation");
    let screen = stage.press(&["G"]).screen();
    assert!(screen.contains("END"), "{screen}");
}

#[test]
fn fc_107_a_long_line_of_wide_characters_scrolls_to_its_end_too() {
    let body = format!("{}終", "木".repeat(70_000));
    let (mut stage, _) = opened(&body);
    let screen = stage.press(&["G"]).screen();
    assert!(screen.contains('終'), "{screen}");
}
