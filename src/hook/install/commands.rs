//! The slash commands: short texts that tell the session to call us. The plugin folder has the same ones.
//!
//! Not its job: writing them.

use std::path::PathBuf;

use super::Place;

/// File name and text of each.
pub const COMMANDS: [(&str, &str); 2] = [
    ("dream.md", include_str!("../../../assets/plugin/commands/dream.md")),
    ("memory-health.md", include_str!("../../../assets/plugin/commands/memory-health.md")),
];

/// The files of a place, calling us by what a shell knows us by.
#[must_use]
pub fn files(place: &Place, program: &str) -> Vec<(PathBuf, String)> {
    let Some(directory) = &place.commands else { return Vec::new() };
    COMMANDS
        .iter()
        .map(|(name, text)| (directory.join(name), text.replace("`dreamtop ", &format!("`{program} "))))
        .collect()
}
