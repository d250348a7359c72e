//! The screen on real stores: everything but the terminal. One binary, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, missing_docs, unreachable_pub)]

#[path = "common/growth.rs"]
mod growth;

#[path = "screen/arranging.rs"]
mod arranging;
#[path = "screen/daily.rs"]
mod daily;
#[path = "screen/dashboard.rs"]
mod dashboard;
#[path = "screen/deeds.rs"]
mod deeds;
#[path = "screen/drafts.rs"]
mod drafts;
#[path = "screen/drafts_waiting.rs"]
mod drafts_waiting;
#[path = "screen/editing.rs"]
mod editing;
#[path = "screen/filter_cost.rs"]
mod filter_cost;
#[path = "screen/finding.rs"]
mod finding;
#[path = "screen/full_text.rs"]
mod full_text;
#[path = "screen/hints.rs"]
mod hints;
#[path = "screen/honest.rs"]
mod honest;
#[path = "screen/keys.rs"]
mod keys;
#[path = "screen/large.rs"]
mod large;
#[path = "screen/lens.rs"]
mod lens;
#[path = "screen/marked.rs"]
mod marked;
#[path = "screen/merging.rs"]
mod merging;
#[path = "screen/pictures.rs"]
mod pictures;
#[path = "screen/projects.rs"]
mod projects;
#[path = "screen/promoting.rs"]
mod promoting;
#[path = "screen/readme.rs"]
mod readme;
#[path = "screen/reload.rs"]
mod reload;
#[path = "screen/renaming.rs"]
mod renaming;
#[path = "screen/review.rs"]
mod review;
#[path = "screen/settings.rs"]
mod settings;
#[path = "screen/sizes.rs"]
mod sizes;
#[path = "screen/stage.rs"]
mod stage;
// What `S` exchanges with is the server that the client's own tests have.
#[allow(dead_code)]
#[path = "sync/server.rs"]
mod server;
#[path = "screen/stray.rs"]
mod stray;
#[path = "screen/team.rs"]
mod team;
#[path = "screen/triage.rs"]
mod triage;
#[path = "screen/triage_hundred.rs"]
mod triage_hundred;
#[path = "screen/triage_sample.rs"]
mod triage_sample;
#[path = "screen/trouble.rs"]
mod trouble;
#[path = "screen/widths.rs"]
mod widths;
