//! Permission: reading anywhere but where credentials are kept, writing only Markdown files inside the working copy that are
//! memories of the store itself, nothing else.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::Reach;
use crate::memory::names::{folded, is_markdown, set_apart};

/// Where a path of a tool call leads for reading, or why it may not be read: relative ones start at the working copy, links
/// are followed before it is judged.
pub(super) fn readable(root: &Path, reach: &Reach, path: &str) -> Result<PathBuf, String> {
    let asked = root.join(path);
    let real = asked.canonicalize().unwrap_or_else(|_| asked.clone());
    if reach.is_closed(&asked) || reach.is_closed(&real) {
        return Err(format!("{path}: credentials may lie there; it is not read"));
    }
    Ok(asked)
}

/// Where a path of a tool call leads for writing, or why it may not be written.
///
/// `root` is canonical. Every part below it is looked at without following links, so neither `..` nor a link, wherever it
/// points, leads out; a file with a second name (hard link) may lie outside as well and is refused too.
pub(super) fn writable(root: &Path, path: &str) -> Result<PathBuf, String> {
    if path.is_empty() || path.contains('\0') {
        return Err("an empty or impossible path".to_owned());
    }
    let asked = Path::new(path);
    let inside = if asked.is_absolute() {
        asked.strip_prefix(root).map_err(|_| {
            format!("{path} is outside the memory directory; write inside it, with a relative path like topic.md")
        })?
    } else {
        asked
    };
    let mut parts = Vec::new();
    for part in inside.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(name) => match name.to_str() {
                Some(name) if !name.starts_with('.') => parts.push(name.to_owned()),
                Some(name) => return Err(format!("{path}: names that begin with a dot ({name}) are not for memories")),
                None => return Err(format!("{path} is not Unicode")),
            },
            _ => return Err(format!("{path} leads out of the memory directory; `..` is not allowed")),
        }
    }
    let Some((file, directories)) = parts.split_last() else {
        return Err(format!("{path} names no file"));
    };
    if !is_markdown(file) {
        return Err(format!("{path}: only Markdown files (.md) are memories"));
    }
    // Folded: some file systems keep no letter case.
    if let Some(what) = set_apart(&folded(&parts.join("/"))) {
        return Err(format!("{path} is a {what}: it is read and not written here; write beside it, as topic.md"));
    }
    let mut at = root.to_owned();
    for directory in directories {
        at.push(directory);
        match fs::symlink_metadata(&at) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(format!("{path}: {directory} is not a plain directory")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{path}: {error}")),
        }
    }
    at.push(file);
    match fs::symlink_metadata(&at) {
        Ok(found) if !found.is_file() => Err(format!("{path} is not a plain file")),
        Ok(found) if has_other_names(&found) => Err(format!("{path} has a second name elsewhere (a hard link)")),
        Ok(_) => Ok(at),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(at),
        Err(error) => Err(format!("{path}: {error}")),
    }
}

#[cfg(unix)]
fn has_other_names(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.nlink() > 1
}

#[cfg(not(unix))]
fn has_other_names(_found: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn files_inside_may_be_written_by_relative_and_absolute_path() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        assert_eq!(writable(&root, "a.md").unwrap(), root.join("a.md"));
        assert_eq!(writable(&root, "./sub/b.md").unwrap(), root.join("sub/b.md"));
        assert_eq!(writable(&root, root.join("c.md").to_str().unwrap()).unwrap(), root.join("c.md"));
    }

    #[test]
    fn reading_stops_where_credentials_lie_and_nowhere_else() {
        let root = Path::new("/store");
        for path in [
            "/home/me/.ssh/id_ed25519",
            "/home/me/.ssh/known_hosts",
            "/home/me/.aws/credentials",
            "/work/a/.env",
            "/work/a/.ENV",
            "/work/a/.env.production",
            "/work/a/deploy.pem",
            "/work/a/tls/server.key",
            "/home/me/.netrc",
            "/home/me/.npmrc",
            "/home/me/.config/gh/hosts.yml",
            "/home/me/.config/dreamtop/config.yaml",
            "/home/me/.claude/.credentials.json",
            "/proc/self/environ",
            "/dev/stdin",
            "/keys/id_rsa",
            "/etc/shadow",
            "/home/me/.kube/config",
            "../.ssh/x",
        ] {
            let why = readable(root, &Reach::default(), path).unwrap_err();
            assert!(why.contains("credentials"), "{why}");
        }
        for path in [
            "a.md",
            "logs/2026/x.md",
            "/work/a/src/env.rs",
            "/work/a/.env.example",
            "/work/gh/readme.md",
            "/work/dreamtop/src/lib.rs",
            "/work/a/keyboard.rs",
            "/work/a/id_map.rs",
            "/home/me/.ssh_notes.md",
            "/work/a/processes.md",
            "user_credentials.md",
        ] {
            assert!(readable(root, &Reach::default(), path).is_ok(), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_credentials_is_judged_by_where_it_leads() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".ssh")).unwrap();
        fs::write(dir.path().join(".ssh/config"), "x").unwrap();
        std::os::unix::fs::symlink(dir.path().join(".ssh"), dir.path().join("notes")).unwrap();
        assert!(readable(dir.path(), &Reach::default(), "notes/config").is_err());
    }

    #[test]
    fn whatever_leads_out_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for path in [
            "../x.md",
            "sub/../../x.md",
            "/etc/x.md",
            "",
            ".",
            "a\0.md",
            ".consolidate-lock",
            ".git/x.md",
            "x.txt",
            "/proc/self/root/x.md",
        ] {
            assert!(writable(&root, path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn what_is_set_apart_in_a_store_is_refused_and_a_name_that_only_looks_like_it_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let absolute = root.join("team/x.md");
        for path in ["team/x.md", "./team//x.md", "Team/x.md", "team/MEMORY.md", "logs/2026/11/a.md"] {
            assert!(writable(&root, path).is_err(), "{path:?}");
        }
        assert!(writable(&root, absolute.to_str().unwrap()).is_err());
        for path in ["team.md", "teams/x.md", "sub/team/x.md", "logs.md"] {
            assert!(writable(&root, path).is_ok(), "{path:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_wherever_they_point() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(outside.path(), root.join("away")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("gone.md"), root.join("dangling.md")).unwrap();
        fs::write(outside.path().join("hard.md"), "x").unwrap();
        fs::hard_link(outside.path().join("hard.md"), root.join("hard.md")).unwrap();
        for path in ["away/x.md", "dangling.md", "hard.md"] {
            assert!(writable(&root, path).is_err(), "{path:?}");
        }
    }
}
