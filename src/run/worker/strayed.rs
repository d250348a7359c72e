//! What is done with one file that strayed: what is kept of it, how it is put back, how it is named.
//!
//! Not its job: which files those are ([`super::home_files`], [`super::registered`]).

use std::borrow::Cow;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use crate::persons_file::PersonsFile;
use crate::secret;
use crate::text::count;

/// So many files are named in a sentence.
const NAMED: usize = 5;

/// What is kept of a file: the whole of it, or in the place of each credential that it was one. What is no text and holds one is
/// not kept.
pub(super) fn without_secrets(bytes: &[u8]) -> Cow<'_, [u8]> {
    if secret::scan(bytes).is_empty() {
        return Cow::Borrowed(bytes);
    }
    let clean =
        std::str::from_utf8(bytes).ok().map(secret::redacted).filter(|clean| secret::scan(clean.as_bytes()).is_empty());
    Cow::Owned(clean.unwrap_or_else(|| "(not kept: it holds what looks like a secret)\n".to_owned()).into_bytes())
}

/// Gives a file other bytes, as a person's file is written.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    PersonsFile::read(path)?.replace(bytes).map(drop).map_err(io::Error::other)
}

/// The mode of a file.
#[cfg(unix)]
pub(super) fn mode(metadata: &Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o7777
}

/// The mode of a file.
#[cfg(not(unix))]
pub(super) fn mode(_metadata: &Metadata) -> u32 {
    0
}

/// Gives a file a mode.
#[cfg(unix)]
pub(super) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))
}

/// Gives a file a mode.
#[cfg(not(unix))]
pub(super) fn set_mode(_path: &Path, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// Makes a link.
#[cfg(unix)]
pub(super) fn link(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

/// Makes a link.
#[cfg(not(unix))]
pub(super) fn link(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::Error::other("it was a link, which this system makes in ways of its own"))
}

/// The first of them by name.
pub(super) fn named(names: &[String]) -> String {
    let (first, more) = names.split_at(names.len().min(NAMED));
    let rest =
        if more.is_empty() { String::new() } else { format!(" and {}", count(more.len(), "more file", "more files")) };
    format!("{}{rest}", first.join(", "))
}
