//! Which memories a verb means, and what is known of one of them.
//!
//! Not its job: whether the verb can be done (see `command::when`), and doing it.

use super::{IndexRow, Pane, State, index_row};
use crate::change::Debt;
use crate::change::verdicts::Seen;
use crate::health::Finding;
use crate::memory::{Memory, ProblemCode};
use crate::tui::layer::Layer;

impl State {
    /// The memory the cursor is on, in the list or as a line of the index; in triage: the one on the card.
    #[must_use]
    pub fn target(&self) -> Option<&Memory> {
        if let Some(triage) = self.triage() {
            return self.snapshot()?.memory(triage.card()?);
        }
        if self.focus == Pane::Index {
            return self.target_of_line();
        }
        let row = self.memories.rows.get(self.memories.list.selected)?;
        self.snapshot()?.memories.get(row.at)
    }

    /// The memory that the line under the cursor of the index pane leads to.
    fn target_of_line(&self) -> Option<&Memory> {
        let snapshot = self.snapshot()?;
        let IndexRow::Line(number) = index_row(&snapshot.index, self.index.selected) else { return None };
        let entry = snapshot.index.lines.get(number)?.entries.first()?;
        snapshot.memory(&entry.target).or_else(|| snapshot.find(&entry.target))
    }

    /// The files a verb acts on: the one that is read in full, else the marked and visible ones, else the one under the cursor.
    #[must_use]
    pub fn targets(&self) -> Vec<String> {
        // Marks are made in the list and seen there: a verb over one memory in full means that one.
        if matches!(self.layers.last(), Some(Layer::Reading(_))) || self.triage().is_some() {
            return self.target().map(|memory| memory.file.clone()).into_iter().collect();
        }
        let marked = self.visible_marks();
        if marked.is_empty() { self.target().map(|memory| memory.file.clone()).into_iter().collect() } else { marked }
    }

    /// The files that are marked and visible, in the order of the list.
    #[must_use]
    pub fn visible_marks(&self) -> Vec<String> {
        let Some(snapshot) = self.snapshot() else { return Vec::new() };
        let visible = self.memories.rows.iter().filter_map(|row| snapshot.memories.get(row.at));
        visible.map(|memory| memory.file.clone()).filter(|file| self.memories.marked.contains(file)).collect()
    }

    /// Whether a verb means marked memories.
    #[must_use]
    pub fn has_visible_marks(&self) -> bool {
        !self.memories.marked.is_empty() && !self.visible_marks().is_empty()
    }

    /// The files that are marked, but hidden by the filter: no verb means them.
    #[must_use]
    pub fn hidden_marks(&self) -> Vec<String> {
        let visible = self.visible_marks();
        self.memories.marked.iter().filter(|file| !visible.contains(file)).cloned().collect()
    }

    /// Files as the last scan saw them; those it did not see are left out.
    #[must_use]
    pub fn seen(&self, files: &[String]) -> Vec<Seen> {
        let Some(snapshot) = self.snapshot() else { return Vec::new() };
        files.iter().filter_map(|file| snapshot.memory(file)).map(Seen::from).collect()
    }

    /// The memory that says nearly the same as a file, else the one that says the opposite.
    #[must_use]
    pub fn partner_of(&self, file: &str) -> Option<&Memory> {
        let snapshot = self.snapshot()?;
        let named = |code: ProblemCode| {
            let about = self.findings_of(file).filter(move |finding| finding.code == code);
            let partners = about.filter_map(|finding| finding.evidence.as_deref());
            partners.flat_map(|files| files.split(", ")).find_map(|file| snapshot.memory(file))
        };
        named(ProblemCode::Duplicate).or_else(|| named(ProblemCode::Conflict))
    }

    /// How sessions used a memory, in one sentence; `None` before anybody looked.
    #[must_use]
    pub fn use_of(&self, memory: &Memory) -> Option<String> {
        self.knows_findings.then(|| self.used.sentence(&memory.file, self.now)).flatten()
    }

    /// The findings about one file.
    pub fn findings_of<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a Finding> {
        self.findings.iter().filter(move |finding| finding.file == file)
    }

    /// What a memory owes to which landing, as far as the history of the store that is shown tells.
    #[must_use]
    pub fn owed(&self, file: &str) -> Debt<'_> {
        Debt::of(&self.history, file)
    }
}
