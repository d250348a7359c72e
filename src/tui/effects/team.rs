//! What lies in `memory/team/` and how each entry stands, and the exchange with the team's server.

use chrono::NaiveDate;

use super::World;
use crate::memory::store::ScanOptions;
use crate::memory::{Snapshot, Store, StoreError};
use crate::net::advice::chance;
use crate::project::Choice;
use crate::run::halt;
use crate::secret;
use crate::team::client::act;
use crate::team::client::local::Local;
use crate::team::client::report::SyncError;
use crate::team::client::settings::NotSet;
use crate::team::client::settle::settle;
use crate::team::client::shared::Shared;
use crate::team::client::status::{Row, rows, waiting};
use crate::team::client::sync::{Rest, Wish};
use crate::tui::event::AppEvent;
use crate::tui::layer::team::{Server, TeamFile, TeamFiles};

/// The files of the team's part, each looked through for credentials, and how each stands.
pub(super) fn read(world: &World, choice: &Choice) -> Result<TeamFiles, String> {
    let team = choice.store.team();
    let options = ScanOptions {
        now: world.clock.now(),
        shelf_life: world.config().shelf_life,
        confirmed: world.door().confirmed(&team),
    };
    let mut read = match team.scan(&options) {
        Ok(snapshot) => listed(&team, &snapshot),
        Err(StoreError::Missing(_)) => TeamFiles::default(),
        Err(error) => return Err(error.to_string()),
    };
    match shared(world, choice) {
        Ok(shared) => compare(&shared, &mut read, world.clock.today())?,
        Err(NotSet::NoServer) => {}
        Err(NotSet::Wrong(why)) => read.server = Server::Wrong(why),
    }
    Ok(read)
}

fn shared(world: &World, choice: &Choice) -> Result<Shared, NotSet> {
    Shared::of(world.door(), choice, &world.config().team, &world.environment)
}

fn listed(team: &Store, snapshot: &Snapshot) -> TeamFiles {
    let mut files = Vec::new();
    if snapshot.has_index {
        files.push(file(team, "MEMORY.md", "the team's index"));
    }
    files.extend(snapshot.memories.iter().map(|memory| file(team, &memory.file, &memory.description)));
    let is_markdown = |name: &str| name.to_lowercase().ends_with(".md");
    let (markdown, others): (Vec<_>, Vec<_>) = snapshot.others.iter().partition(|other| is_markdown(&other.file));
    files.extend(markdown.into_iter().map(|other| file(team, &other.file, other.what)));
    let others = others.into_iter().map(|other| format!("{} ({})", other.file, other.what)).collect();
    TeamFiles { exists: true, files, others, ..TeamFiles::default() }
}

fn file(team: &Store, name: &str, about: &str) -> TeamFile {
    let (bytes, secrets, unreadable) = match team.topic(name) {
        Ok(topic) => (topic.bytes.len() as u64, secret::scan(&topic.bytes), None),
        Err(error) => (0, Vec::new(), Some(error.to_string())),
    };
    TeamFile { file: name.to_owned(), about: about.to_owned(), bytes, secrets, unreadable, ..TeamFile::default() }
}

/// Adds how each entry stands, and those that are only on the server.
fn compare(shared: &Shared, read: &mut TeamFiles, today: NaiveDate) -> Result<(), String> {
    let local = Local::read(shared.store.root()).map_err(|error| error.to_string())?;
    let record = shared.place.read().0;
    let inbox = shared.door.inbox(&shared.store).unwrap_or_default();
    for Row { file, standing, reason, review, .. } in rows(&local, &record, &inbox, today) {
        let waits = waiting(&inbox, &file).next();
        let at = read.files.iter().position(|known| known.file == file).unwrap_or_else(|| {
            read.files.push(TeamFile { file: file.clone(), ..TeamFile::default() });
            read.files.len() - 1
        });
        if let Some(known) = read.files.get_mut(at) {
            known.standing = Some(standing);
            known.reason = if waits.is_some() {
                Some("Enter brings both versions together".to_owned())
            } else {
                reason.or(review)
            };
            known.waits = waits.map(|entry| entry.id.clone());
        }
    }
    read.files.sort_by(|one, other| one.file.cmp(&other.file));
    read.server = match shared.doubt() {
        Some(doubt) => Server::Wrong(doubt.to_string()),
        None => Server::Set(format!("{} on {}", shared.settings.repository, shared.settings.url)),
    };
    read.last = record.last.map(|last| {
        (format!("Last sync {} UTC, by {}: {}", last.at.format("%Y-%m-%d %H:%M"), last.by, last.words), last.is_failed)
    });
    Ok(())
}

fn done(choice: &Choice, result: Result<String, String>, needs_person: bool) -> AppEvent {
    AppEvent::TeamDone { store: choice.store.root().to_owned(), result, needs_person }
}

fn run(world: &World, choice: &Choice, wish: &Wish) -> Result<(String, bool), SyncError> {
    let shared = shared(world, choice).map_err(|error| SyncError::NotSet(error.to_string()))?;
    let rest = Rest { sleep: &std::thread::sleep, chance: &chance, tell: &|words| tracing::info!("team: {words}") };
    match shared.sync(wish, rest) {
        Ok(report) => {
            let notices: String = report.notices.iter().map(|notice| format!(" · {notice}")).collect();
            Ok((format!("Team: {}{notices}", report.sentence()), report.needs_person()))
        }
        Err(error @ (SyncError::Shrunk { .. } | SyncError::Conflict(_) | SyncError::Doubt(_))) => {
            Ok((format!("Team: {error}"), true))
        }
        Err(SyncError::Halfway { done, error }) => {
            Err(SyncError::Remote(format!("{}, then: {error}", done.sentence())))
        }
        Err(error) => Err(error),
    }
}

/// Takes, sends, or both.
pub(super) fn sync(world: &World, choice: &Choice, pull: bool, push: bool) -> AppEvent {
    let wish = Wish { pull, push, retry: true, by: "screen".to_owned(), ..Wish::default() };
    match run(world, choice, &wish) {
        Ok((words, needs_person)) => done(choice, Ok(words), needs_person),
        Err(error) => done(choice, Err(error.to_string()), false),
    }
}

/// Does both if something is to be sent, once nobody writes there any more. `None`: nothing was, or it is being sent already.
pub(super) fn sync_if_due(world: &World, choice: &Choice) -> Option<AppEvent> {
    let is_due = || {
        halt::of(&world.state, world.clock.now()).is_none()
            && shared(world, choice).is_ok_and(|shared| shared.is_due(world.config().team.sync))
    };
    if !is_due() {
        return None;
    }
    settle(choice.store.root(), &std::thread::sleep);
    if !is_due() {
        return None;
    }
    let wish = Wish { pull: true, push: true, by: "screen".to_owned(), ..Wish::default() };
    match run(world, choice, &wish) {
        Ok((words, needs_person)) => Some(done(choice, Ok(words), needs_person)),
        Err(SyncError::Busy) => None,
        Err(error) => Some(done(choice, Err(error.to_string()), false)),
    }
}

/// Hides an entry, or lets it come again.
pub(super) fn hide(world: &World, choice: &Choice, file: &str, is_hidden: bool) -> AppEvent {
    let Shared { door, store, place, .. } = match shared(world, choice) {
        Ok(shared) => match shared.doubt() {
            Some(doubt) => return done(choice, Err(doubt.to_string()), true),
            None => shared,
        },
        Err(error) => return done(choice, Err(error.to_string()), false),
    };
    let result = if is_hidden {
        act::hide(&door, &store, &place, file).map(|(key, _)| format!("{key} stays away from here; the team keeps it"))
    } else {
        act::unhide(&store, &place, file).map(|(key, _)| format!("{key} comes again with the next pull"))
    };
    done(choice, result.map_err(|error| error.to_string()), false)
}
