//! The name Claude Code gives a project's folder. One-way: never turned back into a path.

/// Every character outside `[A-Za-z0-9]` becomes `-`; over 200 characters: the first 200 (a hash follows on disk, which
/// differs between programs: match such names by prefix with [`matches`]).
#[must_use]
pub fn slug(path: &str) -> String {
    let _ = path;
    todo!()
}

/// Whether a folder name is the slug of a path: equal, drive letters compared without case, long ones by prefix.
#[must_use]
pub fn matches(folder: &str, path: &str) -> bool {
    let _ = (folder, path);
    todo!()
}
