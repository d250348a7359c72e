//! Files outside every store that a person may have text put into: the CLAUDE.md files and the rules of a project.
//!
//! A change names one by its absolute path, which no file of a store can have. It lands like any other: checked against the
//! disk, whole or not at all, in the journal of the store it comes from, so that one undo takes back both. Only a person's
//! own edit may: no run, no pull, nothing that was held and accepted. Not its job: the text (see [`super::promote`]).

use std::path::{Path, PathBuf};

use super::guard::{containment, held};
use super::{Change, ChangeSet, HoldReason, Op, Origin};

/// The permission bits of such a file when it is made: a checkout is read by others too, unlike a store.
pub(super) const MODE: u32 = 0o644;

/// The directory of rules in a project.
const RULES: &str = "/.claude/rules/";
/// The other files, with the way to them in a project; the longest first.
const FILES: [&str; 3] = ["/.claude/CLAUDE.md", "/CLAUDE.local.md", "/CLAUDE.md"];

/// Whether a change's file lies outside the store.
pub(super) fn is_beyond(file: &str) -> bool {
    Path::new(file).is_absolute()
}

/// The project's directory, and the file's path in it; `None`: no such file.
pub(super) fn split(file: &str) -> Option<(PathBuf, String)> {
    let file = if cfg!(windows) { file.replace('\\', "/") } else { file.to_owned() };
    let is_plain = |segment: &str| !matches!(segment, "" | "." | "..") && !segment.contains('\0');
    if !Path::new(&file).is_absolute() || !file.split('/').skip(1).all(is_plain) {
        return None;
    }
    let at = match file.rfind(RULES) {
        Some(at) => {
            let rule = file.get(at + RULES.len()..)?;
            containment::refusal(rule).is_none().then_some(at)?
        }
        None => file.len() - FILES.iter().find(|known| file.ends_with(**known))?.len(),
    };
    let base = file.get(..at).filter(|base| !base.is_empty())?;
    Some((PathBuf::from(base), file.get(at + 1..)?.to_owned()))
}

/// Whether a directory on the way to such a file is one that we may have made, and so may take away again when empty.
pub(super) fn may_be_ours(directory: &str) -> bool {
    directory.ends_with("/.claude") || directory.ends_with("/.claude/rules") || directory.contains(RULES)
}

/// Why a change of a file outside the store is refused; `None`: a person asked for exactly this, and saw it (`by_person`).
pub(super) fn refusal(set: &ChangeSet, by_person: bool, change: &Change) -> Option<HoldReason> {
    let refuse = |what: &str| {
        let file = crate::text::visible(&change.file);
        Some(held("containment", format!("{file} lies outside the store; {what}")))
    };
    if set.origin != Origin::Edit || set.run.is_some() || !by_person {
        return refuse("only a person puts text there, with `dreamtop promote`");
    }
    if change.op == Op::Remove {
        return refuse("it is never removed");
    }
    if split(&change.file).is_none() {
        return refuse("text goes to CLAUDE.md, CLAUDE.local.md or a Markdown file in .claude/rules, and nowhere else");
    }
    let before = change.base.as_deref().unwrap_or_default();
    let is_kept = |content: &[u8]| before.trim_ascii().is_empty() || content.starts_with(before);
    if !change.content.as_deref().is_some_and(is_kept) {
        return refuse("text is only added to it");
    }
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_project_are_told_from_all_others() {
        for (file, base, inside) in [
            ("/work/acme/CLAUDE.md", "/work/acme", "CLAUDE.md"),
            ("/work/acme/CLAUDE.local.md", "/work/acme", "CLAUDE.local.md"),
            ("/work/acme/.claude/CLAUDE.md", "/work/acme", ".claude/CLAUDE.md"),
            ("/work/acme/.claude/rules/api.md", "/work/acme", ".claude/rules/api.md"),
            ("/work/acme/.claude/rules/web/forms.md", "/work/acme", ".claude/rules/web/forms.md"),
            ("/home/ada/.claude/CLAUDE.md", "/home/ada", ".claude/CLAUDE.md"),
        ] {
            assert_eq!(split(file), Some((PathBuf::from(base), inside.to_owned())), "{file}");
        }
        for file in [
            "CLAUDE.md",
            "/CLAUDE.md",
            "/work/acme/README.md",
            "/work/acme/AGENTS.md",
            "/work/acme/.claude/settings.json",
            "/work/acme/.claude/rules/api.txt",
            "/work/acme/.claude/rules/.md",
            "/work/acme/.claude/rules/../../../../etc/x.md",
            "/work/../etc/CLAUDE.md",
            "/work//CLAUDE.md",
            "/work/acme/xCLAUDE.md/",
            "/work/acme/.claude/rules/a:b.md",
        ] {
            assert_eq!(split(file), None, "{file}");
        }
    }
}
