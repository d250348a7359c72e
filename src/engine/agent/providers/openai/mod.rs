//! Chat completions, as OpenAI, Ollama, llama.cpp, LM Studio and vLLM speak them, each a little differently.

mod request;
mod stream;

use super::http::Http;
use super::retry::Patience;
use super::{Asked, estimate};
use crate::engine::agent::{Message, Turn};
use crate::engine::{EngineError, EventSender};

pub(super) use request::body;
pub(super) use stream::Answer;

/// A server that read less than this share of a first question has cut it.
const LEAST_SHARE: u64 = 3;

/// One turn.
pub(super) async fn turn(
    http: &Http,
    asked: &Asked<'_>,
    history: &[Message],
    patience: &Patience,
    events: &EventSender,
) -> Result<Turn, EngineError> {
    let body = body(asked, history);
    let (answer, usage) = http.ask::<Answer>(&body, patience, events).await?;
    let turn = answer.turn(asked, history.len())?;
    let (read, sent) = (turn.usage.input.saturating_add(turn.usage.cache_read), estimate(body.len()));
    // Later on some servers leave out what they had read before.
    if history.len() == 1 && read > 0 && read.saturating_mul(LEAST_SHARE) < sent {
        return Err(EngineError::Failed(format!(
            "the server read {read} of about {sent} tokens and cut the rest without a word; let it hold more (Ollama: \
             OLLAMA_CONTEXT_LENGTH or num_ctx), and set context_tokens in config.yaml to what it holds"
        )));
    }
    Ok(Turn { usage, ..turn })
}
