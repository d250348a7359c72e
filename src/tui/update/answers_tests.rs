//! What the screen answers: refusals, notices, counts.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use chrono::Duration;

use super::*;
use crate::change::{HeldChange, InboxEntry, Landed, Landing, Op, Origin, Rationale};
use crate::memory::{Draft, Freshness, Kind};
use crate::run::{Outcome as RunOutcome, RunStatus};
use crate::tui::command;
use crate::tui::effect::{Deed, Judgement};
use crate::tui::event::Outcome;
use crate::tui::fixture::*;
use crate::tui::layer::Message;
use crate::tui::theme::Meaning;

fn told(state: &State) -> &str {
    state.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

#[test]
fn a_question_about_unsaved_text_shows_its_answers_below_however_narrow_the_screen_is() {
    let mut state = state(40, 10, four());
    press(&mut state, &["n", "x", "esc"]);
    assert!(screen(&state).contains("s save  d drop  Esc go on"), "{}", screen(&state));
}

#[test]
fn a_new_memory_is_named_and_gets_the_cursor_with_the_scan_that_finds_it() {
    let mut state = state(120, 40, four());
    let draft = Draft {
        name: "x".to_owned(),
        description: "x".to_owned(),
        kind: Kind::User,
        body: String::new(),
        origin_session: None,
        modified: now(),
    };
    let made = Landed { file: "user_x.md".to_owned(), op: Op::Create, rationale: Rationale::default(), merged: false };
    let landing = Landing { landed: vec![made], ..Landing::default() };
    let result = Ok(Outcome::Landed { title: "new user_x.md".to_owned(), landing });
    update(&mut state, AppEvent::Done { deed: Box::new(Deed::Create(draft)), result });
    assert_eq!(told(&state), "Saved user_x.md");
    let mut memories = four();
    memories.push(memory("user_x.md", "x", Kind::User, 0, Freshness::Fresh));
    scanned(&mut state, memories.clone());
    assert_eq!(state.target().unwrap().file, "user_x.md");
    press(&mut state, &["g"]);
    scanned(&mut state, memories);
    assert_ne!(state.target().unwrap().file, "user_x.md", "only once");
}

#[test]
fn a_verb_over_a_memory_that_is_read_in_full_means_that_one_whatever_is_marked() {
    let mut state = state(120, 40, four());
    press(&mut state, &["space"]);
    let read = state.target().unwrap().file.clone();
    assert!(!state.memories.marked.contains(&read));
    let effects = press(&mut state, &["enter", "y"]);
    let (seen, judgement) = (state.seen(&[read]), Judgement::StillTrue);
    assert_eq!(effects, [Effect::Do(Box::new(Deed::Judge { seen, judgement }))]);
    press(&mut state, &["esc"]);
    assert_ne!(state.targets(), [state.target().unwrap().file.clone()], "in the list the marks count");
}

#[test]
fn counts_over_a_filtered_list_are_of_what_is_shown_and_hidden_marks_outlive_a_verb() {
    let mut state = state(120, 40, four());
    press(&mut state, &["space", "space", "/", "b", "o", "a", "r", "d", "enter", "space"]);
    let shown = screen(&state);
    assert!(shown.contains("Memories 1/4 · 1 marked (+2 hidden)"), "{shown}");
    assert!(!shown.contains("stale"), "the stale one is hidden: {shown}");
    let deed = Deed::Judge { seen: state.seen(&state.targets()), judgement: Judgement::Delete };
    let result = Ok(Outcome::Landed { title: String::new(), landing: Landing::default() });
    update(&mut state, AppEvent::Done { deed: Box::new(deed), result });
    assert_eq!(state.memories.marked.len(), 2, "what was hidden was not acted on");
}

#[test]
fn a_dream_whose_process_says_nothing_is_given_up_with_what_to_do() {
    let mut state = state(120, 40, four());
    press(&mut state, &["D"]);
    update(&mut state, AppEvent::Time(now() + Duration::seconds(9)));
    assert!(state.launching.is_some());
    update(&mut state, AppEvent::Time(now() + Duration::seconds(10)));
    assert_eq!(state.launching, None);
    assert!(told(&state).contains("dreamtop dream --force"), "{}", told(&state));
    assert!(matches!(&press(&mut state, &["D"])[..], [Effect::Dream { .. }]), "another try is possible");
}

#[test]
fn a_dream_can_be_watched_from_the_key_that_started_it_on() {
    let mut state = state(120, 40, four());
    press(&mut state, &["D", "shift-down"]);
    let started = state.launching.as_ref().unwrap().run.clone();
    assert!(matches!(state.layers.last(), Some(Layer::Run(dialog)) if dialog.run == started));
    assert!(screen(&state).contains("has not reported yet"));
}

#[test]
fn a_refused_command_says_why_and_a_habitual_esc_says_nothing() {
    let mut state = state(120, 40, four());
    press(&mut state, &["esc"]);
    assert_eq!(state.notice, None);
    press(&mut state, &["shift-down"]);
    assert_eq!(told(&state), "Not possible now: no run yet; D starts a dream");
    press(&mut state, &["tab", "space"]);
    assert!(told(&state).contains("only the list of memories takes marks"), "{}", told(&state));
    let mut killed = dream("dream-1");
    (killed.status, killed.outcome) = (RunStatus::Ended, Some(RunOutcome::Killed));
    update(&mut state, crate::tui::fixture_runs::runs(vec![killed]));
    press(&mut state, &["shift-down", "u"]);
    assert!(told(&state).contains("landed nothing"), "{}", told(&state));
    press(&mut state, &["x"]);
    assert!(told(&state).contains("this run is over"), "{}", told(&state));
}

#[test]
fn every_command_that_can_be_refused_has_words_for_it() {
    let mut states = vec![empty_state(80, 24), state(80, 24, four()), state(80, 24, Vec::new())];
    states.iter_mut().for_each(|state| state.now = now());
    for state in &states {
        for spec in command::COMMANDS.iter().filter(|spec| !(spec.when)(state)) {
            if let Some(text) = refusal::why_not(state, spec) {
                assert!(text.starts_with("Not possible now: ") && !text.contains("; )"), "{}: {text}", spec.name);
            }
        }
    }
}

#[test]
fn an_empty_list_offers_nothing_to_open_or_to_fix() {
    let mut state = state(120, 40, four());
    for key in ["R", "c", "p"] {
        press(&mut state, &[key]);
        let shown = screen(&state);
        let footer = shown.lines().rev().find(|line| line.contains("Esc close")).unwrap().to_owned();
        assert!(!footer.contains("Enter open") && !footer.contains("f fix"), "{key}: {footer}");
        press(&mut state, &["esc"]);
    }
}

#[test]
fn a_question_about_more_than_the_screen_holds_counts_what_it_does_not_list() {
    let memories: Vec<_> =
        (0..40).map(|number| memory(&format!("user_{number:02}.md"), "x", Kind::User, 0, Freshness::Fresh)).collect();
    let mut state = state(60, 16, memories);
    for _ in 0..40 {
        press(&mut state, &["space"]);
    }
    press(&mut state, &["d"]);
    let shown = screen(&state);
    let listed = shown.lines().filter(|line| line.contains("user_") && line.contains(".md")).count();
    assert!(shown.contains("Move 40 memories to the trash?"), "{shown}");
    assert!(shown.contains(&format!("… and {} more", 40 - listed)), "{listed}: {shown}");
    assert!(shown.contains("y delete"), "{shown}");
}

#[test]
fn a_message_that_is_longer_than_its_window_scrolls_to_its_last_word_and_no_further() {
    let mut state = state(40, 10, four());
    let text = format!("{} END", "words of a long path ".repeat(20));
    state.layers.push(Layer::Message(Message { title: "Trouble".to_owned(), text, scroll: 0 }));
    assert!(!screen(&state).contains("END"));
    press(&mut state, &["G"]);
    let end = screen(&state);
    assert!(end.contains("END"), "{end}");
    press(&mut state, &["j", "j"]);
    assert_eq!(screen(&state), end);
}

#[test]
fn the_reason_a_run_ended_with_is_never_cut() {
    let mut state = state(80, 24, four());
    let mut skipped = dream("dream-1");
    (skipped.status, skipped.outcome) = (RunStatus::Ended, Some(RunOutcome::Skipped));
    skipped.reason =
        "lock: another program is consolidating this store; wait for it or end it, then start again".into();
    update(&mut state, crate::tui::fixture_runs::runs(vec![skipped]));
    press(&mut state, &["shift-down"]);
    assert!(screen(&state).contains("start again"), "{}", screen(&state));
}

#[test]
fn a_store_that_comes_back_is_looked_at_from_what_needs_a_look_most() {
    let mut state = state(120, 40, four());
    let store = state.store_root().to_owned();
    update(
        &mut state,
        AppEvent::Checked { store: store.clone(), findings: Vec::new(), used: crate::health::RecallUse::default() },
    );
    let trouble = crate::tui::event::StoreTrouble::Missing(store.clone());
    update(&mut state, AppEvent::Scanned { store, result: Err(trouble) });
    assert!(!state.knows_findings, "the first findings may move the cursor again");
}

#[test]
fn the_palette_names_its_keys_and_shows_commands_on_the_smallest_screen() {
    let mut state = state(20, 5, four());
    press(&mut state, &[":"]);
    assert!(screen(&state).contains("open"), "{}", screen(&state));
    state.area.width = 80;
    state.area.height = 24;
    assert!(screen(&state).contains("Enter do it"), "{}", screen(&state));
}

#[test]
fn a_notice_longer_than_the_line_is_shown_to_its_end_over_dialogs_too() {
    let mut state = state(60, 16, four());
    press(&mut state, &["H"]);
    state.tell(Meaning::Bad, format!("cannot read {}: end it, then try again", "/long/path".repeat(8)));
    let shown = screen(&state);
    assert!(shown.contains("then try again"), "{shown}");
    state.tell(Meaning::Bad, "words ".repeat(500));
    assert!(screen(&state).contains("History"), "half of the screen is left");
}

#[test]
fn the_bottom_line_counts_the_changes_that_wait_not_the_sets_they_came_in() {
    let mut state = state(120, 40, four());
    let change = |file: &str| HeldChange {
        file: file.to_owned(),
        op: Op::Create,
        base: None,
        content: Some(b"x".to_vec()),
        rationale: Rationale::default(),
        reasons: Vec::new(),
        common: None,
    };
    let entry = InboxEntry {
        id: "i1".to_owned(),
        at: now(),
        origin: Origin::Dream,
        run: None,
        title: "dream".to_owned(),
        changes: vec![change("a.md"), change("b.md"), change("c.md")],
    };
    let store = state.store_root().to_owned();
    update(&mut state, AppEvent::Inbox { store, result: Ok(vec![entry]) });
    assert!(screen(&state).contains("3 changes wait (i)"), "{}", screen(&state));
}
