//! `demo`: the screen over a throw-away copy of the sample, with a slow dream already running so that there is something
//! to watch and kill.
//!
//! The copy's dates are moved to today by whole weeks, so that weekdays in its texts stay true.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chrono::{DateTime, Duration, NaiveDate, Utc};
use include_dir::{Dir, include_dir};
use regex::Regex;
use serde::Deserialize;
use tempfile::TempDir;

use super::context::Context;
use super::output::Failure;
use super::screen::{self, Screen};
use crate::clock::Clock;
use crate::engine::JobKind;
use crate::project;
use crate::run::journal::RunBook;
use crate::run::{kill, launch};
use crate::state::StateDir;

static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/sample");
static SLOW_DREAM: &str = include_str!("../../assets/demo/slow-dream.jsonl");

/// A date at the start of a word: what moves with the copy.
static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b20\d\d-[01]\d-[0-3]\d").ok());

/// The project the screen opens on, and the one whose slow dream is already running.
const OPEN_ON: &str = "acme-api";
const DREAMING: &str = "harbor-ios";

/// The throw-away copy. Dropping it removes it.
#[derive(Debug)]
pub struct Demo {
    copy: TempDir,
}

#[derive(Debug, Deserialize)]
struct Manifest {
    now: DateTime<Utc>,
    projects: Vec<ManifestProject>,
    mtimes: std::collections::BTreeMap<String, DateTime<Utc>>,
}

#[derive(Debug, Deserialize)]
struct ManifestProject {
    folder: String,
    checkout: String,
}

/// Copies the sample and opens the screen on it.
pub(super) fn open(context: &mut Context) -> Result<Screen, Failure> {
    screen::require_terminal("the demo is only for looking; scripts use the commands in `dreamtop --help`")?;
    let copy = tempfile::Builder::new().prefix("dreamtop-demo-").tempdir()?;
    let root = fs::canonicalize(copy.path())?;
    lay_out(&root, context.clock.now())?;
    // Only these variables decide where anything is read or written, so nothing of the person's own is touched.
    for (key, place) in
        [("HOME", "home"), ("CLAUDE_CONFIG_DIR", "claude"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")]
    {
        let place = root.join(place);
        fs::create_dir_all(&place)?;
        context.environment = context.environment.clone().with(key, &place.to_string_lossy());
    }
    context.state = StateDir::at(root.join("state").join("dreamtop"));
    // Workers started from the screen are told the project too, wherever the demo was started.
    let project = Some(root.join("checkouts").join(OPEN_ON));
    context.request = project::Request { project, ..project::Request::default() };
    context.global.engine = None;
    let choice = context.choose()?;
    start_slow_dream(context, &root)?;
    screen::on(context, choice, Some(Demo { copy }))
}

/// Writes the sample under `root`: placeholders filled in, folders named after their checkouts, dates and times moved.
///
/// # Errors
/// When a file cannot be written.
pub fn lay_out(root: &Path, now: DateTime<Utc>) -> anyhow::Result<()> {
    let manifest = SAMPLE.get_file("manifest.json").map(include_dir::File::contents).unwrap_or_default();
    let manifest: Manifest = serde_json::from_slice(manifest)?;
    let weeks = (now - manifest.now).num_weeks();
    let place = |path: &str| root.join(move_path(&manifest, path, root, weeks));
    write_dir(&SAMPLE, root, weeks, &place)?;
    for (path, at) in &manifest.mtimes {
        let moved = *at + Duration::weeks(weeks);
        File::options().append(true).open(place(path))?.set_modified(moved.into())?;
    }
    Ok(())
}

fn write_dir(dir: &Dir<'_>, root: &Path, weeks: i64, place: &dyn Fn(&str) -> PathBuf) -> anyhow::Result<()> {
    for file in dir.files() {
        let target = place(&file.path().to_string_lossy());
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let text = String::from_utf8_lossy(file.contents()).replace("@ROOT@", &root.to_string_lossy());
        fs::write(target, move_dates(&text, weeks))?;
    }
    dir.dirs().try_for_each(|dir| write_dir(dir, root, weeks, place))
}

/// Where a file of the sample goes: project folders get the slug of their checkout, daily logs the name of their day.
fn move_path(manifest: &Manifest, path: &str, root: &Path, weeks: i64) -> String {
    let mut path = path.to_owned();
    for project in &manifest.projects {
        let slug = project::slug(&root.join(&project.checkout).to_string_lossy());
        path = path.replace(&format!("claude/projects/{}/", project.folder), &format!("claude/projects/{slug}/"));
    }
    let Some((before, name)) = path.rsplit_once('/') else { return path };
    let Some((store, _)) = before.split_once("/logs/") else { return path };
    let name = move_dates(name, weeks);
    let mut parts = name.split('-');
    match (parts.next(), parts.next()) {
        (Some(year), Some(month)) => format!("{store}/logs/{year}/{month}/{name}"),
        _ => path,
    }
}

fn move_dates(text: &str, weeks: i64) -> String {
    let Some(date) = DATE.as_ref().filter(|_| weeks != 0) else { return text.to_owned() };
    date.replace_all(text, |found: &regex::Captures<'_>| {
        let text = found.get(0).map_or("", |found| found.as_str());
        let moved = text.parse::<NaiveDate>().ok().and_then(|day| day.checked_add_signed(Duration::weeks(weeks)));
        moved.map_or_else(|| text.to_owned(), |day| day.to_string())
    })
    .into_owned()
}

/// A scripted dream of a few minutes over another project, in a process of its own like any other.
fn start_slow_dream(context: &Context, root: &Path) -> Result<(), Failure> {
    let script = root.join("slow-dream.jsonl");
    fs::write(&script, SLOW_DREAM)?;
    let run = launch::new_run_id(JobKind::Dream, context.clock.now());
    let arguments: Vec<String> = [
        "--project",
        &root.join("checkouts").join(DREAMING).to_string_lossy(),
        "--engine",
        &format!("script:{}", script.display()),
        "--quiet",
        "dream",
        "--force",
        "--run",
        &run,
        "--trigger",
        "demo",
    ]
    .map(str::to_owned)
    .to_vec();
    launch::detached(&std::env::current_exe()?, &arguments, &context.environment)?;
    Ok(())
}

impl Demo {
    /// Ends every run of the demo, so that no worker outlives its files.
    pub fn end(&self, state: &StateDir, clock: &Clock) {
        let mut book = RunBook::new(state.clone());
        if !self.copy.path().exists() || book.refresh().is_err() {
            return;
        }
        let live: Vec<String> = book.runs().iter().filter(|run| run.is_live()).map(|run| run.id.clone()).collect();
        for run in live {
            // A run that ends by itself meanwhile is as good as killed.
            let _ = kill::kill(state, &run, clock);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_copy_moves_by_whole_weeks_and_loses_its_placeholders() {
        let root = tempfile::tempdir().unwrap();
        let now: DateTime<Utc> = "2027-01-05T12:00:00Z".parse().unwrap();
        lay_out(root.path(), now).unwrap();
        let slug = project::slug(&root.path().join("checkouts/acme-api").to_string_lossy());
        let folder = root.path().join("claude/projects").join(slug);
        let memory = folder.join("memory/project_merge_freeze.md");
        let text = fs::read_to_string(&memory).unwrap();
        assert!(
            text.contains("2026-11-14") && !text.contains("2026-10-10"),
            "the deadline moves by five weeks: {text}"
        );
        assert!(
            folder.join("memory/logs/2027/01/2027-01-01.md").is_file(),
            "the log of 2026-11-27 is five weeks later"
        );
        let session =
            fs::read_dir(&folder).unwrap().flatten().find(|e| e.path().extension().is_some_and(|e| e == "jsonl"));
        let session = fs::read_to_string(session.unwrap().path()).unwrap();
        assert!(!session.contains("@ROOT@") && session.contains(&*root.path().to_string_lossy()));
        let age = now - DateTime::<Utc>::from(fs::metadata(memory).unwrap().modified().unwrap());
        assert!(age.num_days() > 21, "file times come from the manifest: {age}");
    }
}
