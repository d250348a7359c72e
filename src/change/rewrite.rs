//! A journal begun anew: with fewer records, or with those that can be read.
//!
//! Not its job: choosing the records (`change::retention` and `change::purge` do).

use std::io;
use std::path::Path;

use super::foreign::catch_up;
use super::journal::{Journal, Record};
use super::let_go;
use super::manifest::Manifest;
use super::workshop::Workshop;

/// Begins a damaged journal anew with every record that can be read; the file as it was is kept as `aside`. Does nothing while
/// something lands.
///
/// # Errors
/// When one of them cannot be written, or something is landing.
pub fn mend(path: &Path, aside: &Path) -> io::Result<()> {
    let workshop = Workshop::at(path.parent().unwrap_or(Path::new(".")));
    let lock = workshop.try_lock().map_err(io::Error::other)?;
    let _lock = lock.ok_or_else(|| io::Error::new(io::ErrorKind::WouldBlock, "something is landing just now"))?;
    crate::state::write_atomic(aside, &crate::state::read_file(path)?)?;
    journal(&workshop, &Journal::at(path.to_owned()).records()?)
}

/// Replaces the journal; what it says about the present of the store is taken over first.
pub(super) fn journal(workshop: &Workshop, records: &[Record]) -> io::Result<()> {
    let journal = Journal::at(workshop.journal());
    let mut manifest = Manifest::read(workshop);
    if let Some(manifest) = &mut manifest {
        catch_up(manifest, &journal)?;
    }
    let_go::record::keep(workshop).map_err(io::Error::other)?;
    journal.replace(records)?;
    let_go::record::follow(workshop).map_err(io::Error::other)?;
    if let Some(manifest) = &mut manifest {
        manifest.journal = journal.length();
        manifest.save(workshop)?;
    }
    Ok(())
}
