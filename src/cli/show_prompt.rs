//! `extract` and `dream` with `--dry-run --show-prompt`: what would leave this machine, word for word.

use serde_json::json;

use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning};
use crate::run::worker::{Order, preview};
use crate::text;

/// Shows it. Nobody is asked.
pub(super) fn run(context: &Context, order: &Order) -> Result<u8, Failure> {
    let shown = match preview::preview(order, &context.state, &context.clock, &context.environment) {
        Ok(shown) => shown,
        Err(preview::NoPreview::Closed(why)) => {
            context.output.notice(&why);
            return Ok(exit::NOT_RUN);
        }
        Err(error) => return Err(Failure::failed(error)),
    };
    let Some(shown) = shown else {
        context.output.answer(&json!({ "engine": order.engine, "sends": false }), |page| {
            page.line(format!("the engine {} sends nothing anywhere", order.engine))
        })?;
        return Ok(exit::DONE);
    };
    let parts: Vec<_> = shown.parts.iter().map(|(title, text)| json!({ "title": title, "text": text })).collect();
    let answer = json!({
        "engine": order.engine, "sends": true, "to": shown.to, "model": shown.model, "tokens": shown.tokens, "parts": parts,
    });
    context.output.answer(&answer, |page| {
        for (title, part) in &shown.parts {
            page.line(page.paint(&format!("── {title} ──"), Meaning::Strong))?;
            part.lines().try_for_each(|line| page.line(text::visible(line)))?;
            page.line("")?;
        }
        page.line(format!(
            "this and no more would be sent first, to {} for the model {}: about {} tokens; what its tools read then follows",
            shown.to, shown.model, shown.tokens
        ))
    })?;
    Ok(exit::DONE)
}
