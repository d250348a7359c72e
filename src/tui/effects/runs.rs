//! What is new among the runs: their journals, and whether a person keeps any from starting by itself. Not its job: what a
//! change of either means on the screen.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::World;
use crate::run::{halt, reap};
use crate::tui::event::AppEvent;

/// Looks, and tells what is another than at the last look.
pub(super) fn refresh(world: &World) -> Vec<AppEvent> {
    reap::reap(&world.state, &world.clock);
    let mut events = Vec::new();
    let mut book = world.book.lock().unwrap_or_else(PoisonError::into_inner);
    match book.refresh() {
        // The first look is told even when there is nothing: it separates what is past from what comes.
        Ok(changed) if !world.told_runs.swap(true, Ordering::Relaxed) || changed => {
            events.push(AppEvent::Runs(book.runs().to_vec()));
        }
        Ok(_) => {}
        Err(error) => tracing::warn!("the run journals cannot be read: {error}"),
    }
    let halt = halt::of(&world.state, world.clock.now());
    let mut told = world.told_halt.lock().unwrap_or_else(PoisonError::into_inner);
    if *told != halt {
        *told = halt;
        events.push(AppEvent::HaltChanged(halt));
    }
    events
}
