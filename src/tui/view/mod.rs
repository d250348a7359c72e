//! Drawing: one pane or layer a file, from `&State`, changing nothing.

pub(super) mod diff;
pub(super) mod markdown;
pub(super) mod wrap;
