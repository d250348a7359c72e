//! A Claude home and the projects in it.
//!
//! Folder names are compared with paths, never turned into them. Not its job: choosing between stores (see
//! [`super::root`]).

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::git::physical;
use super::slug::{LONGEST, drive_letter, matches, slug};
use crate::memory::Store;
use crate::session::head::read_beginning;
use crate::session::list_sessions;

/// How many of a folder's newest transcripts are opened to learn its path.
const OPENED: usize = 5;

/// Claude Code's configuration directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaudeHome {
    base: PathBuf,
}

/// A folder under `projects/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The folder's name.
    pub folder: String,
    /// The project's real path, from the first `cwd` of its newest transcripts that fits the folder. `None`: no transcript says.
    pub path: Option<PathBuf>,
    /// The folder's own path: where its transcripts lie.
    pub sessions: PathBuf,
    /// Its store, whether it exists or not.
    pub store: Store,
    /// Whether the store's directory exists.
    pub has_store: bool,
}

impl Project {
    /// What to call it: the last part of its real path, else the folder's name.
    #[must_use]
    pub fn title(&self) -> String {
        self.path
            .as_ref()
            .and_then(|path| path.file_name())
            .map_or_else(|| self.folder.clone(), |name| name.to_string_lossy().into_owned())
    }
}

impl ClaudeHome {
    /// The home at a directory.
    #[must_use]
    pub fn at(base: impl Into<PathBuf>) -> Self {
        Self { base: base.into() }
    }

    /// The directory.
    #[must_use]
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Whether it exists.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.base.is_dir()
    }

    /// Where the projects' folders lie.
    #[must_use]
    pub fn projects_dir(&self) -> PathBuf {
        self.base.join("projects")
    }

    /// Every folder under `projects/`, ordered by name, without its path (cheap: one directory listing and a stat each).
    ///
    /// # Errors
    /// When `projects/` is there but cannot be listed.
    pub fn folders(&self) -> std::io::Result<Vec<Project>> {
        Ok(self.folder_names()?.iter().map(|name| self.folder(name)).collect())
    }

    /// The names of the folders of `projects/`, in order: one listing, whatever their number. Empty when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be listed.
    pub fn folder_names(&self) -> std::io::Result<Vec<String>> {
        let dir = self.projects_dir();
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(crate::state::with_path(error, "cannot list the projects in", &dir)),
        };
        let mut names: Vec<String> = entries
            .filter_map(Result::ok)
            .filter(|entry| match entry.file_type() {
                Ok(kind) if kind.is_dir() => true,
                Ok(kind) if !kind.is_symlink() => false,
                _ => entry.path().is_dir(),
            })
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        Ok(names)
    }

    /// The project whose store lies at a directory, with its real path; `None`: no folder of this home has it.
    #[must_use]
    pub fn project_of_store(&self, store: &Path) -> Option<Project> {
        let folder = self.folders().ok()?.into_iter().find(|folder| folder.store.root() == store)?;
        Some(self.with_path(folder))
    }

    /// The project of a folder name, whether the folder exists or not.
    #[must_use]
    pub fn folder(&self, name: &str) -> Project {
        let sessions = self.projects_dir().join(name);
        let memory = sessions.join("memory");
        let has_store = memory.is_dir();
        Project { folder: name.to_owned(), path: None, sessions, store: Store::at(memory), has_store }
    }

    /// The folder of a path: the one of its exact name, else the only one that matches it (a hash after a long name, the
    /// other case of a drive letter, the other Unicode form), else the name it would get.
    #[must_use]
    pub fn folder_of(&self, path: &Path) -> Project {
        let text = path.to_string_lossy();
        let exact = self.folder(&slug(&text));
        let has_other_forms = text.len() > LONGEST || !text.is_ascii() || drive_letter(&text).is_some();
        if exact.sessions.is_dir() || !has_other_forms {
            return exact;
        }
        let fitting = self.folders().unwrap_or_default().into_iter().filter(|project| matches(&project.folder, &text));
        let mut fitting: Vec<Project> = fitting.collect();
        if fitting.len() > 1 {
            // Two long paths may begin alike: only what its transcripts say makes a folder this path's.
            fitting.retain(|project| recorded_paths(project).contains(&path.to_owned()));
        }
        match fitting.len() {
            1 => fitting.remove(0),
            _ => exact,
        }
    }

    /// Every folder that may be the path's, the one of [`ClaudeHome::folder_of`] first: also the other case of its drive
    /// letter, also those of a long name whose transcripts name the path.
    #[must_use]
    pub fn folders_of(&self, path: &Path) -> Vec<Project> {
        let first = self.folder_of(path);
        let text = path.to_string_lossy();
        let is_long = text.len() > LONGEST;
        if !is_long && text.is_ascii() && drive_letter(&text).is_none() {
            return vec![first];
        }
        let mut all = vec![first];
        for other in self.folders().unwrap_or_default() {
            if all.iter().all(|known| known.folder != other.folder)
                && matches(&other.folder, &text)
                && (!is_long || recorded_paths(&other).iter().any(|recorded| recorded == path))
            {
                all.push(other);
            }
        }
        all
    }

    /// The same project with its real path read from its transcripts (at most the five newest are opened). Without a
    /// path when they name several that fit the folder: nothing is attributed by guess.
    #[must_use]
    pub fn with_path(&self, project: Project) -> Project {
        let mut paths = recorded_paths(&project);
        let path = if paths.len() == 1 { paths.pop() } else { None };
        Project { path, ..project }
    }
}

/// The distinct paths that fit a folder and stand as `cwd` (or above it) in its newest transcripts, newest first.
///
/// A folder that Claude Code was told to name so (`CLAUDE_CODE_PROJECT_DIR_NAME`) fits no path: any `cwd` counts there.
#[must_use]
pub fn recorded_paths(project: &Project) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for session in list_sessions(&project.sessions).unwrap_or_default().iter().take(OPENED) {
        let Some(cwd) = read_beginning(&session.path).ok().and_then(|head| head.cwd).filter(|cwd| !cwd.is_empty())
        else {
            continue;
        };
        if let Some(path) = fitting_path(&project.folder, &cwd)
            && !paths.contains(&path)
        {
            paths.push(path);
        }
    }
    // A link and what it leads to are one project.
    let mut places: Vec<PathBuf> = Vec::new();
    paths.retain(|path| {
        let place = physical(path);
        let is_new = !places.contains(&place);
        places.push(place);
        is_new
    });
    // Under a given name, sessions from a sub-directory belong to the directory above.
    let all = paths.clone();
    paths.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
    paths
}

/// The `cwd`, or the directory above it, whose slug the folder is.
pub(super) fn fitting_path(folder: &str, cwd: &str) -> Option<PathBuf> {
    if !is_slug(folder) {
        return Some(PathBuf::from(cwd));
    }
    if matches(folder, cwd) {
        return Some(PathBuf::from(cwd));
    }
    let above = Path::new(cwd).ancestors().skip(1);
    above.filter_map(Path::to_str).find(|path| matches(folder, path)).map(PathBuf::from)
}

/// Whether a folder's name looks like the slug of an absolute path: a dash, or a drive letter and two dashes.
pub(super) fn is_slug(folder: &str) -> bool {
    let rest = folder.strip_prefix(|c: char| c.is_ascii_alphabetic()).filter(|rest| rest.starts_with("--"));
    folder.starts_with('-') || rest.is_some()
}
