//! What is asked of the door, and one change of it on its way through the guards.
//!
//! Not its job: deciding anything (see the other files of this directory).

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use crate::change::file::FileState;
use crate::change::guard::{held, secrets};
use crate::change::{Change, ChangeSet, Consent, HoldReason, Origin};

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(in crate::change) struct Request<'a> {
    pub(in crate::change) set: &'a ChangeSet,
    pub(in crate::change) consent: Consent,
    /// Only index lines about these files are wanted; `None`: all.
    pub(in crate::change) index_files: Option<&'a BTreeSet<String>>,
    /// Index lines about these files are not wanted.
    pub(in crate::change) index_without: Option<&'a BTreeSet<String>>,
    /// What cannot land stays where it is, and the rest lands: the changes come from the inbox. Else a person's change that
    /// cannot land is an error, and nothing does.
    pub(in crate::change) from_inbox: bool,
    pub(in crate::change) now: DateTime<Utc>,
}

impl Request<'_> {
    /// Whether a person saw exactly this.
    pub(in crate::change) fn by_person(&self) -> bool {
        self.consent == Consent::Person
    }

    /// Whether one change that cannot land refuses all of them.
    pub(super) fn refuses(&self) -> bool {
        self.by_person() && !self.from_inbox
    }

    /// Whether the guards for what nobody looked at apply.
    pub(super) fn is_strict(&self) -> bool {
        self.set.origin.is_automatic() && !self.by_person()
    }

    /// Whether a model wrote it and nobody looked at it.
    pub(super) fn is_of_model(&self) -> bool {
        self.is_strict() && self.set.is_by_model
    }

    /// Why everything of its origin waits where nothing else speaks against it.
    pub(super) fn why_asked(&self) -> HoldReason {
        match self.set.origin {
            Origin::Proposal => held("ask", "an agent proposed it; nothing of that lands before you accept it"),
            _ => held("ask", "the configuration asks you about every change of this kind"),
        }
    }
}

/// One change on its way through the guards.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// As it will land: under its final name, merged.
    pub(super) change: Change,
    /// As it was asked for.
    pub(super) asked: Change,
    /// What is on disk.
    pub(super) before: Option<FileState>,
    pub(super) merged: bool,
    pub(super) reasons: Vec<HoldReason>,
}

impl Item {
    pub(super) fn is_held(&self) -> bool {
        !self.reasons.is_empty()
    }

    /// Whether keeping it, even outside the store, would keep a secret.
    pub(super) fn is_secret(&self) -> bool {
        self.reasons.iter().any(|reason| reason.guard == secrets::GUARD)
    }
}
