//! Our configuration file, `config.yaml`: every key optional, unknown keys and bad values named with their line.
//!
//! `parse` reads it, `catalog` says of each key what it decides and accepts, `change` sets one value and leaves every other
//! byte as it is, `file` reads and replaces the file. Not its job: Claude Code's own settings (see `crate::project::settings`).

mod catalog;
mod change;
mod file;
mod kinds;
mod models;
mod parse;
mod parse_models;
mod parse_team;
mod section;
mod team;

pub use catalog::{Accepted, CATALOG, Known};
pub use change::{ChangeError, changed};
pub use section::nearest;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::memory::ShelfLife;

pub use models::{Headers, ModelConfig, Models, Money, Prices};
pub use team::{TeamConfig, TeamSync};

/// Whether a run's changes land at once or wait for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apply {
    /// Land what no guard holds.
    Auto,
    /// Everything goes to the inbox.
    Ask,
}

/// What may limit runs of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Seconds a run may take.
    pub seconds: u64,
    /// Tokens a run may use, input and output together.
    pub tokens: u64,
    /// Automatic runs of all stores together on one local day.
    pub runs_a_day: u64,
    /// Tokens of all stores' runs together on one local day, after which automatic ones stop.
    pub tokens_a_day: u64,
    /// Money a run may cost, in the unit of the prices.
    pub usd: Option<Money>,
    /// Money that all stores' runs may cost together on one local day, after which automatic ones stop.
    pub usd_a_day: Option<Money>,
}

/// `dream:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DreamConfig {
    /// Whether automatic dreams run (Claude Code's `autoDreamEnabled`, when set, wins).
    pub enabled: bool,
    /// Hours since the last success.
    pub min_hours: u64,
    /// Sessions with new human turns since the last success.
    pub min_sessions: usize,
    /// Whether automatic dreams run on stores that lie on a network file system, where no lock is certain.
    pub on_network: bool,
    /// Land or ask.
    pub apply: Apply,
    /// Limits of dreams.
    pub budget: Budget,
}

/// `extract:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtractConfig {
    /// Every how many turns.
    pub every_turns: usize,
    /// Whether sessions count in which a program talks.
    pub programs: bool,
    /// Land or ask.
    pub apply: Apply,
    /// Limits of extractions.
    pub budget: Budget,
}

/// `recall:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallConfig {
    /// Whether prompts of sessions are given the memories they call for, once hooks are installed.
    pub enabled: bool,
    /// Whether the engine's model chooses at each prompt; else the ranking does.
    pub model: bool,
    /// Milliseconds the ranking may keep a prompt waiting.
    pub milliseconds: u64,
    /// Seconds a model may take to choose before the ranking answers instead.
    pub model_seconds: u64,
}

/// `bash`: whether a model may run commands that only read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShellPolicy {
    /// In a sandbox where the kernel has one, else not at all.
    #[default]
    Sandboxed,
    /// Also where the kernel has no sandbox: the lists of commands and flags alone guard then.
    Anywhere,
    /// Never.
    Off,
}

/// The whole configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// `engine`: `embedded`, `anthropic`, `openai`, `claude` (these three also with `:MODEL`) or `script:FILE`.
    pub engine: String,
    /// `claude_command`: the program of the engine `claude` and its first arguments. Empty: `claude`, from the path.
    pub claude_command: Vec<String>,
    /// `bash`.
    pub bash: ShellPolicy,
    /// `models`.
    pub models: Models,
    /// The directory of the file this was read from: prompts of one's own lie beside it.
    pub dir: Option<PathBuf>,
    /// `dream`.
    pub dream: DreamConfig,
    /// `extract`.
    pub extract: ExtractConfig,
    /// `recall`.
    pub recall: RecallConfig,
    /// `team`.
    pub team: TeamConfig,
    /// `shelf_life`.
    pub shelf_life: ShelfLife,
    /// `theme`: `auto`, `dark`, `light`, `contrast` or `mono`.
    pub theme: String,
    /// `mouse`.
    pub mouse: bool,
    /// `cursor`: `hidden` or `shown`, where nothing is typed.
    pub cursor: String,
    /// `keys`: command name to key, or keys that follow each other.
    pub keys: BTreeMap<String, String>,
    /// On which line of the file each key stands that it sets, from 1: `dream.min_hours`, `keys.sort`.
    pub lines: BTreeMap<String, usize>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            engine: "embedded".to_owned(),
            claude_command: Vec::new(),
            bash: ShellPolicy::default(),
            models: Models::default(),
            dir: None,
            dream: DreamConfig {
                enabled: true,
                min_hours: 24,
                min_sessions: 5,
                on_network: false,
                apply: Apply::Auto,
                budget: Budget {
                    seconds: 3_600,
                    tokens: 400_000,
                    runs_a_day: 24,
                    tokens_a_day: 2_000_000,
                    usd: None,
                    usd_a_day: None,
                },
            },
            extract: ExtractConfig {
                every_turns: 1,
                programs: false,
                apply: Apply::Auto,
                budget: Budget {
                    seconds: 600,
                    tokens: 100_000,
                    runs_a_day: 500,
                    tokens_a_day: 2_000_000,
                    usd: None,
                    usd_a_day: None,
                },
            },
            recall: RecallConfig { enabled: true, model: false, milliseconds: 300, model_seconds: 5 },
            team: TeamConfig::default(),
            shelf_life: ShelfLife::default(),
            theme: "auto".to_owned(),
            mouse: true,
            cursor: "hidden".to_owned(),
            keys: BTreeMap::new(),
            lines: BTreeMap::new(),
        }
    }
}

/// What is wrong with a configuration file, where there is one line for all of it.
#[must_use]
pub fn on_one_line(error: &str) -> String {
    error.replace('\n', " · ")
}

/// What is wrong with a configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("cannot read the configuration {path}: {source}")]
    Unreadable {
        /// The file.
        path: std::path::PathBuf,
        /// The operating system's words.
        source: std::io::Error,
    },
    /// It says something we do not understand: one line each.
    #[error("{}", in_lines(path, problems))]
    Bad {
        /// The file.
        path: std::path::PathBuf,
        /// The lines, from 1, each with what is wrong and what is accepted.
        problems: Vec<(usize, String)>,
    },
}

impl Config {
    /// Reads a configuration file. A missing one is the default when `required` is false.
    ///
    /// # Errors
    /// When it cannot be read or holds an unknown key or a bad value.
    pub fn read(path: &Path, required: bool) -> Result<Self, ConfigError> {
        let dir = path.parent().map(Path::to_owned);
        let text = match crate::state::read_file(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !required => {
                return Ok(Self { dir, ..Self::default() });
            }
            Err(source) => return Err(ConfigError::Unreadable { path: path.to_owned(), source }),
        };
        Self::understand(&text, path)
    }

    /// Understands the text of a configuration file that lies at `path`.
    ///
    /// # Errors
    /// When it holds an unknown key or a bad value.
    pub fn understand(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let dir = path.parent().map(Path::to_owned);
        match parse::config(text) {
            Ok(read) => Ok(Self { dir, ..read }),
            Err(first) => Err(ConfigError::Bad { path: path.to_owned(), problems: parse::all_problems(text, first) }),
        }
    }
}

fn in_lines(path: &Path, problems: &[(usize, String)]) -> String {
    let line = |(line, message): &(usize, String)| format!("{}:{line}: {message}", path.display());
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
