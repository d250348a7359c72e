//! Searching transcripts for somebody who watches: the newest first, file by file as they are done, and ended as soon as
//! nobody wants it any more.
//!
//! Not its job: which transcripts there are, and what the hits are shown as.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::{Finder, Found, FoundLine, searcher};

/// Of one file no more hits are given.
pub const MOST_A_FILE: usize = 50;

/// How long hits wait for others to come along.
const PATIENCE: Duration = Duration::from_millis(40);

/// The hits of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHits {
    /// The file.
    pub path: PathBuf,
    /// The hits, by line.
    pub hits: Vec<FoundLine>,
    /// Whether there are more in it.
    pub has_more: bool,
}

/// What came of a stretch of the search.
#[derive(Clone, Debug, Default)]
pub struct Catch {
    /// Files with hits, in the order they were given in.
    pub files: Vec<FileHits>,
    /// How many files were searched.
    pub searched: usize,
    /// What could not be searched, in words.
    pub skipped: Vec<String>,
}

impl Finder {
    /// Searches transcripts with several threads and tells what was found, in the order of the files. Ends early when
    /// `is_over` says so; then the rest is not told.
    pub fn hunt(&self, files: &[PathBuf], is_over: &(dyn Fn() -> bool + Sync), tell: &mut dyn FnMut(Catch)) {
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(2, usize::from).min(8).min(files.len().max(1));
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let mut searcher = searcher();
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(path) = files.get(number).filter(|_| !is_over()) else { return };
                        let mut found = Found::default();
                        match crate::state::open_file(path) {
                            Ok(file) => {
                                let file = Unless { file, is_over };
                                // One more than is given tells that there are more.
                                self.stream(&mut searcher, path, file, MOST_A_FILE + 1, &mut found);
                            }
                            Err(error) => found.skipped.push(format!("{}: {error}", path.display())),
                        }
                        if sender.send((number, found)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            // What is done before its turn waits.
            let mut waiting: Vec<Option<Found>> = files.iter().map(|_| None).collect();
            let (mut due, mut catch, mut since) = (0, Catch::default(), Instant::now());
            loop {
                let is_done = match receiver.recv_timeout(PATIENCE) {
                    Ok((number, found)) => {
                        if let Some(place) = waiting.get_mut(number) {
                            *place = Some(found);
                        }
                        false
                    }
                    Err(RecvTimeoutError::Timeout) => false,
                    Err(RecvTimeoutError::Disconnected) => true,
                };
                if is_over() {
                    return;
                }
                while let Some(found) = waiting.get_mut(due).and_then(Option::take) {
                    catch.add(files.get(due), found);
                    due += 1;
                }
                if is_done || since.elapsed() >= PATIENCE && catch.searched > 0 {
                    since = Instant::now();
                    tell(std::mem::take(&mut catch));
                }
                if is_done {
                    return;
                }
            }
        });
    }
}

impl Catch {
    fn add(&mut self, path: Option<&PathBuf>, found: Found) {
        self.searched += 1;
        self.skipped.extend(found.skipped);
        if let Some(path) = path.filter(|_| !found.hits.is_empty()) {
            self.files.push(FileHits::of(path.clone(), found.hits, found.total));
        }
    }
}

impl FileHits {
    /// The hits of a file, as many as are shown; `total`: how many were found.
    #[must_use]
    pub fn of(path: PathBuf, mut hits: Vec<FoundLine>, total: usize) -> Self {
        hits.truncate(MOST_A_FILE);
        Self { path, has_more: total > MOST_A_FILE, hits }
    }
}

/// A file that ends when nobody wants it any more.
struct Unless<'a> {
    file: File,
    is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Read for Unless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if (self.is_over)() { Ok(0) } else { self.file.read(buffer) }
    }
}
