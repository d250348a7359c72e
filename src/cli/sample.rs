//! The throw-away copy of the sample: laid out with its dates moved to today, removed when the screen is left.
//!
//! Dates move by whole weeks, so that weekdays in the sample's texts stay true. Not its job: opening the screen on it (see
//! [`super::demo`]).

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use chrono::{DateTime, Duration, NaiveDate, Utc};
use include_dir::{Dir, include_dir};
use regex::Regex;
use serde::Deserialize;
use tempfile::TempDir;

use crate::clock::Clock;
use crate::project;
use crate::run::journal::RunBook;
use crate::run::kill;
use crate::state::StateDir;

static SAMPLE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/assets/sample");

/// A date at the start of a word: what moves with the copy.
static DATE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b20\d\d-[01]\d-[0-3]\d").ok());

/// The throw-away copy. Dropping it removes it.
#[derive(Debug)]
pub struct Demo {
    pub(super) copy: TempDir,
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
            let _ = kill::kill(state, &run, clock, "the end of the demo");
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
