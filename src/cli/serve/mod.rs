//! `serve`: the server of a team's memories, and what its operator does beside it. A file each.

#[cfg(feature = "server")]
mod run;
#[cfg(feature = "server")]
mod token;
#[cfg(feature = "server")]
mod transfer;

use super::args::Serve;
use super::context::Context;
use super::output::Failure;

/// Serves, or does what the operator asked for.
#[cfg(feature = "server")]
pub(super) fn run(context: &Context, arguments: &Serve) -> Result<u8, Failure> {
    use super::args::ServeVerb;
    match &arguments.verb {
        None => run::run(context, arguments),
        Some(ServeVerb::Token(token)) => token::run(context, arguments, &token.verb),
        Some(ServeVerb::Export) => transfer::export(context, arguments),
        Some(ServeVerb::Import(import)) => transfer::import(context, arguments, &import.file, import.unscanned),
        Some(ServeVerb::Backup { file }) => transfer::backup(context, arguments, file),
    }
}

/// Says how to get it.
#[cfg(not(feature = "server"))]
pub(super) fn run(_: &Context, _: &Serve) -> Result<u8, Failure> {
    Err(Failure::usage("this build has no team server; `cargo install --path . --features server` builds one that has"))
}
