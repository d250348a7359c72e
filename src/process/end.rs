//! Ending processes: what descends from one, what it left in its group, what bears a mark. Never by a bare number, which may
//! have become another process's, and never this process or its own group.
//!
//! Not its job: when a run is ended, and what is said of it (`crate::run::kill`).

use super::{birth, is_alive, is_same_and_alive, platform};

/// Every process that descends from one, as far as the system tells: children, and theirs. Their births, so that none is
/// mistaken for another later.
#[must_use]
pub fn descendants(pid: u32) -> Vec<(u32, Option<String>)> {
    let all = platform::parents();
    let mut found: Vec<u32> = Vec::new();
    let mut open = vec![pid];
    while let Some(parent) = open.pop() {
        for (child, _) in all.iter().filter(|(_, of)| *of == parent) {
            if *child != pid && !found.contains(child) {
                found.push(*child);
                open.push(*child);
            }
        }
    }
    found.into_iter().map(|pid| (pid, birth(pid))).collect()
}

/// Ends processes at once; those that are gone or were replaced by others are left alone.
pub fn end_all(processes: &[(u32, Option<String>)]) {
    for (pid, born) in processes {
        if is_same_and_alive(*pid, born.as_deref()) {
            end(*pid);
        }
    }
}

/// Ends every process that has this mark in its environment, wherever it went: into a group of its own, or to another
/// parent. Only as far as the system shows environments, which Linux does; elsewhere nothing is found. Never this process.
pub fn end_marked(variable: &str, value: &std::path::Path) {
    let own = std::process::id();
    let mut in_vain = 0;
    // One that starts another meanwhile is found with it the next time, and one that is just becoming another program
    // shows no environment for a moment.
    for _ in 0..16 {
        let found: Vec<u32> = platform::marked(variable, value).into_iter().filter(|pid| *pid != own).collect();
        in_vain = if found.is_empty() { in_vain + 1 } else { 0 };
        if in_vain == 4 {
            return;
        }
        found.into_iter().for_each(end);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// Whether all that is below this process is its own to end.
static OWNS_ALL_BELOW: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// This process takes over every descendant whose parent ends (Linux), so that none leaves by a parent of its own, and
/// whatever is below it is its own to end: see [`end_all_below`].
pub fn own_all_below() {
    OWNS_ALL_BELOW.store(true, std::sync::atomic::Ordering::Relaxed);
    // Where the kernel does not know this, what leaves is found by its group and its environment only.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
}

/// Ends whatever descends from this process, if it said that all of it is its own.
pub fn end_all_below() {
    if !OWNS_ALL_BELOW.load(std::sync::atomic::Ordering::Relaxed) {
        return;
    }
    // What starts another one meanwhile is found with it the next time.
    for _ in 0..16 {
        let below = descendants(std::process::id());
        if !below.iter().any(|(pid, born)| is_same_and_alive(*pid, born.as_deref())) {
            return;
        }
        end_all(&below);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Ends a process at once. Ids that would address a group, or everybody, are refused.
#[cfg(unix)]
fn end(pid: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    if let Some(pid) = i32::try_from(pid).ok().filter(|pid| *pid > 1).and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// Elsewhere nothing is ended.
#[cfg(not(unix))]
fn end(_pid: u32) {}

/// The process group of a process, when it leads it: then what it left behind can be found by it.
#[must_use]
pub fn leads_group(pid: u32) -> bool {
    #[cfg(unix)]
    return i32::try_from(pid)
        .ok()
        .and_then(rustix::process::Pid::from_raw)
        .is_some_and(|pid| rustix::process::getpgid(Some(pid)) == Ok(pid));
    #[cfg(not(unix))]
    {
        let _ = pid;
        false
    }
}

/// Ends a child of ours with the group that it leads. Not yet waited for, its number is still its own.
pub fn end_group(leader: u32) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, getpgrp, kill_process_group};
        let group = i32::try_from(leader).ok().filter(|pid| *pid > 1).and_then(Pid::from_raw);
        if let Some(group) = group.filter(|group| *group != getpgrp()) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    #[cfg(not(unix))]
    let _ = leader;
}

/// Ends what is left of the group that a dead process led. As long as a group has members its number is given to no new
/// process, so these can only be what that process started. Never our own group.
pub fn end_group_of_dead(leader: u32) {
    if !is_alive(leader) {
        end_group(leader);
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn descendants_are_found_and_ended_and_others_are_left_alone() {
        let mut child = std::process::Command::new("sh").args(["-c", "sleep 60 & wait"]).spawn().unwrap();
        let has_grandchild = (0..400).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            !descendants(child.id()).is_empty()
        });
        assert!(has_grandchild);
        let below = descendants(child.id());
        let replaced: Vec<_> = below.iter().map(|(pid, _)| (*pid, Some("another".to_owned()))).collect();
        end_all(&replaced);
        assert!(below.iter().all(|(pid, _)| is_alive(*pid)), "a process with another birth is another process");
        end_all(&below);
        child.wait().unwrap();
        assert!(below.iter().all(|(pid, _)| !is_alive(*pid)));
    }
}
