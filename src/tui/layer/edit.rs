//! The editor of one memory.

use chrono::{DateTime, Utc};

use super::form::{Form, FormField, LONGEST_LINE, Locked, normalised, one_line};
use super::lint::Lint;
use crate::change::verbs::SaveKind;
use crate::memory::frontmatter::EditError;
use crate::memory::{ContentHash, Field, Frontmatter, Topic};

/// Bodies beyond this are for an editor that was made for them.
pub const LARGEST: usize = 1_000_000;

/// Whether a memory is for an editor that was made for such: too many bytes or lines, or too long a line for a field.
#[must_use]
pub fn is_too_large(topic: &Topic) -> bool {
    let front = &topic.frontmatter;
    let is_long = |field: &Option<String>| field.as_ref().is_some_and(|field| field.len() > LONGEST_LINE);
    topic.bytes.len() > LARGEST
        || topic.bytes.iter().filter(|byte| **byte == b'\n').count() > 60_000
        || is_long(&front.name)
        || is_long(&front.description)
}

/// The editor of one memory.
#[derive(Clone, Debug)]
pub struct Editor {
    /// Which file.
    pub file: String,
    /// The text the form was filled from: what nobody touches keeps its bytes.
    pub base: Topic,
    /// What the disk held when it was opened, which the save is based on; another text than `base` when that came from
    /// somewhere else.
    pub opened: Vec<u8>,
    /// Its hash, to compare with what the disk holds now.
    pub base_hash: ContentHash,
    /// The time the file had when it was opened, which dates a claim that does not date itself.
    pub claimed: Option<DateTime<Utc>>,
    /// The fields.
    pub form: Form,
    /// What is wrong with the text as it stands.
    pub lint: Lint,
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
    /// The lines of the older one that contradict the newer and are not in the proposed text.
    pub left_out: Vec<String>,
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
        let mut form = Form::new(
            front.name.as_deref().unwrap_or_default(),
            front.description.as_deref().unwrap_or_default(),
            front.type_word.as_deref().unwrap_or_default(),
            &base.body(),
        );
        form.locked = locked(&base);
        form.others = others(front);
        Self {
            file: file.to_owned(),
            opened: base.bytes.clone(),
            base_hash: base.hash(),
            base,
            claimed: None,
            form,
            lint: Lint::default(),
            saving: false,
            asking: false,
            conflict: None,
            review: None,
            union: None,
            is_merge: false,
        }
    }

    /// The editor on a text that is on no disk, which shall be saved over what was `opened`: what another editor left and
    /// could not be saved.
    #[must_use]
    pub fn on_text(file: &str, opened: Vec<u8>, text: Vec<u8>) -> Self {
        let base_hash = ContentHash::of(&opened);
        Self { opened, base_hash, ..Self::open(file, Topic::read(text)) }
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
        let mut editor = Self { union: Some(Box::new(originals)), ..Self::open(file, united) };
        // Both originals show theirs.
        editor.form.others.clear();
        editor
    }

    /// An editor on both versions, based on what the disk holds, and whether the type had to be chosen. Each field is merged
    /// by itself: marks between the lines of the frontmatter would leave no frontmatter, and one version of a field unseen.
    #[must_use]
    pub fn merged(&self, theirs: Topic) -> (Self, bool) {
        self.together(theirs, &str::to_owned)
    }

    /// The same of what waits in the inbox and what is in the file.
    #[must_use]
    pub fn merged_in_review(&self, theirs: Topic) -> Self {
        self.together(theirs, &crate::change::named_in_review).0
    }

    fn together(&self, theirs: Topic, named: &dyn Fn(&str) -> String) -> (Self, bool) {
        let base = Self::open(&self.file, Topic::read(self.opened.clone())).form;
        let mut next = Self { claimed: self.claimed, ..Self::open(&self.file, theirs) };
        let (ours, theirs) = (&self.form, &next.form);
        let name = both(&base.name_text(), &ours.name_text(), &theirs.name_text());
        let description = both(&base.description_text(), &ours.description_text(), &theirs.description_text());
        let (type_word, is_type_chosen) = match pick(&base.type_word, &ours.type_word, &theirs.type_word) {
            Some(word) => (word, false),
            None => (ours.type_word.as_str(), true),
        };
        let body = diffy::merge(&base.body_text(), &ours.body_text(), &theirs.body_text()).unwrap_or_else(|both| both);
        let body = named(&body);
        let (locked, others) = (theirs.locked.clone(), theirs.others.clone());
        next.form = Form { locked, others, ..Form::new(&name, &description, type_word, &body) };
        next.is_merge = true;
        if let Some((field, line)) = next.marked() {
            next.form.go_to(field, line);
        }
        (next, is_type_chosen)
    }

    /// Where a merge still has marks: the field, and the line in it, from 0.
    #[must_use]
    pub fn marked(&self) -> Option<(FormField, usize)> {
        if !self.is_merge {
            return None;
        }
        if self.form.name_text().contains(BETWEEN) {
            return Some((FormField::Name, 0));
        }
        if self.form.description_text().contains(BETWEEN) {
            return Some((FormField::Description, 0));
        }
        let line = self.form.body.lines().iter().position(|line| crate::change::is_mark(line))?;
        Some((FormField::Body, line))
    }

    /// An editor on what the disk holds. The text areas are one's own, so that undo in them brings one's own text back.
    #[must_use]
    pub fn taking(mut self, theirs: Topic) -> Self {
        let mut next = Self { claimed: self.claimed, ..Self::open(&self.file, theirs) };
        self.form.replace(&next.form.name_text(), &next.form.description_text(), &next.form.body_text());
        next.form =
            Form { type_word: next.form.type_word, locked: next.form.locked, others: next.form.others, ..self.form };
        next
    }

    /// The file as it would be saved. What nobody touched keeps its bytes.
    ///
    /// # Errors
    /// When the frontmatter is too damaged for an edit of one line.
    pub fn content(&self) -> Result<Vec<u8>, EditError> {
        self.form.fields().over(&self.base)
    }

    /// Whether there is something to lose.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.content().map_or(true, |content| content != self.opened)
    }
}

/// The texts of a form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The name.
    pub name: String,
    /// The description.
    pub description: String,
    /// The word for the type.
    pub type_word: String,
    /// The body, lines ended by `\n`.
    pub body: String,
    /// The fields that are only shown.
    pub locked: Vec<FormField>,
}

impl Fields {
    /// A file with these in it. What is as it was keeps its bytes.
    ///
    /// # Errors
    /// When the frontmatter is too damaged for an edit of one line.
    pub fn over(&self, base: &Topic) -> Result<Vec<u8>, EditError> {
        let front = &base.frontmatter;
        let mut topic = base.clone();
        let fields = [
            (FormField::Name, Field::Name, &front.name, &self.name),
            (FormField::Description, Field::Description, &front.description, &self.description),
            (FormField::Type, Field::Type, &front.type_word, &self.type_word),
        ];
        for (place, field, before, after) in fields {
            if !self.locked.contains(&place) && one_line(before.as_deref().unwrap_or_default()) != *after {
                topic = topic.with(field, after)?;
            }
        }
        if self.body != normalised(&base.body()) {
            topic = topic.with_body(&self.body);
        }
        Ok(topic.bytes)
    }
}

/// The fields that cannot be set without damage, and why.
fn locked(base: &Topic) -> Vec<Locked> {
    let front = &base.frontmatter;
    let fields = [
        (FormField::Name, Field::Name, &front.name),
        (FormField::Description, Field::Description, &front.description),
        (FormField::Type, Field::Type, &front.type_word),
    ];
    let locked = fields.into_iter().filter_map(|(place, field, value)| {
        let other = format!("{}x", value.as_deref().unwrap_or_default().split(['\n', '\r']).next().unwrap_or_default());
        match base.with(field, &other) {
            Err(EditError::Damaged(why)) => Some(Locked { field: place, why }),
            Err(EditError::Unwritable(_)) | Ok(_) => None,
        }
    });
    locked.collect()
}

/// The keys of the frontmatter that the form has no field for, with their values on one line.
fn others(front: &Frontmatter) -> Vec<(String, String)> {
    let session = front.origin_session.as_deref().map(|session| ("session".to_owned(), crate::text::brief(session)));
    let modified = front.modified.clone().map(|modified| ("modified".to_owned(), modified));
    let unknown = front.others.iter().map(|(key, value)| (key.clone(), one_line(value.trim())));
    session.into_iter().chain(modified).chain(unknown).collect()
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
