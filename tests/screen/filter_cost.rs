//! What a key of the filter costs: in proportion to the memories.

use std::time::{Duration, Instant};

use super::growth::in_proportion;
use super::stage::{Setting, Stage};

fn large_store(count: usize) -> Setting {
    let setting = Setting::new();
    for number in 0..count {
        let text = format!(
            "---\nname: note number {number} about {}\ndescription: \"what was agreed on the {} in week {number}, and who decides it\"\ntype: project\n---\n\nText.\n",
            ["deploys", "freezes", "reviews", "tests"][number % 4],
            ["ingest board", "release branch", "payment retry", "orders migration"][number % 4],
        );
        setting.file(&format!("project_note_{number}.md"), text);
    }
    setting
}

/// Times of keys with their frames, the slowest last.
fn timed(stage: &mut Stage, text: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut keys: Vec<String> =
        text.chars().map(|c| if c == ' ' { "space".to_owned() } else { c.to_string() }).collect();
    keys.extend(std::iter::repeat_n("backspace".to_owned(), text.chars().count()));
    for key in keys {
        let start = Instant::now();
        stage.press(&[key.as_str()]);
        stage.screen();
        times.push(start.elapsed());
    }
    times.sort();
    times
}

/// `DREAMTOP_MEMORIES=10000 cargo test --release --test screen -- --nocapture a_key_of_the_filter` prints what a key costs.
#[test]
fn a_key_of_the_filter_costs_in_proportion_to_the_memories() {
    let count = std::env::var("DREAMTOP_MEMORIES").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    let mut stage = large_store(count).open(120, 40);
    stage.press(&["/"]);
    let mut all = Vec::new();
    for text in ["freeze release", "type:project stale", "-stale \"release branch\" note", "pymnt rtry 42"] {
        all.extend(timed(&mut stage, text));
    }
    all.sort();
    println!(
        "filter over {} memories, {} keys with their frames: p50 {:?}, p99 {:?}",
        stage.state.snapshot().unwrap().memories.len(),
        all.len(),
        all[all.len() / 2],
        all[all.len() * 99 / 100]
    );
    let press = |count: usize| {
        let mut stage =
            SMALL.with(|small| small.borrow_mut().remove(&count)).unwrap_or_else(|| large_store(count).open(120, 40));
        stage.press(&["/"]).type_text("frz rel").press(&["esc"]);
        SMALL.with(|small| small.borrow_mut().insert(count, stage));
    };
    in_proportion("filtering", 2_000, press);
}

thread_local! {
    static SMALL: std::cell::RefCell<std::collections::HashMap<usize, Stage>> = std::cell::RefCell::new(std::collections::HashMap::new());
}
