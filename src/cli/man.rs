//! `man`: the manual page.

use clap::CommandFactory;

use super::args::Arguments;
use super::exit;
use super::output::{Failure, Output};

/// Prints the page in roff.
pub(super) fn run(_context: &super::context::Context) -> Result<u8, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
    Output::raw(&page)?;
    Ok(exit::DONE)
}
