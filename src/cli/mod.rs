//! The command line: one file a subcommand.
//!
//! A subcommand parses nothing itself (clap did), prints one JSON object with `--json` or lines for people, and returns an
//! exit code. Not its job: the screen (`crate::tui`), and any work of its own: it calls the floors below.
