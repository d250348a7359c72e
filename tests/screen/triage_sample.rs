//! The sample, triaged from start to an honest store by a recorded list of keys; and back again.

use dreamtop::memory::{Freshness, ProblemCode};
use proptest::prelude::*;

use crate::stage::{Setting, Stage, usual};
use crate::triage::{listing, pair};

/// What a person presses, card by card: merge what says the same, throw away what the project contradicts, confirm the rest.
const KEYS: &str = "t y d d y y y y y y m ctrl-s y y y";

/// The key a person would press on this card.
pub fn next(stage: &Stage) -> &'static [&'static str] {
    let Some(memory) = stage.state.target() else { return &["esc"] };
    let is = |code: ProblemCode| stage.state.findings_of(&memory.file).any(|finding| finding.code == code);
    if is(ProblemCode::Duplicate) {
        &["m", "ctrl-s"]
    } else if stage.state.findings_of(&memory.file).any(|finding| finding.contradicts()) {
        &["d"]
    } else {
        &["y"]
    }
}

#[test]
fn a_recorded_list_of_keys_makes_the_sample_honest_and_undo_gives_back_every_byte() {
    let mut stage = Setting::sample().open(120, 40);
    let before = listing(stage.store());
    let stale = stage.state.memories.rows.iter().filter(|row| row.freshness == Freshness::Stale).count();
    assert!(stale > 0, "there is something to do");
    stage.press(&["t"]);
    let mut keys = vec!["t"];
    while stage.state.triage().is_some_and(|triage| triage.card().is_some()) {
        let pressed = next(&stage);
        keys.extend(pressed);
        stage.press(pressed);
        assert!(keys.len() < 500, "{}", stage.screen());
    }
    assert_eq!(keys.join(" "), KEYS, "the recorded list: record it anew when the sample or the evidence changes");
    let judged = stage.state.triage().unwrap().judged.len();
    let unconfirmed: Vec<&str> = stage
        .state
        .memories
        .rows
        .iter()
        .filter(|row| row.freshness == Freshness::Stale)
        .filter_map(|row| stage.state.snapshot().unwrap().memories.get(row.at))
        .filter(|memory| memory.age_days != Some(0))
        .map(|memory| memory.file.as_str())
        .collect();
    assert!(unconfirmed.is_empty(), "stale and not confirmed: {unconfirmed:?}");
    println!("the sample: {stale} stale, {judged} verdicts, {} keys", keys.len());
    for _ in 0..judged {
        stage.press(&["G", "u"]);
    }
    assert!(stage.state.triage().unwrap().judged.is_empty());
    assert_eq!(listing(stage.store()), before, "every byte, every time");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_verdicts_taken_back_leave_every_byte_as_it_was(
        verdicts in prop::collection::vec(0_usize..9, 1..12),
        has_pair in any::<bool>(),
    ) {
        let mut stage = if has_pair { pair() } else { usual() }.open(100, 30);
        let before = listing(stage.store());
        stage.press(&["t"]);
        for verdict in verdicts {
            if stage.state.triage().is_none_or(|triage| triage.card().is_none()) {
                break;
            }
            let keys: &[&str] = match verdict {
                0 => &["y"],
                1 => &["d"],
                2 => &["s", "7"],
                3 => &["t", "r"],
                4 => &["space"],
                5 => &["e", "X", "ctrl-s"],
                6 => &["e", "X", "ctrl-y"],
                // Without a partner the first key is refused and the second means nothing.
                7 => &["m", "ctrl-s"],
                _ => &["u"],
            };
            stage.press(keys);
        }
        if stage.state.triage().is_some_and(|triage| triage.card().is_some()) {
            stage.press(&["esc"]);
        }
        for _ in 0..20 {
            if stage.state.triage().is_some_and(|triage| !triage.judged.is_empty()) {
                stage.press(&["G", "u"]);
            }
        }
        prop_assert!(stage.state.triage().is_none_or(|triage| triage.judged.is_empty()));
        prop_assert_eq!(listing(stage.store()), before);
        prop_assert!(stage.state.snapshot().unwrap().memories.iter().all(|memory| memory.snoozed_until.is_none()));
    }
}
