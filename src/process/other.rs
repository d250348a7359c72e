//! What is said of processes where nobody can be asked.

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
