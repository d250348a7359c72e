//! Runs and what they leave behind, made by hand for tests: no disk, no clock.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use chrono::Duration;

use super::fixture::{dream, now};
use crate::change::{
    Disk, FileReview, HeldChange, HistoryEntry, HistoryFile, HoldReason, InboxEntry, IndexLines, Op, Origin, Rationale,
    Review, Source, hunks,
};
use crate::engine::{Phase, Tokens};
use crate::memory::ContentHash;
use crate::run::view::ToolLine;
use crate::run::{Outcome, RunStatus, RunView, TouchOp};
use crate::tui::event::AppEvent;

/// The news of these runs.
pub(super) fn runs(runs: Vec<RunView>) -> AppEvent {
    AppEvent::Runs(runs.into_iter().map(Arc::new).collect())
}

/// A dream of the store that is shown, in its second phase, that touched two files.
pub(super) fn live() -> RunView {
    let mut run = dream("dream-1");
    let start = now() - Duration::seconds(42);
    run.engine = "script".to_owned();
    run.trigger = "screen".to_owned();
    run.sessions = vec!["3f2a51c0-0000".to_owned(), "9be11b77-0000".to_owned()];
    run.phases = vec![(Phase::Orient, start), (Phase::Gather, start + Duration::seconds(12))];
    run.text = Some("Two memories say the same about tests.\u{1b}[2J".to_owned());
    run.tool_calls = 2;
    run.tools = vec![
        ToolLine { at: start, name: "Edit".to_owned(), target: "feedback_testing.md".to_owned(), allowed: true },
        ToolLine { at: start, name: "Bash".to_owned(), target: "rm -rf /".to_owned(), allowed: false },
    ];
    run.touched =
        vec![("feedback_testing.md".to_owned(), TouchOp::Changed), ("project_freeze.md".to_owned(), TouchOp::Removed)];
    run.budget = Some(20_000);
    run.tokens = Tokens { input: 1200, output: 340, cache_read: 9000, cache_created: 500 };
    run.progress = Some((1, 2, "sessions".to_owned()));
    run.last = Some(now());
    run
}

pub(super) fn ended(outcome: Outcome) -> RunView {
    let mut run = live();
    run.status = RunStatus::Ended;
    run.outcome = Some(outcome);
    run.reason = "all of it landed".to_owned();
    run.ms = Some(42_000);
    run
}

pub(super) fn bulk() -> HoldReason {
    HoldReason { guard: "bulk-removal".to_owned(), message: "it removes 9 of 12 files".to_owned() }
}

pub(super) fn inbox_entry(id: &str) -> InboxEntry {
    let change = |file: &str, op: Op, content: Option<&str>| HeldChange {
        file: file.to_owned(),
        op,
        base: Some(b"Old text.\n".to_vec()),
        content: content.map(|text| text.as_bytes().to_vec()),
        rationale: Rationale {
            reason: "superseded".to_owned(),
            sources: vec![Source {
                session: Some("3f2a51c0".to_owned()),
                line: Some(12),
                quote: Some("we moved to June".to_owned()),
                ..Source::default()
            }],
        },
        reasons: vec![bulk()],
        common: None,
    };
    InboxEntry {
        id: id.to_owned(),
        at: now(),
        origin: Origin::Dream,
        run: Some("dream-1".to_owned()),
        title: format!("dream {id}"),
        changes: vec![change("a.md", Op::Replace, Some("New text.\n")), change("b.md", Op::Remove, None)],
    }
}

/// The review of an inbox entry, as the door would give it for a store that did not move.
pub(super) fn review_of(entry: InboxEntry) -> Arc<Review> {
    let files = entry.changes.iter();
    let files = files.map(|change| FileReview {
        hunks: hunks::of(change),
        losses: Vec::new(),
        with: Vec::new(),
        dropped_with: Vec::new(),
        index: IndexLines::default(),
        disk: Disk::Same,
        theirs: None,
    });
    Arc::new(Review { files: files.collect(), entry })
}

pub(super) fn entry(id: &str) -> HistoryEntry {
    let hash = |text: &str| Some(ContentHash::of(text.as_bytes()));
    HistoryEntry {
        id: id.to_owned(),
        at: now(),
        origin: Origin::Dream,
        run: Some("dream-1".to_owned()),
        title: "dream: merged 2 memories".to_owned(),
        files: vec![HistoryFile {
            file: "a.md".to_owned(),
            op: Op::Replace,
            before: hash("old"),
            after: hash("new"),
            mtime_before: None,
            mode_before: None,
            not_kept: None,
            rationale: Rationale { reason: "the same said twice".to_owned(), sources: Vec::new() },
        }],
        undone_by: None,
        undone_in_part_by: None,
        by_person: false,
    }
}
