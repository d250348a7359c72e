//! A person's word that nothing starts by itself: given, or taken back. Not its job: what it holds back (`run::halt`).

use super::World;
use crate::run::halt::{self, Halt};

/// Begins a pause without an end, or ends the one that is in force. Where another program did so meanwhile it stays so.
pub(super) fn set(world: &World, ends: bool) -> Result<Option<Halt>, String> {
    let (state, now) = (&world.state, world.clock.now());
    let result = match (halt::of(state, now), ends) {
        (_, true) => halt::end(state, now).map(|_| None),
        (Some(halt), false) => Ok(Some(halt)),
        (None, false) => halt::begin(state, now, None).map(Some),
    };
    result.map_err(|error| error.to_string())
}
