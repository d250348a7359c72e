//! Places that hold credentials: never read for a model, and never as a memory, whoever asks.
//!
//! Judged by name and place, before anything is opened. A link in a store is judged by where it leads, so that none makes a
//! memory of a key. Not its job: credentials inside ordinary files ([`crate::secret`] masks those in what is sent).

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::memory::names::folded;

/// Directories in which nothing is read, wherever they lie.
const SECRET_DIRECTORIES: [&str; 16] = [
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".password-store",
    ".pki",
    ".mozilla",
    "keychains",
    "keyrings",
    "gcloud",
    "gh",
    "op",
    "google-chrome",
    "dreamtop",
];
/// Of these only in a configuration directory: a project may have a folder of that name.
const ONLY_CONFIGURED: [&str; 5] = ["gcloud", "gh", "op", "google-chrome", "dreamtop"];
/// Files that hold credentials by their name.
const SECRET_FILES: [&str; 22] = [
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".credentials.json",
    ".claude.json",
    "credentials",
    "credentials.json",
    "shadow",
    "gshadow",
    "auth.json",
    ".vault-token",
    "application_default_credentials.json",
    "credentials.toml",
    "sudoers",
    ".bash_history",
    ".zsh_history",
    ".psql_history",
];
/// What the rules below know otherwise, as patterns of names.
const SECRET_PATTERNS: [&str; 8] = [".env", ".envrc", ".env.*", "*.env", "id_rsa", "id_ecdsa", "id_ed25519", "id_dsa"];
/// And by their ending.
const SECRET_ENDINGS: [&str; 8] = [".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk"];
/// What is no file but a window into the machine.
const MACHINE: [&str; 3] = ["/proc", "/sys", "/dev"];

/// So many links in a row are followed; the system gives up before.
const MOST_LINKS: usize = 40;

/// Refuses a file of a store that is a link to where credentials lie, at whichever of its steps. Inside the store only the
/// names below its root count: where a store lies says nothing of what is in it.
///
/// # Errors
/// `PermissionDenied`, in words without the path.
pub(crate) fn check_link(root: &Path, path: &Path) -> io::Result<()> {
    let real_root = root.canonicalize().ok();
    let is_kept = |place: &Path| {
        let inside =
            [Some(root), real_root.as_deref()].into_iter().flatten().find_map(|root| place.strip_prefix(root).ok());
        holds_secrets(inside.unwrap_or(place))
    };
    let mut at = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = at.read_link() else { return Ok(()) };
        let beside = at.parent().unwrap_or(root).join(target);
        // Both count: what the link is written to, and where the directories on its way really lie.
        let real = beside.parent().and_then(|parent| parent.canonicalize().ok()).zip(beside.file_name());
        let real = real.map_or_else(|| plain(&beside), |(parent, name)| parent.join(name));
        if is_kept(&plain(&beside)) || is_kept(&real) {
            let message = "it is a link to where credentials are kept, which is not read; take the link away";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, message));
        }
        at = real;
    }
    Ok(())
}

/// A path without `.` and `..`, as far as its text says.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            _ => plain.push(part),
        }
    }
    plain
}

/// Whether credentials lie in a place, going by its name.
pub(crate) fn holds_secrets(path: &Path) -> bool {
    // Files in memory are files.
    if MACHINE.iter().any(|place| path.starts_with(place)) && !path.starts_with("/dev/shm") {
        return true;
    }
    let names: Vec<String> = path.components().map(|part| folded(&part.as_os_str().to_string_lossy())).collect();
    let is_secret = |at: usize, name: &String| {
        let is_configured =
            at.checked_sub(1).and_then(|before| names.get(before)).is_some_and(|name| name == ".config");
        SECRET_DIRECTORIES.contains(&name.as_str()) && (is_configured || !ONLY_CONFIGURED.contains(&name.as_str()))
    };
    if names.iter().enumerate().any(|(at, name)| is_secret(at, name)) {
        return true;
    }
    let Some(file) = names.last() else { return false };
    let is_example = [".example", ".sample", ".template", ".dist"].iter().any(|ending| file.ends_with(ending));
    let is_environment =
        file == ".env" || file == ".envrc" || ((file.starts_with(".env.") || file.ends_with(".env")) && !is_example);
    let is_private_key = file.starts_with("id_") && !file.ends_with(".pub") && !file.contains('.');
    is_environment
        || is_private_key
        || SECRET_FILES.contains(&file.as_str())
        || SECRET_ENDINGS.iter().any(|ending| file.ends_with(ending))
}

/// The same as patterns of paths, for a program that judges them itself: absolute, with two slashes in front. They know no
/// exceptions and no letter case, and of private keys only the usual names.
pub(crate) fn patterns() -> impl Iterator<Item = String> {
    let directories = SECRET_DIRECTORIES.iter().map(|name| {
        let place = if ONLY_CONFIGURED.contains(name) { ".config/" } else { "" };
        format!("//**/{place}{name}/**")
    });
    let files = SECRET_FILES.iter().chain(&SECRET_PATTERNS).map(|name| format!("//**/{name}"));
    let endings = SECRET_ENDINGS.iter().map(|ending| format!("//**/*{ending}"));
    let machine = MACHINE.iter().map(|place| format!("/{place}/**"));
    // As macOS writes it.
    let keychains = ["//**/Keychains/**".to_owned()];
    directories.chain(keychains).chain(files).chain(endings).chain(machine)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn stores_of_secrets_are_known_by_place_and_name() {
        for path in [
            "/home/ada/.ssh/config",
            "/home/ada/.config/gcloud/legacy/x",
            "/home/ada/.mozilla/firefox/x/logins.json",
            "/Users/ada/Library/Keychains/login.keychain-db",
            "/home/ada/.bash_history",
            "/srv/app/prod.env",
            "/srv/app/tls/server.PEM",
            "/srv/app/login.ppk",
            "/etc/sudoers",
        ] {
            assert!(holds_secrets(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn ordinary_files_are_not() {
        for path in [
            "/home/ada/.claude/projects/x/memory/feedback_keys.md",
            "/srv/op/src/google-chrome/readme.md",
            "/srv/app/env.example",
            "/srv/app/src/environment.rs",
            "/srv/app/id_rsa.pub",
            "/srv/app/docs/credentials.md",
            "/srv/app/keys.rs",
        ] {
            assert!(!holds_secrets(Path::new(path)), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_judged_by_every_step_and_not_by_where_its_store_lies() {
        use std::fs;
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let store = dir.path().join(".config/dreamtop/memory");
        fs::create_dir_all(&store).unwrap();
        fs::create_dir_all(dir.path().join("vault")).unwrap();
        for file in ["vault/plain.md", ".config/dreamtop/memory/a.md", ".config/dreamtop/memory/.env"] {
            fs::write(dir.path().join(file), "x").unwrap();
        }
        symlink(dir.path().join("vault"), dir.path().join(".aws")).unwrap();
        for (name, target, is_kept) in [
            ("inside.md", "a.md", false),
            ("round.md", "../memory/./a.md", false),
            ("outside.md", "../../../vault/plain.md", false),
            ("through.md", "../../../.aws/plain.md", true),
            ("hop.md", "through.md", true),
            ("environment.md", ".env", true),
            ("above.md", "../config.yaml", true),
            ("machine.md", "/proc/self/environ", true),
            ("circle.md", "circle.md", false),
        ] {
            symlink(target, store.join(name)).unwrap();
            let checked = check_link(&store, &store.join(name));
            assert_eq!(checked.is_err(), is_kept, "{name}: {checked:?}");
        }
        assert!(check_link(&store, &store.join("a.md")).is_ok(), "a file is no link");
    }

    /// A path that a pattern means: what stands for anything is one name.
    fn example(pattern: &str) -> String {
        pattern
            .trim_start_matches('/')
            .split('/')
            .map(|part| format!("/{}", part.replace("**", "x").replace('*', "x")))
            .collect()
    }

    #[test]
    fn the_patterns_and_the_rules_mean_the_same_but_where_it_is_said() {
        let patterns: Vec<String> = patterns().collect();
        for pattern in &patterns {
            assert!(holds_secrets(Path::new(&example(pattern))), "{pattern}: {}", example(pattern));
        }
        let globs = patterns.iter().map(|pattern| {
            let pattern = pattern.strip_prefix('/').unwrap();
            globset::GlobBuilder::new(pattern).literal_separator(true).build().unwrap().compile_matcher()
        });
        let globs: Vec<globset::GlobMatcher> = globs.collect();
        let is_denied = |path: &str| globs.iter().any(|glob| glob.is_match(path));
        let directories = SECRET_DIRECTORIES.iter().map(|name| {
            let place = if ONLY_CONFIGURED.contains(name) { ".config/" } else { "" };
            format!("/home/ada/{place}{name}/deep/file")
        });
        let files = SECRET_FILES.iter().map(|name| format!("/srv/app/{name}"));
        let endings = SECRET_ENDINGS.iter().map(|ending| format!("/srv/app/a{ending}"));
        let machine = MACHINE.iter().map(|place| format!("{place}/x"));
        let others =
            ["/srv/.env", "/srv/.env.local", "/srv/prod.env", "/srv/.envrc", "/srv/id_ed25519"].map(str::to_owned);
        for path in directories.chain(files).chain(endings).chain(machine).chain(others) {
            assert!(holds_secrets(Path::new(&path)) && is_denied(&path), "{path}");
        }
        for path in
            ["/srv/app/src/main.rs", "/srv/op/x", "/srv/id_rsa.pub", "/srv/app/docs/credentials.md", "/srv/keys.rs"]
        {
            assert!(!holds_secrets(Path::new(path)) && !is_denied(path), "{path}");
        }
        // Where they differ: examples of environments, shared memory; other names of private keys, letter case, and a
        // directory itself, of which only the names in it would be told.
        for (path, by_rule, by_pattern) in [
            ("/srv/app/.env.example", false, true),
            ("/dev/shm/x/project_a.md", false, true),
            ("/srv/id_work", true, false),
            ("/srv/tls/server.PEM", true, false),
            ("/home/ada/.ssh", true, false),
        ] {
            assert_eq!((holds_secrets(Path::new(path)), is_denied(path)), (by_rule, by_pattern), "{path}");
        }
    }
}
