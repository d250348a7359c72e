//! `SubagentStop`: a sub-agent ended. What it was told is not a person speaking, so it is put on record, and that is all.

use super::input::Call;
use super::{Trouble, World};
use crate::engine::JobKind;
use crate::run::trigger;

/// Puts it on record.
pub(super) fn run(call: &Call, world: &World) -> Result<(), Trouble> {
    let place = world.place_of_trigger(call, trigger::HOOK)?;
    let service = world.service(&place.choice, &[]);
    let why = "main-agent: a sub-agent's session".to_owned();
    service.close(JobKind::Extract, trigger::HOOK, call.session.as_deref(), why);
    Ok(())
}
