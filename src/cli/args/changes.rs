//! What can be typed about changes that landed, and about those that wait for a person.

use clap::{Args, Subcommand};

/// `undo`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Undo {
    /// The run, the history entry, or the inbox entry of which something was rejected (default: the latest thing done)
    pub(in crate::cli) run: Option<String>,
}

/// `purge`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Purge {
    /// A file of the store (what it ever held), or a history entry (what it kept)
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "FILE|ENTRY")]
    pub(in crate::cli) what: Option<String>,
    /// Everything the history of this store keeps
    #[arg(long)]
    pub(in crate::cli) all: bool,
    /// Only say what would go
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Erase without the question that is asked on a terminal
    #[arg(short = 'y', long)]
    pub(in crate::cli) yes: bool,
}

/// `inbox`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Inbox {
    /// What to do; nothing: list
    #[command(subcommand)]
    pub(in crate::cli) verb: Option<InboxVerb>,
}

/// What to do with the inbox.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum InboxVerb {
    /// Show one entry in full: reasons, sources, numbered hunks, and what becomes of every sentence that would go
    Show(InboxPick),
    /// Land held changes
    Accept(InboxAccept),
    /// Drop held changes
    Reject(InboxPick),
}

/// Which held changes.
#[derive(Debug, Args)]
pub(in crate::cli) struct InboxPick {
    /// The inbox entry, or the run it is from
    pub(in crate::cli) id: String,
    /// Only these files of it
    pub(in crate::cli) files: Vec<String>,
}

/// Which held changes, down to the hunk.
#[derive(Debug, Args)]
pub(in crate::cli) struct InboxAccept {
    /// The inbox entry, or the run it is from
    pub(in crate::cli) id: String,
    /// Only these files of it
    pub(in crate::cli) files: Vec<String>,
    /// Only this hunk of the one file, as `inbox show` numbers it; again for more. The other hunks go on waiting
    #[arg(long = "hunk", value_name = "N")]
    pub(in crate::cli) hunks: Vec<usize>,
    /// Open the one file in your editor first; where two versions cannot be merged, with both in it
    #[arg(long, conflicts_with = "hunks")]
    pub(in crate::cli) edit: bool,
}
