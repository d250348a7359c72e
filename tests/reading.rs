//! Reading stores through the library's front door: every file shows, whatever is in it, and an edit changes what it says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)]

#[path = "common/growth.rs"]
mod growth;
#[path = "reading/help.rs"]
mod help;

#[path = "reading/bounds.rs"]
mod bounds;
#[path = "reading/cases.rs"]
mod cases;
#[path = "reading/checklist.rs"]
mod checklist;
#[path = "reading/indexes.rs"]
mod indexes;
#[path = "reading/names.rs"]
mod names;
#[path = "reading/oddities.rs"]
mod oddities;
#[path = "reading/planted.rs"]
mod planted;
