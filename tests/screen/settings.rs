//! The settings: what is shown, and what a change does to the file and to the screen.

use std::fs;

use dreamtop::memory::Freshness;
use dreamtop::run::halt;
use dreamtop::state::StateDir;
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;
use dreamtop::tui::layer::settings::{SettingRow, rows};
use dreamtop::tui::theme::Theme;
use insta::assert_snapshot;

use crate::stage::{Stage, now, usual};

const FILE: &str = "# mine\ntheme: dark   # at night\ndream:\n  min_hours: 12\nkeys:\n  sort: o\n  new: e\n";

fn row(stage: &Stage, name: &str) -> SettingRow {
    rows(&stage.state).into_iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// Moves the cursor to a setting.
fn select(stage: &mut Stage, name: &str) {
    let at = rows(&stage.state).iter().position(|row| row.name == name).unwrap();
    stage.press(&["g"]);
    for _ in 0..at {
        stage.press(&["j"]);
    }
}

fn text(stage: &Stage) -> String {
    fs::read_to_string(stage.state.setup.file.as_ref().unwrap()).unwrap_or_default()
}

#[test]
fn each_setting_says_its_value_where_it_is_from_and_what_it_decides() {
    let mut stage = usual().open_with(FILE, 120, 40);
    stage.press(&[","]);
    let of = |name: &str| {
        let row = row(&stage, name);
        (row.value, row.from)
    };
    assert_eq!(of("dream.min_hours"), ("12".to_owned(), "config.yaml:4".to_owned()));
    assert_eq!(of("dream.min_sessions"), ("5".to_owned(), "default".to_owned()));
    assert_eq!(of("keys.sort"), ("o".to_owned(), "config.yaml:6".to_owned()));
    assert_eq!(of("autoDreamEnabled"), ("not set".to_owned(), "default".to_owned()));
    let note = row(&stage, "keys.new").note.unwrap();
    assert!(note.contains("e already means new; edit has to do without it"), "{note}");
    for row in rows(&stage.state) {
        assert!(row.says.ends_with('.') && !row.accepted.is_empty() && !row.from.is_empty(), "{row:?}");
    }
}

#[test]
fn what_is_stronger_than_the_configuration_is_named_as_what_decides() {
    let setting = usual();
    fs::write(setting.path("home/.claude/settings.json"), "{\"autoDreamEnabled\": false}").unwrap();
    let stage = setting.open_with("dream: {enabled: true}\n", 120, 40);
    let row = row(&stage, "dream.enabled");
    assert_eq!((row.value.as_str(), row.from.as_str()), ("false", "settings.json, autoDreamEnabled"));
    assert!(row.note.unwrap().contains("the configuration says true, from config.yaml:1"));
}

#[test]
fn a_typed_value_changes_only_its_bytes_in_the_file_and_counts_at_once() {
    let mut stage = usual().open_with(FILE, 120, 40);
    stage.press(&[","]);
    assert_eq!(stage.state.theme, Theme::Dark);
    select(&mut stage, "theme");
    stage.press(&["enter", "tab"]);
    assert_eq!(stage.state.theme, Theme::Dark, "typing decides nothing");
    stage.press(&["enter"]);
    assert_eq!(stage.state.theme, Theme::Light);
    assert_eq!(text(&stage), FILE.replace("dark", "light"));
    assert!(stage.screen().contains("theme is light (config.yaml:2)"), "{}", stage.screen());
    select(&mut stage, "keys.top");
    stage.press(&["enter"]).type_text("z z").press(&["enter", "G", "z", "z"]);
    let Some(Layer::Settings(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert_eq!(layer.list.selected, 0, "the new chord counts: {}", stage.screen());
    assert!(text(&stage).ends_with("  new: e\n  top: \"z z\"\n"), "{}", text(&stage));
}

#[test]
fn a_shelf_life_is_worked_out_anew_for_every_badge() {
    let mut stage = usual().open_with("", 120, 40);
    let stale =
        |stage: &Stage| stage.state.memories.rows.iter().filter(|row| row.freshness == Freshness::Stale).count();
    let before = stale(&stage);
    stage.press(&[","]);
    select(&mut stage, "shelf_life.user");
    stage.press(&["enter", "ctrl-u"]).type_text("30").press(&["enter"]);
    assert_eq!(text(&stage), "shelf_life:\n  user: 30\n", "the file is made");
    assert_eq!(stale(&stage), before + 1, "{}", stage.screen());
    stage.press(&["x", "y"]);
    assert_eq!((text(&stage).as_str(), stale(&stage)), ("", before));
    stage.press(&["x"]);
    assert!(stage.screen().contains("is not set in config.yaml: the default holds"), "{}", stage.screen());
}

#[test]
fn a_value_that_is_not_accepted_stays_typed_with_what_is_and_escape_leaves_it() {
    let mut stage = usual().open_with(FILE, 120, 40);
    stage.press(&[","]);
    select(&mut stage, "dream.min_hours");
    stage.press(&["enter", "ctrl-u"]).type_text("soon").press(&["enter"]);
    assert!(stage.screen().contains("a whole number, 0 or more"), "{}", stage.screen());
    assert_eq!(text(&stage), FILE);
    stage.take(AppEvent::Paste("er\nq".to_owned()));
    assert!(stage.screen().contains("▸ sooner"), "{}", stage.screen());
    stage.press(&["esc"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Settings(_))));
    assert_eq!(row(&stage, "dream.min_hours").value, "12");
    select(&mut stage, "keys.top");
    for words in ["", "meta-x"] {
        stage.press(&["enter", "ctrl-u"]).type_text(words).press(&["enter"]);
        assert!(stage.screen().contains("is not a key"), "{}", stage.screen());
        stage.press(&["esc"]);
    }
    assert_eq!(text(&stage), FILE, "what names no key is not written");
}

#[test]
fn a_file_that_another_program_wrote_meanwhile_is_left_alone_and_read_anew() {
    let mut stage = usual().open_with(FILE, 120, 40);
    stage.press(&[","]);
    let other = "theme: mono\nmouse: false\n";
    fs::write(stage.state.setup.file.as_ref().unwrap(), other).unwrap();
    select(&mut stage, "dream.min_hours");
    stage.press(&["enter", "ctrl-u"]).type_text("3").press(&["enter"]);
    assert_eq!(text(&stage), other);
    assert_eq!((stage.state.theme, row(&stage, "mouse").from.as_str()), (Theme::Mono, "config.yaml:2"));
    assert!(stage.screen().contains("changed by another program"), "{}", stage.screen());
    stage.press(&["enter"]);
    assert_eq!(text(&stage), format!("{other}dream:\n  min_hours: 3\n"), "a second enter means the file as it is now");
}

#[test]
fn a_file_that_says_nonsense_does_not_count_and_the_settings_before_hold() {
    let mut stage = usual().open_with(FILE, 120, 40);
    fs::write(stage.state.setup.file.as_ref().unwrap(), "theme: pink\n").unwrap();
    stage.press(&[","]);
    assert_eq!(stage.state.theme, Theme::Dark);
    assert!(stage.screen().contains("config.yaml:1: theme is"), "{}", stage.screen());
}

#[test]
fn what_is_decided_elsewhere_is_not_changed_here_and_says_where() {
    let mut stage = usual().open_with("", 120, 40);
    stage.press(&[","]);
    select(&mut stage, "autoMemoryEnabled");
    stage.press(&["enter"]);
    assert!(
        stage.screen().contains("not decided here: true or false, in Claude Code's settings.json"),
        "{}",
        stage.screen()
    );
}

#[test]
fn the_settings_at_four_sizes() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut stage = usual().open_with(FILE, width, height);
        stage.press(&[","]);
        select(&mut stage, "dream.min_hours");
        assert_snapshot!(format!("the_settings_at_{width}x{height}"), stage.screen());
        stage.press(&["enter"]);
        assert_snapshot!(format!("a_setting_that_is_typed_at_{width}x{height}"), stage.screen());
    }
}

#[test]
fn the_footer_calls_what_enter_does_to_a_setting_by_its_name() {
    let mut stage = usual().open_with(FILE, 120, 40);
    stage.press(&[","]);
    let screen = stage.screen();
    assert!(screen.contains("Enter change") && !screen.contains("Enter open"), "{screen}");
}

#[test]
fn everything_that_starts_by_itself_pauses_with_one_key_and_goes_on_with_the_same() {
    let mut stage = usual().open(120, 40);
    stage.press(&["Z"]);
    assert!(stage.screen().contains("Paused: nothing starts by itself"), "{}", stage.screen());
    // The next key finds it read.
    stage.later(3).press(&["j"]);
    assert!(stage.screen().contains("✗ paused by you"), "{}", stage.screen());
    stage.press(&["w"]);
    assert!(stage.screen().contains("you paused everything"), "{}", stage.screen());
    stage.press(&["esc", ":"]);
    stage.type_text("pause").press(&["enter"]);
    assert!(stage.screen().contains("The pause is over"), "{}", stage.screen());
    stage.later(3).press(&["k"]);
    assert!(!stage.screen().contains("paused by you"), "{}", stage.screen());
    // One that cannot be written is no pause.
    let halted = stage.root().join("state/runs/halted.json");
    fs::create_dir_all(halted.join("x")).unwrap();
    stage.press(&["Z"]);
    assert!(stage.screen().contains("halted.json"), "{}", stage.screen());
    stage.later(3).press(&["k"]);
    assert!(!stage.screen().contains("paused by you"), "{}", stage.screen());
}

#[test]
fn a_pause_that_is_begun_or_ended_elsewhere_is_seen_and_the_key_does_what_the_screen_shows() {
    let mut stage = usual().open(120, 40);
    let state = StateDir::at(stage.root().join("state"));
    halt::begin(&state, now(), Some(chrono::TimeDelta::hours(2))).unwrap();
    stage.take(AppEvent::RunsTouched);
    assert!(stage.screen().contains("✗ paused 2h"), "{}", stage.screen());
    halt::end(&state, now()).unwrap();
    stage.take(AppEvent::RunsTouched);
    assert!(!stage.screen().contains("✗ paused"), "{}", stage.screen());
    // What the screen said of its own pause does not stand when somebody else lifted it.
    stage.press(&["Z"]).take(AppEvent::RunsTouched);
    assert!(stage.screen().contains("Paused: nothing starts by itself"), "{}", stage.screen());
    halt::end(&state, now()).unwrap();
    stage.take(AppEvent::RunsTouched);
    assert!(!stage.screen().contains("Paused:") && stage.screen().contains("The pause is over"), "{}", stage.screen());
    // Nor that it is over, once somebody else began the next one.
    halt::begin(&state, now(), Some(chrono::TimeDelta::hours(2))).unwrap();
    stage.take(AppEvent::RunsTouched);
    let screen = stage.screen();
    assert!(!screen.contains("The pause is over") && screen.contains("✗ paused 2h"), "{screen}");
    halt::end(&state, now()).unwrap();
    stage.take(AppEvent::RunsTouched);
    // The screen has not seen yet that it is over: to end it ends it.
    halt::begin(&state, now(), None).unwrap();
    stage.take(AppEvent::RunsTouched);
    halt::end(&state, now()).unwrap();
    stage.press(&["Z"]);
    assert!(stage.screen().contains("The pause is over"), "{}", stage.screen());
    assert_eq!(halt::of(&state, now()), None);
    // One that lapses is over without anybody's word.
    halt::begin(&state, now(), Some(chrono::TimeDelta::minutes(1))).unwrap();
    stage.take(AppEvent::RunsTouched);
    assert!(stage.state.halt.is_some());
    stage.later(61).take(AppEvent::Second);
    assert_eq!(stage.state.halt, None, "the next press begins one, and does not end what is over");
}
