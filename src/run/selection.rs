//! Which memories a prompt calls for, by whatever engine is set; what a model used for it counts in the day.
//!
//! One that refuses is not asked again before its pause is over, and one that says nothing is not waited for at each prompt;
//! the ranking answers meanwhile. Not its job: ranking (`crate::recall`), and the words a model is asked in (`crate::engine::select`).

use std::time::Duration;

use super::pause::{self, Asked, Refused};
use super::refusal::{self, Refusal};
use super::{silence, spent};
use crate::clock::{Clock, local_day};
use crate::config::Config;
use crate::engine::Word;
use crate::engine::select::{self as asking, Unanswered};
use crate::environment::Environment;
use crate::recall::{Examined, Question, Ranking, Selection, select};
use crate::secret::redacted;
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
    /// Whether a person asks, and no prompt of a session.
    pub by_hand: bool,
}

impl Asking<'_> {
    fn whom(&self) -> Asked<'_> {
        Asked { word: self.engine, config: self.config, environment: self.environment }
    }
}

/// What the engine makes of a prompt's ranking over one store: its own choice from the manifest, or, where the engine only
/// ranks, is paused, fails, or takes longer than `recall.model_seconds`, the ranking's. Blocks.
#[must_use]
pub fn of(asked: Asking<'_>, prompt: &Question, examined: &Examined, ranking: Ranking) -> Selection {
    if !asking::selects(asked.engine) {
        return Selection::of(ranking);
    }
    let answer = answer(asked, prompt, examined);
    Selection::by_model(asked.engine, answer, examined, ranking, &prompt.shown)
}

fn answer(asked: Asking<'_>, prompt: &Question, examined: &Examined) -> Result<String, String> {
    let now = asked.clock.now();
    if let Some(pause) = pause::of(asked.state, asked.whom(), now) {
        return Err(pause.words());
    }
    if let Some(silence) = silence::of(asked.state, asked.whom(), now) {
        return Err(silence.words());
    }
    let manifest = select::manifest(examined, &prompt.shown);
    let question = asking::question(&prompt.prompt, &manifest, &prompt.tools, asked.config)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let limit = Duration::from_secs(asked.config.recall.model_seconds);
    let (answer, used) = runtime.block_on(asking::ask(asked.engine, asked.config, asked.environment, &question, limit));
    // A look-up of a name that does not end must not keep the answer.
    runtime.shutdown_background();
    let engine = Word::parse(asked.engine).name;
    let day = local_day(asked.clock.now());
    // Also what brought no answer was paid for.
    if let Err(error) = spent::selection(asked.state, day, used.tokens, used.cost.unwrap_or_default()) {
        tracing::warn!("what {} used for a selection cannot be counted: {error}", asked.engine);
    }
    let text = match answer {
        Ok(text) => text,
        Err(error @ Unanswered::Silent(_)) => {
            if let Err(why) = silence::begin(asked.state, asked.whom(), asked.clock.now()) {
                tracing::warn!("that {engine} did not answer cannot be noted: {why}");
            }
            return Err(error.to_string());
        }
        Err(Unanswered::Failed(words)) => {
            silence::end(asked.state, engine);
            return Err(refusal::in_error(&words).map_or(words.clone(), |what| refused(asked, what, &words)));
        }
    };
    silence::end(asked.state, engine);
    if let Some(what) = refusal::in_answer(&text) {
        return Err(refused(asked, what, &text));
    }
    pause::end(asked.state, engine);
    Ok(text)
}

/// The engine refuses: it is paused, for all stores and for runs as well. In words.
fn refused(asked: Asking<'_>, what: Refusal, said: &str) -> String {
    let said = redacted(said);
    let refused = Refused { what, said: &said, by_hand: asked.by_hand };
    match pause::begin(asked.state, asked.whom(), refused, asked.clock.now()) {
        Ok(pause) => pause.words(),
        Err(error) => format!("{}: {said:?}; the pause cannot be noted: {error}", what.words()),
    }
}
