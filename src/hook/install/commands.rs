//! The slash commands: short texts that tell the session to call us. The plugin folder has the same ones.
//!
//! Not its job: writing them.

use std::path::{Path, PathBuf};

use super::hooks::call;
use super::{Place, Scope};

/// File name and text of each.
pub const COMMANDS: [(&str, &str); 2] = [
    ("dream.md", include_str!("../../../assets/plugin/commands/dream.md")),
    ("memory-health.md", include_str!("../../../assets/plugin/commands/memory-health.md")),
];

/// How the texts call us.
const CALL: &str = "`dreamtop ";

/// The files of a place, calling us by what a shell knows us by: those that others share by our name alone, because where we
/// lie on this machine says nothing on theirs.
#[must_use]
pub fn files(place: &Place, program: &str, options: &[String]) -> Vec<(PathBuf, String)> {
    let Some(directory) = &place.commands else { return Vec::new() };
    let (program, options) = if place.scope == Scope::Project { ("dreamtop", &[][..]) } else { (program, options) };
    let call = format!("`{} ", call(program, options));
    COMMANDS.iter().map(|(name, text)| (directory.join(name), text.replace(CALL, &call))).collect()
}

/// Whether the text of a file of this name is ours, whatever program it calls.
#[must_use]
pub fn is_ours(path: &Path, text: &str) -> bool {
    let known = COMMANDS.iter().find(|(name, _)| path.ends_with(name));
    known.is_some_and(|(_, content)| is_made_of(content, text))
}

fn is_made_of(content: &str, text: &str) -> bool {
    let Some((before, after)) = content.split_once(CALL) else { return false };
    let Some(rest) = text.strip_prefix(before).and_then(|rest| rest.strip_prefix('`')) else { return false };
    let end = after.split('`').next().and_then(|arguments| rest.find(&format!(" {arguments}`")));
    let Some(program) = end.and_then(|end| rest.get(..end)) else { return false };
    text == content.replace(CALL, &format!("`{program} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_ours_is_known_whatever_program_it_calls_and_a_changed_one_is_not() {
        for (_, text) in COMMANDS {
            for program in ["dreamtop", "/opt/dreamtop", "'/a b/dreamtop'"] {
                let written = text.replace(CALL, &format!("`{program} "));
                assert!(is_made_of(text, &written), "{written}");
                assert!(!is_made_of(text, &format!("{written}\nMine.\n")));
            }
            assert!(!is_made_of(text, "") && !is_made_of(text, "my own\n"));
        }
    }
}
