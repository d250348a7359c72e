//! Processes: is one still alive, and is it still the same one.
//!
//! A process id alone proves nothing: it is given out again after a while, after a reboot, in a restarted container. Its
//! *birth* (start time, and the boot it belongs to) tells two holders of one id apart.

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
}
