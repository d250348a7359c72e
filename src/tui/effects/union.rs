//! Two memories and what they would become as one. Not its job: landing it.

use crate::engine::embedded::merge::united;
use crate::memory::links::markdown_links;
use crate::memory::{Following, Topic};
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
    let mut proposed = united((file, &own), (partner, &other));
    let (own, other) = ((file.to_owned(), own), (partner.to_owned(), other));
    let (keep, partner) = if proposed.keeps_first { (own, other) } else { (other, own) };
    if let Some(moved) = moved(choice, &partner, &keep.0) {
        let again = united((&keep.0, &keep.1), (&partner.0, &moved));
        if again.keeps_first {
            proposed = again;
        }
    }
    Ok(Box::new(Proposal { keep, partner, united: proposed.topic, left_out: proposed.left_out }))
}

/// The one that goes as it reads in the folder of the one that stays: its links keep what they lead to. `None`: no link
/// changes.
fn moved(choice: &Choice, (file, topic): &(String, Topic), keep: &str) -> Option<Topic> {
    let links = markdown_links(&topic.body(), file);
    let targets = links.iter().map(|(_, target)| target.as_str()).filter(|target| choice.store.path(target).is_file());
    let following = Following::new(targets.map(|target| (target, "")), &[]);
    let bytes = following.text(topic.bytes.clone(), file, keep);
    (bytes != topic.bytes).then(|| Topic::read(bytes))
}
