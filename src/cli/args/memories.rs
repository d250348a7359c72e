//! What can be typed to change memories and their index, and to say how they stand.

use clap::{Args, Subcommand, ValueEnum};

/// `new`.
#[derive(Debug, Args)]
pub(in crate::cli) struct New {
    /// A short name
    pub(in crate::cli) name: String,
    /// user, feedback, project or reference
    #[arg(long = "type", short = 't', value_name = "TYPE")]
    pub(in crate::cli) kind: String,
    /// One line: what it says
    #[arg(long, short, default_value = "", allow_hyphen_values = true)]
    pub(in crate::cli) description: String,
    /// The body in Markdown; `-` reads standard input
    #[arg(long, short, allow_hyphen_values = true)]
    pub(in crate::cli) body: Option<String>,
    /// Write it in $VISUAL or $EDITOR, on a skeleton of its type; what nobody fills in is not saved
    #[arg(long, short, conflicts_with = "body")]
    pub(in crate::cli) edit: bool,
}

/// `edit`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Edit {
    /// The memory
    pub(in crate::cli) file: String,
    /// Set the name
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) name: Option<String>,
    /// Set the description
    #[arg(long, allow_hyphen_values = true)]
    pub(in crate::cli) description: Option<String>,
    /// Set the type
    #[arg(long = "type", value_name = "TYPE")]
    pub(in crate::cli) kind: Option<String>,
    /// The claim was checked and is true today: its age starts again
    #[arg(long)]
    pub(in crate::cli) renew: bool,
}

/// `rm`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Rm {
    /// The memories
    #[arg(required = true)]
    pub(in crate::cli) files: Vec<String>,
    /// Only say what would go
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Do not ask, also on a terminal
    #[arg(long, short)]
    pub(in crate::cli) yes: bool,
}

/// `mv`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Mv {
    /// The memory
    pub(in crate::cli) from: String,
    /// Its new file name
    pub(in crate::cli) to: String,
    /// Only say what would follow: index lines, links in other memories
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
}

/// `promote`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Promote {
    /// The memory
    pub(in crate::cli) file: String,
    /// Which file gets its text
    #[arg(long, value_name = "WHERE", default_value = "project")]
    pub(in crate::cli) to: PromoteTo,
    /// For a new rule: a path pattern it is for, as `src/api/**`; again for more (default: all paths)
    #[arg(long = "paths", value_name = "GLOB")]
    pub(in crate::cli) paths: Vec<String>,
    /// For a rule: its file name in .claude/rules (default: the memory's name)
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) name: Option<String>,
    /// Another text than the memory's name and body
    #[arg(long, value_name = "MARKDOWN", allow_hyphen_values = true)]
    pub(in crate::cli) text: Option<String>,
    /// Move the memory to the trash afterwards; without it the memory stays
    #[arg(long)]
    pub(in crate::cli) remove: bool,
    /// Only print the file and the text
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Do not ask, also on a terminal
    #[arg(long, short)]
    pub(in crate::cli) yes: bool,
}

/// Where a memory's text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PromoteTo {
    /// CLAUDE.md of the project: every session there, everyone's.
    Project,
    /// CLAUDE.local.md: your sessions in this project.
    Local,
    /// A file in .claude/rules: sessions in this project, or only when some paths are at hand.
    Rule,
    /// Your own CLAUDE.md: your sessions in all projects.
    Everywhere,
}

/// `index`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Index {
    /// What to do
    #[command(subcommand)]
    pub(in crate::cli) verb: IndexVerb,
    /// Only say what would change
    #[arg(long, global = true)]
    pub(in crate::cli) dry_run: bool,
}

/// What to do with the index.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum IndexVerb {
    /// Make a memory's entry the first one: the last to fall past a load limit
    Pin(IndexPick),
    /// Move a memory's entry before another's
    Move(IndexMove),
    /// Cut lines of more than 150 characters; what they said goes into their memories
    Shorten(IndexPicks),
}

/// Which entry.
#[derive(Debug, Args)]
pub(in crate::cli) struct IndexPick {
    /// The memory
    pub(in crate::cli) file: String,
}

/// Which entries.
#[derive(Debug, Args)]
pub(in crate::cli) struct IndexPicks {
    /// The memories (default: all whose line is too long)
    pub(in crate::cli) files: Vec<String>,
}

/// Which entry, and where to.
#[derive(Debug, Args)]
pub(in crate::cli) struct IndexMove {
    /// The memory
    pub(in crate::cli) file: String,
    /// The memory whose entry it is to stand before
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) before: String,
}

/// `confirm`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Confirm {
    /// The memories
    #[arg(required = true)]
    pub(in crate::cli) files: Vec<String>,
}

/// `snooze`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Snooze {
    /// The memories
    #[arg(required = true)]
    pub(in crate::cli) files: Vec<String>,
    /// How many days
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub(in crate::cli) days: u16,
    /// Do not wait any more: takes a snooze back
    #[arg(long, conflicts_with = "days")]
    pub(in crate::cli) wake: bool,
}
