//! Which paths speak of a project at all: not what is generated, nor addresses, nor places that come and go.
//!
//! Not its job: whether they are there (see [`super::look`] and [`super::quick`]).

use std::path::{Path, PathBuf};

/// Whether a relative path speaks of what is kept in a checkout. What is generated is not, and
/// `code.example/wiki/Page.html` is an address.
pub(super) fn is_of_project(root: &Path, path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    let is_generated = matches!(first, "node_modules" | "target" | "dist" | "build" | "out" | "coverage" | "vendor")
        || first.starts_with('@');
    let is_address = path.contains('/') && first.trim_start_matches('.').contains('.') && !root.join(first).exists();
    !is_generated && !is_address
}

/// Whether nobody here can say that an absolute path is gone: what lies in some places comes and goes or belongs to the
/// system, and some roots are those of another machine, of another person or of a web service.
pub(super) fn is_of_elsewhere(path: &Path) -> bool {
    let mut parts = path.components().skip(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
    let first = parts.next().unwrap_or_default();
    // `/usr/local/bin/backup.sh`: every machine has these folders, and what lies in them says nothing of another one.
    let is_of_system = matches!(
        first.as_str(),
        "usr"
            | "var"
            | "opt"
            | "bin"
            | "sbin"
            | "lib"
            | "lib64"
            | "boot"
            | "root"
            | "snap"
            | "nix"
            | "private"
            | "System"
            | "Library"
            | "Applications"
    );
    // `/srv` is what a site puts there itself: a path in it is missed also where there is none.
    let comes_and_goes = matches!(first.as_str(), "tmp" | "proc" | "dev" | "sys" | "run" | "media" | "mnt")
        || (first != "srv" && !Path::new("/").join(&first).is_dir());
    let is_of_stranger =
        matches!(first.as_str(), "home" | "Users") && !path.components().take(3).collect::<PathBuf>().is_dir();
    is_of_system || comes_and_goes || is_of_stranger
}

/// Whether a path in the person's home begins in a folder that this home does not have: it is another machine's.
pub(super) fn begins_elsewhere(home: &Path, inside: &Path) -> bool {
    let mut parts = inside.components();
    match (parts.next(), parts.next()) {
        (Some(first), Some(_)) => !home.join(first).is_dir(),
        _ => false,
    }
}
