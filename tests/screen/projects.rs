//! The lists of projects and of what is shared with a team.

use std::fs;

use dreamtop::tui::layer::Layer;
use insta::assert_snapshot;

use crate::stage::{Setting, Stage, usual};

fn listed(stage: &mut Stage) -> Vec<String> {
    stage.press(&["p"]);
    titles(stage)
}

fn titles(stage: &Stage) -> Vec<String> {
    let Some(Layer::Projects(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    dreamtop::tui::layer::projects::rows(layer, &stage.state).iter().map(|project| project.title()).collect()
}

/// A second project with one fresh memory, and one with nothing but a session.
fn three() -> Setting {
    let setting = usual();
    let projects = setting.path("home/.claude/projects");
    let memory = "---\nname: tea\ndescription: \"d\"\nmetadata:\n  node_type: memory\n  type: user\n  modified: \
                  2026-11-29T10:00:00.000Z\n---\n\nTea.\n";
    fs::create_dir_all(projects.join("-srv-zebra/memory")).unwrap();
    fs::write(projects.join("-srv-zebra/memory/user_tea.md"), memory).unwrap();
    fs::create_dir_all(projects.join("-srv-aardvark")).unwrap();
    fs::write(projects.join("-srv-aardvark/one.jsonl"), "{}\n").unwrap();
    setting
}

#[test]
fn projects_show_what_their_stores_hold_and_the_order_and_filter_follow_keys() {
    let mut stage = three().open(120, 40);
    let by_stale = listed(&mut stage);
    assert_eq!(by_stale.len(), 3);
    assert!(by_stale[1].contains("zebra") && by_stale[2].contains("aardvark"), "{by_stale:?}");
    let screen = stage.screen();
    assert!(screen.contains("Projects 3 · by stale memories") && !screen.contains("not looked into"), "{screen}");
    let row = |stage: &Stage, name: &str| stage.screen().lines().find(|line| line.contains(name)).unwrap().to_owned();
    let zebra = row(&stage, "zebra");
    let figures: Vec<&str> = zebra.split_whitespace().collect();
    assert!(figures.windows(2).any(|two| two == ["1", "-"]), "one memory, none stale: {zebra}");
    assert!(row(&stage, "aardvark").contains("no memory yet"));
    stage.press(&["s"]);
    assert!(titles(&stage)[0].contains("aardvark"), "by name: {:?}", titles(&stage));
    stage.press(&["/"]).type_text("zeb").press(&["enter"]);
    assert_eq!(titles(&stage).len(), 1);
    stage.press(&["esc"]);
    assert_eq!(titles(&stage).len(), 3, "escape drops the filter first");
    stage.press(&["/"]).type_text("zeb").press(&["enter", "enter"]);
    assert!(stage.state.layers.is_empty() && stage.store().ends_with("-srv-zebra/memory"), "{}", stage.screen());
}

#[test]
fn the_cursor_stays_on_its_project_when_the_order_changes() {
    let mut stage = three().open(120, 40);
    listed(&mut stage);
    let selected = |stage: &Stage| {
        let Some(Layer::Projects(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
        titles(stage)[layer.list.selected].clone()
    };
    assert!(selected(&stage).contains("acme-api"), "the one that is shown");
    stage.press(&["j"]);
    let chosen = selected(&stage);
    for _ in 0..4 {
        stage.press(&["s"]);
        assert_eq!(selected(&stage), chosen);
    }
}

#[test]
fn the_projects_at_four_sizes() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut stage = Setting::sample().open(width, height);
        stage.press(&["p", "j"]);
        assert_snapshot!(format!("the_projects_at_{width}x{height}"), without_path(&stage));
    }
}

/// The screen without the line that names a directory of this test.
fn without_path(stage: &Stage) -> String {
    let root = stage.root().canonicalize().unwrap();
    let root = root.to_string_lossy();
    stage.screen().lines().filter(|line| !line.contains(&root[..8])).map(|line| format!("{line}\n")).collect()
}

fn shared() -> Setting {
    let setting = usual();
    setting
        .file("team/MEMORY.md", "# Team\n\n- [Deploys](project_deploys.md) — Tuesdays\n")
        .memory("team/project_deploys.md", "project", "deploy day", "2026-11-20T09:00:00.000Z", "Deploys go out on Tuesday.")
        .file("team/reference_access.md", "---\nname: access\ndescription: \"where keys are\"\ntype: reference\n---\n\nUse it.\n\nkey: AKIAQ3EGRZ7XW5LN2KVD\n")
        .file("team/notes.txt", "no memory\n");
    setting
}

#[test]
fn the_team_screen_says_what_would_be_shared_what_is_kept_back_and_that_no_sync_is_set_up() {
    let mut stage = shared().open(120, 40);
    let before = fs::read(stage.store().join("team/reference_access.md")).unwrap();
    stage.press(&["S"]);
    let screen = stage.screen();
    assert!(screen.contains("Sync with a team is not set up"), "{screen}");
    assert!(screen.contains("2 would be shared, 1 kept back"), "{screen}");
    assert!(screen.contains("Never shared: notes.txt"), "{screen}");
    stage.press(&["G"]);
    let screen = stage.screen();
    assert!(screen.contains("A sync would keep it back: a credential") && screen.contains("line 9"), "{screen}");
    assert!(!screen.contains("AKIAQ3EGRZ7XW5LN2KVD"), "the credential itself is nowhere: {screen}");
    stage.press(&["enter", "esc"]);
    assert!(stage.state.layers.is_empty());
    assert_eq!(fs::read(stage.store().join("team/reference_access.md")).unwrap(), before);
}

#[test]
fn a_project_that_shares_nothing_says_so() {
    let mut stage = usual().open(100, 30);
    stage.press(&["S"]);
    assert!(stage.screen().contains("This project shares nothing"), "{}", stage.screen());
}

#[test]
fn the_team_screen_at_four_sizes() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut stage = shared().open(width, height);
        stage.press(&["S", "G"]);
        assert_snapshot!(format!("the_team_screen_at_{width}x{height}"), stage.screen());
    }
}
