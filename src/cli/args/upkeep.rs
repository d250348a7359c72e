//! What can be typed to keep stores and the program itself in order.

use clap::{Args, Subcommand};

/// `stores`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Stores {
    /// What to do; nothing: list the proposals
    #[command(subcommand)]
    pub(in crate::cli) verb: Option<StoresVerb>,
}

/// What to do with a proposal.
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum StoresVerb {
    /// Copy the one store's memories into the other (`undo` takes it back); the first stays as it is
    Apply(StoresApply),
}

/// Which proposal.
#[derive(Debug, Args)]
pub(in crate::cli) struct StoresApply {
    /// Its id
    pub(in crate::cli) id: String,
}

/// `doctor`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Doctor {
    /// Repair what is safe: modes, leftovers of dead runs, files of ours that cannot be read (set aside)
    #[arg(long)]
    pub(in crate::cli) fix: bool,
    /// Ask the engine's model one small question, which may cost a little, and say what it cost
    #[arg(long)]
    pub(in crate::cli) engine_call: bool,
}

/// `completions`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Completions {
    /// The shell
    pub(in crate::cli) shell: clap_complete::Shell,
}
