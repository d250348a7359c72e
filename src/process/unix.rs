//! What other Unix systems say of processes, by `ps`.

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
