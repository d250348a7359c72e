//! Finding: the filter line, saved views, full text over memories and sessions, and the session a memory comes from.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use dreamtop::tui::event::AppEvent;
use dreamtop::tui::layer::Layer;
use ratatui::style::Modifier;
use serde_json::{Value, json};

use super::growth::in_proportion;
use super::stage::{Setting, Stage, usual};

/// A snapshot in which moments, which are shown in the machine's own time zone, have lost their digits.
macro_rules! assert_screen {
    ($stage:expr) => {
        insta::with_settings!({filters => vec![(r"\d{4}-\d\d-\d\d \d\d:\d\d", "YYYY-MM-DD hh:mm")]}, {
            insta::assert_snapshot!($stage.screen());
        });
    };
}

fn said(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    json!({ "type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "3f2a51c0", "timestamp": "2026-11-12T09:30:00Z",
        "message": { "role": "user", "content": text } })
}

fn answered(uuid: &str, parent: &str, content: &Value) -> Value {
    json!({ "type": "assistant", "uuid": uuid, "parentUuid": parent, "timestamp": "2026-11-12T09:31:00Z",
        "message": { "role": "assistant", "id": format!("m-{uuid}"), "content": content } })
}

/// A credential that no rule may show.
fn secret() -> String {
    ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat()
}

/// A session with a call, a rewind, a sub-agent, a compaction, a credential and wide characters.
fn conversation() -> Vec<Value> {
    let call = json!([{ "type": "text", "text": "I will look at the freeze first." },
        { "type": "tool_use", "id": "t1", "name": "Bash", "input": { "command": "git log --oneline -3", "description": "latest commits" } }]);
    let result = json!({ "type": "user", "uuid": "r1", "parentUuid": "a1", "message": { "role": "user", "content": [
        { "type": "tool_result", "tool_use_id": "t1", "content": format!("4f2a freeze the release branch\n9c1e token {}", secret()), "is_error": false }] } });
    let side = json!({ "type": "assistant", "uuid": "s1", "parentUuid": null, "isSidechain": true, "message": { "role": "assistant",
        "id": "m-s1", "content": [{ "type": "text", "text": "I looked through the tests." }] } });
    vec![
        said("u1", None, "When does the merge freeze end?"),
        answered("a1", "u1", &call),
        result,
        answered("a2", "r1", &json!([{ "type": "text", "text": "On Thursday, says the log." }])),
        said("u2", Some("a2"), "Then merge it now."),
        side,
        said("u3", Some("a2"), "No: the freeze ends on Friday,\nand 上海 decides."),
        answered("a3", "u3", &json!([{ "type": "text", "text": "Noted: Friday, and 上海 decides about the freeze." }])),
        json!({ "type": "user", "uuid": "c1", "parentUuid": null, "isCompactSummary": true, "message": { "role": "user", "content": "Summary: the freeze was talked about." } }),
        said("u4", Some("c1"), "Go on with the ingest board."),
    ]
}

fn sessions_of(setting: &Setting) -> PathBuf {
    setting.store().parent().unwrap().to_owned()
}

fn lay(path: &PathBuf, lines: &[Value], at: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(at);
    fs::File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
}

/// The usual store with sessions beside it: one that its memories name, an older one.
fn with_sessions() -> Setting {
    let setting = usual();
    let dir = sessions_of(&setting);
    lay(&dir.join("3f2a51c0-0000-4000-8000-000000000000.jsonl"), &conversation(), 1_794_484_800);
    let other = vec![
        said("x1", None, "The freeze of last year was shorter."),
        answered("x2", "x1", &json!([{ "type": "text", "text": "It was." }])),
    ];
    lay(&dir.join("0b7e1111-0000-4000-8000-000000000000.jsonl"), &other, 1_793_534_400);
    setting
}

fn find(setting: Setting, width: u16, height: u16, text: &str) -> Stage {
    let mut stage = setting.open(width, height);
    stage.press(&["f"]);
    stage.take(AppEvent::Paste(text.to_owned()));
    stage
}

/// The session of the first memory, open at the turn that speaks of Friday.
fn looking(width: u16, height: u16) -> Stage {
    let mut stage = find(with_sessions(), width, height, "ends on Friday");
    stage.press(&["enter"]);
    stage
}

// ---- the filter line ----

fn filtered(width: u16, height: u16) -> Stage {
    let mut stage = usual().open(width, height);
    stage.press(&["/"]).type_text("-type:user board");
    stage
}

#[test]
fn a_filter_with_words_and_conditions_on_the_smallest_full_screen() {
    assert_screen!(filtered(60, 16));
}

#[test]
fn a_filter_with_words_and_conditions_on_an_ordinary_terminal() {
    assert_screen!(filtered(80, 24));
}

#[test]
fn a_filter_with_words_and_conditions_on_a_wide_terminal() {
    assert_screen!(filtered(120, 40));
}

#[test]
fn a_filter_with_words_and_conditions_on_a_very_wide_terminal() {
    assert_screen!(filtered(200, 50));
}

/// The texts of the cells that are set off as matched, one piece for each stretch.
fn set_off(stage: &Stage) -> Vec<String> {
    let buffer = stage.buffer();
    let style = stage.state.theme.style(dreamtop::tui::theme::Meaning::Match);
    let mut pieces: Vec<String> = Vec::new();
    let mut is_open = false;
    for y in 0..buffer.area.height {
        let mut skip = 0;
        for x in 0..buffer.area.width {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let cell = &buffer[(x, y)];
            skip = dreamtop::text::width(cell.symbol()).saturating_sub(1);
            let is_match = Some(cell.fg) == style.fg && cell.modifier.contains(style.add_modifier);
            match (is_match, is_open) {
                (true, true) => pieces.last_mut().unwrap().push_str(cell.symbol()),
                (true, false) => pieces.push(cell.symbol().to_owned()),
                _ => {}
            }
            is_open = is_match;
        }
        is_open = false;
    }
    pieces
}

#[test]
fn what_matched_is_set_off_in_name_file_and_description_wide_and_combined_characters_too() {
    let setting = usual();
    setting
        .memory("reference_office.md", "reference", "上海办公室 e\u{301}tage", "2026-11-29T10:00:00Z", "Third floor.")
        .memory("feedback_quartz.md", "feedback", "a rule", "2026-11-29T10:00:00Z", "No.");
    let mut stage = setting.open(200, 50);
    // The cursor stands on the first row, which has its own style: the second one is looked at.
    let mut after = |line: &str| {
        stage.press(&["/", "ctrl-u"]).type_text(line).press(&["down", "enter"]);
        set_off(&stage)
    };
    assert_eq!(after("frz -board"), ["fr", "z"], "the first row, the second has the cursor");
    assert_eq!(after("type:reference"), Vec::<String>::new(), "a condition matches no letters");
    stage.press(&["/", "ctrl-u"]).type_text("-type:project").press(&["enter", "G"]);
    let all = |stage: &mut Stage, line: &str| {
        stage.press(&["/", "ctrl-u"]).type_text(line).press(&["enter"]);
        let screen = stage.screen();
        (screen, set_off(stage))
    };
    let (screen, _) = all(&mut stage, "quartz");
    assert!(screen.contains("a rule") && screen.contains("feedback_quartz.md"), "the file tells why: {screen}");
    let (screen, _) = all(&mut stage, "\"in one line\"");
    assert!(screen.contains("in one line"), "the description tells why: {screen}");
    let (_, pieces) = all(&mut stage, "\"in one line\"");
    assert!(pieces.iter().filter(|piece| *piece == "in one line").count() >= 3, "{pieces:?}");
    let (_, pieces) = all(&mut stage, "e");
    assert!(!pieces.is_empty() && pieces.iter().all(|piece| piece.contains(['e', 'E'])), "{pieces:?}");
    let (_, pieces) = all(&mut stage, "type:reference \"海办\"");
    assert!(pieces.is_empty() || pieces == ["海办"], "{pieces:?}");
}

#[test]
fn every_filter_shows_the_same_memories_as_the_command_line_language_says() {
    let mut stage = usual().open(120, 40);
    for (line, count) in
        [("type:none", 1), ("stale", 1), ("older:30d", 2), ("path-gone", 0), ("why-missing", 0), ("in:team", 0)]
    {
        stage.press(&["/", "ctrl-u"]).type_text(line).press(&["enter"]);
        assert_eq!(stage.state.memories.rows.len(), count, "{line}");
    }
}

// ---- saved views ----

fn views(width: u16, height: u16) -> Stage {
    let mut stage = usual().open(width, height);
    stage.press(&["/"]).type_text("board").press(&["ctrl-s"]).type_text("boards").press(&["enter", "V"]);
    stage
}

#[test]
fn saved_views_on_the_smallest_full_screen() {
    assert_screen!(views(60, 16));
}

#[test]
fn saved_views_on_an_ordinary_terminal() {
    assert_screen!(views(80, 24));
}

#[test]
fn saved_views_on_a_wide_terminal() {
    assert_screen!(views(120, 40));
}

#[test]
fn saved_views_on_a_very_wide_terminal() {
    assert_screen!(views(200, 50));
}

#[test]
fn a_saved_view_is_there_after_the_screen_was_closed_and_can_be_forgotten() {
    let mut stage = views(80, 24);
    assert!(stage.root().join("state/views.json").is_file());
    stage.press(&["esc"]);
    stage.state.views.clear();
    let shown = stage.state.choice.clone();
    stage.do_on(&shown, dreamtop::tui::effect::Effect::ReadViews);
    assert_eq!(stage.state.views.iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["boards"]);
    stage.press(&["V", "down", "down", "down", "down", "down", "down", "d", "y"]);
    assert_eq!(stage.state.views, []);
}

// ---- full text ----

#[test]
fn hits_in_memories_and_sessions_on_the_smallest_full_screen() {
    assert_screen!(find(with_sessions(), 60, 16, "freeze"));
}

#[test]
fn hits_in_memories_and_sessions_on_an_ordinary_terminal() {
    assert_screen!(find(with_sessions(), 80, 24, "freeze"));
}

#[test]
fn hits_in_memories_and_sessions_on_a_wide_terminal() {
    assert_screen!(find(with_sessions(), 120, 40, "freeze"));
}

#[test]
fn hits_in_memories_and_sessions_on_a_very_wide_terminal() {
    assert_screen!(find(with_sessions(), 200, 50, "freeze"));
}

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

// ---- the session ----

#[test]
fn a_session_at_its_turn_on_the_smallest_full_screen() {
    assert_screen!(looking(60, 16));
}

#[test]
fn a_session_at_its_turn_on_an_ordinary_terminal() {
    assert_screen!(looking(80, 24));
}

#[test]
fn a_session_at_its_turn_on_a_wide_terminal() {
    let mut stage = looking(120, 40);
    stage.press(&["g", "j", "j", "j", "j", "j", "enter"]);
    assert_screen!(stage);
}

#[test]
fn a_session_at_its_turn_on_a_very_wide_terminal() {
    assert_screen!(looking(200, 50));
}

#[test]
fn the_session_shows_what_was_taken_back_the_sub_agent_and_the_thread_that_begins() {
    let mut stage = looking(120, 60);
    stage.press(&["g"]);
    let screen = stage.screen();
    for told in [
        "taken back by a rewind",
        "sub-agent, line 6",
        "another thread begins",
        "put in by the client, line 9",
        "line 1 of 10",
    ] {
        assert!(screen.contains(told), "{told}: {screen}");
    }
    let line = screen.lines().find(|line| line.contains("taken back")).unwrap();
    assert!(line.contains("line 5"), "only the turn that was left: {line}");
}

#[test]
fn a_recorded_source_opens_at_its_words_also_where_the_session_was_rewritten() {
    let quote = "the freeze ends on Friday, and 上海 decides";
    for (line, note) in [(7, false), (2, true)] {
        let mut stage = with_sessions().open(100, 40);
        let source = dreamtop::change::Source {
            session: Some("3f2a51c0-0000-4000-8000-000000000000".to_owned()),
            line: Some(line),
            quote: Some(quote.to_owned()),
            ..dreamtop::change::Source::default()
        };
        let rationale = dreamtop::change::Rationale { reason: String::new(), sources: vec![source] };
        let file = stage.state.target().unwrap().file.clone();
        stage.state.history = vec![dreamtop::change::HistoryEntry {
            id: "1".to_owned(),
            at: super::stage::now(),
            origin: dreamtop::change::Origin::Extract,
            run: None,
            title: String::new(),
            files: vec![dreamtop::change::HistoryFile {
                file,
                op: dreamtop::change::Op::Create,
                before: None,
                after: None,
                mtime_before: None,
                mode_before: None,
                not_kept: None,
                rationale,
            }],
            undone_by: None,
            undone_in_part_by: None,
            by_person: false,
        }];
        stage.press(&["O"]);
        let screen = stage.screen();
        assert!(screen.contains("▸  No: the freeze ends on Friday,"), "{screen}");
        assert_eq!(screen.contains("the words stand in line 7 now, not 2"), note, "{screen}");
        let buffer = stage.buffer();
        let quoted = stage.state.theme.style(dreamtop::tui::theme::Meaning::Quote);
        let set_off: String = buffer
            .content
            .iter()
            .filter(|cell| Some(cell.fg) == quoted.fg && cell.modifier.contains(quoted.add_modifier))
            .map(|cell| cell.symbol())
            .collect();
        assert!(set_off.starts_with("the freeze ends on Friday") && set_off.contains('海'), "{set_off:?}");
    }
}

#[test]
fn a_memory_that_claude_wrote_opens_its_session_at_the_call_that_wrote_it() {
    let setting = usual();
    let path = setting.store().join("project_freeze.md");
    let write =
        json!([{ "type": "tool_use", "id": "w", "name": "Write", "input": { "file_path": path, "content": "…" } }]);
    let lines = vec![
        said("u1", None, "Good morning."),
        answered("a1", "u1", &json!([{ "type": "text", "text": "Good morning." }])),
        said("u2", Some("a1"), "The branch is frozen until Thursday, remember that."),
        answered("a2", "u2", &write),
    ];
    lay(&sessions_of(&setting).join("3f2a51c0-0000-4000-8000-000000000000.jsonl"), &lines, 1_794_484_800);
    let mut stage = setting.open(100, 30);
    stage.press(&["/"]).type_text("merge-freeze").press(&["enter", "enter", "O"]);
    let screen = stage.screen();
    assert!(screen.contains("line 4 of 4") && screen.contains("remember that"), "{screen}");
}

#[test]
fn a_session_that_is_gone_and_one_that_is_a_pipe_say_so() {
    let mut stage = usual().open(80, 24);
    stage.press(&["O"]);
    assert!(stage.screen().contains("no longer on disk"), "{}", stage.screen());
}

// ---- what it costs ----

fn large_store(count: usize) -> Setting {
    let setting = Setting::new();
    for number in 0..count {
        let text = format!(
            "---\nname: note number {number} about {}\ndescription: \"what was agreed on the {} in week {number}, and who decides it\"\ntype: project\n---\n\nText.\n",
            ["deploys", "freezes", "reviews", "tests"][number % 4],
            ["ingest board", "release branch", "payment retry", "orders migration"][number % 4],
        );
        setting.file(&format!("project_note_{number}.md"), text);
    }
    setting
}

/// Times of keys with their frames, the slowest last.
fn timed(stage: &mut Stage, text: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    let mut keys: Vec<String> =
        text.chars().map(|c| if c == ' ' { "space".to_owned() } else { c.to_string() }).collect();
    keys.extend(std::iter::repeat_n("backspace".to_owned(), text.chars().count()));
    for key in keys {
        let start = Instant::now();
        stage.press(&[key.as_str()]);
        stage.screen();
        times.push(start.elapsed());
    }
    times.sort();
    times
}

/// `DREAMTOP_MEMORIES=10000 cargo test --release --test screen -- --nocapture a_key_of_the_filter` prints what a key costs.
#[test]
fn a_key_of_the_filter_costs_in_proportion_to_the_memories() {
    let count = std::env::var("DREAMTOP_MEMORIES").ok().and_then(|text| text.parse().ok()).unwrap_or(500);
    let mut stage = large_store(count).open(120, 40);
    stage.press(&["/"]);
    let mut all = Vec::new();
    for text in ["freeze release", "type:project stale", "-stale \"release branch\" note", "pymnt rtry 42"] {
        all.extend(timed(&mut stage, text));
    }
    all.sort();
    println!(
        "filter over {} memories, {} keys with their frames: p50 {:?}, p99 {:?}",
        stage.state.snapshot().unwrap().memories.len(),
        all.len(),
        all[all.len() / 2],
        all[all.len() * 99 / 100]
    );
    let press = |count: usize| {
        let mut stage =
            SMALL.with(|small| small.borrow_mut().remove(&count)).unwrap_or_else(|| large_store(count).open(120, 40));
        stage.press(&["/"]).type_text("frz rel").press(&["esc"]);
        SMALL.with(|small| small.borrow_mut().insert(count, stage));
    };
    in_proportion("filtering", 2_000, press);
}

thread_local! {
    static SMALL: std::cell::RefCell<std::collections::HashMap<usize, Stage>> = std::cell::RefCell::new(std::collections::HashMap::new());
}
