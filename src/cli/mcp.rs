//! `mcp`: the memory for agents that speak the Model Context Protocol, over stdin and stdout.

use super::context::Context;
use super::output::Failure;

/// Serves until stdin ends.
#[cfg(feature = "mcp")]
pub(super) fn run(context: &Context) -> Result<u8, Failure> {
    use crate::mcp::{World, serve};
    let world = World {
        environment: context.environment.clone(),
        config: context.config.clone(),
        state: context.state.clone(),
        clock: context.clock.clone(),
        request: context.request.clone(),
    };
    serve(world).map_err(|error| Failure::failed(format!("the client does not speak the protocol: {error}")))?;
    Ok(super::exit::DONE)
}

/// Says how to get it.
#[cfg(not(feature = "mcp"))]
pub(super) fn run(_: &Context) -> Result<u8, Failure> {
    Err(Failure::usage("this build has no MCP server; `cargo install --path . --features mcp` builds one that has"))
}
