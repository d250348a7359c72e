//! Finding the file a name means, and changing one file: wholly or not at all, and only while it is still the one read.
//!
//! A change is *staged* as a temp file beside its target, then *swapped* in; what it displaced stays in the temp file
//! until the whole landing is done, so that taking it back needs no disk space. Not its job: order and journal of a
//! landing (see [`super::commit`]).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::beyond;
use super::directory::Directory;
use super::file::{EntryKind, FileState};
use super::patience::{LOOKS, MOMENT, patiently, until_filled};
use crate::memory::ContentHash;
use crate::memory::names::is_markdown;
use crate::memory::store::{Bound, is_entered};
use crate::secret::place::check_link;

/// How our temp files begin and end; never `.md`, so that no reader takes one for a memory.
pub(super) const TEMP_PREFIX: &str = ".dreamtop-";
/// See [`TEMP_PREFIX`].
pub(super) const TEMP_SUFFIX: &str = ".tmp";

/// An open store.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    directory: Arc<Directory>,
}

/// Where the bytes of a file of a store lie: in a directory held by its handle.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The directory of the bytes; `None`: a directory on the way is missing yet.
    directory: Option<Arc<Directory>>,
    /// The name in it.
    name: String,
    /// Set when the store's entry is a symbolic link to that place.
    pub(super) link: Option<Link>,
}

/// A symbolic link in the store.
#[derive(Clone, Debug)]
pub(super) struct Link {
    directory: Arc<Directory>,
    name: String,
    /// Where it leads, as written.
    pub(super) target: String,
    /// Whether its final target lies outside the store.
    pub(super) outside: bool,
}

impl Root {
    /// Opens a store's directory; a symbolic link on the way in is fine.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), directory: Arc::new(Directory::open(path)?) })
    }

    /// Where a file's bytes lie or would lie. The name has passed [`super::guard::containment`].
    ///
    /// # Errors
    /// `InvalidInput` in words when the entry is something we must not write through.
    pub(super) fn locate(&self, file: &str) -> io::Result<Place> {
        match beyond(file)? {
            Some((project, inside)) => Self::open(&project)?.locate_inside(&inside),
            None => self.locate_inside(file),
        }
    }

    fn locate_inside(&self, file: &str) -> io::Result<Place> {
        let refused = |message: &str| io::Error::new(io::ErrorKind::InvalidInput, message.to_owned());
        let mut segments: Vec<&str> = file.split('/').collect();
        let name = segments.pop().unwrap_or_default().to_owned();
        let mut directory = Arc::clone(&self.directory);
        for segment in segments {
            match directory.kind(segment)? {
                Some(EntryKind::Directory) => directory = Arc::new(directory.open_inside(segment)?),
                None => return Ok(Place { directory: None, name, link: None }),
                Some(EntryKind::Link) => return Err(refused("a directory on its way is a symbolic link")),
                Some(_) => return Err(refused("something on its way is not a directory")),
            }
        }
        match directory.kind(&name)? {
            None | Some(EntryKind::File) => Ok(Place { directory: Some(directory), name, link: None }),
            Some(EntryKind::Link) => self.follow(file, &directory, name),
            Some(_) => Err(refused("it is not a regular file")),
        }
    }

    /// Goes to the final target of a link, so that the link stays a link and the temp file lies beside the bytes.
    fn follow(&self, file: &str, directory: &Arc<Directory>, name: String) -> io::Result<Place> {
        let refused = |message: &str| io::Error::new(io::ErrorKind::InvalidInput, message.to_owned());
        check_link(&self.path, &self.path.join(file)).map_err(|error| refused(&error.to_string()))?;
        let target = std::fs::canonicalize(self.path.join(file))
            .map_err(|error| refused(&format!("its symbolic link leads nowhere ({error})")))?;
        let (Some(parent), Some(last)) = (target.parent(), target.file_name().and_then(|last| last.to_str())) else {
            return Err(refused("its symbolic link leads to no file"));
        };
        if !is_markdown(last) {
            return Err(refused("its symbolic link leads to something other than a Markdown file"));
        }
        let beside = Arc::new(Directory::open(parent)?);
        if beside.kind(last)? != Some(EntryKind::File) {
            return Err(refused("its symbolic link leads to something other than a regular file"));
        }
        let outside = !target.starts_with(std::fs::canonicalize(&self.path)?);
        let written = directory.read_link(&name)?;
        let link = Link { directory: Arc::clone(directory), name, target: written, outside };
        Ok(Place { directory: Some(beside), name: last.to_owned(), link: Some(link) })
    }

    /// The bytes that a symbolic link with this target would show in the place of `file`.
    pub(super) fn leads_to(&self, file: &str, target: &str) -> Option<Vec<u8>> {
        let way = file.rsplit_once('/').map_or("", |(way, _)| way);
        crate::memory::store::whole(&self.path.join(way).join(target)).ok()
    }

    /// Makes the directories on a file's way that are missing, and says which (as paths inside the store).
    pub(super) fn make_way(&self, file: &str) -> io::Result<Vec<String>> {
        let Some((project, inside)) = beyond(file)? else { return self.make_way_inside(file, true) };
        let made = Self::open(&project)?.make_way_inside(&inside, false)?;
        Ok(made.into_iter().map(|way| format!("{}/{way}", project.display())).collect())
    }

    fn make_way_inside(&self, file: &str, is_private: bool) -> io::Result<Vec<String>> {
        let mut segments: Vec<&str> = file.split('/').collect();
        segments.pop();
        let mut made = Vec::new();
        let mut way = String::new();
        let mut directory = Arc::clone(&self.directory);
        for segment in segments {
            if !way.is_empty() {
                way.push('/');
            }
            way.push_str(segment);
            if directory.kind(segment)?.is_none() {
                directory.make_inside(segment, is_private)?;
                directory.sync()?;
                made.push(way.clone());
            }
            directory = Arc::new(directory.open_inside(segment)?);
        }
        Ok(made)
    }

    /// The directories on a file's way that are missing, outermost first: those that [`Self::make_way`] would make.
    pub(super) fn missing_way(&self, file: &str) -> Vec<String> {
        let missing = |root: &Self, file: &str| {
            let ways =
                file.char_indices().filter(|(_, character)| *character == '/').filter_map(|(at, _)| file.get(..at));
            ways.filter(|way| root.walk(way).is_err_and(|error| error.kind() == io::ErrorKind::NotFound))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        match beyond(file) {
            Ok(None) => missing(self, file),
            Ok(Some((project, inside))) => Self::open(&project)
                .map(|root| missing(&root, &inside))
                .unwrap_or_default()
                .into_iter()
                .map(|way| format!("{}/{way}", project.display()))
                .collect(),
            Err(_) => Vec::new(),
        }
    }

    /// Takes away a directory of the store when it is empty.
    pub(super) fn remove_empty_directory(&self, way: &str) {
        let (parent, name) = way.rsplit_once('/').unwrap_or(("", way));
        if beyond::is_beyond(way) {
            if beyond::may_be_ours(way)
                && let Ok(directory) = Directory::open(Path::new(parent))
            {
                let _ = directory.remove_inside(name);
            }
        } else if let Ok(directory) = self.walk(parent) {
            let _ = directory.remove_inside(name);
        }
    }

    /// The directory at a path inside the store.
    fn walk(&self, way: &str) -> io::Result<Arc<Directory>> {
        let mut directory = Arc::clone(&self.directory);
        for segment in way.split('/').filter(|segment| !segment.is_empty()) {
            directory = Arc::new(directory.open_inside(segment)?);
        }
        Ok(directory)
    }

    /// Every file that could be a memory, as a path inside the store, ordered: `.md`, not hidden, not the index; never
    /// through a symbolic link to a directory.
    pub(super) fn topic_files(&self) -> io::Result<Vec<String>> {
        let mut files = Vec::new();
        self.visit(&mut |_, way, name, kind| {
            if is_markdown(name) && matches!(kind, EntryKind::File | EntryKind::Link) && !name.starts_with('.') {
                files.push(inside(way, name));
            }
        })?;
        files.retain(|file| file != crate::memory::INDEX_FILE);
        files.sort();
        Ok(files)
    }

    /// Removes temp files of ours that `is_stray` names, anywhere in the store; returns how many.
    pub(super) fn remove_strays(&self, is_stray: &dyn Fn(&str, Option<DateTime<Utc>>) -> bool) -> io::Result<usize> {
        let mut removed = 0;
        self.visit(&mut |directory, _, name, kind| {
            if name.starts_with(TEMP_PREFIX)
                && name.ends_with(TEMP_SUFFIX)
                && kind != EntryKind::Directory
                && is_stray(name, directory.modified(name).ok())
                && directory.remove(name).is_ok()
            {
                removed += 1;
            }
        })?;
        Ok(removed)
    }

    /// Shows each entry of the store to `see`: its directory, the way to it, its name and its kind. It ends early in a
    /// directory too large for a store.
    fn visit(&self, see: &mut dyn FnMut(&Directory, &str, &str, EntryKind)) -> io::Result<()> {
        let mut bound = Bound::new();
        // By parent and name, opened when their turn comes: open directories are few.
        let mut waiting: Vec<(Arc<Directory>, String, String)> = Vec::new();
        let (mut directory, mut way) = (Arc::clone(&self.directory), String::new());
        loop {
            for name in directory.names()? {
                if !bound.takes_one() {
                    return Ok(());
                }
                let Some(kind) = directory.kind(&name)? else { continue };
                if kind == EntryKind::Directory && is_entered(&name) {
                    waiting.push((Arc::clone(&directory), way.clone(), name.clone()));
                }
                see(&directory, &way, &name, kind);
            }
            let Some((parent, parents_way, name)) = waiting.pop() else { return Ok(()) };
            directory = Arc::new(parent.open_inside(&name)?);
            way = inside(&parents_way, &name);
        }
    }
}

/// Where a file outside the store lies: its project, and its path in it; `None`: it is a file of the store.
fn beyond(file: &str) -> io::Result<Option<(PathBuf, String)>> {
    if !beyond::is_beyond(file) {
        return Ok(None);
    }
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, "it is neither CLAUDE.md nor a rule of a project");
    beyond::split(file).map(Some).ok_or_else(refused)
}

fn inside(way: &str, name: &str) -> String {
    if way.is_empty() { name.to_owned() } else { format!("{way}/{name}") }
}

impl Place {
    /// The bytes that are there now.
    pub(super) fn read(&self) -> io::Result<Option<FileState>> {
        self.directory.as_ref().map_or(Ok(None), |directory| directory.read(&self.name))
    }

    /// The bytes that are there now; a file that is met empty is given a moment, for some programs empty a file before they
    /// fill it. One that says it has long been empty is looked at more than once: a file system takes the bytes away before
    /// it renews the time.
    pub(super) fn read_settled(&self) -> io::Result<Option<FileState>> {
        // The machine's own time, not the injected one: it is held against a time that the file system gave.
        let is_old = |state: &FileState| (Utc::now() - state.mtime).abs().to_std().is_ok_and(|age| age >= MOMENT);
        let mut empty_looks = 0;
        let is_filled = |seen: &Option<FileState>| {
            let Some(state) = seen.as_ref().filter(|state| state.bytes.is_empty()) else { return true };
            empty_looks = if is_old(state) { empty_looks + 1 } else { 0 };
            empty_looks == LOOKS
        };
        until_filled(|| self.read(), is_filled)
    }

    /// The place of the link itself, for taking it away; the place when there is no link.
    pub(super) fn entry(&self) -> Self {
        match &self.link {
            None => self.clone(),
            Some(link) => Self { directory: Some(Arc::clone(&link.directory)), name: link.name.clone(), link: None },
        }
    }

    /// The names beside it.
    pub(super) fn siblings(&self) -> io::Result<Vec<String>> {
        self.directory.as_ref().map_or(Ok(Vec::new()), |directory| directory.names())
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn directory(&self) -> io::Result<&Directory> {
        self.directory.as_deref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Why a swap was not made.
#[derive(Debug)]
pub(super) enum SwapError {
    /// The file is not the one that was read; nothing was changed.
    Moved,
    /// The operating system refuses.
    Io(io::Error),
}

impl From<io::Error> for SwapError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::AlreadyExists { Self::Moved } else { Self::Io(error) }
    }
}

/// Swaps a staged temp file in for a file that has the content `expected` (`None`: that must not be there). Afterwards
/// the temp name holds what was displaced, or nothing where the file system cannot swap.
pub(super) fn swap_in(place: &Place, temp: &str, expected: Option<ContentHash>) -> Result<(), SwapError> {
    let directory = place.directory()?;
    let Some(expected) = expected else {
        return Ok(patiently(|| directory.rename_new(temp, &place.name))?);
    };
    if !exchange(directory, temp, &place.name)? {
        if directory.read(&place.name)?.map(|state| state.hash()) != Some(expected) {
            return Err(SwapError::Moved);
        }
        return Ok(patiently(|| directory.rename(temp, &place.name))?);
    }
    // Only now is it certain which bytes were displaced: another program may have written until the very swap.
    if directory.read(temp).ok().flatten().map(|state| state.hash()) == Some(expected) {
        return Ok(());
    }
    exchange(directory, temp, &place.name)?;
    Err(SwapError::Moved)
}

/// Whether what a swap displaced, if it is kept, still is what it was then.
pub(super) fn is_as_displaced(place: &Place, temp: &str, expected: ContentHash) -> bool {
    let Ok(directory) = place.directory() else { return true };
    match directory.kind(temp) {
        Ok(Some(EntryKind::File)) => directory.read(temp).ok().flatten().is_some_and(|state| state.hash() == expected),
        // A link was taken away, or the file system keeps nothing.
        _ => true,
    }
}

/// Puts what was displaced back in its place, where ours, if something of ours has the name, is still as it was put.
pub(super) fn give_back(place: &Place, temp: &str, ours: Option<ContentHash>) -> Result<(), SwapError> {
    match ours {
        Some(ours) => swap_in(place, temp, Some(ours)),
        None => match patiently(|| place.directory()?.rename_new(temp, &place.name)) {
            // Somebody made it anew: theirs is the newer one.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            done => Ok(done?),
        },
    }
}

fn exchange(directory: &Directory, temp: &str, name: &str) -> Result<bool, SwapError> {
    match patiently(|| directory.exchange(temp, name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(SwapError::Moved),
        done => Ok(done?),
    }
}

/// Moves a file that has the content `expected` to a temp name. For a symbolic link `expected` is what it leads to.
pub(super) fn take_out(place: &Place, temp: &str, expected: ContentHash) -> Result<(), SwapError> {
    let entry = place.entry();
    let directory = entry.directory()?;
    match patiently(|| directory.rename_new(&entry.name, temp)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(SwapError::Moved),
        moved => moved?,
    }
    let is_expected = match &place.link {
        None => directory.read(temp).ok().flatten().map(|state| state.hash()) == Some(expected),
        Some(link) => directory.read_link(temp).is_ok_and(|target| target == link.target),
    };
    if is_expected {
        return Ok(());
    }
    patiently(|| directory.rename_new(temp, &entry.name))?;
    Err(SwapError::Moved)
}
