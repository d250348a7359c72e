//! A question with a few answers, one key each: how long to snooze, which type.

use crate::change::verdicts::Seen;
use crate::memory::Kind;

/// The days a snooze is offered for, with their keys.
pub const SNOOZES: [(char, u16, &str); 3] = [('7', 7, "a week"), ('3', 30, "30 days"), ('9', 90, "90 days")];

/// The most days that can be typed.
pub const MOST_DAYS: u16 = 3_650;

/// The types, with their keys.
pub const TYPES: [(char, Kind); 4] =
    [('u', Kind::User), ('f', Kind::Feedback), ('p', Kind::Project), ('r', Kind::Reference)];

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// How long they wait.
    Snooze,
    /// Which type they get.
    Retype,
}

/// The question.
#[derive(Clone, Debug)]
pub struct Choose {
    /// What is asked.
    pub asked: Asked,
    /// About which memories, as they are seen.
    pub seen: Vec<Seen>,
    /// Marked ones that a filter hides: they are not meant.
    pub hidden: Vec<String>,
    /// The days that were typed so far.
    pub days: Option<u16>,
}
