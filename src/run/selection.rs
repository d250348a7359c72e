//! Which memories a prompt calls for, by whatever engine is set; what a model used for it counts in the day.
//!
//! Not its job: ranking (`crate::recall`), and the words a model is asked in (`crate::engine::select`).

use std::time::Duration;

use super::spent;
use crate::clock::{Clock, local_day};
use crate::config::Config;
use crate::engine::select as asking;
use crate::environment::Environment;
use crate::recall::{Examined, Question, Ranking, Selection, select};
use crate::state::StateDir;

/// Who is asked, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// The engine's word.
    pub engine: &'a str,
    /// The configuration.
    pub config: &'a Config,
    /// What the process was given.
    pub environment: &'a Environment,
    /// Our state.
    pub state: &'a StateDir,
    /// The time.
    pub clock: &'a Clock,
}

/// What the engine makes of a prompt's ranking over one store: its own choice from the manifest, or, where the engine only
/// ranks, fails, or takes longer than `recall.model_seconds`, the ranking's. Blocks.
#[must_use]
pub fn of(asked: Asking<'_>, prompt: &Question, examined: &Examined, ranking: Ranking) -> Selection {
    if !asking::selects(asked.engine) {
        return Selection::of(ranking);
    }
    let answer = answer(asked, prompt, examined);
    Selection::by_model(asked.engine, answer, examined, ranking, &prompt.shown)
}

fn answer(asked: Asking<'_>, prompt: &Question, examined: &Examined) -> Result<String, String> {
    let manifest = select::manifest(examined, &prompt.shown);
    let question = asking::question(&prompt.prompt, &manifest, &prompt.tools, asked.config)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let limit = Duration::from_secs(asked.config.recall.model_seconds);
    let answer = runtime.block_on(asking::ask(asked.engine, asked.config, asked.environment, &question, limit));
    // A look-up of a name that does not end must not keep the answer.
    runtime.shutdown_background();
    let answered = answer?;
    let day = local_day(asked.clock.now());
    if let Err(error) = spent::selection(asked.state, day, answered.tokens, answered.cost.unwrap_or_default()) {
        // It is paid for already.
        tracing::warn!("what {} used for a selection cannot be counted: {error}", asked.engine);
    }
    Ok(answered.text)
}
