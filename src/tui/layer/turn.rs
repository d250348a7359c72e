//! A session as a person looks at it: what was said around a turn, with tool calls folded to one line. A file of a store is
//! looked at the same way, line by line.

use std::collections::BTreeSet;
use std::ops::Range;

use chrono::{DateTime, Utc};

use crate::tui::effect::TurnQuestion;
use crate::tui::state::TextLine;
use crate::tui::theme::Meaning;

/// Who speaks in a line of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    Person,
    /// The assistant.
    Assistant,
    /// What the client put in.
    Client,
    /// A line of a file that is no transcript.
    File,
}

/// A tool call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLine {
    /// The tool.
    pub tool: String,
    /// What it is about, in a few words.
    pub brief: String,
    /// All that it was asked.
    pub input: String,
    /// What it answered.
    pub result: Option<String>,
    /// Whether it failed.
    pub is_error: bool,
}

/// A turn of a session, or a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnLine {
    /// Its line, from 1.
    pub number: u64,
    /// All its lines.
    pub lines: Vec<u64>,
    /// Who speaks.
    pub speaker: Speaker,
    /// When.
    pub at: Option<DateTime<Utc>>,
    /// What was said.
    pub text: String,
    /// The tools that were called.
    pub calls: Vec<CallLine>,
    /// Whether the person went back behind it.
    pub rewound: bool,
    /// Whether a sub-agent speaks.
    pub sidechain: bool,
    /// Whether another thread begins with it: the conversation was compacted or taken up again.
    pub begins: bool,
}

impl TurnLine {
    /// A turn with a text alone.
    #[must_use]
    pub fn said(number: u64, speaker: Speaker, text: String) -> Self {
        Self {
            number,
            lines: vec![number],
            speaker,
            at: None,
            text,
            calls: Vec::new(),
            rewound: false,
            sidechain: false,
            begins: false,
        }
    }
}

/// A stretch of a session or a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// What it is of.
    pub title: String,
    /// The turns.
    pub turns: Vec<TurnLine>,
    /// The first and the last line that were read.
    pub lines: (u64, u64),
    /// All lines there are, if they were counted.
    pub total: Option<u64>,
    /// The line that was asked for, or found to be the one that was meant.
    pub wanted: u64,
    /// What a person should know, in a sentence.
    pub note: Option<String>,
}

/// One row of the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewRow {
    /// Which turn of the stretch.
    pub turn: usize,
    /// Its line.
    pub line: u64,
    /// Which of its calls.
    pub call: Option<usize>,
    /// The text, escaped, no wider than the screen.
    pub text: String,
    /// How it is meant.
    pub meaning: Meaning,
    /// Columns before it.
    pub indent: usize,
    /// Whether it only goes on with the row above, of a line that is too long for one.
    pub continues: bool,
    /// What of it is the words that are quoted.
    pub quoted: Vec<Range<usize>>,
}

/// A search within a session.
#[derive(Clone, Debug, Default)]
pub struct Within {
    /// What is looked for.
    pub line: TextLine,
    /// Whether it is still typed, and where the cursor was before.
    pub typing: Option<usize>,
}

/// The session.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What was asked for.
    pub question: TurnQuestion,
    /// Other places that the memory comes from, and which of all is shown.
    pub sources: Vec<TurnQuestion>,
    /// The stretch, once it was read, or why there is none.
    pub stretch: Option<Result<Stretch, String>>,
    /// The line that was asked for first: its turn is set off.
    pub wanted: Option<u64>,
    /// What is laid out, and for how many columns.
    pub rows: Vec<ViewRow>,
    /// The columns the rows are for; `None`: to be laid out.
    pub width: Option<usize>,
    /// The calls that are unfolded, by the line of their turn.
    pub unfolded: BTreeSet<(u64, usize)>,
    /// The row under the cursor.
    pub cursor: usize,
    /// The first row shown.
    pub scroll: usize,
    /// What is looked for in it.
    pub within: Option<Within>,
    /// How many matches the rows have; `None`: not counted.
    pub matches: Option<usize>,
    /// Whether the cursor goes to the turn that is asked for, instead of staying where it is.
    pub jumps: bool,
    /// Which way a search goes on that left the stretch: down?
    pub seeking: Option<bool>,
}

impl Turn {
    /// A session to be read.
    #[must_use]
    pub fn of(question: &TurnQuestion) -> Self {
        Self { question: question.clone(), ..Self::default() }
    }

    /// The stretch, if it could be read.
    #[must_use]
    pub fn read(&self) -> Option<&Stretch> {
        self.stretch.as_ref().and_then(|result| result.as_ref().ok())
    }

    /// Whether the last row is taken: by what is looked for, or by a note.
    #[must_use]
    pub fn has_line(&self) -> bool {
        self.within.is_some() || self.read().is_some_and(|stretch| stretch.note.is_some())
    }

    /// What is looked for, unless it is nothing.
    #[must_use]
    pub fn looked_for(&self) -> Option<&str> {
        self.within.as_ref().map(|within| within.line.text()).filter(|text| !text.is_empty())
    }
}
