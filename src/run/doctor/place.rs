//! The places: our state directory and the store, their file systems, whether they can be watched, and who else dreams.

use std::fs;
use std::path::Path;

use super::{Check, Examination};
use crate::memory::LOCK_FILE;
use crate::project::{Choice, Decision};
use crate::run::lock::{self, Standing};
use crate::run::schedule::Schedule;
use crate::run::{pause, volume};

/// Less room than this and a run may not get through.
const LITTLE: u64 = 64 << 20;

/// Our state directory.
pub(super) fn state(examination: Examination<'_>) -> Vec<Check> {
    let root = examination.state.root();
    let mut checks = Vec::new();
    if root.is_dir() {
        match volume::access(root) {
            Ok(()) => checks.push(Check::ok("state", "our state directory can be read and written").at(root)),
            Err(why) => {
                let next = "make it yours and writable, or name another place with XDG_STATE_HOME";
                checks.push(Check::fail("state", format!("our state directory {why}"), next).at(root));
            }
        }
    } else if root.exists() {
        let next = "move it away, or name another place with XDG_STATE_HOME";
        checks.push(Check::fail("state", "our state directory is a file", next).at(root));
    } else {
        checks.push(Check::ok("state", "our state directory is made when there is something to keep").at(root));
    }
    checks.push(room("state-disk", root));
    if let Some(kind) = volume::network(root) {
        let next = "name a local place with XDG_STATE_HOME: locks of ours lie there";
        checks.push(
            Check::warn("state-disk", format!("our state lies on a network file system ({kind})"), next).at(root),
        );
    }
    checks
}

fn room(check: &'static str, directory: &Path) -> Check {
    let next = "make room";
    match volume::room(directory) {
        Ok(free) if free < volume::NO_ROOM => Check::fail(check, "the disk is full", next).at(directory),
        Ok(free) if free < LITTLE => Check::warn(check, format!("only {} MB are free", free >> 20), next).at(directory),
        Ok(free) => Check::ok(check, format!("{} MB free", free >> 20)).at(directory),
        Err(error) => Check::warn(check, format!("how much room there is cannot be told: {error}"), next).at(directory),
    }
}

/// The store that is meant.
pub(super) fn store(examination: Examination<'_>, choice: &Choice) -> Vec<Check> {
    let root = choice.store.root();
    let decided = match choice.decision {
        Decision::Flag => "named by --memory-dir",
        Decision::Setting => "named by autoMemoryDirectory",
        Decision::GitRoot => "by the project's root",
        Decision::WorkingDirectory => "by the working directory",
    };
    if !root.is_dir() {
        let is_taken = fs::symlink_metadata(root).is_ok();
        let check = if is_taken {
            Check::fail("store", "the memory directory is no directory", "move away what is there")
        } else {
            Check::ok("store", format!("no memory directory yet ({decided}); the first memory makes it"))
        };
        return vec![check.at(root)];
    }
    let mut checks = vec![match volume::access(root) {
        Ok(()) => Check::ok("store", format!("can be read and written ({decided})")),
        Err(why) if why.contains("written") => Check::warn(
            "store",
            format!("it {why} ({decided}): it can be looked at only"),
            "make it writable, or leave it so",
        ),
        Err(why) => Check::fail("store", format!("it {why} ({decided})"), "make it readable to you"),
    }];
    checks.push(room("store-disk", root));
    if let Some(kind) = volume::network(root) {
        let next = "dream.on_network: true in config.yaml lets automatic dreams run there";
        let message = format!("it lies on a network file system ({kind}), where no lock is certain");
        let open = Check::ok("store-disk", format!("{message}; automatic dreams run there, as dream.on_network says"));
        checks.push(if examination.config.dream.on_network { open } else { Check::warn("store-disk", message, next) });
    }
    checks.push(lock_file(examination, root));
    checks.push(watcher(root));
    for check in &mut checks {
        check.path.get_or_insert_with(|| root.to_owned());
    }
    checks
}

/// The lock in the store, and whoever else dreams.
fn lock_file(examination: Examination<'_>, root: &Path) -> Check {
    let now = examination.clock.now();
    let schedule = Schedule::of(examination.state, root);
    let path = root.join(LOCK_FILE);
    let is_odd = fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file());
    let dated = fs::symlink_metadata(&path).ok().and_then(|found| found.modified().ok()).map(crate::clock::file_time);
    let is_to_come = dated.is_some_and(|dated| dated > now + lock::JITTER);
    let check = match lock::standing(root, schedule.dir(), now) {
        Standing::Held(why) if is_odd => Check::fail("dreamers", why, "remove it if it is not wanted"),
        Standing::Held(why) if is_to_come => {
            let message =
                format!("{why}; its lock is dated in the future, so its hour counts from the first dream that met it");
            Check::warn("dreamers", message, "wait for that hour, or remove the lock when that process does not dream")
        }
        Standing::Held(why) => Check::ok("dreamers", why),
        _ if is_to_come => {
            let next = "set the clock right, or remove the lock when nothing dreams; our own record counts until then";
            Check::warn("dreamers", "the lock is dated in the future, which says nothing about the last dream", next)
        }
        Standing::Free | Standing::Stale(_) => Check::ok("dreamers", "nobody is consolidating this store"),
    };
    check.at(&path)
}

/// Whether changes are told by the system, or have to be looked for.
fn watcher(root: &Path) -> Check {
    use notify::Watcher;
    let watched = notify::recommended_watcher(|_: notify::Result<notify::Event>| {})
        .and_then(|mut watcher| watcher.watch(root, notify::RecursiveMode::NonRecursive));
    match watched {
        Ok(()) if volume::network(root).is_some() => {
            Check::ok("watcher", "changes are watched; those of other machines are looked for every few seconds")
        }
        Ok(()) => Check::ok("watcher", format!("changes are told by the system{}", limits())),
        Err(error) => {
            let message = format!("changes cannot be watched ({error}); the screen looks every few seconds instead");
            Check::warn("watcher", message, next_watcher())
        }
    }
}

/// The limits that a watcher meets, where the system tells them.
fn limits() -> String {
    let read = |name: &str| fs::read_to_string(format!("/proc/sys/fs/inotify/{name}")).ok();
    match (read("max_user_watches"), read("max_user_instances")) {
        (Some(watches), Some(instances)) => {
            format!(" (at most {} watches, {} watchers)", watches.trim(), instances.trim())
        }
        _ => String::new(),
    }
}

fn next_watcher() -> &'static str {
    if cfg!(target_os = "linux") {
        "raise fs.inotify.max_user_watches and fs.inotify.max_user_instances (sysctl), or leave it so"
    } else {
        "nothing needs to be done"
    }
}

/// Engines that refuse for now.
pub(super) fn pauses(examination: Examination<'_>) -> Vec<Check> {
    let Examination { state, config, environment, clock, .. } = examination;
    let pauses = pause::all(state, config, environment, clock.now());
    let next = "put right what it says, or wait; a run by hand tries at once";
    pauses.iter().map(|pause| Check::warn("pauses", pause.words(), next)).collect()
}
