//! What is wrong with one file, as far as reading it can tell.
//!
//! Not its job: findings that need more than the store itself (see `crate::health`).

use std::fmt;

/// The code of a problem or finding; the words of design and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemCode {
    /// The block between `---` lines is not valid YAML; values were rescued line by line.
    FrontmatterUnreadable,
    /// Two frontmatter blocks follow one another.
    FrontmatterTwoBlocks,
    /// The block is a stub: `name: ""` and no description.
    FrontmatterStub,
    /// A plain value holds ` #`, where YAML cuts it.
    FrontmatterCut,
    /// A block without a description.
    DescriptionMissing,
    /// No type, neither written nor in the file name.
    TypeMissing,
    /// A feedback or project memory without `**Why:**`.
    WhyMissing,
    /// The index has more lines than are loaded.
    IndexOverLines,
    /// The index has more bytes than are loaded.
    IndexOverBytes,
    /// An index line is too long.
    IndexLineLong,
    /// An index entry whose file is not there.
    IndexDangling,
    /// A file linked twice in the index.
    IndexTwice,
    /// A topic file that the index does not reach.
    Orphan,
    /// A link that differs from the file's name only in letter case or Unicode form.
    CaseMismatch,
    /// A link of a memory to a memory that is not there.
    LinkDangling,
    /// A topic file of unusual size, or more of them than recall looks through.
    Large,
    /// A file that could not be read, or holds something other than text.
    Unreadable,
    /// A cited path is not in the checkout.
    PathGone,
    /// A name of the code that a memory cites occurs nowhere in the checkout.
    SymbolGone,
    /// A script, target, package or workflow that a memory names is not in the checkout.
    ScriptGone,
    /// A branch that a memory names is not in the repository.
    BranchGone,
    /// A date or deadline has passed.
    DatePassed,
    /// The day by which somebody was to look again at a team's memory has passed.
    ReviewDue,
    /// A date is relative and nothing says to what.
    DateRelative,
    /// No session used it, in many of them.
    NeverRecalled,
    /// A session had it and then corrected it.
    Corrected,
    /// CLAUDE.md or a rules file says the same already.
    InClaudeMd,
    /// Text that reads like an order to whoever loads it, not like something remembered.
    InstructionLike,
    /// Another memory says the same.
    Duplicate,
    /// Another memory says something that cannot be right together with this one.
    Conflict,
    /// Text that a person does not see: an HTML comment, invisible or direction-changing characters.
    HiddenText,
    /// What looks like a credential. Its message names the rule, nothing ever the value.
    Secret,
}

impl ProblemCode {
    /// Every code, in the order of this list; `docs/health.md` explains each.
    pub const ALL: &[Self] = &[
        Self::FrontmatterUnreadable,
        Self::FrontmatterTwoBlocks,
        Self::FrontmatterStub,
        Self::FrontmatterCut,
        Self::DescriptionMissing,
        Self::TypeMissing,
        Self::WhyMissing,
        Self::IndexOverLines,
        Self::IndexOverBytes,
        Self::IndexLineLong,
        Self::IndexDangling,
        Self::IndexTwice,
        Self::Orphan,
        Self::CaseMismatch,
        Self::LinkDangling,
        Self::Large,
        Self::Unreadable,
        Self::PathGone,
        Self::SymbolGone,
        Self::ScriptGone,
        Self::BranchGone,
        Self::DatePassed,
        Self::ReviewDue,
        Self::DateRelative,
        Self::NeverRecalled,
        Self::Corrected,
        Self::InClaudeMd,
        Self::InstructionLike,
        Self::Duplicate,
        Self::Conflict,
        Self::HiddenText,
        Self::Secret,
    ];

    /// The code as it is printed: `index-dangling`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::FrontmatterUnreadable => "frontmatter-unreadable",
            Self::FrontmatterTwoBlocks => "frontmatter-two-blocks",
            Self::FrontmatterStub => "frontmatter-stub",
            Self::FrontmatterCut => "frontmatter-cut",
            Self::DescriptionMissing => "description-missing",
            Self::TypeMissing => "type-missing",
            Self::WhyMissing => "why-missing",
            Self::IndexOverLines => "index-over-lines",
            Self::IndexOverBytes => "index-over-bytes",
            Self::IndexLineLong => "index-line-long",
            Self::IndexDangling => "index-dangling",
            Self::IndexTwice => "index-twice",
            Self::Orphan => "orphan",
            Self::CaseMismatch => "case-mismatch",
            Self::LinkDangling => "link-dangling",
            Self::Large => "large",
            Self::Unreadable => "unreadable",
            Self::PathGone => "path-gone",
            Self::SymbolGone => "symbol-gone",
            Self::ScriptGone => "script-gone",
            Self::BranchGone => "branch-gone",
            Self::DatePassed => "date-passed",
            Self::ReviewDue => "review-due",
            Self::DateRelative => "date-relative",
            Self::NeverRecalled => "never-recalled",
            Self::Corrected => "corrected",
            Self::InClaudeMd => "in-claude-md",
            Self::InstructionLike => "instruction-like",
            Self::Duplicate => "duplicate",
            Self::Conflict => "conflict",
            Self::HiddenText => "hidden-text",
            Self::Secret => "secret",
        }
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl serde::Serialize for ProblemCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// One thing wrong with one file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Problem {
    /// What kind of thing.
    pub code: ProblemCode,
    /// One sentence for people. May quote the file: escape it before it reaches a terminal.
    pub message: String,
    /// The line it is on, from 1.
    pub line: Option<usize>,
    /// What it is about, when that is neither the file nor the line: the target of a link.
    #[serde(skip)]
    pub subject: Option<String>,
}

impl Problem {
    /// A problem, perhaps on a line.
    #[must_use]
    pub fn new(code: ProblemCode, message: impl Into<String>, line: Option<usize>) -> Self {
        Self { code, message: message.into(), line, subject: None }
    }

    /// The same problem, about something.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }
}
