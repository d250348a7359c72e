//! `install` and `uninstall`: Claude Code calls us, or does not any more. What would change is shown first.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::{ScopeWord, Setup};
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::difference::unified;
use crate::engine::{self, Word};
use crate::hook::install::{self, InstallError, Place, Plan, Scope};
use crate::hook::limits;
use crate::persons_file::{PersonsFile, WriteError};
use crate::project;
use crate::project::git::physical;
use crate::project::settings::{enabled_plugins, hooks_silenced};
use crate::secret::redacted;
use crate::text;

/// Puts our hooks and commands in.
pub(super) fn run(context: &Context, setup: &Setup) -> Result<u8, Failure> {
    let place = place(context, setup.scope)?;
    let program = program(context)?;
    let is_build = Path::new(&program).components().any(|part| part.as_os_str() == "target");
    if is_build && place.scope != Scope::Project {
        context.output.notice(&format!(
            "the hooks will call {program}, a build that the next one replaces; `cargo install --path .` puts it where it stays"
        ));
    }
    check_engine(context)?;
    let options = context.worker_settings();
    let plan = install::install(&context.state, place.clone(), &program, &options).map_err(failure)?;
    if place.scope == Scope::Project && !is_in_path(context) {
        context.output.notice(&format!(
            "shared hooks and commands call `dreamtop` by its name, and no directory of PATH has this one: put {} there",
            Path::new(&program).parent().unwrap_or(Path::new("")).display()
        ));
    }
    let is_silenced = warn(context, &place)?;
    let calls =
        if is_silenced { "once its hooks are called, sessions call" } else { "sessions that start from now on call" };
    let done = Done {
        doing: "install",
        question: "write this?",
        nothing: "already installed",
        after: format!("{calls} dreamtop; `dreamtop` shows what it does, `dreamtop uninstall` takes it back"),
    };
    conclude(context, setup, &place, &plan, &done)
}

/// Whether there is such an engine: hooks that name none start nothing. What one lacks may come later, and is said.
fn check_engine(context: &Context) -> Result<(), Failure> {
    let Some(word) = context.global_engine() else { return Ok(()) };
    match engine::by_name(word, &context.config, &context.environment) {
        Err(error) if matches!(Word::parse(word).name, "anthropic" | "openai" | "claude") => {
            context.output.notice(&format!("the hooks will start nothing yet: {error}"));
            Ok(())
        }
        Err(error) => Err(Failure::usage(error)),
        Ok(_) => Ok(()),
    }
}

/// Says what keeps the hooks from being called, and what else calls us: each event would be answered twice. Whether they are
/// not called.
fn warn(context: &Context, place: &Place) -> Result<bool, Failure> {
    let home = context.claude_home()?;
    let checkout = project::choose(&context.request, &context.environment).ok().and_then(|choice| choice.checkout);
    let silenced = hooks_silenced(&context.environment, Some(home.base()), checkout.as_deref());
    if let Some(why) = &silenced {
        context.output.notice(&format!("Claude Code will call no hook: {why}"));
    }
    if let Some(why) = limits::shortened(&context.config.recall) {
        context.output.notice(&why);
    }
    for (plugin, settings) in
        enabled_plugins(install::PLUGIN, &context.environment, Some(home.base()), checkout.as_deref())
    {
        context.output.notice(&format!(
            "the plugin {} is on too ({}): each event would be answered twice; keep one (`/plugin` switches it off)",
            text::visible(&plugin),
            settings.display()
        ));
    }
    for other in elsewhere(context, place.scope)? {
        context.output.notice(&format!(
            "also installed in {}: each event would be answered twice; keep one (`dreamtop uninstall --scope {}`)",
            other.settings.display(),
            other.scope.word()
        ));
    }
    Ok(silenced.is_some())
}

/// The places of other scopes in which something calls us.
fn elsewhere(context: &Context, scope: Scope) -> Result<Vec<Place>, Failure> {
    let home = context.claude_home()?;
    let checkout = project::choose(&context.request, &context.environment).ok().and_then(|choice| choice.checkout);
    let others = Scope::ALL.into_iter().filter(|other| *other != scope);
    let others = others.filter(|other| *other == Scope::User || checkout.is_some());
    let place = |scope| Place::of(scope, home.base(), checkout.as_deref().unwrap_or(Path::new("")));
    // In a project that is the home, two scopes are one file.
    let own = physical(&place(scope).settings);
    let places = others.map(place).filter(|other| physical(&other.settings) != own);
    Ok(places.filter(|place| install::installed(&context.state, place).is_ok_and(|found| !found.is_empty())).collect())
}

/// What goes on calling us when the hooks of a scope are gone, in words.
fn still_calls(context: &Context, scope: Scope) -> Result<Option<String>, Failure> {
    let home = context.claude_home()?;
    let checkout = project::choose(&context.request, &context.environment).ok().and_then(|choice| choice.checkout);
    let hooks = elsewhere(context, scope)?.into_iter().map(|other| {
        format!("the hooks in {} (`dreamtop uninstall --scope {}`)", other.settings.display(), other.scope.word())
    });
    let plugins = enabled_plugins(install::PLUGIN, &context.environment, Some(home.base()), checkout.as_deref());
    let plugins = plugins.into_iter().map(|(plugin, _)| format!("the plugin {} (`/plugin`)", text::visible(&plugin)));
    let all: Vec<String> = hooks.chain(plugins).collect();
    Ok((!all.is_empty()).then(|| all.join(" and ")))
}

/// Takes them out.
pub(super) fn take_out(context: &Context, setup: &Setup) -> Result<u8, Failure> {
    let place = place(context, setup.scope)?;
    let plan = install::uninstall(&context.state, place.clone()).map_err(failure)?;
    let calls = match still_calls(context, place.scope)? {
        Some(what) => format!("sessions go on calling dreamtop by {what}"),
        None => "sessions that start from now on do not call dreamtop".to_owned(),
    };
    let done = Done {
        doing: "uninstall",
        question: "take this out?",
        nothing: "nothing of dreamtop is installed there",
        after: format!("{calls}; memories and history stay as they are"),
    };
    conclude(context, setup, &place, &plan, &done)
}

/// The words of one of the two.
struct Done {
    doing: &'static str,
    question: &'static str,
    nothing: &'static str,
    after: String,
}

fn conclude(context: &Context, setup: &Setup, place: &Place, plan: &Plan, done: &Done) -> Result<u8, Failure> {
    let is_asked = !setup.yes && !setup.dry_run && !plan.changes.is_empty();
    if is_asked {
        context.output.lines(|page| print(page, plan))?;
        match context.output.agrees(done.question)? {
            Some(true) => {}
            Some(false) => {
                context.output.notice("nothing was changed");
                return Ok(exit::FINDINGS);
            }
            None => {
                let again =
                    format!("{} changes settings that are yours: look with --dry-run, then say --yes", done.doing);
                return Err(Failure::usage(again));
            }
        }
    }
    let is_written = !setup.dry_run && !plan.changes.is_empty();
    let backup = if is_written { install::carry_out(&context.state, plan).map_err(failure)? } else { None };
    if !setup.dry_run {
        install::sweep(place);
    }
    let object = json!({
        "scope": place.scope.word(),
        "settings": place.settings,
        "written": is_written,
        "files": plan.changes.iter().map(change_json).collect::<Vec<_>>(),
        "notices": plan.notices,
        "backup": backup,
    });
    context.output.answer(&object, |page| {
        // What was asked about has been shown.
        if !is_asked {
            print(page, plan)?;
        }
        if plan.changes.is_empty() {
            return page.line(format!("{}: {}", text::visible(&place.settings.display().to_string()), done.nothing));
        }
        if !is_written {
            return page.line("nothing was changed");
        }
        if let Some(backup) = &backup {
            let path = backup.display().to_string();
            page.line(page.paint(&format!("what was there before lies in {}", text::visible(&path)), Meaning::Dim))?;
        }
        page.line(&done.after)
    })?;
    Ok(exit::DONE)
}

fn print(page: &mut Page<'_>, plan: &Plan) -> std::io::Result<()> {
    for change in &plan.changes {
        let path = shown(&change.file);
        let word = match (&change.file.bytes, &change.after) {
            (None, _) => "new     ",
            (_, None) => "goes    ",
            _ => "changes ",
        };
        page.line(format!("{word} {}", text::visible(&path)))?;
        for line in diff(change).lines() {
            let meaning = match line.as_bytes().first() {
                Some(b'+') => Some(Meaning::Good),
                Some(b'-') => Some(Meaning::Bad),
                _ => None,
            };
            let line = text::visible(line);
            page.line(match meaning {
                Some(meaning) => page.paint(&format!("  {line}"), meaning),
                None => format!("  {line}"),
            })?;
        }
    }
    plan.notices.iter().try_for_each(|notice| page.line(page.paint(&text::visible(notice), Meaning::Warn)))
}

/// A file, and where a link leads to it.
fn shown(file: &PersonsFile) -> String {
    let target = file.target().map(|target| format!(" → {}", target.display())).unwrap_or_default();
    format!("{}{target}", file.path.display())
}

fn change_json(change: &install::FileChange) -> Value {
    json!({ "path": change.file.path, "target": change.file.target(), "diff": diff(change) })
}

/// The change. Settings may hold keys: those are not shown.
fn diff(change: &install::FileChange) -> String {
    let lossy =
        |bytes: Option<&Vec<u8>>| String::from_utf8_lossy(bytes.map(Vec::as_slice).unwrap_or_default()).into_owned();
    let (before, after) = (lossy(change.file.bytes.as_ref()), lossy(change.after.as_ref()));
    redacted(&unified(&before, &after, 2))
}

fn place(context: &Context, scope: ScopeWord) -> Result<Place, Failure> {
    let scope = match scope {
        ScopeWord::User => Scope::User,
        ScopeWord::Project => Scope::Project,
        ScopeWord::Local => Scope::Local,
    };
    let home = context.claude_home()?;
    let project = if scope == Scope::User {
        PathBuf::new()
    } else {
        let choice = context.choose()?;
        let none = || Failure::usage("no project is known here; name it with --project DIR, or take --scope user");
        choice.checkout.ok_or_else(none)?
    };
    Ok(Place::of(scope, home.base(), &project))
}

/// What a shell calls us by: the name that `PATH` finds, if it finds this program, else the path of it.
fn program(context: &Context) -> Result<String, Failure> {
    let path = match in_path(context)? {
        Some(found) => found,
        None => std::env::current_exe()?,
    };
    let text = path.to_str().ok_or_else(|| Failure::failed(format!("{} is not Unicode", path.display())))?;
    Ok(text.to_owned())
}

/// This program where a directory of PATH has it under our name.
fn in_path(context: &Context) -> Result<Option<PathBuf>, Failure> {
    let this = std::env::current_exe()?;
    let real = std::fs::canonicalize(&this).unwrap_or(this);
    let paths = context.environment.variable("PATH").unwrap_or_default();
    let mut candidates =
        std::env::split_paths(paths).filter(|directory| directory.is_absolute()).map(|dir| dir.join("dreamtop"));
    Ok(candidates.find(|candidate| std::fs::canonicalize(candidate).is_ok_and(|path| path == real)))
}

/// Whether our name alone finds this program.
fn is_in_path(context: &Context) -> bool {
    in_path(context).is_ok_and(|found| found.is_some())
}

fn failure(error: InstallError) -> Failure {
    match error {
        InstallError::NotEditable { .. } | InstallError::LeadsOut { .. } => Failure::usage(error),
        InstallError::Write(WriteError::Changed(_)) => Failure::person(format!("{error}; try again")),
        InstallError::Write(WriteError::Failed(_)) => Failure::failed(error),
        InstallError::Io(_) => Failure::failed(error),
    }
}
