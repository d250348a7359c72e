//! `doctor`: whether everything is in order, what is not, and what to do next; with `--fix` what is safe is repaired.

use std::io::IsTerminal;
use std::time::Instant;

use serde_json::json;

use super::Keyboard;
use super::args::Doctor;
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::engine::{Word, prove};
use crate::hook::install::health;
use crate::hook::limits;
use crate::project::{self, Choice};
use crate::run::doctor::{Check, Examination, Level, examine};
use crate::run::halt;
use crate::run::refusal::{self, Refusal};
use crate::text;

/// Examines. 0 when everything is in order, or was put in order; 1 when something is left to do.
pub(super) fn run(context: &Context, arguments: &Doctor, keyboard: Keyboard) -> Result<u8, Failure> {
    let chosen = project::choose(&context.request, &context.environment);
    let choice = chosen.as_ref().ok();
    let mut checks = vec![version(), config(context)];
    checks.extend(keys(context, keyboard));
    checks.push(claude_home(context, choice));
    match &chosen {
        Ok(choice) => {
            checks.extend(settings(choice));
            checks.extend(hooks(context, choice));
        }
        Err(error) => {
            let next = "name the project with --project, or the store with --memory-dir";
            checks.push(Check::fail("store", error.to_string(), next));
        }
    }
    if let Some(halt) = halt::of(&context.state, context.clock.now()) {
        checks.push(Check::warn("pause", halt.words(), "`dreamtop pause --off`, when it should go on"));
    }
    checks.push(engine(context));
    if arguments.engine_call {
        checks.push(engine_call(context));
    }
    checks.push(terminal(context));
    checks.extend(examine(Examination {
        state: &context.state,
        choice,
        config: &context.config,
        environment: &context.environment,
        clock: &context.clock,
        fix: arguments.fix,
    }));
    let open = checks.iter().filter(|check| check.is_open()).count();
    context.output.answer(&json!({ "checks": checks, "open": open, "fix": arguments.fix }), |page| {
        checks.iter().try_for_each(|check| print(page, check))?;
        page.line(match open {
            0 => "everything is in order".to_owned(),
            open => format!("{} to look at", text::count(open, "thing", "things")),
        })
    })?;
    Ok(if open == 0 { exit::DONE } else { exit::FINDINGS })
}

fn print(page: &mut Page<'_>, check: &Check) -> std::io::Result<()> {
    let (word, meaning) = match (check.level, check.fixed) {
        (_, true) => ("fixed", Meaning::Good),
        (Level::Ok, _) => ("ok", Meaning::Good),
        (Level::Warn, _) => ("warn", Meaning::Warn),
        (Level::Fail, _) => ("fail", Meaning::Bad),
    };
    let word = page.paint(&format!("{word:<5}"), meaning);
    let path = check.path.as_ref().map(|path| format!("  {}", path.display())).unwrap_or_default();
    page.line(format!("{word}  {:<12} {}{}", check.check, text::visible(&check.message), text::visible(&path)))?;
    match &check.next {
        Some(next) if check.is_open() => page.line(page.paint(&format!("                    → {next}"), Meaning::Dim)),
        _ => Ok(()),
    }
}

fn version() -> Check {
    let check = Check::ok("version", format!("dreamtop {} for {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS));
    match std::env::current_exe() {
        Ok(path) => check.at(&path),
        // Only a detached run needs to know.
        Err(error) => {
            Check::fail("version", format!("where this program lies cannot be told: {error}"), "install it anew")
        }
    }
}

fn config(context: &Context) -> Check {
    let Some(path) = context.config_file() else {
        return Check::warn(
            "config",
            "there is no home, so no configuration is read",
            "set HOME, or name one with --config",
        );
    };
    let check = match &context.config_error {
        Some(error) => Check::fail("config", error.clone(), "put the line right; every key is optional"),
        None if path.is_file() => Check::ok("config", "understood"),
        None => Check::ok("config", "none: the defaults hold"),
    };
    check.at(&path)
}

/// The keys of the configuration that cannot be as they are written, each with its line.
fn keys(context: &Context, keyboard: Keyboard) -> Vec<Check> {
    let complaints = (keyboard.complaints)(&context.config, context.config_file().as_deref());
    complaints.into_iter().map(|complaint| Check::warn("keys", complaint.message, complaint.next)).collect()
}

fn claude_home(context: &Context, choice: Option<&Choice>) -> Check {
    let (base, why) = match (&context.request.claude_dir, context.environment.variable("CLAUDE_CONFIG_DIR")) {
        (Some(base), _) => (Some(base.clone()), "named by --claude-dir"),
        (None, Some(_)) => (context.environment.claude_dir(), "named by CLAUDE_CONFIG_DIR"),
        (None, None) => (context.environment.claude_dir(), "in the home directory"),
    };
    let Some(base) = base else {
        return Check::warn(
            "claude-home",
            "neither HOME nor CLAUDE_CONFIG_DIR is set",
            "set one, or name --claude-dir",
        );
    };
    let check = match std::fs::read_dir(&base) {
        Ok(_) => Check::ok("claude-home", format!("found, {why}")),
        Err(_) if choice.is_some() && context.request.memory_dir.is_some() => {
            Check::ok("claude-home", format!("none {why}, and none is needed with --memory-dir"))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let next =
                "use Claude Code once, name its directory with --claude-dir, or look around with `dreamtop demo`";
            Check::warn("claude-home", format!("not there, {why}"), next)
        }
        Err(error) => Check::fail("claude-home", format!("cannot be read, {why}: {error}"), "make it readable to you"),
    };
    check.at(&base)
}

/// What Claude Code's settings and variables decide here.
fn settings(choice: &Choice) -> Vec<Check> {
    let settings = &choice.settings;
    let on = |value| if value { "on" } else { "off" };
    let memory = format!("auto-memory is {} ({})", on(settings.auto_memory.value), settings.auto_memory.by);
    let dream = match &settings.auto_dream {
        Some(decided) if !decided.value => {
            format!("no dream starts by itself, Claude Code's own or dreamtop's ({})", decided.by)
        }
        Some(decided) => format!("Claude Code's own dreams are on, and dreamtop's ({})", decided.by),
        None => "nothing is said about Claude Code's own dreams".to_owned(),
    };
    let mut variables = Vec::new();
    variables.extend(settings.remote.then_some("CLAUDE_CODE_REMOTE is set: no automatic dream"));
    let bare = settings.bare.map(|name| format!("{name} is set: no memory"));
    variables.extend(bare.as_deref());
    let message = [&[memory.as_str(), dream.as_str()], variables.as_slice()].concat().join("; ");
    let mut checks = vec![Check::ok("settings", message)];
    let next = "put the settings file right, or leave it so";
    checks.extend(choice.notices.iter().map(|notice| Check::warn("settings", notice.clone(), next)));
    checks
}

/// Whether Claude Code calls us.
fn hooks(context: &Context, choice: &Choice) -> Vec<Check> {
    let Some(home) = &choice.home else { return Vec::new() };
    let auto_dream = choice.settings.auto_dream.as_ref().is_some_and(|decided| decided.value);
    let mut checks =
        health::examine(&context.environment, &context.state, home.base(), choice.checkout.as_deref(), auto_dream);
    checks.extend(
        limits::shortened(&context.config.recall).map(|why| {
            Check::warn("hooks", why, "name less in config.yaml; `dreamtop recall` waits as long as it says")
        }),
    );
    checks
}

fn engine(context: &Context) -> Check {
    let engine = context.engine();
    let (config, environment) = (&context.config, &context.environment);
    if context.config_error.is_some() && context.global_engine().is_none() {
        let message =
            "which engine is set cannot be told, because config.yaml is not understood; nothing starts by itself";
        return Check::warn("engine", message, "put config.yaml right (see config above), or name one with --engine");
    }
    let ready = crate::engine::by_name(&engine, config, environment);
    match ready.and_then(|_| prove::address(&engine, config, environment)) {
        Ok(None) => Check::ok("engine", format!("{engine} is ready")),
        Ok(Some(address)) => {
            let message = format!("{engine} is set up: {address}; `dreamtop doctor --engine-call` asks it something");
            Check::ok("engine", message)
        }
        Err(error) => {
            let words = error.to_string();
            let next = missing(Word::parse(&engine).name, &words, context.config_file().as_deref());
            Check::fail("engine", words, next)
        }
    }
}

/// What to do when an engine cannot be had, by what it lacks.
fn missing(engine: &str, words: &str, config: Option<&std::path::Path>) -> String {
    let file = config.map_or_else(|| "config.yaml".to_owned(), |path| path.display().to_string());
    let says = |sign: &str| words.contains(sign);
    if says("(api_key_env)") || says("needs a key") {
        format!(
            "set that variable where dreamtop and Claude Code are started, or name a key under models.{engine} in {file}"
        )
    } else if says("(api_key_file)") || says("(api_key_command)") {
        format!("put it right, or name another key under models.{engine} in {file}")
    } else if says("your own prompt") {
        "put that file right, or remove it to use the one that comes along".to_owned()
    } else if says("(claude_command)") || says("claude_command in") {
        format!("install the command, or put claude_command right in {file}")
    } else if says("models.") || says("base_url") {
        format!("put the section models.{engine} right in {file}")
    } else {
        "name another with --engine or in config.yaml".to_owned()
    }
}

/// One question to the model, and what it cost.
fn engine_call(context: &Context) -> Check {
    let engine = context.engine();
    let asked = Instant::now();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Check::fail("engine-call", error.to_string(), "free some resources of this machine"),
    };
    let proof = runtime.block_on(prove::prove(&engine, &context.config, &context.environment));
    runtime.shutdown_background();
    let proof = match proof {
        Ok(Some(proof)) => proof,
        Ok(None) => return Check::ok("engine-call", format!("{engine} asks nobody and costs nothing")),
        Err(error) => {
            let words = error.to_string();
            let next = remedy(Word::parse(&engine).name, &words, context.config_file().as_deref());
            return Check::fail("engine-call", words, next);
        }
    };
    let tokens = proof.tokens;
    let cost = proof
        .cost
        .map_or_else(|| "its price is not set (prices in config.yaml)".to_owned(), |cost| format!("it cost {cost}"));
    let read = tokens.input.saturating_add(tokens.cache_read).saturating_add(tokens.cache_created);
    let used =
        format!("{read} tokens read, {} written in {:.1} s; {cost}", tokens.output, asked.elapsed().as_secs_f64());
    if proof.uses_tools {
        return Check::ok("engine-call", format!("the model answered with a tool call: {used}"));
    }
    let next = "choose a model that can use tools, or let its server do so (vLLM: --enable-auto-tool-choice)";
    Check::warn("engine-call", format!("the model answered, but in words where a tool was asked for: {used}"), next)
}

/// What to change, and where, when an engine did not answer: by what a refusal is, else by the signs of other trouble.
fn remedy(engine: &str, words: &str, config: Option<&std::path::Path>) -> String {
    let file = config.map_or_else(|| "config.yaml".to_owned(), |path| path.display().to_string());
    let says = |signs: &[&str]| signs.iter().any(|sign| words.to_lowercase().contains(sign));
    let key = || format!("put the key right: models.{engine}.api_key_command, api_key_file or api_key_env in {file}");
    match refusal::in_error(words) {
        Some(Refusal::Credentials) if engine != "claude" => return key(),
        Some(refused @ Refusal::Credentials) => return refused.next(engine).unwrap_or_default().to_owned(),
        Some(Refusal::Billing | Refusal::Limit) => {
            return "see to the account, or wait; `dreamtop gates` says until when the engine is paused".to_owned();
        }
        None => {}
    }
    if engine == "claude" {
        return if says(&["claude_command", "too old"]) {
            format!("put claude_command right in {file}, or update the command with `claude update`")
        } else {
            "try `claude -p hello` in a terminal; when that works, ask again".to_owned()
        };
    }
    if says(&["the proxy"]) {
        format!(
            "start the proxy, or put models.{engine}.proxy right in {file} (`none`: without one); unset, HTTPS_PROXY and HTTP_PROXY name it"
        )
    } else if says(&[
        "refused",
        "cannot reach",
        "could not be reached",
        "silent",
        "secure connection",
        "sends elsewhere",
    ]) {
        format!("start the server, or put models.{engine}.base_url right in {file}")
    } else if says(&["key"]) {
        key()
    } else if says(&["404", "no such", "model"]) {
        format!("put models.{engine}.model or models.{engine}.base_url right in {file}")
    } else {
        format!("put the section models.{engine} right in {file}")
    }
}

fn terminal(context: &Context) -> Check {
    let variable = |name: &str| context.environment.variable(name);
    if !std::io::stdout().is_terminal() {
        return Check::ok("terminal", "this is none; the commands need none");
    }
    let term = variable("TERM").unwrap_or("");
    if matches!(term, "" | "dumb") {
        return Check::warn(
            "terminal",
            format!("TERM is {term:?}: the screen cannot be drawn"),
            "set TERM to your terminal's name",
        );
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable).unwrap_or("");
    let folded = locale.to_lowercase().replace('-', "");
    if !folded.contains("utf8") && !cfg!(any(windows, target_os = "macos")) {
        let next = "set LANG to a UTF-8 locale, C.UTF-8";
        return Check::warn("terminal", format!("the locale {locale:?} is not UTF-8: signs may come out wrong"), next);
    }
    let size = size().unwrap_or_else(|| "size unknown".to_owned());
    let colour = if variable("NO_COLOR").is_some() { "no colour (NO_COLOR)" } else { "16 colours" };
    Check::ok("terminal", format!("{term}, {size}, {colour}"))
}

/// Columns and rows of the terminal, where it says.
fn size() -> Option<String> {
    #[cfg(unix)]
    {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        Some(format!("{}×{}", size.ws_col, size.ws_row))
    }
    #[cfg(not(unix))]
    None
}
