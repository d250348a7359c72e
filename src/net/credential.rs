//! The key of an account: where it is looked for, and what is never done with it.
//!
//! It is read when it is needed, from a command, a file or a variable, and is in no message, journal or debug output. Not
//! its job: where a section of the configuration says that it is, and which header it goes into.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::environment::{Environment, is_program};

/// A command that asks a person to unlock something is given this long.
const COMMAND_LIMIT: Duration = Duration::from_secs(60);

/// So many characters of a key in a row are a part of it that nobody is shown.
const PART: usize = 8;

/// Why a key cannot be had. The words never hold what was read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoKey(String);

/// What a section of the configuration says about its key.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// The name of the key that holds the command, `api_key_command`, and its words.
    pub command: (&'static str, &'a [String]),
    /// The name of the key that names the file, and the file.
    pub file: (&'static str, Option<&'a str>),
    /// The name of the key that names the variable, and the variable.
    pub variable: (&'static str, Option<&'a str>),
    /// The variable where none is named.
    pub usual: &'a str,
}

/// A key. Its value shows nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The value, for the one header it goes into.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A text of the server's without the key, should it repeat it or a part of it.
    #[must_use]
    pub fn scrubbed(&self, text: &str) -> String {
        let text = text.replace(&self.0, crate::secret::REDACTED);
        let characters: Vec<char> = text.chars().collect();
        let is_part = |at: usize, length: usize| {
            let run = characters.get(at..at + length);
            run.is_some_and(|run| self.0.contains(&run.iter().collect::<String>()))
        };
        let (mut clean, mut at) = (String::with_capacity(text.len()), 0);
        while let Some(character) = characters.get(at) {
            if is_part(at, PART) {
                let length = (PART..).take_while(|length| is_part(at, *length)).last().unwrap_or(PART);
                clean.push_str(crate::secret::REDACTED);
                at += length;
            } else {
                clean.push(*character);
                at += 1;
            }
        }
        clean
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Secret(…)")
    }
}

/// Where a key comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The output of a command, in a directory, with these variables; and the name of the key that says so.
    Command(Vec<String>, PathBuf, Vec<(String, String)>, &'static str),
    /// A file, and the name of the key that says so.
    File(PathBuf, &'static str),
    /// A variable, read when the engine was made.
    Variable(Secret),
    /// There is none, and the server may need none.
    Nowhere,
}

impl fmt::Debug for KeySource {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(words, ..) => write!(to, "Command({:?})", words.first()),
            Self::File(path, _) => write!(to, "File({})", path.display()),
            Self::Variable(_) => to.write_str("Variable"),
            Self::Nowhere => to.write_str("Nowhere"),
        }
    }
}

impl KeySource {
    /// Where a section says that the key is; without a word about it, the usual variable.
    ///
    /// # Errors
    /// When a variable that is named does not exist.
    pub fn of(told: &Told<'_>, environment: &Environment) -> Result<Self, NoKey> {
        let (name, words) = told.command;
        if !words.is_empty() {
            let variables = environment.variables().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            return Ok(Self::Command(words.to_vec(), environment.current_dir().to_owned(), variables, name));
        }
        if let (name, Some(file)) = told.file {
            return Ok(Self::File(environment.expand(file), name));
        }
        let (key, named) = told.variable;
        let name = named.unwrap_or(told.usual);
        match environment.variable(name).map(str::trim) {
            Some(key) if !key.is_empty() => Ok(Self::Variable(Secret(key.to_owned()))),
            _ if named.is_some() => {
                let what = called(key);
                Err(NoKey(format!("the variable {name}, which should hold the {what} ({key}), is not set")))
            }
            _ => Ok(Self::Nowhere),
        }
    }

    /// What tells this key from another one: where it comes from, and itself where that costs no more than a look. For a
    /// digest only; a command is not run for it.
    #[must_use]
    pub fn traits(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Command(words, ..) => {
                let words = words.iter().map(|word| word.clone().into_bytes());
                std::iter::once(b"command".to_vec()).chain(words).collect()
            }
            Self::File(path, _) => {
                let key = crate::state::read_file(path).unwrap_or_default();
                vec![b"file".to_vec(), path.as_os_str().as_encoded_bytes().to_vec(), key.trim_ascii().to_vec()]
            }
            Self::Variable(secret) => vec![b"variable".to_vec(), secret.0.clone().into_bytes()],
            Self::Nowhere => vec![b"nowhere".to_vec()],
        }
    }

    /// Whether the key can be had, as far as that shows without running anything: the file is there and holds one, the command
    /// names a program.
    ///
    /// # Errors
    /// When it cannot. The words never hold what was read.
    pub fn look(&self) -> Result<(), NoKey> {
        match self {
            Self::Nowhere | Self::Variable(_) => Ok(()),
            Self::File(path, key) => of_file(path, key).map(drop),
            Self::Command(words, dir, variables, key) => {
                let name = words.first().map_or("", String::as_str);
                if is_found(name, dir, variables) {
                    return Ok(());
                }
                Err(NoKey(format!(
                    "the command {name} ({key}) is not there, or may not be executed; so there is no key"
                )))
            }
        }
    }

    /// The key.
    ///
    /// # Errors
    /// When it cannot be had, or is none that a request could carry. The words never hold what was read.
    pub async fn read(&self) -> Result<Option<Secret>, NoKey> {
        match self {
            Self::Nowhere => Ok(None),
            Self::Variable(secret) => first_line(&secret.0, "key", "the variable").map(Some),
            Self::File(path, key) => of_file(path, key).map(Some),
            Self::Command(words, dir, variables, key) => {
                let place = format!("the command {} ({key})", words.first().map_or("", String::as_str));
                let what = called(key);
                first_line(&output(words, dir, variables, what, &place).await?, what, &place).map(Some)
            }
        }
    }
}

/// The key in a file.
fn of_file(path: &Path, key: &str) -> Result<Secret, NoKey> {
    let (what, place) = (called(key), format!("the file {} ({key})", path.display()));
    let bytes = crate::state::read_file(path)
        .map_err(|error| NoKey(format!("cannot read the {what} from {place}: {error}")))?;
    first_line(&String::from_utf8_lossy(&bytes), what, &place)
}

/// The key that a text begins with.
fn first_line(text: &str, what: &str, place: &str) -> Result<Secret, NoKey> {
    let key = text.lines().next().unwrap_or_default().trim();
    if key.is_empty() || !key.bytes().all(|byte| (33..127).contains(&byte)) {
        let gives = if key.is_empty() { "gives no" } else { "gives something that is no" };
        return Err(NoKey(format!("{place} {gives} {what}; its first line has to be the {what} and nothing else")));
    }
    Ok(Secret(key.to_owned()))
}

/// What a section calls its key, by the name of what says where it is: `token_file` is about a token.
fn called(name: &str) -> &'static str {
    if name.starts_with("token") { "token" } else { "key" }
}

/// Whether a command names a program, looked for as it is when it is started: by the PATH it is given.
fn is_found(name: &str, dir: &Path, variables: &[(String, String)]) -> bool {
    if name.contains('/') {
        return is_program(&dir.join(name));
    }
    let path = variables.iter().find(|(key, _)| key == "PATH").map(|(_, value)| value.as_str());
    // Without one the system has a path of its own.
    path.is_none_or(|path| std::env::split_paths(path).any(|place| is_program(&dir.join(place).join(name))))
}

/// What a command prints. What it says otherwise is not repeated: it may hold the key.
async fn output(
    words: &[String],
    dir: &Path,
    variables: &[(String, String)],
    what: &str,
    place: &str,
) -> Result<String, NoKey> {
    let failed = |why: String| NoKey(format!("cannot get the {what} from {place}: {why}"));
    let Some((program, arguments)) = words.split_first() else { return Err(failed("it is empty".to_owned())) };
    let child = tokio::process::Command::new(program)
        .args(arguments)
        .current_dir(dir)
        .env_clear()
        .envs(variables.iter().map(|(key, value)| (key, value)))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(COMMAND_LIMIT, child)
        .await
        .map_err(|_| failed(format!("it did not end within {} s", COMMAND_LIMIT.as_secs())))?
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(format!("it ended with {}", output.status)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn read(source: &KeySource) -> Result<Option<Secret>, NoKey> {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(source.read())
    }

    #[test]
    fn a_key_comes_from_the_command_else_the_file_else_the_variable() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("key"), "from-file\n").unwrap();
        let environment = Environment::of(dir.path(), &[("USUAL", "from-usual"), ("MINE", " from-mine ")]);
        let command = ["/bin/sh", "-c", "echo from-command; echo more"].map(str::to_owned);
        let got = |words: &[String], file: Option<&str>, variable: Option<&str>| {
            let told = Told {
                command: ("key_command", words),
                file: ("key_file", file),
                variable: ("key_env", variable),
                usual: "USUAL",
            };
            read(&KeySource::of(&told, &environment).unwrap()).unwrap().unwrap().reveal().to_owned()
        };
        assert_eq!(got(&[], None, None), "from-usual");
        assert_eq!(got(&[], None, Some("MINE")), "from-mine");
        assert_eq!(got(&[], Some("key"), Some("MINE")), "from-file");
        assert_eq!(got(&command, Some("key"), Some("MINE")), "from-command");
    }

    #[test]
    fn no_part_of_a_key_is_repeated() {
        let key = Secret("sk-live-Abc123Def456Ghi789".to_owned());
        for said in ["key sk-live-Abc123Def456Ghi789!", "key sk-live-Abc123***Def456Ghi789!", "key …Def456Ghi789!"] {
            let shown = key.scrubbed(said);
            assert!(!shown.contains("Abc123") && !shown.contains("Def456"), "{shown}");
            assert!(
                shown.starts_with("key ") && shown.ends_with('!') && shown.contains(crate::secret::REDACTED),
                "{shown}"
            );
        }
        assert_eq!(key.scrubbed("it ends in hi789"), "it ends in hi789");
    }

    #[test]
    fn what_gives_no_key_is_named_and_nothing_it_gave_is_repeated() {
        let environment = Environment::of(Path::new("/"), &[]);
        let told = Told {
            command: ("key_command", &[]),
            file: ("key_file", None),
            variable: ("key_env", Some("GONE")),
            usual: "USUAL",
        };
        assert!(KeySource::of(&told, &environment).unwrap_err().to_string().contains("GONE"));
        let told = Told { variable: ("key_env", None), ..told };
        assert_eq!(read(&KeySource::of(&told, &environment).unwrap()).unwrap(), None);
        for script in ["echo 'hush hush'", "echo hush >&2; exit 3", "true", "printf 'h\\303\\274sh'"] {
            let command = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
            let error =
                read(&KeySource::Command(command, "/".into(), Vec::new(), "key_command")).unwrap_err().to_string();
            assert!(error.contains("/bin/sh") && !error.contains("hush") && !error.contains("sh'"), "{error}");
        }
        let error = read(&KeySource::File("/nowhere/key".into(), "key_file")).unwrap_err().to_string();
        assert!(error.contains("/nowhere/key"), "{error}");
        assert_eq!(format!("{:?}", KeySource::Variable(Secret("hush".to_owned()))), "Variable");
        assert_eq!(format!("{:?}", Secret("hush".to_owned())), "Secret(…)");
    }
}
