//! `stores`: which stores could be brought together, and `stores apply`, which copies one into the other. Nothing is done
//! unasked, and the store that is copied stays as it is; only what is moved leaves it, for the trash.

use std::collections::BTreeSet;

use serde::Serialize;

use super::args::{Stores, StoresVerb};
use super::context::{Context, store_failure};
use super::output::{Failure, Meaning, Page};
use super::{exit, landing};
use crate::change::unite::{Preview, unite};
use crate::change::{Change, ChangeSet, Consent, DoorError, Held, Landing, Op, verbs};
use crate::memory::{Snapshot, Store, StoreError};
use crate::project::ClaudeHome;
use crate::project::origin::SessionFolders;
use crate::project::stores::{self, Pair, PairKind};
use crate::run::live::Site;
use crate::secret::redacted_name;
use crate::text;

#[derive(Debug, Serialize)]
struct Proposals {
    proposals: Vec<Proposal>,
    unreadable: Vec<String>,
}

/// The JSON of one proposal.
#[derive(Debug, Serialize)]
struct Proposal {
    id: String,
    kind: &'static str,
    from: String,
    into: String,
    project: Option<String>,
    why: String,
    #[serde(flatten)]
    preview: Preview,
}

/// A pair with what it would do now.
struct Worked {
    pair: Pair,
    set: ChangeSet,
    preview: Preview,
}

/// Lists proposals, or applies one.
pub(super) fn run(context: &Context, arguments: &Stores) -> Result<u8, Failure> {
    let home = context.claude_home()?;
    let found = stores::Stores::find(&home, &context.environment, &context.state)?;
    // So that a project is known again after a move. Without it proposals are only fewer.
    if let Err(error) = found.remember(&context.state) {
        context.output.notice(&format!("what projects are could not be remembered: {error}"));
    }
    let pairs: Vec<Pair> = found.pairs.iter().cloned().chain(moves(context, &home, &found)).collect();
    match &arguments.verb {
        None => list(context, pairs),
        Some(StoresVerb::Apply(apply)) => {
            let wanted = pairs.into_iter().find(|pair| pair.id == apply.id);
            let pair = wanted.ok_or_else(|| {
                Failure::not_found(format!("there is no proposal {:?}; see `dreamtop stores`", apply.id))
            })?;
            land(context, &home, pair)
        }
    }
}

/// Memories that would go to the project whose sessions wrote them.
fn moves(context: &Context, home: &ClaudeHome, found: &stores::Stores) -> Vec<Pair> {
    let sessions = SessionFolders::of(home);
    let read = found.found.iter().filter_map(|store| {
        let snapshot = store.store.scan(&context.scan_options(&store.store)).ok()?;
        Some(found.moves(home, store, snapshot.origins(), &sessions))
    });
    read.flatten().collect()
}

fn list(context: &Context, pairs: Vec<Pair>) -> Result<u8, Failure> {
    let mut answer = Proposals { proposals: Vec::new(), unreadable: Vec::new() };
    for pair in pairs {
        let from = pair.from.root().display().to_string();
        match work_out(context, pair) {
            Ok(worked) if worked.preview.is_done() => {}
            Ok(Worked { pair, preview, .. }) => answer.proposals.push(Proposal {
                id: pair.id,
                kind: pair.kind.word(),
                from,
                into: pair.into.root().display().to_string(),
                project: pair.project.map(|path| path.display().to_string()),
                why: pair.why,
                preview,
            }),
            Err(_) => answer.unreadable.push(from),
        }
    }
    context.output.answer(&answer, |page| {
        if answer.proposals.is_empty() && answer.unreadable.is_empty() {
            page.line("no stores to bring together; `dreamtop ls --all` lists them all")?;
        }
        answer.proposals.iter().try_for_each(|proposal| print(page, proposal))?;
        answer
            .unreadable
            .iter()
            .try_for_each(|store| page.line(page.paint(&format!("⚠ cannot read {store}"), Meaning::Bad)))
    })?;
    Ok(if answer.proposals.is_empty() { exit::FINDINGS } else { exit::DONE })
}

fn print(page: &mut Page<'_>, proposal: &Proposal) -> std::io::Result<()> {
    page.line(format!("{}  {}", page.paint(&proposal.id, Meaning::Strong), text::visible(&proposal.why)))?;
    page.line(format!("    from {}", text::visible(&proposal.from)))?;
    page.line(format!("    into {}", text::visible(&proposal.into)))?;
    let preview = &proposal.preview;
    for created in &preview.creates {
        let note =
            if created.clash { format!("  (both kept: {} is there already)", created.from) } else { String::new() };
        page.line(format!("    create  {}{}", text::visible(&created.file), page.paint(&note, Meaning::Warn)))?;
    }
    for line in &preview.index_lines {
        page.line(format!("    index   {}", text::visible(&text::fit(line, 90))))?;
    }
    for file in &preview.left {
        page.line(page.paint(&format!("    stays   {file}"), Meaning::Dim))?;
    }
    if proposal.kind == PairKind::Move.word() {
        page.line(page.paint("    then they leave the first store, for the trash", Meaning::Dim))?;
    }
    page.line(page.paint(&format!("    do it with `dreamtop stores apply {}`", proposal.id), Meaning::Dim))
}

/// What a pair would do now. The target need not exist.
fn work_out(context: &Context, pair: Pair) -> Result<Worked, Failure> {
    let from = pair.from.scan(&context.scan_options(&pair.from)).map_err(store_failure)?;
    let from = pair.files.as_deref().map_or_else(|| from.clone(), |files| from.only(files));
    let into = snapshot(context, &pair.into)?;
    let history = context.door().history(&pair.into).map_err(landing::failure)?;
    let title = format!("{} {}: from {}", pair.kind.word(), pair.id, pair.from.root().display());
    let (set, preview) = unite(&from, &into, &history, &title).map_err(landing::failure)?;
    Ok(Worked { pair, set, preview })
}

fn snapshot(context: &Context, store: &Store) -> Result<Snapshot, Failure> {
    match store.scan(&context.scan_options(store)) {
        Err(StoreError::Missing(_)) => Ok(Snapshot::empty(store.clone(), context.clock.now())),
        other => other.map_err(store_failure),
    }
}

/// Lands it as a person's change. A file that may not land (a secret, an illegal name) is set aside, the rest lands.
fn land(context: &Context, home: &ClaudeHome, pair: Pair) -> Result<u8, Failure> {
    for sentence in context.door().recover(&pair.into).map_err(landing::failure)? {
        context.output.notice(&sentence);
    }
    let Worked { pair, mut set, .. } = work_out(context, pair)?;
    let mut aside: Vec<Held> = Vec::new();
    let site = Site::at(home, &pair.into, pair.project.as_deref());
    loop {
        let refused = match context.land(&pair.into, &set, Some(&site)) {
            Ok(mut landed) => {
                landed.held.extend(aside);
                let code = landing::conclude(context, &landed)?;
                return take_from(context, &pair, &landed).map(|()| code);
            }
            Err(DoorError::Refused { file, reason }) => (file, reason),
            Err(error) => return Err(landing::failure(error)),
        };
        let (file, reason) = refused;
        let is_it = |change: &Change| text::visible(&redacted_name(&change.file)) == file;
        let Some(at) = set.changes.iter().position(is_it) else {
            return Err(landing::failure(DoorError::Refused { file, reason }));
        };
        let change = set.changes.remove(at);
        if let Some(index) = &mut set.index {
            index.content = crate::memory::Index::read(index.content.clone()).without(&change.file);
        }
        aside.push(Held::new(Op::Create, file, vec![reason]));
    }
}

/// After a move the memories leave the store they came from, for the trash; only those that lie in the other one now, byte
/// for byte.
fn take_from(context: &Context, pair: &Pair, landed: &Landing) -> Result<(), Failure> {
    let Some(files) = &pair.files else {
        if landed.history.is_some() {
            context.output.notice("the other store is as it was");
        }
        return Ok(());
    };
    let (from, into) = (snapshot(context, &pair.from)?, snapshot(context, &pair.into)?);
    let copies: BTreeSet<_> = into.memories.iter().map(|memory| memory.hash).collect();
    let moved = from.memories.iter().filter(|memory| files.contains(&memory.file) && copies.contains(&memory.hash));
    let moved: Vec<String> = moved.map(|memory| memory.file.clone()).collect();
    if moved.is_empty() {
        return Ok(());
    }
    let set = verbs::remove(&from, &moved).map_err(landing::failure)?;
    let removed = context.door().land(&pair.from, &set, Consent::Person).map_err(landing::failure)?;
    if let Some(id) = removed.history {
        let count = text::count(moved.len(), "memory", "memories");
        context.output.notice(&format!("moved {count}; to have them in the old place again: `dreamtop undo {id}`"));
    }
    Ok(())
}
