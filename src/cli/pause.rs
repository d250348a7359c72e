//! `pause`: nothing happens by itself for a while, until a time or until it is lifted.

use serde_json::json;

use super::args::Pause;
use super::context::Context;
use super::exit;
use super::output::Failure;
use crate::run::halt;

/// Pauses, or ends the pause.
pub(super) fn run(context: &Context, arguments: &Pause) -> Result<u8, Failure> {
    let now = context.clock.now();
    if arguments.off {
        let was = halt::end(&context.state, now)?;
        context.output.answer(&json!({ "paused": false, "was_paused": was }), |page| {
            page.line(if was { "extractions, dreams and recall go on" } else { "nothing was paused" })
        })?;
        return Ok(exit::DONE);
    }
    let length = arguments.duration.as_deref().map(halt::length).transpose().map_err(Failure::usage)?;
    let halt = halt::begin(&context.state, now, length)?;
    let object = json!({ "paused": true, "since": halt.since, "until": halt.until });
    context.output.answer(&object, |page| {
        page.line(halt.words())?;
        page.line("a run that is going on goes on (`dreamtop kill`); `dreamtop dream --force` starts one all the same")
    })?;
    Ok(exit::DONE)
}
