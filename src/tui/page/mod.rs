//! What a memory's page says: a head from what the scan knows, a body from the file.
//!
//! The head is cheap and worked out when it is drawn; the body is laid out once per content and width, outside the loop.
//! Not its job: where the page stands and how far it is scrolled.

mod body;
mod changes;
mod head;
mod review;
mod room;
mod run;
mod session;
mod stats;
mod wrap;
mod year;

pub use body::body;
pub use changes::{held_change, history_entry, history_file, inbox_entry, moment};
pub use head::{badge_meaning, head, severity_meaning};
pub use review::{ReviewPage, review, verdict_meaning, verdict_sign};
pub use room::{event_words, foreign_words, run_cells, run_heading};
pub use run::{outcome_meaning, run_head, run_word};
pub use session::{found_in, session};
pub use stats::stats;
pub use wrap::wrap;
pub use year::year;
