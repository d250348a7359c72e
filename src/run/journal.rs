//! Journals of runs: `runs/<id>.jsonl` in the state directory, appended by the worker, read by everyone.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::asked::{self, Asked};
use super::{RunEvent, RunStatus, RunView, Stamped, files, reap, reason};
use crate::state::{StateDir, open_to_append, with_path};

/// No more of a journal than this is read at once; the rest follows at the next look.
const MAX_READ: u64 = 16 * 1024 * 1024;

/// A journal without a start is given this long to get one before its run counts as interrupted.
pub(super) const STARTING: Duration = Duration::from_secs(60);

/// A run's journal, open for appending.
#[derive(Clone, Debug)]
pub struct JournalWriter {
    path: PathBuf,
}

impl JournalWriter {
    /// The journal of a run, made when missing.
    #[must_use]
    pub fn of(state: &StateDir, run: &str) -> Self {
        Self { path: state.runs().join(format!("{run}.jsonl")) }
    }

    /// Whether there is a journal already.
    #[must_use]
    pub fn exists(&self) -> bool {
        self.path.is_file()
    }

    /// Appends an event. The end of a run is on disk when this returns. After a torn line, which a killed writer leaves,
    /// the event starts on a line of its own.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&self, event: &Stamped) -> io::Result<()> {
        self.append_all(std::slice::from_ref(event))
    }

    /// Appends several events with one write.
    ///
    /// # Errors
    /// As [`JournalWriter::append`].
    pub fn append_all(&self, events: &[Stamped]) -> io::Result<()> {
        let wrap = |error| with_path(error, "cannot append to", &self.path);
        let mut record = Vec::new();
        let (mut file, is_torn) = open_to_append(&self.path)?;
        if is_torn {
            record.push(b'\n');
        }
        for event in events {
            serde_json::to_writer(&mut record, event).map_err(|error| wrap(error.into()))?;
            record.push(b'\n');
        }
        let length = file.metadata().map_err(wrap)?.len();
        if let Err(error) = file.write_all(&record) {
            // On a full disk half a line would stand for a run that nobody can read.
            let _ = if length == 0 { fs::remove_file(&self.path) } else { file.set_len(length) };
            return Err(wrap(error));
        }
        let is_lasting = |event: &Stamped| matches!(event.event, RunEvent::Started { .. } | RunEvent::Ended { .. });
        if events.iter().any(is_lasting) {
            file.sync_data().map_err(wrap)?;
        }
        Ok(())
    }
}

/// How far a journal has been read.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// How much of it was looked at, a torn last line included.
    size: u64,
    /// The end of the last whole line.
    offset: u64,
}

/// Follows journals: keeps the fold of each and reads only what was appended since the last look.
#[derive(Debug)]
pub struct RunBook {
    state: StateDir,
    runs: Vec<Arc<RunView>>,
    marks: HashMap<String, Mark>,
}

impl RunBook {
    /// A book over the runs of a state directory; nothing is read yet.
    #[must_use]
    pub fn new(state: StateDir) -> Self {
        Self { state, runs: Vec::new(), marks: HashMap::new() }
    }

    /// Reads what is new; returns whether anything changed. A run without an end whose process is gone becomes
    /// `interrupted`. Damaged or torn lines are skipped.
    ///
    /// # Errors
    /// When the runs directory is there but cannot be listed.
    pub fn refresh(&mut self) -> io::Result<bool> {
        let directory = self.state.runs();
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let changed = !self.runs.is_empty();
                self.runs.clear();
                self.marks.clear();
                return Ok(changed);
            }
            Err(error) => return Err(with_path(error, "cannot list", &directory)),
        };
        let mut changed = false;
        let mut at: HashMap<String, usize> =
            self.runs.iter().enumerate().map(|(index, view)| (view.id.clone(), index)).collect();
        let mut present: HashMap<String, Option<SystemTime>> = HashMap::new();
        let mut asked: Vec<(String, PathBuf, Option<SystemTime>)> = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            let (Some(id), Some(ending @ ("jsonl" | asked::ENDING))) =
                (path.file_stem().and_then(|stem| stem.to_str()), path.extension().and_then(|ending| ending.to_str()))
            else {
                continue;
            };
            let Ok(found) = entry.metadata() else { continue };
            if !found.is_file() {
                continue;
            }
            if ending == asked::ENDING {
                asked.push((id.to_owned(), path.clone(), found.modified().ok()));
                continue;
            }
            present.insert(id.to_owned(), found.modified().ok());
            let mark = self.marks.entry(id.to_owned()).or_default();
            if at.contains_key(id) && found.len() == mark.size {
                continue;
            }
            let index = *at.entry(id.to_owned()).or_insert_with(|| {
                changed = true;
                self.runs.push(Arc::new(RunView::new(id)));
                self.runs.len() - 1
            });
            let Some(view) = self.runs.get_mut(index) else { continue };
            if found.len() < mark.offset {
                *mark = Mark::default();
                *view = Arc::new(RunView::new(id));
                changed = true;
            }
            // Whoever looks on keeps the run as it was when they looked.
            changed |= read_on(&path, mark, Arc::make_mut(view));
        }
        // A worker that was started and has not said its first word.
        for (id, path, written) in asked {
            if present.contains_key(&id) {
                continue;
            }
            if !at.contains_key(&id) {
                let Some(asked) = files::read_known::<Asked>(&path) else { continue };
                self.runs.push(Arc::new(asked.view(&id)));
                changed = true;
            }
            present.insert(id, written);
        }
        let before = self.runs.len();
        self.runs.retain(|view| present.contains_key(&view.id));
        self.marks.retain(|id, _| present.contains_key(id));
        changed |= self.runs.len() != before;
        for view in self.runs.iter_mut().filter(|view| view.is_live()) {
            if is_gone(view, present.get(&view.id).copied().flatten()) {
                Arc::make_mut(view).interrupt();
                changed = true;
            }
        }
        if changed {
            self.runs.sort_by(|a, b| b.started.cmp(&a.started).then_with(|| b.id.cmp(&a.id)));
        }
        Ok(changed)
    }

    /// The runs, newest first. Each is shared, so that looking on costs no copy.
    #[must_use]
    pub fn runs(&self) -> &[Arc<RunView>] {
        &self.runs
    }

    /// The run of that id.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<&RunView> {
        self.runs.iter().find(|view| view.id == id).map(Arc::as_ref)
    }
}

/// Whether a journal has no line that could be read, of however little it says. A larger one that does not is for `doctor`.
pub(super) fn is_headless(path: &Path) -> bool {
    const SHORT: u64 = 1_024;
    if fs::metadata(path).map_or(true, |found| found.len() > SHORT) {
        return false;
    }
    crate::state::read_file(path).is_ok_and(|bytes| !has_event(&bytes))
}

/// Whether a line of these bytes is an event of a run.
pub(super) fn has_event(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| serde_json::from_slice::<Stamped>(line).is_ok())
}

/// The last events of a run, oldest first: as many as `most`, from the last 256 KB of its journal. None: no journal.
#[must_use]
pub fn tail(state: &StateDir, run: &str, most: usize) -> Vec<Stamped> {
    const LAST: u64 = 256 * 1024;
    let plain = run.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let mut bytes = Vec::new();
    let read = crate::state::open_file(&state.runs().join(format!("{run}.jsonl"))).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LAST)))?;
        file.take(LAST).read_to_end(&mut bytes)
    });
    if !plain || read.is_err() {
        return Vec::new();
    }
    // A line cut by the start of the window is no event, and drops out here.
    let mut events: Vec<Stamped> =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    events.split_off(events.len().saturating_sub(most))
}

/// What took back what a run landed, and whether only a part of it, as its journal says.
pub(super) fn undone_by(state: &StateDir, run: &str) -> Option<(String, bool)> {
    // After its end nothing else is said of a run.
    tail(state, run, usize::MAX).into_iter().rev().find_map(|stamped| match stamped.event {
        RunEvent::Undone { by, in_part } => Some(by.map(|by| (by, in_part))),
        _ => None,
    })?
}

/// Takes in the whole lines after the mark; says whether there was one.
fn read_on(path: &Path, mark: &mut Mark, view: &mut RunView) -> bool {
    let mut bytes = Vec::new();
    let read = crate::state::open_file(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(mark.offset))?;
        file.take(MAX_READ).read_to_end(&mut bytes)
    });
    if read.is_err() {
        return false;
    }
    let whole = match memchr::memrchr(b'\n', &bytes) {
        Some(end) => end + 1,
        // A "line" as large as all that may be read is no event: step over it.
        None if bytes.len() as u64 == MAX_READ => bytes.len(),
        None => 0,
    };
    let (lines, torn) = bytes.split_at(whole);
    mark.offset += lines.len() as u64;
    mark.size = mark.offset + torn.len() as u64;
    let mut any = false;
    for line in lines.split(|byte| *byte == b'\n') {
        if let Ok(event) = serde_json::from_slice::<Stamped>(line) {
            view.apply(&event);
            any = true;
        }
    }
    any
}

/// Whether the process of a run that has no end is gone.
fn is_gone(view: &RunView, written: Option<SystemTime>) -> bool {
    let silent = written.and_then(|written| written.elapsed().ok());
    if view.pid == 0 {
        return silent.is_some_and(|silent| silent > STARTING);
    }
    reap::is_gone(view, silent)
}

impl RunView {
    /// Marks a run whose process is gone.
    fn interrupt(&mut self) {
        self.status = RunStatus::Interrupted;
        let was_asked_for = self.pid == 0 && self.started.is_some();
        self.reason = if was_asked_for { reason::NEVER_BEGAN.to_owned() } else { reason::interrupted(self.kind) };
    }
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
