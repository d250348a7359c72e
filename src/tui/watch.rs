//! Noticing that the disk changed: directories are watched, and looked at from time to time in case no event comes.
//!
//! Events only say *look again*; whoever gets one reads the disk. Reading never makes an event, and nothing is written.
//! Watching a directory and not its files survives saves by rename. Where watching fails (the system's limit, a mount
//! without events) a look at names, sizes and times takes over. Not its job: reading memories or journals.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::UnboundedSender;

/// What the watcher has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WatchEvent {
    /// Something in the store changed.
    Store,
    /// Something in the directory of run journals changed.
    Runs,
    /// Events do not come; this sentence says why and what happens instead.
    Degraded(String),
}

/// A burst of events is over after this long without another one.
const QUIET: Duration = Duration::from_millis(40);

/// A burst is told of after this long even when it goes on: a run that writes its journal all the time must be seen, too.
const BURST: Duration = Duration::from_millis(250);

/// File times may lag behind the clock by this much: file systems stamp with a coarser one.
const COARSE: Duration = Duration::from_millis(20);

/// How often things are looked at.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// While events come: in case one gets lost, or the store lies on a mount that has none.
    safety: Duration,
    /// Without events.
    fallback: Duration,
    /// While a directory does not exist yet: one `stat`.
    missing: Duration,
    /// A look may take at most one part in this many of the time, so that a huge store does not keep a processor busy.
    share: u32,
}

const PACE: Pace = Pace {
    safety: Duration::from_secs(5),
    fallback: Duration::from_secs(2),
    missing: Duration::from_millis(500),
    share: 1_500,
};

/// How far a look goes. Events have no such bounds; without them, what lies beyond is not noticed.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// Directories in directories.
    depth: usize,
    /// Entries, all directories together.
    entries: usize,
}

/// All of a store. The largest one that the screen is made for has a fifth of these files.
const STORE: Reach = Reach { depth: 8, entries: 50_000 };
/// The journals, which lie beside each other; what runs do in their rooms below is theirs.
const RUNS: Reach = Reach { depth: 0, entries: 50_000 };

/// Something that reports changes in directories, or below them.
trait Native: Send {
    fn watch(&mut self, directory: &Path, below: bool) -> notify::Result<()>;
    fn unwatch(&mut self, directory: &Path);
}

impl Native for RecommendedWatcher {
    fn watch(&mut self, directory: &Path, below: bool) -> notify::Result<()> {
        let mode = if below { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        Watcher::watch(self, directory, mode)
    }

    fn unwatch(&mut self, directory: &Path) {
        let _ = Watcher::unwatch(self, directory);
    }
}

/// A running watch; it ends when dropped.
pub(super) struct Watch {
    wake: Sender<Wake>,
}

enum Wake {
    Changed(Vec<PathBuf>),
    Lost,
    Stop,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.wake.send(Wake::Stop);
    }
}

/// Watches a store and the directory of run journals; neither need exist yet.
///
/// # Errors
/// When no thread can be started.
pub(super) fn start(store: &Path, runs: &Path, events: UnboundedSender<WatchEvent>) -> std::io::Result<Watch> {
    start_with(store, runs, events, PACE, native)
}

fn native(wake: Sender<Wake>) -> notify::Result<Box<dyn Native>> {
    let handler = move |result: notify::Result<notify::Event>| {
        let _ = match result {
            Ok(event) if event.need_rescan() => wake.send(Wake::Lost),
            Ok(event) if is_change(&event) => wake.send(Wake::Changed(event.paths)),
            Ok(_) => Ok(()),
            Err(_) => wake.send(Wake::Lost),
        };
    };
    Ok(Box::new(notify::recommended_watcher(handler)?))
}

/// Opening, reading and closing a file is no change: answering it by reading again would never end.
fn is_change(event: &notify::Event) -> bool {
    !matches!(event.kind, EventKind::Access(_))
}

fn start_with(
    store: &Path,
    runs: &Path,
    events: UnboundedSender<WatchEvent>,
    pace: Pace,
    native: impl FnOnce(Sender<Wake>) -> notify::Result<Box<dyn Native>> + Send + 'static,
) -> std::io::Result<Watch> {
    let (wake, woken) = channel();
    let (store, runs) = (store.to_owned(), runs.to_owned());
    let from_native = wake.clone();
    let started = SystemTime::now().checked_sub(COARSE).unwrap_or(SystemTime::UNIX_EPOCH);
    std::thread::Builder::new().name("watch".to_owned()).spawn(move || {
        // Looking takes its time where there is much: nobody waits for it.
        let places = [Place::new(&store, WatchEvent::Store, STORE), Place::new(&runs, WatchEvent::Runs, RUNS)];
        // Whoever started us may have read already what changed while we looked.
        for place in places.iter().filter(|place| newest(&place.given, place.reach) >= Some(started)) {
            let _ = events.send(place.event.clone());
        }
        let (native, trouble) = match native(from_native) {
            Ok(native) => (Some(native), None),
            Err(error) => (None, Some(trouble(&error, pace.fallback))),
        };
        let mut lookout = Lookout { places, native, events, pace, degraded: false };
        if let Some(sentence) = trouble {
            lookout.degrade(sentence);
        }
        lookout.run(&woken);
    })?;
    Ok(Watch { wake })
}

/// Why events do not come, in words. Linux reports an exhausted limit as a full disk, which it is not.
fn trouble(error: &notify::Error, interval: Duration) -> String {
    let limit = match &error.kind {
        notify::ErrorKind::MaxFilesWatch => true,
        notify::ErrorKind::Io(io) => matches!(io.raw_os_error(), Some(24 | 28)),
        _ => false,
    };
    let why = if limit {
        "the system's limit on watches is reached (fs.inotify.max_user_watches, max_user_instances)".to_owned()
    } else {
        format!("changes cannot be watched ({error})")
    };
    format!("{why}; looking every {} s instead", interval.as_secs_f32())
}

/// A directory that is looked after.
struct Place {
    given: PathBuf,
    event: WatchEvent,
    reach: Reach,
    /// The directory as it was when the native watch was set: path and identity.
    watched: Option<(PathBuf, Identity)>,
    /// The native watch was refused; do not try again until the directory is another one.
    refused: Option<Identity>,
    seen: u64,
    next: Instant,
}

type Identity = (u64, u64);

impl Place {
    fn new(directory: &Path, event: WatchEvent, reach: Reach) -> Self {
        Self {
            given: directory.to_owned(),
            event,
            reach,
            watched: None,
            refused: None,
            seen: signature(directory, reach),
            next: Instant::now(),
        }
    }
}

/// Events that came together.
#[derive(Default)]
struct Burst {
    paths: Vec<PathBuf>,
    lost: bool,
}

/// Collects events until none comes for a moment. `None`: the watch ends.
fn collect(first: Wake, woken: &Receiver<Wake>) -> Option<Burst> {
    let end = Instant::now() + BURST;
    let mut burst = Burst::default();
    let mut next = first;
    loop {
        match next {
            Wake::Stop => return None,
            Wake::Lost => burst.lost = true,
            Wake::Changed(paths) => burst.paths.extend(paths),
        }
        let left = end.saturating_duration_since(Instant::now());
        match woken.recv_timeout(QUIET.min(left)) {
            Ok(wake) if !left.is_zero() => next = wake,
            Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => return None,
            Ok(Wake::Lost) => {
                burst.lost = true;
                return Some(burst);
            }
            Ok(Wake::Changed(paths)) => {
                burst.paths.extend(paths);
                return Some(burst);
            }
            Err(RecvTimeoutError::Timeout) => return Some(burst),
        }
    }
}

struct Lookout {
    places: [Place; 2],
    native: Option<Box<dyn Native>>,
    events: UnboundedSender<WatchEvent>,
    pace: Pace,
    degraded: bool,
}

impl Lookout {
    fn run(&mut self, woken: &Receiver<Wake>) {
        self.look(|_| true);
        while !self.events.is_closed() {
            let next = self.places.iter().map(|place| place.next).min().unwrap_or_else(Instant::now);
            match woken.recv_timeout(next.saturating_duration_since(Instant::now())) {
                Err(RecvTimeoutError::Disconnected) => return,
                Ok(first) => {
                    let Some(burst) = collect(first, woken) else { return };
                    self.tell(&burst.paths);
                    if burst.lost {
                        self.look(|_| true);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    self.look(|place| place.next <= now);
                }
            }
        }
    }

    fn degrade(&mut self, sentence: String) {
        if !std::mem::replace(&mut self.degraded, true) {
            let _ = self.events.send(WatchEvent::Degraded(sentence));
        }
    }

    /// Passes native events on to the places they concern, and notes what is there now so that the next look is quiet.
    fn tell(&mut self, paths: &[PathBuf]) {
        for place in &mut self.places {
            let Some((root, identity)) = &place.watched else { continue };
            if !paths.iter().any(|path| path.starts_with(root)) {
                continue;
            }
            let _ = self.events.send(place.event.clone());
            if identify(&place.given).is_none_or(|now| now != *identity) {
                // The directory itself was removed or replaced: the watch is on a dead one.
                place.next = Instant::now();
            } else {
                place.seen = 0;
            }
        }
    }

    /// Looks at places with our own eyes and says what changed since the last look.
    fn look(&mut self, due: impl Fn(&Place) -> bool) {
        let mut refusal = None;
        for place in self.places.iter_mut().filter(|place| due(place)) {
            let started = Instant::now();
            if let Err(error) = arm(place, self.native.as_deref_mut()) {
                refusal = Some(error);
            }
            let now = signature(&place.given, place.reach);
            // 0 stands for "was told of by an event": whatever is there now has been read already.
            if place.seen != 0 && place.seen != now {
                let _ = self.events.send(place.event.clone());
            }
            place.seen = now;
            let pace = match (&place.watched, identify(&place.given)) {
                (_, None) => self.pace.missing,
                (Some(_), Some(_)) => self.pace.safety,
                (None, Some(_)) => self.pace.fallback,
            };
            place.next = Instant::now() + pace.max(started.elapsed() * self.pace.share);
        }
        if let Some(error) = refusal {
            self.degrade(trouble(&error, self.pace.fallback));
        }
    }
}

/// Sets the native watch on the directory that is there now, if it is not set already.
fn arm(place: &mut Place, native: Option<&mut (dyn Native + 'static)>) -> notify::Result<()> {
    let Some(native) = native else { return Ok(()) };
    let identity = identify(&place.given);
    if let Some((root, watched)) = &place.watched {
        if identity == Some(*watched) {
            return Ok(());
        }
        native.unwatch(root);
        place.watched = None;
    }
    let Some(identity) = identity else { return Ok(()) };
    if place.refused == Some(identity) {
        return Ok(());
    }
    let root = fs::canonicalize(&place.given).unwrap_or_else(|_| place.given.clone());
    match native.watch(&root, place.reach.depth > 0) {
        Ok(()) => {
            place.watched = Some((root, identity));
            Ok(())
        }
        Err(error) if fs::metadata(&root).is_err() => {
            // It vanished between the two: the next look finds it missing.
            let _ = error;
            Ok(())
        }
        Err(error) => {
            place.refused = Some(identity);
            Err(error)
        }
    }
}

#[cfg(unix)]
fn identify(directory: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(directory).ok().filter(fs::Metadata::is_dir).map(|it| (it.dev(), it.ino()))
}

#[cfg(not(unix))]
fn identify(directory: &Path) -> Option<Identity> {
    fs::metadata(directory).ok().filter(fs::Metadata::is_dir).map(|_| (0, 0))
}

/// The latest time of anything within reach of a directory, the directories' own included.
fn newest(directory: &Path, reach: Reach) -> Option<SystemTime> {
    let mut newest = fs::metadata(directory).and_then(|meta| meta.modified()).ok();
    each(directory, reach, |_, meta| newest = newest.max(meta.modified().ok()));
    newest
}

/// A number that differs when a name, size or time within reach of a directory differs; 1 when there is nothing. Never 0.
fn signature(directory: &Path, reach: Reach) -> u64 {
    let mut sum: u64 = 1;
    each(directory, reach, |path, meta| {
        let mtime = meta.modified().ok().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        let mtime = mtime.map_or(0, |at| at.as_nanos() as u64);
        let mut hash = fnv(path.as_os_str().as_encoded_bytes());
        hash = (hash ^ meta.len()).wrapping_mul(FNV_PRIME);
        hash = (hash ^ mtime).wrapping_mul(FNV_PRIME);
        // Added up, so that the order of the listing does not matter.
        sum = sum.wrapping_add(hash ^ (hash >> 29));
    });
    sum.max(1)
}

/// Shows everything within reach of a directory, the nearest first: what lies deep is what is left out.
fn each(directory: &Path, reach: Reach, mut show: impl FnMut(&Path, &fs::Metadata)) {
    let mut left = reach.entries;
    let mut waiting = VecDeque::from([(directory.to_owned(), 0)]);
    while let Some((dir, depth)) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            let Some(rest) = left.checked_sub(1) else { return };
            left = rest;
            let path = entry.path();
            // Follow links to files, whose targets are what is read, but never to directories.
            let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let Ok(meta) = fs::metadata(&path) else { continue };
            show(&path, &meta);
            if is_dir && depth < reach.depth {
                waiting.push_back((path, depth + 1));
            }
        }
    }
}

const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;
