//! Processes: is one still alive, and is it still the same one.
//!
//! A process id alone proves nothing: it is given out again after a while, after a reboot, in a restarted container. Its
//! *birth* (start time, and the boot it belongs to) tells two holders of one id apart, and its *identity* (also the machine
//! and the space in which process ids count) tells when the question cannot be answered from here at all.
//!
//! Not its job: killing a run (`crate::run::kill`) and locks (`crate::lock_file`, `crate::run::lock`).

use serde::{Deserialize, Serialize};

/// A process, as others can recognise it: in a record beside whatever it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Identity {
    /// Its process id.
    pub pid: u32,
    /// When it was born, see [`birth`].
    pub birth: Option<String>,
    /// Where it runs.
    #[serde(flatten)]
    pub place: Place,
}

/// Where a process runs: what its id means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Place {
    /// The boot of the machine.
    pub boot_id: Option<String>,
    /// The space in which process ids count: another container's differs.
    pub namespace: Option<String>,
    /// The machine's name.
    pub host: String,
}

impl Place {
    /// Here.
    #[must_use]
    pub fn here() -> Self {
        Self { boot_id: boot_id(), namespace: namespace(), host: host() }
    }
}

/// What can be said from here about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It is there.
    Alive,
    /// It is gone: no such process, another one with its id, or another boot of this machine.
    Dead,
    /// It counts its process ids elsewhere: another container, another machine. Only its silence tells.
    Unknown,
}

impl Identity {
    /// This process.
    #[must_use]
    pub fn own() -> Self {
        let pid = std::process::id();
        Self { pid, birth: birth(pid), place: Place::here() }
    }

    /// Whether it is still there, as far as can be told from here.
    #[must_use]
    pub fn life(&self) -> Life {
        let (place, here) = (&self.place, Place::here());
        // Of a time when no place was written down: the process id has to do.
        let is_known = *place != Place::default();
        if is_known && place.boot_id != here.boot_id {
            // The same machine started anew; a machine of another name may well be running.
            return if place.host == here.host { Life::Dead } else { Life::Unknown };
        }
        let is_contained = place.namespace.is_some() && place.namespace != here.namespace;
        // Where platforms name no boot, two machines of different names are two machines.
        if is_contained || (is_known && here.boot_id.is_none() && place.host != here.host) {
            return Life::Unknown;
        }
        if is_same_and_alive(self.pid, self.birth.as_deref()) { Life::Alive } else { Life::Dead }
    }
}

/// When a process was born, in a form that no other process with the same id ever has. `None`: it is not there (a process
/// that has ended but was not yet waited for counts as gone), or the platform does not say.
#[must_use]
pub fn birth(pid: u32) -> Option<String> {
    if pid == 0 {
        return None;
    }
    platform::birth(pid)
}

/// Whether a process of that id is alive. Ids that no process can have (0, beyond the range) are not, and no signal is
/// ever sent to find out about them: 0 and negative numbers would address groups.
#[must_use]
pub fn is_alive(pid: u32) -> bool {
    pid != 0 && i32::try_from(pid).is_ok() && platform::is_alive(pid)
}

/// Whether the process that had this id and birth is still alive. Without a birth the id has to do.
#[must_use]
pub fn is_same_and_alive(pid: u32, born: Option<&str>) -> bool {
    is_alive(pid) && born.is_none_or(|born| birth(pid).is_none_or(|now| now == born))
}

/// What tells this boot of this machine from any other. `None` where the platform does not say.
#[must_use]
pub fn boot_id() -> Option<String> {
    platform::boot_id()
}

/// The space in which process ids count here. `None` where the platform has one only, or does not say.
#[must_use]
pub fn namespace() -> Option<String> {
    platform::namespace()
}

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

/// From now on, a write beyond the largest file this process may make (`ulimit -f`) is an error like that of a full disk,
/// and no longer the end of the process. What it starts begins with the system's own ways again.
pub fn outlive_file_limits() {
    #[cfg(unix)]
    {
        // Nobody looks at the flag. Where it cannot be had, all is as it was.
        let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let _ = signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), flag);
    }
}

/// The machine's name, as far as it says.
#[must_use]
pub fn host() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    return std::env::var("COMPUTERNAME").unwrap_or_default();
}

#[cfg(target_os = "linux")]
mod platform {
    use std::fs;
    use std::io::ErrorKind;

    pub(super) fn namespace() -> Option<String> {
        Some(fs::read_link("/proc/self/ns/pid").ok()?.to_string_lossy().into_owned())
    }

    /// Every process with its parent.
    pub(super) fn parents() -> Vec<(u32, u32)> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        // The parent is field 4 of the whole line; the first one here is field 3.
        pids.filter_map(|pid| Some((pid, fields(pid).ok()?.get(1)?.parse().ok()?))).collect()
    }

    /// The living processes with a variable of this value, as far as they may be looked at.
    pub(super) fn marked(variable: &str, value: &std::path::Path) -> Vec<u32> {
        let wanted = [variable.as_bytes(), b"=", value.as_os_str().as_encoded_bytes()].concat();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let has_it = |pid: &u32| {
            let text = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            text.split(|byte| *byte == 0).any(|entry| entry == wanted)
        };
        pids.filter(has_it).filter(|pid| is_alive(*pid)).collect()
    }

    pub(super) fn boot_id() -> Option<String> {
        Some(fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().to_owned())
    }

    /// The fields after the command name, which may itself hold blanks and brackets.
    fn fields(pid: u32) -> std::io::Result<Vec<String>> {
        let text = String::from_utf8_lossy(&fs::read(format!("/proc/{pid}/stat"))?).into_owned();
        let after = text.rsplit_once(')').map_or("", |(_, after)| after);
        Ok(after.split_whitespace().map(str::to_owned).collect())
    }

    fn has_ended(fields: &[String]) -> bool {
        fields.first().is_none_or(|state| matches!(state.as_str(), "Z" | "X" | "x"))
    }

    pub(super) fn birth(pid: u32) -> Option<String> {
        let fields = fields(pid).ok()?;
        if has_ended(&fields) {
            return None;
        }
        // Field 22 of the whole line; the first one here is field 3.
        let ticks = fields.get(19)?;
        Some(format!("{ticks}@{}", boot_id().unwrap_or_default()))
    }

    pub(super) fn is_alive(pid: u32) -> bool {
        match fields(pid) {
            Ok(fields) => !has_ended(&fields),
            Err(error) if error.kind() == ErrorKind::NotFound && fs::metadata("/proc/self").is_ok() => false,
            Err(_) => super::answers(pid),
        }
    }
}

#[cfg(all(unix, not(target_os = "linux")))]
mod platform {
    use std::process::{Command, Stdio};

    pub(super) fn namespace() -> Option<String> {
        None
    }

    /// Every process with its parent.
    pub(super) fn parents() -> Vec<(u32, u32)> {
        let output = Command::new("ps").args(["-axo", "pid=,ppid="]).stdin(Stdio::null()).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        let pair = |line: &str| {
            let mut words = line.split_whitespace();
            Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
        };
        text.lines().filter_map(pair).collect()
    }

    /// Environments of others are not shown here.
    pub(super) fn marked(_variable: &str, _value: &std::path::Path) -> Vec<u32> {
        Vec::new()
    }

    pub(super) fn boot_id() -> Option<String> {
        let output = Command::new("sysctl").args(["-n", "kern.boottime"]).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (!text.is_empty()).then_some(text)
    }

    pub(super) fn birth(pid: u32) -> Option<String> {
        let pid = pid.to_string();
        let output = Command::new("ps").args(["-o", "stat=,lstart=", "-p", &pid]).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        let (state, started) = text.trim().split_once(' ')?;
        (!state.starts_with('Z')).then(|| started.trim().to_owned())
    }

    pub(super) fn is_alive(pid: u32) -> bool {
        super::answers(pid) && birth(pid).is_some()
    }
}

#[cfg(not(unix))]
mod platform {
    pub(super) fn boot_id() -> Option<String> {
        None
    }

    pub(super) fn namespace() -> Option<String> {
        None
    }

    pub(super) fn parents() -> Vec<(u32, u32)> {
        Vec::new()
    }

    pub(super) fn marked(_variable: &str, _value: &std::path::Path) -> Vec<u32> {
        Vec::new()
    }

    pub(super) fn birth(_pid: u32) -> Option<String> {
        None
    }

    /// Without a way to ask, a process counts as alive; the one-hour rule of the lock ends that.
    pub(super) fn is_alive(_pid: u32) -> bool {
        true
    }
}

/// Whether the operating system knows the process, also when it belongs to somebody else.
#[cfg(unix)]
fn answers(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        Err(error) => error == rustix::io::Errno::PERM,
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;

    #[test]
    fn this_process_is_alive_and_keeps_its_birth() {
        let pid = std::process::id();
        assert!(is_alive(pid));
        let born = birth(pid).unwrap();
        assert_eq!(birth(pid).unwrap(), born);
        assert!(is_same_and_alive(pid, Some(&born)));
        assert!(!is_same_and_alive(pid, Some("another time")));
    }

    #[test]
    fn impossible_ids_are_dead() {
        for pid in [0, u32::MAX, i32::MAX as u32 + 1, i32::MAX as u32] {
            assert!(!is_alive(pid), "{pid}");
        }
    }

    #[test]
    fn an_ended_child_that_nobody_waited_for_is_dead() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        let ended = (0..200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(5));
            !is_alive(pid)
        });
        assert!(ended);
        assert_eq!(birth(pid), None);
        child.wait().unwrap();
    }

    #[test]
    fn an_identity_is_alive_here_dead_after_a_reboot_and_unknown_from_another_container_or_machine() {
        let own = Identity::own();
        assert_eq!(own.life(), Life::Alive);
        let at = |place: Place| Identity { place, ..own.clone() };
        let reused = Identity { birth: Some("at another time".into()), ..own.clone() };
        let rebooted = at(Place { boot_id: Some("an earlier boot".into()), ..Place::here() });
        assert_eq!((reused.life(), rebooted.life()), (Life::Dead, Life::Dead));
        let contained = at(Place { namespace: Some("pid:[1]".into()), ..Place::here() });
        let remote = at(Place { host: "elsewhere".into(), boot_id: Some("its own".into()), ..Place::here() });
        assert_eq!((contained.life(), remote.life()), (Life::Unknown, Life::Unknown));
        assert_eq!(at(Place::default()).life(), Life::Alive, "without a place the id has to do");
    }

    #[cfg(unix)]
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
