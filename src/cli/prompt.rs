//! `context`: the memory section a session of this project starts with.

use serde_json::{Value, json};

use super::context::Context;
use super::exit;
use super::output::Failure;
use crate::recall::prompt::section;

/// Prints it. An empty store still has instructions; a missing one is "nothing found", and so is a memory that is switched
/// off: sessions start without it.
pub(super) fn run(context: &Context) -> Result<u8, Failure> {
    if let Some(off) = context.choose()?.memory_off() {
        let answer = json!({ "text": "", "truncated": false, "cut": [], "off": off });
        context.output.answer(&answer, |_| Ok(()))?;
        context.output.notice(&format!("sessions get no memory: {off}"));
        return Ok(exit::FINDINGS);
    }
    let (_, snapshot) = context.scan()?;
    let section = section(&snapshot);
    let answer =
        json!({ "text": section.text, "truncated": section.truncated, "cut": section.cut, "off": Value::Null });
    context.output.answer(&answer, |page| page.text(&section.text, ""))?;
    Ok(if snapshot.memories.is_empty() && !snapshot.has_index { exit::FINDINGS } else { exit::DONE })
}
