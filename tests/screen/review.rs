//! Held changes on the screen, down to the bytes on the disk; and the control room on real runs and locks.

use std::fs;
use std::sync::Arc;

use chrono::{Duration, Local};
use dreamtop::change::{Change, ChangeSet, Consent, Door, IndexChange, Mtime, Op, Origin, Rationale, Source};
use dreamtop::clock::Clock;
use dreamtop::run::event::{HeldLine, RunEvent};
use dreamtop::run::journal::JournalWriter;
use dreamtop::run::{Outcome, RunStatus, RunView, Stamped};
use dreamtop::state::StateDir;
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;

use super::stage::{Setting, Stage, now, usual};

const FILE: &str = "project_freeze.md";

fn read(stage: &Stage, name: &str) -> Option<String> {
    fs::read_to_string(stage.store().join(name)).ok()
}

fn state_dir(stage: &Stage) -> StateDir {
    StateDir::at(stage.root().canonicalize().unwrap().join("state"))
}

fn door(stage: &Stage) -> Door {
    Door::new(state_dir(stage), Clock::Fixed(now()))
}

fn proposed(text: &str) -> String {
    text.replace("is frozen until Thursday", "is frozen until the tag").replace("no merges", "no feature merges")
}

/// Holds a dream's change of two hunks and its removal of another file; the store as it was.
pub fn hold(stage: &mut Stage) -> (String, Vec<u8>) {
    let base = read(stage, FILE).unwrap();
    let index = fs::read(stage.store().join("MEMORY.md")).unwrap();
    let role = fs::read(stage.store().join("user_role.md")).unwrap();
    let session = "3f2a51c0-0000-4000-8000-000000000000".to_owned();
    let source =
        Source { session: Some(session), line: Some(2), quote: Some("until the tag".to_owned()), ..Source::default() };
    let rationale = Rationale { reason: "the freeze ends with the tag".to_owned(), sources: vec![source] };
    let mut set = ChangeSet::new(Origin::Dream, "dream over 1 session");
    set.run = Some("dream-1".to_owned());
    set.changes = vec![
        Change {
            file: FILE.to_owned(),
            op: Op::Replace,
            base: Some(base.clone().into_bytes()),
            content: Some(proposed(&base).into_bytes()),
            rationale,
            mtime: Mtime::Now,
        },
        Change {
            file: "user_role.md".to_owned(),
            op: Op::Remove,
            base: Some(role.clone()),
            content: None,
            rationale: Rationale { reason: "superseded".to_owned(), sources: Vec::new() },
            mtime: Mtime::Now,
        },
    ];
    let without: String = String::from_utf8_lossy(&index)
        .lines()
        .filter(|line| !line.contains("user_role"))
        .map(|line| format!("{line}\n"))
        .collect();
    set.index = Some(IndexChange { base: index, content: without.into_bytes() });
    door(stage).land(&stage.state.choice.store, &set, Consent::Ask).unwrap();
    stage.press(&["i"]);
    (base, role)
}

#[test]
fn one_hunk_accepted_and_a_file_rejected_land_as_one_undo_and_the_rest_waits() {
    let mut stage = usual().open(120, 40);
    let (base, role) = hold(&mut stage);
    stage.press(&["r"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Review(_))), "{}", stage.screen());
    stage.press(&["l", "space"]);
    assert_eq!(read(&stage, FILE).unwrap(), base, "nothing lands before enter");
    stage.press(&["j", "x", "enter"]);
    assert!(stage.screen().contains("Land 1 change, drop 1?"), "{}", stage.screen());
    stage.press(&["y"]);
    assert_eq!(read(&stage, FILE).unwrap(), base.replace("no merges", "no feature merges"));
    assert_eq!(read(&stage, "user_role.md").unwrap().into_bytes(), role);
    let waiting: Vec<&str> = stage.state.inbox[0].changes.iter().map(|change| change.file.as_str()).collect();
    assert_eq!(waiting, [FILE], "the other hunk goes on waiting; the index line of a file that stays does not");
    stage.press(&["A", "enter"]);
    assert_eq!(read(&stage, FILE).unwrap(), proposed(&base));
    assert!(stage.state.inbox.is_empty(), "{:?}", stage.state.inbox);
    assert!(!stage.state.layers.iter().any(|layer| matches!(layer, Layer::Review(_))), "{}", stage.screen());
    assert!(read(&stage, "MEMORY.md").unwrap().contains("user_role.md"), "the line of a file that stays stays");
    stage.press(&["u", "y", "u", "y"]);
    assert_eq!(read(&stage, FILE).unwrap(), base, "two landings, two undos: {}", stage.screen());
    // What was accepted and taken back does not wait again: the history brings it back.
    assert!(stage.state.inbox.is_empty(), "{:?}", stage.state.inbox);
    let notice = stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default();
    assert!(notice.ends_with("it stays in the history (H), where u brings it back"), "{notice}");
    stage.press(&["esc", "H", "u", "y"]);
    assert_eq!(read(&stage, FILE).unwrap(), base.replace("no merges", "no feature merges"), "{}", stage.screen());
}

#[test]
fn after_a_landing_the_cursor_is_on_the_file_that_is_still_undecided() {
    let files = ["a.md", "b.md", "c.md", "d.md", "e.md"];
    let under_the_cursor = |stage: &Stage| match stage.state.layers.last() {
        Some(Layer::Review(screen)) => screen.change().map(|change| change.file.clone()).unwrap_or_default(),
        _ => panic!("{}", stage.screen()),
    };
    for (keys, landed, left) in [
        // Two are judged, the cursor goes on to the third, and stays on it.
        (&["a", "x", "enter", "y"][..], "c.md", &["c.md", "d.md", "e.md"][..]),
        // One in between is passed over: the cursor was on the last one, which is gone.
        (&["a", "j", "a", "a", "a", "enter"], "b.md", &["b.md"]),
        (&["j", "j", "a", "k", "k", "enter"], "b.md", &["a.md", "b.md", "d.md", "e.md"]),
    ] {
        let mut stage = usual().open(120, 40);
        let mut set = ChangeSet::new(Origin::Dream, "dream over 1 session");
        set.changes = files
            .map(|file| Change {
                file: file.to_owned(),
                op: Op::Create,
                base: None,
                content: Some(format!("---\nname: {file}\ntype: project\n---\n\nSaid of {file}.\n").into_bytes()),
                rationale: Rationale { reason: "said".to_owned(), sources: Vec::new() },
                mtime: Mtime::Now,
            })
            .into();
        door(&stage).land(&stage.state.choice.store, &set, Consent::Ask).unwrap();
        stage.press(&["i", "r"]).press(keys);
        let waiting: Vec<&str> = stage.state.inbox[0].changes.iter().map(|change| change.file.as_str()).collect();
        assert_eq!(waiting, left, "{keys:?}");
        assert_eq!(under_the_cursor(&stage), landed, "{keys:?}: {}", stage.screen());
    }
}

#[test]
fn the_index_that_follows_its_memories_is_no_change_of_its_own_where_changes_are_counted() {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    let index = fs::read(stage.store().join("MEMORY.md")).unwrap();
    let mut set = ChangeSet::new(Origin::Dream, "dream over 2 sessions");
    set.index = Some(IndexChange { base: index, content: b"# Memory Index\n".to_vec() });
    set.changes = vec![Change {
        file: "a.md".to_owned(),
        op: Op::Create,
        base: None,
        content: Some(b"---\nname: a\ntype: project\n---\n\nSaid of a.\n".to_vec()),
        rationale: Rationale { reason: "said".to_owned(), sources: Vec::new() },
        mtime: Mtime::Now,
    }];
    door(&stage).land(&stage.state.choice.store, &set, Consent::Ask).unwrap();
    stage.press(&["f5"]);
    let rows = stage.state.inbox.iter().flat_map(|entry| &entry.changes).filter(|change| change.file == "MEMORY.md");
    assert!(rows.count() > 0, "the index is one of the rows");
    assert!(stage.screen().contains("Inbox: 3 changes wait for you"), "{}", stage.screen());
    stage.press(&["esc"]);
    assert!(stage.screen().contains("3 changes wait (i)"), "{}", stage.screen());
}

#[test]
fn a_proposal_edited_in_the_review_lands_as_edited_with_lint_on_the_way() {
    let mut stage = usual().open(120, 40);
    let (base, _) = hold(&mut stage);
    stage.press(&["r", "e"]).type_text("Note: ").press(&["ctrl-s"]);
    assert_eq!(read(&stage, FILE).unwrap(), base);
    stage.press(&["enter"]);
    assert!(
        read(&stage, FILE).unwrap().contains("\nNote: The release branch is frozen until the tag"),
        "{}",
        stage.screen()
    );
}

#[test]
fn enter_on_a_source_shows_the_very_turn_of_the_transcript() {
    let setting = usual();
    let session = "3f2a51c0-0000-4000-8000-000000000000";
    let line = |kind: &str, text: &str| {
        format!(
            "{{\"type\":\"{kind}\",\"uuid\":\"{text}\",\"sessionId\":\"{session}\",\"entrypoint\":\"cli\",\"isSidechain\":false,\
             \"timestamp\":\"2026-11-29T10:00:00Z\",\"message\":{{\"role\":\"{kind}\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let transcript = line("assistant", "Until Thursday, then?") + &line("user", "No, frozen until the tag is out.");
    fs::write(setting.store().parent().unwrap().join(format!("{session}.jsonl")), transcript).unwrap();
    let mut stage = setting.open(120, 40);
    hold(&mut stage);
    stage.press(&["r", "tab", "enter"]);
    let screen = stage.screen();
    assert!(screen.contains("person, line 2") && screen.contains("▸  No, frozen until the tag is out"), "{screen}");
    assert!(screen.contains("assistant, line 1"), "what it answers is there too: {screen}");
    stage.press(&["q", "q", "q", "q"]);
    assert!(!stage.asked.is_empty(), "q closes one thing at a time, and leaves from the dashboard");
}

#[test]
fn fc_140_a_source_whose_session_was_swept_says_so_and_keeps_its_quote() {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    stage.press(&["r", "tab", "enter"]);
    let screen = stage.screen();
    assert!(screen.contains("is no longer on disk") && screen.contains("until the tag"), "{screen}");
}

#[test]
fn a_heading_of_the_inbox_accepts_all_of_it_only_after_a_question() {
    let mut stage = usual().open(120, 40);
    let (base, _) = hold(&mut stage);
    stage.press(&["a"]);
    assert!(stage.screen().contains("Land 3 held changes?"), "{}", stage.screen());
    stage.press(&["n"]);
    assert_eq!(read(&stage, FILE).unwrap(), base);
    stage.press(&["a", "y"]);
    assert_eq!((read(&stage, FILE).unwrap(), read(&stage, "user_role.md")), (proposed(&base), None));
}

#[test]
fn the_inbox_shows_what_is_held_whoever_wants_it() {
    let mut stage = usual().open(120, 40);
    for origin in [Origin::Extract, Origin::Dream, Origin::Pull, Origin::Repair] {
        let mut set = ChangeSet::new(origin, format!("from a {}", origin.word()));
        set.changes = vec![Change {
            file: format!("project_{}.md", origin.word()),
            op: Op::Create,
            base: None,
            content: Some(
                format!("---\nname: \"x\"\ndescription: \"x\"\ntype: project\n---\n\nWords of a {}.\n", origin.word())
                    .into_bytes(),
            ),
            rationale: Rationale::default(),
            mtime: Mtime::Now,
        }];
        door(&stage).land(&stage.state.choice.store, &set, Consent::Ask).unwrap();
    }
    stage.press(&["i"]);
    let screen = stage.screen();
    for origin in ["extract", "dream", "pull", "repair"] {
        assert!(screen.contains(&format!("create project_{origin}.md")), "{origin}: {screen}");
    }
}

fn ended_run(stage: &Stage, id: &str, history: Option<String>) {
    let journal = JournalWriter::of(&state_dir(stage), id);
    let at = |minutes: i64, event: RunEvent| Stamped { at: now() - Duration::minutes(minutes), event };
    let started = RunEvent::Started {
        run: id.to_owned(),
        kind: dreamtop::engine::JobKind::Dream,
        engine: "embedded".to_owned(),
        store: stage.store().to_string_lossy().into_owned(),
        project: "acme-api".to_owned(),
        pid: 1,
        birth: None,
        sessions: vec!["3f2a51c0".to_owned()],
        dry_run: false,
        trigger: "hand".to_owned(),
        budget: None,
        place: dreamtop::process::Place::here(),
        leads_group: false,
    };
    let ended = RunEvent::Ended {
        killed_by: None,
        outcome: Outcome::Done,
        reason: "all of it landed".to_owned(),
        changes: Vec::new(),
        held: Vec::new(),
        history,
        inbox: None,
        notice: Some("Improved 1 memory".to_owned()),
        ms: 1_000,
    };
    journal.append(&at(2, started)).unwrap();
    journal.append(&at(1, ended)).unwrap();
}

#[test]
fn an_undo_from_the_room_is_told_by_the_room_the_dialog_and_the_memory() {
    let mut stage = usual().open(120, 40);
    let base = read(&stage, FILE).unwrap();
    let mut set = ChangeSet::new(Origin::Dream, "dream over 1 session");
    set.run = Some("dream-1".to_owned());
    set.changes = vec![Change {
        file: FILE.to_owned(),
        op: Op::Replace,
        base: Some(base.clone().into_bytes()),
        content: Some(proposed(&base).into_bytes()),
        rationale: Rationale { reason: "the freeze ends with the tag".to_owned(), sources: Vec::new() },
        mtime: Mtime::Now,
    }];
    let landing = door(&stage).land(&stage.state.choice.store, &set, Consent::Person).unwrap();
    ended_run(&stage, "dream-1", landing.history);
    stage.take(AppEvent::RunsTouched);
    stage.press(&["f5", "/"]);
    stage.type_text("freeze").press(&["enter", "enter"]);
    let screen = stage.screen();
    assert!(screen.contains("last changed by run dream-1 (dream"), "{screen}");
    stage.press(&["o"]);
    assert!(
        matches!(stage.state.layers.last(), Some(Layer::Run(dialog)) if dialog.run == "dream-1"),
        "{}",
        stage.screen()
    );
    stage.press(&["esc", "esc", "R"]);
    assert!(stage.screen().contains("✓ done"), "{}", stage.screen());
    stage.press(&["u", "y"]);
    assert_eq!(read(&stage, FILE).unwrap(), base);
    assert!(stage.screen().contains("↶ undone"), "{}", stage.screen());
    stage.press(&["enter"]);
    assert!(stage.screen().contains("taken back by"), "{}", stage.screen());
    stage.press(&["esc", "esc", "enter"]);
    assert!(!stage.screen().contains("last changed by run"), "{}", stage.screen());
}

#[cfg(unix)]
#[test]
fn a_lock_that_another_program_holds_is_a_row_of_the_room_that_cannot_be_killed() {
    let setting: Setting = usual();
    // The process that runs this test is alive and not ours.
    setting.file(".consolidate-lock", std::os::unix::process::parent_id().to_string());
    let since = std::time::SystemTime::from(now() - Duration::minutes(5));
    let lock = setting.store().join(".consolidate-lock");
    fs::File::options().write(true).open(&lock).unwrap().set_modified(since).unwrap();
    let mut stage = setting.open(120, 40);
    stage.press(&["R"]);
    let screen = stage.screen();
    assert!(
        screen.contains("○ not ours") && screen.contains(&std::os::unix::process::parent_id().to_string()),
        "{screen}"
    );
    stage.press(&["x"]);
    assert!(stage.screen().contains("watched, not killed"), "{}", stage.screen());
    assert!(lock.exists());
    fs::remove_file(&lock).unwrap();
    stage.take(AppEvent::Second);
    assert!(!stage.screen().contains("○ not ours"), "it goes when its lock goes: {}", stage.screen());
}

#[test]
fn the_records_of_runs_are_read_when_the_room_opens_and_when_they_are_asked_for() {
    let mut stage = usual().open(120, 40);
    let log = state_dir(&stage).log();
    fs::create_dir_all(&log).unwrap();
    let at = now().with_timezone(&Local).to_rfc3339();
    let line = format!(
        "{{\"event\":\"auto_dream_fired\",\"run\":\"dream-1\",\"at\":\"{at}\",\"hours_since\":31,\"sessions_since\":6}}\n"
    );
    fs::write(log.join("records.jsonl"), line).unwrap();
    stage.press(&["R", "s"]);
    let screen = stage.screen();
    assert!(screen.contains("1 began: 1 going on") && screen.contains("31h since the last success"), "{screen}");
}

#[test]
fn an_open_dialog_shares_the_run_with_the_list_of_runs() {
    let mut stage = usual().open(120, 40);
    let mut run = RunView::new("dream-1");
    run.store = stage.store().display().to_string();
    run.status = RunStatus::Updating;
    let run = Arc::new(run);
    stage.take(AppEvent::Runs(vec![Arc::clone(&run)]));
    stage.press(&["shift-down"]);
    let before = Arc::strong_count(&run);
    stage.take(AppEvent::Second);
    assert_eq!((Arc::strong_count(&run), before), (2, 2), "one in the state, one here, none in the dialog");
}

#[test]
fn fc_019_a_proposal_that_conflicts_with_the_disk_opens_with_both_and_lands_once_it_is_settled() {
    let mut stage = usual().open(120, 40);
    let (base, _) = hold(&mut stage);
    let theirs = base.replace("is frozen until Thursday", "is frozen until Friday");
    fs::write(stage.store().join(FILE), &theirs).unwrap();
    stage.press(&["r"]);
    assert!(stage.screen().contains("edit brings both"), "{}", stage.screen());
    stage.press(&["a", "enter"]);
    assert!(stage.screen().contains("was changed on disk"), "{}", stage.screen());
    assert_eq!(read(&stage, FILE).unwrap(), theirs, "nothing is overwritten");
    stage.press(&["esc", "k", "e"]);
    let screen = stage.screen();
    assert!(
        screen.contains("<<<<<<< waits in the inbox")
            && screen.contains("until Friday")
            && screen.contains("until the tag"),
        "{screen}"
    );
    stage.press(&["ctrl-s"]);
    assert!(stage.screen().contains("both versions are still in"), "{}", stage.screen());
    // The cursor is on the first mark: the body becomes what the person says.
    let Some(Layer::Edit(editor)) = stage.state.layers.last_mut() else { panic!("the editor is open") };
    editor.form.set_body("The release branch is frozen until Friday.\n");
    stage.press(&["ctrl-s", "enter"]);
    let landed = read(&stage, FILE).unwrap();
    assert!(landed.contains("frozen until Friday.") && landed.starts_with("---\nname: merge-freeze"), "{landed}");
}

#[test]
fn a_rejection_in_the_inbox_and_in_a_review_is_taken_back_with_undo() {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    let before = stage.state.inbox.clone();
    assert!(!before.is_empty());
    stage.press(&["i", "x", "y"]);
    assert_ne!(stage.state.inbox, before);
    assert!(stage.screen().contains("u takes it back"), "{}", stage.screen());
    stage.press(&["u"]);
    assert_eq!(stage.state.inbox, before, "{}", stage.screen());
    stage.press(&["i", "enter", "x", "enter", "y"]);
    assert_ne!(stage.state.inbox, before, "{}", stage.screen());
    stage.press(&["esc", "esc", "u"]);
    assert_eq!(stage.state.inbox, before, "{}", stage.screen());
}

#[test]
fn one_rejection_after_the_other_is_taken_back_also_by_a_screen_that_was_opened_later() {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    let before = stage.state.inbox.clone();
    stage.press(&["i", "enter", "x", "enter", "y"]);
    let one_left = stage.state.inbox.clone();
    stage.press(&["x", "enter", "y"]);
    assert_ne!(stage.state.inbox, one_left, "{}", stage.screen());
    stage.press(&["esc", "esc", "u"]);
    assert_eq!(stage.state.inbox, one_left, "the latest first: {}", stage.screen());
    let mut stage = stage.die().open(120, 40);
    stage.press(&["u"]);
    assert_eq!(stage.state.inbox, before, "{}", stage.screen());
}

#[test]
fn a_run_that_was_decided_on_in_part_is_told_with_what_still_waits() {
    let mut stage = usual().open(160, 40);
    hold(&mut stage);
    let entry = stage.state.inbox[0].id.clone();
    let mut run = RunView::new("dream-1");
    run.store = stage.store().display().to_string();
    run.status = RunStatus::Ended;
    run.outcome = Some(Outcome::Held);
    run.reason = "3 changes wait in the inbox".to_owned();
    run.inbox = Some(entry);
    run.held = [(FILE, Op::Replace), ("user_role.md", Op::Remove), ("MEMORY.md", Op::Replace)]
        .map(|(file, op)| HeldLine { file: file.to_owned(), op, reasons: Vec::new(), waits_in: None })
        .to_vec();
    stage.press(&["esc"]);
    stage.take(AppEvent::Runs(vec![Arc::new(run)]));
    stage.press(&["R"]);
    assert!(stage.screen().contains("3 changes wait in the inbox"), "{}", stage.screen());
    stage.press(&["esc", "i", "j", "x", "y", "esc", "R"]);
    assert!(stage.screen().contains("1 of 2 changes still wait"), "{}", stage.screen());
}
