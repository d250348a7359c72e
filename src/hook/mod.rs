//! Claude Code's hooks: one command answers all events, a small file each.
//!
//! An event never breaks a session: whatever goes wrong is one line in our log, and the answer is nothing at all. Nothing
//! here blocks, asks or decides for the session. Not its job: reading stdin and printing (`crate::cli`), gates and runs
//! (`crate::run`), choosing memories (`crate::recall`).

mod inherit;
pub mod input;
pub mod install;
pub mod limits;
mod place;
mod post_tool_use;
mod session_end;
mod session_start;
mod stop;
mod subagent_stop;
mod user_prompt_submit;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::clock::Clock;
use crate::config::Config;
use crate::engine::JobKind;
use crate::environment::Environment;
use crate::project::{Choice, Request};
use crate::run::seen::{self, Seen};
use crate::run::service::{Service, Untold};
use crate::run::{gates, halt, quiet};
use crate::session::given::Claim;
use crate::state::StateDir;
use crate::text::brief;
use input::Call;
use place::Place;

/// The outcome of a trigger without a transcript.
const NO_TRANSCRIPT: &str = "turns: the event names no transcript";

/// What events are answered with.
#[derive(Clone, Debug)]
pub struct World {
    /// What the process was given.
    pub environment: Environment,
    /// The configuration.
    pub config: Config,
    /// The engine's word.
    pub engine: String,
    /// Our state.
    pub state: StateDir,
    /// The time.
    pub clock: Clock,
    /// Which store the command line asks for, over what the event says.
    pub request: Request,
    /// Our own binary.
    pub executable: PathBuf,
    /// The options of the command line that workers are given: configuration and engine.
    pub options: Vec<String>,
}

/// Why an event has no answer, in words, for the log.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// What to print.
#[derive(Debug)]
pub struct Said {
    /// Claude Code's hook output.
    pub output: Value,
    claim: Option<Claim>,
}

impl Said {
    /// It was printed and taken. What is dropped without this was not given, and is given with a later prompt.
    pub fn was_taken(self) {
        if let Some(claim) = self.claim {
            claim.keep();
        }
    }
}

/// Answers an event: what to print, if anything.
///
/// # Errors
/// When something went wrong that whoever runs us should find in the log.
pub fn answer(bytes: &[u8], world: &World) -> Result<Option<Said>, Trouble> {
    let call = Call::read(bytes, &world.environment).ok_or("the input is no JSON object with a hook_event_name")?;
    let answered = answer_call(&call, world);
    let session = call.session.as_deref().map_or_else(String::new, |id| format!(" of session {}", brief(id)));
    answered.map_err(|error| format!("{}{session}: {error}", crate::text::visible(&call.event)).into())
}

fn answer_call(call: &Call, world: &World) -> Result<Option<Said>, Trouble> {
    let done = |result: Result<(), Trouble>| result.map(|()| None);
    // A person who paused everything wants nothing of us in a prompt either; triggers still leave their word.
    let is_halted = halt::of(&world.state, world.clock.now()).is_some();
    match call.event.as_str() {
        "SessionStart" | "UserPromptSubmit" if is_halted => Ok(None),
        // Within a sub-agent every end is the sub-agent's.
        "Stop" if call.agent.is_some() => done(subagent_stop::run(call, world)),
        "Stop" => done(stop::run(call, world)),
        "SubagentStop" => done(subagent_stop::run(call, world)),
        "SessionStart" => session_start::run(call, world),
        "SessionEnd" => done(session_end::run(call, world)),
        "UserPromptSubmit" => user_prompt_submit::run(call, world),
        "PostToolUse" => done(post_tool_use::run(call, world)),
        // Events of other versions are nobody's trouble.
        _ => Ok(None),
    }
}

/// The store of a turn that just ended between Claude Code and a person, and the options that tell a process of ours which
/// one it is; `None`: the event is another one, or everything is paused.
///
/// # Errors
/// When the event's project cannot be told.
pub fn ended_turn(bytes: &[u8], world: &World) -> Result<Option<(Choice, Vec<String>)>, Trouble> {
    let call = Call::read(bytes, &world.environment).filter(|call| call.event == "Stop" && call.agent.is_none());
    let Some(call) = call.filter(|_| halt::of(&world.state, world.clock.now()).is_none()) else { return Ok(None) };
    let place = Place::of(&call, world)?;
    let options = world.options(place.start.as_deref());
    Ok(Some((place.choice, options)))
}

/// Context for the session, as an event of that name may give it.
fn context(event: &str, text: &str) -> Said {
    let output = json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } });
    Said { output, claim: None }
}

impl World {
    /// Why nobody speaks in the session whom a memory could be about; `None`: a person does, as far as is known.
    fn no_person(&self, call: &Call) -> Option<&'static str> {
        let told = self.environment.variable("CLAUDE_CODE_ENTRYPOINT");
        let entrypoint = told.or_else(|| call.head()?.entrypoint.as_deref());
        gates::speakers(&self.config).leave_out(entrypoint).then_some("a program talks in this session, not a person")
    }

    /// The place of a trigger. Where that cannot be told the trigger has its outcome here.
    fn place_of_trigger(&self, call: &Call, by: &str) -> Result<Place, Trouble> {
        Place::of(call, self).inspect_err(|error| {
            let told = Untold { engine: &self.engine, state: &self.state, clock: &self.clock };
            told.close(JobKind::Extract, by, call.session.as_deref(), format!("project: {error}"));
        })
    }

    /// Notes that memory is off, where it is: what was said in a session since anything was last heard of it is read neither
    /// now nor later.
    fn note_quiet(&self, call: &Call, place: &Place) -> std::io::Result<()> {
        let now = self.clock.now();
        let halt = halt::of(&self.state, now);
        let is_off = place.choice.memory_off().is_some() || place.choice.settings.bare.is_some();
        let Some(transcript) = call.transcript.as_deref().filter(|_| is_off || halt.is_some()) else { return Ok(()) };
        let since = halt.map(|halt| halt.since).filter(|_| !is_off);
        quiet::note(&self.state, &place.choice, transcript, gates::speakers(&self.config), since, now)
    }

    /// Notes that something was heard of a session.
    fn note(&self, call: &Call, place: &Place, is_ended: bool) -> std::io::Result<()> {
        let (Some(session), Some(transcript)) = (&call.session, &call.transcript) else { return Ok(()) };
        let (session, transcript) = (session.clone(), transcript.clone());
        let length = std::fs::metadata(&transcript).map_or(0, |found| found.len());
        let seen = Seen { session, transcript, at: self.clock.now(), is_ended, length };
        seen::note(&self.state, place.choice.store.root(), &seen)
    }

    fn service<'a>(&'a self, choice: &'a Choice, options: &'a [String]) -> Service<'a> {
        Service {
            choice,
            config: &self.config,
            engine: &self.engine,
            state: &self.state,
            clock: &self.clock,
            environment: &self.environment,
            executable: &self.executable,
            options,
        }
    }

    /// The options that tell a worker which store is meant: the place the choice was made by.
    fn options(&self, start: Option<&Path>) -> Vec<String> {
        let mut options = self.options.clone();
        let places = [
            ("--project", start.map(Path::to_owned)),
            ("--memory-dir", self.request.memory_dir.clone()),
            ("--sessions", self.request.sessions.clone()),
            ("--claude-dir", self.request.claude_dir.clone()),
        ];
        for (flag, path) in places {
            if let Some(path) = path {
                options.extend([flag.to_owned(), path.to_string_lossy().into_owned()]);
            }
        }
        options
    }
}
