//! States for tests, made by hand: no disk, no clock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::effect::{Deed, Effect};
use super::event::{AppEvent, Page};
use super::state::{Start, State};
use super::{update, view};
use crate::config::Config;
use crate::engine::JobKind;
use crate::memory::{AgeSource, Claim, ContentHash, Freshness, Index, Kind, Memory, Shape, Snapshot, Store};
use crate::project::settings::{Decided, Settings};
use crate::project::{Choice, Decision};
use crate::run::{RunStatus, RunView};

/// A snapshot in which moments, which are shown in the machine's own time zone, have lost their digits.
macro_rules! assert_screen {
    ($state:expr) => {
        insta::with_settings!({filters => vec![(r"\d{4}-\d\d-\d\d \d\d:\d\d", "YYYY-MM-DD hh:mm"), (r"(dream-\d{8}T\d{6})-[0-9a-f]{6}", "$1-chance")]}, {
            insta::assert_snapshot!(crate::tui::fixture::screen($state));
        });
    };
    ($name:expr, $state:expr) => {
        insta::with_settings!({filters => vec![(r"\d{4}-\d\d-\d\d \d\d:\d\d", "YYYY-MM-DD hh:mm"), (r"(dream-\d{8}T\d{6})-[0-9a-f]{6}", "$1-chance")]}, {
            insta::assert_snapshot!($name, crate::tui::fixture::screen($state));
        });
    };
}
pub(super) use assert_screen;

pub(super) fn now() -> DateTime<Utc> {
    DateTime::parse_from_rfc3339("2026-11-30T09:00:00Z").unwrap().with_timezone(&Utc)
}

pub(super) fn choice() -> Choice {
    Choice {
        store: Store::at("/home/ada/.claude/projects/acme/memory"),
        decision: Decision::GitRoot,
        checkout: None,
        title: "acme-api".to_owned(),
        sessions: Vec::new(),
        home: None,
        settings: Settings {
            auto_memory: Decided { value: true, by: "default".to_owned() },
            auto_dream: None,
            memory_directory: None,
            remote: false,
            bare: None,
            notices: Vec::new(),
        },
        notices: Vec::new(),
    }
}

pub(super) fn memory(file: &str, name: &str, kind: Kind, age_days: u32, freshness: Freshness) -> Memory {
    let at = now() - chrono::Duration::days(i64::from(age_days));
    Memory {
        file: file.to_owned(),
        name: name.to_owned(),
        description: format!("{name}, in one line"),
        kind: Some(kind),
        type_word: Some(kind.word().to_owned()),
        shape: Shape::Nested,
        origin_session: Some("3f2a51c0-0000-4000-8000-000000000000".to_owned()),
        claim: Claim { at: Some(at), source: AgeSource::Modified },
        age_days: Some(age_days),
        freshness,
        mtime: at,
        bytes: 400,
        hash: ContentHash::of(file.as_bytes()),
        indexed: true,
        loaded: true,
        snoozed_until: None,
        problems: Vec::new(),
        trace: crate::memory::store::Trace::default(),
    }
}

pub(super) fn snapshot(memories: Vec<Memory>) -> Snapshot {
    let lines: Vec<String> = memories
        .iter()
        .map(|memory| format!("- [{}]({}) — {}", memory.name, memory.file, memory.description))
        .collect();
    Snapshot {
        store: choice().store,
        index: Index::read(format!("# Memory Index\n\n{}\n", lines.join("\n")).into_bytes()),
        has_index: true,
        memories,
        others: Vec::new(),
        problems: Vec::new(),
        scanned_at: now(),
    }
}

/// Four memories, one of each type, by file name.
pub(super) fn four() -> Vec<Memory> {
    vec![
        memory("feedback_testing.md", "testing policy", Kind::Feedback, 0, Freshness::Fresh),
        memory("project_freeze.md", "merge freeze", Kind::Project, 47, Freshness::Stale),
        memory("reference_board.md", "ingest board", Kind::Reference, 12, Freshness::Fresh),
        memory("user_role.md", "backend role", Kind::User, 200, Freshness::Aging),
    ]
}

pub(super) fn empty_state(width: u16, height: u16) -> State {
    let config = Config::default();
    State::new(Start {
        choice: choice(),
        config,
        config_file: None,
        home: None,
        engine_flag: None,
        background: None,
        no_color: false,
        demo: false,
        now: now(),
        size: (width, height),
    })
}

/// A state that has read a store of these memories; the preview is answered.
pub(super) fn state(width: u16, height: u16, memories: Vec<Memory>) -> State {
    let mut state = empty_state(width, height);
    state.knows_findings = true;
    scanned(&mut state, memories);
    state
}

pub(super) fn scanned(state: &mut State, memories: Vec<Memory>) -> Vec<Effect> {
    let store = state.store_root().to_owned();
    let result = Ok(Arc::new(snapshot(memories)));
    let effects = update::update(state, AppEvent::Scanned { store, result });
    answer(state, &effects);
    effects
}

/// Answers the preview questions among effects.
pub(super) fn answer(state: &mut State, effects: &[Effect]) {
    for effect in effects {
        if let Effect::ReadPreview(question) = effect {
            let lines = (1..=40).map(|number| format!("line {number} of {}", question.file).into()).collect();
            let event = AppEvent::Previewed { question: question.clone(), result: Ok(Page { lines }) };
            update::update(state, event);
        }
    }
}

/// Presses keys: `j`, `enter`, `ctrl-d`, as in the key map.
pub(super) fn press(state: &mut State, keys: &[&str]) -> Vec<Effect> {
    let mut all = Vec::new();
    for word in keys {
        let effects = update::update(state, AppEvent::Key(key_event(word)));
        answer(state, &effects);
        all.extend(effects.into_iter().filter(|effect| !matches!(effect, Effect::ReadPreview(_))));
    }
    all
}

fn key_event(word: &str) -> KeyEvent {
    let (modifiers, rest) = match word.split_once('-') {
        Some(("ctrl", rest)) => (KeyModifiers::CONTROL, rest),
        Some(("shift", rest)) => (KeyModifiers::SHIFT, rest),
        _ => (KeyModifiers::NONE, word),
    };
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        other => KeyCode::Char(other.chars().next().unwrap()),
    };
    KeyEvent::new(code, modifiers)
}

/// The screen as text.
pub(super) fn screen(state: &State) -> String {
    let mut terminal = Terminal::new(TestBackend::new(state.area.width, state.area.height)).unwrap();
    terminal.draw(|frame| view::draw(state, frame)).unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..buffer.area.height).map(row).collect::<Vec<String>>().join("\n")
}

/// A dream of the store that is shown, 42 seconds old.
pub(super) fn dream(id: &str) -> RunView {
    let mut run = RunView::new(id);
    run.kind = JobKind::Dream;
    run.store = choice().store.root().display().to_string();
    run.project = "acme-api".to_owned();
    run.status = RunStatus::Updating;
    run.started = Some(now() - chrono::Duration::seconds(42));
    run.sessions = vec!["s".to_owned(); 5];
    run.phases = vec![(crate::engine::Phase::Orient, now()), (crate::engine::Phase::Gather, now())];
    run.touched = vec![("a.md".to_owned(), crate::run::TouchOp::Changed)];
    run
}

/// Where the fixture's store lies.
pub(super) fn store_path() -> PathBuf {
    choice().store.root().to_owned()
}

/// Types a text.
pub(super) fn typed(state: &mut State, text: &str) {
    for character in text.chars() {
        let code = if character == '\n' { KeyCode::Enter } else { KeyCode::Char(character) };
        update::update(state, AppEvent::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

/// The latest thing told.
pub(super) fn told(state: &State) -> &str {
    state.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

/// The deed among effects.
pub(super) fn deed(effects: &[Effect]) -> &Deed {
    effects
        .iter()
        .find_map(|effect| match effect {
            Effect::Do(deed) => Some(deed.as_ref()),
            _ => None,
        })
        .expect("a deed")
}
