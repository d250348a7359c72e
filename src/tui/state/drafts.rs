//! Texts that are not saved: those of earlier screens, and what is kept of this one.

use crate::change::unsaved::{Rescued, Unsaved};

/// They.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    /// The texts that earlier screens left, newest first.
    pub waiting: Vec<Rescued>,
    /// One of them whose form is being opened.
    pub reopening: Option<Rescued>,
    /// The text of this screen that was last kept, in case it ends.
    pub kept: Option<Unsaved>,
}
