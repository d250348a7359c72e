#![allow(clippy::unwrap_used, clippy::panic)]
use super::*;
use crate::config::Config;
use crate::project::{self, Request};
use crate::tui::layer::Layer;
use crate::tui::layer::new::NewMemory;

#[test]
fn a_panic_in_the_loop_leaves_the_unsaved_text_behind() {
    let dir = tempfile::tempdir().unwrap();
    let memory = dir.path().join("memory");
    std::fs::create_dir(&memory).unwrap();
    let environment = Environment::of(dir.path(), &[("HOME", &dir.path().to_string_lossy())]);
    let request = Request { memory_dir: Some(memory.clone()), ..Request::default() };
    let choice = project::choose(&request, &environment).unwrap();
    let files = StateDir::at(dir.path().join("state"));
    let options = Options {
        choice: choice.clone(),
        config: Config::default(),
        config_file: None,
        engine_flag: None,
        state: files.clone(),
        clock: Clock::System,
        environment: environment.clone(),
        executable: "none".into(),
        demo: false,
        worker_arguments: Vec::new(),
    };
    let start = Start {
        choice,
        config: Config::default(),
        config_file: None,
        home: None,
        engine_flag: None,
        no_color: false,
        background: None,
        demo: false,
        now: options.clock.now(),
        size: (80, 24),
    };
    let mut state = State::new(start);
    let mut new = NewMemory::default();
    new.form.set_body("Nobody else has this sentence.");
    state.layers.push(Layer::New(Box::new(new)));
    let (runner, _reports) = Runner::new(Arc::new(World::new(&options)));
    let clock = options.clock;
    let app = App {
        clock,
        environment,
        files: files.clone(),
        state,
        runner,
        watcher: None,
        end: None,
        keep_at: None,
        keep_by: None,
        wants_frame: false,
    };
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        let _app = app;
        panic!("in a frame");
    }));
    assert!(panicked.is_err());
    let kept = files.store(&memory).join("unsaved");
    let kept: Vec<_> = std::fs::read_dir(kept).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [file] = &kept[..] else { panic!("{kept:?}") };
    assert!(std::fs::read_to_string(file).unwrap().contains("Nobody else has this sentence."));
}

#[test]
fn the_clock_of_a_run_and_answers_do_not_put_off_the_keeping_of_a_text() {
    let key = crossterm::event::KeyEvent::from(crossterm::event::KeyCode::Char('a'));
    assert!(is_touch(&AppEvent::Key(key)) && is_touch(&AppEvent::Paste(String::new())));
    for event in [AppEvent::Second, AppEvent::RunsTouched, AppEvent::Runs(Vec::new()), AppEvent::Paused] {
        assert!(!is_touch(&event), "{event:?}");
    }
}

#[test]
fn the_clipboard_sequence_is_base_64_with_its_padding() {
    assert_eq!(osc_52("foobar"), "\u{1b}]52;c;Zm9vYmFy\u{7}");
    assert_eq!(osc_52("fooba"), "\u{1b}]52;c;Zm9vYmE=\u{7}");
    assert_eq!(osc_52("foob"), "\u{1b}]52;c;Zm9vYg==\u{7}");
    assert_eq!(osc_52(""), "\u{1b}]52;c;\u{7}");
}
