//! What is wrong with a text while somebody types it, and how that is kept from ever holding up a key.
//!
//! A short text is looked at with each key; a long one by an effect, the newest state of it at most once at a time. Not its job:
//! what is wrong (see [`crate::health::draft`]).

use chrono::NaiveDate;

use super::edit::Fields;
use crate::health::{Finding, draft};
use crate::memory::index::ENTRY_CHARACTERS;
use crate::memory::{Kind, ProblemCode, Topic, template};

/// Up to so many bytes a text is looked at with each key.
pub const AT_ONCE: usize = 8_000;

/// The findings about a text, and which state of the text they are about.
#[derive(Clone, Debug, Default)]
pub struct Lint {
    /// What was found last, worst first.
    pub findings: Vec<Finding>,
    /// Which line of the file the body begins on.
    pub body_line: usize,
    /// Counts the states of the text.
    pub state: u64,
    /// The state the findings are about.
    pub about: Option<u64>,
    /// The state that is being looked at.
    pub asked: Option<u64>,
    /// Which finding was gone to last.
    pub gone_to: usize,
}

/// A text to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LintQuestion {
    /// The file it would be.
    pub file: String,
    /// Which state of it.
    pub state: u64,
    /// What the form was filled from.
    pub base: Vec<u8>,
    /// Whether it is a new memory.
    pub is_new: bool,
    /// The texts of the form.
    pub fields: Fields,
    /// The line of the index that follows the description.
    pub index_line: Option<IndexLine>,
    /// The person's day.
    pub today: NaiveDate,
}

/// An index line that follows a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexLine {
    /// Its number, from 1.
    pub number: usize,
    /// Its characters without the hook.
    pub without_hook: usize,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linted {
    /// What is wrong, worst first.
    pub findings: Vec<Finding>,
    /// Which line of the file the body begins on.
    pub body_line: usize,
}

impl Lint {
    /// The text changed.
    pub const fn touch(&mut self) {
        self.state += 1;
    }

    /// Whether the text is one that nobody looked at or looks at.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.about != Some(self.state) && self.asked.is_none()
    }

    /// Takes an answer; one about an older state is better than none.
    pub fn take(&mut self, state: u64, linted: Linted) {
        if self.asked == Some(state) {
            self.asked = None;
        }
        if self.about.is_none_or(|about| about < state) {
            self.about = Some(state);
            self.findings = linted.findings;
            self.body_line = linted.body_line;
        }
    }
}

impl LintQuestion {
    /// Looks at the text.
    #[must_use]
    pub fn answer(&self) -> Linted {
        let base = Topic::read(self.base.clone());
        let content = match self.fields.over(&base) {
            Ok(content) => content,
            Err(error) => {
                let message = error.to_string();
                let finding = Finding::new(ProblemCode::FrontmatterUnreadable, &self.file, None, message);
                return Linted { findings: vec![finding], body_line: 1 };
            }
        };
        let topic = Topic::read(content);
        let kind = topic.frontmatter.kind(&self.file);
        let mut findings = draft::of_text(&self.file, &topic, self.today);
        findings.retain(|finding| finding.code != ProblemCode::WhyMissing);
        // A new memory has its description asked for when it is saved.
        findings.retain(|finding| finding.code != ProblemCode::DescriptionMissing || !self.is_new);
        findings.extend(missing_parts(&self.file, kind, &self.fields.body));
        findings.extend(self.long_line());
        Linted { findings, body_line: topic.body_line() }
    }

    /// The index line that would become too long with this description.
    fn long_line(&self) -> Option<Finding> {
        let line = self.index_line?;
        let length = line.without_hook + self.fields.description.trim().chars().count();
        (length > ENTRY_CHARACTERS).then(|| {
            let message = format!(
                "its line {} of the index would have {length} characters; {ENTRY_CHARACTERS} are enough",
                line.number
            );
            Finding::new(ProblemCode::IndexLineLong, &self.file, None, message)
        })
    }
}

/// What a feedback or project memory should say and does not.
#[must_use]
pub fn missing_parts(file: &str, kind: Option<Kind>, body: &str) -> Option<Finding> {
    let parts = kind.filter(|kind| template::has_parts(*kind)).map(|_| crate::memory::topic::parts(body))?;
    let filled = |part: Option<&str>| part.is_some_and(|part| !part.trim().is_empty());
    let missing = match (filled(parts.why.as_deref()), filled(parts.how_to_apply.as_deref())) {
        (true, true) => return None,
        (false, true) => "**Why:**",
        (true, false) => "**How to apply:**",
        (false, false) => "**Why:** and **How to apply:**",
    };
    Some(Finding::new(ProblemCode::WhyMissing, file, None, format!("say it after {missing}")))
}
