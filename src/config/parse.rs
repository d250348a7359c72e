//! From YAML to [`Config`], telling exactly what is not understood and where.
//!
//! Not its job: values that are alike in several sections (see [`super::kinds`]).

use serde_yaml::Value;

use super::catalog::{AN_AMOUNT, CURSORS, ENGINES, THEMES};
use super::kinds::{command, millionths};
use super::section::{Problem, Section, scalar};
use super::{Apply, Budget, Config, Money, ShellPolicy};

/// Every key, by the section it stands in.
const KEYS: [&str; 13] = [
    "engine",
    "claude_command",
    "models",
    "bash",
    "dream",
    "extract",
    "recall",
    "team",
    "shelf_life",
    "theme",
    "mouse",
    "cursor",
    "keys",
];
const DREAM: [&str; 6] = ["enabled", "min_hours", "min_sessions", "on_network", "apply", "budget"];
const EXTRACT: [&str; 4] = ["every_turns", "programs", "apply", "budget"];
const RECALL: [&str; 4] = ["enabled", "model", "milliseconds", "model_seconds"];
const BUDGET: [&str; 6] = ["seconds", "tokens", "runs_a_day", "tokens_a_day", "usd", "usd_a_day"];
const SHELF_LIFE: [&str; 4] = ["user", "feedback", "project", "reference"];
/// How the complaint about a text begins that is no YAML.
const NOT_YAML: &str = "not YAML";

/// Understands a configuration.
pub(super) fn config(text: &str) -> Result<Config, Problem> {
    let text = text.trim_start_matches('\u{FEFF}');
    let document: Value = serde_yaml::from_str(text).map_err(|error| Problem {
        line: error.location().map_or(1, |location| location.line()),
        message: format!("{NOT_YAML}: {error}"),
    })?;
    let mut config = Config::default();
    let Some(root) = Section::root(text, &document, &KEYS)? else { return Ok(config) };
    root.lines(&mut config.lines);
    root.known(&KEYS)?;
    engine(&root, &mut config.engine)?;
    command(&root, "claude_command", "`~/.local/bin/claude`, or [nice, claude]", &mut config.claude_command)?;
    root.choice("bash", &["sandboxed", "anywhere", "off"], |word| {
        config.bash = match word {
            "anywhere" => ShellPolicy::Anywhere,
            "off" => ShellPolicy::Off,
            _ => ShellPolicy::Sandboxed,
        };
    })?;
    if let Some(models) = root.section("models")? {
        super::parse_models::models(&models, &mut config.models)?;
    }
    root.choice("theme", &THEMES, |theme| config.theme = theme.to_owned())?;
    root.switch("mouse", &mut config.mouse)?;
    root.choice("cursor", &CURSORS, |cursor| config.cursor = cursor.to_owned())?;
    if let Some(dream) = root.section("dream")? {
        dream.known(&DREAM)?;
        dream.switch("enabled", &mut config.dream.enabled)?;
        dream.number("min_hours", 0, &mut config.dream.min_hours)?;
        dream.number("min_sessions", 0, &mut config.dream.min_sessions)?;
        dream.switch("on_network", &mut config.dream.on_network)?;
        apply(&dream, &mut config.dream.apply)?;
        budget(&dream, &mut config.dream.budget)?;
    }
    if let Some(extract) = root.section("extract")? {
        extract.known(&EXTRACT)?;
        extract.number("every_turns", 1, &mut config.extract.every_turns)?;
        extract.switch("programs", &mut config.extract.programs)?;
        apply(&extract, &mut config.extract.apply)?;
        budget(&extract, &mut config.extract.budget)?;
    }
    if let Some(recall) = root.section("recall")? {
        recall.known(&RECALL)?;
        recall.switch("enabled", &mut config.recall.enabled)?;
        recall.switch("model", &mut config.recall.model)?;
        recall.number("milliseconds", 1, &mut config.recall.milliseconds)?;
        recall.number("model_seconds", 1, &mut config.recall.model_seconds)?;
    }
    if let Some(team) = root.section("team")? {
        super::parse_team::team(&team, &mut config.team)?;
    }
    if let Some(shelf) = root.section("shelf_life")? {
        shelf.known(&SHELF_LIFE)?;
        shelf.number("user", 1, &mut config.shelf_life.user)?;
        shelf.number("feedback", 1, &mut config.shelf_life.feedback)?;
        shelf.number("project", 1, &mut config.shelf_life.project)?;
        shelf.number("reference", 1, &mut config.shelf_life.reference)?;
    }
    if let Some(keys) = root.section("keys")? {
        for (command, key) in keys.map {
            let (Some(command), Some(key)) = (scalar(command), scalar(key)) else {
                let at = scalar(command).unwrap_or_default();
                return Err(keys.bad(&at, key, "a key, like `x` or `shift-down`"));
            };
            config.keys.insert(command, key);
        }
    }
    Ok(config)
}

/// So many wrong lines are named.
const MOST_PROBLEMS: usize = 20;

/// Everything that is wrong with a text of which one thing is known, each with its line: a wrong key is taken out, with what
/// stands below it, and the rest looked at again. A text that is no YAML has one problem.
pub(super) fn all_problems(text: &str, first: Problem) -> Vec<(usize, String)> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut problems = vec![first];
    while let Some(known) = problems.last().filter(|_| problems.len() < MOST_PROBLEMS) {
        if !take_out(&mut lines, known.line) {
            break;
        }
        match config(&lines.join("\n")) {
            // What is left is no YAML only because something was taken out.
            Err(next) if !next.message.starts_with(NOT_YAML) => problems.push(next),
            _ => break,
        }
    }
    problems.into_iter().map(|problem| (problem.line, problem.message)).collect()
}

/// Blanks a line, from 1, and what stands below it; false when there is nothing to blank.
fn take_out(lines: &mut [&str], number: usize) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let Some(at) = number.checked_sub(1).filter(|at| lines.get(*at).is_some_and(|line| !line.trim().is_empty())) else {
        return false;
    };
    let depth = lines.get(at).map_or(0, |line| indent(line));
    let below = lines.iter().skip(at + 1).take_while(|line| line.trim().is_empty() || indent(line) > depth).count();
    lines.iter_mut().skip(at).take(below + 1).for_each(|line| *line = "");
    true
}

fn engine(section: &Section<'_>, into: &mut String) -> Result<(), Problem> {
    let Some(value) = section.value("engine") else { return Ok(()) };
    match value.as_str() {
        Some(engine) if is_engine(engine) => engine.clone_into(into),
        _ => return Err(section.bad("engine", value, ENGINES)),
    }
    Ok(())
}

/// Whether a word names an engine.
fn is_engine(word: &str) -> bool {
    let (name, of) = word.split_once(':').map_or((word, None), |(name, of)| (name, Some(of)));
    match name {
        "embedded" => of.is_none(),
        "anthropic" | "openai" | "claude" => of.is_none_or(|model| !model.trim().is_empty()),
        "script" => of.is_some_and(|file| !file.is_empty()),
        _ => false,
    }
}

fn apply(section: &Section<'_>, into: &mut Apply) -> Result<(), Problem> {
    section.choice("apply", &["auto", "ask"], |word| *into = if word == "ask" { Apply::Ask } else { Apply::Auto })
}

fn budget(section: &Section<'_>, into: &mut Budget) -> Result<(), Problem> {
    if let Some(budget) = section.section("budget")? {
        budget.known(&BUDGET)?;
        budget.number("seconds", 1, &mut into.seconds)?;
        budget.number("tokens", 1, &mut into.tokens)?;
        budget.number("runs_a_day", 0, &mut into.runs_a_day)?;
        budget.number("tokens_a_day", 0, &mut into.tokens_a_day)?;
        money(&budget, "usd", &mut into.usd)?;
        money(&budget, "usd_a_day", &mut into.usd_a_day)?;
    }
    Ok(())
}

fn money(section: &Section<'_>, key: &str, into: &mut Option<Money>) -> Result<(), Problem> {
    let Some(value) = section.value(key) else { return Ok(()) };
    // Text that looks like a number, `007`, is no amount.
    let amount = scalar(value).filter(|_| value.is_number()).and_then(|written| millionths(&written));
    *into = Some(Money(amount.ok_or_else(|| section.bad(key, value, AN_AMOUNT))?));
    Ok(())
}
