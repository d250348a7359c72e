//! What can be typed: the grammar, its help texts, nothing else.

// Understood in every build, so that one without the server can say how to get it.
#[cfg_attr(not(feature = "server"), allow(dead_code))]
mod serve;
mod setup;
mod team;

use std::path::PathBuf;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(super) use serve::Serve;
#[cfg(feature = "server")]
pub(super) use serve::{ServeVerb, TokenNew, TokenVerb};
pub(super) use setup::{Install, Pause, ScopeWord, Setup, Uninstall};
pub(super) use team::{
    KeepWord, Team, TeamDelete, TeamPick, TeamPromote, TeamPull, TeamPush, TeamSync, TeamTake, TeamVerb,
};

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

/// `ls`.
#[derive(Debug, Args)]
pub(super) struct Ls {
    /// Every store: projects', teams', sub-agents'; each once, with what is odd about it
    #[arg(long, conflicts_with_all = ["sort", "evidence", "view"])]
    pub(super) all: bool,
    /// The order (default: name, or that of the view)
    #[arg(long, value_name = "ORDER")]
    pub(super) sort: Option<Order>,
    /// Only what matches a line of filter words, as `/` on the screen has it: `type:feedback stale in:team "exact" -word`
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true)]
    pub(super) filter: Option<String>,
    /// Only what a saved view shows, in its order: `stale`, `damaged`, `never recalled`, `mine`, `about to expire`, your own
    #[arg(long, value_name = "NAME", conflicts_with = "filter")]
    pub(super) view: Option<String>,
    /// Hold each memory against the project and its sessions: what is gone, how it was used, how much it needs a look
    #[arg(long)]
    pub(super) evidence: bool,
}

/// An order of memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
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
pub(super) struct Show {
    /// The memory: its file, with or without `.md`, or its name
    pub(super) file: String,
    /// Also what was said in the session it comes from: the very turn, and the answers before and after
    #[arg(long)]
    pub(super) source: bool,
}

/// `new`.
#[derive(Debug, Args)]
pub(super) struct New {
    /// A short name
    pub(super) name: String,
    /// user, feedback, project or reference
    #[arg(long = "type", short = 't', value_name = "TYPE")]
    pub(super) kind: String,
    /// One line: what it says
    #[arg(long, short, default_value = "", allow_hyphen_values = true)]
    pub(super) description: String,
    /// The body in Markdown; `-` reads standard input
    #[arg(long, short, allow_hyphen_values = true)]
    pub(super) body: Option<String>,
    /// Write it in $VISUAL or $EDITOR, on a skeleton of its type; what nobody fills in is not saved
    #[arg(long, short, conflicts_with = "body")]
    pub(super) edit: bool,
}

/// `edit`.
#[derive(Debug, Args)]
pub(super) struct Edit {
    /// The memory
    pub(super) file: String,
    /// Set the name
    #[arg(long, allow_hyphen_values = true)]
    pub(super) name: Option<String>,
    /// Set the description
    #[arg(long, allow_hyphen_values = true)]
    pub(super) description: Option<String>,
    /// Set the type
    #[arg(long = "type", value_name = "TYPE")]
    pub(super) kind: Option<String>,
    /// The claim was checked and is true today: its age starts again
    #[arg(long)]
    pub(super) renew: bool,
}

/// `rm`.
#[derive(Debug, Args)]
pub(super) struct Rm {
    /// The memories
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// Only say what would go
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Do not ask, also on a terminal
    #[arg(long, short)]
    pub(super) yes: bool,
}

/// `mv`.
#[derive(Debug, Args)]
pub(super) struct Mv {
    /// The memory
    pub(super) from: String,
    /// Its new file name
    pub(super) to: String,
    /// Only say what would follow: index lines, links in other memories
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// `promote`.
#[derive(Debug, Args)]
pub(super) struct Promote {
    /// The memory
    pub(super) file: String,
    /// Which file gets its text
    #[arg(long, value_name = "WHERE", default_value = "project")]
    pub(super) to: PromoteTo,
    /// For a new rule: a path pattern it is for, as `src/api/**`; again for more (default: all paths)
    #[arg(long = "paths", value_name = "GLOB")]
    pub(super) paths: Vec<String>,
    /// For a rule: its file name in .claude/rules (default: the memory's name)
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
    /// Another text than the memory's name and body
    #[arg(long, value_name = "MARKDOWN", allow_hyphen_values = true)]
    pub(super) text: Option<String>,
    /// Move the memory to the trash afterwards; without it the memory stays
    #[arg(long)]
    pub(super) remove: bool,
    /// Only print the file and the text
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Do not ask, also on a terminal
    #[arg(long, short)]
    pub(super) yes: bool,
}

/// Where a memory's text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PromoteTo {
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
pub(super) struct Index {
    /// What to do
    #[command(subcommand)]
    pub(super) verb: IndexVerb,
    /// Only say what would change
    #[arg(long, global = true)]
    pub(super) dry_run: bool,
}

/// What to do with the index.
#[derive(Debug, Subcommand)]
pub(super) enum IndexVerb {
    /// Make a memory's entry the first one: the last to fall past a load limit
    Pin(IndexPick),
    /// Move a memory's entry before another's
    Move(IndexMove),
    /// Cut lines of more than 150 characters; what they said goes into their memories
    Shorten(IndexPicks),
}

/// Which entry.
#[derive(Debug, Args)]
pub(super) struct IndexPick {
    /// The memory
    pub(super) file: String,
}

/// Which entries.
#[derive(Debug, Args)]
pub(super) struct IndexPicks {
    /// The memories (default: all whose line is too long)
    pub(super) files: Vec<String>,
}

/// Which entry, and where to.
#[derive(Debug, Args)]
pub(super) struct IndexMove {
    /// The memory
    pub(super) file: String,
    /// The memory whose entry it is to stand before
    #[arg(long, value_name = "FILE")]
    pub(super) before: String,
}

/// `confirm`.
#[derive(Debug, Args)]
pub(super) struct Confirm {
    /// The memories
    #[arg(required = true)]
    pub(super) files: Vec<String>,
}

/// `snooze`.
#[derive(Debug, Args)]
pub(super) struct Snooze {
    /// The memories
    #[arg(required = true)]
    pub(super) files: Vec<String>,
    /// How many days
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3650))]
    pub(super) days: u16,
    /// Do not wait any more: takes a snooze back
    #[arg(long, conflicts_with = "days")]
    pub(super) wake: bool,
}

/// `check`.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Repair what is safe to repair
    #[arg(long)]
    pub(super) fix: bool,
    /// With --fix: only say what would be repaired
    #[arg(long, requires = "fix")]
    pub(super) dry_run: bool,
    /// Every store, without repairing anything
    #[arg(long, conflicts_with = "fix")]
    pub(super) all: bool,
}

/// `find`.
#[derive(Debug, Args)]
pub(super) struct Find {
    /// The regular expression; small letters match capitals too, a capital only itself
    pub(super) pattern: Option<String>,
    /// In every store, and with --sessions in the sessions of every project
    #[arg(long)]
    pub(super) all: bool,
}

/// `recall`.
#[derive(Debug, Args)]
pub(super) struct Recall {
    /// The prompt, in one word or several
    #[arg(required = true)]
    pub(super) query: Vec<String>,
    /// A tool in use, whose usage notes are not needed; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(super) tool: Vec<String>,
    /// Every store: projects', teams', sub-agents'; equal copies are one answer that names its places
    #[arg(long)]
    pub(super) all: bool,
    /// A memory the session has already: its path, or its file in the store; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(super) shown: Vec<String>,
    /// Print the text that a session would be given
    #[arg(long)]
    pub(super) prompt: bool,
}

/// `extract`.
#[derive(Debug, Args)]
pub(super) struct Extract {
    /// The session's transcript
    #[arg(long, value_name = "FILE")]
    pub(super) transcript: PathBuf,
    /// Read the whole session once more, although it was read before; nothing is stored twice
    #[arg(long)]
    pub(super) again: bool,
    /// Only say what would be stored
    #[arg(long)]
    pub(super) dry_run: bool,
    /// With --dry-run: show what a model would be sent, and how many tokens that is, and ask nobody
    #[arg(long, requires = "dry_run")]
    pub(super) show_prompt: bool,
    /// The run's id, when another process chose it
    #[arg(long, hide = true)]
    pub(super) run: Option<String>,
    /// The mark of an answer that the transcript may not have yet
    #[arg(long, hide = true, value_name = "MARK")]
    pub(super) awaits: Option<String>,
    /// What started it
    #[arg(long, hide = true, default_value = "hand")]
    pub(super) trigger: String,
}

/// `dream`.
#[derive(Debug, Args)]
pub(super) struct Dream {
    /// Skip every gate but the lock
    #[arg(long, overrides_with = "force")]
    pub(super) force: bool,
    /// Only say what would change
    #[arg(long)]
    pub(super) dry_run: bool,
    /// With --dry-run: show what a model would be sent, and how many tokens that is, and ask nobody
    #[arg(long, requires = "dry_run", conflicts_with = "detach")]
    pub(super) show_prompt: bool,
    /// Start it in the background and say its run id
    #[arg(long)]
    pub(super) detach: bool,
    /// The run's id, when another process chose it
    #[arg(long, hide = true)]
    pub(super) run: Option<String>,
    /// The session that is going on: not one to review
    #[arg(long, hide = true, value_name = "ID")]
    pub(super) current_session: Option<String>,
    /// What started it
    #[arg(long, hide = true, default_value = "hand")]
    pub(super) trigger: String,
}

/// `runs`.
#[derive(Debug, Args)]
pub(super) struct Runs {
    /// How often runs were started and how they went: the records of this machine
    #[arg(long, conflicts_with = "follow")]
    pub(super) stats: bool,
    /// Print each run again whenever it changed, until interrupted
    #[arg(long)]
    pub(super) follow: bool,
}

/// `kill`.
#[derive(Debug, Args)]
pub(super) struct Kill {
    /// The run's id, or the beginning of it
    pub(super) run: String,
}

/// `undo`.
#[derive(Debug, Args)]
pub(super) struct Undo {
    /// The run, the history entry, or the inbox entry of which something was rejected (default: the latest thing done)
    pub(super) run: Option<String>,
}

/// `purge`.
#[derive(Debug, Args)]
pub(super) struct Purge {
    /// A file of the store (what it ever held), or a history entry (what it kept)
    #[arg(required_unless_present = "all", conflicts_with = "all", value_name = "FILE|ENTRY")]
    pub(super) what: Option<String>,
    /// Everything the history of this store keeps
    #[arg(long)]
    pub(super) all: bool,
    /// Only say what would go
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Erase without the question that is asked on a terminal
    #[arg(short = 'y', long)]
    pub(super) yes: bool,
}

/// `inbox`.
#[derive(Debug, Args)]
pub(super) struct Inbox {
    /// What to do; nothing: list
    #[command(subcommand)]
    pub(super) verb: Option<InboxVerb>,
}

/// What to do with the inbox.
#[derive(Debug, Subcommand)]
pub(super) enum InboxVerb {
    /// Show one entry in full: reasons, sources, numbered hunks, and what becomes of every sentence that would go
    Show(InboxPick),
    /// Land held changes
    Accept(InboxAccept),
    /// Drop held changes
    Reject(InboxPick),
}

/// Which held changes.
#[derive(Debug, Args)]
pub(super) struct InboxPick {
    /// The inbox entry, or the run it is from
    pub(super) id: String,
    /// Only these files of it
    pub(super) files: Vec<String>,
}

/// Which held changes, down to the hunk.
#[derive(Debug, Args)]
pub(super) struct InboxAccept {
    /// The inbox entry, or the run it is from
    pub(super) id: String,
    /// Only these files of it
    pub(super) files: Vec<String>,
    /// Only this hunk of the one file, as `inbox show` numbers it; again for more. The other hunks go on waiting
    #[arg(long = "hunk", value_name = "N")]
    pub(super) hunks: Vec<usize>,
    /// Open the one file in your editor first; where two versions cannot be merged, with both in it
    #[arg(long, conflicts_with = "hunks")]
    pub(super) edit: bool,
}

/// `stores`.
#[derive(Debug, Args)]
pub(super) struct Stores {
    /// What to do; nothing: list the proposals
    #[command(subcommand)]
    pub(super) verb: Option<StoresVerb>,
}

/// What to do with a proposal.
#[derive(Debug, Subcommand)]
pub(super) enum StoresVerb {
    /// Copy the one store's memories into the other (`undo` takes it back); the first stays as it is
    Apply(StoresApply),
}

/// Which proposal.
#[derive(Debug, Args)]
pub(super) struct StoresApply {
    /// Its id
    pub(super) id: String,
}

/// `doctor`.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Repair what is safe: modes, leftovers of dead runs, files of ours that cannot be read (set aside)
    #[arg(long)]
    pub(super) fix: bool,
    /// Ask the engine's model one small question, which may cost a little, and say what it cost
    #[arg(long)]
    pub(super) engine_call: bool,
}

/// `completions`.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell
    pub(super) shell: clap_complete::Shell,
}
