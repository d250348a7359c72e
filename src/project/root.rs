//! Which store a person means: a flag, else a setting, else the place one is in.
//!
//! Paths are physical ones: a project entered through a symbolic link is the project it points to. Not its job: finding
//! the root of a work tree (see [`super::git`]) and the transcripts' directories (`sessions.rs` beside this).

use std::fs;
use std::path::{Path, PathBuf};

use super::git::{git_root, physical};
use super::home::recorded_paths;
use super::sessions::session_dirs;
use super::slug::alike;
use super::{ClaudeHome, Project, Settings, settings, slug};
use crate::environment::Environment;
use crate::memory::Store;
use crate::memory::names::is_markdown;

/// What the command line asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// `--project DIR`.
    pub project: Option<PathBuf>,
    /// `--memory-dir DIR`.
    pub memory_dir: Option<PathBuf>,
    /// `--sessions DIR`.
    pub sessions: Option<PathBuf>,
    /// `--claude-dir DIR`.
    pub claude_dir: Option<PathBuf>,
}

/// What decided on the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// `--memory-dir`.
    Flag,
    /// `autoMemoryDirectory`.
    Setting,
    /// The slug of the git root (of the main worktree).
    GitRoot,
    /// The slug of the working directory, because only that store exists.
    WorkingDirectory,
}

/// The store to work on and everything about its project.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The store; it need not exist.
    pub store: Store,
    /// What decided it.
    pub decision: Decision,
    /// The project's checkout: the git root, else the working directory. `None` with `--memory-dir` alone when nothing in
    /// the folder's transcripts names a path that exists.
    pub checkout: Option<PathBuf>,
    /// What to call the project on the screen.
    pub title: String,
    /// The directories where its transcripts lie.
    pub sessions: Vec<PathBuf>,
    /// The Claude home, if there is one.
    pub home: Option<ClaudeHome>,
    /// Claude Code's settings.
    pub settings: Settings,
    /// What a person should know.
    pub notices: Vec<String>,
}

impl Choice {
    /// Why sessions get nothing of this memory: `off: settings.json, autoMemoryEnabled`; `None`: it is on. The settings are
    /// Claude Code's, and say nothing of another program's store.
    #[must_use]
    pub fn memory_off(&self) -> Option<String> {
        let decided = &self.settings.auto_memory;
        (!decided.value && !self.store.kind().is_read_only()).then(|| format!("off: {}", decided.by))
    }

    /// How many days Claude Code keeps this project's transcripts. Never fails.
    #[must_use]
    pub fn kept_days(&self, environment: &Environment) -> u32 {
        settings::kept_days(environment, self.home.as_ref().map(ClaudeHome::base))
    }
}

/// Why no store could be chosen.
#[derive(Debug, thiserror::Error)]
pub enum ChooseError {
    /// Neither `HOME` nor any flag.
    #[error(
        "neither HOME nor CLAUDE_CONFIG_DIR is set; name the memory directory with --memory-dir DIR, or look around in the sample with `dreamtop demo`"
    )]
    NoHome,
    /// A flag names something that is not a directory.
    #[error("{flag} {path}: {why}")]
    BadFlag {
        /// The flag.
        flag: &'static str,
        /// Its value.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

/// Chooses the store for a request.
///
/// # Errors
/// When there is nothing to choose from.
pub fn choose(request: &Request, environment: &Environment) -> Result<Choice, ChooseError> {
    let directory_of =
        |flag, path: &Option<PathBuf>| path.as_deref().map(|path| existing(flag, path, environment)).transpose();
    let project = directory_of("--project", &request.project)?;
    let sessions = directory_of("--sessions", &request.sessions)?;
    let claude_dir = directory_of("--claude-dir", &request.claude_dir)?;
    let mut choice = if let Some(memory_dir) = &request.memory_dir {
        let given = claude_dir.map(ClaudeHome::at);
        by_flag(&environment.absolute(memory_dir), given, project.as_deref(), environment)?
    } else {
        let base = claude_dir.or_else(|| environment.claude_dir()).ok_or(ChooseError::NoHome)?;
        let mut notices = Vec::new();
        let start = match project {
            Some(project) => project,
            None => physical(environment.current_dir()),
        };
        let logical = logical_path(request, environment).filter(|logical| *logical != start);
        let mut choice = by_place(&start, &ClaudeHome::at(base), environment, &mut notices);
        if let Some(logical) = logical {
            mention_logical(&logical, &choice, &mut notices);
        }
        choice.notices.append(&mut notices);
        choice
    };
    if let Some(sessions) = sessions {
        choice.sessions = vec![sessions];
    }
    choice.home = choice.home.filter(ClaudeHome::exists);
    Ok(choice)
}

/// The choice for a project folder of a Claude home, as the project switcher makes it.
#[must_use]
pub fn choice_of(project: &Project, home: &ClaudeHome, environment: &Environment) -> Choice {
    let named = if project.path.is_some() { project.clone() } else { home.with_path(project.clone()) };
    let checkout = named.path.clone().filter(|path| path.is_dir()).map(|path| physical(&path));
    let root = checkout.as_deref().and_then(git_root);
    let settings = settings::read(environment, Some(home.base()), root.as_deref().or(checkout.as_deref()).as_slice());
    let mut notices = settings.notices.clone();
    mention_sharing(project, &recorded_paths(project), None, &mut notices);
    let is_root = root.is_some() && root == checkout;
    Choice {
        store: project.store.clone(),
        decision: if is_root { Decision::GitRoot } else { Decision::WorkingDirectory },
        sessions: session_dirs(home, project, root.as_deref().filter(|_| is_root)),
        title: named.title(),
        checkout,
        home: Some(home.clone()),
        settings,
        notices,
    }
}

/// The choice when the memory directory is named.
fn by_flag(
    memory: &Path,
    given: Option<ClaudeHome>,
    project: Option<&Path>,
    environment: &Environment,
) -> Result<Choice, ChooseError> {
    let flag = "--memory-dir";
    let bad = |why: &str| ChooseError::BadFlag { flag, path: memory.to_owned(), why: why.to_owned() };
    let mut notices = Vec::new();
    if let Some(why) = settings::too_wide(memory, environment) {
        return Err(bad(&format!("{why}; name the directory that holds MEMORY.md")));
    }
    match fs::metadata(memory) {
        Ok(metadata) if !metadata.is_dir() => {
            return Err(bad("is a file, not a directory; name the directory that holds MEMORY.md"));
        }
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            notices.push(format!("{} is not there yet; it appears with the first memory", memory.display()));
        }
        Err(error) => return Err(bad(&format!("cannot be looked at: {error}"))),
    }
    let memory = physical(memory);
    let around = folder_around(&memory);
    let home = given.or_else(|| around.as_ref().map(|(home, _)| home.clone()));
    let home = home.or_else(|| environment.claude_dir().map(ClaudeHome::at));
    let folder = around.map(|(home, folder)| home.with_path(home.folder(&folder)));

    let checkout = match (project, &folder) {
        (Some(project), _) => Some(git_root(project).unwrap_or_else(|| project.to_owned())),
        (None, Some(folder)) => folder.path.clone().filter(|path| path.is_dir()).map(|path| physical(&path)),
        (None, None) => None,
    };
    let sessions = match (&folder, project, &home) {
        (Some(folder), _, _) => vec![folder.sessions.clone()],
        (None, Some(project), Some(home)) => {
            session_dirs(home, &home.folder_of(project), checkout.as_deref().filter(|root| git_root(root).is_some()))
        }
        _ => Vec::new(),
    };
    if let Some(folder) = &folder {
        mention_sharing(folder, &recorded_paths(folder), None, &mut notices);
    }
    let settings = settings::read(environment, home.as_ref().map(ClaudeHome::base), checkout.as_deref().as_slice());
    notices.extend(settings.notices.iter().cloned());
    let title = match (&checkout, &folder) {
        (Some(checkout), _) => last_part(checkout),
        (None, Some(folder)) => folder.title(),
        (None, None) => store_title(&memory),
    };
    let store = Store::at(memory);
    let kind = store.kind();
    let title = if kind.is_read_only() { format!("{} · read-only", kind.writer()) } else { title };
    Ok(Choice { store, decision: Decision::Flag, checkout, title, sessions, home, settings, notices })
}

/// The choice by where one is.
fn by_place(start: &Path, home: &ClaudeHome, environment: &Environment, notices: &mut Vec<String>) -> Choice {
    let root = git_root(start);
    let work_tree = super::git::work_tree(start);
    let checkout = work_tree.unwrap_or_else(|| start.to_owned());
    let settings = settings::read(environment, Some(home.base()), &[&checkout, start]);
    notices.extend(settings.notices.iter().cloned());

    let given = given_name(environment, notices).map(|name| home.folder(&name));
    let of_root = given.clone().unwrap_or_else(|| home.folder_of(root.as_deref().unwrap_or(start)));
    // Stores that other versions made for the same place: for the linked work tree, for the directory itself, under the
    // other case of a drive letter.
    let mut others: Vec<Project> = Vec::new();
    let places = [root.as_deref().unwrap_or(start), checkout.as_path(), start];
    for other in places.into_iter().filter(|_| given.is_none()).flat_map(|path| home.folders_of(path)) {
        if other.folder != of_root.folder && !others.contains(&other) {
            others.push(other);
        }
    }
    let only_other = others.iter().position(|other| other.has_store).filter(|_| !of_root.has_store);
    let (project, decision) = match only_other {
        Some(place) => (others.remove(place), Decision::WorkingDirectory),
        None if root.is_some() => (of_root, Decision::GitRoot),
        None => (of_root, Decision::WorkingDirectory),
    };
    let (store, decision) = match &settings.memory_directory {
        Some(directory) => (Store::at(directory.value.clone()), Decision::Setting),
        None => (project.store.clone(), decision),
    };
    for other in others.iter().filter(|other| other.has_store && decision != Decision::Setting) {
        notices.push(format!(
            "there is memory for this place in {} too, which is not used here; look with --memory-dir",
            other.store.root().display()
        ));
    }
    mention_unread(&checkout, &store, notices);
    let is_given = given.is_some();
    if !is_given {
        mention_alike(home, &project, &others, notices);
    }
    let own = given.unwrap_or_else(|| home.folder_of(start));
    let mut sessions = session_dirs(home, &own, root.as_deref());
    if project.sessions.is_dir() && !sessions.contains(&project.sessions) {
        sessions.push(project.sessions);
    }
    if !is_given {
        mention_sharing(&own, &recorded_paths(&own), Some(start), notices);
    }
    let title = last_part(root.as_deref().unwrap_or(start));
    let home = Some(home.clone());
    Choice { store, decision, checkout: Some(checkout), title, sessions, home, settings, notices: Vec::new() }
}

/// `CLAUDE_CODE_PROJECT_DIR_NAME`, which counts only beside `CLAUDE_CONFIG_DIR`.
fn given_name(environment: &Environment, notices: &mut Vec<String>) -> Option<String> {
    let name = environment.variable("CLAUDE_CODE_PROJECT_DIR_NAME")?;
    let is_name = name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let refusal = if environment.variable("CLAUDE_CONFIG_DIR").is_none() {
        "it counts only when CLAUDE_CONFIG_DIR is set too"
    } else if !is_name {
        "it must be 1 to 64 letters, digits, - and _"
    } else {
        return Some(name.to_owned());
    };
    notices.push(format!("CLAUDE_CODE_PROJECT_DIR_NAME is {name:?} and ignored: {refusal}"));
    None
}

/// Says that a folder's transcripts name other projects than the one meant.
fn mention_sharing(folder: &Project, recorded: &[PathBuf], meant: Option<&Path>, notices: &mut Vec<String>) {
    let mut paths: Vec<&Path> = recorded.iter().map(PathBuf::as_path).collect();
    // A link to the place that is meant is no other project.
    paths.retain(|path| meant.is_none_or(|meant| physical(path) != meant));
    paths.extend(meant);
    if paths.len() > 1 && folder.sessions.is_dir() {
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        notices.push(format!(
            "{} projects share the folder {}: {}; their memory and sessions cannot be told apart by it",
            names.len(),
            folder.folder,
            names.join(", ")
        ));
    }
}

/// Mentions a store whose folder differs only in what versions wrote differently, and belongs to no known path.
fn mention_alike(home: &ClaudeHome, own: &Project, mentioned: &[Project], notices: &mut Vec<String>) {
    let name = alike(&own.folder);
    for folder in home.folder_names().unwrap_or_default() {
        if folder == own.folder || alike(&folder) != name {
            continue;
        }
        let other = home.folder(&folder);
        if other.has_store && !mentioned.contains(&other) && recorded_paths(&other).is_empty() {
            notices.push(format!(
                "there is memory in {} too, which may be this project's: the names of the folders differ only in - and _; `dreamtop stores` can bring them together",
                other.store.root().display()
            ));
        }
    }
}

/// Mentions memory in the checkout itself, which no session is given.
fn mention_unread(checkout: &Path, store: &Store, notices: &mut Vec<String>) {
    let other = checkout.join(".claude").join("memory");
    let holds_memory = || {
        let entries = fs::read_dir(&other).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name()).any(|name| is_markdown(&name.to_string_lossy()))
    };
    if other.is_dir() && physical(&other) != physical(store.root()) && holds_memory() {
        notices.push(format!(
            "there is memory in {} too, which Claude Code does not read; look with --memory-dir",
            other.display()
        ));
    }
}

/// The path as the shell names it, when that is not the physical one.
fn logical_path(request: &Request, environment: &Environment) -> Option<PathBuf> {
    match &request.project {
        Some(project) => Some(environment.absolute(project)),
        None => {
            let logical = PathBuf::from(environment.variable("PWD")?);
            (logical.is_absolute() && physical(&logical) == physical(environment.current_dir())).then_some(logical)
        }
    }
}

/// Mentions memory that lies under the name of a link to the project.
fn mention_logical(logical: &Path, choice: &Choice, notices: &mut Vec<String>) {
    let Some(home) = &choice.home else { return };
    let other = home.folder(&slug(&logical.to_string_lossy()));
    if other.has_store && other.store != choice.store {
        notices.push(format!(
            "{} is a link; memory kept under that name lies in {} and is not used here; look with --memory-dir",
            logical.display(),
            other.store.root().display()
        ));
    }
}

/// The home and the folder's name when a memory directory lies in `<home>/projects/<folder>/memory`.
fn folder_around(memory: &Path) -> Option<(ClaudeHome, String)> {
    let folder = memory.parent()?;
    let projects = folder.parent()?;
    let is_place = memory.file_name()? == "memory" && projects.file_name()? == "projects";
    is_place.then_some(())?;
    Some((ClaudeHome::at(projects.parent()?), folder.file_name()?.to_str()?.to_owned()))
}

/// What to call a store that belongs to no known project.
fn store_title(memory: &Path) -> String {
    let telling = |part: &&std::ffi::OsStr| *part != "memory" && *part != ".claude";
    memory.iter().rev().find(telling).map_or_else(|| "memory".to_owned(), |part| part.to_string_lossy().into_owned())
}

fn last_part(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A flag's value as a physical directory.
fn existing(flag: &'static str, path: &Path, environment: &Environment) -> Result<PathBuf, ChooseError> {
    let path = environment.absolute(path);
    let why = match fs::metadata(&path) {
        Ok(metadata) if metadata.is_dir() => return Ok(physical(&path)),
        Ok(_) => "is a file, not a directory".to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "there is no such directory".to_owned(),
        Err(error) => format!("cannot be looked at: {error}"),
    };
    Err(ChooseError::BadFlag { flag, path, why })
}
