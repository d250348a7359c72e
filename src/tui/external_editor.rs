//! Editing in the person's own editor: which program, on which file, and what came of it.
//!
//! The editor gets a private copy in our state directory, never the file in the store: what it saves is compared with what
//! it was given and goes through the change door like any other edit. Not its job: giving the terminal away and back
//! ([`super::terminal::Screen::released`]) and landing the result.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::state::{create_private_dir, private_options, with_path};
use crate::text::visible;

/// A program and the arguments that go before the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EditorCommand {
    /// The program, found.
    pub(super) program: PathBuf,
    /// Its arguments.
    pub(super) arguments: Vec<String>,
    /// What a person should know about the choice: a variable that could not be used.
    pub(super) notice: Option<String>,
}

/// What came of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edited {
    /// The copy is as it was: nothing to save, no time to change.
    Unchanged,
    /// The new content.
    Changed(Vec<u8>),
    /// Nothing is left of it. Worth a question, not a save.
    Emptied,
    /// It is no longer text; the old content stays. Where the copy is kept.
    NotUtf8(PathBuf),
    /// The editor failed; the old content stays.
    Failed {
        /// `exit status 1`, `signal 9`.
        how: String,
        /// Where the copy is kept, when something had been saved to it.
        kept: Option<PathBuf>,
    },
}

impl Edited {
    /// One sentence for the status line; `None` for what speaks for itself (a change is reported when it has landed).
    pub(super) fn message(&self, file: &str) -> Option<String> {
        let file = visible(file);
        match self {
            Self::Unchanged => Some(format!("{file} is unchanged")),
            Self::Changed(_) => None,
            Self::Emptied => {
                Some(format!("the editor left {file} empty: the old text is kept; delete the memory with d"))
            }
            Self::NotUtf8(kept) => Some(format!(
                "the editor left bytes that are not UTF-8: {file} keeps its old text; yours is in {}",
                kept.display()
            )),
            Self::Failed { how, kept: None } => Some(format!("the editor ended with {how}: {file} keeps its old text")),
            Self::Failed { how, kept: Some(kept) } => Some(format!(
                "the editor ended with {how}: {file} keeps its old text; what it saved is in {}",
                kept.display()
            )),
        }
    }
}

/// Chooses the editor: `VISUAL`, else `EDITOR`, else `vi`; the first whose program is there.
///
/// # Errors
/// A sentence for the status line when none is there.
pub(super) fn choose(environment: &Environment) -> Result<EditorCommand, String> {
    let mut skipped = Vec::new();
    for variable in ["VISUAL", "EDITOR"] {
        let Some(value) = environment.variable(variable).filter(|value| !value.trim().is_empty()) else { continue };
        match resolve(value, environment) {
            Ok((program, arguments)) => {
                return Ok(EditorCommand { program, arguments, notice: notice(&skipped) });
            }
            Err(why) => skipped.push(format!("{variable} is {:?}: {why}", visible(value))),
        }
    }
    match find_program("vi", environment) {
        Some(program) => Ok(EditorCommand { program, arguments: Vec::new(), notice: notice(&skipped) }),
        None => {
            skipped.push("there is no vi".to_owned());
            Err(format!("no editor to start: {}; set EDITOR, or edit here with e", skipped.join("; ")))
        }
    }
}

fn notice(skipped: &[String]) -> Option<String> {
    (!skipped.is_empty()).then(|| skipped.join("; "))
}

fn resolve(value: &str, environment: &Environment) -> Result<(PathBuf, Vec<String>), String> {
    // A path with spaces that exists as a whole is a program, whatever the quoting rules would make of it.
    let whole = value.trim();
    if whole.contains('/') && is_program(&environment.expand(whole)) {
        return Ok((environment.expand(whole), Vec::new()));
    }
    let mut words = split(whole)?.into_iter();
    let word = words.next().ok_or_else(|| "it names no program".to_owned())?;
    let program =
        find_program(&word, environment).ok_or_else(|| format!("there is no program {:?}", visible(&word)))?;
    Ok((program, words.collect()))
}

/// A command in words, as a shell splits it: single and double quotes, backslash outside single quotes. Nothing is expanded.
fn split(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = command.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if matches!(characters.peek(), Some('"' | '\\' | '$' | '`')) => {
                word.get_or_insert_default().extend(characters.next());
            }
            (None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("a {open} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

fn find_program(word: &str, environment: &Environment) -> Option<PathBuf> {
    if word.is_empty() {
        return None;
    }
    if word.contains('/') || (cfg!(windows) && word.contains('\\')) {
        return Some(environment.expand(word)).filter(|path| is_program(path));
    }
    let path = environment.variable("PATH")?;
    std::env::split_paths(path).map(|dir| environment.current_dir().join(dir).join(word)).find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// The private copy an editor works on. Removed when dropped, unless it holds work that could not be taken over.
pub(super) struct WorkingFile {
    dir: tempfile::TempDir,
    path: PathBuf,
    before: Vec<u8>,
}

impl WorkingFile {
    /// Copies `content` to a private file named like the memory, so that editors know its type.
    ///
    /// # Errors
    /// When the state directory cannot be written.
    pub(super) fn new(state_root: &Path, file: &str, content: &[u8]) -> io::Result<Self> {
        // Absolute, so that no name can be taken for an option, whatever it begins with.
        let parent = std::path::absolute(state_root)?.join("edit");
        create_private_dir(&parent)?;
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("memory-");
        let dir =
            builder.tempdir_in(&parent).map_err(|error| with_path(error, "cannot make a directory in", &parent))?;
        let name = Path::new(file).file_name().unwrap_or(OsStr::new("memory.md"));
        let path = dir.path().join(name);
        private_options()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut open| open.write_all(content))
            .map_err(|error| with_path(error, "cannot write", &path))?;
        Ok(Self { dir, path, before: content.to_vec() })
    }

    /// The file to hand to the editor.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What the editor made of it, given how the editor ended (`None`: well).
    ///
    /// # Errors
    /// When the copy cannot be read any more.
    pub(super) fn take(self, failure: Option<String>) -> io::Result<Edited> {
        let after = match fs::read(&self.path) {
            Ok(after) => after,
            // An editor that removed the file meant the same as one that emptied it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(with_path(error, "cannot read back", &self.path)),
        };
        if let Some(how) = failure {
            let kept = (after != self.before && !after.is_empty()).then(|| self.keep());
            return Ok(Edited::Failed { how, kept });
        }
        if after == self.before {
            return Ok(Edited::Unchanged);
        }
        if after.iter().all(u8::is_ascii_whitespace) {
            return Ok(Edited::Emptied);
        }
        // What was not UTF-8 before may stay so; the editor only must not break what was text.
        if std::str::from_utf8(&after).is_err() && std::str::from_utf8(&self.before).is_ok() {
            return Ok(Edited::NotUtf8(self.keep()));
        }
        Ok(Edited::Changed(after))
    }

    fn keep(self) -> PathBuf {
        let _ = self.dir.keep();
        self.path
    }
}

/// How waiting for the editor ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// It exited well.
    Well,
    /// It did not: `exit status 1`, `signal 9`, or why it could not be started.
    Badly(String),
    /// We are asked to end meanwhile, by the signal of this number. The editor got it too.
    Interrupted(i32),
}

/// Runs the editor on a file in the foreground and waits for it. Call it with the terminal released.
#[cfg(unix)]
pub(super) async fn run(command: &EditorCommand, file: &Path, signals: &mut super::signals::Signals) -> Waited {
    use rustix::process::{Pid, Signal, kill_process};

    let child = match std::process::Command::new(&command.program).args(&command.arguments).arg(file).spawn() {
        Ok(child) => child,
        Err(error) => return Waited::Badly(format!("{}: {error}", command.program.display())),
    };
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return Waited::Badly("a process id that cannot be waited for".to_owned());
    };
    let mut waiting = tokio::task::spawn_blocking(move || wait_for(pid));
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        number = signals.next_while_released() => {
            let _ = kill_process(pid, if number == super::signals::HANG_UP { Signal::HUP } else { Signal::TERM });
            return Waited::Interrupted(number);
        }
    };
    // The Ctrl-C that ended the editor came to us as well and may still be on its way through the runtime.
    let settle = std::time::Duration::from_millis(20);
    if let Ok(number) = tokio::time::timeout(settle, signals.next_while_released()).await {
        return Waited::Interrupted(number);
    }
    ended.unwrap_or_else(|error| Waited::Badly(error.to_string()))
}

/// Waits for a child's end. When it is stopped (Ctrl-Z in the editor) we stop with it, or the shell would never get the
/// terminal back; its `fg` continues both.
#[cfg(unix)]
fn wait_for(pid: rustix::process::Pid) -> Waited {
    use rustix::process::{Signal, WaitOptions, getpid, kill_process, waitpid};
    loop {
        match waitpid(Some(pid), WaitOptions::UNTRACED) {
            Ok(Some((_, status))) if status.stopped() => {
                let whom =
                    if super::terminal::can_be_continued() { (getpid(), Signal::STOP) } else { (pid, Signal::CONT) };
                let _ = kill_process(whom.0, whom.1);
            }
            Ok(Some((_, status))) => {
                return match (status.exit_status(), status.terminating_signal()) {
                    (Some(0), _) => Waited::Well,
                    (Some(code), _) => Waited::Badly(format!("exit status {code}")),
                    (None, Some(signal)) => Waited::Badly(format!("signal {signal}")),
                    (None, None) => Waited::Badly("no exit status".to_owned()),
                };
            }
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Waited::Badly(error.to_string()),
        }
    }
}

/// Runs the editor on a file in the foreground and waits for it. Call it with the terminal released.
#[cfg(not(unix))]
pub(super) async fn run(command: &EditorCommand, file: &Path, signals: &mut super::signals::Signals) -> Waited {
    let _ = signals;
    match tokio::process::Command::new(&command.program).args(&command.arguments).arg(file).status().await {
        Ok(status) if status.success() => Waited::Well,
        Ok(status) => Waited::Badly(status.to_string()),
        Err(error) => Waited::Badly(format!("{}: {error}", command.program.display())),
    }
}

#[cfg(test)]
#[path = "external_editor_tests.rs"]
mod tests;
