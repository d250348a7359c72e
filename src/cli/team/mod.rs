//! `team`: the memories a project shares with a team. One file a verb.
//!
//! Not its job: any of the work (`crate::team::client`).

mod delete;
mod hide;
mod promote;
mod pull;
mod push;
mod share;
mod status;
mod sync;

use std::collections::BTreeSet;
use std::path::Path;

use crate::memory::Store;
use crate::net::advice::chance;
use crate::team::client::act::ActError;
use crate::team::client::record::RecordPlace;
use crate::team::client::remote::RemoteError;
use crate::team::client::report::{Report, SyncError};
use crate::team::client::settings::Settings;
use crate::team::client::shared::Shared;
use crate::team::client::sync::{Keep, Rest, Wish};

use super::args::{KeepWord, Team, TeamTake, TeamVerb};
use super::context::Context;
use super::output::{Failure, Meaning};
use super::{exit, landing};
use crate::text::visible;

/// Does what the verb says.
pub(super) fn run(context: &Context, arguments: &Team) -> Result<u8, Failure> {
    match &arguments.verb {
        TeamVerb::Status => status::run(context),
        TeamVerb::Pull(pull) => pull::run(context, pull),
        TeamVerb::Push(push) => push::run(context, push),
        TeamVerb::Sync(sync) => sync::run(context, sync),
        TeamVerb::Share(share) => share::run(context, share),
        TeamVerb::Hide(pick) => hide::hide(context, pick),
        TeamVerb::Unhide(pick) => hide::unhide(context, pick),
        TeamVerb::Delete(delete) => delete::run(context, delete),
        TeamVerb::Promote(promote) => promote::run(context, promote),
    }
}

/// What is shared of the project that is meant, once what a crash left is finished.
fn open(context: &Context) -> Result<Shared, Failure> {
    let choice = context.choose()?;
    let door = context.door();
    door.admit(&choice.store).map_err(landing::failure)?;
    let shared = Shared::of(door, &choice, &context.config.team, &context.environment).map_err(Failure::usage)?;
    context.recover(&choice);
    Ok(shared)
}

/// As [`open`], where it is clear whose `memory/team/` is.
fn open_clear(context: &Context) -> Result<Shared, Failure> {
    let shared = open(context)?;
    match shared.doubt() {
        Some(doubt) => Err(Failure::person(doubt)),
        None => Ok(shared),
    }
}

/// The team's entries that are kept away from a project's store; none where no team is set up yet.
pub(super) fn hidden(context: &Context, store: &Store, checkout: Option<&Path>) -> BTreeSet<String> {
    let settings = Settings::of(&context.config.team, &context.environment, checkout);
    let place = settings.map(|set| RecordPlace::of(&context.state, store.root(), &set.url, &set.repository));
    place.map(|place| place.read().0.hidden).unwrap_or_default()
}

/// Does what is wished, and tells what came of it.
fn exchange(context: &Context, shared: &Shared, wish: &Wish) -> Result<u8, Failure> {
    let tell = |message: &str| context.output.notice(message);
    let rest = Rest { sleep: &std::thread::sleep, chance: &chance, tell: &tell };
    let report = match shared.sync(wish, rest) {
        Ok(report) => report,
        Err(SyncError::Halfway { done, error }) => {
            // What was done is done, and can be taken back: it is told before why it went no further.
            done.notices.iter().for_each(|notice| context.output.notice(notice));
            tell_report(context, &done)?;
            return Err(sync_failure(*error));
        }
        Err(error) => return Err(sync_failure(error)),
    };
    report.notices.iter().for_each(|notice| context.output.notice(notice));
    tell_report(context, &report)
}

/// What the server's changes meet.
fn taking(take: &TeamTake) -> Wish {
    Wish {
        pull: true,
        keep: keep(take.keep),
        accept_shrink: take.accept_shrink,
        by: "hand".to_owned(),
        ..Wish::default()
    }
}

/// What becomes of two versions that cannot be merged.
const fn keep(word: KeepWord) -> Keep {
    match word {
        KeepWord::Both => Keep::Both,
        KeepWord::Server => Keep::Server,
        KeepWord::Local => Keep::Local,
    }
}

fn tell_report(context: &Context, report: &Report) -> Result<u8, Failure> {
    context.output.answer(report, |page| {
        let lists = [
            ("sent", &report.sent),
            ("received", &report.received),
            ("restored by the team's server", &report.restored),
            ("gone on the server, now in the trash", &report.removed),
            ("hidden here", &report.hidden),
            ("to send", &report.to_send),
            ("to receive", &report.to_receive),
        ];
        for (what, files) in lists {
            for file in files {
                page.line(format!("{what}  {}", visible(file)))?;
            }
        }
        for conflict in &report.conflicts {
            let line = format!("changed on both sides  {}: {}", conflict.file, conflict.reason);
            page.line(page.paint(&line, Meaning::Warn))?;
        }
        for waits in &report.waiting {
            let what = if waits.is_conflict { "changed on both sides" } else { "held" };
            let line =
                format!("{what}  {}: {}; a version waits in the inbox ({})", waits.file, waits.reason, waits.inbox);
            page.line(page.paint(&line, Meaning::Warn))?;
        }
        for aside in &report.set_aside {
            page.line(page.paint(&format!("set aside  {}: {}", aside.file, aside.reason), Meaning::Warn))?;
        }
        page.line(report.sentence())?;
        match &report.history {
            Some(id) => landing::way_back(page, id),
            None => Ok(()),
        }
    })?;
    Ok(match report.needs_person() {
        true => exit::PERSON,
        false if report.is_refused && !report.to_send.is_empty() => exit::NOT_RUN,
        false => exit::DONE,
    })
}

fn sync_failure(error: SyncError) -> Failure {
    match error {
        SyncError::Shrunk { .. } | SyncError::Conflict(_) | SyncError::Doubt(_) => Failure::person(error),
        SyncError::NotSet(_) => Failure::usage(error),
        SyncError::Busy | SyncError::Refused(_) | SyncError::StillRefused { .. } => Failure::not_run(error),
        SyncError::Door(error) => landing::failure(error),
        SyncError::Halfway { error, .. } => sync_failure(*error),
        SyncError::Remote(_) | SyncError::Io(_) => Failure::failed(error),
    }
}

fn act_failure(error: ActError) -> Failure {
    match error {
        ActError::Unknown(_) => Failure::not_found(error),
        ActError::Index => Failure::usage(error),
        ActError::Unsent(_) => Failure::person(error),
        ActError::Busy | ActError::Remote(RemoteError::Refused { .. }) => Failure::not_run(error),
        ActError::Door(error) => landing::failure(error),
        ActError::Remote(_) | ActError::Io(_) => Failure::failed(error),
    }
}
