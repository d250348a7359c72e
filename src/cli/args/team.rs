//! What can be typed about memories of a team.

use clap::{Args, Subcommand, ValueEnum};

/// `team`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Team {
    /// What to do
    #[command(subcommand)]
    pub(in crate::cli) verb: TeamVerb,
}

/// What to do with the memories of a team.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum TeamVerb {
    /// Say how each entry stands, as of the last look at the server; asks nobody
    Status,
    /// Take what the team changed; what cannot be merged with yours waits in the inbox
    Pull(TeamPull),
    /// Send what you changed
    Push(TeamPush),
    /// Take what the team changed, then send what you changed
    Sync(TeamSync),
    /// Say that all in memory/team/ of this store belongs to this repository, where that is in doubt
    Share(TeamShare),
    /// Keep an entry away from here; the team keeps it
    Hide(TeamPick),
    /// Let a hidden entry come again with the next pull
    Unhide(TeamPick),
    /// Take an entry from the server, for everybody (a server of dreamtop's)
    Delete(TeamDelete),
    /// Offer one of your own memories to the team: shows what goes out, asks who answers for it and until when
    Promote(TeamPromote),
}

/// `team pull`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamPull {
    /// How.
    #[command(flatten)]
    pub(in crate::cli) take: TeamTake,
}

/// How the server's changes are taken.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamTake {
    /// What becomes of an entry that both sides changed in the same lines
    #[arg(long, value_name = "WHICH", default_value = "both")]
    pub(in crate::cli) keep: KeepWord,
    /// Take it over when the server lost many entries: they go to the trash here
    #[arg(long)]
    pub(in crate::cli) accept_shrink: bool,
}

/// What becomes of two versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum KeepWord {
    /// One in the file, the other in the inbox, for you to decide.
    #[default]
    Both,
    /// The server's; yours stays in the history.
    Server,
    /// Yours, which is sent; the server's waits in the inbox.
    Local,
}

/// `team push`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamPush {
    /// What becomes of an entry that both sides changed in the same lines; `both`: yours is sent, the server's in your inbox
    #[arg(long, value_name = "WHICH", default_value = "both")]
    pub(in crate::cli) keep: KeepWord,
    /// Try again what the server refused: the token, or entries as they are
    #[arg(long)]
    pub(in crate::cli) retry: bool,
}

/// `team sync`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamSync {
    /// How.
    #[command(flatten)]
    pub(in crate::cli) take: TeamTake,
    /// Try again what the server refused: the token, or entries as they are
    #[arg(long)]
    pub(in crate::cli) retry: bool,
    /// Wait first until nobody writes there any more: two seconds without a change, ten at most
    #[arg(long)]
    pub(in crate::cli) settle: bool,
    /// What started it
    #[arg(long, hide = true, default_value = "hand")]
    pub(in crate::cli) trigger: String,
}

/// `team share`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamShare {
    /// The repository, as it would be shared with from here
    #[arg(value_name = "OWNER/NAME")]
    pub(in crate::cli) repository: String,
}

/// Which entry.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamPick {
    /// The entry, with or without `team/` and `.md`
    pub(in crate::cli) file: String,
}

/// `team delete`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamDelete {
    /// The entry, with or without `team/` and `.md`
    pub(in crate::cli) file: String,
    /// Do not ask, also on a terminal
    #[arg(long, short)]
    pub(in crate::cli) yes: bool,
}

/// `team promote`.
#[derive(Debug, Args)]
pub(in crate::cli) struct TeamPromote {
    /// The memory
    pub(in crate::cli) file: String,
    /// Who answers for it
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    pub(in crate::cli) owner: Option<String>,
    /// The day by which somebody looks again whether it still holds, 2027-03-31
    #[arg(long, value_name = "DATE", allow_hyphen_values = true)]
    pub(in crate::cli) review_by: Option<String>,
    /// Also a memory about yourself
    #[arg(long)]
    pub(in crate::cli) force: bool,
    /// Move your own memory to the trash afterwards; without it both are there
    #[arg(long)]
    pub(in crate::cli) remove: bool,
    /// Only show what would go out
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Do not ask, also on a terminal
    #[arg(long, short)]
    pub(in crate::cli) yes: bool,
}
