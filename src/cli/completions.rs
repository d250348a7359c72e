//! `completions`: a completion script for a shell.

use clap::CommandFactory;

use super::args::{Arguments, Completions};
use super::exit;
use super::output::{Failure, Output};

/// Prints the script.
pub(super) fn run(_context: &super::context::Context, arguments: &Completions) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "dreamtop", &mut script);
    Output::raw(&script)?;
    Ok(exit::DONE)
}
