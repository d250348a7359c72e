//! What can be typed: the grammar, its help texts, nothing else. Here the commands and the options that all of them take;
//! what one command takes stands with those that are about the same.

// Understood in every build, so that one without the server can say how to get it.
#[cfg_attr(not(feature = "server"), allow(dead_code))]
mod serve;

mod changes;
mod memories;
mod reading;
mod runs;
mod setup;
mod team;
mod upkeep;

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use changes::{Inbox, InboxAccept, InboxPick, InboxVerb, Purge, Undo};
pub(super) use memories::{Confirm, Edit, Index, IndexVerb, Mv, New, Promote, PromoteTo, Rm, Snooze};
pub(super) use reading::{Check, Find, Ls, Order, Recall, Show};
pub(super) use runs::{Dream, Extract, Kill, Runs, Starter};
pub(super) use serve::Serve;
#[cfg(feature = "server")]
pub(super) use serve::{ServeVerb, TokenNew, TokenVerb};
pub(super) use setup::{Install, Pause, ScopeWord, Setup, Uninstall};
pub(super) use team::{
    KeepWord, Team, TeamDelete, TeamPick, TeamPromote, TeamPull, TeamPush, TeamShare, TeamSync, TeamTake, TeamVerb,
};
pub(super) use upkeep::{Completions, Doctor, Stores, StoresVerb};

/// `top`, for what a coding agent remembers.
///
/// Without a command: opens the screen on the memories of the project in the working directory.
#[derive(Debug, Parser)]
#[command(name = "dreamtop", version, max_term_width = 100, after_help = EXIT_CODES)]
pub(super) struct Arguments {
    /// Options that every command takes.
    #[command(flatten)]
    pub(super) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(super) verb: Option<Verb>,
}

const EXIT_CODES: &str = "Exit codes: 0 done · 1 findings, or nothing found · 2 usage · 3 a person is needed (held, partial, \
conflict) · 4 not run (gate, lock) · 5 failed · 130/143 interrupted";

/// Options that every command takes.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Global {
    /// The project whose memory is meant (default: the working directory)
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) project: Option<PathBuf>,
    /// The memory directory itself, any folder with Markdown memories
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) memory_dir: Option<PathBuf>,
    /// Where the transcripts of its sessions lie; `find` takes it without a directory too
    #[arg(long, global = true, value_name = "DIR", num_args = 0..=1, default_missing_value = "",
        value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub(super) sessions: Option<PathBuf>,
    /// Claude Code's directory (default: $CLAUDE_CONFIG_DIR, else ~/.claude)
    #[arg(long, global = true, value_name = "DIR")]
    pub(super) claude_dir: Option<PathBuf>,
    /// The configuration file (default: ~/.config/dreamtop/config.yaml)
    #[arg(long, global = true, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// What thinks: `embedded` (no model, no network), `anthropic` or `openai` (a model over HTTP, also `anthropic:MODEL`),
    /// `claude` (the claude command), or `script:FILE` (plays a file of turns)
    #[arg(long, global = true, value_name = "ENGINE")]
    pub(super) engine: Option<String>,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// Print nothing but errors
    #[arg(long, short, global = true)]
    pub(super) quiet: bool,
    /// When to colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Open the screen over a throw-away copy of the sample: look around, start a dream, kill it
    Demo,
    /// List the memories of a store
    Ls(Ls),
    /// Show one memory
    Show(Show),
    /// Write a new memory
    New(New),
    /// Edit a memory in $VISUAL or $EDITOR, or set one field
    Edit(Edit),
    /// Move memories to the trash (`undo` brings them back)
    Rm(Rm),
    /// Give a memory another file name; links and index follow
    Mv(Mv),
    /// Put a memory into CLAUDE.md or a rule for some paths (`undo` takes it back)
    Promote(Promote),
    /// Arrange the index: pin an entry to the top, move it, shorten long lines into their memories
    Index(Index),
    /// Say that memories were checked and are still true: their age starts again (`undo` takes it back)
    Confirm(Confirm),
    /// Let memories wait a while before triage asks about them again
    Snooze(Snooze),
    /// Say what is wrong with the store, and fix what is safe to fix
    Check(Check),
    /// Search the text of memories, with --sessions that of sessions too, for a regular expression
    Find(Find),
    /// Say which memories a prompt would call back, and why
    Recall(Recall),
    /// Print the memory section a session of this project starts with
    Context,
    /// Say why a dream or an extraction would start now, or not
    Gates,
    /// Extract memories from one transcript
    Extract(Extract),
    /// Consolidate the store: merge, date, drop, bring the index in order
    Dream(Dream),
    /// List runs, live and past, of all projects
    Runs(Runs),
    /// Answer a hook of Claude Code: its JSON on stdin, by `hook_event_name`; whatever goes wrong, the session goes on
    Hook,
    /// Have Claude Code call us: hooks for its events, `/dream` and `/memory-health`; shows the change and asks
    Install(Install),
    /// Take that back; settings nobody changed since become byte for byte what they were
    Uninstall(Uninstall),
    /// Serve the memory to agents that speak the Model Context Protocol, over stdin and stdout (a build with `mcp`)
    Mcp,
    /// Serve the memories of a team, over SQLite or PostgreSQL (a build with `server`)
    Serve(Serve),
    /// Let nothing happen by itself for a while: no extraction, no dream, nothing into prompts
    Pause(Pause),
    /// Kill a run: before its changes land nothing has changed, after that `undo` takes them back
    Kill(Kill),
    /// Take back a run or any other change, byte for byte
    Undo(Undo),
    /// List what changed the store
    History,
    /// Erase kept old contents for good, for a secret that got in; they cannot be restored by anyone then
    Purge(Purge),
    /// List, accept or reject changes that wait for a person
    Inbox(Inbox),
    /// Share memories with a team through its server: pull, push, hide, offer; `status` says how each entry stands
    Team(Team),
    /// Say which stores could be brought together: split ones, ones whose project moved; change nothing
    Stores(Stores),
    /// Say whether everything is in order: files of ours, settings, store, leftovers; repair what is safe
    Doctor(Doctor),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page (roff)
    Man,
}
