//! The Messages API: tools, system, messages out; a stream of blocks in.

mod request;
mod stream;

use super::http::Http;
use super::retry::Patience;
use super::{Asked, text_calls};
use crate::engine::agent::{Message, Turn};
use crate::engine::{EngineError, EventSender};

pub(super) use request::body;
pub(super) use stream::Answer;

/// One turn.
pub(super) async fn turn(
    http: &Http,
    asked: &Asked<'_>,
    history: &[Message],
    patience: &Patience,
    events: &EventSender,
) -> Result<Turn, EngineError> {
    let body = body(asked, history);
    if body.len() > request::LARGEST {
        return Err(EngineError::Failed(format!(
            "a request of {} MB is larger than the server takes",
            body.len() / (1024 * 1024)
        )));
    }
    let (answer, usage) = http.ask::<Answer>(&body, patience, events).await?;
    let mut turn = Turn { usage, ..answer.turn(asked.max_tokens)? };
    if turn.last
        && turn.calls.is_empty()
        && let Some(written) = text_calls::read(&turn.text, asked.tools, history.len())
    {
        // Sent back as the calls that they are meant to be.
        turn = Turn { text: String::new(), calls: written, raw: serde_json::Value::Null, last: false, ..turn };
    }
    Ok(turn)
}
