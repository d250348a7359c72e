//! A store in a temp directory, the state of a screen on it, and effects done at once instead of on threads.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use dreamtop::clock::Clock;
use dreamtop::config::Config;
use dreamtop::environment::Environment;
use dreamtop::project::{self, Request};
use dreamtop::state::StateDir;
use dreamtop::tui::effect::Effect;
use dreamtop::tui::effects::{World, perform};
use dreamtop::tui::event::AppEvent;
use dreamtop::tui::state::{Start, State};
use dreamtop::tui::{Options, update, view};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use tempfile::TempDir;

/// The instant these tests live in.
pub fn now() -> DateTime<Utc> {
    "2026-11-30T09:00:00Z".parse().unwrap()
}

/// A screen on a store.
pub struct Stage {
    dir: TempDir,
    pub state: State,
    world: World,
    /// How many scans were asked for.
    pub scans: usize,
    /// Effects on the terminal, which only the loop can do.
    pub asked: Vec<Effect>,
}

/// A store before the screen opens on it.
pub struct Setting {
    dir: TempDir,
}

impl Setting {
    /// A home with an empty store.
    pub fn new() -> Self {
        let setting = Self::without_store();
        fs::create_dir_all(setting.store()).unwrap();
        setting
    }

    /// A Claude home without the store.
    pub fn without_store() -> Self {
        let setting = Self::without_home();
        fs::create_dir_all(setting.path("home/.claude/projects")).unwrap();
        setting
    }

    /// A home without Claude.
    pub fn without_home() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("home")).unwrap();
        fs::create_dir_all(dir.path().join("work/acme-api/.git")).unwrap();
        Self { dir }
    }

    /// A home whose Claude directory is the sample, opened in its richest project.
    pub fn sample() -> Self {
        let setting = Self::without_home();
        dreamtop::cli::lay_out_sample(&setting.root(), now()).unwrap();
        fs::rename(setting.path("claude"), setting.path("home/.claude")).unwrap();
        setting
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.dir.path()).unwrap()
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.root().join(relative)
    }

    pub fn checkout(&self) -> PathBuf {
        let of_sample = self.path("checkouts/acme-api");
        if of_sample.is_dir() { of_sample } else { self.path("work/acme-api") }
    }

    pub fn store(&self) -> PathBuf {
        let slug = project::slug(&self.checkout().to_string_lossy());
        self.path("home/.claude/projects").join(slug).join("memory")
    }

    /// Writes a file of the store.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.store().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    /// Writes a memory of the nested shape.
    pub fn memory(&self, file: &str, kind: &str, name: &str, modified: &str, body: &str) -> &Self {
        let text = format!(
            "---\nname: {name}\ndescription: \"{name}, in one line\"\nmetadata:\n  node_type: memory\n  type: {kind}\n  \
             originSessionId: 3f2a51c0-0000-4000-8000-000000000000\n  modified: {modified}\n---\n\n{body}\n"
        );
        self.file(file, text)
    }

    /// Opens the screen on it, and lets it read.
    pub fn open(self, width: u16, height: u16) -> Stage {
        self.open_with("", width, height)
    }

    /// The same with a configuration file.
    pub fn open_with(self, text: &str, width: u16, height: u16) -> Stage {
        let config_file = self.path("home/.config/dreamtop/config.yaml");
        if !text.is_empty() {
            fs::create_dir_all(config_file.parent().unwrap()).unwrap();
            fs::write(&config_file, text).unwrap();
        }
        let config = Config::read(&config_file, false).unwrap();
        let (root, checkout) = (self.root(), self.checkout());
        let home = root.join("home");
        let environment = Environment::of(&checkout, &[("HOME", &home.to_string_lossy())]);
        let choice = project::choose(&Request::default(), &environment).unwrap();
        let options = Options {
            choice: choice.clone(),
            config: config.clone(),
            config_file: Some(config_file.clone()),
            engine_flag: None,
            state: StateDir::at(root.join("state")),
            clock: Clock::Fixed(now()),
            environment,
            executable: root.join("no-such-program"),
            demo: false,
            worker_arguments: Vec::new(),
        };
        let start = Start {
            choice,
            config,
            config_file: Some(config_file),
            home: Some(home),
            engine_flag: None,
            background: None,
            no_color: false,
            demo: false,
            now: now(),
            size: (width, height),
        };
        let state = State::new(start);
        let world = World::new(&options);
        let mut stage = Stage { dir: self.dir, state, world, scans: 0, asked: Vec::new() };
        stage.carry_out(update::start());
        stage
    }
}

impl Stage {
    /// The screen ends without being asked; what it kept of unsaved text is of a process that is gone.
    pub fn die(mut self) -> Setting {
        self.take(AppEvent::Paused);
        let stores = fs::read_dir(self.root().join("state/stores")).into_iter().flatten().flatten();
        let kept = stores.flat_map(|store| fs::read_dir(store.path().join("unsaved")).into_iter().flatten().flatten());
        for record in kept.map(|entry| entry.path()) {
            let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
            value["owner"]["birth"] = "another process of this number".into();
            fs::write(&record, value.to_string()).unwrap();
        }
        Setting { dir: self.dir }
    }

    pub fn store(&self) -> &Path {
        self.state.choice.store.root()
    }

    pub fn root(&self) -> &Path {
        self.dir.path()
    }

    /// Takes an event and everything that follows from it.
    pub fn take(&mut self, event: AppEvent) {
        let effects = update::update(&mut self.state, event);
        self.carry_out(effects);
    }

    /// Does one effect on what was shown when it was asked for.
    pub fn do_on(&mut self, shown: &project::Choice, effect: Effect) {
        for event in perform(&self.world, shown, effect) {
            update::update(&mut self.state, event);
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        let mut waiting: VecDeque<Effect> = effects.into();
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::Quit
                | Effect::Suspend
                | Effect::CaptureMouse(_)
                | Effect::Repaint
                | Effect::Copy(_)
                | Effect::OpenExternalEditor(_)
                | Effect::EditSettings { .. } => {
                    self.asked.push(effect);
                    continue;
                }
                Effect::Rescan => self.scans += 1,
                _ => {}
            }
            let shown = self.state.choice.clone();
            for event in perform(&self.world, &shown, effect) {
                waiting.extend(update::update(&mut self.state, event));
            }
        }
    }

    /// Presses keys: `j`, `enter`, `ctrl-d`, as the configuration writes them.
    pub fn press(&mut self, keys: &[&str]) -> &mut Self {
        for word in keys {
            self.take(AppEvent::Key(key(word)));
        }
        self
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) -> &mut Self {
        for character in text.chars() {
            self.take(AppEvent::Key(KeyEvent::new(KeyCode::Char(character), KeyModifiers::NONE)));
        }
        self
    }

    /// Lets so many seconds go by.
    pub fn later(&mut self, seconds: i64) -> &mut Self {
        let at = self.state.now + chrono::TimeDelta::seconds(seconds);
        self.take(AppEvent::Time(at));
        self
    }

    pub fn resize(&mut self, width: u16, height: u16) -> &mut Self {
        self.take(AppEvent::Resize(width, height));
        self
    }

    /// What is drawn.
    pub fn buffer(&self) -> Buffer {
        let area = self.state.area;
        let mut terminal = Terminal::new(TestBackend::new(area.width, area.height)).unwrap();
        terminal.draw(|frame| view::draw(&self.state, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// What is drawn, as text.
    pub fn screen(&self) -> String {
        text(&self.buffer())
    }
}

/// A buffer as text: one line a row, a wide character once.
pub fn text(buffer: &Buffer) -> String {
    let mut lines = Vec::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let symbol = buffer[(x, y)].symbol();
            skip = dreamtop::text::width(symbol).saturating_sub(1);
            line.push_str(symbol);
        }
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

/// The event of a key word.
pub fn key(word: &str) -> KeyEvent {
    let (modifiers, rest) = match word.split_once('-') {
        Some(("ctrl", rest)) => (KeyModifiers::CONTROL, rest),
        Some(("shift", rest)) => (KeyModifiers::SHIFT, rest),
        _ => (KeyModifiers::NONE, word),
    };
    let code = match rest {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" if modifiers == KeyModifiers::SHIFT => KeyCode::BackTab,
        "tab" => KeyCode::Tab,
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        "right" => KeyCode::Right,
        "left" => KeyCode::Left,
        "f8" => KeyCode::F(8),
        "space" => KeyCode::Char(' '),
        "backspace" => KeyCode::Backspace,
        "delete" => KeyCode::Delete,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pageup" => KeyCode::PageUp,
        "pagedown" => KeyCode::PageDown,
        "f5" => KeyCode::F(5),
        other => KeyCode::Char(other.chars().next().unwrap()),
    };
    KeyEvent::new(code, modifiers)
}

/// A store like a real one: each type, fresh to stale, one damaged, one orphan, a dangling line.
pub fn usual() -> Setting {
    let setting = Setting::new();
    setting
        .memory(
            "feedback_testing.md",
            "feedback",
            "testing-policy",
            "2026-11-29T10:00:00.000Z",
            "Integration tests use a real database, never mocks.\n\n**Why:** last quarter the mocks hid a broken migration.\n\n\
             **How to apply:** start `docker compose up db` before `make test`.",
        )
        .memory(
            "project_freeze.md",
            "project",
            "merge-freeze",
            "2026-10-14T09:00:00.000Z",
            "The release branch is frozen until Thursday.\n\n**Why:** the mobile team cuts a release.\n\n**How to apply:** no \
             merges but fixes.",
        )
        .memory(
            "reference_board.md",
            "reference",
            "ingest-board",
            "2026-11-18T09:00:00.000Z",
            "Pipeline bugs are tracked on the board INGEST.\n\n- open ones: `status = open`\n- owner: platform",
        )
        .memory("user_role.md", "user", "backend-role", "2026-05-14T09:00:00.000Z", "Ten years of Go, new to React.")
        .file("notes.md", "Just text, without any frontmatter.\n")
        .file(
            "MEMORY.md",
            "# Memory Index\n\n- [Testing](feedback_testing.md) — real database in integration tests\n- [Merge \
             freeze](project_freeze.md) — release branch\n- [Ingest board](reference_board.md) — where pipeline bugs \
             live\n- [Role](user_role.md) — backend, new to React\n- [Gone](project_gone.md) — points to nothing\n",
        );
    let quiet = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_795_600_000);
    fs::File::options().write(true).open(setting.store().join("notes.md")).unwrap().set_modified(quiet).unwrap();
    setting
}
