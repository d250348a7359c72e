//! Starting a worker for a dream.

use std::path::Path;

use super::World;
use crate::memory::Store;
use crate::project::Choice;

/// Starts `dreamtop … dream --force --quiet --run ID` as a process of its own.
pub(super) fn dream(world: &World, shown: &Choice, store: &Path, run: &str) -> Result<(), String> {
    let other;
    let choice = if shown.store.root() == store {
        shown
    } else {
        other = elsewhere(world, shown, store);
        &other
    };
    let mut arguments = arguments(world, choice);
    arguments.extend(["dream", "--force", "--quiet", "--run", run, "--trigger", "screen"].map(str::to_owned));
    crate::run::launch::watched(&world.executable, &arguments, &world.environment)
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", world.executable.display()))
}

/// The project of a store that is not shown; a store that is no project's is dreamt over without sessions.
fn elsewhere(world: &World, shown: &Choice, store: &Path) -> Choice {
    let found = shown.home.as_ref().and_then(|home| Some((home.project_of_store(store)?, home)));
    match found {
        Some((project, home)) => crate::project::root::choice_of(&project, home, &world.environment),
        None => Choice { store: Store::at(store), checkout: None, sessions: Vec::new(), ..shown.clone() },
    }
}

/// The global arguments for the store that is shown: the program's own, unless another project was chosen since.
fn arguments(world: &World, choice: &Choice) -> Vec<String> {
    let own = world.worker_arguments.clone();
    if choice.store.root() == world.first {
        return own;
    }
    let mut arguments = Vec::new();
    let mut words = own.into_iter();
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "--project" | "--memory-dir" | "--sessions") {
            words.next();
        } else {
            arguments.push(word);
        }
    }
    let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
    arguments.extend(["--memory-dir".to_owned(), text(choice.store.root())]);
    if let Some(checkout) = &choice.checkout {
        arguments.extend(["--project".to_owned(), text(checkout)]);
    }
    if let Some(sessions) = choice.sessions.first() {
        arguments.extend(["--sessions".to_owned(), text(sessions)]);
    }
    arguments
}
