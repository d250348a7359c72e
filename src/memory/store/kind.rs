//! What kind of store a directory is: who writes it, whether it may be changed, and which of Claude Code's rules hold in it.
//!
//! Told by the place and by what lies in it, a few looks at names. Not its job: which project it belongs to
//! (`crate::project`), and refusing to write (`crate::change`).

use std::fs;
use std::path::{Path, PathBuf};

/// A kind of store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// A project's own: `projects/<folder>/memory`.
    Project,
    /// The part of a project's that is shared with a team: `memory/team`.
    Team,
    /// A sub-agent's, by the agent's name: `agent-memory/<agent>`.
    Agent(String),
    /// The one that `autoMemoryDirectory` names.
    Setting,
    /// `.claude/memory` in a checkout: Claude Code does not read it by itself.
    Checkout,
    /// Replit's agent: `.agents/memory` in a checkout.
    Replit,
    /// The Codex command line's: `~/.codex/memories`.
    Codex,
    /// OpenClaw's workspace.
    OpenClaw,
    /// The Gemini command line's: `~/.gemini/tmp/<project>/memory`.
    Gemini,
    /// Any other directory.
    Folder,
}

impl StoreKind {
    /// What a directory is.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let place = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        Self::of_place(&place).or_else(|| Self::of_content(&place)).unwrap_or(Self::Folder)
    }

    /// By the names on the way, which are each program's own.
    fn of_place(place: &Path) -> Option<Self> {
        let names: Vec<&str> = place.iter().rev().map(|name| name.to_str().unwrap_or_default()).take(4).collect();
        let kind = match names.as_slice() {
            ["memory", _, "projects", ..] => Self::Project,
            ["team", "memory", ..] => Self::Team,
            [agent, "agent-memory" | "agent-memory-local", ..] => Self::Agent((*agent).to_owned()),
            ["memory", ".claude", ..] => Self::Checkout,
            ["memory", ".agents", ..] => Self::Replit,
            ["memories", ".codex", ..] => Self::Codex,
            ["memory", _, "tmp", ".gemini"] => Self::Gemini,
            ["workspace", ".openclaw" | ".clawdbot", ..]
            | ["memory", "workspace", ".openclaw" | ".clawdbot", ..]
            | [".clawdbot", ..]
            | ["memory", ".clawdbot", ..] => Self::OpenClaw,
            _ => return None,
        };
        Some(kind)
    }

    /// By what only one program lays there, wherever it was told to keep its memory.
    fn of_content(place: &Path) -> Option<Self> {
        let is_there = |name: &str| place.join(name).exists();
        if is_there("rollout_summaries") || (is_there("raw_memories.md") && is_there("memory_summary.md")) {
            return Some(Self::Codex);
        }
        (is_there("memory/.dreams") || is_there("memory/dreaming")).then_some(Self::OpenClaw)
    }

    /// The word in JSON: `project`, `team`, `agent`, `setting`, `checkout`, `replit`, `codex`, `openclaw`, `gemini`,
    /// `folder`.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Team => "team",
            Self::Agent(_) => "agent",
            Self::Setting => "setting",
            Self::Checkout => "checkout",
            Self::Replit => "replit",
            Self::Codex => "codex",
            Self::OpenClaw => "openclaw",
            Self::Gemini => "gemini",
            Self::Folder => "folder",
        }
    }

    /// The program that writes it.
    #[must_use]
    pub const fn writer(&self) -> &'static str {
        match self {
            Self::Replit => "Replit",
            Self::Codex => "Codex",
            Self::OpenClaw => "OpenClaw",
            Self::Gemini => "Gemini CLI",
            _ => "Claude Code",
        }
    }

    /// Whether it is only looked at: its program has rules of its own for what stands where (blocks with a grammar, comments
    /// with a meaning, machine state beside), and a change that breaks them is not seen from here.
    #[must_use]
    pub const fn is_read_only(&self) -> bool {
        matches!(self, Self::Codex | Self::OpenClaw | Self::Gemini)
    }

    /// Whether its index has Claude Code's limits of lines and bytes, and is a list of links to its memories.
    #[must_use]
    pub const fn has_limits(&self) -> bool {
        !self.is_read_only()
    }

    /// Whether its memories have the four types.
    #[must_use]
    pub const fn has_types(&self) -> bool {
        !matches!(self, Self::Replit | Self::Codex | Self::OpenClaw | Self::Gemini)
    }
}

/// A directory that is another program's store under a home, if it is there: where Codex keeps its own (`codex_home`:
/// `$CODEX_HOME`), OpenClaw's workspace by its newer and its older name, and Gemini's for each project.
#[must_use]
pub fn neighbours(home: &Path, codex_home: Option<&Path>) -> Vec<(PathBuf, StoreKind)> {
    let codex = codex_home.map_or_else(|| home.join(".codex"), Path::to_owned);
    let mut found = vec![(codex.join("memories"), StoreKind::Codex)];
    for place in [".openclaw/workspace", ".clawdbot/workspace"] {
        found.push((home.join(place), StoreKind::OpenClaw));
    }
    let old = home.join(".clawdbot");
    if old.join("MEMORY.md").is_file() || old.join("memory").is_dir() {
        found.push((old, StoreKind::OpenClaw));
    }
    let projects = fs::read_dir(home.join(".gemini/tmp")).into_iter().flatten().flatten();
    let mut projects: Vec<PathBuf> = projects.map(|entry| entry.path().join("memory")).collect();
    projects.sort();
    found.extend(projects.into_iter().map(|place| (place, StoreKind::Gemini)));
    found.retain(|(place, _)| place.is_dir());
    found
}
