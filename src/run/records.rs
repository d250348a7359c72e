//! Records: one line for each run that was fired, completed, failed or skipped, in a log of our own. Nothing is sent
//! anywhere.

use std::fs;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::engine::JobKind;
use crate::state::{StateDir, append_line};

/// The logs of records, the older one first.
pub(super) const LOGS: [&str; 2] = ["records.1.jsonl", "records.jsonl"];

/// When the log is larger than this it becomes `records.1.jsonl` and a new one begins.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// What happened to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happened {
    Fired,
    Completed,
    Failed,
    Skipped,
}

/// Appends a record: its name, its time, and the given fields. A full disk costs the record, not the run.
pub(super) fn append(state: &StateDir, kind: JobKind, what: Happened, at: DateTime<Utc>, fields: Value) {
    let subject = match kind {
        JobKind::Dream => "auto_dream",
        JobKind::Extract => "extract_memories",
    };
    let verb = match what {
        Happened::Fired => "fired",
        Happened::Completed => "completed",
        Happened::Failed => "failed",
        Happened::Skipped => "skipped",
    };
    let mut record = json!({"event": format!("{subject}_{verb}"), "at": at});
    if let (Some(record), Value::Object(fields)) = (record.as_object_mut(), fields) {
        record.extend(fields);
    }
    let [older, log] = LOGS;
    let path = state.log().join(log);
    if fs::metadata(&path).is_ok_and(|found| found.len() > MAX_BYTES) {
        let _ = fs::rename(&path, state.log().join(older));
    }
    let _ = append_line(&path, &record.to_string(), false);
}
