//! Asking what a prompt would call back. Nothing is kept between two prompts: a store is read in the time of a few frames.

use super::World;
use crate::memory::ScanOptions;
use crate::project::Choice;
use crate::recall::{Question, Ranking, rank};

/// The ranking of the store for a prompt.
pub(super) fn ask(world: &World, choice: &Choice, prompt: &str) -> Result<Ranking, String> {
    let confirmed = world.door().confirmed(&choice.store);
    let options = ScanOptions { now: world.clock.now(), shelf_life: world.config().shelf_life, confirmed };
    let question = Question::new(prompt, std::slice::from_ref(&choice.store));
    let examined = question.examine_shared(&choice.store, &options).map_err(|error| error.to_string())?;
    Ok(rank(&question, &[examined]))
}
