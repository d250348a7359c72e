//! Whether Claude Code calls us, and the right one of us: what `doctor` says of the hooks.
//!
//! Not its job: what the hooks do (see the other files of [`crate::hook`]).

use std::path::{Path, PathBuf};

use super::{PLUGIN, Place, Scope, hooks, installed};
use crate::environment::Environment;
use crate::project::settings::{enabled_plugins, hooks_silenced};
use crate::run::doctor::Check;
use crate::secret::redacted;
use crate::state::StateDir;
use crate::text::visible;

/// Looks at the settings of every scope.
#[must_use]
pub fn examine(
    environment: &Environment,
    state: &StateDir,
    claude: &Path,
    project: Option<&Path>,
    auto_dream: bool,
) -> Vec<Check> {
    let scopes = Scope::ALL.into_iter().filter(|scope| *scope == Scope::User || project.is_some());
    let places = scopes.map(|scope| Place::of(scope, claude, project.unwrap_or(Path::new(""))));
    let mut checks = Vec::new();
    let mut found: Vec<(Place, String)> = Vec::new();
    let mut by_hand: Vec<(Place, String)> = Vec::new();
    for place in places {
        match installed(state, &place) {
            Ok(commands) => {
                found.extend(commands.ours.into_iter().map(|command| (place.clone(), command)));
                by_hand.extend(commands.by_hand.into_iter().map(|command| (place.clone(), command)));
            }
            Err(error) => checks.push(
                Check::warn(
                    "hooks",
                    error.to_string(),
                    "put the file right; `install` writes nothing into it as it is",
                )
                .at(&place.settings),
            ),
        }
    }
    let plugins = enabled_plugins(PLUGIN, environment, Some(claude), project);
    if found.is_empty() && by_hand.is_empty() && plugins.is_empty() {
        let install = if checks.is_empty() { " (`dreamtop install`)" } else { "" };
        let message = format!("not installed: Claude Code does not call dreamtop, nothing starts by itself{install}");
        checks.push(Check::ok("hooks", message));
        return checks;
    }
    checks.extend(by_hand.iter().map(|(place, command)| {
        let command = visible(&redacted(command)).into_owned();
        let message = format!("set up by hand ({}): Claude Code calls dreamtop in {command}", place.scope.word());
        Check::ok("hooks", message).at(&place.settings)
    }));
    checks.extend(found.iter().map(|(place, command)| one(environment, place, command)));
    checks.extend(plugins.iter().map(|(plugin, settings)| {
        let message =
            format!("installed as the plugin {}: Claude Code calls the dreamtop that PATH finds", visible(plugin));
        Check::ok("hooks", message).at(settings)
    }));
    let times = found.len() + by_hand.len() + plugins.len();
    if times > 1 {
        let message = format!("installed {times} times, so each event is answered so often");
        let plugin = if plugins.is_empty() { "" } else { ", or switch the plugin off (`/plugin`)" };
        let hand = if by_hand.is_empty() { "" } else { ", or take out what is set up by hand" };
        let next = format!("keep one: `dreamtop uninstall --scope user|project|local`{plugin}{hand}");
        checks.push(Check::warn("hooks", message, next));
    }
    if let Some(why) = hooks_silenced(environment, Some(claude), project) {
        let next = "take that setting out, or start dreams and extractions yourself";
        checks.push(Check::warn("hooks", format!("installed, but Claude Code calls none: {why}"), next));
    }
    if auto_dream {
        let message = "Claude Code's own dreams are on too: both tidy this memory, in turn and under one lock, and what its \
                       dreams change is kept for `undo`";
        let next =
            "leave it so, or let one do it: autoDreamEnabled: false in its settings, and dream.enabled: true here";
        checks.push(Check::warn("hooks", message, next));
    }
    checks
}

/// One installation: does it call this program?
fn one(environment: &Environment, place: &Place, command: &str) -> Check {
    let scope = place.scope.word();
    let named = hooks::parts(command).map_or_else(|| command.to_owned(), |(program, _)| program);
    let this = std::env::current_exe().and_then(std::fs::canonicalize).ok();
    // Settings that others share name us and no path: only PATH decides what that is.
    let next = if place.scope == Scope::Project {
        let directory =
            this.as_deref().and_then(Path::parent).map_or_else(String::new, |dir| dir.display().to_string());
        format!("put the directory of this one first in PATH, for Claude Code too: {directory}")
    } else {
        format!("`dreamtop install --scope {scope}` puts this one in its place")
    };
    let check = match program(environment, command) {
        None if named.contains(['/', '\\']) => {
            Check::fail("hooks", format!("installed ({scope}), but {named}, which it calls, is not there"), next)
        }
        None => Check::fail(
            "hooks",
            format!("installed ({scope}), but {named}, which it calls, is in no directory of PATH"),
            next,
        ),
        Some(path) => match this {
            Some(this) if this != path => {
                let message = format!("installed ({scope}), but for another dreamtop: {}", path.display());
                Check::warn("hooks", message, next)
            }
            _ => Check::ok("hooks", format!("installed ({scope}): Claude Code calls {}", path.display())),
        },
    };
    check.at(&place.settings)
}

/// The program that a command of ours calls, if it is there.
fn program(environment: &Environment, command: &str) -> Option<PathBuf> {
    let (named, _) = hooks::parts(command)?;
    if named.contains(['/', '\\']) {
        return std::fs::canonicalize(named).ok();
    }
    let paths = environment.variable("PATH").unwrap_or_default();
    std::env::split_paths(paths).find_map(|directory| std::fs::canonicalize(directory.join(&named)).ok())
}
