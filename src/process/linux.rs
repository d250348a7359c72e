//! What Linux says of processes, in `/proc`.

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
