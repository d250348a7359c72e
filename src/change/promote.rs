//! A memory that becomes part of what every session is told: its text in CLAUDE.md, or a rule of its own for some paths.
//!
//! Here: which files there are, the text that is proposed, the file as it would be, and the change set. A person sees and may
//! edit the text before it lands. Not its job: which files outside a store may be written at all (see `beyond`).

use std::path::Path;

use super::guard::held;
use super::verdicts::Seen;
use super::{Change, ChangeSet, DoorError, Mtime, Op, Origin, Rationale, verdicts};
use crate::memory::names::slug;
use crate::memory::store::whole;
use crate::memory::{Kind, Snapshot, Topic, frontmatter, links};
use crate::text::visible;

/// Where a promoted memory's text can go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Which one.
    pub place: Place,
    /// Its absolute path.
    pub path: String,
    /// What it holds now; `None`: it would be made.
    pub before: Option<Vec<u8>>,
}

/// A kind of file that sessions load besides memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The project's CLAUDE.md: for everyone who works on it.
    Project,
    /// CLAUDE.local.md: for this person in this project.
    Local,
    /// A rule in `.claude/rules`, for all paths or some.
    Rule,
    /// The person's own CLAUDE.md: for every project.
    Everywhere,
}

impl Place {
    /// The word on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Local => "local",
            Self::Rule => "rule",
            Self::Everywhere => "everywhere",
        }
    }

    /// Who is told by it.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Project => "every session in this project, everyone's",
            Self::Local => "every session of yours in this project",
            Self::Rule => "sessions in this project; with paths: only when such a file is at hand",
            Self::Everywhere => "every session of yours, in all projects",
        }
    }
}

/// What a person decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promotion {
    /// The memory, as it was seen.
    pub seen: Seen,
    /// The file that gets the text, by its absolute path.
    pub path: String,
    /// What it held when the person saw it; `None`: it was not there.
    pub before: Option<Vec<u8>>,
    /// What it becomes.
    pub content: Vec<u8>,
    /// Whether the memory goes to the trash.
    pub is_removed: bool,
}

/// The files that a memory of a project can go to, the likeliest first. `claude` is Claude Code's own directory.
#[must_use]
pub fn targets(checkout: Option<&Path>, claude: Option<&Path>, file: &str, topic: &Topic) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut offer =
        |place, path: std::path::PathBuf| targets.extend(path.to_str().map(|path| at(place, path.to_owned())));
    if let Some(checkout) = checkout {
        let (own, inner) = (checkout.join("CLAUDE.md"), checkout.join(".claude/CLAUDE.md"));
        offer(Place::Project, if !own.exists() && inner.exists() { inner } else { own });
        offer(Place::Rule, checkout.join(".claude/rules").join(rule_name(file, topic)));
        offer(Place::Local, checkout.join("CLAUDE.local.md"));
    }
    if let Some(claude) = claude {
        offer(Place::Everywhere, claude.join("CLAUDE.md"));
    }
    // What is about the person is rarely the project's business.
    if topic.frontmatter.kind(file) == Some(Kind::User) {
        targets.sort_by_key(|target| target.place != Place::Everywhere);
    }
    targets
}

/// A file that text could go to, with what it holds now.
#[must_use]
pub fn at(place: Place, path: String) -> Target {
    Target { place, before: whole(Path::new(&path)).ok(), path }
}

/// The file name of a rule: the memory's name, without its type.
fn rule_name(file: &str, topic: &Topic) -> String {
    let name = slug(&title(file, topic));
    format!("{name}.md")
}

/// What the memory is called, for people: `Testing policy`.
fn title(file: &str, topic: &Topic) -> String {
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".md");
    let name = topic.frontmatter.name.as_deref().map(str::trim).filter(|name| !name.is_empty()).unwrap_or(stem);
    let words = if name.contains(' ') { name.to_owned() } else { name.replace(['-', '_'], " ") };
    let kind = topic.frontmatter.kind(file).map(|kind| format!("{} ", kind.word()));
    let words = kind.and_then(|kind| words.strip_prefix(&kind).map(str::to_owned)).unwrap_or(words);
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The text that is proposed: a heading and the body, as it stands there.
#[must_use]
pub fn text(file: &str, topic: &Topic) -> String {
    let body = without_links(&topic.body());
    let body = body.trim();
    if body.starts_with('#') {
        return format!("{body}\n");
    }
    let description = topic.frontmatter.description.as_deref().unwrap_or_default().trim();
    let said = if body.is_empty() { description } else { body };
    let text = format!("## {}\n\n{said}", title(file, topic));
    format!("{}\n", text.trim_end())
}

/// A text whose links to other memories are the words they stand on: outside the store they lead nowhere.
fn without_links(body: &str) -> String {
    let mut text = body.to_owned();
    for link in links::wiki_links(body) {
        text = text.replace(&format!("[[{}]]", link.word), &link.word);
        // `[[file|words]]`: the words are what is read.
        let mut rest = std::mem::take(&mut text);
        while let Some((before, after)) = rest.split_once(&format!("[[{}|", link.word)) {
            let Some((shown, behind)) = after.split_once("]]") else { break };
            rest = format!("{before}{shown}{behind}");
        }
        text = rest;
    }
    text
}

/// A file as it would be: what it holds, a blank line, the text; a new rule with its paths. Lines that were there keep their
/// bytes, and the new ones the file's line ending.
#[must_use]
pub fn content(place: Place, before: Option<&[u8]>, paths: &[String], text: &str) -> Vec<u8> {
    let text = text.trim_matches(['\n', '\r']).trim_end();
    if text.trim().is_empty() {
        return before.unwrap_or_default().to_vec();
    }
    let Some(before) = before.filter(|before| !before.trim_ascii().is_empty()) else {
        let head = if place == Place::Rule { scope(paths) } else { String::new() };
        return format!("{head}{text}\n").into_bytes();
    };
    let newline = if before.windows(2).any(|pair| pair == b"\r\n") { "\r\n" } else { "\n" };
    let gap = match before {
        [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] => String::new(),
        [.., b'\n'] => newline.to_owned(),
        _ => newline.repeat(2),
    };
    let mut after = before.to_vec();
    after.extend_from_slice(gap.as_bytes());
    for line in text.lines() {
        after.extend_from_slice(line.trim_end_matches('\r').as_bytes());
        after.extend_from_slice(newline.as_bytes());
    }
    after
}

/// The block that limits a rule to some paths; nothing for all.
fn scope(paths: &[String]) -> String {
    if paths.is_empty() {
        return String::new();
    }
    let lines: String = paths.iter().map(|path| format!("  - {}\n", frontmatter::quoted(path))).collect();
    format!("---\npaths:\n{lines}---\n\n")
}

/// The path patterns a person wrote on one line, parted by commas outside braces (`src/*.{ts,tsx}` is one).
#[must_use]
pub fn paths(line: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut depth = 0_usize;
    for character in line.chars() {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(character);
        }
    }
    found.into_iter().map(|path| path.trim().to_owned()).filter(|path| !path.is_empty()).collect()
}

/// Why patterns cannot be those of a rule; `None`: each is one.
#[must_use]
pub fn wrong_pattern(paths: &[String]) -> Option<String> {
    paths.iter().find_map(|path| {
        let error = globset::Glob::new(path).err()?;
        Some(format!("{} is no pattern of paths: {}", visible(path), error.kind()))
    })
}

/// The promotion as a change set: the file gets the text, and the memory, if that was decided, goes to the trash with its
/// index line. One entry of the history.
///
/// # Errors
/// When the memory changed since it was seen, or cannot be read, or the text is empty.
pub fn promote(snapshot: &Snapshot, promotion: &Promotion) -> Result<ChangeSet, DoorError> {
    let Promotion { seen, path, before, content, is_removed } = promotion;
    let removal = verdicts::remove(snapshot, std::slice::from_ref(seen))?;
    if content.trim_ascii().is_empty() || before.as_ref() == Some(content) {
        let reason = held("validity", "there is no text to put there");
        return Err(DoorError::Refused { file: visible(path).into_owned(), reason });
    }
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    let mut set = ChangeSet::new(Origin::Edit, format!("promote {} to {name}", seen.file));
    set.changes.push(Change {
        file: path.clone(),
        op: if before.is_some() { Op::Replace } else { Op::Create },
        base: before.clone(),
        content: Some(content.clone()),
        rationale: Rationale { reason: format!("{} was promoted by hand", seen.file), sources: Vec::new() },
        mtime: Mtime::Now,
    });
    if *is_removed {
        set.index = removal.index;
        for mut change in removal.changes {
            change.rationale.reason = format!("its text is in {name} now");
            set.changes.push(change);
        }
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(text: &str) -> Topic {
        Topic::read(text.as_bytes().to_vec())
    }

    #[test]
    fn the_text_has_the_name_as_its_heading_unless_the_body_has_one() {
        let memory =
            topic("---\nname: feedback-testing-policy\ndescription: d\ntype: feedback\n---\n\nUse real databases.\n");
        assert_eq!(text("feedback_testing.md", &memory), "## Testing policy\n\nUse real databases.\n");
        let headed = topic("---\nname: x\n---\n\n# Testing\n\nUse real databases.\n");
        assert_eq!(text("feedback_testing.md", &headed), "# Testing\n\nUse real databases.\n");
        assert_eq!(text("user_role.md", &topic("")), "## Role\n");
    }

    #[test]
    fn the_text_goes_to_the_end_of_a_file_and_every_byte_before_it_stays() {
        for (before, after) in [
            ("# Ours\n", "# Ours\n\n## T\n\nx\n"),
            ("# Ours", "# Ours\n\n## T\n\nx\n"),
            ("# Ours\n\n", "# Ours\n\n## T\n\nx\n"),
            ("\u{feff}# Ours\r\n", "\u{feff}# Ours\r\n\r\n## T\r\n\r\nx\r\n"),
            ("", "## T\n\nx\n"),
        ] {
            let made = content(Place::Project, Some(before.as_bytes()), &[], "## T\n\nx\n\n");
            assert_eq!(String::from_utf8_lossy(&made), after, "{before:?}");
        }
    }

    #[test]
    fn a_rule_says_for_which_paths_it_is() {
        let paths = paths("src/api/**/*.{ts,tsx}, docs/*.md,, ");
        assert_eq!(paths, ["src/api/**/*.{ts,tsx}", "docs/*.md"]);
        let made = content(Place::Rule, None, &paths, "## T\n\nx\n");
        let expected = "---\npaths:\n  - \"src/api/**/*.{ts,tsx}\"\n  - \"docs/*.md\"\n---\n\n## T\n\nx\n";
        assert_eq!(String::from_utf8_lossy(&made), expected);
        assert_eq!(content(Place::Rule, None, &[], "x"), b"x\n");
    }
}
