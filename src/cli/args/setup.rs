//! What can be typed to set Claude Code up.

use clap::{Args, ValueEnum};

/// `install`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Install {
    /// Where and how.
    #[command(flatten)]
    pub(in crate::cli) setup: Setup,
}

/// `uninstall`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Uninstall {
    /// Where and how.
    #[command(flatten)]
    pub(in crate::cli) setup: Setup,
}

/// What both take.
#[derive(Debug, Args)]
pub(in crate::cli) struct Setup {
    /// Whose settings: yours for every project, the project's (shared with whoever works on it), or yours for this project
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    pub(in crate::cli) scope: ScopeWord,
    /// Show what would change and change nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(in crate::cli) yes: bool,
}

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ScopeWord {
    /// `settings.json` in Claude Code's directory
    User,
    /// `.claude/settings.json` of the project
    Project,
    /// `.claude/settings.local.json` of the project
    Local,
}

/// `pause`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Pause {
    /// For how long: 45m, 2h, 3d (default: until `--off`)
    pub(in crate::cli) duration: Option<String>,
    /// End the pause
    #[arg(long, conflicts_with = "duration")]
    pub(in crate::cli) off: bool,
}
