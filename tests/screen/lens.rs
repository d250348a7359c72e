//! The recall lens.

use dreamtop::tui::effect::{Effect, RecallQuestion};
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;
use dreamtop::tui::update;
use insta::assert_snapshot;

use super::stage::{Stage, key, usual};

fn asked(width: u16, height: u16, prompt: &str) -> Stage {
    let mut stage = usual().open(width, height);
    stage.press(&["r"]).type_text(prompt);
    stage
}

#[test]
fn the_lens_on_the_smallest_full_screen() {
    assert_snapshot!(asked(60, 16, "write an integration test for the merge").screen());
}

#[test]
fn the_lens_on_an_ordinary_terminal() {
    assert_snapshot!(asked(80, 24, "write an integration test for the merge").screen());
}

#[test]
fn the_lens_on_a_wide_terminal() {
    assert_snapshot!(asked(120, 40, "write an integration test for the merge").screen());
}

#[test]
fn the_lens_on_a_very_wide_terminal() {
    assert_snapshot!(asked(200, 50, "write an integration test for the merge").screen());
}

#[test]
fn an_empty_lens_says_what_it_is_for_and_one_without_matches_says_so() {
    assert!(asked(80, 24, "").screen().contains("Type a prompt"));
    assert!(asked(80, 24, "zebra").screen().contains("nothing would be picked"));
}

#[test]
fn enter_opens_the_memory_over_the_lens_and_escape_comes_back_and_closes() {
    let mut stage = asked(80, 24, "is there a merge freeze");
    stage.press(&["enter"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Reading(_))));
    assert_eq!(stage.state.memories.file.as_deref(), Some("project_freeze.md"));
    stage.press(&["esc"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Lens(_))));
    stage.press(&["esc"]);
    stage.press(&["r"]).type_text("freeze").press(&["esc"]);
    assert!(stage.state.layers.is_empty());
}

#[test]
fn a_late_answer_to_an_older_prompt_is_dropped() {
    let mut stage = asked(80, 24, "merge freeze");
    let store = stage.state.choice.store.root().to_owned();
    let shown = |stage: &Stage| match stage.state.layers.last() {
        Some(Layer::Lens(lens)) => lens.length(),
        _ => panic!("no lens"),
    };
    let before = shown(&stage);
    assert!(before > 0);
    for prompt in ["merge", "merge freeze "] {
        let question = RecallQuestion { store: store.clone(), prompt: prompt.to_owned() };
        stage.take(AppEvent::Recalled { question, result: Ok(Default::default()) });
        assert_eq!(shown(&stage), before, "{prompt:?}");
    }
    let effects = update::update(&mut stage.state, AppEvent::Key(key("x")));
    let question = RecallQuestion { store, prompt: "merge freezex".to_owned() };
    assert_eq!(effects, [Effect::Recall(question)], "every letter asks");
}
