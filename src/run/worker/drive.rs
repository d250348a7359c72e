//! Driving the engine: on a thread of its own, raced against signals, cancellation and time, while the disk is watched.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::outside::Outside;
use super::prepare::Plan;
use super::signals::Signals;
use super::{Task, Worker};
use crate::clock::local_day;
use crate::config::Money;
use crate::engine::{Engine, EngineError, EngineEvent, EventSender, Job, JobKind, RunContext, Tokens, Verdict, Word};
use crate::process;
use crate::run::refusal::{self, Refusal};
use crate::run::working_copy::{Room, Watch, WorkingCopy};
use crate::run::{RunEvent, reason, spent};
use crate::secret::{redacted, redacted_name};

/// How often the working copy is looked at, and between two looks at least this many times what one costs, as far
/// as [`LATEST_TICK`] allows.
const TICK: Duration = Duration::from_millis(100);
const TICK_SHARE: u32 = 25;
/// However much a look costs, the next one comes so soon that what is shown is never a second old.
const LATEST_TICK: Duration = Duration::from_millis(800);

/// So many events go into the journal with one write.
const EVENTS_AT_ONCE: usize = 256;

/// How often the lock is renewed.
const HEARTBEAT: Duration = Duration::from_secs(600);

/// An engine that was told to stop is given this long.
const GRACE: Duration = Duration::from_millis(900);

/// An extraction takes at most this many turns.
const EXTRACT_TURNS: u32 = 5;

/// No text in a journal is longer than this.
const MAX_TEXT: usize = 4_000;

/// What kills a run that is a part of a larger program.
pub(super) const CANCELLED: &str = "the program it ran in";

/// Why there is nothing to land.
pub(super) enum Stopped {
    /// Somebody killed the run; the words say by what.
    Killed(&'static str),
    /// The engine refuses, in its own words.
    Refused(Refusal, String),
    /// In words.
    Failed(String),
}

/// How many turns a conversation of a task may take.
pub(super) fn max_turns(task: &Task) -> Option<u32> {
    matches!(task, Task::Extract { .. }).then_some(EXTRACT_TURNS)
}

/// What the engine's thread hands back.
type Answer = oneshot::Receiver<Result<Verdict, EngineError>>;

impl Worker<'_> {
    /// Makes the copies and lets the engine work on them. The outer error is the journal's.
    pub(super) fn drive(
        &mut self,
        plan: &mut Plan,
        room: &Room,
        engine: Box<dyn Engine>,
        runtime: &Runtime,
        signals: &mut Signals,
        cancel: &CancellationToken,
    ) -> io::Result<Result<(Verdict, WorkingCopy), Stopped>> {
        if let Some(reason) = self.may_ask_nothing() {
            return Ok(Err(Stopped::Failed(reason)));
        }
        let store = self.order.choice.store.root();
        let copy = match WorkingCopy::make(room, store) {
            Ok(copy) => copy,
            Err(error) => return Ok(Err(Stopped::Failed(format!("cannot make a working copy: {error}")))),
        };
        for file in &copy.unreadable {
            self.emit(RunEvent::Notice { text: format!("left out, because it cannot be read: {file}") })?;
        }
        self.money = self.money_left();
        if let Some(text) = self.cap_without_prices() {
            self.emit(RunEvent::Notice { text })?;
        }
        let (events, received) = EventSender::channel();
        let engine_cancel = CancellationToken::new();
        let context = RunContext {
            working_copy: copy.work.clone(),
            reach: plan.reach.clone(),
            events,
            cancel: engine_cancel.clone(),
            clock: self.clock.clone(),
            shelf_life: self.order.config.shelf_life,
            token_budget: self.tokens_left(),
            money_budget: self.money,
            max_turns: max_turns(&self.order.task),
        };
        let job = Job {
            kind: self.order.task.kind(),
            sessions: plan.sessions.clone(),
            checkout: self.order.choice.checkout.clone(),
            unheard: plan.unheard.clone(),
        };
        let outside = (Word::parse(&self.order.engine).name == "claude")
            .then(|| Outside::look(&self.order.choice, self.state, self.clock, &self.view.id, plan.kept_days));
        if let Some(text) = outside.as_ref().and_then(Outside::unseen) {
            self.emit(RunEvent::Notice { text })?;
        }
        let watch = Watch::new(&copy.work);
        let answer = think(engine, job, context);
        let race = self.race(plan, room, answer, received, watch, signals, cancel, &engine_cancel);
        let result = runtime.block_on(race);
        engine_cancel.cancel();
        let result = result?;
        if outside.is_some() {
            // What its command left behind must write nothing after it was looked at.
            process::end_all_below();
        }
        if let Some(reason) = outside.map_or(Ok(None), |outside| self.strayed(&outside))? {
            match &result {
                Err(Stopped::Killed(_)) => self.emit(RunEvent::Notice { text: reason })?,
                _ => return Ok(Err(Stopped::Failed(reason))),
            }
        }
        Ok(match result {
            Ok(verdict) if !verdict.worked => Err(Stopped::Failed(reason::ONLY_TALKED.to_owned())),
            Ok(verdict) => Ok((verdict, copy)),
            Err(stopped) => Err(stopped),
        })
    }

    /// Why a run is not believed whose command changed what is not its own. What a session that goes on may have changed is
    /// told and no more.
    fn strayed(&mut self, outside: &Outside) -> io::Result<Option<String>> {
        let changed = outside.compare();
        for what in changed.by_others {
            self.emit(RunEvent::Notice { text: format!("while claude worked, it or another session changed {what}") })?;
        }
        let all = changed.by_claude.join("; ");
        Ok((!all.is_empty())
            .then(|| format!("while claude worked, what is not its own changed, so its work is dropped: {all}")))
    }

    #[expect(clippy::too_many_arguments, reason = "one select over everything that may happen")]
    async fn race(
        &mut self,
        plan: &mut Plan,
        room: &Room,
        mut answer: Answer,
        mut events: UnboundedReceiver<EngineEvent>,
        mut watch: Watch,
        signals: &mut Signals,
        cancel: &CancellationToken,
        engine_cancel: &CancellationToken,
    ) -> io::Result<Result<Verdict, Stopped>> {
        let seconds = self.order.budget().seconds;
        let deadline = tokio::time::Instant::now() + Duration::from_secs(seconds.min(7 * 24 * 3_600));
        let mut next_look = tokio::time::Instant::now() + TICK;
        let mut renewed = Instant::now();
        let mut talking = true;
        let mut heard = Vec::new();
        let stopped = loop {
            tokio::select! {
                biased;
                signal = signals.received() => break Stopped::Killed(signal),
                () = cancel.cancelled() => break Stopped::Killed(CANCELLED),
                () = tokio::time::sleep_until(deadline) => break Stopped::Failed(reason::out_of_time(seconds)),
                () = tokio::time::sleep_until(next_look) => {
                    next_look = tokio::time::Instant::now() + self.look(&mut watch)?;
                    if renewed.elapsed() >= HEARTBEAT {
                        renewed = Instant::now();
                        room.renew();
                        if let Some(lock) = &mut plan.lock {
                            // A heartbeat that fails is tried again; whether the lock is still ours is asked before landing.
                            let _ = lock.renew(self.clock.now());
                        }
                    }
                }
                count = events.recv_many(&mut heard, EVENTS_AT_ONCE), if talking => {
                    talking = count > 0;
                    if let Some(refused) = self.report(heard.drain(..))? {
                        break refused;
                    }
                }
                result = &mut answer => {
                    let refused = self.report(left(&mut events))?;
                    self.look(&mut watch)?;
                    return Ok(match (result, refused) {
                        (_, Some(refused)) => Err(refused),
                        (Ok(Ok(verdict)), None) => Ok(verdict),
                        (Ok(Err(EngineError::Cancelled)), None) => Err(Stopped::Killed(CANCELLED)),
                        (Ok(Err(EngineError::Io(error))), None) => {
                            let room = self.state.runs().join(&self.view.id);
                            Err(self.failed(format!("cannot work in {}: {error}", room.display())))
                        }
                        (Ok(Err(error)), None) => Err(self.failed(error.to_string())),
                        (Err(_), None) => Err(Stopped::Failed(reason::BROKE_OFF.to_owned())),
                    });
                }
            }
        };
        engine_cancel.cancel();
        let _ = tokio::time::timeout(GRACE, &mut answer).await;
        self.report(left(&mut events))?;
        self.look(&mut watch)?;
        Ok(Err(stopped))
    }

    /// Reports what changed on the working copy's disk; returns when to look again.
    fn look(&mut self, watch: &mut Watch) -> io::Result<Duration> {
        let started = Instant::now();
        let touched = watch.look();
        let cost = started.elapsed();
        for (file, op) in touched {
            self.emit(RunEvent::Touched { file: redacted_name(&file), op })?;
        }
        Ok(TICK.max((cost * TICK_SHARE).min(LATEST_TICK)))
    }

    /// Whether the engine asks something outside that can refuse and that costs. The embedded one does not, and its words
    /// are the person's.
    pub(super) fn pays(&self) -> bool {
        Word::parse(&self.order.engine).name != "embedded"
    }

    /// What a run may use: its budget, and of what the day has left when nobody asked for it.
    fn tokens_left(&self) -> u64 {
        let (budget, kind) = (self.order.budget(), self.order.task.kind());
        if !self.order.is_automatic() {
            return budget.tokens;
        }
        let used = spent::on(self.state, kind, local_day(self.clock.now())).tokens;
        budget.tokens.min(budget.tokens_a_day.saturating_sub(used))
    }

    /// What a run may cost: its budget, and of what the day has left when nobody asked for it. `None`: no cap.
    fn money_left(&self) -> Option<Money> {
        let (budget, kind) = (self.order.budget(), self.order.task.kind());
        let day = budget.usd_a_day.filter(|_| self.order.is_automatic()).map(|most| {
            let used = spent::on(self.state, kind, local_day(self.clock.now())).cost;
            Money(most.0.saturating_sub(used.0))
        });
        budget.usd.into_iter().chain(day).min()
    }

    /// Why nothing is asked of an engine that costs: there is no money for it.
    fn may_ask_nothing(&self) -> Option<String> {
        let engine = Word::parse(&self.order.engine).name;
        let prices = self.order.config.models.of(engine).and_then(|model| model.prices);
        let is_free = prices.is_some_and(|prices| prices == crate::config::Prices::default());
        (self.pays() && !is_free && self.order.budget().usd == Some(Money(0))).then(|| {
            let section = if self.order.task.kind() == JobKind::Dream { "dream" } else { "extract" };
            format!("the budget is 0 USD, so {engine} is not asked; raise {section}.budget.usd in config.yaml")
        })
    }

    /// What is said when a cap in money cannot count.
    fn cap_without_prices(&self) -> Option<String> {
        let (budget, engine) = (self.order.budget(), Word::parse(&self.order.engine).name);
        let has_cap = budget.usd.or(budget.usd_a_day).is_some();
        // The command claude says itself what it cost.
        let is_unknown = self.order.config.models.of(engine).is_some_and(|model| model.prices.is_none());
        (has_cap && is_unknown).then(|| {
            format!(
                "the cap in USD does not count: what {engine} costs is not known; set models.{engine}.prices in config.yaml"
            )
        })
    }

    /// An engine's trouble: a refusal, or something that may pass.
    fn failed(&self, error: String) -> Stopped {
        if error.trim().is_empty() {
            return Stopped::Failed(reason::WITHOUT_A_WORD.to_owned());
        }
        match refusal::in_error(&error).filter(|_| self.pays()) {
            Some(refusal) => Stopped::Refused(refusal, error),
            None => Stopped::Failed(error),
        }
    }

    /// Journals events. An answer that is a refusal ends the run, and so does its cost when it is too much.
    fn report(&mut self, events: impl Iterator<Item = EngineEvent>) -> io::Result<Option<Stopped>> {
        let (mut told, mut stopped) = (Vec::new(), None);
        for event in events {
            let refused = match &event {
                EngineEvent::Text(text) if self.pays() => {
                    refusal::in_answer(text).map(|refusal| Stopped::Refused(refusal, text.clone()))
                }
                EngineEvent::Usage(tokens) => {
                    let cost = tokens.cost(&self.order.engine, &self.order.config).unwrap_or_default();
                    self.spend(tokens.counted(), cost)?;
                    None
                }
                EngineEvent::Cost(cost) => {
                    self.spend(0, *cost)?;
                    None
                }
                _ => None,
            };
            stopped = stopped.or(refused);
            told.push(self.told(event));
        }
        self.emit_all(told)?;
        Ok(stopped.or_else(|| self.too_dear()))
    }

    /// Adds to what the day used up.
    fn spend(&self, tokens: u64, cost: Money) -> io::Result<()> {
        let (kind, day) = (self.order.task.kind(), local_day(self.clock.now()));
        spent::tokens(self.state, kind, day, &self.view.id, tokens, cost)
    }

    /// Whether the run cost more than it may.
    fn too_dear(&self) -> Option<Stopped> {
        let (cost, most) = self.view.cost.zip(self.money)?;
        (cost > most).then(|| Stopped::Failed(EngineError::out_of_money(cost, most).to_string()))
    }

    /// An engine's event as the journal has it.
    fn told(&self, event: EngineEvent) -> RunEvent {
        match event {
            EngineEvent::Phase(phase) => RunEvent::Phase { phase },
            EngineEvent::Text(text) => RunEvent::Text { text: redacted(&text).chars().take(MAX_TEXT).collect() },
            EngineEvent::Tool { name, target, allowed } => {
                RunEvent::Tool { name, target: redacted_name(&redacted(&target)), allowed }
            }
            EngineEvent::Notice(text) => RunEvent::Notice { text: redacted(&text).chars().take(MAX_TEXT).collect() },
            EngineEvent::Usage(tokens) => {
                RunEvent::Usage { tokens, cost: tokens.cost(&self.order.engine, &self.order.config) }
            }
            EngineEvent::Cost(cost) => RunEvent::Usage { tokens: Tokens::default(), cost: Some(cost) },
            EngineEvent::Progress { done, total, what } => RunEvent::Progress { done, total, what },
        }
    }
}

/// What an engine said and nobody has heard yet.
fn left(events: &mut UnboundedReceiver<EngineEvent>) -> impl Iterator<Item = EngineEvent> + '_ {
    std::iter::from_fn(|| events.try_recv().ok())
}

/// Starts the engine on a thread of its own, so that one that never waits cannot keep a kill from being heard, and a
/// panic in it ends the run and not the worker.
fn think(engine: Box<dyn Engine>, job: Job, context: RunContext) -> Answer {
    let (sender, receiver) = oneshot::channel();
    let job = Arc::new(job);
    std::thread::spawn(move || {
        let result = Builder::new_current_thread().enable_all().build().map_err(EngineError::Io).and_then(|runtime| {
            let result = runtime.block_on(engine.run(&job, &context));
            // A tool that does not end must not keep this thread.
            runtime.shutdown_background();
            result
        });
        let _ = sender.send(result);
    });
    receiver
}

/// The word of a run's kind in titles.
pub(super) fn title(kind: JobKind, sessions: &[String]) -> String {
    match (kind, sessions) {
        (JobKind::Extract, [session, ..]) => format!("extract from session {session}"),
        (JobKind::Extract, []) => "extract".to_owned(),
        (JobKind::Dream, sessions) => {
            format!("dream over {}", crate::text::count(sessions.len(), "session", "sessions"))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;
    use crate::clock::Clock;
    use crate::engine::EngineFuture;
    use crate::memory::ShelfLife;

    struct Panics;
    impl Engine for Panics {
        fn run<'a>(&'a self, _job: &'a Job, _context: &'a RunContext) -> EngineFuture<'a> {
            Box::pin(async { panic!("a fault in the engine") })
        }
    }

    #[test]
    fn a_panic_in_the_engine_ends_the_run_and_not_the_worker() {
        let (events, _received) = EventSender::channel();
        let context = RunContext {
            working_copy: std::env::temp_dir(),
            reach: crate::engine::agent::Reach::default(),
            events,
            cancel: CancellationToken::new(),
            clock: Clock::System,
            shelf_life: ShelfLife::default(),
            token_budget: 0,
            money_budget: None,
            max_turns: None,
        };
        let job = Job { kind: JobKind::Dream, sessions: Vec::new(), checkout: None, unheard: Default::default() };
        assert!(think(Box::new(Panics), job, context).blocking_recv().is_err());
    }

    #[test]
    fn titles_name_the_session_or_count_the_sessions() {
        let sessions = ["a".to_owned(), "b".to_owned()];
        assert_eq!(title(JobKind::Extract, &sessions[..1]), "extract from session a");
        assert_eq!(title(JobKind::Dream, &sessions), "dream over 2 sessions");
    }
}
