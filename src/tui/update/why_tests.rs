#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use super::*;
use crate::run::{Gate, GateReport};
use crate::tui::fixture::*;

fn gate(gate: &'static str, passed: Option<bool>, detail: &str, short: &str) -> Gate {
    Gate { gate, passed, detail: detail.to_owned(), short: short.to_owned(), wait: None }
}

fn report() -> GateReport {
    GateReport {
        dream: vec![
            gate("enabled", Some(true), "on", "on"),
            gate("time", Some(true), "31h since the last success (24h needed)", "31h"),
            gate("throttle", Some(true), "no automatic dream has looked through the sessions yet", "open"),
            gate(
                "sessions",
                Some(false),
                "3/5 sessions with something new from a person since the last success",
                "3/5 sessions",
            ),
            gate("lock", Some(true), "free", "free"),
        ],
        extract: vec![gate("turns", Some(false), "0/1 turns: nothing new since the last extraction", "0/1 turns")],
    }
}

#[test]
fn the_card_says_of_every_gate_its_figure_and_a_sentence() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut state = state(width, height, four());
        assert_eq!(press(&mut state, &["w"]), [Effect::Explain(None)]);
        let store = store_path();
        update(&mut state, AppEvent::Explained { store, report: report() });
        assert_screen!(format!("why_no_dream_at_{width}x{height}"), &state);
    }
}

#[test]
fn a_card_that_does_not_fit_scrolls_and_q_closes_it() {
    let mut state = state(60, 16, four());
    press(&mut state, &["w"]);
    update(&mut state, AppEvent::Explained { store: store_path(), report: report() });
    let before = screen(&state);
    press(&mut state, &["G"]);
    assert_ne!(screen(&state), before);
    assert!(press(&mut state, &["q"]).is_empty() && state.layers.is_empty());
}

#[test]
fn the_list_of_projects_explains_the_one_under_the_cursor_and_answers_for_another_are_dropped() {
    let mut state = state(80, 24, four());
    let home = crate::project::ClaudeHome::at("/home/ada/.claude");
    let projects = vec![home.folder("-work-acme"), home.folder("-work-ledger")];
    press(&mut state, &["p"]);
    update(&mut state, AppEvent::Projects(Ok(projects.clone())));
    let effects = press(&mut state, &["j", "w"]);
    assert_eq!(effects, [Effect::Explain(Some(Box::new(projects[1].clone())))]);
    update(&mut state, AppEvent::Explained { store: store_path(), report: report() });
    assert!(screen(&state).contains("Looking at the gates"), "{}", screen(&state));
    let store = projects[1].store.root().to_owned();
    update(&mut state, AppEvent::Explained { store, report: report() });
    assert!(screen(&state).contains("No dream starts by itself."), "{}", screen(&state));
}
