//! The engine that asks a model over HTTP: the agent loop with its prompts, its input and a provider.
//!
//! Not its job: the protocols ([`super::providers`]) and what becomes of the work (`crate::run` reads the disk).

pub(super) mod dream;
pub(super) mod extract;
pub(super) mod mend;
pub(super) mod parts;
pub(in crate::engine) mod prompts;
mod talk;

use std::path::PathBuf;
use std::sync::Arc;

use self::extract::Part;
use super::agent_loop::{Manners, NOTHING_TO_CHANGE, NOTHING_TO_REMEMBER, converse};
use super::earlier::Earlier;
use super::evidence::Evidence;
use super::providers::{Patience, Remote, Settings, estimate, fixed};
use super::tools::definitions;
use crate::config::Config;
use crate::engine::{
    Engine, EngineError, EngineEvent, EngineFuture, Job, JobKind, Preview, RunContext, Tokens, Verdict,
};
use crate::environment::Environment;
use prompts::{Name, prompt};

/// A model over HTTP.
#[derive(Clone, Debug)]
pub struct Model {
    settings: Settings,
    /// Where the person's own prompts lie.
    dir: Option<PathBuf>,
}

impl Model {
    /// The engine that a word names, `anthropic` or `openai`, each also with `:MODEL`; `None`: it names another.
    ///
    /// # Errors
    /// When no model is named, a key is missing, or a prompt of the person's own cannot be read.
    pub fn of(word: &str, config: &Config, environment: &Environment) -> Result<Option<Self>, EngineError> {
        let Some(settings) = Settings::of(word, config, environment)? else { return Ok(None) };
        let dir = config.dir.clone();
        for name in [Name::Extraction, Name::Dream, Name::Select] {
            prompt(name, dir.as_deref())?;
        }
        Ok(Some(Self { settings, dir }))
    }

    /// The instructions for a job, and how many bytes are left beside them and the tools.
    fn instructions(&self, kind: JobKind, context: &RunContext) -> Result<(String, usize), EngineError> {
        let name = if kind == JobKind::Dream { Name::Dream } else { Name::Extraction };
        let prompt = prompt(name, self.dir.as_deref())?;
        if let Some(from) = prompt.from {
            context.events.send(EngineEvent::Notice(format!("the prompt is your own: {from}")));
        }
        let fixed = fixed(&self.settings, &prompt.text, &definitions(&context.reach));
        Ok((prompt.text, self.settings.room().saturating_sub(fixed)))
    }

    async fn dream(&self, job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
        let (system, room) = self.instructions(job.kind, context)?;
        let beginning = dream::begin(job, context, room)?;
        for note in &beginning.notes {
            context.events.send(EngineEvent::Notice(note.clone()));
        }
        let manners =
            Manners { nothing: Some(NOTHING_TO_CHANGE), evidence: Some(Arc::new(Evidence::of(job))), has_phases: true };
        let mut remote =
            Remote::open(&self.settings, system, definitions(&context.reach), Patience::for_runs(6, 300)).await?;
        let index = mend::Before::of(context);
        let verdict = converse(&mut remote, beginning.task.clone(), context, &manners, &mut Tokens::default()).await?;
        index.mend(context)?;
        Ok(verdict)
    }

    async fn extract(&self, job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
        let (system, room) = self.instructions(job.kind, context)?;
        let (parts, notes) = extract::parts(job, context, room)?;
        for note in notes {
            context.events.send(EngineEvent::Notice(note));
        }
        let manners = Manners {
            nothing: Some(NOTHING_TO_REMEMBER),
            evidence: Some(Arc::new(Evidence::of(job))),
            has_phases: false,
        };
        let remote =
            Remote::open(&self.settings, system, definitions(&context.reach), Patience::for_runs(3, 60)).await?;
        let fixed = self.settings.room().saturating_sub(room);
        let mut questions = Questions { remote, manners, fixed, used: Tokens::default(), context };
        parts::read(&parts, &mut questions, context).await
    }
}

/// The questions of an extraction, one conversation each.
struct Questions<'c> {
    remote: Remote,
    manners: Manners,
    /// Bytes of instructions and tools.
    fixed: usize,
    used: Tokens,
    context: &'c RunContext,
}

impl parts::Reader for Questions<'_> {
    fn read<'a>(&'a mut self, at: usize, part: &'a Part, _before: &'a Earlier) -> EngineFuture<'a> {
        Box::pin(async move {
            // What one question needs at least: itself and its answer.
            let needed = estimate(self.fixed + part.task.len());
            if at > 0 && self.used.counted().saturating_add(needed) > self.context.token_budget {
                return Err(EngineError::out_of_tokens(self.used, self.context.token_budget));
            }
            converse(&mut self.remote, part.task.clone(), self.context, &self.manners, &mut self.used).await
        })
    }
}

impl Engine for Model {
    fn run<'a>(&'a self, job: &'a Job, context: &'a RunContext) -> EngineFuture<'a> {
        Box::pin(async move {
            match job.kind {
                JobKind::Dream => self.dream(job, context).await,
                JobKind::Extract => self.extract(job, context).await,
            }
        })
    }

    fn preview(&self, job: &Job, context: &RunContext) -> Result<Option<Preview>, EngineError> {
        let (system, room) = self.instructions(job.kind, context)?;
        let tasks: Vec<String> = match job.kind {
            JobKind::Dream => vec![dream::begin(job, context, room)?.task],
            JobKind::Extract => extract::parts(job, context, room)?.0.into_iter().map(|part| part.task).collect(),
        };
        let tools: String = definitions(&context.reach)
            .iter()
            .map(|tool| format!("{}: {}\n{}\n", tool.name, tool.description, tool.schema))
            .collect();
        let fixed = estimate(self.settings.room().saturating_sub(room));
        let tokens = tasks.iter().map(|task| fixed + estimate(task.len())).sum();
        let mut parts = vec![("instructions".to_owned(), system), ("tools".to_owned(), tools)];
        parts.extend(tasks.into_iter().map(|task| ("task".to_owned(), task)));
        Ok(Some(Preview { to: self.settings.address(), model: self.settings.model.clone(), parts, tokens }))
    }
}
