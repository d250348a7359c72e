//! Where the transcripts of a project lie: one memory, but a folder for each directory somebody worked in.

use std::path::{Path, PathBuf};

use super::git::{git_root, linked_work_trees, physical};
use super::home::{fitting_path, is_slug, recorded_paths};
use super::slug::{matches, slug};
use super::{Choice, ClaudeHome, Project};

/// The folder `own`, then those of the git root, of its sub-directories and of its work trees. A folder's name only
/// makes it a candidate; what counts is that the paths recorded in its transcripts lie there.
pub(super) fn session_dirs(home: &ClaudeHome, own: &Project, root: Option<&Path>) -> Vec<PathBuf> {
    let mut found = vec![own.sessions.clone()];
    let Some(root) = root else { return found };
    let mut trees = linked_work_trees(root);
    trees.insert(0, root.to_owned());
    let names: Vec<(String, String)> = trees
        .iter()
        .map(|tree| tree.to_string_lossy().into_owned())
        .map(|text| (slug(&text).to_ascii_lowercase(), text))
        .collect();
    let is_candidate = |folder: &str| {
        let lower = folder.to_ascii_lowercase();
        names.iter().any(|(name, path)| {
            matches(folder, path) || lower.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('-'))
        })
    };
    for folder in home.folder_names().unwrap_or_default() {
        if folder == own.folder || !is_candidate(&folder) {
            continue;
        }
        let project = home.folder(&folder);
        if home.with_path(project.clone()).path.is_some_and(|path| belongs(&path, root, &trees)) {
            found.push(project.sessions);
        }
    }
    found
}

/// Whether a recorded path is of the repository: by its `.git` when it is still there, by lying inside when it is gone.
fn belongs(path: &Path, root: &Path, trees: &[PathBuf]) -> bool {
    if path.is_dir() {
        return git_root(path).as_deref() == Some(root);
    }
    trees.iter().any(|tree| path.starts_with(tree))
}

/// Whether a session is of the project that was chosen, where two projects share a folder: its own `cwd` decides. A `cwd`
/// that fits the folder but is another project's says no; one that fits nothing (a session that was moved, a folder
/// with a given name) says nothing, and the folder counts. Without a checkout nobody has said which of them is meant, so
/// no session of a shared folder counts.
#[must_use]
pub fn is_of(choice: &Choice, transcript: &Path, cwd: Option<&str>) -> bool {
    let Some(home) = &choice.home else { return true };
    let Some(dir) = transcript.parent().filter(|dir| dir.parent() == Some(&home.projects_dir())) else { return true };
    let folder = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(checkout) = &choice.checkout else { return recorded_paths(&home.folder(&folder)).len() < 2 };
    if !is_slug(&folder) {
        return true;
    }
    let Some(path) = cwd.and_then(|cwd| fitting_path(&folder, cwd)) else { return true };
    if path.starts_with(checkout) {
        return true;
    }
    let path = physical(&path);
    // Sessions from above the checkout, or from the directory one is in outside git, are its folder's too.
    if path.starts_with(checkout) || checkout.starts_with(&path) {
        return true;
    }
    let Some(root) = git_root(checkout) else { return false };
    belongs(&path, &root, &[vec![root.clone()], linked_work_trees(&root)].concat())
}
