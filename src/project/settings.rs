//! Claude Code's own settings, as far as they decide something here.
//!
//! Only the person (user settings) and the machine's owner (policy) decide. What a repository brings along is data: a
//! wish of it to redirect the memory, or to switch on what is off, is told or passed over; its wish that nothing be
//! remembered is followed, as that takes nothing. Not its job: our configuration (see [`crate::config`]).

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::git::physical;
use crate::environment::Environment;
use crate::session::expiry::KEPT_DAYS;

/// The variables under which Claude Code runs without memory.
const BARE: [&str; 2] = ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"];

/// What the policy's settings are called.
const POLICY: &str = "managed-settings.json";

/// A value and what decided it, in words: `settings.json, autoMemoryEnabled`, `CLAUDE_CODE_DISABLE_AUTO_MEMORY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided<T> {
    /// The value.
    pub value: T,
    /// What decided it.
    pub by: String,
}

/// What the settings and variables say.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether memory is on at all.
    pub auto_memory: Decided<bool>,
    /// `autoDreamEnabled`, when set.
    pub auto_dream: Option<Decided<bool>>,
    /// `autoMemoryDirectory` from user or policy settings.
    pub memory_directory: Option<Decided<PathBuf>>,
    /// Whether the session is remote (`CLAUDE_CODE_REMOTE`).
    pub remote: bool,
    /// What makes Claude Code run without memory, if anything does: `CLAUDE_CODE_SIMPLE`, `CLAUDE_CODE_SAFE_MODE`.
    pub bare: Option<&'static str>,
    /// What a person should know: unreadable settings files, a repository that tries to redirect the memory.
    pub notices: Vec<String>,
}

/// Reads user settings (`<base>/settings.json`), policy settings and, for what only a person may say otherwise, those of the
/// `projects`: the checkout, and the directory in it where a session begins. Never fails.
#[must_use]
pub fn read(environment: &Environment, base: Option<&Path>, projects: &[&Path]) -> Settings {
    let mut notices = Vec::new();
    let policy = read_file(&policy_file(environment), &mut notices);
    let user = base.and_then(|base| read_file(&base.join("settings.json"), &mut notices));
    // The stronger first.
    let sources: Vec<(&str, Map<String, Value>)> =
        [(POLICY, policy), ("settings.json", user)].into_iter().filter_map(|(name, map)| Some((name, map?))).collect();

    let inside = of_projects(base, projects);

    let remote = environment.switch("CLAUDE_CODE_REMOTE").unwrap_or(false);
    let bare = BARE.into_iter().find(|name| environment.switch(name).unwrap_or(false));
    let memory_directory = memory_directory(&sources, environment, &mut notices);
    let auto_memory = match environment.switch("CLAUDE_CODE_DISABLE_AUTO_MEMORY") {
        Some(disabled) => Decided { value: !disabled, by: "CLAUDE_CODE_DISABLE_AUTO_MEMORY".to_owned() },
        None if bare.is_some() => Decided { value: false, by: bare.unwrap_or_default().to_owned() },
        None if remote && memory_directory.is_none() => Decided { value: false, by: "CLAUDE_CODE_REMOTE".to_owned() },
        None => {
            let told = switch(&sources, "autoMemoryEnabled", &mut notices);
            let is_policy = told.as_ref().is_some_and(|told| told.by.starts_with(POLICY));
            let off = inside.iter().filter(|_| !is_policy).find_map(|(name, _, map)| switched_off(name, map));
            off.or(told).unwrap_or_else(|| Decided { value: true, by: "the default".to_owned() })
        }
    };
    let auto_dream = switch(&sources, "autoDreamEnabled", &mut notices);
    for (_, path, map) in &inside {
        notice_redirection(path, map, &mut notices);
    }
    Settings { auto_memory, auto_dream, memory_directory, remote, bare, notices }
}

/// What keeps hooks in these settings from being called, in words: `disableAllHooks` of any settings, or
/// `allowManagedHooksOnly` of the policy. Never fails.
#[must_use]
pub fn hooks_silenced(environment: &Environment, base: Option<&Path>, project: Option<&Path>) -> Option<String> {
    let policy = policy_file(environment);
    let mut unread = Vec::new();
    let mut says = |path: &Path, key: &str| {
        let is_set = read_file(path, &mut unread).is_some_and(|map| map.get(key) == Some(&Value::Bool(true)));
        is_set.then(|| format!("{key} is set in {}", path.display()))
    };
    if let Some(said) = says(&policy, "allowManagedHooksOnly") {
        return Some(said);
    }
    layers(environment, base, project).iter().find_map(|path| says(path, "disableAllHooks"))
}

/// Plugins of a name that any settings switch on: as it is written there (`name@marketplace`), and in which file. Never fails.
#[must_use]
pub fn enabled_plugins(
    name: &str,
    environment: &Environment,
    base: Option<&Path>,
    project: Option<&Path>,
) -> Vec<(String, PathBuf)> {
    let mut decided: Vec<(String, PathBuf, bool)> = Vec::new();
    for path in layers(environment, base, project) {
        let map = read_file(&path, &mut Vec::new()).unwrap_or_default();
        let plugins = map.get("enabledPlugins").and_then(Value::as_object);
        for (key, value) in plugins.into_iter().flatten() {
            // The stronger settings decide.
            let is_new = !decided.iter().any(|(known, ..)| known == key);
            if let Some(is_on) = value.as_bool().filter(|_| is_new && key.split('@').next() == Some(name)) {
                decided.push((key.clone(), path.clone(), is_on));
            }
        }
    }
    decided.into_iter().filter(|(.., is_on)| *is_on).map(|(key, path, _)| (key, path)).collect()
}

/// The files of settings that a session merges, the strongest first.
fn layers(environment: &Environment, base: Option<&Path>, project: Option<&Path>) -> Vec<PathBuf> {
    let inside = project.map(|project| project.join(".claude"));
    let local = inside.as_ref().map(|inside| inside.join("settings.local.json"));
    let shared = inside.as_ref().map(|inside| inside.join("settings.json"));
    let user = base.map(|base| base.join("settings.json"));
    let mut files: Vec<PathBuf> = Vec::new();
    for file in [Some(policy_file(environment)), local, shared, user].into_iter().flatten() {
        // In the home directory the project's is the person's.
        if !files.iter().any(|known| same_place(known, &file)) {
            files.push(file);
        }
    }
    files
}

/// How many days transcripts are kept: `cleanupPeriodDays` from policy or user settings, else 30. Never fails.
#[must_use]
pub fn kept_days(environment: &Environment, base: Option<&Path>) -> u32 {
    let user = base.map(|base| base.join("settings.json"));
    [Some(policy_file(environment)), user]
        .into_iter()
        .flatten()
        .filter_map(|file| read_file(&file, &mut Vec::new()))
        .find_map(|map| u32::try_from(map.get("cleanupPeriodDays")?.as_u64()?).ok())
        .unwrap_or(KEPT_DAYS)
}

/// Where the machine's owner keeps settings; `DREAMTOP_MANAGED_SETTINGS` names another file, for tests.
fn policy_file(environment: &Environment) -> PathBuf {
    let place = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode/managed-settings.json"
    } else if cfg!(windows) {
        r"C:\Program Files\ClaudeCode\managed-settings.json"
    } else {
        "/etc/claude-code/managed-settings.json"
    };
    environment
        .variable("DREAMTOP_MANAGED_SETTINGS")
        .map_or_else(|| PathBuf::from(place), |path| environment.expand(path))
}

/// A settings file as an object; a missing one says nothing, an unreadable one is told and ignored.
fn read_file(path: &Path, notices: &mut Vec<String>) -> Option<Map<String, Value>> {
    let bytes = match crate::memory::store::whole(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return None,
        Err(error) => {
            notices.push(format!("cannot read {}: {error}; going on without these settings", path.display()));
            return None;
        }
    };
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    if bytes.trim_ascii().is_empty() {
        return None;
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(map)) => Some(map),
        Ok(_) => {
            notices.push(format!("{} is not a JSON object; going on without these settings", path.display()));
            None
        }
        Err(error) => {
            notices.push(format!("{} is not JSON ({error}); going on without these settings", path.display()));
            None
        }
    }
}

/// A switch from the strongest source that sets it.
fn switch(sources: &[(&str, Map<String, Value>)], key: &str, notices: &mut Vec<String>) -> Option<Decided<bool>> {
    for (name, map) in sources {
        match map.get(key) {
            Some(Value::Bool(value)) => return Some(Decided { value: *value, by: format!("{name}, {key}") }),
            None | Some(Value::Null) => {}
            Some(other) => notices.push(format!("{name}: {key} is {other}, not true or false; ignored")),
        }
    }
    None
}

/// `autoMemoryDirectory` from the strongest source that names a usable one.
fn memory_directory(
    sources: &[(&str, Map<String, Value>)],
    environment: &Environment,
    notices: &mut Vec<String>,
) -> Option<Decided<PathBuf>> {
    for (name, map) in sources {
        let refusal = match map.get("autoMemoryDirectory") {
            None | Some(Value::Null) => continue,
            Some(Value::String(path)) => match usable_directory(path, environment) {
                Ok(value) => return Some(Decided { value, by: format!("{name}, autoMemoryDirectory") }),
                Err(why) => format!("{path:?} {why}"),
            },
            Some(other) => format!("{other} is not a path"),
        };
        notices.push(format!(
            "{name}: autoMemoryDirectory is ignored: {refusal}; name a directory by an absolute path or one under ~/"
        ));
    }
    None
}

/// Why a directory holds far more than a memory: to look at it would be to read, and keep copies of, all there is.
pub(super) fn too_wide(directory: &Path, environment: &Environment) -> Option<&'static str> {
    let directory = physical(directory);
    if directory.parent().is_none() {
        return Some("is the root directory");
    }
    let is_home = environment.home().is_some_and(|home| physical(&home) == directory);
    is_home.then_some("is the whole home directory")
}

/// The directory a setting names, or why it must not hold a memory.
fn usable_directory(path: &str, environment: &Environment) -> Result<PathBuf, &'static str> {
    if path.contains('\0') {
        return Err("holds a NUL character");
    }
    if path.starts_with("//") || path.starts_with(r"\\") {
        return Err("is a network path");
    }
    let is_home = path == "~" || path.starts_with("~/");
    if is_home && environment.home().is_none() {
        return Err("is under the home directory, and HOME is not set");
    }
    if !is_home && !Path::new(path).is_absolute() {
        return Err("is relative");
    }
    // Without `.`, doubled and trailing slashes.
    let directory: PathBuf = environment.expand(path).components().collect();
    if directory.components().any(|part| part == std::path::Component::ParentDir) {
        return Err("climbs with `..`");
    }
    if let Some(why) = too_wide(&directory, environment) {
        return Err(why);
    }
    if directory.as_os_str().len() < 3 {
        return Err("is too short to be meant");
    }
    Ok(directory)
}

/// The settings that lie in projects, the stronger first: what they are called, where they lie, what they say. An unreadable
/// one decides nothing here: Claude Code itself will tell.
fn of_projects(base: Option<&Path>, projects: &[&Path]) -> Vec<(&'static str, PathBuf, Map<String, Value>)> {
    let mut found: Vec<(&str, PathBuf, Map<String, Value>)> = Vec::new();
    for (name, file) in
        [(".claude/settings.local.json", "settings.local.json"), (".claude/settings.json", "settings.json")]
    {
        for inside in projects.iter().map(|project| project.join(".claude")) {
            let path = inside.join(file);
            // The home directory's `.claude/settings.json` is the user's own file, not a repository's.
            let is_user = base.is_some_and(|base| same_place(base, &inside));
            if is_user || found.iter().any(|(_, known, _)| *known == path) {
                continue;
            }
            if let Some(map) = read_file(&path, &mut Vec::new()) {
                found.push((name, path, map));
            }
        }
    }
    found
}

/// The word of a project that nothing is to be remembered.
fn switched_off(name: &str, map: &Map<String, Value>) -> Option<Decided<bool>> {
    let is_off = map.get("autoMemoryEnabled") == Some(&Value::Bool(false));
    is_off.then(|| Decided { value: false, by: format!("{name}, autoMemoryEnabled") })
}

/// Tells when a repository's settings name a memory directory.
fn notice_redirection(path: &Path, map: &Map<String, Value>, notices: &mut Vec<String>) {
    if let Some(value) = map.get("autoMemoryDirectory") {
        notices.push(format!(
            "{} sets autoMemoryDirectory to {value}: ignored, a repository cannot redirect the memory; set it in your own settings.json if you want it",
            path.display()
        ));
    }
}

fn same_place(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
