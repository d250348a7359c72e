//! Finding: the filter line, saved views, full text over memories and sessions, and the session a memory comes from.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use dreamtop::tui::event::AppEvent;
use serde_json::{Value, json};

use super::stage::{Setting, Stage, usual};

/// A snapshot in which moments, which are shown in the machine's own time zone, have lost their digits.
macro_rules! assert_screen {
    ($stage:expr) => {
        insta::with_settings!({filters => vec![(r"\d{4}-\d\d-\d\d \d\d:\d\d", "YYYY-MM-DD hh:mm")]}, {
            insta::assert_snapshot!($stage.screen());
        });
    };
}

pub fn said(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    json!({ "type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "3f2a51c0", "timestamp": "2026-11-12T09:30:00Z",
        "message": { "role": "user", "content": text } })
}

pub fn answered(uuid: &str, parent: &str, content: &Value) -> Value {
    json!({ "type": "assistant", "uuid": uuid, "parentUuid": parent, "timestamp": "2026-11-12T09:31:00Z",
        "message": { "role": "assistant", "id": format!("m-{uuid}"), "content": content } })
}

/// A credential that no rule may show.
pub fn secret() -> String {
    ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat()
}

/// A session with a call, a rewind, a sub-agent, a compaction, a credential and wide characters.
pub fn conversation() -> Vec<Value> {
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

pub fn sessions_of(setting: &Setting) -> PathBuf {
    setting.store().parent().unwrap().to_owned()
}

pub fn lay(path: &PathBuf, lines: &[Value], at: u64) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let at = SystemTime::UNIX_EPOCH + Duration::from_secs(at);
    fs::File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
}

/// The usual store with sessions beside it: one that its memories name, an older one.
pub fn with_sessions() -> Setting {
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

pub fn find(setting: Setting, width: u16, height: u16, text: &str) -> Stage {
    let mut stage = setting.open(width, height);
    stage.press(&["f"]);
    stage.take(AppEvent::Paste(text.to_owned()));
    stage
}

/// The session of the first memory, open at the turn that speaks of Friday.
pub fn looking(width: u16, height: u16) -> Stage {
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
pub fn set_off(stage: &Stage) -> Vec<String> {
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
