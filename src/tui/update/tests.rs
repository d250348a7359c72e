#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::*;
use crate::change::{HistoryEntry, Origin};
use crate::memory::{ContentHash, Freshness, Kind};
use crate::run::{Outcome, RunStatus};
use crate::tui::command;
use crate::tui::effect::Deed;
use crate::tui::event::{Page, StoreTrouble};
use crate::tui::fixture::*;
use crate::tui::state::Sort;
use crate::tui::theme::Meaning;

fn selected(state: &State) -> &str {
    &state.target().unwrap().file
}

fn click(state: &mut State, column: u16, row: u16) -> Vec<Effect> {
    let kind = MouseEventKind::Down(MouseButton::Left);
    update(state, AppEvent::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

#[test]
fn what_needs_a_look_comes_first_and_each_order_is_its_own() {
    let mut state = state(120, 40, four());
    let order = |state: &State| -> Vec<String> {
        let snapshot = state.snapshot().unwrap();
        state.memories.rows.iter().map(|row| snapshot.memories[row.at].name.clone()).collect()
    };
    assert_eq!(order(&state), ["merge freeze", "backend role", "ingest board", "testing policy"]);
    press(&mut state, &["s"]);
    assert_eq!((state.memories.sort, order(&state)[0].as_str()), (Sort::Age, "backend role"));
    press(&mut state, &["s"]);
    assert_eq!(order(&state), ["backend role", "ingest board", "merge freeze", "testing policy"]);
    press(&mut state, &["s"]);
    assert_eq!(order(&state), ["backend role", "testing policy", "merge freeze", "ingest board"]);
}

#[test]
fn the_cursor_stays_on_its_file_when_the_order_changes() {
    let mut state = state(120, 40, four());
    press(&mut state, &["j"]);
    let file = selected(&state).to_owned();
    press(&mut state, &["s", "s", "s"]);
    assert_eq!(selected(&state), file);
}

#[test]
fn a_scan_of_another_store_is_dropped() {
    let mut state = state(120, 40, four());
    let result = Err(StoreTrouble::Unreadable("not ours".to_owned()));
    let effects = update(&mut state, AppEvent::Scanned { store: "/elsewhere".into(), result });
    assert_eq!(effects, []);
    assert!(state.snapshot().is_some());
}

#[test]
fn a_scan_that_found_nothing_new_asks_for_nothing() {
    let mut state = state(120, 40, four());
    assert_eq!(scanned(&mut state, four()), []);
}

#[test]
fn a_late_page_of_a_memory_that_is_no_longer_selected_is_dropped() {
    let mut state = empty_state(120, 40);
    let store = store_path();
    let first = update(&mut state, AppEvent::Scanned { store, result: Ok(Arc::new(snapshot(four()))) });
    let second = update(&mut state, AppEvent::Key(KeyEvent::new(KeyCode::Char('j'), KeyModifiers::NONE)));
    let question = |effects: &[Effect]| {
        effects
            .iter()
            .find_map(|effect| match effect {
                Effect::ReadPreview(question) => Some(question.clone()),
                _ => None,
            })
            .unwrap()
    };
    let (late, asked) = (question(&first), question(&second));
    assert_ne!(late.file, asked.file);
    update(&mut state, AppEvent::Previewed { question: late, result: Ok(Page { lines: vec!["late".into()] }) });
    assert!(state.preview.page.is_none());
    update(&mut state, AppEvent::Previewed { question: asked, result: Ok(Page { lines: vec!["asked".into()] }) });
    assert!(screen(&state).contains("asked"));
}

#[test]
fn the_same_page_is_not_asked_for_twice_but_other_content_is() {
    let mut state = state(120, 40, four());
    assert_eq!(update(&mut state, AppEvent::Second), []);
    let mut memories = four();
    memories[1].hash = ContentHash::of(b"edited outside");
    let effects = scanned(&mut state, memories);
    assert!(
        matches!(&effects[..], [Effect::Check, Effect::ReadHistory, Effect::ReadPreview(question)] if question.file == "project_freeze.md")
    );
}

#[test]
fn fc_051_a_dream_with_nothing_new_since_the_last_one_says_so_and_asks() {
    let gate = |gate, short: &str| crate::run::Gate {
        gate,
        passed: Some(false),
        detail: String::new(),
        short: short.to_owned(),
        wait: None,
    };
    for (time, sessions, asks) in
        [("3h", "0/5 sessions", true), ("3h", "1/5 sessions", false), ("never", "0/5 sessions", false)]
    {
        let mut state = state(100, 30, four());
        state.gates.dream = vec![gate("time", time), gate("sessions", sessions)];
        let effects = press(&mut state, &["D"]);
        assert_eq!(effects.is_empty(), asks, "{time} {sessions}: {effects:?}");
        if asks {
            assert!(screen(&state).contains("Dream with nothing new?"), "{}", screen(&state));
            assert!(state.launching.is_none(), "it is not starting before it is said yes to");
            press(&mut state, &["n"]);
            assert!(state.launching.is_none() && state.started_here.is_empty());
            press(&mut state, &["D"]);
            assert!(matches!(&press(&mut state, &["y"])[..], [Effect::Dream { .. }]));
            assert!(state.launching.is_some() && state.started_here.len() == 1);
        }
    }
}

#[test]
fn a_dream_is_started_once_and_only_when_none_is_going_on() {
    let mut state = state(120, 40, four());
    let effects = press(&mut state, &["D", "D"]);
    let [Effect::Dream { run, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert!(run.starts_with("dream-"), "{run}");
    assert!(screen(&state).contains("starting a dream"));
    update(&mut state, crate::tui::fixture_runs::runs(vec![dream(run)]));
    assert_eq!(state.launching, None);
    assert_eq!(press(&mut state, &["D"]), []);
}

#[test]
fn a_dream_that_cannot_be_started_is_said_and_can_be_tried_again() {
    let mut state = state(120, 40, four());
    let effects = press(&mut state, &["D"]);
    let [Effect::Dream { run, .. }] = &effects[..] else { panic!("{effects:?}") };
    update(&mut state, AppEvent::Launched { run: run.clone(), result: Err("no such file".to_owned()) });
    assert!(state.notice.as_ref().unwrap().text.contains("no such file"));
    assert!(!state.is_lively(), "nothing moves any more");
    assert!(matches!(&press(&mut state, &["D"])[..], [Effect::Dream { .. }]));
}

#[test]
fn the_pill_shows_phase_time_sessions_and_files_of_a_live_dream() {
    let mut state = state(120, 40, four());
    update(&mut state, crate::tui::fixture_runs::runs(vec![dream("dream-1")]));
    assert_eq!(state.pill().unwrap().text, "● dreaming 2/4 gather 0:42 · 5 sessions · 1 file");
    let mut elsewhere = dream("dream-2");
    elsewhere.store = "/other/memory".to_owned();
    elsewhere.project = "harbor-ios".to_owned();
    update(&mut state, crate::tui::fixture_runs::runs(vec![elsewhere.clone(), dream("dream-1")]));
    assert!(state.pill().unwrap().text.ends_with(" · +1 elsewhere"));
    update(&mut state, crate::tui::fixture_runs::runs(vec![elsewhere]));
    let pill = state.pill().unwrap().text;
    assert!(pill.contains(" 0:42 in harbor-ios · 5 sessions"), "where it is comes before what may be cut: {pill}");
}

#[test]
fn while_a_run_goes_on_the_narrow_footer_shows_the_key_that_watches_it() {
    let mut state = state(80, 24, four());
    assert!(!screen(&state).contains("Shift-↓ watch"));
    let mut elsewhere = dream("dream-2");
    elsewhere.store = "/other/memory".to_owned();
    update(&mut state, crate::tui::fixture_runs::runs(vec![elsewhere]));
    assert!(screen(&state).contains("Shift-↓ watch"), "{}", screen(&state));
}

#[test]
fn a_dream_that_ends_becomes_the_notice_and_the_store_is_read_again() {
    let mut state = state(120, 40, four());
    update(&mut state, crate::tui::fixture_runs::runs(vec![dream("dream-1")]));
    let mut over = dream("dream-1");
    over.status = RunStatus::Ended;
    over.outcome = Some(Outcome::Done);
    over.notice = Some("Improved 3 memories".to_owned());
    let effects = update(&mut state, crate::tui::fixture_runs::runs(vec![over]));
    assert_eq!(effects, [Effect::Rescan, Effect::ReadHistory, Effect::ReadInbox, Effect::RefreshGates]);
    assert_eq!(state.pill().unwrap().text, "✓ Improved 3 memories");
    press(&mut state, &["esc"]);
    assert_eq!(state.pill(), None, "esc acknowledges it");
}

#[test]
fn an_end_here_is_told_before_what_goes_on_elsewhere() {
    let mut state = state(120, 40, four());
    let mut elsewhere = dream("dream-2");
    elsewhere.store = "/other/memory".to_owned();
    update(&mut state, crate::tui::fixture_runs::runs(vec![elsewhere.clone(), dream("dream-1")]));
    let mut over = dream("dream-1");
    over.status = RunStatus::Ended;
    over.outcome = Some(Outcome::Done);
    over.notice = Some("Improved 3 memories".to_owned());
    update(&mut state, crate::tui::fixture_runs::runs(vec![elsewhere, over]));
    assert_eq!(state.pill().unwrap().text, "✓ Improved 3 memories · +1 elsewhere");
}

#[test]
fn the_first_findings_put_an_unmoved_cursor_on_what_needs_a_look_most() {
    let finding = crate::health::Finding {
        code: crate::memory::ProblemCode::PathGone,
        severity: crate::health::Severity::Error,
        file: "reference_board.md".to_owned(),
        line: None,
        message: "it cites a path that is gone".to_owned(),
        evidence: None,
        quote: None,
        fixable: false,
    };
    let mut fresh = state(120, 40, four());
    fresh.knows_findings = false;
    assert!(screen(&fresh).contains("· reading evidence"), "the order is not known yet: {}", screen(&fresh));
    update(
        &mut fresh,
        AppEvent::Checked {
            store: store_path(),
            findings: vec![finding.clone()],
            used: crate::health::RecallUse::default(),
        },
    );
    assert_eq!(selected(&fresh), "reference_board.md");
    let mut moved = state(120, 40, four());
    moved.knows_findings = false;
    press(&mut moved, &["j"]);
    let file = selected(&moved).to_owned();
    update(
        &mut moved,
        AppEvent::Checked { store: store_path(), findings: vec![finding], used: crate::health::RecallUse::default() },
    );
    assert_eq!(selected(&moved), file);
}

#[test]
fn runs_that_were_over_before_we_looked_make_no_notice() {
    let mut state = state(120, 40, four());
    let mut over = dream("dream-1");
    over.status = RunStatus::Ended;
    over.outcome = Some(Outcome::Failed);
    assert_eq!(update(&mut state, crate::tui::fixture_runs::runs(vec![over])), []);
    assert_eq!(state.pill(), None);
}

#[test]
fn a_dream_whose_process_is_gone_is_told_as_such() {
    let mut state = state(120, 40, four());
    update(&mut state, crate::tui::fixture_runs::runs(vec![dream("dream-1")]));
    let mut gone = dream("dream-1");
    gone.status = RunStatus::Interrupted;
    update(&mut state, crate::tui::fixture_runs::runs(vec![gone]));
    assert_eq!(state.pill().unwrap().text, "✗ dream interrupted");
}

#[test]
fn undo_takes_back_ones_own_edit_at_once_and_asks_before_a_dream() {
    let entry = |id: &str, origin| HistoryEntry {
        id: id.to_owned(),
        at: now(),
        origin,
        run: None,
        title: "merged two notes".to_owned(),
        files: Vec::new(),
        undone_by: None,
        undone_in_part_by: None,
        by_person: false,
    };
    let mut state = state(120, 40, four());
    let store = store_path();
    let history = vec![entry("undo-1", Origin::Undo), entry("dream-1", Origin::Dream)];
    update(&mut state, AppEvent::History { store: store.clone(), result: Ok(history), dropped: Vec::new() });
    assert_eq!(press(&mut state, &["u"]), [], "asks first");
    assert!(screen(&state).contains("Take back the dream: merged two notes?"));
    let undo = |id: &str| vec![Effect::Do(Box::new(Deed::Undo { store: store_path(), entry: id.to_owned() }))];
    assert_eq!(press(&mut state, &["y"]), undo("dream-1"));
    let history = vec![entry("edit-1", Origin::Edit), entry("dream-1", Origin::Dream)];
    update(&mut state, AppEvent::History { store, result: Ok(history), dropped: Vec::new() });
    assert_eq!(press(&mut state, &["u"]), undo("edit-1"));
}

#[test]
fn pasted_text_is_never_taken_for_keys() {
    let mut state = state(120, 40, four());
    assert_eq!(update(&mut state, AppEvent::Paste("dyDq".to_owned())), []);
    assert!(state.layers.is_empty());
    press(&mut state, &["/"]);
    update(&mut state, AppEvent::Paste("freeze\nq".to_owned()));
    assert_eq!(state.memories.filter, "freeze");
}

#[test]
fn a_released_key_does_nothing() {
    let mut state = state(120, 40, four());
    let mut key = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    key.kind = KeyEventKind::Release;
    assert_eq!(update(&mut state, AppEvent::Key(key)), []);
    key.kind = KeyEventKind::Press;
    assert_eq!(update(&mut state, AppEvent::Key(key)), [Effect::Quit]);
}

#[test]
fn letters_in_a_filter_are_text_but_control_keys_keep_their_meaning() {
    let mut state = state(120, 40, four());
    press(&mut state, &["/", "q", "d", "?"]);
    assert_eq!(state.memories.filter, "qd?");
    assert_eq!(press(&mut state, &["ctrl-c"]), [Effect::Quit]);
}

#[test]
fn a_click_takes_the_focus_and_the_row_and_a_second_one_opens() {
    let mut state = state(120, 40, four());
    let areas = crate::tui::layout::areas(&state);
    click(&mut state, areas.memories.x + 3, areas.memories.y + 3);
    assert_eq!(selected(&state), "reference_board.md");
    assert!(state.layers.is_empty());
    click(&mut state, areas.memories.x + 3, areas.memories.y + 3);
    assert!(matches!(state.layers[..], [Layer::Reading(_)]));
    press(&mut state, &["esc"]);
    click(&mut state, areas.index.x + 3, areas.index.y + 3);
    assert_eq!((state.focus, state.index.selected), (Pane::Index, 2));
}

#[test]
fn the_mouse_is_ignored_while_it_is_off() {
    let mut state = state(120, 40, four());
    assert_eq!(press(&mut state, &["M"]), [Effect::CaptureMouse(false)]);
    let areas = crate::tui::layout::areas(&state);
    click(&mut state, areas.index.x + 3, areas.index.y + 3);
    assert_eq!(state.focus, Pane::Memories);
}

#[test]
fn a_click_on_the_pill_opens_the_dialog_of_its_run() {
    let mut state = state(120, 40, four());
    update(&mut state, crate::tui::fixture_runs::runs(vec![dream("dream-1")]));
    let pill = crate::tui::layout::pill(&state).unwrap();
    click(&mut state, pill.x + 2, pill.y);
    assert!(matches!(&state.layers[..], [Layer::Run(dialog)] if dialog.run == "dream-1"));
}

#[test]
fn enter_on_an_index_line_goes_to_its_memory_and_says_when_there_is_none() {
    let mut state = state(120, 40, four());
    press(&mut state, &["shift-tab", "j", "j", "j", "j", "enter"]);
    assert_eq!((state.focus, selected(&state)), (Pane::Memories, "reference_board.md"));
    press(&mut state, &["shift-tab", "g", "enter"]);
    assert_eq!(state.notice.as_ref().unwrap().text, "Not possible now: this line of the index leads to no memory");
}

#[test]
fn a_memory_that_vanishes_takes_its_mark_with_it() {
    let mut state = state(120, 40, four());
    press(&mut state, &["space", "space"]);
    assert_eq!(state.memories.marked.len(), 2);
    scanned(&mut state, vec![memory("user_role.md", "backend role", Kind::User, 200, Freshness::Aging)]);
    assert_eq!(state.memories.marked.iter().collect::<Vec<_>>(), ["user_role.md"]);
}

#[test]
fn another_project_starts_from_nothing() {
    let mut state = state(120, 40, four());
    press(&mut state, &["space", "/", "f", "enter"]);
    state.dropped.push(("20261130T090000-1".to_owned(), now()));
    let mut other = choice();
    other.store = crate::memory::Store::at("/other/memory");
    other.title = "harbor-ios".to_owned();
    let effects = update(&mut state, AppEvent::Opened(Box::new(other)));
    assert_eq!(effects, start());
    assert!(state.snapshot().is_none() && state.memories.marked.is_empty() && state.memories.filter.is_empty());
    assert!(screen(&state).contains("harbor-ios"));
    assert!(
        perform(&mut state, Command::Undo).is_empty(),
        "what was rejected in the one does not wait again in the other"
    );
}

#[test]
fn a_notice_stays_for_two_seconds_whatever_is_typed_and_goes_with_a_later_key() {
    let mut state = state(120, 40, four());
    state.tell(Meaning::Ok, "Saved");
    press(&mut state, &["j"]);
    assert!(state.notice.is_some());
    update(&mut state, AppEvent::Time(now() + chrono::Duration::seconds(3)));
    assert!(state.notice.is_some(), "time alone wakes nothing");
    press(&mut state, &["k"]);
    assert_eq!(state.notice, None);
}

#[test]
fn every_command_of_the_palette_can_be_done_from_there() {
    for spec in command::COMMANDS.iter().filter(|spec| spec.counts_in(command::Place::Dashboard)) {
        let mut state = state(120, 40, four());
        perform(&mut state, spec.command);
        screen(&state);
    }
    let mut state = state(120, 40, four());
    press(&mut state, &[":", "s", "o", "r", "t", "enter"]);
    assert_eq!(state.memories.sort, Sort::Age);
}

#[test]
fn ten_thousand_memories_are_filtered_and_drawn_while_one_types() {
    let names = ["testing policy", "merge freeze", "ingest board", "backend role"];
    let memories = (0..10_000)
        .map(|number| {
            let name = format!("{} {number}", names[number % names.len()]);
            memory(&format!("project_{number:05}.md"), &name, Kind::Project, 3, Freshness::Fresh)
        })
        .collect();
    let mut state = state(120, 40, memories);
    let start = std::time::Instant::now();
    press(&mut state, &["j"]);
    screen(&state);
    let moved = start.elapsed();
    press(&mut state, &["/", "f"]);
    let start = std::time::Instant::now();
    press(&mut state, &["r"]);
    screen(&state);
    let filtered = start.elapsed();
    assert!(moved.as_millis() < 100 && filtered.as_millis() < 1_000, "moved {moved:?}, filtered {filtered:?}");
}
