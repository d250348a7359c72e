//! The recall lens: a prompt, and what it would call back.

use crate::recall::Ranking;
use crate::tui::effect::RecallQuestion;
use crate::tui::state::ListState;

/// The lens.
#[derive(Clone, Debug, Default)]
pub struct Lens {
    /// The prompt as typed.
    pub text: String,
    /// The answer, with the question it answers; the one before stays while the next is on its way.
    pub answer: Option<(RecallQuestion, Result<Ranking, String>)>,
    /// Which row is selected: first what is picked, then what narrowly missed.
    pub list: ListState,
}

impl Lens {
    /// What the ranking says, if it could.
    #[must_use]
    pub fn ranking(&self) -> Option<&Ranking> {
        self.answer.as_ref().and_then(|(_, result)| result.as_ref().ok())
    }

    /// How many rows there are.
    #[must_use]
    pub fn length(&self) -> usize {
        self.ranking().map_or(0, |ranking| ranking.picked.len() + ranking.missed.len())
    }

    /// The file of a row.
    #[must_use]
    pub fn file(&self, row: usize) -> Option<&str> {
        let ranking = self.ranking()?;
        let missed = || ranking.missed.get(row.checked_sub(ranking.picked.len())?).map(|missed| &missed.hit);
        ranking.picked.get(row).or_else(missed).map(|hit| hit.memory.file.as_str())
    }
}
