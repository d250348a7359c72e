//! `Stop`: a turn ended. The gates are asked, and what may begin is handed to workers; nobody waits for them.

use super::input::Call;
use super::{NO_TRANSCRIPT, Trouble, World};
use crate::engine::JobKind;
use crate::run::service::Extraction;
use crate::run::trigger;
use crate::session::answer;

/// Asks for an extraction of the session and for a dream.
pub(super) fn run(call: &Call, world: &World) -> Result<(), Trouble> {
    let place = world.place_of_trigger(call, trigger::HOOK)?;
    let options = world.options(place.start.as_deref());
    let service = world.service(&place.choice, &options);
    let session = call.session.as_deref();
    if let Some(why) = world.no_person(call) {
        service.close(JobKind::Extract, trigger::HOOK, session, format!("main-agent: {why}"));
        return Ok(());
    }
    let extraction = match call.transcript.as_deref() {
        Some(transcript) => {
            let mark = call.answer.as_deref().and_then(answer::mark);
            let awaits = mark.filter(|mark| !answer::is_written(transcript, mark).unwrap_or(false));
            service.extract(Extraction { transcript, by: trigger::HOOK, awaits: awaits.as_deref() })
        }
        None => service.close(JobKind::Extract, trigger::HOOK, session, NO_TRANSCRIPT.to_owned()),
    };
    let quiet = world.note_quiet(call, &place);
    let answers = [extraction, service.dream(trigger::HOOK, session)];
    let seen = world.note(call, &place, false);
    service.start(answers)?;
    Ok(seen.and(quiet)?)
}
