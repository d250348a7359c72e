#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use chrono::Duration;

use super::*;
use crate::change::{HistoryEntry, Op};
use crate::run::event::HeldLine;
use crate::run::foreign::ForeignDream;
use crate::run::{Outcome, RunEvent, RunView, Stamped};
use crate::tui::command::Command;
use crate::tui::effect::Deed;
use crate::tui::fixture::*;
use crate::tui::fixture_runs::*;

fn with_dialog(run: RunView, width: u16, height: u16) -> (State, Vec<Effect>) {
    let mut state = state(width, height, four());
    update(&mut state, runs(vec![run]));
    let effects = press(&mut state, &["shift-down"]);
    (state, effects)
}

fn answer_diff(state: &mut State, effects: &[Effect]) {
    for effect in effects {
        if let Effect::ReadRunDiff(question) = effect {
            let before = Some(b"Use real databases.\n".to_vec());
            let after = Some(b"Use real databases in integration tests.\n".to_vec());
            update(state, AppEvent::RunDiff { question: question.clone(), result: Ok((before, after)) });
        }
    }
}

#[test]
fn the_dialog_of_a_live_dream_shows_all_that_is_known_of_it() {
    let (mut state, effects) = with_dialog(live(), 120, 40);
    answer_diff(&mut state, &effects);
    assert_screen!(&state);
}

#[test]
fn the_dialog_of_a_live_dream_fits_80_by_24() {
    let (mut state, effects) = with_dialog(live(), 80, 24);
    answer_diff(&mut state, &effects);
    assert_screen!(&state);
}

#[test]
fn one_key_kills_a_live_run_and_the_dialog_says_so_until_it_is_over() {
    let (mut state, _) = with_dialog(live(), 120, 40);
    let effects = press(&mut state, &["x"]);
    assert_eq!(effects, [Effect::Kill("dream-1".to_owned())]);
    assert!(screen(&state).contains("● killing…"));
    let mut killed = ended(Outcome::Killed);
    killed.reason = "killed by hand; nothing changed".to_owned();
    update(&mut state, runs(vec![killed]));
    let text = screen(&state);
    assert!(text.contains("✗ killed") && text.contains("nothing changed") && !text.contains("killing…"), "{text}");
    assert!(press(&mut state, &["x"]).is_empty());
}

#[test]
fn a_kill_that_does_nothing_can_be_asked_for_again() {
    let (mut state, _) = with_dialog(live(), 120, 40);
    press(&mut state, &["x"]);
    update(&mut state, AppEvent::Time(now() + Duration::seconds(11)));
    assert!(screen(&state).contains("● 2/4 gather"));
}

#[test]
fn the_diff_under_the_cursor_is_asked_for_once_per_moment_of_the_run() {
    let (mut state, effects) = with_dialog(live(), 120, 40);
    assert_eq!(effects.iter().filter(|effect| matches!(effect, Effect::ReadRunDiff(_))).count(), 1);
    assert!(update(&mut state, AppEvent::Second).is_empty(), "the same moment is not asked for again");
    let moved = press(&mut state, &["j"]);
    let Some(Effect::ReadRunDiff(question)) = moved.first() else { panic!("{moved:?}") };
    assert_eq!(question.file, "project_freeze.md");
    let mut later = live();
    later.last = Some(now() + Duration::seconds(1));
    let effects = update(&mut state, runs(vec![later]));
    assert!(effects.iter().any(|effect| matches!(effect, Effect::ReadRunDiff(_))), "{effects:?}");
}

#[test]
fn a_diff_that_belongs_to_another_file_is_never_shown_under_the_cursor() {
    let (mut state, effects) = with_dialog(live(), 120, 40);
    answer_diff(&mut state, &effects);
    assert!(screen(&state).contains("+ Use real databases in"));
    press(&mut state, &["j"]);
    assert!(!screen(&state).contains("+ Use real databases in"));
    answer_diff(&mut state, &effects);
    assert!(!screen(&state).contains("+ Use real databases in"), "a late answer is dropped");
}

#[test]
fn undo_takes_back_what_a_run_landed_once_and_where_it_landed() {
    let mut done = ended(Outcome::Done);
    done.history = Some("h1".to_owned());
    let (mut state, _) = with_dialog(done.clone(), 120, 40);
    assert!(press(&mut state, &["u"]).is_empty(), "a key that is soon pressed asks first");
    assert!(screen(&state).contains("Take back what"), "{}", screen(&state));
    assert_eq!(deed(&press(&mut state, &["y"])), &Deed::Undo { store: store_path(), entry: "dream-1".to_owned() });
    state.history = vec![HistoryEntry { undone_by: Some("h2".to_owned()), ..entry("h1") }];
    assert!(press(&mut state, &["u"]).is_empty());
    assert!(told(&state).contains("taken back already"));
    state.history.clear();
    done.store = "/elsewhere/memory".to_owned();
    update(&mut state, runs(vec![done]));
    let elsewhere = Deed::Undo { store: "/elsewhere/memory".into(), entry: "dream-1".to_owned() };
    assert_eq!(
        deed(&press(&mut state, &["u", "y"])),
        &elsewhere,
        "a run of another project is taken back where it landed"
    );
    let (mut state, _) = with_dialog(live(), 120, 40);
    assert!(press(&mut state, &["u"]).is_empty());
    assert!(told(&state).contains("Not possible now"));
}

#[test]
fn review_opens_on_what_the_run_left_in_the_inbox_until_it_was_decided_on() {
    let mut held = ended(Outcome::Held);
    held.inbox = Some("i2".to_owned());
    held.held = vec![HeldLine { op: Op::Remove, file: "a.md".to_owned(), reasons: vec![bulk()], waits_in: None }];
    let (mut state, _) = with_dialog(held, 120, 40);
    let store = store_path();
    let result = Ok(vec![inbox_entry("i1"), inbox_entry("i2")]);
    update(&mut state, AppEvent::Inbox { store: store.clone(), result });
    assert!(screen(&state).contains("1 change waits for you:"));
    assert_eq!(press(&mut state, &["r"]), [Effect::ReadReview { store: store.clone(), entry: "i2".to_owned() }]);
    let Some(Layer::Review(review)) = state.layers.last() else { panic!("no review") };
    assert_eq!(review.entry, "i2");
    press(&mut state, &["esc"]);
    update(&mut state, AppEvent::Inbox { store, result: Ok(vec![inbox_entry("i1")]) });
    assert!(screen(&state).contains("1 change was held; you decided on them"), "{}", screen(&state));
    assert!(press(&mut state, &["r"]).is_empty());
    assert!(told(&state).contains("nothing of this run waits"), "{}", told(&state));
}

#[test]
fn the_list_of_runs_shows_every_run_and_its_cursor_stays_on_its_run() {
    let mut other = ended(Outcome::Failed);
    other.id = "dream-0".to_owned();
    other.project = "harbor-ios".to_owned();
    other.reason = "the model did not answer".to_owned();
    let mut state = state(120, 24, four());
    update(&mut state, runs(vec![live(), other.clone()]));
    press(&mut state, &["R", "j"]);
    assert_screen!(&state);
    let mut newest = live();
    newest.id = "dream-2".to_owned();
    update(&mut state, runs(vec![newest, live(), other]));
    assert!(press(&mut state, &["enter"]).contains(&Effect::RefreshRuns));
    assert!(matches!(state.layers.last(), Some(Layer::Run(dialog)) if dialog.run == "dream-0"));
}

#[test]
fn what_is_said_before_a_kill_holds_also_when_its_changes_have_landed() {
    let mut state = state(120, 24, four());
    update(&mut state, runs(vec![live()]));
    press(&mut state, &["R", "x"]);
    let kill = Command::Kill.spec().unwrap();
    for said in [screen(&state).to_lowercase(), kill.sentence.to_lowercase()] {
        assert!(said.contains("before its changes land") && said.contains("undo takes them back"), "{said}");
    }
}

#[test]
fn a_live_run_is_killed_from_the_list_after_a_question_and_a_past_one_is_not() {
    let mut past = ended(Outcome::Done);
    past.id = "dream-0".to_owned();
    let mut state = state(120, 24, four());
    update(&mut state, runs(vec![live(), past]));
    let kill = Effect::Kill("dream-1".to_owned());
    assert!(!press(&mut state, &["R", "x"]).contains(&kill), "among many rows a kill asks");
    assert_eq!(press(&mut state, &["y"]), [kill]);
    assert!(!press(&mut state, &["j", "x"]).iter().any(|effect| matches!(effect, Effect::Kill(_))));
    assert!(told(&state).contains("this run is over"), "{}", told(&state));
}

/// Runs of a year for the control room: ours and others', of two projects, with every outcome.
fn many() -> Vec<RunView> {
    let run = |id: &str, days: i64, outcome: Outcome| {
        let mut run = ended(outcome);
        run.id = id.to_owned();
        run.started = Some(now() - Duration::days(days) - Duration::hours(1));
        run
    };
    let mut runs = vec![live()];
    runs.push(run("dream-7", 0, Outcome::Done));
    runs.push(run("dream-6", 1, Outcome::Held));
    let mut elsewhere = run("dream-5", 2, Outcome::Failed);
    (elsewhere.project, elsewhere.store) = ("harbor-ios".to_owned(), "/elsewhere/memory".to_owned());
    elsewhere.reason = "the model did not answer".to_owned();
    runs.push(elsewhere);
    let mut undone = run("dream-4", 3, Outcome::Done);
    (undone.history, undone.undone_by) = (Some("h8".to_owned()), Some("h9".to_owned()));
    runs.push(undone);
    for number in 0..40 {
        runs.push(run(&format!("dream-old-{number}"), 8 + number * 8, Outcome::Done));
        if number % 5 == 0 {
            runs.push(run(&format!("dream-more-{number}"), 8 + number * 8, Outcome::Done));
        }
    }
    runs
}

fn foreign() -> ForeignDream {
    ForeignDream {
        store: "/home/ada/.claude/projects/ledger/memory".into(),
        project: "ledger-web".to_owned(),
        pid: 4711,
        since: now() - Duration::minutes(3),
        touched: vec!["user_role.md".to_owned()],
    }
}

fn room(width: u16, height: u16) -> State {
    let mut state = state(width, height, four());
    update(&mut state, runs(many()));
    let effects = press(&mut state, &["R"]);
    assert!(effects.contains(&Effect::RefreshForeign) && effects.contains(&Effect::ReadStats), "{effects:?}");
    update(&mut state, AppEvent::Foreign(vec![foreign()]));
    let at = |seconds: i64, event: RunEvent| Stamped { at: now() - Duration::seconds(seconds), event };
    let tool = |name: &str, target: &str, allowed: bool| RunEvent::Tool {
        name: name.to_owned(),
        target: target.to_owned(),
        allowed,
    };
    let events = vec![
        at(42, RunEvent::Phase { phase: crate::engine::Phase::Orient }),
        at(20, tool("Edit", "feedback_testing.md", true)),
        at(19, RunEvent::Touched { file: "feedback_testing.md".to_owned(), op: crate::run::TouchOp::Changed }),
        at(2, tool("Bash", "rm -rf /", false)),
    ];
    update(&mut state, AppEvent::Tail { run: "dream-1".to_owned(), events });
    state
}

#[test]
fn the_control_room_shows_live_runs_first_others_dreams_and_the_events_of_the_selected_one() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        assert_screen!(format!("the_control_room_at_{width}x{height}"), &room(width, height));
    }
}

#[test]
fn a_year_of_dreams_is_a_chart_that_reads_without_colour() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut state = room(width, height);
        press(&mut state, &["y"]);
        assert_screen!(format!("a_year_of_dreams_at_{width}x{height}"), &state);
    }
}

#[test]
fn q_and_escape_in_a_view_of_the_room_go_back_to_its_table_and_then_to_the_dashboard() {
    let mut state = room(120, 40);
    for key in ["q", "esc"] {
        press(&mut state, &["y", key]);
        assert!(screen(&state).contains("Runs "), "{}", screen(&state));
    }
    assert!(press(&mut state, &["q"]).is_empty());
    assert!(state.layers.is_empty());
    assert_eq!(press(&mut state, &["q"]), [Effect::Quit]);
}

#[test]
fn the_filter_of_the_room_takes_words_of_project_kind_and_outcome_in_any_order() {
    let mut state = room(120, 40);
    press(&mut state, &["/"]);
    typed(&mut state, "failed harbor");
    let text = screen(&state);
    assert!(text.contains("the model did not answer") && !text.contains("updating "), "{text}");
    press(&mut state, &["enter", "x"]);
    assert!(told(&state).contains("this run is over"), "keys are keys again: {}", told(&state));
    press(&mut state, &["/"]);
    typed(&mut state, " nothing");
    assert!(screen(&state).contains("Nothing here has all these words."));
    press(&mut state, &["esc"]);
    assert!(screen(&state).contains("the model did not answer"));
    press(&mut state, &["esc"]);
    assert!(screen(&state).contains("ledger-web"), "esc drops the filter before it closes the room");
}

#[test]
fn a_dream_of_another_program_is_watched_and_not_killed() {
    let mut state = room(120, 40);
    press(&mut state, &["g"]);
    let text = screen(&state);
    assert!(text.contains("not ours") && text.contains("process 4711"), "{text}");
    for key in ["x", "u", "r", "D", "enter"] {
        let effects = press(&mut state, &[key]);
        assert!(effects.is_empty(), "{key}: {effects:?}");
    }
    press(&mut state, &["x"]);
    assert!(told(&state).contains("watched, not killed"), "{}", told(&state));
}

#[test]
fn an_undone_run_says_so_in_the_room_and_in_its_dialog() {
    let mut state = room(120, 40);
    press(&mut state, &["/"]);
    typed(&mut state, "undone");
    press(&mut state, &["enter"]);
    assert!(screen(&state).contains("↶ undone"), "{}", screen(&state));
    press(&mut state, &["enter"]);
    let text = screen(&state);
    assert!(text.contains("↶ undone") && text.contains("taken back by h9"), "{text}");
    press(&mut state, &["u"]);
    assert!(told(&state).contains("taken back already"), "{}", told(&state));
}

#[test]
fn fc_049_a_run_whose_process_is_gone_is_interrupted_and_one_key_runs_it_now() {
    let mut state = state(120, 40, four());
    let mut lost = live();
    lost.status = crate::run::RunStatus::Interrupted;
    lost.reason = "its process is gone; a run changes nothing before its end".to_owned();
    update(&mut state, runs(vec![lost.clone()]));
    press(&mut state, &["shift-down"]);
    let text = screen(&state);
    assert!(text.contains("interrupted") && text.contains("D runs it now"), "{text}");
    let effects = press(&mut state, &["D"]);
    let [Effect::Dream { store, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!(store, &store_path());
    // In another project's row, it is that project that dreams.
    lost.store = "/elsewhere/memory".to_owned();
    let mut state = crate::tui::fixture::state(120, 40, four());
    update(&mut state, runs(vec![lost]));
    let effects = press(&mut state, &["R", "D"]);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Dream { store, .. } if store.ends_with("elsewhere/memory"))),
        "{effects:?}"
    );
}

#[test]
fn leaving_while_a_run_that_was_started_here_goes_on_asks_whether_to_keep_it() {
    let mut state = state(80, 24, four());
    let effects = press(&mut state, &["D"]);
    let [Effect::Dream { run, .. }] = effects.as_slice() else { panic!("{effects:?}") };
    let mut own = live();
    own.id.clone_from(run);
    update(&mut state, runs(vec![own]));
    assert!(press(&mut state, &["q"]).is_empty());
    assert_screen!(&state);
    assert!(press(&mut state, &["esc"]).is_empty() && state.layers.is_empty(), "esc stays");
    assert_eq!(press(&mut state, &["Q", "k"]), [Effect::Quit], "k keeps it running");
    press(&mut state, &["esc"]);
    assert_eq!(press(&mut state, &["Q", "x"]), [Effect::Kill(run.clone()), Effect::Quit]);
    assert_eq!(press(&mut state, &["Q", "ctrl-c"]), [Effect::Quit], "ctrl-c twice is no question");
}

#[test]
fn leaving_while_somebody_elses_run_goes_on_asks_nothing() {
    let mut state = state(80, 24, four());
    update(&mut state, runs(vec![live()]));
    assert_eq!(press(&mut state, &["q"]), [Effect::Quit]);
}

#[test]
fn a_click_takes_the_cursor_to_a_row_of_the_room_and_a_second_one_opens_it() {
    let mut state = room(120, 40);
    let click = |state: &mut State, row: u16| {
        let kind = crossterm::event::MouseEventKind::Down(crossterm::event::MouseButton::Left);
        let event =
            crossterm::event::MouseEvent { kind, column: 20, row, modifiers: crossterm::event::KeyModifiers::NONE };
        update(state, AppEvent::Mouse(event))
    };
    let at = screen(&state).lines().position(|line| line.contains("? held")).unwrap();
    click(&mut state, u16::try_from(at).unwrap());
    assert!(matches!(state.layers.last(), Some(Layer::Runs(layer)) if layer.row.as_deref() == Some("dream-6")));
    click(&mut state, u16::try_from(at).unwrap());
    assert!(matches!(state.layers.last(), Some(Layer::Run(dialog)) if dialog.run == "dream-6"));
}

#[test]
fn the_room_names_the_latest_trigger_that_began_nothing_and_reads_the_records_when_one_comes() {
    use crate::engine::JobKind;
    use crate::run::ledger::Ledger;
    use crate::run::records::{Happened, RunRecord};
    let mut state = room(120, 40);
    let effects = update(&mut state, AppEvent::RunsTouched);
    assert!(effects.contains(&Effect::ReadStats), "{effects:?}");
    let record = |what, trigger: &str, reason: &str| RunRecord {
        trigger: trigger.to_owned(),
        reason: reason.to_owned(),
        ..RunRecord::new(JobKind::Extract, what, chrono::DateTime::UNIX_EPOCH)
    };
    let refused = record(Happened::Skipped, "hook", "turns: 0/1 turns: nothing new since the last extraction");
    let by_hand = record(Happened::Skipped, "hand", "turns: 0/1 turns");
    let began = record(Happened::Fired, "hook", "");
    for (records, is_named) in
        [(vec![by_hand.clone(), refused.clone()], true), (vec![began, refused], false), (vec![by_hand], false)]
    {
        let _ = update(&mut state, AppEvent::Stats(Ok(Box::new(Ledger { records, ..Ledger::default() }))));
        assert_eq!(screen(&state).contains("extraction not begun (turns)"), is_named, "{}", screen(&state));
    }
}

#[test]
fn the_dialog_of_a_reviewed_run_says_that_it_was_decided_on_and_not_that_it_waits() {
    let mut held = ended(Outcome::Held);
    held.inbox = Some("i1".to_owned());
    held.reason = "2 changes wait in the inbox for a person".to_owned();
    let line = |file: &str| HeldLine { op: Op::Replace, file: file.to_owned(), reasons: Vec::new(), waits_in: None };
    held.held = vec![line("a.md"), line("b.md"), line("MEMORY.md")];
    let mut state = state(120, 40, four());
    let entry = |result| AppEvent::Inbox { store: store_path(), result: Ok(result) };
    update(&mut state, runs(vec![held]));
    update(&mut state, entry(vec![inbox_entry("i1")]));
    press(&mut state, &["R", "enter"]);
    assert!(screen(&state).contains("2 changes wait in the inbox"), "{}", screen(&state));
    update(&mut state, entry(Vec::new()));
    let shown = screen(&state);
    assert!(shown.contains("✓ reviewed") && shown.contains("2 changes were held; you decided on them"), "{shown}");
    assert!(!shown.contains("wait in the inbox") && !shown.contains("? held"), "{shown}");
    assert_eq!(shown.matches("you decided on them").count(), 1, "{shown}");
}

#[test]
fn a_gate_that_waits_for_another_program_is_looked_at_again_when_that_one_is_gone() {
    let mut state = state(120, 40, four());
    let held = |detail: &str| crate::run::Gate {
        gate: "lock",
        passed: Some(false),
        detail: detail.to_owned(),
        short: "held".to_owned(),
        wait: None,
    };
    state.gates.dream = vec![held("another program is consolidating this store (PID 4711, for 3 min)")];
    assert!(state.is_lively(), "nobody tells when it ends");
    assert_eq!(update(&mut state, AppEvent::Second), [Effect::RefreshForeign]);
    let here = ForeignDream { store: store_path(), ..foreign() };
    assert_eq!(update(&mut state, AppEvent::Foreign(vec![here])), [], "it goes on");
    assert_eq!(update(&mut state, AppEvent::Foreign(vec![foreign()])), [Effect::RefreshGates], "others are others");
    state.gates.dream = vec![held("a dream of this store is running (PID 4711)")];
    assert!(!state.is_lively(), "ours says itself when it ends");
    assert_eq!(update(&mut state, AppEvent::Foreign(Vec::new())), []);
}

#[test]
fn the_question_whether_to_kill_a_run_goes_when_the_run_ended_behind_it() {
    let mut state = state(120, 24, four());
    update(&mut state, runs(vec![live()]));
    press(&mut state, &["R", "x"]);
    assert!(matches!(state.layers.last(), Some(Layer::Confirm(_))));
    update(&mut state, runs(vec![live()]));
    assert!(matches!(state.layers.last(), Some(Layer::Confirm(_))), "it goes on");
    update(&mut state, runs(vec![ended(Outcome::Done)]));
    assert!(matches!(state.layers.last(), Some(Layer::Runs(_))));
    assert!(told(&state).contains("ended by itself"), "{}", told(&state));
}
