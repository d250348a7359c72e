//! A run as people and scripts see it: the fold of its events. One implementation for the screen, `runs` and `dream`.

use chrono::{DateTime, Utc};
use serde_json::json;

use super::event::{ChangeLine, HeldLine};
use super::{Outcome, RunEvent, Stamped, TouchOp, reason};
use crate::config::Money;
use crate::engine::{JobKind, Phase, Tokens};
use crate::memory::INDEX_FILE;
use crate::process::Place;

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunStatus {
    /// No file touched yet.
    #[default]
    Starting,
    /// A file was touched.
    Updating,
    /// It ended, and its journal says so.
    Ended,
    /// Its process went without a word.
    Interrupted,
}

impl RunStatus {
    /// The word in JSON and on the screen.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Updating => "updating",
            Self::Ended => "ended",
            Self::Interrupted => "interrupted",
        }
    }
}

/// One entry of a run's tool log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolLine {
    /// When.
    pub at: DateTime<Utc>,
    /// The tool.
    pub name: String,
    /// What it is about.
    pub target: String,
    /// Whether it was allowed.
    pub allowed: bool,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunView {
    /// Its id.
    pub id: String,
    /// Extract or dream.
    pub kind: JobKind,
    /// The engine's name.
    pub engine: String,
    /// The store's directory.
    pub store: String,
    /// The project's title.
    pub project: String,
    /// The worker's process.
    pub pid: u32,
    /// Its birth, see [`super::RunEvent::Started`].
    pub birth: Option<String>,
    /// Where it runs.
    pub place: Place,
    /// Whether it leads its process group.
    pub leads_group: bool,
    /// When it started.
    pub started: Option<DateTime<Utc>>,
    /// When the last event came.
    pub last: Option<DateTime<Utc>>,
    /// Where it is.
    pub status: RunStatus,
    /// The sessions under review.
    pub sessions: Vec<String>,
    /// Whether it lands nothing.
    pub dry_run: bool,
    /// What started it.
    pub trigger: String,
    /// The tokens it may use, when it says.
    pub budget: Option<u64>,
    /// Phases begun, with their times.
    pub phases: Vec<(Phase, DateTime<Utc>)>,
    /// The latest text.
    pub text: Option<String>,
    /// Tool calls so far.
    pub tool_calls: usize,
    /// The last 200 tool calls.
    pub tools: Vec<ToolLine>,
    /// Files touched, in order of their first touch.
    pub touched: Vec<(String, TouchOp)>,
    /// Tokens used.
    pub tokens: Tokens,
    /// What they cost, where prices are set.
    pub cost: Option<Money>,
    /// How far it is.
    pub progress: Option<(u64, u64, String)>,
    /// Notices.
    pub notices: Vec<String>,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why, in one sentence.
    pub reason: String,
    /// Killed: by whom, see [`super::RunEvent::Ended`].
    pub killed_by: Option<String>,
    /// What landed.
    pub changes: Vec<ChangeLine>,
    /// What waits.
    pub held: Vec<HeldLine>,
    /// The history entry.
    pub history: Option<String>,
    /// The inbox entry.
    pub inbox: Option<String>,
    /// The completion notice.
    pub notice: Option<String>,
    /// Milliseconds it took.
    pub ms: Option<u64>,
    /// The history entry that took back what it landed.
    pub undone_by: Option<String>,
    /// Whether it left something of that as it is.
    pub undone_in_part: bool,
}

/// The tool log keeps this many calls.
const TOOL_LOG: usize = 200;

impl RunView {
    /// A run of which only the id is known.
    #[must_use]
    pub fn new(id: &str) -> Self {
        let kind = if id.starts_with(JobKind::Extract.word()) { JobKind::Extract } else { JobKind::Dream };
        Self {
            id: id.to_owned(),
            kind,
            engine: String::new(),
            store: String::new(),
            project: String::new(),
            pid: 0,
            birth: None,
            place: Place::default(),
            leads_group: false,
            started: None,
            last: None,
            status: RunStatus::Starting,
            sessions: Vec::new(),
            dry_run: false,
            trigger: String::new(),
            budget: None,
            phases: Vec::new(),
            text: None,
            tool_calls: 0,
            tools: Vec::new(),
            touched: Vec::new(),
            tokens: Tokens::default(),
            cost: None,
            progress: None,
            notices: Vec::new(),
            outcome: None,
            reason: String::new(),
            killed_by: None,
            changes: Vec::new(),
            held: Vec::new(),
            history: None,
            inbox: None,
            notice: None,
            ms: None,
            undone_by: None,
            undone_in_part: false,
        }
    }

    /// Takes in an event. After the end only another end is taken in: what a dead worker could not say, its killer does.
    /// That it was undone is no event of the run itself: neither its end nor its last sign of life moves.
    pub fn apply(&mut self, event: &Stamped) {
        if let RunEvent::Undone { by, in_part } = &event.event {
            self.undone_by.clone_from(by);
            self.undone_in_part = *in_part;
            return;
        }
        let ends = matches!(event.event, RunEvent::Ended { .. });
        if self.outcome.is_some() && !ends {
            return;
        }
        self.last = Some(event.at);
        match &event.event {
            RunEvent::Started {
                run: _,
                kind,
                engine,
                store,
                project,
                pid,
                birth,
                sessions,
                dry_run,
                trigger,
                budget,
                place,
                leads_group,
            } => {
                self.kind = *kind;
                self.engine.clone_from(engine);
                self.store.clone_from(store);
                self.project.clone_from(project);
                self.pid = *pid;
                self.birth.clone_from(birth);
                self.place.clone_from(place);
                self.leads_group = *leads_group;
                self.sessions.clone_from(sessions);
                self.dry_run = *dry_run;
                self.trigger.clone_from(trigger);
                self.budget = *budget;
                self.started = Some(event.at);
                self.status = RunStatus::Starting;
            }
            RunEvent::Phase { phase } => {
                if self.phases.last().is_none_or(|(last, _)| last != phase) {
                    self.phases.push((*phase, event.at));
                }
            }
            RunEvent::Text { text } => self.text = Some(text.clone()),
            RunEvent::Tool { name, target, allowed } => {
                self.tool_calls += 1;
                if self.tools.len() >= TOOL_LOG {
                    self.tools.remove(0);
                }
                let line = ToolLine { at: event.at, name: name.clone(), target: target.clone(), allowed: *allowed };
                self.tools.push(line);
            }
            RunEvent::Touched { file, op } => {
                self.status = RunStatus::Updating;
                match self.touched.iter_mut().find(|(known, _)| known == file) {
                    Some((_, known)) => *known = *op,
                    None => self.touched.push((file.clone(), *op)),
                }
            }
            RunEvent::Usage { tokens, cost } => {
                self.tokens += *tokens;
                self.cost = self.cost.map_or(*cost, |known| Some(known.plus(cost.unwrap_or_default())));
            }
            RunEvent::Progress { done, total, what } => self.progress = Some((*done, *total, what.clone())),
            RunEvent::Notice { text } => self.notices.push(text.clone()),
            RunEvent::Ended { outcome, reason, killed_by, changes, held, history, inbox, notice, ms } => {
                let died = killed_by.as_deref() == Some(reason::WORKER_DIED);
                self.status = if died { RunStatus::Interrupted } else { RunStatus::Ended };
                self.killed_by.clone_from(killed_by);
                self.outcome = Some(*outcome);
                self.reason.clone_from(reason);
                self.changes.clone_from(changes);
                self.held.clone_from(held);
                self.history.clone_from(history);
                self.inbox.clone_from(inbox);
                self.notice.clone_from(notice);
                self.ms = Some(*ms);
            }
            RunEvent::Undone { .. } => {}
        }
    }

    /// Its outcome in a word (`undone`, or `part undone`, when it was taken back), else where it is: the phase, once there is one.
    #[must_use]
    pub fn word(&self) -> &'static str {
        if self.undone_by.is_some() {
            return if self.undone_in_part { "part undone" } else { "undone" };
        }
        if self.status == RunStatus::Interrupted {
            return self.status.word();
        }
        let phase = self.phases.last().filter(|_| self.is_live()).map(|(phase, _)| phase.word());
        phase.unwrap_or_else(|| self.outcome.map_or(self.status.word(), Outcome::word))
    }

    /// Where one that is going on is, the same words wherever it is shown: `2/4 gather`; without phases `starting` until the
    /// first file is touched, then `updating`.
    #[must_use]
    pub fn stage(&self) -> String {
        match self.phases.last() {
            None => self.status.word().to_owned(),
            Some((phase, _)) => {
                let number = Phase::ALL.iter().position(|known| known == phase).map_or(0, |at| at + 1);
                format!("{number}/{} {}", Phase::ALL.len(), phase.word())
            }
        }
    }

    /// The memories that it changed for good; the index is none.
    #[must_use]
    pub fn memories_changed(&self) -> usize {
        self.changes.iter().filter(|change| change.file != INDEX_FILE).count()
    }

    /// Whether it is going on.
    #[must_use]
    pub fn is_live(&self) -> bool {
        matches!(self.status, RunStatus::Starting | RunStatus::Updating)
    }

    /// Each phase begun and how long it took, up to `now` for the one going on, in milliseconds.
    #[must_use]
    pub fn phase_times(&self, now: DateTime<Utc>) -> Vec<(Phase, u64)> {
        let end = if self.is_live() { now } else { self.last.unwrap_or(now) };
        let ends = self.phases.iter().skip(1).map(|(_, at)| *at).chain([end]);
        self.phases
            .iter()
            .zip(ends)
            .map(|((phase, from), to)| (*phase, u64::try_from((to - from).num_milliseconds()).unwrap_or(0)))
            .collect()
    }

    /// The JSON object of design 13: `{run, kind, engine, outcome, reason, status, sessions, phases, changes, held, tokens, ms, …}`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let phases: Vec<_> = self
            .phase_times(self.last.or(self.started).unwrap_or_default())
            .into_iter()
            .map(|(phase, ms)| json!({"name": phase.word(), "ms": ms}))
            .collect();
        let changes: Vec<_> = self
            .changes
            .iter()
            .map(|line| json!({"op": line.op, "file": line.file, "reason": line.reason, "sources": line.sources}))
            .collect();
        let held: Vec<_> =
            self.held.iter().map(|line| json!({"op": line.op, "file": line.file, "reasons": line.reasons})).collect();
        let touched: Vec<_> = self.touched.iter().map(|(file, op)| json!({"file": file, "op": op})).collect();
        json!({
            "run": self.id,
            "kind": self.kind,
            "engine": self.engine,
            "store": self.store,
            "project": self.project,
            "outcome": self.outcome,
            "reason": self.reason,
            "killed_by": self.killed_by,
            "status": self.status.word(),
            "trigger": self.trigger,
            "budget": self.budget,
            "dry_run": self.dry_run,
            "pid": self.pid,
            "started": self.started,
            "sessions": self.sessions,
            "phases": phases,
            "text": self.text,
            "tool_calls": self.tool_calls,
            "touched": touched,
            "changes": changes,
            "held": held,
            "tokens": self.tokens,
            "cost": self.cost,
            "notices": self.notices,
            "notice": self.notice,
            "history": self.history,
            "undone_by": self.undone_by,
            "undone_in_part": self.undone_in_part,
            "inbox": self.inbox,
            "ms": self.ms,
        })
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
