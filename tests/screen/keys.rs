//! Keys: what help and palette say of them; chords; what the configuration gets wrong. That each does something where it is
//! offered is tested in `hints`.

use dreamtop::tui::command::COMMANDS;
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;
use insta::assert_snapshot;

use crate::stage::{Setting, Stage, usual};

#[test]
fn fc_053_the_help_says_what_the_keys_do_here_and_names_no_other() {
    let mut stage = usual().open(120, 60);
    let dashboard = stage.press(&["?"]).screen();
    assert!(dashboard.contains("On the dashboard") && dashboard.contains("Leave dreamtop."), "{dashboard}");
    assert!(!dashboard.contains("Kill the run") && !dashboard.contains("hunk"), "{dashboard}");
    stage.press(&["esc", "H", "?"]);
    let history = stage.screen();
    assert!(history.contains("Keys in the history") && history.contains("Close this."), "{history}");
    assert!(!history.contains("Take back the landing"), "nothing landed yet, so there is nothing to undo: {history}");
    stage.press(&["?"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::History(_))), "the same key closes it");
}

#[test]
fn the_palette_has_every_command_and_says_of_what_cannot_be_done_here_why_not() {
    let mut stage = usual().open(120, 40);
    stage.press(&[":"]);
    let Some(Layer::Palette(palette)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let commands = palette.entries.iter().filter(|entry| entry.setting.is_none()).count();
    assert_eq!(commands, COMMANDS.len() - 1, "all but the palette itself");
    stage.type_text("accept-all");
    assert!(stage.screen().contains("Not now: only in a review"), "{}", stage.screen());
    stage.press(&["enter"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Palette(_))), "it stays open");
    assert!(stage.screen().contains("accept-all: Not now: only in a review"), "{}", stage.screen());
    stage.press(&["ctrl-u"]);
    stage.type_text("kill").press(&["enter", "esc", "R", ":"]);
    stage.type_text("kill");
    assert!(stage.screen().contains("Not now: "), "there is no run to kill: {}", stage.screen());
}

fn chords() -> Stage {
    usual().open_with("keys:\n  top: g g\n  bottom: g e\n  sort: g s\n  accept: g a\n", 100, 30)
}

#[test]
fn a_chord_shows_what_can_follow_and_the_rest_of_it_does_it() {
    let mut stage = chords();
    stage.press(&["j", "j", "g"]);
    assert_snapshot!("the_first_key_of_a_chord_shows_what_can_follow", stage.screen());
    stage.press(&["g"]);
    assert_eq!((stage.state.memories.list.selected, stage.state.pressed.is_none()), (0, true));
    stage.press(&["g", "e"]);
    assert_eq!(stage.state.memories.list.selected, 4);
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50), (20, 5), (1, 1), (0, 0)] {
        stage.resize(width, height).press(&["g"]);
        stage.screen();
        stage.press(&["esc"]);
    }
}

#[test]
fn escape_and_a_key_that_does_not_follow_end_a_chord_and_ctrl_c_still_leaves() {
    let mut stage = chords();
    stage.press(&["g", "esc"]);
    assert_eq!((stage.state.pressed.is_none(), stage.state.notice.is_none()), (true, true));
    stage.press(&["g", "d"]);
    assert!(stage.state.layers.is_empty(), "the second key is not taken for itself: {}", stage.screen());
    assert!(stage.screen().contains("g d means nothing here"), "{}", stage.screen());
    stage.press(&["g", "ctrl-c"]);
    assert_eq!(stage.asked, [dreamtop::tui::effect::Effect::Quit]);
}

#[test]
fn pasted_text_and_a_click_are_no_rest_of_a_chord() {
    let mut stage = chords();
    stage.press(&["j", "g"]);
    stage.take(AppEvent::Paste("g".to_owned()));
    assert_eq!((stage.state.memories.list.selected, stage.state.pressed.is_none()), (1, true));
}

#[test]
fn a_key_that_cannot_be_as_it_is_configured_is_told_at_the_start_with_file_and_line() {
    let stage = usual().open_with("theme: auto\nkeys:\n  new: e\n  flie: x\n", 200, 50);
    let notice = stage.state.notice.as_ref().unwrap().text.clone();
    assert!(notice.contains("config.yaml:3: keys: e already means new; edit has to do without it"), "{notice}");
    assert!(notice.contains("config.yaml:4: keys: there is no command \"flie\""), "{notice}");
}

#[test]
fn every_key_that_cannot_be_is_told_on_a_small_screen_and_stands_in_the_settings_with_what_holds_instead() {
    let mut stage = usual().open_with("mouse: true\nkeys: {nosuch: q, mark: qq}\n", 80, 24);
    let screen = stage.screen();
    assert!(screen.contains("there is no command \"nosuch\"") && screen.contains("\"qq\" is not a key"), "{screen}");
    let rows = dreamtop::tui::layer::settings::rows(&stage.state);
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    let (unknown, mark) = (row("keys.nosuch"), row("keys.mark"));
    assert_eq!((unknown.value.as_str(), unknown.from.as_str()), ("q", "config.yaml:2"));
    assert!(unknown.note.as_ref().unwrap().contains("no command"), "{unknown:?}");
    assert_eq!((mark.value.as_str(), mark.from.as_str()), ("Space", "default; config.yaml:2 names no key"));
    assert!(mark.note.as_ref().unwrap().contains("\"qq\" is not a key"), "{mark:?}");
    stage.press(&[",", "/"]).type_text("nosuch").press(&["enter", "x", "y"]);
    let left = std::fs::read_to_string(stage.state.setup.file.as_ref().unwrap()).unwrap();
    assert!(!left.contains("nosuch") && left.contains("mark"), "{left}\n{}", stage.screen());
}

#[test]
fn the_help_at_four_sizes() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut stage = Setting::sample().open(width, height);
        stage.press(&["?"]);
        assert_snapshot!(format!("the_help_of_the_dashboard_at_{width}x{height}"), stage.screen());
    }
}

/// The part of `docs/keys.md` that is made: a table a place.
fn tables() -> String {
    let mut page = String::new();
    let mut place = "";
    for row in dreamtop::tui::command::manual() {
        if row.place != place {
            place = row.place;
            page.push_str(&format!("\n### {place}\n\n| Keys | Command | Does |\n|---|---|---|\n"));
        }
        let keys: Vec<String> = row.keys.iter().map(|key| format!("`{key}`")).collect();
        page.push_str(&format!("| {} | {} | {} |\n", keys.join(" "), row.name, row.sentence));
    }
    page + "\n"
}

#[test]
fn the_page_of_keys_has_every_command_as_the_table_has_it() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("screen keys` -->\n").expect("the page has a place for the tables");
    let (made, after) = rest.split_once("<!-- /keys -->").expect("the tables end");
    let wanted = tables();
    if std::env::var_os("UPDATE_README").is_some() {
        std::fs::write(&path, format!("{before}screen keys` -->\n{wanted}<!-- /keys -->{after}")).unwrap();
        return;
    }
    assert!(made == wanted, "refresh it with UPDATE_README=1 cargo test --test screen keys");
}
