//! Walls of the kernel around what is started from here, as a thread of its own puts them up.
//!
//! They hold for the thread that asks for them and for all it starts, so the rest of the program stays as it was. Not its
//! job: what is started, and the narrower walls around commands of a model (`shell::sandbox`).

use std::path::PathBuf;

/// Does something on a thread of its own behind walls that `put_up` raises; the processes it starts are held by them.
///
/// # Errors
/// When the walls cannot be put up: nothing was done then.
pub(super) fn behind<T: Send>(
    put_up: impl FnOnce() -> Result<(), String> + Send,
    work: impl FnOnce() -> T + Send,
) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("sandbox".to_owned())
            .spawn_scoped(scope, move || {
                put_up()?;
                Ok(work())
            })
            .map_err(|error| format!("no thread for the sandbox: {error}"))?;
        thread.join().map_err(|_| "the sandbox broke off".to_owned())?
    })
}

/// Does something behind walls that let only `writable` be changed; reading and the network stay as they are.
///
/// # Errors
/// When there are no such walls here: nothing was done then.
pub(super) fn held_to<T: Send>(writable: &[PathBuf], work: impl FnOnce() -> T + Send) -> Result<T, String> {
    behind(|| put_up(writable), work)
}

#[cfg(target_os = "linux")]
fn put_up(writable: &[PathBuf]) -> Result<(), String> {
    use std::path::Path;

    use landlock::{ABI, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus};

    let words = |error: landlock::RulesetError| format!("the kernel's Landlock is not to be had: {error}");
    let all = AccessFs::from_write(ABI::V3);
    let file = all & AccessFs::from_file(ABI::V3);
    let mut ruleset = Ruleset::default().handle_access(all).map_err(words)?.create().map_err(words)?;
    let rules = writable.iter().map(|path| (path.as_path(), all)).chain([(Path::new("/dev"), file)]);
    for (path, access) in rules {
        // What is not there is not made.
        let Ok(opened) = PathFd::new(path) else { continue };
        let access = if path.is_dir() { access } else { access & file };
        ruleset = ruleset.add_rule(PathBeneath::new(opened, access)).map_err(words)?;
    }
    match ruleset.restrict_self().map_err(words)?.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel's Landlock is switched off".to_owned()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn put_up(_writable: &[PathBuf]) -> Result<(), String> {
    Err("this system has no sandbox that dreamtop knows".to_owned())
}
