//! Reading what lies in `memory/team/`. Nothing is sent or received: this version has no sync.

use super::World;
use crate::memory::store::ScanOptions;
use crate::memory::{Store, StoreError};
use crate::project::Choice;
use crate::secret;
use crate::tui::layer::team::{TeamFile, TeamFiles};

/// The files of the team's part, each looked through for credentials.
pub(super) fn read(world: &World, choice: &Choice) -> Result<TeamFiles, String> {
    let team = Store::at(choice.store.root().join("team"));
    let options = ScanOptions {
        now: world.clock.now(),
        shelf_life: world.config().shelf_life,
        confirmed: world.door().confirmed(&team),
    };
    let snapshot = match team.scan(&options) {
        Ok(snapshot) => snapshot,
        Err(StoreError::Missing(_)) => return Ok(TeamFiles::default()),
        Err(error) => return Err(error.to_string()),
    };
    let mut files = Vec::new();
    if snapshot.has_index {
        files.push(file(&team, "MEMORY.md", "the team's index"));
    }
    files.extend(snapshot.memories.iter().map(|memory| file(&team, &memory.file, &memory.description)));
    let is_markdown = |name: &str| name.to_lowercase().ends_with(".md");
    let (markdown, others): (Vec<_>, Vec<_>) = snapshot.others.iter().partition(|other| is_markdown(&other.file));
    files.extend(markdown.into_iter().map(|other| file(&team, &other.file, other.what)));
    let others = others.into_iter().map(|other| format!("{} ({})", other.file, other.what)).collect();
    Ok(TeamFiles { exists: true, files, others })
}

fn file(team: &Store, name: &str, about: &str) -> TeamFile {
    let (bytes, secrets, unreadable) = match team.topic(name) {
        Ok(topic) => (topic.bytes.len() as u64, secret::scan(&topic.bytes), None),
        Err(error) => (0, Vec::new(), Some(error.to_string())),
    };
    TeamFile { file: name.to_owned(), about: about.to_owned(), bytes, secrets, unreadable }
}
