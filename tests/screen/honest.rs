//! What the screen says before, while and after it does something: names, numbers, questions.

use std::fs;

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
    let of_list: usize =
        title.split(" stale").next().and_then(|text| text.rsplit(' ').next()).and_then(|word| word.parse().ok()).unwrap();
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
    let setting = Setting::new();
    let says = |rows: &str| {
        format!(
            "The list endpoints return {rows} rows per page unless the client asks for more.\n\n**Why:** agreed with \
             mobile.\n\n**How to apply:** take it from the shared helper."
        )
    };
    setting
        .memory("project_list_new.md", "project", "list-page", "2026-11-20T09:00:00.000Z", &says("50"))
        .memory("project_list_old.md", "project", "list-size", "2026-06-20T09:00:00.000Z", &says("100"))
        .file(
            "MEMORY.md",
            "# Memory Index\n\n- [Page](project_list_new.md) — list page\n- [Size](project_list_old.md) — list size\n",
        );
    let mut stage = setting.open(140, 40);
    assert!(stage.state.findings.iter().any(|finding| finding.code.word() == "conflict"), "{:?}", stage.state.findings);
    stage.press(&["t", "m"]);
    let Some(Layer::Edit(editor)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let text = editor.form.body_text();
    assert!(text.contains("return 50 rows") && !text.contains("return 100 rows"), "{text}");
    assert_eq!(editor.file, "project_list_new.md");
    assert!(stage.screen().contains("They disagree: the newer claim stays"), "{}", stage.screen());
}
