//! The editor of one memory.

use super::form::{Form, FormField, normalised};
use crate::change::verbs::SaveKind;
use crate::memory::frontmatter::EditError;
use crate::memory::{ContentHash, Field, Kind, Problem, ProblemCode, Topic};

/// Bodies beyond this are for an editor that was made for them.
pub const LARGEST: usize = 1_000_000;
/// Live lint is left out beyond this: it reads the whole text after each key.
const LINT_UP_TO: usize = 200_000;

/// The editor of one memory.
#[derive(Clone, Debug)]
pub struct Editor {
    /// Which file.
    pub file: String,
    /// What was opened; what the save is based on.
    pub base: Topic,
    /// Its hash, to compare with what the disk holds now.
    pub base_hash: ContentHash,
    /// The fields.
    pub form: Form,
    /// What is wrong with the text as it stands.
    pub problems: Vec<Problem>,
    /// Whether a save is under way.
    pub saving: bool,
    /// Whether to close with unsaved changes is being asked.
    pub asking: bool,
    /// What the disk holds, when a save met it.
    pub conflict: Option<Conflict>,
    /// Of a proposal under review, where saving changes the verdict and not the store: what was seen on the disk, if the
    /// text is based on that.
    pub review: Option<Option<Vec<u8>>>,
    /// Of two memories that become one: both as they are on the disk.
    pub union: Option<Box<Originals>>,
    /// Whether the text is a merge, in which places that disagree are marked.
    pub is_merge: bool,
}

/// The two memories that a merge is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Originals {
    /// What the file that stays holds.
    pub keep: Vec<u8>,
    /// The file that goes to the trash.
    pub partner: String,
    /// What it holds.
    pub gone: Vec<u8>,
    /// The first line shown of both.
    pub scroll: usize,
}

/// A save that met another version on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What is there now; `None`: the file is gone.
    pub theirs: Option<Vec<u8>>,
    /// Both, with marks where they disagree.
    pub merged: Option<String>,
    /// The first row shown.
    pub scroll: usize,
    /// The save that met it; keeping ours repeats it.
    pub kind: SaveKind,
}

impl Originals {
    /// The lines of the longer one.
    #[must_use]
    pub fn lines(&self) -> usize {
        let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        lines(&self.keep).max(lines(&self.gone))
    }
}

impl Editor {
    /// The editor on a file.
    #[must_use]
    pub fn open(file: &str, base: Topic) -> Self {
        let front = &base.frontmatter;
        let form = Form::new(
            front.name.as_deref().unwrap_or_default(),
            front.description.as_deref().unwrap_or_default(),
            front.type_word.as_deref().unwrap_or_default(),
            &base.body(),
        );
        let base_hash = base.hash();
        let mut editor = Self {
            file: file.to_owned(),
            base,
            base_hash,
            form,
            problems: Vec::new(),
            saving: false,
            asking: false,
            conflict: None,
            review: None,
            union: None,
            is_merge: false,
        };
        editor.lint();
        editor
    }

    /// The editor as one of a proposal under review. `seen`: what was seen on the disk, if the text is based on that.
    #[must_use]
    pub fn of_review(mut self, seen: Option<Vec<u8>>) -> Self {
        self.review = Some(seen);
        self
    }

    /// The editor on what two memories would become as one.
    #[must_use]
    pub fn of_union(file: &str, united: Topic, originals: Originals) -> Self {
        Self { union: Some(Box::new(originals)), ..Self::open(file, united) }
    }

    /// An editor on both versions, based on what the disk holds, and whether the type had to be chosen. Each field is merged
    /// by itself: marks between the lines of the frontmatter would leave no frontmatter, and one version of a field unseen.
    #[must_use]
    pub fn merged(&self, theirs: Topic) -> (Self, bool) {
        let base = Self::open(&self.file, self.base.clone()).form;
        let mut next = Self::open(&self.file, theirs);
        let (ours, theirs) = (&self.form, &next.form);
        let name = both(&base.name_text(), &ours.name_text(), &theirs.name_text());
        let description = both(&base.description_text(), &ours.description_text(), &theirs.description_text());
        let (type_word, is_type_chosen) = match pick(&base.type_word, &ours.type_word, &theirs.type_word) {
            Some(word) => (word, false),
            None => (ours.type_word.as_str(), true),
        };
        let body = diffy::merge(&base.body_text(), &ours.body_text(), &theirs.body_text()).unwrap_or_else(|both| both);
        next.form = Form::new(&name, &description, type_word, &body);
        next.is_merge = true;
        if let Some((field, line)) = next.marked() {
            next.form.go_to(field, line);
        }
        next.lint();
        (next, is_type_chosen)
    }

    /// Where a merge still has marks: the field, and the line in it, from 0.
    #[must_use]
    pub fn marked(&self) -> Option<(FormField, usize)> {
        if !self.is_merge {
            return None;
        }
        let is_mark = |line: &str| ["<<<<<<< ours", "||||||| original", ">>>>>>> theirs"].contains(&line.trim_end());
        if self.form.name_text().contains(BETWEEN) {
            return Some((FormField::Name, 0));
        }
        if self.form.description_text().contains(BETWEEN) {
            return Some((FormField::Description, 0));
        }
        let line = self.form.body.lines().iter().position(|line| is_mark(line))?;
        Some((FormField::Body, line))
    }

    /// The file as it would be saved. What nobody touched keeps its bytes.
    ///
    /// # Errors
    /// When the frontmatter is too damaged for an edit of one line.
    pub fn content(&self) -> Result<Vec<u8>, EditError> {
        let front = &self.base.frontmatter;
        let mut topic = self.base.clone();
        let fields = [
            (Field::Name, &front.name, self.form.name_text()),
            (Field::Description, &front.description, self.form.description_text()),
            (Field::Type, &front.type_word, self.form.type_word.clone()),
        ];
        for (field, before, after) in fields {
            if one_line(before.as_deref().unwrap_or_default()) != after {
                topic = topic.with(field, &after)?;
            }
        }
        let body = self.form.body_text();
        if body != normalised(&self.base.body()) {
            topic = topic.with_body(&body);
        }
        Ok(topic.bytes)
    }

    /// Whether there is something to lose.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.content().map_or(true, |content| content != self.base.bytes)
    }

    /// Looks at the text as it stands.
    pub fn lint(&mut self) {
        if self.base.bytes.len() > LINT_UP_TO {
            return;
        }
        self.problems = match self.content() {
            Ok(content) => {
                let topic = Topic::read(content);
                let kind = topic.frontmatter.kind(&self.file);
                let mut problems = topic.frontmatter.problems;
                problems.extend(missing_parts(kind, &self.form.body_text()));
                problems
            }
            Err(error) => vec![Problem::new(ProblemCode::FrontmatterUnreadable, error.to_string(), None)],
        };
    }
}

/// What a feedback or project memory should say and does not.
#[must_use]
pub fn missing_parts(kind: Option<Kind>, body: &str) -> Option<Problem> {
    let wants = matches!(kind, Some(Kind::Feedback | Kind::Project));
    let parts = wants.then(|| crate::memory::topic::parts(body))?;
    let missing = match (filled(parts.why.as_deref()), filled(parts.how_to_apply.as_deref())) {
        (true, true) => return None,
        (false, true) => "**Why:**",
        (true, false) => "**How to apply:**",
        (false, false) => "**Why:** and **How to apply:**",
    };
    Some(Problem::new(ProblemCode::WhyMissing, format!("say it after {missing}"), None))
}

/// What stands between our version and theirs in a field of one line.
const BETWEEN: &str = " ======= ";

/// The version of a field that both sides agree on, or that only one of them changed.
fn pick<'a>(base: &str, ours: &'a str, theirs: &'a str) -> Option<&'a str> {
    if ours == theirs || theirs == base {
        Some(ours)
    } else if ours == base {
        Some(theirs)
    } else {
        None
    }
}

fn both(base: &str, ours: &str, theirs: &str) -> String {
    pick(base, ours, theirs).map_or_else(|| format!("{ours}{BETWEEN}{theirs}"), str::to_owned)
}

fn filled(part: Option<&str>) -> bool {
    part.is_some_and(|part| !part.trim().is_empty())
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).collect::<Vec<_>>().join(" ")
}
