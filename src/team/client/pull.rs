//! Taking the server's changes: one change set through the door, and what both sides agree on afterwards.
//!
//! A push takes nothing but what it needs for not sending over somebody's change: entries that both sides changed. Not its
//! job: guards and merges (`crate::change`), sending (see [`super::push`]).

use std::collections::{BTreeMap, BTreeSet};

use super::admit::{Admitted, admitted, astray, proposed};
use super::apart::{Version, Whose, put_before};
use super::decide::{Step, is_shrunk};
use super::file_of;
use super::meet::{Base, Met, meet};
use super::record::{Disputed, Held};
use super::report::{Conflict, SyncError};
use super::sync::{Keep, Stop, Work};
use super::view::View;
use crate::change::{Change, ChangeSet, Consent, DoorError, Landing, Mtime, Op, Origin, Rationale};
use crate::memory::names::of_the_team;
use crate::team::sum::Sum;

/// What is told of an entry once it landed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Received,
    Restored,
    Removed,
    /// Both sides' changes came together; what is sent afterwards is told then.
    Merged,
    /// The server's version, over ours.
    Over,
}

/// A change that is on its way through the door.
struct Planned {
    key: String,
    told: Told,
    /// The server's sum, which both sides have agreed on once it landed; `None`: it has the entry no longer.
    agreed: Option<Sum>,
    /// The server's text.
    text: Vec<u8>,
    /// The version that will not be in the file, where it waits for a person from then on.
    waits: Option<Version>,
    /// What lies here, where a person accepted it as it was proposed.
    accepted: Option<Sum>,
}

/// What a pull is to do.
struct Plan {
    set: ChangeSet,
    planned: Vec<Planned>,
    /// The texts that both sides have from now on.
    texts: Vec<Vec<u8>>,
    /// The names of the server's that cannot be files here, and why.
    astray: BTreeMap<String, String>,
}

/// Takes what the server has.
pub(super) fn pull(work: &mut Work<'_>, view: &View) -> Result<(), Stop> {
    if work.wish.pull {
        check_shrink(work, view)?;
    }
    let mut plan = planned(work, view);
    // What is to wait for a person waits before anything takes its place: no crash in between loses the question.
    let mut waiting: BTreeMap<String, (String, bool)> = BTreeMap::new();
    for planned in &plan.planned {
        // Where a person chose the server's, the history keeps the other one.
        let version = planned.waits.as_ref().filter(|_| work.wish.keep != Keep::Server);
        let entry = version.map(|version| put_before(&work.client, &planned.key, version)).transpose()?;
        if let Some(entry) = entry.flatten() {
            waiting.insert(planned.key.clone(), entry);
        }
    }
    let landing = if plan.set.is_empty() { Landing::default() } else { work.client.land(&plan.set)? };
    work.report.history = landing.history.clone().or(work.report.history.take());
    for planned in plan.planned {
        let held = landing.held.iter().find(|held| of_the_team(&held.file) == Some(&planned.key));
        let entry = waiting.get(&planned.key);
        match held {
            Some(held) => was_held(work, planned, held, &landing, entry)?,
            None => plan.texts.push(has_landed(work, planned, entry)),
        }
    }
    (work.record.etag, work.record.version) = (view.checksum.clone(), view.version);
    work.record.server.clone_from(&view.sums);
    work.save(&plan.texts.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    Ok(())
}

/// What becomes of each entry.
fn planned(work: &mut Work<'_>, view: &View) -> Plan {
    let mut plan = Plan {
        set: ChangeSet::new(Origin::Pull, format!("team pull from {}", work.client.repository)),
        planned: Vec::new(),
        texts: Vec::new(),
        astray: astray(work, view),
    };
    let keys: BTreeSet<String> =
        view.sums.keys().chain(work.local.texts.keys()).chain(work.record.base.keys()).cloned().collect();
    for key in keys {
        let (here, there) = (work.local.sum(&key), view.sums.get(&key));
        let step = work.record.step(&key, here.as_ref(), there);
        if let (Some(refusal), true) = (work.local.refusal(&key), step != Step::Hidden) {
            work.report.leave(&key, refusal.to_owned());
            work.skip.insert(key);
            continue;
        }
        match step {
            // Once is enough to say that the server has it no longer: what is here is new there from now on.
            Step::Send if work.wish.pull && there.is_none() => {
                if work.record.base.remove(&key).is_some() {
                    work.gone.insert(key);
                }
            }
            Step::Nothing | Step::Send => {}
            Step::Hidden => {
                if there.is_none() && here.is_none() {
                    work.record.base.remove(&key);
                }
                work.report.hidden.extend(there.map(|_| key));
            }
            Step::Forget => {
                work.record.base.remove(&key);
            }
            Step::Agree => {
                plan.texts.extend(work.local.texts.get(&key).cloned());
                work.record.agree(&key, here);
            }
            Step::Trash if work.wish.pull => trash(work, key, &mut plan),
            Step::Both => incoming(work, view, key, Told::Over, &mut plan),
            Step::Receive if work.wish.pull => incoming(work, view, key, Told::Received, &mut plan),
            Step::Restore if work.wish.pull => incoming(work, view, key, Told::Restored, &mut plan),
            Step::Trash | Step::Receive | Step::Restore => {}
        }
    }
    plan
}

/// Guards put the server's version before a person.
fn was_held(
    work: &mut Work<'_>,
    planned: Planned,
    held: &crate::change::Held,
    landing: &Landing,
    waits: Option<&(String, bool)>,
) -> Result<(), SyncError> {
    let Planned { key, agreed, .. } = planned;
    let reasons: Vec<&str> = held.reasons.iter().map(|reason| reason.message.as_str()).collect();
    let found = landing.inbox.as_ref().and_then(|_| proposed(work, landing, &key));
    let where_it_is = found.as_ref().map(|(id, _)| format!("; it waits in the inbox ({id})")).unwrap_or_default();
    work.report.leave(&key, format!("{}{where_it_is}", reasons.join("; ")));
    if let (Some((inbox, becomes)), Some(there)) = (found, agreed) {
        let over = work.local.sum(&key);
        work.record.held.insert(key.clone(), Held { there, over, becomes, inbox });
    }
    // Ours is in the file still, so that it does not wait as well.
    if let Some((id, true)) = waits {
        work.client.door.withdraw(work.client.store, id, &[file_of(&key)].into())?;
    }
    work.skip.insert(key);
    Ok(())
}

/// Tells of an entry that came, and notes that both sides have it. Returns the text that both have.
fn has_landed(work: &mut Work<'_>, planned: Planned, waiting: Option<&(String, bool)>) -> Vec<u8> {
    let Planned { key, told, agreed, text, waits, accepted } = planned;
    let id = waiting.map(|(id, _)| id.clone());
    let mut disputed = None;
    if waits.is_none() || !decides_locally(work) {
        work.came.insert(key.clone());
    }
    match told {
        Told::Received => work.report.received.push(key.clone()),
        Told::Restored => work.report.restored.push(key.clone()),
        Told::Removed => work.report.removed.push(key.clone()),
        Told::Over if waits.is_some() => {
            differ(work, &key, id.clone());
            if let (Some(inbox), Some(ours), Some(there), false) =
                (id, work.local.sum(&key), agreed.clone(), decides_locally(work))
            {
                disputed = Some(Disputed { ours, there, before: work.record.base.get(&key).cloned(), inbox });
            }
        }
        Told::Merged | Told::Over => {}
    }
    work.record.agree(&key, agreed);
    work.record.disputed.extend(disputed.map(|disputed| (key.clone(), disputed)));
    work.record.accepted.extend(accepted.map(|sum| (key, sum)));
    text
}

impl super::sync::Client<'_> {
    /// Lands what nobody looked at.
    fn land(&self, set: &ChangeSet) -> Result<Landing, DoorError> {
        self.door.land(self.store, set, Consent::None)
    }
}

/// Stops where the server lost much of what both sides had.
fn check_shrink(work: &Work<'_>, view: &View) -> Result<(), SyncError> {
    // What is kept away from here, or cannot be an entry here, goes nowhere, whatever the server has of it.
    let may_go = |key: &&String| !work.record.hidden.contains(*key) && work.local.refusal(key).is_none();
    let had: Vec<&String> = work.record.base.keys().filter(may_go).collect();
    let gone: Vec<String> = had.iter().filter(|key| !view.sums.contains_key(**key)).map(|key| (*key).clone()).collect();
    let had = had.len();
    if work.wish.accept_shrink || !is_shrunk(had, gone.len()) {
        return Ok(());
    }
    Err(SyncError::Shrunk { had, has: had - gone.len(), gone })
}

fn rationale(reason: &str) -> Rationale {
    Rationale { reason: reason.to_owned(), sources: Vec::new() }
}

/// The server has it no longer, and here it is as both had it.
fn trash(work: &Work<'_>, key: String, plan: &mut Plan) {
    plan.set.changes.push(Change {
        file: file_of(&key),
        op: Op::Remove,
        base: work.local.texts.get(&key).cloned(),
        content: None,
        rationale: rationale("the team's server has it no longer"),
        mtime: Mtime::Now,
    });
    plan.planned.push(Planned {
        key,
        told: Told::Removed,
        agreed: None,
        text: Vec::new(),
        waits: None,
        accepted: None,
    });
}

/// The server's version comes here, if nothing speaks against it.
fn incoming(work: &mut Work<'_>, view: &View, key: String, told: Told, plan: &mut Plan) {
    let Some(there) = view.sums.get(&key).cloned() else { return };
    let (text, is_decided, accepted) = match admitted(work, view, &key, &there, &plan.astray) {
        Ok(Admitted::Open(text)) => (text, false, None),
        Ok(Admitted::Ours(text)) => (text, true, None),
        Ok(Admitted::AsProposed(text)) => (text, true, work.local.sum(&key)),
        Ok(Admitted::Rejected(reason)) => {
            work.report.leave_decided(&key, reason);
            work.skip.insert(key);
            return;
        }
        Err(reason) => {
            work.report.leave(&key, reason);
            work.skip.insert(key);
            return;
        }
    };
    let here = work.local.texts.get(&key).cloned();
    let (content, told, waits) = match (&here, told) {
        // A person decided: what is here is what they want, and is sent.
        (Some(here), _) if is_decided => (here.clone(), Told::Merged, None),
        (Some(here), Told::Over) => match met(work, &key, here, &text) {
            Ok(met) => met,
            Err(reason) => {
                work.report.leave(&key, reason);
                work.skip.insert(key);
                return;
            }
        },
        _ => (text.clone(), told, None),
    };
    if here.as_ref() != Some(&content) {
        plan.set.changes.push(Change {
            file: file_of(&key),
            op: if here.is_some() { Op::Replace } else { Op::Create },
            base: here,
            content: Some(content),
            rationale: rationale(match told {
                Told::Merged => "changed by the team and here: both changes are in it",
                Told::Over => "the team's version, where both sides had changed it",
                Told::Restored => "removed here, and the team's server has it",
                Told::Received | Told::Removed => "from the team's server",
            }),
            mtime: Mtime::Now,
        });
    }
    plan.planned.push(Planned { key, told, agreed: Some(there), text, waits, accepted });
}

/// What is in the file where both sides changed an entry, what is told of it, and the version that waits; or why both stay as
/// they are: what holds a credential is kept in no inbox, where ours would have to wait.
fn met(work: &Work<'_>, key: &str, here: &[u8], text: &[u8]) -> Result<(Vec<u8>, Told, Option<Version>), String> {
    let base = match work.record.base.get(key) {
        Some(sum) => work.client.place.text(sum).map_or(Base::Lost, Base::Text),
        None => Base::Nothing,
    };
    Ok(match meet(key, &base, here, text) {
        Met::Take => (text.to_vec(), Told::Received, None),
        // The server's is part of what is here already: from now on it is what both had, and ours is sent.
        Met::Keep => (here.to_vec(), Told::Merged, None),
        Met::Merged(merged) => (merged, Told::Merged, None),
        Met::Apart { theirs, ours_wins, ours, theirs_wins } => {
            let (over, text) = if decides_locally(work) { (ours, theirs_wins) } else { (theirs, ours_wins) };
            let hit = crate::secret::added(Some(&over), &text).into_iter().next();
            if let (Some(hit), Keep::Both) = (hit, work.wish.keep) {
                return Err(format!(
                    "yours holds what looks like a credential ({}), and the team changed the same lines: yours stays and is not sent; take it out, or take the team's with `dreamtop team pull --keep server`",
                    hit.rule
                ));
            }
            let whose = if decides_locally(work) { Whose::Theirs } else { Whose::Ours };
            let version = Version { whose, common: base.text().to_vec(), over: Some(over.clone()), text };
            (over, Told::Over, Some(version))
        }
    })
}

/// Whether ours stays where two versions cannot be merged: on the way out, and where a person said so.
fn decides_locally(work: &Work<'_>) -> bool {
    match work.wish.keep {
        Keep::Both => !work.wish.pull,
        Keep::Server => false,
        Keep::Local => true,
    }
}

/// Tells of two versions that could not be merged; `inbox`: where the one that is not in the file waits.
fn differ(work: &mut Work<'_>, key: &str, inbox: Option<String>) {
    let keeps_local = decides_locally(work);
    let is_decided = work.wish.keep != Keep::Both;
    let kept = if keeps_local { "local" } else { "server" };
    let reason = match (keeps_local, &inbox) {
        (true, Some(id)) => format!("yours stays and is sent; the team's version waits in the inbox ({id})"),
        (true, None) => "yours stays and is sent; the team's version is in the server's history".to_owned(),
        (false, Some(id)) => format!("the team's version is in the file; yours waits in the inbox ({id})"),
        (false, None) => {
            "the team's version is in the file; yours is in the history, from where `undo` brings it back".to_owned()
        }
    };
    work.report.conflicts.push(Conflict { file: key.to_owned(), kept, reason, inbox, is_decided });
}
