//! `UserPromptSubmit`: the memories a prompt calls for, as dated notes beside it; none when unsure, too slow or known.
//!
//! Not its job: choosing them (`crate::recall`, and a model where the configuration has one choose).

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::input::Call;
use super::place::Place;
use super::{Said, Trouble, World, context, inherit, limits};
use crate::change::Door;
use crate::config::Config;
use crate::engine::select::selects;
use crate::memory::{ScanOptions, Store};
use crate::recall::{Question, Selection, frame, rank};
use crate::run::selection;
use crate::session::given::{self, Claim, Given, How, Prompt};
use crate::session::{is_speech, recent_tools};

/// Claude Code puts texts of more than 10,000 characters into a file and shows a beginning.
const MOST_CHARACTERS: usize = 9_500;

/// Chooses, frames, and notes what was given.
pub(super) fn run(call: &Call, world: &World) -> Result<Option<Said>, Trouble> {
    if call.agent.is_some() || world.no_person(call).is_some() {
        return Ok(None);
    }
    let place = Place::of(call, world)?;
    world.note(call, &place, false)?;
    let (choice, config) = (&place.choice, &world.config);
    let store = &choice.store;
    let (Some(prompt), true, true) = (&call.prompt, config.recall.enabled, choice.memory_off().is_none()) else {
        return Ok(None);
    };
    // A notice of the client's is no prompt of anybody's.
    if !store.root().is_dir() || !is_speech(prompt) {
        return Ok(None);
    }
    let session = call.session.as_deref().unwrap_or_default();
    let config = Config { recall: limits::within(&world.config.recall), ..world.config.clone() };
    let world = &World { config, ..world.clone() };
    let Some(mut selection) = in_time(call, world, store, prompt)? else {
        let waited = world.config.recall.milliseconds;
        return Err(
            format!("no memories for a prompt: they were not chosen within {waited} ms (recall.milliseconds)").into()
        );
    };
    if let Some(why) = &selection.degraded {
        tracing::warn!("recall: {why}");
    }
    if selection.memories.is_empty() {
        return Ok(None);
    }
    let at = world.clock.now();
    let prompt = Prompt { id: call.prompt_id.as_deref(), text: prompt };
    let Some(mut claim) = Claim::take(&world.state, store.root(), session, prompt, at)? else { return Ok(None) };
    // What another hook gave while this one chose.
    let known = given::known(&world.state, store, session);
    selection.memories.retain(|hit| !known.contains(&hit.memory.file));
    let (mut text, taken) = frame::within(&selection.memories, MOST_CHARACTERS);
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(why) = &selection.degraded {
        text.push_str(&format!("\n[{}]\n", crate::text::shortened(&crate::secret::redacted(why), 200)));
    }
    let shown = selection.memories.iter().take(taken);
    let shown: Vec<Given> = shown.map(|hit| Given::now(store, &hit.memory.file, How::Recalled, at)).collect();
    claim.note(prompt, &shown, at)?;
    Ok(Some(Said { claim: Some(claim), ..context(&call.event, &text) }))
}

/// The selection, unless it takes longer than a prompt may be kept waiting.
fn in_time(call: &Call, world: &World, store: &Store, prompt: &str) -> Result<Option<Selection>, Trouble> {
    let asks_model = world.config.recall.model && selects(&world.engine);
    let extra = if asks_model { Duration::from_secs(world.config.recall.model_seconds) } else { Duration::ZERO };
    let patience = Duration::from_millis(world.config.recall.milliseconds).saturating_add(extra);
    let (sender, receiver) = channel();
    let (call, world, store, prompt) = (call.clone(), world.clone(), store.clone(), prompt.to_owned());
    std::thread::spawn(move || {
        // Whoever gave up does not listen any more.
        let _ = sender.send(choose(&call, &world, &store, &prompt, asks_model));
    });
    match receiver.recv_timeout(patience) {
        Ok(selection) => selection.map(Some),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err("choosing memories broke off".into()),
    }
}

fn choose(call: &Call, world: &World, store: &Store, prompt: &str, asks_model: bool) -> Result<Selection, Trouble> {
    inherit::look(call, world, store)?;
    let door = Door::new(world.state.clone(), world.clock.clone());
    let (now, shelf_life) = (world.clock.now(), world.config.shelf_life);
    let mut question = Question::new(prompt, std::slice::from_ref(store));
    question.shown = given::known(&world.state, store, call.session.as_deref().unwrap_or_default());
    // Without a transcript no tool is known to be in use.
    question.tools = call.transcript.as_deref().and_then(|path| recent_tools(path).ok()).unwrap_or_default();
    let examined =
        question.examine_shared(store, &ScanOptions { now, shelf_life, confirmed: door.confirmed(store) })?;
    let ranking = rank(&question, std::slice::from_ref(&examined));
    if !asks_model {
        return Ok(Selection::of(ranking));
    }
    let asking = selection::Asking {
        engine: &world.engine,
        config: &world.config,
        environment: &world.environment,
        state: &world.state,
        clock: &world.clock,
        by_hand: false,
    };
    Ok(selection::of(asking, &question, &examined, ranking))
}
