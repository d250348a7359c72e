//! Nothing that is typed is taken for something else: words for a filter, answers to questions, keys that mean nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;
use dreamtop::tui::state::State;

use crate::review::hold;
use crate::stage::{Setting, Stage, usual};

/// Every character that a person may type.
fn printable() -> String {
    (' '..='~').collect()
}

fn told(stage: &Stage) -> String {
    stage.state.notice.as_ref().map(|notice| notice.text.clone()).unwrap_or_default()
}

/// Every file below a directory.
fn files(root: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files(&entry.path(), into);
        } else {
            into.insert(entry.path().display().to_string(), fs::read(entry.path()).unwrap_or_default());
        }
    }
}

fn all_files(stage: &Stage) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    files(stage.root(), &mut all);
    all
}

/// A screen with something on every list: held changes, landings, findings, a setting, a saved view.
fn full(width: u16, height: u16) -> Stage {
    let mut stage = usual().open_with("theme: dark # at night\n", width, height);
    hold(&mut stage);
    stage.press(&["esc", "y"]);
    stage.press(&["/"]).type_text("board").press(&["ctrl-s"]).type_text("boards").press(&["enter", "esc"]);
    stage
}

/// How each list is opened.
const LISTS: [(&str, &[&str]); 8] = [
    ("inbox", &["i"]),
    ("history", &["H"]),
    ("health", &["c"]),
    ("settings", &[","]),
    ("index", &["I"]),
    ("views", &["V"]),
    ("runs", &["R"]),
    ("projects", &["p"]),
];

/// What has no list: what is read, asked, or judged.
const OTHERS: [(&str, &[&str]); 9] = [
    ("a memory in full", &["enter"]),
    ("triage", &["t"]),
    ("how long to snooze", &["t", "s"]),
    ("a question about the trash", &["d"]),
    ("a question about held changes", &["i", "a"]),
    ("a review", &["i", "enter"]),
    ("why no dream", &["w"]),
    ("help", &["?"]),
    ("a year of dreams", &["R", "y"]),
];

fn shape(state: &State) -> (usize, Option<std::mem::Discriminant<Layer>>) {
    (state.layers.len(), state.layers.last().map(std::mem::discriminant))
}

#[test]
fn words_for_a_filter_are_never_commands_in_any_list_or_dialog() {
    for (name, keys) in LISTS.iter().chain(&OTHERS) {
        let mut stage = full(120, 40);
        stage.press(keys);
        let (open, files) = (shape(&stage.state), all_files(&stage));
        stage.press(&["/"]).type_text(&printable()).press(&["enter"]);
        assert_eq!(shape(&stage.state), open, "{name}: {}", stage.screen());
        assert!(all_files(&stage) == files, "{name} wrote something");
        stage.press(&["esc"]);
        assert!(all_files(&stage) == files, "{name} wrote something");
    }
}

#[test]
fn every_list_narrows_as_one_types_counts_what_is_left_and_escape_brings_all_back() {
    for (name, keys) in LISTS {
        let mut stage = full(120, 40);
        stage.press(keys);
        let before = stage.screen();
        stage.press(&["/"]).type_text("zzzqqq");
        let none = stage.screen();
        assert!(none.contains("Nothing here has all these words."), "{name}: {none}");
        assert!(none.contains("/zzzqqq") && none.contains(" 0/"), "{name}: {none}");
        stage.press(&["esc"]);
        assert_eq!(stage.screen(), before, "{name}: escape goes back to what was before");
        stage.press(&["/"]).type_text("o").press(&["enter"]);
        let layers = stage.state.layers.len();
        let kept = stage.screen();
        assert!(kept.contains(" /o "), "{name}: what narrows it stays to be seen: {kept}");
        stage.press(&["esc"]);
        assert_eq!(stage.state.layers.len(), layers, "{name}: first the words go");
        stage.press(&["esc"]);
        assert_eq!(stage.state.layers.len(), layers - 1, "{name}");
    }
}

#[test]
fn verbs_on_a_list_that_shows_no_row_mean_nothing_below_it() {
    for (name, keys) in LISTS {
        let mut stage = full(120, 40);
        stage.press(keys).press(&["/"]).type_text("zzzqqq").press(&["enter"]);
        let (open, files) = (shape(&stage.state), all_files(&stage));
        for key in ["enter", "a", "x", "E", "J"] {
            stage.press(&[key]);
            assert_eq!(shape(&stage.state), open, "{name}, {key}: {}", stage.screen());
        }
        assert!(all_files(&stage) == files, "{name} wrote something");
    }
}

#[test]
fn the_filter_of_a_list_at_four_sizes() {
    for (width, height) in [(60, 16), (80, 24), (120, 40), (200, 50)] {
        let mut stage = full(width, height);
        stage.press(&["c", "/"]).type_text("gone");
        insta::assert_snapshot!(format!("findings_narrowed_at_{width}x{height}"), stage.screen());
        stage.press(&["esc", "esc", "w", "/"]).type_text("free");
        insta::assert_snapshot!(format!("words_without_a_list_to_filter_at_{width}x{height}"), stage.screen());
    }
}

#[test]
fn a_heading_of_the_inbox_stands_for_the_changes_that_are_seen_below_it() {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    stage.press(&["/"]).type_text("role").press(&["enter", "g", "a"]);
    assert!(!stage.store().join("user_role.md").exists(), "{}", stage.screen());
    let left: Vec<_> = stage.state.inbox.iter().flat_map(|entry| &entry.changes).map(|it| it.file.as_str()).collect();
    assert_eq!(left, ["project_freeze.md"], "what the filter hid still waits");
}

#[test]
fn lines_of_the_index_do_not_move_among_lines_that_are_hidden() {
    let mut stage = usual().open(120, 40);
    stage.press(&["I", "/"]).type_text("role").press(&["enter", "K"]);
    assert!(told(&stage).contains("Esc drops the filter first"), "{}", told(&stage));
    stage.press(&["d", "esc"]);
    let Some(Layer::Index(screen)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let lost: Vec<_> = screen.now.lines.iter().filter(|line| line.text.contains("role")).collect();
    assert!(lost.is_empty(), "the line that was seen is the one that went");
    assert!(screen.now.lines.iter().any(|line| line.text.contains("board")));
}

#[test]
fn fixing_is_not_done_behind_a_filter() {
    let mut stage = full(120, 40);
    stage.press(&["c", "/"]).type_text("zzz").press(&["enter", "f"]);
    assert!(told(&stage).contains("drops the filter"), "{}", told(&stage));
    assert!(matches!(stage.state.layers.last(), Some(Layer::Health(_))));
}

#[test]
fn enter_is_no_yes_and_a_stray_key_says_what_the_question_waits_for() {
    for (keys, answer) in [
        (&["d"][..], "y: delete, n: leave it"),
        (&["i", "a"], "y: land, n: leave it"),
        (&["i", "x"], "y: drop, n: leave it"),
        (&["c", "f"], "y: fix, n: leave it"),
        (&["space", "space", "y"], "y: still true, n: leave it"),
        (&[",", "x"], "y: take it out, n: leave it"),
        (&["t", "t"], "u, f, p or r; Esc leaves it"),
        (&["e", "x", "esc"], "s: save, d: drop, Esc: go on"),
        (&["n", "x", "esc"], "s: save, d: drop, Esc: go on"),
        (&["I", "d", "esc"], "s: save, d: drop, Esc: go on"),
    ] {
        let mut stage = full(120, 40);
        stage.press(keys);
        let (open, files) = (shape(&stage.state), all_files(&stage));
        for key in ["enter", "z", "space"] {
            stage.press(&[key]);
            let key = if key == "z" { "z".to_owned() } else { format!("{}{}", key[..1].to_uppercase(), &key[1..]) };
            assert_eq!(told(&stage), format!("{key} is no answer: {answer}"), "{keys:?}");
            assert_eq!(shape(&stage.state), open, "{keys:?}");
        }
        assert!(all_files(&stage) == files, "{keys:?}");
    }
}

#[test]
fn a_key_that_means_nothing_says_so_wherever_it_is_pressed() {
    for keys in [&[][..], &["i"], &["H"], &["c"], &[","], &["I"], &["R"], &["enter"], &["w"]] {
        let mut stage = full(120, 40);
        stage.press(keys);
        let open = shape(&stage.state);
        for key in ["5", "X", "z"] {
            stage.press(&[key]);
            assert_eq!(told(&stage), format!("{key} means nothing here; ? shows what does"), "{keys:?}");
        }
        assert_eq!(shape(&stage.state), open, "{keys:?}");
    }
}

#[test]
fn verbs_on_the_index_pane_are_about_the_memory_of_the_line_and_name_it() {
    let mut stage = usual().open(120, 40);
    let of_list = stage.state.memories.file.clone();
    // The heading and the blank line lead nowhere.
    stage.press(&["shift-tab", "d"]);
    assert!(told(&stage).contains("this line of the index leads to no memory"), "{}", told(&stage));
    stage.press(&["j", "j"]);
    assert_ne!(of_list.as_deref(), Some("feedback_testing.md"));
    assert!(stage.screen().contains("feedback_testing.md ─"), "the preview shows it: {}", stage.screen());
    stage.press(&["y"]);
    assert_eq!(told(&stage), "Still true, dated today: feedback_testing.md · u takes it back");
    stage.press(&["d"]);
    assert!(stage.screen().contains("feedback_testing.md"), "{}", stage.screen());
    stage.press(&["y"]);
    assert!(!stage.store().join("feedback_testing.md").exists());
    assert!(told(&stage).starts_with("Moved feedback_testing.md to the trash"), "{}", told(&stage));
}

#[test]
fn undo_takes_back_what_another_program_did_last_and_then_what_was_done_here() {
    let mut stage = usual().open(120, 40);
    stage.press(&["/"]).type_text("freeze").press(&["enter", "esc", "e"]).type_text("Mine. ").press(&["ctrl-s"]);
    let path = stage.store().join("project_freeze.md");
    let (mine, theirs) = (fs::read_to_string(&path).unwrap(), "Theirs.\n");
    fs::write(&path, theirs).unwrap();
    stage.take(AppEvent::StoreTouched);
    stage.press(&["u"]);
    assert!(stage.screen().contains("Take back \"changed by another program"), "{}", stage.screen());
    assert_eq!(fs::read_to_string(&path).unwrap(), theirs, "it asks first: it was not the person's own");
    stage.press(&["y"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), mine);
    stage.press(&["u"]);
    assert!(!fs::read_to_string(&path).unwrap().contains("Mine. "), "{}", stage.screen());
}

#[test]
fn a_setting_that_is_taken_out_is_asked_about_with_its_line_and_comes_back_with_undo() {
    let text = "theme: dark # at night\nmodels:\n  anthropic:\n    api_key_command: pass show key # mine\n";
    let mut stage = usual().open_with(text, 120, 40);
    let file = stage.state.setup.file.clone().unwrap();
    stage.press(&[",", "/"]).type_text("api_key_command pass").press(&["enter", "x"]);
    assert!(stage.screen().contains("api_key_command: pass show key # mine"), "{}", stage.screen());
    stage.press(&["y"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "theme: dark # at night\n", "no empty sections stay");
    assert!(told(&stage).contains("u takes it back"), "{}", told(&stage));
    stage.press(&["u"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    stage.press(&["u"]);
    assert!(told(&stage).contains("nothing was changed here yet"), "{}", told(&stage));
}

#[test]
fn undo_of_a_setting_leaves_a_file_alone_that_was_changed_since() {
    let mut stage = usual().open_with("theme: dark\n", 120, 40);
    let file = stage.state.setup.file.clone().unwrap();
    stage.press(&[",", "x", "y"]);
    fs::write(&file, "mouse: false\n").unwrap();
    stage.press(&["esc", ",", "u"]);
    assert!(told(&stage).contains("was changed since"), "{}", told(&stage));
    assert_eq!(fs::read_to_string(&file).unwrap(), "mouse: false\n");
}

#[test]
fn the_findings_are_worked_through_without_losing_the_place() {
    let mut stage = full(120, 40);
    stage.press(&["c", "j", "j"]);
    let Some(Layer::Health(health)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let at = health.list.selected;
    assert!(at > 0);
    let file = stage.state.findings[at].file.clone();
    stage.press(&["enter"]);
    match stage.state.layers.last() {
        Some(Layer::Reading(_)) => assert_eq!(stage.state.target().unwrap().file, file),
        Some(Layer::Index(_)) => assert_eq!(file, "MEMORY.md"),
        _ => panic!("{}", stage.screen()),
    }
    stage.press(&["esc"]);
    let selected = |stage: &Stage| match stage.state.layers.last() {
        Some(Layer::Health(health)) => health.list.selected,
        _ => panic!("{}", stage.screen()),
    };
    assert_eq!(selected(&stage), at);
    stage.press(&["esc", "c"]);
    assert_eq!(selected(&stage), at, "they open where they were left");
}

#[test]
fn a_memory_that_the_lens_found_opens_over_it_and_a_filter_that_goes_is_named() {
    let mut stage = usual().open(120, 40);
    stage.press(&["/"]).type_text("board").press(&["enter", "r"]).type_text("merge freeze release").press(&["enter"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Reading(_))), "{}", stage.screen());
    assert_eq!(stage.state.target().unwrap().file, "project_freeze.md");
    assert_eq!(told(&stage), "The filter board hid it and is dropped");
    stage.press(&["esc"]);
    assert!(matches!(stage.state.layers.last(), Some(Layer::Lens(_))));
}

#[test]
fn an_answer_to_a_key_ends_with_the_next_deed_and_with_its_layer() {
    let mut stage = usual().open(120, 40);
    hold(&mut stage);
    stage.press(&["enter", "enter"]);
    assert!(told(&stage).contains("Nothing is accepted yet"), "{}", told(&stage));
    stage.press(&["A"]);
    assert_eq!(told(&stage), "");
    let mut stage = usual().open(120, 40);
    stage.press(&["t", "m"]);
    assert!(told(&stage).contains("no partner is proposed"), "{}", told(&stage));
    stage.press(&["esc"]);
    assert_eq!(told(&stage), "");
}

#[test]
fn a_memory_that_says_nothing_is_not_dated_as_true() {
    let setting = usual();
    setting.file("empty.md", "");
    let mut stage = setting.open(120, 40);
    stage.press(&["/"]).type_text("empty").press(&["enter", "y"]);
    assert!(stage.screen().contains("it says nothing that could be true"), "{}", stage.screen());
    assert!(stage.state.history.is_empty());
}

#[test]
fn the_palette_takes_blanks_for_hyphens_and_finds_settings() {
    let mut stage = usual().open(120, 40);
    stage.press(&[":"]).type_text("set type");
    assert!(stage.screen().contains("set-type"), "{}", stage.screen());
    stage.press(&["ctrl-u"]).type_text("theme");
    assert!(stage.screen().contains("Setting, auto now: How the screen looks"), "{}", stage.screen());
    stage.press(&["enter"]);
    let Some(Layer::Settings(layer)) = stage.state.layers.last() else { panic!("{}", stage.screen()) };
    let rows = dreamtop::tui::layer::settings::rows(&stage.state);
    assert_eq!(rows[layer.list.selected].name, "theme");
}

#[test]
fn a_command_that_lost_its_key_stands_in_the_help_by_its_name() {
    let mut stage = usual().open_with("keys:\n  edit: t\n", 120, 40);
    stage.press(&["?"]);
    assert!(stage.screen().contains(":triage"), "{}", stage.screen());
}

#[test]
fn without_a_home_the_screen_says_so_and_a_new_project_offers_its_first_memory() {
    let mut stage = Setting::without_home().open(120, 40);
    stage.press(&["n"]);
    assert!(told(&stage).contains("there is no Claude home"), "{}", told(&stage));
    let mut stage = Setting::without_store().open(120, 40);
    stage.press(&["t"]);
    assert!(told(&stage).contains("this project has no memory yet; n writes the first one"), "{}", told(&stage));
}

#[test]
fn a_memory_whose_turn_is_not_recorded_says_that_only_its_session_is_known() {
    let setting = Setting::sample();
    let mut stage = setting.open(120, 40);
    let file =
        stage.state.snapshot().unwrap().memories.iter().find(|it| it.origin_session.is_some()).unwrap().file.clone();
    stage.press(&["/"]).type_text(file.trim_end_matches(".md")).press(&["enter", "esc"]);
    let screen = stage.screen();
    assert!(screen.contains("O its session") || !screen.contains("O its turn"), "{screen}");
    stage.press(&["O", "s"]);
    let known = told(&stage);
    assert!(known.contains("only the session is recorded") || known.contains("its session cannot be read"), "{known}");
}

#[test]
fn a_question_on_the_smallest_screen_shows_its_answers_and_a_form_the_field_that_has_the_keys() {
    let mut stage = full(20, 5);
    stage.press(&["d"]);
    let screen = stage.screen();
    assert!(screen.contains(" y ") && screen.contains(" n "), "{screen}");
    stage.press(&["n", "e"]).type_text("Seen while typed. ");
    let screen = stage.screen();
    assert!(screen.contains("typed."), "{screen}");
    stage.press(&["esc"]);
    let screen = stage.screen();
    assert!([" s ", " d ", " Esc "].iter().all(|key| screen.contains(key)), "{screen}");
    stage.press(&["d"]);
    stage.resize(40, 10).press(&["e", "tab", "tab", "tab"]);
    assert!(stage.screen().contains("‹ [") && stage.screen().contains("] ›"), "{}", stage.screen());
}

#[test]
fn triage_shows_its_verdicts_and_the_way_out_on_small_screens() {
    let mut stage = usual().open(60, 16);
    stage.press(&["t"]);
    let footer = stage.screen().lines().nth(14).unwrap_or_default().to_owned();
    for entry in ["y still true", "d delete", "e edit", "Space skip", "Esc", "? help"] {
        assert!(footer.contains(entry), "{entry}: {footer}");
    }
    let mut stage = usual().open(40, 10);
    stage.press(&["t"]);
    let footer = stage.screen().lines().last().unwrap_or_default().to_owned();
    for entry in ["y still true", "d delete", "Esc", "? help"] {
        assert!(footer.contains(entry), "{entry}: {footer}");
    }
}

#[test]
fn the_key_that_reads_everything_again_draws_everything_anew() {
    for keys in [&["ctrl-l"][..], &["f5"], &["H", "ctrl-l"]] {
        let mut stage = usual().open(80, 24);
        stage.press(keys);
        assert!(stage.asked.contains(&dreamtop::tui::effect::Effect::Repaint), "{keys:?}");
    }
}
