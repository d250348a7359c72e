//! `Stop`: what a turn ends with.

use dreamtop::run::Outcome;

use crate::drive::Desk;

#[test]
fn what_a_person_says_in_a_turn_is_in_the_memory_after_it_and_the_run_says_who_started_it() {
    let desk = Desk::new();
    let session = desk.session();
    session.turn("Remember: integration tests must hit a real database, never mocks.", "Understood.");
    desk.settle();
    let runs = desk.runs();
    assert_eq!(runs.len(), 1, "{runs:?}");
    assert_eq!((runs[0].outcome, runs[0].trigger.as_str()), (Some(Outcome::Done), "hook"), "{runs:?}");
    assert_eq!(runs[0].notice.as_deref(), Some("Saved 1 memory"));
    let memories = desk.memories();
    assert!(memories.len() == 1 && memories[0].1.contains("real database"), "{memories:?}");
    assert!(desk.index().contains(&memories[0].0));
    assert_eq!(desk.extractions(), ["hook ran"]);
}
