//! `SessionEnd`: what a session says after its last extraction is read, however few turns that is. A worker does it; the
//! session's end waits for nobody.

use super::input::Call;
use super::{NO_TRANSCRIPT, Trouble, World};
use crate::engine::JobKind;
use crate::run::service::Extraction;
use crate::run::trigger;

/// Asks for the last extraction of the session.
pub(super) fn run(call: &Call, world: &World) -> Result<(), Trouble> {
    let place = world.place_of_trigger(call, trigger::SESSION_END)?;
    let options = world.options(place.start.as_deref());
    let service = world.service(&place.choice, &options);
    let session = call.session.as_deref();
    let close = |reason: String| service.close(JobKind::Extract, trigger::SESSION_END, session, reason);
    if let Some(why) = world.no_person(call) {
        close(format!("main-agent: {why}"));
        return Ok(());
    }
    let Some(transcript) = call.transcript.as_deref() else {
        close(NO_TRANSCRIPT.to_owned());
        return Ok(());
    };
    let quiet = world.note_quiet(call, &place);
    let seen = world.note(call, &place, true);
    service.start([service.extract(Extraction { transcript, by: trigger::SESSION_END, awaits: None })])?;
    Ok(seen.and(quiet)?)
}
