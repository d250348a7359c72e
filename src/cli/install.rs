//! `install` and `uninstall`: Claude Code calls us, or does not any more. What would change is shown first.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::args::{ScopeWord, Setup};
use super::context::Context;
use super::exit;
use super::output::{Failure, Meaning, Page};
use crate::difference::unified;
use crate::hook::install::{self, InstallError, Place, Plan, Scope};
use crate::hook::limits;
use crate::persons_file::{PersonsFile, WriteError};
use crate::project;
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
    let options = context.worker_settings();
    let plan = install::install(&context.state, place.clone(), &program, &options).map_err(failure)?;
    if place.scope == Scope::Project && !is_in_path(context) {
        context.output.notice(&format!(
            "shared hooks and commands call `dreamtop` by its name, and no directory of PATH has this one: put {} there",
            Path::new(&program).parent().unwrap_or(Path::new("")).display()
        ));
    }
    warn(context, &place)?;
    let done = Done {
        doing: "install",
        question: "write this?",
        nothing: "already installed",
        after: "sessions that start from now on call dreamtop; `dreamtop` shows what it does, `dreamtop uninstall` takes it back",
    };
    conclude(context, setup, &place, &plan, &done)
}

/// Says what keeps the hooks from being called, and what else calls us: each event would be answered twice.
fn warn(context: &Context, place: &Place) -> Result<(), Failure> {
    let home = context.claude_home()?;
    let checkout = project::choose(&context.request, &context.environment).ok().and_then(|choice| choice.checkout);
    if let Some(why) = hooks_silenced(&context.environment, Some(home.base()), checkout.as_deref()) {
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
    let others = Scope::ALL.into_iter().filter(|scope| *scope != place.scope);
    for scope in others.filter(|scope| *scope == Scope::User || checkout.is_some()) {
        let other = Place::of(scope, home.base(), checkout.as_deref().unwrap_or(Path::new("")));
        if install::installed(&context.state, &other).is_ok_and(|commands| !commands.is_empty()) {
            let word = scope.word();
            let said = format!(
                "also installed in {}: each event would be answered twice; keep one (`dreamtop uninstall --scope {word}`)",
                other.settings.display()
            );
            context.output.notice(&said);
        }
    }
    Ok(())
}

/// Takes them out.
pub(super) fn take_out(context: &Context, setup: &Setup) -> Result<u8, Failure> {
    let place = place(context, setup.scope)?;
    let plan = install::uninstall(&context.state, place.clone()).map_err(failure)?;
    let done = Done {
        doing: "uninstall",
        question: "take this out?",
        nothing: "nothing of dreamtop is installed there",
        after: "sessions that start from now on do not call dreamtop; memories and history stay as they are",
    };
    conclude(context, setup, &place, &plan, &done)
}

/// The words of one of the two.
struct Done {
    doing: &'static str,
    question: &'static str,
    nothing: &'static str,
    after: &'static str,
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
        page.line(done.after)
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
