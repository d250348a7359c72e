//! Processes: is one still alive, and is it still the same one.
//!
//! A process id alone proves nothing: it is given out again after a while, after a reboot, in a restarted container. Its
//! *birth* (start time, and the boot it belongs to) tells two holders of one id apart, and its *identity* (also the machine
//! and the space in which process ids count) tells when the question cannot be answered from here at all.
//!
//! Not its job: killing a run (`crate::run::kill`) and locks (`crate::lock_file`, `crate::run::lock`).

mod end;
#[cfg(target_os = "linux")]
#[path = "process/linux.rs"]
mod platform;
#[cfg(all(unix, not(target_os = "linux")))]
#[path = "process/unix.rs"]
mod platform;
#[cfg(not(unix))]
#[path = "process/other.rs"]
mod platform;

use serde::{Deserialize, Serialize};

pub use end::{
    descendants, end_all, end_all_below, end_group, end_group_of_dead, end_marked, leads_group, own_all_below,
};

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

/// Whether the operating system knows the process, also when it belongs to somebody else.
#[cfg(unix)]
fn answers(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        Err(error) => error == rustix::io::Errno::PERM,
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
}
