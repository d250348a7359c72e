//! Bash, as far as it only reads: a line of allowed commands, run without a shell, in a sandbox.
//!
//! Three walls, each enough for what it guards. The line is read by our own fail-closed lexer and run as argument
//! vectors, so nothing but what was read can run ([`lex`]); every command has a list of flags that cannot write, run or
//! wait ([`allow`]); and the processes run with no right to write a file, open a socket or read outside the project, the
//! sessions and the working copy ([`sandbox`]). Where the kernel has no such sandbox the tool is off, unless the person
//! said otherwise. Not its job: what the answer means, and how long an answer may be for a model (`super::tools`).

mod allow;
mod expand;
mod lex;
mod pipeline;
mod sandbox;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::reach::Reach;
use crate::config::ShellPolicy;
use lex::Join;

/// A line may take this long, all its commands together.
const LIMIT: Duration = Duration::from_secs(10);

/// No more of what a line prints than this is kept, in bytes.
const MAX_OUTPUT: usize = 64 * 1024;

/// What a line gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    /// What it printed, and whether its last command succeeded.
    Done {
        /// Output and errors, in the order they came, bounded.
        text: String,
        /// Whether the last command that ran exited with 0.
        success: bool,
        /// Whether any of them looked at the disk, and did not only print what it was told.
        looked: bool,
    },
    /// Not run: why, and what to write instead.
    Denied(String),
    /// Begun and not finished.
    Failed(String),
}

/// Why commands cannot run here at all; `None`: they can.
#[must_use]
pub(super) fn unavailable(reach: &Reach) -> Option<String> {
    match reach.policy {
        ShellPolicy::Off => Some("the configuration switches it off".to_owned()),
        ShellPolicy::Anywhere => None,
        ShellPolicy::Sandboxed => sandbox::unavailable(),
    }
}

/// Runs a line in `directory`.
pub(super) fn run(line: &str, directory: &Path, reach: &Reach, cancel: &CancellationToken) -> Ran {
    if let Some(why) = unavailable(reach) {
        return Ran::Denied(format!("Bash cannot be used here: {why}; use Read, Grep and Glob"));
    }
    let judged = match judge(line, directory, reach) {
        Ok(judged) => judged,
        Err(why) => return Ran::Denied(why),
    };
    let until = Instant::now() + LIMIT;
    let mut kept = pipeline::Kept::new(MAX_OUTPUT);
    let (mut success, mut looked) = (true, false);
    for (join, commands) in judged {
        match join {
            Join::AfterSuccess if !success => continue,
            Join::AfterFailure if success => continue,
            _ => {}
        }
        match pipeline::run(&commands, directory, reach, until, cancel, &mut kept) {
            Ok(exited_well) => {
                success = exited_well;
                looked |= commands.iter().any(|command| command.looks);
            }
            Err(why) => return Ran::Failed(why),
        }
    }
    Ran::Done { text: kept.text(), success, looked }
}

/// Reads a line and judges all of it, before any of it runs.
fn judge(line: &str, directory: &Path, reach: &Reach) -> Result<Vec<(Join, Vec<Command>)>, String> {
    lex::lex(line)?
        .into_iter()
        .map(|pipeline| {
            let commands: Result<Vec<_>, String> =
                pipeline.commands.iter().map(|written| command(written, directory, reach)).collect();
            Ok((pipeline.join, commands?))
        })
        .collect()
}

/// A command that may run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Command {
    /// The absolute path of its program.
    program: PathBuf,
    /// Its arguments, without the name.
    arguments: Vec<String>,
    /// Whether it looks at the disk at all.
    looks: bool,
    output: lex::Sink,
    errors: lex::Sink,
}

fn command(written: &lex::Written, directory: &Path, reach: &Reach) -> Result<Command, String> {
    let Some((name, words)) = written.words.split_first() else {
        return Err("a command is missing".to_owned());
    };
    if name.is_pattern() {
        return Err("the name of a command must be written out".to_owned());
    }
    let name = name.text();
    let rule = allow::rule(&name)?;
    let mut arguments = Vec::with_capacity(words.len());
    for word in words {
        if word.is_pattern() && rule.expands(&arguments) {
            arguments.extend(expand::expand(word, directory)?);
        } else {
            arguments.push(word.text());
        }
    }
    let paths = rule.judge(&arguments)?;
    for path in paths {
        may_read(path, directory, reach)?;
    }
    Ok(Command {
        program: allow::program(&name)?,
        arguments,
        looks: rule.looks(),
        output: written.output,
        errors: written.errors,
    })
}

/// Whether a path that a command names may be read, judged by how it is written and by where it leads.
fn may_read(path: &str, directory: &Path, reach: &Reach) -> Result<(), String> {
    if path == "-" {
        return Ok(());
    }
    let asked = directory.join(path);
    let refused = format!("{path} is not read: credentials may lie there");
    if reach.is_closed(&asked) {
        return Err(refused);
    }
    let Ok(real) = asked.canonicalize() else {
        // Nothing is there: the command says so itself.
        return Ok(());
    };
    if reach.is_closed(&real) {
        return Err(refused);
    }
    let inside = std::iter::once(directory)
        .chain(reach.roots.iter().map(PathBuf::as_path))
        .any(|root| root.canonicalize().is_ok_and(|root| real.starts_with(root)));
    if !inside {
        return Err(format!(
            "{path} is outside of what commands may read: the memory directory, the project and its sessions; use Read for one file"
        ));
    }
    match real.metadata() {
        Ok(found) if found.is_file() || found.is_dir() => Ok(()),
        Ok(_) => Err(format!("{path} is neither a file nor a directory")),
        Err(error) => Err(format!("{path}: {error}")),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
