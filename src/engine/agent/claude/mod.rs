//! The engine `claude`: the `claude` command, headless, a process of its own for each question.
//!
//! An extraction forks the session it is about, where the command can find it, so that what the session has in the prompt
//! cache is read from there; a dream starts a conversation of its own. Neither leaves a session behind. The command runs its
//! tools itself: it is told what it may use ([`command`]), the kernel holds its writes to the working copy, its own
//! directory and a place for temporary files, and what it wrote is looked over on the disk afterwards ([`settle`]). Not its
//! job: the prompts' words, and what becomes of the work (`crate::run` reads the disk).

mod child;
mod command;
mod fork;
mod settle;
mod stream;

use std::path::{Path, PathBuf};
use std::time::Duration;

use self::child::{Child, Heard};
use self::command::Ask;
use self::fork::Fork;
use self::stream::{End, Stream};
use super::earlier::Earlier;
use super::evidence::Evidence;
use super::model::extract::Part;
use super::model::prompts::{Name, prompt};
use super::model::{dream, extract, mend, parts};
use super::phases::Phases;
use crate::config::{Config, Money};
use crate::engine::{
    Engine, EngineError, EngineEvent, EngineFuture, EventSender, Job, JobKind, Phase, Preview, RunContext, Tokens,
    Verdict, Word,
};
use crate::environment::Environment;
use crate::text::count;

/// The note beside a working copy that says which process works there, for whoever cleans up after a run that died.
pub const CHILD_NOTE: &str = "child.json";

/// How long the command may be silent.
const IDLE: u64 = 180;
/// Bytes of a question that there is room for beside what the command sends by itself.
const ROOM: usize = 400_000;
/// Why a session is not forked of which not everything counts.
const UNHEARD: &str = "something in the session was let go, or said while memory was off, and a fork would be told it";
/// No answer of a person's question needs more turns.
const QUESTION_TURNS: u32 = 3;

/// The `claude` command.
#[derive(Clone, Debug)]
pub struct Claude {
    /// The program and its first arguments.
    program: Vec<String>,
    model: Option<String>,
    idle: Duration,
    /// Where the person's own prompts lie.
    dir: Option<PathBuf>,
    environment: Environment,
}

/// One question of a run.
struct Question<'a> {
    task: &'a str,
    instructions: &'a str,
    fork: Option<&'a Fork>,
    evidence: &'a Evidence,
    /// The working copy as the question finds it.
    before: &'a Earlier,
}

/// What one question brought.
#[derive(Debug, Default)]
pub(in crate::engine) struct Said {
    /// The last answer.
    pub(in crate::engine) text: String,
    /// What it used.
    pub(in crate::engine) tokens: Tokens,
    /// What the command says it cost.
    pub(in crate::engine) cost: Option<Money>,
    /// The tools that were allowed and ran.
    pub(in crate::engine) tools: Vec<String>,
    declared: Vec<settle::Declared>,
    has_worked: bool,
    left_out: Vec<String>,
}

impl Claude {
    /// The engine of a word, with a model when one is named.
    ///
    /// # Errors
    /// When the command is not there, or a prompt of the person's own cannot be read.
    pub fn of(word: Word<'_>, config: &Config, environment: &Environment) -> Result<Self, EngineError> {
        for name in [Name::Extraction, Name::Dream, Name::Select, Name::Claude] {
            prompt(name, config.dir.as_deref())?;
        }
        let section = &config.models.claude;
        let model = word.model().or(section.model.as_deref()).map(str::to_owned);
        Ok(Self {
            program: command::program(&config.claude_command, environment)?,
            model,
            idle: Duration::from_secs(section.idle_seconds.unwrap_or(IDLE)),
            dir: config.dir.clone(),
            environment: environment.clone(),
        })
    }

    /// The engine when a word names it: `claude`, or `claude:MODEL`.
    ///
    /// # Errors
    /// As [`Claude::of`].
    pub(in crate::engine) fn named(
        word: &str,
        config: &Config,
        environment: &Environment,
    ) -> Result<Option<Self>, EngineError> {
        let word = Word::parse(word);
        if word.name == "claude" { Self::of(word, config, environment).map(Some) } else { Ok(None) }
    }

    /// Where it asks, in words.
    pub(in crate::engine) fn address(&self) -> String {
        let model =
            self.model.as_ref().map_or_else(|| "its own choice of model".to_owned(), |m| format!("the model {m}"));
        format!("{model}, by the command {}", self.program.join(" "))
    }

    /// One question outside of any run, in an empty directory; with the tool Glob or none. What it uses goes to `events`.
    pub(in crate::engine) async fn ask(
        &self,
        question: &str,
        with_glob: bool,
        events: &EventSender,
    ) -> Result<Said, EngineError> {
        let room = tempfile::tempdir()?;
        let ask = Ask {
            task: question,
            system: Some("Answer the question, briefly."),
            tools: Some(if with_glob { &["Glob"] } else { &[] }),
            fork: None,
            directory: None,
            closed: &[],
            started_in: room.path(),
            model: self.model.as_deref(),
            max_turns: Some(QUESTION_TURNS),
            money: None,
        };
        self.talk(&ask, room.path(), events, None, &mut Tokens::default(), u64::MAX).await
    }

    /// Starts the command, tells what it says, and gives what it brought.
    async fn talk(
        &self,
        ask: &Ask<'_>,
        room: &Path,
        events: &EventSender,
        phases: Option<&mut Phases>,
        used: &mut Tokens,
        budget: u64,
    ) -> Result<Said, EngineError> {
        let arguments = command::arguments(ask, &self.environment);
        let mut child = Child::start(&self.program, &arguments, ask, room, &self.environment, events)?;
        let mut stream = Stream::new(ask.directory, phases);
        let before = *used;
        loop {
            match child.next(self.idle, stream.end().is_some()).await? {
                Heard::Line(line) => {
                    for event in stream.take(&line)? {
                        events.send(event);
                    }
                    *used = before;
                    *used += stream.tokens();
                    if used.counted() > budget {
                        return Err(EngineError::out_of_tokens(*used, budget));
                    }
                }
                Heard::End(status, errors) => {
                    for event in stream.ended() {
                        events.send(event);
                    }
                    let end = stream.end().ok_or_else(|| {
                        let words =
                            command::ended_without_a_result(&status, &errors, stream.stray(), stream.has_spoken());
                        EngineError::Failed(words)
                    })?;
                    let left_out = match end {
                        End::Done => None,
                        End::OutOfTurns(turns) => Some(match ask.max_turns {
                            Some(limit) => format!("it wanted to go on after {limit} turns, which is the limit"),
                            None => {
                                let turns = count(usize::try_from(turns).unwrap_or(usize::MAX), "turn", "turns");
                                format!("claude ended it after {turns} by a limit of its own")
                            }
                        }),
                        End::OutOfMoney => {
                            let most = ask.money.unwrap_or_default();
                            return Err(EngineError::out_of_money(stream.cost().unwrap_or(most), most));
                        }
                        End::Failed(words) => return Err(EngineError::Failed(format!("claude: {words}"))),
                    };
                    return Ok(stream.said(left_out));
                }
            }
        }
    }

    fn instructions(&self, kind: JobKind, context: &RunContext) -> Result<String, EngineError> {
        let name = if kind == JobKind::Dream { Name::Dream } else { Name::Extraction };
        let mut whole = String::new();
        for name in [name, Name::Claude] {
            let prompt = prompt(name, self.dir.as_deref())?;
            if let Some(from) = prompt.from {
                context.events.send(EngineEvent::Notice(format!("the prompt is your own: {from}")));
            }
            whole.push_str(&prompt.text.replace("{directory}", &context.working_copy.display().to_string()));
            whole.push_str("\n\n");
        }
        Ok(whole)
    }

    /// Asks one question of a run and puts what was written in order.
    async fn work(
        &self,
        question: Question<'_>,
        phases: Option<&mut Phases>,
        context: &RunContext,
        used: &mut Tokens,
    ) -> Result<Verdict, EngineError> {
        let Question { task, instructions, fork, evidence, before } = question;
        let beside = context.working_copy.parent().unwrap_or(&context.working_copy);
        let room = tempfile::Builder::new().prefix("claude-").tempdir_in(beside)?;
        // Instructions of a fork come last, so that what came before them is as it was in the session.
        let whole = format!("{instructions}\n{task}");
        let ask = Ask {
            task: if fork.is_some() { &whole } else { task },
            system: fork.is_none().then_some(instructions),
            tools: fork.is_none().then_some(&["Read", "Grep", "Glob", "Edit", "Write"]),
            fork,
            directory: Some(&context.working_copy),
            closed: &context.reach.closed,
            started_in: fork.map_or(context.working_copy.as_path(), |fork| fork.cwd.as_path()),
            model: self.model.as_deref().or_else(|| fork.and_then(|fork| fork.model.as_deref())),
            max_turns: context.max_turns,
            money: context.money_budget,
        };
        let talk = self.talk(&ask, room.path(), &context.events, phases, used, context.token_budget);
        let said = tokio::select! {
            biased;
            () = context.cancel.cancelled() => return Err(EngineError::Cancelled),
            said = talk => said?,
        };
        let mut verdict = settle::settle(before, &said.declared, context, evidence)?;
        verdict.worked |= said.has_worked || super::agent_loop::says_nothing(&said.text);
        verdict.left_out.extend(said.left_out);
        Ok(verdict)
    }

    async fn dream(&self, job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
        let instructions = self.instructions(job.kind, context)?;
        let beginning = dream::begin(job, context, ROOM)?;
        for note in &beginning.notes {
            context.events.send(EngineEvent::Notice(note.clone()));
        }
        let (evidence, index) = (Evidence::of(job).read_now(), mend::Before::of(context));
        let mut phases = Phases::default();
        for phase in phases.enter(Phase::Orient) {
            context.events.send(EngineEvent::Phase(phase));
        }
        let before = Earlier::of(context)?;
        let question = Question {
            task: &beginning.task,
            instructions: &instructions,
            fork: None,
            evidence: &evidence,
            before: &before,
        };
        let verdict = self.work(question, Some(&mut phases), context, &mut Tokens::default()).await?;
        index.mend(context)?;
        Ok(verdict)
    }

    async fn extract(&self, job: &Job, context: &RunContext) -> Result<Verdict, EngineError> {
        let instructions = self.instructions(job.kind, context)?;
        let (parts, notes) = extract::parts(job, context, ROOM)?;
        for note in notes {
            context.events.send(EngineEvent::Notice(note));
        }
        let fork = job.sessions.first().map(|session| match job.unheard.is_in(session) {
            true => Err(UNHEARD.to_owned()),
            false => Fork::of(session, context, &self.environment),
        });
        let fork = match fork {
            Some(Ok(fork)) => Some(fork),
            Some(Err(why)) => {
                context.events.send(EngineEvent::Notice(format!("a conversation of its own: {why}")));
                None
            }
            None => None,
        };
        let evidence = Evidence::of(job).read_now();
        let mut questions = Questions { claude: self, instructions, fork, evidence, used: Tokens::default(), context };
        parts::read(&parts, &mut questions, context).await
    }
}

/// The questions of an extraction, a process each.
struct Questions<'c> {
    claude: &'c Claude,
    instructions: String,
    fork: Option<Fork>,
    evidence: Evidence,
    used: Tokens,
    context: &'c RunContext,
}

impl parts::Reader for Questions<'_> {
    fn read<'a>(&'a mut self, _at: usize, part: &'a Part, before: &'a Earlier) -> EngineFuture<'a> {
        Box::pin(async move {
            let question = Question {
                task: &part.task,
                instructions: &self.instructions,
                fork: self.fork.as_ref(),
                evidence: &self.evidence,
                before,
            };
            self.claude.work(question, None, self.context, &mut self.used).await
        })
    }
}

impl Engine for Claude {
    fn run<'a>(&'a self, job: &'a Job, context: &'a RunContext) -> EngineFuture<'a> {
        Box::pin(async move {
            match job.kind {
                JobKind::Dream => self.dream(job, context).await,
                JobKind::Extract => self.extract(job, context).await,
            }
        })
    }

    fn preview(&self, job: &Job, context: &RunContext) -> Result<Option<Preview>, EngineError> {
        let instructions = self.instructions(job.kind, context)?;
        let tasks: Vec<String> = match job.kind {
            JobKind::Dream => vec![dream::begin(job, context, ROOM)?.task],
            JobKind::Extract => extract::parts(job, context, ROOM)?.0.into_iter().map(|part| part.task).collect(),
        };
        let tokens = tasks.iter().map(|task| super::providers::estimate(instructions.len() + task.len())).sum();
        let mut parts = vec![("instructions".to_owned(), instructions)];
        parts.extend(tasks.into_iter().map(|task| ("task".to_owned(), task)));
        let model = self.model.clone().unwrap_or_else(|| "its own choice".to_owned());
        Ok(Some(Preview { to: self.program.join(" "), model, parts, tokens }))
    }
}
