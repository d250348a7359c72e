//! What the command is told: its flags, and what its failures mean.
//!
//! Not its job: starting it (see [`super::child`]) and reading what it prints (see [`super::stream`]).

use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use serde_json::json;

use super::fork::Fork;
use crate::config::Money;
use crate::engine::EngineError;
use crate::environment::{Environment, is_program};
use crate::secret::place;

/// The tools that a hook of the child lets through; the list of tools itself stays as the session has it, because the
/// prompt cache begins with it.
const TOOLS: &str = "Read|Grep|Glob|Edit|Write";

/// Days after which the child may sweep transcripts away.
const NEVER_SWEPT: u32 = 36_500;

/// One question.
pub(super) struct Ask<'a> {
    /// What is asked.
    pub(super) task: &'a str,
    /// The instructions, in place of the command's own; `None`: as the session has them.
    pub(super) system: Option<&'a str>,
    /// The tools there are; `None`: as the session has them.
    pub(super) tools: Option<&'a [&'a str]>,
    /// The session that is forked.
    pub(super) fork: Option<&'a Fork>,
    /// Where it may write.
    pub(super) directory: Option<&'a Path>,
    /// Files that hold credentials although their names say nothing.
    pub(super) closed: &'a [PathBuf],
    /// Where it is started.
    pub(super) started_in: &'a Path,
    pub(super) model: Option<&'a str>,
    pub(super) max_turns: Option<u32>,
    pub(super) money: Option<Money>,
}

/// The program and its first arguments: what the configuration says, else `claude` from the path.
///
/// # Errors
/// When it is not there.
pub(super) fn program(configured: &[String], environment: &Environment) -> Result<Vec<String>, EngineError> {
    let (name, rest) = configured.split_first().map_or(("claude", &[][..]), |(name, rest)| (name.as_str(), rest));
    let found = if name.contains('/') || name.starts_with('~') {
        Some(environment.expand(name)).filter(|path| is_program(path))
    } else {
        let path = environment.variable("PATH").unwrap_or_default();
        std::env::split_paths(path).map(|dir| dir.join(name)).find(|path| is_program(path))
    };
    let Some(found) = found else {
        let named = environment.expand(name);
        if name.contains(['/', '~']) && named.is_file() {
            return Err(EngineError::Failed(format!(
                "the command {0} (claude_command) may not be executed; chmod +x {0}",
                named.display()
            )));
        }
        let place = if configured.is_empty() { "in no directory of PATH" } else { "not there (claude_command)" };
        return Err(EngineError::Failed(format!(
            "the command {name} is {place}; install Claude Code, or name the command as claude_command in config.yaml"
        )));
    };
    Ok(std::iter::once(found.display().to_string()).chain(rest.iter().cloned()).collect())
}

/// The arguments of a question; the task itself goes in by standard input.
pub(super) fn arguments(ask: &Ask<'_>, environment: &Environment) -> Vec<String> {
    let mut all: Vec<String> = ["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"]
        .into_iter()
        .chain(["--no-session-persistence", "--strict-mcp-config", "--setting-sources", ""])
        .chain(["--permission-mode", "dontAsk"])
        .map(str::to_owned)
        .collect();
    let mut add = |key: &str, value: String| all.extend([key.to_owned(), value]);
    if let Some(turns) = ask.max_turns {
        add("--max-turns", turns.to_string());
    }
    if let Some(model) = ask.model {
        add("--model", model.to_owned());
    }
    if let Some(money) = ask.money {
        add("--max-budget-usd", money.plain());
    }
    if let Some(system) = ask.system {
        add("--system-prompt", system.to_owned());
    }
    if let Some(tools) = ask.tools {
        add("--tools", tools.join(","));
    }
    // Without a hook of ours in it: the person's own settings, and with them our hooks, are not read.
    add("--settings", settings().to_string());
    if let Some(fork) = ask.fork {
        all.extend(["--resume".to_owned(), fork.session.clone(), "--fork-session".to_owned()]);
    }
    // Lists come last: they take whatever follows.
    all.push("--allowedTools".to_owned());
    match (ask.tools, ask.directory) {
        // One that a session does not have would be added to its tools, and the cache be lost.
        (None, Some(directory)) => all.extend(["Read".to_owned(), rule("Edit", &directory.join("**"))]),
        (Some(tools), directory) => {
            all.extend(tools.iter().filter(|tool| !matches!(**tool, "Edit" | "Write")).map(|tool| (*tool).to_owned()));
            all.extend(directory.map(|directory| rule("Edit", &directory.join("**"))));
        }
        (None, None) => {}
    }
    all.push("--disallowedTools".to_owned());
    all.extend(place::patterns().map(|pattern| format!("Read({pattern})")));
    all.extend(ask.closed.iter().map(|file| rule("Read", file)));
    // Where Claude Code keeps its own things, every store among them.
    all.extend(environment.claude_dir().map(|place| rule("Edit", &place.join("**"))));
    all
}

/// A permission rule for an absolute path.
fn rule(tool: &str, path: &Path) -> String {
    format!("{tool}(/{})", path.display())
}

/// Settings of the child: every tool that is not among ours is refused, and no transcript is swept away by it: how long the
/// person keeps them stands in settings that it does not read.
fn settings() -> serde_json::Value {
    json!({ "cleanupPeriodDays": NEVER_SWEPT, "hooks": { "PreToolUse": [{
        "matcher": format!("^(?!({TOOLS})$).*"),
        "hooks": [{ "type": "command", "command": "echo 'not allowed in a run of dreamtop' >&2; exit 2" }],
    }] } })
}

/// What it means when the command ends without saying how it went.
pub(super) fn ended_without_a_result(
    status: &ExitStatus,
    errors: &str,
    stray: Option<&str>,
    has_spoken: bool,
) -> String {
    let line = |text: &str| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        crate::text::visible(&words.chars().take(300).collect::<String>()).into_owned()
    };
    let said = errors.lines().map(str::trim).find(|line| !line.is_empty()).map(line);
    let how = status.code().map_or_else(|| "by a signal".to_owned(), |code| format!("with exit code {code}"));
    match (said, stray) {
        (Some(said), _) if said.contains("unknown option") => format!(
            "the command claude is too old for this ({said}); update it with `claude update`, or name another as \
             claude_command in config.yaml"
        ),
        (Some(said), _) => format!("the command claude ended {how}: {said}"),
        (None, Some(stray)) => format!(
            "the command claude printed what is no event of its own ({:?}) and ended {how}; is claude_command in \
             config.yaml really Claude Code?",
            line(stray)
        ),
        (None, None) if has_spoken => {
            format!("the command claude ended {how} in the middle of its work, without a result; its work is dropped")
        }
        (None, None) => format!("the command claude ended {how} and said nothing; try `claude -p hello` by hand"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn reading_stops_where_credentials_lie_and_writing_outside_of_the_working_copy() {
        let environment = Environment::of(Path::new("/"), &[("HOME", "/home/ada")]);
        let ask = Ask {
            task: "t",
            system: None,
            tools: None,
            fork: None,
            directory: Some(Path::new("/state/runs/r/work")),
            closed: &["/home/ada/keys/anthropic".into()],
            started_in: Path::new("/"),
            model: None,
            max_turns: Some(5),
            money: Some(Money(250_000)),
        };
        let all = arguments(&ask, &environment);
        let has = |word: &str| all.iter().any(|argument| argument == word);
        assert!(has("Edit(//state/runs/r/work/**)") && has("Edit(//home/ada/.claude/**)"), "{all:?}");
        assert!(has("Read(//**/.ssh/**)") && has("Read(//**/*.pem)") && has("Read(//**/.env)"), "{all:?}");
        assert!(has("Read(//home/ada/keys/anthropic)"), "{all:?}");
        assert!(!has("--tools") && !has("Grep") && !has("--system-prompt"), "a fork keeps the tools of its session");
        assert!(has("0.25"), "{all:?}");
    }
}
