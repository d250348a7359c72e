//! `dreamtop`: parse, dispatch, exit code.

use std::process::ExitCode;

use dreamtop::cli::{self, KeyComplaint, KeyRow, Keyboard, Next, Screen};
use dreamtop::environment::Environment;
use dreamtop::tui;

fn main() -> ExitCode {
    let code = match cli::run(std::env::args_os(), Environment::of_process(), KEYBOARD) {
        Next::Exit(code) => code,
        Next::Screen(screen) => cli::finish_screen(&screen, tui::run(options(&screen))),
    };
    ExitCode::from(code)
}

/// What the command line tells of the screen's keys.
const KEYBOARD: Keyboard = Keyboard {
    complaints: |config, file| {
        let (_, complaints) = tui::keymap::Keymap::new(config);
        complaints.iter().map(|it| KeyComplaint { message: it.at(file), next: it.next }).collect()
    },
    manual: || {
        let rows = tui::command::manual().into_iter();
        let row = |row: tui::command::ManualRow| KeyRow {
            keys: row.keys.join(", "),
            name: row.name,
            place: row.place,
            sentence: row.sentence,
        };
        rows.map(row).collect()
    },
};

fn options(screen: &Screen) -> tui::Options {
    tui::Options {
        choice: screen.choice.clone(),
        config: screen.config.clone(),
        config_file: screen.config_file.clone(),
        engine_flag: screen.engine_flag.clone(),
        state: screen.state.clone(),
        clock: screen.clock.clone(),
        environment: screen.environment.clone(),
        executable: screen.executable.clone(),
        demo: screen.demo.is_some(),
        worker_arguments: screen.worker_arguments.clone(),
    }
}
