//! Editing in the person's own editor: which program, on which file, and what came of it.
//!
//! The editor gets a private copy in our state directory, never the file in the store: what it saves is compared with what
//! it was given and goes through the change door like any other edit. Not its job: waiting for the editor (a command just
//! waits, the screen gives its terminal away first) and landing the result.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::environment::{Environment, is_program};
use crate::secret;
use crate::state::{create_private_dir, private_options, read_file, with_path};
use crate::text::visible;

/// A program and the arguments that go before the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorCommand {
    /// The program, found.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// What a person should know about the choice: a variable that could not be used.
    pub notice: Option<String>,
    /// Whether nobody named it: it is there for a person at a terminal, and waits for ever where there is none.
    pub is_last_resort: bool,
}

/// What came of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edited {
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
    pub fn message(&self, file: &str) -> Option<String> {
        let file = visible(file);
        match self {
            Self::Unchanged => Some(format!("{file} is unchanged")),
            Self::Changed(_) => None,
            Self::Emptied => {
                Some(format!("the editor left {file} empty: the old text is kept; to be rid of the memory, delete it"))
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
pub fn choose(environment: &Environment) -> Result<EditorCommand, String> {
    let mut skipped = Vec::new();
    for variable in ["VISUAL", "EDITOR"] {
        let Some(value) = environment.variable(variable).filter(|value| !value.trim().is_empty()) else { continue };
        match resolve(value, environment) {
            Ok((program, arguments)) => {
                return Ok(EditorCommand { program, arguments, notice: notice(&skipped), is_last_resort: false });
            }
            Err(why) => skipped.push(format!("{variable} is {:?}: {why}", visible(value))),
        }
    }
    match find_program("vi", environment) {
        Some(program) => {
            Ok(EditorCommand { program, arguments: Vec::new(), notice: notice(&skipped), is_last_resort: true })
        }
        None => {
            skipped.push("there is no vi".to_owned());
            Err(format!("no editor to start: {}; set EDITOR, or edit in the screen with e", skipped.join("; ")))
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

/// The copies that editors left and nobody took over, and those that an editor is open on now.
#[must_use]
pub fn left(state_root: &Path) -> Vec<PathBuf> {
    let directories = fs::read_dir(state_root.join("edit")).into_iter().flatten().flatten();
    let files = directories.flat_map(|directory| fs::read_dir(directory.path()).into_iter().flatten().flatten());
    let mut left: Vec<PathBuf> = files.map(|file| file.path()).filter(|path| path.is_file()).collect();
    left.sort();
    left
}

/// The private copy an editor works on. Removed when dropped, unless it holds work that could not be taken over.
#[derive(Debug)]
pub struct WorkingFile {
    dir: tempfile::TempDir,
    path: PathBuf,
    before: Vec<u8>,
}

impl WorkingFile {
    /// Copies `content` to a private file named like the memory, so that editors know its type.
    ///
    /// # Errors
    /// When the state directory cannot be written.
    pub fn new(state_root: &Path, file: &str, content: &[u8]) -> io::Result<Self> {
        // Absolute, so that no name can be taken for an option, whatever it begins with.
        let parent = std::path::absolute(state_root)?.join("edit");
        create_private_dir(&parent)?;
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix("memory-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
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
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the editor made of it, given how the editor ended (`None`: well).
    ///
    /// # Errors
    /// When the copy cannot be read any more.
    pub fn take(self, failure: Option<String>) -> io::Result<Edited> {
        let after = match read_file(&self.path) {
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

    /// Leaves the copy where it is, for the person, and says where. A credential is taken out of it first: it would lie
    /// in our state directory for as long as nobody looks.
    #[must_use]
    pub fn keep(self) -> PathBuf {
        if let Ok(bytes) = read_file(&self.path)
            && !secret::scan(&bytes).is_empty()
        {
            let clean = secret::redacted(&String::from_utf8_lossy(&bytes));
            if fs::write(&self.path, clean).is_err() {
                // What cannot be cleaned is not kept: the directory goes with `self`.
                return self.path;
            }
        }
        let _ = self.dir.keep();
        self.path
    }
}

#[cfg(test)]
#[path = "editor_tests.rs"]
mod tests;
