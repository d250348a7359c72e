//! Landing: under the lock, decide, keep what waits, write what lands; again when a file moved meanwhile.

use std::collections::BTreeSet;
use std::io;

use super::commit::{self, CommitError, Header};
use super::confirmed;
use super::foreign::{self, Saving};
use super::inbox::Inbox;
use super::plan::{self, Plan, Request};
use super::workshop::Workshop;
use super::write::Root;
use super::{DoorError, Landing, Origin, let_go, recover, rejected};
use crate::memory::Store;
use crate::secret;

/// How often a landing starts over because another program keeps writing.
pub(super) const TRIES: usize = 5;

/// Lands what is asked for, but for the changes of the files of `without` and the lines of the index about them.
pub(super) fn land(
    workshop: &Workshop,
    store: &Store,
    request: Request<'_>,
    without: &BTreeSet<String>,
) -> Result<Landing, DoorError> {
    let _lock = workshop.lock()?;
    // What a person rejected of a dream does not come back each night; who says a thing again is asked again.
    let is_dreamt = request.set.origin == Origin::Dream && !request.by_person();
    let mut refused = if is_dreamt { rejected::among(workshop, request.set) } else { BTreeSet::new() };
    refused.extend(without.iter().cloned());
    let without_index: BTreeSet<String> =
        request.index_without.into_iter().flatten().chain(&refused).cloned().collect();
    let mut left = request.set.clone();
    left.changes.retain(|change| !refused.contains(&change.file));
    let request = if refused.is_empty() {
        request
    } else {
        Request { set: &left, index_without: Some(&without_index), ..request }
    };
    recover::under_lock(workshop, store.root())?;
    // Our record of what others do is a service: when it fails, the landing must not.
    if let Err(error) = foreign::note(workshop, store, request.now, Saving::WhenWorthIt) {
        tracing::warn!("changes by other programs are not recorded: {error}");
    }
    for _ in 0..TRIES {
        let root = open(store)?;
        let plan = plan::make(request, store.root(), root.as_ref())?;
        drop(root);
        let header = Header {
            at: request.now,
            origin: request.set.origin,
            run: request.set.run.clone(),
            title: secret::redacted(&request.set.title),
            by_person: request.by_person(),
            undoes: Vec::new(),
            is_in_part: false,
        };
        match carry_out(workshop, store, request, plan, header) {
            Ok(landing) => return Ok(landing),
            Err(CommitError::Moved) => {}
            Err(CommitError::Door(error)) => return Err(error),
        }
    }
    Err(DoorError::Io {
        what: "cannot change",
        path: store.root().to_owned(),
        source: io::Error::other("another program keeps changing the same files; try again when it is done"),
    })
}

fn carry_out(
    workshop: &Workshop,
    store: &Store,
    request: Request<'_>,
    plan: Plan,
    header: Header,
) -> Result<Landing, CommitError> {
    let mut landing = Landing {
        landed: plan.landed,
        held: plan.held,
        newly_cut: plan.newly_cut,
        losses: plan.losses,
        ..Landing::default()
    };
    // What waits is kept first: when that fails, nothing has changed yet.
    let inbox = Inbox::of(workshop);
    let mut is_new = false;
    if let Some(waiting) = plan.waiting {
        let added = inbox.add(request.set, request.now, waiting).map_err(CommitError::Door)?;
        for held in &mut landing.held {
            held.waits_in = added.earlier.get(&held.file).cloned();
        }
        landing.inbox = Some(added.id);
        is_new = added.is_new;
    }
    if !plan.steps.is_empty() {
        let committed = commit::run(workshop, store.root(), header, &plan.steps).inspect_err(|_| {
            landing.inbox.iter().filter(|_| is_new).for_each(|id| inbox.discard(id));
        });
        let id = committed?;
        confirmed::landed(workshop, request.set, &plan.steps, &id, request.now);
        landing.history = Some(id);
        let_go::record::followed(workshop);
    }
    Ok(landing)
}

/// The store's directory; `None`: it does not exist yet.
pub(super) fn open(store: &Store) -> Result<Option<Root>, DoorError> {
    match Root::open(store.root()) {
        Ok(root) => Ok(Some(root)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(DoorError::Io { what: "cannot open", path: store.root().to_owned(), source }),
    }
}
