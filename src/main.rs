//! `dreamtop`: parse, dispatch, exit code.

use std::process::ExitCode;

use dreamtop::cli::{self, Next, Screen};
use dreamtop::environment::Environment;
use dreamtop::tui;

fn main() -> ExitCode {
    let code = match cli::run(std::env::args_os(), Environment::of_process()) {
        Next::Exit(code) => code,
        Next::Screen(screen) => cli::finish_screen(&screen, tui::run(options(&screen))),
    };
    ExitCode::from(code)
}

fn options(screen: &Screen) -> tui::Options {
    tui::Options {
        choice: screen.choice.clone(),
        config: screen.config.clone(),
        state: screen.state.clone(),
        clock: screen.clock.clone(),
        environment: screen.environment.clone(),
        executable: screen.executable.clone(),
        demo: screen.demo.is_some(),
        worker_arguments: screen.worker_arguments.clone(),
    }
}
