//! The command line: one file a subcommand.
//!
//! A subcommand parses nothing itself (clap did), prints one JSON object with `--json` or lines for people, and returns an
//! exit code. Not its job: the screen (`crate::tui`), and any work of its own: it calls the floors below.

mod args;
mod by_editor;
mod check;
mod completions;
mod confirm;
mod context;
mod demo;
mod demo_held;
mod doctor;
mod dream;
mod edit;
mod extract;
mod find;
mod gates;
mod history;
mod hook;
mod inbox;
mod inbox_edit;
mod index;
mod install;
mod kill;
mod landing;
mod ls;
mod man;
mod mcp;
mod mv;
mod new;
mod output;
mod owes;
mod pause;
mod promote;
mod prompt;
mod purge;
mod recall;
mod rm;
mod row;
mod runs;
mod sample;
mod screen;
mod serve;
mod show;
mod show_prompt;
mod snooze;
mod source;
mod stores;
mod team;
mod undo;

use std::ffi::OsString;
use std::path::Path;

use clap::{CommandFactory, FromArgMatches};

use crate::config::Config;
use crate::environment::Environment;
use args::{Arguments, Verb};
use context::Context;
use output::Failure;
pub use sample::lay_out as lay_out_sample;
pub use screen::{Screen, finish as finish_screen};

/// The exit codes, as documented in the manual.
pub mod exit {
    /// Done.
    pub const DONE: u8 = 0;
    /// Findings, or nothing found.
    pub const FINDINGS: u8 = 1;
    /// The command line or the configuration is wrong.
    pub const USAGE: u8 = 2;
    /// A person is needed: something is held, partial or in conflict.
    pub const PERSON: u8 = 3;
    /// Not run: a gate is closed, a lock is held.
    pub const NOT_RUN: u8 = 4;
    /// Failed.
    pub const FAILED: u8 = 5;

    /// The code of a run that was killed: 128 and the number of the signal, as shells do.
    pub(super) fn killed(by: Option<&str>) -> u8 {
        let by = by.unwrap_or_default();
        let signals = [("signal HUP", 129), ("signal INT", 130), ("signal QUIT", 131)];
        signals.iter().find(|(signal, _)| by.starts_with(signal)).map_or(143, |(_, code)| *code)
    }
}

/// What the screen knows about its keys, as far as the command line tells of it; the two do not know each other.
#[derive(Clone, Copy, Debug)]
pub struct Keyboard {
    /// What is wrong with the `keys` of a configuration.
    pub complaints: fn(&Config, Option<&Path>) -> Vec<KeyComplaint>,
    /// Every command of the screen.
    pub manual: fn() -> Vec<KeyRow>,
}

/// Something in the `keys` of a configuration that cannot be as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyComplaint {
    /// What, in one sentence with file and line.
    pub message: String,
    /// What to do about it.
    pub next: &'static str,
}

/// A command of the screen, for the manual.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Its keys; empty: only the palette has it.
    pub keys: String,
    /// Its name in the configuration and the palette.
    pub name: &'static str,
    /// Where it counts, in words.
    pub place: &'static str,
    /// What it does.
    pub sentence: &'static str,
}

/// What `main` does after the command line was understood.
#[derive(Debug)]
pub enum Next {
    /// Leave with this code; everything has been said.
    Exit(u8),
    /// Open the screen.
    Screen(Box<Screen>),
}

/// Parses the arguments and does what they say, all but opening the screen.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>, environment: Environment, keyboard: Keyboard) -> Next {
    crate::process::outlive_file_limits();
    let typed: Vec<OsString> = arguments.into_iter().collect();
    let parsed =
        Arguments::command().try_get_matches_from(&typed).and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) if matches!(arguments.verb, Some(Verb::Hook)) => {
            return Next::Exit(hook::run(&arguments.global, environment));
        }
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && hook::is_called(&typed) => {
            return Next::Exit(hook::not_understood(&error, &environment));
        }
        Err(error) => {
            // Help and version are asked for and go to stdout with 0; anything else is a usage error on stderr.
            let code = if error.use_stderr() { exit::USAGE } else { exit::DONE };
            output::not_understood(&error);
            return Next::Exit(code);
        }
    };
    // Whoever asks what is wrong must get an answer also when the configuration is.
    // The demo has a configuration of its own.
    let lenient = matches!(arguments.verb, Some(Verb::Doctor(_) | Verb::Demo));
    let mut context = match Context::new(&arguments.global, environment, lenient) {
        Ok(context) => context,
        Err(failure) => return Next::Exit(output::report(&failure)),
    };
    let is_find = matches!(arguments.verb, Some(Verb::Find(_)));
    if !is_find && arguments.global.sessions.as_ref().is_some_and(|dir| dir.as_os_str().is_empty()) {
        return Next::Exit(output::report(&Failure::usage("--sessions needs the directory with the transcripts")));
    }
    // A server has a log of its own.
    if !matches!(arguments.verb, Some(Verb::Serve(_))) {
        crate::log::start(&context.state);
    }
    match dispatch(arguments, &mut context, keyboard) {
        Ok(next) => next,
        Err(failure) => Next::Exit(output::report(&failure)),
    }
}

fn dispatch(arguments: Arguments, context: &mut Context, keyboard: Keyboard) -> Result<Next, Failure> {
    let code = match arguments.verb {
        None => return screen::open(context).map(|screen| Next::Screen(Box::new(screen))),
        Some(Verb::Demo) => return demo::open(context).map(|screen| Next::Screen(Box::new(screen))),
        Some(Verb::Ls(ls)) => ls::run(context, &ls)?,
        Some(Verb::Show(show)) => show::run(context, &show)?,
        Some(Verb::New(new)) => new::run(context, &new)?,
        Some(Verb::Edit(edit)) => edit::run(context, &edit)?,
        Some(Verb::Rm(rm)) => rm::run(context, &rm)?,
        Some(Verb::Mv(mv)) => mv::run(context, &mv)?,
        Some(Verb::Promote(promote)) => promote::run(context, &promote)?,
        Some(Verb::Index(index)) => index::run(context, &index)?,
        Some(Verb::Confirm(confirm)) => confirm::run(context, &confirm)?,
        Some(Verb::Snooze(snooze)) => snooze::run(context, &snooze)?,
        Some(Verb::Check(check)) => check::run(context, &check)?,
        Some(Verb::Find(find)) => find::run(context, find)?,
        Some(Verb::Recall(recall)) => recall::run(context, &recall)?,
        Some(Verb::Context) => prompt::run(context)?,
        Some(Verb::Gates) => gates::run(context)?,
        Some(Verb::Extract(extract)) => extract::run(context, &extract)?,
        Some(Verb::Dream(dream)) => dream::run(context, &dream)?,
        Some(Verb::Runs(runs)) => runs::run(context, &runs)?,
        // Taken care of before anything could fail.
        Some(Verb::Hook) => exit::DONE,
        Some(Verb::Install(install)) => install::run(context, &install.setup)?,
        Some(Verb::Uninstall(uninstall)) => install::take_out(context, &uninstall.setup)?,
        Some(Verb::Mcp) => mcp::run(context)?,
        Some(Verb::Serve(serve)) => serve::run(context, &serve)?,
        Some(Verb::Pause(pause)) => pause::run(context, &pause)?,
        Some(Verb::Kill(kill)) => kill::run(context, &kill)?,
        Some(Verb::Undo(undo)) => undo::run(context, &undo)?,
        Some(Verb::History) => history::run(context)?,
        Some(Verb::Purge(purge)) => purge::run(context, &purge)?,
        Some(Verb::Inbox(inbox)) => inbox::run(context, &inbox)?,
        Some(Verb::Team(team)) => team::run(context, &team)?,
        Some(Verb::Stores(stores)) => stores::run(context, &stores)?,
        Some(Verb::Doctor(doctor)) => doctor::run(context, &doctor, keyboard)?,
        Some(Verb::Completions(completions)) => completions::run(context, &completions)?,
        Some(Verb::Man) => man::run(keyboard)?,
    };
    Ok(Next::Exit(code))
}
