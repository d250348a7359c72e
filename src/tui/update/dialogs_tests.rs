#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

use chrono::Duration;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::*;
use crate::change::verbs::SaveKind;
use crate::change::{
    DoorError, HeldChange, HistoryEntry, HistoryFile, HoldReason, InboxEntry, Landing, Op, Origin, Rationale, Source,
};
use crate::engine::{Phase, Tokens};
use crate::memory::{ContentHash, Kind, Topic};
use crate::run::event::HeldLine;
use crate::run::view::ToolLine;
use crate::run::{Outcome as RunOutcome, RunStatus, RunView, TouchOp};
use crate::tui::effect::Deed;
use crate::tui::event::Outcome;
use crate::tui::fixture::*;
use crate::tui::layer::edit::Editor;

const FEEDBACK: &str = "---\nname: testing policy\ndescription: \"Real databases only\"\nmetadata:\n  node_type: memory\n  type: feedback\n---\n\nUse real databases.\n\n**Why:** mocks hid a broken migration.\n\n**How to apply:** in every integration test.\n";

/// A snapshot in which moments, which are shown in the machine's own time zone, have lost their digits.
macro_rules! assert_screen {
    ($state:expr) => {
        insta::with_settings!({filters => vec![(r"\d{4}-\d\d-\d\d \d\d:\d\d", "YYYY-MM-DD hh:mm")]}, {
            insta::assert_snapshot!(screen($state));
        });
    };
}

fn typed(state: &mut State, text: &str) {
    for character in text.chars() {
        let code = if character == '\n' { KeyCode::Enter } else { KeyCode::Char(character) };
        update(state, AppEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

fn told(state: &State) -> &str {
    state.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

fn deed(effects: &[Effect]) -> &Deed {
    effects
        .iter()
        .find_map(|effect| match effect {
            Effect::Do(deed) => Some(deed.as_ref()),
            _ => None,
        })
        .expect("a deed")
}

/// A dream of the store that is shown, in its second phase, that touched two files.
fn live() -> RunView {
    let mut run = dream("dream-1");
    let start = now() - Duration::seconds(42);
    run.engine = "script".to_owned();
    run.trigger = "screen".to_owned();
    run.sessions = vec!["3f2a51c0-0000".to_owned(), "9be11b77-0000".to_owned()];
    run.phases = vec![(Phase::Orient, start), (Phase::Gather, start + Duration::seconds(12))];
    run.text = Some("Two memories say the same about tests.\u{1b}[2J".to_owned());
    run.tool_calls = 2;
    run.tools = vec![
        ToolLine { at: start, name: "Edit".to_owned(), target: "feedback_testing.md".to_owned(), allowed: true },
        ToolLine { at: start, name: "Bash".to_owned(), target: "rm -rf /".to_owned(), allowed: false },
    ];
    run.touched =
        vec![("feedback_testing.md".to_owned(), TouchOp::Changed), ("project_freeze.md".to_owned(), TouchOp::Removed)];
    run.tokens = Tokens { input: 1200, output: 340, cache_read: 9000, cache_created: 500 };
    run.progress = Some((1, 2, "sessions".to_owned()));
    run.last = Some(now());
    run
}

fn ended(outcome: RunOutcome) -> RunView {
    let mut run = live();
    run.status = RunStatus::Ended;
    run.outcome = Some(outcome);
    run.reason = "all of it landed".to_owned();
    run.ms = Some(42_000);
    run
}

fn with_dialog(run: RunView, width: u16, height: u16) -> (State, Vec<Effect>) {
    let mut state = state(width, height, four());
    update(&mut state, AppEvent::Runs(vec![run]));
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
    let mut killed = ended(RunOutcome::Killed);
    killed.reason = "killed by hand; nothing changed".to_owned();
    update(&mut state, AppEvent::Runs(vec![killed]));
    let text = screen(&state);
    assert!(text.contains("✗ killed") && text.contains("nothing changed") && !text.contains("killing…"), "{text}");
    assert!(press(&mut state, &["x"]).is_empty());
}

#[test]
fn a_kill_that_does_nothing_can_be_asked_for_again() {
    let (mut state, _) = with_dialog(live(), 120, 40);
    press(&mut state, &["x"]);
    update(&mut state, AppEvent::Time(now() + Duration::seconds(11)));
    assert!(screen(&state).contains("● updating"));
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
    let effects = update(&mut state, AppEvent::Runs(vec![later]));
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
fn undo_takes_back_what_a_run_landed_once_and_only_where_its_store_is_shown() {
    let mut done = ended(RunOutcome::Done);
    done.history = Some("h1".to_owned());
    let (mut state, _) = with_dialog(done.clone(), 120, 40);
    assert_eq!(deed(&press(&mut state, &["u"])), &Deed::Undo("h1".to_owned()));
    state.history = vec![HistoryEntry { undone_by: Some("h2".to_owned()), ..entry("h1") }];
    assert!(press(&mut state, &["u"]).is_empty());
    assert!(told(&state).contains("taken back already"));
    state.history.clear();
    done.store = "/elsewhere/memory".to_owned();
    update(&mut state, AppEvent::Runs(vec![done]));
    assert!(press(&mut state, &["u"]).is_empty());
    assert!(told(&state).contains("open that project first"));
    let (mut state, _) = with_dialog(live(), 120, 40);
    assert!(press(&mut state, &["u"]).is_empty());
    assert!(told(&state).contains("Not possible now"));
}

#[test]
fn review_opens_the_inbox_on_what_the_run_left_there() {
    let mut held = ended(RunOutcome::Held);
    held.inbox = Some("i2".to_owned());
    held.held = vec![HeldLine { op: Op::Remove, file: "a.md".to_owned(), reasons: vec![bulk()] }];
    let (mut state, _) = with_dialog(held, 120, 40);
    assert!(screen(&state).contains("1 change waits for you:"));
    assert_eq!(press(&mut state, &["r"]), [Effect::ReadInbox]);
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store, result: Ok(vec![inbox_entry("i1"), inbox_entry("i2")]) });
    let Some(Layer::Inbox(inbox)) = state.layers.last() else { panic!("no inbox") };
    assert_eq!(inbox.list.selected, 3, "the first entry has three rows");
}

#[test]
fn the_list_of_runs_shows_every_run_and_its_cursor_stays_on_its_run() {
    let mut other = ended(RunOutcome::Failed);
    other.id = "dream-0".to_owned();
    other.project = "harbor-ios".to_owned();
    other.reason = "the model did not answer".to_owned();
    let mut state = state(120, 24, four());
    update(&mut state, AppEvent::Runs(vec![live(), other.clone()]));
    press(&mut state, &["R", "j"]);
    assert_screen!(&state);
    let mut newest = live();
    newest.id = "dream-2".to_owned();
    update(&mut state, AppEvent::Runs(vec![newest, live(), other]));
    assert!(press(&mut state, &["enter"]).contains(&Effect::RefreshRuns));
    assert!(matches!(state.layers.last(), Some(Layer::Run(dialog)) if dialog.run == "dream-0"));
}

#[test]
fn a_live_run_is_killed_from_the_list_and_a_past_one_is_not() {
    let mut past = ended(RunOutcome::Done);
    past.id = "dream-0".to_owned();
    let mut state = state(120, 24, four());
    update(&mut state, AppEvent::Runs(vec![live(), past]));
    assert_eq!(press(&mut state, &["R", "x"]).last(), Some(&Effect::Kill("dream-1".to_owned())));
    assert!(press(&mut state, &["j", "x"]).is_empty());
}

fn bulk() -> HoldReason {
    HoldReason { guard: "bulk-removal".to_owned(), message: "it removes 9 of 12 files".to_owned() }
}

fn inbox_entry(id: &str) -> InboxEntry {
    let change = |file: &str, op: Op, content: Option<&str>| HeldChange {
        file: file.to_owned(),
        op,
        base: Some(b"Old text.\n".to_vec()),
        content: content.map(|text| text.as_bytes().to_vec()),
        rationale: Rationale {
            reason: "superseded".to_owned(),
            sources: vec![Source {
                session: Some("3f2a51c0".to_owned()),
                line: Some(12),
                quote: Some("we moved to June".to_owned()),
            }],
        },
        reasons: vec![bulk()],
    };
    InboxEntry {
        id: id.to_owned(),
        at: now(),
        origin: Origin::Dream,
        run: Some("dream-1".to_owned()),
        title: format!("dream {id}"),
        changes: vec![change("a.md", Op::Replace, Some("New text.\n")), change("b.md", Op::Remove, None)],
    }
}

fn with_inbox() -> State {
    let mut state = state(120, 30, four());
    press(&mut state, &["i"]);
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store, result: Ok(vec![inbox_entry("i1")]) });
    state
}

#[test]
fn a_held_change_shows_why_it_waits_on_what_evidence_and_what_it_would_do() {
    let mut state = with_inbox();
    press(&mut state, &["j"]);
    assert_screen!(&state);
}

#[test]
fn held_changes_are_accepted_file_by_file_or_all_at_once_and_dropping_asks() {
    let mut state = with_inbox();
    let all = Deed::Accept { entry: "i1".to_owned(), files: Vec::new() };
    assert_eq!(deed(&press(&mut state, &["a"])), &all);
    let one = Deed::Accept { entry: "i1".to_owned(), files: vec!["b.md".to_owned()] };
    assert_eq!(deed(&press(&mut state, &["j", "j", "a"])), &one);
    assert!(press(&mut state, &["d"]).is_empty());
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    let reject = Deed::Reject { entry: "i1".to_owned(), files: vec!["b.md".to_owned()] };
    assert_eq!((confirm.lines.as_slice(), deed(&confirm.effects)), (["b.md".to_owned()].as_slice(), &reject));
}

#[test]
fn an_inbox_that_empties_under_the_cursor_says_so() {
    let mut state = with_inbox();
    press(&mut state, &["j", "j"]);
    let store = store_path();
    update(&mut state, AppEvent::Inbox { store, result: Ok(Vec::new()) });
    assert!(screen(&state).contains("Nothing waits for you."));
    assert!(press(&mut state, &["a"]).is_empty());
}

fn entry(id: &str) -> HistoryEntry {
    let hash = |text: &str| Some(ContentHash::of(text.as_bytes()));
    HistoryEntry {
        id: id.to_owned(),
        at: now(),
        origin: Origin::Dream,
        run: Some("dream-1".to_owned()),
        title: "dream: merged 2 memories".to_owned(),
        files: vec![HistoryFile {
            file: "a.md".to_owned(),
            op: Op::Replace,
            before: hash("old"),
            after: hash("new"),
            mtime_before: None,
            mode_before: None,
            not_kept: None,
            rationale: Rationale { reason: "the same said twice".to_owned(), sources: Vec::new() },
        }],
        undone_by: None,
    }
}

#[test]
fn the_history_shows_the_difference_of_a_file_and_takes_an_entry_back() {
    let mut state = state(120, 30, four());
    press(&mut state, &["H"]);
    let store = store_path();
    update(&mut state, AppEvent::History { store, result: Ok(vec![entry("h1"), entry("h0")]) });
    assert!(screen(&state).contains("the same said twice"));
    let effects = press(&mut state, &["j"]);
    let Some(Effect::ReadImages(question)) = effects.first() else { panic!("{effects:?}") };
    assert!(screen(&state).contains("reading…"));
    let result = Ok((Some(b"old text\n".to_vec()), Some(b"new text\n".to_vec())));
    update(&mut state, AppEvent::Images { question: question.clone(), result });
    assert_screen!(&state);
    assert!(press(&mut state, &["u"]).is_empty(), "what nobody typed is asked about first");
    let Some(Layer::Confirm(confirm)) = state.layers.last() else { panic!("no question") };
    assert_eq!(deed(&confirm.effects), &Deed::Undo("h1".to_owned()));
}

fn editing(text: &str) -> State {
    let mut state = state(100, 30, four());
    let event = AppEvent::TopicRead {
        store: state.store_root().to_owned(),
        file: "feedback_testing.md".to_owned(),
        result: Ok(Box::new(Topic::read(text.into()))),
    };
    update(&mut state, event);
    state
}

fn editor(state: &State) -> &Editor {
    match state.layers.last() {
        Some(Layer::Edit(editor)) => editor,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_editor_shows_the_fields_the_body_and_what_is_missing() {
    let mut state = editing(&FEEDBACK.replace("**How to apply:** in every integration test.\n", ""));
    assert!(!editor(&state).is_dirty());
    typed(&mut state, "Never mocks. ");
    assert_screen!(&state);
}

#[test]
fn an_edit_changes_only_the_lines_meant_and_says_what_it_does_to_the_age() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "Always. ");
    let effects = press(&mut state, &["ctrl-s"]);
    let Deed::Save { base, content, kind, .. } = deed(&effects) else { panic!("{effects:?}") };
    assert_eq!((base.as_slice(), *kind), (FEEDBACK.as_bytes(), SaveKind::KeepAge));
    let content = String::from_utf8(content.clone()).unwrap();
    assert_eq!(content, FEEDBACK.replace("Use real", "Always. Use real"));
    let mut state = editing(FEEDBACK);
    let effects = press(&mut state, &["ctrl-y"]);
    assert!(
        matches!(deed(&effects), Deed::Save { kind: SaveKind::Renew, content, .. } if content == FEEDBACK.as_bytes())
    );
}

#[test]
fn saving_what_nobody_changed_is_no_save() {
    let mut state = editing(FEEDBACK);
    assert!(press(&mut state, &["ctrl-s"]).is_empty());
    assert!(told(&state).contains("Nothing to save"));
}

#[test]
fn letters_that_are_commands_elsewhere_are_text_in_the_editor() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "q:?Mx");
    assert!(editor(&state).form.body_text().starts_with("q:?MxUse real"));
}

#[test]
fn closing_with_unsaved_text_asks_and_every_answer_does_what_it_says() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "x");
    press(&mut state, &["esc"]);
    assert!(screen(&state).contains("Unsaved changes"));
    press(&mut state, &["esc"]);
    assert!(!screen(&state).contains("Unsaved changes") && editor(&state).is_dirty());
    press(&mut state, &["ctrl-c"]);
    assert!(screen(&state).contains("Unsaved changes"), "leaving asks as well");
    press(&mut state, &["d"]);
    assert!(state.layers.is_empty());
    let mut state = editing(FEEDBACK);
    press(&mut state, &["esc"]);
    assert!(state.layers.is_empty(), "nothing to lose, nothing to ask");
}

fn conflict(theirs: Option<&str>, merged: Option<&str>) -> (State, Deed) {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "Ours. ");
    let effects = press(&mut state, &["ctrl-s"]);
    let deed = deed(&effects).clone();
    let error = DoorError::Conflict {
        file: "feedback_testing.md".to_owned(),
        theirs: theirs.map(|text| text.as_bytes().to_vec()),
        merged: merged.map(str::to_owned),
    };
    update(&mut state, AppEvent::Done { deed: Box::new(deed.clone()), result: Err(error) });
    (state, deed)
}

#[test]
fn fc_019_an_outside_edit_met_by_a_save_shows_both_versions_and_overwrites_neither() {
    let theirs = FEEDBACK.replace("Use real databases.", "Theirs instead.");
    let merged = format!("<<<<<<< ours\n{FEEDBACK}=======\n{theirs}>>>>>>> theirs\n");
    let (mut state, _) = conflict(Some(&theirs), Some(&merged));
    assert_screen!(&state);
    assert!(press(&mut state, &["ctrl-s"]).is_empty(), "a save has to be chosen here");
    let effects = press(&mut state, &["o"]);
    let Deed::Save { base, content, .. } = deed(&effects) else { panic!("{effects:?}") };
    assert_eq!(base, theirs.as_bytes(), "ours is based on what was seen of theirs");
    assert!(String::from_utf8_lossy(content).contains("Ours. Use real"));
}

#[test]
fn fc_019_going_on_with_the_merge_or_with_theirs_is_based_on_what_the_disk_holds() {
    let theirs = FEEDBACK.replace("mocks hid", "fakes hid");
    let merged = theirs.replace("Use real", "Ours. Use real");
    let (mut state, _) = conflict(Some(&theirs), Some(&merged));
    press(&mut state, &["m"]);
    assert!(editor(&state).form.body_text().contains("Ours. Use real databases.\n\n**Why:** fakes hid"));
    let effects = press(&mut state, &["ctrl-s"]);
    assert!(matches!(deed(&effects), Deed::Save { base, .. } if base == theirs.as_bytes()));
    let (mut state, _) = conflict(Some(&theirs), None);
    press(&mut state, &["t"]);
    assert!(editor(&state).form.body_text().contains("fakes hid") && !editor(&state).is_dirty());
}

#[test]
fn fc_019_a_file_removed_meanwhile_is_made_anew_or_left_removed_and_esc_loses_nothing() {
    let (mut state, _) = conflict(None, None);
    press(&mut state, &["esc"]);
    assert!(editor(&state).form.body_text().starts_with("Ours. "));
    let (mut state, _) = conflict(None, None);
    let effects = press(&mut state, &["o"]);
    assert!(
        matches!(deed(&effects), Deed::Create(draft) if draft.kind == Kind::Feedback && draft.body.starts_with("Ours. "))
    );
    let (mut state, _) = conflict(None, None);
    press(&mut state, &["t"]);
    assert!(state.layers.is_empty());
}

#[test]
fn a_change_on_disk_is_told_of_while_editing() {
    let mut state = editing(FEEDBACK);
    let mut memories = four();
    memories[0].hash = ContentHash::of(FEEDBACK.as_bytes());
    scanned(&mut state, memories.clone());
    assert!(!screen(&state).contains("changed on disk"));
    memories[0].hash = ContentHash::of(b"another");
    scanned(&mut state, memories);
    assert!(screen(&state).contains("changed on disk"));
}

#[test]
fn a_save_that_landed_closes_the_editor_and_one_that_was_refused_keeps_it() {
    let mut state = editing(FEEDBACK);
    typed(&mut state, "x");
    let saved = deed(&press(&mut state, &["ctrl-s"])).clone();
    let refusal = DoorError::Refused {
        file: "feedback_testing.md".to_owned(),
        reason: HoldReason { guard: "secret".to_owned(), message: "it holds a token".to_owned() },
    };
    update(&mut state, AppEvent::Done { deed: Box::new(saved.clone()), result: Err(refusal) });
    press(&mut state, &["esc"]);
    assert!(editor(&state).is_dirty() && !editor(&state).saving);
    press(&mut state, &["ctrl-s"]);
    let outcome = Outcome::Landed { title: "edit".to_owned(), landing: Landing::default() };
    update(&mut state, AppEvent::Done { deed: Box::new(saved), result: Ok(outcome) });
    assert!(state.layers.is_empty());
}

#[test]
fn what_would_be_damaged_here_is_left_to_the_persons_own_editor() {
    let mut state = state(100, 30, four());
    for bytes in [b"caf\xe9".to_vec(), vec![b'x'; 1_000_001], vec![b'\n'; 60_001]] {
        let result = Ok(Box::new(Topic::read(bytes)));
        let store = state.store_root().to_owned();
        update(&mut state, AppEvent::TopicRead { store, file: "a.md".to_owned(), result });
        assert!(state.layers.is_empty() && told(&state).contains("use your editor (E)"), "{}", told(&state));
    }
}

#[test]
fn pasted_text_goes_into_the_field_and_is_never_taken_for_keys() {
    let mut state = editing(FEEDBACK);
    update(&mut state, AppEvent::Paste("q\r\n\u{1b}:d".to_owned()));
    assert!(editor(&state).form.body_text().starts_with("q\n:dUse"));
}

#[test]
fn a_new_memory_starts_with_the_template_of_its_type() {
    let mut state = state(100, 30, four());
    press(&mut state, &["n"]);
    assert_screen!(&state);
}

#[test]
fn a_new_memory_wants_a_name_and_a_description_and_is_made_of_what_was_typed() {
    let mut state = state(100, 30, four());
    press(&mut state, &["n"]);
    assert!(press(&mut state, &["ctrl-s"]).is_empty() && told(&state).contains("needs a name"));
    typed(&mut state, "Short answers");
    assert!(press(&mut state, &["ctrl-s"]).is_empty() && told(&state).contains("needs a description"));
    typed(&mut state, "They want short answers\nu\nNo preamble.");
    let effects = press(&mut state, &["ctrl-s"]);
    let Deed::Create(draft) = deed(&effects) else { panic!("{effects:?}") };
    assert_eq!((draft.name.as_str(), draft.kind), ("Short answers", Kind::User));
    assert_eq!((draft.description.as_str(), draft.body.as_str()), ("They want short answers", "No preamble."));
}

#[test]
fn fc_106_every_dialog_draws_at_every_size() {
    let mut held = ended(RunOutcome::Held);
    held.inbox = Some("i1".to_owned());
    let opened: [fn() -> State; 6] = [
        || with_dialog(live(), 80, 24).0,
        || {
            let mut state = state(80, 24, four());
            update(&mut state, AppEvent::Runs(vec![live()]));
            press(&mut state, &["R"]);
            state
        },
        with_inbox,
        || {
            let mut state = state(80, 24, four());
            press(&mut state, &["H"]);
            let store = store_path();
            update(&mut state, AppEvent::History { store, result: Ok(vec![entry("h1")]) });
            state
        },
        || editing(FEEDBACK),
        || conflict(Some("theirs"), Some("merged")).0,
    ];
    for open in opened {
        let mut state = open();
        for (width, height) in
            [(0, 0), (1, 1), (2, 2), (10, 3), (20, 5), (21, 6), (46, 44), (60, 16), (76, 9), (300, 5)]
        {
            update(&mut state, AppEvent::Resize(width, height));
            press(&mut state, &["down", "up"]);
            screen(&state);
        }
    }
}
