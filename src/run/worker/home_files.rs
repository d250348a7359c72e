//! Files of Claude Code's directory that say what every session does, or that sessions run: as they are before the command
//! `claude` works, and given back afterwards.
//!
//! Given back is what the command changed, while it is still what the command left; what was written is kept beside, and so
//! nothing is lost when it was a person's. Where a session went on meanwhile, which writes there too, nobody can tell: then
//! what is there stays, what was there before is kept, and both are named. No credential is kept: files where they lie are not
//! read, and others are kept without what looks like one. Not its job: `.claude.json` (see [`super::registered`]), and
//! transcripts (see [`super::transcripts`]).

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::outside::Changed;
use super::stamp::Stamp;
use super::strayed::{link, mode, named, replace, set_mode, without_secrets};
use crate::secret::place::holds_secrets;
use crate::secret::{self, redacted_name};
use crate::state::{read_file, write_atomic};
use crate::text::visible;

/// Directories of it whose files matter, at any depth; the one that holds most comes last.
const DIRECTORIES: [&str; 9] =
    ["rules", "commands", "agents", "skills", "plugins", "hooks", "output-styles", SNAPSHOTS, PROGRAM];
/// What the shells of sessions begin with: each session makes one and takes it away.
const SNAPSHOTS: &str = "shell-snapshots";
/// The command itself, where it was installed there.
const PROGRAM: &str = "local";
/// Files directly in it that matter by their name, and by their ending: what hooks and status lines run.
const FILES: [&str; 2] = ["settings.json", "settings.local.json"];
const ENDINGS: [&str; 7] = ["md", "sh", "py", "js", "mjs", "ts", "rb"];
/// What of the plugins' own lists says which plugins there are; the others Claude Code renews by itself.
const PLUGINS: &str = "plugins";
const LISTS: [&str; 2] = ["installed_plugins.json", "config.json"];

/// So many files are looked at.
const MOST_FILES: usize = 20_000;
/// So many bytes are kept together, and of one file.
const MOST_BYTES: u64 = 32 * 1024 * 1024;
const LARGEST: u64 = 2 * 1024 * 1024;
/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    /// A link, and where it leads to.
    Link(PathBuf),
    File {
        bytes: Vec<u8>,
        mode: u32,
    },
    /// Not read: only whether it changed can be told.
    Unread {
        stamp: Stamp,
        why: Why,
    },
}

/// Why a file is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    TooLarge,
    Credentials,
    NotReadable,
}

impl Why {
    const fn words(self) -> &'static str {
        match self {
            Self::TooLarge => "it is too large to be kept",
            Self::Credentials => "credentials may lie there, and such is not read",
            Self::NotReadable => "it cannot be read",
        }
    }
}

/// The files before.
#[derive(Debug, Default)]
pub(super) struct HomeFiles {
    base: PathBuf,
    /// Where the directory really lies; `None`: there was none.
    real: Option<PathBuf>,
    found: BTreeMap<PathBuf, Found>,
    /// The directories there were.
    directories: BTreeSet<PathBuf>,
    /// Bytes kept so far.
    kept: u64,
    is_cut: bool,
    /// Whether a directory could not be listed.
    is_blind: bool,
}

/// One file that is not what it was.
#[derive(Debug)]
pub(super) struct Difference {
    path: PathBuf,
    before: Option<Found>,
    after: Option<Found>,
}

impl HomeFiles {
    /// Looks at them.
    pub(super) fn look(base: Option<&Path>) -> Self {
        base.map_or_else(Self::default, |base| Self::look_again(base, None))
    }

    /// Looks at them; of what there was `before`, when that is known, only the links that lead where they led are followed.
    fn look_again(base: &Path, before: Option<&Self>) -> Self {
        let mut all = Self { base: base.to_owned(), real: base.canonicalize().ok(), ..Self::default() };
        let entries = fs::read_dir(base).into_iter().flatten().flatten();
        let directories = DIRECTORIES.iter().map(|name| base.join(name));
        for path in entries.map(|entry| entry.path()).filter(|path| matters(path)).chain(directories) {
            all.add(&path, before);
        }
        all
    }

    /// What was not looked at, in words.
    pub(super) fn unseen(&self) -> Option<String> {
        let most = crate::text::figure(MOST_FILES as u64);
        self.is_cut.then(|| {
            format!(
                "only {most} files of {} are looked after while claude works",
                visible(&self.base.to_string_lossy())
            )
        })
    }

    /// Takes a path in: a file, a link with what it leads to, or all below a directory. A link that is new, or leads elsewhere
    /// than `before`, could lead anywhere: what lies there is nothing that was changed.
    fn add(&mut self, path: &Path, before: Option<&Self>) {
        let leads = |real: &PathBuf| before.is_none_or(|known| known.knows(real));
        let mut open = vec![path.to_owned()];
        while let Some(path) = open.pop() {
            let Ok(metadata) = path.symlink_metadata() else { continue };
            if metadata.is_dir() {
                if self.directories.insert(path.clone()) {
                    let entries = fs::read_dir(&path);
                    self.is_blind |= entries.is_err();
                    let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
                    open.extend(paths.filter(|path| path.file_name() != Some(OsStr::new(".git"))));
                }
                continue;
            }
            if self.found.len() >= MOST_FILES {
                self.is_cut = true;
                return;
            }
            let Some(found) = self.found_at(&path, &metadata, MOST_BYTES.saturating_sub(self.kept)) else { continue };
            match &found {
                // What it leads to may be changed through it.
                Found::Link(_) => {
                    let real = path.canonicalize().ok().filter(leads);
                    open.extend(real.filter(|real| !self.is_closed(real)));
                }
                Found::File { bytes, .. } if !self.found.contains_key(&path) => self.kept += bytes.len() as u64,
                Found::File { .. } | Found::Unread { .. } => {}
            }
            self.found.insert(path, found);
        }
    }

    /// Whether credentials lie there, by its name below the directory, or wherever else it is.
    fn is_closed(&self, path: &Path) -> bool {
        let inside = [Some(&self.base), self.real.as_ref()].into_iter().flatten();
        let inside = inside.into_iter().find_map(|base| path.strip_prefix(base).ok());
        holds_secrets(inside.unwrap_or(path))
    }

    /// What is at a path; `room` is for how many bytes. `None`: nothing that holds any, such as a pipe or a directory.
    fn found_at(&self, path: &Path, metadata: &Metadata, room: u64) -> Option<Found> {
        if metadata.is_symlink() {
            return fs::read_link(path).ok().map(Found::Link);
        }
        if !metadata.is_file() {
            return None;
        }
        let unread = |why| Some(Found::Unread { stamp: Stamp::of(metadata), why });
        if self.is_closed(path) {
            return unread(Why::Credentials);
        }
        if metadata.len() > LARGEST.min(room) {
            return unread(Why::TooLarge);
        }
        // One that cannot be read can still be seen to change.
        match read_file(path) {
            Ok(bytes) => Some(Found::File { bytes, mode: mode(metadata) }),
            Err(_) => unread(Why::NotReadable),
        }
    }

    /// What is at a path now; kept as it was before, where it was.
    fn now_at(&self, path: &Path, before: Option<&Found>) -> Option<Found> {
        let metadata = path.symlink_metadata().ok()?;
        let room = if matches!(before, Some(Found::Unread { .. })) { 0 } else { u64::MAX };
        self.found_at(path, &metadata, room)
    }

    /// Whether this path was there.
    fn knows(&self, path: &Path) -> bool {
        self.found.contains_key(path) || self.directories.contains(path)
    }

    /// Whether the directory itself is another one by now: nothing in it can be compared.
    pub(super) fn is_moved(&self) -> bool {
        self.real.as_ref().is_some_and(|real| self.base.canonicalize().ok().as_ref() != Some(real))
    }

    /// What is not as it was.
    pub(super) fn changed(&self) -> Vec<Difference> {
        if self.is_moved() {
            return Vec::new();
        }
        let mut now = Self::look_again(&self.base, Some(self));
        // Also where a link led that leads elsewhere now.
        for directory in self.directories.iter().filter(|directory| !self.is_behind_link(directory)) {
            now.add(directory, Some(self));
        }
        let gone = self.found.iter().filter(|(path, _)| !now.found.contains_key(*path));
        let mut all: Vec<Difference> = gone
            // Perhaps only the link that led to it is gone.
            .map(|(path, before)| {
                let after = if self.is_behind_link(path) { None } else { self.now_at(path, Some(before)) };
                Difference { path: path.clone(), before: Some(before.clone()), after }
            })
            .collect();
        all.extend(now.found.into_keys().map(|path| {
            let before = self.found.get(&path).cloned();
            let after = self.now_at(&path, before.as_ref());
            Difference { path, before, after }
        }));
        all.retain(|one| one.before != one.after);
        // What was not there goes first: it may lie in the place of what was.
        all.sort_by_key(|one| one.before.is_some());
        all
    }

    /// Whether a directory on the way to it is a link now. None was: what links lead to is taken in by where it really lies.
    fn is_behind_link(&self, path: &Path) -> bool {
        let above = path.ancestors().skip(1).take_while(|dir| *dir != self.base && dir.starts_with(&self.base));
        above.into_iter().any(Path::is_symlink)
    }

    /// Gives back what changed, or, when it may have been a session, keeps what was there before. Says so.
    pub(super) fn give_back(&self, all: Vec<Difference>, is_sure: bool, kept: &Path, changed: &mut Changed) {
        let (mut given, mut stay, mut renewed, mut own) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for one in all {
            let name = redacted_name(&visible(&one.path.to_string_lossy()));
            let is_kept = self.keep(&one, kept);
            if self.is_of_one_session(&one) {
                if is_sure {
                    // Nobody but the command itself can have use for it.
                    let _ = is_kept.and_then(|()| self.restore(&one));
                }
                own.push(name);
            } else if self.is_renewed_by_itself(&one, is_sure) {
                renewed.push(name);
            } else if !is_sure {
                stay.push(name);
            } else {
                match is_kept.and_then(|()| self.restore(&one)) {
                    Ok(()) => given.push(name),
                    Err(why) => stay.push(format!("{name}: {}", visible(&why.to_string()))),
                }
            }
        }
        let lies = visible(&kept.to_string_lossy()).into_owned();
        let sentence = |names: &[String], what: &str| format!("{} ({what})", named(names));
        if !given.is_empty() {
            changed
                .by_claude
                .push(sentence(&given, &format!("given back as it was; what claude wrote lies in {lies}/after")));
        }
        if !stay.is_empty() {
            let why = if is_sure {
                "cannot be given back"
            } else {
                "left as it is, because a session went on that may have done it"
            };
            changed.by_claude.push(sentence(&stay, &format!("{why}; what was there before lies in {lies}/before")));
        }
        if !renewed.is_empty() {
            changed.by_others.push(sentence(&renewed, &format!("what was there before lies in {lies}/before")));
        }
        if !own.is_empty() {
            let what = if is_sure { "new, and taken away again" } else { "new" };
            changed.by_others.push(sentence(&own, &format!("{what}; it lies in {lies}/after")));
        }
    }

    /// Whether it is what a session makes for itself alone: a new beginning of its shells.
    fn is_of_one_session(&self, one: &Difference) -> bool {
        one.before.is_none() && one.path.starts_with(self.base.join(SNAPSHOTS))
    }

    /// Whether Claude Code writes it without being asked: lists of what there is to be had, plugins and the program itself,
    /// which a session renews when it starts; and a session that ends takes the beginning of its shells away.
    fn is_renewed_by_itself(&self, one: &Difference, is_sure: bool) -> bool {
        let Ok(inside) = one.path.strip_prefix(&self.base) else { return false };
        if inside.starts_with(SNAPSHOTS) {
            return one.after.is_none();
        }
        if inside.starts_with(PROGRAM) {
            return !is_sure;
        }
        let Ok(inside) = inside.strip_prefix(PLUGINS) else { return false };
        let is_list = inside.components().count() == 1
            && inside.extension().is_some_and(|ending| ending == "json")
            && !LISTS.iter().any(|name| inside == Path::new(name));
        is_list || (!is_sure && inside.starts_with("marketplaces"))
    }

    /// Lays both sides down, without credentials.
    fn keep(&self, one: &Difference, kept: &Path) -> io::Result<()> {
        if secret::in_name(&one.path.to_string_lossy()).is_some() {
            return Ok(());
        }
        let inside = one.path.strip_prefix(&self.base).map_or_else(
            |_| {
                Path::new("elsewhere").join(
                    one.path.components().filter(|part| matches!(part, Component::Normal(_))).collect::<PathBuf>(),
                )
            },
            Path::to_owned,
        );
        for (side, found) in [("before", &one.before), ("after", &one.after)] {
            let place = kept.join(side).join(&inside);
            match found {
                Some(Found::File { bytes, .. }) => write_atomic(&place, &without_secrets(bytes))?,
                Some(Found::Link(target)) => {
                    let name = place.file_name().unwrap_or_default().to_string_lossy();
                    let place = place.with_file_name(format!("{name}.link"));
                    write_atomic(&place, target.as_os_str().as_encoded_bytes())?;
                }
                Some(Found::Unread { .. }) | None => {}
            }
        }
        Ok(())
    }

    /// Makes it what it was, if it still is what the command left.
    fn restore(&self, one: &Difference) -> io::Result<()> {
        let unread = [&one.before, &one.after].into_iter().find_map(|side| match side {
            Some(Found::Unread { why, .. }) => Some(why.words()),
            _ => None,
        });
        if let Some(why) = unread {
            return Err(io::Error::other(why));
        }
        if self.now_at(&one.path, one.after.as_ref()) != one.after {
            return Err(io::Error::other("it was changed again since"));
        }
        if self.is_behind_link(&one.path) || self.is_moved() {
            return Err(io::Error::other("a directory on the way to it leads elsewhere now"));
        }
        if one.before.is_none() && !one.path.starts_with(&self.base) {
            return Err(io::Error::other("it is new, and nothing outside is removed"));
        }
        if one.before.is_none() && (self.is_cut || self.is_blind) {
            return Err(io::Error::other("it may have been there: there was more than is looked at"));
        }
        match (&one.before, &one.after) {
            (Some(Found::File { bytes, mode }), Some(Found::File { .. })) => {
                replace(&one.path, bytes)?;
                set_mode(&one.path, *mode)
            }
            (before, after) => {
                if after.is_some() {
                    fs::remove_file(&one.path)?;
                } else if one.path.is_dir() {
                    // Empty by now, or it holds what is nobody's here to remove.
                    fs::remove_dir(&one.path)?;
                }
                match before {
                    Some(Found::File { bytes, mode }) => {
                        replace(&one.path, bytes)?;
                        set_mode(&one.path, *mode)
                    }
                    Some(Found::Link(target)) => link(target, &one.path),
                    Some(Found::Unread { .. }) | None => {
                        self.leave(&one.path);
                        Ok(())
                    }
                }
            }
        }
    }

    /// Takes away the directories that were made for a file, when nothing is left in them.
    fn leave(&self, path: &Path) {
        for directory in path.ancestors().skip(1).take_while(|dir| *dir != self.base && dir.starts_with(&self.base)) {
            if self.directories.contains(directory) || fs::remove_dir(directory).is_err() {
                return;
            }
        }
    }
}

/// Whether a file directly in the directory matters.
fn matters(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    (FILES.contains(&name) || ENDINGS.contains(&ending)) && !path.is_dir()
}

#[cfg(test)]
#[path = "home_files_tests.rs"]
mod tests;
