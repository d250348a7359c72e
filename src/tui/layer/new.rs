//! The form of a new memory.

/// The form of a new memory.
#[derive(Clone, Debug, Default)]
pub struct NewMemory {}
