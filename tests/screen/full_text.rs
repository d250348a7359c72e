//! Full text over memories and sessions: what a search finds, how it is typed, and where a hit leads.

use std::fs;

use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;
use ratatui::style::Modifier;
use serde_json::json;

use super::finding::{answered, find, lay, said, sessions_of, set_off, with_sessions};
use super::stage::{Stage, usual};

#[test]
fn small_letters_match_capitals_a_capital_only_itself_and_a_text_is_no_expression_unless_asked() {
    let count = |text: &str, keys: &[&str]| {
        let mut stage = find(with_sessions(), 120, 40, text);
        stage.press(keys);
        match stage.state.layers.last() {
            Some(Layer::Find(find)) => find.length(),
            other => panic!("{other:?}"),
        }
    };
    assert!(count("friday", &[]) > 0);
    assert_eq!(count("fRiday", &[]), 0);
    assert_eq!(count("fri.ay", &[]), 0);
    assert!(count("fri.ay", &["ctrl-r"]) > 0);
    assert_eq!(count("friday", &["ctrl-s"]), 0, "without sessions");
    let mut stage = find(with_sessions(), 80, 24, "(freeze");
    assert!(stage.screen().contains("nothing found"), "a bracket is a letter: {}", stage.screen());
    stage.press(&["ctrl-r"]);
    assert!(stage.screen().contains("not a regular expression"), "{}", stage.screen());
}

#[test]
fn a_search_that_is_brought_back_has_its_words_selected_so_that_others_take_their_place() {
    let again = || {
        let mut stage = find(with_sessions(), 120, 40, "freeze");
        stage.press(&["esc", "f"]);
        assert!(stage.screen().contains("find: freeze"), "{}", stage.screen());
        stage
    };
    let is_selected = |stage: &Stage| {
        let (buffer, rows) = (stage.buffer(), stage.screen());
        let row = rows.lines().position(|row| row.contains("find: freeze")).unwrap();
        let cells = (0..stage.state.area.width).filter_map(|x| buffer.cell((x, u16::try_from(row).unwrap())));
        let selected = cells.filter(|cell| cell.modifier.contains(Modifier::REVERSED));
        selected.map(ratatui::buffer::Cell::symbol).collect::<String>() == "freeze"
    };
    let mut stage = again();
    assert!(is_selected(&stage), "{}", stage.screen());
    stage.type_text("board");
    assert!(stage.screen().contains("find: board"), "{}", stage.screen());
    // The hits of the old words are still there to move among; the words themselves are kept by a key that moves in them.
    let mut stage = again();
    let Some(Layer::Find(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert!(layer.length() > 1);
    stage.press(&["down"]);
    let Some(Layer::Find(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    assert_eq!((layer.selected, layer.line.is_selected()), (1, true));
    stage.press(&["end", "backspace", "d"]).type_text("e");
    assert!(stage.screen().contains("find: freezde"), "{}", stage.screen());
    let mut stage = again();
    stage.take(AppEvent::Paste("board".to_owned()));
    assert!(stage.screen().contains("find: board"), "{}", stage.screen());
    let mut stage = again();
    stage.press(&["backspace"]);
    assert!(stage.screen().contains("Type at least two letters"), "{}", stage.screen());
    // What is looked for goes along into the session, and is not selected there.
    let mut stage = again();
    stage.press(&["end", "enter", "esc"]);
    assert!(!is_selected(&stage), "{}", stage.screen());
}

#[test]
fn enter_on_a_memory_opens_it_at_the_hit_with_the_words_set_off() {
    let setting = usual();
    let body: String = (1..=120).map(|number| format!("Line {number}.\n\n")).collect();
    setting.memory(
        "project_long.md",
        "project",
        "long",
        "2026-11-29T10:00:00Z",
        &format!("{body}The needle is here.\n\n{body}"),
    );
    let mut stage = find(setting, 80, 24, "needle");
    stage.press(&["enter"]);
    let screen = stage.screen();
    assert!(screen.contains("The needle is here.") && screen.contains("project_long.md"), "{screen}");
    assert_eq!(set_off(&stage), ["needle"]);
    assert_eq!(stage.state.memories.file.as_deref(), Some("project_long.md"));
    stage.press(&["esc"]);
    assert!(stage.screen().contains("Find in the text"));
}

#[test]
fn the_other_projects_come_after_this_one_and_a_memory_of_theirs_is_looked_at_at_the_line() {
    let setting = with_sessions();
    let folder = setting.path("home/.claude/projects/-srv-other");
    fs::create_dir_all(folder.join("memory")).unwrap();
    fs::write(folder.join("memory/project_far.md"), "---\nname: far\ntype: project\n---\n\nA freeze elsewhere.\n")
        .unwrap();
    lay(&folder.join("99.jsonl"), &[said("o1", None, "Another freeze.")], 1_794_570_000);
    let mut stage = find(setting, 120, 40, "freeze");
    assert!(!stage.screen().contains("project_far.md"));
    stage.press(&["ctrl-a"]);
    let headings: Vec<String> = match stage.state.layers.last() {
        Some(Layer::Find(find)) => find.files.iter().map(|file| file.heading.clone()).collect(),
        other => panic!("{other:?}"),
    };
    let at = |word: &str| {
        headings.iter().position(|heading| heading.contains(word)).unwrap_or_else(|| panic!("{word} in {headings:?}"))
    };
    assert!(
        at("project_freeze.md") < at("3f2a51c0") && at("3f2a51c0") < at("0b7e1111"),
        "the newest session first: {headings:?}"
    );
    assert!(at("0b7e1111") < at("project_far.md") && at("project_far.md") < at("session 99"), "{headings:?}");
    while !matches!(stage.state.layers.last(), Some(Layer::Find(find)) if find.hit(find.selected).unwrap().0.heading.contains("project_far"))
    {
        stage.press(&["down"]);
    }
    stage.press(&["enter"]);
    let screen = stage.screen();
    assert!(screen.contains("6 A freeze elsewhere.") && screen.contains("project_far.md"), "{screen}");
}

#[test]
fn fc_076_five_files_that_lie_in_eight_projects_are_five_files_that_name_the_other_places() {
    let setting = usual();
    for folder in 0..8 {
        let store = setting.path(&format!("home/.claude/projects/-srv-historic-{folder}/memory"));
        fs::create_dir_all(&store).unwrap();
        for file in ["a", "b", "c", "d", "e"] {
            let text = format!("---\nname: {file}\ntype: reference\n---\n\nThe harpsichord tuning table {file}.\n");
            fs::write(store.join(format!("reference_{file}.md")), text).unwrap();
        }
    }
    let mut stage = find(setting, 120, 40, "harpsichord");
    stage.press(&["ctrl-a"]);
    let Some(Layer::Find(find)) = stage.state.layers.last() else { panic!() };
    let told: Vec<(usize, usize)> = find.files.iter().map(|file| (file.hits.len(), file.copies.len())).collect();
    assert_eq!(told, [(1, 7); 5], "{:?}", find.files);
    assert!(stage.screen().contains("8 places"));
}

#[cfg(unix)]
#[test]
fn fc_075_a_linked_home_gives_each_hit_once() {
    let setting = with_sessions();
    let projects = setting.path("home/.claude/projects");
    fs::rename(&projects, setting.path("home/real-projects")).unwrap();
    std::os::unix::fs::symlink(setting.path("home/real-projects"), &projects).unwrap();
    std::os::unix::fs::symlink(setting.store().join("project_freeze.md"), setting.store().join("project_again.md"))
        .unwrap();
    let mut stage = find(setting, 120, 40, "ends on friday");
    stage.press(&["ctrl-a"]);
    let found = |stage: &Stage| match stage.state.layers.last() {
        Some(Layer::Find(find)) => {
            find.files.iter().map(|file| (file.hits.len(), file.copies.len())).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(found(&stage), [(1, 0)]);
    stage.press(&["ctrl-u"]);
    stage.take(AppEvent::Paste("frozen until".to_owned()));
    assert_eq!(found(&stage), [(1, 0)], "a link is no second place");
}

#[test]
fn no_credential_is_shown_in_hits_places_and_sessions() {
    let mut stage = find(with_sessions(), 120, 40, "9c1e token");
    let screen = stage.screen();
    assert!(screen.contains("[removed: looked like a secret]") && !screen.contains("ghp_"), "{screen}");
    stage.press(&["enter"]);
    let screen = stage.screen();
    assert!(screen.contains("[removed: looked like a secret]") && !screen.contains("ghp_"), "{screen}");
}

#[test]
fn nothing_of_a_session_reaches_the_terminal_unescaped() {
    const ODD: &str = "\u{1b}[2J\u{1b}]52;c;eA==\u{7}\u{9b}31m\r\u{202e}ab\u{200b}";
    let setting = usual();
    let call = json!([{ "type": "tool_use", "id": "t", "name": ODD, "input": { "command": ODD, ODD: ODD } }]);
    let lines = vec![said("u", None, &format!("needle {ODD} and\n{ODD}")), answered("a", "u", &call)];
    lay(&sessions_of(&setting).join("odd.jsonl"), &lines, 1_794_484_800);
    let mut stage = find(setting, 120, 40, "needle");
    let is_clean = |stage: &Stage| !stage.screen().chars().any(|c| dreamtop::text::is_unsafe(c) && c != '\n');
    assert!(is_clean(&stage), "{:?}", stage.screen());
    stage.press(&["enter", "J", "G", "enter"]);
    assert!(is_clean(&stage), "{:?}", stage.screen());
    stage.press(&["/"]);
    stage.take(AppEvent::Paste(ODD.to_owned()));
    assert!(is_clean(&stage), "{:?}", stage.screen());
}
