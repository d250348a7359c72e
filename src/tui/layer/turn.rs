//! One turn of a session, with what was said around it: where a memory's evidence stands.

use crate::tui::effect::TurnQuestion;

/// Who speaks in a line of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// The assistant.
    Assistant,
    /// A line of a file that is no transcript.
    File,
}

/// A turn of a session, or a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnLine {
    /// Its line, from 1.
    pub number: u64,
    /// Who speaks.
    pub speaker: Speaker,
    /// What was said.
    pub text: String,
}

/// The turn that a source names.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What was asked for.
    pub question: TurnQuestion,
    /// The lines around it, once they were read, or why there are none.
    pub lines: Option<Result<Vec<TurnLine>, String>>,
    /// The first row shown; `None`: the turn itself.
    pub scroll: Option<usize>,
}
