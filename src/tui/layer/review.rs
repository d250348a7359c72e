//! The review of one inbox entry: what a person made of its files so far.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::detail::Detail;
use crate::change::{Accepted, Decision, FileReview, HeldChange, Review, Source, Take};
use crate::tui::state::ListState;

/// What a person made of one file. Without a verdict it goes on waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It lands as proposed.
    Accepted,
    /// These hunks of it land, counted from 1; the rest goes on waiting.
    Hunks(BTreeSet<usize>),
    /// It lands in the person's own words.
    Edited {
        /// What it becomes.
        text: Vec<u8>,
        /// What they saw on the disk when they wrote it; `None`: what the proposal was made from.
        base: Option<Vec<u8>>,
    },
    /// It is dropped.
    Rejected,
}

/// The review of one inbox entry.
#[derive(Clone, Debug, Default)]
pub struct ReviewScreen {
    /// The store it is for.
    pub store: PathBuf,
    /// The inbox entry.
    pub entry: String,
    /// What waits, once it was read, or why it could not be.
    pub review: Option<Result<Arc<Review>, String>>,
    /// What was decided so far, by file.
    pub verdicts: BTreeMap<String, Verdict>,
    /// Which file is selected.
    pub files: ListState,
    /// The file to put the cursor on as soon as it is there.
    pub wanted: Option<String>,
    /// The hunk under the cursor, from 0.
    pub hunk: usize,
    /// The source under the cursor, from 0, while the sources have the keys.
    pub source: Option<usize>,
    /// The page about the selected file.
    pub detail: Detail,
    /// The first row of each hunk on that page.
    pub hunk_rows: Vec<usize>,
    /// The first row of each source on that page.
    pub source_rows: Vec<usize>,
    /// Whether the decision is under way.
    pub landing: bool,
    /// Whether one was carried out since this was opened.
    pub was_decided: bool,
    /// Whether text of one's own may be dropped is being asked.
    pub asking: Option<Asking>,
}

/// What would drop text of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asking {
    /// Closing the review.
    Close,
    /// Another verdict on the file under the cursor.
    Judge(Verdict),
}

impl ReviewScreen {
    /// The review of an entry, before it was read.
    #[must_use]
    pub fn of(store: &Path, entry: &str) -> Self {
        Self { store: store.to_owned(), entry: entry.to_owned(), ..Self::default() }
    }

    /// What waits, once it was read.
    #[must_use]
    pub fn read(&self) -> Option<&Review> {
        self.review.as_ref()?.as_ref().ok().map(Arc::as_ref)
    }

    /// The files that wait.
    #[must_use]
    pub fn changes(&self) -> &[HeldChange] {
        self.read().map_or(&[], |review| review.entry.changes.as_slice())
    }

    /// The file under the cursor.
    #[must_use]
    pub fn change(&self) -> Option<&HeldChange> {
        self.changes().get(self.files.selected)
    }

    /// What is known of the file under the cursor.
    #[must_use]
    pub fn file(&self) -> Option<&FileReview> {
        self.read()?.files.get(self.files.selected)
    }

    /// The verdict on the file under the cursor.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdicts.get(&self.change()?.file)
    }

    /// The files that were accepted in words of one's own, which are nowhere else.
    #[must_use]
    pub fn versions(&self) -> Vec<&str> {
        let own = self.verdicts.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Edited { .. }));
        own.map(|(file, _)| file.as_str()).collect()
    }

    /// How many hunks of the file under the cursor can be taken by themselves; a person's own version is taken whole.
    #[must_use]
    pub fn hunk_count(&self) -> usize {
        match self.verdict() {
            Some(Verdict::Edited { .. }) => 0,
            _ => self.file().map_or(0, |file| file.hunks.len()),
        }
    }

    /// The sources of the file under the cursor.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        self.change().map_or(&[], |change| change.rationale.sources.as_slice())
    }

    /// Whether a hunk of a file lands: by itself or with all of it.
    #[must_use]
    pub fn is_taken(&self, number: usize) -> bool {
        match self.verdict() {
            Some(Verdict::Accepted) => true,
            Some(Verdict::Hunks(chosen)) => chosen.contains(&number),
            Some(Verdict::Edited { .. } | Verdict::Rejected) | None => false,
        }
    }

    /// What was decided, as the door wants it.
    #[must_use]
    pub fn decision(&self) -> Decision {
        let mut decision = Decision::default();
        for (file, verdict) in &self.verdicts {
            let take = match verdict {
                Verdict::Accepted => Take::Whole,
                Verdict::Hunks(chosen) => Take::Hunks(chosen.clone()),
                Verdict::Edited { text, base } => Take::Text { text: text.clone(), base: base.clone() },
                Verdict::Rejected => {
                    decision.rejected.insert(file.clone());
                    continue;
                }
            };
            decision.accepted.push(Accepted { file: file.clone(), take });
        }
        decision
    }

    /// Accepted files that cannot land as things are: they were changed meanwhile, and what is accepted was made without that.
    #[must_use]
    pub fn stuck(&self) -> Vec<&str> {
        let files = self.read().map_or(&[][..], |review| review.files.as_slice());
        let both = self.changes().iter().zip(files).filter(|(change, file)| match self.verdicts.get(&change.file) {
            Some(Verdict::Accepted | Verdict::Hunks(_)) => file.theirs.is_some(),
            Some(Verdict::Edited { base, .. }) => file.theirs.is_some() && *base != file.theirs,
            Some(Verdict::Rejected) | None => false,
        });
        both.map(|(change, _)| change.file.as_str()).collect()
    }

    /// Puts a verdict on the file under the cursor; the same one again takes it away. What lands together with an accepted
    /// file is accepted too, and what is dropped together with a rejected one rejected, unless there is a verdict on it.
    pub fn judge(&mut self, verdict: Verdict) {
        let Some(file) = self.change().map(|change| change.file.clone()) else { return };
        if self.verdicts.get(&file) == Some(&verdict) {
            self.verdicts.remove(&file);
            return;
        }
        let goes_along = matches!(verdict, Verdict::Accepted | Verdict::Rejected);
        let mut together = if goes_along { self.with(&file, &verdict) } else { Vec::new() };
        while let Some(other) = together.pop() {
            if other != file && !self.verdicts.contains_key(&other) {
                together.extend(self.with(&other, &verdict));
                self.verdicts.insert(other, verdict.clone());
            }
        }
        self.verdicts.insert(file, verdict);
    }

    /// The files that land, or are dropped, together with one.
    fn with(&self, file: &str, verdict: &Verdict) -> Vec<String> {
        let at = self.changes().iter().position(|change| change.file == file);
        let review = at.and_then(|at| self.read()?.files.get(at));
        let with = |review: &FileReview| match verdict {
            Verdict::Rejected => review.dropped_with.clone(),
            _ => review.with.clone(),
        };
        review.map(with).unwrap_or_default()
    }

    /// Takes the hunk under the cursor, or leaves it.
    pub fn toggle_hunk(&mut self) {
        let count = self.hunk_count();
        let Some(file) = self.change().map(|change| change.file.clone()).filter(|_| count > 0) else { return };
        let number = self.hunk.min(count - 1) + 1;
        let mut chosen = match self.verdicts.get(&file) {
            Some(Verdict::Hunks(chosen)) => chosen.clone(),
            Some(Verdict::Accepted) => (1..=count).collect(),
            _ => BTreeSet::new(),
        };
        if !chosen.remove(&number) {
            chosen.insert(number);
        }
        match chosen.len() {
            0 => self.verdicts.remove(&file),
            all if all == count => self.verdicts.insert(file, Verdict::Accepted),
            _ => self.verdicts.insert(file, Verdict::Hunks(chosen)),
        };
    }
}
