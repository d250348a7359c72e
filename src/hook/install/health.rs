//! Whether Claude Code calls us, and the right one of us: what `doctor` says of the hooks.
//!
//! Not its job: what the hooks do (see the other files of [`crate::hook`]).

use std::path::{Path, PathBuf};

use super::{PLUGIN, Place, Scope, hooks, installed};
use crate::config::Config;
use crate::engine;
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
                if commands.is_outdated {
                    let message =
                        format!("the hooks ({}) are as another version of dreamtop wrote them", place.scope.word());
                    let next = format!("`dreamtop install --scope {}` brings them up to date", place.scope.word());
                    checks.push(Check::warn("hooks", message, next).at(&place.settings));
                }
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
    checks.extend(found.iter().filter_map(|(place, command)| reads(environment, place, command)));
    checks.extend(plugins.iter().map(|(plugin, settings)| {
        let named = format!("installed as the plugin {}", visible(plugin));
        let check = match program(environment, hooks::SHARED_COMMAND) {
            Some(path) => Check::ok("hooks", format!("{named}: Claude Code calls {}", path.display())),
            None => {
                let message = format!("{named}, but dreamtop, which it calls, is in no directory of PATH");
                Check::fail("hooks", message, first_in_path())
            }
        };
        check.at(settings)
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
        let next = "leave it so; or take autoDreamEnabled out of its settings: dream.enabled in config.yaml then decides about \
                    dreamtop's alone (false there ends dreamtop's too)";
        checks.push(Check::warn("hooks", message, next));
    }
    checks
}

/// One installation: does it call this program?
fn one(environment: &Environment, place: &Place, command: &str) -> Check {
    let scope = place.scope.word();
    let named = hooks::parts(command).map_or_else(|| command.to_owned(), |(program, _)| program);
    let this = this_program();
    // Settings that others share name us and no path: only PATH decides what that is.
    let next = if place.scope == Scope::Project {
        first_in_path()
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
            _ => {
                let (_, options) = hooks::parts(command).unwrap_or_default();
                let with =
                    if options.is_empty() { String::new() } else { format!(" with {}", redacted(&options.join(" "))) };
                Check::ok(
                    "hooks",
                    format!("installed ({scope}): Claude Code calls {}{}", path.display(), visible(&with)),
                )
            }
        },
    };
    check.at(&place.settings)
}

/// What is wrong with the configuration and the engine that a hook's own options name; `None`: nothing, or it has none.
fn reads(environment: &Environment, place: &Place, command: &str) -> Option<Check> {
    let (_, options) = hooks::parts(command)?;
    let value = |name: &str| {
        let joined = options.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        joined.or_else(|| options.iter().skip_while(|word| *word != name).nth(1).map(String::as_str))
    };
    let (path, engine) = (value("--config"), value("--engine"));
    let scope = place.scope.word();
    let next = format!(
        "`dreamtop uninstall --scope {scope}`, then `install` with the options that are meant, or put that right"
    );
    let fail = |why: String| {
        let message = format!("the hooks ({scope}) can start nothing: {}", visible(&redacted(&why)));
        Some(Check::fail("hooks", message, next.clone()).at(&place.settings))
    };
    let config = match path {
        Some(path) => match Config::read(&environment.absolute(Path::new(path)), true) {
            Ok(config) => config,
            Err(error) => return fail(error.to_string()),
        },
        None => environment.config_file().and_then(|path| Config::read(&path, false).ok()).unwrap_or_default(),
    };
    // Without a word of theirs the hooks go by the configuration, which is looked at for itself.
    let engine = engine.or_else(|| path.map(|_| config.engine.as_str()))?;
    let error = engine::by_name(engine, &config, environment).err()?;
    fail(error.to_string())
}

/// Where this program lies.
fn this_program() -> Option<PathBuf> {
    std::env::current_exe().and_then(std::fs::canonicalize).ok()
}

/// What to do where only PATH decides which program is called.
fn first_in_path() -> String {
    let directory = this_program().and_then(|this| Some(this.parent()?.display().to_string())).unwrap_or_default();
    format!("put the directory of this one first in PATH, for Claude Code too: {directory}")
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
