//! What can be typed to start, watch and end extractions and dreams.

use std::path::PathBuf;

use clap::Args;

/// Who starts a run, where that is not a person at this terminal.
#[derive(Debug, Args)]
pub(in crate::cli) struct Starter {
    /// The run's id, when another process chose it
    #[arg(long, hide = true)]
    pub(in crate::cli) run: Option<String>,
    /// What started it
    #[arg(long, hide = true, default_value = "hand")]
    pub(in crate::cli) trigger: String,
}

/// `extract`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Extract {
    /// The session's transcript
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) transcript: PathBuf,
    /// Read the whole session once more, although it was read before; nothing is stored twice
    #[arg(long)]
    pub(in crate::cli) again: bool,
    /// Only say what would be stored
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// With --dry-run: show what a model would be sent, and how many tokens that is, and ask nobody
    #[arg(long, requires = "dry_run")]
    pub(in crate::cli) show_prompt: bool,
    /// The mark of an answer that the transcript may not have yet
    #[arg(long, hide = true, value_name = "MARK")]
    pub(in crate::cli) awaits: Option<String>,
    /// Who starts it.
    #[command(flatten)]
    pub(in crate::cli) starter: Starter,
}

/// `dream`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Dream {
    /// Skip every gate but the lock
    #[arg(long, overrides_with = "force")]
    pub(in crate::cli) force: bool,
    /// Only say what would change
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// With --dry-run: show what a model would be sent, and how many tokens that is, and ask nobody
    #[arg(long, requires = "dry_run", conflicts_with = "detach")]
    pub(in crate::cli) show_prompt: bool,
    /// Start it in the background and say its run id
    #[arg(long)]
    pub(in crate::cli) detach: bool,
    /// The session that is going on: not one to review
    #[arg(long, hide = true, value_name = "ID")]
    pub(in crate::cli) current_session: Option<String>,
    /// Who starts it.
    #[command(flatten)]
    pub(in crate::cli) starter: Starter,
}

/// `runs`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Runs {
    /// How often runs were started and how they went: the records of this machine
    #[arg(long, conflicts_with = "follow")]
    pub(in crate::cli) stats: bool,
    /// Print each run again whenever it changed, until interrupted
    #[arg(long)]
    pub(in crate::cli) follow: bool,
}

/// `kill`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Kill {
    /// The run's id, or the beginning of it
    pub(in crate::cli) run: String,
}
