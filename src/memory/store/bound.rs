//! How far a directory is looked through: any directory may be named as a store, a whole disk too.
//!
//! Not its job: walking (each walk has its own errors to tell).

/// So many files and folders are looked at; a directory with more is no memory directory as a whole.
pub const MOST_ENTRIES: usize = 50_000;

/// What one walk may still look at.
#[derive(Debug)]
pub(crate) struct Bound {
    left: usize,
}

impl Bound {
    pub(crate) const fn new() -> Self {
        Self { left: MOST_ENTRIES }
    }

    /// Counts an entry; `false`: it is one too many, and the walk ends.
    pub(crate) const fn takes_one(&mut self) -> bool {
        let is_within = self.left > 0;
        self.left = self.left.saturating_sub(1);
        is_within
    }
}

/// Whether a folder of this name can hold memories: hidden ones and installed packages do not.
pub(crate) fn is_entered(name: &str) -> bool {
    !name.starts_with('.') && name != "node_modules"
}
