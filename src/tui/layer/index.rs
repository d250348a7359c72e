//! The index, put in order by hand: nothing is written before it is saved, and then as one change.

use std::sync::Arc;

use tui_textarea::TextArea;

use crate::change::index_edit::{IndexEdit, TakenOver};
use crate::memory::{Index, IndexJudgement, ProblemCode, Snapshot, Topic};
use crate::tui::state::{ListFilter, ListState};

/// The index under the hands of a person.
#[derive(Clone, Debug)]
pub struct IndexScreen {
    /// The index as it was opened.
    pub base: Vec<u8>,
    /// As it is arranged now.
    pub now: Index,
    /// The memories that take over what a line said.
    pub taken_over: Vec<TakenOver>,
    /// How it was before each step, the newest last.
    pub before: Vec<Step>,
    /// Which line is selected; the first row shown, of those that the filter shows.
    pub list: ListState,
    /// The words that every line shown has.
    pub filter: ListFilter,
    /// The line that is being written.
    pub line: Option<TextArea<'static>>,
    /// A long line cut short, looked at before it is taken.
    pub shortening: Option<Shortening>,
    /// What the lines mean as they are arranged now, and for which files; `None`: to be judged anew.
    pub judged: Option<(Arc<Snapshot>, IndexJudgement)>,
    /// Whether a save is under way.
    pub saving: bool,
    /// Whether to close with changes is being asked.
    pub asking: bool,
}

/// How it was before a step.
#[derive(Clone, Debug)]
pub struct Step {
    /// The index.
    pub bytes: Vec<u8>,
    /// The memories that had taken text over.
    pub taken_over: Vec<TakenOver>,
    /// The line that was selected.
    pub selected: usize,
}

/// A long line cut short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortening {
    /// The line as it stands.
    pub from: String,
    /// The line as it would stand.
    pub to: String,
    /// The index with it.
    pub index: Vec<u8>,
    /// The memory with the text in it; `None`: it says so already.
    pub taken_over: Option<TakenOver>,
    /// What the memory gets.
    pub text: String,
    /// The memory's file.
    pub file: String,
}

impl IndexScreen {
    /// The screen on an index, the cursor on a line from 0.
    #[must_use]
    pub fn of(index: &Index, selected: usize) -> Self {
        Self {
            base: index.bytes.clone(),
            now: index.clone(),
            taken_over: Vec::new(),
            before: Vec::new(),
            list: ListState { selected, offset: 0 },
            filter: ListFilter::default(),
            line: None,
            shortening: None,
            judged: None,
            saving: false,
            asking: false,
        }
    }

    /// The lines that the filter shows, from 0.
    #[must_use]
    pub fn shown(&self) -> Vec<usize> {
        let lines = self.now.lines.iter().enumerate();
        lines.filter(|(_, line)| self.filter.admits(&line.text)).map(|(at, _)| at).collect()
    }

    /// Moves the cursor among the lines that are shown.
    pub fn move_by(&mut self, rows: isize, height: usize) {
        let shown = self.shown();
        let at = shown.iter().position(|line| *line == self.list.selected).unwrap_or_default();
        let mut list = ListState { selected: at, offset: self.list.offset };
        list.move_by(rows, shown.len(), height);
        self.list = ListState { selected: shown.get(list.selected).copied().unwrap_or_default(), offset: list.offset };
    }

    /// The number of the selected line, from 1.
    #[must_use]
    pub fn number(&self) -> usize {
        self.list.selected + 1
    }

    /// The index as it would be with the line that is being written.
    #[must_use]
    pub fn with_line(&self) -> Vec<u8> {
        match &self.line {
            Some(line) => self.now.with_line(self.number(), &line.lines().concat()),
            None => self.now.bytes.clone(),
        }
    }

    /// Whether there is something to save.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.now.bytes != self.base || !self.taken_over.is_empty()
    }

    /// Puts another arrangement in place of this one, which can be gone back to.
    pub fn put(&mut self, bytes: Vec<u8>, selected: usize) {
        if bytes != self.now.bytes {
            let old = std::mem::replace(&mut self.now, Index::read(bytes));
            let taken_over = self.taken_over.clone();
            self.before.push(Step { bytes: old.bytes, taken_over, selected: self.list.selected });
            self.judged = None;
        }
        self.list.selected = selected.min(self.now.lines.len().saturating_sub(1));
    }

    /// Goes back one step.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.before.pop() else { return false };
        self.now = Index::read(step.bytes);
        self.judged = None;
        self.taken_over = step.taken_over;
        self.list.selected = step.selected;
        true
    }

    /// Judges the lines, unless that was done for these files.
    pub fn judge(&mut self, files: &Arc<Snapshot>) {
        if self.judged.as_ref().is_none_or(|(known, _)| !Arc::ptr_eq(known, files)) {
            self.judged = Some((Arc::clone(files), files.judge(&self.now)));
        }
    }

    /// What is wrong with a line, from 0, in a word.
    #[must_use]
    pub fn wrong(&self, line: usize) -> Option<&'static str> {
        let (_, judgement) = self.judged.as_ref()?;
        let here = judgement.problems.iter().filter(|problem| problem.line == Some(line + 1));
        here.filter_map(|problem| match problem.code {
            ProblemCode::IndexDangling => Some("gone"),
            ProblemCode::IndexTwice => Some("twice"),
            ProblemCode::CaseMismatch => Some("case"),
            _ => None,
        })
        .next()
    }

    /// What would be saved.
    #[must_use]
    pub fn edit(&self) -> IndexEdit {
        IndexEdit { base: self.base.clone(), content: self.now.bytes.clone(), taken_over: self.taken_over.clone() }
    }

    /// Takes the shortening that was looked at.
    pub fn take_shortening(&mut self) {
        let Some(shortening) = self.shortening.take() else { return };
        let selected = self.list.selected;
        self.put(shortening.index, selected);
        if let Some(taken) = shortening.taken_over {
            match self.taken_over.iter_mut().find(|known| known.file == taken.file) {
                Some(known) => known.content = taken.content,
                None => self.taken_over.push(taken),
            }
        }
    }

    /// The text that a memory has now: as it was taken over already, else as it was read.
    #[must_use]
    pub fn current(&self, file: &str, read: Topic) -> (Vec<u8>, Topic) {
        match self.taken_over.iter().find(|known| known.file == file) {
            Some(known) => (known.base.clone(), Topic::read(known.content.clone())),
            None => (read.bytes.clone(), read),
        }
    }
}
