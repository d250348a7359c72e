//! `SessionEnd`: what a session says after its last extraction is read, however few turns that is. A worker does it; the
//! session's end waits for nobody.

use super::input::Call;
use super::place::Place;
use super::{Trouble, World};
use crate::engine::JobKind;
use crate::run::service::Extraction;
use crate::run::trigger;

/// Asks for the last extraction of the session.
pub(super) fn run(call: &Call, world: &World) -> Result<(), Trouble> {
    let place = Place::of(call, world)?;
    let options = world.options(place.start.as_deref());
    let service = world.service(&place.choice, &options);
    if let Some(why) = world.no_person(call) {
        let session = call.session.as_deref();
        service.close(JobKind::Extract, trigger::SESSION_END, session, format!("main-agent: {why}"));
        return Ok(());
    }
    let transcript = call.transcript.as_deref().ok_or("the event names no transcript")?;
    let seen = world.note(call, &place, true);
    service.start([service.extract(Extraction { transcript, by: trigger::SESSION_END, awaits: None })])?;
    Ok(seen?)
}
