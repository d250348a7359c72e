//! `dreamtop`: parse, dispatch, exit code.

use std::process::ExitCode;

use dreamtop::cli::{self, Next};
use dreamtop::environment::Environment;

fn main() -> ExitCode {
    let code = match cli::run(std::env::args_os(), Environment::of_process()) {
        Next::Exit(code) => code,
        Next::Screen(screen) => cli::finish_screen(&screen, Ok(0)),
    };
    ExitCode::from(code)
}
