//! What can be typed to look at memories: list, show, check, search, recall.

use clap::{Args, ValueEnum};

/// `ls`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Ls {
    /// Every store: projects', teams', sub-agents'; each once, with what is odd about it
    #[arg(long, conflicts_with_all = ["sort", "evidence", "view"])]
    pub(in crate::cli) all: bool,
    /// The order (default: name, or that of the view)
    #[arg(long, value_name = "ORDER")]
    pub(in crate::cli) sort: Option<Order>,
    /// Only what matches a line of filter words, as `/` on the screen has it: `type:feedback stale in:team "exact" -word`
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub(in crate::cli) filter: Option<String>,
    /// Only what a saved view shows, in its order: `stale`, `damaged`, `never recalled`, `mine`, `about to expire`, your own
    #[arg(long, value_name = "NAME", conflicts_with = "filter")]
    pub(in crate::cli) view: Option<String>,
    /// Hold each memory against the project and its sessions: what is gone, how it was used, how much it needs a look
    #[arg(long)]
    pub(in crate::cli) evidence: bool,
}

/// An order of memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Order {
    /// By file name.
    #[default]
    Name,
    /// What needs a person most first; looks at the evidence.
    Need,
    /// The oldest claim first.
    Age,
    /// By type.
    Type,
}

/// `show`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Show {
    /// The memory: its file, with or without `.md`, or its name
    pub(in crate::cli) file: String,
    /// Also what was said in the session it comes from: the very turn, and the answers before and after
    #[arg(long)]
    pub(in crate::cli) source: bool,
}

/// `check`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Check {
    /// Repair what is safe to repair
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    /// With --fix: only say what would be repaired
    #[arg(long, requires = "fix")]
    pub(in crate::cli) dry_run: bool,
    /// Every store, without repairing anything
    #[arg(long, conflicts_with = "fix")]
    pub(in crate::cli) all: bool,
}

/// `find`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Find {
    /// The regular expression; small letters match capitals too, a capital only itself
    pub(in crate::cli) pattern: Option<String>,
    /// In every store, and with --sessions in the sessions of every project
    #[arg(long)]
    pub(in crate::cli) all: bool,
}

/// `recall`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Recall {
    /// The prompt, in one word or several
    #[arg(required = true)]
    pub(in crate::cli) query: Vec<String>,
    /// A tool in use, whose usage notes are not needed; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) tool: Vec<String>,
    /// Every store: projects', teams', sub-agents'; equal copies are one answer that names its places
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// A memory the session has already: its path, or its file in the store; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) shown: Vec<String>,
    /// Print the text that a session would be given
    #[arg(long)]
    pub(in crate::cli) prompt: bool,
}
