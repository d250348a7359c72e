//! After the engine: from the working copy to the store, and from there to the end of the run.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _, BufReader};
use std::path::Path;

use super::prepare::Plan;
use super::{Task, Worker, drive};
use crate::change::guard::secrets::{GUARD, clean};
use crate::change::{self, ChangeSet, Consent, Door, Held, Landing, Op, Origin, Rationale, Source};
use crate::config::Apply;
use crate::engine::{JobKind, ReadTo, Verdict, Word};
use crate::memory::INDEX_FILE;
use crate::run::event::{ChangeLine, HeldLine};
use crate::run::live::{self, Site};
use crate::run::reason::{Made, Waits};
use crate::run::schedule::{Cursor, Schedule};
use crate::run::working_copy::WorkingCopy;
use crate::run::{Outcome, RunEvent, pause, reason, review, silence};
use crate::secret::{redacted, redacted_name};
use crate::session::given::{self, Given, How};

/// How a run ends.
pub(super) struct Ending {
    pub(super) outcome: Outcome,
    pub(super) reason: String,
    pub(super) killed_by: Option<String>,
    /// Whether the engine refused: then it is paused, which is longer than any wait after a failure.
    pub(super) is_refusal: bool,
    pub(super) changes: Vec<ChangeLine>,
    pub(super) held: Vec<HeldLine>,
    pub(super) history: Option<String>,
    pub(super) inbox: Option<String>,
    pub(super) notice: Option<String>,
}

impl Ending {
    pub(super) fn new(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self {
            outcome,
            reason: reason.into(),
            killed_by: None,
            is_refusal: false,
            changes: Vec::new(),
            held: Vec::new(),
            history: None,
            inbox: None,
            notice: None,
        }
    }

    pub(super) fn killed(by: &str) -> Self {
        Self { killed_by: Some(by.to_owned()), ..Self::new(Outcome::Killed, reason::killed(by)) }
    }

    /// Whether the run did its work, so that it counts for the schedule.
    fn is_success(&self) -> bool {
        matches!(self.outcome, Outcome::Done | Outcome::Partial | Outcome::Held)
    }
}

impl Worker<'_> {
    /// Lands what the engine did. The outer error is the journal's.
    pub(super) fn land(&mut self, plan: &Plan, verdict: &Verdict, copy: &WorkingCopy) -> io::Result<Ending> {
        let failed = |reason: String| Ok(Ending::new(Outcome::Failed, reason));
        let kind = self.order.task.kind();
        let origin = match kind {
            JobKind::Dream => Origin::Dream,
            JobKind::Extract => Origin::Extract,
        };
        let title = drive::title(kind, &self.view.sessions);
        let checked = super::spoken::check(plan, &self.order.choice.store, &verdict.rationales);
        let made = change::compare::change_set(&copy.pristine, &copy.work, origin, &title, &checked.rationales);
        let mut set = match made {
            Ok(set) => set,
            Err(error) => return failed(format!("cannot read what the engine did: {error}")),
        };
        set.run = Some(self.view.id.clone());
        set.is_by_model = self.pays();
        // What is taken away adds nothing, whatever words it rests on.
        let adds = |file: &&String| set.changes.iter().any(|change| change.file == **file && change.op != Op::Remove);
        let let_go: BTreeSet<String> = checked.let_go.iter().filter(adds).cloned().collect();
        if let Some(text) = let_go_before(&let_go) {
            self.emit(RunEvent::Notice { text })?;
        }
        if self.order.dry_run {
            set.changes.retain(|change| !let_go.contains(&change.file));
            return Ok(would_land(&set, verdict));
        }
        if let Some(lock) = plan.lock.as_ref().filter(|lock| !lock.is_still_ours()) {
            return failed(lock.why_lost().to_owned());
        }
        let consent = match self.order.apply() {
            Apply::Auto => Consent::None,
            Apply::Ask => Consent::Ask,
        };
        let door = Door::new(self.state.clone(), self.clock.clone());
        let beside = Site::of(&self.order.choice).map(|site| site.notices(&set)).unwrap_or_default();
        let landing = if set.is_empty() {
            Landing::default()
        } else {
            match door.land_without(&self.order.choice.store, &set, consent, &let_go) {
                Ok(landing) => landing,
                Err(error) => return failed(error.to_string()),
            }
        };
        let changed = match beside.as_slice() {
            [] => Vec::new(),
            _ => live::changed_since(&door, &self.order.choice.store, &landing),
        };
        for text in beside.into_iter().chain(changed) {
            self.emit(RunEvent::Notice { text })?;
        }
        if let Some(text) = no_longer_loaded(&landing.newly_cut) {
            self.emit(RunEvent::Notice { text })?;
        }
        self.note_said(&landing);
        let made = self.made(&landing);
        Ok(landed(landing, verdict, made))
    }

    /// What a session said itself is in its window: it need not be given back to it.
    fn note_said(&self, landing: &Landing) {
        let Task::Extract { transcript, .. } = &self.order.task else { return };
        let (store, at) = (&self.order.choice.store, self.clock.now());
        let filed = landing.landed.iter().filter(|landed| landed.op != Op::Remove && landed.file != INDEX_FILE);
        let filed: Vec<Given> = filed.map(|landed| Given::now(store, &landed.file, How::Said, at)).collect();
        let session = review::session_id(transcript);
        if let Err(error) = given::note(self.state, store.root(), &session, &filed) {
            tracing::warn!("what session {session} said may be given back to it: {error}");
        }
    }

    /// What became of the memories, counted on the disk and not from anyone's words.
    fn made(&self, landing: &Landing) -> Made {
        let mut made = Made::default();
        for landed in &landing.landed {
            let is_there = self.order.choice.store.path(&landed.file).exists();
            if is_there != (landed.op == Op::Remove) {
                made.add(&landed.file, landed.op);
            }
        }
        made
    }

    /// Gives back the lock and notes in the schedule how it went. Trouble here is told in the reason: what landed, landed.
    pub(super) fn settle(&self, mut plan: Plan, mut ending: Ending) -> Ending {
        let (kind, now) = (self.order.task.kind(), self.clock.now());
        let schedule = Schedule::of(self.state, self.order.choice.store.root());
        let mut trouble: Vec<io::Error> = Vec::new();
        let mut note = |result: io::Result<()>| trouble.extend(result.err());
        let counts = ending.is_success() && !self.order.dry_run;
        if let Some(lock) = plan.lock.take() {
            note(if counts { lock.succeed(now) } else { lock.roll_back() });
        }
        if ending.is_success() && self.pays() {
            let engine = Word::parse(&self.order.engine).name;
            pause::end(self.state, engine);
            silence::end(self.state, engine);
        }
        if counts {
            note(schedule.succeeded(kind, &self.view.id, plan.last_success, now));
            plan.session.iter().for_each(|session| schedule.survived(session));
            if let (Some(session), Some(cursor), Task::Extract { transcript, .. }) =
                (&plan.session, plan.cursor.take(), &self.order.task)
            {
                let moved = plan.read_to.as_ref().map_or(Ok(cursor), |place| up_to(transcript, place));
                note(moved.and_then(|cursor| schedule.move_cursor(session, transcript, &cursor)));
            }
        } else if ending.outcome == Outcome::Failed
            && !ending.is_refusal
            && self.order.is_gated()
            && !self.order.dry_run
        {
            note(schedule.failed(kind, now));
        }
        for error in trouble {
            ending.reason.push_str(&format!("; {error}"));
        }
        ending
    }
}

/// The cursor behind a line of a transcript.
fn up_to(transcript: &Path, place: &ReadTo) -> io::Result<Cursor> {
    let mut reader = BufReader::new(crate::state::open_file(transcript)?);
    let (mut offset, mut line) = (0, 0);
    while line < place.line {
        match reader.skip_until(b'\n')? {
            0 => break,
            read => offset += read as u64,
        }
        line += 1;
    }
    Ok(Cursor { offset, line, uuid: place.uuid.clone() })
}

/// What a dry run reports.
fn would_land(set: &ChangeSet, verdict: &Verdict) -> Ending {
    let mut changes: Vec<ChangeLine> =
        set.changes.iter().map(|change| line(change.op, &change.file, change.rationale.clone())).collect();
    if let Some(index) = set.index.as_ref().filter(|index| index.base != index.content) {
        let op = if index.base.is_empty() { Op::Create } else { Op::Replace };
        changes.push(line(op, INDEX_FILE, Rationale { reason: set.title.clone(), sources: Vec::new() }));
    }
    let outcome = if verdict.left_out.is_empty() { Outcome::Done } else { Outcome::Partial };
    let mut made = Made::default();
    changes.iter().for_each(|change| made.add(&change.file, change.op));
    let reason = reason::would_land(made, &left_out(verdict));
    Ending { changes, ..Ending::new(outcome, reason) }
}

fn landed(landing: Landing, verdict: &Verdict, made: Made) -> Ending {
    let outcome = match (landing.landed.is_empty(), landing.held.is_empty(), verdict.left_out.is_empty()) {
        (_, true, true) => Outcome::Done,
        (true, false, _) => Outcome::Held,
        _ => Outcome::Partial,
    };
    let is_refused = |held: &&Held| held.reasons.iter().any(|reason| reason.guard == GUARD);
    let is_earlier = |held: &&Held| held.waits_in.is_some();
    let count = |held: &dyn Fn(&&Held) -> bool| {
        change::count_waiting(landing.held.iter().filter(held).map(|held| held.file.as_str()))
    };
    let waits = Waits {
        now: count(&|held| !is_refused(held) && !is_earlier(held)),
        earlier: count(&is_earlier),
        refused: count(&is_refused),
    };
    let reason = reason::landed(made, waits, &left_out(verdict));
    let notice = made.notice();
    let changes = landing.landed.into_iter().map(|landed| line(landed.op, &landed.file, landed.rationale)).collect();
    let held =
        landing.held.into_iter().map(|Held { file, op, reasons, waits_in }| HeldLine { op, file, reasons, waits_in });
    let held = held.collect();
    Ending { changes, held, history: landing.history, inbox: landing.inbox, notice, ..Ending::new(outcome, reason) }
}

/// What the engine could not do, without credentials it may have spoken of.
fn left_out(verdict: &Verdict) -> Vec<String> {
    verdict.left_out.iter().map(|line| redacted(line)).collect()
}

/// A change for the journal, which keeps no credential, whoever spoke it.
fn line(op: Op, file: &str, rationale: Rationale) -> ChangeLine {
    let Rationale { reason, sources } = clean(rationale);
    // When it was said is for the guards, and no part of what the journal keeps.
    let sources = sources.into_iter().map(|source| Source { said: None, ..source }).collect();
    ChangeLine { op, file: file.to_owned(), reason, sources }
}

/// What is said of files that are left as they were because they rest on what was let go.
fn let_go_before(files: &BTreeSet<String>) -> Option<String> {
    let named: Vec<String> = files.iter().take(3).map(|file| redacted_name(file)).collect();
    let more = files.len().saturating_sub(named.len());
    let rest = if more == 0 { String::new() } else { format!(" and {more} more") };
    let changes = crate::text::count(files.len(), "change rests", "changes rest");
    (!files.is_empty()).then(|| {
        format!("{changes} on words that you let go before, and nothing was done ({}{rest})", named.join(", "))
    })
}

/// What is said of entries that the index has no room for any more; there may be hundreds.
fn no_longer_loaded(files: &[String]) -> Option<String> {
    let (first, more) = files.split_at(files.len().min(3));
    let named = first.join(", ");
    let entries = crate::text::count(files.len(), "entry is", "entries are");
    let rest = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
    (!files.is_empty()).then(|| {
        format!(
            "the index is over its limit: {entries} no longer loaded into sessions ({named}{rest}); arrange it with `I` on the screen"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::no_longer_loaded;

    #[test]
    fn what_is_no_longer_loaded_is_one_sentence_however_much_it_is() {
        let files = |count: usize| (0..count).map(|at| format!("{at}.md")).collect::<Vec<_>>();
        assert_eq!(no_longer_loaded(&[]), None);
        let said = |count| no_longer_loaded(&files(count)).unwrap_or_default();
        assert!(said(1).contains("1 entry is no longer loaded into sessions (0.md);"), "{}", said(1));
        assert!(said(3).contains("3 entries are no longer loaded into sessions (0.md, 1.md, 2.md);"), "{}", said(3));
        assert!(said(441).contains("(0.md, 1.md, 2.md and 438 more)"), "{}", said(441));
    }
}
