//! Which memories a line of filter words means: `type:feedback stale in:team "exact words" -marked`.
//!
//! One language for the screen and the command line. `parse` reads a line and never refuses one: what is no known filter
//! is a fuzzy word, and a known filter with an unknown value stands for nothing and says so. `facts` is what a filter may
//! ask of a memory, `matching` holds memories against a line, `complete` offers words, `views` keeps lines under a name.
//! Not its job: the order of what is found, and finding texts in bodies (see `crate::recall::find`).

mod complete;
mod facts;
mod matching;
mod parse;
#[cfg(test)]
mod tests;
pub mod views;

use crate::memory::{Freshness, Kind, ProblemCode};

pub use complete::{Completion, complete};
pub use facts::{Codes, Facts};
pub use matching::{Matcher, Subject, folded_place};

/// A line of filter words, understood. All of them must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The words, in order.
    pub terms: Vec<Term>,
}

/// One word, perhaps with a minus before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Whether it must not hold.
    pub negated: bool,
    /// What must hold.
    pub test: Test,
}

/// What a word asks of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// `type:`.
    Type(WantedType),
    /// `is:`, or the word alone.
    Is(Condition),
    /// `in:`: `team`, `agent`, or a directory of the store.
    In(String),
    /// `has:`, a code also alone.
    Has(Wanted),
    /// `older:30d`: the claim is older than so many days.
    Older(u32),
    /// `newer:30d`: the claim is so many days old at most.
    Newer(u32),
    /// `expires:7d`: the shelf life ends within so many days, and has not ended yet.
    Expires(u32),
    /// `"exact words"` in name, description or file.
    Exact(String),
    /// A fuzzy word.
    Word(String),
    /// A known filter with a value that it does not know: it stands for nothing.
    Unknown {
        /// Which filter.
        field: Field,
        /// The value.
        value: String,
    },
}

/// The type that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedType {
    /// One of the four.
    Of(Kind),
    /// A word that is none of the four.
    Other,
    /// None at all.
    None,
}

/// A condition of a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Its badge, in the light of evidence.
    Badge(Freshness),
    /// No session used it since it was claimed.
    Unused,
    /// It is marked in the list.
    Marked,
    /// It waits.
    Snoozed,
    /// Something of it is lost, cannot be read or is not loaded.
    Damaged,
}

/// A finding that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Any that contradicts the claim.
    Evidence,
    /// Any at all.
    Finding,
    /// One of this kind.
    Code(ProblemCode),
}

/// A filter that takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `type:`
    Type,
    /// `is:`
    Is,
    /// `in:`
    In,
    /// `has:`
    Has,
    /// `older:`
    Older,
    /// `newer:`
    Newer,
    /// `expires:`
    Expires,
}

/// A word that the line has and nothing is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The word as it stands in the line.
    pub word: String,
    /// What is accepted instead, in a few words.
    pub accepted: String,
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not known; accepted: {}", self.word, self.accepted)
    }
}

impl Filter {
    /// What the line holds that nothing is known by.
    #[must_use]
    pub fn complaints(&self) -> Vec<Complaint> {
        let complaint = |term: &Term| match &term.test {
            Test::Unknown { field, value } => {
                Some(Complaint { word: format!("{}:{value}", field.word()), accepted: field.accepted() })
            }
            _ => None,
        };
        self.terms.iter().filter_map(complaint).collect()
    }

    /// Whether it lets nothing through that another one kept out: the same words, the last one typed further.
    #[must_use]
    pub fn narrows(&self, before: &Self) -> bool {
        let is_steady = |term: &Term| !matches!(term.test, Test::Is(Condition::Marked));
        let (Some((last, rest)), Some((last_before, rest_before))) =
            (self.terms.split_last(), before.terms.split_last())
        else {
            return false;
        };
        let is_longer = match (&last.test, &last_before.test) {
            (Test::Word(word), Test::Word(shorter)) => word.starts_with(shorter.as_str()),
            _ => false,
        };
        rest == rest_before && is_longer && !last.negated && !last_before.negated && rest.iter().all(is_steady)
    }

    /// Whether it looks for words, so that what matches best comes first.
    #[must_use]
    pub fn has_words(&self) -> bool {
        self.terms.iter().any(|term| !term.negated && matches!(term.test, Test::Word(_)))
    }

    /// Whether it asks for something that only evidence tells.
    #[must_use]
    pub fn needs_evidence(&self) -> bool {
        self.terms.iter().any(|term| match &term.test {
            Test::Is(condition) => !matches!(condition, Condition::Marked | Condition::Snoozed),
            Test::Has(_) => true,
            _ => false,
        })
    }
}

impl Condition {
    /// Every condition, as they are offered.
    pub const ALL: [Self; 7] = [
        Self::Badge(Freshness::Fresh),
        Self::Badge(Freshness::Aging),
        Self::Badge(Freshness::Stale),
        Self::Unused,
        Self::Marked,
        Self::Snoozed,
        Self::Damaged,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Badge(freshness) => freshness.word(),
            Self::Unused => "unused",
            Self::Marked => "marked",
            Self::Snoozed => "snoozed",
            Self::Damaged => "damaged",
        }
    }
}

impl WantedType {
    /// Every one, as they are offered.
    pub const ALL: [Self; 6] = [
        Self::Of(Kind::User),
        Self::Of(Kind::Feedback),
        Self::Of(Kind::Project),
        Self::Of(Kind::Reference),
        Self::Other,
        Self::None,
    ];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Of(kind) => kind.word(),
            Self::Other => "other",
            Self::None => "none",
        }
    }
}

impl Wanted {
    /// Every one, as they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Evidence, Self::Finding].into_iter().chain(ProblemCode::ALL.iter().copied().map(Self::Code))
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::Finding => "finding",
            Self::Code(code) => code.word(),
        }
    }
}

impl Field {
    /// Every one, as they are offered.
    pub const ALL: [Self; 7] = [Self::Type, Self::Is, Self::In, Self::Has, Self::Older, Self::Newer, Self::Expires];

    /// Its word, before the colon.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Is => "is",
            Self::In => "in",
            Self::Has => "has",
            Self::Older => "older",
            Self::Newer => "newer",
            Self::Expires => "expires",
        }
    }

    /// The values that are offered.
    #[must_use]
    pub fn values(self) -> Vec<&'static str> {
        match self {
            Self::Type => WantedType::ALL.into_iter().map(WantedType::word).collect(),
            Self::Is => Condition::ALL.into_iter().map(Condition::word).collect(),
            Self::In => vec!["team", "agent"],
            Self::Has => Wanted::all().map(Wanted::word).collect(),
            Self::Older | Self::Newer => vec!["7d", "30d", "90d", "1y"],
            Self::Expires => vec!["7d", "14d", "30d"],
        }
    }

    /// What it accepts, in a few words.
    fn accepted(self) -> String {
        match self {
            Self::Older | Self::Newer | Self::Expires => "a number of days, weeks or years: 30d, 8w, 1y".to_owned(),
            Self::In => "team, agent or a directory of the store".to_owned(),
            _ => self.values().join(" "),
        }
    }
}
