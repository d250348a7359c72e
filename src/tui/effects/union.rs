//! Two memories and what they would become as one. Not its job: landing it.

use crate::engine::embedded::merge::united;
use crate::memory::Topic;
use crate::project::Choice;
use crate::tui::event::Proposal;

/// Reads both. The rules of a dream propose which one stays and what it says.
pub(super) fn read(choice: &Choice, file: &str, partner: &str) -> Result<Box<Proposal>, String> {
    let read = |file: &str| -> Result<Topic, String> {
        let failed =
            |error: &dyn std::fmt::Display| format!("cannot read {}: {error}", choice.store.path(file).display());
        let topic = choice.store.topic(file).map_err(|error| failed(&error))?;
        std::str::from_utf8(&topic.bytes).map_err(|_| failed(&"it is not UTF-8, and a merge here would damage it"))?;
        Ok(topic)
    };
    let (own, other) = (read(file)?, read(partner)?);
    let proposed = united((file, &own), (partner, &other));
    let (own, other) = ((file.to_owned(), own), (partner.to_owned(), other));
    let (keep, partner) = if proposed.keeps_first { (own, other) } else { (other, own) };
    Ok(Box::new(Proposal { keep, partner, united: proposed.topic, left_out: proposed.left_out }))
}
