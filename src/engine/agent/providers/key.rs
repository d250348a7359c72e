//! The key of an account: where it is looked for, and what is never done with it.
//!
//! It is read when a run needs it, from a command, a file or a variable, and is in no message, journal or debug output.

use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use crate::config::ModelConfig;
use crate::engine::EngineError;
use crate::environment::Environment;

/// A command that asks a person to unlock something is given this long.
const COMMAND_LIMIT: Duration = Duration::from_secs(60);

/// So many characters of a key in a row are a part of it that nobody is shown.
const PART: usize = 8;

/// A key. Its value shows nowhere.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Secret(String);

impl Secret {
    /// The value, for the one header it goes into.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text of the server's without the key, should it repeat it or a part of it.
    pub(super) fn scrubbed(&self, text: &str) -> String {
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
pub(super) enum KeySource {
    /// The output of a command.
    Command(Vec<String>, PathBuf, Vec<(String, String)>),
    /// A file.
    File(PathBuf),
    /// A variable, read when the engine was made.
    Variable(Secret),
    /// There is none, and the server may need none.
    Nowhere,
}

impl fmt::Debug for KeySource {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(words, ..) => write!(to, "Command({:?})", words.first()),
            Self::File(path) => write!(to, "File({})", path.display()),
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
    pub(super) fn of(config: &ModelConfig, usual: &str, environment: &Environment) -> Result<Self, EngineError> {
        if !config.api_key_command.is_empty() {
            let variables = environment.variables().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            return Ok(Self::Command(config.api_key_command.clone(), environment.current_dir().to_owned(), variables));
        }
        if let Some(file) = &config.api_key_file {
            return Ok(Self::File(environment.expand(file)));
        }
        let name = config.api_key_env.as_deref().unwrap_or(usual);
        match environment.variable(name).map(str::trim) {
            Some(key) if !key.is_empty() => Ok(Self::Variable(Secret(key.to_owned()))),
            _ if config.api_key_env.is_some() => Err(EngineError::Failed(format!(
                "the variable {name}, which should hold the key (api_key_env), is not set"
            ))),
            _ => Ok(Self::Nowhere),
        }
    }

    /// What tells this key from another one: where it comes from, and itself where that costs no more than a look. For a
    /// digest only; a command is not run for it.
    pub(super) fn traits(&self) -> Vec<Vec<u8>> {
        match self {
            Self::Command(words, ..) => {
                let words = words.iter().map(|word| word.clone().into_bytes());
                std::iter::once(b"command".to_vec()).chain(words).collect()
            }
            Self::File(path) => {
                let key = crate::state::read_file(path).unwrap_or_default();
                vec![b"file".to_vec(), path.as_os_str().as_encoded_bytes().to_vec(), key.trim_ascii().to_vec()]
            }
            Self::Variable(secret) => vec![b"variable".to_vec(), secret.0.clone().into_bytes()],
            Self::Nowhere => vec![b"nowhere".to_vec()],
        }
    }

    /// The key.
    ///
    /// # Errors
    /// When it cannot be had, or is none that a request could carry. The words never hold what was read.
    pub(super) async fn read(&self) -> Result<Option<Secret>, EngineError> {
        let (text, place) = match self {
            Self::Nowhere => return Ok(None),
            Self::Variable(secret) => (secret.0.clone(), "the variable".to_owned()),
            Self::File(path) => {
                let place = format!("the file {} (api_key_file)", path.display());
                let bytes = crate::state::read_file(path)
                    .map_err(|error| EngineError::Failed(format!("cannot read the key from {place}: {error}")))?;
                (String::from_utf8_lossy(&bytes).into_owned(), place)
            }
            Self::Command(words, dir, variables) => {
                let place = format!("the command {} (api_key_command)", words.first().map_or("", String::as_str));
                (output(words, dir, variables, &place).await?, place)
            }
        };
        let key = text.lines().next().unwrap_or_default().trim();
        if key.is_empty() || !key.bytes().all(|byte| (33..127).contains(&byte)) {
            let what = if key.is_empty() { "gives no key" } else { "gives something that is no key" };
            return Err(EngineError::Failed(format!(
                "{place} {what}; its first line has to be the key and nothing else"
            )));
        }
        Ok(Some(Secret(key.to_owned())))
    }
}

/// What a command prints. What it says otherwise is not repeated: it may hold the key.
async fn output(
    words: &[String],
    dir: &std::path::Path,
    variables: &[(String, String)],
    place: &str,
) -> Result<String, EngineError> {
    let failed = |why: String| EngineError::Failed(format!("cannot get the key from {place}: {why}"));
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
    use std::path::Path;

    use super::*;

    fn read(source: &KeySource) -> Result<Option<Secret>, EngineError> {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(source.read())
    }

    #[test]
    fn a_key_comes_from_the_command_else_the_file_else_the_variable() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("key"), "from-file\n").unwrap();
        let environment = Environment::of(dir.path(), &[("USUAL", "from-usual"), ("MINE", " from-mine ")]);
        let mut config = ModelConfig::default();
        let got = |config: &ModelConfig| {
            read(&KeySource::of(config, "USUAL", &environment).unwrap()).unwrap().unwrap().reveal().to_owned()
        };
        assert_eq!(got(&config), "from-usual");
        config.api_key_env = Some("MINE".to_owned());
        assert_eq!(got(&config), "from-mine");
        config.api_key_file = Some("key".to_owned());
        assert_eq!(got(&config), "from-file");
        config.api_key_command = vec!["/bin/sh".to_owned(), "-c".to_owned(), "echo from-command; echo more".to_owned()];
        assert_eq!(got(&config), "from-command");
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
        let config = ModelConfig { api_key_env: Some("GONE".to_owned()), ..ModelConfig::default() };
        assert!(KeySource::of(&config, "USUAL", &environment).unwrap_err().to_string().contains("GONE"));
        assert_eq!(read(&KeySource::of(&ModelConfig::default(), "USUAL", &environment).unwrap()).unwrap(), None);
        for script in ["echo 'hush hush'", "echo hush >&2; exit 3", "true", "printf 'h\\303\\274sh'"] {
            let command = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
            let error = read(&KeySource::Command(command, "/".into(), Vec::new())).unwrap_err().to_string();
            assert!(error.contains("/bin/sh") && !error.contains("hush") && !error.contains("sh'"), "{error}");
        }
        let error = read(&KeySource::File("/nowhere/key".into())).unwrap_err().to_string();
        assert!(error.contains("/nowhere/key"), "{error}");
        assert_eq!(format!("{:?}", KeySource::Variable(Secret("hush".to_owned()))), "Variable");
        assert_eq!(format!("{:?}", Secret("hush".to_owned())), "Secret(…)");
    }
}
