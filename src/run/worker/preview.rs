//! What a run would send to a model first, without sending it: `--dry-run --show-prompt`.

use tokio_util::sync::CancellationToken;

use super::Order;
use super::drive;
use super::prepare::{self, NotBegun};
use crate::clock::Clock;
use crate::engine::{self, EventSender, Job, Preview, RunContext};
use crate::environment::Environment;
use crate::run::lock::Patience;
use crate::run::working_copy::WorkingCopy;
use crate::run::{launch, reason};
use crate::state::StateDir;

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub enum NoPreview {
    /// The run would not begin.
    #[error("{0}")]
    Closed(String),
    /// Something is wrong.
    #[error("{0}")]
    Failed(String),
}

/// What the run of an order would send first; `None`: its engine sends nothing. Nothing is changed and nobody asked.
///
/// # Errors
/// When the run would not begin, or the store or a session cannot be read.
pub fn preview(
    order: &Order,
    state: &StateDir,
    clock: &Clock,
    environment: &Environment,
) -> Result<Option<Preview>, NoPreview> {
    let failed = |error: &dyn std::fmt::Display| NoPreview::Failed(error.to_string());
    let order = Order { dry_run: true, ..order.clone() };
    let engine = engine::by_name(&order.engine, &order.config, environment).map_err(|error| failed(&error))?;
    let run = launch::new_run_id(order.task.kind(), clock.now());
    let plan = prepare::prepare(&order, &run, state, clock, environment, Patience::default());
    let mut plan = plan.map_err(|error| match error {
        NotBegun::Closed(why) => NoPreview::Closed(why),
        NotBegun::Coalesced => NoPreview::Closed(reason::WILL_LOOK_AGAIN.to_owned()),
        NotBegun::Failed(why) => NoPreview::Failed(why),
    })?;
    let Some(room) = plan.room.take() else { return Ok(None) };
    let copy = WorkingCopy::make(&room, order.choice.store.root()).map_err(|error| failed(&error))?;
    let (events, _) = EventSender::channel();
    let context = RunContext {
        working_copy: copy.work.clone(),
        reach: plan.reach.clone(),
        events,
        cancel: CancellationToken::new(),
        clock: clock.clone(),
        shelf_life: order.config.shelf_life,
        token_budget: order.budget().tokens,
        money_budget: order.budget().usd,
        max_turns: drive::max_turns(&order.task),
    };
    let (kind, checkout) = (order.task.kind(), order.choice.checkout.clone());
    let job = Job { kind, sessions: plan.sessions.clone(), checkout, unheard: plan.unheard.clone() };
    engine.preview(&job, &context).map_err(|error| failed(&error))
}
