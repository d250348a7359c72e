//! What the screen says before, while and after it does something: names, numbers, questions.

use std::fs;

use dreamtop::tui::command::{HelpRow, help_rows};
use dreamtop::tui::layer::Layer;

use crate::stage::{Setting, Stage, usual};

fn notice(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

fn select(stage: &mut Stage, name: &str) {
    stage.press(&["/"]).type_text(name).press(&["enter", "esc"]);
    assert_eq!(stage.state.memories.file.as_deref().map(|file| file.contains(name)), Some(true));
}

#[test]
fn a_new_name_that_cannot_be_meant_comes_with_a_proposal_and_changes_nothing() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["N", "ctrl-u"]).type_text("a/b c.txt");
    assert!(stage.screen().contains("a/b_c.md would do"), "{}", stage.screen());
    stage.press(&["enter"]);
    assert!(stage.store().join("project_freeze.md").exists() && !stage.store().join("a").exists());
    stage.press(&["ctrl-u"]).type_text("/sub/x");
    assert!(stage.screen().contains("is absolute"), "{}", stage.screen());
    stage.press(&["enter", "ctrl-u"]).type_text("x.md.md");
    assert!(stage.screen().contains("project_freeze.md → x.md "), "{}", stage.screen());
    stage.press(&["enter"]);
    assert!(stage.store().join("x.md").exists() && !stage.store().join("x.md.md").exists());
}

#[test]
fn a_folder_for_a_new_name_is_said_before_it_is_made_and_undo_takes_it_away() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["N", "ctrl-u"]).type_text("old/deep/freeze");
    assert!(stage.screen().contains("the folder old/deep/ is made"), "{}", stage.screen());
    stage.press(&["enter"]);
    assert!(stage.store().join("old/deep/freeze.md").exists(), "{}", stage.screen());
    stage.press(&["u"]);
    assert!(stage.store().join("project_freeze.md").exists() && !stage.store().join("old").exists());
}

#[test]
fn a_folder_that_holds_something_else_by_then_stays_when_the_name_is_taken_back() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["N", "ctrl-u"]).type_text("old/freeze").press(&["enter"]);
    fs::write(stage.store().join("old/notes.txt"), "mine").unwrap();
    stage.press(&["u"]);
    assert!(stage.store().join("project_freeze.md").exists() && stage.store().join("old/notes.txt").exists());
}

#[test]
fn a_memory_without_a_recorded_session_says_so_and_opens_nothing() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "notes");
    stage.press(&["O"]);
    assert!(notice(&stage).contains("no session is recorded") && notice(&stage).contains("originSessionId"));
    assert!(stage.state.layers.is_empty());
}

#[test]
fn a_session_that_was_swept_is_told_with_the_days_that_the_settings_keep_them() {
    let setting = usual();
    fs::write(setting.path("home/.claude/settings.json"), "{\"cleanupPeriodDays\": 12}").unwrap();
    let mut stage = setting.open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["O"]);
    let screen = stage.screen().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(screen.contains("no longer on disk") && screen.contains("after 12 days"), "{screen}");
}

#[test]
fn the_projects_count_as_stale_what_the_list_counts() {
    let setting = Setting::sample();
    let mut stage = setting.open(160, 50);
    let title = stage.screen();
    let of_list: usize = title
        .split(" stale")
        .next()
        .and_then(|text| text.rsplit(' ').next())
        .and_then(|word| word.parse().ok())
        .unwrap();
    assert!(of_list > 0, "{title}");
    stage.press(&["p"]);
    let facts = stage.state.project_facts.get(stage.state.store_root()).copied().unwrap();
    assert_eq!(facts.stale, of_list, "{}", stage.screen());
}

#[test]
fn a_view_is_called_kept_only_once_it_is() {
    let mut stage = usual().open(120, 40);
    // What stands in the way of the directory of views.
    fs::create_dir_all(stage.root().join("state")).unwrap();
    fs::create_dir_all(stage.root().join("state/views.json/in the way")).unwrap();
    stage.press(&["/"]).type_text("stale").press(&["enter", "V", "s"]).type_text("ours").press(&["enter"]);
    assert!(!notice(&stage).contains("Kept as") && notice(&stage).contains("is not kept"), "{}", notice(&stage));
    fs::remove_dir_all(stage.root().join("state/views.json")).unwrap();
    stage.press(&["V", "s"]).type_text("ours").press(&["enter"]);
    assert!(notice(&stage).contains("Kept as the view “ours”"), "{}", notice(&stage));
}

#[cfg(unix)]
#[test]
fn a_file_that_became_a_link_while_it_was_edited_is_written_only_by_a_second_save() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["e"]).type_text("Edited. ");
    let (path, outside) = (stage.store().join("project_freeze.md"), stage.root().join("outside.md"));
    let before = fs::read(&path).unwrap();
    fs::rename(&path, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &path).unwrap();
    stage.press(&["ctrl-s"]);
    assert!(stage.screen().contains("became a symbolic link"), "{}", stage.screen());
    assert_eq!(fs::read(&outside).unwrap(), before, "nothing is written through it unasked");
    stage.press(&["esc", "ctrl-s"]);
    assert!(fs::read_to_string(&outside).unwrap().contains("Edited. "), "{}", stage.screen());
    assert!(path.is_symlink());
}

#[test]
fn the_summary_of_triage_says_what_is_still_found_and_its_key_shows_it() {
    let mut stage = usual().open(120, 40);
    stage.press(&["t", "y", "esc"]);
    let screen = stage.screen();
    assert!(screen.contains("still found: ") && screen.contains("index-dangling"), "{screen}");
    assert!(screen.contains("c shows them"), "{screen}");
    stage.press(&["c"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Health(_))), "{}", stage.screen());
    stage.press(&["esc"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Triage(_))));
}

#[test]
fn two_that_contradict_each_other_become_the_newer_claim_and_the_other_is_named() {
    let mut stage = Setting::sample().open(140, 40);
    assert!(stage.state.findings.iter().any(|finding| finding.code.word() == "conflict"));
    stage.press(&["/"]).type_text("deploy").press(&["enter", "t", "m"]);
    let Some(Layer::Edit(editor)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let text = editor.form.body_text();
    assert!(text.contains("moved to Tuesday") && !text.contains("Fridays, at 14:00"), "{text}");
    assert_eq!(editor.file, "project_deploys_tuesday.md");
    assert!(stage.screen().contains("They disagree: the newer claim stays"), "{}", stage.screen());
}

#[test]
fn no_key_of_a_dialog_is_cut_in_half_and_help_says_all_of_its_sentences() {
    for (width, height) in [(60, 16), (80, 24), (120, 40)] {
        let mut stage = usual().open(width, height);
        for keys in [&["V"][..], &["t", "s"], &["H"], &["I"], &["P"], &["N"]] {
            stage.press(keys);
            let screen = stage.screen();
            assert!(!screen.contains("Es╯") && !screen.contains(" E╯"), "{keys:?} at {width}x{height}:\n{screen}");
            stage.press(&["esc", "esc", "esc", "esc"]);
        }
        stage.press(&["?"]);
        let mut all = String::new();
        for _ in 0..40 {
            all.push_str(&stage.screen());
            stage.press(&["ctrl-d"]);
        }
        let Some(Layer::Help(help)) = stage.state.layers.last() else { panic!("{all}") };
        let said = |text: &str| text.chars().filter(|character| !"│╭╮╰╯─ \n".contains(*character)).collect::<String>();
        let words = said(&all);
        for row in help_rows(help.place, &help.commands) {
            let (HelpRow::Command(_, sentence) | HelpRow::Sign(_, sentence) | HelpRow::Heading(sentence)) = row;
            assert!(words.contains(&said(sentence)), "{sentence} at {width}x{height}:\n{all}");
        }
        let cut = all.lines().filter(|line| line.contains("…│")).count();
        assert_eq!(cut, 0, "a sentence is cut at {width}x{height}:\n{all}");
    }
}

#[test]
fn enter_in_the_history_goes_to_the_files_of_an_entry_and_to_what_became_of_one() {
    let mut stage = usual().open(100, 30);
    select(&mut stage, "freeze");
    stage.press(&["y", "H", "g", "enter"]);
    let Some(Layer::History(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert_eq!(layer.list.selected, 1);
    stage.press(&["enter"]);
    let Some(Layer::Message(message)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert!(message.title.contains("project_freeze.md") && message.text.contains("modified"), "{}", message.text);
}

#[test]
fn a_memory_without_a_line_gets_one_in_the_index_and_dead_and_double_lines_are_marked() {
    let setting = usual();
    let index = fs::read_to_string(setting.store().join("MEMORY.md")).unwrap();
    setting.file("MEMORY.md", format!("{index}- [Again](user_role.md) — the same once more\n"));
    let mut stage = setting.open(120, 40);
    stage.press(&["I"]);
    let screen = stage.screen();
    let marked = |word: &str, name: &str| screen.lines().any(|line| line.contains(name) && line.contains(word));
    assert!(marked(" gone ", "[Gone]") && marked(" twice ", "[Again]") && !marked(" twice ", "[Role]"), "{screen}");
    stage.press(&["a"]);
    assert!(notice(&stage).contains("A line for notes.md"), "{}", notice(&stage));
    stage.press(&["ctrl-s"]);
    assert!(fs::read_to_string(stage.store().join("MEMORY.md")).unwrap().contains("(notes.md)"));
}

#[test]
fn what_is_promoted_has_words_where_links_to_memories_stood() {
    let setting = usual();
    setting.memory(
        "feedback_linked.md",
        "feedback",
        "linked",
        "2026-11-29T10:00:00.000Z",
        "See [[testing-policy]] and [[user_role|who they are]].\n\n**Why:** x.\n\n**How to apply:** y.",
    );
    let mut stage = setting.open(120, 40);
    select(&mut stage, "linked");
    stage.press(&["P"]);
    let Some(Layer::Promote(promote)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let text = promote.text();
    assert!(text.contains("See testing-policy and who they are.") && !text.contains("[["), "{text}");
}

#[test]
fn a_clock_that_jumps_neither_hangs_a_notice_nor_leaves_ages_behind() {
    use chrono::TimeDelta;
    use dreamtop::tui::event::AppEvent;
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["N", "enter"]);
    assert!(stage.state.notice.is_some());
    stage.take(AppEvent::Time(crate::stage::now() - TimeDelta::hours(1)));
    stage.press(&["j"]);
    assert!(stage.state.notice.is_none(), "an hour back is a while, too");
    let scans = stage.scans;
    stage.take(AppEvent::Time(crate::stage::now() + TimeDelta::days(1)));
    assert_eq!(stage.scans, scans + 1, "another day has other ages");
    stage.take(AppEvent::Time(crate::stage::now() + TimeDelta::days(1)));
    assert_eq!(stage.scans, scans + 1, "they are asked for once");
}

#[test]
fn a_second_look_at_a_store_reads_only_what_changed() {
    use dreamtop::health::{Grounds, Learnt, check, check_again};
    use dreamtop::memory::store::ScanOptions;
    let setting = Setting::sample();
    let store = dreamtop::memory::Store::at(setting.store());
    let options =
        ScanOptions { now: crate::stage::now(), shelf_life: Default::default(), confirmed: Default::default() };
    let grounds = Grounds::at(&setting.checkout());
    let mut learnt = Learnt::default();
    let snapshot = store.scan(&options).unwrap();
    assert_eq!(check_again(&snapshot, &grounds, &mut learnt), check(&snapshot, &grounds));
    let read = learnt.read();
    assert_eq!(check_again(&snapshot, &grounds, &mut learnt), check(&snapshot, &grounds));
    assert_eq!(learnt.read(), read, "nothing changed, so nothing is read");
    setting.file("project_new_one.md", "---\nname: new\ntype: project\n---\n\nSee `src/never/there.rs`.\n");
    let snapshot = store.scan(&options).unwrap();
    let again = check_again(&snapshot, &grounds, &mut learnt);
    assert_eq!(again, check(&snapshot, &grounds), "what was learnt gives the same findings");
    assert_eq!(learnt.read(), read + 1);
    fs::remove_file(setting.store().join("project_new_one.md")).unwrap();
    let snapshot = store.scan(&options).unwrap();
    assert_eq!(check_again(&snapshot, &grounds, &mut learnt), check(&snapshot, &grounds));
}

#[test]
fn lines_of_the_index_are_judged_as_the_health_check_judges_them() {
    let setting = usual();
    let index = fs::read_to_string(setting.store().join("MEMORY.md")).unwrap();
    let more = "- [Index](MEMORY.md) — itself\n- [Cased](User_Role.md) — another letter case\n- [[merge-freeze]] by its name\n";
    setting.file("MEMORY.md", format!("{index}{more}"));
    let mut stage = setting.open(120, 40);
    let mut found: Vec<_> = stage
        .state
        .findings
        .iter()
        .filter(|finding| ["index-dangling", "index-twice", "case-mismatch"].contains(&finding.code.word()))
        .filter_map(|finding| finding.line)
        .collect();
    found.sort_unstable();
    found.dedup();
    stage.press(&["I"]);
    let Some(Layer::Index(screen)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let marked: Vec<_> =
        (0..screen.now.lines.len()).filter(|line| screen.wrong(*line).is_some()).map(|at| at + 1).collect();
    assert!(marked.len() >= 3, "{marked:?}");
    assert_eq!(marked, found);
    assert!(screen.wrong(index.lines().count()).is_none(), "the index itself is there");
    // A dead line that goes takes its mark with it, and undo brings both back.
    stage.press(&["g"]);
    let dead = screen_line(&stage, "[Gone]");
    for _ in 0..dead {
        stage.press(&["j"]);
    }
    stage.press(&["d"]);
    assert!(!stage.screen().contains(" gone "), "{}", stage.screen());
    stage.press(&["u"]);
    assert!(stage.screen().contains(" gone "), "{}", stage.screen());
}

/// The line of the index, from 0, that holds a word.
fn screen_line(stage: &Stage, word: &str) -> usize {
    let Some(Layer::Index(screen)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    screen.now.lines.iter().position(|line| line.text.contains(word)).unwrap()
}

#[test]
fn enter_on_a_name_in_a_new_folder_says_that_what_it_brings_is_looked_up_first() {
    let mut stage = usual().open(120, 40);
    select(&mut stage, "freeze");
    stage.press(&["N", "ctrl-u"]);
    // What follows is not carried out: the answer is still on its way.
    for word in ["s", "/", "x", "enter"] {
        let event = dreamtop::tui::event::AppEvent::Key(crate::stage::key(word));
        dreamtop::tui::update::update(&mut stage.state, event);
    }
    assert!(notice(&stage).contains("Enter again once that is shown"), "{}", notice(&stage));
    assert!(matches!(stage.state.layers.last(), Some(Layer::Rename(rename)) if !rename.saving));
}
