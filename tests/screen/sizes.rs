//! Any size draws.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use dreamtop::tui::effect::Effect;
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::confirm::Confirm;
use dreamtop::tui::layer::{Layer, Message};

use super::stage::{Stage, usual};

/// Keys that open each layer from the dashboard.
const OPENERS: &[&[&str]] = &[
    &[],
    &["/"],
    &["enter"],
    &["?"],
    &[":"],
    &["p"],
    &["c"],
    &["d"],
    &["e"],
    &["n"],
    &["i"],
    &["H"],
    &["r", "t", "e", "s", "t"],
    &["R"],
    &["R", "y"],
    &["R", "s"],
    &["w"],
    &["p", "w"],
    &["tab", "tab"],
    &["t"],
    &["t", "s"],
    &["t", "t"],
    &["t", "y", "esc"],
    &["space", "t"],
    &["S"],
    &["p", "/", "a"],
    &[","],
    &[",", "enter", "x"],
    &["N"],
    &["N", "x"],
    &["T"],
    &["P"],
    &["P", "right", "tab", "a"],
    &["I"],
    &["I", "G", "p", "e", "x"],
    &["I", "d", "esc"],
];

fn with_layers(mut check: impl FnMut(&mut Stage)) {
    for keys in OPENERS {
        let mut stage = usual().open(80, 24);
        stage.press(keys);
        check(&mut stage);
    }
    let mut stage = usual().open(80, 24);
    let lines = (0..60).map(|number| format!("memory_{number}.md")).collect();
    stage.state.layers.push(Layer::Confirm(Confirm {
        title: "Move 60 memories to the trash?".repeat(9),
        lines,
        yes: "delete",
        effects: Vec::new(),
    }));
    check(&mut stage);
    let text = "words that say why ".repeat(400);
    stage.state.layers.push(Layer::Message(Message { title: "Not written".to_owned(), text, scroll: 0 }));
    check(&mut stage);
}

#[test]
fn fc_106_every_layer_draws_at_every_odd_size() {
    with_layers(|stage| {
        for (width, height) in
            [(0, 0), (1, 1), (2, 2), (10, 3), (46, 44), (300, 5), (20, 5), (19, 5), (60, 16), (59, 15), (0, 9), (9, 0)]
        {
            stage.resize(width, height);
            stage.screen();
        }
    });
}

#[test]
fn fc_106_a_storm_of_sizes_and_keys_does_not_break_anything() {
    // A fixed sequence that looks random: the same storm every time.
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed % below
    };
    let keys = [
        "j", "k", "tab", "G", "g", "ctrl-d", "ctrl-u", "enter", "esc", "s", "space", "?", "/", "x", "up", "down", "t",
        "I", "J", "K", "p", "N", "P", "T", "e", "u",
    ];
    let mut stage = usual().open(80, 24);
    for _ in 0..600 {
        stage.resize(next(140) as u16, next(50) as u16);
        stage.press(&[keys[next(keys.len() as u64) as usize]]);
        stage.screen();
    }
}

#[test]
fn below_the_useful_size_one_line_says_so() {
    let mut stage = usual().open(19, 4);
    assert!(stage.screen().starts_with("dreamtop: too small"), "{}", stage.screen());
    stage.resize(60, 16);
    assert!(stage.screen().contains("Memories 5"), "{}", stage.screen());
}

#[test]
fn where_nothing_is_seen_no_key_no_text_and_no_click_counts_but_those_that_leave() {
    let mut stage = usual().open(80, 24);
    stage.press(&["/"]).type_text("freeze").press(&["enter"]);
    let before = stage.screen();
    stage.resize(19, 4);
    stage.press(&["d", "y", "y", "n", "space", "/", "x"]);
    stage.take(AppEvent::Paste("words".to_owned()));
    let (kind, modifiers) = (MouseEventKind::Down(MouseButton::Left), KeyModifiers::NONE);
    stage.take(AppEvent::Mouse(MouseEvent { kind, column: 3, row: 2, modifiers }));
    stage.resize(80, 24);
    assert_eq!(stage.screen(), before);
    assert!(stage.store().join("project_freeze.md").exists() && stage.state.history.is_empty());
    for keys in [&["q"][..], &["ctrl-c"]] {
        stage.asked.clear();
        stage.resize(10, 2).press(keys);
        assert_eq!(stage.asked, [Effect::Quit], "{keys:?}");
    }
    // In a form the letter is text, and nobody sees what it would go into.
    stage.resize(80, 24).press(&["n"]).resize(10, 2);
    stage.asked.clear();
    stage.press(&["q", "esc"]);
    assert!(stage.asked.is_empty() && matches!(stage.state.layers.last(), Some(Layer::New(_))));
}
