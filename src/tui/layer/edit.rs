//! The editor.

/// The editor of one memory.
#[derive(Clone, Debug, Default)]
pub struct Editor {
    /// Which file.
    pub file: String,
}
