//! What a person does to memories from the dashboard, down to the bytes on the disk.

use std::fs;

use dreamtop::change::{Change, ChangeSet, Consent, Door, Mtime, Op, Origin, Rationale};
use dreamtop::clock::Clock;
use dreamtop::run::{Outcome, RunStatus, RunView, TouchOp};
use dreamtop::state::StateDir;
use dreamtop::tui::effect::{Deed, Effect, Judgement};
use dreamtop::tui::event::AppEvent;

use super::stage::{Setting, Stage, now, usual};

fn file(stage: &Stage, name: &str) -> Option<Vec<u8>> {
    fs::read(stage.store().join(name)).ok()
}

fn select(stage: &mut Stage, name: &str) {
    stage.press(&["/"]).type_text(name).press(&["enter", "esc"]);
    assert_eq!(stage.state.memories.file.as_deref().map(|file| file.contains(name)), Some(true));
}

fn notice(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

#[test]
fn deleting_moves_to_the_trash_with_the_index_line_and_undo_brings_back_every_byte() {
    let mut stage = usual().open(120, 40);
    let (memory, index) = (file(&stage, "project_freeze.md").unwrap(), file(&stage, "MEMORY.md").unwrap());
    select(&mut stage, "freeze");
    stage.press(&["d", "n"]);
    assert!(file(&stage, "project_freeze.md").is_some(), "no means no");
    stage.press(&["d", "y"]);
    assert_eq!(file(&stage, "project_freeze.md"), None);
    assert!(!String::from_utf8(file(&stage, "MEMORY.md").unwrap()).unwrap().contains("project_freeze.md"));
    assert_eq!(notice(&stage), "Moved project_freeze.md to the trash · u takes it back");
    assert!(!stage.screen().contains("merge-freeze"), "{}", stage.screen());
    stage.press(&["u"]);
    assert_eq!(file(&stage, "project_freeze.md"), Some(memory));
    assert_eq!(file(&stage, "MEMORY.md"), Some(index));
    assert!(stage.screen().contains("merge-freeze"), "{}", stage.screen());
}

#[test]
fn still_true_renews_the_claim_and_leaves_the_rest_of_the_file_alone() {
    let mut stage = usual().open(120, 40);
    let before = String::from_utf8(file(&stage, "project_freeze.md").unwrap()).unwrap();
    select(&mut stage, "freeze");
    stage.press(&["y"]);
    let after = String::from_utf8(file(&stage, "project_freeze.md").unwrap()).unwrap();
    let changed: Vec<&str> = after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
    assert_eq!(changed.len(), 1, "{after}");
    assert!(changed[0].contains("modified: ") && changed[0].contains("2026-11-30T09:00:00"), "{changed:?}");
    assert_eq!(stage.state.snapshot().unwrap().memory("project_freeze.md").unwrap().age_days, Some(0));
    stage.press(&["u"]);
    assert_eq!(file(&stage, "project_freeze.md").unwrap(), before.into_bytes());
}

#[test]
fn a_verdict_that_leaves_a_memory_where_it_is_leads_to_the_next_one_and_never_back() {
    let setting = Setting::new();
    fs::create_dir_all(setting.checkout().join("src")).unwrap();
    fs::write(setting.checkout().join("src/main.rs"), "fn main() {}\n").unwrap();
    for name in ["one", "two", "three"] {
        // The evidence stays, whatever somebody says.
        let body = format!("It is in `src/{name}.rs`.");
        setting.memory(&format!("project_{name}.md"), "project", name, "2026-11-20T10:00:00Z", &body);
    }
    setting.memory("project_zero.md", "project", "zero", "2026-11-20T10:00:00Z", "No evidence is against it.");
    let mut stage = setting.open(120, 40);
    for sort in ["need", "name"] {
        let mut judged = Vec::new();
        while stage.state.memories.sort.word() != sort {
            stage.press(&["s"]);
        }
        stage.press(&["g"]);
        for _ in 0..4 {
            judged.push(stage.state.memories.file.clone().unwrap());
            stage.press(&["y"]);
        }
        judged.sort();
        judged.dedup();
        assert_eq!(judged.len(), 4, "{sort}: {judged:?}");
    }
}

#[test]
fn a_list_in_any_order_is_gone_through_with_still_true_alone() {
    for sort in ["need", "age"] {
        let setting = Setting::new();
        for number in 0..12 {
            let (file, name) = (format!("project_{number:02}.md"), format!("fact-{number:02}"));
            setting.memory(&file, "project", &name, &format!("2026-08-{:02}T10:00:00Z", number + 1), "Of long ago.");
        }
        let mut stage = setting.open(120, 40);
        while stage.state.memories.sort.word() != sort {
            stage.press(&["s"]);
        }
        stage.press(&["g", "j"]);
        let mut judged = std::collections::BTreeSet::new();
        for _ in 0..10 {
            assert_eq!(stage.state.memories.list.selected, 1, "{}", stage.screen());
            assert!(judged.insert(stage.state.memories.file.clone().unwrap()), "{sort}: {judged:?}");
            stage.press(&["y"]);
        }
        assert!(judged.len() == 10 && stage.state.memories.list.selected == 1, "{}", stage.screen());
        // A scan from elsewhere leaves the cursor on the file that it is on by then.
        let file = stage.state.memories.file.clone().unwrap();
        stage.press(&["u"]);
        assert_eq!(stage.state.memories.file, Some(file), "{}", stage.screen());
    }
}

#[test]
fn still_true_on_a_memory_without_a_date_inside_renews_the_time_of_the_file_only() {
    let setting = usual();
    let text = "---\nname: flat\ndescription: old\ntype: project\n---\n\nFact.\n\n**Why:** because.\n\n**How to apply:** so.\n";
    setting.file("project_flat.md", text);
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_780_000_000);
    fs::File::options().write(true).open(setting.store().join("project_flat.md")).unwrap().set_modified(old).unwrap();
    let mut stage = setting.open(120, 40);
    select(&mut stage, "flat");
    assert!(stage.state.target().unwrap().age_days > Some(100));
    stage.press(&["y"]);
    assert_eq!(file(&stage, "project_flat.md").unwrap(), text.as_bytes());
    assert_eq!(stage.state.snapshot().unwrap().memory("project_flat.md").unwrap().age_days, Some(0));
}

#[test]
fn a_verb_on_marks_touches_exactly_the_marked_and_visible_ones() {
    let mut stage = usual().open(120, 40);
    stage.press(&["space", "space", "space"]);
    let marked = stage.state.memories.marked.clone();
    assert_eq!(marked.len(), 3);
    // A filter hides one of them: it is not acted on.
    stage.press(&["/"]).type_text("user").press(&["enter"]);
    let visible: Vec<String> = stage.state.targets();
    assert!(visible.len() < 3 && visible.iter().all(|file| marked.contains(file)), "{visible:?}");
    stage.press(&["d", "y"]);
    for file_name in &marked {
        assert_eq!(file(&stage, file_name).is_none(), visible.contains(file_name), "{file_name}");
    }
}

#[test]
fn nothing_is_written_by_looking() {
    let mut stage = usual().open(120, 40);
    let before: Vec<(String, Vec<u8>)> = listing(&stage);
    stage.press(&[
        "j", "enter", "esc", "tab", "G", "/", "x", "esc", "s", "c", "esc", "H", "esc", "i", "esc", "R", "esc", "p",
        "esc", "?", "esc",
    ]);
    assert_eq!(listing(&stage), before);
    let state: Vec<_> = std::fs::read_dir(stage.root().join("state")).into_iter().flatten().flatten().collect();
    let names: Vec<_> = state.iter().map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["stores"], "nothing but what the store held, so that what others do to it can be taken back");
}

fn listing(stage: &Stage) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(stage.store())
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn undo_with_nothing_to_take_back_says_so() {
    let mut stage = usual().open(120, 40);
    stage.press(&["u"]);
    assert_eq!(notice(&stage), "Nothing has landed in this store that could be taken back");
}

#[test]
fn what_the_guards_held_of_a_run_is_shown_in_its_dialog_with_its_diff() {
    let mut stage = usual().open(120, 40);
    let base = file(&stage, "project_freeze.md").unwrap();
    let mut set = ChangeSet::new(Origin::Dream, "dream");
    set.run = Some("dream-1".to_owned());
    set.changes = vec![Change {
        file: "project_freeze.md".to_owned(),
        op: Op::Replace,
        base: Some(base),
        content: Some(b"---\nname: merge-freeze\ndescription: \"d\"\ntype: project\n---\n\nHeld words.\n".to_vec()),
        rationale: Rationale::default(),
        mtime: Mtime::Now,
    }];
    let door = Door::new(StateDir::at(stage.root().canonicalize().unwrap().join("state")), Clock::Fixed(now()));
    let landing = door.land(&stage.state.choice.store, &set, Consent::Ask).unwrap();
    assert!(landing.inbox.is_some(), "it is held: {landing:?}");
    let mut run = RunView::new("dream-1");
    run.store = stage.store().display().to_string();
    run.status = RunStatus::Ended;
    run.outcome = Some(Outcome::Held);
    run.inbox = landing.inbox;
    run.touched = vec![("project_freeze.md".to_owned(), TouchOp::Changed)];
    stage.take(AppEvent::Runs(vec![std::sync::Arc::new(run)]));
    stage.press(&["shift-down"]);
    assert!(stage.screen().contains("+ Held words."), "{}", stage.screen());
}

#[test]
fn a_deed_lands_in_the_store_that_was_shown_when_it_was_asked_for() {
    let (setting, other) = (usual(), usual());
    let elsewhere = other.store();
    let mut stage = setting.open(120, 40);
    let shown = stage.state.choice.clone();
    // Another project was opened before the deed's turn came; both stores have a file of that name.
    stage.state.choice.store = dreamtop::memory::Store::at(&elsewhere);
    let seen = stage.state.seen(&["user_role.md".to_owned()]);
    stage.do_on(&shown, Effect::Do(Box::new(Deed::Judge { seen, judgement: Judgement::Delete })));
    assert!(elsewhere.join("user_role.md").exists());
    assert!(!shown.store.path("user_role.md").exists());
}

#[test]
fn a_run_of_another_project_shows_what_landed_there() {
    let (setting, other) = (usual(), usual());
    let elsewhere = dreamtop::memory::Store::at(other.store());
    let mut stage = setting.open(120, 40);
    let mut set = ChangeSet::new(Origin::Dream, "dream");
    set.run = Some("dream-1".to_owned());
    set.changes = vec![Change {
        file: "project_freeze.md".to_owned(),
        op: Op::Replace,
        base: Some(fs::read(elsewhere.path("project_freeze.md")).unwrap()),
        content: Some(b"---\nname: merge-freeze\ndescription: \"d\"\ntype: project\n---\n\nLanded words.\n".to_vec()),
        rationale: Rationale::default(),
        mtime: Mtime::Now,
    }];
    let door = Door::new(StateDir::at(stage.root().canonicalize().unwrap().join("state")), Clock::Fixed(now()));
    let landing = door.land(&elsewhere, &set, Consent::Person).unwrap();
    let mut run = RunView::new("dream-1");
    run.store = elsewhere.root().display().to_string();
    run.status = RunStatus::Ended;
    run.outcome = Some(Outcome::Done);
    run.history = landing.history;
    run.touched = vec![("project_freeze.md".to_owned(), TouchOp::Changed)];
    stage.take(AppEvent::Runs(vec![std::sync::Arc::new(run.clone())]));
    stage.state.layers.push(dreamtop::tui::layer::Layer::Run(dreamtop::tui::layer::run::RunDialog::of("dream-1")));
    stage.take(AppEvent::Runs(vec![std::sync::Arc::new(run)]));
    assert!(stage.screen().contains("+ Landed words."), "{}", stage.screen());
}

#[test]
fn a_repair_of_the_index_says_what_was_repaired() {
    let setting = usual();
    let mut index = fs::read(setting.store().join("MEMORY.md")).unwrap_or_default();
    index.extend_from_slice(b"- [Gone](gone.md) - went long ago\n");
    setting.file("MEMORY.md", index);
    let mut stage = setting.open(120, 40);
    stage.press(&["c", "f", "y"]);
    assert!(notice(&stage).starts_with("Repaired the index: 3 findings · u takes it back"), "{}", notice(&stage));
}

#[test]
fn what_another_program_writes_while_the_question_stands_is_not_removed_unseen() {
    let mut stage = usual().open(120, 40);
    while stage.state.target().is_some_and(|memory| memory.file != "user_role.md") {
        stage.press(&["j"]);
    }
    stage.press(&["d"]);
    let path = stage.store().join("user_role.md");
    let text = fs::read_to_string(&path).unwrap() + "A line of another program.\n";
    fs::write(&path, &text).unwrap();
    stage.press(&["y"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert!(stage.screen().contains("changed"), "{}", stage.screen());
    stage.press(&["esc", "d", "y"]);
    assert!(!path.exists(), "seen, it goes: {}", stage.screen());
}
