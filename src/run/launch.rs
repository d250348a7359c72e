//! Starting a worker as a detached process of our own binary.

use std::path::Path;

/// Starts `executable arguments…` in a process group (session) of its own, without terminal, input or output. Returns its pid.
///
/// # Errors
/// When the process cannot be started.
pub fn detached(
    executable: &Path,
    arguments: &[String],
    environment: &crate::environment::Environment,
) -> std::io::Result<u32> {
    let _ = (executable, arguments, environment);
    todo!()
}

/// A new run id: time and chance, sortable, `dream-20261130T090000-4f2a`.
#[must_use]
pub fn new_run_id(kind: crate::engine::JobKind, now: chrono::DateTime<chrono::Utc>) -> String {
    let _ = (kind, now);
    todo!()
}
