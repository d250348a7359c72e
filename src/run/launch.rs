//! Starting a worker as a detached process of our own binary.

use std::path::Path;
use std::process::{Command, Stdio};

/// Starts `executable arguments…` in a process group of its own, without terminal, input or output. Returns its pid.
///
/// The child gets exactly the given environment, and the mark of a process of ours; it outlives this process. Nobody waits
/// for it: that is for those that end right after. While this process lives on, an ended child stays a zombie.
///
/// # Errors
/// When the process cannot be started.
pub fn detached(
    executable: &Path,
    arguments: &[String],
    environment: &crate::environment::Environment,
) -> std::io::Result<u32> {
    start(executable, arguments, environment).map(|child| child.id())
}

/// Like [`detached`], for a process that lives on: a thread waits for the child, so that it is never a zombie for long.
///
/// # Errors
/// When the process cannot be started.
pub fn watched(
    executable: &Path,
    arguments: &[String],
    environment: &crate::environment::Environment,
) -> std::io::Result<u32> {
    let mut child = start(executable, arguments, environment)?;
    let pid = child.id();
    std::thread::spawn(move || {
        let _ = child.wait();
    });
    Ok(pid)
}

fn start(
    executable: &Path,
    arguments: &[String],
    environment: &crate::environment::Environment,
) -> std::io::Result<std::process::Child> {
    let mut command = Command::new(executable);
    command.args(arguments).env_clear().envs(environment.variables()).env(crate::environment::CHILD, "1");
    command.current_dir(environment.current_dir());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    command.spawn().map_err(|error| crate::state::with_path(error, "cannot start", executable))
}

/// A new run id: time and chance, sortable, `dream-20261130T090000-4f2a`.
#[must_use]
pub fn new_run_id(kind: crate::engine::JobKind, now: chrono::DateTime<chrono::Utc>) -> String {
    use std::hash::{BuildHasher, Hasher};
    // Every such state has random keys, which is all the chance an id needs.
    let chance = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{}-{}-{:06x}", kind.word(), now.format("%Y%m%dT%H%M%S"), chance & 0xff_ffff)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]
    use super::*;
    use crate::engine::JobKind;

    #[test]
    fn ids_sort_by_time_and_differ() {
        let now = "2026-11-30T09:00:00Z".parse().unwrap();
        let (first, second) = (new_run_id(JobKind::Dream, now), new_run_id(JobKind::Dream, now));
        assert!(first.starts_with("dream-20261130T090000-"));
        assert_ne!(first, second);
        assert!(new_run_id(JobKind::Dream, now + chrono::Duration::seconds(1)) > first.max(second));
    }

    #[cfg(unix)]
    #[test]
    fn a_detached_process_leads_its_own_group() {
        let dir = tempfile::tempdir().unwrap();
        let environment = crate::environment::Environment::of(dir.path(), &[("PATH", "/usr/bin:/bin")]);
        let script = "ps -o pgid= -p $$ > out.tmp; mv out.tmp out".to_owned();
        let pid = watched(Path::new("/bin/sh"), &["-c".to_owned(), script], &environment).unwrap();
        let out = dir.path().join("out");
        for _ in 0..400 {
            if out.exists() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let group: u32 = std::fs::read_to_string(out).unwrap().trim().parse().unwrap();
        assert_eq!(group, pid);
    }
}
