//! FC-053: what the screen offers exists and does something where it is offered.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use dreamtop::tui::command::{self, CommandSpec};
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::keymap::Key;
use dreamtop::tui::{state::State, update};

use super::stage::{Stage, usual};

/// The event of a key word of the table.
fn event(word: &str) -> KeyEvent {
    let mut rest = word;
    let mut modifiers = KeyModifiers::NONE;
    for (prefix, modifier) in
        [("ctrl-", KeyModifiers::CONTROL), ("alt-", KeyModifiers::ALT), ("shift-", KeyModifiers::SHIFT)]
    {
        if let Some(after) = rest.strip_prefix(prefix) {
            (rest, modifiers) = (after, modifiers | modifier);
        }
    }
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        "tab" => KeyCode::Tab,
        "space" => KeyCode::Char(' '),
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "delete" => KeyCode::Delete,
        "pageup" => KeyCode::PageUp,
        "pagedown" => KeyCode::PageDown,
        word if word.len() > 1 => KeyCode::F(word[1..].parse().unwrap()),
        letter => KeyCode::Char(letter.chars().next().unwrap()),
    };
    let event = KeyEvent::new(code, modifiers);
    assert_eq!(Some(Key::of(&event)), Key::parse(word), "{word}");
    event
}

/// Whether a key does something: an effect, another state, or at least a word about it that is no refusal.
fn does_something(state: &State, spec: &CommandSpec) -> bool {
    let mut after = state.clone();
    after.notice = None;
    let before = format!("{after:?}");
    let effects = update::update(&mut after, AppEvent::Key(event(spec.keys[0])));
    let refused = after.notice.as_ref().is_some_and(|notice| notice.text.starts_with("Not possible"));
    !refused && (!effects.is_empty() || format!("{after:?}") != before)
}

/// The screens, each with the keys that open it.
fn screens() -> Vec<(&'static str, Stage)> {
    let open = |keys: &[&str]| {
        let setting = usual();
        std::fs::write(setting.checkout().join("CLAUDE.md"), "# Ours\n").unwrap();
        let mut stage = setting.open(120, 40);
        stage.press(keys);
        stage
    };
    let all: &[(&str, &[&str])] = &[
        ("dashboard", &[]),
        ("index pane", &["shift-tab"]),
        ("preview", &["tab"]),
        ("marks", &["space"]),
        ("reading", &["enter"]),
        ("triage", &["t"]),
        ("editor", &["e"]),
        ("editor with a text", &["e", "x"]),
        ("new memory", &["n"]),
        ("rename", &["N"]),
        ("promotion", &["P"]),
        ("index", &["I"]),
        ("index with a change", &["I", "d"]),
        ("findings", &["c"]),
        ("history", &["H"]),
        ("history with an entry", &["y", "H"]),
        ("inbox", &["i"]),
        ("runs", &["R"]),
        ("projects", &["p"]),
        ("why", &["w"]),
        ("help", &["?"]),
    ];
    all.iter().map(|(name, keys)| (*name, open(keys))).collect()
}

#[test]
fn fc_053_every_key_that_a_footer_offers_does_something_where_it_is_offered() {
    let mut idle = Vec::new();
    for (name, stage) in screens() {
        for spec in command::available(&stage.state).filter(|spec| !spec.verb.is_empty() && !spec.keys.is_empty()) {
            if !does_something(&stage.state, spec) {
                idle.push(format!("{name}: {} ({})", spec.keys[0], spec.name));
            }
        }
    }
    assert_eq!(idle, Vec::<String>::new());
}

#[test]
fn fc_053_what_cannot_be_done_is_not_offered_and_says_why_when_its_key_is_pressed_all_the_same() {
    let stage = super::stage::Setting::without_home().open(120, 40);
    let offered: Vec<&str> = command::available(&stage.state).map(|spec| spec.name).collect();
    for name in ["edit", "rename", "promote", "set-type", "arrange", "triage", "delete", "save"] {
        assert!(!offered.contains(&name), "{name} is offered without a store");
    }
    for key in ["e", "N", "P", "T", "I"] {
        let mut stage = super::stage::Setting::without_home().open(120, 40);
        stage.press(&[key]);
        let told = stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default();
        assert!(told.starts_with("Not possible now: no store is open"), "{key}: {told}");
    }
}
