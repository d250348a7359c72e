//! dreamtop: `top`, for what a coding agent remembers.
//!
//! Claude Code keeps an auto-memory: a directory with an index, `MEMORY.md`, and one Markdown file per fact.
//! This library reads such stores faithfully, changes them through one guarded door, runs the extraction and
//! consolidation ("dream") engine over them, and draws all of that on a terminal.
//!
//! The house has floors; a module imports only from floors below its own (`tests/architecture.rs` holds it):
//!
//! ```text
//! floor  module
//!   8    main.rs            parse, dispatch, exit code
//!   7    cli/  tui/         subcommands · the screen
//!   6    hook/  mcp/  team/ what Claude Code's hooks are answered · what other agents may ask · memories of a team
//!   5    run/               extract and dream: gates, lock, worker, journal, kill
//!   4    engine/            what thinks: embedded rules, or an agent loop over a provider
//!        filter/            which memories a line of filter words means
//!   3    recall/  health/   which memories a prompt calls for · findings
//!   2    change/            the one door: change sets, guards, landing, history, undo, inbox
//!   1    project/ session/  which store belongs to which project · reading transcripts
//!   0    memory/            reading stores · environment, config, state, clock, text, secret,
//!                            editor, persons_file, difference, log, process, lock_file, lanes,
//!                            net
//! ```

pub mod clock;
pub mod config;
mod difference;
pub mod editor;
pub mod environment;
mod lanes;
pub mod lock_file;
pub mod log;
pub mod memory;
pub mod net;
pub mod persons_file;
pub mod process;
pub mod secret;
pub mod state;
pub mod text;

pub mod project;
pub mod session;

pub mod change;

pub mod health;
pub mod recall;

pub mod engine;
pub mod filter;

pub mod run;

pub mod hook;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod team;

pub mod cli;
pub mod tui;
